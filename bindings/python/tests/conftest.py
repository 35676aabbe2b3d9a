"""Small tables for all tests."""

from __future__ import annotations

from pathlib import Path

import damka
import pytest


@pytest.fixture(scope="session")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with tables of draughts, chess and Alapo."""
    path = tmp_path_factory.mktemp("tables")
    damka.build("russian", 3, path)
    damka.build("russian", "KKKvK", path)
    damka.build("chess", ["KRvK", "KQvK", "KPvK"], path)
    damka.build("alapo", 2, path)
    return path


@pytest.fixture(scope="session")
def russian(directory: Path) -> damka.Tables:
    return damka.open("russian", directory)


@pytest.fixture(scope="session")
def chess_tables(directory: Path) -> damka.Tables:
    return damka.open("chess", str(directory))
