//! Letters, digits and signs as strokes, so that a picture looks the same everywhere and needs no font.

/// The width of a glyph with the space after it, and its height above the base line.
const ADVANCE: f64 = 9.0;
pub(super) const HEIGHT: f64 = 11.0;

/// The strokes of a glyph in a box of 8 by [`HEIGHT`]; a `g` goes below it.
const fn strokes(glyph: char) -> &'static str {
    match glyph {
        '0' => "M4 1C6 1 7 3 7 6S6 11 4 11 1 9 1 6 2 1 4 1Z",
        '1' => "M2 3L4.5 1V11",
        '2' => "M1.2 3.6C1.2 2 2.4 1 4 1S6.8 2 6.8 3.7C6.8 5.6 5 6.8 1.2 11H7",
        '3' => "M1.3 1H6.5L3.6 4.9C5.6 4.9 6.9 6.1 6.9 7.9S5.6 11 3.9 11 1.4 10.2 1 8.9",
        '4' => "M5.3 11V1L1 8H7.2",
        '5' => {
            "M6.4 1H2L1.5 5.6C2.2 5 3 4.7 3.9 4.7 5.7 4.7 6.9 6 6.9 7.8S5.6 11 3.9 11 1.4 10.3 1 9"
        }
        '6' => {
            "M6.2 1.6C5.6 1.2 5 1 4.4 1 2.3 1 1.1 3 1.1 6.6V7.6C1.1 5.8 2.3 4.6 4 4.6S6.9 5.8 6.9 7.7 5.7 11 4 11 1.1 9.6 1.1 7.6"
        }
        '7' => "M1 1H7L3.2 11",
        '8' => {
            "M4 5.4C2.4 5.4 1.5 4.5 1.5 3.2S2.5 1 4 1 6.5 1.9 6.5 3.2 5.6 5.4 4 5.4C2.2 5.4 1 6.6 1 8.2S2.2 11 4 11 7 9.8 7 8.2 5.8 5.4 4 5.4Z"
        }
        '9' => {
            "M1.8 10.4C2.4 10.8 3 11 3.6 11 5.7 11 6.9 9 6.9 5.4V4.4C6.9 6.2 5.7 7.4 4 7.4S1.1 6.2 1.1 4.3 2.3 1 4 1 6.9 2.4 6.9 4.4"
        }
        'a' => {
            "M6.5 4.4V11M6.5 6C5.9 4.9 5 4.3 3.9 4.3 2.2 4.3 1 5.7 1 7.7S2.2 11 3.9 11C5 11 5.9 10.4 6.5 9.3"
        }
        'b' => {
            "M1.5 0.5V11M1.5 6C2.1 4.9 3 4.3 4.1 4.3 5.8 4.3 7 5.7 7 7.7S5.8 11 4.1 11C3 11 2.1 10.4 1.5 9.3"
        }
        'c' => {
            "M6.7 5.6C6.1 4.8 5.3 4.3 4.2 4.3 2.4 4.3 1.1 5.7 1.1 7.7S2.4 11 4.2 11C5.3 11 6.1 10.5 6.7 9.7"
        }
        'd' => {
            "M6.5 0.5V11M6.5 6C5.9 4.9 5 4.3 3.9 4.3 2.2 4.3 1 5.7 1 7.7S2.2 11 3.9 11C5 11 5.9 10.4 6.5 9.3"
        }
        'e' => {
            "M1.2 7.6H6.9C6.9 5.6 5.7 4.3 4.1 4.3 2.4 4.3 1.1 5.7 1.1 7.7S2.4 11 4.3 11C5.3 11 6.1 10.6 6.6 10"
        }
        'f' => "M5.8 0.8C5.4 0.6 5 0.5 4.6 0.5 3.4 0.5 2.7 1.3 2.7 2.7V11M1 4.5H5.3",
        'g' => {
            "M6.5 4.4V11.6C6.5 13.2 5.5 14 3.9 14 2.8 14 2 13.7 1.3 13M6.5 6C5.9 4.9 5 4.3 3.9 4.3 2.2 4.3 1 5.7 1 7.7S2.2 11 3.9 11C5 11 5.9 10.4 6.5 9.3"
        }
        'h' => "M1.5 0.5V11M1.5 6.8C1.8 5.3 2.7 4.3 4 4.3 5.5 4.3 6.3 5.2 6.3 6.9V11",
        '+' => "M1 6.5H7M4 3.5V9.5",
        '-' => "M1 6.5H7",
        '=' => "M1 4.7H7M1 8.3H7",
        '?' => "M1.4 3.4C1.4 1.9 2.5 1 4 1S6.7 2 6.7 3.5C6.7 5.4 4 5.6 4 8M4 10.9V11",
        _ => "",
    }
}

/// The part of a text that is placed at a point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    /// Its start.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// A text as a group of strokes of class `class`, with its base line at `y`. A glyph is `size` high.
pub(super) fn text(text: &str, x: f64, y: f64, size: f64, anchor: Anchor, class: &str) -> String {
    let scale = size / HEIGHT;
    let width = scale * (ADVANCE * text.chars().count() as f64 - 1.0);
    let left = match anchor {
        Anchor::Start => x,
        Anchor::Middle => x - width / 2.0,
        Anchor::End => x - width,
    };
    let top = y - size;
    let glyphs: String = text
        .chars()
        .enumerate()
        .map(|(place, glyph)| {
            let x = ADVANCE * place as f64;
            format!("<path transform=\"translate({x})\" d=\"{}\"/>", strokes(glyph))
        })
        .collect();
    format!(
        "<g class=\"{class}\" transform=\"translate({left:.2} {top:.2}) scale({scale:.3})\">{glyphs}</g>\n"
    )
}
