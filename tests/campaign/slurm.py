#!/usr/bin/env python3
"""Builds tables as Slurm jobs on three nodes of this machine, with failures.

    apt-get install slurmctld slurmd munge
    python3 tests/campaign/slurm.py --damka target/release/damka --game russian --pieces 6 --metric wdl

Starts Slurm without accounts: a controller and three daemons, each of which is a node with one processor.
Needs root. `damka plan --format slurm` prints the script that submits the jobs. Meanwhile

- random jobs are killed with all processes that they started,
- the controller is killed and started again,
- a node is killed with its jobs, and comes back,
- a seed file is damaged.

When the queue is empty and a job has failed, the same script is run again, as a person would do. At the
end the digests must be the published ones, and only tables must be left. Prints the events, the time, and
how much of it the nodes worked. Exit code: 0 if all checks pass.
"""

import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
NODES = 3

CONF = """
ClusterName=campaign
SlurmctldHost={host}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool-%n
SlurmctldPidFile={place}/controller.pid
SlurmdPidFile={place}/%n.pid
SlurmctldLogFile={place}/controller.log
SlurmdLogFile={place}/%n.log
SlurmctldPort=16817
ProctrackType=proctrack/pgid
TaskPlugin=task/none
ReturnToService=2
SlurmdTimeout=15
SlurmctldTimeout=15
KillWait=2
InactiveLimit=0
SchedulerParameters=sched_interval=2,batch_sched_delay=0,sched_min_interval=0
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
JobRequeue=1
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def run(*command, **options):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)} failed with {result.returncode}:\n{result.stdout[-2000:]}")
    return result.stdout


class Cluster:
    """Slurm on this machine."""

    def __init__(self, place, megabytes):
        self.place = place
        (place / "state").mkdir()
        host = run("hostname", "-s").strip()
        nodes = [
            f"NodeName=node{n} NodeHostname={host} Port={16820 + n} CPUs=1 RealMemory={megabytes}"
            for n in range(NODES)
        ]
        self.conf = place / "slurm.conf"
        self.conf.write_text(CONF.format(host=host, place=place, nodes="\n".join(nodes)))
        self.environment = os.environ | {"SLURM_CONF": str(self.conf)}
        self.processes = {}
        self.munge()
        self.start_controller()
        for node in range(NODES):
            self.start_node(node)

    def munge(self):
        """Starts munged, which authenticates the daemons, unless it runs."""
        if subprocess.run(["munge", "-n"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            if not pathlib.Path("/etc/munge/munge.key").exists():
                run("mungekey", "--create", "--keyfile", "/etc/munge/munge.key")
            os.makedirs("/run/munge", exist_ok=True)
            run("munged", "--force")

    def start(self, name, *command):
        # A new session, which can be killed like a machine that fails.
        self.processes[name] = subprocess.Popen(
            command, env=self.environment, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start_controller(self):
        self.start("controller", "slurmctld", "-D", "-f", str(self.conf))

    def start_node(self, node):
        self.start(f"node{node}", "slurmd", "-D", "-N", f"node{node}", "-f", str(self.conf))

    def kill(self, name):
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def kill_node(self, node):
        """Kills a node: its daemon, and the jobs on it."""
        jobs = self.running(f"node{node}")
        self.kill(f"node{node}")
        for job in jobs:
            self.kill_job(job)

    def slurm(self, *command):
        return subprocess.run(command, env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True).stdout

    def queue(self, state="all"):
        lines = self.slurm("squeue", "--noheader", "--states", state, "--format", "%i %T %N").splitlines()
        return [line.split() for line in lines]

    def running(self, node=None):
        return [words[0] for words in self.queue("running") if node is None or words[-1] == node]

    def stop(self):
        self.slurm("scancel", "--state=pending", "--user=root")
        self.slurm("scancel", "--user=root")
        for process in self.processes.values():
            process.kill()
        for pid in self.processes_with(""):
            os.kill(pid, signal.SIGKILL)

    def processes_with(self, text):
        """The processes of this cluster that have a text in their environment."""
        for entry in pathlib.Path("/proc").iterdir():
            try:
                environment = (entry / "environ").read_bytes() if entry.name.isdigit() else b""
            except OSError:
                continue
            if f"SLURM_CONF={self.conf}\0".encode() in environment and text.encode() in environment:
                yield int(entry.name)

    def kill_job(self, job):
        """Kills the processes of a job without Slurm's knowledge."""
        for pid in self.processes_with(f"SLURM_JOB_ID={job}\0"):
            os.kill(pid, signal.SIGKILL)


class Campaign:
    def __init__(self, arguments, place):
        self.arguments, self.place = arguments, place
        self.random = random.Random(arguments.seed)
        self.tables = place / "tables"
        self.set = [arguments.game, arguments.pieces, "--metric", arguments.metric]
        binaries = place / "bin"
        binaries.mkdir()
        (binaries / "damka").symlink_to(arguments.damka)
        os.environ["PATH"] = f"{binaries}:{os.environ['PATH']}"
        self.cluster = Cluster(place, arguments.megabytes)
        self.events = []

    def note(self, text):
        self.events.append(text)
        print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)

    def submit(self):
        # Each plan contains the remaining jobs.
        self.script.write_text(run("damka", "plan", *self.set, "--format", "slurm", "--threads", "1",
                                   "--tables", str(self.tables)))
        self.note(run("bash", str(self.script), "--chdir=/tmp", env=self.cluster.environment).strip())

    def trouble(self):
        kind = self.random.choice(["job", "job", "controller", "node", "seed"])
        running = self.cluster.running()
        if kind == "job" and running:
            job = self.random.choice(running)
            self.cluster.kill_job(job)
            self.note(f"killed job {job}")
        elif kind == "controller":
            self.cluster.kill("controller")
            time.sleep(3)
            self.cluster.start_controller()
            self.note("killed the controller and started it again")
        elif kind == "node":
            node = self.random.randrange(NODES)
            self.cluster.kill_node(node)
            time.sleep(20)
            self.cluster.start_node(node)
            self.note(f"killed node{node}, which came back after 20 seconds")
        elif kind == "seed":
            seeds = list((self.tables / self.arguments.game).glob("*.seed"))
            if seeds:
                path = self.random.choice(seeds)
                seed = bytearray(path.read_bytes())
                seed[self.random.randrange(len(seed))] ^= 1
                path.write_bytes(seed)
                self.note(f"damaged {path.name}")

    def is_done(self):
        left = run("damka", "plan", *self.set, "--format", "json", "--tables", str(self.tables))
        return not left.strip()

    def work(self):
        """Runs until all tables are built. Returns the time in seconds."""
        self.script = self.place / "submit.sh"
        begin = time.monotonic()
        next_trouble = begin + self.arguments.every
        self.submit()
        while True:
            time.sleep(1)
            queue = self.cluster.queue("pending,running,completing,configuring")
            if not queue and "controller" in self.cluster.processes:
                if self.is_done():
                    return time.monotonic() - begin
                self.submit()
            if time.monotonic() > next_trouble and not self.arguments.calm:
                self.trouble()
                next_trouble = time.monotonic() + self.arguments.every
            if time.monotonic() - begin > self.arguments.limit:
                sys.exit("it takes too long")

    def check(self):
        published = (ROOT / f"tables/results/digests/{self.arguments.game}.txt").read_text().splitlines()
        metrics = self.arguments.metric.split(",")
        wanted = [line for line in published if line.startswith("#") or line.split()[2] in metrics]
        digests = self.place / "digests"
        digests.write_text("\n".join(wanted) + "\n")
        run("damka", "verify", self.arguments.game, self.arguments.pieces, "--digests", str(digests),
            "--progress", "none", "--tables", str(self.tables))
        # The last job may have been cancelled because of a failed one.
        run("damka", "gen", *self.set, "--progress", "none", "--tables", str(self.tables))
        left = [path.name for path in (self.tables / self.arguments.game).iterdir()]
        known = (".wdl", ".dtw", ".lock", ".manifest")
        extra = [name for name in left if not name.endswith(known) and not name.startswith(".jobs-")]
        if extra:
            sys.exit(f"left behind: {extra}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damka", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--game", default="russian")
    parser.add_argument("--pieces", default="6")
    parser.add_argument("--metric", default="wdl")
    parser.add_argument("--every", type=float, default=20, help="seconds between two troubles")
    parser.add_argument("--calm", action="store_true", help="let nothing go wrong")
    parser.add_argument("--limit", type=float, default=7200, help="seconds")
    parser.add_argument("--megabytes", type=int, default=4000, help="the memory of each node")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    place = pathlib.Path(tempfile.mkdtemp())
    campaign = Campaign(arguments, place)
    try:
        seconds = campaign.work()
        campaign.check()
        planned = run("damka", "plan", *campaign.set, "--threads", "1", "--json", "--tables", str(place / "none"))
        work = sum(float(line.split('"seconds":')[1].split(",")[0]) for line in planned.splitlines())
        print(f"{len(campaign.events)} events; {seconds:.0f} s on {NODES} nodes for {work:.0f} s of planned work; "
              "digests as published")
    finally:
        campaign.cluster.stop()
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main()
