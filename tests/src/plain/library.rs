use super::{Dense, solve};
use damka_tables::{Indexable, Signature, Value};
use std::collections::HashMap;

/// Solved signatures.
#[derive(Debug)]
pub struct Library<G> {
    known: HashMap<Signature<G>, Dense<G>>,
}

impl<G> Default for Library<G> {
    fn default() -> Library<G> {
        Library { known: HashMap::new() }
    }
}

impl<G: Indexable> Library<G> {
    /// The values of a signature. Solves it if it is unknown, after everything that it leads to.
    pub fn solved(&mut self, signature: &Signature<G>) -> &Dense<G> {
        if !self.known.contains_key(signature) {
            for exit in signature.exits() {
                self.solved(&exit);
            }
            let dense = solve(*signature, self);
            self.known.insert(*signature, dense);
        }
        &self.known[signature]
    }

    /// The value of a position of a known signature, or of one with pieces of one side only.
    ///
    /// # Panics
    /// If the signature is not known.
    #[inline]
    pub fn value(&self, position: &G::Position) -> Value {
        let (signature, side) = Signature::<G>::of(position);
        match self.known.get(&signature) {
            Some(dense) => dense.value(position, side),
            // The side to move has lost its last piece.
            None if signature.materials()[1].total() == 0 => Value::LOST,
            None => panic!("{} {signature} is not in the library", signature.game().name()),
        }
    }
}
