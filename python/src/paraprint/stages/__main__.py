"""A divided run as arrays of jobs that share a folder: `python -m paraprint.stages`.

    python -m paraprint.stages start WORK --out OUT --partitions 100 INPUT... [--near 0.6]
    python -m paraprint.stages next WORK            # prints "STEP NUMBERS" of the tasks to run now; nothing at the end
    python -m paraprint.stages task WORK STEP NUMBER
    python -m paraprint.stages run WORK --processes 2

A batch system runs the tasks of a step as an array, waits for it, and asks for the next one; `run` does this on one
machine. Options of `start` not listed first are those of `paraprint dedup`. A task that failed can run again.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import subprocess
import sys

from paraprint import Error
from paraprint.stages.arguments import add_options, options_of
from paraprint.stages.job_array import JobArray, start


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m paraprint.stages", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("start", "next", "task", "run"):
        command = commands.add_parser(name)
        command.add_argument("work", help="folder that all tasks can access")
        if name == "start":
            command.add_argument("inputs", nargs="+", help="files and folders")
            command.add_argument("--out", required=True, help="folder of the tables")
            command.add_argument("--partitions", type=int, required=True, help="tasks per stage")
            add_options(command)
        if name == "task":
            command.add_argument("step")
            command.add_argument("number", type=int)
        if name == "run":
            command.add_argument("--processes", type=int, default=1, help="tasks that run at the same time")
    parsed = parser.parse_args(arguments)
    try:
        return run(parsed)
    except (Error, OSError) as error:
        where = f"step {parsed.step}, task {parsed.number}: " if parsed.command == "task" else ""
        print(f"paraprint.stages: {where}{error}", file=sys.stderr)
        return 1


def run(parsed: argparse.Namespace) -> int:
    if parsed.command == "start":
        start(parsed.work, parsed.out, parsed.inputs, parsed.partitions, options_of(parsed))
    elif parsed.command == "next":
        if step := JobArray(parsed.work).next_step():
            print(step.name, ",".join(map(str, step.numbers)))
    elif parsed.command == "task":
        JobArray(parsed.work).run_task(parsed.step, parsed.number)
    else:
        return run_here(parsed.work, parsed.processes)
    return 0


def run_here(work: str, processes: int) -> int:
    """Runs all steps, each task as a process of its own."""
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        while step := JobArray(work).next_step():
            commands = [
                [sys.executable, "-m", "paraprint.stages", "task", work, step.name, str(number)]
                for number in step.numbers
            ]
            finished = list(pool.map(lambda command: subprocess.run(command, check=False).returncode, commands))
            if any(finished):
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
