#!/usr/bin/env python3
"""Makes a chess engine that speaks only the XBoard protocol available as a UCI opponent.

    damka match chess --a time=100 --b 'uci=python3 tests/crosscheck/xboard_engine.py fairymax,time=100'

It starts the engine, a program with its arguments, and translates what `damka match` sends: games from
the start position, and a clock or a time for each move. A time for a move becomes a clock with that time
for one move, as the protocol itself has whole seconds only.
"""

import re
import subprocess
import sys

# Older engines send their move after "My move is:", or with its number.
MOVE = re.compile(r"^(?:move|My move is\s*:|\d+\.\s*\.\.\.)\s*([a-h][1-8][a-h][1-8][qrbnQRBN]?)\s*$")
RESIGNS = re.compile(r"^(resign|0-1 \{.*resign|1-0 \{.*resign)")


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.moves, self.level = None, None
        self.send("xboard", "protover 2")

    def send(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def begin(self):
        """Starts a new game."""
        self.moves, self.level = None, None

    def set_up(self, moves):
        """Gives the engine these moves, and lets it wait."""
        if self.moves is None or moves[: len(self.moves)] != self.moves:
            self.send("new", "force")
            self.moves = []
        self.send(*moves[len(self.moves) :])
        self.moves = moves

    def think(self, limits):
        """The engine's move; None if it resigns or has ended."""
        side = "wb"[len(self.moves) % 2]
        if "movetime" in limits:
            level, left = "st 1", limits["movetime"]
        else:
            increment = limits.get("winc", 0) / 1000
            left = limits[f"{side}time"]
            level = f"level {limits.get('movestogo', 0)} {left // 60_000}:{left // 1000 % 60:02} {increment:g}"
        if self.level is None:
            self.send(level)
            self.level = level
        # In hundredths of a second.
        self.send(f"time {max(left // 10, 1)}", f"otim {max(left // 10, 1)}", "go")
        for line in self.process.stdout:
            found = MOVE.match(line.strip())
            if found:
                self.send("force")
                self.moves = self.moves + [found[1].lower()]
                return self.moves[-1]
            if RESIGNS.match(line):
                return None
        return None


def main():
    engine = Engine(sys.argv[1:])
    for line in sys.stdin:
        command, *words = line.split() or [""]
        if command == "uci":
            print("uciok", flush=True)
        elif command == "isready":
            print("readyok", flush=True)
        elif command == "ucinewgame":
            engine.begin()
        elif command == "position":
            if words[:1] != ["startpos"]:
                sys.exit("only games from the start position are supported")
            engine.set_up(words[2:])
        elif command == "go":
            limits = {name: int(value) for name, value in zip(words[::2], words[1::2])}
            print(f"bestmove {engine.think(limits) or '(none)'}", flush=True)
        elif command == "quit":
            break
    engine.send("quit")


if __name__ == "__main__":
    main()
