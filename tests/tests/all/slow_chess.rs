//! Compares tables of chess with a slow solver that shares nothing with damka: moves, checks and
//! un-moves are those of `cozy-chess`. Every position of 2 to 4 men is compared, up to symmetry,
//! and every right to capture en passant. This takes twelve minutes of processor time:
//! `cargo test --release -p damka-tests --test all -- --ignored slow_chess`.

use cozy_chess::{
    Board, BoardBuilder, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_quiets, get_rook_moves,
};
use damka_games::{Chess, Game as _};
use damka_probe::{Table, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Side, Signature, Value};
use damka_tests::build_all;
use rayon::prelude::*;
use std::collections::HashMap;
use std::iter;
use std::mem;

/// The value of a position for the side to move: mate in n plies is `MATE - n`, being mated in n
/// plies `-MATE + n`. During the solving, undecided positions have the value of a draw.
type Score = i8;

const MATE: Score = 127;
const DRAW: Score = 0;
/// Marks illegal positions, and duplicates of other numbers.
const NONE: Score = Score::MIN;

/// The score of a position `plies` before the mate.
fn decided(plies: usize) -> Score {
    let far = MATE - plies as Score;
    if plies % 2 == 1 { far } else { -far }
}

/// The number of plies to the mate.
fn plies(score: Score) -> usize {
    usize::from((MATE - score.abs()) as u8)
}

/// The score of a move, by that of the position that it leads to.
fn before_move(score: Score) -> Score {
    assert_ne!(score, NONE, "a legal move leads to a legal position");
    -(score - score.signum())
}

/// The kinds of men, strongest first.
const KINDS: [Piece; 6] =
    [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// White's men, then Black's, each in the order of `KINDS`.
type Men = Vec<(Piece, Color)>;

/// All sets of 2 to 4 men, with White the stronger side. Sets that captures and promotions lead to
/// come first.
fn all_men() -> Vec<Men> {
    let men = |white: &[Piece], black: &[Piece]| -> Men {
        let sides = [(white, Color::White), (black, Color::Black)].into_iter();
        let side = |(pieces, color): (&[Piece], _)| -> Men {
            iter::once(&Piece::King).chain(pieces).map(|&piece| (piece, color)).collect()
        };
        sides.flat_map(side).collect()
    };
    let mut all = vec![men(&[], &[])];
    for (number, &first) in KINDS.iter().enumerate().skip(1) {
        all.push(men(&[first], &[]));
        for &second in &KINDS[number..] {
            all.push(men(&[first, second], &[]));
            all.push(men(&[first], &[second]));
        }
    }
    let pawns = |men: &Men| men.iter().filter(|(piece, _)| *piece == Piece::Pawn).count();
    all.sort_by_key(|men| (men.len(), pawns(men)));
    all
}

/// The number of men of each kind, White's first.
type Material = [[u32; 6]; 2];

/// The board's men, as if those of the colour `white` were White's.
fn material(board: &Board, white: Color) -> Material {
    [white, !white].map(|color| KINDS.map(|piece| board.colored_pieces(color, piece).len()))
}

/// The numbers of men and of pawns, which captures and promotions change.
fn men_and_pawns(board: &Board) -> [u32; 2] {
    [board.occupied().len(), board.pieces(Piece::Pawn).len()]
}

/// Calls `show` with the board after each legal move.
fn for_each_move(board: &Board, mut show: impl FnMut(Board)) {
    board.generate_moves(|moves| {
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            show(after);
        }
        false
    });
}

/// The squares of the men, in their order, followed by zeros.
type Squares = [usize; 4];

/// The squares of the board's men, as if those of the colour `white` were White's.
fn squares(board: &Board, white: Color) -> Squares {
    let mut squares = Squares::default();
    let mut free = squares.iter_mut();
    for color in [white, !white] {
        for piece in KINDS {
            for square in board.colored_pieces(color, piece) {
                let place = free.next().expect("four men at most");
                *place = square.relative_to(white) as usize;
            }
        }
    }
    squares
}

/// A symmetry of the board: the image of each square.
type Symmetry = [usize; 64];

/// The symmetries of the board; with pawns only left and right can be exchanged.
fn symmetries(has_pawns: bool) -> Vec<Symmetry> {
    let image = |symmetry: usize, mut square: usize| {
        square ^= [0, 0b000_111][symmetry & 1];
        square ^= [0, 0b111_000][symmetry >> 1 & 1];
        if symmetry >> 2 == 1 { square % 8 * 8 + square / 8 } else { square }
    };
    let all = 0..if has_pawns { 2 } else { 8 };
    all.map(|symmetry| std::array::from_fn(|square| image(symmetry, square))).collect()
}

/// All positions of a set of men. Of the numbers of symmetric positions, and of positions with two
/// equal men exchanged, only the least is used.
struct Positions {
    men: Men,
    /// For each square of the white king, the symmetries that map it to the least square.
    symmetries: Vec<Vec<Symmetry>>,
    /// The scores, by number.
    scores: Vec<Score>,
}

impl Positions {
    /// All positions, none of them decided.
    fn new(men: Men) -> Positions {
        let symmetries = symmetries(men.iter().any(|(piece, _)| *piece == Piece::Pawn));
        let least = |king: usize| {
            let least = symmetries.iter().map(|symmetry| symmetry[king]).min();
            let leads = |symmetry: &&Symmetry| Some(symmetry[king]) == least;
            symmetries.iter().filter(leads).copied().collect()
        };
        let len = 2 << (6 * men.len());
        let symmetries = (0..64).map(least).collect();
        let mut positions = Positions { men, symmetries, scores: Vec::new() };
        let score = |number| if positions.is_position(number) { DRAW } else { NONE };
        positions.scores = (0..len).into_par_iter().map(score).collect();
        positions
    }

    /// Whether this number has a legal position.
    fn is_position(&self, number: usize) -> bool {
        let (turn, squares) = self.placement(number);
        self.number(turn, squares) == number && self.board(number).is_some()
    }

    /// The number of a position.
    fn number(&self, turn: Color, squares: Squares) -> usize {
        let image = |symmetry: &Symmetry| {
            let mut image = squares.map(|square| symmetry[square]);
            for man in 1..self.men.len() {
                if self.men[man] == self.men[man - 1] && image[man] < image[man - 1] {
                    image.swap(man, man - 1);
                }
            }
            let squares = image[..self.men.len()].iter();
            squares.fold(turn as usize, |number, square| 64 * number + square)
        };
        self.symmetries[squares[0]].iter().map(image).min().expect("a symmetry")
    }

    /// The side to move and the squares of a number.
    fn placement(&self, mut number: usize) -> (Color, Squares) {
        let mut squares = Squares::default();
        for square in squares[..self.men.len()].iter_mut().rev() {
            *square = number % 64;
            number /= 64;
        }
        (Color::index(number), squares)
    }

    /// The board of a number, if it is legal.
    fn board(&self, number: usize) -> Option<Board> {
        let (turn, squares) = self.placement(number);
        let mut builder = BoardBuilder::empty();
        builder.side_to_move = turn;
        for (&man, square) in self.men.iter().zip(squares) {
            if builder.board[square].replace(man).is_some() {
                return None;
            }
        }
        let board = builder.build().ok()?;
        let [white, black] = Color::ALL.map(|color| board.king(color));
        (!get_king_moves(white).has(black)).then_some(board)
    }

    /// The numbers of the legal positions.
    fn numbers(&self) -> impl ParallelIterator<Item = usize> {
        (0..self.scores.len()).into_par_iter().filter(|&number| self.scores[number] != NONE)
    }

    /// The score of a board with these men, where the colour `white` is White here. Ignores a right
    /// to capture en passant.
    fn score(&self, board: &Board, white: Color) -> Score {
        let turn = if white == Color::White { board.side_to_move() } else { !board.side_to_move() };
        self.scores[self.number(turn, squares(board, white))]
    }

    /// The score of a board with these men, from the scores after its moves. Positions with an en
    /// passant capture have no number, and are searched one move further.
    fn look(&self, board: &Board, library: &Library) -> Score {
        let mut best = None;
        for_each_move(board, |after| {
            let score = if men_and_pawns(&after) != men_and_pawns(board) {
                library.score(&after)
            } else if after.en_passant().is_some() {
                self.look(&after, library)
            } else {
                self.score(&after, Color::White)
            };
            best = best.max(Some(before_move(score)));
        });
        let is_mate = best.is_none() && !board.checkers().is_empty();
        if is_mate { decided(0) } else { best.unwrap_or(DRAW) }
    }

    /// The numbers of positions from which a move without capture and promotion leads here.
    fn predecessors(&self, number: usize) -> Vec<usize> {
        let (turn, squares) = self.placement(number);
        let board = self.board(number).expect("a position");
        let mut found = Vec::new();
        for (man, &(piece, color)) in self.men.iter().enumerate() {
            if color == turn {
                continue;
            }
            let to = Square::index(squares[man]);
            let others = board.occupied() ^ to.bitboard();
            let is_step = |from: &Square| get_pawn_quiets(*from, color, others).has(to);
            let from = match piece {
                Piece::King => get_king_moves(to),
                Piece::Queen => get_rook_moves(to, others) | get_bishop_moves(to, others),
                Piece::Rook => get_rook_moves(to, others),
                Piece::Bishop => get_bishop_moves(to, others),
                Piece::Knight => get_knight_moves(to),
                Piece::Pawn => to.file().bitboard().iter().filter(is_step).collect(),
            };
            for from in from & !others {
                let mut squares = squares;
                squares[man] = from as usize;
                found.push(self.number(!turn, squares));
            }
        }
        found
    }

    /// Decides positions in the order of their distance from mate. After each one its predecessors
    /// are evaluated again.
    fn solve(&mut self, library: &Library) {
        let mut due = vec![Vec::new(); usize::from(MATE.unsigned_abs())];
        let mut candidates: Vec<usize> = self.numbers().collect();
        for now in 0..due.len() {
            let look = |&number: &usize| {
                let board = self.board(number).expect("a position");
                let score = self.look(&board, library);
                (score != DRAW).then_some((number, score))
            };
            let found: Vec<(usize, Score)> = candidates.par_iter().filter_map(look).collect();
            for (number, score) in found {
                due[plies(score)].push(number);
            }
            let mut fresh = mem::take(&mut due[now]);
            fresh.retain(|&number| {
                let is_fresh = self.scores[number] == DRAW;
                if is_fresh {
                    self.scores[number] = decided(now);
                }
                is_fresh
            });
            let before = fresh.par_iter().flat_map_iter(|&number| self.predecessors(number));
            candidates = before.filter(|&number| self.scores[number] == DRAW).collect();
            candidates.par_sort_unstable();
            candidates.dedup();
        }
    }
}

/// The solved positions.
#[derive(Default)]
struct Library(HashMap<Material, Positions>);

impl Library {
    /// Solves all positions of 2 to 4 men.
    fn solved() -> Library {
        let mut library = Library::default();
        for men in all_men() {
            let number = |man| men.iter().filter(|other| **other == man).count() as u32;
            let material = Color::ALL.map(|color| KINDS.map(|piece| number((piece, color))));
            let mut positions = Positions::new(men);
            positions.solve(&library);
            library.0.insert(material, positions);
        }
        library
    }

    /// The score of a board. Ignores a right to capture en passant.
    fn score(&self, board: &Board) -> Score {
        let with = |white| Some(self.0.get(&material(board, white))?.score(board, white));
        with(Color::White).or_else(|| with(Color::Black)).expect("positions with these men")
    }

    /// The positions of a signature, and the colour of the side named first.
    fn named(&self, name: &str) -> (&Positions, Color) {
        let (first, second) = name.split_once('v').expect("two sides");
        let find = |name: String| self.0.values().find(|positions| positions.name() == name);
        let reversed = || find(format!("{second}v{first}")).map(|found| (found, Color::Black));
        let found = find(name.to_owned()).map(|found| (found, Color::White));
        found.or_else(reversed).expect("a signature")
    }
}

impl Positions {
    /// The name of the signature.
    fn name(&self) -> String {
        let side = |side| -> String {
            let men = self.men.iter().filter(|(_, color)| *color == side);
            men.map(|&(piece, _)| char::from(piece).to_ascii_uppercase()).collect()
        };
        format!("{}v{}", side(Color::White), side(Color::Black))
    }

    /// The longest mate that a side to move can force, in plies.
    fn longest(&self, side: Color) -> usize {
        let numbers = self.numbers().filter(|&number| self.placement(number).0 == side);
        let won = numbers.filter(|&number| self.scores[number] > DRAW);
        won.map(|number| plies(self.scores[number])).max().unwrap_or(0)
    }

    /// Wins, draws and losses of White and of Black to move, including symmetric positions.
    fn counts(&self) -> [[u64; 3]; 2] {
        let mut counts = [[0; 3]; 2];
        for number in 0..self.scores.len() {
            let (turn, squares) = self.placement(number);
            let score = self.scores[self.number(turn, squares)];
            let are_exchanged =
                |man| self.men[man] == self.men[man - 1] && squares[man] < squares[man - 1];
            if score != NONE && !(1..self.men.len()).any(are_exchanged) {
                let result = usize::from(score <= DRAW) + usize::from(score < DRAW);
                counts[turn as usize][result] += 1;
            }
        }
        counts
    }

    /// Compares the tables with all positions, and the counts in the files with their counts.
    /// Returns the number of positions.
    fn compare(&self, tables: &Tables<Chess>) -> usize {
        let signature = Signature::parse(Chess, &self.name()).expect("a signature");
        let table = Table::open(tables.directory(), signature, Metric::Dtw).expect("a table");
        for (side, counts) in [Side::First, Side::Second].into_iter().zip(self.counts()) {
            let summary = table.header().summary(side);
            let stored = [summary.wins, summary.draws, summary.losses];
            assert_eq!(stored, counts, "{signature} {side:?}");
        }
        let check = |number| {
            let board = self.board(number).expect("a position");
            compare(&board, self.scores[number], tables);
        };
        self.numbers().map(check).count()
    }

    /// Compares the tables with the positions after each double step of a pawn. Returns how often a
    /// right to capture en passant changes the value.
    fn compare_double_steps(&self, tables: &Tables<Chess>, library: &Library) -> usize {
        let changed = |number| {
            let mut changed = 0;
            for_each_move(&self.board(number).expect("a position"), |after| {
                if after.en_passant().is_some() {
                    let score = self.look(&after, library);
                    compare(&after, score, tables);
                    changed += usize::from(score != library.score(&after));
                }
            });
            changed
        };
        self.numbers().map(changed).sum()
    }
}

/// Compares the tables with the score of a position.
fn compare(board: &Board, score: Score, tables: &Tables<Chess>) {
    let fen = board.to_string();
    let position = Chess.parse_fen(&fen).expect("a position");
    let expected = match score {
        DRAW => Value::DRAW,
        score => Value::decided(plies(score) as u16),
    };
    assert_eq!(tables.dtw(&position).expect("a value"), expected, "{fen}");
    assert_eq!(tables.wdl(&position).expect("a value"), expected.wdl(), "{fen}");
}

/// The longest mates that the side named first can force, in plies, as published by others.
const LONGEST: [(&str, usize); 9] = [
    ("KQvK", 19),
    ("KRvK", 31),
    ("KPvK", 55),
    ("KBNvK", 65),
    ("KQvKR", 69),
    ("KRvKN", 79),
    ("KRvKP", 51),
    ("KPvKR", 85),
    ("KPvKP", 65),
];

/// Wins, draws and losses of White and of Black to move, as published by others.
const COUNTS: [(&str, [[u64; 3]; 2]); 3] = [
    ("KPvK", [[124_960, 38_368, 0], [0, 70_420, 97_604]]),
    ("KQvKR", [[8_863_768, 71_704, 17_136], [3_090_088, 627_960, 7_062_680]]),
    ("KRvKP", [[7_406_204, 680_382, 13_454], [1_633_620, 1_743_898, 6_585_490]]),
];

#[test]
#[ignore = "takes twelve minutes and 1.3 GB: run with --release"]
fn tables_of_chess_are_what_another_program_finds() {
    let library = Library::solved();
    for (name, plies) in LONGEST {
        let (positions, side) = library.named(name);
        assert_eq!(positions.longest(side), plies, "{name}");
    }
    for (name, counts) in COUNTS {
        assert_eq!(library.named(name).0.counts(), counts, "{name}");
    }
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Chess, 4, directory.path());
    let tables = Tables::open(Chess, directory.path());
    assert_eq!(tables.signatures().expect("tables").len(), library.0.len());
    let compared: usize = library.0.values().map(|positions| positions.compare(&tables)).sum();
    assert!(compared > 100_000_000, "only {compared} positions");
    let changed = library.named("KPvKP").0.compare_double_steps(&tables, &library);
    assert!(changed > 10_000, "only {changed} rights to take en passant");
}
