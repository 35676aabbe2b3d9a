use crate::progress::NoProgress;
use crate::{Options, Progress, Stop};
use std::path::Path;

/// Where and how tables are [built](crate::build()), [rehearsed](crate::rehearse()) or
/// [verified](crate::verify()).
pub struct Request<'a> {
    /// The directory of tables, with a subdirectory for each game.
    pub directory: &'a Path,
    /// The options.
    pub options: Options,
    /// Receives events.
    pub progress: &'a dyn Progress,
    /// Ends the work early.
    pub stop: Stop,
}

impl<'a> Request<'a> {
    /// A request with default options that reports nothing and is never stopped.
    pub fn new(directory: &'a Path) -> Request<'a> {
        let (options, stop) = (Options::default(), Stop::default());
        Request { directory, options, progress: &NoProgress, stop }
    }
}
