"""Exceptions. Every exception of damka is an `Error`, and also one of Python's own if one fits."""

from __future__ import annotations

from typing import Any, Optional, Tuple

from ._types import TableName


class Error(Exception):
    """Base of all exceptions of damka."""


class UnknownGame(Error, ValueError):
    """There is no game with this name."""


class BadPosition(Error, ValueError):
    """A text, a board or a row of an array is not a position of the game."""


class BadMove(Error, ValueError):
    """A text is not a legal move."""


class BadSignature(Error, ValueError):
    """A text is not a signature of the game, such as `KMvK`."""


class BadSquare(Error, ValueError):
    """There is no such square, or no piece on it."""


class BadCursor(Error, ValueError):
    """A list does not have this cursor."""


class NoDistance(Error, ValueError):
    """A list was requested by distance, but its values have none: draws, and all values of the metric `wdl`."""


class MissingTable(Error, LookupError):
    """A needed table is in none of the directories."""

    tables: Tuple[TableName, ...] = ()
    """The missing tables."""


class NoTable(MissingTable):
    """No table can have the position: it has too many pieces, or castling rights."""


class TooManyCaptures(Error, LookupError):
    """Captures lead to more positions than the limit."""


class DamagedTable(Error):
    """A table is damaged, or was made by another version."""

    path: Optional[str] = None
    """The file."""


class Io(Error, OSError):
    """A file cannot be read or written, or the disk is full."""

    path: Optional[str] = None
    """The file, if known."""

    def __reduce__(self) -> Tuple[Any, ...]:
        # An `OSError` made from a text alone is pickled without its `errno`.
        return _restored, (self.args, self.errno, self.path)


def _restored(args: Tuple[Any, ...], errno: Optional[int], path: Optional[str]) -> Io:
    error = Io(*args)
    error.errno, error.path = errno, path
    return error


class NoMemory(Error, MemoryError):
    """There is not enough memory."""


class BuildFailed(Error):
    """Tables cannot be built for another reason."""
