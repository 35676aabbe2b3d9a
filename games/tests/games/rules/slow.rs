//! A slow move generator, written from the rules of each variant and not from damka's table of
//! flags, so that a wrong flag shows as a difference. Boards are arrays of rows, from rank 8 down.

use damka_games::draughts::{KING, MAN, Position};
use damka_games::{Color, Draughts, Game, Position as _, Square};
use std::collections::BTreeSet;

/// What happens when a man reaches the last row by a capture.
#[derive(Clone, Copy, PartialEq)]
enum LastRow {
    BecomesKingAndGoesOn,
    BecomesKingAndStops,
    GoesOnAsMan,
}

/// The rank of a capture. Only the captures of the highest rank are legal.
type Choice = fn(&Capture) -> Vec<usize>;

struct Variant {
    flying_kings: bool,
    lands_next_behind: bool,
    men_capture_backwards: bool,
    men_capture_kings: bool,
    last_row: LastRow,
    removes_at_once: bool,
    choice: Choice,
}

/// The rules of a variant, in the words of the sources that `docs/RULES.md` names.
fn variant(game: Draughts) -> Variant {
    use LastRow::{BecomesKingAndGoesOn, BecomesKingAndStops, GoesOnAsMan};
    let any: Choice = |_| Vec::new();
    let usual = Variant {
        flying_kings: true,
        lands_next_behind: false,
        men_capture_backwards: false,
        men_capture_kings: true,
        last_row: BecomesKingAndStops,
        removes_at_once: false,
        choice: any,
    };
    match game.name() {
        "russian" => {
            Variant { men_capture_backwards: true, last_row: BecomesKingAndGoesOn, ..usual }
        }
        "brazilian" => Variant {
            men_capture_backwards: true,
            last_row: GoesOnAsMan,
            choice: |capture| vec![capture.taken.len()],
            ..usual
        },
        "pool" => Variant { men_capture_backwards: true, last_row: GoesOnAsMan, ..usual },
        "english" => Variant { flying_kings: false, ..usual },
        "czech" => Variant { choice: |capture| vec![usize::from(capture.by_king)], ..usual },
        "spanish" => {
            Variant { choice: |capture| vec![capture.taken.len(), capture.kings_taken()], ..usual }
        }
        "italian" => Variant {
            flying_kings: false,
            men_capture_kings: false,
            choice: |capture| {
                let by_king = usize::from(capture.by_king);
                let order = capture.taken.iter().map(|&(_, is_king)| usize::from(is_king));
                [capture.taken.len(), by_king, capture.kings_taken()]
                    .into_iter()
                    .chain(order)
                    .collect()
            },
            ..usual
        },
        "thai" => Variant { lands_next_behind: true, removes_at_once: true, ..usual },
        other => panic!("the rules of {other} are not written here"),
    }
}

/// Row and column, from the top left.
type Place = (i8, i8);

fn place(square: Square) -> Place {
    let (row, place) = (square.index() as i8 / 4, square.index() as i8 % 4);
    (row, 2 * place + 1 - row % 2)
}

fn square(place: Place) -> u8 {
    (4 * place.0 + place.1 / 2) as u8
}

#[derive(Clone, Copy, PartialEq)]
struct Piece {
    color: Color,
    is_king: bool,
}

struct Capture {
    to: Place,
    ends_as_king: bool,
    by_king: bool,
    /// What was captured, in this order, and whether it was a king.
    taken: Vec<(Place, bool)>,
}

impl Capture {
    fn kings_taken(&self) -> usize {
        self.taken.iter().filter(|(_, is_king)| *is_king).count()
    }
}

/// A move: origin, end, whether the piece is a king after it, and the captured squares.
pub(crate) type PlainMove = (u8, u8, bool, BTreeSet<u8>);

struct Board {
    rows: [[Option<Piece>; 8]; 8],
    rules: Variant,
    turn: Color,
}

const DIRECTIONS: [Place; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// The legal moves of a position.
pub(crate) fn moves(position: &Position) -> BTreeSet<PlainMove> {
    let mut rows = [[None; 8]; 8];
    for color in Color::BOTH {
        for (kind, is_king) in [(KING, true), (MAN, false)] {
            for (row, column) in position.pieces(color, kind).into_iter().map(place) {
                rows[row as usize][column as usize] = Some(Piece { color, is_king });
            }
        }
    }
    let mut board = Board { rows, rules: variant(position.game()), turn: position.turn() };
    let own: Vec<(Place, bool)> = (0..8)
        .flat_map(|row| (0..8).map(move |column| (row, column)))
        .filter_map(|at| {
            board.at(at).filter(|piece| piece.color == board.turn).map(|p| (at, p.is_king))
        })
        .collect();
    let mut captures = Vec::new();
    for &(from, is_king) in &own {
        let piece = board.rows[from.0 as usize][from.1 as usize].take();
        let found = board.captures(from, is_king, &[]);
        board.rows[from.0 as usize][from.1 as usize] = piece;
        captures.extend(
            found.into_iter().map(|capture| (from, Capture { by_king: is_king, ..capture })),
        );
    }
    let best = captures.iter().map(|(_, capture)| (board.rules.choice)(capture)).max();
    match best {
        None => board.quiet_moves(&own),
        Some(best) => captures
            .into_iter()
            .filter(|(_, capture)| (board.rules.choice)(capture) == best)
            .map(|(from, capture)| {
                let taken = capture.taken.iter().map(|&(at, _)| square(at)).collect();
                (square(from), square(capture.to), capture.ends_as_king, taken)
            })
            .collect(),
    }
}

impl Board {
    fn at(&self, (row, column): Place) -> Option<Piece> {
        self.rows[row as usize][column as usize]
    }

    fn is_on_board((row, column): Place) -> bool {
        (0..8).contains(&row) && (0..8).contains(&column)
    }

    fn is_forward(&self, direction: Place) -> bool {
        direction.0 == if self.turn == Color::White { -1 } else { 1 }
    }

    fn is_last_row(&self, at: Place) -> bool {
        at.0 == if self.turn == Color::White { 0 } else { 7 }
    }

    fn quiet_moves(&self, own: &[(Place, bool)]) -> BTreeSet<PlainMove> {
        let mut moves = BTreeSet::new();
        for &(from, is_king) in own {
            for direction in DIRECTIONS.into_iter().filter(|&d| is_king || self.is_forward(d)) {
                let steps = if is_king && self.rules.flying_kings { 7 } else { 1 };
                for step in 1..=steps {
                    let to = (from.0 + step * direction.0, from.1 + step * direction.1);
                    if !Board::is_on_board(to) || self.at(to).is_some() {
                        break;
                    }
                    let becomes_king = is_king || self.is_last_row(to);
                    moves.insert((square(from), square(to), becomes_king, BTreeSet::new()));
                }
            }
        }
        moves
    }

    /// Whether the captor may stand on or pass this square after it has captured `taken`.
    fn is_free(&self, at: Place, taken: &[(Place, bool)]) -> bool {
        let is_gone = self.rules.removes_at_once && taken.iter().any(|&(prey, _)| prey == at);
        Board::is_on_board(at) && (self.at(at).is_none() || is_gone)
    }

    /// All ways to go on capturing to the end, with a piece that has left its first square.
    fn captures(&self, at: Place, is_king: bool, taken: &[(Place, bool)]) -> Vec<Capture> {
        let flies = is_king && self.rules.flying_kings;
        let mut found = Vec::new();
        for direction in DIRECTIONS {
            if !is_king && !self.rules.men_capture_backwards && !self.is_forward(direction) {
                continue;
            }
            let next = |from: Place| (from.0 + direction.0, from.1 + direction.1);
            let mut prey = next(at);
            while flies && self.is_free(prey, taken) {
                prey = next(prey);
            }
            if !Board::is_on_board(prey) || taken.iter().any(|&(gone, _)| gone == prey) {
                continue;
            }
            let Some(piece) = self.at(prey).filter(|piece| piece.color != self.turn) else {
                continue;
            };
            if piece.is_king && !is_king && !self.rules.men_capture_kings {
                continue;
            }
            let mut taken = taken.to_vec();
            taken.push((prey, piece.is_king));
            let (mut onward, mut ends) = (Vec::new(), Vec::new());
            let mut landing = next(prey);
            while self.is_free(landing, &taken) {
                let promoted = !is_king && self.is_last_row(landing);
                let last_row = self.rules.last_row;
                let goes_on_as_king =
                    is_king || promoted && last_row == LastRow::BecomesKingAndGoesOn;
                let more = match promoted && last_row == LastRow::BecomesKingAndStops {
                    true => Vec::new(),
                    false => self.captures(landing, goes_on_as_king, &taken),
                };
                if more.is_empty() {
                    ends.push(Capture {
                        to: landing,
                        ends_as_king: is_king || promoted,
                        by_king: is_king,
                        taken: taken.clone(),
                    });
                }
                onward.extend(more);
                if !flies || self.rules.lands_next_behind {
                    break;
                }
                landing = next(landing);
            }
            found.extend(if onward.is_empty() { ends } else { onward });
        }
        found
    }
}
