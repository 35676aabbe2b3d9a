use super::error::HubError;
use crate::board::{Letters, NumberedMove};
use crate::numbering::Numbering;
use damka_games::draughts::Move;
use damka_games::{Draughts, excerpt};

/// The letters of positions.
pub(super) const LETTERS: Letters =
    Letters { men: ['w', 'b'], kings: ['W', 'B'], empty: 'e', turn: ['W', 'B'] };

/// Reads a move: `32-28`, or `28x19x23` with the captured squares after origin and target.
pub(super) fn parse_move(text: &str, numbering: Numbering) -> Result<NumberedMove, HubError> {
    let is_capture = text.contains('x');
    let numbers = text.split(if is_capture { 'x' } else { '-' }).map(number);
    match numbers.collect::<Option<Vec<u8>>>().as_deref() {
        Some(&[from, to, ref captured @ ..]) if is_capture != captured.is_empty() => {
            Ok(numbering.convert(NumberedMove { from, to, captured: captured.to_vec() }))
        }
        _ => Err(HubError::NotAMove(excerpt(text))),
    }
}

/// Writes a move.
pub(super) fn format_move(variant: Draughts, mv: Move, numbering: Numbering) -> String {
    numbering.convert(NumberedMove::new(variant, mv)).to_string()
}

fn number(digits: &str) -> Option<u8> {
    let is_number = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Numbering::{Bottom, Top, Turned};
    use damka_games::{Game, Position, Russian};

    #[test]
    fn moves_list_captured_squares() {
        let mv = |from, to, captured: &[u8]| NumberedMove { from, to, captured: captured.into() };
        assert_eq!(parse_move("32-28", Top), Ok(mv(32, 28, &[])));
        assert_eq!(parse_move("28x19x23", Top), Ok(mv(28, 19, &[23])));
        assert_eq!(parse_move("5x05x9x18", Top), Ok(mv(5, 5, &[9, 18])));
        for text in ["", "-", "x", "32", "32-", "32-28-24", "28x19", "1x2-3", "a1-b2", "+1-5"] {
            assert_eq!(parse_move(text, Top), Err(HubError::NotAMove(text.into())));
        }
        assert!(parse_move(&"1x".repeat(10_000), Top).is_err());
    }

    #[test]
    fn written_moves_are_read() {
        for fen in ["W:Wc3:Bd4,f6", "W:W21-32:B1-12", "W:WKa1:Bd4,f6,KH2"] {
            let position = Russian.parse_fen(fen).unwrap();
            for mv in position.moves() {
                for numbering in [Top, Bottom, Turned] {
                    assert_eq!(
                        parse_move(&format_move(Russian, mv, numbering), numbering),
                        Ok(NumberedMove::new(Russian, mv))
                    );
                }
            }
        }
        let position = Russian.parse_fen("W:Wc3:Bd4,f6").unwrap();
        let mv = position.moves()[0];
        let texts = [Top, Bottom, Turned].map(|numbering| format_move(Russian, mv, numbering));
        assert_eq!(texts, ["22x8x11x18", "10x28x23x14", "11x25x22x15"]);
    }
}
