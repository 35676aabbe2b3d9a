"""Measures probes per second of processor time: random positions of Russian draughts, as one array.

    python bench/probes.py TABLES --pieces 5
    python bench/probes.py TABLES --pieces 6 --cache 1024

TABLES has the WDL tables of up to that many pieces (`damka gen russian 6 --metric wdl --tables TABLES`).
`cold` is the first batch, whose blocks are read and decoded; `warm` are later batches of new positions;
`again` is a batch of the same positions.
"""

from __future__ import annotations

import argparse
import time

import damka
import numpy as np

RANK_8, RANK_1 = 0x0000000F, 0xF0000000


def random_rows(pieces: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Random legal placements of `pieces` pieces, with either side to move."""
    parts, found = [], 0
    while found < count:
        n = min(4 * (count - found) + 1000, 500_000)
        squares = rng.random((n, 32), dtype=np.float32).argpartition(pieces, axis=1)[:, :pieces]
        bits = np.left_shift(np.uint32(1), squares.astype(np.uint32))
        kinds = rng.integers(0, 4, (n, pieces))
        rows = np.zeros((n, 5), np.uint32)
        for kind in range(4):
            rows[:, kind] = np.where(kinds == kind, bits, np.uint32(0)).sum(axis=1, dtype=np.uint32)
        rows[:, 4] = rng.integers(0, 2, n)
        fits = (rows[:, 1] & RANK_8 == 0) & (rows[:, 3] & RANK_1 == 0)
        fits &= (rows[:, 0] | rows[:, 1] != 0) & (rows[:, 2] | rows[:, 3] != 0)
        parts.append(rows[fits])
        found += int(fits.sum())
    return np.concatenate(parts)[:count]


def timed(name: str, tables: damka.Tables, batches: list[np.ndarray], metric: str) -> None:
    ask = tables.wdl_batch if metric == "wdl" else tables.dtw_batch
    start = time.process_time()
    for rows in batches:
        values = ask(rows)
        assert (values > np.iinfo(values.dtype).min).all(), "a table is missing"
    seconds = time.process_time() - start
    count = sum(map(len, batches))
    print(f"{name}: {count / seconds / 1e6:.2f} million probes a second ({seconds / count * 1e9:.0f} ns)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("tables")
    parser.add_argument("--pieces", type=int, default=5)
    parser.add_argument("--count", type=int, default=1_000_000, help="positions of a batch")
    parser.add_argument("--batches", type=int, default=5)
    parser.add_argument("--cache", type=int, default=64, help="MiB")
    parser.add_argument("--metric", choices=["wdl", "dtw"], default="wdl")
    args = parser.parse_args()
    tables = damka.open("russian", args.tables, cache=args.cache << 20)
    rng = np.random.default_rng(1)
    batches = [random_rows(args.pieces, args.count, rng) for _ in range(args.batches + 1)]
    print(f"{args.pieces} pieces, batches of {args.count}, cache of {args.cache} MiB, {args.metric}")
    timed("cold", tables, batches[:1], args.metric)
    timed("warm", tables, batches[1:], args.metric)
    timed("again", tables, batches[1:], args.metric)


if __name__ == "__main__":
    main()
