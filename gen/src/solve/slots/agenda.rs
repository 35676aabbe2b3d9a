//! Which slots have scores known in advance, by level.

use super::seeds::Pending;
use crate::solve::score::NONE;

/// For each score, the slots in which a score known in advance (of an exit or a hole) becomes due.
#[derive(Debug)]
pub(super) struct Agenda {
    due: Vec<Vec<u16>>,
    /// The number of entries.
    remaining: usize,
}

impl Agenda {
    /// Builds the agenda from the pending scores of all slots, from several sources.
    pub(super) fn new<'a>(sources: impl IntoIterator<Item = &'a [Pending]>) -> Agenda {
        let mut agenda = Agenda { due: vec![Vec::new(); usize::from(NONE) + 1], remaining: 0 };
        for source in sources {
            for (slot, pending) in source.iter().enumerate() {
                for score in pending.scores() {
                    agenda.due[usize::from(score)].push(slot as u16);
                    agenda.remaining += 1;
                }
            }
        }
        agenda
    }

    /// Removes and returns the slots of a score.
    pub(super) fn take(&mut self, score: u8) -> Vec<u16> {
        let due = std::mem::take(&mut self.due[usize::from(score)]);
        self.remaining -= due.len();
        due
    }

    /// Whether no entries are left.
    pub(super) fn is_empty(&self) -> bool {
        self.remaining == 0
    }
}
