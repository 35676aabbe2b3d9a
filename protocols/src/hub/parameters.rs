use super::error::HubError;
use super::line::quoted;
use crate::player::{Numbering, Settings};
use damka_engine::book::BookChoice;
use damka_games::{Draughts, Game, excerpt};
use damka_probe::Access;
use damka_system::check_memory;
use std::path::Path;

/// The largest number of threads.
const MOST_THREADS: u32 = 256;

/// The size of the transposition table is told as Scan tells it: as the binary logarithm
/// of the number of entries, of this many bytes each.
const ENTRY: usize = 16;
const LEAST_ENTRIES: u32 = 10;
/// 4 GiB.
const MOST_ENTRIES: u32 = 28;

/// The parameters, as lines.
pub(super) fn declare(settings: &Settings<Draughts>) -> [String; 7] {
    let Settings { game, threads, memory, tables, access, numbering, book, .. } = settings;
    let tables = tables.as_deref().map(|path| path.to_string_lossy()).unwrap_or_default();
    let entries = (memory / ENTRY).max(1).ilog2();
    [
        format!(
            "param name=variant value={} type=enum values=\"{}\"",
            game.name(),
            Draughts::names()
        ),
        format!("param name=threads value={threads} type=int min=1 max={MOST_THREADS}"),
        format!(
            "param name=tt-size value={entries} type=int min={LEAST_ENTRIES} max={MOST_ENTRIES}"
        ),
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

/// The values of the parameter `access`.
const MAP: &str = "map";
const READ: &str = "read";

/// The numbering that clients use.
const USUAL: &str = "usual";

/// Changes a parameter.
pub(super) fn set(
    settings: &mut Settings<Draughts>,
    name: &str,
    value: &str,
) -> Result<(), HubError> {
    match name {
        "variant" => settings.game = value.parse()?,
        "threads" => settings.threads = number("threads", value, 1, MOST_THREADS)? as usize,
        "tt-size" => {
            let memory = ENTRY << number("tt-size", value, LEAST_ENTRIES, MOST_ENTRIES)?;
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
            // The one that was chosen before stays.
            "true" if settings.book == BookChoice::None => settings.book = BookChoice::Own,
            "true" => {}
            _ => return Err(HubError::NotABool { name: "book", value: excerpt(value) }),
        },
        "numbering" => {
            settings.numbering = if value == USUAL { None } else { Some(value.parse()?) };
        }
        _ => return Err(HubError::UnknownParameter(excerpt(name))),
    }
    Ok(())
}

fn number(name: &'static str, value: &str, min: u32, max: u32) -> Result<u32, HubError> {
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| HubError::OutOfRange { name, min, max, value: excerpt(value) })
}
