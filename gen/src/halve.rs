//! Halves finished tables: leaves out the values with one side to move, which follow by one move
//! from those of the other side. Deriving such a value always ends: a quiet move leads to a position
//! that the half table holds, every other move to fewer pieces or fewer men.

use crate::manifest::{self, Manifest};
use crate::request::Request;
use crate::{Event, GenError, Solvable};
use damka_probe::Table;
use damka_system::AtomicFile;
use damka_tables::format::{Decoder, TableWriter};
use damka_tables::{Indexable, Side, Signature};
use std::fs::File;
use std::io::BufWriter;

/// Halves the complete tables of a signature under the requested metrics, and records them in the
/// manifest as sound.
pub(crate) fn halve_all<G: Solvable>(
    signature: &Signature<G>,
    request: &Request<'_>,
    manifest: &Manifest,
) -> Result<(), GenError> {
    let Request { directory, options, progress, .. } = request;
    for &metric in &options.metrics {
        let table = Table::open(directory, *signature, metric)?;
        let Some(kept) = side_to_keep(&table)? else { continue };
        let before = table.header().file_len();
        let bytes = halve(table, kept, request)?;
        let inputs = manifest.inputs(signature, metric);
        manifest::record(directory, signature, &[metric], &inputs)?;
        progress.event(Event::Halved { signature: signature.to_string(), metric, before, bytes });
    }
    Ok(())
}

/// The side to keep: the one whose values take less space. `None` if the table does not hold the
/// values of both sides.
fn side_to_keep<G: Indexable>(table: &Table<G>) -> Result<Option<Side>, GenError> {
    match *table.signature().sides() {
        [first, second] if table.holds(first) && table.holds(second) => {
            let is_first = table.part_len(first)? <= table.part_len(second)?;
            Ok(Some(if is_first { first } else { second }))
        }
        _ => Ok(None),
    }
}

/// Replaces a complete table by one that holds only the values of the side `kept`. The new file
/// gets its final name after it has been synced and read back. Returns its size in bytes.
fn halve<G: Indexable>(
    table: Table<G>,
    kept: Side,
    request: &Request<'_>,
) -> Result<u64, GenError> {
    let path = &table.path().to_owned();
    let file = AtomicFile::create(path).map_err(GenError::io("create", path))?;
    copy(&table, kept, file.file(), request)?;
    file.sync().map_err(GenError::io("write", path))?;
    let metric = table.header().metric();
    let half = Table::open_file(file.temporary_path(), *table.signature(), metric)?;
    half.check()?;
    let bytes = half.header().file_len();
    // Some versions of Windows cannot replace an open file.
    drop((table, half));
    file.publish().map_err(GenError::io("write", path))?;
    Ok(bytes)
}

/// Writes the half table, with the blocks of the side `kept`, to `file`.
fn copy<G: Indexable>(
    table: &Table<G>,
    kept: Side,
    file: &File,
    request: &Request<'_>,
) -> Result<(), GenError> {
    let (path, header) = (table.path(), table.header());
    let left_out = Side::of_color(!kept.color());
    let failed = |error| GenError::io("write", path)(error);
    let out = BufWriter::with_capacity(1 << 20, file);
    let mut writer = TableWriter::without(out, header, left_out).map_err(failed)?;
    let mut decoder = Decoder::new().map_err(GenError::io("read", path))?;
    let mut unpacked = Vec::new();
    for number in header.part_blocks(kept) {
        request.stop.check()?;
        let block = table.block(&mut decoder, number, &mut unpacked)?;
        writer.append(&block).map_err(failed)?;
    }
    let sides = table.signature().sides().iter().copied();
    let summaries = sides.clone().map(|side| *header.summary(side)).collect();
    let histograms = sides.map(|side| table.histogram(side)).collect::<Result<Vec<_>, _>>()?;
    let histograms: Vec<_> = histograms.into_iter().flatten().collect();
    writer.finish(summaries, &histograms).map_err(failed)?;
    Ok(())
}
