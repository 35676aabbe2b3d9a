//! Compares the engine on chess with tables: near the limit of fifty moves, where late wins are
//! drawn, and in fortresses without tables.

use damka_engine::{Control, EndgameTables, Engine, History, Limits, Report, Score};
use damka_games::chess::{PAWN, Position};
use damka_games::{Chess, Counted, Game, MoveCounters, Position as _, Random};
use damka_probe::Tables;
use damka_tables::metric::Metric;
use damka_tables::{Index, Signature, Wdl};
use damka_tests::build_tables;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The number of plies after which a game without a capture or a pawn move is drawn.
const MOST: u16 = 100;

fn tables(signatures: &[&str], directory: &Path) -> Arc<Tables<Chess>> {
    let parse = |text: &&str| Signature::parse(Chess, text).expect("a signature");
    build_tables(&signatures.iter().map(parse).collect::<Vec<_>>(), directory);
    Arc::new(Tables::open(Chess, directory))
}

/// Random legal positions of a signature, with either side to move.
fn positions(signature: &str, random: &mut Random) -> impl Iterator<Item = Position> {
    let signature = Signature::parse(Chess, signature).expect("a signature");
    std::iter::repeat_with(move || {
        let side = random.pick(signature.sides()).expect("a side to move");
        let [mover, opponent] = signature.to_move(side);
        let index = Index::new(Chess, mover, opponent);
        index.position(random.below(index.len()))
    })
    // Not every number of the index is a legal position.
    .filter(|position| Chess.position(&position.setup()).is_ok())
}

/// A position with this halfmove clock.
fn with_clock(position: Position, halfmove_clock: u16) -> Counted<Position> {
    Counted { position, counters: Some(MoveCounters { halfmove_clock, fullmove_number: 60 }) }
}

/// The engine's result for a position after this number of plies without progress.
fn search(tables: &Arc<Tables<Chess>>, position: Position, plies: u16) -> Report<Chess> {
    let mut engine = Engine::new(Chess, 1 << 20);
    let endings = EndgameTables::new(Arc::clone(tables)).expect("tables");
    engine.set_tables(Some(Arc::new(endings)));
    let game = History::new(with_clock(position, plies));
    engine.search(&game, &Limits::nodes(60_000), &Control::default(), |_| ())
}

/// The value of a position that is drawn unless a capture, a pawn move or mate comes within `left`
/// plies, by a full search. Tables give the values after captures and pawn moves, which reset the
/// count: with four pieces all mates take less than fifty moves.
fn with_count(tables: &Tables<Chess>, position: &Position, left: u16) -> Wdl {
    let moves = position.moves();
    if moves.is_empty() {
        return if position.loses_when_stuck() { Wdl::Loss } else { Wdl::Draw };
    }
    if left == 0 {
        return Wdl::Draw;
    }
    let mut best = Wdl::Loss;
    for mv in moves {
        let after = position.play(mv);
        let is_progress = position.is_capture(mv) || position.kind(PAWN).contains(mv.from);
        let value = match is_progress {
            true => tables.wdl(&after).expect("a value"),
            false => with_count(tables, &after, left - 1),
        };
        match value {
            Wdl::Loss => return Wdl::Win,
            Wdl::Draw => best = Wdl::Draw,
            Wdl::Win => {}
        }
    }
    best
}

/// The engine's result after these moves.
fn search_after(tables: &Arc<Tables<Chess>>, fen: &str, moves: &str) -> Report<Chess> {
    let mut engine = Engine::new(Chess, 1 << 20);
    let endings = EndgameTables::new(Arc::clone(tables)).expect("tables");
    engine.set_tables(Some(Arc::new(endings)));
    let mut game = History::<Chess>::new(Chess.parse_fen(fen).expect("a position"));
    for text in moves.split_whitespace() {
        game.play(game.position().parse_move(text).expect("a move"));
    }
    engine.search(&game, &Limits::nodes(60_000), &Control::default(), |_| ())
}

/// Without time, the engine chooses a move that keeps the win, and reports a line: after all other
/// moves, the fiftieth move without progress draws.
#[test]
fn with_no_time_the_count_of_moves_is_seen() {
    let directory = tempfile::tempdir().expect("a directory");
    let tables = tables(&["KPvK", "KRPvK"], directory.path());
    for (fen, best) in [("8/1P6/8/8/8/8/5k2/K7 w", "b7b8q"), ("8/8/8/8/3PR3/5k2/8/K7 w", "d4d5")] {
        for limits in [Limits::nodes(1), Limits::time(Duration::ZERO)] {
            let mut engine = Engine::new(Chess, 1 << 20);
            let endings = EndgameTables::new(Arc::clone(&tables)).expect("tables");
            engine.set_tables(Some(Arc::new(endings)));
            let game = History::new(with_clock(Chess.parse_fen(fen).expect("a position"), 99));
            let mut reports = 0;
            let found = engine.search(&game, &limits, &Control::default(), |_| reports += 1);
            assert_eq!(found.pv[0].to_string(), best, "{fen}: {found:?}");
            assert!(reports > 0 && found.depth > 0, "{fen}: {found:?}");
        }
    }
}

/// Regression: with more drawing moves than lines, a line whose move the tables know had the score of the
/// search, and the lines were not in order.
#[test]
fn lines_have_the_values_of_the_tables() {
    let directory = tempfile::tempdir().expect("a directory");
    let tables = tables(&["KPvK", "KRvKB"], directory.path());
    let mut random = Random::new(5);
    let mut drawn = 0;
    for signature in ["KPvK", "KRvKB"] {
        for position in positions(signature, &mut random).take(60) {
            let mut engine = Engine::new(Chess, 1 << 20);
            let endings = EndgameTables::new(Arc::clone(&tables)).expect("tables");
            engine.set_tables(Some(Arc::new(endings)));
            engine.set_multi_pv(3);
            let game = History::<Chess>::new(position);
            let found = engine.search(&game, &Limits::nodes(20_000), &Control::default(), |_| ());
            let lines = &found.other_lines;
            assert_eq!(lines.len() + 1, position.moves().len().clamp(1, 3), "{position:?}");
            assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{position:?}: {lines:?}");
            for line in lines {
                let after = tables.wdl(&position.play(line.moves[0])).expect("a value");
                assert_eq!(line.wdl, Some(after.before_move()), "{position:?}: {line:?}");
                drawn += usize::from(after == Wdl::Draw);
            }
        }
    }
    assert!(drawn > 50, "{drawn} drawn lines");
}

/// The best move by tables would draw by repetition; the losing side takes the draw.
#[test]
fn the_third_time_is_seen_where_tables_choose() {
    let directory = tempfile::tempdir().expect("a directory");
    let tables = tables(&["KQvK"], directory.path());
    let around = "f2g2 f4g5 g2f2 g5f4";
    let won = "8/2Q5/8/8/5K2/8/5k2/8 b - - 0 1";
    let found = search_after(&tables, won, &format!("{around} f2g2 f4g5 g2f2"));
    assert!(found.score.is_win() && !found.pv.is_empty(), "{found:?}");
    let wins = |found: &Report<Chess>| found.value.map(|value| value.wdl());
    assert_eq!(wins(&found), Some(Wdl::Win));
    assert_ne!(found.pv[0].to_string(), "g5f4");
    let lost = "8/2Q5/8/8/5K2/8/6k1/8 w - - 0 1";
    let found = search_after(&tables, lost, "f4g5 g2f2 g5f4 f2g2 f4g5 g2f2 g5f4");
    assert_eq!((found.score, wins(&found)), (Score::DRAW, Some(Wdl::Draw)));
    assert_eq!(found.pv[0].to_string(), "f2g2");
    // With one repetition less, this has no effect.
    let found = search_after(&tables, won, "f2g2 f4g5 g2f2");
    assert_eq!(found.pv[0].to_string(), "g5f4");
}

/// No table has the position, but tables have all positions after its moves.
#[test]
fn positions_with_castling_rights_have_distances() {
    let directory = tempfile::tempdir().expect("a directory");
    let tables = tables(&["KRvK"], directory.path());
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let found = search_after(&tables, fen, "");
    let after = tables.moves(&Chess.parse_fen(fen).expect("a position"), Metric::Dtw);
    let best = after.expect("tables").first().map(|best| best.value);
    assert_eq!((found.value, found.nodes), (best, 0));
}

/// With few plies left, a full search to the end of the count is exact.
#[test]
fn a_search_finds_what_comes_in_time() {
    let directory = tempfile::tempdir().expect("a directory");
    let tables = tables(&["KQvKR", "KPvK"], directory.path());
    let mut random = Random::new(3);
    // The numbers of positions won or lost by the tables: those with the same result by the count,
    // and those drawn by the count.
    let mut seen = [[0; 2]; 2];
    for signature in ["KQvKR", "KPvK", "KQvK"] {
        let decided = |position: &Position| {
            let value = tables.dtw(position).expect("a value");
            // Results that take at most one ply are in time with any count.
            value.plies().is_some_and(|plies| plies > 1)
        };
        let some: Vec<_> = positions(signature, &mut random).filter(decided).take(40).collect();
        for (position, left) in some.into_iter().zip([1, 2, 3, 4].into_iter().cycle()) {
            let case = format!("{} {left}", position.fen());
            let value = tables.wdl(&position).expect("a value");
            let truth = with_count(&tables, &position, left);
            let found = search(&tables, position, MOST - left);
            let score = found.score;
            match truth {
                Wdl::Draw => assert_eq!(score, Score::DRAW, "{case}"),
                Wdl::Win => assert!(score.is_win(), "{case}: {score}"),
                Wdl::Loss => assert!(score.is_loss(), "{case}: {score}"),
            }
            // The move keeps the result.
            let best = found.best().expect("a move");
            let after = position.play(best);
            let is_progress = position.is_capture(best) || position.kind(PAWN).contains(best.from);
            let then = match is_progress {
                true => tables.wdl(&after).expect("a value"),
                false => with_count(&tables, &after, left - 1),
            };
            let kept = match truth {
                Wdl::Win => Wdl::Loss,
                Wdl::Draw => Wdl::Draw,
                Wdl::Loss => Wdl::Win,
            };
            assert_eq!(then, kept, "{case}: {}", position.format_move(best));
            seen[usize::from(value == Wdl::Win)][usize::from(truth == Wdl::Draw)] += 1;
        }
    }
    assert!(seen.as_flattened().iter().all(|&count| count >= 5), "{seen:?}");
}

/// With a rook and nothing to capture, the only win is mate, in time or not.
#[test]
fn mates_that_come_too_late_are_drawn() {
    let directory = tempfile::tempdir().expect("a directory");
    let tables = tables(&["KRvK"], directory.path());
    let mut random = Random::new(4);
    let (mut won, mut drawn) = (0, 0);
    let all = positions("KRvK", &mut random);
    let all = all.filter_map(|position| Some((position, tables.dtw(&position).ok()?.plies()?)));
    let all = all.filter(|&(_, plies)| plies > 1);
    for ((position, plies), early) in all.take(60).zip([0, 1, 2, 9].into_iter().cycle()) {
        // One ply less than the mate takes, as many, or more.
        let left = (plies + early).saturating_sub(1);
        let case = format!("{} in {plies} of {left}", position.fen());
        let found = search(&tables, position, MOST - left);
        let truth = if plies <= left { Score::decided(plies) } else { Score::DRAW };
        assert_eq!(found.score, truth, "{case}");
        let best = position.play(found.best().expect("a move"));
        let then = tables.dtw(&best).expect("a value").plies();
        assert_eq!(then, plies.checked_sub(1), "{case}: the other side may go wrong");
        won += u32::from(truth != Score::DRAW);
        drawn += u32::from(truth == Score::DRAW);
    }
    assert!(won >= 20 && drawn >= 10, "{won} {drawn}");
}

/// With kings and pawns only: positions that a search of one ply calls drawn are drawn.
#[test]
fn fortresses_hold() {
    let directory = tempfile::tempdir().expect("a directory");
    let tables = tables(&["KPvK"], directory.path());
    let mut random = Random::new(5);
    let mut engine = Engine::new(Chess, 1 << 20);
    let mut drawn = 0;
    for position in positions("KPvK", &mut random).take(20_000) {
        let game = History::<Chess>::new(position);
        let found = engine.search(&game, &Limits::depth(1), &Control::default(), |_| ());
        if found.score == Score::DRAW {
            assert_eq!(tables.wdl(&position).expect("a value"), Wdl::Draw, "{}", position.fen());
            drawn += 1;
        }
    }
    assert!(drawn >= 200, "{drawn}");
}
