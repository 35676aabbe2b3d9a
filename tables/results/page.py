#!/usr/bin/env python3
"""Makes the pages of this directory from the output of `damka stats GAME --json`.

    damka stats russian --json | python3 tables/results/page.py russian > tables/results/russian.md
"""

import json
import sys


def number(count):
    return f"{count:,}"


def longest(row):
    if row["longest_win"] is None:
        return "", ""
    return str(row["longest_win"]), f"`{row['longest_win_fen']}`"


def pieces(row):
    return len(row["signature"]) - 1


def main():
    game = sys.argv[1]
    rows = [json.loads(line) for line in sys.stdin]
    print(f"# {game.capitalize()}: every table\n")
    if any(row["longest_win"] is not None for row in rows):
        distances = "The last two columns are the longest win of the side to move in plies, and a position that has it"
    else:
        distances = "These tables have no distances"
    print(
        "For each signature and side to move (White is the side named first): the number of legal placements,\n"
        "including those in which a capture is mandatory, and how many of them the side to move wins, draws and loses.\n"
        f"{distances}.\n"
        f"Made by page.py from the output of `damka stats {game} --json`.\n"
    )
    for count in sorted({pieces(row) for row in rows}):
        print(f"## {count} pieces\n")
        print("| signature | to move | positions | wins | draws | losses | longest win | position |")
        print("|---|---|--:|--:|--:|--:|--:|---|")
        totals = [0, 0, 0, 0]
        for row in (row for row in rows if pieces(row) == count):
            counts = [row["positions"], row["wins"], row["draws"], row["losses"]]
            totals = [a + b for a, b in zip(totals, counts)]
            plies, fen = longest(row)
            cells = [row["signature"], row["to_move"], *map(number, counts), plies, fen]
            print("| " + " | ".join(cells) + " |")
        print("| all | | " + " | ".join(map(number, totals)) + " | | |\n")


main()
