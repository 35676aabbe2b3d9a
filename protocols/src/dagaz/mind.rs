//! What to do in a position: texts of the site in, texts out. Nothing here asks a server.

use super::clock::Clock;
use super::notation::{self, Notation, NotationError};
use super::wire::Played;
use crate::player::{Player, Settings, SettingsError};
use damka_engine::{Control, End, History, Report, Score};
use damka_games::{AnyGame, Position, with_game};
use damka_tables::Wdl;
use std::time::Duration;
use thiserror::Error;

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
    #[error("it is not this side's turn in `{0}`")]
    Turn(String),
}

/// Somebody who plays one game of the site, in any number of sessions.
pub(super) trait Mind: Send {
    /// Thinks about a position.
    fn think(&mut self, question: &Question<'_>) -> Result<Plan, Odd>;
}

/// Somebody who plays a game with these means.
pub(super) fn mind(game: AnyGame, settings: &Settings<()>) -> Result<Box<dyn Mind>, SettingsError> {
    with_game!(game, game => {
        let player = Player::new(&settings.with_game(game))?;
        Ok(Box::new(Thinker { game, player, session: None }))
    })
}

/// Where a game of this kind begins.
pub(super) fn start(game: AnyGame) -> String {
    fn of<G: Notation>(game: G) -> String {
        notation::write::<G>(&game.start(), None)
    }
    with_game!(game, game => of(game))
}

struct Thinker<G: Notation> {
    game: G,
    player: Player<G>,
    /// What it has last thought about.
    session: Option<u64>,
}

impl<G: Notation> Mind for Thinker<G> {
    fn think(&mut self, question: &Question<'_>) -> Result<Plan, Odd> {
        let position = notation::read(self.game, question.setup)?;
        let player = notation::player(self.game, position.turn());
        if question.player.is_some_and(|wanted| wanted != player) {
            return Err(Odd::Turn(damka_games::excerpt(question.setup)));
        }
        if position.moves().is_empty() {
            return Ok(Plan::Stuck { is_lost: position.loses_when_stuck() });
        }
        if self.session.replace(question.session) != Some(question.session) {
            self.player.forget();
        }
        let mut history = history(self.game, position, question.record);
        self.player.set_game(history.clone());
        let known = self.player.known().filter(|_| !question.is_offered_draw);
        let (mv, worth, is_drawish) = match known {
            Some(mv) => (mv, "book".to_owned(), false),
            None => {
                let limits = question.clock.limits(question.move_time);
                let found = self.player.search(&limits, &Control::default(), |_| ());
                // Where there is a legal move, a search has one.
                let mv = found.best().unwrap_or_else(|| position.moves()[0]);
                let is_drawish =
                    question.is_offered_draw && takes_draw(&found, history.moves().len());
                (mv, found.score.to_string(), is_drawish)
            }
        };
        history.play(mv);
        let outlook = match history.end() {
            Some(End::Won(_)) => Outlook::Won,
            Some(End::Drawn(_)) if history.position().moves().is_empty() => Outlook::Stalemate,
            Some(End::Drawn(_)) => Outlook::Drawn,
            None if is_drawish => Outlook::Drawn,
            None => Outlook::Open,
        };
        Ok(Plan::Move(Choice {
            text: G::write_move(&position, mv),
            setup: notation::write::<G>(history.position(), Some(mv)),
            next_player: notation::player(self.game, history.position().turn()),
            worth,
            outlook,
        }))
    }
}

/// The game so far, if the record leads from the usual start to the position; elsewhere what may
/// have been repeated is not known.
fn history<G: Notation>(game: G, position: G::Position, record: &[Played]) -> History<G> {
    let mut history = History::new(game.start());
    for played in record {
        match G::read_move(history.position(), &played.text) {
            Some(mv) => history.play(mv),
            None => return History::new(position),
        }
    }
    if *history.position() == position { history } else { History::new(position) }
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
