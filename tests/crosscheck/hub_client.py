#!/usr/bin/env python3
"""Lets pydraughts, an independent client of Hub and DXP, play whole games with damka.

    pip install pydraughts
    cargo build --release
    python3 tests/crosscheck/hub_client.py --damka target/release/damka --dxp

For Russian, Brazilian, English and Italian draughts, pydraughts' `HubEngine` starts `damka engine GAME`,
and damka plays both sides, with a clock, a time for each move or a depth in turn. The first moves of a game
are random (seeded). pydraughts keeps the board: each of damka's moves, and every move that damka expects as
an answer, must be legal, until the game is over by pydraughts' rules or has 400 moves (in English draughts
pydraughts ends a game without progress only by the third repetition). damka is not configured for
pydraughts. The parameters that lidraughts-bot sets are set, and none may be refused.

With --dxp its `DXPEngine` also plays a game of each variant with `damka engine GAME
--protocol dxp`, choosing its own moves at random.

Exit code: 0 if all games were played, and at least one of each variant to its end; 1 if not.
"""

import argparse
import os
import random
import subprocess
import sys
import threading
from collections import Counter
from importlib.metadata import version

import draughts
from draughts.engine import DXPEngine, HubEngine, Limit

GAMES = ("russian", "brazilian", "english", "italian")
LIMITS = (Limit(time=1, inc=0.01), Limit(movetime=0.005), Limit(depth=5), Limit(nodes=3000))
# The default parameters of lidraughts-bot, and those that it always sends.
BOT = {"book-ply": 20, "tt-size": 16, "bb-size": 0, "initial-time": 180.0}
LONGEST = 400
# Seconds until an engine that does not answer is killed; far more than a game takes on a busy machine.
PATIENCE = 900
BROKEN_OFF = "no end"
WINNERS = {draughts.WHITE: "won by White", draughts.BLACK: "won by Black"}
NOBODY = "won by nobody"


def play(client, game, rng, limit):
    """Plays a game; returns the winner, unless it was broken off, and the number of moves."""
    client.send("new-game")
    client.ping()
    board = draughts.Board(game)
    for _ in range(rng.randrange(9)):
        if not board.is_over():
            board.push(rng.choice(board.legal_moves()))
    while not board.is_over():
        if len(board.move_stack) > LONGEST:
            return BROKEN_OFF, len(board.move_stack)
        result = client.play(board, limit, False)
        if not {"depth", "score", "nodes", "time", "nps", "pv"} <= client.info.keys():
            raise ValueError(f"incomplete information: {client.info}")
        board.push(result.move)
    return WINNERS.get(board.winner(), NOBODY), len(board.move_stack)


def play_all(damka, game, games, seed):
    """Plays games; returns a tally of the winners, and the number of moves."""
    # A book move comes without information about a search.
    client = HubEngine([damka, "engine", game, "--book", "none", "--memory", "1M"])
    watchdog = threading.Timer(PATIENCE, client.kill_process)
    watchdog.start()
    try:
        if not set(GAMES) <= client.variants or not {"variant", "threads"} <= client.options:
            raise ValueError(f"variants {client.variants}, parameters {client.options}")
        client.configure({**BOT, "variant": game})
        # The first answer must not be an error.
        client.send("ping")
        if (answer := client.recv()) != "pong":
            raise ValueError(f"a parameter is refused: {answer}")
        client.init()
        rng = random.Random(f"{seed} {game}")
        won, moves = Counter(), 0
        for number in range(games):
            winner, length = play(client, game, rng, LIMITS[number % len(LIMITS)])
            won[winner] += 1
            moves += length
        client.quit()
        if set(won) == {BROKEN_OFF}:
            raise ValueError("no game has ended")
        if client.p.wait(timeout=PATIENCE) != 0:
            raise ValueError(f"damka's exit code is {client.p.returncode}")
        return won, moves
    finally:
        watchdog.cancel()
        if client.p.poll() is None:
            client.kill_process()
        client.p.stdin.close()
        client.p.stdout.close()


def give_up(why):
    """Ends this process: pydraughts waits forever for a move that does not come."""
    print(f"{why} in {PATIENCE} s", flush=True)
    os._exit(1)


def play_by_dxp(damka, game, seed):
    """Plays a game by DXP; returns the winner, and the number of moves."""
    command = [damka, "engine", game, "--protocol", "dxp", "--listen", "127.0.0.1:0", "--time", "20", "--memory", "1M"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    watchdog = threading.Timer(PATIENCE, give_up, [f"{game} by DXP: no move"])
    watchdog.start()
    try:
        port = next(line for line in server.stderr if "waiting on" in line).rsplit(":", 1)[1].strip()
        client = DXPEngine(options={"engine-opened": True, "ip": "127.0.0.1", "port": port})
        board = draughts.Board(game)
        rng = random.Random(f"{seed} {game} DXP")
        while not board.is_over() and len(board.move_stack) <= LONGEST:
            if len(board.move_stack) % 2 == 0:
                move = client.play(board).move
                if move is None:
                    raise ValueError("damka has no move")
            else:
                move = rng.choice(board.legal_moves())
            board.push(move)
        client.quit()
        return WINNERS.get(board.winner(), NOBODY), len(board.move_stack)
    finally:
        watchdog.cancel()
        server.kill()
        server.communicate()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damka", required=True, help="the damka binary")
    parser.add_argument("--variants", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--games", type=int, default=8, help="of each variant (default 8)")
    parser.add_argument("--dxp", action="store_true", help="a game of each variant by DXP, too")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    print(f"pydraughts {version('pydraughts')}, seed {args.seed}", flush=True)
    failed = 0
    for game in args.variants:
        try:
            won, moves = play_all(args.damka, game, args.games, args.seed)
            tally = ", ".join(f"{winner} {count}" for winner, count in sorted(won.items()))
            print(f"{game}: games {args.games}, {tally}, moves {moves}", flush=True)
            if args.dxp:
                winner, moves = play_by_dxp(args.damka, game, args.seed)
                print(f"{game} by DXP: {winner}, moves {moves}", flush=True)
        except (ValueError, KeyError, StopIteration, EOFError, OSError) as error:
            failed += 1
            print(f"{game}: {type(error).__name__}: {error}", flush=True)
    print(f"failed: {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
