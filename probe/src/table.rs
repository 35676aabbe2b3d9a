use crate::{Access, FileBytes, Files};
use crate::{ProbeError, Storage, table_name};
use damka_tables::format::{Block, Decoder, FormatError, Header, Section, Source, TableReader};
use damka_tables::metric::{Histogram, Metric, PackedValues};
use damka_tables::{Index, Indexable, Side, Signature, Value};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The default storage: a directory of files.
pub type DefaultStorage = Files;

/// The indices of a signature: one, or one for each side to move if the sides differ.
pub(crate) fn indices<G: Indexable>(signature: &Signature<G>) -> Arc<[Index<G>]> {
    let sides = signature.sides().iter();
    sides
        .map(|&side| {
            let [mover, opponent] = signature.to_move(side);
            Index::new(signature.game(), mover, opponent)
        })
        .collect()
}

/// An open table.
#[derive(Debug)]
pub struct Table<G, B = <DefaultStorage as Storage>::Source> {
    signature: Signature<G>,
    indices: Arc<[Index<G>]>,
    path: PathBuf,
    reader: TableReader<B>,
    /// Whether the file holds values with each side to move.
    holds: [bool; 2],
}

impl<G: Indexable> Table<G> {
    /// Opens the table of `signature` under `metric` in a directory of tables, with
    /// [`Access::Read`].
    ///
    /// # Errors
    /// Fails if the table is missing, unreadable, damaged, or not the one in its name. Only the
    /// header is read.
    pub fn open(
        directory: &Path,
        signature: Signature<G>,
        metric: Metric,
    ) -> Result<Table<G>, ProbeError> {
        Table::open_with(directory, signature, metric, Access::default())
    }

    /// Like [`open`](Table::open), with the given access.
    ///
    /// # Errors
    /// Like [`open`](Table::open).
    pub fn open_with(
        directory: &Path,
        signature: Signature<G>,
        metric: Metric,
        access: Access,
    ) -> Result<Table<G>, ProbeError> {
        let files = Files::new(directory, access);
        Table::open_in(&files, signature, metric)
    }

    /// Opens the table of `signature` under `metric` in the file `path`.
    ///
    /// # Errors
    /// Like [`open`](Table::open).
    pub fn open_file(
        path: impl Into<PathBuf>,
        signature: Signature<G>,
        metric: Metric,
    ) -> Result<Table<G>, ProbeError> {
        let path = path.into();
        let open = || FileBytes::open(&path, Access::default());
        Table::with_indices(path.clone(), open, signature, metric, || indices(&signature))
    }
}

impl<G: Indexable, B: Source> Table<G, B> {
    /// Opens the table of `signature` under `metric` in a storage.
    ///
    /// # Errors
    /// Fails if the table is missing, unreadable, damaged, or not the one in its name. Only the
    /// header is read.
    pub fn open_in(
        storage: &impl Storage<Source = B>,
        signature: Signature<G>,
        metric: Metric,
    ) -> Result<Table<G, B>, ProbeError> {
        Table::in_storage(storage, signature, metric, || indices(&signature))
    }

    /// Opens a table. Calls `indices` only if the file is the right one, because creating the
    /// indices of many pieces takes time.
    pub(crate) fn in_storage(
        storage: &impl Storage<Source = B>,
        signature: Signature<G>,
        metric: Metric,
        indices: impl FnOnce() -> Arc<[Index<G>]>,
    ) -> Result<Table<G, B>, ProbeError> {
        let name = table_name(&signature, metric);
        let path = storage.path(&name);
        Table::with_indices(path, || storage.open(&name), signature, metric, indices)
    }

    fn with_indices(
        path: PathBuf,
        open: impl FnOnce() -> io::Result<B>,
        signature: Signature<G>,
        metric: Metric,
        indices: impl FnOnce() -> Arc<[Index<G>]>,
    ) -> Result<Table<G, B>, ProbeError> {
        if !signature.can_have_table() {
            return Err(ProbeError::too_many_pieces(&signature));
        }
        let bytes = match open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(ProbeError::Missing {
                    path,
                    game: signature.game().name(),
                    signature: signature.to_string(),
                    metric,
                });
            }
            bytes => bytes.map_err(FormatError::Io),
        };
        let reader = bytes.and_then(TableReader::open);
        let checked = reader.and_then(|reader| {
            reader.header().check(&signature, metric)?;
            Ok((reader, indices()))
        });
        match checked {
            Ok((reader, indices)) => {
                let holds = [Side::First, Side::Second].map(|side| {
                    let is_left_out = reader.header().left_out() == Some(side);
                    !is_left_out && G::holds_side(&signature, metric, side)
                });
                Ok(Table { signature, indices, path, reader, holds })
            }
            Err(error) => Err(ProbeError::of(path, error)),
        }
    }

    /// The table's signature.
    pub fn signature(&self) -> &Signature<G> {
        &self.signature
    }

    /// The header of the file.
    pub fn header(&self) -> &Header {
        self.reader.header()
    }

    /// Whether the file holds values with `side` to move. If not, they follow from those after each
    /// move.
    #[inline]
    pub fn holds(&self, side: Side) -> bool {
        self.holds[side as usize]
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The index of the positions with `side` to move.
    pub fn side_index(&self, side: Side) -> &Index<G> {
        &self.indices[(side as usize).min(self.indices.len() - 1)]
    }

    /// The number of positions of each value with `side` to move; `None` if the file does not have
    /// it.
    ///
    /// # Errors
    /// Fails if the table is damaged.
    pub fn histogram(&self, side: Side) -> Result<Option<Histogram>, ProbeError> {
        self.reader.histogram(side).map_err(|error| self.failed(error))
    }

    /// Reads the values of all positions with `side` to move in the order of the index, and passes
    /// them to `take` in parts. The values of positions in which only captures are legal are
    /// meaningless.
    ///
    /// # Errors
    /// Fails if the table is damaged, or this side is left out of the file.
    pub fn read_values(&self, side: Side, take: impl FnMut(&[Value])) -> Result<(), ProbeError> {
        self.reader.read_values(side, take).map_err(|error| self.failed(error))
    }

    /// The bytes that the values with `side` to move take in the file.
    ///
    /// # Errors
    /// Fails if the directory is damaged or cannot be read.
    pub fn part_len(&self, side: Side) -> Result<u64, ProbeError> {
        self.reader.part_len(side).map_err(|error| self.failed(error))
    }

    /// Returns a block as it is in the file, and puts its decompressed bytes into `unpacked`.
    ///
    /// # Errors
    /// Fails if the block is damaged or cannot be read.
    ///
    /// # Panics
    /// If there is no block with this number.
    pub fn block(
        &self,
        decoder: &mut Decoder,
        number: u64,
        unpacked: &mut Vec<u8>,
    ) -> Result<Block, ProbeError> {
        self.reader.block(decoder, number, unpacked).map_err(|error| self.failed(error))
    }

    /// Checks every byte of the file against the checksums.
    ///
    /// # Errors
    /// Fails at the first damaged part, which the error names.
    pub fn check(&self) -> Result<(), ProbeError> {
        self.reader.check().map_err(|error| self.failed(error))
    }

    /// Checks that the histograms are sound, and that the blocks listed in the directory fill the
    /// file up to them exactly and in order. Does not read the blocks.
    ///
    /// # Errors
    /// Fails if they do not.
    pub fn check_directory(&self) -> Result<(), ProbeError> {
        self.reader.check_directory().map_err(|error| self.failed(error))
    }

    /// The block that holds position `number` of `side`, which is not left out of the file, and its
    /// place there.
    #[inline]
    pub fn locate(&self, side: Side, number: u64) -> (u64, usize) {
        self.reader.locate(side, number)
    }

    /// Reads and decompresses a block into `block`, replacing its contents.
    ///
    /// # Errors
    /// Fails if the block is damaged.
    ///
    /// # Panics
    /// If there is no block with this number.
    pub fn read_block(
        &self,
        decoder: &mut Decoder,
        number: u64,
        block: &mut Vec<u8>,
    ) -> Result<(), ProbeError> {
        self.reader.read_block(decoder, number, block).map_err(|error| self.failed(error))
    }

    /// The range of a block's compressed data in the file; empty if the block is stored in the directory
    /// only.
    ///
    /// # Errors
    /// Fails if the directory is damaged or cannot be read.
    ///
    /// # Panics
    /// If there is no block with this number.
    pub fn block_data(&self, decoder: &mut Decoder, number: u64) -> Result<Range<u64>, ProbeError> {
        self.reader.block_data(decoder, number).map_err(|error| self.failed(error))
    }

    /// The bytes of the file.
    pub fn source(&self) -> &B {
        self.reader.source()
    }

    /// The value at a place of a block read by [`read_block`](Table::read_block). Meaningless for
    /// positions in which only captures are legal.
    ///
    /// # Errors
    /// Fails if the table is damaged.
    #[inline]
    pub fn value(&self, number: u64, block: &[u8], place: usize) -> Result<Value, ProbeError> {
        self.reader.value(number, block, place).map_err(|error| self.failed(error))
    }

    /// Checks that the file's digest is that of these values: of all sides to move, in order, in
    /// parts of any size, packed like tables of this metric, with marks for positions in which only
    /// captures are legal.
    ///
    /// # Errors
    /// Fails if the digest differs.
    pub fn check_digest<'v>(
        &self,
        values: impl IntoIterator<Item = PackedValues<'v>>,
    ) -> Result<(), ProbeError> {
        self.reader.check_digest(values).map_err(|error| self.failed(error))
    }

    /// Tells the system that blocks will be read in random order.
    pub(crate) fn advise_random(&self) {
        self.reader.source().advise_random();
    }

    /// Asks the system to read a block soon, without waiting.
    ///
    /// # Errors
    /// Fails if the table is damaged or its directory cannot be read.
    pub(crate) fn prefetch(&self, decoder: &mut Decoder, number: u64) -> Result<(), ProbeError> {
        let data = self.block_data(decoder, number)?;
        self.source().prefetch(data);
        Ok(())
    }

    /// The value at a place of block `number`, given the word of the block that contains it.
    ///
    /// # Errors
    /// Fails if the table is damaged.
    #[inline]
    pub(crate) fn value_in(
        &self,
        number: u64,
        word: u64,
        place: usize,
    ) -> Result<Value, ProbeError> {
        let value = self.header().packing().value(word, place);
        value.ok_or_else(|| self.failed(FormatError::Corrupt(Section::Block(number))))
    }

    #[cold]
    pub(crate) fn failed(&self, error: FormatError) -> ProbeError {
        ProbeError::of(self.path.clone(), error)
    }
}
