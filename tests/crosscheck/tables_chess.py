#!/usr/bin/env python3
"""Compares damka's tables of chess with Gaviota's and Syzygy's, read by python-chess.

    pip install chess
    pip download --no-deps --no-binary :all: chess    # the source, whose folder data has small tables
    cargo build --release
    target/release/damka gen chess 4 --tables DIR
    python3 tests/crosscheck/tables_chess.py --damka target/release/damka --tables DIR --data chess-1.11.2/data

For every signature of three and four men with tables in DIR:

1. three men: every position in the tables (or every N-th, --every) with its value from `damka list`;
   Syzygy must have the same result, Gaviota the same number of plies to mate;
2. random positions (seeded), some with a possible en passant capture, with the answer of `damka probe`:
   Syzygy must have the same result; moves and the positions after them must be those of python-chess;
   the value must follow from the best move, mate must be a loss in 0 and stalemate a draw;
3. some of these, and all with mate in up to three plies, are searched with python-chess's rules alone:
   exactly the positions with such a mate must have it in the tables;
4. the positions of up to four men whose distances the source has as text (endgame-dm-4.epd).

By 2 a wrong distance requires another wrong one after the move, down to mates, which follow from the rules.
Every difference is printed. Exit code: 0 without differences, else 1.
"""

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import chess
import chess.gaviota
import chess.syzygy

SEARCHED_PLIES = 3
VALUES = {-1: "loss", 0: "draw", 1: "win"}


def sign(number):
    return (number > 0) - (number < 0)


class Damka:
    def __init__(self, command, tables):
        self.command, self.tables = command, tables

    def answers(self, words, text="", every=1):
        command = [self.command, *words, "--json", "--tables", self.tables]
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        return [json.loads(line) for line in done.stdout.splitlines()[::every]]

    def signatures(self):
        return sorted({line["signature"] for line in self.answers(["tables", "chess"]) if "signature" in line})

    def list(self, signature, every):
        return self.answers(["list", "chess", signature, "--all", "--limit", "0"], every=every)

    def probe(self, fens):
        return self.answers(["probe", "chess", "-", "--no-build"], "".join(f"{fen}\n" for fen in fens))


def random_board(rng, signature):
    """A legal position of these pieces, either side having the ones named first."""
    white, black = rng.sample(signature.split("v"), 2)
    while True:
        squares = iter(rng.sample(chess.SQUARES, len(white + black)))
        board = chess.Board(None)
        for color, letters in ((chess.WHITE, white), (chess.BLACK, black)):
            for letter in letters:
                board.set_piece_at(next(squares), chess.Piece(chess.PIECE_SYMBOLS.index(letter.lower()), color))
        board.turn = rng.choice(chess.COLORS)
        if board.is_valid():
            # Where both have pawns, one may just have made a double step.
            rank = 5 if board.turn else 2
            for board.ep_square in (chess.square(file, rank) for file in range(8)):
                if board.is_valid() and board.has_legal_en_passant():
                    return board
            board.ep_square = None
            return board


def mates(board, plies):
    """The number of plies, up to `plies`, in which the side to move mates or, if negative, is mated.

    None if neither can be forced. A mate on the board is -0, returned as 0.
    """
    moves = list(board.legal_moves)
    if not moves:
        return 0 if board.is_check() else None
    best = []
    for move in moves if plies else ():
        board.push(move)
        best.append(mates(board, plies - 1))
        board.pop()
    wins = [1 - found for found in best if found is not None and found <= 0]
    if wins:
        return min(wins)
    return -1 - max(best) if best and None not in best else None


def plies(answer):
    """A distance in Gaviota's form: negative for a loss, 0 for a draw, and for a mate on the board."""
    return {"win": 1, "draw": 0, "loss": -1}[answer["value"]] * (answer["dtw"] or 0)


def is_near(answer):
    """Whether a search reaches the end."""
    return answer["dtw"] is not None and answer["dtw"] <= SEARCHED_PLIES


class Comparison:
    def __init__(self, data):
        self.gaviota = chess.gaviota.PythonTablebase()
        self.gaviota.add_directory(data / "gaviota")
        self.syzygy = chess.syzygy.open_tablebase(data / "syzygy" / "regular", load_dtz=False)
        self.seen, self.differences = Counter(), []

    def expect(self, is_so, answer, what):
        if not is_so:
            self.differences.append(f"{answer.get('fen')}: {what}: damka {json.dumps(answer)[:200]}")

    def result(self, board, answer):
        wdl = VALUES[sign(self.syzygy.probe_wdl(board))]
        self.expect(wdl == answer["value"], answer, f"Syzygy {wdl}")

    def listed(self, answers):
        for answer in answers:
            board = chess.Board(answer["fen"])
            self.result(board, answer)
            found = self.gaviota.probe_dtm(board)
            self.expect(found == plies(answer), answer, f"Gaviota {found}")
            self.seen["listed positions"] += 1

    def moves(self, board, answer):
        """Compares the value with those of the moves, which python-chess's rules give."""
        after = {}
        for move in board.legal_moves:
            name = board.san(move)
            board.push(move)
            after[name] = board.fen(en_passant="legal").split()[:4]
            board.pop()
        listed = {move["move"]: move["fen"].split()[:4] for move in answer["moves"]}
        self.expect(listed == after, answer, f"moves {after}")
        # The values of moves are for the side that plays them.
        wins = [move["dtw"] for move in answer["moves"] if move["value"] == "win"]
        losses = [move["dtw"] for move in answer["moves"] if move["value"] == "loss"]
        if not after:
            best = ("loss", 0) if board.is_check() else ("draw", None)
        elif wins:
            best = ("win", min(wins))
        elif len(losses) < len(after):
            best = ("draw", None)
        else:
            best = ("loss", max(losses))
        self.expect(best == (answer["value"], answer["dtw"]), answer, f"best move {best}")
        self.seen["moves"] += len(after)

    def search(self, board, answer):
        found = mates(board, SEARCHED_PLIES)
        self.expect(found == (plies(answer) if is_near(answer) else None), answer, f"search {found}")
        self.seen["searched"] += 1
        self.seen["mates found"] += found is not None

    def random(self, boards, answers, searched):
        for number, (board, answer) in enumerate(zip(boards, answers, strict=True)):
            if "value" not in answer:
                self.expect(False, answer, board.fen())
                continue
            self.result(board, answer)
            self.moves(board, answer)
            if number < searched or is_near(answer):
                self.search(board, answer)
            self.seen["random positions"] += 1
            self.seen["en passant"] += board.ep_square is not None

    def known(self, lines, damka):
        """Positions with `dm`, moves to mate, negative for the side that is mated."""
        cases = [chess.Board.from_epd(line) for line in lines if line.strip() and not line.startswith("#")]
        for (board, operations), answer in zip(cases, damka.probe([board.fen() for board, _ in cases]), strict=True):
            if "value" not in answer:
                continue
            # With missing tables, some moves may be known, but not the result.
            if answer["value"] == "unknown":
                self.seen["unknown"] += 1
                continue
            # The result may also follow from the moves, without its distance.
            if answer["dtw_status"] == "unknown":
                self.expect(answer["value"] == VALUES[sign(operations["dm"])], answer, f"dm {operations['dm']}")
                self.seen["known results"] += 1
                continue
            found = plies(answer)
            moves = sign(found) * ((abs(found) + 1) // 2)
            self.expect(moves == operations["dm"], answer, f"dm {operations['dm']}")
            self.seen["known distances"] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damka", required=True, help="the command damka")
    parser.add_argument("--tables", required=True, help="the directory of its tables")
    parser.add_argument("--data", required=True, type=Path, help="the folder data of python-chess's source")
    parser.add_argument("--positions", type=int, default=1000, help="of each signature, by chance (default 1000)")
    parser.add_argument("--searched", type=int, default=50, help="how many of these are searched in any case (default 50)")
    parser.add_argument("--every", type=int, default=1, help="which of the listed positions (default 1: all)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    print(f"python-chess {chess.__version__}, seed {args.seed}", flush=True)
    damka, comparison = Damka(args.damka, args.tables), Comparison(args.data)
    signatures = [each for each in damka.signatures() if len(each) - 1 in (3, 4)]
    for signature in signatures:
        if len(signature) == 4:
            comparison.listed(damka.list(signature, args.every))
        rng = random.Random(f"{args.seed} {signature}")
        boards = [random_board(rng, signature) for _ in range(args.positions)]
        comparison.random(boards, damka.probe([board.fen() for board in boards]), args.searched)
    comparison.known((args.data / "endgame-dm-4.epd").read_text().splitlines(), damka)
    print(f"{len(signatures)} signatures:", ", ".join(f"{what} {count}" for what, count in comparison.seen.items()))
    print(*comparison.differences[:20], f"differences: {len(comparison.differences)}", sep="\n")
    return 1 if comparison.differences or not signatures else 0


if __name__ == "__main__":
    sys.exit(main())
