//! Chess: mates, endgame studies and draws.

use damka_engine::{Control, DrawReason, Engine, GameEnd, History, Limits, Report, Score};
use damka_games::chess::Position;
use damka_games::{Chess, Color, Game, Position as _, Random};

fn position(fen: &str) -> Position {
    Chess.parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn search(game: &History<Chess>, limits: Limits) -> Report<Chess> {
    Engine::new(Chess, 16 << 20).search(game, &limits, &Control::default(), |_| ())
}

/// The score and the best move of a position.
fn found(fen: &str, limits: Limits) -> (Score, String) {
    let position = position(fen);
    let report = search(&History::new(position), limits);
    (report.score, report.best().map_or_else(String::new, |mv| position.format_move(mv)))
}

/// The positions of mates.tsv with the number of moves to mate.
fn mates() -> impl Iterator<Item = (u16, &'static str)> {
    let lines = include_str!("mates.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut fields = line.split('\t');
        let moves = fields.next().and_then(|moves| moves.parse().ok()).expect(line);
        (moves, fields.nth(1).expect(line))
    })
}

/// Whether the side to move can mate within `moves` moves, by exhaustive search from the rules
/// alone.
fn can_mate(position: &Position, moves: u16) -> bool {
    let mut after: Vec<Position> =
        position.moves().into_iter().map(|mv| position.play(mv)).collect();
    // Checks first, then moves that leave few replies: they mate most often.
    after.sort_by_cached_key(|after| (!after.is_in_check(after.turn()), after.count_moves()));
    let is_lost = |after: &Position| {
        let answers = after.moves();
        let is_mate = answers.is_empty() && after.is_in_check(after.turn());
        let mut answers = answers.into_iter().map(|mv| after.play(mv)).peekable();
        is_mate
            || moves > 1
                && answers.peek().is_some()
                && answers.all(|answer| can_mate(&answer, moves - 1))
    };
    after.iter().any(is_lost)
}

#[test]
fn mates_in_two_are_confirmed_by_the_rules() {
    let mates: Vec<_> = mates().filter(|(moves, _)| *moves == 2).collect();
    assert!(mates.len() >= 15);
    for (moves, fen) in mates {
        assert!(can_mate(&position(fen), moves) && !can_mate(&position(fen), moves - 1), "{fen}");
    }
}

#[test]
fn mates_are_found() {
    let mut count = 0;
    for (moves, fen) in mates() {
        let (score, best) = found(fen, Limits::nodes(1_000_000));
        let plies = score.plies().filter(|_| score.is_win());
        assert!(plies.is_some_and(|plies| plies < 2 * moves), "{fen}: {best} {score}");
        count += 1;
    }
    assert!(count >= 50, "{count}");
}

/// Mates and stalemates on the board or a ply away.
#[test]
fn mate_and_stalemate_are_seen_at_once() {
    let ends = [
        ("7k/8/5KQ1/8/8/8/8/8 w - -", Score::decided(1)),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - -", Score::decided(0)),
        ("k7/8/1Q6/8/8/8/8/K7 b - -", Score::DRAW),
        // The only move is stalemate.
        ("7k/8/6K1/8/8/8/8/8 w - -", Score::DRAW),
    ];
    for (fen, score) in ends {
        assert_eq!(found(fen, Limits::depth(4)).0, score, "{fen}");
    }
}

/// E. Lasker and G. Reichhelm, 1901: White wins by corresponding squares, only with Kb1.
#[test]
fn lasker_reichhelm_is_won_by_corresponding_squares() {
    let (score, best) = found("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - -", Limits::nodes(3_000_000));
    assert_eq!(best, "Kb1", "{score}");
}

/// R. Réti, 1921: on the same path the white king approaches both the enemy pawn and its own.
#[test]
fn reti_endgame_is_drawn() {
    let found = found("7K/8/k1P5/7p/8/8/8/8 w - -", Limits::nodes(300_000));
    assert_eq!(found, (Score::DRAW, "Kg7".to_owned()));
}

/// G. E. Barbier and F. Saavedra, 1895, and the position after the fifth move: promotion to a queen
/// allows Rc4+ Qxc4 stalemate, promotion to a rook threatens mate.
#[test]
fn underpromotion_avoids_stalemate() {
    let start = found("8/8/1KP5/3r4/8/8/8/k7 w - -", Limits::nodes(300_000));
    assert!(start.1 == "c7" && start.0 > Score::evaluation(200), "{start:?}");
    let (score, best) = found("8/2P5/8/8/3r4/8/2K5/k7 w - -", Limits::nodes(300_000));
    assert!(best == "c8=R" && score > Score::evaluation(200), "{best} {score}");
    let queen = "2Q5/8/8/8/3r4/8/2K5/k7 b - -";
    assert_eq!(found(queen, Limits::nodes(300_000)), (Score::DRAW, "Rc4+".to_owned()));
}

/// R. Fine, Basic Chess Endings, 1941: a rook pawn and a bishop of the wrong colour for its
/// promotion square win only if they keep the enemy king out of that corner.
#[test]
fn a_bishop_of_the_wrong_colour_does_not_win() {
    let drawn = [
        "k7/8/1K6/P7/8/8/1B6/8 w - -",
        "8/5k2/8/4K3/7P/8/8/3B4 b - -",
        "8/3k4/8/2K5/P7/8/8/6B1 b - -",
        "8/8/2b5/8/p7/3k4/8/K7 b - -",
        "k7/8/K7/P7/P7/8/1B6/8 b - -",
    ];
    for fen in drawn {
        let (score, best) = found(fen, Limits::nodes(300_000));
        assert_eq!(score, Score::DRAW, "{fen}: {best}");
    }
    let won = [
        // The right bishop.
        "k7/8/1K6/P7/8/8/B7/8 w - -",
        // The king is too far away.
        "8/8/8/4K2k/P7/8/8/6B1 b - -",
        // Pawns on two files.
        "1k6/8/1K6/P6P/8/8/1B6/8 w - -",
    ];
    for fen in won {
        let (score, best) = found(fen, Limits::nodes(300_000));
        assert!(score.hundredths().abs() > 200, "{fen}: {best} {score}");
    }
}

/// A rook down, White gives perpetual check on e8 and h5.
#[test]
fn perpetual_check_is_a_draw() {
    let (score, best) = found("6k1/6p1/8/7Q/8/8/qr6/7K w - -", Limits::depth(8));
    assert_eq!((score, best.as_str()), (Score::DRAW, "Qe8+"));
}

/// A random game of `plies` plies without captures and repetitions, whose last position satisfies
/// `is_wanted`. `fen` has no pawns.
fn without_progress(
    fen: &str,
    plies: usize,
    is_wanted: impl Fn(&Position) -> bool,
) -> History<Chess> {
    let attempt = |seed: u64| {
        let mut random = Random::new(seed);
        let mut game = History::<Chess>::new(position(fen));
        let mut seen = vec![game.key()];
        while game.moves().len() < plies {
            let moves = game.position().moves();
            let mv = random.pick(&moves).filter(|&mv| !game.position().is_capture(mv))?;
            game.play(mv);
            if game.end().is_some() || seen.contains(&game.key()) {
                return None;
            }
            seen.push(game.key());
        }
        Some(game).filter(|game| is_wanted(game.position()))
    };
    (0..1_000_000).find_map(attempt).expect("a game")
}

/// King and rook mate a lone king in at most 16 moves.
#[test]
fn fifty_moves_are_counted() {
    let fen = "8/8/8/4k3/8/8/8/KR6 w - -";
    let start = search(&History::new(position(fen)), Limits::depth(6));
    assert!(start.score > Score::evaluation(300), "{}", start.score);
    let is_quiet = |position: &Position| !can_mate(position, 2);
    let mut game = without_progress(fen, 96, is_quiet);
    let found = search(&game, Limits::depth(6));
    assert_eq!(found.score, Score::DRAW, "{}", game.position().fen());
    for _ in 0..4 {
        assert_eq!(game.end(), None, "{}", game.position().fen());
        let quiet = |mv: &_| !game.position().is_capture(*mv);
        let mv = game.position().moves().into_iter().find(quiet).expect("a move");
        game.play(mv);
    }
    assert_eq!(game.end(), Some(GameEnd::Drawn(DrawReason::NoProgress { moves: 50 })));
}

/// Mate with the hundredth ply takes precedence over the 50-move rule.
#[test]
fn mate_comes_before_fifty_moves() {
    let fen = "7k/8/8/8/8/8/8/KQ6 b - -";
    let mut game = without_progress(fen, 99, |position| can_mate(position, 1));
    let found = search(&game, Limits::depth(3));
    assert_eq!(found.score, Score::decided(1), "{}", game.position().fen());
    game.play(found.best().expect("a move"));
    assert!(matches!(game.end(), Some(GameEnd::Won(_))), "{}", game.position().fen());
}

#[test]
fn insufficient_material_is_a_draw() {
    for men in ["N", "B", "n", "b"] {
        let fen = format!("6k1/8/8/8/3{men}4/8/8/K7 w - -");
        let game = History::<Chess>::new(position(&fen));
        assert_eq!(game.end(), Some(GameEnd::Drawn(DrawReason::InsufficientMaterial)), "{fen}");
    }
    // Drawn with all bishops on one colour, whichever side has them; not on both colours, nor with
    // a pawn.
    let ends = [
        ("6k1/8/8/4b3/3B4/8/8/K7", true),
        ("6k1/8/8/3b4/3B4/8/8/K7", false),
        ("6k1/8/8/8/3P4/8/8/K7", false),
    ];
    for (board, is_drawn) in ends {
        let game = History::<Chess>::new(position(&format!("{board} w - -")));
        assert_eq!(game.end().is_some(), is_drawn, "{board}");
    }
}

/// Without tables the engine, playing both sides, mates a lone king with few pieces.
#[test]
fn lone_kings_are_mated() {
    let starts = [
        "8/8/8/4k3/8/8/8/KQ6 w - -",
        "8/8/8/4k3/8/8/8/KR6 w - -",
        "8/8/8/4k3/8/8/8/KBB5 w - -",
        "8/8/8/4k3/8/8/8/KBN5 w - -",
    ];
    for fen in starts {
        let mut engine = Engine::new(Chess, 16 << 20);
        let mut game = History::<Chess>::new(position(fen));
        while game.end().is_none() {
            let limits = Limits::nodes(50_000);
            let found = engine.search(&game, &limits, &Control::default(), |_| ());
            game.play(found.best().expect("a move"));
        }
        assert_eq!(
            game.end(),
            Some(GameEnd::Won(Color::White)),
            "{fen}: {}",
            game.position().fen()
        );
    }
}
