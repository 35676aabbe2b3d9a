//! Judged games, moves and players.

use super::judgement::{Judgement, Source, Verdict};
use damka_tables::Wdl;
use std::collections::BTreeMap;

/// A move of a game, judged.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AnnotatedPly {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The side that plays it, `white` or `black`.
    pub turn: &'static str,
    /// The move in the notation of the game.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub name: String,
    /// The move by its squares: UCI's `e2e4` in chess.
    pub coordinates: String,
    /// The position after it.
    pub fen: String,
    /// The verdict with the best move.
    pub before: Verdict,
    /// The verdict with the move that was played.
    pub after: Verdict,
    /// The judgement of the move, if it deserves one.
    pub judgement: Option<Judgement>,
    /// The best line, by squares, if the move is a mistake.
    pub best: Vec<String>,
    /// The best line in the notation of the game.
    pub best_moves: Vec<String>,
    /// The numeric annotations (NAG) that the record has, 1 to 6 for `!`, `?`, `!!`, `??`, `!?` and
    /// `?!`.
    pub nags: Vec<u8>,
    /// The comments that the record has.
    pub comments: Vec<String>,
    /// The variations that the record has.
    pub variations: Vec<String>,
}

/// What a player gave up when the game ended: the player agreed to a draw in a won position, or
/// accepted defeat in a position that was not lost. Known from tables alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GivenUp {
    /// The player's side, `white` or `black`.
    pub side: &'static str,
    /// The value of the last position for that side.
    #[cfg_attr(feature = "serde", serde(serialize_with = "wdl_word"))]
    pub value: Wdl,
    /// The distance to the win in plies.
    pub dtw: Option<u16>,
    /// The result that the side got.
    #[cfg_attr(feature = "serde", serde(serialize_with = "wdl_word"))]
    pub got: Wdl,
}

/// The word of a result.
#[cfg(feature = "serde")]
fn wdl_word<S: serde::Serializer>(value: &Wdl, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value.word())
}

/// A summary of the moves of a player.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PlayerSummary {
    /// The player's name; `?` if the record has none.
    pub player: String,
    /// The number of games.
    pub games: u64,
    /// The number of moves.
    pub moves: u64,
    /// The number of moves whose value is known from tables, before and after.
    pub in_tables: u64,
    /// How many were only moves: no other move kept the result.
    pub only_moves: u64,
    /// How many were inaccuracies.
    pub inaccuracies: u64,
    /// How many were mistakes.
    pub mistakes: u64,
    /// How many were blunders.
    pub blunders: u64,
    /// How many certainly threw a win away.
    pub threw_away_wins: u64,
    /// How many certainly threw a draw away.
    pub threw_away_draws: u64,
    /// How many games ended with a result that is certainly worse than the value of the last
    /// position.
    pub given_up: u64,
}

impl PlayerSummary {
    /// The summary of the moves of one side in a game.
    pub(super) fn of(player: String, color: &str, plies: &[AnnotatedPly]) -> PlayerSummary {
        let mut summary = PlayerSummary { player, games: 1, ..PlayerSummary::default() };
        for ply in plies.iter().filter(|ply| ply.turn.eq_ignore_ascii_case(color)) {
            let tables =
                [ply.before, ply.after].iter().all(|verdict| verdict.source == Source::Tables);
            summary.moves += 1;
            summary.in_tables += u64::from(tables);
            match ply.judgement {
                None => {}
                Some(Judgement::OnlyMove) => summary.only_moves += 1,
                Some(Judgement::Inaccuracy) => summary.inaccuracies += 1,
                Some(Judgement::Mistake) => summary.mistakes += 1,
                Some(Judgement::Blunder) => summary.blunders += 1,
                Some(Judgement::ThrewAwayWin) => summary.threw_away_wins += 1,
                Some(Judgement::ThrewAwayDraw) => summary.threw_away_draws += 1,
            }
        }
        summary
    }

    /// Adds another game, or more of them, of the same player.
    pub fn add(&mut self, other: &PlayerSummary) {
        self.games += other.games;
        self.moves += other.moves;
        self.in_tables += other.in_tables;
        self.only_moves += other.only_moves;
        self.inaccuracies += other.inaccuracies;
        self.mistakes += other.mistakes;
        self.blunders += other.blunders;
        self.threw_away_wins += other.threw_away_wins;
        self.threw_away_draws += other.threw_away_draws;
        self.given_up += other.given_up;
    }
}

/// A game with every move judged.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AnnotatedGame {
    /// The game's name.
    pub game: &'static str,
    /// The tags: who played, where and when.
    pub tags: BTreeMap<String, String>,
    /// The result, such as `1-0`; `*` if it is unknown.
    pub result: String,
    /// The position before the first move.
    pub start: String,
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub plies: Vec<AnnotatedPly>,
    /// What a player gave up with the end of the game.
    pub given_up: Option<GivenUp>,
    /// The summaries of the players, White first.
    pub summary: [PlayerSummary; 2],
    /// The game as PDN or PGN, with annotations.
    pub text: String,
}

/// The games of a text, judged.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AnnotatedGames {
    /// The games that could be read.
    pub games: Vec<AnnotatedGame>,
    /// The games that could not be read.
    pub failed: Vec<UnreadGame>,
}

/// A game of a text that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct UnreadGame {
    /// Its number in the text, from 1.
    pub game: usize,
    /// What is wrong with it.
    pub error: String,
}
