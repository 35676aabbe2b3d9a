//! Accepts connections, and drops slow clients.

use crate::Orders;
use crate::app::App;
use crate::errors::ApiError;
use crate::router::{self, Peer};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::future::{Future, ready};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch::Receiver;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep, sleep_until, timeout};

/// How long input is still read and dropped before a connection is closed.
const LINGERING: Duration = Duration::from_millis(500);

/// Serves connections until the server is stopped; then finishes the requests that have begun.
pub(crate) async fn accept(app: &Arc<App>, listener: TcpListener, mut orders: Receiver<Orders>) {
    let most = app.limits.connections;
    let served = Arc::new(Semaphore::new(most));
    // Beyond the limit, up to the same number of connections get the answer that the server is full.
    let refused = Arc::new(Semaphore::new(most));
    let router = TowerToHyperService::new(router::router(app).into_service());
    loop {
        let (stream, address) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                // The client has disconnected, or too many files are open.
                Err(_) => {
                    sleep(Duration::from_millis(10)).await;
                    continue;
                }
            },
            () = stopped(&mut orders) => break,
        };
        app.metrics.connections.fetch_add(1, Relaxed);
        // Small answers are sent without delay.
        let _ = stream.set_nodelay(true);
        if let Ok(permit) = Arc::clone(&served).try_acquire_owned() {
            let connection = Connection { app: Arc::clone(app), stream, address, permit };
            tokio::spawn(connection.serve(router.clone(), orders.clone()));
        } else if let Ok(permit) = Arc::clone(&refused).try_acquire_owned() {
            let connection = Connection { app: Arc::clone(app), stream, address, permit };
            tokio::spawn(connection.refuse());
        }
    }
    // New clients are refused at once.
    drop(listener);
    let all = u32::try_from(most).unwrap_or(u32::MAX);
    let _ = timeout(app.limits.drain_time, served.acquire_many(all)).await;
}

/// Waits until the server is stopped.
async fn stopped(orders: &mut Receiver<Orders>) {
    // If every control is dropped, the server is never stopped.
    if orders.wait_for(|orders| orders.is_stopped).await.is_err() {
        std::future::pending().await
    }
}

struct Connection {
    app: Arc<App>,
    stream: TcpStream,
    address: SocketAddr,
    permit: OwnedSemaphorePermit,
}

impl Connection {
    async fn serve(
        self,
        router: TowerToHyperService<axum::routing::RouterIntoService<Incoming>>,
        mut orders: Receiver<Orders>,
    ) {
        let Connection { app, stream, address, permit: _permit } = self;
        app.metrics.open_connections.fetch_add(1, Relaxed);
        let peer = Peer(address.ip());
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(peer);
            hyper::service::Service::call(&router, request)
        });
        let mut stream = WriteTimeoutStream::new(stream, app.limits.transfer_time);
        {
            let io = TokioIo::new(&mut stream);
            let mut connection = std::pin::pin!(protocol(&app).serve_connection(io, service));
            tokio::select! {
                // Errors of a connection are ignored.
                _ = connection.as_mut() => {}
                () = stopped(&mut orders) => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
        }
        stream.linger().await;
        app.metrics.open_connections.fetch_sub(1, Relaxed);
    }

    /// Answers that the server is full.
    async fn refuse(self) {
        let service = service_fn(|_: hyper::Request<Incoming>| {
            let mut response: Response = ApiError::busy().into_response();
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            ready(Ok::<_, Infallible>(response))
        });
        let io = TokioIo::new(WriteTimeoutStream::new(self.stream, self.app.limits.transfer_time));
        let connection = protocol(&self.app).serve_connection(io, service);
        let _ = timeout(Duration::from_secs(2), connection).await;
    }
}

fn protocol(app: &App) -> http1::Builder {
    let mut protocol = http1::Builder::new();
    protocol
        .timer(TokioTimer::new())
        .header_read_timeout(app.limits.head_time)
        .max_buf_size(app.limits.head_bytes.max(8192));
    // `pipeline_flush` is not set: with it, hyper does not send its answer to a malformed request.
    protocol
}

/// A stream that fails if the other side does not read for too long.
struct WriteTimeoutStream {
    stream: TcpStream,
    write_timeout: Duration,
    waits: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeoutStream {
    fn new(stream: TcpStream, write_timeout: Duration) -> WriteTimeoutStream {
        WriteTimeoutStream { stream, write_timeout, waits: None }
    }

    /// Reads and drops input for a moment. Closing a connection with unread bytes resets it, and the
    /// client would lose the answer about its error.
    async fn linger(mut self) {
        let mut dropped = [0; 4096];
        let drop_all = async {
            if self.stream.shutdown().await.is_ok() {
                while self.stream.read(&mut dropped).await.is_ok_and(|bytes| bytes > 0) {}
            }
        };
        let _ = timeout(LINGERING, drop_all).await;
    }

    /// Returns the result of a write, or an error if it has waited too long.
    fn watched<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waits = None;
            return written;
        }
        let until = || Box::pin(sleep_until(Instant::now() + self.write_timeout));
        match self.waits.get_or_insert_with(until).as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for WriteTimeoutStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for WriteTimeoutStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watched(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.watched(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.watched(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
