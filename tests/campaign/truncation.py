#!/usr/bin/env python3
"""Truncates, replaces or removes tables that programs have open (`--access read`): each position must get
the right answer or an error, and the program must not end."""

import json
import os
import queue
import threading

from common import PATIENCE, files, main

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
    for path in sorted((directory / "russian").glob("*v*.*")):
        kind = campaign.rng.choice(["cut", "cut", "empty", "remove", "nothing"])
        if kind in ("cut", "empty"):
            os.truncate(path, 0 if kind == "empty" else campaign.rng.randrange(path.stat().st_size))
        elif kind == "remove":
            path.unlink()
        campaign.done[kind] += 1


class Talk:
    """A process that answers each line with a line."""

    def __init__(self, process):
        self.process, self.lines = process, queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(b"")

    def line(self):
        """The next line of output; empty if the process has ended, or is silent for too long."""
        try:
            return self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            return b""

    def answer(self, text):
        """Sends a line, and returns the first line of output."""
        try:
            self.process.stdin.write(text.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return b""
        return self.line()

    def end(self):
        """Closes the input of the process, and returns its standard error."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        stderr = self.process.stderr.read()
        self.process.wait(timeout=PATIENCE)
        return stderr


def probe(campaign, directory, right):
    words = ["probe", "russian", "-", "--json", "--no-build", "--access", "read", "--tables", directory]
    process = campaign.start(*words)
    talk = Talk(process)
    fens = campaign.rng.sample(FENS, len(FENS))
    for number, fen in enumerate(fens):
        if number == 2:
            damage(campaign, directory)
        line = talk.answer(fen)
        if not campaign.expect(line, f"probe of a table that was cut short: no answer to {fen}"):
            break
        parts = json.loads(line)
        if "error" not in parts:
            answer = parts["value"], parts["dtw"]
            campaign.expect(answer == right[fen], f"{fen}: {answer}, not {right[fen]}")
    stderr = talk.end()
    campaign.expect(process.returncode in (0, 1, 3, 4), f"probe ends with {process.returncode}: {stderr[-200:]}")


def engine(campaign, directory, right):
    """An engine reads tables by default, and does not map them."""
    process = campaign.start("engine", "russian", "--memory", "1M", "--tables", directory)
    talk = Talk(process)
    talk.answer("init")
    for number in range(6):
        if number == 2:
            damage(campaign, directory)
        board = ["e"] * 32
        for place, letter in zip(campaign.rng.sample(range(32), 4), "WWBB"):
            board[place] = letter
        line = talk.answer(f"pos pos=W{''.join(board)}\nlevel depth=5\ngo")
        while line and not line.startswith((b"done", b"error")):
            line = talk.line()
        campaign.expect(line, "an engine whose table was cut short does not answer")
        if not line:
            break
    stderr = talk.end()
    campaign.expect(process.returncode == 0, f"the engine ends with {process.returncode}: {stderr[-200:]}")


if __name__ == "__main__":
    main("truncation", __doc__, work)
