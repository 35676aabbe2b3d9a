use super::exits::{OneByOne, Solvable};
use damka_games::draughts::{Draughts, Variant};

impl<V: Variant> Solvable for Draughts<V> {
    type Exits = OneByOne;
}
