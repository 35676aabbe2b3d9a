"""Building tables, and interruptions, which leave no incomplete table."""

from __future__ import annotations

import errno
import pickle
import re
import signal
import threading
import time
from pathlib import Path
from typing import List

import damka
import pytest


def interrupt_after(seconds: float) -> threading.Timer:
    """Sends the signal of Ctrl-C a little later."""
    timer = threading.Timer(seconds, signal.raise_signal, [signal.SIGINT])
    timer.start()
    return timer


def test_progress_ends_at_one(tmp_path: Path) -> None:
    steps: List[damka.Progress] = []
    damka.build("english", 3, tmp_path, progress=steps.append)
    assert steps[-1].share == 1.0 and steps[-1].done == steps[-1].total > 0
    assert all(before.share <= after.share for before, after in zip(steps, steps[1:]))
    assert len(damka.open("english", tmp_path).signatures) == 9
    # Nothing is left to do.
    damka.build("english", "KKvK", tmp_path)


def test_what_is_to_be_built(tmp_path: Path) -> None:
    damka.build("russian", "KMvM", tmp_path)
    assert damka.open("russian", tmp_path).signatures[-1] in ("KKvK", "KKvM", "KMvM")
    for wrong in [0, 1, 9]:
        with pytest.raises(ValueError, match="2 to 8 pieces"):
            damka.build("russian", wrong, tmp_path)
    with pytest.raises(damka.BadSignature):
        damka.build("russian", ["KvK", "QvK"], tmp_path)
    with pytest.raises(TypeError):
        damka.build("russian", 1.5, tmp_path)  # type: ignore[arg-type]
    with pytest.raises(damka.UnknownGame, match="a family of games"):
        damka.build("draughts", 3, tmp_path)


def test_a_file_in_the_place_of_the_directory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    path = str(tmp_path / "file" / "russian")
    with pytest.raises(damka.Io, match=re.escape(path)) as failed:
        damka.build("russian", 2, tmp_path / "file")
    assert failed.value.path == path


def test_a_pickled_error_keeps_its_number(tmp_path: Path) -> None:
    with pytest.raises(damka.Io) as failed:
        damka.build("russian", 2, tmp_path / ("x" * 300))
    error, copy = failed.value, pickle.loads(pickle.dumps(failed.value))
    assert error.errno == errno.ENAMETOOLONG
    assert (copy.errno, copy.path, str(copy)) == (error.errno, error.path, str(error))


def test_ctrl_c_ends_building(tmp_path: Path) -> None:
    start = time.monotonic()
    timer = interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        damka.build("russian", 6, tmp_path)
    timer.join()
    # A complete build would take minutes.
    assert time.monotonic() - start < 60
    # The tables are complete, and the build can be continued.
    tables = damka.open("russian", tmp_path)
    for signature in tables.signatures:
        tables.stats(signature)
    damka.build("russian", 2, tmp_path)
    assert tables.wdl("W:WKa1:BKb8") == "draw"


def test_an_exception_of_progress_ends_building(tmp_path: Path) -> None:
    def refuse(progress: damka.Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        damka.build("russian", 6, tmp_path, progress=refuse)


def test_other_threads_run_meanwhile(tmp_path: Path) -> None:
    turns = 0
    done = threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.wait(0.001):
            turns += 1

    counter = threading.Thread(target=count)
    counter.start()
    damka.build("russian", 4, tmp_path)
    done.set()
    counter.join()
    assert turns > 10


def test_ctrl_c_ends_a_search() -> None:
    engine = damka.Engine("chess")
    timer = interrupt_after(0.2)
    with pytest.raises(KeyboardInterrupt):
        engine.search("start", time=600)
    timer.join()
    assert engine.search("start", depth=1).depth == 1
