#!/usr/bin/env python3
"""Cuts tables short, or replaces or removes them, under programs that have them open and read
them (`--access read`): each position must get its right answer or an error, and
the program must live on."""

import json
import os
import selectors

from common import files, main

FENS = [f"{turn}:WK{a},K{b}:BK{c}" for turn in "WB" for a, b, c in (
    (29, 30, 4), (5, 21, 12), (32, 13, 1), (2, 17, 28), (31, 6, 20), (9, 10, 32))]  # fmt: skip


def work(campaign):
    tables = campaign.new_directory()
    campaign.run("gen", "russian", "4", "--tables", tables, "--progress", "none")
    truth = files(tables)
    right = answers_of(campaign, tables)
    rounds = 0
    while campaign.time_is_left() or rounds == 0:
        rounds += 1
        for program in (probe, engine):
            directory = campaign.new_directory()
            (directory / "russian").mkdir()
            for name, content in truth.items():
                (directory / name).write_bytes(content)
            program(campaign, directory, right)


def answers_of(campaign, directory):
    words = ["probe", "russian", "-", "--json", "--no-build", "--tables", directory]
    outcome = campaign.run(*words, stdin="\n".join(FENS).encode())
    lines = [json.loads(line) for line in outcome.stdout.splitlines()]
    campaign.expect(len(lines) == len(FENS), f"probe: {outcome}")
    return {fen: (line.get("value"), line.get("dtw")) for fen, line in zip(FENS, lines)}


def damage(campaign, directory):
    for path in (directory / "russian").glob("KKvK.*"):
        kind = campaign.rng.choice(["cut", "cut", "empty", "remove", "nothing"])
        if kind in ("cut", "empty"):
            os.truncate(path, 0 if kind == "empty" else campaign.rng.randrange(path.stat().st_size))
        elif kind == "remove":
            path.unlink()
        campaign.done[kind] += 1


def line_of(process, patience=20):
    """The next line that a process prints; empty if it is silent for so long."""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        return process.stdout.readline() if selector.select(patience) else b""


def answer(process, text):
    """The first line that a process prints when it is told this; empty if it is gone."""
    try:
        process.stdin.write(text.encode() + b"\n")
        process.stdin.flush()
    except BrokenPipeError:
        return b""
    return line_of(process)


def the_end(process):
    """What it says on standard error when its input ends."""
    try:
        process.stdin.close()
    except BrokenPipeError:
        pass
    process.stdout.close()
    stderr = process.stderr.read()
    process.wait(timeout=20)
    return stderr


def probe(campaign, directory, right):
    process = campaign.start("probe", "russian", "-", "--json", "--no-build", "--access", "read", "--tables", directory)
    fens = campaign.rng.sample(FENS, len(FENS))
    for number, fen in enumerate(fens):
        if number == 2:
            damage(campaign, directory)
        line = answer(process, fen)
        if not campaign.expect(line, f"probe of a table that was cut short: no answer to {fen}"):
            break
        parts = json.loads(line)
        if "error" not in parts:
            told = parts["value"], parts["dtw"]
            campaign.expect(told == right[fen], f"{fen}: {told}, not {right[fen]}")
    stderr = the_end(process)
    campaign.expect(process.returncode in (0, 1, 3, 4), f"probe ends with {process.returncode}: {stderr[-200:]}")


def engine(campaign, directory, right):
    """An engine reads tables of its own accord, and maps none."""
    process = campaign.start("engine", "russian", "--memory", "1M", "--tables", directory)
    line = answer(process, "init")
    for number in range(6):
        if number == 2:
            damage(campaign, directory)
        board = ["e"] * 32
        for place, letter in zip(campaign.rng.sample(range(32), 4), "WWBB"):
            board[place] = letter
        line = answer(process, f"pos pos=W{''.join(board)}\nlevel depth=5\ngo")
        while line and not line.startswith((b"done", b"error")):
            line = line_of(process)
        campaign.expect(line, "an engine whose table was cut short does not answer")
        if not line:
            break
    stderr = the_end(process)
    campaign.expect(process.returncode == 0, f"the engine ends with {process.returncode}: {stderr[-200:]}")


if __name__ == "__main__":
    main("truncation", __doc__, work)
