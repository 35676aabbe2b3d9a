"""The types of answers. Values and distances are for the side to move."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Optional, Protocol, Sequence, Tuple, Union

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Value = Literal["win", "draw", "loss"]
"""A result for the side to move."""

Metric = Literal["wdl", "dtw"]
"""What a table stores: the result, or also the distance."""

DtwStatus = Literal["known", "draw", "unknown", "not_asked"]
"""Whether there is a distance, or why not."""

Color = Literal["white", "black"]
"""A side."""

Turn = Union[Color, bool]
"""A side to move, in an argument: a word, or a Boolean as in python-chess, where White is true."""


class HasFenMethod(Protocol):
    """A board of python-chess."""

    def fen(self) -> str: ...


class HasFen(Protocol):
    """A board of pydraughts."""

    @property
    def fen(self) -> str: ...


Position = Union[str, HasFenMethod, HasFen]
"""A FEN, `start`, a FEN tag of PDN or PGN, or a board of another library."""

Path = Union[str, "os.PathLike[str]"]
"""A directory."""

Paths = Union[Path, Sequence[Path]]
"""A directory, or several: a table is read from the first one that has it."""

Rows = Union["npt.NDArray[np.uint32]", "npt.NDArray[np.uint64]"]
"""Positions as rows of words; see `Layout`."""


@dataclass(frozen=True)
class TableName:
    """A table: its pieces and its metric."""

    signature: str
    metric: Metric

    def __str__(self) -> str:
        return f"{self.signature}.{self.metric}"


@dataclass(frozen=True)
class Move:
    """A legal move with its value for the side that plays it."""

    name: str
    """The move in the notation of the game."""
    coordinates: str
    """The move by its squares: UCI's `e2e4` in chess."""
    fen: str
    """The position after it."""
    value: Optional[Value]
    """`None` if it is unknown."""
    dtw: Optional[int]
    """The distance in plies, the move included."""
    dtw_status: DtwStatus

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Answer:
    """The value of a position and of its moves."""

    game: str
    fen: str
    """The FEN of the position."""
    value: Optional[Value]
    """`None` if it is unknown. The values of some moves may be known even then, but none of these moves wins."""
    dtw: Optional[int]
    """The distance to the win or loss in plies; `None` for a draw, or if it is unknown."""
    dtw_status: DtwStatus
    moves: Tuple[Move, ...]
    """All legal moves, best first. Moves of unknown value are last, or first if the best move must be one of them."""
    missing: Tuple[TableName, ...]
    """The missing tables."""


@dataclass(frozen=True)
class Ply:
    """A move, from `Tables.line` or `Engine.play`."""

    name: str
    coordinates: str
    fen: str
    """The position after it."""

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class SquareValue:
    """The value of a position with a piece on this square."""

    square: str
    fen: str
    value: Optional[Value]
    """`None` if it is unknown."""
    dtw: Optional[int]
    dtw_status: DtwStatus


@dataclass(frozen=True)
class Stats:
    """The counts of a signature with one side to move."""

    game: str
    signature: str
    to_move: Color
    positions: int
    wins: int
    draws: int
    losses: int
    dtw_status: DtwStatus
    longest_win: Optional[int]
    """The longest win in plies."""
    longest_win_fen: Optional[str]
    longest_loss: Optional[int]
    longest_loss_fen: Optional[str]
    wdl_bytes: Optional[int]
    """The size of the WDL table; `None` if it is missing."""
    dtw_bytes: Optional[int]
    wdl_digest: Optional[str]
    """The digest of the WDL table's values."""
    dtw_digest: Optional[str]


@dataclass(frozen=True)
class Bar:
    """The number of positions of one value."""

    value: Value
    dtw: Optional[int]
    positions: int


@dataclass(frozen=True)
class Histogram:
    """The number of positions of a signature for each value, with one side to move."""

    game: str
    signature: str
    to_move: Color
    bars: Tuple[Bar, ...]
    """The values that occur, best first."""


@dataclass(frozen=True)
class PassedPosition:
    """A listed placement with the other side to move."""

    value: Value
    dtw: Optional[int]
    dtw_status: DtwStatus


@dataclass(frozen=True)
class ListedPosition:
    """A position of a list."""

    game: str
    fen: str
    value: Value
    dtw: Optional[int]
    dtw_status: DtwStatus
    only_move: Optional[str]
    """The only move that keeps the result, if it was requested."""
    only_move_coordinates: Optional[str]
    passed: Optional[PassedPosition]
    """The placement with the other side to move, if zugzwangs were requested."""
    cursor: str
    """Its cursor: a list can begin here."""


@dataclass(frozen=True)
class SearchLine:
    """One of the best lines of a search."""

    move: str
    coordinates: str
    score: int
    """Hundredths of a man or pawn, for the side to move."""
    value: Optional[Value]
    dtw: Optional[int]
    dtw_status: DtwStatus
    pv: Tuple[str, ...]
    pv_coordinates: Tuple[str, ...]


@dataclass(frozen=True)
class SearchResult:
    """The result of a search."""

    game: str
    fen: str
    move: Optional[str]
    """The best move in the notation of the game; `None` if there is no legal move."""
    coordinates: Optional[str]
    """The best move by its squares."""
    score: int
    """Hundredths of a man or pawn, for the side to move."""
    value: Optional[Value]
    """The result, if it is proved."""
    dtw: Optional[int]
    """The distance to the win or loss in plies, if known."""
    dtw_status: DtwStatus
    depth: int
    """The last completed depth, in plies."""
    nodes: int
    table_hits: int
    pv: Tuple[str, ...]
    """The best line."""
    pv_coordinates: Tuple[str, ...]
    lines: Tuple[SearchLine, ...]
    """The best lines, best first."""
    time: float
    """The time taken, in seconds."""


@dataclass(frozen=True)
class Layout:
    """The meaning of the words in a row: a bitboard for each of White's kinds of piece, one for each of
    Black's, and the side to move, 0 for White and 1 for Black."""

    game: str
    dtype: "np.dtype[Any]"
    """`uint32` for draughts, `uint64` for chess and Alapo."""
    columns: int
    """The number of words in a row."""
    kinds: Tuple[str, ...]
    """The letters of the kinds of piece, in the order of the words."""
    squares: Tuple[str, ...]
    """The names of the squares, in the order of the bits."""


@dataclass(frozen=True, eq=False)
class Arrays:
    """All positions of a signature with their values; a row or an element for each."""

    positions: Rows
    """Rows as `Layout` describes them."""
    wdl: "npt.NDArray[np.int8]"
    """1 for a win for the side to move, 0 for a draw, -1 for a loss."""
    dtw: "Optional[npt.NDArray[np.int16]]"
    """The distance in plies, -1 for a draw; `None` if only results were requested."""


@dataclass(frozen=True)
class Progress:
    """The progress of building tables."""

    signature: str
    """The signature that is being built."""
    done: int
    """The number of finished positions, of all signatures."""
    total: int
    """The number of all positions."""
    share: float
    """The finished part of the work, from 0 to 1."""
