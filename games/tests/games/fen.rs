//! Positions as text, in every game.

use damka_games::{
    Alapo, Chess, Draughts, English, Game, Position, PositionError, Random, Russian, SetupError,
};

fn has_pieces<G: Game>(position: &G::Position) -> bool {
    !position.material(position.turn()).is_empty()
}

/// Plays random games to their ends, and checks that each FEN is parsed back to its position.
/// Returns how many games end with the capture of a side's last piece.
fn written_fens_are_parsed<G: Game>(game: G) -> u32 {
    let mut random = Random::new(1);
    let mut ends_without_pieces = 0;
    for _ in 0..400 {
        let mut position = game.start();
        for _ in 0..400 {
            let fen = position.fen();
            assert_eq!(game.parse_fen(&fen), Ok(position), "{}: {fen}", game.name());
            assert_eq!(game.position(&position.setup()), Ok(position), "{fen}");
            let moves = position.moves();
            let Some(mv) = random.pick(&moves) else { break };
            position = position.play(mv);
        }
        ends_without_pieces += u32::from(!has_pieces::<G>(&position));
    }
    ends_without_pieces
}

#[test]
fn fens_of_all_games_round_trip() {
    for &game in Draughts::ALL {
        assert!(written_fens_are_parsed(game) > 0, "{}", game.name());
    }
    assert!(written_fens_are_parsed(Alapo) > 0);
    assert_eq!(written_fens_are_parsed(Chess), 0, "a king was taken");
}

/// Checks that a side without pieces has no move and has lost, and that only the side to move can
/// have no pieces.
fn the_last_piece_is_lost<G: Game>(game: G, lost: &str, impossible: &str) {
    let position = game.parse_fen(lost).expect(lost);
    assert!(!has_pieces::<G>(&position) && position.moves().is_empty(), "{lost}");
    assert!(position.loses_when_stuck(), "{lost}");
    let error = game.parse_fen(impossible).expect_err(impossible);
    let expected = SetupError::NoPieces(position.turn());
    assert_eq!(error, PositionError::Setup(expected), "{impossible}");
}

#[test]
fn only_the_side_to_move_can_have_no_pieces() {
    the_last_piece_is_lost(Russian, "B:WKh8:B", "W:WKh8:B");
    the_last_piece_is_lost(English, "W:W:BK1,2", "B:W:BK1,2");
    the_last_piece_is_lost(Alapo, "6/6/6/6/6/K5 b", "6/6/6/6/6/K5 w");
}

/// Errors quote only a short, printable part of a text. They once quoted all of it.
#[test]
fn errors_quote_short_printable_text() {
    let hostile = format!("{}\u{1b}[2J", "x".repeat(100_000));
    let draughts = ["", "W:", "W:W", "W:Wa1,", "W:Wa1-", "W:Wa1:Bb8:H"];
    for start in draughts {
        let error = Russian.parse_fen(&format!("{start}{hostile}")).expect_err("no position");
        assert_is_short(&error.to_string());
    }
    for start in ["", "k5/6/6/6/6/F5 ", "?setup=k5/6/6/6/6/F5&turn=", "k5/6/6/6/6/F5 w "] {
        let error = Alapo.parse_fen(&format!("{start}{hostile}")).expect_err("no position");
        assert_is_short(&error.to_string());
    }
    let chess = ["", "8/", "8/8/8/8/8/8/8/8 ", "8/8/8/8/8/8/8/8 w ", "8/8/8/8/8/8/8/8 w - "];
    for start in chess.into_iter().chain(["8/8/8/8/8/8/8/8 w - - "]) {
        let error = Chess.parse_fen(&format!("{start}{hostile}")).expect_err("no position");
        assert_is_short(&error.to_string());
    }
    for start in ["", "N", "e2-", "e8=", "O-O-"] {
        let text = format!("{start}{hostile}");
        let error = Chess.start().parse_move(&text).expect_err("no move");
        assert_is_short(&error.to_string());
    }
    let text = format!("22-18{}", " ".repeat(1 << 20));
    assert!(English.start().parse_move(&text).is_err());
    let error = Russian.start().parse_move(&hostile).expect_err("no move");
    assert_is_short(&error.to_string());
    let error = Alapo.start().parse_move(&hostile).expect_err("no move");
    assert_is_short(&error.to_string());
    let long = format!("22{}-18", "x26".repeat(10_000));
    assert!(Russian.start().parse_move(&long).is_err_and(|error| {
        let text = error.to_string();
        assert_is_short(text.split("; legal moves").next().unwrap_or_default());
        true
    }));
}

#[track_caller]
fn assert_is_short(error: &str) {
    assert!(error.chars().count() <= 200, "{} characters", error.chars().count());
    assert!(!error.contains(char::is_control), "{error:?}");
}
