#!/usr/bin/env python3
"""Measures how long the program takes to start: medians of interleaved runs beside `true`, in milliseconds.

usage: bench/start_time.py [PROGRAM] [--runs N]     default: build/release/apps/paraprint, 200 runs
Every command is run once before measuring, so files come from the page cache. The machine should be idle.
"""

import argparse
import os
import shutil
import statistics
import time

NULL = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]


def milliseconds(command: list[str]) -> float:
    begin = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=NULL)
    _, status = os.waitpid(child, 0)
    if status != 0:
        raise SystemExit(f"start_time.py: {' '.join(command)} failed")
    return (time.perf_counter() - begin) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default="build/release/apps/paraprint")
    parser.add_argument("--runs", type=int, default=200)
    options = parser.parse_args()
    commands = [[shutil.which("true")], [options.program, "version"], [options.program, "--help"],
                [options.program, "dedup", "--help"]]
    times: list[list[float]] = [[] for _ in commands]
    for run in range(options.runs + 1):
        for command, taken in zip(commands, times):
            taken.append(milliseconds(command))
    medians = [statistics.median(taken[1:]) for taken in times]
    for command, median in zip(commands, medians):
        name = " ".join([os.path.basename(command[0]), *command[1:]])
        print(f"{name:24} {median:6.2f} ms, {median / medians[0]:4.1f} times true")


if __name__ == "__main__":
    main()
