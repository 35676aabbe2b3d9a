"""Exact endgame results and an engine for draughts, chess and Alapo.

`build` builds tables in a directory, `open` opens them, and `Engine` searches. Values and distances are for
the side to move; distances are in plies. docs/PYTHON.md describes everything.
"""

from __future__ import annotations

from ._damka import Engine, Positions, Tables, build, decode, encode, games, layout, open
from ._damka import __version__
from ._errors import (
    BadCursor,
    BadMove,
    BadPosition,
    BadSignature,
    BadSquare,
    BuildFailed,
    DamagedTable,
    Error,
    Io,
    MissingTable,
    NoMemory,
    NoTable,
    TooManyCaptures,
    UnknownGame,
)
from ._types import (
    Answer,
    Arrays,
    Bar,
    Histogram,
    Layout,
    ListedPosition,
    Move,
    PassedPosition,
    Ply,
    Position,
    Progress,
    SearchLine,
    SearchResult,
    SquareValue,
    Stats,
    TableName,
    Value,
)

__all__ = [
    "Answer",
    "Arrays",
    "BadCursor",
    "BadMove",
    "BadPosition",
    "BadSignature",
    "BadSquare",
    "Bar",
    "BuildFailed",
    "DamagedTable",
    "Engine",
    "Error",
    "Histogram",
    "Io",
    "Layout",
    "ListedPosition",
    "MissingTable",
    "Move",
    "NoMemory",
    "NoTable",
    "PassedPosition",
    "Ply",
    "Position",
    "Positions",
    "Progress",
    "SearchLine",
    "SearchResult",
    "SquareValue",
    "Stats",
    "TableName",
    "Tables",
    "TooManyCaptures",
    "UnknownGame",
    "Value",
    "__version__",
    "build",
    "decode",
    "encode",
    "games",
    "layout",
    "open",
]
