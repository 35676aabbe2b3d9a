//! What to do in a position: texts of the site in, texts out. Nothing here asks a server.

use super::clock::Clock;
use super::notation::{self, Notation, NotationError};
use super::wire::Played;
use damka_engine::{Control, GameEnd, History, Player, PlayerError, PlayerSettings, Report, Score};
use damka_games::{AnyGame, Counted, Position, with_game};
use damka_tables::Wdl;
use std::collections::HashMap;
use std::time::Duration;
use thiserror::Error;
use tracing::warn;

/// What somebody is asked who plays a game.
pub(super) struct Question<'a> {
    /// The session: what was found is forgotten where it changes.
    pub(super) session: u64,
    /// The position.
    pub(super) setup: &'a str,
    /// Whose turn it should be, 1 or 2; `None` if whoever it is.
    pub(super) player: Option<u64>,
    /// The moves so far, as far as they are known.
    pub(super) record: &'a [Played],
    pub(super) clock: Clock,
    /// The longest time for a move, if it was told.
    pub(super) move_time: Option<Duration>,
    /// Whether the opponent offers a draw.
    pub(super) is_offered_draw: bool,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// There is no move: the game is lost or, in chess, drawn.
    Stuck {
        /// Whether it is lost.
        is_lost: bool,
    },
    /// The game has been won before, and the opponent has moved on nevertheless.
    Won,
    /// A move.
    Move(Choice),
}

/// A move, and what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) text: String,
    /// The position it leads to.
    pub(super) setup: String,
    /// Who is to move then, 1 or 2.
    pub(super) next_player: u64,
    /// What it is worth to who plays it, for people.
    pub(super) worth: String,
    pub(super) outlook: Outlook,
}

/// What becomes of a game by a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outlook {
    /// The opponent has no move and has lost.
    Won,
    /// The opponent has no move, and nobody has lost.
    Stalemate,
    /// By the rules of the game it is drawn, though the site does not see that; or a draw was
    /// offered, and there is nothing to win.
    Drawn,
    /// It goes on.
    Open,
}

/// Why there is nothing to be done.
#[derive(Debug, Error)]
pub(super) enum Odd {
    #[error(transparent)]
    Notation(#[from] NotationError),
    #[error("the position says that it is the other's turn")]
    Turn,
}

/// Somebody who plays one game of the site, in any number of sessions.
pub(super) trait Mind: Send {
    /// Thinks about a position.
    fn think(&mut self, question: &Question<'_>) -> Result<Plan, Odd>;
}

/// Somebody who plays a game with these means.
pub(super) fn mind(
    game: AnyGame,
    settings: &PlayerSettings<()>,
) -> Result<Box<dyn Mind>, PlayerError> {
    with_game!(game, game => {
        let player = Player::new(&settings.clone().with_game(game))?;
        Ok(Box::new(Thinker { game, player, session: None, begun: HashMap::new() }))
    })
}

/// Where a game of this kind begins.
pub(super) fn start(game: AnyGame) -> String {
    with_game!(game, game => notation::write_start(game))
}

struct Thinker<G: Notation> {
    game: G,
    player: Player<G>,
    /// What it has last thought about.
    session: Option<u64>,
    /// Where each session that has not begun as usual begins for all that is known.
    begun: HashMap<u64, Begun<G>>,
}

/// The first position that is known of a session.
#[derive(Clone, Copy)]
struct Begun<G: Notation> {
    position: Counted<G::Position>,
    /// How many moves of the record come before it.
    behind: usize,
}

impl<G: Notation> Thinker<G> {
    /// The game so far, as far back as it is known. It is told where the opponent has not kept to the
    /// rules.
    fn history(&mut self, position: Counted<G::Position>, question: &Question<'_>) -> History<G> {
        /// Sessions that are remembered; of those that are forgotten less is known.
        const MOST: usize = 1000;
        let Question { session, record, .. } = *question;
        let known = self.begun.get(&session).copied();
        let mut odd = String::new();
        let usual = Begun { position: self.game.start().into(), behind: 0 };
        for begun in [usual].into_iter().chain(known) {
            match replayed(begun, record, &position.position) {
                Ok(history) => return history,
                Err(why) => odd = why,
            }
        }
        // Where there is no record the game may have come here in any way.
        if !record.is_empty() {
            warn!(session, "plays on from the position that the server has: {odd}");
        }
        if self.begun.len() >= MOST {
            self.begun.clear();
        }
        self.begun.insert(session, Begun { position, behind: record.len() });
        History::new(position)
    }
}

impl<G: Notation> Mind for Thinker<G> {
    fn think(&mut self, question: &Question<'_>) -> Result<Plan, Odd> {
        let (turn, counted) = match notation::read(self.game, question.setup) {
            Ok(counted) => (counted.position.turn(), Some(counted)),
            Err(NotationError::Won(turn)) => (turn, None),
            Err(error) => return Err(error.into()),
        };
        let player = notation::player(self.game, turn);
        if question.player.is_some_and(|wanted| wanted != player) {
            return Err(Odd::Turn);
        }
        let Some(counted) = counted else { return Ok(Plan::Won) };
        let position = counted.position;
        if position.moves().is_empty() {
            return Ok(Plan::Stuck { is_lost: position.loses_when_stuck() });
        }
        if self.session.replace(question.session) != Some(question.session) {
            self.player.new_game();
        }
        let mut history = self.history(counted, question);
        let is_drawn = matches!(history.end(), Some(GameEnd::Drawn(_)));
        self.player.set_history(history.clone());
        let known = self.player.book_move().filter(|_| !question.is_offered_draw);
        let (mv, worth, is_drawish) = match known {
            Some(mv) => (mv, "book".to_owned(), false),
            None => {
                let limits = question.clock.limits(question.move_time);
                let found = self.player.search(&limits, &Control::default(), |_| ());
                // Where there is a legal move, a search has one.
                let mv = found.best().unwrap_or_else(|| position.moves()[0]);
                let is_drawish = question.is_offered_draw
                    && (is_drawn || takes_draw(&found, history.moves().len()));
                (mv, found.score.to_string(), is_drawish)
            }
        };
        history.play(mv);
        let outlook = match history.end() {
            Some(GameEnd::Won(_)) => Outlook::Won,
            Some(GameEnd::Drawn(_)) if history.position().moves().is_empty() => Outlook::Stalemate,
            Some(GameEnd::Drawn(_)) => Outlook::Drawn,
            None if is_drawish => Outlook::Drawn,
            None => Outlook::Open,
        };
        Ok(Plan::Move(Choice {
            text: G::write_move(&position, mv),
            setup: notation::write_after::<G>(question.setup, &counted, mv),
            next_player: notation::player(self.game, history.position().turn()),
            worth,
            outlook,
        }))
    }
}

/// The game that a record makes from where it begins to `position`, or why it makes none.
fn replayed<G: Notation>(
    begun: Begun<G>,
    record: &[Played],
    position: &G::Position,
) -> Result<History<G>, String> {
    let mut history = History::new(begun.position);
    for Played { turn, text, .. } in record.get(begun.behind..).unwrap_or_default() {
        let mv = G::read_move(history.position(), text.as_str());
        history.play(mv.ok_or_else(|| format!("move {turn} is not legal"))?);
    }
    match history.position() == position {
        true => Ok(history),
        false => Err("the moves of the record lead to another one".to_owned()),
    }
}

/// Whether a draw that is offered is worth taking: where tables or a search to the end see no win;
/// where this side is worse; and, after a long game, where nobody is better.
fn takes_draw<G: Notation>(found: &Report<G>, plies: usize) -> bool {
    const WORSE: i32 = -50;
    const EQUAL: i32 = 20;
    const LONG: usize = 80;
    match found.value.map(|value| value.wdl()) {
        Some(Wdl::Win) => false,
        Some(Wdl::Draw | Wdl::Loss) => true,
        None => is_worth_no_more(found.score, if plies < LONG { WORSE } else { EQUAL }),
    }
}

fn is_worth_no_more(score: Score, hundredths: i32) -> bool {
    !score.is_win() && score.hundredths() <= hundredths
}

#[cfg(test)]
mod tests {
    use super::super::foreign::Foreign;
    use super::*;
    use damka_games::{Alapo, Chess, Russian};

    fn settings() -> PlayerSettings<()> {
        PlayerSettings {
            memory: 1 << 20,
            book: damka_engine::book::BookChoice::None,
            ..PlayerSettings::new(())
        }
    }

    /// What somebody without a book thinks who is asked about this.
    fn think(game: AnyGame, question: Question<'_>) -> Result<Plan, Odd> {
        mind(game, &settings()).expect("a mind").think(&question)
    }

    fn question<'a>(setup: &'a str, record: &'a [Played]) -> Question<'a> {
        Question {
            session: 1,
            setup,
            player: None,
            record,
            clock: Clock::default(),
            move_time: Some(Duration::from_millis(200)),
            is_offered_draw: false,
        }
    }

    fn chosen(plan: Result<Plan, Odd>) -> Choice {
        match plan {
            Ok(Plan::Move(choice)) => choice,
            other => panic!("{other:?}"),
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

    #[test]
    fn a_move_that_ends_the_game_is_known_to() {
        let (alapo, chess) = (AnyGame::Alapo(Alapo), AnyGame::Chess(Chess));
        let setup = "?turn=0;&setup=6/5R/6/6/6/k5 w";
        // It was not taken, and White has moved on.
        let won = think(alapo, question("?turn=1;&setup=6/5R/6/6/6/k5 b", &[])).expect("a plan");
        assert_eq!(won, Plan::Won);
        // Black's piece on rank 1 cannot be taken.
        let stuck = think(alapo, question(setup, &[])).expect("a plan");
        assert_eq!(stuck, Plan::Stuck { is_lost: true });
        let win = chosen(think(alapo, question("?turn=0;&setup=6/5R/6/6/k5/6 w", &[])));
        assert_eq!((win.outlook, win.next_player), (Outlook::Won, 2), "{win:?}");
        let mate = "?turn=0;&setup=6k1/5ppp/8/8/8/8/8/R5K1 w ---- - 0 1";
        let win = chosen(think(chess, question(mate, &[])));
        assert_eq!((win.outlook, win.text.as_str()), (Outlook::Won, "a1-a8 Rook"));
        let stalemate = "?turn=1;&setup=k7/2Q5/8/8/8/8/8/7K b ---- - 0 1";
        let stuck = think(chess, question(stalemate, &[])).expect("a plan");
        assert_eq!(stuck, Plan::Stuck { is_lost: false });
    }

    #[test]
    fn nothing_is_thought_on_the_others_turn() {
        let setup = "?turn=1;&setup=rbqqbr/wfkkfw/6/W5/1FKKFW/RBQQBR b";
        let of = |player| Question { player: Some(player), ..question(setup, &[]) };
        assert!(matches!(think(AnyGame::Alapo(Alapo), of(1)), Err(Odd::Turn)));
        assert_eq!(chosen(think(AnyGame::Alapo(Alapo), of(2))).next_player, 1);
    }

    /// Bare kings of draughts that go to and fro: the third repetition is seen by the record, from
    /// the usual start on, or from where the session was first seen.
    #[test]
    fn repetitions_are_seen_by_the_record() {
        let setup = "?turn=0;&setup=1k6/8/8/8/8/8/8/K7 w";
        let mut mind = mind(AnyGame::Draughts(Russian), &settings()).expect("a mind");
        let mut moves: Vec<String> = Vec::new();
        let mut setup = setup.to_owned();
        let is_drawn = (0..40).any(|_| {
            let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
            let record = record(&texts);
            let choice = chosen(mind.think(&Question {
                move_time: Some(Duration::from_millis(10)),
                ..question(&setup, &record)
            }));
            setup = choice.setup;
            moves.push(choice.text);
            choice.outlook == Outlook::Drawn
        });
        assert!(is_drawn, "{moves:?}");
        // Whoever is to move in a position that is there for the third time takes a draw, however he
        // stands; the same position for the first time he would win.
        let ahead = "?turn=0;&setup=1k6/8/8/8/8/8/8/K1K1K3 w";
        let there = ["a1b2", "b8a7", "b2a1", "a7b8"];
        let again: Vec<&str> = there.iter().copied().cycle().take(8).collect();
        for (moves, outlook) in [(&again[..0], Outlook::Open), (&again[..], Outlook::Drawn)] {
            mind.think(&Question { session: 2 + moves.len() as u64, ..question(ahead, &[]) })
                .expect("a first look");
            let plan = mind.think(&Question {
                session: 2 + moves.len() as u64,
                is_offered_draw: true,
                ..question(ahead, &record(moves))
            });
            assert_eq!(chosen(plan).outlook, outlook, "{moves:?}");
        }
        // Without a record, or with one of another game, the game is played all the same.
        let other = record(&["c3d4", "x"]);
        for record in [&[][..], &other] {
            assert!(mind.think(&question(&setup, record)).is_ok());
        }
    }

    /// Without a record the halfmove clock of the text tells that the next quiet move draws.
    #[test]
    fn the_halfmove_clock_of_a_position_counts() {
        for (clock, outlook) in [(99, Outlook::Drawn), (0, Outlook::Open)] {
            let setup = format!("?turn=0;&setup=7k/8/8/8/8/8/8/1QK5 w ---- - {clock} 70");
            let choice = chosen(think(AnyGame::Chess(Chess), question(&setup, &[])));
            assert_eq!(choice.outlook, outlook, "{choice:?}");
            assert!(choice.setup.ends_with(&format!(" {} 70", clock + 1)), "{choice:?}");
        }
    }

    #[test]
    fn a_draw_is_taken_by_who_cannot_win() {
        let offered = |setup| Question { is_offered_draw: true, ..question(setup, &[]) };
        let russian = AnyGame::Draughts(Russian);
        let behind = "?turn=0;&setup=1p1p1p1p/8/8/8/8/P7/8/8 w";
        assert_eq!(chosen(think(russian, offered(behind))).outlook, Outlook::Drawn);
        let ahead = "?turn=0;&setup=1k6/8/8/8/8/8/1P1P4/K1K1K3 w";
        assert_eq!(chosen(think(russian, offered(ahead))).outlook, Outlook::Open);
        let start = start(russian);
        assert_eq!(chosen(think(russian, offered(&start))).outlook, Outlook::Open);
    }
}
