"""Shows how often the side to move wins, draws and loses, for each material: as a plot, or as text without matplotlib.

    python examples/wins_by_material.py russian 4 TABLES [PLOT.png]

Builds missing tables.
"""

from __future__ import annotations

import sys
from typing import List, Optional

import damka


def counted(tables: damka.Tables) -> List[damka.Stats]:
    """The counts of each signature, with each side to move."""
    return [side for signature in tables.signatures for side in tables.stats(signature)]


def text(sides: List[damka.Stats]) -> str:
    """Bars of letters, one for each signature and side to move."""
    lines = []
    for side in sides:
        parts = [side.wins, side.draws, side.losses]
        widths = [round(40 * part / side.positions) for part in parts]
        bar = "".join(letter * width for letter, width in zip("WDL", widths))
        lines.append(f"{side.signature:>8} {side.to_move}  {bar}")
    return "\n".join(lines)


def plot(sides: List[damka.Stats], path: str) -> None:
    """Writes the bars as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = [f"{side.signature}, {side.to_move}" for side in sides]
    figure, axes = pyplot.subplots(figsize=(8, 1 + 0.2 * len(sides)))
    left = [0.0] * len(sides)
    for label, counts in [
        ("wins", [side.wins for side in sides]),
        ("draws", [side.draws for side in sides]),
        ("losses", [side.losses for side in sides]),
    ]:
        shares = [count / side.positions for count, side in zip(counts, sides)]
        axes.barh(names, shares, left=left, label=label)
        left = [before + share for before, share in zip(left, shares)]
    axes.invert_yaxis()
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)


def main(game: str, pieces: str, directory: str, picture: Optional[str] = None) -> None:
    damka.build(game, int(pieces), directory)
    sides = counted(damka.open(game, directory))
    if picture is None:
        print(text(sides))
    else:
        plot(sides, picture)


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        print("usage: python examples/wins_by_material.py russian 4 TABLES [PLOT.png]", file=sys.stderr)
        sys.exit(2)
    main(*sys.argv[1:])
