use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use tempfile::Builder;

/// Writes a file so that either all of it is there or what was there before: into a
/// temporary file beside it, which is synced and then renamed.
///
/// # Errors
/// What the system says. Nothing has changed then.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: the system takes away what the user's mask says.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.suffix(".tmp").tempfile_in(parent)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // Without this a crash of the system could lose the new name. Where directories
    // cannot be synced it must do without.
    let _ = File::open(parent).and_then(|directory| directory.sync_all());
    Ok(())
}
