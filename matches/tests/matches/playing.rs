//! Games and their results.

use damka_engine::book::Book;
use damka_engine::{Control, History, Score, TimeControl, symmetric_key};
use damka_games::{Alapo, Color, Draughts, English, Game, Position, Russian};
use damka_matches::{
    Choice, Competitor, Contested, Entrant, GameClock, Match, MatchError, Openings, Pair, Reason,
    Sprt, Tally,
};
use damka_probe::Tables;
use damka_protocols::Fault;
use damka_records as records;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

fn entrant<G: Contested>(game: G, text: &str) -> Entrant<G> {
    Entrant::new(game, text, text.parse().expect("settings"), None).expect("no tables are needed")
}

fn planned<G: Contested>(game: G, first: &str, second: &str, pairs: u64) -> Match<G> {
    Match {
        entrants: [entrant(game, first), entrant(game, second)],
        openings: Openings::random(game, 6, 5),
        pairs,
        seed: 1,
        concurrency: 1,
        longest: 300,
        tables: None,
        sprt: None,
    }
}

/// Plays a match; returns its pairs as well.
fn play<G: Contested>(planned: &Match<G>) -> (Vec<Pair<G>>, Tally) {
    let mut pairs = Vec::new();
    let tally = planned.run(&Control::default(), |pair, _| {
        pairs.push(pair.clone());
        ControlFlow::Continue(())
    });
    (pairs, tally.expect("players that can play"))
}

/// All games of a match as text.
fn text<G: Contested>(pairs: &[Pair<G>]) -> String {
    let records = pairs.iter().flat_map(|pair| pair.records(["A", "B"]));
    records.map(|record| record.to_string()).collect::<Vec<_>>().join("\n")
}

/// The engine wins a short match against the baseline.
fn check_beats_baseline<G: Contested>(game: G) {
    let planned = planned(game, "nodes=3000,memory=1M", "opponent=plain,depth=2", 3);
    let (pairs, tally) = play(&planned);
    assert_eq!((pairs.len(), tally.games()), (3, 6));
    assert_eq!(tally.pairs.iter().sum::<u64>(), 3);
    assert!(tally.score().expect("games") > 0.5, "{}: {tally:?}", game.name());
}

#[test]
fn the_engine_is_stronger_than_the_baseline() {
    check_beats_baseline(Russian);
    check_beats_baseline(English);
    check_beats_baseline(Alapo);
}

/// In Alapo the baseline has the evaluation of a published bot. With the same number of positions for
/// each move it loses nine games of ten.
#[test]
fn in_alapo_the_engine_beats_the_evaluation_of_a_published_bot() {
    let planned = planned(Alapo, "nodes=2000,memory=1M", "opponent=plain,nodes=2000", 20);
    let (_, tally) = play(&planned);
    assert_eq!(tally.games(), 40);
    assert!(tally.wins >= 36, "{tally:?}");
}

#[test]
fn each_opening_is_played_with_both_colours_and_recorded() {
    let planned = planned(Russian, "depth=3,memory=1M", "opponent=plain,depth=3", 3);
    let (pairs, tally) = play(&planned);
    let text = text(&pairs);
    let records: Vec<_> =
        records::read(Russian, &text).collect::<Result<_, _>>().expect("what was written");
    assert_eq!(records.len(), 6);
    let mut points = 0;
    for (number, both) in records.chunks(2).enumerate() {
        let opening = planned.openings.get(number as u64);
        for (record, [white, black]) in both.iter().zip([["A", "B"], ["B", "A"]]) {
            assert_eq!(record.tags.get("White"), Some(white));
            assert_eq!(record.tags.get("Black"), Some(black));
            let moves: Vec<_> = record.line.plies.iter().map(|ply| ply.mv).collect();
            assert!(moves.starts_with(opening.moves()), "{record}");
            // The replayed game ends with the recorded result.
            let mut game = History::<Draughts>::new(record.start);
            for mv in moves {
                assert_eq!(game.end(), None, "{record}");
                assert!(game.position().moves().contains(&mv));
                game.play(mv);
            }
            assert!(game.end().is_some() || game.moves().len() == 300, "{record}");
            points += match (record.result, white) {
                (records::GameResult::Draw, _) => 1,
                (records::GameResult::WhiteWins, "A") | (records::GameResult::BlackWins, "B") => 2,
                _ => 0,
            };
        }
    }
    assert_eq!(points, 2 * tally.wins + tally.draws);
}

#[test]
fn matches_do_not_depend_on_concurrency() {
    let mut planned = planned(Russian, "nodes=2000,memory=1M", "depth=4,memory=1M", 6);
    let (alone, tally) = play(&planned);
    planned.concurrency = 4;
    let (together, same) = play(&planned);
    assert_eq!(text(&alone), text(&together));
    assert_eq!(tally, same);
}

/// Three random plies of Russian draughts lead to few positions.
#[test]
fn each_opening_is_played_once_as_long_as_there_are_others() {
    let mut planned = planned(Russian, "nodes=1,memory=1M", "opponent=plain,depth=1", 60);
    (planned.openings, planned.longest) = (Openings::random(Russian, 3, 1), 4);
    let known = |pairs: &[Pair<Draughts>]| -> Vec<u64> {
        let position = |pair: &Pair<Draughts>| pair.games[0].game.positions().nth(3).copied();
        let key = |pair| position(pair).map(|position| symmetric_key::<Draughts>(&position));
        pairs.iter().filter_map(key).collect()
    };
    let (pairs, tally) = play(&planned);
    let keys = known(&pairs);
    assert_eq!((keys.len(), keys.iter().collect::<HashSet<_>>().len()), (60, 60));
    assert!(pairs.iter().all(|pair| !pair.repeats_opening));
    planned.concurrency = 4;
    let (together, same) = play(&planned);
    assert_eq!((known(&together), same), (keys, tally));
    // There are seven first moves.
    (planned.openings, planned.pairs) = (Openings::random(Russian, 1, 1), 9);
    let (pairs, tally) = play(&planned);
    let repeated = pairs.iter().filter(|pair| pair.repeats_opening).count();
    assert_eq!((repeated, tally.games(), tally.identical), (2, 14, 4));
}

/// Deterministic players repeat their games.
#[test]
fn identical_games_count_once_and_books_choose_again_for_each_pair() {
    let mut planned = planned(Russian, "depth=1,memory=1M", "opponent=plain,depth=1", 10);
    planned.openings = Openings::from_fens(Russian, &Russian.start().fen()).expect("the start");
    let (pairs, tally) = play(&planned);
    assert_eq!((tally.games(), tally.identical, tally.played()), (2, 18, 20));
    assert_eq!(tally.pairs.iter().sum::<u64>(), 1);
    let identical: Vec<_> = pairs.iter().filter(|pair| pair.is_identical).collect();
    assert_eq!((identical.len(), identical[0].number), (9, 1));

    planned.entrants[0] = entrant(Russian, "depth=1,memory=1M,book=own");
    let games = |pairs: &[Pair<Draughts>]| -> HashSet<u64> {
        pairs.iter().map(|pair| pair.games[0].game.line_key()).collect()
    };
    let (pairs, tally) = play(&planned);
    let first = games(&pairs);
    assert!(first.len() > 5 && tally.games() > 10, "{tally:?}");
    planned.concurrency = 3;
    assert_eq!(games(&play(&planned).0), first);
    planned.seed = 2;
    assert_ne!(games(&play(&planned).0), first);
}

#[test]
fn a_test_ends_the_match_at_the_same_pair_for_any_concurrency() {
    let mut planned = planned(Russian, "depth=5,memory=1M", "opponent=plain,depth=1", 500);
    planned.sprt = Some(Sprt::new(0.0, 200.0, 0.05, 0.05).expect("a test"));
    let (alone, tally) = play(&planned);
    assert!(alone.len() < 500);
    planned.concurrency = 3;
    let (together, same) = play(&planned);
    assert_eq!((alone.len(), tally), (together.len(), same));
}

#[test]
fn a_match_can_be_stopped() {
    // By the report callback.
    let planned = planned(Russian, "depth=2,memory=1M", "depth=2,memory=1M", 500);
    let tally = planned.run(&Control::default(), |pair, _| match pair.number {
        2 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(tally.expect("a tally").games(), 6);
    // By another thread, during a search that would take a year.
    let endless = self::planned(Russian, "depth=200,memory=1M", "depth=200,memory=1M", 9);
    let control = Control::default();
    let tally = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            control.stop();
        });
        endless.run(&control, |_, _| ControlFlow::Continue(()))
    });
    assert_eq!(tally.expect("a tally"), Tally::default());
}

/// Plays the first legal move, after a wait, for some moves, and then resigns.
struct Slow {
    wait: Duration,
    moves: usize,
}

impl<G: Contested> Competitor<G> for Slow {
    fn begin(&mut self, _: &History<G>, _: Color, _: u64, _: &Control) -> Result<(), Fault> {
        self.moves = 3;
        Ok(())
    }

    fn choose(
        &mut self,
        game: &History<G>,
        _: Option<TimeControl>,
        _: &Control,
    ) -> Result<Option<Choice<G>>, Fault> {
        let Some(moves) = self.moves.checked_sub(1) else { return Ok(None) };
        self.moves = moves;
        thread::sleep(self.wait);
        let mv = game.position().moves().first().copied();
        Ok(mv.map(|mv| Choice { mv, score: Score::DRAW, depth: 0 }))
    }
}

fn slow(wait: u64, clock: Option<GameClock>) -> Entrant<Draughts> {
    let wait = Duration::from_millis(wait);
    let make = move || Ok(Box::new(Slow { wait, moves: 0 }) as Box<dyn Competitor<Draughts>>);
    Entrant { name: "slow".to_owned(), clock, make: Box::new(make) }
}

#[test]
fn running_out_of_time_loses() {
    let clock = GameClock { base: Duration::from_millis(1), increment: Duration::from_millis(1) };
    let mut planned = planned(Russian, "depth=1", "depth=1", 1);
    planned.entrants[1] = slow(20, Some(clock));
    let (pairs, tally) = play(&planned);
    assert_eq!(tally.wins, 2);
    assert!(pairs[0].games.iter().all(|game| game.reason == Reason::Time));
}

#[test]
fn resigning_loses() {
    let mut planned = planned(Russian, "depth=1", "depth=1", 1);
    planned.entrants[0] = slow(0, None);
    let (pairs, tally) = play(&planned);
    assert_eq!(tally.losses, 2);
    assert!(pairs[0].games.iter().all(|game| game.reason == Reason::Resigned));
}

#[test]
fn games_with_a_clock_are_played_to_their_end() {
    let planned = planned(
        Russian,
        "clock=10000+100,depth=3,memory=1M",
        "opponent=plain,clock=10000+100,depth=2",
        1,
    );
    assert_eq!(play(&planned).1.games(), 2);
}

#[test]
fn players_may_use_a_book() {
    let mut planned = planned(Russian, "depth=1,memory=1M,book=own", "depth=1,memory=1M", 1);
    planned.openings = Openings::from_fens(Russian, &Russian.start().fen()).expect("the start");
    let (pairs, _) = play(&planned);
    let first = &pairs[0].games[0];
    let known = Book::built_in(Russian).expect("a book").moves(&Russian.start());
    assert!(known.iter().any(|known| known.mv == first.game.moves()[0]));
    assert_eq!((first.choices[0].depth, first.choices[1].depth), (0, 1));
    let setup = "depth=1,book=/nowhere/a.book".parse().expect("settings");
    let refused = Entrant::new(Russian, "x", setup, None);
    assert!(matches!(refused, Err(MatchError::File(_))));
}

#[test]
fn games_that_are_too_long_are_drawn() {
    let mut planned = planned(Russian, "depth=1,memory=1M", "depth=1,memory=1M", 1);
    planned.longest = 10;
    let (pairs, tally) = play(&planned);
    assert_eq!(tally.draws, 2);
    for game in &pairs[0].games {
        assert_eq!((&game.reason, game.game.moves().len()), (&Reason::TooLong, 10));
    }
}

#[test]
fn a_game_decided_by_captures_is_not_adjudicated_by_tables() {
    let mut planned = planned(Russian, "depth=1,memory=1M", "depth=1,memory=1M", 1);
    planned.openings = Openings::from_fens(Russian, "W:Wc3:Bd4").expect("an opening");
    let ends = |planned: &Match<Draughts>| {
        let (pairs, tally) = play(planned);
        assert_eq!((tally.wins, tally.losses), (1, 1), "White wins both games");
        pairs[0].games.each_ref().map(|game| (game.reason.clone(), game.game.moves().len()))
    };
    assert_eq!(ends(&planned), [(Reason::Stuck, 1), (Reason::Stuck, 1)]);
    // The last piece is captured, which no table is needed for.
    planned.tables = Some(Arc::new(Tables::open(Russian, "nowhere")));
    assert_eq!(ends(&planned), [(Reason::Stuck, 1), (Reason::Stuck, 1)]);
}
