#!/usr/bin/env python3
"""Sends hostile requests to `damka serve`, and checks that it still answers and how much memory it takes.

    cargo build --release
    python3 tests/campaign/hostile_server.py --damka target/release/damka [--tables DIR] [--requests 100000]

The requests are random (seeded): huge, endless, broken and truncated headers, deep paths, wrong lengths,
broken chunks, pipelines, positions that are long or have many captures, abusive lists, maps and batches,
clients that hang up or do not read. Without --tables, small tables of russian and chess are built. After
each thousand requests a probe must have the same answer as at the start. Meanwhile a table is truncated
and restored.

Prints the answers by status, and the memory at the beginning and at the end. Exit code: 0 if the server
answered to the end, used less than --memory MiB, and ended cleanly; else 1.
"""

import argparse
import collections
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

PROBE = "/api/russian/probe?fen=W:WKa1,Kc1:BKh8"
# Captures in this position lead to millions of positions.
MANY = ("W:WK4,K28,K9,K27,K22,K8,K26,K32,K14,K15,K1,K30"
        ":BK6,K13,K12,K5,K19,K3,K20,K25,K31")
GAMES = ("russian", "english", "italian", "chess", "alapo", "nothing", "%00", "../..", "x" * 300)
SIGNATURES = ("KKvK", "KvM", "KQvK", "MMMMMMMMMMMMvMMMMMMMMMMMM", "v", "K" * 5000, "%ff", "KvK/..", "")
FENS = (MANY, "start", "", ":", "W" * 8000, "W:W" + ",".join(f"K{n}" for n in range(1, 33)) + ":BK1", "W:WKa1:BKh8",
        "8/8/8/4k3/8/8/4Q3/4K3 w", "k" * 60, "W:W1-32:B1-32", "W:W1-99999999999:B1", "9" * 4000, "\u0428" * 500,
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQkQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/K7 w - - 0 1")


def quote(text):
    return "".join(c if c.isascii() and c.isalnum() else "".join(f"%{b:02X}" for b in c.encode()) for c in text)


def request(path, method="GET", headers="", body=b"", keep=False):
    connection = "" if keep else "Connection: close\r\n"
    length = f"Content-Length: {len(body)}\r\n" if method == "POST" else ""
    return f"{method} {path} HTTP/1.1\r\nHost: x\r\n{connection}{headers}{length}\r\n".encode() + body


def plain(rng):
    game, fen = rng.choice(GAMES), quote(rng.choice(FENS))
    signature = rng.choice(SIGNATURES)
    return request(rng.choice((
        f"/api/{game}/probe?fen={fen}",
        f"/api/{game}/line?fen={fen}",
        f"/api/{game}/map?fen={fen}&square={rng.choice(('a1', 'h8', '', 'z' * 100))}",
        f"/api/{game}/stats/{signature}",
        f"/api/{game}/stats",
        f"/api/{game}/histogram/{signature}",
        f"/api/{game}/list/{signature}?limit={rng.choice((1, 1000, 99999999, -1))}&zugzwang=true&unique=true",
        f"/api/{game}/list/{signature}?cursor=w{rng.choice((0, 7, 2**63, 2**64))}&distance={rng.randrange(70000)}",
        f"/api/{game}/random/{signature}?value=loss",
        f"/standard?fen={fen}",
        f"/standard/mainline?fen={fen}",
        "/" + "../" * rng.randrange(50) + "etc/passwd",
        "/" + "a/" * rng.randrange(3000),
        "/api/russian/probe?" + "&".join(f"p{n}={n}" for n in range(rng.randrange(1500))),
    )), rng.choice(("GET", "GET", "GET", "HEAD", "DELETE", "OPTIONS", "BREW")))


def broken(rng):
    good = plain(rng)
    kind = rng.randrange(8)
    if kind == 0:
        return good[:rng.randrange(len(good))]
    if kind == 1:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(2000)))
    if kind == 2:
        return good.replace(b"\r\n", b"\n")
    if kind == 3:
        place = rng.randrange(len(good))
        return good[:place] + bytes([rng.randrange(256)]) + good[place + 1:]
    if kind == 4:
        return b"GET / HTTP/1.1\r\n" + b"X-A: " + b"y" * rng.randrange(200_000)
    if kind == 5:
        return b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * rng.randrange(5000) + b"\r\n"
    if kind == 6:
        length = rng.choice(("-1", "99999999999999999999", "5, 6", "0x10", "1e3", ""))
        return f"POST /api/russian/probe HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\nhello".encode()
    size = rng.choice(("fffffffffffffffff", "-1", "zz", "5", ""))
    return ("POST /api/russian/probe HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            f"{size}\r\nhello").encode()


def bodies(rng):
    line = rng.choice(("W:WKa1:BKh8\n", "x\n", "{\n", '{"fen":' * 50 + "\n", "[" * 1000 + "\n", "\n" * 20, MANY + "\n"))
    body = (line * rng.randrange(rng.choice((10, 500)))).encode()
    if rng.random() < 0.1:
        body = b"\xff" * rng.randrange(100_000)
    path = rng.choice(("/api/russian/probe", "/api/russian/probe?moves=true", "/api/russian/annotate",
                       "/api/chess/annotate", "/api/games", "/"))
    if path.endswith("annotate") and rng.random() < 0.5:
        body = rng.choice((b"(" * 20_000, b"1. c3-d4 " * 3000, b'[FEN "' + b"x" * 9000, b"{" * 5000, b"1. e4 (1. d4 " * 500))
    return request(path, "POST", body=body)


def pipeline(rng):
    return b"".join(request(PROBE, keep=True) for _ in range(rng.randrange(100))) + request(PROBE)


def send(address, rng, statuses):
    kind = rng.random()
    is_broken = 0.5 <= kind < 0.75
    data = plain(rng) if kind < 0.5 else broken(rng) if is_broken else bodies(rng) if kind < 0.97 else pipeline(rng)
    try:
        with socket.create_connection(address, timeout=30) as stream:
            manner = rng.random()
            if manner < 0.02:
                # The client sends slowly, and hangs up.
                for byte in data[:20]:
                    stream.sendall(bytes([byte]))
                return
            stream.sendall(data)
            if manner < 0.1:
                return
            if is_broken:
                # The server would wait for the rest.
                stream.shutdown(socket.SHUT_WR)
            answer = b""
            while len(answer) < 2_000_000:
                part = stream.recv(65536)
                if not part:
                    break
                answer += part
            found = re.match(rb"HTTP/1\.1 (\d+)", answer)
            statuses[found.group(1).decode() if found else "none"] += 1
            if b"/tables" in answer or b"/tmp" in answer or b"panicked" in answer:
                statuses["a path or a panic"] += 1
    except OSError:
        statuses["cut off"] += 1


def ask(address):
    with socket.create_connection(address, timeout=60) as stream:
        stream.sendall(request(PROBE))
        answer = b""
        while part := stream.recv(65536):
            answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.split(b"\r\n")[0], body


def memory(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) // 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--damka", required=True)
    parser.add_argument("--tables")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--memory", type=int, default=512)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        tables = pathlib.Path(place, "tables")
        if args.tables:
            shutil.copytree(args.tables, tables)
        else:
            for words in (["russian", "3"], ["chess", "KQvK", "KRvK"]):
                subprocess.run([args.damka, "gen", *words, "--tables", tables, "--progress", "none"], check=True)
        command = [args.damka, "serve", "--listen", "127.0.0.1:0", "--tables", tables, "--rate", "0", "--no-build"]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        host, port = re.search(r"http://(\S+):(\d+)", server.stderr.readline()).groups()
        sys.exit(0 if run(args, (host, int(port)), server, tables) else 1)


def run(args, address, server, tables):
    expected, before = ask(address), memory(server.pid)
    most, statuses, good = before, collections.Counter(), True
    started = time.monotonic()
    cut = tables / "russian/KvM.dtw"
    whole = cut.read_bytes()
    for part in range(max(args.requests // 1000, 1)):
        def work(thread, part=part):
            rng = random.Random((args.seed, part, thread).__repr__())
            for _ in range(1000 // args.threads):
                send(address, rng, statuses)
        cut.write_bytes(whole[:len(whole) // 2] if part % 2 else whole)
        threads = [threading.Thread(target=work, args=(number,)) for number in range(args.threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if server.poll() is not None:
            print(f"the server ended with {server.returncode}: {server.stderr.read()}")
            return False
        most = max(most, memory(server.pid))
        try:
            if ask(address) != expected:
                good = False
                print(f"part {part}: the probe is answered otherwise")
        except OSError as error:
            good = False
            print(f"part {part}: {error}")
    after = memory(server.pid)
    server.terminate()
    code = server.wait(timeout=60)
    seconds = time.monotonic() - started
    print(f"answers: {dict(sorted(statuses.items()))}")
    print(f"memory: {before} MiB, {most} at most, {after} at the end; {seconds:.0f} s; ended with {code}")
    return good and code == 0 and most < args.memory and "a path or a panic" not in statuses


if __name__ == "__main__":
    main()
