use crate::parallel::{self, Spares};
use crate::profile::{CpuScope, Phase, Profile};
use crate::request::Request;
use crate::solve::{Footprint, MemoryOptions};
use crate::{GenError, Solution, Stop};
use damka_probe::{Table, table_path};
use damka_system::{AtomicFile, final_name_of};
use damka_tables::format::{BLOCK_LEN, Block, BlockEncoder, Decoder, TableWriter};
use damka_tables::metric::{Metric, PackedValues, Packing};
use damka_tables::{Indexable, Side, Signature};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

/// The signature in the name of the temporary file of a table (`.KKMvKM.dtw.Xa3b9Z.tmp`) or a seed
/// file, which a killed process leaves behind. `None` if it is not the name of such a file.
pub(crate) fn unfinished<G: Indexable>(game: G, name: &str) -> Option<Signature<G>> {
    let (text, kind) = final_name_of(name)?.split_once('.')?;
    let metric = kind.strip_suffix(".seed").unwrap_or(kind);
    let is_known = Metric::ALL.iter().any(|known| known.name() == metric);
    let signature = Signature::parse(game, text).ok()?;
    (is_known && signature.to_string() == text).then_some(signature)
}

/// The number of blocks that are compressed in parallel before they are written.
const BATCH: u64 = 128;

/// The buffer for writing to the file, in bytes.
const FILE_BUFFER: usize = 1 << 20;

/// Memory for writing a table of `positions` positions: the compressor of each thread, and the
/// blocks that are being compressed and written.
pub(crate) fn footprint(positions: u64, options: MemoryOptions) -> Footprint {
    const THREAD: u64 = 1 << 20;
    // Two batches, in which each block is packed and compressed, and the buffer of the file.
    const BLOCKS: u64 = 2 * BATCH * 2 * BLOCK_LEN as u64 + FILE_BUFFER as u64;
    let memory = options.threads as u64 * THREAD + BLOCKS.min(4 * positions);
    Footprint { memory, scratch: 0 }
}

/// Writes the table of `solution` under `metric` to its file in `directory`. The file gets its
/// final name after it has been synced and read back. Returns its size in bytes.
///
/// # Errors
/// Fails if the file cannot be written, or the run is interrupted. Then no file is left.
pub(crate) fn write<G: Indexable>(
    solution: &Solution<G>,
    metric: Metric,
    request: &Request<'_>,
    profile: &Profile,
) -> Result<u64, GenError> {
    let Request { directory, stop, .. } = request;
    let signature = solution.signature();
    let path = table_path(directory, signature, metric);
    let file = AtomicFile::create(&path).map_err(GenError::io("create", &path))?;
    encode(solution, metric, &path, file.file(), stop, profile)?;
    file.sync().map_err(GenError::io("write", &path))?;
    let read_back = || read_back(solution, metric, file.temporary_path(), stop);
    profile.time(Phase::ReadBack, CpuScope::Process, read_back)?;
    let bytes = file.file().metadata().map_err(GenError::io("read", &path))?.len();
    file.publish().map_err(GenError::io("write", &path))?;
    Ok(bytes)
}

/// Writes the bytes of the table at `path` to `file`. A batch of blocks is encoded while the
/// preceding batch is written.
fn encode<G: Indexable>(
    solution: &Solution<G>,
    metric: Metric,
    path: &Path,
    file: &File,
    stop: &Stop,
    profile: &Profile,
) -> Result<(), GenError> {
    let failed = |error| GenError::io("write", path)(error);
    let packing = Packing::of(metric, solution.longest());
    let out = BufWriter::with_capacity(FILE_BUFFER, file);
    let mut writer = TableWriter::new(out, solution.signature(), metric, packing, solution.len())
        .map_err(failed)?;
    let block_len = writer.block_positions() as u64;
    type Encoded<'a> = Vec<(PackedValues<'a>, Block)>;
    let encoders = Spares::new();
    let encode = |(side, start, len): (Side, u64, u64)| -> io::Result<Encoded<'_>> {
        let end = (start + block_len * BATCH).min(len);
        parallel::try_map((start..end).step_by(block_len as usize), |start| {
            let new = || BlockEncoder::new(packing);
            encoders.with(new, |encoder| {
                let encoder = encoder.as_mut().map_err(|error| io::Error::from(error.kind()))?;
                profile.time(Phase::Compress, CpuScope::Thread, || {
                    let numbers = start..(start + block_len).min(end);
                    let values = solution.values(side, metric, numbers);
                    let block = encoder.encode(&values)?;
                    Ok((values, block))
                })
            })
        })
    };
    let mut append = |blocks: Encoded<'_>| {
        profile.time(Phase::Compress, CpuScope::Thread, || {
            blocks.iter().try_for_each(|(values, block)| {
                writer.digest(values);
                writer.append(block)
            })
        })
    };
    let sides = solution.signature().sides().iter().zip(solution.len());
    let batches = sides.flat_map(|(&side, len)| {
        (0..len).step_by((block_len * BATCH) as usize).map(move |start| (side, start, len))
    });
    let mut encoded = Vec::new();
    for batch in batches {
        stop.check()?;
        let before = std::mem::take(&mut encoded);
        let (now, appended) = parallel::join(|| encode(batch), || append(before));
        appended.map_err(failed)?;
        encoded = now.map_err(failed)?;
    }
    append(encoded).map_err(failed)?;
    let summaries = solution.summaries(metric);
    writer.finish(summaries, &solution.histograms(metric)).map_err(failed)?;
    Ok(())
}

/// Checks that a written file holds the values of the solution.
fn read_back<G: Indexable>(
    solution: &Solution<G>,
    metric: Metric,
    path: &Path,
    stop: &Stop,
) -> Result<(), GenError> {
    let table = Table::open_file(path, *solution.signature(), metric)?;
    table.check_directory()?;
    let block_len = table.header().block_positions();
    let buffers = Spares::new();
    for (&side, len) in solution.signature().sides().iter().zip(solution.len()) {
        let check = |number: u64| {
            let new = || (Decoder::new(), Vec::new());
            buffers.with(new, |(decoder, block)| {
                let decoder = decoder.as_mut().map_err(|error| io::Error::from(error.kind()));
                let decoder = decoder.map_err(GenError::io("read", path))?;
                let start = number * block_len;
                let (number, _) = table.locate(side, start);
                table.read_block(decoder, number, block)?;
                let values = solution.values(side, metric, start..(start + block_len).min(len));
                match values.are_in(block) {
                    true => Ok(()),
                    false => Err(GenError::ReadBack { path: path.to_owned() }),
                }
            })
        };
        let blocks = len.div_ceil(block_len);
        for first in (0..blocks).step_by(BATCH as usize) {
            stop.check()?;
            parallel::try_map(first..(first + BATCH).min(blocks), check)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::Russian;

    #[test]
    fn only_temporary_files_of_signatures_are_recognized() {
        let of = |name: &str| unfinished(Russian, name).map(|signature| signature.to_string());
        for metric in Metric::ALL {
            for kind in ["", ".seed"] {
                let name = format!(".KKMvKM.{}{kind}.Xa3b9Z.tmp", metric.name());
                assert_eq!(of(&name).as_deref(), Some("KKMvKM"), "{name}");
            }
        }
        for name in [
            ".notes.Xa3b9Z.tmp",
            ".KKMvKM.Xa3b9Z.tmp",
            ".KKMvKM.dtw.dtw.Xa3b9Z.tmp",
            ".KKMvKM.txt.Xa3b9Z.tmp",
            ".KKMvKM.seed.Xa3b9Z.tmp",
            ".KMvKKM.dtw.Xa3b9Z.tmp",
            ".QvK.dtw.Xa3b9Z.tmp",
        ] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
