use super::demand::Demand;
use super::frames::Frames;
use crate::GenError;
use crate::solve::arrays::ScratchFiles;
use crate::solve::footprint::{Footprint, MemoryOptions};
use crate::solve::men::fibres_by_advance;
use crate::solve::method::Solvable;
use damka_games::Material;
use damka_tables::Index;
use damka_tables::metric::Metric;

/// The frames of a signature while it is solved: those that its own fibres look up, and the rows that
/// other signatures will look up.
///
/// A quiet move of a man leads to a fibre whose men have advanced one step further; a quiet move of a
/// king stays in the fibre. Fibres are solved in groups of equal advance, so a group looks up only the
/// frames of the previous group, and older ones are dropped.
#[derive(Debug)]
pub(super) struct OwnFrames<G> {
    /// For all fibres, the rows that other signatures will look up; all rows if there are no `groups`.
    kept: Frames<G>,
    /// The previous group and the one that is being solved.
    groups: Option<Groups<G>>,
}

#[derive(Debug)]
struct Groups<G> {
    previous: Frames<G>,
    current: Frames<G>,
}

/// Smaller frames (in bytes, both sides to move) are not worth an entry in a map of fibres.
const MIN_GROUPED_BYTES: u64 = 256;

/// Whether frames are kept in groups.
fn are_grouped<G: Solvable>(materials: [Material; 2], metric: Metric, demand: Demand) -> bool {
    demand != Demand::ALL && Frames::<G>::bytes_each(materials, metric) >= MIN_GROUPED_BYTES
}

/// The bytes of an entry in a map of fibres, including its share of the map's free space.
const ENTRY_BYTES: u64 = 32;

impl<G: Solvable> OwnFrames<G> {
    /// Memory for the frames of a signature of these materials while it is solved; `demand` is the part
    /// that is kept for other signatures.
    pub(super) fn footprint(
        game: G,
        materials: [Material; 2],
        demand: Demand,
        options: MemoryOptions,
    ) -> Footprint {
        if !are_grouped::<G>(materials, options.metric, demand) {
            return Frames::footprint(game, materials, Demand::ALL, options);
        }
        let groups = fibres_by_advance(game, materials);
        let each = Frames::<G>::bytes_each(materials, options.metric);
        let largest = groups.windows(2).map(|pair| pair[0] + pair[1]).max();
        let fibres = largest.or(groups.first().copied()).unwrap_or(0);
        Frames::footprint(game, materials, demand, options)
            + Frames::<G>::array_footprint(fibres * each, options)
            + Footprint::of((fibres * ENTRY_BYTES) as usize)
    }

    /// Starts before the first group. `frames` allocates frames for a demand.
    ///
    /// # Errors
    /// Fails if there is not enough memory.
    pub(super) fn new(
        materials: [Material; 2],
        metric: Metric,
        demand: Demand,
        frames: impl FnOnce(Demand) -> Result<Frames<G>, GenError>,
    ) -> Result<OwnFrames<G>, GenError> {
        let is_grouped = are_grouped::<G>(materials, metric, demand);
        let kept = frames(if is_grouped { demand } else { Demand::ALL })?;
        let nothing = || kept.only(&[], None);
        let groups = match is_grouped {
            true => Some(Groups { previous: nothing()?, current: nothing()? }),
            false => None,
        };
        Ok(OwnFrames { kept, groups })
    }

    /// Begins a group: makes room for the frames of its fibres, and drops those of the group before
    /// the previous one.
    ///
    /// # Errors
    /// Fails if there is not enough memory.
    pub(super) fn begin(
        &mut self,
        fibres: impl FnOnce(&Index<G>) -> Vec<u64>,
        scratch: Option<&ScratchFiles>,
    ) -> Result<(), GenError> {
        if let Some(groups) = &mut self.groups {
            groups.previous = self.kept.only(&[], None)?;
            let next = self.kept.only(&fibres(self.kept.fibres()), scratch)?;
            groups.previous = std::mem::replace(&mut groups.current, next);
        }
        Ok(())
    }

    /// The frames that the fibres being solved look up.
    pub(super) fn solved(&self) -> &Frames<G> {
        match &self.groups {
            None => &self.kept,
            Some(groups) => &groups.previous,
        }
    }

    /// The frames in which the fibres being solved are stored.
    pub(super) fn stores(&mut self) -> impl Iterator<Item = &mut Frames<G>> {
        let current = self.groups.as_mut().map(|groups| &mut groups.current);
        [Some(&mut self.kept), current].into_iter().flatten()
    }

    /// The frames of the last group, whole.
    pub(super) fn last(&self) -> &Frames<G> {
        match &self.groups {
            None => &self.kept,
            Some(groups) => &groups.current,
        }
    }

    /// The frames for other signatures.
    pub(super) fn into_kept(self) -> Frames<G> {
        self.kept
    }
}
