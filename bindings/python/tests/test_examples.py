"""The examples run."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
BENCH = EXAMPLES.parent / "bench"


def example(name: str, place: Path = EXAMPLES) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, place / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_wins_by_material(directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wins = example("wins_by_material")
    wins.main("russian", "3", str(directory))
    assert "KKvM black  DDDDDDDDLLLL" in capsys.readouterr().out
    pytest.importorskip("matplotlib")
    picture = tmp_path / "wins.png"
    wins.main("russian", "3", str(directory), str(picture))
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_mating_net(directory: Path) -> None:
    guess, learned = example("mating_net").main(str(directory), 150)
    assert learned < 0.6 * guess


def test_instead_of_gaviota(directory: Path) -> None:
    source = os.environ.get("DAMKA_CHESS_SOURCE")
    gaviota = None if source is None else str(Path(source) / "data" / "gaviota")
    line = example("instead_of_gaviota").main(str(directory), "8/8/8/3k4/8/8/8/KR6 w - - 0 1", gaviota)
    assert len(line) == 29


def test_comparison_with_gaviota(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = os.environ.get("DAMKA_CHESS_SOURCE")
    if source is None:
        pytest.skip("DAMKA_CHESS_SOURCE names no source of python-chess")
    example("gaviota", BENCH).main(str(directory), str(Path(source) / "data" / "gaviota"), 500)
    assert capsys.readouterr().out.count("500 equal answers") == 3


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_usage(path: Path) -> None:
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True)
    assert done.returncode == 2
    usage = done.stderr.removeprefix("usage: ")
    assert usage != done.stderr and usage in path.read_text("utf-8").split('"""')[1]
