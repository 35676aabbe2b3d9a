#!/usr/bin/env python3
"""Computes how long the jobs of a plan would take on some nodes, if its estimates are right.

    damka plan russian 8 --metric wdl --threads 16 --format json | python3 tests/campaign/simulate.py 1 4 16 64

Each node runs one job at a time, those with the longest chain of dependent jobs first. Each job takes five
seconds longer than planned, for the scheduler and the start.
"""

import heapq
import json
import sys

OVERHEAD = 5


def simulate(jobs, nodes):
    """The seconds until the last job has ended."""
    after = {job["job"]: set(job["after"]) for job in jobs}
    users = {name: [] for name in after}
    for name, needed in after.items():
        for other in needed:
            users[other].append(name)
    seconds = {job["job"]: job["seconds"] + OVERHEAD for job in jobs}
    # The seconds from the start of a job to the end of the last job that depends on it.
    ahead = {}
    for job in reversed(jobs):
        name = job["job"]
        ahead[name] = seconds[name] + max((ahead[user] for user in users[name]), default=0)
    ready = [(-ahead[name], name) for name, needed in after.items() if not needed]
    heapq.heapify(ready)
    running, now = [], 0
    while ready or running:
        while ready and len(running) < nodes:
            name = heapq.heappop(ready)[1]
            heapq.heappush(running, (now + seconds[name], name))
        now, ended = heapq.heappop(running)
        for user in users[ended]:
            after[user].remove(ended)
            if not after[user]:
                heapq.heappush(ready, (-ahead[user], user))
    return now, max(ahead.values())


def main():
    jobs = [json.loads(line) for line in sys.stdin]
    for key, name in [("memory_bytes", "memory"), ("scratch_bytes", "scratch files and journal")]:
        print(f"{name} of the largest job: {max(job[key] for job in jobs) / 1e9:.1f} GB")
    print(f"{len(jobs)} jobs, {sum(job['disk_bytes'] for job in jobs) / 1e9:.1f} GB of tables")
    for nodes in map(int, sys.argv[1:]):
        seconds, longest = simulate(jobs, nodes)
        print(f"{nodes:4} nodes: {seconds / 60:.0f} min (not less than {longest / 60:.0f})")


if __name__ == "__main__":
    main()
