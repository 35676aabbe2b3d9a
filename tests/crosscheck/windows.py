#!/usr/bin/env python3
"""Compares a damka for Windows, under Wine, with a native damka.

    windows.py --damka damka.exe --native target/debug/damka --wine WINE

Tables are the same byte for byte; a killed or interrupted build can be continued; paths, line ends, pipes,
Ctrl-C and the server work as on Windows. Checks of the crates' tests under Wine are not repeated. Prints
the user time of both programs for the same tables.

Exit code: 0 without findings, else 1.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

PATIENCE = 300  # seconds; nothing here takes longer
BUILT = ("russian 4", "italian 3", "alapo 3", "chess 3 KQvKR")


class Program:
    """A damka, given as the words of its command before the arguments."""

    def __init__(self, *words):
        self.words = [str(word) for word in words]
        self.started = []

    def start(self, *words, **options):
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.started.append(subprocess.Popen([*self.words, *words], **pipes | options))
        return self.started[-1]

    def end(self):
        """Ends processes that still run after a failed check."""
        for process in self.started:
            process.kill()
            process.wait()
        self.started.clear()

    def run(self, *words, code=0, text="", **options):
        """Runs the program to its end; returns standard output and standard error."""
        with self.start(*words, **options) as process:
            try:
                out, errors = process.communicate(text.encode(), timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        out, errors = (out or b"").decode(), (errors or b"").decode()
        expect(process.returncode == code, f"{words}: code {process.returncode}, not {code}: {out[-500:]}{errors[-500:]}")
        expect("panicked" not in errors, f"{words}: {errors}")
        return out, errors


def expect(is_so, what):
    if not is_so:
        raise AssertionError(what)


def files(place):
    """All tables below a directory."""
    found = (path for path in Path(place).rglob("*") if path.suffix in (".wdl", ".dtw"))
    return {str(path.relative_to(place)): path.read_bytes() for path in found}


def rest(place):
    """The files of unfinished work."""
    return [path.name for path in Path(place).rglob("*") if path.suffix in (".tmp", ".journal")]


def same(left, right):
    differ = [name for name in left.keys() | right.keys() if left.get(name) != right.get(name)]
    expect(left and not differ, f"these tables differ: {sorted(differ)} of {len(left)}")


def build(program, tables):
    """Builds tables to compare; returns the user time."""
    before = os.times().children_user
    for words in BUILT:
        program.run("gen", *words.split(), "--threads", "1", "--progress", "none", "--tables", str(tables))
    return os.times().children_user - before


class Check:
    def __init__(self, damka, native, place):
        self.damka, self.native, self.place = damka, native, place
        self.tables_here = place / "native"
        self.time = build(native, self.tables_here)

    def tables(self):
        """Tables are the same, byte for byte."""
        ours, theirs = self.place / "windows", self.tables_here
        time = build(self.damka, ours)
        same(files(ours), files(theirs))
        print(f"{len(files(ours))} tables: {time:.1f} s of user time for Windows, {self.time:.1f} s here")
        for game in ("russian", "chess"):
            self.damka.run("verify", game, "--progress", "none", "--tables", str(ours))
            words = ("tables", game, "--digests", "--tables")
            expect(self.damka.run(*words, str(ours))[0] == self.native.run(*words, str(theirs))[0], game)

    def kills(self):
        """A killed build can be continued, and ends like an undisturbed one."""
        tables, undisturbed = self.place / "killed", self.place / "undisturbed"
        gen = ("gen", "russian", "KKMvKM", "--checkpoint", "0", "--progress", "none", "--tables")
        start = time.monotonic()
        self.native.run(*gen, str(undisturbed))
        delay, kills, journals = (time.monotonic() - start) / 8, 0, 0
        while True:
            process = self.damka.start(*gen, str(tables))
            try:
                process.communicate(timeout=delay * (1 + kills / 4))
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                kills += 1
                journals += any(name.endswith(".journal") for name in rest(tables))
                continue
            expect(process.returncode == 0, f"gen ended with {process.returncode}")
            break
        same(files(tables), files(undisturbed))
        expect(not rest(tables), f"left behind: {rest(tables)}")
        expect(kills > 2 and journals, f"{kills} kills, {journals} journals")
        print(f"{kills} kills, {journals} journals")

    def ctrl_c(self):
        """Ctrl-C ends a build cleanly."""
        tables = self.place / "interrupted"
        process = self.damka.start("gen", "russian", "5", "--progress", "plain", "--tables", str(tables))
        wait(lambda: len(files(tables)) > 30, "the first tables")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
        last = errors.decode().splitlines()[-1]
        expect(process.returncode == 130 and last.startswith("damka: interrupted"), f"{process.returncode}: {last}")
        expect(not [name for name in rest(tables) if name.endswith(".tmp")], rest(tables))

    def paths(self):
        """Names of directories work in the forms that are usual on Windows."""
        windows = lambda path: "Z:" + str(path).replace("/", "\\")
        long = self.place.joinpath(*["a rather long name of a directory"] * 10)
        for path in [self.place / "with spaces", self.place / "шашки é 象棋", self.place / "it's 100% & (x)", long]:
            tables = path / "t"
            self.damka.run("gen", "russian", "2", "--progress", "none", "--tables", windows(tables))
            expect((tables / "russian" / "KvK.dtw").exists(), f"{tables} has no tables")
            out, _ = self.damka.run("probe", "russian", "W:WKa1:BKh8", "--tables", windows(tables))
            expect("loses in 2 plies" in out, out)
            out, _ = self.damka.run("probe", "russian", "W:WKa1:BKh8", "--tables", str(tables))
            expect("loses in 2 plies" in out, out)
            self.damka.run("list", "russian", "KvK", "--npy", windows(path / "KvK.npy"), "--tables", windows(tables))
            expect((path / "KvK.npy").stat().st_size > 128, "an array")
        # Relative names, and one that ends with a backslash.
        os.makedirs(self.place / "here", exist_ok=True)
        for name in ["t", ".\\t", ".\\t\\", "..\\here\\t"]:
            out, _ = self.damka.run("gen", "russian", "2", "--tables", name, cwd=self.place / "here")
        expect(list((self.place / "here").iterdir()) == [self.place / "here" / "t"], "one directory")
        _, errors = self.damka.run("stats", "russian", "--tables", "Z:\\no\\such place", code=3)
        expect('there is no directory Z:\\no\\such place' in errors, errors)
        _, errors = self.damka.run("stats", "english", "--tables", windows(self.place / "with spaces" / "t"), code=3)
        expect(f'--tables "{windows(self.place / "with spaces" / "t")}"`' in errors, errors)
        for device in ["NUL", "\\\\.\\NUL"]:
            _, errors = self.damka.run("annotate", "russian", device, code=2)
            expect("not a regular file" in errors, errors)

    def texts(self):
        """Input may have Windows line ends and a byte order mark."""
        tables = ("--tables", str(self.tables_here))
        fens = "W:WKa1:BKh8\r\nW:WKa1:BKg7\r\n"
        answers, _ = self.damka.run("probe", "russian", "-", *tables, text=fens)
        expect(answers == self.native.run("probe", "russian", "-", *tables, text=fens.replace("\r", ""))[0], answers)
        games = '\ufeff[Event "x"]\r\n[GameType "25"]\r\n\r\n1. c3-d4 b6-a5\r\n2. d4-c5 d6xb4 3. a3xc5 *\r\n'
        (self.place / "games.pdn").write_text(games, newline="")
        words = ("annotate", "russian", str(self.place / "games.pdn"), "--nodes", "100", *tables)
        annotated, _ = self.damka.run(*words)
        expect("c3-d4" in annotated and "\r" not in annotated, annotated)

    def streams(self):
        """Results that cannot be written are an error; a closed pipe is none."""
        words = ("list", "russian", "KKvK", "--limit", "0", "--tables", str(self.tables_here))
        process = self.damka.start(*words)
        process.stdout.read(100)
        process.stdout.close()
        errors = process.stderr.read().decode()
        expect(process.wait(PATIENCE) == 0 and errors == "", f"{process.returncode}: {errors}")

    def engines(self):
        """UCI and Hub, through pipes, with line ends of both kinds."""
        tables = ("--tables", str(self.tables_here))
        for game, lines, answers in [
            ("chess", ["uci", "isready", "position startpos moves e2e4", "go nodes 500", "quit"], ["uciok", "readyok", "bestmove "]),
            ("russian", ["hub", "init", "pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww", "level nodes=500", "go think", "quit"], ["wait", "ready", "done move="]),
        ]:
            for end in ("\n", "\r\n"):
                process = self.damka.start("engine", game, *tables)
                out = b""
                for line in lines:
                    process.stdin.write((line + end).encode())
                    process.stdin.flush()
                    if line.startswith("go"):
                        while answers[-1].encode() not in out and (answer := process.stdout.readline()):
                            out += answer
                more, errors = process.communicate(timeout=PATIENCE)
                out = (out + more).decode()
                expect(process.returncode == 0 and all(answer in out for answer in answers), f"{game}: {out}{errors}")
        # One damka plays another, whose name has spaces.
        other = self.place / "another program" / "damka.exe"
        other.parent.mkdir()
        shutil.copy(self.damka.words[-1], other)
        path = "Z:" + str(other).replace("/", "\\")
        words = ("match", "russian", "--a", "nodes=50", "--b", f'hub="{path}" engine russian,nodes=50', "--games", "2")
        out, _ = self.damka.run(*words, *tables)
        expect("games        2:" in out, out)

    def server(self):
        """The server answers, also after it has built tables, and Ctrl-C ends it."""
        tables = self.place / "served"
        tables.mkdir()
        process = self.damka.start("serve", "--listen", "127.0.0.1:0", "--tables", str(tables))
        errors = b""
        while b"serving on" not in errors:
            line = process.stderr.readline()
            expect(line, f"the server has ended: {errors.decode()}")
            errors += line
        address = errors.decode().split("serving on ")[1].strip()
        question = "/api/russian/probe?fen=W:WKa1:BKh8"
        with urllib.request.urlopen(address + question, timeout=30) as answer:
            expect('"value":"loss"' in answer.read().decode(), question)
        with urllib.request.urlopen(address + "/", timeout=30) as answer:
            expect("<html" in answer.read().decode(), "the page")
        # Its tables are replaced while it serves them.
        shutil.rmtree(tables / "russian")
        self.damka.run("gen", "russian", "2", "--progress", "none", "--tables", str(tables))
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        expect(process.returncode == 0, f"the server ended with {process.returncode}: {errors.decode()}")


def wait(until, what):
    end = time.monotonic() + PATIENCE
    while not until():
        expect(time.monotonic() < end, f"gave up waiting for {what}")
        time.sleep(0.02)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damka", required=True, type=Path, help="the program for Windows")
    parser.add_argument("--native", required=True, type=Path, help="the program for this system")
    parser.add_argument("--wine", required=True, help="what runs programs for Windows")
    parser.add_argument("--only", nargs="+")
    args = parser.parse_args()

    found = 0
    with tempfile.TemporaryDirectory() as place:
        check = Check(Program(args.wine, args.damka.resolve()), Program(args.native.resolve()), Path(place))
        for name in ("tables", "kills", "ctrl_c", "paths", "texts", "streams", "engines", "server"):
            if args.only and name not in args.only:
                continue
            start = time.monotonic()
            try:
                getattr(check, name)()
                result = "passed"
            except (AssertionError, OSError, subprocess.SubprocessError) as error:
                found += 1
                result = f"FAILED: {error}"
            finally:
                check.damka.end()
            print(f"{name}: {result} ({time.monotonic() - start:.0f} s)", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
