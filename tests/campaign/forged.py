#!/usr/bin/env python3
"""Gives damka forged files: tables, journals, books and weights with correct checksums, and links and
pipes in place of files. Every command must end soon, within its memory, without a panic, and with a
documented exit code; targets of links must not change; and tables that `gen` reports as built must be
right, byte for byte. (`gen` cannot detect wrong scores in a journal that are at their places and have
correct checksums; `verify` must.)"""

import os
import signal
import subprocess
import time
import zlib
from pathlib import Path

from common import files, main

FEN = "W:WKa1,Kc1:BKh8"
SIGNATURE = "KMvKM"
ROOT = Path(__file__).resolve().parents[2]


def work(campaign):
    tables = campaign.new_directory()
    outcome = campaign.run("gen", "russian", SIGNATURE, "KKvK", "--tables", tables, "--progress", "none")
    campaign.expect(outcome.code == 0, f"gen: {outcome}")
    truth = files(tables)
    journal = journal_of(campaign, truth)
    huge(campaign)
    links_and_pipes(campaign, truth)
    rounds = 0
    while campaign.time_is_left() or rounds == 0:
        rounds += 1
        forged_table(campaign, truth)
        forged_journal(campaign, truth, journal)
        forged_contents(campaign)


def place(campaign, truth, without=()):
    """A directory with these tables."""
    directory = campaign.new_directory()
    for name, content in truth.items():
        if not Path(name).name.startswith(tuple(without)):
            (directory / name).parent.mkdir(exist_ok=True)
            (directory / name).write_bytes(content)
    return directory


# --- Tables -------------------------------------------------------------------------------


def number(data, at, length):
    return int.from_bytes(data[at : at + length], "little")


def put(data, at, length, value):
    data[at : at + length] = (value % (1 << 8 * length)).to_bytes(length, "little")


def seal(data):
    """Corrects the length and all checksums."""
    put(data, 104, 8, len(data))
    put(data, 508, 4, zlib.crc32(data[:508]))
    in_block = {0: 65536, 1: 16384}.get(data[37], 8192)
    blocks = sum(-(-number(data, at, 8) // in_block) for at in (80, 88))
    if number(data, 10, 2) and data[36] == 1:
        # The histograms, from the end.
        codes = number(data, len(data) - 8, 2) + number(data, len(data) - 6, 2)
        start = max(512, len(data) - 8 - 8 * codes)
        put(data, len(data) - 4, 4, zlib.crc32(data[start:-4], zlib.crc32(data[:96])))
    entries = 512 + 8 * -(-blocks // 64)
    for block in range(min(blocks, (len(data) - entries) // 12)):
        entry, group = entries + 12 * block, 512 + 8 * (block // 64)
        start = number(data, group, 8) + number(data, entry, 4)
        length = number(data, entry + 4, 4)
        crc = zlib.crc32(data[:96])
        for part in (block.to_bytes(8, "little"), data[group : group + 8], data[entry : entry + 8]):
            crc = zlib.crc32(part, crc)
        crc = zlib.crc32(data[start : start + length] if length else b"", crc)
        put(data, entry + 8, 4, crc)


def forged_table(campaign, truth):
    rng = campaign.rng
    name = rng.choice(["russian/KKvK.wdl", "russian/KKvK.dtw"])
    data = bytearray(truth[name])
    for _ in range(rng.randint(1, 4)):
        at = rng.choice([rng.randrange(512), rng.randrange(512, 540), rng.randrange(len(data))])
        length = rng.choice([1, 1, 2, 4, 8])
        value = rng.choice([0, 1, rng.getrandbits(64), (1 << 64) - 1, 1 << rng.randrange(64), number(data, at, length) + 1])
        put(data, at, min(length, len(data) - at), value)
    if rng.random() < 0.2:
        del data[rng.randrange(len(data)) :]
    if len(data) >= 540 and rng.random() < 0.9:
        seal(data)
    directory = place(campaign, truth)
    (directory / name).write_bytes(data)
    outcome = campaign.run("probe", "russian", FEN, "--json", "--no-build", "--tables", directory)
    if outcome.code == 0:
        campaign.expect('"value":' in outcome.stdout, f"forged table: {outcome}")
    campaign.run("stats", "russian", "--tables", directory)
    verified = campaign.run("verify", "russian", "KKvK", "--tables", directory, "--progress", "none")
    if verified.code == 0:
        same = values(campaign, directory) == values(campaign, place(campaign, truth))
        campaign.expect(same, f"verify accepts other values: {name}")
    built = campaign.run("gen", "russian", "KKvK", "--tables", directory, "--progress", "none")
    # Files of a newer version are kept, and reported.
    messages = ["it was made by a newer program", "but this program reads versions up to"]
    is_newer = built.code == 4 and any(message in built.stderr for message in messages)
    is_kept = is_newer and (directory / name).read_bytes() == bytes(data)
    campaign.expect(built.code == 0 or is_kept, f"gen over a forged table: {built}")
    campaign.done["tables"] += 1


def values(campaign, directory):
    """Some answers."""
    fens = [FEN, "B:WKa1,Kc1:BKh8", "W:WKf8,Kh2:BKb6", "B:WKf8,Kh2:BKc3", "W:WKb2,Kc1:BKg1"]
    outcome = campaign.run(
        "probe", "russian", "-", "--json", "--no-build", "--tables", directory, stdin="\n".join(fens).encode()
    )
    return outcome.stdout


def huge(campaign):
    """Headers with large numbers, in files that are small or sparse."""
    for signature, positions in (
        ("KKKKKKvKKKKKK", (1, 0)),
        ("KKKKKKKKKKKKvKKKKKKKKKKKK", (1, 0)),
        ("KKKMMMvKKKMMM", (1 << 40, 0)),
        ("MMMMMMMMMMMMvMMMMMMMMMMMM", ((1 << 50) - 1, 0)),
        ("KKvK", (1 << 34, 1 << 34)),
    ):
        directory = campaign.new_directory()
        (directory / "russian").mkdir()
        in_block = 65536
        blocks = sum(-(-n // in_block) for n in positions)
        for length in {532, min(512 + 8 * -(-blocks // 64) + 12 * blocks, 6 << 30)}:
            data = bytearray(532)
            data[:16] = bytes.fromhex("89444D4B0D0A1A0A0100000000020000")
            data[16:23], data[32:36] = b"russian", bytes([1, 0, 2, 0])
            data[38:40] = bytes([1, 1 if positions[1] == 0 else 2])
            put(data, 40, 4, 16384), put(data, 44, 4, 64)
            data[48 : 48 + len(signature)] = signature.encode()
            put(data, 80, 8, positions[0]), put(data, 88, 8, positions[1])
            put(data, 96, 8, 512 + 8 * -(-blocks // 64) + 12 * blocks), put(data, 104, 8, length)
            for at in (144, 188):
                put(data, at + 24, 2, 0xFFFF), put(data, at + 34, 2, 0xFFFF)
            put(data, 508, 4, zlib.crc32(data[:508]))
            path = directory / "russian" / f"{signature}.wdl"
            path.write_bytes(data)
            os.truncate(path, length)
            hub = f"hub\nset-param name=tables value={directory}\ninit\npos\nlevel depth=3\ngo\n"
            campaign.run("engine", "russian", stdin=hub.encode() + b"ping\nquit\n", patience=10)
            campaign.run("stats", "russian", "--tables", directory, patience=10)
            campaign.run("probe", "russian", FEN, "--no-build", "--tables", directory, patience=10)
            campaign.run("search", "russian", FEN, "--depth", "3", "--tables", directory, patience=10)
            campaign.done["huge headers"] += 1


# --- Journals -----------------------------------------------------------------------------


def journal_of(campaign, truth):
    """The bytes of a real journal, from a killed build."""
    for _ in range(50):
        directory = place(campaign, truth, without=[SIGNATURE])
        path = directory / "russian" / f".{SIGNATURE}.journal"
        words = ["gen", "russian", SIGNATURE, "--tables", directory, "--progress", "none", "--checkpoint", 0, "--threads", 1]
        process = campaign.start(*words)
        until = time.monotonic() + 10
        while process.poll() is None and time.monotonic() < until:
            if path.exists() and path.stat().st_size > 4000:
                break
        process.kill()
        process.communicate()
        if path.exists() and path.stat().st_size > 1000:
            return path.read_bytes()
    campaign.find("no journal was left by a killed build")
    return b""


def records(journal):
    """The first line of a journal, and the data of its records."""
    end = journal.index(b"\n") + 1
    found, at = [], end
    while at + 12 <= len(journal):
        length = number(journal, at, 8)
        if at + 12 + length > len(journal):
            break
        found.append(journal[at + 12 : at + 12 + length])
        at += 12 + length
    return journal[:end], found


def joined(identity, found):
    """Joins the first line and the data of records; each checksum covers everything before it."""
    crc, data = zlib.crc32(identity), bytearray(identity)
    for record in found:
        length = len(record).to_bytes(8, "little")
        crc = zlib.crc32(record, zlib.crc32(length, crc))
        data += length + crc.to_bytes(4, "little") + record
    return bytes(data)


def forged_journal(campaign, truth, journal):
    if not journal:
        return
    rng = campaign.rng
    identity, found = records(journal)
    kind = rng.choice(["drop", "repeat", "swap", "marks", "flip", "cut", "identity", "long"])
    i, j = rng.randrange(len(found)), rng.randrange(len(found))
    if kind == "drop":
        del found[i]
    elif kind == "repeat":
        found.insert(j, found[i])
    elif kind == "swap":
        found[i], found[j] = found[j], found[i]
    elif kind == "marks":
        found = [b""] * rng.choice([1, 3, 100, 20_000])
    elif kind == "flip" and found[i]:
        data = bytearray(found[i])
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        found[i] = bytes(data)
    elif kind == "identity":
        identity = identity.replace(rng.choice([b"1", b"2", b"3", b"russian"]), b"9")
    data = joined(identity, found)
    if kind == "cut":
        data = data[: rng.randrange(len(data))]
    elif kind == "long":
        data += rng.getrandbits(63).to_bytes(8, "little") + rng.randbytes(rng.randrange(100))
    directory = place(campaign, truth, without=[SIGNATURE])
    (directory / "russian" / f".{SIGNATURE}.journal").write_bytes(data)
    built = campaign.run("gen", "russian", SIGNATURE, "--tables", directory, "--progress", "none")
    if campaign.expect(built.code == 0, f"journal ({kind}): gen: {built}") and files(directory) != truth:
        # Wrong scores can only be detected by solving again, as `verify` does.
        verified = campaign.run("verify", "russian", SIGNATURE, "--tables", directory, "--progress", "none")
        same_records = kind in ("swap", "flip")
        found = f"journal ({kind}): gen reports success for other files; verify: {verified}"
        campaign.expect(same_records and verified.code in (4, 5), found)
        campaign.done["wrong scores that verify tells"] += 1
    campaign.done["journals"] += 1


# --- Books and weights --------------------------------------------------------------------


def forged_contents(campaign):
    """Changes the contents of books and weights, which follow a header with a checksum."""
    rng = campaign.rng
    for kind, source in (("book", ROOT / "engine/books/alapo.book"), ("weights", ROOT / "engine/weights/pool.weights")):
        data = bytearray(source.read_bytes())
        game = source.stem
        for _ in range(rng.randint(1, 5)):
            data[rng.choice([rng.randrange(len(data)), rng.randrange(min(60, len(data)))])] = rng.randrange(256)
        if rng.random() < 0.2:
            del data[rng.randrange(30, len(data)) :]
        data[26:30] = zlib.crc32(data[30:]).to_bytes(4, "little")
        path = campaign.place / f"forged.{kind}"
        path.write_bytes(data)
        if kind == "book":
            campaign.run("book", "show", game, path)
        else:
            settings = f"depth=1,weights={path}"
            campaign.run("match", game, "--a", settings, "--b", "depth=1", "--games", "2", "--openings", "random:4")
        campaign.done[kind] += 1


# --- Links and pipes ----------------------------------------------------------------------


def links_and_pipes(campaign, truth):
    victim = campaign.place / "victim"
    lock, journal = "russian/.lock", f"russian/.{SIGNATURE}.journal"
    for name in (lock, journal, f"russian/{SIGNATURE}.wdl"):
        directory = place(campaign, truth, without=[SIGNATURE])
        (directory / name).unlink(missing_ok=True)
        victim.write_bytes(b"precious\n")
        (directory / name).symlink_to(victim)
        built = campaign.run("gen", "russian", SIGNATURE, "--tables", directory, "--progress", "none")
        campaign.expect(victim.read_bytes() == b"precious\n", f"gen writes through the link {name}: {built}")
        campaign.done["links"] += 1
    for name in (lock, journal, f"russian/{SIGNATURE}.wdl", "russian/KKvK.dtw"):
        for words in (["gen", "russian", SIGNATURE], ["verify", "russian"], ["stats", "russian"], ["probe", "russian", FEN]):
            directory = place(campaign, truth, without=[SIGNATURE])
            (directory / name).unlink(missing_ok=True)
            os.mkfifo(directory / name)
            more = ["--progress", "none"] if words[0] in ("gen", "verify") else []
            campaign.run(*words, "--tables", directory, *more, patience=10)
            campaign.done["pipes"] += 1
    pipe = campaign.place / "pipe"
    os.mkfifo(pipe)
    for words in (
        ["book", "show", "russian", pipe],
        ["tune", "russian", campaign.place / "new.weights", pipe],
        ["book", "build", "russian", campaign.place / "new.book", pipe],
        ["match", "russian", "--a", f"depth=1,weights={pipe}", "--b", "depth=1", "--games", "2"],
    ):
        if not ends_by_signal(campaign, words):
            campaign.find(f"`{words}` with a pipe does not end by itself, nor by SIGTERM")
        campaign.done["pipes"] += 1


def ends_by_signal(campaign, words):
    """Whether a command ends by itself or on a signal."""
    process = campaign.start(*words, stdin=subprocess.DEVNULL)
    for _ in range(2):
        try:
            process.wait(timeout=5)
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
    ended = process.poll() is not None
    process.kill()
    process.communicate()
    return ended


if __name__ == "__main__":
    main("forged", __doc__, work)
