use crate::competitor::Competitor;
use crate::error::MatchError;
use crate::game::{GameClock, Played, Reason};
use damka_engine::{Control, GameEnd, History, Playable, TimeControl};
use damka_games::{Color, Position};
use damka_probe::Tables;
use damka_tables::Wdl;
use std::time::{Duration, Instant};

/// A competitor with its name and clock.
pub(super) struct Seat<'a, G: Playable> {
    pub(super) player: &'a mut dyn Competitor<G>,
    pub(super) name: &'a str,
    pub(super) clock: Option<GameClock>,
}

/// Plays games and adjudicates them.
pub(super) struct Referee<'a, G: Playable> {
    /// Games are adjudicated by these tables.
    pub(super) tables: Option<&'a Tables<G>>,
    /// The number of plies, the opening included, after which a game is a draw.
    pub(super) longest: usize,
    /// The seed of random choices.
    pub(super) seed: u64,
}

impl<G: Playable> Referee<'_, G> {
    /// Plays a game after `opening`. The first seat is White. `None` if `control` was stopped.
    ///
    /// # Errors
    /// A competitor cannot play at all.
    pub(super) fn play(
        &self,
        opening: &History<G>,
        mut seats: [Seat<'_, G>; 2],
        control: &Control,
    ) -> Result<Option<Played<G>>, MatchError> {
        let mut game = opening.clone();
        let mut choices = Vec::new();
        let mut left = seats.each_ref().map(|seat| seat.clock.map(|clock| clock.base));
        for (seat, color) in seats.iter_mut().zip(Color::BOTH) {
            let result = seat.player.begin(opening, color, self.seed, control);
            if control.is_stopped() {
                return Ok(None);
            }
            let player = seat.name;
            result.map_err(|fault| MatchError::Player { player: player.to_owned(), fault })?;
        }
        let (winner, reason) = loop {
            if let Some(end) = self.end(&game) {
                break end;
            }
            let turn = game.position().turn();
            let side = turn as usize;
            let started = Instant::now();
            let choice = seats[side].player.choose(&game, time(&seats[side], left[side]), control);
            if control.is_stopped() {
                return Ok(None);
            }
            let choice = match choice {
                Ok(choice) => choice,
                Err(fault) => break (Some(!turn), Reason::Fault(fault)),
            };
            if let (Some(left), Some(clock)) = (&mut left[side], seats[side].clock) {
                match left.checked_sub(started.elapsed()) {
                    Some(rest) => *left = rest + clock.increment,
                    None => break (Some(!turn), Reason::Time),
                }
            }
            let Some(choice) = choice else { break (Some(!turn), Reason::Resigned) };
            game.play(choice.mv);
            choices.push(choice);
        };
        seats.iter_mut().for_each(|seat| seat.player.end(winner));
        Ok(Some(Played { game, choices, winner, reason }))
    }

    /// The winner and the reason, if the game is over.
    fn end(&self, game: &History<G>) -> Option<(Option<Color>, Reason)> {
        match game.end() {
            Some(GameEnd::Won(color)) => return Some((Some(color), Reason::Stuck)),
            Some(GameEnd::Drawn(reason)) => return Some((None, Reason::Rules(reason))),
            None => {}
        }
        let position = game.position();
        // In a position with captures only, the captures are played first. If a table is missing or
        // damaged, the game goes on.
        let tables = self.tables.filter(|_| !position.captures_only());
        let value = tables.and_then(|tables| tables.wdl(position).ok());
        let turn = position.turn();
        match value {
            Some(Wdl::Win) => Some((Some(turn), Reason::Tables)),
            Some(Wdl::Loss) => Some((Some(!turn), Reason::Tables)),
            Some(Wdl::Draw) => Some((None, Reason::Tables)),
            None if game.moves().len() >= self.longest => Some((None, Reason::TooLong)),
            None => None,
        }
    }
}

fn time<G: Playable>(seat: &Seat<'_, G>, left: Option<Duration>) -> Option<TimeControl> {
    Some(TimeControl { left: left?, increment: seat.clock?.increment, moves: None })
}
