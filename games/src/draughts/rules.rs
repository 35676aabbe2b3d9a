use crate::{Color, Game, excerpt};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A name that is not the name of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not one of the variants {names}", names = Draughts::names())]
pub struct UnknownVariant(String);

impl Draughts {
    /// The names of all variants, with spaces between.
    pub fn names() -> String {
        let names: Vec<&str> = Draughts::ALL.iter().map(|game| game.rules().name).collect();
        names.join(" ")
    }
}

impl FromStr for Draughts {
    type Err = UnknownVariant;

    /// The variant with this [name](crate::Game::is_named).
    fn from_str(name: &str) -> Result<Draughts, UnknownVariant> {
        let found = Draughts::ALL.iter().find(|game| game.is_named(name));
        found.copied().ok_or_else(|| UnknownVariant(excerpt(name)))
    }
}

/// The rule flags of a variant. The board, the quiet moves of men, and the obligation to capture
/// and to continue capturing are common to all variants.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The variant's name, see [`Game::name`].
    pub name: &'static str,
    /// Kings are flying: they move and capture along whole diagonals instead of single steps.
    pub flying_kings: bool,
    /// Flying kings must land directly behind the piece they capture.
    pub land_behind: bool,
    /// Men capture backwards as well.
    pub men_capture_backwards: bool,
    /// Men may capture kings.
    pub men_capture_kings: bool,
    /// What happens when a man reaches the last row by a capture.
    pub promotion: Promotion,
    /// When captured pieces are removed.
    pub removal: Removal,
    /// Which of the possible captures are allowed.
    pub priority: Priority,
    /// The side that moves first.
    pub first_mover: Color,
    /// The number of rows of men of each side in the start position, 1 to 3.
    pub men_rows: u32,
    /// The notation of squares.
    pub notation: Notation,
    /// The board is the mirror image of the usual one, with dark corners a8 and h1. Affects only
    /// the names of squares and diagrams.
    pub mirrored: bool,
}

impl fmt::Display for Rules {
    /// The rules on one line, without the name: kings, men, which capture is allowed, promotion,
    /// removal of captured pieces, the start, and the squares.
    ///
    /// ```
    /// use damka_games::Draughts;
    /// assert_eq!(
    ///     Draughts::English.rules().to_string(),
    ///     "kings move one square; men capture forwards only; any capture may be chosen; \
    ///      promotion ends a capture; captured pieces are removed after the move; \
    ///      Black begins, 12 men each; square 1 is b8"
    /// );
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kings = match (self.flying_kings, self.land_behind) {
            (false, _) => "kings move one square",
            (true, false) => "kings move any distance",
            (true, true) => "kings move any distance, and land directly behind what they capture",
        };
        let men = match (self.men_capture_backwards, self.men_capture_kings) {
            (true, true) => "men capture in all directions",
            (true, false) => "men capture in all directions, but cannot capture kings",
            (false, true) => "men capture forwards only",
            (false, false) => "men capture forwards only, and cannot capture kings",
        };
        let [begins, count] = [self.first_mover.to_string(), (4 * self.men_rows).to_string()];
        let squares = match (self.notation, self.mirrored) {
            (Notation::Algebraic, false) => "squares a1 to h8",
            (Notation::Algebraic, true) => "squares a8 to h1",
            (Notation::Numeric(Corner::TopLeft), false) => "square 1 is b8",
            (Notation::Numeric(Corner::TopLeft), true) => "square 1 is a8",
            (Notation::Numeric(Corner::BottomRight), false) => "square 1 is g1",
            (Notation::Numeric(Corner::BottomRight), true) => "square 1 is h1",
        };
        let (priority, promotion, removal) = (self.priority, self.promotion, self.removal);
        write!(
            f,
            "{kings}; {men}; {priority}; {promotion}; {removal}; {begins} begins, {count} men each; \
             {squares}"
        )
    }
}

/// What happens when a man reaches the last row by a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// It becomes a king at once and continues capturing as a king.
    GoesOn,
    /// It becomes a king and the move ends.
    EndsMove,
    /// It continues capturing as a man, and becomes a king only if the move ends there.
    AtEnd,
}

impl fmt::Display for Promotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Promotion::GoesOn => "a man that is promoted goes on capturing as a king",
            Promotion::EndsMove => "promotion ends a capture",
            Promotion::AtEnd => "a man is promoted only where its capture ends",
        })
    }
}

/// When captured pieces are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// When the move ends. Until then they block the captor, which may not jump them again.
    AtEnd,
    /// When they are jumped. The captor may then pass their squares, also backwards.
    AtOnce,
}

impl fmt::Display for Removal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Removal::AtEnd => "captured pieces are removed after the move",
            Removal::AtOnce => "captured pieces are removed one by one, during the move",
        })
    }
}

/// Which of the possible captures are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// All captures.
    Free,
    /// The captures by kings, if there are any.
    King,
    /// The captures of the most pieces.
    Most,
    /// The captures of the most pieces; among these, those of the most kings.
    MostThenKings,
    /// The captures of the most pieces; among these, those by a king; among these, those of the
    /// most kings; among these, those that take a king earliest.
    Italian,
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Priority::Free => "any capture may be chosen",
            Priority::King => "a capture by a king, if there is one",
            Priority::Most => "the capture of the most pieces",
            Priority::MostThenKings => "the capture of the most pieces, then of the most kings",
            Priority::Italian => {
                "the capture of the most pieces, then by a king, then of the most kings, then the \
                 one that takes a king earliest"
            }
        })
    }
}

/// The notation of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// By file and rank: `c3-d4`. Numbers from the top left corner are parsed, too.
    Algebraic,
    /// By number, from this corner: `22-18`.
    Numeric(Corner),
}

/// The corner of square 1, as White sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// Rows are numbered downwards, each from the left.
    TopLeft,
    /// Rows are numbered upwards, each from the right.
    BottomRight,
}

/// A variant as a type, for code that is compiled once per variant.
pub(super) trait Variant {
    /// The variant's rules.
    const RULES: Rules;
}

macro_rules! variants {
    ($dollar:tt $($(#[$doc:meta])* $variant:ident = $rules:expr;)*) => {
        /// The variants of draughts, as [games](crate::Game).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Draughts {
            $($(#[$doc])* $variant,)*
        }

        impl Draughts {
            /// All variants.
            pub const ALL: &'static [Draughts] = &[$(Draughts::$variant),*];

            /// The variant's rules.
            #[inline]
            pub fn rules(self) -> &'static Rules {
                match self {
                    $(Draughts::$variant => const { &$rules },)*
                }
            }
        }

        /// The variants as types, for code that is compiled once per variant.
        pub(super) mod variant {
            use super::*;
            $(
                pub(in crate::draughts) struct $variant;
                impl Variant for $variant {
                    const RULES: Rules = $rules;
                }
            )*
        }

        /// Evaluates an expression for the rules of a variant, compiled once per variant:
        /// `with_variant!(game, V => work::<V>())`.
        macro_rules! with_variant {
            ($dollar game:expr, $dollar V:ident => $dollar work:expr) => {
                match $dollar game {
                    $($crate::draughts::Draughts::$variant => {
                        type $dollar V = $crate::draughts::rules::variant::$variant;
                        $dollar work
                    })*
                }
            };
        }
        pub(super) use with_variant;
    };
}

/// The rules of variants with flying kings and no special rules.
const RUSSIAN: Rules = Rules {
    name: "russian",
    flying_kings: true,
    land_behind: false,
    men_capture_backwards: true,
    men_capture_kings: true,
    promotion: Promotion::GoesOn,
    removal: Removal::AtEnd,
    priority: Priority::Free,
    first_mover: Color::White,
    men_rows: 3,
    notation: Notation::Algebraic,
    mirrored: false,
};

/// The rules of variants with short kings.
const ENGLISH: Rules = Rules {
    name: "english",
    flying_kings: false,
    men_capture_backwards: false,
    promotion: Promotion::EndsMove,
    first_mover: Color::Black,
    notation: Notation::Numeric(Corner::TopLeft),
    ..RUSSIAN
};

variants! { $
    /// Russian draughts (shashki).
    Russian = RUSSIAN;
    /// English draughts (American checkers). Black moves first.
    English = ENGLISH;
    /// Brazilian draughts: the rules of international draughts on 8x8.
    Brazilian = Rules {
        name: "brazilian",
        promotion: Promotion::AtEnd,
        priority: Priority::Most,
        ..RUSSIAN
    };
    /// Pool checkers in the unified form of PDN: White moves first, with algebraic squares. In
    /// American pool checkers Black moves first; all other rules are the same.
    Pool = Rules { name: "pool", promotion: Promotion::AtEnd, ..RUSSIAN };
    /// Czech draughts.
    Czech = Rules {
        name: "czech",
        men_capture_backwards: false,
        promotion: Promotion::EndsMove,
        priority: Priority::King,
        ..RUSSIAN
    };
    /// Spanish draughts.
    Spanish = Rules {
        name: "spanish",
        men_capture_backwards: false,
        promotion: Promotion::EndsMove,
        priority: Priority::MostThenKings,
        notation: Notation::Numeric(Corner::BottomRight),
        mirrored: true,
        ..RUSSIAN
    };
    /// Italian draughts.
    Italian = Rules {
        name: "italian",
        men_capture_kings: false,
        priority: Priority::Italian,
        first_mover: Color::White,
        mirrored: true,
        ..ENGLISH
    };
    /// Thai draughts (makhos).
    Thai = Rules {
        name: "thai",
        first_mover: Color::Black,
        men_rows: 2,
        land_behind: true,
        men_capture_backwards: false,
        promotion: Promotion::EndsMove,
        removal: Removal::AtOnce,
        notation: Notation::Numeric(Corner::BottomRight),
        ..RUSSIAN
    };
}
