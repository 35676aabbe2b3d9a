//! The bodies of requests.

use crate::errors::ApiError;
use crate::options::ServerLimits;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::header;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use std::error::Error;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Receives bodies within a memory limit for all of them. Only bytes that have arrived are counted, so slow
/// clients do not block others.
pub(crate) struct Uploads {
    /// A permit for each byte.
    memory: Arc<Semaphore>,
}

impl Uploads {
    pub(crate) fn new(limits: &ServerLimits) -> Uploads {
        Uploads { memory: Arc::new(Semaphore::new(limits.uploads_bytes)) }
    }

    /// The body of a request, of at most this many bytes.
    ///
    /// # Errors
    /// The body is too large, too slow or compressed, or the server is busy.
    pub(crate) async fn receive(
        &self,
        request: Request,
        most: usize,
        limits: &ServerLimits,
    ) -> Result<Bytes, ApiError> {
        let encoding = request.headers().get(header::CONTENT_ENCODING);
        if encoding.is_some_and(|encoding| encoding != "identity") {
            return Err(ApiError::bad("bad_body", "the body is compressed: expected plain text"));
        }
        let too_large = || ApiError::too_large(format!("the body has more than {most} bytes"));
        // The announced length need not be true.
        if hyper::body::Body::size_hint(request.body()).lower() > most as u64 {
            return Err(too_large());
        }
        let mut body = Limited::new(request.into_body(), most);
        let received = timeout(limits.transfer_time, async {
            let mut bytes = Vec::new();
            let mut taken: Option<OwnedSemaphorePermit> = None;
            while let Some(frame) = body.frame().await {
                let frame = frame.map_err(|error| match is_too_long(&*error) {
                    true => too_large(),
                    false => ApiError::bad("bad_body", "the body ends too early"),
                })?;
                let Ok(data) = frame.into_data() else { continue };
                let len = u32::try_from(data.len()).map_err(|_| too_large())?;
                let memory = Arc::clone(&self.memory).try_acquire_many_owned(len);
                let memory = memory.map_err(|_| ApiError::busy())?;
                match &mut taken {
                    Some(taken) => taken.merge(memory),
                    None => taken = Some(memory),
                }
                bytes.extend_from_slice(&data);
            }
            Ok(bytes.into())
        });
        received.await.map_err(|_| ApiError::too_slow())?
    }
}

fn is_too_long(error: &(dyn Error + 'static)) -> bool {
    let is_limit = |error: &(dyn Error + 'static)| error.is::<LengthLimitError>();
    is_limit(error) || error.source().is_some_and(is_limit)
}
