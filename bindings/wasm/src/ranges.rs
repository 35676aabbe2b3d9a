use crate::parts::{PartId, Parts};
use damka::Storage;
use damka::tables::format::Source;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

/// The number of bytes of a range.
const RANGE_LEN: u64 = 16 << 10;

/// Tables in whole files. Only ranges of the files are fetched.
pub(crate) struct RangedFiles {
    /// The number and the size of each file, by the name of the table.
    pub(crate) files: HashMap<String, (u32, u64)>,
    pub(crate) parts: Arc<Parts>,
}

/// The bytes of one of these files.
pub(crate) struct RangedFile {
    file: u32,
    size: u64,
    parts: Arc<Parts>,
}

impl Storage for RangedFiles {
    type Source = RangedFile;

    fn list(&self, game: &str) -> io::Result<Vec<String>> {
        let names = self.files.keys().filter_map(|name| name.strip_prefix(game)?.strip_prefix('/'));
        Ok(names.map(str::to_owned).collect())
    }

    fn open(&self, name: &str) -> io::Result<RangedFile> {
        let &(file, size) = self.files.get(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(RangedFile { file, size, parts: Arc::clone(&self.parts) })
    }
}

impl Source for RangedFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read<'a>(
        &'a self,
        offset: u64,
        len: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        let end = offset.checked_add(len as u64).filter(|&end| end <= self.size);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.clear();
        let mut failed = None;
        for start in (offset / RANGE_LEN..end.div_ceil(RANGE_LEN)).map(|number| number * RANGE_LEN)
        {
            let part_len = RANGE_LEN.min(self.size - start);
            let id = PartId::Range { file: self.file, start, len: part_len as u32 };
            match self.parts.get(id) {
                Ok(bytes) => {
                    let from = offset.saturating_sub(start) as usize;
                    let to = (end - start).min(part_len) as usize;
                    buffer.extend(bytes.get(from..to).unwrap_or_default());
                }
                // Continue, so that all other needed parts are requested, too.
                Err(error) => failed = Some(error),
            }
        }
        match failed {
            Some(error) => Err(error),
            None => Ok(buffer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_across_ranges_wants_them_all_and_joins_them() {
        let bytes: Vec<u8> = (0..40_000u32).map(|i| (i % 251) as u8).collect();
        let parts = Arc::new(Parts::new(1 << 20));
        let files = HashMap::from([("russian/KvK.dtw".to_owned(), (3, 40_000))]);
        let files = RangedFiles { files, parts: Arc::clone(&parts) };
        assert_eq!(files.list("russian").expect("names"), ["KvK.dtw"]);
        assert!(files.list("chess").expect("names").is_empty());
        let missing = files.open("russian/KvM.dtw").err().expect("no such file");
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        let file = files.open("russian/KvK.dtw").expect("a file");
        let buffer = &mut Vec::new();
        let error = file.read(16_000, 20_000, buffer).expect_err("nothing is there");
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        let needed = parts.take_needed();
        assert_eq!(needed.len(), 3);
        for id in needed {
            let PartId::Range { file: 3, start, len } = id else { panic!("{id}") };
            assert!(parts.put(id, &bytes[start as usize..][..len as usize]));
        }
        for (offset, len) in [(16_000, 20_000), (0, 0), (39_999, 1), (16_384, 16_384)] {
            assert_eq!(
                file.read(offset as u64, len, buffer).expect("bytes"),
                &bytes[offset..][..len]
            );
        }
        assert!(file.read(39_999, 2, buffer).is_err());
        assert!(file.read(u64::MAX, 1, buffer).is_err());
    }
}
