use damka_games::{Color, Game, Kind, Material, Position, excerpt};
use std::fmt;
use thiserror::Error;

/// The maximum number of pieces in a table: 9 pieces would take weeks to build.
pub const MAX_TABLE_PIECES: u32 = 8;

/// A material signature: the pieces of each side, as in `KKMvKM`.
///
/// Always in canonical order: the side with more pieces first; with equal numbers, the side with
/// the stronger pieces. A position in which Black is the stronger side is looked up with colours
/// flipped.
///
/// ```
/// use damka_games::{Game, Russian};
/// use damka_tables::{Side, Signature};
///
/// let signature = Signature::parse(Russian, "KMvKKM")?;
/// assert_eq!(signature.to_string(), "KKMvKM");
/// assert_eq!(signature.pieces(), 5);
/// // Black is the stronger side, and to move: the side that is named first.
/// let position = Russian.parse_fen("B:WKa1,c3:BKh8,Kf8,d6").unwrap();
/// assert_eq!(Signature::of(&position), (signature, Side::First));
/// # Ok::<(), damka_tables::SignatureError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature<G> {
    game: G,
    sides: [Material; 2],
}

/// One of a signature's two sides, as the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The side named first, the stronger one; White in results.
    First = 0,
    /// The side named second; Black in results.
    Second = 1,
}

impl Side {
    /// The colour of the side in results: the side named first is White.
    pub fn color(self) -> Color {
        match self {
            Side::First => Color::White,
            Side::Second => Color::Black,
        }
    }

    /// The side that has this [colour](Side::color).
    pub fn of_color(color: Color) -> Side {
        match color {
            Color::White => Side::First,
            Color::Black => Side::Second,
        }
    }
}

/// Why a signature was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{}` is not a signature of {game}: {problem}", excerpt(text))]
pub struct SignatureError {
    text: String,
    game: &'static str,
    problem: String,
}

/// Which side `mover` is in the signature of these materials; the first if they are equal.
#[inline]
pub(crate) fn side_of(mover: &Material, opponent: &Material) -> Side {
    let strength = |side: &Material| (side.total(), side.0);
    match strength(mover) >= strength(opponent) {
        true => Side::First,
        false => Side::Second,
    }
}

/// Splits a signature without a separator into its sides, each of which begins with its only king.
/// Where kings may repeat, as in draughts, the start of the second side is unknown.
fn split_at_king<G: Game>(text: &str) -> Option<(&str, &str)> {
    let king = G::KINDS[G::ROYAL?.index()];
    let is_king = |letter: char| letter.eq_ignore_ascii_case(&king);
    let rest = text.strip_prefix(is_king)?;
    let second = text.len() - rest.len() + rest.find(is_king)?;
    Some(text.split_at(second))
}

/// Whether a side has exactly one royal piece, if the game has such a kind.
fn has_king<G: Game>(side: &Material) -> bool {
    G::ROYAL.is_none_or(|king| side[king] == 1)
}

impl<G: Game> Signature<G> {
    /// The signature of two sides, and the side of `mover` in it (the first if both are equal).
    #[inline]
    pub fn new(game: G, mover: Material, opponent: Material) -> (Signature<G>, Side) {
        let side = side_of(&mover, &opponent);
        let sides = match side {
            Side::First => [mover, opponent],
            Side::Second => [opponent, mover],
        };
        (Signature { game, sides }, side)
    }

    /// The game.
    #[inline]
    pub fn game(&self) -> G {
        self.game
    }

    /// The signature of a position, and its side to move.
    #[inline]
    pub fn of(position: &G::Position) -> (Signature<G>, Side) {
        let turn = position.turn();
        let [mover, opponent] = [turn, !turn].map(|color| position.material(color));
        Signature::new(position.game(), mover, opponent)
    }

    /// All signatures of `pieces` pieces of `game` in ascending order, with at least one piece on
    /// each side, and exactly one of the [royal](Game::ROYAL) kind if the game has one.
    pub fn all(game: G, pieces: u32) -> Vec<Signature<G>> {
        fn materials<G: Game>(total: u32) -> Vec<Material> {
            let mut all = vec![Material::default()];
            for _ in 0..total {
                let kinds = G::kinds();
                all = all.iter().flat_map(|m| kinds.clone().map(|kind| m.with(kind))).collect();
                all.sort();
                all.dedup();
            }
            all.retain(has_king::<G>);
            all
        }
        let mut all: Vec<_> = (1..pieces)
            .flat_map(|first| {
                let second = materials::<G>(pieces - first);
                materials::<G>(first).into_iter().flat_map(move |a| {
                    second.clone().into_iter().map(move |b| Signature::new(game, a, b).0)
                })
            })
            .collect();
        all.sort();
        all.dedup();
        all
    }

    /// The signatures that one capture or promotion leads to, excluding those in which a side has
    /// no pieces.
    pub fn exits(&self) -> Vec<Signature<G>> {
        let exits = G::exits(self.sides).into_iter();
        let alive = exits.filter(|sides| sides.iter().all(|side| side.total() > 0));
        let mut exits: Vec<_> = alive.map(|[a, b]| Signature::new(self.game, a, b).0).collect();
        exits.sort();
        exits.dedup();
        exits
    }

    /// The materials of the first and the second side.
    pub fn materials(&self) -> [Material; 2] {
        self.sides
    }

    /// The materials of the side to move and its opponent.
    pub fn to_move(&self, side: Side) -> [Material; 2] {
        match side {
            Side::First => self.sides,
            Side::Second => [self.sides[1], self.sides[0]],
        }
    }

    /// The number of pieces.
    pub fn pieces(&self) -> u32 {
        self.sides.iter().map(Material::total).sum()
    }

    /// Whether there can be a table: there are at most [`MAX_TABLE_PIECES`] pieces.
    pub fn can_have_table(&self) -> bool {
        self.pieces() <= MAX_TABLE_PIECES
    }

    /// The distinct sides to move: only the first if both have the same pieces, because flipping
    /// the colours maps one to the other.
    pub fn sides(&self) -> &'static [Side] {
        match self.sides[0] == self.sides[1] {
            true => &[Side::First],
            false => &[Side::First, Side::Second],
        }
    }
}

impl<G: Game> fmt::Display for Signature<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.in_order(Side::First))
    }
}

impl<G: Game> Signature<G> {
    /// The text of the signature with this side first. [`parse_in_order`](Signature::parse_in_order) reads
    /// both orders.
    pub fn in_order(&self, first: Side) -> String {
        let [first, second] = self.to_move(first).map(|material| -> String {
            let kinds = G::KINDS.iter().zip(material.0);
            kinds.flat_map(|(&letter, count)| std::iter::repeat_n(letter, count.into())).collect()
        });
        format!("{first}v{second}")
    }

    /// Parses a signature. The sides and the letters of a side may be in any order and in upper or
    /// lower case, and `-` and `_` stand for `v`. Where each side has one king, the second king
    /// begins the second side: `KRPKR` is `KRPvKR`. File names use only the canonical form of
    /// `Display`.
    ///
    /// # Errors
    /// Fails if the text is not a signature of this game.
    pub fn parse(game: G, text: &str) -> Result<Signature<G>, SignatureError> {
        Ok(Signature::parse_in_order(game, text)?.0)
    }

    /// Like [`parse`](Signature::parse); also returns the side that the text names first (the first if both are
    /// equal).
    ///
    /// # Errors
    /// Fails if the text is not a signature of this game.
    pub fn parse_in_order(game: G, text: &str) -> Result<(Signature<G>, Side), SignatureError> {
        let letters: String = G::KINDS.iter().collect();
        let error =
            |problem: String| SignatureError { text: excerpt(text), game: game.name(), problem };
        let form = || error(format!("expected the letters {letters} for each side, joined by `v`"));
        let (first, second) = text
            .split_once(['v', 'V', '-', '_'])
            .or_else(|| split_at_king::<G>(text))
            .ok_or_else(form)?;
        let mut sides = [Material::default(); 2];
        for (side, word) in sides.iter_mut().zip([first, second]) {
            for letter in word.chars() {
                let matches = |known: &char| known.eq_ignore_ascii_case(&letter);
                let kind = G::KINDS.iter().position(matches).map(Kind::new).ok_or_else(form)?;
                *side = side.with(kind);
                if side.total() > G::MAX_SIDE_PIECES {
                    return Err(error(format!("a side has at most {} pieces", G::MAX_SIDE_PIECES)));
                }
            }
            if side.total() == 0 {
                return Err(error("each side needs a piece".to_owned()));
            }
            if !has_king::<G>(side) {
                return Err(error("each side needs one king".to_owned()));
            }
        }
        Ok(Signature::new(game, sides[0], sides[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Alapo, Chess, Draughts, Russian};

    fn parse(text: &str) -> Result<Signature<Draughts>, SignatureError> {
        Signature::parse(Russian, text)
    }

    #[test]
    fn the_stronger_side_comes_first() {
        for (text, canonical) in [
            ("KvK", "KvK"),
            ("MvK", "KvM"),
            ("KvMM", "MMvK"),
            ("MKvKK", "KKvKM"),
            ("KMMvKKM", "KKMvKMM"),
        ] {
            assert_eq!(parse(text).expect("a signature").to_string(), canonical);
        }
    }

    #[test]
    fn letters_come_in_any_case_and_order() {
        for (text, canonical) in [
            ("kkvk", "KKvK"),
            ("KVK", "KvK"),
            ("kVkk", "KKvK"),
            ("MKvK", "KMvK"),
            ("mKMkvmK", "KKMMvKM"),
        ] {
            assert_eq!(parse(text).expect("a signature").to_string(), canonical);
        }
        let alapo = Signature::parse(Alapo, "fwvqB").expect("a signature");
        assert_eq!(alapo.to_string(), "QBvWF");
    }

    #[test]
    fn sides_are_separated_as_people_separate_them() {
        for text in ["KRPvKR", "KRPKR", "krpkr", "KRP-KR", "KRP_KR", "KRkrp"] {
            let signature = Signature::parse(Chess, text).expect("a signature");
            assert_eq!(signature.to_string(), "KRPvKR", "{text}");
        }
        for text in ["KRP", "RKPK", "KRPKRK", "KK K", "KRP--KR", ""] {
            assert!(Signature::parse(Chess, text).is_err(), "{text}");
        }
        assert_eq!(parse("KK-km").expect("a signature").to_string(), "KKvKM");
        let first = |text| Signature::parse_in_order(Russian, text).expect("a signature").1;
        assert_eq!(["KKvM", "MvKK", "KMvKM"].map(first), [Side::First, Side::Second, Side::First]);
        // Where kings may repeat, the sides cannot be distinguished.
        for text in ["KKK", "KMK"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(Signature::parse(Alapo, "KK").is_err());
    }

    /// Errors are shown on terminals, so the text is shortened and escaped.
    #[test]
    fn errors_quote_the_text_shortened_and_escaped() {
        let error = parse(&"\x1b[2J".repeat(1000)).expect_err("nonsense").to_string();
        assert!(error.starts_with("`\\u{1b}[2J") && error.len() < 200, "{error}");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "K", "Kv", "vK", "KxK", "KvQ", "KvKvK", "MMMMMMMMMMMMMvK", "кvк"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn each_side_needs_exactly_one_royal_king() {
        for text in ["QvK", "KvQ", "KKvK", "KQvKK"] {
            let error = Signature::parse(Chess, text).expect_err("no king, or two").to_string();
            assert!(error.ends_with("each side needs one king"), "{error}");
        }
        let signature = Signature::parse(Chess, "krvqk").expect("a signature");
        assert_eq!(signature.to_string(), "KQvKR");
        // The same numbers of tables as in other programs.
        let counts = [2, 3, 4, 5, 6].map(|pieces| Signature::all(Chess, pieces).len());
        assert_eq!(counts, [1, 5, 30, 110, 365]);
        for signature in Signature::all(Chess, 5) {
            let exits = signature.exits();
            let name = |signature: &Signature<Chess>| signature.to_string();
            let listed = exits.iter().map(name).map(|text| Signature::parse(Chess, &text));
            assert!(listed.eq(exits.iter().copied().map(Ok)), "{signature}");
        }
    }

    #[test]
    fn all_lists_every_pair_of_materials() {
        // n like-coloured pieces of 2 kinds make n + 1 materials: 6 pieces make 2 x 6 + 3 x 5
        // signatures, and 4 x 5 / 2 with three on each side.
        let counts = [2, 3, 4, 5, 6].map(|pieces| Signature::all(Russian, pieces).len());
        assert_eq!(counts, [3, 6, 14, 22, 37]);
    }
}
