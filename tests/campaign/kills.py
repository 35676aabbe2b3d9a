#!/usr/bin/env python3
"""Kills `damka gen` with SIGKILL at random moments, and runs the same command again, until it finishes.
At every moment every file with a table's name must be as in an undisturbed run; at the end all files
must be."""

import subprocess
import time

from common import files, main

JOBS = (("russian", "4"), ("english", "4"), ("alapo", "QRvK", "KKvF"), ("russian", "KKMvKM"))


def work(campaign):
    truth = {}
    while campaign.time_is_left() or not truth:
        job = campaign.rng.choice(JOBS)
        if job not in truth:
            undisturbed = campaign.new_directory()
            began = time.monotonic()
            outcome = campaign.run("gen", *job, "--tables", undisturbed, "--progress", "none", patience=300)
            campaign.expect(outcome.code == 0, f"gen {job}: {outcome}")
            truth[job] = files(undisturbed), time.monotonic() - began
        kill_and_go_on(campaign, job, *truth[job])
        campaign.done["builds"] += 1


def kill_and_go_on(campaign, job, truth, seconds):
    directory = campaign.new_directory()
    threads = campaign.rng.choice([1, 2, 4])
    checkpoint = campaign.rng.choice([0, 0, 1, 20])
    words = ["gen", *job, "--tables", directory, "--progress", "none", "--threads", threads]
    for _ in range(40):
        process = campaign.start(*words, "--checkpoint", checkpoint, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            _, stderr = process.communicate(timeout=campaign.rng.uniform(0.0, 1.2 * seconds + 0.02))
            campaign.expect(process.returncode == 0, f"{words}: code {process.returncode}: {stderr}")
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            campaign.done["kills"] += 1
        for name, content in files(directory).items():
            if name.endswith((".wdl", ".dtw")):
                campaign.expect(content == truth.get(name), f"{words}: {name} is wrong after a kill")
    else:
        outcome = campaign.run(*words, patience=300)
        campaign.expect(outcome.code == 0, f"{words}: {outcome}")
    there = files(directory)
    campaign.expect(there == truth, f"{words}: other files at the end: {sorted(there.keys() ^ truth.keys())}")


if __name__ == "__main__":
    main("kills", __doc__, work)
