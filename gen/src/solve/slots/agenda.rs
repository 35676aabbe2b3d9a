//! Which slots have something to take at which level.

use super::seeds::Pending;
use crate::solve::score::NONE;

/// The slots where something that is known beforehand becomes due, by its score.
#[derive(Debug)]
pub(super) struct Agenda {
    due: Vec<Vec<u16>>,
    /// How many entries there are.
    left: usize,
}

impl Agenda {
    /// What is pending of each slot, from several sources.
    pub(super) fn new<'a>(sources: impl IntoIterator<Item = &'a [Pending]>) -> Agenda {
        let mut agenda = Agenda { due: vec![Vec::new(); usize::from(NONE) + 1], left: 0 };
        for source in sources {
            for (slot, pending) in source.iter().enumerate() {
                for score in pending.scores() {
                    agenda.due[usize::from(score)].push(slot as u16);
                    agenda.left += 1;
                }
            }
        }
        agenda
    }

    /// Takes out the slots of a score.
    pub(super) fn take(&mut self, score: u8) -> Vec<u16> {
        let due = std::mem::take(&mut self.due[usize::from(score)]);
        self.left -= due.len();
        due
    }

    /// Whether nothing will become due.
    pub(super) fn is_empty(&self) -> bool {
        self.left == 0
    }
}
