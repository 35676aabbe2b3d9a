"""The examples of docs/PYTHON.md have the right output."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import List

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "PYTHON.md"


def test_the_examples_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```pycon\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) > 10
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "PYTHON.md", None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    output: List[str] = []
    runner.run(examples, out=output.append)
    assert runner.failures == 0, "".join(output)
