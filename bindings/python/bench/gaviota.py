"""Compares `Tables.dtw` with python-chess's reader of Gaviota tables: boards of python-chess, one call for each.

    python bench/gaviota.py TABLES GAVIOTA

TABLES has KRvK, KQvK and KPvK (`damka gen chess 3 --tables TABLES`), GAVIOTA the files of the same name; the source of
python-chess has them in data/gaviota. The answers must be equal. Times are processor time for a call, with blocks in
memory.
"""

from __future__ import annotations

import sys
import time
from typing import Callable, List, Tuple, TypeVar

import chess
import chess.gaviota
import damka
import numpy as np

T = TypeVar("T")


def timed(ask: Callable[[chess.Board], T], boards: List[chess.Board]) -> Tuple[List[T], float]:
    """The answers of a second round, and microseconds for each."""
    for board in boards:
        ask(board)
    start = time.process_time()
    answers = [ask(board) for board in boards]
    return answers, (time.process_time() - start) / len(boards) * 1e6


def main(directory: str, gaviota: str, count: int = 10_000) -> None:
    tables = damka.open("chess", directory)
    with chess.gaviota.PythonTablebase() as others:
        others.add_directory(gaviota)
        for signature in ("KRvK", "KQvK", "KPvK"):
            rows = tables.arrays(signature).positions
            rows = np.random.default_rng(1).permutation(rows)[:count]
            boards = [chess.Board(fen) for fen in damka.decode("chess", rows)]
            answers, ours = timed(tables.dtw, boards)
            distances, theirs = timed(others.probe_dtm, boards)
            # Gaviota's distances are negative for losses, which have an even number of plies, and 0 for draws.
            signed = [0 if plies is None else plies if plies % 2 else -plies for plies in answers]
            assert signed == distances, signature
            print(f"{signature}: {len(boards)} equal answers; damka {ours:.2f} us, Gaviota {theirs:.2f} us")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("usage: python bench/gaviota.py TABLES GAVIOTA", file=sys.stderr)
        sys.exit(2)
    main(sys.argv[1], sys.argv[2])
