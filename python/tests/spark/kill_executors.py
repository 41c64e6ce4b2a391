#!/usr/bin/env python3
"""Kill Spark's executors at random moments of all stages of divided runs, and compare the output with the program's.

usage: kill_executors.py PROGRAM ROUNDS SEED INPUT...
Needs Java and PySpark. A round is one run over two executors with records and evidence; the pages of the first input
are known to it, and it becomes known in its turn. In about half of its stages, an executor gets SIGKILL at a random
moment; Spark starts another one. Prints the kills by stage as JSON, and ends with 1 if a byte differs or a run fails.
"""

import collections
import importlib.util
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

_POLL_SECONDS = 0.005
_LATEST_SECONDS = 0.8  # after the beginning of a stage
# Files of a run's output that the program writes, too.
_OUTPUT = ("clusters.tsv", "matches.tsv", "removed.jsonl", "matches.jsonl", "savings.json", "records/")


def executors():
    """Process ids of the executors: processes below this one that run Spark's backend."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            command = (folder / "cmdline").read_bytes() if folder.name.isdigit() else b""
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in command and _is_below(int(folder.name)):
            found.append(int(folder.name))
    return sorted(found)


def _is_below(process):
    while process > 1:
        if process == os.getpid():
            return True
        try:
            process = int(pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return False
    return False


class Killer(threading.Thread):
    """Watches the work folder of a run until stop(); `kills` counts by stage."""

    def __init__(self, work, seed):
        super().__init__()
        self._work = work
        self._random = random.Random(seed)
        self._seen = set()
        self._ended = threading.Event()
        self.kills = collections.Counter()

    def stop(self):
        self._ended.set()
        self.join()

    def run(self):
        while not self._ended.wait(_POLL_SECONDS):
            for stage in self._open_stages() - self._seen:
                self._seen.add(stage)
                if self._random.random() < 0.5:
                    time.sleep(self._random.uniform(0, _LATEST_SECONDS))
                    self._kill(stage)

    def _open_stages(self):
        if not self._work.is_dir():
            return set()
        return {path.name for path in self._work.iterdir() if path.is_dir() and not (path / "_SUCCESS").exists()}

    def _kill(self, stage):
        # A later stage may have begun meanwhile: what counts is where the kill lands. Folders of data that the driver
        # wrote stay open.
        if found := executors():
            os.kill(self._random.choice(found), signal.SIGKILL)
            newest = max(self._open_stages() | {stage}, key=lambda name: (self._work / name).stat().st_mtime_ns)
            self.kills[newest.split("-")[0]] += 1


def output_of(folder):
    """The bytes of the files that are compared, by name."""
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if name.startswith(_OUTPUT)}


def remembered_by(folder):
    """The known texts of all runs in a folder of known pages, each table in the order of its keys."""
    from paraprint.stages.known import KnownFolder
    from paraprint.stages.storage import WorkFolder

    known = WorkFolder(str(folder))

    def content(run, table, files):
        for file, _, _ in files:
            yield from known.blocks(f"{run.name}/{table}", file, ["first", "last"], lambda *_: True, "")

    return [
        (table, b"".join(content(run, table, files)))
        for run in KnownFolder(str(folder)).runs()
        for table, files in sorted(run.tables.items())
    ]


def main(program, rounds, seed, first, *inputs):
    from pyspark.sql import SparkSession

    from paraprint.spark import dedup_files
    from paraprint.stages.known import import_index

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.executor.memory": "1024m",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        # How often executors fail here is no sign of a broken cluster.
        "spark.deploy.maxExecutorRetries": "-1",
        "spark.task.maxFailures": "100",
        "spark.stage.maxConsecutiveAttempts": "100",
    }
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("paraprint kills")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    kills = collections.Counter()
    differing = []
    with tempfile.TemporaryDirectory(prefix="paraprint-kills-") as folder:
        base = pathlib.Path(folder)
        command = [program, "dedup", "--index", base / "index", "--no-report", "--quiet", "--out"]
        subprocess.run([*command, base / "first", first], check=True)
        import_index(str(base / "index"), str(base / "known"), folder, 1 << 26)
        subprocess.run([*command, base / "one", *inputs], check=True)
        expected = output_of(base / "one")
        remembered = None
        for number in range(int(rounds)):
            work, out, known = (base / f"{kind}-{number}" for kind in ("work", "out", "known"))
            shutil.copytree(base / "known", known)
            killer = Killer(work, f"{seed} {number}")
            killer.start()
            began = time.monotonic()
            try:
                dedup_files(spark, inputs, work=str(work), out=str(out), known=str(known), partitions=3, records=True,
                            evidence=True)
            finally:
                killer.stop()
            kills.update(killer.kills)
            found = output_of(out)
            wrong = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
            remembered = remembered or remembered_by(known)
            if remembered_by(known) != remembered:
                wrong.append("known pages")
            differing += [f"round {number}: {name}" for name in wrong]
            said = f"round {number}: {killer.kills.total()} kills, {time.monotonic() - began:.0f} s"
            print(said + (f", differing: {', '.join(wrong)}" if wrong else ", same bytes"), file=sys.stderr, flush=True)
    spark.stop()
    json.dump({"rounds": int(rounds), "kills": kills.total(), "by_stage": dict(sorted(kills.items())),
               "differing": differing}, sys.stdout, indent=2)
    print()
    return 1 if differing else 0


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    if shutil.which("java") is None or importlib.util.find_spec("pyspark") is None:
        print("skipped: needs Java and PySpark")
        sys.exit(5)
    sys.exit(main(*sys.argv[1:4], *map(os.path.abspath, sys.argv[4:])))
