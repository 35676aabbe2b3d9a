use crate::game::{Played, Reason};
use damka_engine::Playable;
use damka_games::{Color, Game};
use damka_records::Record;

/// Two games with the same opening and colours reversed.
#[derive(Clone, Debug)]
pub struct Pair<G: Game> {
    /// The number of the opening, from 0.
    pub number: u64,
    /// The game in which the first entrant has White, and the other one.
    pub games: [Played<G>; 2],
    /// Whether an earlier pair had the same opening, because there were too few.
    pub repeats_opening: bool,
    /// Whether an earlier pair consists of the same two games. Then this one is not counted.
    pub is_identical: bool,
}

impl<G: Playable> Pair<G> {
    /// The half points of the first entrant in each game.
    pub fn points(&self) -> [u8; 2] {
        let points = |game: &Played<G>, own: Color| match game.winner {
            None => 1,
            Some(winner) if winner == own => 2,
            Some(_) => 0,
        };
        [points(&self.games[0], Color::White), points(&self.games[1], Color::Black)]
    }

    /// The games that were forfeited: which entrant forfeited, 0 or 1, and why.
    pub fn forfeits(&self) -> impl Iterator<Item = (usize, &Reason)> {
        // In the second game colours are reversed.
        let loser = |game: usize| Some((!self.games[game].winner?) as usize ^ game);
        let forfeited = (0..2).filter(|&game| self.games[game].reason.is_forfeit());
        forfeited.filter_map(move |game| Some((loser(game)?, &self.games[game].reason)))
    }

    /// Identifies the pair by the positions and winner of each game.
    pub(super) fn key(&self) -> [(u64, Option<Color>); 2] {
        self.games.each_ref().map(|played| (played.game.line_key(), played.winner))
    }

    /// Both games as records.
    pub fn records(&self, names: [&str; 2]) -> [Record<G>; 2] {
        let [first, second] = names;
        let seated = [(first, second), (second, first)];
        std::array::from_fn(|i| {
            let mut record = self.games[i].record(seated[i].0, seated[i].1);
            record.tags.set("Event", "damka match");
            record.tags.set("Round", &format!("{}.{}", self.number + 1, i + 1));
            record
        })
    }
}
