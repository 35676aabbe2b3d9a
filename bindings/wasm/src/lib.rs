//! Tables in browsers and Node.js. JavaScript sends requests as text and gets JSON.
//!
//! A probe cannot wait for a server. So if bytes are missing, the reply to a request names the needed parts
//! of files. JavaScript fetches them all, delivers them, and repeats the request.
//!
//! * `exports.rs`: the functions that JavaScript calls
//! * `session.rs`: open tables; `requests.rs`: requests about them
//! * `parts.rs`: fetched and needed parts of files
//! * `storage.rs`: tables in chunks or in whole files (`ranges.rs`)

mod exports;
mod parts;
mod ranges;
mod requests;
mod session;
mod storage;
