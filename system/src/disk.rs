use std::io;
use std::path::Path;

/// The space that is left for this user on the disk of a directory, in bytes.
///
/// # Errors
/// Fails with the error of the system.
pub fn free_space(directory: &Path) -> io::Result<u64> {
    // For a missing directory Windows reports the disk of the nearest ancestor that exists.
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
