use super::{castlings, played, position, random_positions, shredder, sorted};
use cozy_chess::Board;
use damka_games::chess::{KING, PAWN, Position};
use damka_games::{Chess, Color, Game, Material, Pieces, Position as _, Setup, Square};

/// The number of times that each case has occurred, so that a test can check that all did.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) en_passant: usize,
    pub(super) castling: usize,
    pub(super) promotions: usize,
    pub(super) checks: usize,
    pub(super) mates: usize,
    pub(super) stalemates: usize,
}

/// Compares the moves, what each leads to, and whether the game is over.
pub(super) fn compare(p: &Position, board: &Board, seen: &mut Seen) {
    let fen = p.fen();
    let mut theirs = Vec::new();
    board.generate_moves(|moves| {
        theirs.extend(moves.into_iter().map(|mv| {
            let mut next = board.clone();
            next.play_unchecked(mv);
            let gives_check = !next.checkers().is_empty();
            (mv.to_string(), fields(&format!("{next:#}")), gives_check)
        }));
        false
    });
    let moves = p.moves();
    let ours =
        moves.iter().map(|&mv| (mv.to_string(), fields(&shredder(&p.play(mv))), p.gives_check(mv)));
    assert_eq!(sorted(ours), sorted(theirs), "{fen}");
    assert_eq!(p.count_moves(), moves.len() as u64, "{fen}");
    assert_eq!(p.is_in_check(p.turn()), !board.checkers().is_empty(), "{fen}");

    let is_pawns = |from| p.pieces(p.turn(), PAWN).contains(from);
    let en_passant = moves.iter().filter(|mv| {
        let is_diagonal = mv.from.index() % 8 != mv.to.index() % 8;
        is_pawns(mv.from) && is_diagonal && p.piece_at(mv.to).is_none()
    });
    let en_passant: Vec<_> = en_passant.collect();
    assert_eq!(p.en_passant(), en_passant.first().map(|mv| mv.to), "{fen}");
    assert!(en_passant.iter().all(|&&mv| p.is_capture(mv)), "{fen}");
    for &mv in &moves {
        let less = p.play(mv).occupied().len() < p.occupied().len();
        assert_eq!(p.is_capture(mv), less, "{fen} {mv}");
        let after = p.play(mv);
        let pawns = |p: &Position, color| p.pieces(color, PAWN).len();
        let promoted = pawns(&after, p.turn()) < pawns(p, p.turn());
        assert_eq!(p.is_promotion(mv), promoted, "{fen} {mv}");
    }

    seen.en_passant += en_passant.len();
    seen.castling += moves.iter().filter(|&&mv| p.castling_of(mv).is_some()).count();
    seen.promotions += moves.iter().filter(|&&mv| p.is_promotion(mv)).count();
    seen.checks += usize::from(p.loses_when_stuck());
    let over = usize::from(moves.is_empty());
    seen.mates += over * usize::from(p.loses_when_stuck());
    seen.stalemates += over * usize::from(!p.loses_when_stuck());
}

/// Pieces, side to move and castling of a FEN.
fn fields(fen: &str) -> String {
    fen.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

#[test]
fn moves_of_random_games_match_cozy_chess() {
    let mut seen = Seen::default();
    for p in played(1, 60) {
        let board = Board::from_fen(&format!("{} 0 1", shredder(&p)), true).expect("a position");
        compare(&p, &board, &mut seen);
    }
    let Seen { en_passant, castling, promotions, checks, mates, .. } = seen;
    assert!(en_passant > 20 && castling > 100 && promotions > 1000, "{seen:?}");
    assert!(checks > 500 && mates > 3, "{seen:?}");
}

#[test]
fn moves_of_positions_with_few_men_match_cozy_chess() {
    let (mut seen, mut compared) = (Seen::default(), 0);
    for p in random_positions(2, 30_000) {
        // cozy-chess refuses positions with checks that no move can give.
        if let Ok(board) = Board::from_fen(&format!("{} 0 1", shredder(&p)), true) {
            compare(&p, &board, &mut seen);
            compared += 1;
        }
    }
    assert!(compared > 10_000, "{compared}");
    let Seen { en_passant, castling, promotions, checks, mates, stalemates } = seen;
    assert!(en_passant > 500 && castling > 500 && promotions > 1000, "{seen:?}");
    assert!(checks > 1000 && mates > 10 && stalemates > 2, "{seen:?}");
}

#[test]
fn checkmate_loses_and_stalemate_draws() {
    let p = position("R5k1/5ppp/8/8/8/8/8/6K1 b - -");
    assert!(p.moves().is_empty() && p.loses_when_stuck());
    let p = position("7k/5Q2/6K1/8/8/8/8/8 b - -");
    assert!(p.moves().is_empty() && !p.loses_when_stuck());
}

#[test]
fn castling_needs_empty_and_safe_squares() {
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R3K2R w KQ -"), "O-O O-O-O");
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R3K2R w Q -"), "O-O-O");
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R3K2R w - -"), "");
    // In check; through check; into check; only the rook passes an attacked square.
    assert_eq!(castlings("4k3/4r3/8/8/8/8/8/R3K2R w KQ -"), "");
    assert_eq!(castlings("4k3/5r2/8/8/8/8/8/R3K2R w KQ -"), "O-O-O");
    assert_eq!(castlings("4k3/6r1/8/8/8/8/8/R3K2R w KQ -"), "O-O-O");
    assert_eq!(castlings("4k3/1r6/8/8/8/8/8/R3K2R w KQ -"), "O-O O-O-O");
    assert_eq!(castlings("4k3/8/8/8/8/8/8/RN2K1NR w KQ -"), "");
    assert_eq!(castlings("r3k2r/8/8/8/8/8/8/4K3 b kq -"), "O-O O-O-O");
}

#[test]
fn capturing_a_rook_removes_the_castling_right() {
    let p = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -");
    let after = p.play(p.parse_move("Rxh8+").unwrap());
    assert_eq!(after.fen(), "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1");
}

#[test]
fn en_passant_is_part_of_a_position_only_where_it_is_legal() {
    let step = |fen: &str, mv: &str| {
        let p = position(fen);
        p.play(p.parse_move(mv).unwrap()).en_passant().map(|square| Chess.square_name(square))
    };
    assert_eq!(step("4k3/8/8/8/3p4/8/4P3/4K3 w - -", "e4"), Some("e3".into()));
    // No pawn beside it; nor over the edge of the board.
    assert_eq!(step("4k3/8/8/8/2p5/8/4P3/4K3 w - -", "e4"), None);
    assert_eq!(step("4k3/8/8/8/7p/8/P7/4K3 w - -", "a4"), None);
    // Both pawns would leave the rank on which the king stands; the pawn is pinned.
    assert_eq!(step("8/8/8/8/k2p3R/8/4P3/4K3 w - -", "e4"), None);
    assert_eq!(step("3k4/8/8/8/3p4/8/4P3/3RK3 w - -", "e4"), None);
    // The capturing pawn stays on the diagonal of the pin, or leaves it.
    assert_eq!(step("8/8/1k6/8/3p4/8/4PB2/4K3 w - -", "e4"), Some("e3".into()));
    assert_eq!(step("8/6k1/8/8/3p4/8/1B2P3/4K3 w - -", "e4"), None);
    // The double step gives check: the capture ends it, or there is a second check.
    assert_eq!(step("8/8/8/1k6/3p4/8/2P5/5K2 w - -", "c4"), Some("c3".into()));
    assert_eq!(step("8/8/8/k7/4p3/8/3P4/4BK2 w - -", "d4"), None);
}

#[test]
fn flipped_positions_have_the_same_moves_and_results() {
    for p in played(3, 20).chain(random_positions(4, 5_000)) {
        let flipped = p.flip();
        assert_eq!(flipped.flip(), p);
        assert_ne!(flipped.turn(), p.turn());
        assert_eq!(Chess.parse_fen(&flipped.fen()), Ok(flipped));
        assert_eq!(flipped.count_moves(), p.count_moves());
        assert_eq!(flipped.loses_when_stuck(), p.loses_when_stuck());
        let successors = |p: Position| p.moves().into_iter().map(move |mv| p.play(mv));
        assert_eq!(
            sorted(successors(flipped).map(|next| next.fen())),
            sorted(successors(p).map(|next| next.flip().fen()))
        );
    }
}

#[test]
fn flip_exchanges_the_sides() {
    let p = position("r3k3/8/8/8/Pp6/8/8/4K2R b Kq a3");
    assert_eq!(p.flip().fen(), "4k2r/8/8/pP6/8/8/8/R3K3 w Qk a6 0 1");
}

#[test]
fn exits_are_the_materials_after_captures_and_promotions() {
    let of = |kinds: &[(usize, u8)]| {
        let mut material = Material::default();
        kinds.iter().for_each(|&(kind, count)| material.0[kind] = count);
        material
    };
    let (krp, kq) = (of(&[(0, 1), (2, 1), (5, 1)]), of(&[(0, 1), (1, 1)]));
    let expected = [
        [of(&[(0, 1), (5, 1)]), kq],
        [of(&[(0, 1), (2, 1)]), kq],
        [krp, of(&[(0, 1)])],
        [of(&[(0, 1), (1, 1), (2, 1)]), kq],
        [of(&[(0, 1), (2, 2)]), kq],
        [of(&[(0, 1), (2, 1), (3, 1)]), kq],
        [of(&[(0, 1), (2, 1), (4, 1)]), kq],
    ];
    assert_eq!(sorted(Chess::exits([krp, kq])), sorted(expected));
    assert!(Chess::exits([of(&[(0, 1)]); 2]).is_empty());
}

/// Without pieces in the way the squares on the rays are those that the moves lead to.
#[test]
fn rays_are_the_reachable_squares() {
    let kings = [Square::new(0), Square::new(18)];
    for kind in Chess::kinds().filter(|&kind| kind != KING && kind != PAWN) {
        for from in Square::all(Chess::SQUARES).filter(|square| !kings.contains(square)) {
            let rays = Chess.rays(kind, from);
            let mut pieces = Pieces::default();
            pieces[(Color::White, KING)] = kings[0].into();
            pieces[(Color::Black, KING)] = kings[1].into();
            pieces[(Color::White, kind)] |= from.into();
            let setup = Setup::new(pieces, Color::White);
            let Ok(p) = Chess.position(&setup) else { continue };
            let moves = p.moves().into_iter().filter(|mv| mv.from == from);
            let reached = sorted(moves.map(|mv| mv.to));
            let open = rays.iter().flat_map(|ray| {
                let is_free = |square: &&Square| !kings.contains(square);
                ray.iter().take_while(is_free).copied()
            });
            assert_eq!(reached, sorted(open), "{}", p.fen());
        }
    }
    let of = |kind, square| sorted(Chess.rays(kind, Square::new(square)).concat());
    assert_eq!(of(KING, 0), [1, 8, 9].map(Square::new));
    assert_eq!(of(KING, 28).len(), 8);
    assert!(of(PAWN, 28).is_empty());
}

#[test]
fn the_start_position_follows_the_laws() {
    let start = Chess.start();
    assert_eq!(start.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(
        start.diagram(),
        "8  r n b q k b n r\n\
         7  p p p p p p p p\n\
         6  . . . . . . . .\n\
         5  . . . . . . . .\n\
         4  . . . . . . . .\n\
         3  . . . . . . . .\n\
         2  P P P P P P P P\n\
         1  R N B Q K B N R\n   a b c d e f g h\n"
    );
}

#[test]
fn captures_and_promotions_are_those_of_all_moves() {
    let (mut count, mut ruled_out) = (0, 0);
    for position in played(8, 100).chain(random_positions(8, 30_000)) {
        let all = position.moves().into_iter();
        let loud = all.filter(|&mv| position.is_capture(mv) || position.is_promotion(mv));
        let loud = sorted(loud);
        count += loud.len();
        assert_eq!(sorted(position.captures_and_promotions()), loud, "{}", position.fen());
        let may_be = position.may_capture_or_promote();
        assert!(may_be || loud.is_empty(), "{}", position.fen());
        ruled_out += usize::from(!may_be);
    }
    assert!(ruled_out > 1_000, "{ruled_out}");
    assert!(count > 50_000, "{count}");
}
