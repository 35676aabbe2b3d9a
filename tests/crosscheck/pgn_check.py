#!/usr/bin/env python3
"""Lets python-chess, an independent implementation, write games as PGN and read them as damka rewrites them.

    pip install chess
    cargo build --release -p damka-records --example chess_games
    python3 tests/crosscheck/pgn_check.py --damka target/release/examples/chess_games

python-chess makes games of random moves (seeded), some from positions of other games, with tags,
comments, clocks, annotations and nested variations. damka reads and rewrites them, and python-chess reads
the result. Both must be the same games: tags, start, moves, annotations, comments, variations, result.
There are no quotes and backslashes in tags, as python-chess does not support escapes.

Every difference is printed, with its game. Exit code: 0 without differences, else 1.
"""

import argparse
import io
import random
import subprocess
import sys
from collections import Counter

import chess
import chess.pgn

WORDS = ("a", "good", "move", "(sic)", "[%clk", "0:10:00]", "[%eval", "-0.31]", ";", "%", "1-0", "e4",
         "$3", '"quoted"', "back\\slash", "début", "партия", "O-O")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
TAGS = ("Event", "White", "Black", "Annotator", "ECO", "WhiteElo")


def words(rng):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 30)))


def annotate(rng, node):
    if rng.random() < 0.15:
        node.comment = words(rng)
    if rng.random() < 0.1:
        node.nags = {rng.randrange(1, 140) for _ in range(rng.randrange(1, 3))}


def grow(rng, node, plies, depth):
    """Adds a line of random moves after a node, with variations."""
    for _ in range(plies):
        moves = list(node.board().legal_moves)
        if not moves:
            return
        rng.shuffle(moves)
        child = node.add_variation(moves[0])
        annotate(rng, child)
        for move in moves[1:3]:
            if depth and rng.random() < 0.06:
                other = node.add_variation(move)
                other.starting_comment = words(rng) if rng.random() < 0.2 else ""
                annotate(rng, other)
                grow(rng, other, rng.randrange(8), depth - 1)
        node = child


def made(rng):
    game = chess.pgn.Game()
    if rng.random() < 0.3:
        board = chess.Board()
        for _ in range(rng.randrange(80)):
            moves = list(board.legal_moves)
            if moves:
                board.push(rng.choice(moves))
        game.setup(board)
    for tag in TAGS:
        if rng.random() < 0.5:
            game.headers[tag] = words(rng).replace('"', "").replace("\\", "")
    game.headers["Result"] = rng.choice(RESULTS)
    game.comment = words(rng) if rng.random() < 0.1 else ""
    grow(rng, game, rng.randrange(120), 3)
    return game


def text(comment):
    return " ".join(" ".join(comment if isinstance(comment, list) else [comment]).split())


def tree(node):
    """The moves of a game with their annotations, comments and variations."""
    return [
        (child.move.uci(), sorted(child.nags), text(child.starting_comment), text(child.comment), tree(child))
        for child in node.variations
    ]


def whole(game):
    board = game.board()
    tags = {name: text(value) for name, value in game.headers.items() if name not in ("FEN", "SetUp")}
    return tags, board.fen(en_passant="legal").split()[:4], text(game.comment), tree(game)


def count(game):
    seen = Counter(games=1)
    nodes = [game]
    while nodes:
        node = nodes.pop()
        nodes += node.variations
        seen += Counter({
            "moves": len(node.variations),
            "variations": len(node.variations[1:]),
            "comments": bool(node.comment),
            "annotations": len(node.nags),
        })
    return seen


def main():
    sys.setrecursionlimit(10_000)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damka", required=True, help="the example chess_games")
    parser.add_argument("--games", type=int, default=1_000, help="how many (default 1000)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    print(f"python-chess {chess.__version__}, seed {args.seed}", flush=True)
    rng = random.Random(args.seed)
    # The reference is python-chess's reading of its own text.
    written = "".join(f"{made(rng)}\n\n" for _ in range(args.games))
    run = subprocess.run([args.damka], input=written.encode(), check=True, capture_output=True)
    theirs, ours = io.StringIO(written), io.StringIO(run.stdout.decode())
    seen, differences = Counter(), run.stderr.decode().splitlines()
    for number in range(1, args.games + 1):
        wanted, found = chess.pgn.read_game(theirs), chess.pgn.read_game(ours)
        if found is None:
            differences.append(f"game {number} and those after it are missing")
            break
        differences += [f"game {number}: {error!r}" for error in wanted.errors + found.errors]
        for part, want, have in zip(("tags", "start", "comment", "moves"), whole(wanted), whole(found), strict=True):
            if want != have:
                differences.append(f"game {number}, {part}: {str(have)[:300]} and not {str(want)[:300]}")
        seen += count(wanted)
    print(", ".join(f"{tally} {number}" for tally, number in seen.items()))
    print(*differences, f"differences: {len(differences)}", sep="\n")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
