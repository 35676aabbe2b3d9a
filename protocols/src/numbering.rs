use crate::board::NumberedMove;
use damka_games::draughts::{Corner, Notation};
use damka_games::{Draughts, excerpt};
use std::str::FromStr;
use thiserror::Error;

/// How a protocol numbers the squares in moves. Positions are always written from b8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// As positions are written: 1 is b8, 4 is h8, 32 is g1 (on a mirrored board a8, g8 and h1, and
    /// likewise below).
    Top,
    /// From the bottom: 1 is a1, 4 is g1, 32 is h8.
    Bottom,
    /// As positions are written, on a board turned by 180 degrees: 1 is g1, 4 is a1, 32 is b8.
    Turned,
}

/// A name that is not the name of a numbering.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a numbering: expected {names}", names = Numbering::names())]
pub struct UnknownNumbering(String);

impl Numbering {
    const ALL: [Numbering; 3] = [Numbering::Top, Numbering::Bottom, Numbering::Turned];

    /// The numbering that clients of Hub use: that of PDN, except in English draughts, where pydraughts
    /// has White move first on a turned board.
    pub fn of_hub(variant: Draughts) -> Numbering {
        match variant {
            Draughts::English => Numbering::Turned,
            _ => Numbering::of_dxp(variant),
        }
    }

    /// The numbering that programs with DXP use: that of PDN, or from a1 in variants in which PDN names
    /// squares by file and rank.
    pub fn of_dxp(variant: Draughts) -> Numbering {
        match variant.rules().notation {
            Notation::Algebraic => Numbering::Bottom,
            Notation::Numeric(Corner::TopLeft) => Numbering::Top,
            Notation::Numeric(Corner::BottomRight) => Numbering::Turned,
        }
    }

    /// All names, separated by spaces.
    pub(crate) fn names() -> String {
        Numbering::ALL.map(Numbering::name).join(" ")
    }

    /// The name on the command line and in the Hub protocol.
    pub fn name(self) -> &'static str {
        match self {
            Numbering::Top => "top",
            Numbering::Bottom => "bottom",
            Numbering::Turned => "turned",
        }
    }

    /// Converts a move from the numbers of positions to these numbers. Its own inverse.
    pub fn convert(self, mv: NumberedMove) -> NumberedMove {
        let NumberedMove { from, to, captured } = mv;
        let captured = captured.into_iter().map(|number| self.number(number)).collect();
        NumberedMove { from: self.number(from), to: self.number(to), captured }
    }

    /// Converts the number of a square. Its own inverse. Other numbers are unchanged.
    fn number(self, number: u8) -> u8 {
        match (number, self) {
            (1..=32, Numbering::Bottom) => (32 - number) / 4 * 4 + (number - 1) % 4 + 1,
            (1..=32, Numbering::Turned) => 33 - number,
            _ => number,
        }
    }
}

impl FromStr for Numbering {
    type Err = UnknownNumbering;

    fn from_str(name: &str) -> Result<Numbering, UnknownNumbering> {
        let found = Numbering::ALL.into_iter().find(|numbering| numbering.name() == name);
        found.ok_or_else(|| UnknownNumbering(excerpt(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Numbering::{Bottom, Top, Turned};

    /// The corners, as documented.
    #[test]
    fn corners_have_the_documented_numbers() {
        for (numbering, [b8, h8, a1, g1]) in
            [(Top, [1, 4, 29, 32]), (Bottom, [29, 32, 1, 4]), (Turned, [32, 29, 4, 1])]
        {
            let numbers = [1, 4, 29, 32].map(|number| numbering.number(number));
            assert_eq!(numbers, [b8, h8, a1, g1], "{numbering:?}");
            for number in 0..=u8::MAX {
                assert_eq!(numbering.number(numbering.number(number)), number);
            }
            assert_eq!(numbering.name().parse(), Ok(numbering));
        }
        assert!("left".parse::<Numbering>().is_err());
    }
}
