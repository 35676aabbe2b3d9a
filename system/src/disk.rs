use std::io;
use std::path::Path;

/// The space that is left for this user on the disk of a directory, in bytes.
///
/// # Errors
/// What the system says.
pub fn free_space(directory: &Path) -> io::Result<u64> {
    // Windows answers for the disk of the nearest directory that there is.
    std::fs::metadata(directory)?;
    fs4::available_space(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_space_needs_a_directory() {
        let place = tempfile::tempdir().expect("a directory");
        assert!(free_space(place.path()).expect("a number") > 0);
        free_space(&place.path().join("none")).expect_err("there is no such directory");
    }
}
