#!/usr/bin/env python3
"""Lets python-chess, an independent client of UCI, play whole games with damka.

    pip install chess
    cargo build --release
    python3 tests/crosscheck/uci_client.py --damka target/release/damka

python-chess starts `damka engine chess`, and damka plays both sides: with a clock, a time for each move, a
depth or a number of nodes in turn, and pondering in every other game. The first moves of a game are random
(seeded). python-chess keeps the board: each of damka's moves, every move that it expects as an answer, and
every line that it sends must be legal, until the game is over by python-chess's rules. In one game damka
plays at its lowest level and sends its chances. The games follow tests of several lines, of a search of
some moves only, of an endless search that is stopped, and of a mate.

Exit code: 0 if all games were played to their end, 1 if not.
"""

import argparse
import random
import sys
from collections import Counter

import chess
import chess.engine

LIMITS = (
    dict(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01),
    dict(time=0.02),
    dict(depth=5),
    dict(nodes=3000),
    dict(white_clock=2, black_clock=2, remaining_moves=20),
)
OPTIONS = {"Hash", "Threads", "TablePath", "TableCache", "Ponder", "MultiPV", "Move Overhead", "Book"} | {
    "Variety", "UCI_LimitStrength", "UCI_Elo", "UCI_AnalyseMode", "UCI_ShowWDL", "Clear Hash"
}
INFO = {"depth", "seldepth", "score", "nodes", "nps", "tbhits", "hashfull", "time", "pv"}
LONGEST = 600


def expect(is_so, what):
    if not is_so:
        raise ValueError(what)


def check_line(board, moves):
    board = board.copy()
    for move in moves:
        expect(board.is_legal(move), f"{move} is not legal in {board.fen()}")
        board.push(move)


def ask(engine):
    """Searches outside of games."""
    board = chess.Board()
    lines = engine.analyse(board, chess.engine.Limit(depth=6), multipv=4)
    expect(len({line["pv"][0] for line in lines}) == 4, f"not four lines: {lines}")
    scores = [line["score"].relative for line in lines]
    expect(scores == sorted(scores, reverse=True), f"lines out of order: {scores}")
    some = [chess.Move.from_uci(text) for text in ("a2a3", "h2h3")]
    expect(engine.play(board, chess.engine.Limit(depth=4), root_moves=some).move in some, "other moves")
    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5:
                break
    mate = chess.Board("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1")
    found = engine.analyse(mate, chess.engine.Limit(mate=2))
    expect(found["score"].relative == chess.engine.Mate(2), f"no mate in 2: {found}")


def play(engine, rng, limit, ponder):
    """Plays a game; returns its end and the number of moves."""
    board, game = chess.Board(), object()
    for _ in range(rng.randrange(9)):
        board.push(rng.choice(list(board.legal_moves)))
    while not board.is_game_over(claim_draw=True):
        expect(len(board.move_stack) < LONGEST, "the game does not end")
        result = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL, ponder=ponder)
        expect(result.move is not None, f"no move in {board.fen()}")
        expect(INFO <= result.info.keys(), f"incomplete information: {result.info}")
        check_line(board, result.info["pv"])
        if result.ponder:
            check_line(board, [result.move, result.ponder])
        board.push(result.move)
    return board.outcome(claim_draw=True), len(board.move_stack)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damka", required=True, help="the command damka")
    parser.add_argument("--games", type=int, default=20, help="how many (default 20)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    print(f"python-chess {chess.__version__}, seed {args.seed}", flush=True)
    # A book move comes without information about a search.
    command = [args.damka, "engine", "chess", "--book", "none", "--memory", "4M"]
    ended, moves = Counter(), 0
    # Do not wait forever for an engine that does not answer.
    with chess.engine.SimpleEngine.popen_uci(command, timeout=120) as engine:
        expect(OPTIONS <= set(engine.options), f"options {list(engine.options)}")
        engine.configure({"Move Overhead": 5, "Threads": 2, "Hash": 8})
        ask(engine)
        rng = random.Random(args.seed)
        for number in range(args.games):
            limit = chess.engine.Limit(**LIMITS[number % len(LIMITS)])
            outcome, length = play(engine, rng, limit, number % 2 == 1)
            ended[outcome.termination.name.lower()] += 1
            moves += length
        weakest = engine.options["UCI_Elo"].min
        engine.configure({"UCI_LimitStrength": True, "UCI_Elo": weakest, "UCI_ShowWDL": True, "Clear Hash": None})
        found = engine.play(chess.Board(), chess.engine.Limit(depth=9), info=chess.engine.INFO_ALL)
        expect(found.info["depth"] == 1, f"a beginner looks further: {found.info}")
        expect(found.info["wdl"].white().total() == 1000, f"no chances: {found.info}")
        play(engine, rng, chess.engine.Limit(time=1), False)
        strong = engine.analyse(chess.Board(), chess.engine.Limit(depth=6))
        expect(strong["depth"] == 6, f"an analysis is as weak as a game: {strong}")
    print(f"{args.games} games, {moves} plies:", ", ".join(f"{end} {count}" for end, count in ended.items()))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ValueError, chess.engine.EngineError, TimeoutError) as error:
        print(error)
        sys.exit(1)
