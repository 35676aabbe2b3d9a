//! What sessions with clients share: a player that searches on a thread of its own, and the lines
//! that are told meanwhile.

use crate::player::{Player, Settings, SettingsError};
use damka_engine::{Control, Limits, Playable, Report};
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// What both threads write to, a line at a time.
pub(crate) struct Output<W>(Mutex<W>);

impl<W: Write> Output<W> {
    pub(crate) fn new(output: W) -> Output<W> {
        Output(Mutex::new(output))
    }

    pub(crate) fn line(&self, line: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(output, "{line}")?;
        output.flush()
    }
}

/// The place of a player.
pub(crate) struct Seat<'scope, 'env, G: Playable> {
    scope: &'scope Scope<'scope, 'env>,
    /// Who plays; `None` as long as nothing was asked, after a change of settings, and
    /// while a search goes on.
    player: Option<Player<G>>,
    search: Option<Search<'scope, G>>,
}

/// A search on a thread of its own.
struct Search<'scope, G: Playable> {
    control: Arc<Control>,
    /// Whether it will end soon: it was told to stop, or has found its move.
    is_ending: Arc<AtomicBool>,
    thread: ScopedJoinHandle<'scope, Player<G>>,
}

impl<'scope, 'env, G: Playable> Seat<'scope, 'env, G> {
    /// A place whose searches end within `scope`.
    pub(crate) fn new(scope: &'scope Scope<'scope, 'env>) -> Seat<'scope, 'env, G> {
        Seat { scope, player: None, search: None }
    }

    /// Who plays, as the settings want it.
    ///
    /// # Errors
    /// What they ask for cannot be had.
    pub(crate) fn player(
        &mut self,
        settings: &Settings<G>,
    ) -> Result<&mut Player<G>, SettingsError> {
        self.end_search();
        let player = match self.player.take() {
            Some(player) => player,
            None => Player::new(settings)?,
        };
        Ok(self.player.insert(player))
    }

    /// Lets the player go: the settings have changed.
    pub(crate) fn dismiss(&mut self) {
        self.end_search();
        self.player = None;
    }

    /// Has the player search, if there is one: `info` is called after each depth, and `done` with
    /// what was found.
    ///
    /// # Errors
    /// The system gives no thread. Then the player is gone, and neither is called.
    pub(crate) fn search(
        &mut self,
        limits: Limits,
        control: Control,
        info: impl Fn(&Report<G>, &Control) + Send + 'scope,
        done: impl FnOnce(&Report<G>) + Send + 'scope,
    ) -> Result<(), SettingsError> {
        self.end_search();
        let Some(mut player) = self.player.take() else { return Ok(()) };
        let control = Arc::new(control);
        let is_ending = Arc::new(AtomicBool::new(false));
        let (its_control, its_end) = (Arc::clone(&control), Arc::clone(&is_ending));
        let search = move || {
            let found = player.search(&limits, &its_control, |found| info(found, &its_control));
            its_end.store(true, Ordering::Release);
            done(&found);
            player
        };
        let thread = Builder::new().spawn_scoped(self.scope, search);
        let thread = thread.map_err(SettingsError::Thread)?;
        self.search = Some(Search { control, is_ending, thread });
        Ok(())
    }

    /// Whether a search goes on that will not end soon.
    pub(crate) fn is_searching(&self) -> bool {
        self.search.as_ref().is_some_and(|search| !search.is_ending.load(Ordering::Acquire))
    }

    /// Asks the search to end, if there is one.
    pub(crate) fn stop(&self) {
        if let Some(search) = &self.search {
            search.is_ending.store(true, Ordering::Release);
            search.control.stop();
        }
    }

    /// The other side has made the move on which a search ponders, if there is one.
    pub(crate) fn ponder_hit(&self) {
        if let Some(search) = &self.search {
            search.control.ponder_hit();
        }
    }

    /// Ends a search that goes on, and takes the player back from it.
    pub(crate) fn end_search(&mut self) {
        self.stop();
        if let Some(search) = self.search.take() {
            let player = search.thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            self.player = Some(player);
        }
    }
}
