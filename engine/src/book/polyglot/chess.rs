//! The keys and codes of chess.

use super::codes::PolyglotCodes;
use super::random::RANDOM;
use damka_games::chess::{BISHOP, CastlingRights, KING, KNIGHT, Move, PAWN, Position, QUEEN, ROOK};
use damka_games::{Chess, Color, Kind, Position as _};

/// The kinds of pieces in the order of the format.
const KINDS: [Kind; 6] = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING];

// The indices in `RANDOM` of the first number for castling rights, for en passant files and for the
// side to move. The numbers for pieces come first.
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const TURN: usize = 780;

impl PolyglotCodes<Chess> {
    pub(crate) const CHESS: PolyglotCodes<Chess> = PolyglotCodes { key, code };
}

/// The key of a position, without the castling rights that only Chess960 has. The format hashes the
/// en passant file whenever an enemy pawn stands beside the pawn that has just moved. damka has an
/// en passant square only if the capture is legal. If it is not, the keys differ and the position
/// is not found.
fn key(position: &Position) -> u64 {
    let mut key = 0;
    for (number, kind) in KINDS.into_iter().enumerate() {
        for (is_white, color) in [(0, Color::Black), (1, Color::White)] {
            let first = 64 * (2 * number + is_white);
            for square in position.pieces(color, kind) {
                key ^= RANDOM[first + usize::from(square.index())];
            }
        }
    }
    for (number, right) in CastlingRights::STANDARD.into_iter().enumerate() {
        if position.castling().contains(right) {
            key ^= RANDOM[CASTLING + number];
        }
    }
    if let Some(square) = position.en_passant() {
        key ^= RANDOM[EN_PASSANT + usize::from(square.index() % 8)];
    }
    if position.turn() == Color::White {
        key ^= RANDOM[TURN];
    }
    key
}

/// The code of a move: its target, origin and promotion. Castling is a move of the king to the
/// rook's square.
fn code(mv: Move) -> u16 {
    let promotion = KINDS.iter().position(|&kind| Some(kind) == mv.promotion).unwrap_or(0);
    u16::from(mv.to.index()) | u16::from(mv.from.index()) << 6 | (promotion as u16) << 12
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::Game;

    /// The examples of <http://hgm.nubati.net/book_format.html>.
    #[test]
    fn keys_are_as_published() {
        for (moves, expected) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            let mut position = Chess.start();
            for mv in moves.split_whitespace() {
                position = position.play(position.parse_move(mv).expect("a move"));
            }
            assert_eq!(key(&position), expected, "{moves}");
        }
    }

    /// 15 bits: promotion, rank and file of the origin, rank and file of the target.
    #[test]
    fn moves_have_codes() {
        let castling = Chess.parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a position");
        let promotion = Chess.parse_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").expect("a position");
        for (position, mv, expected) in [
            (Chess.start(), "e2e4", 0b000_001_100_011_100),
            (castling, "e1g1", 0b000_000_100_000_111),
            (promotion, "a7a8n", 0b001_110_000_111_000),
            (promotion, "a7a8q", 0b100_110_000_111_000),
        ] {
            assert_eq!(code(position.parse_move(mv).expect("a move")), expected, "{mv}");
        }
    }
}
