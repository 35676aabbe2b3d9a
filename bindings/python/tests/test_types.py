"""The stubs agree with the package, and its examples and tests use the types correctly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import damka
import pytest

ROOT = Path(__file__).parents[1]


def run(*words: str) -> None:
    command = [sys.executable, "-m", *words]
    # The package is the installed one.
    environment = {**os.environ, "MYPY_CACHE_DIR": os.devnull}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


# The last mypy for Python 3.9 reports imported names as names of the module itself.
@pytest.mark.skipif(sys.version_info < (3, 10), reason="mypy is too old")
def test_stubs_are_what_there_is() -> None:
    run("mypy.stubtest", "damka", "--allowlist", "tests/stubtest.txt")


def test_help_says_what_numbers_mean() -> None:
    assert "-128 if a table is missing" in str(damka.Tables.wdl_batch.__doc__)
    assert "-32768 if a table is missing" in str(damka.Tables.dtw_batch.__doc__)
    assert "in bytes" in str(damka.open.__doc__) and "finished" in str(damka.build.__doc__)


def test_programs_have_types() -> None:
    run("mypy", "--strict", "-p", "damka")
    run("mypy", "--strict", "tests", "examples", "bench/gaviota.py")
