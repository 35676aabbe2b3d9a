use crate::{Access, FileBytes, Files};
use crate::{ProbeError, Storage, table_name};
use damka_tables::format::{Decoder, FormatError, Header, Section, Source, TableReader};
use damka_tables::metric::{Metric, PackedValues};
use damka_tables::{Index, Indexable, Side, Signature, Value};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The storage of tables that name none: a directory of files.
pub type DefaultStorage = Files;

/// The indices of a signature, one for each side to move it tells apart.
pub(crate) fn indices<G: Indexable>(signature: &Signature<G>) -> Arc<[Index<G>]> {
    let sides = signature.sides().iter();
    sides
        .map(|&side| {
            let [mover, opponent] = signature.to_move(side);
            Index::new(signature.game(), mover, opponent)
        })
        .collect()
}

/// One table, its file open.
#[derive(Debug)]
pub struct Table<G, B = <DefaultStorage as Storage>::Source> {
    signature: Signature<G>,
    indices: Arc<[Index<G>]>,
    path: PathBuf,
    reader: TableReader<B>,
}

impl<G: Indexable> Table<G> {
    /// Opens the table of `signature` under `metric` in a directory of tables, to be
    /// [read](Access::Read).
    ///
    /// # Errors
    /// There is no such table, or it cannot be read, is damaged or not the one
    /// that its name says. Only the header is looked at.
    pub fn open(
        directory: &Path,
        signature: Signature<G>,
        metric: Metric,
    ) -> Result<Table<G>, ProbeError> {
        Table::open_with(directory, signature, metric, Access::default())
    }

    /// Opens the table of `signature` under `metric` in a directory of tables, its file being
    /// read in the way of `access`.
    ///
    /// # Errors
    /// As [`open`](Table::open).
    pub fn open_with(
        directory: &Path,
        signature: Signature<G>,
        metric: Metric,
        access: Access,
    ) -> Result<Table<G>, ProbeError> {
        let files = Files { directory: directory.to_owned(), access };
        Table::open_in(&files, signature, metric)
    }

    /// Opens the table of `signature` under `metric` in the file `path`.
    ///
    /// # Errors
    /// As [`open`](Table::open).
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
    /// There is no such table, or it cannot be read, is damaged or not the one
    /// that its name says. Only the header is looked at.
    pub fn open_in(
        storage: &impl Storage<Source = B>,
        signature: Signature<G>,
        metric: Metric,
    ) -> Result<Table<G, B>, ProbeError> {
        Table::in_storage(storage, signature, metric, || indices(&signature))
    }

    /// The same; the indices, which may take long to make for pieces that nobody has tables
    /// of, are asked for once the file is known to be the one.
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
            Ok((reader, indices)) => Ok(Table { signature, indices, path, reader }),
            Err(error) => Err(ProbeError::of(path, error)),
        }
    }

    /// The table's signature.
    pub fn signature(&self) -> &Signature<G> {
        &self.signature
    }

    /// What the file tells about itself.
    pub fn header(&self) -> &Header {
        self.reader.header()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The index of the positions with `side` to move.
    pub fn side_index(&self, side: Side) -> &Index<G> {
        &self.indices[(side as usize).min(self.indices.len() - 1)]
    }

    /// Reads the values of all positions with `side` to move, in the order of
    /// the index, and hands them to `take` piece by piece. Positions in which
    /// only captures are legal have a meaningless value.
    ///
    /// # Errors
    /// The table is damaged.
    pub fn read_values(&self, side: Side, take: impl FnMut(&[Value])) -> Result<(), ProbeError> {
        self.reader.read_values(side, take).map_err(|error| self.failed(error))
    }

    /// Checks every byte of the file against the checksums.
    ///
    /// # Errors
    /// Names the first damaged part.
    pub fn check(&self) -> Result<(), ProbeError> {
        self.reader.check().map_err(|error| self.failed(error))
    }

    /// Checks that the blocks fill the file exactly, in order, as its directory
    /// has them. What is in them is not looked at.
    ///
    /// # Errors
    /// They do not.
    pub fn check_directory(&self) -> Result<(), ProbeError> {
        self.reader.check_directory().map_err(|error| self.failed(error))
    }

    /// The block that holds position `number` of `side`, and its place there.
    #[inline]
    pub fn locate(&self, side: Side, number: u64) -> (u64, usize) {
        self.reader.locate(side, number)
    }

    /// Reads and decompresses a block into `block`, replacing what it held.
    ///
    /// # Errors
    /// The block is damaged.
    ///
    /// # Panics
    /// If there is no block of this number.
    pub fn read_block(
        &self,
        decoder: &mut Decoder,
        number: u64,
        block: &mut Vec<u8>,
    ) -> Result<(), ProbeError> {
        self.reader.read_block(decoder, number, block).map_err(|error| self.failed(error))
    }

    /// The value at a place of a block that [`read_block`](Table::read_block)
    /// gave. Positions in which only captures are legal have a meaningless one.
    ///
    /// # Errors
    /// The table is damaged.
    #[inline]
    pub fn value(&self, number: u64, block: &[u8], place: usize) -> Result<Value, ProbeError> {
        self.reader.value(number, block, place).map_err(|error| self.failed(error))
    }

    /// Checks that the file holds these values: those of all its sides to move,
    /// in order and in pieces of any size, packed as tables of this metric are, with
    /// marks where only captures are legal.
    ///
    /// # Errors
    /// The file was made of other values.
    pub fn check_digest<'v>(
        &self,
        values: impl IntoIterator<Item = PackedValues<'v>>,
    ) -> Result<(), ProbeError> {
        self.reader.check_digest(values).map_err(|error| self.failed(error))
    }

    /// Tells the system that blocks will be read in no order.
    pub(crate) fn advise_random(&self) {
        self.reader.source().advise_random();
    }

    /// Asks the system to read a block soon, and does not wait for it.
    ///
    /// # Errors
    /// The table is damaged, or reading its directory failed.
    pub(crate) fn prefetch(&self, decoder: &mut Decoder, number: u64) -> Result<(), ProbeError> {
        let data = self.reader.block_data(decoder, number).map_err(|error| self.failed(error))?;
        self.reader.source().prefetch(data);
        Ok(())
    }

    /// The value at a place of block `number`, given its word of the block.
    ///
    /// # Errors
    /// The table is damaged.
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
