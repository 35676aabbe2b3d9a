use damka_games::{Game, Material};
use damka_tables::{Indexable, Signature};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// For some signatures and all they lead to: everything that play can lead to.
#[derive(Debug)]
pub(crate) struct Needs<G>(HashMap<Signature<G>, BTreeSet<Signature<G>>>);

impl<G: Indexable> Needs<G> {
    /// Follows captures and promotions from `signatures` to the end.
    pub(crate) fn new(signatures: &[Signature<G>]) -> Needs<G> {
        let mut needs = Needs(HashMap::new());
        for &signature in signatures {
            needs.follow(signature);
        }
        needs
    }

    fn follow(&mut self, signature: Signature<G>) {
        if self.0.contains_key(&signature) {
            return;
        }
        let mut all = BTreeSet::new();
        for exit in signature.exits() {
            self.follow(exit);
            all.extend(&self.0[&exit]);
            all.insert(exit);
        }
        self.0.insert(signature, all);
    }

    /// What a signature leads to, itself left out.
    pub(crate) fn of(&self, signature: &Signature<G>) -> &BTreeSet<Signature<G>> {
        &self.0[signature]
    }

    /// All signatures, each behind everything it leads to.
    pub(crate) fn in_order(&self) -> Vec<Signature<G>> {
        let mut order: Vec<Signature<G>> = self.0.keys().copied().collect();
        // A capture leaves fewer pieces, a promotion as many on each side, of which more
        // are strong. Going through what promotions lead to one row after the other
        // keeps few signatures in memory.
        order.sort_by_key(|signature| {
            let [first, second] = signature.materials();
            (signature.pieces(), first.total(), Reverse([first, second]))
        });
        order
    }
}

/// The materials, White's and Black's, that one move leads to from `sides`, with
/// whichever side to move: a capture may promote, and in some games take several pieces.
pub(crate) fn after_one_move<G: Game>(sides: [Material; 2]) -> Vec<[Material; 2]> {
    let mut all = Vec::new();
    for mover in 0..2 {
        let mut after = vec![sides[mover]];
        let promotions = G::PROMOTIONS.iter();
        after.extend(
            promotions.filter_map(|&(from, to)| Some(sides[mover].without(from)?.with(to))),
        );
        let mut left = vec![sides[1 - mover]];
        let mut next = 0;
        while let Some(&material) = left.get(next) {
            let taken = G::kinds().filter(|&kind| Some(kind) != G::ROYAL);
            for less in taken.filter_map(|kind| material.without(kind)) {
                if less.total() > 0 && !left.contains(&less) {
                    left.push(less);
                }
            }
            next += 1;
            if !G::TAKES_SEVERAL {
                break;
            }
        }
        for mine in &after {
            for other in &left {
                let mut pair = [*mine, *other];
                if mover == 1 {
                    pair.reverse();
                }
                if pair != sides && !all.contains(&pair) {
                    all.push(pair);
                }
            }
        }
    }
    all
}
