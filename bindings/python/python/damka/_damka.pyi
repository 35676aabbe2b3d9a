import pathlib
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union, final

import numpy as np
import numpy.typing as npt

from ._types import (
    Answer,
    Arrays,
    Histogram,
    Layout,
    ListedPosition,
    Metric,
    Move,
    Path,
    Paths,
    Ply,
    Position,
    Progress,
    Rows,
    SearchResult,
    SquareValue,
    Stats,
    Turn,
    Value,
)

__all__ = [
    "Engine",
    "Positions",
    "Tables",
    "__version__",
    "build",
    "decode",
    "encode",
    "games",
    "layout",
    "open",
]

__version__: str

def games() -> Tuple[str, ...]:
    """The names of all games."""

def open(game: str, path: Paths, *, cache: int = 67108864) -> Tables:
    """Opens the tables of a game in a directory or several, which need not exist yet.

    `cache` is the memory for decoded blocks, in bytes.
    """

def build(
    game: str,
    tables: Union[int, str, Sequence[str]],
    path: Path,
    *,
    progress: Optional[Callable[[Progress], object]] = None,
) -> None:
    """Builds missing tables in a directory: all of up to a number of pieces, or those of one or several
    signatures and of what they lead to.

    `progress` is called a few times a second. An exception from it ends the work, like Ctrl-C; finished
    tables are kept.
    """

def layout(game: str) -> Layout:
    """The meaning of the words in a row of an array of positions."""

def encode(game: str, positions: Iterable[Position]) -> Rows:
    """Positions as rows of an array."""

def decode(game: str, positions: npt.NDArray[Any]) -> List[str]:
    """The FENs of the rows of an array."""

@final
class Tables:
    """The tables of a game. Threads may share them; other processes get them by `pickle`."""

    @property
    def game(self) -> str:
        """The game's name."""

    @property
    def paths(self) -> Tuple[pathlib.Path, ...]:
        """The directories."""

    @property
    def signatures(self) -> Tuple[str, ...]:
        """The signatures with tables, by ascending number of pieces."""

    def probe(self, position: Position, *, metric: Metric = "dtw") -> Answer:
        """The value of a position and all its moves, best first."""

    def wdl(self, position: Position) -> Value:
        """Win, draw or loss for the side to move."""

    def dtw(self, position: Position) -> Optional[int]:
        """The distance to the win or loss in plies; `None` for a draw."""

    def moves(self, position: Position, *, metric: Metric = "dtw") -> Tuple[Move, ...]:
        """All legal moves, best first."""

    def line(self, position: Position) -> Tuple[Ply, ...]:
        """Best play to the end of the game; empty for a draw."""

    def map(
        self,
        position: Position,
        square: str,
        *,
        turn: Optional[Turn] = None,
        metric: Metric = "dtw",
    ) -> Dict[str, SquareValue]:
        """The value of the position for each square of the piece that stands on `square`."""

    def stats(self, signature: str) -> Tuple[Stats, Stats]:
        """The counts of a signature, first with White to move, then with Black to move."""

    def histogram(self, signature: str) -> Tuple[Histogram, Histogram]:
        """The number of positions of a signature for each value, first with White to move, then with Black to
        move."""

    def list(
        self,
        signature: str,
        *,
        value: Optional[Value] = None,
        distance: Optional[int] = None,
        zugzwang: bool = False,
        only_move: bool = False,
        turn: Optional[Turn] = None,
        copies: bool = False,
        metric: Metric = "dtw",
        cursor: Optional[str] = None,
    ) -> Positions:
        """The positions of a signature that meet all conditions. White has the side named first.

        Symmetric positions are listed once unless `copies` is true, and so are the two positions of a mutual
        zugzwang, unless `turn` is given. `cursor` is the place to begin at.
        """

    def random(
        self,
        signature: str,
        *,
        value: Optional[Value] = None,
        distance: Optional[int] = None,
        zugzwang: bool = False,
        only_move: bool = False,
        turn: Optional[Turn] = None,
        metric: Metric = "dtw",
        seed: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Optional[ListedPosition]:
        """A random position of a signature that meets all conditions; `None` if there is none, or none is
        found in `timeout` seconds. White has the side named first.

        The same seed gives the same position; the default seed comes from the module `random`.
        """

    def wdl_batch(self, positions: npt.NDArray[Any]) -> npt.NDArray[np.int8]:
        """1 for a win for the side to move, 0 for a draw, -1 for a loss; -128 if a table is missing."""

    def dtw_batch(self, positions: npt.NDArray[Any]) -> npt.NDArray[np.int16]:
        """The distance in plies, odd for a win for the side to move and even for a loss; -1 for a
        draw, -32768 if a table is missing."""

    def arrays(
        self,
        signature: str,
        *,
        metric: Metric = "dtw",
        turn: Optional[Turn] = None,
        copies: bool = False,
    ) -> Arrays:
        """All positions of a signature and their values as arrays. White has the side named first."""

@final
class Positions(Iterator[ListedPosition]):
    """An iterator over the positions of a signature. Threads may share it: each position goes to one of them."""

    def __iter__(self) -> Positions: ...
    def __next__(self) -> ListedPosition: ...

@final
class Engine:
    """An engine for a game. It searches one position at a time. After a fork, create a new engine in the child process."""

    def __new__(
        cls,
        game: str,
        *,
        tables: Union[Tables, Path, None] = None,
        threads: int = 1,
        memory: int = 67108864,
        weights: Optional[Path] = None,
        level: int = 10,
        variety: int = 0,
        seed: Optional[int] = None,
    ) -> Engine:
        """An engine with a transposition table of `memory` bytes, which uses `tables` if they are given: those of
        one directory. `weights` is a file of weights or of a network, from `damka tune`; by default the
        evaluation is the built-in one.

        The others are for `play`: a `level` from 1, a beginner, to 10, full strength; a `variety`: in the first
        plies of a game any move at most this many hundredths of a man or pawn worse than the best is played; and
        the `seed` of random choices, random by default.
        """

    @property
    def game(self) -> str:
        """The game's name."""

    def search(
        self,
        position: Position,
        *,
        moves: Optional[Sequence[str]] = None,
        time: Optional[float] = None,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        lines: int = 1,
    ) -> SearchResult:
        """Searches the position after `moves` until a limit is reached: a time in seconds, a depth
        in plies, or a number of positions. The default is one second.

        With several `lines`, each of the best moves gets its score and line.
        """

    def play(
        self,
        position: Position,
        *,
        moves: Optional[Sequence[str]] = None,
        time: Optional[float] = None,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
    ) -> Optional[Ply]:
        """The move to play in the position after `moves`, at the level of the engine: from the opening book, or
        found by a search. `None` if there is no legal move.

        Below level 10 the search is short. At level 10 it ends at a limit, as for `search`; the default is one
        second.
        """

    def new_game(self) -> None:
        """Prepares for another game: clears the results of searches, and makes other random choices."""
