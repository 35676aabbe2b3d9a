//! Lines of cells, aligned for people or as CSV for programs.

use std::io::{self, Write};

/// Writes lines with aligned cells: the named columns to the left, numbers to the right.
pub(crate) fn write_aligned(
    out: &mut impl Write,
    lines: &[Vec<String>],
    left: &[usize],
) -> io::Result<()> {
    let columns = lines.first().map_or(0, Vec::len);
    let len = |cell: &str| cell.chars().count();
    let width = |column: usize| lines.iter().map(|line| len(&line[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for line in lines {
        let cells = line.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| {
            let blanks = " ".repeat(width - len(cell));
            if left.contains(&column) { cell.clone() + &blanks } else { blanks + cell }
        });
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

/// A line of CSV.
pub(crate) fn csv_line(cells: impl IntoIterator<Item = String>) -> String {
    let cells = cells.into_iter().map(|cell| match cell.contains([',', '"']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    });
    cells.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_csv_are_quoted_where_they_must_be() {
        let cells = ["KvK", "W:WKa1,c3:Bb8", "", "\"x\""].map(str::to_owned);
        assert_eq!(csv_line(cells), r#"KvK,"W:WKa1,c3:Bb8",,"""x""""#);
    }

    #[test]
    fn columns_are_aligned() {
        let lines =
            [["a", "b", "c"], ["long", "1", "x"]].map(|line| line.map(str::to_owned).to_vec());
        let mut text = Vec::new();
        write_aligned(&mut text, &lines, &[0, 2]).expect("memory");
        assert_eq!(String::from_utf8_lossy(&text), "a     b  c\nlong  1  x\n");
    }
}
