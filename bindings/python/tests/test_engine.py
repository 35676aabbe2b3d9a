"""The engine finds mates and results."""

from __future__ import annotations

import os
from pathlib import Path
from typing import List, Optional

import chess
import damka
import pytest


def test_a_mate(directory: Path) -> None:
    engine = damka.Engine("chess")
    found = engine.search("start", moves=["f2f3", "e7e5", "g2g4"], depth=3)
    assert (found.move, found.coordinates, found.value, found.dtw) == ("Qh4#", "d8h4", "win", 1)
    assert found.pv == ("Qh4#",) and found.pv_coordinates == ("d8h4",)
    assert found.nodes > 0 and found.time >= 0 and engine.game == "chess"
    mated = engine.search("start", moves=["f2f3", "e7e5", "g2g4", "d8h4"], depth=3)
    assert (mated.move, mated.value, mated.dtw, mated.lines) == (None, "loss", 0, ())
    board = chess.Board()
    assert engine.search(board, nodes=2000).move is not None


def test_limits_and_lines() -> None:
    engine = damka.Engine("russian", threads=2, memory=1 << 20)
    found = engine.search("start", depth=6, lines=3)
    assert found.depth == 6 and len(found.lines) == 3
    assert [line.score for line in found.lines] == sorted((line.score for line in found.lines), reverse=True)
    assert found.lines[0].move == found.move and found.lines[0].pv == found.pv
    assert engine.search("start", time=0.05).depth >= 1
    engine.new_game()
    for threads in (0, 1000):
        with pytest.raises(ValueError, match="1 to 256"):
            damka.Engine("russian", threads=threads)
    with pytest.raises(ValueError, match="at least one line"):
        engine.search("start", lines=0)
    with pytest.raises(ValueError):
        engine.search("start", time=-1)
    with pytest.raises(damka.BadMove):
        engine.search("start", moves=["a1-a8"])
    with pytest.raises(damka.BadPosition):
        engine.search("nowhere")


def test_levels() -> None:
    def game(level: int = 10, variety: int = 0, seed: Optional[int] = None) -> List[str]:
        engine = damka.Engine("russian", level=level, variety=variety, seed=seed)
        moves: List[str] = []
        while len(moves) < 12 and (played := engine.play("start", moves=moves, nodes=500)):
            assert played.fen[0] == "BW"[len(moves) % 2]
            moves.append(played.name)
        return moves

    assert game(level=1, seed=3) == game(level=1, seed=3)
    assert len({tuple(game(level=1, seed=seed)) for seed in range(5)}) > 1, "a level differs by the seed"
    assert len({tuple(game(variety=15, seed=seed)) for seed in range(5)}) > 1, "and so does variety"
    assert len({tuple(game(level=1)) for _ in range(5)}) > 1, "the seed is random"
    engine = damka.Engine("chess", level=3)
    mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    assert engine.play(mated) is None
    assert engine.play(chess.Board()) is not None
    with pytest.raises(damka.BadMove):
        engine.play("start", moves=["e2e5"])
    for level in (0, 11, -1, 300):
        with pytest.raises(ValueError, match="`level` must be from 1 to 10"):
            damka.Engine("russian", level=level)
    with pytest.raises(ValueError, match="`variety` must be from 0 to 65535"):
        damka.Engine("russian", variety=-1)


def test_tables_are_known(directory: Path, russian: damka.Tables) -> None:
    engines = [damka.Engine("russian", tables=tables) for tables in (russian, directory)]
    for engine in [*engines, damka.Engine("russian", tables=str(directory))]:
        found = engine.search("W:WKf8,Ke7,Kh6:BKb8", depth=4)
        assert (found.value, found.dtw) == ("win", 25)
        assert found.table_hits > 0
    with pytest.raises(ValueError, match="cannot use tables of russian"):
        damka.Engine("chess", tables=russian)
    both = damka.open("russian", [directory, directory])
    with pytest.raises(ValueError, match="one directory"):
        damka.Engine("russian", tables=both)


def test_the_directory_of_tables_must_exist(tmp_path: Path) -> None:
    with pytest.raises(damka.Io, match="none") as missing:
        damka.Engine("chess", tables=tmp_path / "none")
    assert missing.value.errno == 2 and missing.value.path == str(tmp_path / "none")


def test_weights_are_read_from_a_file(tmp_path: Path) -> None:
    built_in = Path(__file__).parents[3] / "engine" / "weights"
    with pytest.raises(damka.Io, match="the file of weights cannot be read"):
        damka.Engine("czech", weights=tmp_path / "none")
    with pytest.raises(damka.Io, match="for the game `italian`, not for `czech`"):
        damka.Engine("czech", weights=built_in / "italian.weights")
    # The weights of Italian draughts, in a file whose header names Czech draughts, give other scores.
    bytes_of_italian = (built_in / "italian.weights").read_bytes()
    other = tmp_path / "other.weights"
    other.write_bytes(bytes_of_italian[:10] + b"czech".ljust(16, b"\0") + bytes_of_italian[26:])

    def score(weights: Path | None) -> int:
        return damka.Engine("czech", weights=weights).search("start", moves=["c3-d4"], depth=5).score

    assert score(built_in / "czech.weights") == score(None)
    assert score(other) != score(None)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows does not fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_engine_is_of_one_process() -> None:
    engine = damka.Engine("russian", threads=2, memory=1 << 20)
    engine.search("start", depth=4)
    child = os.fork()
    if child == 0:
        failed = True
        try:
            for use in (lambda: engine.search("start", depth=4), engine.new_game):
                with pytest.raises(damka.Error, match="make one in each process"):
                    use()
            assert damka.Engine("russian", memory=1 << 20).search("start", depth=4).move
            failed = False
        finally:
            os._exit(failed)
    assert os.waitpid(child, 0)[1] == 0
    assert engine.search("start", depth=4).move


def test_too_much_memory() -> None:
    with pytest.raises(damka.NoMemory):
        damka.Engine("russian", memory=1 << 60)
