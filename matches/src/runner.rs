use crate::competitor::Competitor;
use crate::contested::Contested;
use crate::deal::{Deal, Dealt};
use crate::error::MatchError;
use crate::game::GameClock;
use crate::openings::Openings;
use crate::pair::Pair;
use crate::referee::{Referee, Seat};
use crate::settings::EntrantSettings;
use crate::sprt::Sprt;
use crate::tally::Tally;
use damka_engine::{Control, EndgameTables, Playable};
use damka_games::Random;
use damka_probe::Tables;
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

/// Makes a competitor.
type Maker<G> = Box<dyn Fn() -> Result<Box<dyn Competitor<G>>, MatchError> + Send + Sync>;

/// One side of a match.
pub struct Entrant<G> {
    /// The name in results and records.
    pub name: String,
    /// The clock in each game; without one only the limits of the settings apply.
    pub clock: Option<GameClock>,
    /// Makes a competitor, one for each concurrent game.
    pub make: Maker<G>,
}

impl<G: Contested> Entrant<G> {
    /// An entrant with these settings. `tables` are those of the match, used unless the settings
    /// name others.
    ///
    /// # Errors
    /// Tables, weights or a book cannot be read, or no protocol of the other program has this game.
    pub fn new(
        game: G,
        name: &str,
        settings: EntrantSettings,
        tables: Option<Arc<EndgameTables<G>>>,
    ) -> Result<Entrant<G>, MatchError> {
        let resources = settings.resources(game, tables)?;
        if settings.opponent.plays_draughts_only() {
            // The program is started when a game begins. This only checks that its protocol has this game.
            settings.competitor(game, resources.clone())?;
        }
        Ok(Entrant {
            name: name.to_owned(),
            clock: settings.clock,
            make: Box::new(move || settings.competitor(game, resources.clone())),
        })
    }
}

/// A match.
pub struct Match<G: Playable> {
    /// The entrants. Results are from the view of the first.
    pub entrants: [Entrant<G>; 2],
    /// The openings.
    pub openings: Openings<G>,
    /// The number of openings. Each is played twice.
    pub pairs: u64,
    /// The seed of random choices, such as those from a book. Each pair draws its own from this seed
    /// and its number.
    pub seed: u64,
    /// The number of concurrent games, at least 1.
    pub concurrency: usize,
    /// The number of plies, the opening included, after which a game is a draw.
    pub longest: usize,
    /// Games are adjudicated by these tables; without tables they are played out.
    pub tables: Option<Arc<Tables<G>>>,
    /// The match ends when this test does.
    pub sprt: Option<Sprt>,
}

impl<G: Playable> Match<G> {
    /// Plays the match to its end, or until `control` is stopped or `report` returns `Break`.
    ///
    /// `report` is called with each pair and the tally so far, in the order of numbers. So without time
    /// limits the result does not depend on the number of concurrent games. When the match is decided,
    /// `control` is stopped to end the remaining games, which are not counted. Nor are pairs that are
    /// identical to an earlier one.
    ///
    /// # Errors
    /// A competitor cannot play at all.
    pub fn run(
        &self,
        control: &Control,
        mut report: impl FnMut(&Pair<G>, &Tally) -> ControlFlow<()>,
    ) -> Result<Tally, MatchError> {
        let next = AtomicU64::new(0);
        let (send, receive) = mpsc::channel::<Result<Pair<G>, MatchError>>();
        let mut tally = Tally::default();
        let deal = Deal::new(&self.openings);
        thread::scope(|scope| {
            for place in 0..self.concurrency.max(1) {
                let (send, next, deal) = (send.clone(), &next, &deal);
                let work = move || {
                    let work = || {
                        let [first, second] = &self.entrants;
                        let mut players = [(first.make)()?, (second.make)()?];
                        loop {
                            if control.is_stopped() {
                                break Ok(());
                            }
                            let number = next.fetch_add(1, Ordering::Relaxed);
                            if number >= self.pairs {
                                break Ok(());
                            }
                            // Other threads may wait for this number, so it is always taken.
                            let dealt = deal.take(number);
                            let pair = self.play(number, dealt, &mut players, control)?;
                            if pair.is_none_or(|pair| send.send(Ok(pair)).is_err()) {
                                break Ok(());
                            }
                        }
                    };
                    if let Err(error) = work() {
                        // If the match is over, the error is not received.
                        let _ = send.send(Err(error));
                    }
                };
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(_) => {}
                    Err(error) if place == 0 => return Err(MatchError::Thread(error)),
                    // The threads that were started play the games.
                    Err(_) => break,
                }
            }
            drop(send);
            let (mut early, mut known) = (BTreeMap::new(), HashSet::new());
            let mut number = 0;
            for pair in receive {
                let pair = pair.inspect_err(|_| control.stop())?;
                early.insert(pair.number, pair);
                while let Some(mut pair) = early.remove(&number) {
                    number += 1;
                    pair.is_identical = !known.insert(pair.key());
                    match pair.is_identical {
                        true => tally.leave_out(),
                        false => {
                            tally.add(pair.points());
                            pair.forfeits().for_each(|(loser, _)| tally.forfeits[loser] += 1);
                        }
                    }
                    let is_decided = self.sprt.is_some_and(|sprt| sprt.verdict(&tally).is_some());
                    if report(&pair, &tally).is_break() || is_decided {
                        control.stop();
                        return Ok(tally);
                    }
                }
            }
            Ok(tally)
        })
    }

    /// Plays an opening with both colours; `None` if stopped.
    ///
    /// # Errors
    /// A competitor cannot play at all.
    fn play(
        &self,
        number: u64,
        dealt: Dealt<G>,
        players: &mut [Box<dyn Competitor<G>>; 2],
        control: &Control,
    ) -> Result<Option<Pair<G>>, MatchError> {
        let seed = Random::numbered(self.seed, number).next();
        let referee = Referee { tables: self.tables.as_deref(), longest: self.longest, seed };
        let Dealt { opening, is_repeated: repeats_opening } = dealt;
        let mut play = |swapped: bool| {
            let [a, b] = &self.entrants;
            let [first, second] = players;
            let mut seats = [
                Seat { player: first.as_mut(), name: &a.name, clock: a.clock },
                Seat { player: second.as_mut(), name: &b.name, clock: b.clock },
            ];
            if swapped {
                seats.reverse();
            }
            referee.play(&opening, seats, control)
        };
        let Some(first) = play(false)? else { return Ok(None) };
        let Some(second) = play(true)? else { return Ok(None) };
        let games = [first, second];
        Ok(Some(Pair { number, games, repeats_opening, is_identical: false }))
    }
}
