#!/usr/bin/env python3
"""Queries `damka serve` in the protocol of lila-tablebase with an unmodified client, berserk.

    pip install berserk chess
    cargo build --release
    target/release/damka gen chess 3 KPvKP --tables DIR
    python3 tests/crosscheck/lila_client.py --damka target/release/damka --tables DIR

It begins with the documented example of lila-tablebase. Then follow random positions of few pieces
(seeded); python-chess gives the moves, their notation, which are captures or pawn moves, and where the
game is over. Values must agree with those after the moves, and distances shrink by one along the best move.

Every difference is printed. Exit code: 0 without differences, else 1.
"""

import argparse
import random
import re
import subprocess
import sys

import berserk
import chess

EXAMPLE = "4k3/6KP/8/8/8/8/7p/8 w - - 0 1"
MATERIALS = ("KQvK", "KRvK", "KPvK", "KBvK", "KNvK", "KPvKP")
CATEGORIES = ("loss", "maybe-loss", "draw", "maybe-win", "win")


class Difference(Exception):
    pass


def check(found, expected, what):
    if found != expected:
        raise Difference(f"{what}: {found!r} instead of {expected!r}")


def facts(board):
    return {
        "checkmate": board.is_checkmate(),
        "stalemate": board.is_stalemate(),
        "insufficient_material": board.is_insufficient_material(),
        "variant_win": False,
        "variant_loss": False,
    }


def check_position(answer, board):
    for key, expected in facts(board).items():
        check(answer[key], expected, key)
    check(answer["dtz"], None, "dtz")
    moves = {move["uci"]: move for move in answer["moves"]}
    check(set(moves), {move.uci() for move in board.legal_moves}, "moves")
    for move in board.legal_moves:
        listed = moves[move.uci()]
        check(listed["san"], board.san(move), "san")
        check(listed["zeroing"], board.is_zeroing(move), f"zeroing of {listed['san']}")
        board.push(move)
        for key, expected in facts(board).items():
            check(listed[key], expected, f"{key} after {listed['san']}")
        board.pop()
    if not answer["moves"]:
        return
    # Values of moves are for the opponent: the best move has the worst value.
    values = [CATEGORIES.index(move["category"]) for move in answer["moves"]]
    plain = [(value > 2) - (value < 2) for value in values]
    own = CATEGORIES.index(answer["category"])
    check(min(plain), -((own > 2) - (own < 2)), "the value of the best move")
    check(plain, sorted(plain), "the order of the moves")
    if answer["dtm"] is not None:
        best = answer["moves"][0]["dtm"]
        sign = 1 if answer["dtm"] > 0 else -1
        check(best, sign - answer["dtm"], "the distance after the best move")


def check_example(client):
    """Compares with the example in the documentation of lila-tablebase."""
    answer = client.tablebase.standard(EXAMPLE.replace(" ", "_"))
    check(answer["dtm"], 17, "dtm")
    check(answer["category"], "win", "category")
    best = answer["moves"][0]
    check((best["uci"], best["san"], best["dtm"]), ("h7h8q", "h8=Q+", -16), "the best move")
    check((best["zeroing"], best["category"]), (True, "loss"), "the best move")
    check_position(answer, chess.Board(EXAMPLE))


def check_mainline(session, url, fen):
    line = session.get(f"{url}/standard/mainline", params={"fen": fen}).json()
    board = chess.Board(fen)
    for ply in line["mainline"]:
        move = chess.Move.from_uci(ply["uci"])
        if move not in board.legal_moves:
            raise Difference(f"{ply['uci']} is not legal in {board.fen()}")
        check(ply["san"], board.san(move), "san")
        board.push(move)
    if line["winner"] is None:
        check(line["mainline"], [], "the line of a draw")
    else:
        check(len(line["mainline"]), abs(line["dtm"]), "the length of the line")
        check(board.is_checkmate(), True, "the end of the line")
        check(board.turn == chess.BLACK, line["winner"] == "w", "the winner")


def random_board(rng):
    while True:
        board = chess.Board(None)
        white, black = rng.choice(MATERIALS).split("v")
        if rng.random() < 0.5:
            white, black = black, white
        squares = rng.sample(range(64), len(white) + len(black))
        for symbol, square in zip(white + black.lower(), squares):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = rng.random() < 0.5
        board.halfmove_clock = rng.choice((0, 0, 0, 10, 99))
        if board.is_valid():
            return board


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--damka", required=True)
    parser.add_argument("--tables", required=True)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    command = [args.damka, "serve", "--listen", "127.0.0.1:0", "--tables", args.tables, "--no-build"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    differences = 0
    try:
        url = re.search(r"http://\S+", server.stderr.readline()).group()
        client = berserk.Client(tablebase_url=url)
        try:
            check_example(client)
        except Difference as difference:
            differences += 1
            print(f"{EXAMPLE}: {difference}")
        rng = random.Random(args.seed)
        session = berserk.clients.base.requests.Session()
        check_mainline(session, url, EXAMPLE)
        for _ in range(args.positions):
            board = random_board(rng)
            try:
                check_position(client.tablebase.standard(board.fen()), board)
                check_mainline(session, url, board.fen())
            except Difference as difference:
                differences += 1
                print(f"{board.fen()}: {difference}")
    finally:
        server.terminate()
        code = server.wait(timeout=60)
    if code != 0:
        differences += 1
        print(f"the server ended with {code}")
    print(f"lila_client: {args.positions} positions, {differences} differences")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
