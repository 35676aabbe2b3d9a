#!/usr/bin/env python3
"""Runs the commands of pages, and compares their output with the pages.

    python3 tests/pages/run.py docs/start/player.md ...

The programs that a page uses must be on the PATH. Each page is run in a new directory, which is also HOME.

- Commands are the lines of `console` blocks that begin with `$ `. The lines below a command are its expected
  output; `...` stands for any number of lines. Without such lines the command must only succeed.
- A server (`damka serve`, `python3 -m http.server`) is started, and ended with the page.
- A command that needs something only the reader has is skipped, with a note.
- A block with `title="NAME"` is written to the file NAME.
"""

import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SERVES = ("damka serve", "python3 -m http.server", "damka engine russian --protocol dxp")
# Parts of commands that are skipped, with what they need.
LEFT_OUT = {
    "hub=./other": "another program",
    "cargo install": "the source",
    "damka bot": "a user of a server",
}
SECONDS = 600


def blocks(text):
    """The blocks of a page: language, title or None, text."""
    for language, info, body in BLOCK.findall(text):
        title = re.search(r'title="([^"]+)"', info)
        yield language, title and title.group(1), body


def commands(body):
    """The commands of a block, each with the lines that it prints."""
    found = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


def agrees(shown, printed):
    """Whether printed lines match the shown ones, in which `...` stands for any lines."""
    def pattern_of(line):
        if line == "...":
            return "(?:.*\n)*?"
        if line.endswith("..."):
            return re.escape(line[:-3]) + ".*\n"
        return re.escape(line.rstrip()) + "\n"

    pattern = "".join(map(pattern_of, shown))
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in printed)) is not None


def start(command, shown, place, environment):
    """Starts a server, and waits until it has printed the shown lines."""
    log = place / "server.log"
    with log.open("w") as output:
        server = subprocess.Popen(
            ["sh", "-c", f"exec {command}"],
            cwd=place, env=environment, stdout=output, stderr=subprocess.STDOUT,
        )
    until = time.monotonic() + SECONDS
    while not agrees([*shown, "..."], log.read_text().splitlines()):
        if server.poll() is not None or time.monotonic() > until:
            server.kill()
            raise SystemExit(f"{command} printed\n{log.read_text()}")
        time.sleep(0.1)
    if not shown:
        time.sleep(1)
        if server.poll() is not None:
            raise SystemExit(f"{command} ended, and printed\n{log.read_text()}")
    return server


def run(page):
    """Runs a page. Returns the number of its commands."""
    count, servers = 0, []
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        environment = {**os.environ, "HOME": str(place), "XDG_DATA_HOME": str(place / "share")}
        environment.pop("DAMKA_TABLES", None)
        try:
            for language, title, body in blocks(page.read_text()):
                if title:
                    (place / title).write_text(body)
                for command, shown in commands(body) if language == "console" else ():
                    needs = next((needs for part, needs in LEFT_OUT.items() if part in command), None)
                    if needs:
                        print(f"  (needs {needs}) $ {command}", flush=True)
                        continue
                    count += 1
                    print(f"  $ {command}", flush=True)
                    if command.startswith(SERVES):
                        servers.append(start(command, shown, place, environment))
                        continue
                    done = subprocess.run(
                        ["sh", "-c", command], cwd=place, env=environment, timeout=SECONDS,
                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                    )
                    if done.returncode != 0:
                        raise SystemExit(f"{page}: {command}\nexit code {done.returncode}\n{done.stderr}")
                    if shown and not agrees(shown, done.stdout.splitlines()):
                        raise SystemExit(f"{page}: {command}\nprinted\n{done.stdout}and not\n" + "\n".join(shown))
        finally:
            for server in servers:
                server.send_signal(signal.SIGTERM)
                server.wait()
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    for page in parser.parse_args().pages:
        print(page)
        if run(page) == 0:
            sys.exit(f"{page} has no commands")


if __name__ == "__main__":
    main()
