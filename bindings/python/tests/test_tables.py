"""Compares answers of tables with published figures and the rules of the games."""

from __future__ import annotations

import os
import pickle
import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import damka
import pytest

SLOWEST = "W:WKf8,Ke7,Kh6:BKb8"
"""Among the slowest wins of three kings against one."""


def test_games_have_the_names_that_people_use(directory: Path) -> None:
    assert "russian" in damka.games() and "chess" in damka.games()
    tables = damka.open("Shashki", directory)
    assert (tables.game, tables.paths) == ("russian", (directory,))
    assert tables.signatures[:3] == ("MvM", "KvM", "KvK")
    assert "russian" in repr(tables)
    with pytest.raises(damka.UnknownGame, match="there is no game `gomoku`"):
        damka.open("gomoku", directory)


def test_an_answer_ranks_the_moves(russian: damka.Tables) -> None:
    answer = russian.probe(SLOWEST)
    assert answer.game == "russian"
    assert (answer.value, answer.dtw, answer.dtw_status) == ("win", 25, "known")
    assert [move.name for move in answer.moves if move.value == "win"] == ["f8-g7", "e7-f6", "h6-g7"]
    assert all(move.dtw == 25 for move in answer.moves[:3])
    assert all((move.value, move.dtw) == ("draw", None) for move in answer.moves[3:])
    assert answer.missing == ()
    assert russian.moves(SLOWEST) == answer.moves
    assert (russian.wdl(SLOWEST), russian.dtw(SLOWEST)) == ("win", 25)
    after = russian.probe(answer.moves[0].fen)
    assert (after.value, after.dtw) == ("loss", 24)
    wdl = russian.probe(SLOWEST, metric="wdl")
    assert (wdl.value, wdl.dtw, wdl.dtw_status) == ("win", None, "not_asked")


def test_best_play_ends_as_the_distance_says(russian: damka.Tables, chess_tables: damka.Tables) -> None:
    line = russian.line(SLOWEST)
    assert len(line) == 25
    for plies, ply in zip(range(24, -1, -1), line):
        assert russian.dtw(ply.fen) == plies
    line = chess_tables.line("8/8/8/8/3k4/8/8/K6Q w - - 0 1")
    assert str(line[-1]).endswith("#")


def test_published_counts(russian: damka.Tables, chess_tables: damka.Tables) -> None:
    white, black = russian.stats("KvM")
    # 868 placements; White to move wins 746 of them.
    assert (white.positions, white.wins, white.draws, white.losses) == (868, 746, 122, 0)
    assert (white.to_move, black.to_move, white.dtw_status) == ("white", "black", "known")
    bars = russian.histogram("KvM")[0].bars
    assert sum(bar.positions for bar in bars if bar.value == "win") == 746
    assert sum(bar.positions for bar in bars) == 868
    # Mate in at most sixteen and ten moves.
    assert chess_tables.stats("KRvK")[0].longest_win == 31
    assert chess_tables.stats("KQvK")[0].longest_win == 19


def test_lists_filter_and_resume(russian: damka.Tables) -> None:
    everything = list(russian.list("KMvK"))
    draws = [found.fen for found in everything if found.value == "draw"]
    assert [found.fen for found in russian.list("KMvK", value="draw")] == draws
    white = list(russian.list("KMvK", value="win", distance=9, turn="white"))
    assert white and all((found.value, found.dtw) == ("win", 9) for found in white)
    assert all(found.fen.startswith("W:") for found in white)
    middle = everything[len(everything) // 2]
    resumed = russian.list("KMvK", cursor=middle.cursor)
    assert iter(resumed) is resumed
    assert list(resumed) == everything[len(everything) // 2 :]
    zugzwang = next(russian.list("KMvK", zugzwang=True))
    assert zugzwang.passed is not None and zugzwang.value != zugzwang.passed.value
    only = next(russian.list("KKvK", only_move=True))
    keeping = [move.name for move in russian.moves(only.fen) if move.value == only.value]
    assert keeping == [only.only_move] and only.only_move_coordinates is not None
    assert len(list(russian.list("KvK", copies=True))) == 2 * 32 * 31
    with pytest.raises(damka.BadCursor):
        russian.list("KvK", cursor="w99999")
    with pytest.raises(damka.BadCursor):
        russian.list("KvK", cursor="here")
    with pytest.raises(ValueError, match="expected win, draw or loss"):
        russian.list("KvK", value="won")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected white or black"):
        russian.list("KvK", turn="w")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`turn` must be"):
        russian.list("KvK", turn=0)  # type: ignore[arg-type]
    assert list(russian.list("KMvK", turn=True)) == list(russian.list("KMvK", turn="white"))
    with pytest.raises(damka.NoDistance):
        next(russian.list("KMvK", value="draw", distance=3))
    with pytest.raises(ValueError, match="unknown metric"):
        russian.list("KvK", metric="dtz")  # type: ignore[arg-type]


def test_random_positions_repeat_with_their_seed(russian: damka.Tables) -> None:
    one, other = russian.random("KMvK", value="win", seed=7), russian.random("KMvK", value="win", seed=7)
    assert one is not None and one == other and one.value == "win"
    assert len({found.fen for found in (russian.random("KMvK") for _ in range(20)) if found}) > 1
    assert russian.random("KMvK", distance=999, timeout=5.0) is None
    with pytest.raises(ValueError):
        russian.random("KMvK", timeout=-1.0)


def test_white_has_the_side_that_is_named_first(russian: damka.Tables) -> None:
    for found in (russian.random("MvK", seed=1), next(russian.list("MvK"))):
        assert found is not None and ":BK" in found.fen
    as_named, turned = russian.arrays("KvM", turn="black"), russian.arrays("MvK", turn="white")
    layout = damka.layout("russian")
    assert layout.kinds == ("K", "M")
    assert (as_named.positions[:, 0] != 0).all() and (turned.positions[:, 1] != 0).all()
    assert turned.dtw is not None and as_named.dtw is not None
    assert (turned.dtw == as_named.dtw).all()


def test_a_map_has_every_square(russian: damka.Tables) -> None:
    places = russian.map("W:WKa1:BKh2", "h2")
    assert len(places) == 31 and "a1" not in places
    for square, place in places.items():
        assert place.square == square
        assert (place.value, place.dtw) == (russian.wdl(place.fen), russian.dtw(place.fen))
    other = russian.map("W:WKa1:BKh2", "h2", turn="black")
    assert all(place.fen.startswith("B:") for place in other.values())
    with pytest.raises(damka.BadSquare):
        russian.map("W:WKa1:BKh2", "c3")


def test_what_is_missing_is_named(russian: damka.Tables, tmp_path: Path) -> None:
    answer = russian.probe("W:WKa1,Kc1,Ke1,Kg1:BKh4")
    assert answer.missing == (damka.TableName("KKKKvK", "dtw"),)
    assert str(answer.missing[0]) == "KKKKvK.dtw"
    assert {move.value for move in answer.moves} >= {None}
    with pytest.raises(damka.MissingTable) as missing:
        russian.wdl("W:WKa1,Kc1,Ke1,Kg1:BKh8")
    assert missing.value.tables == (damka.TableName("KKKKvK", "wdl"),)
    assert isinstance(missing.value, LookupError) and isinstance(missing.value, damka.Error)
    with pytest.raises(damka.NoTable, match="24 pieces") as none:
        russian.wdl("start")
    assert none.value.tables == ()
    with pytest.raises(damka.MissingTable):
        damka.open("russian", tmp_path / "nowhere").wdl(SLOWEST)


def test_bad_positions_say_what_is_wrong(russian: damka.Tables) -> None:
    with pytest.raises(damka.BadPosition, match="two pieces stand on a1"):
        russian.probe("W:WKa1,a1:BKh8")
    with pytest.raises(damka.BadSignature):
        russian.stats("KXvK")
    with pytest.raises(TypeError, match="expected a FEN"):
        russian.probe(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [-1, 1 << 64])
def test_numbers_out_of_range_are_named(directory: Path, russian: damka.Tables, wrong: int) -> None:
    engine = damka.Engine("russian")
    calls: list[tuple[str, Callable[[], object]]] = [
        (f"`cache` must be from 0 to {2**64 - 1}", lambda: damka.open("russian", directory, cache=wrong)),
        (f"`seed` must be from 0 to {2**64 - 1}", lambda: russian.random("KvK", seed=wrong)),
        ("`distance` must be from 0 to 65535", lambda: russian.list("KvK", distance=wrong)),
        ("`distance` must be from 0 to 65535", lambda: russian.random("KvK", distance=wrong)),
        ("`depth` must be from 0 to 65535", lambda: engine.search("start", depth=wrong)),
        ("`nodes` must be", lambda: engine.search("start", nodes=wrong)),
        ("`lines` must be", lambda: engine.search("start", lines=wrong)),
        ("`threads` must be from 1 to 256", lambda: damka.Engine("russian", threads=wrong)),
        ("`memory` must be", lambda: damka.Engine("russian", memory=wrong)),
    ]
    for message, call in calls:
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(TypeError):
        damka.open("russian", directory, cache=1.5)  # type: ignore[arg-type]
    assert russian.random("KvK", distance=None, seed=None) is not None


def test_damage_names_the_file(directory: Path, tmp_path: Path) -> None:
    shutil.copytree(directory / "russian", tmp_path / "russian")
    path = tmp_path / "russian" / "KKvK.dtw"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(damka.DamagedTable, match=re.escape(str(path))) as damaged:
        damka.open("russian", tmp_path).dtw("W:WKa1,Kc3:BKh4")
    assert damaged.value.path == str(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(damka.Io, match=re.escape(str(path))) as failed:
        damka.open("russian", tmp_path).dtw("W:WKa1,Kc3:BKh4")
    assert isinstance(failed.value, OSError) and failed.value.path == str(path)


def test_several_directories(directory: Path, tmp_path: Path) -> None:
    damka.build("russian", "KMvM", tmp_path)
    tables = damka.open("russian", [tmp_path, directory])
    assert tables.wdl(SLOWEST) == "win" and "KMvM" in tables.signatures
    with pytest.raises(TypeError):
        damka.open("russian", [])


def result(tables: damka.Tables) -> str:
    return tables.wdl(SLOWEST)


def test_threads_and_processes_share_tables(russian: damka.Tables) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(russian.dtw, [SLOWEST] * 100)) == {25}
    copy = pickle.loads(pickle.dumps(russian))
    assert (copy.game, copy.paths, copy.dtw(SLOWEST)) == ("russian", russian.paths, 25)
    with get_context("spawn").Pool(1) as workers:
        assert workers.map(result, [russian]) == ["win"]


def test_threads_share_a_list(russian: damka.Tables) -> None:
    expected = [found.fen for found in russian.list("KMvK")]
    shared = russian.list("KMvK")
    with ThreadPoolExecutor(4) as pool:
        parts = pool.map(lambda _: [found.fen for found in shared], range(4))
    assert sorted(fen for part in parts for fen in part) == sorted(expected)


def test_answers_are_values(russian: damka.Tables) -> None:
    answer = russian.probe(SLOWEST)
    assert answer == russian.probe(SLOWEST) and hash(answer) == hash(russian.probe(SLOWEST))
    assert pickle.loads(pickle.dumps(answer)) == answer
    with pytest.raises(AttributeError):
        answer.value = "draw"  # type: ignore[misc]


def test_directories_of_any_name(tmp_path: Path) -> None:
    """Names of files are bytes."""
    name = os.fsdecode(bytes(tmp_path) + b"/\xff")
    damka.build("russian", "KvK", name)
    tables = damka.open("russian", name)
    assert tables.signatures == ("KvK",) and os.fsencode(tables.paths[0]) == os.fsencode(name)
