use damka_games::{Color, Pieces};

/// A subset of the fibres of a signature.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    All,
    /// The fibres in which all men of White and Black stand on the given squares, White's set
    /// first.
    MenOn([u64; 2]),
}

impl Part {
    /// Whether the fibre with these men belongs to the subset.
    pub(super) fn contains(self, men: &Pieces) -> bool {
        self.contains_on(Color::BOTH.map(|color| men.side(color).bits()))
    }

    /// Whether the fibre whose men, White's and Black's, stand on these squares belongs to the
    /// subset.
    pub(super) fn contains_on(self, men: [u64; 2]) -> bool {
        match self {
            Part::All => true,
            Part::MenOn(squares) => men.iter().zip(squares).all(|(men, set)| men & !set == 0),
        }
    }

    /// These fibres with colours exchanged. `flip` maps a set of squares to the flipped board.
    pub(super) fn flipped(self, flip: impl Fn(u64) -> u64) -> Part {
        match self {
            Part::All => Part::All,
            Part::MenOn([white, black]) => Part::MenOn([black, white].map(flip)),
        }
    }
}
