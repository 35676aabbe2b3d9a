#!/usr/bin/env python3
"""Compares damka's move generator with pydraughts, an independent implementation.

    pip install pydraughts
    cargo build --release
    python3 tests/crosscheck/pydraughts_check.py --damka target/release/damka

For Russian, Brazilian, English and Italian draughts it makes random positions (seeded,
1 to 12 pieces a side, most pieces kings, either side to move) and compares:

1. the legal moves of every position, as the set of (from, to, captured squares).
   damka's come from `damka perft GAME 1 FEN --divide`. It prints every landing
   square of a capture but not the captured pieces, so these are found by following
   the route on the board; a route that jumps an own piece, two pieces at once, or
   the same piece twice, or lands on a piece, is an error.
   pydraughts lists captures by route; routes with the same key are one move.
   2. on the first of them, `damka perft GAME 3 FEN --divide`: the leaves after
   every move. This tests the position after the move, which a key does not show
   (promotion, removed pieces, side to move).

Both programs read the same FEN. pydraughts numbers the squares of Russian and
Brazilian boards from a1 (1 = a1, 5 = b2, 32 = h8), and of the English board as
damka does (1 = b8, 29 = a1). The Italian board is mirrored: 1 is a8, 29 is b1. In this
script squares are (file, rank) pairs, 0 to 7, of a board that is not mirrored.

Every difference is printed, with its position. Exit code: 0 without differences,
else 1.
"""

import argparse
import random
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib.metadata import version

import draughts

GAMES = ("russian", "brazilian", "english", "italian")
SQUARES = [(file, rank) for rank in range(8) for file in range(rank % 2, 8, 2)]
TALLIES = (
    "positions", "without a move", "moves", "captures", "multi-captures", "captures by kings",
    "multi-captures by kings", "captures of 4 or more", "men passing the last row",
    "routes merged", "perft positions", "perft leaves",
)


def numeric(game, square):
    """The square's number from the top left corner, as in PDN of English and Italian draughts."""
    file, rank = square
    column = 3 - file // 2 if game == "italian" else file // 2
    return (7 - rank) * 4 + column + 1


NUMBERED = {game: {numeric(game, square): square for square in SQUARES} for game in ("english", "italian")}


def name(game, square):
    """The name of a square in FENs and moves of `game`."""
    return str(numeric(game, square)) if game in NUMBERED else "abcdefgh"[square[0]] + str(square[1] + 1)


def named(game, text):
    """The square written `c3` or `22`."""
    return NUMBERED[game][int(text)] if text.isdigit() else ("abcdefgh".index(text[0]), int(text[1]) - 1)


def random_board(rng):
    """Pieces by square ('W', 'w', 'B', 'b'; capitals are kings), and the side to move."""
    most = rng.choice((5, 12))  # half of the positions are endgames
    white, black = rng.randint(1, most), rng.randint(1, most)
    kings = rng.choice((0.2, 0.6, 0.8, 1.0))
    board = {}
    for i, square in enumerate(rng.sample(SQUARES, white + black)):
        side, last_row = ("w", 7) if i < white else ("b", 0)
        king = rng.random() < kings or square[1] == last_row
        board[square] = side.upper() if king else side
    return board, rng.choice("WB")


def fen(game, board, turn):
    def side(letter):
        pieces = sorted(item for item in board.items() if item[1].upper() == letter)
        return ",".join(("K" if kind.isupper() else "") + name(game, square) for square, kind in pieces)

    return f"{turn}:W{side('W')}:B{side('B')}"


def captured_along(board, path):
    """The squares of the pieces that a capture takes; ValueError if it is no capture."""
    taken = []
    for (f, r), (to_f, to_r) in zip(path, path[1:]):
        steps, df, dr = abs(to_f - f), 1 if to_f > f else -1, 1 if to_r > r else -1
        if steps < 2 or steps != abs(to_r - r):
            raise ValueError("not a jump along a diagonal")
        way = [(f + df * i, r + dr * i) for i in range(1, steps + 1)]
        # The moving piece has left its square; the taken ones stay until the end.
        met = [square for square in way if square in board and square != path[0]]
        if len(met) != 1 or met[0] == way[-1] or met[0] in taken:
            raise ValueError("must jump one piece, once, and land behind it")
        if board[met[0]].upper() == board[path[0]].upper():
            raise ValueError("jumps an own piece")
        taken += met
    return taken


def damka_divide(damka, game, text, depth):
    """[(move as printed, leaves after it)]; checks the total that damka prints."""
    command = [damka, "perft", game, str(depth), text, "--divide"]
    *lines, total = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")[:-1]
    counts = [(move, int(count)) for move, count in (line.split(": ") for line in lines if line)]
    if sum(count for _, count in counts) != int(total):
        raise ValueError(f"damka's total {total} is not the sum of {counts}")
    return counts


def damka_moves(game, board, counts):
    """{key: (path, leaves)} of the result of `damka_divide`."""
    moves = {}
    for text, count in counts:
        path = [named(game, part) for part in text.replace("x", "-").split("-")]
        taken = captured_along(board, path) if "x" in text else []
        key = (path[0], path[-1], frozenset(taken))
        if key in moves:
            raise ValueError(f"damka lists {text} twice")
        moves[key] = (path, count)
    return moves


def pydraughts_moves(game, position):
    """{key: pydraughts' move}, and the number of routes."""
    def square(number):
        return NUMBERED[game][number] if game in NUMBERED else SQUARES[number - 1]

    listed = position.legal_moves()
    moves = {}
    for move in listed:
        steps = [square(number) for number in move.steps_move]
        moves[steps[0], steps[-1], frozenset(map(square, move.captures))] = move
    return moves, len(listed)


def pydraughts_leaves(game, position, depth):
    """{key: leaves after the move}: divided perft."""
    leaves = {}
    for key, move in pydraughts_moves(game, position)[0].items():
        leaves[key] = 1
        if depth > 1:
            position.push(move)
            leaves[key] = sum(pydraughts_leaves(game, position, depth - 1).values())
            position.pop()
    return leaves


def show(game, key):
    start, end, taken = key
    squares = " ".join(name(game, square) for square in sorted(taken))
    return f"{name(game, start)}{'x' if taken else '-'}{name(game, end)}" + (f" taking {squares}" if taken else "")


def compare(damka, game, case):
    """The features of one position, and the differences found."""
    board, turn, depth = case
    text = fen(game, board, turn)
    try:
        moves = damka_moves(game, board, damka_divide(damka, game, text, 1))
        deeper = damka_moves(game, board, damka_divide(damka, game, text, depth)) if depth else {}
    except (ValueError, subprocess.CalledProcessError) as error:
        return Counter(), [f"{game} {text}: damka: {error}"]
    position = draughts.Board(game, text)
    others, routes = pydraughts_moves(game, position)
    found = [f"{game} {text}: only damka has {show(game, key)}" for key in moves.keys() - others.keys()]
    found += [f"{game} {text}: only pydraughts has {show(game, key)}" for key in others.keys() - moves.keys()]
    ours = {key: count for key, (_, count) in deeper.items()}
    theirs = pydraughts_leaves(game, position, depth) if depth else {}
    found += [
        f"{game} {text}: after {show(game, key)}, depth {depth}: damka {ours.get(key)}, pydraughts {theirs.get(key)}"
        for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key)
    ]

    seen = Counter({
        "positions": 1, "without a move": not moves, "routes merged": routes - len(others),
        "perft positions": depth > 0, "perft leaves": sum(ours.values()),
    })
    for (start, _, taken), (path, _) in moves.items():
        king, last_row = board[start].isupper(), 7 if board[start] in "Ww" else 0
        seen["moves"] += 1
        seen["captures"] += len(taken) > 0
        seen["multi-captures"] += len(taken) > 1
        seen["captures by kings"] += king and len(taken) > 0
        seen["multi-captures by kings"] += king and len(taken) > 1
        seen["captures of 4 or more"] += len(taken) > 3
        seen["men passing the last row"] += not king and any(rank == last_row for _, rank in path[1:-1])
    return seen, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damka", required=True, help="the damka binary")
    parser.add_argument("--games", nargs="+", choices=GAMES, default=GAMES)
    parser.add_argument("--positions", type=int, default=10_000, help="for each game (default 10000)")
    parser.add_argument("--deep", type=int, default=300, help="how many of them also by perft (default 300)")
    parser.add_argument("--depth", type=int, default=3, help="depth of that perft (default 3)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    print(f"pydraughts {version('pydraughts')}, seed {args.seed}, perft to depth {args.depth}", flush=True)
    differences = []
    with ProcessPoolExecutor() as pool:
        for game in args.games:
            rng = random.Random(f"{args.seed} {game}")
            cases = [(*random_board(rng), args.depth if i < args.deep else 0) for i in range(args.positions)]
            seen = Counter()
            for tally, found in pool.map(partial(compare, args.damka, game), cases, chunksize=10):
                seen += tally
                differences += found
            print(f"{game}: " + ", ".join(f"{tally} {seen[tally]}" for tally in TALLIES), flush=True)
    print(*differences, f"differences: {len(differences)}", sep="\n")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
