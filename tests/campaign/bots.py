#!/usr/bin/env python3
"""Lets lichess-bot or lidraughts-bot, unmodified, play games with damka through a stub of their server.

The clients are at https://github.com/lichess-bot-devs/lichess-bot and
https://github.com/AttackingOrDefending/lidraughts-bot; fetch them with git. Each needs an environment with
its own packages:

    cargo build --release
    python3 -m venv /tmp/bot && /tmp/bot/bin/pip install -r lichess-bot/requirements.txt
    /tmp/bot/bin/python tests/campaign/bots.py --damka target/release/damka --client lichess-bot
    python3 -m venv /tmp/bot2 && /tmp/bot2/bin/pip install -r lidraughts-bot/requirements.txt
    /tmp/bot2/bin/python tests/campaign/bots.py --damka target/release/damka --client lidraughts-bot

The script that starts damka and the configuration are those of docs/BOTS.md, except token and address.
The stub challenges the bot to --games games of each variant, with alternating colours, and plays random
moves (seeded). python-chess or pydraughts, on which the clients depend, decides which moves are legal and
when a game is over. The clock runs from the third ply on.

Exit code: 0 if the bot won every game, all its moves were legal and in time, and the client reported no
error; 1 if not.
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs" / "BOTS.md"
BOT, RANDOM = {"id": "damka", "name": "damka", "title": "BOT"}, {"id": "random", "name": "random"}
CLOCK, INCREMENT = 20_000, 500  # milliseconds
PATIENCE = 90  # seconds for a game
LONGEST = 300  # plies
TROUBLE = re.compile(r"\b(ERROR|Traceback|Exception|Illegal|illegal|Backing off)\b")


class ChessBoard:
    """The referee of a game of chess, with moves as lichess writes them."""

    VARIANTS = {"standard": "Standard", "chess960": "Chess960", "fromPosition": "From Position"}

    def __init__(self, variant, rng):
        import chess
        self.fen = "startpos"
        if variant == "chess960":
            self.board = chess.Board.from_chess960_pos(rng.randrange(960))
            self.fen = self.board.fen()
        elif variant == "fromPosition":
            # The kings may castle at once.
            self.fen = "r3k2r/pppq1ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPPQ1PPP/R3K2R w KQkq - 0 1"
            self.board = chess.Board(self.fen)
        else:
            self.board = chess.Board()
        self.moves = []

    def white_moves(self):
        return self.board.turn

    def legal(self):
        return [[self.board.uci(move)] for move in self.board.legal_moves]

    def push(self, move):
        self.board.push(self.board.parse_uci(move))
        self.moves.append(move)

    def result(self):
        """(status, winner) of a game that is over."""
        outcome = self.board.outcome(claim_draw=True)
        if outcome is None:
            return None
        status = "mate" if outcome.winner is not None else "draw"
        return status, {True: "white", False: "black", None: None}[outcome.winner]


class DraughtsBoard:
    """The referee of a game of draughts, with moves as lidraughts writes them, one for each jump."""

    VARIANTS = {"russian": "Russian", "brazilian": "Brazilian"}

    def __init__(self, variant, _):
        import draughts
        self.white, self.fen = draughts.WHITE, "startpos"
        self.board, self.moves = draughts.Game(variant), []

    def white_moves(self):
        return self.board.whose_turn() == self.white

    def legal(self):
        moves, _ = self.board.legal_moves()
        return [["".join(f"{square:02}" for square in step) for step in move] for move in moves]

    def push(self, move):
        # During a capture, its remaining jumps are the legal moves.
        if move not in [steps[0] for steps in self.legal()]:
            raise ValueError(f"illegal: {move}")
        self.board.push_str_move(move)
        self.moves.append(move)

    def result(self):
        if not self.board.is_over():
            return None
        if self.board.is_draw():
            return "draw", None
        return "mate", "white" if self.board.has_player_won(self.white) else "black"


class Game:
    """A game of the bot against random moves. Moves and states are guarded by `changed`."""

    def __init__(self, number, variant, board, bot_is_white):
        self.id, self.variant, self.board = f"game{number:04}", variant, board
        self.bot_is_white, self.changed = bot_is_white, threading.Condition()
        self.clocks, self.since = {"white": CLOCK, "black": CLOCK}, time.monotonic()
        self.status, self.winner, self.problem = "started", None, None
        # A capture of several pieces is reported only when it is complete: otherwise lidraughts-bot would
        # search in the middle of its own capture.
        self.complete = 0

    def player(self, is_white):
        return BOT if is_white == self.bot_is_white else RANDOM

    def start(self):
        return {
            "id": self.id, "type": "gameFull", "speed": "blitz", "perf": {"name": "Blitz"}, "rated": False,
            "variant": {"key": self.variant, "name": self.board.VARIANTS[self.variant]}, "createdAt": 1_600_000_000_000,
            "clock": {"initial": CLOCK, "increment": INCREMENT}, "initialFen": self.board.fen,
            "white": self.player(True), "black": self.player(False), "state": self.state(),
        }

    def state(self):
        winner = {"winner": self.winner} if self.winner else {}
        return {
            "type": "gameState", "moves": " ".join(self.board.moves[:self.complete]), "status": self.status,
            "wtime": self.clocks["white"], "btime": self.clocks["black"], "winc": INCREMENT, "binc": INCREMENT,
        } | winner

    def is_bots_turn(self):
        return self.board.white_moves() == self.bot_is_white

    def play(self, move):
        """Plays a move, or one jump of a capture, for the side to move; the caller holds `changed`."""
        mover, is_first = self.board.white_moves(), len(self.board.moves) < 2
        self.board.push(move)
        now = time.monotonic()
        color = "white" if mover else "black"
        if not is_first:
            self.clocks[color] -= int(1000 * (now - self.since))
            if self.clocks[color] < 0:
                self.end("outoftime", "black" if mover else "white")
        result = self.board.result()
        if self.board.white_moves() != mover or result is not None:
            self.complete = len(self.board.moves)
            self.clocks[color] += 0 if is_first else INCREMENT
        self.since = now
        if result is not None and self.status == "started":
            self.end(*result)
        elif len(self.board.moves) >= LONGEST:
            self.end("draw", None)
        self.changed.notify_all()

    def end(self, status, winner):
        self.status, self.winner = status, winner
        self.changed.notify_all()

    def opponent(self, rng):
        """Moves at random until the game is over."""
        with self.changed:
            while self.status == "started":
                if self.is_bots_turn():
                    self.changed.wait(1)
                    continue
                for step in rng.choice(self.board.legal()):
                    self.play(step)


class Stub(ThreadingHTTPServer):
    """The part of the API of lichess and lidraughts that the clients use: https://lichess.org/api."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.games, self.events, self.changed = {}, [], threading.Condition()
        self.is_listening, self.unknown = threading.Event(), []

    def handle_error(self, request, client_address):
        """Ignores clients that hang up, as they do after an answer or when they end."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def notify(self, event):
        with self.changed:
            self.events.append(event)
            self.changed.notify_all()

    def challenge(self, game):
        self.games[game.id] = game
        challenge = {
            "id": game.id, "rated": False, "speed": "blitz", "perf": {"name": "Blitz"}, "variant": {"key": game.variant},
            "timeControl": {"type": "clock", "limit": CLOCK // 1000, "increment": INCREMENT // 1000},
            "challenger": RANDOM, "destUser": BOT, "color": "white", "finalColor": "black" if game.bot_is_white else "white",
        }
        self.notify({"type": "challenge", "challenge": challenge})


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def begin_stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def line(self, value):
        """Sends a line of a stream; an empty line keeps the stream open."""
        text = b"\n" if value is None else json.dumps(value).encode() + b"\n"
        self.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))
        self.wfile.flush()

    def do_GET(self):
        path = self.path.split("?")[0].strip("/").split("/")
        match path:
            case ["api", "account"]:
                self.answer({"id": "damka", "username": "damka", "title": "BOT"})
            case ["api", "account", "playing"]:
                games = [game for game in self.server.games.values() if game.status == "started"]
                playing = [{"gameId": game.id, "speed": "blitz", "perf": "blitz", "opponent": {"username": "random"}}
                           for game in games if game.board.moves]
                self.answer({"nowPlaying": playing})
            case ["api", "users", "status"]:
                self.answer([{"id": "damka", "online": True}])
            case ["api", "stream", "event"]:
                self.stream_events()
            case ["api", "bot", "game", "stream", name] if name in self.server.games:
                self.stream_game(self.server.games[name])
            case _:
                self.server.unknown.append(f"GET {self.path}")
                self.answer({"error": "Not found"}, 404)

    def stream_events(self):
        self.begin_stream()
        self.server.is_listening.set()
        sent = 0
        while True:
            with self.server.changed:
                self.server.changed.wait_for(lambda: len(self.server.events) > sent, 5)
                fresh = self.server.events[sent:]
            for event in fresh or [None]:
                self.line(event)
            sent += len(fresh)

    def stream_game(self, game):
        self.begin_stream()
        with game.changed:
            self.line(game.start())
            sent = game.complete
        while True:
            with game.changed:
                is_new = lambda: game.complete > sent or game.status != "started"
                fresh = game.state() if game.changed.wait_for(is_new, 5) else None
                sent = game.complete
            self.line(fresh)
            if fresh and fresh["status"] != "started":
                self.wfile.write(b"0\r\n\r\n")
                return

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        path = self.path.split("?")[0].strip("/").split("/")
        match path:
            case ["api", "token", "test"]:
                self.answer({body: {"scopes": "bot:play", "userId": "damka"}})
            case ["api", "challenge", name, "accept"]:
                self.server.notify({"type": "gameStart", "game": {
                    "id": name, "gameId": name, "isMyTurn": True, "opponent": {"username": "random"}}})
                self.answer({"ok": True})
            case ["api", "challenge", name, "decline"]:
                game = self.server.games[name]
                with game.changed:
                    game.problem = f"declined: {body}"
                    game.end("declined", None)
                self.answer({"ok": True})
            case ["api", "bot", "game", name, "move", move]:
                self.move(self.server.games[name], move)
            case ["api", "bot", "game", name, "resign" | "abort" as what]:
                game = self.server.games[name]
                with game.changed:
                    game.problem = what
                    game.end(what, None)
                self.answer({"ok": True})
            case ["api", "bot", "game", _, "chat"]:
                self.answer({"ok": True})
            case _:
                self.server.unknown.append(f"POST {self.path}")
                self.answer({"error": "Not found"}, 404)

    def move(self, game, move):
        with game.changed:
            try:
                if not game.is_bots_turn() or game.status != "started":
                    raise ValueError("not its turn")
                game.play(move)
            except ValueError as error:
                game.problem = f"{move} after {' '.join(game.board.moves)}: {error}"
                game.end("illegal", None)
        if game.status == "illegal":
            self.answer({"error": game.problem}, 400)
        else:
            self.answer({"ok": True})


def prepare(place, damka, client, url, variant):
    """Writes the script and the configuration of docs/BOTS.md; returns the program of the client."""
    is_chess = (client / "lichess-bot.py").exists()
    name, program = ("lichess-bot", "lichess-bot.py") if is_chess else ("lidraughts-bot", "lidraughts-bot.py")
    text = DOCS.read_text()
    engine = "damka-chess" if is_chess else "damka-draughts"
    block = lambda title: re.search(rf'^```\w+ title="{title}"\n(.*?)^```$', text, re.M | re.S).group(1)
    (place / "engines").mkdir()
    script = place / "engines" / engine
    script.write_text(block(f"engines/{engine}"))
    script.chmod(0o755)
    config = block(f"config.yml of {name}")
    config = re.sub(r'^url: .*$', f'url: "{url}"', config, flags=re.M)
    if not is_chess:
        config = config.replace("russian", variant)
    (place / "config.yml").write_text(config)
    (place / "bin").mkdir()
    (place / "bin" / "damka").symlink_to(damka)
    return client / program


def play(games, damka, client, variant):
    """Plays these games with one client; returns what went wrong."""
    server = Stub()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="damka-bots-") as place:
        place = Path(place)
        program = prepare(place, damka, client, f"http://127.0.0.1:{server.server_port}/", variant)
        environment = os.environ | {"PATH": f"{place / 'bin'}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
        log = (place / "log").open("w+")
        bot = subprocess.Popen([sys.executable, program, "--config", "config.yml", "-l", "bot.log"], cwd=place,
                               env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        try:
            found = [] if server.is_listening.wait(60) else ["the client does not listen to events"]
            for game in games if not found else []:
                found += one(server, game)
        finally:
            os.killpg(bot.pid, signal.SIGTERM)
            bot.wait()
            server.shutdown()
        records = (place / "bot.log").read_text() if (place / "bot.log").exists() else ""
        log.seek(0)
        found += [line for line in (records or log.read()).splitlines() if TROUBLE.search(line)]
    return found + [f"not in the stub: {request}" for request in server.unknown]


def one(server, game):
    server.challenge(game)
    threading.Thread(target=game.opponent, args=[random.Random(game.id)], daemon=True).start()
    with game.changed:
        ended = game.changed.wait_for(lambda: game.status != "started", PATIENCE)
    time.sleep(1)  # Gives the client time to read the last event.
    color = "white" if game.bot_is_white else "black"
    clock = min(game.clocks[color], CLOCK)
    print(f"{game.variant}: {game.status}, winner {game.winner}, damka {color}, {len(game.board.moves)} moves and "
          f"jumps, {clock} ms left", flush=True)
    if not ended:
        return [f"{game.id} has no end after {' '.join(game.board.moves)}"]
    if game.winner != color:
        return [f"{game.id} ({game.variant}) not won: {game.status} {game.problem} {' '.join(game.board.moves)}"]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damka", required=True, type=Path)
    parser.add_argument("--client", required=True, type=Path, help="the directory of lichess-bot or lidraughts-bot")
    parser.add_argument("--games", type=int, default=2, help="of each variant (default 2)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    damka, client = args.damka.resolve(), args.client.resolve()
    is_chess = (client / "lichess-bot.py").exists()
    if not is_chess and not (client / "lidraughts-bot.py").exists():
        parser.error(f"neither lichess-bot.py nor lidraughts-bot.py in {client}")

    rng, found, number = random.Random(args.seed), [], 0
    kind = ChessBoard if is_chess else DraughtsBoard
    games = {variant: [] for variant in kind.VARIANTS}
    for variant, list_of in games.items():
        for turn in range(args.games):
            number += 1
            list_of.append(Game(number, variant, kind(variant, rng), turn % 2 == 0))
    if is_chess:
        # One client plays all of them.
        games = {"chess": sum(games.values(), [])}
    for variant, list_of in games.items():
        found += play(list_of, damka, client, variant)
    print(*found, f"bots: games {number}; found: {len(found)}", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
