use damka_games::{Game, Material};
use damka_tables::{Indexable, Signature};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// Maps each signature to all signatures that play can lead to, directly or indirectly.
#[derive(Debug)]
pub(crate) struct Needs<G>(HashMap<Signature<G>, BTreeSet<Signature<G>>>);

impl<G: Indexable> Needs<G> {
    /// The map for `signatures` and everything that captures and promotions lead to.
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

    /// All signatures that `signature` leads to, without itself.
    pub(crate) fn of(&self, signature: &Signature<G>) -> &BTreeSet<Signature<G>> {
        &self.0[signature]
    }

    /// All signatures, each after everything that it leads to.
    pub(crate) fn in_order(&self) -> Vec<Signature<G>> {
        let mut order: Vec<Signature<G>> = self.0.keys().copied().collect();
        // A capture leaves fewer pieces; a promotion leaves the same number on each side, with
        // stronger ones. Signatures with the same first side follow each other, so that few of
        // them have to be kept in memory.
        order.sort_by_key(|signature| {
            let [first, second] = signature.materials();
            (signature.pieces(), first.total(), Reverse([first, second]))
        });
        order
    }
}

/// The signatures that one move leads to, excluding those in which a side has no pieces.
pub(crate) fn direct_successors<G: Indexable>(signature: &Signature<G>) -> BTreeSet<Signature<G>> {
    let successors = after_one_move::<G>(signature.materials()).into_iter();
    let other = successors.map(|[a, b]: [Material; 2]| Signature::new(signature.game(), a, b).0);
    other.filter(|other| other != signature).collect()
}

/// The materials, White's and Black's, after one capture or promotion from `sides` by either side.
/// A capture may also promote, and in some games captures several pieces.
pub(crate) fn after_one_move<G: Game>(sides: [Material; 2]) -> Vec<[Material; 2]> {
    let mut all = Vec::new();
    for mover in 0..2 {
        let mut after = vec![sides[mover]];
        let promotions = G::PROMOTIONS.iter();
        after.extend(
            promotions.filter_map(|&(from, to)| Some(sides[mover].without(from)?.with(to))),
        );
        let mut remaining = vec![sides[1 - mover]];
        let mut next = 0;
        while let Some(&material) = remaining.get(next) {
            let taken = G::kinds().filter(|&kind| Some(kind) != G::ROYAL);
            for less in taken.filter_map(|kind| material.without(kind)) {
                if less.total() > 0 && !remaining.contains(&less) {
                    remaining.push(less);
                }
            }
            next += 1;
            if !G::TAKES_SEVERAL {
                break;
            }
        }
        for mine in &after {
            for other in &remaining {
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
