#!/usr/bin/env python3
"""Measures damka's strength: plays a match with each of several programs, and prints a table of results.

    cargo build --release
    python3 tests/crosscheck/gauntlet.py --damka target/release/damka chess \\
        'Toga II:uci=/usr/games/toga2,time=100' \\
        'GNU Chess:uci=/usr/games/gnuchess --uci,time=100' \\
        'Stockfish, 3,000 nodes:uci=/usr/games/stockfish,nodes=3000'

An opponent is a name and its settings for `damka match`: a program that speaks UCI (`uci=`), Hub (`hub=`)
or DXP (`dxp=HOST:PORT`), and its limit. Needs only Python's standard library. damka plays with --settings,
by default 100 ms a move, without tables and book.

`damka match` plays each opening once with each colour, and does not count games that repeat others. The
95 % intervals are those of pairs of games. The table also has the numbers of games that damka and the
other program lost on time, and by illegal moves, crashes and other faults.

Exit code: 0 if all matches were played and damka lost no game on time or by a fault; 1 if not.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

# The values of the tag Termination in forfeited games.
FAULT = "the loser's program "
LATE = FAULT + "does not answer"


def forfeits(games):
    """The numbers of games in a file that A (damka) and B lost on time, and by faults."""
    tags = re.compile(r'^\[(White|Result|Termination) "(.*)"\]$', re.M)
    counts, white, result = Counter(), None, None
    for tag, value in tags.findall(games.read_text() if games.exists() else ""):
        if tag == "White":
            white = value
        elif tag == "Result":
            result = value
        elif value == "time" or value.startswith(FAULT):
            black = "A" if white == "B" else "B"
            loser = white if result in ("0-1", "0-2") else black
            counts[loser, "time" if value in ("time", LATE) else "faults"] += 1
    return counts


def elo(value):
    return "no bound" if value is None else f"{value:+.0f}"


def match(args, settings):
    """Plays a match; returns its result, or None if it could not be played, and forfeits."""
    with tempfile.TemporaryDirectory(prefix="damka-gauntlet-") as place:
        games = Path(place) / "games"
        command = [args.damka, "match", args.game, "--a", args.settings, "--b", settings, "--games", str(args.games),
                   "--openings", args.openings, "--seed", str(args.seed), "--json", "--pdn", str(games)]
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        return json.loads(run.stdout) if run.returncode == 0 else None, forfeits(games)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damka", required=True)
    parser.add_argument("--settings", default="time=100,tables=none", help="damka's (default time=100,tables=none)")
    parser.add_argument("--games", type=int, default=100, help="with each opponent (default 100)")
    parser.add_argument("--openings", default="random:8", help="as for `damka match` (default random:8)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("game")
    parser.add_argument("opponents", nargs="+", metavar="NAME:SETTINGS")
    args = parser.parse_args()
    opponents = [opponent.partition(":") for opponent in args.opponents]
    if not all(settings for _, _, settings in opponents):
        parser.error("an opponent is NAME:SETTINGS")

    print("| opponent | games | won, drawn, lost | Elo | lost on time: damka, other | lost by faults: damka, other |")
    print("|---|--:|--:|--:|--:|--:|", flush=True)
    failed = False
    for name, _, settings in opponents:
        result, lost = match(args, settings)
        failed |= result is None or any(player == "A" for player, _ in lost)
        if result is None:
            print(f"| {name} | not played |", flush=True)
            continue
        print(f"| {name} | {result['games']} | {result['wins']}, {result['draws']}, {result['losses']} "
              f"| {elo(result['elo'])} ({elo(result['elo_low'])} to {elo(result['elo_high'])}) "
              f"| {lost['A', 'time']}, {lost['B', 'time']} | {lost['A', 'faults']}, {lost['B', 'faults']} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
