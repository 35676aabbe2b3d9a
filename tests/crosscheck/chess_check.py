#!/usr/bin/env python3
"""Compares damka's rules of chess with python-chess, an independent implementation.

    pip install chess
    cargo build --release -p damka-games --example chess_moves
    python3 tests/crosscheck/chess_check.py --damka target/release/examples/chess_moves

It makes random positions (seeded) of chess and Chess960: half of them from games of random moves, half
with randomly placed pieces, and castling rights and en passant squares that may be impossible.
python-chess writes each as a FEN, with the square behind every double step, in Chess960 sometimes with
the files of rooks as castling rights (Shredder-FEN). It compares:

1. whether the position is possible, except for checks that no move can have given: damka does not ask
   how a game led there;
2. castling rights and whether a pawn can legally be taken en passant, in the FEN that damka
   writes again;
3. check, mate and stalemate;
4. the legal moves in both of UCI's notations, SAN of each, and the FEN of the position after it.

The start positions of Chess960 are compared by their numbers.

Every difference is printed, with its position. Exit code: 0 without differences, else 1.
"""

import argparse
import random
import subprocess
import sys
from collections import Counter

import chess

# Errors which only mean that no game leads to the position.
UNREACHABLE = chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK
TALLIES = (
    "positions", "impossible", "moves", "captures", "en passant", "castling", "promotions",
    "checks", "mates", "stalemates", "disambiguated",
)


def played(rng, chess960):
    """A position of a game of random moves, mostly not the last one."""
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
    for _ in range(rng.randrange(1, 250)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(rng.choice(moves))
    return board


def placed_at_random(rng, chess960):
    """Pieces anywhere; often kings and rooks where they may castle, and pawns after a double step."""
    board = chess.Board(None, chess960=chess960)
    board.turn = rng.random() < 0.5
    for color in chess.COLORS:
        rank = 0 if color else 56
        if rng.random() < 0.3:
            long, king, short = sorted(rng.sample(range(8), 3)) if chess960 else (0, 4, 7)
            board.set_piece_at(rank + king, chess.Piece(chess.KING, color))
            for square in (rank + long, rank + short):
                board.set_piece_at(square, chess.Piece(chess.ROOK, color))
                if rng.random() < 0.5:
                    board.castling_rights |= chess.BB_SQUARES[square]
        elif rng.random() < 0.98:
            board.set_piece_at(rng.randrange(64), chess.Piece(chess.KING, color))
    if rng.random() < 0.4:
        file, fifth, sixth = rng.randrange(8), 4 if board.turn else 3, 5 if board.turn else 2
        board.ep_square = chess.square(file, sixth)
        if rng.random() < 0.95:
            board.set_piece_at(chess.square(file, fifth), chess.Piece(chess.PAWN, not board.turn))
        for near in (file - 1, file + 1):
            if 0 <= near < 8 and rng.random() < 0.6:
                board.set_piece_at(chess.square(near, fifth), chess.Piece(chess.PAWN, board.turn))
    for _ in range(rng.randrange(12)):
        square, kind = rng.randrange(64), rng.choice(chess.PIECE_TYPES[:-1])
        is_bad_pawn = kind == chess.PAWN and square // 8 in (0, 7) and rng.random() < 0.98
        if board.piece_at(square) is None and not is_bad_pawn:
            board.set_piece_at(square, chess.Piece(kind, rng.random() < 0.5))
    return board


def is_possible(board):
    """By damka's rules: python-chess does not ask whether the king was in check before a double step."""
    if board.status() & ~UNREACHABLE != chess.STATUS_VALID:
        return False
    if board.ep_square is None:
        return True
    before = board.copy(stack=False)
    step = 8 if board.turn else -8
    before.remove_piece_at(board.ep_square - step)
    before.set_piece_at(board.ep_square + step, chess.Piece(chess.PAWN, not board.turn))
    before.turn = not board.turn
    return not before.was_into_check()


def fen(board):
    return " ".join(board.fen(en_passant="legal").split()[:4])


def expected(board):
    """The FEN, whether there is check, and (move in both notations, SAN, FEN after it) of every move."""
    moves = []
    for move in board.legal_moves:
        san = board.san(move)
        board.push(move)
        after = fen(board)
        board.pop()
        moves.append((board.uci(move, chess960=False), board.uci(move, chess960=True), san, after))
    return fen(board), board.is_check(), sorted(moves)


def parsed(line):
    """Reads the values of `expected` from a line that damka wrote."""
    position, check, *fields = line.split("\t")
    text = lambda fen: " ".join(fen.split()[:4])
    moves = [(*names, text(after)) for *names, after in zip(*[iter(fields)] * 4, strict=True)]
    return text(position), check == "true", sorted(moves)


def compare(board, line):
    """The features of one position, and the differences found."""
    start = board.fen(en_passant="fen")
    refused = line.startswith("error\t")
    if refused or not is_possible(board):
        seen = Counter({"positions": 1, "impossible": 1})
        agreed = refused and not is_possible(board)
        return seen, [] if agreed else [f"{start}: python-chess says {board.status()!r}, damka {line[:100]}"]
    ours, theirs = parsed(line), expected(board)
    found = [] if ours[:2] == theirs[:2] else [f"{start}: {ours[:2]} and not {theirs[:2]}"]
    found += [f"{start}: only damka has {move}" for move in set(ours[2]) - set(theirs[2])]
    found += [f"{start}: only python-chess has {move}" for move in set(theirs[2]) - set(ours[2])]
    found += [f"{start}: {len(ours[2])} moves"] if len(ours[2]) != len(theirs[2]) else []
    moves = list(board.legal_moves)
    sans = [san for _, _, san, _ in theirs[2]]
    return Counter({
        "positions": 1,
        "moves": len(moves),
        "captures": sum(map(board.is_capture, moves)),
        "en passant": sum(map(board.is_en_passant, moves)),
        "castling": sum(map(board.is_castling, moves)),
        "promotions": sum(move.promotion is not None for move in moves),
        "checks": board.is_check(),
        "mates": board.is_checkmate(),
        "stalemates": board.is_stalemate(),
        "disambiguated": sum(san[0] in "QRBN" and len(san.rstrip("+#").replace("x", "")) > 3 for san in sans),
    }), found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damka", required=True, help="the example chess_moves")
    parser.add_argument("--positions", type=int, default=10_000, help="how many (default 10000)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    print(f"python-chess {chess.__version__}, seed {args.seed}", flush=True)
    rng = random.Random(args.seed)
    made = [(played, placed_at_random)[i % 2](rng, i // 2 % 2 == 1) for i in range(args.positions)]
    texts = [
        board.fen(en_passant="fen", shredder=board.chess960 and rng.random() < 0.5) for board in made
    ]
    # Read again from the FENs: damka does not get the moves of the game either.
    boards = [chess.Board(fen, chess960=board.chess960) for fen, board in zip(texts, made, strict=True)]
    starts = [chess.Board.from_chess960_pos(number) for number in range(960)]
    boards += starts
    texts += [f"chess960:{number}" for number in range(960)]
    text = "".join(text + "\n" for text in texts)
    run = subprocess.run([args.damka], input=text, check=True, capture_output=True, text=True)
    seen, differences = Counter(), []
    for board, line in zip(boards, run.stdout.splitlines(), strict=True):
        tally, found = compare(board, line)
        seen += tally
        differences += found
    print(", ".join(f"{tally} {seen[tally]}" for tally in TALLIES))
    print(*differences, f"differences: {len(differences)}", sep="\n")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
