"""Plays out endings with python-chess and Gaviota tables, or with damka's tables instead.

    python examples/instead_of_gaviota.py TABLES 'FEN' [GAVIOTA]

Both have `probe_dtm` and `probe_wdl`, so that the loop is the same for both.
"""

from __future__ import annotations

import sys
from typing import List, Optional, Protocol

import chess
import chess.gaviota
import damka


class Tablebase(Protocol):
    """The methods of tables that the loop needs."""

    def probe_dtm(self, board: chess.Board) -> int: ...


class DamkaTablebase:
    """damka's tables with Gaviota's methods: plies to mate, negative if the side to move loses."""

    def __init__(self, directory: str) -> None:
        self.tables = damka.open("chess", directory)

    def probe_dtm(self, board: chess.Board) -> int:
        plies = self.tables.dtw(board)
        if plies is None:
            return 0
        # An odd number of plies is a win for the side to move, an even one a loss.
        return plies if plies % 2 else -plies

    def probe_wdl(self, board: chess.Board) -> int:
        return {"win": 1, "draw": 0, "loss": -1}[self.tables.wdl(board)]


def best_line(board: chess.Board, tables: Tablebase) -> List[str]:
    """Best play to mate; empty for a draw."""
    board = board.copy()
    line: List[str] = []
    while not board.is_checkmate() and tables.probe_dtm(board) != 0:
        distances = []
        for move in board.legal_moves:
            board.push(move)
            plies = tables.probe_dtm(board)
            mates = board.is_checkmate()
            board.pop()
            # Best for the mover: a quick win, then a draw, then a slow loss.
            rank = (2, -abs(plies)) if plies < 0 or mates else (0, plies) if plies > 0 else (1, 0)
            distances.append((rank, move.uci(), move))
        _, uci, move = max(distances, key=lambda entry: entry[:2])
        line.append(uci)
        board.push(move)
    return line


def main(directory: str, fen: str, gaviota: Optional[str] = None) -> List[str]:
    board = chess.Board(fen)
    line = best_line(board, DamkaTablebase(directory))
    print(" ".join(line))
    if gaviota is not None:
        with chess.gaviota.open_tablebase(gaviota) as tables:
            assert best_line(board, tables) == line
            print("Gaviota's tables lead to the same line")
    return line


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        print("usage: python examples/instead_of_gaviota.py TABLES 'FEN' [GAVIOTA]", file=sys.stderr)
        sys.exit(2)
    main(*sys.argv[1:])
