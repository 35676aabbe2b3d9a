use crate::needs::after_one_move;
use crate::solve::method;
use damka_games::{Color, Game, Material};
use damka_tables::Signature;
use std::fmt;

/// The rows of a signature's frames with one side to move that other signatures look up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rows {
    /// None.
    Nothing,
    /// Those in which the side that is not to move has a king where its men promote.
    Promoted,
    /// All.
    All,
}

impl Rows {
    const ALL: [Rows; 3] = [Rows::Nothing, Rows::Promoted, Rows::All];

    fn name(self) -> &'static str {
        match self {
            Rows::Nothing => "none",
            Rows::Promoted => "promoted",
            Rows::All => "all",
        }
    }
}

/// What other signatures look up in the frames of a signature, by side to move.
///
/// A move passes the turn. After a capture, the side that has lost pieces is therefore to move; after
/// a promotion without a capture, the side that is not to move has a new king on its promotion row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand(pub(super) [Rows; 2]);

/// Two words, for White and for Black to move, as in `all,promoted`.
impl fmt::Display for Demand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = self.0.map(Rows::name);
        write!(f, "{white},{black}")
    }
}

impl method::Demand for Demand {
    fn parse(text: &str) -> Option<Demand> {
        let rows = |name: &str| Rows::ALL.into_iter().find(|rows| rows.name() == name);
        let (white, black) = text.split_once(',')?;
        Some(Demand([rows(white)?, rows(black)?]))
    }

    fn covers(&self, other: &Demand) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, other)| mine >= other)
    }

    fn is_nothing(&self) -> bool {
        self.0 == [Rows::Nothing; 2]
    }
}

impl Demand {
    /// Everything.
    pub(super) const ALL: Demand = Demand([Rows::All; 2]);

    /// What `users` look up in the frames of these materials, White's first.
    pub(super) fn new<G: Game>(materials: [Material; 2], users: &[Signature<G>]) -> Demand {
        let mut demand = Demand([Rows::Nothing; 2]);
        for before in users.iter().map(Signature::materials) {
            if demand == Demand::ALL {
                break;
            }
            for after in after_one_move::<G>(before) {
                let [white, black] = after;
                let is_exchanged = after != materials;
                if is_exchanged && [black, white] != materials {
                    continue;
                }
                let mover = Color::BOTH.into_iter().find(|&color| {
                    let other = !color as usize;
                    after[other].total() < before[other].total()
                });
                let promoted = || {
                    let changed = |&color: &Color| after[color as usize] != before[color as usize];
                    Color::BOTH.into_iter().find(changed)
                };
                let (mover, rows) = match mover {
                    Some(mover) => (mover, Rows::All),
                    None => (promoted().unwrap_or(Color::White), Rows::Promoted),
                };
                let turn = if is_exchanged { mover } else { !mover };
                let demanded = &mut demand.0[turn as usize];
                *demanded = (*demanded).max(rows);
            }
        }
        demand
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::method::Demand as _;
    use damka_games::{Draughts, Russian};

    fn demand(of: &str, users: &[&str]) -> [Rows; 2] {
        let signature =
            |text: &&str| Signature::<Draughts>::parse(Russian, text).expect("a signature");
        let users: Vec<_> = users.iter().map(signature).collect();
        Demand::new(signature(&of).materials(), &users).0
    }

    #[test]
    fn a_promotion_asks_for_the_rows_with_the_new_king() {
        assert_eq!(demand("KKvK", &["KMvK"]), [Rows::Nothing, Rows::Promoted]);
        // The side that is named second has promoted.
        assert_eq!(demand("KKvK", &["KKvM"]), [Rows::Promoted, Rows::Nothing]);
    }

    #[test]
    fn a_capture_asks_for_the_turn_of_the_side_that_lost_a_piece() {
        assert_eq!(demand("KKvK", &["KKvKK"]), [Rows::Nothing, Rows::All]);
        assert_eq!(demand("KKvK", &["KKKvK"]), [Rows::All, Rows::Nothing]);
        assert_eq!(demand("KKvK", &["KKvKM", "KKMvK"]), [Rows::All; 2]);
        // A capture may promote, too.
        assert_eq!(demand("KKvK", &["KKvKM"]), [Rows::Nothing, Rows::All]);
        assert_eq!(demand("KKvK", &["KMvKK"]), [Rows::Nothing, Rows::All]);
    }

    #[test]
    fn signatures_that_do_not_lead_there_ask_for_nothing() {
        assert_eq!(demand("KKvK", &["KKKKvKKK", "MvM"]), [Rows::Nothing; 2]);
    }

    #[test]
    fn a_demand_round_trips_through_text() {
        for white in Rows::ALL {
            for black in Rows::ALL {
                let demand = Demand([white, black]);
                assert_eq!(Demand::parse(&demand.to_string()), Some(demand));
            }
        }
        assert_eq!(Demand([Rows::All, Rows::Promoted]).to_string(), "all,promoted");
        for text in ["", "all", "all,", "all,all,all", "most,all"] {
            assert_eq!(Demand::parse(text), None, "{text}");
        }
    }

    #[test]
    fn more_covers_less() {
        let demand = |white, black| Demand([white, black]);
        assert!(Demand::ALL.covers(&demand(Rows::Nothing, Rows::Promoted)));
        assert!(!demand(Rows::Promoted, Rows::All).covers(&demand(Rows::All, Rows::Nothing)));
    }
}
