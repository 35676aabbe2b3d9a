//! Lists of positions as one structured array in a NumPy file: format NPY, version 1.0.
//! `docs/NPY.md` describes the fields.

use crate::{AnyGame, AnyListed, Color, Game, Kind, Metric};
use damka_games::with_game;
use damka_tables::Wdl;
use std::io::{self, Seek, SeekFrom, Write};

/// The value of the field `dtw` for a draw, which has no distance.
pub const NO_DISTANCE: u16 = u16::MAX;

/// The first bytes of a NumPy file.
pub const MAGIC: &[u8] = b"\x93NUMPY";

/// The bytes before the data, a multiple of 64, so that the data are aligned.
const HEADER_LEN: usize = 256;

/// The number of buffered bytes at which they are written.
const CHUNK: usize = 1 << 20;

/// Writes positions as records of an array. The number of records need not be known in advance: the
/// header is written last.
pub struct NpyWriter<W> {
    out: W,
    fields: Fields,
    records: u64,
    buffer: Vec<u8>,
}

/// The properties that determine the fields of a record.
#[derive(Clone, Copy)]
struct Fields {
    /// The number of kinds of piece.
    kinds: usize,
    /// The bytes of a set of squares: 4 or 8.
    bitboard_bytes: usize,
    metric: Metric,
}

impl Fields {
    fn new(game: AnyGame, metric: Metric) -> Fields {
        fn of<G: Game>(_: G, metric: Metric) -> Fields {
            let bitboard_bytes = if G::SQUARES <= 32 { 4 } else { 8 };
            Fields { kinds: G::KINDS.len(), bitboard_bytes, metric }
        }
        with_game!(game, game => of(game, metric))
    }
}

impl<W: Write + Seek> NpyWriter<W> {
    /// Begins an array of positions of `game` with values under `metric`, at the start of `out`.
    ///
    /// # Errors
    /// Writing fails.
    pub fn new(mut out: W, game: AnyGame, metric: Metric) -> io::Result<NpyWriter<W>> {
        out.write_all(&[0; HEADER_LEN])?;
        let buffer = Vec::with_capacity(CHUNK + 256);
        Ok(NpyWriter { out, fields: Fields::new(game, metric), records: 0, buffer })
    }

    /// Adds a position.
    ///
    /// # Errors
    /// Writing fails.
    pub fn push(&mut self, listed: &dyn AnyListed) -> io::Result<()> {
        let Fields { kinds, bitboard_bytes, metric } = self.fields;
        let (pieces, value) = (listed.pieces(), listed.value());
        for color in Color::BOTH {
            for kind in (0..kinds).map(Kind::new) {
                let squares = pieces[(color, kind)].bits().to_le_bytes();
                self.buffer.extend_from_slice(&squares[..bitboard_bytes]);
            }
        }
        if metric.has_distances() {
            let plies = value.plies().unwrap_or(NO_DISTANCE);
            self.buffer.extend_from_slice(&plies.to_le_bytes());
        }
        let wdl: i8 = match value.wdl() {
            Wdl::Loss => -1,
            Wdl::Draw => 0,
            Wdl::Win => 1,
        };
        self.buffer.extend_from_slice(&[wdl as u8, listed.turn() as u8]);
        self.records += 1;
        if self.buffer.len() >= CHUNK {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the header. Returns the number of records.
    ///
    /// # Errors
    /// Writing fails.
    pub fn finish(mut self) -> io::Result<u64> {
        self.flush()?;
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&header(self.fields, self.records))?;
        self.out.flush()?;
        Ok(self.records)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

/// The magic number, the version, the length of the text, and the text: a Python literal, padded
/// with blanks.
fn header(fields: Fields, records: u64) -> Vec<u8> {
    let Fields { kinds, bitboard_bytes: bytes, metric } = fields;
    let dtw = if metric.has_distances() { "('dtw', '<u2'), " } else { "" };
    let text = format!(
        "{{'descr': [('white', '<u{bytes}', ({kinds},)), ('black', '<u{bytes}', ({kinds},)), \
         {dtw}('wdl', '|i1'), ('turn', '|u1')], 'fortran_order': False, 'shape': ({records},), }}"
    );
    let mut header = [MAGIC, b"\x01\x00"].concat();
    let len = HEADER_LEN - header.len() - 2;
    header.extend_from_slice(&(len as u16).to_le_bytes());
    header.extend_from_slice(text.as_bytes());
    header.resize(HEADER_LEN - 1, b' ');
    header.push(b'\n');
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The format of NumPy's own page: the length field covers the rest of the header, which ends
    /// with a newline at a multiple of 64.
    #[test]
    fn headers_have_the_published_layout() {
        let fields = |game: &str, metric| Fields::new(game.parse().expect("a game"), metric);
        let longest = [
            header(fields("russian", Metric::Dtw), u64::MAX),
            header(fields("chess", Metric::Dtw), u64::MAX),
            header(fields("chess", Metric::Wdl), 0),
        ];
        for header in longest {
            assert_eq!(header.len(), HEADER_LEN);
            assert_eq!(&header[..8], b"\x93NUMPY\x01\x00");
            let len = usize::from(u16::from_le_bytes([header[8], header[9]]));
            assert_eq!((10 + len, len % 64), (header.len(), 54));
            let text = std::str::from_utf8(&header[10..]).expect("ASCII");
            assert!(text.starts_with("{'descr': [('white', '<u") && text.ends_with(" \n"));
            assert!(text.trim_end().ends_with(",), }"), "{text}");
        }
    }
}
