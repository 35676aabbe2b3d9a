use super::error::HubError;
use super::line::quoted;
use super::notation::Numbering;
use crate::book::BookChoice;
use crate::player::{DraughtsVariant, Settings};
use damka_games::excerpt;
use damka_system::check_memory;

/// The largest number of threads.
const MOST_THREADS: u32 = 256;

/// The size of the transposition table is told as Scan tells it: as the binary logarithm
/// of the number of entries, of this many bytes each.
const ENTRY: usize = 16;
const LEAST_ENTRIES: u32 = 10;
/// 4 GiB.
const MOST_ENTRIES: u32 = 28;

/// The parameters, as lines.
pub(super) fn declare(settings: &Settings, numbering: Numbering) -> [String; 6] {
    let Settings { variant, threads, memory, tables, book, seed: _ } = settings;
    let tables = tables.as_deref().map(|path| path.to_string_lossy()).unwrap_or_default();
    let entries = (memory / ENTRY).max(1).ilog2();
    [
        format!(
            "param name=variant value={} type=enum values=\"{}\"",
            variant.name(),
            DraughtsVariant::names()
        ),
        format!("param name=threads value={threads} type=int min=1 max={MOST_THREADS}"),
        format!(
            "param name=tt-size value={entries} type=int min={LEAST_ENTRIES} max={MOST_ENTRIES}"
        ),
        format!("param name=tables value={} type=string", quoted(&tables)),
        format!("param name=book value={} type=bool", *book != BookChoice::None),
        format!(
            "param name=move-numbering value={} type=enum values=\"{}\"",
            numbering.name(),
            Numbering::names()
        ),
    ]
}

/// Changes a parameter.
pub(super) fn set(
    settings: &mut Settings,
    numbering: &mut Numbering,
    name: &str,
    value: &str,
) -> Result<(), HubError> {
    match name {
        "variant" => settings.variant = value.parse()?,
        "threads" => settings.threads = number("threads", value, 1, MOST_THREADS)? as usize,
        "tt-size" => {
            let memory = ENTRY << number("tt-size", value, LEAST_ENTRIES, MOST_ENTRIES)?;
            check_memory(memory as u64)?;
            settings.memory = memory;
        }
        "tables" => settings.tables = (!value.is_empty()).then(|| value.into()),
        "book" => match value {
            "false" => settings.book = BookChoice::None,
            // The one that was chosen before stays.
            "true" if settings.book == BookChoice::None => settings.book = BookChoice::Own,
            "true" => {}
            _ => return Err(HubError::NotABool { name: "book", value: excerpt(value) }),
        },
        "move-numbering" => {
            let named = Numbering::named(value);
            *numbering =
                named.ok_or_else(|| HubError::UnknownNumbering { value: excerpt(value) })?;
        }
        _ => return Err(HubError::UnknownParameter(excerpt(name))),
    }
    Ok(())
}

fn number(name: &'static str, value: &str, min: u32, max: u32) -> Result<u32, HubError> {
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| HubError::OutOfRange { name, min, max, value: excerpt(value) })
}
