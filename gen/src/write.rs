use crate::{Dense, GenError};
use damka_probe::{Table, table_path};
use damka_tables::format::{Block, BlockEncoder, Metric, Packing, TableWriter};
use damka_tables::{Layout, Value};
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

/// The ending of files that are being written.
pub(crate) const TEMPORARY: &str = ".tmp";

/// How many blocks are compressed in parallel before they are written.
const BATCH: usize = 256;

/// Writes the table of `dense` under `metric` to its place in `directory`: to a
/// temporary file that is synced, read back, and then renamed. Returns its size
/// in bytes.
pub(crate) fn write<G: Layout>(
    dense: &Dense<G>,
    metric: Metric,
    directory: &Path,
) -> Result<u64, GenError> {
    let signature = dense.signature();
    let path = table_path(directory, signature, metric);
    let parent = path.parent().unwrap_or(directory);
    let file = tempfile::Builder::new()
        .prefix(&format!(".{signature}.{}.", metric.name()))
        .suffix(TEMPORARY)
        .tempfile_in(parent)
        .map_err(GenError::io("create a file in", parent))?;
    encode(dense, metric, file.as_file()).map_err(GenError::io("write", &path))?;
    file.as_file().sync_all().map_err(GenError::io("write", &path))?;
    read_back(dense, metric, file.path())?;

    // Tables are for everybody: not with the permissions of a temporary file.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let readable = std::fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(readable).map_err(GenError::io("write", &path))?;
    }
    let file = file.persist(&path).map_err(|e| e.error).map_err(GenError::io("write", &path))?;
    let parent_dir = File::open(parent).and_then(|directory| directory.sync_all());
    parent_dir.map_err(GenError::io("write", parent))?;
    Ok(file.metadata().map_err(GenError::io("read", &path))?.len())
}

/// Writes the table's bytes.
fn encode<G: Layout>(dense: &Dense<G>, metric: Metric, file: &File) -> io::Result<()> {
    let positions = dense.halves().iter().map(|half| half.index.len()).collect();
    let packing = Packing::of(metric, dense.longest());
    let out = BufWriter::with_capacity(1 << 20, file);
    let mut writer = TableWriter::new(out, dense.signature(), metric, packing, positions)?;
    let block_len = writer.block_positions();
    for half in dense.halves() {
        for batch in 0..half.values.len().div_ceil(block_len * BATCH) {
            let start = batch * block_len * BATCH;
            let end = (start + block_len * BATCH).min(half.values.len());
            let starts: Vec<usize> = (start..end).step_by(block_len).collect();
            let blocks: Vec<(Vec<Value>, Block)> = starts
                .into_par_iter()
                .map_init(
                    || BlockEncoder::new(packing),
                    |encoder, start| {
                        let encoder =
                            encoder.as_mut().map_err(|error| io::Error::from(error.kind()))?;
                        let values = half.stored(start..(start + block_len).min(end));
                        let block = encoder.encode(&values)?;
                        Ok((values, block))
                    },
                )
                .collect::<io::Result<_>>()?;
            for (values, block) in &blocks {
                writer.digest(values);
                writer.append(block)?;
            }
        }
    }
    writer.finish(dense.summaries(metric))?;
    Ok(())
}

/// Checks that a file that has been written holds what it should.
fn read_back<G: Layout>(dense: &Dense<G>, metric: Metric, path: &Path) -> Result<(), GenError> {
    let table = Table::open_file(path, *dense.signature(), metric)?;
    table.check()?;
    match dense.differences(&table)? {
        None => Ok(()),
        Some(_) => Err(GenError::ReadBack { path: path.to_owned() }),
    }
}
