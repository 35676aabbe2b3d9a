//! The explorer: an HTTP server with a JSON API for tables and the page that uses it. Also pictures of
//! positions.
//!
//! A [`Server`] runs until it is stopped. `docs/SERVER.md` describes the API and how to run it.
//!
//! # Where things are
//!
//! * `options.rs`: the options. `lib.rs`: start and end.
//! * `connections.rs`: accepts connections, and drops slow clients.
//! * `router.rs`: the router, and the handling of every request: limits, metrics, headers. `app.rs`: the
//!   state that requests share.
//! * `library.rs`: the tables of all games; `reload.rs` reloads them when their files change.
//! * `engines.rs`: engines for positions that are in no table.
//! * `pool.rs`: threads for tasks that read files. `rates.rs`: limits the rate of each client. `uploads.rs`:
//!   receives bodies within a memory limit.
//! * `game_request.rs`: the game and the parameters of a request; `params.rs` parses them.
//! * `log.rs`: messages to the person who runs the server.
//! * `reply.rs`: answers; `tags.rs`: their tags; `kept.rs`: those that are the same for all clients;
//!   `compression.rs`: answers as gzip; `errors.rs`: all errors.
//! * `routes/`: a module for each kind of request; `objects.rs`: answers that follow from tables
//!   alone. `site/` writes them, the page and the tables as files.
//! * `picture/`: positions as SVG and PNG.
//! * `openapi/` describes the API; `metrics.rs` counts; `assets.rs` has the files of the page.

mod app;
mod assets;
mod compression;
mod connections;
mod engines;
mod errors;
mod game_request;
mod kept;
mod library;
mod log;
mod metrics;
mod objects;
mod openapi;
mod options;
mod params;
pub mod picture;
mod pool;
mod rates;
mod reload;
mod reply;
mod router;
mod routes;
pub mod site;
mod tags;
mod uploads;

pub use options::{ServerLimits, ServerOptions};

use app::App;
use std::io;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use thiserror::Error;
use tokio::runtime;
use tokio::sync::watch;

/// Why the server cannot start or continue.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The system has no threads or no sockets.
    #[error("the server cannot start: {0}")]
    Start(#[source] io::Error),
    /// The tables cannot be listed.
    #[error("the tables cannot be listed: {0}")]
    Tables(#[source] io::Error),
    /// An allowed origin is not an origin.
    #[error("`{0}` is not an origin: expected one such as https://example.org")]
    Origin(String),
}

/// Controls a running server. Clones control the same server.
#[derive(Clone, Debug)]
pub struct ServerControl(watch::Sender<Orders>);

/// The orders to a server.
#[derive(Clone, Copy, Debug, Default)]
struct Orders {
    is_stopped: bool,
    /// The number of orders to reload tables.
    reloads: u64,
}

impl Default for ServerControl {
    fn default() -> ServerControl {
        ServerControl(watch::Sender::new(Orders::default()))
    }
}

impl ServerControl {
    /// Stops the server: it accepts no more connections, finishes requests that have begun, and ends.
    pub fn stop(&self) {
        self.0.send_modify(|orders| orders.is_stopped = true);
    }

    /// Makes the server look for new, changed and removed tables now.
    pub fn reload(&self) {
        self.0.send_modify(|orders| orders.reloads += 1);
    }
}

/// A server that has listed its tables, and does not listen yet.
pub struct Server {
    app: Arc<App>,
}

impl Server {
    /// Lists the tables, and reads the header of each.
    ///
    /// # Errors
    /// The options are wrong, or the tables cannot be listed.
    pub fn open(options: ServerOptions) -> Result<Server, ServerError> {
        Ok(Server { app: Arc::new(App::new(options)?) })
    }

    /// Serves on `listener` until `control` stops it. Returns when the requests that have begun are
    /// answered, or their time is over.
    ///
    /// # Errors
    /// The system has no threads or no sockets.
    pub fn run(self, listener: TcpListener, control: &ServerControl) -> Result<(), ServerError> {
        let Server { app } = self;
        let workers = thread::available_parallelism().map_or(1, usize::from);
        // One more for a request that waits for a disk.
        check_threads(workers + 1).map_err(ServerError::Start)?;
        let runtime = runtime::Builder::new_multi_thread()
            .enable_all()
            .worker_threads(workers)
            // One more thread looks at the directories.
            .max_blocking_threads(app.limits.blocking_threads() + 1)
            .thread_name("damka-serve")
            .build()
            .map_err(ServerError::Start)?;
        listener.set_nonblocking(true).map_err(ServerError::Start)?;
        let address = listener.local_addr().map_err(ServerError::Start)?;
        app.log.write(&format!("serving on http://{address}"));
        let orders = control.0.subscribe();
        let ended = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            tokio::spawn(reload::watch(Arc::clone(&app), orders.clone()));
            connections::accept(&app, listener, orders).await;
            Ok(())
        });
        // Does not wait for tasks whose clients have gone.
        runtime.shutdown_background();
        ended.map_err(ServerError::Start)
    }
}

/// Checks that `count` threads can run at the same time. Without them Tokio panics, or waits forever.
fn check_threads(count: usize) -> io::Result<()> {
    let (starting, started) = mpsc::channel::<()>();
    let started = &Mutex::new(started);
    thread::scope(|scope| {
        // The threads wait until `_starting` is dropped, here or by an error.
        let _starting = starting;
        for _ in 0..count {
            let wait = || started.lock().map(|started| started.recv()).is_ok();
            thread::Builder::new().spawn_scoped(scope, wait)?;
        }
        Ok(())
    })
}
