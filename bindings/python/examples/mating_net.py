"""Trains a small network to predict the distance to mate with king and rook, from the table as arrays.

    python examples/mating_net.py TABLES [STEPS]

Only NumPy is needed. Builds the table if it is missing.
"""

from __future__ import annotations

import sys
from typing import Any, Iterator, List, Tuple

import damka
import numpy as np

Array = Any  # an array of NumPy, whose types have no dimensions


def features(positions: Array) -> Array:
    """A bit for each square and piece, and the side to move."""
    layout = damka.layout("chess")
    kinds = [layout.kinds.index(kind) for kind in "KR"]
    columns = [kinds[0], kinds[1], len(layout.kinds) + kinds[0]]
    squares = np.arange(len(layout.squares), dtype=np.uint64)
    bits = [positions[:, column, None] >> squares & np.uint64(1) for column in columns]
    return np.concatenate([*bits, positions[:, -1:]], axis=1).astype(np.float32)


class Net:
    """Two layers, trained by Adam to predict plies."""

    def __init__(self, inputs: int, hidden: int, rng: np.random.Generator) -> None:
        self.weights: List[Array] = [
            rng.normal(0, inputs**-0.5, (inputs, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            rng.normal(0, hidden**-0.5, (hidden, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            rng.normal(0, hidden**-0.5, (hidden, 1)).astype(np.float32),
            np.full(1, 20, np.float32),
        ]
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.steps = 0

    def layers(self, x: Array) -> Tuple[Array, Array, Array]:
        a, b, c, d, e, f = self.weights
        first = np.maximum(x @ a + b, 0)
        second = np.maximum(first @ c + d, 0)
        return first, second, (second @ e + f)[:, 0]

    def __call__(self, x: Array) -> Array:
        return self.layers(x)[2]

    def learn(self, x: Array, plies: Array, rate: float) -> None:
        first, second, predicted = self.layers(x)
        _, _, c, _, e, _ = self.weights
        out = ((predicted - plies) / len(x))[:, None]
        grad_second = (out @ e.T) * (second > 0)
        grad_first = (grad_second @ c.T) * (first > 0)
        gradients = [
            x.T @ grad_first, grad_first.sum(0),
            first.T @ grad_second, grad_second.sum(0),
            second.T @ out, out.sum(0),
        ]
        self.steps += 1
        for weight, gradient, (mean, square) in zip(self.weights, gradients, self.moments):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            weight -= rate * (mean / (1 - 0.9**self.steps)) / (
                np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            )


def batches(count: int, steps: int, rng: np.random.Generator) -> Iterator[Array]:
    for _ in range(steps):
        yield rng.integers(0, count, 1024)


def main(directory: str, steps: int) -> Tuple[float, float]:
    """The mean errors in plies: of predicting the mean, and of the network."""
    damka.build("chess", "KRvK", directory)
    table = damka.open("chess", directory).arrays("KRvK")
    assert table.dtw is not None
    decided = table.wdl != 0
    x, plies = features(table.positions[decided]), table.dtw[decided].astype(np.float32)
    rng = np.random.default_rng(1)
    held_back = rng.random(len(x)) < 0.1
    train_x, train_plies = x[~held_back], plies[~held_back]
    net = Net(x.shape[1], 128, rng)
    for step, chosen in enumerate(batches(len(train_x), steps, rng)):
        net.learn(train_x[chosen], train_plies[chosen], 0.003 * (1 - step / steps))
    mean = float(np.abs(plies[held_back] - train_plies.mean()).mean())
    learned = float(np.abs(plies[held_back] - net(x[held_back])).mean())
    print(f"{len(x)} positions; mean error in plies: {mean:.2f} for a guess, {learned:.2f} learned")
    return mean, learned


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        print("usage: python examples/mating_net.py TABLES [STEPS]", file=sys.stderr)
        sys.exit(2)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
