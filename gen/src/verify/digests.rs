//! Compares tables with a list of published digests.

use super::{Finding, Monitor, Verification, block_from};
use crate::GenError;
use crate::parallel;
use crate::request::Request;
use damka_games::{Game, excerpt};
use damka_probe::{ProbeError, Table};
use damka_tables::metric::{Metric, PackedValues, Packing};
use damka_tables::{Indexable, Signature, Value};
use rayon::ThreadPool;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

/// Identifies the values of a table: equal for all files that hold the same values. Displayed and
/// parsed as a line, `russian KvK wdl DIGEST 262`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableDigest<G> {
    /// The signature of the table.
    pub signature: Signature<G>,
    /// Its metric.
    pub metric: Metric,
    /// BLAKE3 of the values; see FORMAT.md.
    pub digest: [u8; 32],
    /// The number of values, both sides to move.
    pub positions: u64,
}

impl<G: Indexable> TableDigest<G> {
    /// The digest in the header of a table.
    pub fn of(table: &Table<G>) -> TableDigest<G> {
        let (signature, header) = (*table.signature(), table.header());
        let positions = signature.sides().iter().map(|&side| header.positions(side)).sum();
        TableDigest { signature, metric: header.metric(), digest: *header.digest(), positions }
    }

    /// The digest in hexadecimal digits.
    pub fn hex(&self) -> String {
        blake3::Hash::from_bytes(self.digest).to_hex().to_string()
    }
}

impl<G: Indexable> fmt::Display for TableDigest<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, metric) = (self.signature.game().name(), self.metric.name());
        write!(f, "{game} {} {metric} {} {}", self.signature, self.hex(), self.positions)
    }
}

/// Digests of tables, by table. Parsed from text with one table per line, in any order. Empty
/// lines, comments after `#` and tables of other games are skipped.
#[derive(Clone, Debug)]
pub struct DigestList<G>(FxHashMap<(Signature<G>, Metric), TableDigest<G>>);

/// Why a list of digests cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DigestListError {
    /// A line is not an entry of a list.
    #[error(
        "line {line}: `{}`: expected game, signature, wdl or dtw, digest and number of positions",
        excerpt(text)
    )]
    Line {
        /// The line number, from 1.
        line: usize,
        /// The text of the line.
        text: String,
    },
    /// A table is listed twice.
    #[error("line {line}: {signature}.{} is listed twice", metric.name())]
    Duplicate {
        /// The line number of the second entry, from 1.
        line: usize,
        /// The table.
        signature: String,
        /// Its metric.
        metric: Metric,
    },
    /// The list has no table of this game.
    #[error("it has no table of {0}")]
    Empty(&'static str),
}

impl<G: Indexable> DigestList<G> {
    /// The signatures that have a table in the list, by ascending number of pieces.
    pub fn signatures(&self) -> Vec<Signature<G>> {
        let mut signatures: Vec<_> = self.0.keys().map(|&(signature, _)| signature).collect();
        signatures.sort_by_key(|signature| (signature.pieces(), *signature));
        signatures.dedup();
        signatures
    }

    fn get(&self, signature: Signature<G>, metric: Metric) -> Option<&TableDigest<G>> {
        self.0.get(&(signature, metric))
    }
}

impl<G: Indexable> DigestList<G> {
    /// Parses the list of the tables of `game`.
    ///
    /// # Errors
    /// Fails if a line is not an entry, a table is listed twice, or there is no table of this game.
    pub fn parse(game: G, text: &str) -> Result<DigestList<G>, DigestListError> {
        let mut list = FxHashMap::default();
        for (line, text) in (1..).zip(text.lines()) {
            let entry = text.split('#').next().unwrap_or_default();
            let fields: Vec<&str> = entry.split_whitespace().collect();
            match fields[..] {
                [] => continue,
                [name, _, _, _, _] if name != game.name() => continue,
                _ => {}
            }
            let entry = table_digest(game, &fields);
            let entry = entry.ok_or(DigestListError::Line { line, text: excerpt(text) })?;
            let TableDigest { signature, metric, .. } = entry;
            if list.insert((signature, metric), entry).is_some() {
                let signature = signature.to_string();
                return Err(DigestListError::Duplicate { line, signature, metric });
            }
        }
        match list.is_empty() {
            true => Err(DigestListError::Empty(game.name())),
            false => Ok(DigestList(list)),
        }
    }
}

/// Parses the fields of a line.
fn table_digest<G: Game>(game: G, fields: &[&str]) -> Option<TableDigest<G>> {
    let [_, signature, metric, digest, positions] = fields[..] else { return None };
    let digits: Vec<u8> =
        digest.chars().map(|c| Some(c.to_digit(16)? as u8)).collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
    Some(TableDigest {
        signature: Signature::parse(game, signature).ok()?,
        metric: Metric::ALL.into_iter().find(|known| known.name() == metric)?,
        digest: bytes.try_into().ok().filter(|_| rest.is_empty())?,
        positions: positions.parse().ok()?,
    })
}

/// Compares tables with a list; see [`Check::Digests`](super::Check::Digests).
pub(super) fn verify<G: Indexable>(
    signatures: &[Signature<G>],
    list: &DigestList<G>,
    pool: &ThreadPool,
    request: &Request<'_>,
) -> Result<Verification, GenError> {
    let (directory, access) = (request.directory, request.options.access);
    let tables = signatures.iter().flat_map(|&s| Metric::ALL.map(|metric| (s, metric)));
    let tables: Vec<(Signature<G>, Metric)> = tables.collect();
    let listed =
        tables.iter().filter(|&&(signature, metric)| list.get(signature, metric).is_some());
    let total = listed.map(|(signature, _)| crate::job::positions(signature)).sum();
    let monitor = Monitor::new(request, total);
    let compare = |(signature, metric): (Signature<G>, Metric)| {
        let table = Table::open_with(directory, signature, metric, access);
        let (positions, finding) = match compare(table, list.get(signature, metric), &monitor) {
            Err(GenError::Probe(error)) => (0, Some(Finding::Unusable(error))),
            compared => compared?,
        };
        Ok::<_, GenError>((signature, positions, finding))
    };
    let compared = parallel::install(pool, || parallel::try_map(tables, compare))?;
    let mut verification = Verification::default();
    let mut counted = BTreeSet::new();
    for (signature, positions, finding) in compared {
        verification.tables += usize::from(positions > 0);
        if positions > 0 && counted.insert(signature) {
            verification.positions += positions;
        }
        verification.findings.extend(finding);
    }
    Ok(verification)
}

/// Compares a table with its entry in the list. Returns the number of values compared.
fn compare<G: Indexable>(
    table: Result<Table<G>, ProbeError>,
    listed: Option<&TableDigest<G>>,
    monitor: &Monitor,
) -> Result<(u64, Option<Finding>), GenError> {
    let table = match (table, listed) {
        (Err(error), None) if error.is_missing() => return Ok((0, None)),
        (table, _) => table?,
    };
    let found = TableDigest::of(&table);
    let (signature, metric) = (found.signature.to_string(), found.metric);
    match listed {
        None => return Ok((0, Some(Finding::Unlisted { signature, metric }))),
        Some(listed) if *listed != found => {
            monitor.advance(found.positions);
            return Ok((found.positions, Some(Finding::DigestMismatch { signature, metric })));
        }
        Some(_) => {}
    }
    if table.header().left_out().is_some() {
        // The digest also covers the values that the table leaves out, so it cannot be computed.
        table.check()?;
        monitor.advance(found.positions);
        return Ok((found.positions, None));
    }
    table.check_directory()?;
    let has_digest = has_digest(&table, monitor)?;
    let finding = (!has_digest).then_some(Finding::Digest { signature, metric });
    Ok((found.positions, finding))
}

/// Whether the values of a table have the digest in its header. Holds one block in memory at a
/// time.
fn has_digest<G: Indexable>(table: &Table<G>, monitor: &Monitor) -> Result<bool, GenError> {
    let block_len = table.header().block_positions();
    let starts = table.signature().sides().iter().flat_map(|&side| {
        let len = table.side_index(side).len();
        (0..len).step_by(block_len as usize).map(move |first| (side, first))
    });
    let metric = table.header().metric();
    let packing = Packing::of(metric, Value::MAX_PLIES);
    let mut failed = None;
    let values = starts.map_while(|(side, first)| {
        let block = monitor.stop.check().and_then(|()| block_from(table, side, first));
        let mut block: Vec<Value> = block.map_err(|error| failed = Some(error)).ok()?;
        let len = block.len() as u64;
        if !table.holds(side) {
            monitor.advance(len);
            return Some(PackedValues::dont_cares(packing, block.len()));
        }
        let positions = table.side_index(side).positions(first..first + len);
        for (value, position) in block.iter_mut().zip(positions) {
            if !G::is_stored(&position) {
                *value = Value::DONT_CARE;
            }
        }
        monitor.advance(len);
        Some(PackedValues::pack(packing, &block))
    });
    let has_digest = table.check_digest(values).is_ok();
    match failed {
        Some(error) => Err(error),
        None => Ok(has_digest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Draughts, Russian};

    const DIGEST: &str = "00112233445566778899aabbccddeeffFFEEDDCCBBAA99887766554433221100";

    fn parse(text: &str) -> Result<DigestList<Draughts>, DigestListError> {
        DigestList::parse(Russian, text)
    }

    #[test]
    fn a_list_may_have_comments_and_any_case() {
        let text = format!(
            "# a comment\r\n\nenglish KvK dtw {DIGEST} 1\n  russian mvkk wdl\t{DIGEST} 13020 # so\n\
             russian KvK dtw {DIGEST} 262"
        );
        let list = parse(&text).expect("a list");
        let names: Vec<String> = list.signatures().iter().map(ToString::to_string).collect();
        assert_eq!(names, ["KvK", "KKvM"]);
        let signature = Signature::parse(Russian, "KKvM").expect("a signature");
        let entry = list.get(signature, Metric::Wdl).expect("an entry");
        assert_eq!((entry.digest[0], entry.digest[1], entry.digest[16]), (0, 0x11, 0xFF));
        assert_eq!(entry.to_string(), format!("russian KKvM wdl {} 13020", DIGEST.to_lowercase()));
        assert!(list.get(signature, Metric::Dtw).is_none());
    }

    #[test]
    fn malformed_lists_are_refused_with_the_line_number() {
        for line in [
            "russian KvK wdl".to_owned(),
            format!("russian KvQ wdl {DIGEST} 1"),
            format!("russian KvK dtm {DIGEST} 1"),
            format!("russian KvK wdl {}x 1", &DIGEST[1..]),
            format!("russian KvK wdl {}0 1", DIGEST),
            format!("russian KvK wdl {} 1", &DIGEST[2..]),
            format!("russian KvK wdl {DIGEST} -1"),
            format!("russian KvK wdl {DIGEST} 1 1"),
            "\x1b[2J".repeat(1000),
        ] {
            let error = parse(&format!("#\n{line}")).expect_err("no list");
            assert!(matches!(error, DigestListError::Line { line: 2, .. }), "{error}");
            let message = error.to_string();
            assert!(message.len() < 200 && !message.contains('\x1b'), "{message:?}");
        }
        let twice = format!("russian KKvK wdl {DIGEST} 1\n");
        let twice = parse(&format!("{twice}{}", twice.replace("KKvK", "kvkk")));
        let twice = twice.expect_err("two lines");
        assert_eq!(twice.to_string(), "line 2: KKvK.wdl is listed twice");
        assert_eq!(parse("# nothing\n").expect_err("nothing"), DigestListError::Empty("russian"));
    }
}
