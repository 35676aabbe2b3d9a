//! Tables in browsers and Node.js. JavaScript asks questions as text and gets JSON.
//!
//! A probe cannot wait for a server. So a question for which bytes are missing has another answer: the
//! parts of files that are wanted. JavaScript fetches them all, hands them over, and asks again.
//!
//! * `exports.rs`: the functions that JavaScript calls
//! * `session.rs`: the tables that are open; `requests.rs`: the questions about them
//! * `parts.rs`: the parts of files that have been fetched, and those that are wanted
//! * `storage.rs`: tables in chunks or in whole files (`ranges.rs`)

mod exports;
mod parts;
mod ranges;
mod requests;
mod session;
mod storage;
