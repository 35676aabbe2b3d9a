#!/usr/bin/env python3
"""A second reader of damka's tables, written from tables/FORMAT.md alone.

    python3 tests/reader/reader.py russian 'W:WKa1,c3:Bb8' --tables DIR     value and distance by the tables
    python3 tests/reader/reader.py --damka target/debug/damka --tables DIR  compare with damka

The comparison takes random positions (seeded) of 2 to 4 pieces of every game with tables in DIR,
and queries this reader and `damka probe --json`: the WDL table must have damka's value, and the DTW
table its distance. It also counts the values of all positions of 2 pieces: the histograms of their
tables must have the same numbers. If --tables is given several times, each directory is compared; the
numbers of positions are computed once for all of them.

It needs Python's standard library and libzstd, which it calls through ctypes. Exit code: 0 without
differences, else 1.
"""

import argparse
import ctypes
import json
import random
import subprocess
import sys
import zlib
from collections import Counter
from functools import lru_cache
from itertools import combinations, permutations, product
from math import comb, prod
from pathlib import Path

ZSTD = ctypes.CDLL("libzstd.so.1")
ZSTD.ZSTD_decompress.restype = ctypes.c_size_t
ZSTD.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t] * 2

OWN, ENEMY = 0, 1  # White, the side to move after the board is turned, and Black
WORDS = {0: "loss", 1: "draw", 2: "win"}


# --- The file -----------------------------------------------------------------------------


class Table:
    """A whole file in memory; blocks are unpacked on demand."""

    def __init__(self, path, game, signature, metric):
        self.path, self.bytes = path, path.read_bytes()
        number = self.number
        self.expect(self.bytes[:8] == bytes.fromhex("89444D4B0D0A1A0A"), "magic")
        self.expect(number(8, 2) in (1, 2) and number(12, 4) == 512, "version")
        self.expect(number(508, 4) == zlib.crc32(self.bytes[:508]), "checksum of the header")
        self.expect(number(104, 8) == len(self.bytes), "length of the file")
        self.expect(self.text(16, 16) == game and self.text(48, 32) == signature, "identity")
        versions = {"alapo": (1, 1), "thai": (2, 2)}.get(game, (1, 2))
        self.expect((number(32, 2), number(34, 2)) == versions, "version of the game")
        self.expect(number(36, 1) == ["wdl", "dtw"].index(metric), "metric")
        self.bits = {0: 2, 1: 8, 2: 16}[number(37, 1)]
        self.expect(number(38, 1) == 1, "codec")
        # The number of parts, and the one that is left out.
        parts, self.left_out = {(1, 1): (1, None), (1, 2): (2, None), (2, 3): (2, 1), (2, 4): (2, 0)}[
            number(8, 2), number(39, 1)
        ]
        self.in_block = 8 * number(40, 4) // self.bits
        self.in_group = number(44, 4)
        self.positions = [number(80 + 8 * part, 8) for part in range(parts)]
        blocks = [-(-positions // self.in_block) for positions in self.positions]
        if self.left_out is not None:
            blocks[self.left_out] = 0
        self.first_blocks = [0, blocks[0]][:parts]
        self.entries = 512 + 8 * -(-sum(blocks) // self.in_group)
        self.expect(number(96, 8) == self.entries + 12 * sum(blocks), "data offset")
        self.block = lru_cache(maxsize=64)(self.unpacked)
        has_histograms = number(10, 2) > 0 and metric == "dtw"
        self.histograms = self.read_histograms(self.entries + 12 * sum(blocks)) if has_histograms else None

    def read_histograms(self, data):
        """The number of positions of each code, part by part; `data` is the data offset."""
        end = len(self.bytes) - 8
        codes = [self.number(end, 2), self.number(end + 2, 2)]
        start = end - 8 * sum(codes)
        self.expect(start >= data and not any(codes[len(self.positions) :]), "length of the histograms")
        crc = zlib.crc32(self.bytes[start : end + 4], zlib.crc32(self.bytes[:96]))
        self.expect(crc == self.number(end + 4, 4), "checksum of the histograms")
        histograms = []
        for summary, length in zip((144, 188), codes[: len(self.positions)]):
            counts = [self.number(start + 8 * code, 8) for code in range(length)]
            start += 8 * length
            results = sum(counts[2::2]), sum(counts[:1]), sum(counts[1::2])
            self.expect(results == tuple(self.number(summary + at, 8) for at in (0, 8, 16)), "sums of the histograms")
            for first, at in ((2, 24), (1, 34)):
                longest = max((code - 1 for code in range(first, length, 2) if counts[code]), default=0xFFFF)
                self.expect(longest == self.number(summary + at, 2), "longest distance of the histograms")
            histograms.append({code: count for code, count in enumerate(counts) if count})
        return histograms

    def expect(self, right, what):
        if not right:
            raise ValueError(f"{self.path}: wrong {what}")

    def number(self, at, length):
        return int.from_bytes(self.bytes[at : at + length], "little")

    def text(self, at, length):
        return self.bytes[at : at + length].rstrip(b"\0").decode("ascii")

    def unpacked(self, part, block):
        """The bytes of a block of a part, counted from the first block of the part."""
        values = min(self.in_block, self.positions[part] - block * self.in_block)
        size = -(-values * self.bits // 8)
        block += self.first_blocks[part]
        group = 512 + 8 * (block // self.in_group)
        entry = self.entries + 12 * block
        offset, length = self.number(entry, 4), self.number(entry + 4, 4)
        start = self.number(group, 8) + offset
        data = self.bytes[start : start + length] if length else b""
        crc = zlib.crc32(self.bytes[:96])
        checked = (block.to_bytes(8, "little"), self.bytes[group : group + 8], self.bytes[entry : entry + 8], data)
        for piece in checked:
            crc = zlib.crc32(piece, crc)
        self.expect(crc == self.number(entry + 8, 4), f"checksum of block {block}")
        if length == 0:
            return bytes([offset]) * size
        buffer = ctypes.create_string_buffer(size)
        self.expect(ZSTD.ZSTD_decompress(buffer, size, data, length) == size, f"length of block {block}")
        return buffer.raw

    def code(self, part, number):
        """0 for a draw, else plies + 1; without distances a loss is 1 and a win 2."""
        self.expect(number < self.positions[part], f"number {number}")
        block, place = divmod(number, self.in_block)
        values = self.block(part, block)
        if self.bits == 16:
            return int.from_bytes(values[2 * place : 2 * place + 2], "little")
        if self.bits == 8:
            return values[place]
        value = values[place // 4] >> 2 * (place % 4) & 3
        self.expect(value != 3, f"value {number}")
        return [1, 0, 2][value]


# --- Games --------------------------------------------------------------------------------
#
# A position is a pair of dictionaries, square -> kind: the pieces of the side to move, and those of
# the other side. If Black is to move the board is turned, so that White is to move. Chess positions
# with a right to castle or to capture en passant have no numbers, and are left out.


class Game:
    # Whether symmetric placements have different numbers if their lead is its own image.
    all_after_symmetric_leads = False
    distances_of_one_side = False

    def leads(self, steps):
        """The number of leading steps."""
        return 1

    def may_lead(self, lead):
        return True

    def stuck(self, own, enemy):
        """The code of a position without moves."""
        return 1

    def turn(self, own, enemy):
        """The position with the other side to move, seen from that side."""
        return tuple({self.turned(square): kind for square, kind in side.items()} for side in (enemy, own))


class Draughts(Game):
    kinds = "KM"
    squares = 32
    ROWS = [(square // 4, square % 4 * 2 + (square // 4 + 1) % 2) for square in range(32)]
    AT = {place: square for square, place in enumerate(ROWS)}
    LINE = [
        0, 5, 6, 19, 1, 4, 7, 18, 3, 8, 17, 20, 2, 9, 16, 21,
        10, 15, 22, 29, 11, 14, 23, 28, 13, 24, 27, 30, 12, 25, 26, 31,
    ]  # fmt: skip
    ZONES = {(OWN, "M"): range(4, 32), (ENEMY, "M"): range(28), (OWN, "K"): range(32), (ENEMY, "K"): range(32)}

    def __init__(
        self,
        name,
        flying=True,
        backwards=True,
        promotion="ends the move",
        lands="anywhere",
        removal="at the end",
        prey="KM",
        rank=lambda captor, taken: 0,
        numbers_from="the top left",
        mirrored=False,
    ):
        self.name, self.flying, self.backwards, self.promotion = name, flying, backwards, promotion
        self.lands, self.removal, self.prey, self.rank = lands, removal, prey, rank
        self.numbers_from, self.mirrored = numbers_from, mirrored

    def turned(self, square):
        return 31 - square

    def in_order(self, kind, squares):
        return sorted(squares, key=self.LINE.__getitem__ if kind == "K" else None)

    def slices(self, own, enemy, first):
        """The steps of each slice: side, kind, number, zone."""
        men, kings = ([side["M"] for side in (own, enemy)], [side["K"] for side in (own, enemy)])
        other = 1 - first
        leader = OWN if sum(men) == 0 and kings[OWN] <= kings[ENEMY] else ENEMY
        last = [(side, "K", kings[side], range(32)) for side in (leader, 1 - leader)]
        if men[other] == 0:
            return [[(first, "M", men[first], self.ZONES[first, "M"]), *last]]
        far = range(4) if first == ENEMY else range(28, 32)
        return [
            [
                (first, "M", k, far),
                (first, "M", men[first] - k, range(4, 28)),
                (other, "M", men[other], self.ZONES[other, "M"]),
                *last,
            ]
            for k in range(min(men[first], 4) + 1)
        ]

    def maps(self, own, enemy):
        if own["M"] + enemy["M"]:
            return []
        turn = [31 - square for square in range(32)]
        road = [self.AT[7 - file, 7 - row] for row, file in self.ROWS]
        return [turn, road, [turn[square] for square in road]]

    def step(self, square, direction):
        row, file = self.ROWS[square]
        return self.AT.get((row + direction[0], file + direction[1]))

    def is_stored(self, own, enemy):
        return not self.captures(own, enemy)

    def captures(self, own, enemy):
        """The positions after captures."""
        found = [
            (origin, *way) for origin, kind in own.items() for way in self.ways(own, enemy, origin, origin, kind, ())
        ]
        if not found:
            return []
        ranks = [self.rank(own[origin], [enemy[square] for square in taken]) for origin, *_, taken in found]
        after = []
        for rank, (origin, end, kind, taken) in zip(ranks, found):
            if rank == max(ranks):
                moved = {square: other for square, other in own.items() if square != origin}
                left = {square: other for square, other in enemy.items() if square not in taken}
                after.append(({**moved, end: kind}, left))
        return after

    def quiet(self, own, enemy):
        """The positions after quiet moves, if no capture is possible, each with `None`."""
        after = []
        for origin, kind in own.items():
            moved = {square: other for square, other in own.items() if square != origin}
            for direction in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
                land = self.step(origin, direction) if kind == "K" or direction[0] < 0 else None
                while land is not None and land not in own and land not in enemy:
                    after.append((({**moved, land: "K" if land < 4 else kind}, enemy), None))
                    land = self.step(land, direction) if kind == "K" and self.flying else None
        return after

    def ways(self, own, enemy, origin, at, kind, taken):
        """The complete captures of a piece from here: its last square, its kind there, the captured squares."""
        ways = []
        for direction in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            if kind == "K" or self.backwards or direction[0] < 0:
                ways += self.jumps(own, enemy, origin, at, kind, taken, direction)
        return ways

    def jumps(self, own, enemy, origin, at, kind, taken, direction):
        def is_free(square):
            is_gone = square == origin or self.removal == "at once" and square in taken
            return square is not None and (is_gone or square not in own and square not in enemy)

        flies = kind == "K" and self.flying
        met = self.step(at, direction)
        while flies and is_free(met):
            met = self.step(met, direction)
        if met not in enemy or met in taken or kind == "M" and enemy[met] not in self.prey:
            return []
        taken += (met,)
        land = self.step(met, direction)
        ends, onward = [], []
        while is_free(land):
            becomes, stops = kind, False
            if kind == "M" and land < 4:
                becomes = "M" if self.promotion == "at the end" else "K"
                stops = self.promotion == "ends the move"
            more = [] if stops else self.ways(own, enemy, origin, land, becomes, taken)
            onward += more
            ends.append((land, "K" if land < 4 else kind, taken))
            if not flies or self.lands == "behind":
                break
            land = self.step(land, direction)
        return onward or ends

    def is_legal(self, own, enemy):
        men = [[square for square, kind in side.items() if kind == "M"] for side in (own, enemy)]
        return all(square >= 4 for square in men[OWN]) and all(square < 28 for square in men[ENEMY])

    def fen(self, own, enemy):
        def side(pieces):
            return ",".join(("K" if kind == "K" else "") + self.square_name(at) for at, kind in pieces.items())

        return f"W:W{side(own)}:B{side(enemy)}"

    def turned_fen(self, own, enemy):
        """The FEN of the position with colours exchanged and Black to move."""
        own, enemy = ({31 - square: kind for square, kind in side.items()} for side in (own, enemy))
        return "B:W{2}:B{1}".format(*(part[1:] for part in self.fen(own, enemy).split(":")))

    def square_name(self, square):
        row, file = self.ROWS[square]
        return self.files()[file] + str(8 - row)

    def files(self):
        return "hgfedcba" if self.mirrored else "abcdefgh"

    def parse(self, fen):
        turn, *sides = fen.split(":")
        pieces = {}
        for side in sides:
            names = [name for name in side[1:].split(",") if name]
            pieces[side[0]] = {self.square(name.lstrip("K")): "K" if name[0] == "K" else "M" for name in names}
        if turn == "W":
            return pieces["W"], pieces["B"]
        return tuple({31 - square: kind for square, kind in pieces[side].items()} for side in "BW")

    def square(self, name):
        if not name.isdigit():
            return self.AT[8 - int(name[1]), self.files().index(name[0])]
        row, place = divmod(int(name) - 1, 4)
        if self.numbers_from == "the bottom right":
            row, place = 7 - row, 3 - place
        return 4 * row + (3 - place if self.mirrored else place)


STRAIGHT, DIAGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0)), ((1, 1), (1, -1), (-1, -1), (-1, 1))


class Rows(Game):
    """A game whose squares are numbered row by row from a1."""

    def __init__(self):
        self.squares = self.size**2

    def turned(self, square):
        return square + self.size * (self.size - 1) - 2 * self.size * (square // self.size)

    def mirrored(self, square):
        return self.size * (square // self.size) + self.size - 1 - square % self.size

    def in_order(self, kind, squares):
        return sorted(squares)

    def reached(self, own, enemy, origin, directions, steps):
        """The squares that a piece reaches in these directions, in at most `steps` steps."""
        reached = []
        for files, rows in directions:
            file, row = origin % self.size, origin // self.size
            for _ in range(steps):
                file, row = file + files, row + rows
                square = self.size * row + file
                if not (0 <= file < self.size and 0 <= row < self.size) or square in own:
                    break
                reached.append(square)
                if square in enemy:
                    break
        return reached

    def fen(self, own, enemy, turn="w"):
        def piece(square):
            return own.get(square) or enemy.get(square, "1").lower()

        rows = (range(start, start + self.size) for start in range(self.squares - self.size, -1, -self.size))
        return "/".join("".join(map(piece, row)) for row in rows) + f" {turn}{self.rights}"

    def turned_fen(self, own, enemy):
        own, enemy = ({self.turned(square): kind for square, kind in side.items()} for side in (own, enemy))
        return self.fen(enemy, own, "b")

    def parse(self, fen):
        rows, turn, *rights = fen.split()
        if any(right != "-" for right in rights[:2]):
            raise ValueError(f"no table has {fen}")
        sides = {}, {}
        for row, text in zip(range(self.size - 1, -1, -1), rows.split("/")):
            file = 0
            for letter in text:
                if letter.isdigit():
                    file += int(letter)
                else:
                    sides[letter.islower()][self.size * row + file] = letter.upper()
                    file += 1
        if turn == "w":
            return sides
        return tuple({self.turned(square): kind for square, kind in side.items()} for side in reversed(sides))


class Alapo(Rows):
    name = "alapo"
    kinds = "QRBKWF"
    size = 6
    rights = ""

    def slices(self, own, enemy, first):
        slices = [[]]
        for kind in (kind for kind in self.kinds if enemy[kind]):
            longer = []
            for steps in slices:
                has_invader = any(zone.stop == 6 for *_, zone in steps)
                for invaders in range(1 if has_invader else 2):
                    for home in range(min(enemy[kind] - invaders, 6) + 1):
                        counts = invaders, home, enemy[kind] - invaders - home
                        zones = range(6), range(30, 36), range(6, 30)
                        more = [(ENEMY, kind, count, zone) for count, zone in zip(counts, zones) if count]
                        longer.append(steps + more)
            slices = longer
        white = [(OWN, kind, own[kind], range(30)) for kind in self.kinds]
        return [self.led(steps) + white for steps in slices]

    def led(self, steps):
        odd = next((step for step in steps if step[2] % 2), steps[0])
        return [odd] + [step for step in steps if step is not odd]

    def maps(self, own, enemy):
        return [list(map(self.mirrored, range(36)))]

    def is_stored(self, own, enemy):
        return all(square >= 6 for square in enemy)

    def moves(self, own, enemy):
        """The target squares of moves, and the positions after them."""
        after = []
        for origin, kind in own.items():
            straight, diagonal = kind in "RWQK", kind in "BFQK"
            directions = STRAIGHT * straight + DIAGONAL * diagonal
            moved = {square: other for square, other in own.items() if square != origin}
            for end in self.reached(own, enemy, origin, directions, 1 if kind in "KWF" else 5):
                left = {square: other for square, other in enemy.items() if square != end}
                after.append((end, ({**moved, end: kind}, left)))
        return after

    def captures(self, own, enemy):
        """The positions after captures of the invader."""
        return [sides for end, sides in self.moves(own, enemy) if end in enemy and end < 6]

    def quiet(self, own, enemy):
        """The positions after all moves, if there is no invader, each with `None`."""
        return [(sides, None) for _, sides in self.moves(own, enemy)]

    def is_legal(self, own, enemy):
        return all(square < 30 for square in own) and sum(square < 6 for square in enemy) <= 1


class Chess(Rows):
    name = "chess"
    kinds = "KQRBNP"
    size = 8
    rights = " - -"
    all_after_symmetric_leads = True
    distances_of_one_side = True
    # Directions, and the maximum number of steps.
    WAYS = {
        "K": (STRAIGHT + DIAGONAL, 1),
        "Q": (STRAIGHT + DIAGONAL, 7),
        "R": (STRAIGHT, 7),
        "B": (DIAGONAL, 7),
        "N": (((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)), 1),
        "P": (((-1, 1), (1, 1)), 1),
    }

    def slices(self, own, enemy, first):
        pawns = (ENEMY, OWN) if enemy["P"] % 2 else (OWN, ENEMY)
        return [
            [(side, "P", (own, enemy)[side]["P"], range(8, 56)) for side in pawns]
            + [(side, kind, pieces[kind], range(64)) for kind in "KQRBN" for side, pieces in enumerate((own, enemy))]
        ]

    def leads(self, steps):
        return 2 if steps[0][1] == "K" else 1

    def may_lead(self, lead):
        if len(lead) == 1:
            return True
        (one,), (other,) = lead
        return max(abs(one % 8 - other % 8), abs(one // 8 - other // 8)) > 1

    def maps(self, own, enemy):
        mirror = list(map(self.mirrored, range(64)))
        if own["P"] + enemy["P"]:
            return [mirror]
        flip = list(map(self.turned, range(64)))
        transpose = [8 * (square % 8) + square // 8 for square in range(64)]
        turn = [mirror[square] for square in flip]
        return [mirror, flip, turn, transpose] + [[each[square] for square in transpose] for each in (mirror, flip, turn)]

    def captures(self, own, enemy):
        """The positions after captures and promotions."""
        after = []
        for origin, kind in own.items():
            ends = [square for square in self.reached(own, enemy, origin, *self.WAYS[kind]) if square in enemy]
            if kind == "P" and origin + 8 not in own and origin + 8 not in enemy and origin >= 48:
                ends.append(origin + 8)
            moved = {square: other for square, other in own.items() if square != origin}
            for end in ends:
                left = {square: other for square, other in enemy.items() if square != end}
                for becomes in "QRBN" if kind == "P" and end >= 56 else kind:
                    after.append(({**moved, end: becomes}, left))
        return [sides for sides in after if self.is_safe(*sides)]

    def quiet(self, own, enemy):
        """The positions after all other moves, each with the square that a double step has passed, if any."""
        after = []
        for origin, kind in own.items():
            if kind == "P":
                ends = [end for end in (origin + 8, origin + 16)[: 2 if origin < 16 else 1] if end < 56]
                free = [end not in own and end not in enemy for end in ends]
                ends = ends[: free.index(False)] if False in free else ends
            else:
                reached = self.reached(own, enemy, origin, *self.WAYS[kind])
                ends = [end for end in reached if end not in own and end not in enemy]
            for end in ends:
                moved = {square: other for square, other in own.items() if square != origin}
                passed = origin + 8 if kind == "P" and end == origin + 16 else None
                after.append((({**moved, end: kind}, enemy), passed))
        return [(sides, passed) for sides, passed in after if self.is_safe(*sides)]

    def en_passant(self, own, enemy, passed):
        """The positions after the capture en passant of the pawn that has passed this square."""
        left = {square: kind for square, kind in enemy.items() if square != passed - 8}
        after = []
        for origin in (passed - 9, passed - 7):
            if own.get(origin) == "P" and origin // 8 == 4:
                moved = {square: kind for square, kind in own.items() if square != origin}
                after.append(({**moved, passed: "P"}, left))
        return [sides for sides in after if self.is_safe(*sides)]

    def is_safe(self, own, enemy):
        """Whether the king of the side that has moved is safe."""
        return not self.attacks_king(*self.turn(own, enemy))

    def stuck(self, own, enemy):
        """The code of a position without moves: mate or stalemate."""
        return 0 if self.is_safe(own, enemy) else 1

    def is_stored(self, own, enemy):
        return True

    def attacks_king(self, own, enemy):
        king = next(square for square, kind in enemy.items() if kind == "K")
        return any(king in self.reached(own, enemy, origin, *self.WAYS[kind]) for origin, kind in own.items())

    def is_legal(self, own, enemy):
        pawns = [square for side in (own, enemy) for square, kind in side.items() if kind == "P"]
        return all(8 <= square < 56 for square in pawns) and not self.attacks_king(own, enemy)


def most(captor, taken):
    return len(taken)


def a_king_first(captor, taken):
    return captor == "K"


def most_then_kings(captor, taken):
    return len(taken), taken.count("K")


def italian(captor, taken):
    return len(taken), captor == "K", taken.count("K"), [kind == "K" for kind in taken]


GAMES = {
    game.name: game
    for game in (
        Draughts("russian", promotion="goes on"),
        Draughts("english", flying=False, backwards=False),
        Draughts("brazilian", promotion="at the end", rank=most),
        Draughts("pool", promotion="at the end"),
        Draughts("czech", backwards=False, rank=a_king_first),
        Draughts("spanish", backwards=False, rank=most_then_kings, numbers_from="the bottom right", mirrored=True),
        Draughts("italian", flying=False, backwards=False, prey="M", rank=italian, mirrored=True),
        Draughts("thai", backwards=False, lands="behind", removal="at once", numbers_from="the bottom right"),
        Alapo(),
        Chess(),
    )
}


# --- The number of a position -------------------------------------------------------------


def counts(game, side):
    found = Counter(side.values())
    return tuple(found[kind] for kind in game.kinds)


def signature(game, own, enemy):
    """The signature of a position, and the part: 0 if the side named first is to move."""
    mover, other = counts(game, own), counts(game, enemy)
    part = int((sum(mover), mover) < (sum(other), other))
    sides = ["".join(kind * n for kind, n in zip(game.kinds, side)) for side in (mover, other)]
    return "v".join(reversed(sides) if part else sides), part


class Slice:
    """The steps of a slice and, if there are maps, the classes of the leading steps."""

    def __init__(self, game, steps, maps):
        self.game, self.maps = game, maps
        self.steps = [step for step in steps if step[2]]
        # The number of free squares at each step: each zone is a part of a later one, or disjoint from it.
        self.free = [
            len(zone) - sum(other[2] for other in self.steps[:i] if other[3][0] in zone)
            for i, (_, _, _, zone) in enumerate(self.steps)
        ]
        placements = [comb(free, step[2]) for free, step in zip(self.free, self.steps)]
        leads = game.leads(self.steps)
        self.leading, self.others = self.steps[:leads], self.steps[leads:]
        self.rest = prod(placements[leads:])
        self.length = prod(placements)
        if maps and self.length:
            self.fold()

    def has(self, sides):
        return all(len(self.placed(step, sides)) == step[2] for step in self.steps)

    def placed(self, step, sides):
        side, kind, _, zone = step
        return [square for square in sides[side] if sides[side][square] == kind and square in zone]

    def number(self, sides):
        if not self.maps:
            return self.number_of(self.steps, sides, ())
        lead = tuple(frozenset(self.placed(step, sides)) for step in self.leading)
        images = [mapped(None, sides)] + [mapped(each, sides) for each in self.maps]
        leads = [lead] + [mapped_lead(each, lead) for each in self.maps]
        # The images whose lead is the representative of its class.
        representative = min(leads, key=self.lead_rank)
        rests = [self.rest_of(image) for image, its in zip(images, leads) if its == representative]
        if representative in self.plain:
            return self.plain[representative] * self.rest + rests[0]
        rest = min(rests)
        base, least = self.symmetric[representative]
        return base + sum(other < rest for other in least)

    def number_of(self, steps, sides, occupied):
        """The number of the last steps, after earlier ones that occupy squares."""
        number, occupied = 0, set(occupied)
        for step, free in zip(steps, self.free[len(self.steps) - len(steps) :]):
            squares = self.placed(step, sides)
            number = number * comb(free, step[2]) + self.rank(step, squares, occupied)
            occupied.update(squares)
        return number

    def rank(self, step, squares, occupied):
        _, kind, _, zone = step
        free = [square for square in self.game.in_order(kind, zone) if square not in occupied]
        places = sorted(map(free.index, squares))
        return sum(comb(place, i) for i, place in enumerate(places, 1))

    def lead_rank(self, lead):
        """The sort key of leads: for two kings the first one's square, then the other's."""
        return [
            sum(comb(square - step[3][0], i) for i, square in enumerate(sorted(squares), 1))
            for step, squares in zip(self.leading, lead)
        ]

    def rest_of(self, sides):
        """The number of the steps after the lead."""
        occupied = [square for step in self.leading for square in self.placed(step, sides)]
        return self.number_of(self.others, sides, occupied)

    def fold(self):
        plain, symmetric = [], []
        placements = [map(frozenset, combinations(zone, count)) for _, _, count, zone in self.leading]
        for lead in filter(self.game.may_lead, product(*placements)):
            images = [mapped_lead(each, lead) for each in self.maps]
            if all(self.lead_rank(image) >= self.lead_rank(lead) for image in images):
                is_plain = self.game.all_after_symmetric_leads or lead not in images
                (plain if is_plain else symmetric).append(lead)
        self.plain = {lead: place for place, lead in enumerate(sorted(plain, key=self.lead_rank))}
        self.symmetric, self.length = {}, len(plain) * self.rest
        for lead in sorted(symmetric, key=self.lead_rank):
            same = [each for each in self.maps if lead == mapped_lead(each, lead)]
            placed = {}, {}
            for step, squares in zip(self.leading, lead):
                placed = self.with_pieces(step, squares, placed)
            least = []
            for sides in self.placements(self.others, placed):
                rest = self.rest_of(sides)
                if all(rest <= self.rest_of(mapped(each, sides)) for each in same):
                    least.append(rest)
            self.symmetric[lead] = self.length, least
            self.length += len(least)

    def placements(self, steps, sides):
        if not steps:
            yield sides
            return
        free = [square for square in steps[0][3] if square not in sides[OWN] and square not in sides[ENEMY]]
        for squares in combinations(free, steps[0][2]):
            yield from self.placements(steps[1:], self.with_pieces(steps[0], squares, sides))

    def with_pieces(self, step, squares, sides):
        more = dict.fromkeys(squares, step[1])
        return tuple({**side, **more} if i == step[0] else side for i, side in enumerate(sides))


def mapped(each, sides):
    return tuple({each[square] if each else square: kind for square, kind in side.items()} for side in sides)


def mapped_lead(each, lead):
    return tuple(frozenset(each[square] for square in squares) for squares in lead)


@lru_cache(maxsize=None)
def slices(name, mover, other):
    """The slices of a part, each with its first number."""
    game = GAMES[name]
    own, enemy = (dict(zip(game.kinds, side)) for side in (mover, other))
    # The first step is of the side that the signature names second.
    first = OWN if (sum(mover), mover) < (sum(other), other) else ENEMY
    base, found = 0, []
    for steps in game.slices(own, enemy, first):
        found.append((base, Slice(game, steps, game.maps(own, enemy))))
        base += found[-1][1].length
    return found


def number(game, own, enemy):
    for base, each in slices(game.name, counts(game, own), counts(game, enemy)):
        if each.has((own, enemy)):
            return base + each.number((own, enemy))
    raise ValueError(f"no slice has {game.fen(own, enemy)}")


# --- Values -------------------------------------------------------------------------------


def preference(code):
    """A number that is greater for better codes of the side to move."""
    return 0 if code == 0 else (1 << 16) - code if code % 2 == 0 else code - (1 << 16)


def before_move(code):
    return code + 1 if code else 0


class Reader:
    """All tables of a game in a directory, of one metric."""

    def __init__(self, directory, game, metric):
        self.directory, self.game, self.metric = Path(directory) / game.name, game, metric
        self.tables = {}

    def table(self, name):
        if name not in self.tables:
            path = self.directory / f"{name}.{self.metric}"
            self.tables[name] = Table(path, self.game.name, name, self.metric)
        return self.tables[name]

    def code(self, own, enemy):
        if not own:
            return 1
        after = [self.code(*self.game.turn(*sides)) for sides in self.game.captures(own, enemy)]
        codes = [before_move(code) for code in after]
        if self.game.is_stored(own, enemy):
            name, part = signature(self.game, own, enemy)
            table = self.table(name)
            is_unheld = part == 1 and self.metric == "dtw" and self.game.distances_of_one_side
            if is_unheld or part == table.left_out:
                quiet = self.game.quiet(own, enemy)
                codes += [before_move(self.code_passed(*self.game.turn(*sides), passed)) for sides, passed in quiet]
                return max(codes, key=preference) if codes else self.game.stuck(own, enemy)
            codes.append(table.code(part, number(self.game, own, enemy)))
        return max(codes, key=preference, default=1)

    def code_passed(self, own, enemy, passed):
        """The code of a position. `passed` is the square, before the board was turned, that a pawn of the
        other side may have passed."""
        taking = [] if passed is None else self.game.en_passant(own, enemy, self.game.turned(passed))
        codes = [before_move(self.code(*self.game.turn(*sides))) for sides in taking]
        if not codes or self.game.captures(own, enemy) or self.game.quiet(own, enemy):
            codes.append(self.code(own, enemy))
        return max(codes, key=preference)

    def value(self, own, enemy):
        code = self.code(own, enemy)
        return "draw" if code == 0 else "loss" if code % 2 else "win"

    def plies(self, own, enemy):
        code = self.code(own, enemy)
        return code - 1 if code else None


# --- The comparison -----------------------------------------------------------------------


def random_position(rng, game, name):
    """A position of this signature, either side having the pieces named first."""
    letters = name.split("v")
    rng.shuffle(letters)
    while True:
        squares = iter(rng.sample(range(game.squares), len(letters[0] + letters[1])))
        sides = tuple({next(squares): kind for kind in side} for side in letters)
        if game.is_legal(*sides):
            return sides


def counted(reader, own, enemy):
    """The number of positions of each code, with one piece of these kinds on each side."""
    placements = permutations(range(reader.game.squares), 2)
    placements = (({square: own}, {other: enemy}) for square, other in placements)
    return Counter(reader.code(*sides) for sides in placements if reader.game.is_legal(*sides))


def compare(game, damka, directory, positions, rng):
    """The features of the positions, and the differences."""
    readers = [Reader(directory, game, metric) for metric in ("wdl", "dtw")]
    there = {2: [], 3: [], 4: []}
    for path in sorted((Path(directory) / game.name).glob("*.dtw")):
        there.get(len(path.stem) - 1, []).append(path.stem)
    if not all(there.values()):
        return Counter(), [f"{game.name}: there are no tables of 2, of 3 or of 4 pieces"]
    cases = []
    for _ in range(positions):
        sides = random_position(rng, game, rng.choice(there[rng.randint(2, 4)]))
        cases.append((sides, rng.choice([game.fen, game.turned_fen])(*sides)))
    command = [damka, "probe", game.name, "-", "--json", "--no-build", "--tables", str(directory)]
    outcome = subprocess.run(command, input="".join(f"{fen}\n" for _, fen in cases), capture_output=True, text=True)
    answers = [json.loads(line) for line in outcome.stdout.splitlines()]
    if len(answers) != len(cases):
        return Counter(), [f"{game.name}: {len(answers)} answers: {outcome.stderr}"]
    seen, differences = Counter(), []
    for (sides, fen), answer in zip(cases, answers):
        if game.parse(fen) != sides:
            differences.append(f"{game.name} {fen}: is not read back")
        ours = readers[0].value(*sides), readers[1].plies(*sides)
        theirs = answer.get("value"), answer.get("dtw")
        if ours != theirs:
            differences.append(f"{game.name} {fen}: here {ours}, damka {theirs} {answer.get('error', '')}")
        seen[f"of {sum(map(len, sides))}"] += 1
        seen["captures"] += bool(game.captures(*sides))
        seen[ours[0]] += 1
    for name in there[2]:
        for part, histogram in enumerate(readers[1].table(name).histograms or ()):
            kinds = name.split("v")
            if counted(readers[1], kinds[part], kinds[1 - part]) != histogram:
                differences.append(f"{game.name} {name}, part {part}: another histogram")
            seen["histograms"] += 1
    return seen, differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", choices=GAMES)
    parser.add_argument("fen", nargs="?")
    parser.add_argument("--tables", required=True, action="append", metavar="DIR", help="a directory of tables")
    parser.add_argument("--damka", help="the damka binary to compare with")
    parser.add_argument("--positions", type=int, default=5000, help="of each game and directory (default 5000)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    if not args.damka:
        if not args.fen or len(args.tables) > 1:
            parser.error("a game, a position and one directory, or --damka")
        game = GAMES[args.game]
        sides = game.parse(args.fen)
        name, part = signature(game, *sides)
        kind = f"number {number(game, *sides)}" if game.is_stored(*sides) else "captures only"
        values = Reader(args.tables[0], game, "wdl").value(*sides), Reader(args.tables[0], game, "dtw").plies(*sides)
        print(f"{name}, part {part}, {kind}: {values[0]}, plies {values[1]}")
        return 0
    differences = []
    for game, directory in product(GAMES.values(), args.tables):
        seed = f"{args.seed} {game.name} {args.tables.index(directory)}"
        seen, found = compare(game, args.damka, directory, args.positions, random.Random(seed))
        differences += found
        tally = ", ".join(f"{what} {count}" for what, count in sorted(seen.items()))
        print(f"{game.name}, {directory}: {tally}; differences: {len(found)}", flush=True)
    print(*differences[:20], f"differences: {len(differences)}", sep="\n")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
