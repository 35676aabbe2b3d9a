#!/usr/bin/env python3
"""Builds tables as jobs of make and Snakemake, and compares them with published digests.

    python3 tests/crosscheck/jobs.py --damka target/release/damka --snakemake snakemake

1. `make -j 2` is killed with all its jobs several times, and between two runs a seed file is damaged;
   then the same command finishes the work.
2. `snakemake --cores 2` builds everything in one run: tables of fewer pieces, as it takes a second for each job.

Each time the digests are those of tables/results/digests, only tables are left, and another run has
nothing to do. Exit code: 0 if all checks pass.
"""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
KILLS = 3


def run(command, **options):
    """Runs a command that must succeed. Returns what it prints."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)} failed with {result.returncode}:\n{result.stdout[-2000:]}")
    return result.stdout


class Campaign:
    def __init__(self, arguments, pieces, place, name):
        self.damka, self.game, self.pieces = arguments.damka, arguments.game, str(pieces)
        self.place = place / name
        self.place.mkdir()
        self.tables = self.place / "tables"
        # Jobs find `damka` in the PATH.
        binaries = self.place / "bin"
        binaries.mkdir()
        (binaries / "damka").symlink_to(self.damka)
        self.environment = os.environ | {"PATH": f"{binaries}:{os.environ['PATH']}"}

    def plan(self, form, to):
        command = [self.damka, "plan", self.game, self.pieces, "--format", form, "--threads", "1",
                   "--tables", str(self.tables)]
        (self.place / to).write_text(run(command))

    def run(self, command):
        return run(command, cwd=self.place, env=self.environment)

    def run_and_kill(self, command, seconds):
        """After a time, kills a command and all processes that it started."""
        process = subprocess.Popen(command, cwd=self.place, env=self.environment, start_new_session=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def damage_seeds(self):
        """Changes a byte of each seed file. Returns their number."""
        seeds = list((self.tables / self.game).glob("*.seed"))
        for path in seeds:
            seed = bytearray(path.read_bytes())
            seed[len(seed) // 2] ^= 1
            path.write_bytes(seed)
        return len(seeds)

    def check(self):
        digests = ROOT / f"tables/results/digests/{self.game}.txt"
        run([self.damka, "verify", self.game, self.pieces, "--digests", str(digests), "--progress", "none",
             "--tables", str(self.tables)])
        left = [path.name for path in (self.tables / self.game).iterdir()]
        extra = [name for name in left if not name.endswith((".wdl", ".dtw"))]
        extra = [name for name in extra if name not in (".lock", ".manifest") and not name.startswith(".jobs-")]
        if extra:
            sys.exit(f"left behind: {extra}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damka", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--snakemake", required=True, help="the command of Snakemake")
    parser.add_argument("--game", default="russian")
    parser.add_argument("--pieces", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        make = Campaign(arguments, arguments.pieces, place, "make")
        make.plan("make", "tables.mk")
        command = ["make", "-j", "2", "-f", "tables.mk"]
        damaged = 0
        for kill in range(1, KILLS + 1):
            make.run_and_kill(command, 2 * kill)
            damaged = max(damaged, make.damage_seeds())
        printed = make.run(command)
        if damaged and "cannot be used" not in printed:
            sys.exit("the damage of seed files was not reported")
        make.check()
        if "--only" in make.run(command):
            sys.exit("make runs jobs again that are done")
        print(f"make: {KILLS} kills, {damaged} seed files damaged, digests as published")

        snake = Campaign(arguments, arguments.pieces - 1, place, "snakemake")
        snake.plan("snakemake", "Snakefile")
        command = [arguments.snakemake, "--cores", "2"]
        snake.run(command)
        snake.check()
        print("snakemake: digests as published")


if __name__ == "__main__":
    main()
