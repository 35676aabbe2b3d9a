//! The state of each game: whether a turn is due, and when the game began and ended. Orders the turns
//! that are due. Sends no requests.

use crate::error::CallError;
use crate::foreign::Foreign;
use crate::options::Pace;
use crate::site::{BotResult, GameStatus, Idle, IdleKind, Notice, Phase};
use damka_games::AnyGame;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use tracing::{error, info, warn};

/// A game that no list has shown for this long is forgotten.
const RETENTION: Duration = Duration::from_secs(24 * 3600);

/// If there are more games than this, only those are kept that the last list shows, that have a turn in
/// progress, or whose last move may not have arrived.
const MAX_GAMES: usize = 10_000;

/// The assumed remaining time of a game without a clock: the game can wait, but not for ever.
const WITHOUT_CLOCK: Duration = Duration::from_secs(3600);

/// A game without a move for this long is abandoned.
const ABANDONED: Duration = Duration::from_secs(3600);

/// A turn to be taken.
#[derive(Clone, Debug)]
pub(crate) struct Job<M> {
    pub(crate) notice: Notice,
    pub(crate) game: AnyGame,
    /// What the site remembers of the game.
    pub(crate) memory: M,
    /// The number of failures of this turn in a row.
    pub(crate) failures: u32,
    /// The ply at which a draw was last offered; 0 if none was.
    pub(crate) offered: u64,
    /// For how long lists have shown the same position although a turn was taken in it: the time
    /// since the first such turn ended; 0 if there was none.
    pub(crate) unmoved: Duration,
}

/// A turn that has ended.
#[derive(Debug)]
pub(crate) struct Ended<M> {
    pub(crate) outcome: TurnOutcome,
    pub(crate) memory: M,
    /// Whether a move may be under way to the server.
    pub(crate) is_unsettled: bool,
    /// The remaining time on the clock; `None` without a clock.
    pub(crate) left: Option<Duration>,
    /// The ply at which a draw was last offered; 0 if none was.
    pub(crate) offered: u64,
}

/// The outcome of a turn.
#[derive(Debug)]
pub(crate) enum TurnOutcome {
    /// Everything has been done.
    Done,
    /// Nothing is to be done while the position stays the same.
    Left(Idle),
    /// The site has taken back a move: the turn begins again.
    Undone,
    /// The turn failed, and will be tried again.
    Failed(CallError),
}

/// All games that the site has reported.
pub(crate) struct Tracker<M> {
    pace: Pace,
    games: HashMap<u64, Game<M>>,
    /// Whether a list of games has been seen. Games that ended before the first list are not logged.
    has_listed: bool,
}

/// The state of a game.
struct Game<M> {
    /// Whether a turn of this game is being taken.
    is_busy: bool,
    /// The position in which a turn was last taken.
    handled: Option<Handled>,
    /// When the last turn ended. Lists that were requested earlier are outdated.
    ended: Option<Instant>,
    /// After a failure, when the turn may be tried again.
    not_before: Option<Instant>,
    failures: u32,
    memory: M,
    is_unsettled: bool,
    offered: u64,
    /// The remaining time on the clock at the last turn; `None` without a clock.
    left: Option<Duration>,
    /// Since when a turn of this game has been waiting.
    waiting_since: Option<Instant>,
    /// When a list last showed this game.
    shown: Instant,
    /// The last logged reason for leaving the game alone.
    logged_reason: String,
    /// The game's entry in the last list of games.
    listed: Option<Listed>,
}

/// A position in which a turn was taken.
struct Handled {
    position: Foreign,
    ply: u64,
    /// When the first turn in this position ended.
    since: Instant,
    /// Until when the turn is assumed to be done, although lists still show the position. `None` if there is
    /// more to do.
    done_until: Option<Instant>,
    /// Whether an error was logged because the position stays the same.
    is_alarmed: bool,
}

/// A game in a list of the user's games.
#[derive(Clone, Copy)]
struct Listed {
    is_over: bool,
    /// The number of plies.
    ply: u64,
    /// Since when the number of plies has been the same.
    since: Instant,
}

impl Handled {
    fn is_of(&self, notice: &Notice) -> bool {
        self.position == notice.position && self.ply == notice.ply
    }
}

impl<M: Clone + Default> Game<M> {
    fn new(now: Instant) -> Game<M> {
        Game {
            is_busy: false,
            handled: None,
            ended: None,
            not_before: None,
            failures: 0,
            memory: M::default(),
            is_unsettled: false,
            offered: 0,
            // New games come first.
            left: Some(Duration::ZERO),
            waiting_since: None,
            shown: now,
            logged_reason: String::new(),
            listed: None,
        }
    }

    /// Logs why the game is left alone, unless this reason was the last one logged.
    fn log_reason(&mut self, notice: &Notice, why: &str, is_usual: bool) {
        if self.logged_reason != why {
            let (session, game) = (notice.id, notice.game.map(AnyGame::name));
            match is_usual {
                true => info!(session, game, "left alone: {why}"),
                false => warn!(session, game, "left alone: {why}"),
            }
            self.logged_reason = why.to_owned();
        }
    }

    /// The record of turns taken in this position; a new one if the last record is of another position.
    fn handled(&mut self, notice: &Notice, now: Instant) -> &mut Handled {
        let known = self.handled.take().filter(|handled| handled.is_of(notice));
        self.handled.insert(known.unwrap_or_else(|| Handled {
            position: notice.position.clone(),
            ply: notice.ply,
            since: now,
            done_until: None,
            is_alarmed: false,
        }))
    }
}

impl<M: Clone + Default> Tracker<M> {
    /// No games are known.
    pub(crate) fn new(pace: Pace) -> Tracker<M> {
        Tracker { pace, games: HashMap::new(), has_listed: false }
    }

    /// The turns to be taken now, given the list of all games in which the bot is to move, which was
    /// requested at `requested`. They are ordered by when their clocks would run out if each had been
    /// running since the turn began to wait.
    pub(crate) fn due(
        &mut self,
        notices: Vec<Notice>,
        requested: Instant,
        now: Instant,
    ) -> Vec<Job<M>> {
        let is_full = self.games.len() > MAX_GAMES;
        self.games.retain(|_, game| {
            let is_needed = game.is_busy || game.is_unsettled || game.listed.is_some();
            is_needed || !is_full && now - game.shown < RETENTION
        });
        let mut due: Vec<(Instant, Job<M>)> = Vec::new();
        for notice in notices {
            let game = self.games.entry(notice.id).or_insert_with(|| Game::new(now));
            game.shown = now;
            if let Some(why) = &notice.obstacle {
                game.log_reason(&notice, why, false);
                continue;
            }
            let Some(kind) = notice.game else { continue };
            let is_outdated = game.ended.is_some_and(|ended| requested <= ended);
            let is_early = game.not_before.is_some_and(|at| now < at);
            let handled = game.handled.as_ref().filter(|handled| handled.is_of(&notice));
            let is_done =
                handled.and_then(|handled| handled.done_until).is_some_and(|until| now < until);
            let is_listed = due.iter().any(|(_, job)| job.notice.id == notice.id);
            if game.is_busy || is_outdated || is_early || is_done || is_listed {
                continue;
            }
            let unmoved = handled.map_or(Duration::ZERO, |handled| now - handled.since);
            let since = *game.waiting_since.get_or_insert(now);
            let job = Job {
                notice,
                game: kind,
                memory: game.memory.clone(),
                failures: game.failures,
                offered: game.offered,
                unmoved,
            };
            due.push((since + game.left.unwrap_or(WITHOUT_CLOCK), job));
        }
        due.sort_by_key(|(deadline, job)| (*deadline, job.notice.id));
        due.into_iter().map(|(_, job)| job).collect()
    }

    /// Whether turns are being taken.
    pub(crate) fn is_busy(&self) -> bool {
        self.games.values().any(|game| game.is_busy)
    }

    /// A turn begins.
    pub(crate) fn begin(&mut self, job: &Job<M>) {
        if let Some(game) = self.games.get_mut(&job.notice.id) {
            game.is_busy = true;
        }
    }

    /// A turn has ended; `None` after a panic.
    pub(crate) fn end(&mut self, job: &Job<M>, ended: Option<Ended<M>>, now: Instant) {
        let Some(game) = self.games.get_mut(&job.notice.id) else { return };
        game.is_busy = false;
        game.ended = Some(now);
        let is_waiting = ended.as_ref().is_some_and(
            |ended| matches!(&ended.outcome, TurnOutcome::Left(idle) if idle.kind == IdleKind::Waiting),
        );
        let handled = game.handled(&job.notice, now);
        handled.done_until = Some(now + self.pace.longest_back_off);
        let unmoved = now - handled.since;
        if unmoved >= self.pace.alarm && !is_waiting && !handled.is_alarmed {
            handled.is_alarmed = true;
            error!(
                session = job.notice.id,
                game = job.game.name(),
                turn = job.notice.ply,
                minutes = unmoved.as_secs() / 60,
                "a game does not move on"
            );
        }
        let Some(ended) = ended else { return };
        game.offered = ended.offered;
        game.memory = ended.memory;
        game.is_unsettled = ended.is_unsettled;
        match ended.outcome {
            TurnOutcome::Failed(error) => {
                game.handled(&job.notice, now).done_until = None;
                game.failures += 1;
                let mut wait = self.pace.after(game.failures);
                if game.is_unsettled && error == CallError::Timeout {
                    // The move may still be under way. If it were sent again too early, the server
                    // might store both copies.
                    wait = wait.max(self.pace.call);
                }
                game.not_before = Some(now + wait);
                let wait_ms = wait.as_millis() as u64;
                info!(session = job.notice.id, %error, wait_ms, "to be tried again");
                return;
            }
            TurnOutcome::Left(Idle { kind, why }) => {
                game.log_reason(&job.notice, &why, kind != IdleKind::Wrong);
            }
            TurnOutcome::Undone => game.handled = None,
            TurnOutcome::Done => game.logged_reason.clear(),
        }
        game.left = ended.left;
        (game.failures, game.not_before, game.waiting_since) = (0, None, None);
    }

    /// The games of a list that have ended since the last list. Their results must be requested.
    pub(crate) fn newly_over(&self, list: &[GameStatus]) -> Vec<u64> {
        let is_new = |status: &&GameStatus| {
            status.phase == Phase::Over
                && match self.listed(status.id) {
                    Some(listed) => !listed.is_over,
                    None => self.has_listed,
                }
        };
        list.iter().filter(is_new).map(|status| status.id).collect()
    }

    fn listed(&self, id: u64) -> Option<Listed> {
        self.games.get(&id)?.listed
    }

    /// Logs which games of a list have begun or ended since the last list. `results` are those of
    /// the [newly ended](Tracker::newly_over) games; a game without a result is logged later.
    pub(crate) fn list(
        &mut self,
        list: &[GameStatus],
        results: &HashMap<u64, Option<BotResult>>,
        now: Instant,
    ) {
        let newly_over = self.newly_over(list);
        for &GameStatus { id, game, phase, ply } in list {
            let known = self.listed(id);
            match (phase, known) {
                (Phase::Waiting, _) => continue,
                (Phase::Playing, None) => {
                    info!(session = id, game = game.name(), turn = ply, "a game is going on");
                }
                _ => {}
            }
            if newly_over.contains(&id) {
                match results.get(&id) {
                    Some(Some(result)) => {
                        info!(session = id, game = game.name(), %result, "a game is over");
                    }
                    Some(None) => {
                        info!(session = id, game = game.name(), "a game is over, without a result");
                    }
                    None => continue,
                }
            }
            let since = known.filter(|known| known.ply == ply).map_or(now, |known| known.since);
            let entry = self.games.entry(id).or_insert_with(|| Game::new(now));
            entry.listed = Some(Listed { is_over: phase == Phase::Over, ply, since });
        }
        self.has_listed = true;
        // Lists are limited in length: nothing is known about a game that is no longer shown.
        for (id, game) in &mut self.games {
            if !list.iter().any(|status| status.id == *id) {
                game.listed = None;
            }
        }
    }

    /// Whether the last move of a game is so long ago that it may be abandoned.
    pub(crate) fn is_abandoned(&self, id: u64, now: Instant) -> bool {
        self.listed(id).is_some_and(|listed| now - listed.since >= ABANDONED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::logged;
    use damka_games::Alapo;

    const ALAPO: AnyGame = AnyGame::Alapo(Alapo);

    fn notice(id: u64, ply: u64) -> Notice {
        let position = Foreign::from("rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w");
        Notice { id, game: Some(ALAPO), position, ply, seat: None, obstacle: None }
    }

    fn ids(jobs: &[Job<()>]) -> Vec<u64> {
        jobs.iter().map(|job| job.notice.id).collect()
    }

    fn ended(outcome: TurnOutcome, left: Option<u64>) -> Option<Ended<()>> {
        let left = left.map(Duration::from_secs);
        Some(Ended { outcome, memory: (), is_unsettled: false, left, offered: 0 })
    }

    fn left(kind: IdleKind) -> TurnOutcome {
        TurnOutcome::Left(Idle::new(kind, "a reason"))
    }

    /// A tracker and its start time. Tests give times in seconds from the start.
    struct Day {
        tracker: Tracker<()>,
        start: Instant,
    }

    impl Day {
        fn new() -> Day {
            Day { tracker: Tracker::new(Pace::default()), start: Instant::now() }
        }

        fn at(&self, second: u64) -> Instant {
            self.start + Duration::from_secs(second)
        }

        /// The turns that are due according to a list that arrives as soon as it is requested.
        fn due(&mut self, second: u64, notices: &[Notice]) -> Vec<Job<()>> {
            let now = self.at(second);
            self.tracker.due(notices.to_vec(), now, now)
        }

        /// Takes a turn.
        fn turn(&mut self, second: u64, job: &Job<()>, ended: Option<Ended<()>>) {
            self.tracker.begin(job);
            assert!(self.tracker.is_busy());
            self.tracker.end(job, ended, self.at(second));
        }
    }

    #[test]
    fn games_without_an_obstacle_are_due_once() {
        let mut day = Day::new();
        let obstacle = Some("the server says no".to_owned());
        let notices =
            [notice(1, 0), Notice { obstacle, ..notice(2, 0) }, notice(3, 0), notice(1, 0)];
        let log = logged(|| {
            for second in 0..3 {
                assert_eq!(ids(&day.due(second, &notices)), [1, 3]);
            }
        });
        assert_eq!(count(&log, "WARN left alone: the server says no session=2"), 1, "{log}");
        assert_eq!(log.lines().count(), 1, "{log}");
    }

    #[test]
    fn a_turn_is_taken_once() {
        let mut day = Day::new();
        let job = day.due(0, &[notice(1, 0)]).remove(0);
        day.tracker.begin(&job);
        assert!(day.due(1, &[notice(1, 0)]).is_empty());
        let [first, second] = [day.at(1), day.at(2)];
        day.tracker.end(&job, ended(TurnOutcome::Done, None), second);
        // A list that was requested before the turn ended is outdated.
        assert!(day.tracker.due(vec![notice(1, 2)], first, day.at(3)).is_empty());
        assert!(day.due(3, &[notice(1, 0)]).is_empty());
        assert_eq!(ids(&day.due(4, &[notice(1, 2)])), [1]);
        // If the position is still shown after a while, a turn in it is due again.
        assert_eq!(ids(&day.due(70, &[notice(1, 0)])), [1]);
    }

    #[test]
    fn a_failing_turn_waits_longer_each_time() {
        let mut day = Day::new();
        let mut second = 0;
        for wait in [2, 4, 8, 16, 32, 60, 60] {
            let jobs = day.due(second, &[notice(1, 0)]);
            assert_eq!(ids(&jobs), [1], "{second}");
            day.turn(second, &jobs[0], ended(TurnOutcome::Failed(CallError::Fault(500)), None));
            assert!(day.due(second + wait - 1, &[notice(1, 0)]).is_empty());
            second += wait;
        }
        let jobs = day.due(second, &[notice(1, 0)]);
        assert_eq!(jobs[0].failures, 7);
        day.turn(second, &jobs[0], ended(left(IdleKind::Over), None));
        let jobs = day.due(second + 1, &[notice(1, 1)]);
        assert_eq!(jobs[0].failures, 0);
    }

    #[test]
    fn the_shortest_clock_comes_first_and_no_game_waits_for_ever() {
        let mut day = Day::new();
        let notices = |ply| [notice(1, ply), notice(2, ply), notice(3, ply)];
        for (job, left) in day.due(0, &notices(0)).iter().zip([None, Some(900), Some(60)]) {
            day.turn(1, job, ended(TurnOutcome::Done, left));
        }
        assert_eq!(ids(&day.due(2, &notices(2))), [3, 2, 1]);
        // A new game comes first. A game without a clock comes first after a long wait.
        let mut all = notices(2).to_vec();
        all.push(notice(4, 0));
        assert_eq!(ids(&day.due(3, &all)), [4, 3, 2, 1]);
        let job = day.due(5000, &notices(2)).remove(0);
        day.turn(5000, &job, ended(TurnOutcome::Done, Some(60)));
        assert_eq!(ids(&day.due(5001, &[notice(1, 2), notice(3, 4)])), [1, 3]);
    }

    #[test]
    fn a_turn_that_panicked_is_not_taken_again_at_once() {
        let mut day = Day::new();
        let job = day.due(0, &[notice(1, 0)]).remove(0);
        day.turn(1, &job, None);
        assert!(!day.tracker.is_busy() && day.due(2, &[notice(1, 0)]).is_empty());
    }

    /// The number of lines of a log that contain a text.
    fn count(log: &str, text: &str) -> usize {
        log.lines().filter(|line| line.contains(text)).count()
    }

    #[test]
    fn a_game_that_does_not_move_on_is_logged_once_as_an_error() {
        let notices = [notice(1, 0)];
        for (outcome, is_alarming) in [
            ((|| left(IdleKind::Wrong)) as fn() -> TurnOutcome, true),
            (|| TurnOutcome::Done, true),
            (|| TurnOutcome::Failed(CallError::Fault(500)), true),
            (|| left(IdleKind::Waiting), false),
        ] {
            let mut day = Day::new();
            let log = logged(|| {
                for minute in 0..30 {
                    let job = day.due(minute * 70, &notices).remove(0);
                    day.turn(minute * 70 + 1, &job, ended(outcome(), None));
                }
            });
            assert_eq!(
                count(&log, "ERROR a game does not move on session=1"),
                usize::from(is_alarming),
                "{log}"
            );
        }
        let mut day = Day::new();
        let log = logged(|| {
            for minute in 0..30 {
                let job = day.due(minute * 70, &[notice(1, minute)]).remove(0);
                day.turn(minute * 70 + 1, &job, ended(TurnOutcome::Done, None));
            }
        });
        assert_eq!(log, "", "a game that moves on");
    }

    #[test]
    fn a_game_that_ends_meanwhile_is_not_a_warning() {
        for (kind, level) in
            [(IdleKind::Over, "INFO"), (IdleKind::Waiting, "INFO"), (IdleKind::Wrong, "WARN")]
        {
            let mut day = Day::new();
            let job = day.due(0, &[notice(1, 0)]).remove(0);
            let log = logged(|| day.turn(1, &job, ended(left(kind), None)));
            assert!(log.contains(&format!("{level} left alone")), "{log}");
        }
    }

    #[test]
    fn a_turn_knows_how_long_its_game_has_not_moved_on() {
        let mut day = Day::new();
        let unmoved = |day: &mut Day, second, ply| day.due(second, &[notice(1, ply)]).remove(0);
        let job = unmoved(&mut day, 0, 0);
        assert_eq!(job.unmoved, Duration::ZERO);
        day.turn(1, &job, ended(left(IdleKind::Wrong), None));
        let job = unmoved(&mut day, 61, 0);
        assert_eq!(job.unmoved, Duration::from_secs(60));
        // After a move was taken back the turn begins again.
        day.turn(62, &job, ended(TurnOutcome::Undone, None));
        let job = unmoved(&mut day, 63, 0);
        assert_eq!(job.unmoved, Duration::ZERO);
        day.turn(64, &job, ended(TurnOutcome::Done, None));
        assert_eq!(unmoved(&mut day, 65, 2).unmoved, Duration::ZERO);
    }

    /// Games that are won (1), whose result is not known yet (2), that end without a result (3), that
    /// go on (4), that are over before the first list (5), and that begin and end between two lists (6).
    #[test]
    fn games_are_logged_when_they_begin_and_end() {
        use Phase::{Over, Playing, Waiting};
        let list = |phases: [Phase; 6], ply| -> Vec<GameStatus> {
            let status = |(id, phase)| GameStatus { id, game: ALAPO, phase, ply };
            (1..).zip(phases).map(status).collect()
        };
        let results =
            HashMap::from([(1, Some(BotResult::Won)), (3, None), (6, Some(BotResult::Lost))]);
        let mut day = Day::new();
        let now = day.at(0);
        let first = [Playing, Playing, Playing, Playing, Over, Waiting];
        let last = [Over, Over, Over, Playing, Over, Over];
        let text = logged(|| {
            for phases in [first, first, last, last] {
                day.tracker.list(&list(phases, 0), &results, now);
            }
        });
        assert_eq!(day.tracker.newly_over(&list(last, 0)), [2]);
        assert!(!day.tracker.is_abandoned(4, now) && day.tracker.is_abandoned(4, now + ABANDONED));
        day.tracker.list(&list(last, 1), &results, now + ABANDONED);
        assert!(!day.tracker.is_abandoned(4, now + ABANDONED));
        assert_eq!(count(&text, "a game is going on"), 4, "{text}");
        assert_eq!(count(&text, "a game is over session=1 game=\"alapo\" result=won"), 1, "{text}");
        assert_eq!(count(&text, "a game is over, without a result session=3"), 1, "{text}");
        assert_eq!(
            count(&text, "a game is over session=6 game=\"alapo\" result=lost"),
            1,
            "{text}"
        );
        assert_eq!(text.lines().count(), 7, "{text}");
    }
}
