//! The engine of a game named at run time gives the results of the typed engine.

use crate::golden;
use damka::engine::{History, Player};
use damka::{
    AnyGame, AskError, Chess, Control, DtwStatus, Game, Limits, PlayerSettings, Position, Russian,
    SearchReport, SearchRequest, Wdl, open_engine, with_game,
};
use std::thread;
use std::time::Duration;

fn game(name: &str) -> AnyGame {
    name.parse().expect("a game")
}

fn request(depth: u16, lines: Option<usize>) -> SearchRequest {
    SearchRequest { limits: Limits::depth(depth), lines }
}

/// The result of a search from typed positions: nodes, score and moves.
fn typed<G: damka::engine::Playable>(
    game: G,
    fen: &str,
    moves: &[&str],
) -> (u64, i32, Vec<String>) {
    let mut player = Player::new(&PlayerSettings::minimal(game)).expect("a player");
    let mut history = History::<G>::new(game.parse_fen(fen).expect("a position"));
    for text in moves {
        let mv = history.position().parse_move(text).expect("a move");
        history.play(mv);
    }
    let mut position = *history.position();
    player.set_history(history);
    let found = player.search(&Limits::depth(6), &Control::default(), |_| ());
    let line = found.pv.iter().map(|&mv| {
        let name = position.format_move(mv);
        position = position.play(mv);
        name
    });
    (found.nodes, found.score.hundredths(), line.collect())
}

#[test]
fn text_is_searched_as_typed_positions_are() {
    let start = Chess.start().fen();
    let draughts = Russian.start().fen();
    let cases: [(&str, &str, &[&str]); 4] = [
        ("chess", &start, &["e2e4", "e5", "Nf3"]),
        ("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &[]),
        ("russian", &draughts, &["c3-d4", "b6-a5"]),
        ("russian", "B:Wc3,e3,g3:Bb6,d6,f6", &[]),
    ];
    for (name, fen, moves) in cases {
        let mut engine = open_engine(&PlayerSettings::minimal(game(name))).expect("an engine");
        engine.set_position(fen, moves).expect("a game");
        let mut depths = Vec::new();
        let found = engine.search(&request(6, None), &Control::default(), &mut |report| {
            depths.push(report.depth);
        });
        let expected = match name {
            "chess" => typed(Chess, fen, moves),
            _ => typed(Russian, fen, moves),
        };
        assert_eq!((found.nodes, found.score.hundredths(), found.pv.clone()), expected, "{fen}");
        assert!(depths.ends_with(&[5, 6]) && found.depth == 6, "{depths:?}");
        assert_eq!((found.game, found.name.as_ref()), (name, found.pv.first()));
        assert!(found.lines.is_none());
    }
}

/// The clock of the 50-move rule and the move number are those after the moves.
#[test]
fn moves_lead_to_the_position() {
    let mut engine = open_engine(&PlayerSettings::minimal(game("chess"))).expect("an engine");
    engine.set_position("start", &["g1f3", "b8c6", "d4"]).expect("a game");
    let found = engine.search(&request(1, None), &Control::default(), &mut |_| ());
    assert_eq!(found.fen, "r1bqkbnr/pppppppp/2n5/8/3P4/5N2/PPP1PPPP/RNBQKB1R b KQkq - 0 2");
}

#[test]
fn invalid_positions_and_moves_change_nothing() {
    let mut engine = open_engine(&PlayerSettings::minimal(game("russian"))).expect("an engine");
    engine.set_position("W:Wc3,g1:BKd4,h8", &[]).expect("a position");
    let fen = engine.set_position("nonsense", &[]).expect_err("no position");
    assert!(matches!(fen, AskError::Fen { .. }), "{fen}");
    let mv = engine.set_position("start", &["c3-d4", "c3-d4"]).expect_err("no move");
    assert!(matches!(mv, AskError::Move(_)), "{mv}");
    let found = engine.search(&request(5, None), &Control::default(), &mut |_| ());
    assert_eq!(found.name.as_deref(), Some("c3xe5"));
}

/// With tables the results of all lines are those of the tables.
#[test]
fn tables_are_used() {
    let settings =
        PlayerSettings { tables: Some(golden()), ..PlayerSettings::minimal(game("russian")) };
    let mut engine = open_engine(&settings).expect("an engine");
    assert!(engine.take_table_errors().is_empty());
    let tables = damka::open(game("russian"), golden(), Default::default());
    for fen in ["W:WKa1:BKg7", "W:WKd4:Bd8", "B:WKb8:Bd4"] {
        let answer = tables.answer(fen, damka::Metric::Dtw).expect("an answer");
        engine.set_position(fen, &[]).expect("a position");
        let found = engine.search(&request(4, Some(100)), &Control::default(), &mut |_| ());
        assert_eq!((found.value, found.dtw, found.dtw_status), {
            (answer.value, answer.dtw, answer.dtw_status)
        });
        let lines = found.lines.expect("lines");
        let values = lines.iter().map(|line| (line.value, line.dtw, line.dtw_status));
        let ranked = answer.moves.iter().map(|mv| (mv.value, mv.dtw, mv.dtw_status));
        assert_eq!(values.collect::<Vec<_>>(), ranked.collect::<Vec<_>>(), "{fen}");
    }
}

#[test]
fn a_position_without_moves_is_lost_or_drawn() {
    let found = |name: &str, fen: &str| -> SearchReport {
        let mut engine = open_engine(&PlayerSettings::minimal(game(name))).expect("an engine");
        engine.set_position(fen, &[]).expect("a position");
        engine.search(&request(3, Some(2)), &Control::default(), &mut |_| ())
    };
    let lost = found("russian", "B:WKh8:B");
    assert_eq!((lost.name, lost.value, lost.dtw), (None, Some(Wdl::Loss), Some(0)));
    assert_eq!(lost.lines, Some(Vec::new()));
    let stalemate = found("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!((stalemate.value, stalemate.dtw_status), (None, DtwStatus::Unknown));
}

/// Engines that share resources search in threads of their own; one stop ends all searches.
#[test]
fn threads_keep_a_pool_of_engines() {
    let first = open_engine(&PlayerSettings::minimal(game("alapo"))).expect("an engine");
    let others = [first.another().expect("memory"), first.another().expect("memory")];
    let engines = [first].into_iter().chain(others);
    let control = Control::default();
    thread::scope(|scope| {
        let threads: Vec<_> = engines
            .map(|mut engine| {
                let control = &control;
                scope.spawn(move || {
                    let unlimited = SearchRequest::default();
                    engine.search(&unlimited, control, &mut |_| ())
                })
            })
            .collect();
        thread::sleep(Duration::from_millis(50));
        control.stop();
        for thread in threads {
            assert!(thread.join().expect("no panic").name.is_some());
        }
    });
}

#[test]
fn every_game_has_a_book() {
    for game in AnyGame::all() {
        let settings = PlayerSettings { memory: 1 << 20, ..PlayerSettings::new(game) };
        let ply = open_engine(&settings).expect("an engine").book_move().expect("a move");
        let after = with_game!(game, game => {
            let start = game.start();
            start.play(start.parse_move(&ply.name).expect("a legal move")).fen()
        });
        assert_eq!(ply.fen, after, "{}", game.name());
    }
}
