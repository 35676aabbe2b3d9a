#!/usr/bin/env python3
"""Compares the nodes and the time that programs need to search positions of draughts to a depth.

    pip install pydraughts
    cargo build --release
    python3 tests/crosscheck/depths.py --damka target/release/damka english 'GuiNN:/path/to/guinn --hub'

Another program is a name and a command that speaks Hub; after each iteration it must send `info` with the
depth and the number of nodes. The positions come from games that damka plays against itself, from random
openings (seeded). Every program searches each position for --seconds, and starts each with an empty
transposition table. damka has one thread and no tables.

A row of the first table is a program: the median of the depths that it completed, its nodes a second, and
the branching factor: by how much one more ply multiplies the nodes, as a geometric mean. A row of the second
table is a depth, with the positions in which all programs searched to that depth; for each program it has
the geometric means of the nodes and of the milliseconds. A program that skips the depth is counted with the
next one. Programs reduce and extend lines by different rules, so that the same depth is not the same work.
"""

import argparse
import math
import random
import shlex
import statistics
import sys
import tempfile
import time
from importlib.metadata import version

import draughts
from draughts.engine import HubEngine, Limit

# A game begins with so many random moves.
OPENING = 8
# The maximum number of damka's moves after them, and the depth at which it searches these moves.
MIDGAME, PLAYED_DEPTH = 30, 6


class Program(HubEngine):
    """A program that records each completed depth: its nodes, and seconds since the start of the search."""

    def __init__(self, name, command, game):
        self.name, self.depths = name, {}
        super().__init__(command)
        for option, value in (("variant", game), ("threads", 1)):
            if option in self.options:
                self.setoption(option, value)
        self.init()

    def recv_hub(self):
        command, text = super().recv_hub()
        if command == "info":
            fields = dict(field.split("=", 1) for field in shlex.split(text) if "=" in field)
            if "depth" in fields and "nodes" in fields:
                self.depths[int(fields["depth"])] = int(fields["nodes"]), time.monotonic() - self.start
        return command, text

    def searched(self, board, seconds):
        """Searches a position with an empty transposition table; returns the completed depths."""
        self.send("new-game")
        self.ping()
        self.depths, self.start = {}, time.monotonic()
        self.play(board, Limit(movetime=seconds), False)
        return {depth: done for depth, done in self.depths.items() if done[0] > 0}

    def moved(self, board):
        self.start = time.monotonic()
        return self.play(board, Limit(depth=PLAYED_DEPTH), False).move


def positions(game, count, seed, player):
    """Positions with at least two legal moves, each from another game."""
    rng = random.Random(f"{seed} {game}")
    found = []
    while len(found) < count:
        board = draughts.Board(game)
        for ply in range(OPENING + rng.randrange(MIDGAME + 1)):
            if board.is_over():
                break
            board.push(rng.choice(board.legal_moves()) if ply < OPENING else player.moved(board))
        if not board.is_over() and len(board.legal_moves()) > 1:
            found.append(board)
    return found


def geometric(values):
    return math.exp(statistics.fmean(math.log(max(value, 1e-9)) for value in values))


def before_last(depths):
    """The depths, in order, without the last: its nodes may include those of an unfinished iteration."""
    return sorted(depths)[:-1]


def branching(searches):
    """By how much a ply multiplies the nodes, from the third depth on."""
    factors = []
    for depths in searches:
        known = before_last(depths)
        if len(known) >= 6:
            first, last = known[2], known[-1]
            factors.append((depths[last][0] / depths[first][0]) ** (1 / (last - first)))
    return geometric(factors) if factors else math.nan


def reached(depths, depth):
    """The nodes and seconds to the depth or, for a program that skips it, to the next one."""
    return next((depths[known] for known in before_last(depths) if known >= depth), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damka", required=True)
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each position (default 2)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("game", choices=["russian", "brazilian", "english", "italian"])
    parser.add_argument("others", nargs="*", metavar="NAME:COMMAND")
    args = parser.parse_args()
    others = [other.partition(":") for other in args.others]
    if not all(command for _, _, command in others):
        parser.error("another program is NAME:COMMAND")

    with tempfile.TemporaryDirectory(prefix="damka-depths-") as no_tables:
        damka = [args.damka, "engine", args.game, "--book", "none", "--tables", no_tables]
        programs = [Program(name, command, args.game)
                    for name, command in [("damka", damka)] + [(name, shlex.split(words)) for name, _, words in others]]
        boards = positions(args.game, args.positions, args.seed, programs[0])
        searches = {program.name: [program.searched(board, args.seconds) for board in boards] for program in programs}
        for program in programs:
            program.quit()
            program.p.communicate()

    print(f"pydraughts {version('pydraughts')}, {args.game}: {args.positions} positions, {args.seconds} s, seed {args.seed}")
    print()
    print("| program | depth | nodes a second | branching factor |\n|---|--:|--:|--:|")
    for name, found in searches.items():
        last = [max(depths.values()) for depths in found if depths]
        speed = sum(nodes for nodes, _ in last) / sum(seconds for _, seconds in last)
        depth = statistics.median(max(depths, default=0) for depths in found)
        print(f"| {name} | {depth:g} | {speed:,.0f} | {branching(found):.2f} |")

    names = " | ".join(f"{name}: nodes | ms" for name in searches)
    print(f"\n| depth | positions | {names} |\n|--:|--:|{'--:|' * 2 * len(searches)}")
    for depth in range(6, 100, 2):
        rows = list(zip(*([reached(depths, depth) for depths in found] for found in searches.values())))
        rows = [row for row in rows if all(row)]
        # With fewer, a mean says little of the others.
        if len(rows) < len(boards) / 2:
            break
        cells = " | ".join(f"{geometric(nodes for nodes, _ in done):,.0f} | {1000 * geometric(s for _, s in done):,.1f}"
                           for done in zip(*rows))
        print(f"| {depth} | {len(rows)} | {cells} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
