use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When a search ends by itself. Without any limit it ends when it is told to, or when
/// there is nothing more to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The greatest depth, in plies.
    pub depth: Option<u16>,
    /// The number of positions, all threads together; kept to within a thousand.
    pub nodes: Option<u64>,
    /// The time for this move.
    pub time: Option<Duration>,
    /// The clock of the game.
    pub clock: Option<TimeControl>,
    /// Whether somebody wants to know what a position is worth, and not only what to play: of a
    /// single legal move, too, for as long as there is time.
    pub is_analysis: bool,
}

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// What is left.
    pub left: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// After how many moves, this one included, time is added; `None` if the game must
    /// be finished with what is left.
    pub moves: Option<u32>,
}

impl Limits {
    /// Ends at this depth, in plies.
    pub fn depth(depth: u16) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Ends after this time.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// Ends after so many positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Whether a move that leaves no choice is played at once: where nothing but time limits a
    /// search for a move to play.
    pub(crate) fn spare_time(&self) -> bool {
        let is_timed = self.time.is_some() || self.clock.is_some();
        is_timed && self.depth.is_none() && self.nodes.is_none() && !self.is_analysis
    }
}

/// Stops a search from another thread, and tells one that ponders that its clock has
/// begun to run.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Control {
    /// For a search on the other side's time: limits of time hold from
    /// [`ponder_hit`](Control::ponder_hit) on.
    pub fn pondering() -> Control {
        Control { stop: AtomicBool::new(false), pondering: AtomicBool::new(true) }
    }

    /// Asks the search to end as soon as it can.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The other side has made the move that was expected: the clock runs from now on.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
    }

    /// Whether the search was told to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}

/// What a thread may lose between two looks at the clock, or while others run in its place,
/// and a caller before the search has begun and after it has ended. Of short limits it is
/// half: not to be late is worth more than a few milliseconds of search.
const RESERVE: Duration = Duration::from_millis(8);

/// The clock of one search.
#[derive(Debug)]
pub struct Clock<'a> {
    control: &'a Control,
    /// Since when time is counted; `None` while pondering.
    started: Option<Instant>,
    /// When to begin no further iteration, and when to end.
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl<'a> Clock<'a> {
    /// Begins to count the time of a search, unless it ponders.
    pub fn start(limits: &Limits, control: &'a Control) -> Clock<'a> {
        Clock::start_at(Instant::now(), limits, control)
    }

    fn start_at(now: Instant, limits: &Limits, control: &'a Control) -> Clock<'a> {
        let started = (!control.is_pondering()).then_some(now);
        let mut clock = Clock { control, started, soft: None, hard: None };
        if let Some(time) = limits.clock {
            let (soft, hard) = share(time);
            (clock.soft, clock.hard) = (Some(soft), Some(hard));
        }
        if let Some(time) = limits.time {
            let time = time.saturating_sub(RESERVE.min(time / 2));
            clock.hard = Some(clock.hard.map_or(time, |hard| hard.min(time)));
        }
        clock
    }

    /// Ends the search as soon as its time has begun: there is nothing to choose.
    pub(crate) fn hurry(&mut self) {
        (self.soft, self.hard) = (Some(Duration::ZERO), Some(Duration::ZERO));
    }

    /// Whether there is so little time that other threads had better not search as well: one
    /// that the system lets run in the place of this one, for a few milliseconds, makes it late.
    pub(crate) fn is_tight(&self) -> bool {
        self.hard.is_some_and(|hard| hard < 2 * RESERVE)
    }

    /// Whether the search must end now.
    pub fn is_over(&mut self) -> bool {
        self.control.is_stopped() || self.is_past(self.hard, Instant::now())
    }

    /// Whether another iteration is not worth beginning. `calm` shortens or lengthens
    /// the time for it.
    pub fn is_late(&mut self, calm: f64) -> bool {
        let soft = self.soft.map(|soft| soft.mul_f64(calm));
        self.control.is_stopped() || self.is_past(soft, Instant::now())
    }

    fn is_past(&mut self, limit: Option<Duration>, now: Instant) -> bool {
        if self.started.is_none() && !self.control.is_pondering() {
            self.started = Some(now);
        }
        match (self.started, limit) {
            (Some(started), Some(limit)) => now.saturating_duration_since(started) >= limit,
            _ => false,
        }
    }

    pub(crate) fn is_pondering(&self) -> bool {
        self.control.is_pondering() && !self.control.is_stopped()
    }
}

/// When to begin no further iteration, and when to end: a share of what is left, but
/// never all of it.
fn share(time: TimeControl) -> (Duration, Duration) {
    // A game of draughts seldom has more moves to come.
    const MOVES: u32 = 30;
    let usable = time.left.saturating_sub(RESERVE * 4).max(time.left / 8);
    let moves = time.moves.unwrap_or(MOVES).clamp(1, MOVES);
    let mean = (usable / moves).saturating_add(time.increment / 4 * 3);
    let most = if moves == 1 { usable } else { usable / 3 };
    (mean.min(most).mul_f64(0.6), mean.saturating_mul(3).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    /// When a clock that was started at 0 first says that the search must end, in
    /// milliseconds.
    fn end(limits: &Limits) -> Option<u64> {
        let (control, start) = (Control::default(), Instant::now());
        let mut clock = Clock::start_at(start, limits, &control);
        (0..100_000).find(|&time| clock.is_past(clock.hard, start + millis(time)))
    }

    #[test]
    fn a_search_ends_shortly_before_its_limit() {
        for time in [1, 4, 5, 20, 50, 1_000, 60_000] {
            let end = end(&Limits::time(millis(time))).expect("an end");
            assert!(end <= time && end + 10 >= time, "{end} of {time}");
            assert!(time < 5 || end < time, "{end} of {time}");
        }
        assert_eq!(end(&Limits::time(Duration::ZERO)), Some(0));
        assert_eq!(end(&Limits::depth(3)), None);
        // The nearer of two limits counts.
        let left = TimeControl { left: millis(900), increment: Duration::ZERO, moves: Some(1) };
        let both = |time| Limits { clock: Some(left), ..Limits::time(millis(time)) };
        assert_eq!(end(&both(100)), end(&Limits::time(millis(100))));
        assert!(end(&both(50_000)).is_some_and(|end| end < 900));
    }

    #[test]
    fn only_short_limits_of_time_are_tight() {
        let control = Control::default();
        let is_tight = |limits: &Limits| Clock::start(limits, &control).is_tight();
        assert!([0, 5, 20].into_iter().all(|time| is_tight(&Limits::time(millis(time)))));
        assert!([50, 1_000].into_iter().all(|time| !is_tight(&Limits::time(millis(time)))));
        assert!(!is_tight(&Limits::nodes(1)) && !is_tight(&Limits::default()));
    }

    #[test]
    fn the_clock_of_a_search_that_ponders_runs_from_the_hit_on() {
        let (control, start) = (Control::pondering(), Instant::now());
        let limits = Limits::time(millis(100));
        let mut clock = Clock::start_at(start, &limits, &control);
        assert!(!clock.is_past(clock.hard, start + millis(5_000)));
        control.ponder_hit();
        assert!(!clock.is_past(clock.hard, start + millis(5_001)));
        assert!(!clock.is_past(clock.hard, start + millis(5_090)));
        assert!(clock.is_past(clock.hard, start + millis(5_101)));
        control.stop();
        assert!(Clock::start(&Limits::default(), &control).is_over());
    }

    #[test]
    fn never_more_than_is_left() {
        for left in [1, 10, 50, 1_000, 300_000, u64::MAX].map(Duration::from_millis) {
            for increment in [0, 100, 10_000, u64::MAX].map(Duration::from_millis) {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let (soft, hard) = share(TimeControl { left, increment, moves });
                    assert!(soft <= hard && hard < left, "{left:?} {increment:?} {moves:?}");
                }
            }
        }
    }
}
