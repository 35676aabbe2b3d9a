#!/usr/bin/env python3
"""Compares arrays of `damka list --npy`, read by NumPy, with the text of `damka list` and the counts of
`damka stats`.

    npy_check.py --damka target/debug/damka --tables DIR
"""

import argparse
import json
import re
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path

import numpy as np

DRAUGHTS = [f"{'bdfh'[i % 4] if i // 4 % 2 == 0 else 'aceg'[i % 4]}{8 - i // 4}" for i in range(32)]


def squares(bits):
    """The numbers of the squares of a bitboard, in order."""
    bits = int(bits)
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def draughts_fen(record):
    def side(kinds):
        kings, men = ([DRAUGHTS[square] for square in squares(bits)] for bits in kinds)
        return ",".join(["K" + king for king in kings] + men)

    turn = "WB"[record["turn"]]
    return f"{turn}:W{side(record['white'])}:B{side(record['black'])}"


@lru_cache(maxsize=None)
def rank_of_fen(rank):
    return re.sub(" +", lambda free: str(len(free[0])), rank)


def chess_fen(record):
    board = [" "] * 64
    for color, letters in [("white", "KQRBNP"), ("black", "kqrbnp")]:
        for letter, bits in zip(letters, record[color]):
            for square in squares(bits):
                board[square] = letter
    board = "".join(board)
    ranks = "/".join(rank_of_fen(board[first : first + 8]) for first in range(56, -1, -8))
    return f"{ranks} {'wb'[record['turn']]} - - 0 1"


def check(damka, tables, game, signature, fen, options):
    def run(*words):
        command = [damka, *words, "--tables", tables]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "positions.npy"
        run("list", game, signature, *options, "--npy", str(path))
        array = np.load(path, mmap_mode="r")
        text = run("list", game, signature, *options, "--limit", "0", "--json").splitlines()
        assert len(text) == len(array), (len(text), len(array))
        for record, line in zip(array, text):
            listed = json.loads(line)
            dtw = 65535 if listed["dtw"] is None else listed["dtw"]
            expected = (listed["fen"], listed["value"], dtw)
            value = {1: "win", 0: "draw", -1: "loss"}[int(record["wdl"])]
            assert (fen(record), value, int(record["dtw"])) == expected, (record, line)
        if "--all" in options:
            for line in run("stats", game, signature, "--json").splitlines():
                row = json.loads(line)
                own = array[array["turn"] == ["white", "black"].index(row["to_move"])]
                counts = [int((own["wdl"] == wdl).sum()) for wdl in (1, 0, -1)]
                assert counts == [row["wins"], row["draws"], row["losses"]], row
        print(f"{game} {signature} {' '.join(options)}: {len(array)} positions, dtype {array.dtype}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--damka", required=True)
    parser.add_argument("--tables", required=True)
    args = parser.parse_args()
    for options in [[], ["--all"]]:
        check(args.damka, args.tables, "russian", "KMvM", draughts_fen, options)
        check(args.damka, args.tables, "russian", "KvK", draughts_fen, options)
        check(args.damka, args.tables, "chess", "KRvK", chess_fen, options)


if __name__ == "__main__":
    main()
