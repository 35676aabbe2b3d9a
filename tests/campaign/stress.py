#!/usr/bin/env python3
"""Many probers of one directory at the same time: processes, and threads of this process through the C
library (if it is beside the binary), with little cache, while `gen` builds there. Each answer must be that
of a single prober, or report a missing table until it is built."""

import ctypes
import json
import subprocess
import threading
from collections import Counter
from pathlib import Path

from common import main

POSITIONS = 3000
OK = 0
RESULTS = {-1: "loss", 0: "draw", 1: "win"}


def work(campaign):
    tables = campaign.new_directory()
    built = campaign.run("gen", "russian", "4", "--tables", tables, "--progress", "none")
    campaign.expect(built.code == 0, f"gen: {built}")
    fens = [position(campaign.rng) for _ in range(POSITIONS)]
    right = parse_answers(campaign.run(*probe(tables), stdin="\n".join(fens).encode(), patience=300).stdout)
    campaign.expect(len(right) == POSITIONS, f"{len(right)} answers")
    rounds = 0
    while campaign.time_is_left() or rounds == 0:
        rounds += 1
        processes(campaign, tables, fens, right)
        threads(campaign, tables, fens, right)
        while_building(campaign, fens, right)


def position(rng):
    count = rng.randint(2, 4)
    white = rng.randrange(1, count)
    squares = rng.sample(range(1, 33), count)
    kings = [rng.random() < 0.5 or square < 5 or square > 28 for square in squares]
    names = [("K" if king else "") + str(square) for king, square in zip(kings, squares)]
    return f"{rng.choice('WB')}:W{','.join(names[:white])}:B{','.join(names[white:])}"


def probe(tables):
    return ["probe", "russian", "-", "--json", "--no-build", "--tables", tables]


def parse_answers(stdout):
    lines = [json.loads(line) for line in stdout.splitlines()]
    return [(line.get("value"), line.get("dtw"), line.get("missing"), line.get("error")) for line in lines]


def processes(campaign, tables, fens, right):
    """Processes that probe all positions, each in another order."""
    started = []
    for _ in range(campaign.rng.randint(4, 8)):
        order = campaign.rng.sample(range(POSITIONS), POSITIONS)
        text = campaign.place / f"order{len(started)}"
        text.write_text("\n".join(fens[i] for i in order))
        with text.open() as stdin:
            process = campaign.start(*probe(tables), stdin=stdin, stderr=subprocess.DEVNULL)
        answers = []
        reader = threading.Thread(target=lambda process=process, answers=answers: answers.extend(parse_answers(process.stdout.read())))
        reader.start()
        started.append((process, order, answers, reader))
    for process, order, answers, reader in started:
        reader.join()
        code = process.wait()
        campaign.expect(code == 0, f"a prober among many ends with code {code}")
        campaign.expect(answers == [right[i] for i in order], "a prober among many has other answers")
        campaign.done["probes of processes"] += len(answers)


def threads(campaign, tables, fens, right):
    """Threads that share one handle, whose cache is too small for all positions."""
    path = Path(campaign.damka_path).parent / "libdamka_c.so"
    if not path.exists():
        campaign.done["without the C library"] = 1
        return
    library = ctypes.CDLL(str(path))
    library.damka_open.restype = ctypes.c_void_p
    library.damka_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint64]
    library.damka_wdl.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    library.damka_close.argtypes = [ctypes.c_void_p]
    handle = library.damka_open(b"russian", str(tables).encode(), campaign.rng.choice([0, 40_000, 1 << 20]))
    wrong = Counter()

    def ask(order):
        result = ctypes.c_int()
        for i in order:
            status = library.damka_wdl(handle, fens[i].encode(), ctypes.byref(result))
            if status != OK or RESULTS.get(result.value) != right[i][0]:
                wrong[f"{fens[i]}: status {status}, result {result.value}, not {right[i][0]}"] += 1

    askers = [
        threading.Thread(target=ask, args=(campaign.rng.sample(range(POSITIONS), POSITIONS),)) for _ in range(16)
    ]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    library.damka_close(handle)
    campaign.done["probes of threads"] += len(askers) * POSITIONS
    campaign.expect(not wrong, f"the C library: {list(wrong)[:3]}")


def while_building(campaign, fens, right):
    """A prober while tables appear."""
    directory = campaign.new_directory()
    builder = campaign.start("gen", "russian", "4", "--tables", directory, "--progress", "none", stdin=subprocess.DEVNULL)
    some = campaign.rng.sample(range(POSITIONS), 500)
    while True:
        is_last = builder.poll() is not None
        outcome = campaign.run(*probe(directory), stdin="\n".join(fens[i] for i in some).encode())
        for i, answer in zip(some, parse_answers(outcome.stdout)):
            value, dtw, missing, error = answer
            lacks = not is_last and (missing is not None or error is not None and "table" in error)
            is_part = value in (right[i][0], "unknown", None) and dtw in (right[i][1], None)
            campaign.expect(answer == right[i] or lacks and is_part, f"{fens[i]}: {answer}, not {right[i]}")
        campaign.done["probes while building"] += len(some)
        if is_last:
            break
    builder.communicate()
    campaign.expect(builder.returncode == 0, f"gen under probes ends with code {builder.returncode}")


if __name__ == "__main__":
    main("stress", __doc__, work)
