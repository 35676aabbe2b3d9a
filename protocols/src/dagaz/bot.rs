use super::error::BotError;
use super::options::BotOptions;
use super::server::Server;
use damka_engine::Control;
use std::thread;

/// A bot.
pub struct Bot {
    options: BotOptions,
    server: Server,
}

impl Bot {
    /// A bot that has been told this. Nothing is sent yet.
    ///
    /// # Errors
    /// What it is told makes no sense.
    pub fn new(options: BotOptions) -> Result<Bot, BotError> {
        Ok(Bot { server: Server::new(&options)?, options })
    }

    /// Logs in, and plays until `stop` is told to stop; moves that are thought about are made
    /// before that.
    ///
    /// # Errors
    /// The first login fails. Whatever happens later is told in the log, and it goes on.
    pub fn run(&self, stop: &Control) -> Result<(), BotError> {
        self.server.enter()?;
        while !stop.is_stopped() {
            let _ = self.server.current();
            thread::sleep(self.options.pace.poll);
        }
        Ok(())
    }
}
