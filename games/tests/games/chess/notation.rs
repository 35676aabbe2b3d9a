use super::{played, position, random_positions, sorted};
use damka_games::chess::{Move, QUEEN};
use damka_games::{Chess, Game, MoveError, Position as _, Square};
use std::collections::HashSet;

fn san(fen: &str) -> Vec<String> {
    let p = position(fen);
    sorted(p.moves().into_iter().map(|mv| p.format_move(mv)))
}

#[test]
fn moves_are_written_in_san() {
    assert_eq!(san("4k3/8/8/8/8/8/P7/4K3 w - -"), ["Kd1", "Kd2", "Ke2", "Kf1", "Kf2", "a3", "a4"]);
    let written = |fen: &str, uci: &str| {
        let p = position(fen);
        p.format_move(p.parse_move(uci).unwrap())
    };
    for (fen, uci, san) in [
        // The file distinguishes the pieces, else the rank, else only both.
        ("4k3/8/8/8/8/8/8/R3K2R w - -", "a1d1", "Rd1"),
        ("4k3/8/8/8/8/4K3/8/R6R w - -", "a1d1", "Rad1"),
        ("R7/4k3/8/8/8/4K3/8/R7 w - -", "a1a4", "R1a4"),
        ("8/k7/8/8/4Q2Q/8/K7/7Q w - -", "h4e1", "Qh4e1"),
        ("8/k7/8/8/4Q2Q/8/K7/7Q w - -", "e4e1", "Qee1"),
        ("8/k7/8/8/4Q2Q/8/K7/7Q w - -", "h1e1", "Q1e1"),
        // A pinned knight cannot move to the same square, so the file is not needed.
        ("4k3/4r3/8/8/8/4N3/8/N3K3 w - -", "a1c2", "Nc2"),
        ("4k3/8/8/8/8/4N3/8/N3K3 w - -", "a1c2", "Nac2"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - -", "e4d5", "exd5"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", "exd6"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - -", "a7a8n", "a8=N"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - -", "a7b8q", "axb8=Q+"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q -", "e1c1", "O-O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K -", "e1g1", "O-O+"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - -", "a1a8", "Ra8#"),
        ("7k/8/5KQ1/8/8/8/8/8 w - -", "g6f7", "Qf7"),
    ] {
        assert_eq!(written(fen, uci), san, "{fen} {uci}");
    }
}

/// The legal moves of a position have different texts. Each text is parsed to its move, and so are
/// the variants that people and programs write.
#[test]
fn formatted_moves_parse_to_the_same_move() {
    for p in played(9, 5).chain(random_positions(10, 500)) {
        let mut texts = HashSet::new();
        for &mv in &p.moves() {
            let san = p.format_move(mv);
            let uci = mv.to_string();
            assert!(texts.insert(san.clone()), "{} {san}", p.fen());
            let bare = san.trim_end_matches(['+', '#']);
            for written in [
                san.clone(),
                format!(" {bare}\n"),
                format!("{bare}!?"),
                format!("{bare}++"),
                format!("{bare} #"),
                bare.replace('=', ""),
                bare.replace('x', ""),
                bare.replace('x', ":"),
                bare.replace('O', "0"),
                figurines(bare),
                format!("{}-{}", &uci[..2], &uci[2..]),
                format!("{}x{}", &uci[..2], &uci[2..]),
                uci,
            ] {
                assert_eq!(p.parse_move(&written), Ok(mv), "{} {written}", p.fen());
            }
        }
    }
}

fn figurines(san: &str) -> String {
    let piece = |c| "KQRBN".find(c).and_then(|i| "♔♛♖♝♘".chars().nth(i)).unwrap_or(c);
    san.chars().map(piece).collect()
}

#[test]
fn alternative_notations_are_parsed() {
    let p = position("r3k3/1P6/8/3pP3/8/8/8/R3K1N1 w Q d6");
    for (san, others) in [
        ("O-O-O", vec!["0-0-0", "o-o-o", "e1c1", "Ke1-c1"]),
        ("exd6", vec!["ed6", "d6", "exd6 e.p.", "exd6e.p.", "e5xd6", "Pe5xd6", "e5:d6"]),
        ("bxa8=Q+", vec!["bxa8Q", "b7a8q", "bxa8(Q)", "b7xa8=Q+", "ba8/Q", "bxa8=q", "b7a8Q"]),
        ("Nf3", vec!["Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1-f3", "♘f3", "♞f3", "Nf3?!"]),
    ] {
        let mv = p.parse_move(san).expect(san);
        assert_eq!(p.format_move(mv), san);
        for other in others {
            assert_eq!(p.parse_move(other), Ok(mv), "{other}");
        }
    }
}

/// Russian letters: Кр, Ф, Л, С, К and п, and files that look like Latin ones.
#[test]
fn russian_letters_of_pieces_are_parsed() {
    let russian = |san: &str| {
        let letters = [("N", "К"), ("K", "Кр"), ("Q", "Ф"), ("R", "Л"), ("B", "С")];
        letters.into_iter().fold(san.to_owned(), |text, (latin, own)| text.replace(latin, own))
    };
    let look_alike = |text: &str| {
        let letters = [("a", "а"), ("c", "с"), ("e", "е"), ("x", "х"), ("O", "О"), ("-", "—")];
        letters.into_iter().fold(text.to_owned(), |text, (latin, own)| text.replace(latin, own))
    };
    for p in played(11, 5).chain(random_positions(12, 500)) {
        for &mv in &p.moves() {
            let san = p.format_move(mv);
            for written in [russian(&san), look_alike(&russian(&san)), look_alike(&mv.to_string())]
            {
                assert_eq!(p.parse_move(&written), Ok(mv), "{} {written}", p.fen());
            }
        }
    }
    let p = position("r3k3/1P6/8/3pP3/8/8/8/R3K1N1 w Q d6");
    for (san, others) in [
        ("O-O-O", vec!["О-О-О", "0–0–0", "Крe1—c1", "Kpe1c1"]),
        ("exd6", vec!["ed6", "пe5:d6", "Пe5:d6", "е:d6"]),
        ("bxa8=Q+", vec!["ba8Ф", "b7:a8Ф+", "b:a8=ф", "пb7:a8(Ф)"]),
        ("bxa8=N", vec!["b:a8К", "b7a8к"]),
        ("Nf3", vec!["Кf3", "Кg1-f3", "Кg1—f3!"]),
        ("Ke2", vec!["Крe2", "Крe1-е2", "Kрe2"]),
    ] {
        let mv = p.parse_move(san).expect(san);
        for other in others {
            assert_eq!(p.parse_move(other), Ok(mv), "{other}");
        }
    }
    let mate = position("6k1/5ppp/8/8/8/8/8/R5K1 w - -");
    assert_eq!(mate.parse_move("Лa8×"), mate.parse_move("Ra8#"));
}

#[test]
fn moves_are_displayed_in_uci() {
    let start = Chess.start();
    let mv = Move { from: Square::new(12), to: Square::new(28), promotion: None };
    assert_eq!(start.parse_move("e4"), Ok(mv));
    assert_eq!(mv.to_string(), "e2e4");
    let mv = Move { from: Square::new(55), to: Square::new(63), promotion: Some(QUEEN) };
    assert_eq!(mv.to_string(), "h7h8q");
}

#[test]
fn bad_moves_are_refused_with_a_reason() {
    let start = Chess.start();
    for text in [
        "", "-", "--", "e", "e9", "i4", "Ke", "Nf", "O", "O-", "O-O-O-O", "Xf3", "-f3", "e2-",
        "e2--e4", "e2 e4", "e2-e4-e5", "Nf3=", "e4=X", "e4=7", "Sf3", "Дf3", "кf3", "nf3",
        "e2e4qq", "g1f", "é4", "N1gf3",
    ] {
        let error = start.parse_move(text).expect_err(text);
        assert!(matches!(error, MoveError::NotAMove(..)), "{text}: {error}");
    }
    for text in ["e5", "1e4", "e2e5", "Ke2", "e4=Q", "Bb5", "Pe3e4", "N2f3", "e7e5", "bxc3", "Nbf3"]
    {
        let error = start.parse_move(text).expect_err(text);
        let MoveError::Illegal(_, legal) = &error else { panic!("{text}: {error}") };
        let listed = sorted(legal.split(", ").map(str::to_string));
        assert_eq!(
            listed.join(" "),
            "Na3 Nc3 Nf3 Nh3 a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4"
        );
    }
    let ambiguous = |fen: &str, text: &str, fits: &str| {
        let expected = MoveError::Ambiguous(text.to_owned(), fits.to_owned());
        assert_eq!(position(fen).parse_move(text), Err(expected));
    };
    ambiguous("4k3/8/8/8/8/4K3/8/R6R w - -", "Rd1", "Rad1, Rhd1");
    ambiguous("7k/P7/8/8/8/8/8/K7 w - -", "a8", "a8=Q+, a8=R+, a8=B, a8=N");
    ambiguous("4k3/8/8/3p4/2P1P3/8/8/4K3 w - -", "d5", "exd5, cxd5");
    let mate = position("R5k1/5ppp/8/8/8/8/8/6K1 b - -");
    let error = mate.parse_move("Kf8").unwrap_err();
    assert!(error.to_string().contains("none"), "{error}");
}

#[test]
fn illegal_castling_is_explained() {
    for (fen, text, why) in [
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w Qkq -",
            "0-0",
            "`0-0` is not legal here: White has no right to",
        ),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQq -", "O-O", "Black has no right to castle there"),
        ("r3k2r/8/8/8/8/8/8/R3K1NR w KQkq -", "O-O", "g1 is occupied"),
        ("rn2k2r/8/8/8/8/8/8/R3K2R b KQkq -", "O-O-O", "b8 is occupied"),
        ("4k3/4r3/8/8/8/8/8/R3K2R w KQ -", "O-O", "the king is in check"),
        ("4k3/3r4/8/8/8/8/8/R3K2R w KQ -", "O-O-O", "d1 is attacked"),
        ("4k3/6r1/8/8/8/8/8/R3K2R w KQ -", "O-O", "g1 is attacked"),
    ] {
        let error = position(fen).parse_move(text).expect_err(fen).to_string();
        assert!(error.contains(why), "{fen}: {error}");
    }
}

#[test]
fn castling_is_legal_or_there_is_a_reason() {
    let mut legal = 0;
    for position in played(7, 200) {
        for text in ["O-O", "O-O-O"] {
            match position.parse_move(text) {
                Ok(_) => legal += 1,
                Err(error) => assert!(matches!(error, MoveError::Castling(..)), "{error}"),
            }
        }
    }
    assert!(legal > 0);
}
