"""Shared code of the campaign's scripts: a temporary directory, and supervised runs of damka."""

import argparse
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

SIZES = {"small": 20, "full": 600}  # seconds of each script
CODES = {0, 1, 2, 3, 4, 5, 130}  # the allowed exit codes
PATIENCE = 30  # seconds; no command here takes longer
MEMORY = 600 << 20  # bytes; no command here needs more


class Outcome:
    """The result of a process."""

    def __init__(self, code, stdout, stderr, peak):
        self.code, self.stdout, self.stderr, self.peak = code, stdout, stderr, peak

    def __repr__(self):
        return f"code {self.code}, {self.peak >> 20} MB, {self.stderr[-200:]!r}"


class Campaign:
    """The state of a running script."""

    def __init__(self, name, damka, seconds, seed):
        self.name, self.damka_path = name, str(Path(damka).resolve())
        self.end = time.monotonic() + seconds
        self.rng = random.Random(f"{seed} {name}")
        self.place = Path(tempfile.mkdtemp(prefix=f"damka-{name}-"))
        self.done, self.found = Counter(), []
        self.sequence = 0

    def time_is_left(self):
        return time.monotonic() < self.end

    def find(self, what):
        """Records a defect."""
        if len(self.found) < 50:
            print(f"{self.name}: FOUND {what}", flush=True)
        self.found.append(what)

    def expect(self, right, what):
        self.done["checks"] += 1
        if not right:
            self.find(what)
        return right

    def new_directory(self):
        self.sequence += 1
        directory = self.place / f"d{self.sequence}"
        directory.mkdir()
        return directory

    def start(self, *words, **how):
        """Starts damka, by default with pipes, without the user's environment."""
        how = {key: how.get(key, subprocess.PIPE) for key in ("stdin", "stdout", "stderr")}
        home = {"HOME": str(self.place), "PATH": os.environ["PATH"], "RUST_BACKTRACE": "0"}
        return subprocess.Popen([self.damka_path, *map(str, words)], env=home, cwd=self.place, **how)

    def run(self, *words, stdin=b"", patience=PATIENCE, memory=MEMORY):
        """Runs damka to its end. Records hanging, panics, ends by a signal and use of too much memory."""
        out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        process = self.start(*words, stdout=out, stderr=err)
        command = " ".join(map(str, words))[:300]
        try:
            process.stdin.write(stdin)
            process.stdin.close()
        except BrokenPipeError:
            pass
        until, hung, status = time.monotonic() + patience, False, (0,)
        while status[0] == 0:
            if time.monotonic() > until:
                hung = True
                process.kill()
                status = os.wait4(process.pid, 0)
                break
            time.sleep(0.002)
            status = os.wait4(process.pid, os.WNOHANG)
        process.returncode = os.waitstatus_to_exitcode(status[1])
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
            file.close()
        outcome = Outcome(process.returncode, *texts, status[2].ru_maxrss << 10)
        self.done["runs"] += 1
        if hung:
            self.find(f"`{command}` has not ended after {patience} s")
        else:
            self.expect(outcome.code in CODES, f"`{command}`: {outcome}")
        self.expect("panicked" not in outcome.stderr, f"`{command}` panics: {outcome}")
        self.expect(outcome.peak <= memory, f"`{command}` takes {outcome.peak >> 20} MB")
        return outcome

    def report(self):
        """Prints the last line, and returns the exit code."""
        shutil.rmtree(self.place, ignore_errors=True)
        done = ", ".join(f"{what} {count}" for what, count in self.done.items())
        print(f"{self.name}: {done}; found: {len(self.found)}", flush=True)
        return 1 if self.found else 0


def files(directory):
    """The bytes of all files below a directory, except locks."""
    paths = sorted(path for path in Path(directory).rglob("*") if path.is_file() and path.name not in (".lock", ".manifest"))
    return {str(path.relative_to(directory)): path.read_bytes() for path in paths}


def processor_time(pid):
    """The processor time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(name, description, work):
    """Runs a script: calls `work` with the campaign."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damka", required=True, help="the damka binary")
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--seconds", type=float, help="of each script, instead of a size")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    campaign = Campaign(name, args.damka, args.seconds or SIZES[args.size], args.seed)
    try:
        work(campaign)
    except Exception as error:  # an unexpected error is also a finding
        campaign.find(f"{type(error).__name__}: {error}")
    sys.exit(campaign.report())
