use super::error::{HubError, shortened};
use crate::player::{Letters, NumberedMove};
use damka_games::draughts::Move;

/// How positions are written.
pub(super) const LETTERS: Letters =
    Letters { men: ['w', 'b'], kings: ['W', 'B'], empty: 'e', turn: ['W', 'B'] };

/// Reads a move: `32-28`, or `28x19x23`, which lists the captured squares behind the
/// first and the last.
pub(super) fn parse(text: &str) -> Result<NumberedMove, HubError> {
    let is_capture = text.contains('x');
    let numbers: Option<Vec<u8>> =
        text.split(if is_capture { 'x' } else { '-' }).map(number).collect();
    match numbers.as_deref() {
        Some(&[from, to, ref captured @ ..]) if is_capture != captured.is_empty() => {
            Ok(NumberedMove { from, to, captured: captured.to_vec() })
        }
        _ => Err(HubError::NotAMove(shortened(text))),
    }
}

fn number(digits: &str) -> Option<u8> {
    let is_number = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

/// Writes a move.
pub(super) fn format(mv: Move) -> String {
    NumberedMove::from(mv).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Game, Russian};

    #[test]
    fn moves_list_what_they_capture() {
        let mv = |from, to, captured: &[u8]| NumberedMove { from, to, captured: captured.into() };
        assert_eq!(parse("32-28"), Ok(mv(32, 28, &[])));
        assert_eq!(parse("28x19x23"), Ok(mv(28, 19, &[23])));
        assert_eq!(parse("5x05x9x18"), Ok(mv(5, 5, &[9, 18])));
        for text in ["", "-", "x", "32", "32-", "32-28-24", "28x19", "1x2-3", "a1-b2", "+1-5"] {
            assert_eq!(parse(text), Err(HubError::NotAMove(text.into())));
        }
        assert!(parse(&"1x".repeat(10_000)).is_err());
    }

    #[test]
    fn moves_are_written_as_they_are_read() {
        for fen in ["W:Wc3:Bd4,f6", "W:W21-32:B1-12", "W:WKa1:Bd4,f6,KH2"] {
            let position = Russian::parse_fen(fen).unwrap();
            for mv in Russian::moves(&position) {
                assert_eq!(parse(&format(mv)), Ok(mv.into()));
            }
        }
        let position = Russian::parse_fen("W:Wc3:Bd4,f6").unwrap();
        let texts: Vec<String> = Russian::moves(&position).into_iter().map(format).collect();
        assert_eq!(texts, ["22x8x11x18"]);
    }
}
