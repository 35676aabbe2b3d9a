#!/usr/bin/env python3
"""Compares the results of published draughts problems with tables.

    cargo build --release
    target/release/damka gen english 6 --metric wdl --tables DIR
    python3 tests/crosscheck/problems.py --damka target/release/damka --tables DIR FILE.pdn...

Each FILE is a collection of problems in PDN: a tag FEN, and a tag Result with the result by the book. Many
collections of English draughts are public, such as Gould's, the Gem and Boland's. In their results the side
that begins the game, Black, is first: 1-0 is a win for Black (--white-first for files of games in which
White begins). Problems with more than --pieces pieces are left out.

Every difference is printed, and every position that damka refuses. Books have mistakes and files have
misprints, so each difference must be examined by a person. Exit code: 0 if at least --agree of a hundred
agree, 1 if not.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys


def problems(path, pieces):
    """The event, the position and the result of each problem."""
    for text in re.split(r"(?=\[Event )", path.read_text(encoding="latin-1")):
        tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', text))
        position = tags.get("FEN", "")
        if 0 < len(re.findall(r"\d+", position)) <= pieces and tags.get("Result", "*") != "*":
            yield tags.get("Event", "?"), position, tags["Result"]


def answers(args, positions):
    """The value of each position for the side to move, or an error."""
    command = [args.damka, "probe", args.game, "-", "--json", "--no-build", "--tables", args.tables]
    text = "\n".join(positions) + "\n"
    output = subprocess.run(command, input=text, capture_output=True, text=True, check=False).stdout
    for line in output.splitlines():
        answer = json.loads(line)
        yield answer.get("value"), answer.get("error", "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--damka", required=True)
    parser.add_argument("--tables", required=True)
    parser.add_argument("--game", default="english")
    parser.add_argument("--pieces", type=int, default=6)
    parser.add_argument("--agree", type=float, default=97)
    parser.add_argument("--white-first", action="store_true")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    first, second = ("W", "B") if args.white_first else ("B", "W")
    winners = {"1-0": first, "0-1": second, "1/2-1/2": "neither"}

    all_agreed, all_known = 0, 0
    for path in args.files:
        cases = list(problems(path, args.pieces))
        answered = list(answers(args, [position for _, position, _ in cases])) if cases else []
        if len(answered) != len(cases):
            sys.exit(f"{path}: {len(cases)} positions, but {len(answered)} answers")
        agreed, known = 0, 0
        for (event, position, result), (value, error) in zip(cases, answered):
            turn = position.strip()[0].upper()
            other = "B" if turn == "W" else "W"
            found = {"win": turn, "loss": other, "draw": "neither"}.get(value)
            if found is None:
                print(f"refused: {event}: {position} {error}")
                continue
            known += 1
            agreed += found == winners.get(result)
            if found != winners.get(result):
                print(f"differs: {event}: {position} has {result}, the tables say: {found} wins")
        print(f"{path.name}: {agreed} of {known} agree")
        all_agreed, all_known = all_agreed + agreed, all_known + known
    print(f"{all_agreed} of {all_known} problems agree")
    sys.exit(0 if all_known and 100 * all_agreed >= args.agree * all_known else 1)


if __name__ == "__main__":
    main()
