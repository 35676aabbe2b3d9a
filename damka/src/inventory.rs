//! The tables that exist.

use crate::{AskError, Metric};
use damka_probe::{ProbeError, Storage, Tables};
use damka_tables::Indexable;
use std::path::{Path, PathBuf};

/// The tables of a game in a directory or another storage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// Those whose header and block directory are sound.
    pub tables: Vec<TableInfo>,
    /// Those that cannot be used.
    pub damaged: Vec<DamagedTable>,
}

/// A table, as its header describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TableInfo {
    /// The game's name.
    pub game: &'static str,
    /// The pieces, White's first.
    pub signature: String,
    /// The number of pieces.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub pieces: u32,
    /// Its metric.
    pub metric: Metric,
    /// The number of values, both sides to move.
    pub positions: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// Whether the file stores the values for one side to move only. Those for the other side
    /// follow from them.
    pub half: bool,
    /// The digest of the values, in hexadecimal digits.
    pub digest: String,
}

/// A table that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DamagedTable {
    /// The game's name.
    pub game: &'static str,
    /// The pieces, White's first.
    pub signature: String,
    /// Its metric, according to its name.
    pub metric: Metric,
    /// What is wrong with it.
    pub error: String,
    /// The file.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub path: Option<PathBuf>,
    /// Whether the file could not be read, so that nothing is known of its contents.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub is_unreadable: bool,
}

/// Opens each table, reads its header and checks its block directory; no value is read.
pub(crate) fn inventory<G: Indexable, S: Storage>(
    tables: &Tables<G, S>,
) -> Result<Inventory, AskError> {
    let game = Tables::game(tables).name();
    let mut inventory = Inventory::default();
    for signature in tables.signatures()? {
        for metric in Metric::ALL {
            let table = tables.open_table(signature, metric);
            let table = table.and_then(|table| table.check_directory().map(|()| table));
            match table {
                Ok(table) => {
                    let header = table.header();
                    let sides = signature.sides().iter();
                    inventory.tables.push(TableInfo {
                        game,
                        signature: signature.to_string(),
                        pieces: signature.pieces(),
                        metric,
                        positions: sides.map(|&side| header.positions(side)).sum(),
                        bytes: header.file_len(),
                        half: header.left_out().is_some(),
                        digest: header.digest_hex(),
                    });
                }
                Err(error) if error.is_missing() => {}
                Err(error) => inventory.damaged.push(DamagedTable {
                    game,
                    signature: signature.to_string(),
                    metric,
                    error: error.to_string(),
                    path: error.path().map(Path::to_owned),
                    is_unreadable: !matches!(error, ProbeError::Damaged { .. }),
                }),
            }
        }
    }
    Ok(inventory)
}
