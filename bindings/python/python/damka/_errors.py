"""What goes wrong. Every exception of damka is an `Error`, and one of Python's own where one fits."""

from __future__ import annotations

from typing import Optional, Tuple

from ._types import TableName


class Error(Exception):
    """Base of all exceptions of damka."""


class UnknownGame(Error, ValueError):
    """There is no game of this name."""


class BadPosition(Error, ValueError):
    """A text or a row of an array is not a position of the game."""


class BadMove(Error, ValueError):
    """A text is not a legal move."""


class BadSignature(Error, ValueError):
    """A text is not a signature of the game, such as `KMvK`."""


class BadSquare(Error, ValueError):
    """There is no such square, or no piece on it."""


class BadCursor(Error, ValueError):
    """A list has no such place."""


class MissingTable(Error, LookupError):
    """A table that is needed is in none of the directories."""

    tables: Tuple[TableName, ...] = ()
    """The tables that were looked for."""


class NoTable(MissingTable):
    """No table can have the position: it has too many pieces, or castling rights."""


class TooManyCaptures(Error, LookupError):
    """Captures lead to more positions than are looked at."""


class DamagedTable(Error):
    """A table is damaged, or was made by another version."""

    path: Optional[str] = None
    """The file."""


class Io(Error, OSError):
    """A file cannot be read or written, or the disk is full."""

    path: Optional[str] = None
    """The file, if it is known."""


class NoMemory(Error, MemoryError):
    """There is not enough memory."""


class BuildFailed(Error):
    """Tables cannot be built for another reason than those above."""
