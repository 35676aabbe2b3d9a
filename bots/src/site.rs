use crate::error::CallError;
use crate::foreign::Foreign;
use crate::tally::Tally;
use crate::time_budget::TimeBudget;
use damka_games::AnyGame;
use std::fmt::{self, Debug};
use std::time::Duration;

/// A game server, as one of its users sees it. Threads share it.
///
/// The trait fits servers that are polled and servers that stream events. For the former,
/// [`events`](Site::events) requests the list of all games in which the bot is to move. For the latter, a
/// thread reads the stream, and `events` returns the games that the stream has reported so far.
///
/// Positions and moves are given in the notation of `damka_games`: FENs, and moves that
/// [`parse_move`](damka_games::Position::parse_move) reads. The site translates them.
pub trait Site: Send + Sync + 'static {
    /// What the site remembers of a game from one turn to the next, such as a move that may have
    /// been lost on the way.
    type Memory: Clone + Default + Send;

    /// The name of the site in error messages.
    const NAME: &'static str;

    /// Whether the site has this game.
    fn has(&self, game: AnyGame) -> bool;

    /// The URL of the server. With the [user](Site::user) it identifies the bot.
    fn address(&self) -> &str;

    /// The name of the bot's user.
    fn user(&self) -> &str;

    /// The counts of requests and moves.
    fn tally(&self) -> &Tally;

    /// Logs in for the first time.
    ///
    /// # Errors
    /// The user or the password is wrong ([`CallError::Login`]), or the server does not answer.
    fn log_in(&self) -> Result<(), CallError>;

    /// All games in which the bot is to move now. Has no side effects on the server.
    ///
    /// # Errors
    /// The server does not answer.
    fn events(&self) -> Result<Vec<Notice>, CallError>;

    /// Begins a turn. Returns what is to be done in a game if the site decides this, otherwise the
    /// position. May start the bot's clock.
    ///
    /// # Errors
    /// The server does not answer: the turn is tried again later.
    fn open(&self, turn: &mut Turn<'_, Self::Memory>) -> Result<Opening, CallError>;

    /// Like [`open`](Site::open), but without side effects on the server, from the notice and from
    /// requests that have none. For dry runs.
    ///
    /// # Errors
    /// The server does not answer.
    fn preview(&self, turn: &mut Turn<'_, Self::Memory>) -> Result<Opening, CallError> {
        self.open(turn)
    }

    /// Plays a move in a position that [`open`](Site::open) has returned.
    ///
    /// # Errors
    /// The move was refused, or may not have arrived. The turn is tried again; `open` must then ensure that
    /// no move is played twice.
    fn play(
        &self,
        turn: &mut Turn<'_, Self::Memory>,
        ready: &Ready,
        choice: &Choice,
    ) -> Result<(), CallError>;

    /// Offers a draw.
    ///
    /// # Errors
    /// The server does not answer, or refuses.
    fn offer_draw(&self, turn: &mut Turn<'_, Self::Memory>) -> Result<(), CallError>;

    /// Declines an offer of a draw, and dismisses the opponent's other statements.
    ///
    /// # Errors
    /// The server does not answer.
    fn decline(&self, turn: &mut Turn<'_, Self::Memory>) -> Result<(), CallError>;

    /// Ends a game: resigns ([`BotResult::Lost`]), accepts a draw ([`BotResult::Drawn`]) or claims a win
    /// ([`BotResult::Won`]). Ending a game that is over is not an error.
    ///
    /// # Errors
    /// The server does not answer.
    fn end(&self, turn: &mut Turn<'_, Self::Memory>, verdict: BotResult) -> Result<(), CallError>;

    /// Whether the site itself ends games that are over by the rules. If so, the bot neither claims wins
    /// nor offers draws after its moves.
    fn sees_ends(&self) -> bool {
        true
    }

    /// Whether a move may be under way to the server. A game with such a move is not forgotten.
    fn is_unsettled(&self, _memory: &Self::Memory) -> bool {
        false
    }

    /// The games of the user: those that wait for an opponent, that are being played, and some that
    /// are over.
    ///
    /// # Errors
    /// The server does not answer.
    fn games(&self) -> Result<Vec<GameStatus>, CallError>;

    /// The result of a game that is over; `None` if it ended without one.
    ///
    /// # Errors
    /// The server does not answer.
    fn result(&self, game: u64) -> Result<Option<BotResult>, CallError>;

    /// The tournaments of a game that can be entered. By default there are none.
    ///
    /// # Errors
    /// The server does not answer.
    fn tournaments(&self, _game: AnyGame) -> Result<Vec<Offer>, CallError> {
        Ok(Vec::new())
    }

    /// The challenges, and the games of others, that can be accepted.
    ///
    /// # Errors
    /// The server does not answer.
    fn challenges(&self, game: AnyGame) -> Result<Vec<Offer>, CallError>;

    /// Enters a tournament, or accepts a challenge.
    ///
    /// # Errors
    /// The offer is refused ([`CallError::Refused`]) or gone ([`CallError::NotFound`]), or the server does
    /// not answer.
    fn accept(&self, offer: Offer) -> Result<(), CallError>;

    /// Creates a game that waits for an opponent.
    ///
    /// # Errors
    /// The server does not answer, or refuses.
    fn seek(&self, game: AnyGame) -> Result<(), CallError>;
}

/// A game in which the bot is to move.
#[derive(Clone, Debug)]
pub struct Notice {
    /// The number of the game on the site.
    pub id: u64,
    /// Which game is played; `None` if the site does not report it.
    pub game: Option<AnyGame>,
    /// The position as the site writes it; empty if there is none yet.
    pub position: Foreign,
    /// The number of plies played; may lag behind.
    pub ply: u64,
    /// The seat of the bot, if the site reports it: 1 for the side that began, 2 for the other.
    pub seat: Option<u64>,
    /// Why the game cannot be played.
    pub obstacle: Option<String>,
}

/// A turn in a game.
pub struct Turn<'a, M> {
    /// The game.
    pub notice: &'a Notice,
    /// Which game is played.
    pub game: AnyGame,
    /// What the site remembers of the game.
    pub memory: &'a mut M,
    /// The number of failures of this turn in a row.
    pub failures: u32,
    /// For how long the site has shown the same position although a turn was taken in it: the time
    /// since the first such turn ended; 0 if there was none.
    pub unmoved: Duration,
}

impl<M> Turn<'_, M> {
    /// Whether to continue without an answer that cannot be obtained: the turn has failed often,
    /// and would fail again.
    pub fn must_go_on(&self, error: &CallError) -> bool {
        const PATIENCE: u32 = 3;
        error.is_unclear() && self.failures >= PATIENCE
    }
}

/// The answer of a site at the beginning of a turn.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The last move of the bot, if it is now known to have arrived and was not before.
    pub arrived: Option<Arrived>,
    /// What is to be done.
    pub step: Step,
}

impl From<Step> for Opening {
    fn from(step: Step) -> Opening {
        Opening { arrived: None, step }
    }
}

/// A move that has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// The move.
    pub choice: Choice,
    /// Its ply in the game, from 1.
    pub ply: u64,
}

/// What is to be done in a turn.
#[derive(Clone, Debug)]
pub enum Step {
    /// To choose a move.
    Choose(Ready),
    /// To end the game.
    End {
        /// The result for the bot.
        verdict: BotResult,
        /// Why, for the log.
        why: &'static str,
    },
    /// Nothing: the site has done what was necessary or, in a preview, would do it.
    Done(&'static str),
    /// Nothing while the position stays the same.
    Leave(Idle),
    /// To begin the turn again: the site has taken back a move.
    Undone,
}

/// Why a game is left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idle {
    /// The kind of reason.
    pub kind: IdleKind,
    /// Why, for the log.
    pub why: String,
}

impl Idle {
    /// A reason of this kind.
    pub fn new(kind: IdleKind, why: impl fmt::Display) -> Idle {
        Idle { kind, why: why.to_string() }
    }
}

/// The kind of reason to leave a game alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleKind {
    /// Others must act first.
    Waiting,
    /// The game has ended meanwhile.
    Over,
    /// Something is wrong.
    Wrong,
}

/// A position in which the bot is to move.
#[derive(Clone, Debug)]
pub struct Ready {
    /// The FEN of the first known position.
    pub start: String,
    /// The moves from `start`.
    pub moves: Vec<String>,
    /// The number of plies of the whole game so far.
    pub ply: u64,
    /// The time that the bot may use.
    pub time: TimeBudget,
    /// The remaining time as the site's clock shows it; `None` without a clock. Games with less time left
    /// come first.
    pub left: Option<Duration>,
    /// Whether the opponent offers a draw.
    pub is_draw_offered: bool,
    /// Whether the opponent has made a statement that must be answered by [`decline`](Site::decline)
    /// before a move.
    pub must_answer: bool,
    /// The move that was chosen earlier in this position and has not arrived. It is sent again.
    pub chosen: Option<Choice>,
}

/// A move that the bot has chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: String,
    /// The score from the bot's viewpoint, for the log.
    pub score: String,
    /// The state of the game after the move.
    pub outlook: Outlook,
}

/// The state of a game after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// The opponent has no legal move and has lost.
    Won,
    /// The opponent has no legal move, and the game is drawn.
    Stalemate,
    /// The game is drawn by a rule that servers may not know, or a draw is offered and worth accepting.
    Drawn,
    /// The game goes on.
    Open,
}

/// The result of a game for the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotResult {
    /// The bot has won.
    Won,
    /// The bot has lost.
    Lost,
    /// The game is drawn.
    Drawn,
}

impl fmt::Display for BotResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BotResult::Won => "won",
            BotResult::Lost => "lost",
            BotResult::Drawn => "drawn",
        })
    }
}

/// A game of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameStatus {
    /// The number of the game on the site.
    pub id: u64,
    /// Which game is played.
    pub game: AnyGame,
    /// Whether the game waits for an opponent, is being played or is over.
    pub phase: Phase,
    /// The number of plies played.
    pub ply: u64,
}

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It waits for an opponent.
    Waiting,
    /// It is being played.
    Playing,
    /// It is over.
    Over,
}

/// Something that can be accepted or entered, by its number on the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Offer {
    /// A game that waits for an opponent, or a challenge.
    Game(u64),
    /// A tournament.
    Tournament(u64),
}
