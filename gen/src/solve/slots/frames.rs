//! The frames of a signature, and the list of its fibres.

use super::board::{AxisKind, SQUARES, rank, squares};
use super::fibre::{Fibre, Piece, SlotFrame, View};
use crate::needs::after_one_move;
use crate::seed_scores::{SeedError, SeedReader, SeedWriter};
use crate::solve::method;
use damka_games::chess::{BISHOP, KING, KNIGHT, PAWN, Position, QUEEN, ROOK};
use damka_games::{Chess, Color, Game, Kind, Material, Pieces, Position as _, Square, SquareSet};
use damka_tables::{Index, Signature};
use rustc_hash::FxHashMap;
use std::fmt;
use std::io;
use std::sync::Arc;

/// Frames by the squares of White's and Black's pawns.
pub(super) type ByPawns = FxHashMap<[u64; 2], SlotFrame>;

/// The scores of a signature that other signatures read: a frame for each fibre, but only for one of
/// two mirror images.
#[derive(Clone, Debug, Default)]
pub struct SlotFrames {
    by_pawns: Arc<ByPawns>,
    /// Colours are exchanged: White here is Black in the frames.
    is_exchanged: bool,
}

/// The parts of a signature's frames that other signatures read.
#[derive(Clone, Debug, Default)]
pub struct Demand {
    /// All positions: a capture can lead to any of them.
    pub(super) whole: bool,
    /// Only positions after promotions to these pieces.
    pub(super) promotions: Vec<Piece>,
}

/// `whole`, `none`, or the promoted pieces as in `wQ,bQ,wR`.
impl fmt::Display for Demand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.whole, &self.promotions[..]) {
            (true, _) => return f.write_str("whole"),
            (false, []) => return f.write_str("none"),
            _ => {}
        }
        for (number, &piece) in self.promotions.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(f, "{comma}{}", name_of(piece))?;
        }
        Ok(())
    }
}

/// The name of a piece, as in `wQ`.
fn name_of(piece: Piece) -> String {
    let color = if piece.color == Color::White { 'w' } else { 'b' };
    format!("{color}{}", Chess::KINDS[kind_of(piece).index()])
}

impl method::Demand for Demand {
    fn parse(text: &str) -> Option<Demand> {
        let mut demand = Demand::default();
        match text {
            "whole" => demand.whole = true,
            "none" => {}
            _ => {
                let pieces = KINDS
                    .iter()
                    .flat_map(|&(kind, _)| Color::BOTH.map(|color| Piece { kind, color }));
                let all: Vec<Piece> = pieces.collect();
                for name in text.split(',') {
                    let piece = all.iter().find(|&&piece| name_of(piece) == name)?;
                    demand.promotions.push(*piece);
                }
                if !demand.promotions.is_sorted_by(|a, b| a < b) {
                    return None;
                }
            }
        }
        Some(demand)
    }

    fn covers(&self, other: &Demand) -> bool {
        let holds = |piece| self.promotions.contains(piece);
        self.whole || !other.whole && other.promotions.iter().all(holds)
    }

    fn is_nothing(&self) -> bool {
        !self.whole && self.promotions.is_empty()
    }
}

impl Demand {
    /// The parts of the frames of these materials that `users` read.
    pub(super) fn new(materials: [Material; 2], users: &[Signature<Chess>]) -> Demand {
        let mut demand = Demand::default();
        for user in users.iter().map(Signature::materials) {
            for after in after_one_move::<Chess>(user) {
                let [white, black] = after;
                let is_exchanged = after != materials;
                if is_exchanged && [black, white] != materials {
                    continue;
                }
                match Color::BOTH.map(|color| user[color as usize].total()) {
                    pieces if pieces == after.map(|side| side.total()) => {
                        demand.promotions.extend(promoted(user, after).map(|piece| {
                            let color = if is_exchanged { !piece.color } else { piece.color };
                            Piece { color, ..piece }
                        }));
                    }
                    _ => demand.whole = true,
                }
            }
        }
        match demand.whole {
            true => demand.promotions.clear(),
            false => {
                demand.promotions.sort_unstable();
                demand.promotions.dedup();
            }
        }
        demand
    }

    /// The number of bytes in demand of each frame, for fibres such as this one.
    pub(super) fn bytes(&self, fibre: &Fibre) -> usize {
        if self.whole {
            return 2 * fibre.pairs().len() * fibre.cells();
        }
        self.promotions.iter().map(|piece| SlotFrame::promoted_bytes(fibre, piece.color)).sum()
    }
}

/// The pieces that a promotion adds.
fn promoted(before: [Material; 2], after: [Material; 2]) -> impl Iterator<Item = Piece> {
    let pieces = |materials| pieces_of(&materials);
    let (before, mut more) = (pieces(before), pieces(after));
    for piece in before {
        if let Some(place) = more.iter().position(|&other| other == piece) {
            more.remove(place);
        }
    }
    more.into_iter()
}

impl SlotFrames {
    pub(super) fn new(by_pawns: ByPawns) -> SlotFrames {
        SlotFrames { by_pawns: Arc::new(by_pawns), is_exchanged: false }
    }

    /// The frame of a fibre, or of its mirror image.
    ///
    /// # Panics
    /// If neither has a frame.
    pub(super) fn view(&self, fibre: &Fibre) -> View<'_> {
        match self.is_exchanged {
            true => view(&self.by_pawns, &fibre.exchanged()).exchanged(),
            false => view(&self.by_pawns, fibre),
        }
    }

    /// Writes the parts in demand of the frames of all fibres of these materials.
    ///
    /// # Errors
    /// Fails if writing fails.
    ///
    /// # Panics
    /// If a fibre has no frame.
    pub(super) fn save(
        &self,
        materials: [Material; 2],
        demand: &Demand,
        seed: &mut SeedWriter<'_>,
    ) -> io::Result<()> {
        for fibre in fibres_of(materials).into_iter().flatten() {
            let frame = &self.by_pawns[&fibre.pawns()];
            match demand.whole {
                true => frame.parts().try_for_each(|scores| seed.write(scores))?,
                false => {
                    let reduced = frame.after_promotions(&demand.promotions);
                    reduced.parts().try_for_each(|scores| seed.write(scores))?;
                }
            }
        }
        Ok(())
    }

    /// Reads the parts in `demand` from a seed file that was [saved](SlotFrames::save) for `held`.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    pub(super) fn restore(
        materials: [Material; 2],
        held: &Demand,
        demand: &Demand,
        seed: &mut SeedReader<'_>,
    ) -> Result<SlotFrames, SeedError> {
        let mut by_pawns = ByPawns::default();
        for fibre in fibres_of(materials).into_iter().flatten() {
            let mut frame = match held.whole {
                true => SlotFrame::empty(fibre),
                false => SlotFrame::empty_after_promotions(fibre, &held.promotions),
            };
            frame.parts_mut().try_for_each(|scores| seed.read(scores))?;
            let frame = match demand.whole {
                true => frame,
                false => frame.after_promotions(&demand.promotions),
            };
            by_pawns.insert(frame.fibre.pawns(), frame);
        }
        Ok(SlotFrames::new(by_pawns))
    }

    /// These frames with colours exchanged. Shares the scores.
    pub(super) fn exchanged(&self) -> SlotFrames {
        SlotFrames { by_pawns: Arc::clone(&self.by_pawns), is_exchanged: !self.is_exchanged }
    }

    /// Drops the parts that are not in `demand`, unless the frames are shared.
    pub(super) fn prune(&mut self, demand: &Demand) {
        if let (false, Some(frames)) = (demand.whole, Arc::get_mut(&mut self.by_pawns)) {
            frames.values_mut().for_each(|frame| frame.retain_promotions(&demand.promotions));
        }
    }
}

/// The frame of a fibre in `frames`, or of its mirror image.
///
/// # Panics
/// If neither has a frame.
pub(super) fn view<'a>(frames: &'a ByPawns, fibre: &Fibre) -> View<'a> {
    let mirrored = || View::new(&frames[&fibre.mirrored().pawns()], true);
    frames.get(&fibre.pawns()).map_or_else(mirrored, |frame| View::new(frame, false))
}

/// The kinds that have axes, each with its kind in the game's rules.
pub(super) const KINDS: [(AxisKind, damka_games::Kind); 4] = [
    (AxisKind::Queen, QUEEN),
    (AxisKind::Rook, ROOK),
    (AxisKind::Bishop, BISHOP),
    (AxisKind::Knight, KNIGHT),
];

/// The materials of a fibre, White's first.
pub(super) fn materials_of(fibre: &Fibre) -> [Material; 2] {
    let mut materials = fibre.pawns().map(|pawns| {
        let mut material = Material::default().with(KING);
        material.0[PAWN.index()] = pawns.count_ones() as u8;
        material
    });
    for piece in fibre.pieces() {
        let material = &mut materials[piece.color as usize];
        *material = material.with(kind_of(*piece));
    }
    materials
}

/// The kind of a piece in the game's rules.
pub(super) fn kind_of(piece: Piece) -> Kind {
    KINDS[piece.kind as usize].1
}

/// The pieces of these materials that have axes.
pub(super) fn pieces_of(materials: &[Material; 2]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (own, kind) in KINDS {
        for color in Color::BOTH {
            let count = materials[color as usize][kind];
            pieces.extend((0..count).map(|_| Piece { kind: own, color }));
        }
    }
    pieces
}

/// The fibres of a signature, one of each pair of mirror images, in groups whose pawns have
/// advanced equally far, most advanced first.
pub(super) fn fibres_of([white, black]: [Material; 2]) -> Vec<Vec<Fibre>> {
    let index = Index::fibres(Chess, white, black);
    let mut groups: Vec<Vec<Fibre>> = Vec::new();
    for position in index.positions(0..index.len()) {
        let pawns = Color::BOTH.map(|color| position.pieces(color, PAWN).bits());
        let fibre = Fibre::new(pieces_of(&[white, black]), pawns);
        if fibre.mirrored().pawns() < pawns {
            continue;
        }
        let advance = advance(pawns);
        groups.resize_with(groups.len().max(advance + 1), Vec::new);
        groups[advance].push(fibre);
    }
    groups.reverse();
    groups.retain(|group| !group.is_empty());
    groups
}

/// The number of ranks that all pawns together have advanced.
pub(crate) fn advance(pawns: [u64; 2]) -> usize {
    let of = |color: Color| {
        squares(pawns[color as usize])
            .map(|square| usize::from(rank(color, square)) - 1)
            .sum::<usize>()
    };
    of(Color::White) + of(Color::Black)
}

/// The position of a cell; meaningless if pieces overlap.
pub(super) fn position_at(fibre: &Fibre, mover: Color, kings: [u8; 2], cell: usize) -> Position {
    let mut pieces = pawns_and_kings(fibre, kings);
    for (axis, &piece) in fibre.pieces().iter().rev().enumerate() {
        let square = Square::new((cell >> (6 * axis) & (SQUARES - 1)) as u8);
        pieces[(piece.color, kind_of(piece))] |= square.into();
    }
    Chess.assemble(&pieces, mover)
}

/// The pawns of a fibre, and White's and Black's king.
pub(super) fn pawns_and_kings(fibre: &Fibre, kings: [u8; 2]) -> Pieces {
    let mut pieces = Pieces::default();
    for color in Color::BOTH {
        pieces[(color, PAWN)] = SquareSet::new(fibre.pawns()[color as usize]);
        pieces[(color, KING)] = Square::new(kings[color as usize]).into();
    }
    pieces
}
