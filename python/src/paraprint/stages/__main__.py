"""A divided run as arrays of jobs that share a folder: `python -m paraprint.stages`.

    python -m paraprint.stages start WORK --out OUT --partitions 100 INPUT... [--near 0.6]
    python -m paraprint.stages next WORK            # prints "STEP NUMBERS" of the tasks to run now; nothing at the end
    python -m paraprint.stages task WORK STEP NUMBER
    python -m paraprint.stages run WORK --processes 2
    python -m paraprint.stages import-known INDEX FOLDER     # the pages of `paraprint index` as those of an earlier run
    python -m paraprint.stages export-known FOLDER INDEX
    python -m paraprint.stages merge-known FOLDER            # makes one run out of several, for example once a day

A batch system runs the tasks of a step as an array, waits for it, and asks for the next one; `run` does this on one
machine. Options of `start` not listed first are those of `paraprint dedup`. A task that failed can run again.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import subprocess
import sys

from paraprint import Error, _core
from paraprint.stages.arguments import add_options, options_of
from paraprint.stages.job_array import OUTPUT, JobArray, start
from paraprint.stages.known import export_index, import_index
from paraprint.stages.known_merge import merge_known
from paraprint.stages.tasks import temporary_folder
from paraprint.table_command import printable

# The exit code of the program for a run that is done, of which an input could not be read to its end.
_UNREADABLE_INPUT = 3

_COMMANDS = {
    "start": """Begin a run. WORK must be an empty folder, or one that does not exist yet.

example: python -m paraprint.stages start /shared/work --out /shared/clean --partitions 100 /shared/crawl --near 0.6""",
    "next": """Print the tasks to run now. The line is "STEP NUMBERS", for example "profiles 0,1,2"; nothing is printed
if the run is complete. Tasks of a step that have not reported are printed again, so wait for all of them first.

example: python -m paraprint.stages next /shared/work""",
    "task": """Run one task of a step. One that failed or was killed can run again.

example: python -m paraprint.stages task /shared/work profiles 17""",
    "run": """Run all steps on this machine, each task as a process. A run that was stopped goes on where it was.

example: python -m paraprint.stages run /shared/work --processes 8""",
    "import-known": """Add the texts of an index to a folder of known pages. They are those of an earlier run there. The
folder is made if there is none; the index is one of `paraprint index`.

example: python -m paraprint.stages import-known ./index s3://bucket/known --memory 4GiB""",
    "export-known": """Add the texts of a folder of known pages to an index. It is made if there is none.

example: python -m paraprint.stages export-known s3://bucket/known ./index""",
    "merge-known": """Make one run out of the newest ones of a folder of known pages. Runs that use the folder give the
same output as before, and have fewer tables to open. Without --all, as many runs are merged as are worth it: of a
folder that gets a run each day, no more stay than the logarithm of the number of texts, and a text is copied no more
often. A merge that fails or is killed changes nothing, and runs may use the folder meanwhile.

example: python -m paraprint.stages merge-known s3://bucket/known --memory 2GiB --processes 4""",
}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m paraprint.stages", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    made = {
        name: commands.add_parser(name, help=text.partition(".")[0], description=text,
                                  formatter_class=argparse.RawDescriptionHelpFormatter)
        for name, text in _COMMANDS.items()
    }
    for name in ("start", "next", "task", "run"):
        made[name].add_argument("work", help="folder that all tasks can access")
    made["start"].add_argument("inputs", nargs="+", help="files and folders")
    made["start"].add_argument("--out", required=True, help="folder of the tables")
    made["start"].add_argument("--partitions", type=int, required=True, help="tasks per stage")
    made["start"].add_argument("--known", metavar="FOLDER", help="folder of the pages of earlier runs: remove what "
                               "they had, add what stays; made by the first run")
    add_options(made["start"])
    made["task"].add_argument("step")
    made["task"].add_argument("number", type=int)
    made["run"].add_argument("--processes", type=int, default=1, help="tasks that run at the same time (default: 1)")
    for name, places in (("import-known", ("index", "folder")), ("export-known", ("folder", "index")),
                         ("merge-known", ("folder",))):
        for place in places:
            made[name].add_argument(place)
    made["import-known"].add_argument("--memory", default="1GiB", metavar="SIZE", help="for sorting; what does not fit "
                                      "goes to disk (default: 1GiB)")
    merge = made["merge-known"]
    merge.add_argument("--all", action="store_true", help="leave a single run")
    merge.add_argument("--memory", default="1GiB", metavar="SIZE", help="bounds how many runs are merged at a time; "
                       "16 MiB for each (default: 1GiB)")
    merge.add_argument("--processes", type=int, default=1, help="tables that are merged at the same time, up to 5 "
                       "(default: 1)")
    merge.add_argument("--keep-hours", type=float, default=24, metavar="HOURS", help="delete what was merged when it "
                       "has been replaced for so long; runs that began before still read it (default: 24)")
    parsed = parser.parse_args(arguments)
    try:
        return run(parsed)
    except (Error, OSError) as error:
        where = f"step {parsed.step}, task {parsed.number}: " if parsed.command == "task" else ""
        _say(f"paraprint.stages: {where}{error}")
        return 1


def _say(line: str) -> None:
    print(printable(line), file=sys.stderr)


def run(parsed: argparse.Namespace) -> int:
    if parsed.command == "start":
        start(parsed.work, parsed.out, parsed.inputs, parsed.partitions, options_of(parsed), parsed.known)
    elif parsed.command == "next":
        if step := JobArray(parsed.work).next_step():
            print(step.name, ",".join(map(str, step.numbers)))
    elif parsed.command == "import-known":
        with temporary_folder() as scratch:
            texts = import_index(parsed.index, parsed.folder, scratch, _memory_bytes(parsed))
        _say(f"{parsed.folder}: {texts} known texts added")
    elif parsed.command == "export-known":
        texts, left_out = export_index(parsed.folder, parsed.index)
        _say(f"{parsed.index}: {texts} known texts added")
        if left_out:
            _say(f"{left_out} known texts left out: an index takes no page with so long an id, URL or date, or with so "
                 "many search keys")
    elif parsed.command == "merge-known":
        before, after = merge_known(parsed.folder, _memory_bytes(parsed), merges_all=parsed.all,
                                    processes=parsed.processes, keep_seconds=parsed.keep_hours * 3600)
        _say(f"{parsed.folder}: {before} runs have become {after}")
        if before == after:
            _say(f"nothing was merged: {_why_nothing(before, parsed.all)}")
    elif parsed.command == "task":
        return _run_task(parsed.work, parsed.step, parsed.number)
    else:
        return run_here(parsed.work, parsed.processes)
    return 0


def _why_nothing(runs: int, merges_all: bool) -> str:
    if runs == 1:
        return "there is a single run"
    if merges_all:
        return "they have more texts than a run may have"
    return "each run has more texts than all later ones together; --all merges them, too"


def _run_task(work: str, step: str, number: int) -> int:
    """The task that writes the output says what could not be read."""
    array = JobArray(work)
    array.run_task(step, number)
    if step != OUTPUT:
        return 0
    for line in array.complaints():
        _say(line)
    return _exit_code(array)


def _exit_code(array: JobArray) -> int:
    """Of a run that is done."""
    return _UNREADABLE_INPUT if array.unreadable_inputs() else 0


def _memory_bytes(parsed: argparse.Namespace) -> int:
    return int(_core.DividedOptions.create([], {"memory": parsed.memory}).memory_bytes)


def run_here(work: str, processes: int) -> int:
    """Runs all steps, each task as a process of its own."""
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        while step := (array := JobArray(work)).next_step():
            commands = [
                [sys.executable, "-m", "paraprint.stages", "task", work, step.name, str(number)]
                for number in step.numbers
            ]
            finished = list(pool.map(lambda command: subprocess.run(command, check=False).returncode, commands))
            if any(code not in (0, _UNREADABLE_INPUT) for code in finished):
                return 1
    return _exit_code(array)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
