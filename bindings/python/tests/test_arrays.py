"""Arrays of positions: their contents, and the same values as for single positions."""

from __future__ import annotations

import signal
from pathlib import Path

import chess
import damka
import numpy as np
import pytest

UNKNOWN_WDL, UNKNOWN_DTW = -128, -32768


def test_rows_are_bitboards() -> None:
    layout = damka.layout("chess")
    assert (layout.columns, layout.kinds) == (13, tuple("KQRBNP")) and layout.dtype == np.uint64
    assert layout.squares == tuple(chess.SQUARE_NAMES)
    board = chess.Board("4k3/P7/8/8/8/8/6q1/KR6 b - - 3 40")
    [row] = damka.encode("chess", [board])
    kinds = [chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN]
    expected = [board.pieces_mask(kind, color) for color in chess.COLORS for kind in kinds]
    assert row.tolist() == [*expected, 1]
    assert damka.decode("chess", row[None]) == ["4k3/P7/8/8/8/8/6q1/KR6 b - - 0 1"]
    assert damka.layout("alapo").columns == 13 and damka.layout("thai").dtype == np.uint32
    assert damka.encode("russian", []).shape == (0, 5)
    assert damka.decode("russian", np.zeros((0, 5), np.uint32)) == []


def test_one_position_is_not_a_list() -> None:
    with pytest.raises(TypeError, match="expected a list of positions"):
        damka.encode("russian", "W:WKa1:BKh2")


def test_half_a_character_is_no_position(russian: damka.Tables) -> None:
    for ask in (russian.probe, lambda text: damka.encode("russian", [text])):
        with pytest.raises(damka.BadPosition, match="surrogates"):
            ask("\ud800")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no such timer")
def test_encoding_can_be_interrupted() -> None:
    class Over(Exception):
        pass

    def end(*_: object) -> None:
        raise Over

    before = signal.signal(signal.SIGALRM, end)
    try:
        with pytest.raises(Over):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            damka.encode("russian", ["W:WKa1:BKh4"] * 5_000_000)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_row_has_no_castling_rights() -> None:
    with pytest.raises(damka.BadPosition, match="castling rights"):
        damka.encode("chess", ["start"])


@pytest.mark.parametrize("game, signature", [("russian", "KMvK"), ("chess", "KPvK"), ("alapo", "QvQ")])
def test_tables_as_arrays(game: str, signature: str, directory: Path) -> None:
    tables = damka.open(game, directory)
    table = tables.arrays(signature)
    listed = list(tables.list(signature))
    assert damka.decode(game, table.positions) == [found.fen for found in listed]
    number = {"win": 1, "draw": 0, "loss": -1}
    assert table.wdl.tolist() == [number[found.value] for found in listed]
    assert table.dtw is not None
    assert table.dtw.tolist() == [-1 if found.dtw is None else found.dtw for found in listed]
    # Probes of the rows, and encoding of the FENs, give the same arrays.
    assert (tables.dtw_batch(table.positions) == table.dtw).all()
    assert (tables.wdl_batch(table.positions) == table.wdl).all()
    assert (damka.encode(game, [found.fen for found in listed]) == table.positions).all()
    results = tables.arrays(signature, metric="wdl")
    assert results.dtw is None and (results.wdl == table.wdl).all()
    # The counts of the headers.
    for side in tables.stats(signature):
        copies = tables.arrays(signature, turn=side.to_move, copies=True)
        counts = [int((copies.wdl == wdl).sum()) for wdl in (1, 0, -1)]
        assert counts == [side.wins, side.draws, side.losses]
        assert (copies.positions[:, -1] == ["white", "black"].index(side.to_move)).all()


def test_a_small_cache_gives_the_same(directory: Path, russian: damka.Tables) -> None:
    rows = russian.arrays("KMvK").positions
    rows = rows[np.random.default_rng(1).permutation(len(rows))]
    expected = russian.dtw_batch(rows)
    for cache in [0, 1 << 16]:
        assert (damka.open("russian", directory, cache=cache).dtw_batch(rows) == expected).all()


def test_arrays_of_any_layout(russian: damka.Tables) -> None:
    rows = russian.arrays("KKvK").positions
    expected = russian.wdl_batch(rows)
    assert (russian.wdl_batch(rows[::3]) == expected[::3]).all()
    assert (russian.wdl_batch(np.asfortranarray(rows)) == expected).all()
    assert russian.wdl_batch(rows[:0]).shape == (0,)
    unaligned = np.frombuffer(b"x" + rows.tobytes(), np.uint8)[1:].view(np.uint32).reshape(rows.shape)
    assert (russian.wdl_batch(unaligned) == expected).all()


def test_unknown_values_have_the_least_number(russian: damka.Tables) -> None:
    rows = damka.encode("russian", ["W:WKa1,Kc3:BKh4", "W:WKa1,Kc1,Ke1,Kg1:BKh8", "start"])
    assert russian.wdl_batch(rows).tolist() == [0, UNKNOWN_WDL, UNKNOWN_WDL]
    assert russian.dtw_batch(rows).tolist() == [-1, UNKNOWN_DTW, UNKNOWN_DTW]
    with pytest.raises(damka.MissingTable) as missing:
        russian.dtw_batch(rows[1:])
    assert missing.value.tables == (damka.TableName("KKKKvK", "dtw"),)
    with pytest.raises(damka.NoTable):
        russian.dtw_batch(rows[2:])


def test_bad_rows_are_named(russian: damka.Tables) -> None:
    rows = russian.arrays("KKvK").positions.copy()
    rows[77, 0] = rows[77, 2]
    with pytest.raises(damka.BadPosition, match="row 77: two pieces stand on"):
        russian.wdl_batch(rows)
    rows[33, 4] = 2
    with pytest.raises(damka.BadPosition, match="row 33: the side to move must be 0"):
        russian.dtw_batch(rows)
    with pytest.raises(damka.BadPosition, match="row 33"):
        damka.decode("russian", rows)
    for wrong in [rows.astype(np.uint64), rows[:, :4], rows[0], [[1.5]], "text"]:
        with pytest.raises(TypeError, match="an array of uint32 of the shape"):
            russian.wdl_batch(wrong)


def test_a_signature_without_table(russian: damka.Tables) -> None:
    with pytest.raises(damka.MissingTable):
        russian.arrays("KKKKvK")
