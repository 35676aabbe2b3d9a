use std::fmt;

/// A size in bytes that displays in human-readable form: `123 B`, `1.23 MB` (powers of 1000).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(pub u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
        if self.0 < 1000 {
            return write!(f, "{} B", self.0);
        }
        let (mut size, mut unit) = (self.0 as f64 / 1e3, 0);
        // A value that would round to 1000.00 is shown in the next unit.
        while size >= 999.995 {
            size /= 1e3;
            unit += 1;
        }
        write!(f, "{size:.2} {}", UNITS[unit])
    }
}

/// Parses a size in bytes: a number, optionally followed by K, M, G or T (powers of 1024) and `B`
/// or `iB`. `None` if it is malformed, 0, or does not fit into 64 bits.
pub fn parse_size(text: &str) -> Option<u64> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[number.len()..].to_ascii_uppercase().trim_end_matches("IB") {
        "" => 0,
        "K" | "KB" => 10,
        "M" | "MB" => 20,
        "G" | "GB" => 30,
        "T" | "TB" => 40,
        _ => return None,
    };
    let number: u64 = number.parse().ok()?;
    number.checked_mul(1 << shift).filter(|&size| size > 0)
}

#[cfg(test)]
mod tests {
    use super::{Size, parse_size};

    #[test]
    fn sizes_are_displayed_with_units() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.00 kB"),
            (123_456, "123.46 kB"),
            (999_999, "1.00 MB"),
            (1_234_567, "1.23 MB"),
            (5 << 30, "5.37 GB"),
            (u64::MAX, "18.45 EB"),
        ] {
            assert_eq!(Size(bytes).to_string(), text);
        }
    }

    #[test]
    fn sizes_are_powers_of_1024() {
        let sizes =
            [("1", 1), ("2k", 2 << 10), ("64M", 64 << 20), ("3GiB", 3 << 30), ("1TB", 1 << 40)];
        for (text, size) in sizes {
            assert_eq!(parse_size(text), Some(size), "{text}");
        }
        for text in ["", "0", "0M", "M", "1X", "-1", "1.5G", "1 M", "16777216T", "é"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }
}
