//! Draw rules, in games and in the search.

use damka_engine::{Control, DrawReason, Engine, GameEnd, History, Limits, Playable, Score};
use damka_games::{
    Alapo, Brazilian, Color, Czech, Draughts, English, Game, Italian, Pool, Position as _, Russian,
    draughts,
};
use std::collections::HashMap;

/// A game of `plies` plies from `fen` that repeats the moves of `cycle`.
fn shuffle<G: Playable>(game: G, fen: &str, cycle: &[&str], plies: usize) -> History<G> {
    let mut game = History::<G>::new(game.parse_fen(fen).expect("a position"));
    for mv in cycle.iter().cycle().take(plies) {
        assert_eq!(game.end(), None, "after {} plies", game.moves().len());
        let mv = game.position().parse_move(mv).expect("a legal move");
        game.play(mv);
    }
    game
}

/// Plays quiet moves that allow no capture until the game ends, always to the position that
/// occurred least often. Returns the number of plies and the result. Moves that `accepts` rejects
/// are played only if there are no others.
fn play_quiet_moves<G: Playable>(
    game: G,
    fen: &str,
    accepts: impl Fn(&History<G>, G::Move) -> bool,
) -> (usize, Option<GameEnd>) {
    const LIMIT: usize = 400;
    let start = game.parse_fen(fen).expect("a position");
    let mut game = History::<G>::new(start);
    let mut seen: HashMap<G::Position, u32> = HashMap::new();
    while game.end().is_none() && game.moves().len() < LIMIT {
        let position = *game.position();
        let after = |&mv: &G::Move| position.play(mv);
        let moves = position.moves();
        let quiet = moves.iter().filter(|&&mv| {
            !position.is_capture(mv) && !position.is_promotion(mv) && !after(&mv).captures_only()
        });
        let next = quiet.min_by_key(|&&mv| {
            let times = seen.get(&after(&mv)).copied().unwrap_or(0);
            (!accepts(&game, mv), times)
        });
        let Some(&mv) = next else { panic!("no quiet move in {}", position.fen()) };
        *seen.entry(after(&mv)).or_default() += 1;
        game.play(mv);
    }
    (game.moves().len(), game.end())
}

/// Whether a move is made by a king.
fn is_king_move<G>(game: &History<G>, mv: draughts::Move) -> bool
where
    G: Playable<Position = draughts::Position, Move = draughts::Move>,
{
    game.position().kings().contains(mv.from())
}

fn drawn(reason: DrawReason) -> Option<GameEnd> {
    Some(GameEnd::Drawn(reason))
}

#[test]
fn threefold_repetition() {
    let game = shuffle(English, "W:WK29:BK4", &["29-25", "4-8", "25-29", "8-4"], 8);
    assert_eq!(game.end(), drawn(DrawReason::Repetition));
    let game = shuffle(Alapo, "5k/6/6/6/6/K5 w", &["a1-a2", "f6-f5", "a2-a1", "f5-f6"], 8);
    assert_eq!(game.end(), drawn(DrawReason::Repetition));
}

/// FID, article 9.3 b1: the fourth occurrence.
#[test]
fn italian_draughts_needs_a_fourth_occurrence() {
    let cycle = ["29-25", "4-8", "25-29", "8-4"];
    let game = shuffle(Italian, "W:WK29:BK4", &cycle, 12);
    assert_eq!((game.moves().len(), game.end()), (12, drawn(DrawReason::Repetition)));
}

/// FMJD: 15 moves without a capture or a move of a man, and no other count.
#[test]
fn czech_draughts_counts_fifteen_moves_of_kings() {
    let fifteen = drawn(DrawReason::KingsOnly { moves: 15 });
    for fen in ["W:WKc1,Ke1:BKf8", "W:WKc1,Ke1,Kg1:BKf8"] {
        assert_eq!(play_quiet_moves(Czech, fen, |_, _| true), (30, fifteen), "{fen}");
    }
}

#[test]
fn same_material_with_kings_on_both_sides() {
    let five = drawn(DrawReason::SameMaterial { moves: 5 });
    for fen in ["W:WKc1:BKf8", "W:WKc1,Ke1:BKf8", "W:WKc1,h2:BKf8"] {
        assert_eq!(play_quiet_moves(Russian, fen, is_king_move), (10, five), "{fen}");
    }
    assert_eq!(play_quiet_moves(Brazilian, "W:WKc1,Ke1:BKf8", |_, _| true), (10, five));
    // Moves of men reset the count of king moves, but not this one.
    let end = play_quiet_moves(Russian, "W:WKc1,a3,h2:BKf8,Kb8", |game, mv| {
        let man_is_due = game.moves().len() % 28 >= 24;
        is_king_move(game, mv) != man_is_due
    });
    assert_eq!(end, (60, drawn(DrawReason::SameMaterial { moves: 30 })));
}

#[test]
fn three_kings_against_one() {
    // Thirteen moves in pool checkers; fifteen in Russian draughts, as for any moves of kings only.
    assert_eq!(
        play_quiet_moves(Pool, "W:WKc1,Ke1,Kg1:BKf8", |_, _| true),
        (26, drawn(DrawReason::ThreeAgainstOne { moves: 13 }))
    );
    assert_eq!(
        play_quiet_moves(Russian, "W:WKc1,Ke1,Kg1:BKf8", is_king_move),
        (30, drawn(DrawReason::KingsOnly { moves: 15 }))
    );
}

#[test]
fn kings_only() {
    assert_eq!(
        play_quiet_moves(Russian, "W:WKc1,Ke1,h2:BKf8,Kb8,a7", is_king_move),
        (30, drawn(DrawReason::KingsOnly { moves: 15 }))
    );
    assert_eq!(
        play_quiet_moves(English, "W:WK30,K31,K32:BK1,K2,K3", |_, _| true),
        (80, drawn(DrawReason::KingsOnly { moves: 40 }))
    );
}

#[test]
fn a_lone_king_on_the_main_road() {
    let on_road = |game: &History<Draughts>, mv: draughts::Move| {
        let is_black = game.position().turn() == Color::Black;
        let to = Russian.square_name(mv.to());
        let is_road = ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"].contains(&to.as_str());
        is_king_move(game, mv) && (!is_black || is_road)
    };
    let fen = "W:WKc1,a3,h2:BKd4";
    assert_eq!(
        play_quiet_moves(Russian, fen, on_road),
        (10, drawn(DrawReason::MainRoad { moves: 5 }))
    );
    // Off the main road, four pieces may play on longer.
    let off_road = |game: &History<Draughts>, mv: draughts::Move| {
        is_king_move(game, mv) && !on_road(game, mv) || game.position().turn() == Color::White
    };
    let (plies, end) = play_quiet_moves(Russian, "W:WKc1,a3,h2:BKf8", off_road);
    assert!(plies > 10 && end != drawn(DrawReason::MainRoad { moves: 5 }), "{plies} {end:?}");
}

/// Two flying kings do not catch one on the main road in five moves, and the search knows that the
/// game is drawn then.
#[test]
fn the_search_applies_the_draw_rules() {
    let mut engine = Engine::new(Russian, 1 << 20);
    let game = History::new(Russian.parse_fen("B:WKc1,Ke1:BKa1").expect("a position"));
    let found = engine.search(&game, &Limits::depth(26), &Control::default(), |_| ());
    assert_eq!(found.score, Score::DRAW);
}

/// Black, who is worse, can repeat a position of the game. The third occurrence draws, in Italian
/// draughts the fourth.
#[test]
fn the_search_counts_the_occurrences_in_the_game() {
    let cycle = ["29-25", "4-8", "25-29", "8-4"];
    let score = |game: Draughts, plies| {
        let game = shuffle(game, "W:WK29,K30,31:BK4", &cycle, plies);
        let mut engine = Engine::new(game.position().game(), 1 << 20);
        engine.search(&game, &Limits::depth(1), &Control::default(), |_| ()).score
    };
    assert_eq!(score(English, 7), Score::DRAW);
    assert!(score(Italian, 7) < Score::DRAW);
    assert_eq!(score(Italian, 11), Score::DRAW);
}
