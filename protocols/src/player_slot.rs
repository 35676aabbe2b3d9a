//! The player of a session with a client. It searches on a separate thread, so that the session can
//! read commands of the client during a search.

use damka_engine::{Control, Limits, Playable, Player, PlayerError, PlayerSettings, Report};
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// The output of a session, written by two threads line by line.
pub(crate) struct Output<W>(Mutex<W>);

impl<W: Write> Output<W> {
    pub(crate) fn new(output: W) -> Output<W> {
        Output(Mutex::new(output))
    }

    /// Writes a line and flushes.
    pub(crate) fn line(&self, line: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(output, "{line}")?;
        output.flush()
    }
}

/// The player of a session and its search, if one is running.
pub(crate) struct PlayerSlot<'scope, 'env, G: Playable> {
    scope: &'scope Scope<'scope, 'env>,
    /// `None` before the first use, after a change of settings, and during a search.
    player: Option<Player<G>>,
    search: Option<Search<'scope, G>>,
}

/// A search on a separate thread.
struct Search<'scope, G: Playable> {
    control: Arc<Control>,
    /// Whether the search will end soon: it was stopped, or has found its move.
    is_ending: Arc<AtomicBool>,
    thread: ScopedJoinHandle<'scope, Player<G>>,
}

impl<'scope, 'env, G: Playable> PlayerSlot<'scope, 'env, G> {
    /// A slot whose searches end within `scope`.
    pub(crate) fn new(scope: &'scope Scope<'scope, 'env>) -> PlayerSlot<'scope, 'env, G> {
        PlayerSlot { scope, player: None, search: None }
    }

    /// The player; created with these settings if there is none. Ends a running search.
    ///
    /// # Errors
    /// The settings cannot be honoured.
    pub(crate) fn player(
        &mut self,
        settings: &PlayerSettings<G>,
    ) -> Result<&mut Player<G>, PlayerError> {
        self.end_search();
        let player = match self.player.take() {
            Some(player) => player,
            None => Player::new(settings)?,
        };
        Ok(self.player.insert(player))
    }

    /// Errors of tables that the player cannot use, each returned once. None during a search, which
    /// reports them at its end.
    pub(crate) fn table_errors(&self) -> Vec<String> {
        self.player.as_ref().map(table_errors).unwrap_or_default()
    }

    /// Drops the player, because the settings have changed. Ends a running search.
    pub(crate) fn dismiss(&mut self) {
        self.end_search();
        self.player = None;
    }

    /// Starts a search, if there is a player. Calls `info` after each depth. At the end calls `done`, with
    /// the errors of tables that were not reported before.
    ///
    /// # Errors
    /// The thread cannot be started. Then the player is dropped, and neither `info` nor `done` is called.
    pub(crate) fn search(
        &mut self,
        limits: Limits,
        control: Control,
        info: impl Fn(&Report<G>, &Control) + Send + 'scope,
        done: impl FnOnce(&Report<G>, &[String]) + Send + 'scope,
    ) -> io::Result<()> {
        self.end_search();
        let Some(mut player) = self.player.take() else { return Ok(()) };
        let control = Arc::new(control);
        let is_ending = Arc::new(AtomicBool::new(false));
        let (its_control, its_end) = (Arc::clone(&control), Arc::clone(&is_ending));
        let search = move || {
            let found = player.think(&limits, &its_control, |found| info(found, &its_control));
            its_end.store(true, Ordering::Release);
            done(&found, &table_errors(&player));
            player
        };
        let thread = Builder::new().spawn_scoped(self.scope, search)?;
        self.search = Some(Search { control, is_ending, thread });
        Ok(())
    }

    /// Whether a search is running that will not end soon.
    pub(crate) fn is_searching(&self) -> bool {
        self.search.as_ref().is_some_and(|search| !search.is_ending.load(Ordering::Acquire))
    }

    /// Tells the search to stop, if one is running, and does not wait for its end.
    pub(crate) fn stop(&self) {
        if let Some(search) = &self.search {
            search.is_ending.store(true, Ordering::Release);
            search.control.stop();
        }
    }

    /// Tells a pondering search that the opponent has played the expected move.
    pub(crate) fn ponder_hit(&self) {
        if let Some(search) = &self.search {
            search.control.ponder_hit();
        }
    }

    /// Stops a running search and waits for its end.
    pub(crate) fn end_search(&mut self) {
        self.stop();
        if let Some(search) = self.search.take() {
            let player = search.thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            self.player = Some(player);
        }
    }
}

/// Errors of tables that the player cannot use, each returned once.
fn table_errors<G: Playable>(player: &Player<G>) -> Vec<String> {
    player.take_table_errors().iter().map(ToString::to_string).collect()
}
