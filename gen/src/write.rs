use crate::profile::{Phase, Profile, Who};
use crate::{GenError, Solution};
use damka_probe::{Table, table_path};
use damka_system::sync_directory;
use damka_tables::format::{Block, BlockEncoder, Decoder, TableWriter};
use damka_tables::metric::{Metric, PackedValues, Packing};
use damka_tables::{Layout, Side, Signature};
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;
use tempfile::{Builder, NamedTempFile};

/// The letters by chance in the name of a file that is being written.
const RANDOM: usize = 6;

/// Makes the file that a table is written to, `.KKMvKM.dtw.Xa3b9Z.tmp`.
fn temporary_file<G: Layout>(
    signature: &Signature<G>,
    metric: Metric,
    place: &Path,
) -> io::Result<NamedTempFile> {
    let prefix = format!(".{signature}.{}.", metric.name());
    Builder::new().prefix(&prefix).rand_bytes(RANDOM).suffix(".tmp").tempfile_in(place)
}

/// Whether a file that is being written could have this name.
pub(crate) fn is_temporary<G: Layout>(game: G, name: &str) -> bool {
    let parts: Vec<&str> = name.split('.').collect();
    let ["", signature, metric, random, "tmp"] = parts[..] else { return false };
    let is_named = Signature::parse(game, signature).is_ok_and(|s| s.to_string() == signature);
    is_named
        && Metric::ALL.iter().any(|known| known.name() == metric)
        && random.len() == RANDOM
        && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// How many blocks are compressed in parallel before they are written.
const BATCH: u64 = 128;

/// Writes the table of `solution` under `metric` to its place in `directory`: to a
/// temporary file that is synced, read back, and then renamed. Returns its size
/// in bytes.
pub(crate) fn write<G: Layout>(
    solution: &Solution<G>,
    metric: Metric,
    directory: &Path,
    profile: &Profile,
) -> Result<u64, GenError> {
    let signature = solution.signature();
    let path = table_path(directory, signature, metric);
    let parent = path.parent().unwrap_or(directory);
    let file = temporary_file(signature, metric, parent);
    let file = file.map_err(GenError::io("create a file in", parent))?;
    encode(solution, metric, file.as_file(), profile).map_err(GenError::io("write", &path))?;
    file.as_file().sync_all().map_err(GenError::io("write", &path))?;
    profile.time(Phase::ReadBack, Who::All, || read_back(solution, metric, file.path()))?;

    // Tables are for everybody: not with the permissions of a temporary file.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let readable = std::fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(readable).map_err(GenError::io("write", &path))?;
    }
    let file = file.persist(&path).map_err(|e| e.error).map_err(GenError::io("write", &path))?;
    sync_directory(parent).map_err(GenError::io("write", parent))?;
    Ok(file.metadata().map_err(GenError::io("read", &path))?.len())
}

/// Writes the table's bytes: while some blocks are encoded, those before are written.
fn encode<G: Layout>(
    solution: &Solution<G>,
    metric: Metric,
    file: &File,
    profile: &Profile,
) -> io::Result<()> {
    let packing = Packing::of(metric, solution.longest());
    let out = BufWriter::with_capacity(1 << 20, file);
    let mut writer = TableWriter::new(out, solution.signature(), metric, packing, solution.len())?;
    let block_len = writer.block_positions() as u64;
    type Encoded<'a> = Vec<(PackedValues<'a>, Block)>;
    let encode = |(side, start, len): (Side, u64, u64)| -> io::Result<Encoded<'_>> {
        let end = (start + block_len * BATCH).min(len);
        let starts: Vec<u64> = (start..end).step_by(block_len as usize).collect();
        let blocks = starts.into_par_iter().map_init(
            || BlockEncoder::new(packing),
            |encoder, start| {
                let encoder = encoder.as_mut().map_err(|error| io::Error::from(error.kind()))?;
                profile.time(Phase::Compress, Who::Thread, || {
                    let numbers = start..(start + block_len).min(end);
                    let values = solution.values(side, metric, numbers);
                    let block = encoder.encode(&values)?;
                    Ok((values, block))
                })
            },
        );
        blocks.collect()
    };
    let mut append = |blocks: Encoded<'_>| {
        profile.time(Phase::Compress, Who::Thread, || {
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
        let before = std::mem::take(&mut encoded);
        let (now, appended) = rayon::join(|| encode(batch), || append(before));
        appended?;
        encoded = now?;
    }
    append(encoded)?;
    writer.finish(solution.summaries(metric))?;
    Ok(())
}

/// Checks that a file that has been written holds what it should.
fn read_back<G: Layout>(
    solution: &Solution<G>,
    metric: Metric,
    path: &Path,
) -> Result<(), GenError> {
    let table = Table::open_file(path, *solution.signature(), metric)?;
    table.check_directory()?;
    let block_len = table.header().block_positions();
    for (&side, len) in solution.signature().sides().iter().zip(solution.len()) {
        let blocks = (0..len.div_ceil(block_len)).into_par_iter();
        blocks.try_for_each_init(
            || (Decoder::new(), Vec::new()),
            |(decoder, block), number| {
                let decoder = decoder.as_mut().map_err(|error| io::Error::from(error.kind()));
                let decoder = decoder.map_err(GenError::io("read", path))?;
                let start = number * block_len;
                let (number, _) = table.locate(side, start);
                table.read_block(decoder, number, block)?;
                let values = solution.values(side, metric, start..(start + block_len).min(len));
                if !values.are_in(block) {
                    return Err(GenError::ReadBack { path: path.to_owned() });
                }
                Ok(())
            },
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::Russian;

    #[test]
    fn names_of_temporary_files_are_known_again() {
        let signature = Signature::parse(Russian, "KKMvKM").expect("a signature");
        for metric in Metric::ALL {
            let place = tempfile::tempdir().expect("a directory");
            let made = temporary_file(&signature, metric, place.path()).expect("a file");
            let name = made.path().file_name().expect("a name").to_string_lossy();
            assert!(is_temporary(Russian, &name), "{name}");
        }
        for name in [
            ".tmp",
            ".notes.tmp",
            "KKMvKM.dtw.Xa3b9Z.tmp",
            ".KKMvKM.dtw.tmp",
            ".KKMvKM.dtw.Xa3b9.tmp",
            ".KKMvKM.dtw.Xa3b9-.tmp",
            ".KKMvKM.dtw.Xa3b9Z.tmp.tmp",
            ".KKMvKM.txt.Xa3b9Z.tmp",
            ".KMvKKM.dtw.Xa3b9Z.tmp",
            ".QvK.dtw.Xa3b9Z.tmp",
        ] {
            assert!(!is_temporary(Russian, name), "{name}");
        }
    }
}
