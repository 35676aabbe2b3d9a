use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

/// A password, which is neither printed nor logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// A password that was read from a file.
#[derive(Clone, Debug)]
pub struct PasswordFile {
    /// The password.
    pub password: Password,
    /// Whether any user of the machine may read the file. Known on Unix only; elsewhere false.
    pub is_open_to_others: bool,
}

/// Why a file does not contain a password.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PasswordError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is too long.
    #[error("it has more than {MAX_BYTES} bytes: the password must be its only line")]
    TooLong,
    /// The file is not UTF-8.
    #[error("it is not UTF-8 text")]
    NotText,
    /// The file has several lines.
    #[error("it has more than one line: the password must be the only one")]
    SeveralLines,
    /// The password is empty.
    #[error("the password is empty")]
    Empty,
}

/// The maximum length of a password file, in bytes.
const MAX_BYTES: u64 = 4096;

impl Password {
    /// A password with this text.
    pub fn new(text: impl Into<String>) -> Password {
        Password(text.into())
    }

    /// Reads a file whose only line is a password.
    ///
    /// # Errors
    /// The file cannot be read, or is not a single line of text.
    pub fn read(path: &Path) -> Result<PasswordFile, PasswordError> {
        let file = damka_system::open(path)?;
        let is_open_to_others = damka_system::is_readable_by_others(&file.metadata()?);
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(PasswordError::TooLong);
        }
        let text = str::from_utf8(&bytes).map_err(|_| PasswordError::NotText)?;
        // Some editors write a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let line = text.strip_suffix('\n').unwrap_or(text);
        let line = line.strip_suffix('\r').unwrap_or(line);
        match line {
            "" => Err(PasswordError::Empty),
            line if line.contains(['\r', '\n']) => Err(PasswordError::SeveralLines),
            line => Ok(PasswordFile { password: Password::new(line), is_open_to_others }),
        }
    }

    /// Whether the password is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(...)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_printed() {
        assert!(!format!("{:?}", Password::new("s3cret")).contains("s3cret"));
    }
}
