#!/usr/bin/env python3
"""Bad clients of DXP and Hub: they hang up, stall, send garbage, or connect during a game. In every case
the next client must be served, a search must not outlive its client, and the process must end on
request."""

import signal
import socket
import subprocess
import time

from common import CODES, main, processor_time

REQUEST = b"R01" + b"campaign".ljust(32)
START = b"Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"


def work(campaign):
    rounds = 0
    while campaign.time_is_left() or rounds == 0:
        rounds += 1
        dxp(campaign)
        for conversation in (hub_hangs_up, hub_garbage, hub_bad_levels, hub_deaf, hub_signal):
            conversation(campaign)
            campaign.done["conversations"] += 1


# --- DXP ----------------------------------------------------------------------------------


def dxp(campaign):
    port = free_port()
    server = campaign.start(
        "engine", "russian", "--protocol", "dxp", "--listen", f"127.0.0.1:{port}", "--memory", "1M", "--book", "none",
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        clients = [dxp_hangs_up, dxp_garbage, dxp_stalls, dxp_half_a_message, dxp_resets]
        campaign.rng.shuffle(clients)
        for client in clients:
            client(campaign, port)
            campaign.done["clients"] += 1
            is_served(campaign, port, client.__name__)
        calms_down(campaign, server, "all clients are gone")
        server.send_signal(signal.SIGTERM)
        ends(campaign, server, "the DXP server after SIGTERM", CODES | {-signal.SIGTERM})
    finally:
        server.kill()
        server.wait()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def connect(port):
    for _ in range(100):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=10)
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise ConnectionError(f"nothing listens on port {port}")


def is_served(campaign, port, after):
    """A correct client gets an answer soon."""
    began = time.monotonic()
    with connect(port) as stream:
        stream.sendall(REQUEST + b"W001001A\0")
        try:
            answer = stream.recv(100)
        except OSError as error:
            answer = str(error).encode()
    waited = time.monotonic() - began
    campaign.expect(answer[:1] == b"A" and waited < 10, f"DXP after {after}: {answer[:60]!r} after {waited:.1f} s")


def dxp_hangs_up(campaign, port):
    """Offers 999 minutes for a game in which damka is to move, and hangs up."""
    with connect(port) as stream:
        stream.sendall(REQUEST + b"W999000A\0")
        stream.recv(100)
        time.sleep(campaign.rng.uniform(0, 0.3))


def dxp_resets(campaign, port):
    stream = connect(port)
    stream.sendall(REQUEST + b"W999000A\0")
    # Closing without waiting resets the connection.
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    stream.close()


def dxp_garbage(campaign, port):
    with connect(port) as stream:
        try:
            for _ in range(20):
                stream.sendall(campaign.rng.randbytes(campaign.rng.randrange(1, 5000)))
        except OSError:
            pass  # damka closed the connection


def dxp_half_a_message(campaign, port):
    with connect(port) as stream:
        stream.sendall((REQUEST + b"W001000A")[: campaign.rng.randrange(43)])


def dxp_stalls(campaign, port):
    """Sends nothing, or starts a game and does not move; meanwhile a second client connects."""
    with connect(port) as first:
        if campaign.rng.random() < 0.5:
            first.sendall(REQUEST + b"Z005000A\0")
        time.sleep(0.2)
        with connect(port) as second:
            second.settimeout(10)
            try:
                second.sendall(REQUEST + b"W001001A\0")
                answer = second.recv(100)
            except ConnectionError:
                answer = b"refused"
            except TimeoutError:
                answer = None
            campaign.expect(answer is not None, "DXP: a second client waits for 10 s behind one that stalls")


def calms_down(campaign, process, when):
    """Checks that damka stops searching within some seconds."""
    time.sleep(2)
    before = processor_time(process.pid)
    time.sleep(1)
    spent = processor_time(process.pid) - before
    campaign.expect(spent < 0.3, f"{when}, and {spent:.2f} s of processor time are spent in a second")


def ends(campaign, process, what, codes=CODES):
    """Checks that damka ends soon, with the right exit code."""
    try:
        code = process.wait(timeout=10)
        campaign.expect(code in codes, f"{what} ends with code {code}")
    except subprocess.TimeoutExpired:
        campaign.find(f"{what} does not end")
        process.kill()
        process.wait()


# --- Hub ----------------------------------------------------------------------------------


def hub(campaign, lines=b""):
    process = campaign.start("engine", "russian", "--memory", "1M")
    process.stdin.write(b"hub\ninit\n" + lines)
    process.stdin.flush()
    return process


def hub_hangs_up(campaign):
    process = hub(campaign, b"pos pos=" + START + b"\nlevel infinite\ngo analyze\n")
    time.sleep(campaign.rng.uniform(0, 0.5))
    process.stdin.close()
    process.stdout.close()
    ends(campaign, process, "Hub whose client has hung up in a search")


def hub_deaf(campaign):
    """Does not read any answer."""
    process = hub(campaign, b"pos pos=" + START + b"\nlevel infinite\ngo analyze\n")
    process.stdout.close()
    time.sleep(0.3)
    process.stdin.close()
    ends(campaign, process, "Hub whose client reads nothing")


def hub_signal(campaign):
    process = hub(campaign, b"pos pos=" + START + b"\nlevel infinite\ngo analyze\n")
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    time.sleep(0.1)
    if process.poll() is None:
        process.stdin.close()
    code = None
    try:
        code = process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
    campaign.expect(code is not None, "Hub after SIGTERM and the end of its input does not end")
    process.communicate()


def hub_garbage(campaign):
    rng = campaign.rng
    words = [b"pos", b"pos=", b"moves=", b"level", b"go", b"stop", b"init", b"=", b'"', b"\0", b"\x1b[2J", b"set-param", START]
    lines = [b" ".join(rng.choice(words) for _ in range(rng.randrange(8))) for _ in range(200)]
    lines += [rng.randbytes(200), b"\0" * 100_000, b"pos moves=" + b"22-18 " * 50_000]
    rng.shuffle(lines)
    text = b"\n".join(lines) + b"\nstop\nstop\nping\nquit\n"
    outcome = campaign.run("engine", "russian", "--memory", "1M", stdin=b"hub\ninit\n" + text)
    campaign.expect(outcome.code == 0, f"Hub after garbage: {outcome}")
    campaign.expect("\x1b" not in outcome.stdout, "Hub answers with a terminal escape")


def hub_bad_levels(campaign):
    """Wrong commands are refused, and the session continues."""
    for level in (b"move-time=-1", b"time=-5", b"move-time=nan", b"move-time=inf", b"depth=-1", b"nodes=1e9", b"moves=3"):
        text = b"hub\ninit\npos pos=" + START + b"\nlevel " + level + b"\nping\nquit\n"
        outcome = campaign.run("engine", "russian", "--memory", "1M", stdin=text)
        answered = "error" in outcome.stdout.replace("author", "") and "pong" in outcome.stdout
        campaign.expect(answered, f"Hub: `level {level.decode()}`: {outcome.stdout[-100:]!r}")


if __name__ == "__main__":
    main("peers", __doc__, work)
