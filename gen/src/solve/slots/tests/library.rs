//! A collection of fibres, solved on demand.

use crate::Stop;
use crate::solve::instructions::Instructions;
use crate::solve::score;
use crate::solve::slots::board::{self, AxisKind};
use crate::solve::slots::fibre::{Fibre, Piece, SlotFrame, Solved, View};
use crate::solve::slots::pawns::PawnMove;
use crate::solve::slots::solve::solve;
use crate::solve::slots::tests::plain::Board;
use damka_games::Color;
use damka_tables::Value;
use damka_tables::metric::Histogram;
use std::collections::HashMap;

pub(super) struct Library {
    frames: HashMap<Fibre, SlotFrame>,
    instructions: Instructions,
}

impl Solved for Library {
    fn view(&self, fibre: &Fibre) -> View<'_> {
        let mirrored = || View::new(&self.frames[&fibre.mirrored()], true);
        self.frames.get(fibre).map_or_else(mirrored, |frame| View::new(frame, false))
    }
}

impl Library {
    pub(super) fn new(instructions: Instructions) -> Library {
        Library { frames: HashMap::new(), instructions }
    }

    /// Solves a fibre, after all fibres that it leads to.
    pub(super) fn solve(&mut self, fibre: &Fibre) {
        if self.frames.contains_key(fibre) || self.frames.contains_key(&fibre.mirrored()) {
            return;
        }
        for successor in successors(fibre) {
            self.solve(&successor);
        }
        let scores = solve(self.instructions, &Stop::default(), fibre, self)
            .expect("no longer than scores are");
        let frame = SlotFrame::new(fibre.clone(), scores.sides);
        self.frames.insert(fibre.clone(), frame);
    }

    /// Solves all fibres of a signature and counts its positions, with White and with Black to
    /// move.
    pub(super) fn count(&mut self, signature: &str) -> [Histogram; 2] {
        let mut counts = [Histogram::default(), Histogram::default()];
        for fibre in fibres(signature) {
            self.solve(&fibre);
            for color in Color::BOTH {
                counts[color as usize].extend(self.view(&fibre).count(color).values());
            }
        }
        counts
    }

    /// The value of a position of a solved fibre, without regard to en passant; `None` if the
    /// position is not legal.
    pub(super) fn value(&self, board: &Board) -> Option<Value> {
        let (fibre, places) = fibre_of(board);
        let kings = Color::BOTH.map(|color| board.king(color) as u8);
        let fixed = places.first().map(|&square| (0, square));
        let free = &places[usize::from(fixed.is_some())..];
        let mut scores = vec![score::NONE; board::SQUARES.pow(free.len() as u32)];
        if !self.view(&fibre).copy(board.turn, kings, fixed, &mut scores) {
            return None;
        }
        let cell = free.iter().fold(0, |cell, &square| cell * board::SQUARES + usize::from(square));
        (scores[cell] != score::NONE).then(|| score::value(scores[cell]))
    }

    /// The value of a position computed from its successors, all of which must be solved.
    pub(super) fn value_by_moves(&self, board: &Board) -> Value {
        let values = board.successors().into_iter().map(|next| {
            let plain = self.value(&next).unwrap_or_else(|| panic!("{:?}", fibre_of(&next)));
            let without = Board { passed: None, ..next.clone() };
            // The value in the fibre does not consider an en passant capture.
            let value = match next.successors().len() > without.successors().len() {
                true => self.value_by_moves(&next),
                false => plain,
            };
            value.before_move()
        });
        let stuck = if board.is_checked(board.turn) { Value::LOST } else { Value::DRAW };
        values.max().unwrap_or(stuck)
    }
}

/// The fibres that captures and pawn moves lead to, including those after en passant replies.
fn successors(fibre: &Fibre) -> Vec<Fibre> {
    let pieces = (0..fibre.pieces().len()).map(|axis| fibre.without_piece(axis));
    let pawns = board::squares(fibre.all_pawns()).map(|square| fibre.without_pawn(square));
    let mut fibres: Vec<Fibre> = pieces.chain(pawns).collect();
    for mover in Color::BOTH {
        for mv in PawnMove::all(fibre, mover) {
            fibres.push(mv.to);
            fibres.extend(mv.replies);
        }
    }
    fibres
}

/// The fibre of a position, and the squares of its pieces.
fn fibre_of(board: &Board) -> (Fibre, Vec<u8>) {
    let mut pieces = Vec::new();
    let mut pawns = [0; 2];
    for (square, man) in board.squares.iter().enumerate() {
        match man {
            Some((color, 'P')) => pawns[*color as usize] |= 1 << square,
            Some((_, 'K')) | None => {}
            Some((color, letter)) => {
                pieces.push((Piece { kind: kind(*letter), color: *color }, square as u8));
            }
        }
    }
    pieces.sort_unstable();
    let (pieces, places) = pieces.into_iter().unzip();
    (Fibre::new(pieces, pawns), places)
}

fn kind(letter: char) -> AxisKind {
    AxisKind::ALL["QRBN".find(letter).expect("a piece")]
}

/// The fibres of a signature such as `KRvKP`.
pub(super) fn fibres(signature: &str) -> Vec<Fibre> {
    let mut pieces = Vec::new();
    let mut pawns = [0; 2];
    for (side, color) in signature.split('v').zip(Color::BOTH) {
        for letter in side[1..].chars() {
            match letter {
                'P' => pawns[color as usize] += 1,
                _ => pieces.push(Piece { kind: kind(letter), color }),
            }
        }
    }
    let mut fibres = Vec::new();
    for white in subsets(pawns[0], 8, 0) {
        for black in subsets(pawns[1], 8, white) {
            fibres.push(Fibre::new(pieces.clone(), [white, black]));
        }
    }
    fibres
}

/// All sets of `number` pawn squares from `first` on that do not overlap `taken`.
fn subsets(number: u32, first: u8, taken: u64) -> Vec<u64> {
    if number == 0 {
        return vec![0];
    }
    let free = (first..56).filter(|square| taken >> square & 1 == 0);
    let with = |square: u8| {
        subsets(number - 1, square + 1, taken).into_iter().map(move |set| set | 1 << square)
    };
    free.flat_map(with).collect()
}
