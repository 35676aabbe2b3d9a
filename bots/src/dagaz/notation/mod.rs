//! Positions and moves as the site writes them.
//!
//! A position is `?turn=0;&setup=ROWS w`. The side to move is given by `turn`, 0 for the side that
//! began, and not by the letter after the rows. A position without named fields is `ROWS w`; there the
//! letter gives the side to move. Rows and moves are written differently in each game.
//!
//! Each game of the site is listed in [`of`]; other games of damka need nothing here.

mod alapo;
mod chess;
mod draughts;

use super::wire::Played;
use damka_games::{AnyGame, Color, Counted, Game, Position};
use thiserror::Error;

/// A position of the site cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum NotationError {
    #[error("its position is not understood")]
    Odd,
    /// This seat, 1 or 2, is to move but has already won: the opponent moved all the same.
    #[error("player {0} has already won")]
    Won(u64),
}

/// How the site writes a game. The side that begins there has the pieces of the side that begins in
/// damka.
pub(super) trait Notation: Game {
    /// Reads the rows and what follows them, with this side to move.
    fn read(self, text: &str, turn: Color) -> Option<Counted<Self::Position>>;

    /// Whether a text is not a position because this side, to move, has won already.
    fn has_won(self, _text: &str, _turn: Color) -> bool {
        false
    }

    /// Writes the rows and what follows them. `last` is the move that has led to the position.
    fn write(position: &Counted<Self::Position>, last: Option<Self::Move>) -> String;

    /// The position after a legal move, with the counters that the site expects.
    fn play(before: &Counted<Self::Position>, mv: Self::Move) -> Counted<Self::Position> {
        before.play(mv)
    }

    /// Reads a legal move.
    fn read_move(position: &Self::Position, text: &str) -> Option<Self::Move>;

    /// Writes a legal move.
    fn write_move(position: &Self::Position, mv: Self::Move) -> String;
}

/// A [`Notation`] of a game that is known at run time. Positions and moves of damka are given as FENs
/// and by name.
pub(super) trait AnyNotation {
    /// Writes the start position.
    fn start(&self) -> String;

    /// Reads a position, and the moves that led to it. `record` has the moves of the game. `first_known` is
    /// the first known position, if the game did not begin at the usual start position.
    fn read(
        &self,
        setup: &str,
        record: &[Played],
        first_known: Option<&FirstKnown>,
    ) -> Result<Reading, NotationError>;

    /// Writes a move in a position; `None` if it is not legal.
    fn write(&self, setup: &str, mv: &str) -> Option<Written>;
}

/// A position of the site that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// The seat that is to move, 1 or 2.
    pub(super) player: u64,
    /// The FEN of the first known position.
    pub(super) start: String,
    /// The moves from `start`.
    pub(super) moves: Vec<String>,
    /// The first known position, if the record does not lead from the start to the position.
    pub(super) first_known: Option<FirstKnown>,
    /// Why the record does not lead to the position, if there is a record.
    pub(super) mismatch: Option<String>,
}

/// The first known position of a game that did not begin at the usual start position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FirstKnown {
    fen: String,
    /// The number of moves of the record that come before this position.
    skipped: usize,
}

/// A move as the site writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) text: String,
    /// The position it leads to.
    pub(super) setup: String,
    /// The seat that is to move after this move, 1 or 2.
    pub(super) next_player: u64,
}

/// The notation of a game; `None` if the site does not have it.
pub(super) fn of(game: AnyGame) -> Option<Box<dyn AnyNotation>> {
    // Not `with_game!`: a new family of games has no notation here.
    if let AnyGame::Draughts(game) = game {
        Some(Box::new(Of(game)))
    } else if let AnyGame::Alapo(game) = game {
        Some(Box::new(Of(game)))
    } else if let AnyGame::Chess(game) = game {
        Some(Box::new(Of(game)))
    } else {
        None
    }
}

struct Of<G>(G);

impl<G: Notation> AnyNotation for Of<G> {
    fn start(&self) -> String {
        write_start(self.0)
    }

    fn read(
        &self,
        setup: &str,
        record: &[Played],
        first_known: Option<&FirstKnown>,
    ) -> Result<Reading, NotationError> {
        let game = self.0;
        let counted = read(game, setup)?;
        let player = player(game, counted.position.turn());
        let usual = FirstKnown { fen: game.start().fen(), skipped: 0 };
        let mut mismatch = None;
        for first_known in [&usual].into_iter().chain(first_known) {
            match replayed(game, first_known, record, &counted.position) {
                Ok(moves) => {
                    let start = first_known.fen.clone();
                    return Ok(Reading { player, start, moves, first_known: None, mismatch: None });
                }
                Err(why) => mismatch = Some(why),
            }
        }
        let start = counted.fen();
        Ok(Reading {
            player,
            first_known: Some(FirstKnown { fen: start.clone(), skipped: record.len() }),
            start,
            moves: Vec::new(),
            mismatch: mismatch.filter(|_| !record.is_empty()),
        })
    }

    fn write(&self, setup: &str, mv: &str) -> Option<Written> {
        let before = read(self.0, setup).ok()?;
        let mv = before.position.parse_move(mv).ok()?;
        Some(Written {
            text: G::write_move(&before.position, mv),
            setup: write_after::<G>(setup, &before, mv),
            next_player: player(self.0, before.position.play(mv).turn()),
        })
    }
}

/// The names of the record's moves that lead from `first_known` to `position`, or why they do not lead
/// there.
fn replayed<G: Notation>(
    game: G,
    first_known: &FirstKnown,
    record: &[Played],
    position: &G::Position,
) -> Result<Vec<String>, String> {
    let mut now = game.parse_fen(&first_known.fen).map_err(|error| error.to_string())?;
    let mut moves = Vec::new();
    for Played { turn, text, .. } in record.get(first_known.skipped..).unwrap_or_default() {
        let mv = G::read_move(&now, text.as_str());
        let mv = mv.ok_or_else(|| format!("move {turn} is not legal"))?;
        moves.push(now.format_move(mv));
        now = now.play(mv);
    }
    match now == *position {
        true => Ok(moves),
        false => Err("the moves of the record lead to another one".to_owned()),
    }
}

/// The seat of a side: 1 for the side that begins, 2 for the other.
fn player<G: Game>(game: G, color: Color) -> u64 {
    if color == game.start().turn() { 1 } else { 2 }
}

/// The seat that is to move in a position, 1 or 2, if the text contains it.
pub(super) fn to_move(text: &str) -> Option<u64> {
    let fields = Fields::of(text);
    match (fields.turn, fields.letter()) {
        (Some("0"), _) | (None, Some("w")) => Some(1),
        (Some("1"), _) | (None, Some("b")) => Some(2),
        _ => None,
    }
}

/// Reads a position.
fn read<G: Notation>(game: G, text: &str) -> Result<Counted<G::Position>, NotationError> {
    let first = game.start().turn();
    let turn = match to_move(text) {
        Some(1) => first,
        Some(_) => !first,
        None => return Err(NotationError::Odd),
    };
    let setup = Fields::of(text).setup.ok_or(NotationError::Odd)?;
    game.read(setup, turn).ok_or_else(|| match game.has_won(setup, turn) {
        true => NotationError::Won(player(game, turn)),
        false => NotationError::Odd,
    })
}

/// Writes the start position of a game.
fn write_start<G: Notation>(game: G) -> String {
    with_fields::<G>(&game.start().into(), None)
}

/// Writes a position with named fields. `last` is the move that has led to it.
fn with_fields<G: Notation>(position: &Counted<G::Position>, last: Option<G::Move>) -> String {
    let turn = player(position.position.game(), position.position.turn()) - 1;
    format!("?turn={turn};&setup={}", G::write(position, last))
}

/// Writes the position after a legal move. Like `text`, the position before the move, it has named
/// fields or not.
fn write_after<G: Notation>(text: &str, before: &Counted<G::Position>, mv: G::Move) -> String {
    let after = G::play(before, mv);
    match is_bare(text) {
        true => G::write(&after, Some(mv)),
        false => with_fields::<G>(&after, Some(mv)),
    }
}

/// The fields of a position.
struct Fields<'a> {
    turn: Option<&'a str>,
    setup: Option<&'a str>,
}

impl<'a> Fields<'a> {
    /// Reads `?turn=0;&setup=...`, or a position alone.
    fn of(text: &'a str) -> Fields<'a> {
        let is_end = |c: char| c.is_whitespace() || matches!(c, ';' | '?');
        let field = |name| {
            let mut fields = text.split('&').map(|field| field.trim_matches(is_end));
            fields
                .find_map(|field| field.strip_prefix(name))
                .map(|value| value.trim_matches(is_end))
        };
        match is_bare(text) {
            true => Fields { turn: None, setup: Some(text.trim()) },
            false => Fields { turn: field("turn="), setup: field("setup=") },
        }
    }

    /// The letter after the rows.
    fn letter(&self) -> Option<&'a str> {
        self.setup?.split_whitespace().nth(1)
    }
}

/// Whether a position is written without named fields.
fn is_bare(text: &str) -> bool {
    !text.contains('=')
}

/// The letter after the rows.
fn letter<G: Game>(game: G, turn: Color) -> char {
    if player(game, turn) == 1 { 'w' } else { 'b' }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::foreign::Foreign;
    use damka_games::{Alapo, Chess, Draughts, English, Random, Russian};
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// Start positions are written as on the site itself.
    #[test]
    fn games_begin_as_on_the_site() {
        assert_eq!(write_start(Alapo), "?turn=0;&setup=rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w");
        let draughts = "?turn=0;&setup=1p1p1p1p/p1p1p1p1/1p1p1p1p/8/8/P1P1P1P1/1P1P1P1P/P1P1P1P1 w";
        assert_eq!([write_start(Russian), write_start(English)], [draughts; 2]);
        let chess = "?turn=0;&setup=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(write_start(Chess), chess);
    }

    /// Plays a move and returns the position after it. Checks that the move is written as it was read.
    fn play<G: Notation>(game: G, setup: &str, mv: &str) -> String {
        let before = read(game, setup).expect("a position");
        let found = G::read_move(&before.position, mv).expect("a move");
        assert_eq!(G::write_move(&before.position, found), mv);
        write_after::<G>(setup, &before, found)
    }

    /// Moves and positions of the site's own pages.
    #[test]
    fn moves_are_written_as_on_the_site() {
        assert_eq!(
            play(Alapo, &write_start(Alapo), "a2-a3"),
            "?turn=1;&setup=rbqqbr/wfkkfw/6/W5/1FKKFW/RBQQBR b"
        );
        for game in [Russian, English] {
            let next = play(game, &write_start(game), "c3d4");
            assert_eq!(
                next,
                "?turn=1;&setup=1p1p1p1p/p1p1p1p1/1p1p1p1p/8/3P4/P3P1P1/1P1P1P1P/P1P1P1P1 b"
            );
            let next = play(game, "?turn=0;&setup=7p/8/5p2/8/3p4/2P5/8/8 w", "c3e5g7");
            assert_eq!(next, "?turn=1;&setup=7p/6P1/8/8/8/8/8/8 b");
        }
        let chess = "?turn=0;&setup=r3k2r/P7/8/8/8/8/4P3/R3K1NR w KQ-q - 0 1";
        for (mv, next) in [
            ("g1-f3 Knight", "r3k2r/P7/8/8/8/5N2/4P3/R3K2R b KQ-q - 1 1"),
            ("e2-e4 Pawn", "r3k2r/P7/8/8/4P3/8/8/R3K1NR b KQ-q e3 0 1"),
            ("e1-c1 King a1-d1 Rook", "r3k2r/P7/8/8/8/8/4P3/2KR2NR b ---q - 1 1"),
            ("a1-b1 Rook", "r3k2r/P7/8/8/8/8/4P3/1R2K1NR b K--q - 1 1"),
        ] {
            assert_eq!(play(Chess, chess, mv), format!("?turn=1;&setup={next}"), "{mv}");
        }
        let castled = play(
            Chess,
            "?turn=0;&setup=4k3/P7/8/8/8/8/8/4K2R w K--- - 0 1",
            "e1-g1 King h1-f1 Rook",
        );
        assert_eq!(castled, "?turn=1;&setup=4k3/P7/8/8/8/8/8/5RK1 b ---- - 1 1");
        for (name, letter) in [("Queen", 'Q'), ("Rook", 'R'), ("Bishop", 'B'), ("Knight", 'N')] {
            let start = "?turn=0;&setup=4k3/P7/8/8/8/8/8/4K3 w ---- - 0 1";
            let next = play(Chess, start, &format!("a7-a8 {name}"));
            assert_eq!(next, format!("?turn=1;&setup={letter}3k3/8/8/8/8/8/8/4K3 b ---- - 0 1"));
        }
    }

    #[test]
    fn the_turn_counts_and_not_the_letter() {
        let rows = "rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR";
        for (text, turn) in [
            (format!("?turn=1;&setup={rows} w"), Color::Black),
            (format!("?turn=1;&setup={rows}"), Color::Black),
            (format!("?setup={rows} b"), Color::Black),
            (format!("?setup={rows} b;&turn=0"), Color::White),
            (format!(" ?turn=0;&setup={rows} w&x=1 "), Color::White),
            // As the published interface prints it.
            (format!("{rows} w"), Color::White),
            (format!(" {rows} b\n"), Color::Black),
        ] {
            let before = read(Alapo, &text).expect("a position");
            assert_eq!(before.position.turn(), turn, "{text}");
            let player = player(Alapo, turn);
            assert_eq!(to_move(&text), Some(player), "{text}");
            // The next position is written in the form of the one before.
            let mv = before.position.moves()[0];
            let next = write_after::<Alapo>(&text, &before, mv);
            assert_eq!(is_bare(&next), is_bare(&text), "{next}");
            assert_eq!(read(Alapo, &next), Ok(before.play(mv)), "{next}");
        }
        assert!(read(Alapo, rows).is_err(), "nothing says whose turn it is");
        // The side that begins in English draughts is Black; on the site it is White.
        let position = read(English, &write_start(English)).expect("a position");
        assert_eq!((position.position, player(English, Color::Black)), (English.start(), 1));
        for turn in ["2", "-1", "x", ""] {
            assert!(read(Alapo, &format!("?turn={turn};&setup={rows} w")).is_err(), "{turn}");
        }
        for text in ["", "?turn=0;&setup=", "setup=x", "?turn=2;&setup=6/6/6/6/6/6 w", "turn=0"] {
            assert!(read(Alapo, text).is_err(), "{text}");
        }
    }

    /// The halfmove clock continues from that of the text. On the site's pages the counters are always
    /// `0 1`, and the pages find an en passant square only if these counters follow it. So a fullmove
    /// number of 1 is not increased.
    #[test]
    fn the_counters_of_chess_are_kept() {
        let rows = "r3k3/8/8/8/8/2n5/4P3/R3K1N1";
        for (turn, counters, mv, after) in [
            ("w", " 7 20", "g1-f3 Knight", "- 8 20"),
            ("w", " 7 20", "e2-e4 Pawn", "e3 0 20"),
            ("b", " 99 20", "a8-b8 Rook", "- 100 21"),
            ("b", " 7 20", "a8-a1 Rook", "- 0 21"),
            ("w", " 0 1", "g1-f3 Knight", "- 1 1"),
            ("w", " 3 1", "e2-e4 Pawn", "e3 0 1"),
            ("b", " 0 1", "a8-b8 Rook", "- 1 1"),
            ("w", "", "g1-f3 Knight", "- 1 1"),
            ("w", " x y", "g1-f3 Knight", "- 1 1"),
            ("w", " 99999 99999", "g1-f3 Knight", "- 65535 65535"),
        ] {
            let text = format!("{rows} {turn} ---- -{counters}");
            for text in [text.clone(), format!("?turn={};&setup={text}", u8::from(turn == "b"))] {
                let before = read(Chess, &text).expect("a position");
                let mv = Chess::read_move(&before.position, mv).expect("a move");
                let next = write_after::<Chess>(&text, &before, mv);
                assert!(next.ends_with(after), "{text}: {next}");
            }
        }
        let counted = read(Chess, &format!("?turn=0;&setup={rows} w ---- - 42 60"));
        assert_eq!(counted.map(|counted| counted.halfmove_clock()), Ok(42));
    }

    /// Rows with long runs, wrong lengths, men on their last row, pieces on light squares.
    #[test]
    fn invalid_positions_are_refused() {
        for rows in [
            "P7/8/8/8/8/8/8/7p",
            "8/8/8/8/8/8/8/8",
            "1p6/8/8/8/8/8/8",
            "1p6/8/8/8/8/8/8/8/P7",
            "1p7/8/8/8/8/8/8/P7",
            "1p6/8/8/8/8/8/8/1P6",
            "1p6/8/8/8/8/8/8/Q7",
            "1p91/8/8/8/8/8/8/P7",
            "1P6/8/8/8/8/8/p7/8",
        ] {
            assert!(read(Russian, &format!("?turn=0;&setup={rows} w")).is_err(), "{rows}");
        }
        // Impossible castling rights and en passant squares are ignored.
        let setup = "?turn=0;&setup=4k3/8/8/8/8/8/8/4K2R w KQkq e6 0 1";
        let position = read(Chess, setup).expect("a position");
        assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        let setup = "?turn=0;&setup=4k3/8/8/3pP3/8/8/8/4K3 w ---- d6 0 1";
        let position = read(Chess, setup).expect("a position");
        let position = position.position;
        let mv = Chess::read_move(&position, "e5-d6 Pawn").expect("en passant");
        assert!(position.is_capture(mv));
    }

    /// A king can capture four men in a circle in both directions, and returns to its square. This is one
    /// move in damka; the site lists both routes.
    #[test]
    fn captures_by_other_routes_are_the_same() {
        let setup = "?turn=0;&setup=8/8/3p1p2/8/3p1p2/4K3/8/8 w";
        let position = read(Russian, setup).expect("a position").position;
        let routes = ["e3c5e7g5e3", "e3g5e7c5e3"];
        let [one, other] = routes.map(|text| Draughts::read_move(&position, text));
        assert!(one.is_some() && one == other, "{one:?} {other:?}");
        let written = one.map(|mv| Draughts::write_move(&position, mv));
        assert!(written.is_some_and(|text| routes.contains(&text.as_str())));
        assert_ne!(Draughts::read_move(&position, "e3c5e7g5c1"), one);
        assert_eq!(Draughts::read_move(&position, "e3c5"), None);
    }

    /// In random games, all positions and moves are read back unchanged, and no two moves have the same
    /// text.
    fn check<G: Notation>(game: G, games: u64) {
        for number in 0..games {
            let mut random = Random::numbered(7, number);
            let (mut counted, mut last) = (game.start().into(), None);
            for _ in 0..150 {
                let text = with_fields::<G>(&counted, last);
                let again = read(game, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!(again, counted, "{text}");
                let position = counted.position;
                let moves = position.moves();
                let mut texts = HashSet::new();
                for &mv in &moves {
                    let text = G::write_move(&position, mv);
                    assert_eq!(G::read_move(&position, &text), Some(mv), "{text} in {position:?}");
                    assert!(texts.insert(text));
                }
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.below(moves.len() as u64) as usize];
                (counted, last) = (G::play(&counted, mv), Some(mv));
            }
        }
    }

    #[test]
    fn written_positions_and_moves_are_read() {
        check(Alapo, 40);
        check(Russian, 60);
        check(English, 60);
        check(Chess, 40);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(
            text in "(\\?turn=[0-2];&setup=)?[a-zA-Z0-9/?;&= -]{0,80}|\\PC{0,60}",
        ) {
            let _ = (read(Alapo, &text), read(Russian, &text), read(English, &text));
            if let Ok(counted) = read(Chess, &text) {
                prop_assert!(read(Chess, &with_fields::<Chess>(&counted, None)).is_ok());
            }
            for game in [Russian, English] {
                let _ = Draughts::read_move(&game.start(), &text);
            }
            let _ = Chess::read_move(&Chess.start(), &text);
            let _ = Alapo::read_move(&Alapo.start(), &text);
        }
    }

    fn record(moves: &[&str]) -> Vec<Played> {
        let played = |(turn, text): (u64, &&str)| Played {
            turn,
            player: 2 - turn % 2,
            text: Foreign::from(*text),
        };
        (1..).zip(moves).map(played).collect()
    }

    /// A piece had reached its goal and was not captured, and the opponent has moved nevertheless.
    #[test]
    fn a_game_that_was_won_before_is_recognised() {
        let alapo = of(AnyGame::Alapo(Alapo)).expect("a notation");
        let won = alapo.read("?turn=1;&setup=6/5R/6/6/6/k5 b", &[], None);
        assert_eq!(won, Err(NotationError::Won(2)));
    }

    /// The record is replayed from the start position, or from where the game was first seen.
    #[test]
    fn the_game_is_known_as_far_back_as_the_record_leads_to_the_position() {
        let russian = of(AnyGame::Draughts(Russian)).expect("a notation");
        let moved = "?turn=1;&setup=1p1p1p1p/p1p1p1p1/1p1p1p1p/8/3P4/P3P1P1/1P1P1P1P/P1P1P1P1 b";
        let reading = russian.read(moved, &record(&["c3d4"]), None).expect("a position");
        assert_eq!((reading.player, reading.start), (2, Russian.start().fen()));
        assert_eq!((reading.moves, reading.first_known), (vec!["c3-d4".to_owned()], None));
        // An unknown position without a record.
        let kings = "?turn=0;&setup=1k6/8/8/8/8/8/8/K7 w";
        let first = russian.read(kings, &[], None).expect("a position");
        assert_eq!((&*first.moves, first.mismatch), (&[][..], None));
        let first_known = first.first_known.expect("the position");
        let shuffled = ["a1b2", "b8a7", "b2a1", "a7b8"];
        let again =
            russian.read(kings, &record(&shuffled), Some(&first_known)).expect("a position");
        assert_eq!((again.moves.len(), again.start, again.mismatch), (4, first.start, None));
        // A record that leads elsewhere.
        let elsewhere =
            russian.read(kings, &record(&["c3d4", "x"]), Some(&first_known)).expect("a position");
        assert!(elsewhere.mismatch.is_some() && elsewhere.moves.is_empty());
        assert!(elsewhere.first_known.is_some());
    }
}
