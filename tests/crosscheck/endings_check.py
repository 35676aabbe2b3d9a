#!/usr/bin/env python3
"""Lets damka play won and drawn endings of chess over UCI, with python-chess as referee.

    pip install chess
    cargo build --release
    target/release/damka gen chess 4 --tables DIR
    python3 tests/crosscheck/endings_check.py --damka target/release/damka --tables DIR

From random positions (seeded) of all signatures with distances in DIR, damka plays the side to move,
which wins or draws, alternately. The opponent is alternately the best defence by `damka probe` and a
player of random moves. The value by `probe` before each of damka's moves must hold after it: a win keeps
its distance, and python-chess must see mate at exactly the first distance; a draw stays one until the
game is over by python-chess's rules, or for 30 plies. With --engine-tables damka itself has other tables,
such as only those without distances: then a win need only be mate before python-chess calls it drawn.

Exit code: 0 if no game was spoiled, 1 if one was.
"""

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import chess
import chess.engine

LONGEST_DRAW = 30
KINDS = {letter: chess.Piece.from_symbol(letter).piece_type for letter in "KQRBNP"}


class Probe:
    """`damka probe`, one position at a time."""

    def __init__(self, damka, tables):
        command = [damka, "probe", "chess", "-", "--json", "--no-build", "--tables", tables]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, board):
        print(board.fen(), file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise ValueError(f"{board.fen()}: {answer['error']}")
        return answer


def position(rng, signature):
    """A legal position with the pieces of a signature, without castling rights."""
    while True:
        board = chess.Board(None)
        sides = signature.split("v")
        squares = rng.sample(range(64), sum(map(len, sides)))
        for color, side in zip((True, False), sides):
            for letter in side:
                board.set_piece_at(squares.pop(), chess.Piece(KINDS[letter], color))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            return board if rng.random() < 0.5 else board.mirror()


def play(engine, probe, rng, board, limit, is_exact, best_defence):
    """Plays a game to its end; returns the number of plies."""
    damka, first = board.turn, probe.ask(board)
    start = board.fen()
    while not (board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves()):
        known = probe.ask(board)
        moves = {move["fen"].split(" ")[0]: move for move in known["moves"]}
        if board.turn == damka:
            move = engine.play(board, limit, game=start).move
            board.push(move)
            played = moves[board.board_fen()]
            keeps = played["value"] == known["value"] and (not is_exact or played["dtw"] == known["dtw"])
            if not keeps:
                raise ValueError(f"{start}: {move} spoils {known['fen']}: {known['value']} {known['dtw']}, {played}")
        else:
            legal = list(board.legal_moves)
            if best_defence:
                best = [fen for fen, move in moves.items() if move["dtw"] == known["dtw"] and move["value"] == known["value"]]
                legal = [move for move in legal if after(board, move) in best]
            board.push(rng.choice(legal))
        if known["value"] == "draw" and len(board.move_stack) >= LONGEST_DRAW:
            break
    plies = len(board.move_stack)
    if first["value"] == "win":
        is_mate = board.is_checkmate() and board.turn != damka
        in_time = plies <= first["dtw"] and (not best_defence or plies == first["dtw"])
        if not is_mate or is_exact and not in_time:
            raise ValueError(f"{start}: no mate in {first['dtw']}, but after {plies} {board.fen()}")
    elif board.is_checkmate() and board.turn == damka:
        raise ValueError(f"{start}: a draw is lost: {board.fen()}")
    return plies


def after(board, move):
    board.push(move)
    fen = board.board_fen()
    board.pop()
    return fen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damka", required=True, help="the command damka")
    parser.add_argument("--tables", required=True, help="a directory of tables, whose distances are the measure")
    parser.add_argument("--engine-tables", help="those that damka plays with (default: the same)")
    parser.add_argument("--games", type=int, default=500, help="how many (default 500)")
    parser.add_argument("--time", type=float, default=0.05, help="seconds for a move (default 0.05)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    signatures = sorted(path.stem for path in Path(args.tables, "chess").glob("*.dtw"))
    print(f"python-chess {chess.__version__}, seed {args.seed}, {len(signatures)} signatures", flush=True)
    rng, probe, limit = random.Random(args.seed), Probe(args.damka, args.tables), chess.engine.Limit(time=args.time)
    # Some signatures have no or few positions of the wanted kind.
    tries = 50
    left = {"win": list(signatures), "draw": list(signatures)}
    ended, plies, played = Counter(), 0, set()
    with chess.engine.SimpleEngine.popen_uci([args.damka, "engine", "chess", "--book", "none"], timeout=120) as engine:
        engine.configure({"TablePath": args.engine_tables or args.tables, "Hash": 16})
        number = 0
        while number < args.games:
            wanted = ("win", "draw")[number // 2 % 2]
            signature = rng.choice(left[wanted])
            some = (position(rng, signature) for _ in range(tries))
            fits = (board for board in some if not board.is_game_over() and probe.ask(board)["value"] == wanted)
            board = next(fits, None)
            if board is None:
                left[wanted].remove(signature)
                continue
            plies += play(engine, probe, rng, board, limit, not args.engine_tables, number % 2 == 0)
            ended[wanted] += 1
            played.add(signature)
            number += 1
    print(f"{args.games} endings, {plies} plies:", ", ".join(f"{end} {count}" for end, count in ended.items()))
    print(f"of {len(played)} signatures")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ValueError, chess.engine.EngineError, TimeoutError) as error:
        print(error)
        sys.exit(1)
