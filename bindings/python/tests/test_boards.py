"""Boards of other libraries are positions; chess is compared with python-chess."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Callable, Iterator, List

import chess
import chess.gaviota
import chess.variant
import damka
import draughts
import pytest


def test_boards_of_python_chess(chess_tables: damka.Tables) -> None:
    board = chess.Board("8/8/8/3k4/8/8/8/KR6 w - - 4 70")
    answer = chess_tables.probe(board)
    assert answer.fen == board.fen() and answer.dtw == chess_tables.dtw(board.fen()) == 29
    assert {move.coordinates for move in answer.moves} == {move.uci() for move in board.legal_moves}
    assert {move.name for move in answer.moves} == {board.san(move) for move in board.legal_moves}
    for move in answer.moves:
        board.push_uci(move.coordinates)
        assert move.fen == board.fen()
        board.pop()


class BoardOfText:
    """A board of python-chess without its bitboards."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board

    def fen(self) -> str:
        return self.board.fen()


def outcome(ask: Callable[[], object]) -> object:
    """An answer, or an exception and its text."""
    try:
        return ask()
    except damka.Error as error:
        return type(error), str(error)


def odd_boards() -> Iterator[chess.Board]:
    """Boards whose bitboards do not say everything, or do not fit together."""
    yield chess.Board()
    yield chess.Board(None)
    for fen in [
        "8/8/8/8/8/4k3/4P3/4K2R w K - 0 1",
        "8/8/8/8/k2Pp3/8/8/4K3 b - d3 0 1",
        "8/8/8/8/k2P4/8/8/4K3 b - d3 0 1",
        "8/8/8/8/k7/8/8/4K3 b - d3 0 1",
        "8/8/8/8/1k5P/8/8/4K3 b - d3 0 1",
        "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "8/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/2K1K3 w - - 0 1",
    ]:
        board = chess.Board()
        # Not `Board(fen)`, which refuses some.
        pieces, turn, castling, passed, *_ = fen.split()
        board.set_board_fen(pieces)
        board.turn = turn == "w"
        board.set_castling_fen(castling)
        board.ep_square = None if passed == "-" else chess.parse_square(passed)
        yield board
    for name, bits in [("rooks", 0), ("kings", 0), ("pawns", 1 << 70), ("occupied", 0), ("queens", -1)]:
        board = chess.Board("8/8/8/3k4/8/8/8/KR6 w - - 4 70")
        setattr(board, name, bits)
        yield board


@pytest.mark.parametrize("board", list(odd_boards()))
def test_bitboards_say_the_same_as_the_fen(board: chess.Board, chess_tables: damka.Tables) -> None:
    try:
        text = BoardOfText(board)
        text.fen()
    except Exception as error:
        for ask in [chess_tables.wdl, chess_tables.dtw]:
            with pytest.raises(type(error)):
                ask(board)
        return
    assert outcome(lambda: chess_tables.wdl(board)) == outcome(lambda: chess_tables.wdl(text))
    assert outcome(lambda: chess_tables.dtw(board)) == outcome(lambda: chess_tables.dtw(text))


def test_boards_of_pydraughts(russian: damka.Tables) -> None:
    board = draughts.Board(variant="russian", fen="W:WKf8,Ke7,Kh6:BKb8")
    assert russian.dtw(board) == 25
    assert len(russian.moves(board)) == len(board.legal_moves())


def test_boards_of_other_games_are_refused(russian: damka.Tables, chess_tables: damka.Tables) -> None:
    fen = "8/8/8/3k4/8/8/8/KR6 w - - 0 1"
    assert chess_tables.dtw(chess.Board(fen, chess960=True)) == 29
    atomic = chess.variant.AtomicBoard(fen)
    engine = damka.Engine("chess")
    asks: List[Callable[[chess.Board], object]] = [chess_tables.wdl, chess_tables.line, engine.search]
    for ask in asks:
        with pytest.raises(damka.BadPosition, match="a board of `atomic` is not a position of chess"):
            ask(atomic)
    with pytest.raises(damka.BadPosition, match="`chess` is not a position of russian"):
        russian.wdl(chess.Board(fen))
    for variant in ["italian", "brazilian", "standard"]:
        board = draughts.Board(variant=variant)
        with pytest.raises(damka.BadPosition, match=f"`{variant}` is not a position of russian"):
            russian.wdl(board)
        with pytest.raises(damka.BadPosition):
            damka.encode("russian", [board])
    # pydraughts calls English draughts `american`.
    assert damka.encode("english", [draughts.Board(variant="american")]).shape == (1, 5)


def test_a_whole_ending_is_played_as_the_distance_says(chess_tables: damka.Tables) -> None:
    board = chess.Board("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")
    plies = chess_tables.dtw(board)
    assert plies is not None
    for left in range(plies, 0, -1):
        assert chess_tables.dtw(board) == left
        board.push_uci(chess_tables.moves(board)[0].coordinates)
    assert board.is_checkmate()


@pytest.fixture(scope="module")
def gaviota() -> Iterator[chess.gaviota.PythonTablebase]:
    """The small tables in the source of python-chess."""
    source = os.environ.get("DAMKA_CHESS_SOURCE")
    if source is None:
        pytest.skip("DAMKA_CHESS_SOURCE names no source of python-chess")
    with chess.gaviota.PythonTablebase() as tables:
        tables.add_directory(str(Path(source) / "data" / "gaviota"))
        yield tables


@pytest.mark.parametrize("signature", ["KRvK", "KQvK", "KPvK"])
def test_tables_of_gaviota(
    signature: str, chess_tables: damka.Tables, gaviota: chess.gaviota.PythonTablebase
) -> None:
    """The distance to mate of every 25th position, probed as an array."""
    rows = chess_tables.arrays(signature).positions[::25]
    distances = chess_tables.dtw_batch(rows)
    results = chess_tables.wdl_batch(rows)
    for fen, plies, result in zip(damka.decode("chess", rows), distances, results):
        board = chess.Board(fen)
        assert gaviota.probe_wdl(board) == result, fen
        assert abs(gaviota.probe_dtm(board)) == (0 if result == 0 else plies), fen
