use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits of a search. Without any it runs until it is stopped, or until a deeper search
/// cannot change the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The maximum depth, in plies.
    pub depth: Option<u16>,
    /// The maximum number of positions over all threads; may be exceeded by up to 512 for each thread.
    pub nodes: Option<u64>,
    /// The time for this move.
    pub time: Option<Duration>,
    /// The game clock of the side to move.
    pub clock: Option<TimeControl>,
    /// Whether the score matters and not only the move: then even a position with a single legal
    /// move is searched for as long as the limits allow, and nothing is pruned in the first plies, so
    /// that short wins are found early.
    pub is_analysis: bool,
}

/// The game clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The remaining time.
    pub left: Duration,
    /// The increment for each move.
    pub increment: Duration,
    /// The number of moves, this one included, to the next time control; `None` if the remaining
    /// time must suffice for the rest of the game.
    pub moves: Option<u32>,
}

impl Limits {
    /// Limits the depth, in plies.
    pub fn depth(depth: u16) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Limits the time.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// Limits the number of positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Whether the only legal move is played at once: if only time limits the search, and it is not
    /// an analysis.
    pub(crate) fn plays_only_move_at_once(&self) -> bool {
        let is_timed = self.time.is_some() || self.clock.is_some();
        is_timed && self.depth.is_none() && self.nodes.is_none() && !self.is_analysis
    }
}

/// Controls a search from another thread: stops it, or turns pondering into a timed search.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Control {
    /// A control for pondering, a search on the opponent's time: time limits apply from
    /// [`ponder_hit`](Control::ponder_hit) on.
    pub fn pondering() -> Control {
        Control { stop: AtomicBool::new(false), pondering: AtomicBool::new(true) }
    }

    /// Stops the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The opponent has played the expected move: the clock of the search starts now.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
    }

    /// Whether [`stop`](Control::stop) was called.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}

/// Time that every search reserves for what it cannot control: the interval between two checks of
/// the clock, scheduling of other threads, and the caller's work before and after the search. Being
/// on time is worth more than a few milliseconds of search. At most half of a time limit is
/// reserved.
pub const MOVE_OVERHEAD: Duration = Duration::from_millis(8);

/// The clock of one search.
#[derive(Debug)]
pub struct Clock<'a> {
    control: &'a Control,
    /// When the clock was started; `None` while pondering.
    started: Option<Instant>,
    /// The time after which no further depth is started.
    soft: Option<Duration>,
    /// The time after which the search stops.
    hard: Option<Duration>,
}

impl<'a> Clock<'a> {
    /// The clock of a search that starts now. If `control` is pondering, the clock starts when
    /// pondering ends.
    pub fn start(limits: &Limits, control: &'a Control) -> Clock<'a> {
        Clock::start_at(Instant::now(), limits, control)
    }

    fn start_at(now: Instant, limits: &Limits, control: &'a Control) -> Clock<'a> {
        let started = (!control.is_pondering()).then_some(now);
        let mut clock = Clock { control, started, soft: None, hard: None };
        if let Some(time) = limits.clock {
            let (soft, hard) = allot(time);
            (clock.soft, clock.hard) = (Some(soft), Some(hard));
        }
        if let Some(time) = limits.time {
            let time = time.saturating_sub(MOVE_OVERHEAD.min(time / 2));
            clock.hard = Some(clock.hard.map_or(time, |hard| hard.min(time)));
        }
        clock
    }

    /// Makes the time run out as soon as the clock starts, because there is only one move to play.
    pub(crate) fn expire(&mut self) {
        (self.soft, self.hard) = (Some(Duration::ZERO), Some(Duration::ZERO));
    }

    /// Whether the limit is so short that only one thread should search: the search would end too
    /// late if another thread took its processor for a few milliseconds.
    pub(crate) fn is_short(&self) -> bool {
        self.hard.is_some_and(|hard| hard < 2 * MOVE_OVERHEAD)
    }

    /// Whether the search must stop now.
    pub fn is_over(&mut self) -> bool {
        self.control.is_stopped() || self.is_past(self.hard, Instant::now())
    }

    /// Whether no further depth should be started: the search was stopped, or the soft limit times
    /// `scale` has passed.
    pub fn is_late(&mut self, scale: f64) -> bool {
        let soft = self.soft.map(|soft| soft.mul_f64(scale));
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

/// The soft and hard limits for a move: a share of the remaining time, but never all of it.
fn allot(time: TimeControl) -> (Duration, Duration) {
    // The maximum number of moves among which the remaining time is divided.
    const MOVES_TO_GO: u32 = 30;
    let usable = time.left.saturating_sub(MOVE_OVERHEAD * 4).max(time.left / 8);
    let moves = time.moves.unwrap_or(MOVES_TO_GO).clamp(1, MOVES_TO_GO);
    let average = (usable / moves).saturating_add(time.increment / 4 * 3);
    let max = if moves == 1 { usable } else { usable / 3 };
    (average.min(max).mul_f64(0.6), average.saturating_mul(3).min(max))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    /// The first time, in milliseconds after the start, at which the hard limit has passed.
    fn end(limits: &Limits) -> Option<u64> {
        let (control, start) = (Control::default(), Instant::now());
        let mut clock = Clock::start_at(start, limits, &control);
        (0..100_000).find(|&time| clock.is_past(clock.hard, start + millis(time)))
    }

    #[test]
    fn a_search_ends_shortly_before_its_limit() {
        for time in [1, 4, 5, 20, 50, 1_000, 60_000] {
            let end = end(&Limits::time(millis(time))).expect("a time limit");
            assert!(end <= time && end + 10 >= time, "{end} of {time}");
            assert!(time < 5 || end < time, "{end} of {time}");
        }
        assert_eq!(end(&Limits::time(Duration::ZERO)), Some(0));
        assert_eq!(end(&Limits::depth(3)), None);
        // The shorter of two limits applies.
        let left = TimeControl { left: millis(900), increment: Duration::ZERO, moves: Some(1) };
        let both = |time| Limits { clock: Some(left), ..Limits::time(millis(time)) };
        assert_eq!(end(&both(100)), end(&Limits::time(millis(100))));
        assert!(end(&both(50_000)).is_some_and(|end| end < 900));
    }

    #[test]
    fn only_short_time_limits_are_short() {
        let control = Control::default();
        let is_short = |limits: &Limits| Clock::start(limits, &control).is_short();
        assert!([0, 5, 20].into_iter().all(|time| is_short(&Limits::time(millis(time)))));
        assert!([50, 1_000].into_iter().all(|time| !is_short(&Limits::time(millis(time)))));
        assert!(!is_short(&Limits::nodes(1)) && !is_short(&Limits::default()));
    }

    #[test]
    fn a_pondering_search_is_timed_from_the_ponder_hit() {
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
    fn no_more_time_is_allotted_than_is_left() {
        for left in [1, 10, 50, 1_000, 300_000, u64::MAX].map(Duration::from_millis) {
            for increment in [0, 100, 10_000, u64::MAX].map(Duration::from_millis) {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let (soft, hard) = allot(TimeControl { left, increment, moves });
                    assert!(soft <= hard && hard < left, "{left:?} {increment:?} {moves:?}");
                }
            }
        }
    }
}
