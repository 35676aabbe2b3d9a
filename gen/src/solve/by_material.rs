use damka_games::Material;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The frames of solved signatures, by their materials (White's first).
#[derive(Debug)]
pub(crate) struct SolvedByMaterial<F> {
    frames: FxHashMap<[Material; 2], Arc<F>>,
}

impl<F> Default for SolvedByMaterial<F> {
    fn default() -> SolvedByMaterial<F> {
        SolvedByMaterial { frames: FxHashMap::default() }
    }
}

impl<F> SolvedByMaterial<F> {
    pub(super) fn insert(&mut self, materials: [Material; 2], frames: Arc<F>) {
        self.frames.insert(materials, frames);
    }

    /// The frames of these materials, White's first.
    pub(super) fn find(&self, materials: &[Material; 2]) -> Option<&Arc<F>> {
        self.frames.get(materials)
    }

    /// Removes all frames for which `keep` returns false.
    pub(super) fn retain(&mut self, keep: impl FnMut(&[Material; 2], &mut Arc<F>) -> bool) {
        self.frames.retain(keep);
    }
}
