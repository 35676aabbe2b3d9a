use crate::{DEEPEST_VARIATION, GameResult, MOST_TAGS};
use damka_games::{MoveError, PositionError, excerpt, printable};
use thiserror::Error;

/// Why a game could not be parsed, and where. Lines and columns count from 1; columns are in
/// characters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RecordError {
    /// The line of the problem.
    pub line: usize,
    /// The column of the problem.
    pub column: usize,
    /// The problem.
    #[source]
    pub problem: RecordProblem,
}

/// A problem with a recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// A line or word in square brackets that is not a tag.
    #[error("`{}` is not a tag: expected [Name \"value\"] on one line", excerpt(.0))]
    BadTag(String),
    /// Too many tags.
    #[error("more than {MOST_TAGS} tags")]
    TooManyTags,
    /// The tag `GameType` or `Variant` names another game than the expected one.
    #[error("the tag {tag} is `{}`, which is not {game}", excerpt(found))]
    OtherGame {
        /// The tag.
        tag: &'static str,
        /// The tag's value.
        found: String,
        /// The name of the expected game.
        game: &'static str,
    },
    /// The tag `FEN` does not hold a position.
    #[error("the tag FEN: {0}")]
    Fen(#[from] PositionError),
    /// The tag `Result` does not hold a result.
    #[error(
        "the tag Result: `{}` is not one of 1-0, 1/2-1/2, 0-1, 2-0, 1-1, 0-2, 0-0 and *",
        excerpt(.0)
    )]
    BadResult(String),
    /// The tag `FEN` or `Result` occurs twice, with different values.
    #[error("the tag {0} occurs twice, with different values")]
    TwoValues(&'static str),
    /// The result after the moves differs from that of the tag.
    #[error("the game ends with `{end}`, but its tag Result says `{tag}`")]
    ResultsDiffer {
        /// The result after the moves.
        end: GameResult,
        /// The result of the tag.
        tag: GameResult,
    },
    /// A text that is not a legal move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A word far longer than any move, or a tag longer than any position.
    #[error("`{}...` is far too long", printable(.0))]
    TooLong(String),
    /// `$` without a number up to 255.
    #[error("`{}` is not an annotation: expected `$` and a number up to 255", excerpt(.0))]
    BadNag(String),
    /// An annotation or variation that does not follow a move.
    #[error("`{}` must come after a move", excerpt(.0))]
    NoMove(String),
    /// A comment without an end.
    #[error("the comment that begins here has no `}}`")]
    UnclosedComment,
    /// A closing brace without a comment.
    #[error("`}}` without a comment")]
    UnopenedComment,
    /// A variation without an end.
    #[error("the variation that begins here has no `)`")]
    UnclosedVariation,
    /// A closing parenthesis without a variation.
    #[error("`)` without a variation")]
    UnopenedVariation,
    /// Variations that are nested too deep.
    #[error("variations are nested more than {DEEPEST_VARIATION} deep")]
    TooDeep,
    /// PDN 3.0's set-up of a new position in the middle of a game.
    #[error("a set-up (`/FEN ...`) in the middle of a game is not supported")]
    SetUp,
}
