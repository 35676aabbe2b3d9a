//! A toy game: three pieces against three on a board of 3x3 squares. A piece steps one square along
//! a rank or a file, and may capture by moving onto a piece of the opponent. A side without legal
//! moves has lost.
//!
//! A FEN is the nine squares from a3 to c1 and the side to move: `bbb...www w`. A move is its two
//! squares, `a1a2`.

use damka_engine::{Evaluated, Searchable};
use damka_games::{
    Color, FenError, FenProblem, Game, Kind, Material, MoveCounters, MoveError, MoveList, Pieces,
    PositionList, Setup, SetupError, Square, SquareSet,
};
use damka_gen::{ByRules, Solvable};
use damka_tables::{Indexable, Slice, Step, Symmetry};

const SIZE: u8 = 3;
const PIECE: Kind = Kind::new(0);

/// The game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Toy;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    /// White's and Black's pieces.
    sides: [SquareSet; 2],
    turn: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    from: Square,
    to: Square,
}

/// The squares one step away.
fn steps(square: Square) -> SquareSet {
    let (row, file) = (square.index() / SIZE, square.index() % SIZE);
    let near = |other: &Square| {
        let (other_row, other_file) = (other.index() / SIZE, other.index() % SIZE);
        row.abs_diff(other_row) + file.abs_diff(other_file) == 1
    };
    Square::all(SIZE * SIZE).filter(near).collect()
}

/// The squares mirrored top to bottom.
fn mirrored(set: SquareSet) -> SquareSet {
    let mirror = |square: Square| {
        let (row, file) = (square.index() / SIZE, square.index() % SIZE);
        Square::new((SIZE - 1 - row) * SIZE + file)
    };
    set.into_iter().map(mirror).collect()
}

fn square_at(name: &str) -> Option<Square> {
    Square::all(SIZE * SIZE).find(|&square| Toy.square_name(square) == name)
}

impl Game for Toy {
    type Position = Position;
    type Move = Move;

    const ALL: &'static [Toy] = &[Toy];
    const KINDS: &'static [char] = &['W'];
    const MEN: &'static [Kind] = &[];
    const SQUARES: u8 = SIZE * SIZE;
    const MAX_SIDE_PIECES: u32 = 3;
    const PROMOTIONS: &'static [(Kind, Kind)] = &[];
    const BASICS: &'static str = "Pieces step one square along a rank or a file.";

    fn name(self) -> &'static str {
        "toy"
    }

    fn summary(self) -> String {
        "3x3, 3 pieces each".to_owned()
    }

    fn rules_version(self) -> u16 {
        1
    }

    fn start(self) -> Position {
        Position { sides: [SquareSet::new(0o700), SquareSet::new(0o007)], turn: Color::White }
    }

    fn assemble(self, pieces: &Pieces, turn: Color) -> Position {
        Position { sides: Color::BOTH.map(|color| pieces[(color, PIECE)]), turn }
    }

    fn rays(self, _: Kind, square: Square) -> Vec<Vec<Square>> {
        steps(square).into_iter().map(|to| vec![to]).collect()
    }

    fn parse_bare(self, fen: &str) -> Result<Setup, FenError> {
        let error = |problem, at| FenError { problem, at };
        let (rows, side) =
            fen.trim().split_once(' ').ok_or(error(FenProblem::NoSideToMove, fen.len()))?;
        let turn = match side {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(error(FenProblem::BadSideToMove(side.to_owned()), 11)),
        };
        let mut pieces = Pieces::default();
        let unexpected = || error(FenProblem::Unexpected(rows.to_owned(), "nine squares"), 1);
        if rows.chars().count() != usize::from(Toy::SQUARES) {
            return Err(unexpected());
        }
        for (square, letter) in Square::all(Toy::SQUARES).zip(rows.chars()) {
            match letter {
                '.' => {}
                'w' => pieces[(Color::White, PIECE)] |= square.into(),
                'b' => pieces[(Color::Black, PIECE)] |= square.into(),
                _ => return Err(unexpected()),
            }
        }
        Ok(Setup::new(pieces, turn))
    }

    fn check_rules(self, _: &Setup) -> Result<(), SetupError> {
        Ok(())
    }

    fn square_name(self, square: Square) -> String {
        let (row, file) = (square.index() / SIZE, square.index() % SIZE);
        format!("{}{}", char::from(b'a' + file), SIZE - row)
    }

    fn board(self) -> Vec<Vec<Option<Square>>> {
        let squares: Vec<_> = Square::all(Toy::SQUARES).map(Some).collect();
        squares.chunks(SIZE.into()).map(<[_]>::to_vec).collect()
    }

    fn symbol(color: Color, _: Kind) -> char {
        if color == Color::White { 'w' } else { 'b' }
    }
}

impl Position {
    fn moved(mut self, color: Color, mv: Move) -> Position {
        let own = &mut self.sides[color as usize];
        *own = *own ^ mv.from.into() ^ mv.to.into();
        self
    }
}

impl damka_games::Position for Position {
    type Game = Toy;
    type Move = Move;

    fn game(&self) -> Toy {
        Toy
    }

    fn turn(&self) -> Color {
        self.turn
    }

    fn pieces(&self, color: Color, kind: Kind) -> SquareSet {
        if kind == PIECE { self.sides[color as usize] } else { SquareSet::EMPTY }
    }

    fn moves(&self) -> MoveList<Move> {
        let own = self.sides[self.turn as usize];
        own.into_iter()
            .flat_map(|from| (steps(from) & !own).into_iter().map(move |to| Move { from, to }))
            .collect()
    }

    fn loses_when_stuck(&self) -> bool {
        true
    }

    fn play(&self, mv: Move) -> Position {
        let mut after = self.moved(self.turn, mv);
        after.sides[!self.turn as usize] &= !SquareSet::from(mv.to);
        after.turn = !self.turn;
        after
    }

    fn is_capture(&self, mv: Move) -> bool {
        self.sides[!self.turn as usize].contains(mv.to)
    }

    fn is_promotion(&self, _: Move) -> bool {
        false
    }

    fn captures_only(&self) -> bool {
        false
    }

    fn unmoves(&self) -> PositionList<Position> {
        let mover = !self.turn;
        let empty = !(self.sides[0] | self.sides[1]) & SquareSet::new((1 << Toy::SQUARES) - 1);
        let before = |from, to| {
            let mut before = self.moved(mover, Move { from, to });
            before.turn = mover;
            before
        };
        self.sides[mover as usize]
            .into_iter()
            .flat_map(|to| (steps(to) & empty).into_iter().map(move |from| before(from, to)))
            .collect()
    }

    fn flip(&self) -> Position {
        let [white, black] = self.sides.map(mirrored);
        Position { sides: [black, white], turn: !self.turn }
    }

    fn with_white_to_move(&self) -> Position {
        if self.turn == Color::White { *self } else { self.flip() }
    }

    fn write_fen_with(&self, _: Option<MoveCounters>, text: &mut String) {
        text.extend(Square::all(Toy::SQUARES).map(|square| match self.piece_at(square) {
            Some((color, kind)) => Toy::symbol(color, kind),
            None => '.',
        }));
        text.push_str(if self.turn == Color::White { " w" } else { " b" });
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let squares = text.split_at_checked(2);
        let squares = squares.and_then(|(from, to)| Some((square_at(from)?, square_at(to)?)));
        let mv = squares.map(|(from, to)| Move { from, to });
        let legal = mv.filter(|mv| self.moves().contains(mv));
        legal.ok_or_else(|| MoveError::NotAMove(text.to_owned(), "two squares, such as `a1a2`,"))
    }

    fn format_move(&self, mv: Move) -> String {
        format!("{}{}", Toy.square_name(mv.from), Toy.square_name(mv.to))
    }
}

impl Indexable for Toy {
    const INDEX_VERSION: u16 = 1;

    fn slices(mover: &Material, opponent: &Material) -> Vec<(u64, Slice)> {
        let sides = [(Color::Black, opponent), (Color::White, mover)];
        let steps = sides.into_iter().filter(|(_, material)| material[PIECE] > 0);
        let steps = steps.map(|(color, material)| Step {
            color,
            kind: PIECE,
            count: material[PIECE].into(),
            zone: 0..Toy::SQUARES.into(),
        });
        vec![(0, steps.collect())]
    }

    fn slice_key(_: Color, _: &Position) -> u64 {
        0
    }

    fn leader(_: &Material, _: &Material) -> Color {
        Color::Black
    }

    fn symmetries(_: &Material, _: &Material) -> &'static [Symmetry] {
        &[]
    }
}

impl Solvable for Toy {
    type Method = ByRules<Toy>;
}

damka_gen::family!(Toy);

impl Evaluated for Toy {}

impl Searchable for Toy {
    fn from_to(mv: Move) -> (Square, Square) {
        (mv.from, mv.to)
    }

    fn null_move(position: &Position) -> Position {
        Position { turn: !position.turn, ..*position }
    }
}

damka_engine::playable!(Toy);
