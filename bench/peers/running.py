"""Runs a program as a process of its own and measures it.

Used as a program: running.py COMMAND [ARGUMENT ...] runs a command, and prints its Usage as JSON to the standard error.
"""
import json
import os
import pathlib
import subprocess
import sys
import time
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent


class Usage(NamedTuple):
    processor: float  #: seconds, of child processes too
    elapsed: float  #: seconds
    megabytes: float  #: peak resident size of the largest process


def measured(command, log, threads=1):
    """The Usage of a command, which may use that many threads. What it prints goes to the file `log`."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "TOKENIZERS_PARALLELISM": "false",
                   **dict.fromkeys(("OMP_NUM_THREADS", "RAYON_NUM_THREADS"), str(threads))}
    # Started by a small process, because Linux counts the size of what starts a program into its peak.
    launcher = [sys.executable, __file__, *map(str, command)]
    with open(log, "wb") as output:
        run = subprocess.run(launcher, stdout=output, stderr=subprocess.PIPE, cwd=HERE, env=environment)
    if run.returncode != 0:
        tail = pathlib.Path(log).read_text(encoding="utf-8", errors="replace")[-2000:]
        raise SystemExit(f"{' '.join(map(str, command))} failed\n{tail}{run.stderr.decode(errors='replace')}")
    return Usage(*json.loads(run.stderr))


def main():
    begin = time.perf_counter()
    process = subprocess.Popen(sys.argv[1:], stderr=subprocess.STDOUT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode == 0:
        print(json.dumps([usage.ru_utime + usage.ru_stime, time.perf_counter() - begin, usage.ru_maxrss / 1000]),
              file=sys.stderr)
    sys.exit(process.returncode != 0)


if __name__ == "__main__":
    main()
