//! Recorded games judged by tables and by an engine.

use damka::{
    AnnotatedGame, Annotator, AnyGame, Control, Judgement, Limits, PlayerSettings, SearchRequest,
    Source, Wdl, open_engine, read_records,
};
use std::ops::ControlFlow::{Break, Continue};

/// Judges the one game of a text, by the golden tables and by an engine that searches `nodes`
/// nodes.
fn annotated(game: &str, text: &str, nodes: Option<u64>) -> AnnotatedGame {
    let game: AnyGame = game.parse().expect("a game");
    let tables = damka::open(game, crate::golden(), Default::default());
    let mut engine = open_engine(&PlayerSettings::minimal(game)).expect("an engine");
    let control = Control::default();
    let mut annotator = Annotator::new(&*tables);
    if let Some(nodes) = nodes {
        let request = SearchRequest { limits: Limits::nodes(nodes), lines: None };
        annotator = annotator.with_engine(&mut *engine, request, &control);
    }
    let record = read_records(game, text).next().expect("a game").expect("a sound game");
    let mut positions = 0;
    let annotated = annotator.annotate(&*record, &mut || {
        positions += 1;
        Continue(())
    });
    let annotated = annotated.expect("sound tables").expect("nobody stops");
    assert_eq!(positions, annotated.plies.len() + 1);
    annotated
}

#[test]
fn moves_that_lose_the_result_are_judged() {
    let game = annotated("russian", "[FEN \"W:WKb8:Bd4\"]\n\n1. b8-f4 d4-c3 2. f4-d2?! *", None);
    let judgements: Vec<Option<Judgement>> = game.plies.iter().map(|ply| ply.judgement).collect();
    assert_eq!(judgements, [Some(Judgement::OnlyMove), None, Some(Judgement::ThrewAwayWin)]);
    let last = &game.plies[2];
    assert_eq!((last.before.value, last.before.dtw), (Some(Wdl::Win), Some(3)));
    assert_eq!((last.after.value, last.after.dtw), (Some(Wdl::Loss), Some(2)));
    assert_eq!(last.best, ["f4-c1", "c3-b2", "c1xa3"]);
    let [white, black] = &game.summary;
    assert_eq!((white.moves, white.only_moves, white.threw_away_wins), (2, 1, 1));
    assert_eq!((black.moves, black.in_tables, black.threw_away_draws), (1, 1, 0));
    assert_eq!(last.best_moves, last.best);
    // The mark in the record is kept, no other is added, and the text can be read again.
    let words = game.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("f4-d2?! {loss in 2 plies,"), "{words}");
    let again = annotated("russian", &game.text, None);
    let found = |game: &AnnotatedGame| -> Vec<_> {
        game.plies.iter().map(|ply| (ply.judgement, ply.before, ply.after)).collect()
    };
    assert_eq!(found(&again), found(&game));
    assert_eq!(again.text, game.text);
}

/// Earlier annotations are replaced; what a person wrote stays.
#[test]
fn annotations_are_not_repeated() {
    let text = "[FEN \"W:WKb8:Bd4\"]\n\n1. b8-a7 {Draw.} {draw} (1. b8-f4 {wins}) d4-c3 1/2-1/2";
    let first = annotated("russian", text, None).text;
    assert!(
        first.contains("b8-a7?? {Draw.} {draw} {draw, throws away a win in 5 plies}"),
        "{first}"
    );
    assert_eq!(first.matches("b8-f4").count(), 1, "{first}");
    let stale = first.replace("in 5 plies", "in 77 plies").replace("a7??", "a7 $4 $10");
    for text in [&first, &stale] {
        let again = annotated("russian", text, None).text;
        assert_eq!(
            again.replace(" $10", "").split_whitespace().collect::<Vec<_>>(),
            first.split_whitespace().collect::<Vec<_>>()
        );
    }
}

/// An engine's annotations are replaced once tables know the result.
#[test]
fn engine_annotations_are_replaced_by_tables() {
    let bare = "[FEN \"W:WKb8:Bd4\"]\n\n1. b8-f4 {Good.} d4-e3 2. f4xd2 1-0";
    let judged = "[FEN \"W:WKb8:Bd4\"]\n\n1. b8-f4 $4 {Good.} {-3.10/5, blunder} (1. b8-c7 d4-c3) \
                  1... d4-e3 {-9.00/4} 2. f4xd2 {+9.00/3} 1-0";
    assert_eq!(annotated("russian", judged, None).text, annotated("russian", bare, None).text);
}

/// In a drawn ending only moves with a judgement get a comment. At the end of a game, a comment
/// says what a player gave up.
#[test]
fn only_judged_moves_get_comments() {
    let drawn = annotated("russian", "[FEN \"W:WKb8:Bd4\"]\n\n1. b8-a7 d4-c3 2. a7-b8 *", None);
    let judged = drawn.plies.iter().map(|ply| ply.judgement).collect::<Vec<_>>();
    assert_eq!(judged, [Some(Judgement::ThrewAwayWin), Some(Judgement::OnlyMove), None]);
    assert_eq!(drawn.text.matches("{draw,").count(), 2);
    assert_eq!(drawn.text.matches('{').count(), 2, "{}", drawn.text);
    let given = annotated("russian", "[FEN \"W:WKb8:Bd4\"]\n\n1. b8-f4 1/2-1/2", None).text;
    assert!(given.contains("{White gives up a win in 4 plies} 1/2-1/2"), "{given}");
    assert_eq!(annotated("russian", &given, None).text, given);
}

#[test]
fn the_best_line_is_written_as_the_game_writes_it() {
    let game = annotated(
        "chess",
        "[FEN \"8/8/8/8/8/2k5/7R/K7 w - - 0 1\"]\n\n1. Rh3+ Kd4 2. Rh4+ *",
        None,
    );
    let bad =
        annotated("chess", "[FEN \"8/8/8/8/8/8/1k5R/3K4 b - - 0 1\"]\n\n1... Kb3 2. Rb2+ *", None);
    assert!(game.plies.iter().all(|ply| ply.best_moves.len() == ply.best.len()));
    let last = &bad.plies[1];
    assert_eq!(last.judgement, Some(Judgement::ThrewAwayWin));
    assert!(last.best_moves[0].starts_with(['R', 'K']), "{:?}", last.best_moves);
}

#[test]
fn what_the_record_says_of_a_move_is_kept() {
    let text = "[FEN \"W:WKb8:Bd4\"]\n\n{Easy.} 1. b8-f4! $10 {Well played.} {Yes.} \
                (1. b8-a7 {no} d4-c3) 1... d4-c3 *";
    let game = annotated("russian", text, None);
    assert_eq!(game.comments, ["Easy."]);
    let [first, second] = &game.plies[..] else { panic!("two moves") };
    assert_eq!((&first.nags[..], second.nags.len()), (&[1, 10][..], 0));
    assert_eq!(first.comments, ["Well played.", "Yes."]);
    assert_eq!(first.variations, ["1. b8-a7 {no} d4-c3"]);
}

/// By the tables of `moves_that_lose_the_result_are_judged` White wins after 1. b8-f4, and it is a draw
/// after 1. b8-a7.
#[test]
fn what_the_end_of_a_game_gives_up_is_reported() {
    let given_up = |moves: &str| {
        let game = annotated("russian", &format!("[FEN \"W:WKb8:Bd4\"]\n\n{moves}"), None);
        let [white, black] = &game.summary;
        let sides = [("white", white.given_up), ("black", black.given_up)];
        for (side, count) in sides {
            assert_eq!(count, u64::from(game.given_up.is_some_and(|given| given.side == side)));
        }
        game.given_up.map(|given| (given.side, given.value, given.dtw, given.got))
    };
    let (win, draw, loss) = (Wdl::Win, Wdl::Draw, Wdl::Loss);
    assert_eq!(given_up("1. b8-f4 1/2-1/2"), Some(("white", win, Some(4), draw)));
    assert_eq!(given_up("1. b8-f4 0-1"), Some(("white", win, Some(4), loss)));
    assert_eq!(given_up("1. b8-f4 1-0"), None);
    assert_eq!(given_up("1. b8-f4 *"), None);
    assert_eq!(given_up("1. b8-a7 1-0"), Some(("black", draw, None, loss)));
    assert_eq!(given_up("1. b8-a7 0-1"), Some(("white", draw, None, loss)));
    assert_eq!(given_up("1. b8-a7 1/2-1/2"), None);
    // The game is over, so the record is wrong: nothing was given up.
    assert_eq!(given_up("1. b8-f4 d4-c3 2. f4-c1 c3-b2 3. c1xa3 1/2-1/2"), None);
}

#[test]
fn an_engine_judges_what_tables_do_not_know() {
    let text = "[FEN \"3r2k1/p7/8/8/8/8/P2Q4/6K1 w - - 0 1\"]\n\n1. Qd7 Rxd7 2. Kf2 Rd2+ *";
    let game = annotated("chess", text, Some(20_000));
    let blunder = &game.plies[0];
    assert_eq!(
        (blunder.judgement, blunder.after.source),
        (Some(Judgement::Blunder), Source::Engine)
    );
    assert!(blunder.before.score > Some(300) && blunder.after.score < Some(-200), "{blunder:?}");
    assert_eq!(blunder.best[0], "d2d8");
    assert_eq!(game.summary[0].blunders, 1);
    let silent = annotated("chess", text, None);
    assert!(silent.plies.iter().all(|ply| ply.before.source == Source::None));
}

#[test]
fn a_game_that_is_over_needs_neither_tables_nor_engine() {
    let game = annotated("russian", "[FEN \"W:WKa1:BKg7\"]\n\n1. a1xh8 1-0", None);
    let after = game.plies[0].after;
    assert_eq!((after.value, after.dtw, after.source), (Some(Wdl::Win), Some(1), Source::Tables));
}

#[test]
fn work_that_is_stopped_has_no_result() {
    let game: AnyGame = "russian".parse().expect("a game");
    let tables = damka::open(game, "nowhere", Default::default());
    let record = read_records(game, "1. c3-d4 *").next().expect("a game").expect("a sound game");
    let stopped = Annotator::new(&*tables).annotate(&*record, &mut || Break(()));
    assert_eq!(stopped.expect("sound tables"), None);
}
