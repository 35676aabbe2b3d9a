//! Navigation in trees of games.

use crate::game;
use damka_games::{Chess, Draughts, Game, Position, Russian};
use damka_records::{DEEPEST_VARIATION, GameResult, GameTree, Record, TooDeep};

/// The moves of a written record.
fn moves<G: Game>(record: &Record<G>) -> String {
    let text = record.to_string();
    let (_, moves) = text.split_once("\n\n").expect("tags and moves");
    moves.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn play(tree: &mut GameTree<Draughts>, names: &[&str]) {
    for name in names {
        let mv = tree.position().parse_move(name).expect("a move");
        tree.play(mv).expect("no depth");
    }
}

#[test]
fn a_tree_is_written_as_it_was_read() {
    for text in [
        "1. c3-d4 *",
        "{first} 1. c3-d4 {a} {b} b6-a5 2. d4-c5 1-0",
        "1. c3-d4 (1. a3-b4 {why} b6-a5) (1. g3-f4 b6-c5 (1... b6-a5 2. f4-g5)) 1... b6-c5 *",
        "1. c3-d4! b6-a5 ({instead} 1... b6-c5 $10) 2. d4-c5 0-1",
    ] {
        let tree = GameTree::from(game(Russian, text));
        assert_eq!(moves(&tree.record()), text);
    }
    let text = "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 1/2-1/2";
    assert_eq!(moves(&GameTree::from(game(Chess, text)).record()), text);
    let tags = GameTree::from(game(Russian, "[White \"Ivanov\"]\n\n1. c3-d4 1-0")).record().tags;
    assert_eq!(tags.get("White"), Some("Ivanov"));
}

#[test]
fn lines_with_a_common_beginning_are_merged_with_all_comments() {
    for (text, written) in [
        ("1. c3-d4 (1. c3-d4 {so} b6-a5) 1... b6-c5 *", "1. c3-d4 {so} b6-c5 (1... b6-a5) *"),
        ("1. c3-d4 ({none}) *", "{none} 1. c3-d4 *"),
        ("1. c3-d4 (1. a3-b4 (1. g3-f4)) *", "1. c3-d4 (1. a3-b4) (1. g3-f4) *"),
        ("1. c3-d4 b6-a5 ({b} 1... b6-a5) 2. d4-c5 *", "1. c3-d4 {b} b6-a5 2. d4-c5 *"),
    ] {
        let tree = GameTree::from(game(Russian, text));
        assert_eq!(moves(&tree.record()), written, "{text}");
    }
}

#[test]
fn going_back_and_playing_on_adds_a_variation() {
    let mut tree = GameTree::<Draughts>::new(Russian.start());
    play(&mut tree, &["c3-d4", "b6-a5"]);
    tree.set_result(GameResult::WhiteWins);
    assert!(tree.back().is_some() && tree.back().is_some() && tree.back().is_none());
    assert_eq!(tree.position(), &Russian.start());
    play(&mut tree, &["g3-f4"]);
    assert_eq!(tree.result(), GameResult::Unknown);
    assert_eq!(moves(&tree.record()), "1. c3-d4 (1. g3-f4) 1... b6-a5 1-0");
    // An existing line is followed.
    tree.back();
    play(&mut tree, &["c3-d4"]);
    assert_eq!(tree.continuations().len(), 1);
    tree.back();
    assert_eq!(tree.continuations().len(), 2);
    // Forward follows the line that was visited last.
    tree.forward();
    assert!(tree.forward().is_some() && tree.forward().is_none());
    assert_eq!(tree.result(), GameResult::WhiteWins);
}

#[test]
fn any_line_can_become_the_main_one() {
    let mut tree = GameTree::from(game(Russian, "1. c3-d4 (1. a3-b4 b6-a5 (1... b6-c5)) 1-0"));
    play(&mut tree, &["a3-b4", "b6-c5"]);
    tree.promote().expect("no depth");
    assert_eq!(moves(&tree.record()), "1. a3-b4 (1. c3-d4) 1... b6-c5 (1... b6-a5) *");
}

/// The deepest possible tree is read back as written.
#[test]
fn variations_are_nested_up_to_the_limit() {
    let start = Russian.parse_fen("W:WKa1,Kh2:BKh8,Kg1").expect("a position");
    let mut tree = GameTree::<Draughts>::new(start);
    let mut depth = 0;
    loop {
        let position = *tree.position();
        let mut quiet =
            position.moves().into_iter().filter(|&mv| !position.play(mv).captures_only());
        let [main, other] = [(); 2].map(|()| quiet.next().expect("two quiet moves"));
        tree.play(main).expect("the main line");
        tree.back();
        match tree.play(other) {
            Ok(()) => depth += 1,
            Err(TooDeep) => break,
        }
    }
    assert_eq!(depth, DEEPEST_VARIATION);
    assert_eq!(game(Russian, &tree.record().to_string()), tree.record());
    // With this line as the main one, all others branch off it.
    tree.promote().expect("no depth");
    assert_eq!(game(Russian, &tree.record().to_string()), tree.record());
}
