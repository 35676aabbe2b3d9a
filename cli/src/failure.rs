use crate::words::{tables_option, with_path};
use damka::{AskError, BuildError, PlayerError};
#[cfg(feature = "bot")]
use damka_bots::BotError;
use damka_engine::book::JournalError;
use damka_engine::{FileError, FileProblem};
use damka_games::printable;
use damka_gen::GenError;
use damka_matches::MatchError;
use damka_probe::ProbeError;
use std::io;
use std::process::ExitCode;

/// Why a command failed. Each kind has an exit code that scripts rely on.
pub(crate) enum Failure {
    /// The answer is "no", or some inputs failed; details have been printed.
    No,
    /// Wrong usage or bad input.
    Input(String),
    /// Tables are missing.
    Missing(String),
    /// Tables are damaged.
    Damaged(String),
    /// Verification found wrong values; details have been printed.
    Wrong,
    /// The work was interrupted.
    Interrupted(String),
    /// The system failed: memory, disk, permissions.
    System(String),
    /// Standard output could not be written.
    Reader(io::Error),
    /// Another failure that is already in the log of the bot.
    #[cfg_attr(not(feature = "bot"), expect(dead_code))]
    Logged(Box<Failure>),
}

impl Failure {
    /// The exit code: 0 to 5 as documented, 130 for an interruption, as in shells.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Logged(failure) => return failure.exit_code(),
            Failure::No | Failure::System(_) | Failure::Reader(_) => 1,
            Failure::Input(_) => 2,
            Failure::Missing(_) => 3,
            Failure::Damaged(_) => 4,
            Failure::Wrong => 5,
            Failure::Interrupted(_) => 130,
        })
    }

    /// The message for the user, unless it has been printed.
    pub(crate) fn message(&self) -> Option<String> {
        match self {
            Failure::No | Failure::Wrong | Failure::Logged(_) => None,
            Failure::Input(message)
            | Failure::Missing(message)
            | Failure::Damaged(message)
            | Failure::Interrupted(message)
            | Failure::System(message) => Some(printable(message)),
            Failure::Reader(error) => Some(format!("cannot write the results: {error}")),
        }
    }
}

impl From<io::Error> for Failure {
    /// `?` is for errors of writing results to standard output. Other I/O errors are converted
    /// explicitly.
    fn from(error: io::Error) -> Failure {
        Failure::Reader(error)
    }
}

impl From<ProbeError> for Failure {
    /// Adds to the library's message where the file is, or what to do.
    fn from(error: ProbeError) -> Failure {
        let message = with_path(error.to_string(), error.path());
        match error {
            ProbeError::Missing { ref path, game, ref signature, .. } => {
                let option = path.ancestors().nth(2).map(tables_option).unwrap_or_default();
                Failure::Missing(format!(
                    "{error}; `damka gen {game} {signature}{option}` builds it"
                ))
            }
            error if error.is_missing() => Failure::Missing(message),
            // A file of a newer version may be sound: the advice to build it again would be wrong.
            error if error.is_unknown_version() => Failure::Damaged(message),
            ProbeError::Damaged { .. } => Failure::Damaged(format!("{message}; build it again")),
            ProbeError::LeftOut { .. } => {
                Failure::Missing(format!("{message}; `damka gen` without --only builds it"))
            }
            _ => Failure::System(message),
        }
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Failure {
        match error {
            AskError::Probe(error) => error.into(),
            error => Failure::Input(error.to_string()),
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Failure {
        match error {
            BuildError::Gen(error) => error.into(),
            error => Failure::Input(error.to_string()),
        }
    }
}

impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Failure {
        match error {
            MatchError::Tables(error) => error.into(),
            MatchError::File(error) => error.into(),
            MatchError::NoDirectory(_) => Failure::Missing(error.to_string()),
            MatchError::NoProtocol(_) | MatchError::Memory(_) => Failure::Input(error.to_string()),
            error => Failure::System(error.to_string()),
        }
    }
}

impl From<PlayerError> for Failure {
    fn from(error: PlayerError) -> Failure {
        match error {
            PlayerError::Tables(error) => error.into(),
            PlayerError::File(error) => error.into(),
            PlayerError::Memory(error) => Failure::System(format!("--memory: {error}")),
        }
    }
}

#[cfg(feature = "bot")]
impl From<BotError> for Failure {
    fn from(error: BotError) -> Failure {
        match error {
            BotError::Player(PlayerError::Tables(error)) => error.into(),
            BotError::Player(PlayerError::File(error)) => error.into(),
            BotError::Another { .. } => {
                let advice = "end it first; two bots would play each move twice";
                Failure::System(format!("{error}: {advice}"))
            }
            BotError::Server { .. } | BotError::Unfinished(_) => Failure::System(error.to_string()),
            error => Failure::Input(error.to_string()),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        match (&error.problem, &error.path) {
            (FileProblem::Io(_), Some(path)) if error.is_missing() => {
                Failure::Input(format!("there is no {} {}", error.kind, path.display()))
            }
            (FileProblem::Io(_), _) => Failure::System(error.to_string()),
            (FileProblem::WouldOverwrite, _) => {
                Failure::Input(format!("{error}: choose another file"))
            }
            _ => Failure::Input(error.to_string()),
        }
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Failure {
        match error {
            JournalError::OtherSearches { .. } => {
                Failure::Input(format!("{error}: delete the file to start again"))
            }
            error => Failure::System(error.to_string()),
        }
    }
}

impl From<GenError> for Failure {
    fn from(error: GenError) -> Failure {
        match error {
            GenError::Probe(error) => error.into(),
            GenError::MissingInputs { ref directory, .. } => {
                Failure::Missing(format!("{error}, in {}", directory.display()))
            }
            GenError::AdvanceTooFar { .. } => Failure::Input(error.to_string()),
            GenError::Interrupted => Failure::Interrupted(error.to_string()),
            GenError::TooLong { .. } => {
                let advice = "`--metric wdl` builds tables without distances";
                Failure::System(format!("{error}; {advice}"))
            }
            error => Failure::System(with_path(error.to_string(), error.path())),
        }
    }
}
