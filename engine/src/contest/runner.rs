use super::game::GameClock;
use super::openings::Openings;
use super::pair::Pair;
use super::player::Player;
use super::referee::{Referee, Seat};
use super::setup::Setup;
use super::sprt::Sprt;
use super::tally::Tally;
use crate::control::Control;
use crate::playable::Playable;
use damka_probe::Tables;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

/// Makes a player.
type Maker<G> = Box<dyn Fn() -> Box<dyn Player<G>> + Send + Sync>;

/// One side of a match.
pub struct Entrant<G> {
    /// What results and records call it.
    pub name: String,
    /// Its clock in each game; without one, its player keeps to limits of its own.
    pub clock: Option<GameClock>,
    /// Makes its player: one for each game that is played at the same time.
    pub make: Maker<G>,
}

impl<G: Playable> Entrant<G> {
    /// A player with these settings. Whose settings say nothing else uses `tables`.
    pub fn new(name: &str, setup: Setup, tables: Option<Arc<Tables<G>>>) -> Entrant<G> {
        Entrant {
            name: name.to_owned(),
            clock: setup.clock,
            make: Box::new(move || setup.player(tables.clone())),
        }
    }
}

/// A match to be played.
pub struct Contest<G: Playable> {
    /// Who plays. Results are those of the first.
    pub entrants: [Entrant<G>; 2],
    /// How games begin.
    pub openings: Openings<G>,
    /// How many openings are played, each twice.
    pub pairs: u64,
    /// How many games are played at the same time; at least one.
    pub concurrency: usize,
    /// After so many plies, the opening included, a game is a draw.
    pub longest: usize,
    /// Games end where these know the result; without them they are played out.
    pub tables: Option<Arc<Tables<G>>>,
    /// The match ends as soon as this test does.
    pub sprt: Option<Sprt>,
}

impl<G: Playable> Contest<G> {
    /// Plays the match to its end, or until `control` stops it or `report` breaks.
    ///
    /// `report` is told of each pair and of the tally with it, in the order of their
    /// numbers, whatever order they end in: where the players' limits are not of time, the
    /// same pairs come, however many are played at the same time. When the match is
    /// decided, `control` is stopped so that the games still being played end; they do
    /// not count.
    pub fn run(
        &self,
        control: &Control,
        mut report: impl FnMut(&Pair<G>, &Tally) -> ControlFlow<()>,
    ) -> Tally {
        let next = AtomicU64::new(0);
        let (send, receive) = mpsc::channel();
        let mut tally = Tally::default();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || {
                    let mut players = self.entrants.each_ref().map(|entrant| (entrant.make)());
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.pairs || control.is_stopped() {
                            break;
                        }
                        let Some(pair) = self.play(number, &mut players, control) else { break };
                        if send.send(pair).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(send);
            let mut early = BTreeMap::new();
            let mut number = 0;
            'games: for pair in receive {
                early.insert(pair.number, pair);
                while let Some(pair) = early.remove(&number) {
                    number += 1;
                    tally.add(pair.points());
                    let is_decided = self.sprt.is_some_and(|sprt| sprt.verdict(&tally).is_some());
                    if report(&pair, &tally).is_break() || is_decided {
                        control.stop();
                        break 'games;
                    }
                }
            }
        });
        tally
    }

    /// Plays an opening with both colours; `None` if it was stopped.
    fn play(
        &self,
        number: u64,
        players: &mut [Box<dyn Player<G>>; 2],
        control: &Control,
    ) -> Option<Pair<G>> {
        let referee = Referee { tables: self.tables.as_deref(), longest: self.longest };
        let opening = self.openings.get(number);
        let mut play = |swapped: bool| {
            let [first, second] = players;
            let mut seats = [
                Seat { player: first.as_mut(), clock: self.entrants[0].clock },
                Seat { player: second.as_mut(), clock: self.entrants[1].clock },
            ];
            if swapped {
                seats.reverse();
            }
            referee.play(&opening, seats, control)
        };
        let games = [play(false)?, play(true)?];
        Some(Pair { number, games })
    }
}
