use damka_tables::format::Source;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::io;
use std::path::PathBuf;

/// Where tables are kept: opens the file of a table by its name.
///
/// Implemented by [`Files`](crate::Files) in a directory and by maps from names to bytes in memory.
/// Other storages, such as a server with range requests, implement this trait and [`Source`]:
///
/// ```
/// use damka_games::{Game, Russian};
/// use damka_probe::{Storage, Tables};
/// use damka_tables::format::Source;
/// use std::io;
///
/// struct Server;
/// struct Ranges;
///
/// impl Storage for Server {
///     type Source = Ranges;
///
///     fn list(&self, _game: &str) -> io::Result<Vec<String>> {
///         Ok(Vec::new())
///     }
///
///     fn open(&self, name: &str) -> io::Result<Ranges> {
///         // The server has nothing yet; otherwise it would be asked for the size of `name`.
///         Err(io::ErrorKind::NotFound.into())
///     }
/// }
///
/// impl Source for Ranges {
///     fn size(&self) -> u64 {
///         0
///     }
///
///     fn read<'a>(&'a self, _: u64, _: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
///         Err(io::ErrorKind::UnexpectedEof.into())
///     }
/// }
///
/// let tables = Tables::in_storage(Russian, Server, 1 << 20);
/// let position = Russian.parse_fen("W:WKa1:BKh2").unwrap();
/// assert!(tables.wdl(&position).unwrap_err().is_missing());
/// ```
///
/// # Bytes that come later
///
/// Where reading cannot wait, as in a browser, a storage returns an error of the kind
/// [`WouldBlock`](io::ErrorKind::WouldBlock) for bytes that are not there yet, and notes that they
/// are needed. The look-up goes on, to request all bytes that it is known to need, and then fails
/// with an error that [is pending](crate::ProbeError::is_pending). When the bytes have arrived, the
/// caller repeats the look-up.
pub trait Storage {
    /// The bytes of a table's file.
    type Source: Source;

    /// The names of a game's files without its directory, such as `KKMvKM.wdl` for `russian`, in
    /// any order. Names that are not tables are ignored.
    ///
    /// # Errors
    /// Fails if they cannot be listed. A game without files is not an error.
    fn list(&self, game: &str) -> io::Result<Vec<String>>;

    /// Opens the file with this name, such as `russian/KKMvKM.wdl`. The source must stay readable
    /// even if the file is renamed or removed.
    ///
    /// # Errors
    /// Fails with [`io::ErrorKind::NotFound`] if there is no such file, or with another error if it
    /// cannot be opened.
    fn open(&self, name: &str) -> io::Result<Self::Source>;

    /// The path of the file with this name, for messages. The file need not exist.
    fn path(&self, name: &str) -> PathBuf {
        name.into()
    }
}

/// Files in memory, by name.
impl<B: AsRef<[u8]> + Clone, H: BuildHasher> Storage for HashMap<String, B, H> {
    type Source = B;

    fn list(&self, game: &str) -> io::Result<Vec<String>> {
        let names = self.keys().filter_map(|name| name.strip_prefix(game)?.strip_prefix('/'));
        Ok(names.map(str::to_owned).collect())
    }

    fn open(&self, name: &str) -> io::Result<B> {
        self.get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}
