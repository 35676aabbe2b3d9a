use super::error::HubError;
use super::line::quoted;
use crate::numbering::Numbering;
use damka_engine::book::BookChoice;
use damka_engine::{MAX_THREADS, PlayerSettings};
use damka_games::{Draughts, Game, excerpt};
use damka_probe::Access;
use damka_system::check_memory;
use std::path::Path;

/// The bytes of an entry of the transposition table. Its size is given as in Scan: as the base-2
/// logarithm of the number of entries.
const ENTRY: usize = 16;
const MIN_ENTRIES: u32 = 10;
/// 4 GiB.
const MAX_ENTRIES: u32 = 28;

/// The parameters that a client can set.
pub(super) struct Parameters {
    /// The settings of the player.
    pub(super) settings: PlayerSettings<Draughts>,
    /// The numbering of squares in moves; `None` for [`Numbering::of_hub`].
    pub(super) numbering: Option<Numbering>,
}

impl Parameters {
    /// The numbering of squares in moves.
    pub(super) fn numbering(&self) -> Numbering {
        self.numbering.unwrap_or_else(|| Numbering::of_hub(self.settings.game))
    }
}

/// All parameters with their values, as lines.
pub(super) fn declare(parameters: &Parameters) -> [String; 7] {
    let Parameters { settings, numbering } = parameters;
    let PlayerSettings { game, threads, memory, tables, access, book, .. } = settings;
    let tables = tables.as_deref().map(|path| path.to_string_lossy()).unwrap_or_default();
    let entries = (memory / ENTRY).max(1).ilog2();
    [
        format!(
            "param name=variant value={} type=enum values=\"{}\"",
            game.name(),
            Draughts::names()
        ),
        format!("param name=threads value={threads} type=int min=1 max={MAX_THREADS}"),
        format!("param name=tt-size value={entries} type=int min={MIN_ENTRIES} max={MAX_ENTRIES}"),
        format!("param name=tables value={} type=string", quoted(&tables)),
        format!(
            "param name=access value={} type=enum values=\"{MAP} {READ}\"",
            match access {
                Access::Map => MAP,
                Access::Read => READ,
            }
        ),
        format!("param name=book value={} type=bool", *book != BookChoice::None),
        format!(
            "param name=numbering value={} type=enum values=\"{USUAL} {}\"",
            numbering.map_or(USUAL, Numbering::name),
            Numbering::names()
        ),
    ]
}

/// Parameters of Scan, and those that lidraughts-bot sends to every engine, that have no meaning here.
/// They are accepted with any value, and not declared.
const WITHOUT_EFFECT: [&str; 6] =
    ["bb-size", "book-margin", "book-ply", "eval", "initial-time", "ponder"];

/// The values of the parameter `access`.
const MAP: &str = "map";
const READ: &str = "read";

/// The value of the parameter `numbering` for the usual numbering of clients of Hub.
const USUAL: &str = "usual";

/// Changes a parameter.
///
/// # Errors
/// There is no such parameter, or its value is invalid; then nothing has changed.
pub(super) fn set(parameters: &mut Parameters, name: &str, value: &str) -> Result<(), HubError> {
    let settings = &mut parameters.settings;
    match name {
        "variant" => settings.game = value.parse()?,
        "threads" => settings.threads = number("threads", value, 1, MAX_THREADS.into())? as usize,
        "tt-size" => {
            let memory = ENTRY << number("tt-size", value, MIN_ENTRIES, MAX_ENTRIES)?;
            check_memory(memory as u64)?;
            settings.memory = memory;
        }
        "tables" if value.is_empty() => settings.tables = None,
        "tables" if Path::new(value).is_dir() => settings.tables = Some(value.into()),
        "tables" => return Err(HubError::NoDirectory(excerpt(value))),
        "access" => {
            settings.access = match value {
                MAP => Access::Map,
                READ => Access::Read,
                _ => return Err(HubError::UnknownAccess(excerpt(value))),
            }
        }
        "book" => match value {
            "false" => settings.book = BookChoice::None,
            // A book that was chosen earlier is kept.
            "true" if settings.book == BookChoice::None => settings.book = BookChoice::Own,
            "true" => {}
            _ => return Err(HubError::NotABool { name: "book", value: excerpt(value) }),
        },
        "numbering" => {
            parameters.numbering = if value == USUAL { None } else { Some(value.parse()?) };
        }
        _ if WITHOUT_EFFECT.contains(&name) => {}
        _ => return Err(HubError::UnknownParameter(excerpt(name))),
    }
    Ok(())
}

fn number(name: &'static str, value: &str, min: u32, max: u32) -> Result<u32, HubError> {
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| HubError::OutOfRange { name, min, max, value: excerpt(value) })
}
