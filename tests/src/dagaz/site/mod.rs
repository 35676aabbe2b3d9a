//! Reads and writes positions and moves of the site's games, from the site's descriptions. Only the
//! rules in `damka_games` are shared with the bot.

mod board;
mod chess;
mod jumps;

use board::Board;
use damka_games::alapo;
use damka_games::{Alapo, AnyGame, Chess, Color, Draughts, English, Game, Position, Russian};
use damka_games::{chess as chess_rules, draughts, with_game};

/// A legal move and the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// All names of this move, such as the routes of a capture.
    pub names: Vec<String>,
    /// The position after it, as the site stores it.
    pub after: String,
}

/// The facts about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The player to move: 1 or 2.
    pub player: i64,
    /// The legal moves.
    pub steps: Vec<Step>,
    /// Whether the player to move has no move and has lost.
    pub is_lost: bool,
    /// Whether neither side can win: in chess with only the kings left.
    pub is_dead: bool,
}

/// The game of a variant of the site, if it is one of the four.
pub fn game(variant: i64) -> Option<AnyGame> {
    match variant {
        134 => Some(AnyGame::Alapo(Alapo)),
        3 => Some(AnyGame::Draughts(Russian)),
        45 => Some(AnyGame::Draughts(English)),
        31 => Some(AnyGame::Chess(Chess)),
        _ => None,
    }
}

/// The start position of a variant. Player 1, White, begins in each of them.
///
/// # Panics
/// If the variant is not one of the four.
pub fn start(variant: i64) -> String {
    let game = game(variant).expect("one of the four games");
    with_game!(game, game => {
        let start = game.start();
        let start = if start.turn() == Color::White { start } else { start.flip() };
        write(&start, &start.tail())
    })
}

/// A position given as a FEN of damka, in the site's notation.
///
/// # Panics
/// If the variant is not one of the four, or the FEN is wrong.
pub fn setup(variant: i64, fen: &str) -> String {
    let game = game(variant).expect("one of the four games");
    with_game!(game, game => {
        let position = game.parse_fen(fen).expect("a position");
        write(&position, &position.tail())
    })
}

/// Reads a position of the site, and finds its legal moves and result.
///
/// # Errors
/// A message about the error in the position.
pub fn judge(variant: i64, setup: &str) -> Result<Judged, String> {
    let game = game(variant).ok_or_else(|| format!("no game {variant}"))?;
    with_game!(game, game => {
        let (position, tail) = read(game, setup)?;
        Ok(judge_position(&position, tail))
    })
}

fn judge_position<P: Written>(position: &P, tail: &str) -> Judged {
    let legal = position.moves();
    let steps = legal.iter().map(|&mv| {
        let after = position.play(mv);
        Step { names: position.names(mv), after: write(&after, &position.tail_after(tail, mv)) }
    });
    let steps: Vec<Step> = steps.collect();
    let is_lost = steps.is_empty() && position.loses_when_stuck();
    let pieces = Color::BOTH.map(|color| position.side(color).len());
    let is_dead = P::Game::ROYAL.is_some() && pieces == [1, 1];
    Judged { player: player(position.turn()), steps, is_lost, is_dead }
}

/// The notation of a family on the site.
trait Written: Position {
    /// The text after the rows: the side to move, and in chess more.
    fn tail(&self) -> String {
        if self.turn() == Color::White { "w" } else { "b" }.to_owned()
    }

    /// The text that follows the rows after a legal move. It may contain more than the position stores.
    /// `tail` is this text before the move.
    fn tail_after(&self, _tail: &str, mv: Self::Move) -> String {
        self.play(mv).tail()
    }

    /// The names of a legal move.
    fn names(&self, mv: Self::Move) -> Vec<String>;

    /// The position with these rows and the text after them. The site ignores the side to move in this
    /// text.
    fn assemble(game: Self::Game, rows: &str, tail: &str, turn: Color) -> Result<Self, String>;
}

impl Written for alapo::Position {
    fn names(&self, mv: alapo::Move) -> Vec<String> {
        vec![self.format_move(mv)]
    }

    fn assemble(game: Alapo, rows: &str, _: &str, turn: Color) -> Result<Self, String> {
        Board::new(game).plain(rows, turn)
    }
}

impl Written for draughts::Position {
    fn names(&self, mv: draughts::Move) -> Vec<String> {
        jumps::names(self, mv)
    }

    fn assemble(game: Draughts, rows: &str, _: &str, turn: Color) -> Result<Self, String> {
        Board::new(game).plain(rows, turn)
    }
}

impl Written for chess_rules::Position {
    fn tail(&self) -> String {
        chess::tail(self, None)
    }

    fn tail_after(&self, tail: &str, mv: chess_rules::Move) -> String {
        chess::tail_after(self, tail, mv)
    }

    fn names(&self, mv: chess_rules::Move) -> Vec<String> {
        vec![chess::name(self, mv)]
    }

    fn assemble(_: Chess, rows: &str, tail: &str, turn: Color) -> Result<Self, String> {
        chess::assemble(rows, tail, turn)
    }
}

/// Reads a position, and the text after its rows.
fn read<G: Game<Position: Written>>(game: G, setup: &str) -> Result<(G::Position, &str), String> {
    let wrong = || format!("not a position: {setup}");
    let (turn, text) = setup
        .strip_prefix("?turn=")
        .and_then(|rest| rest.split_once(";&setup="))
        .ok_or_else(wrong)?;
    let turn = match turn {
        "0" => Color::White,
        "1" => Color::Black,
        _ => return Err(wrong()),
    };
    let (rows, tail) = text.split_once(' ').ok_or_else(wrong)?;
    Ok((G::Position::assemble(game, rows, tail, turn)?, tail))
}

fn write<P: Written>(position: &P, tail: &str) -> String {
    let rows = Board::new(position.game()).write(position);
    format!("?turn={};&setup={rows} {tail}", player(position.turn()) - 1)
}

/// The player with a colour.
fn player(color: Color) -> i64 {
    match color {
        Color::White => 1,
        Color::Black => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start positions are those of the site's pages.
    #[test]
    fn starts_are_those_of_the_site() {
        let draughts = "1p1p1p1p/p1p1p1p1/1p1p1p1p/8/8/P1P1P1P1/1P1P1P1P/P1P1P1P1 w";
        for (variant, rows) in [
            (134, "rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w"),
            (3, draughts),
            (45, draughts),
            (31, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ] {
            assert_eq!(start(variant), format!("?turn=0;&setup={rows}"));
        }
    }

    #[test]
    fn moves_are_named_as_on_the_site() {
        for (variant, fen, name, after) in [
            (134, "6/6/6/6/k5/KW4 b", "a2-b1", "?turn=0;&setup=6/6/6/6/6/Kk4 w"),
            (3, "W:Wc3:Bd4,f6", "c3e5g7", "?turn=1;&setup=8/6P1/8/8/8/8/8/8 b"),
            (45, "W:W18:B14", "d4b6", "?turn=1;&setup=8/8/1P6/8/8/8/8/8 b"),
            (
                31,
                "4k3/8/8/8/8/8/4P3/4K2R w K -",
                "e1-g1 King h1-f1 Rook",
                // The counters are updated; the site's pages always write `0 1`.
                "?turn=1;&setup=4k3/8/8/8/8/8/4P3/5RK1 b ---- - 1 1",
            ),
            (
                31,
                "4k3/8/8/8/8/8/4P3/4K2R w K -",
                "e2-e4 Pawn",
                "?turn=1;&setup=4k3/8/8/8/4P3/8/8/4K2R b K--- e3 0 1",
            ),
            (
                31,
                "4k3/P7/8/8/8/8/8/4K3 w - -",
                "a7-a8 Knight",
                "?turn=1;&setup=N3k3/8/8/8/8/8/8/4K3 b ---- - 0 1",
            ),
        ] {
            let judged = judge(variant, &setup(variant, fen)).expect("a position");
            let step = judged.steps.iter().find(|step| step.names.iter().any(|n| n == name));
            assert_eq!(step.map(|step| &*step.after), Some(after), "{judged:?}");
        }
    }

    #[test]
    fn a_king_that_captures_names_where_it_lands() {
        let judged = judge(3, &setup(3, "W:WKa1:Bc3")).expect("a position");
        let mut names: Vec<String> = judged.steps.into_iter().flat_map(|step| step.names).collect();
        names.sort();
        assert_eq!(names, ["a1d4", "a1e5", "a1f6", "a1g7", "a1h8"]);
    }

    #[test]
    fn nonsense_is_refused() {
        for setup in [
            "",
            "?turn=0;&setup=",
            "?turn=2;&setup=k5/6/6/6/6/K5 w",
            "?turn=0;&setup=9 w",
            "?turn=0;&setup=x5/6/6/6/6/K5 w",
        ] {
            assert!(judge(134, setup).is_err(), "{setup}");
        }
    }
}
