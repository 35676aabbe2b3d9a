/// Reads a size in bytes: a number and K, M, G or T, powers of 1024, with or without `B` or `iB`
/// behind it. `None` if it is none, 0, or more than 64 bits hold.
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
    use super::parse_size;

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
