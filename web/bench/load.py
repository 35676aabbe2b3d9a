#!/usr/bin/env python3
"""Measures `damka serve` under load, with wrk.

    apt-get install wrk
    cargo build --release
    target/release/damka gen russian 4 --tables DIR; target/release/damka gen chess 3 --tables DIR
    python3 web/bench/load.py --damka target/release/damka --tables DIR

Prints for each kind of request the server's processor time per answer (user and system, from /proc), answers
per second, and latencies. Then the latencies at half of that load with 64 connections; the results of uncached
requests above the server's capacity, and after them; and memory over --minutes of mixed load.
"""

import argparse
import http.client
import os
import pathlib
import random
import re
import subprocess
import tempfile
import time

QUESTIONS = {
    "nothing": "/healthz",
    "russian, 15 moves": "/api/russian/probe?fen=W:WKa1,Kd2:BKb8,Kh8",
    "russian, 15 moves, wdl": "/api/russian/probe?metric=wdl&fen=W:WKa1,Kd2:BKb8,Kh8",
    "chess, 19 moves": "/api/chess/probe?fen=8/8/8/3k4/8/8/1R6/4K3_w",
    "chess, 28 moves": "/api/chess/probe?fen=8/8/8/3k4/8/8/1Q6/4K3_w",
    "lila, queen": "/standard?fen=8/8/8/3k4/8/8/1Q6/4K3_w_-_-_0_1",
}


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


def wrk(url, path, seconds, connections, script=None):
    """The number of answers, answers per second, and the output of wrk."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency"]
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        if script:
            file.write(script)
            file.flush()
            command += ["-s", file.name]
        output = subprocess.run([*command, url + path], capture_output=True, text=True, check=True).stdout
    count = int(re.search(r"(\d+) requests in", output).group(1))
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output).group(1))
    return count, rate, output


def times(output):
    return ", ".join(f"{share} % {time}" for share, time in re.findall(r"(50|99)%\s+(\S+)", output))


def moves_of(url, path):
    host = url.removeprefix("http://")
    connection = http.client.HTTPConnection(host)
    connection.request("GET", path)
    body = connection.getresponse().read()
    connection.close()
    return body.count(b'"move":') or body.count(b'"uci":'), len(body)


def measure(pid, url, seconds):
    for name, path in QUESTIONS.items():
        moves, size = moves_of(url, path)
        wrk(url, path, 1, 64)
        before = processor_seconds(pid)
        count, rate, output = wrk(url, path, seconds, 64)
        spent = (processor_seconds(pid) - before) / count * 1e6
        print(f"{name}: {spent:.1f} us of processor, {rate:.0f}/s, {times(output)}; {moves} moves, {size} bytes")
    path = QUESTIONS["russian, 15 moves"]
    rate = wrk(url, path, seconds, 64)[1]
    delay = round(64 / (rate / 2) * 1000)
    count, half, output = wrk(url, path, 3 * seconds, 64, f"function delay() return {delay} end")
    print(f"half load: {half:.0f}/s, {times(output)}")


COLD = """
local seed = %d
request = function()
  seed = seed + 1
  return wrk.format("GET", "/api/russian/list/KKMvK?unique=true&limit=200&cursor=w" .. (seed * 7919 %% 300000))
end
local statuses = {}
response = function(status) statuses[status] = (statuses[status] or 0) + 1; last = statuses end
local threads = {}
setup = function(thread) table.insert(threads, thread) end
done = function()
  for _, thread in ipairs(threads) do
    for status, count in pairs(thread:get("last") or {}) do io.write("status ", status, " ", count, "\\n") end
  end
end
"""


def overload(url):
    count, rate, output = wrk(url, "/", 5, 400, COLD % random.randrange(1000))
    statuses = dict(re.findall(r"status (\d+) (\d+)", output))
    print(f"lists from 400 connections: {rate:.0f}/s, {times(output)}; answers by status {statuses}")
    started = time.monotonic()
    connection = http.client.HTTPConnection(url.removeprefix("http://"))
    connection.request("GET", "/api/russian/list/KKMvK?limit=5")
    status = connection.getresponse().status
    print(f"afterwards: {status} in {(time.monotonic() - started) * 1000:.0f} ms")


MIXED = """
local paths = {%s}
request = function() return wrk.format("GET", paths[math.random(#paths)]) end
"""


def mixed(pid, url, minutes):
    paths = list(QUESTIONS.values()) + [
        "/api/russian/stats", "/api/russian/list/KKvK?zugzwang=true", "/api/russian/random/KMvK",
        "/api/russian/map?fen=W:WKa1,Kc1:BKh8&square=h8", "/api/russian/line?fen=W:WKa1,Kc1,Ke1:BKh8",
        "/api/games", "/api/russian/probe?fen=start", "/api/russian/probe?fen=x", "/", "/metrics",
    ]
    script = MIXED % ", ".join(f'"{path}"' for path in paths)
    used = [f"{memory(pid):.1f}"]
    for _ in range(4):
        wrk(url, "/", max(round(15 * minutes), 1), 64, script)
        used.append(f"{memory(pid):.1f}")
    print(f"memory over {minutes} minutes of mixed load: {' '.join(used)} MiB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--damka", required=True)
    parser.add_argument("--tables", required=True)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=4)
    args = parser.parse_args()
    command = [args.damka, "serve", "--listen", "127.0.0.1:0", "--tables", args.tables, "--no-build", "--rate", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        url = re.search(r"http://\S+", server.stderr.readline()).group()
        measure(server.pid, url, args.seconds)
        overload(url)
        mixed(server.pid, url, args.minutes)
    finally:
        server.terminate()
        print(f"ended with {server.wait(timeout=60)}")


if __name__ == "__main__":
    main()
