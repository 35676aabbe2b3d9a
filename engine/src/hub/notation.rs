use super::error::HubError;
use crate::player::{Letters, NumberedMove};
use damka_games::draughts::Move;
use damka_games::excerpt;

/// How positions are written.
pub(super) const LETTERS: Letters =
    Letters { men: ['w', 'b'], kings: ['W', 'B'], empty: 'e', turn: ['W', 'B'] };

/// How moves number the squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Numbering {
    /// As positions do: 1 is b8, 4 is h8, 32 is g1.
    #[default]
    Top,
    /// From the bottom: 1 is a1, 4 is g1, 32 is h8.
    Bottom,
    /// As positions do, of a board that is turned: 1 is g1, 4 is a1, 32 is b8.
    Turned,
}

impl Numbering {
    const ALL: [Numbering; 3] = [Numbering::Top, Numbering::Bottom, Numbering::Turned];

    /// All names.
    pub(super) fn names() -> String {
        Numbering::ALL.map(Numbering::name).join(" ")
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Numbering::Top => "top",
            Numbering::Bottom => "bottom",
            Numbering::Turned => "turned",
        }
    }

    /// What has this name.
    pub(super) fn named(name: &str) -> Option<Numbering> {
        Numbering::ALL.into_iter().find(|numbering| numbering.name() == name)
    }

    /// Reads a move: `32-28`, or `28x19x23`, which lists the captured squares behind the
    /// first and the last.
    pub(super) fn parse(self, text: &str) -> Result<NumberedMove, HubError> {
        let is_capture = text.contains('x');
        let numbers = text.split(if is_capture { 'x' } else { '-' }).map(number);
        let squares: Option<Vec<u8>> =
            numbers.map(|number| number.map(|number| self.convert(number))).collect();
        match squares.as_deref() {
            Some(&[from, to, ref captured @ ..]) if is_capture != captured.is_empty() => {
                Ok(NumberedMove { from, to, captured: captured.to_vec() })
            }
            _ => Err(HubError::NotAMove(excerpt(text))),
        }
    }

    /// Writes a move.
    pub(super) fn format(self, mv: Move) -> String {
        let NumberedMove { from, to, captured } = mv.into();
        let captured = captured.into_iter().map(|number| self.convert(number)).collect();
        let [from, to] = [from, to].map(|number| self.convert(number));
        NumberedMove { from, to, captured }.to_string()
    }

    /// The number of a square that positions give this number, and the reverse. What is no
    /// number of a square stays what it is.
    fn convert(self, number: u8) -> u8 {
        match (number, self) {
            (1..=32, Numbering::Bottom) => (32 - number) / 4 * 4 + (number - 1) % 4 + 1,
            (1..=32, Numbering::Turned) => 33 - number,
            _ => number,
        }
    }
}

fn number(digits: &str) -> Option<u8> {
    let is_number = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Numbering::{Bottom, Top, Turned};
    use damka_games::{Game, Russian};

    #[test]
    fn moves_list_what_they_capture() {
        let mv = |from, to, captured: &[u8]| NumberedMove { from, to, captured: captured.into() };
        assert_eq!(Top.parse("32-28"), Ok(mv(32, 28, &[])));
        assert_eq!(Top.parse("28x19x23"), Ok(mv(28, 19, &[23])));
        assert_eq!(Top.parse("5x05x9x18"), Ok(mv(5, 5, &[9, 18])));
        for text in ["", "-", "x", "32", "32-", "32-28-24", "28x19", "1x2-3", "a1-b2", "+1-5"] {
            assert_eq!(Top.parse(text), Err(HubError::NotAMove(text.into())));
        }
        assert!(Top.parse(&"1x".repeat(10_000)).is_err());
    }

    #[test]
    fn moves_are_written_as_they_are_read() {
        for fen in ["W:Wc3:Bd4,f6", "W:W21-32:B1-12", "W:WKa1:Bd4,f6,KH2"] {
            let position = Russian::parse_fen(fen).unwrap();
            for mv in Russian::moves(&position) {
                for numbering in Numbering::ALL {
                    assert_eq!(numbering.parse(&numbering.format(mv)), Ok(mv.into()));
                    assert_eq!(Numbering::named(numbering.name()), Some(numbering));
                }
            }
        }
        let position = Russian::parse_fen("W:Wc3:Bd4,f6").unwrap();
        let mv = Russian::moves(&position)[0];
        let texts = Numbering::ALL.map(|numbering| numbering.format(mv));
        assert_eq!(texts, ["22x8x11x18", "10x28x23x14", "11x25x22x15"]);
    }

    /// The corners, as the numberings are described.
    #[test]
    fn squares_have_the_numbers_that_are_told() {
        for (numbering, [b8, h8, a1, g1]) in
            [(Top, [1, 4, 29, 32]), (Bottom, [29, 32, 1, 4]), (Turned, [32, 29, 4, 1])]
        {
            let numbers = [1, 4, 29, 32].map(|number| numbering.convert(number));
            assert_eq!(numbers, [b8, h8, a1, g1], "{numbering:?}");
            for number in 0..=u8::MAX {
                assert_eq!(numbering.convert(numbering.convert(number)), number);
            }
        }
    }
}
