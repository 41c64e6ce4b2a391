#!/usr/bin/env python3
"""Near-duplicate removal by MinHash: paraprint on Spark and datatrove's MinHash stages, on the same texts and cores.

usage: bench/spark_minhash.py PROGRAM WORK_FOLDER PYTHON-WITH-DATATROVE [--rows N] [--length N] [--repeat N]

PROGRAM is paraprint; needs the package with PySpark, as spark_scale.py does. The other interpreter needs the packages
datatrove and datasketch of bench/peers/requirements.txt, and tokenizers and regex. Made texts (made_texts.py), by
default of 4,000 characters (eight times 500), two consecutive words as shingles, 128 permutations, threshold 0.5;
datatrove gets the bands that datasketch would choose. Both have two processes. The program runs the same with two
threads, and must write the same tables as Spark.

Prints JSON: seconds, rows per second and F1 of the rows removed, and how many times as fast as datatrove Spark is, with
and without the seconds in which Java, the executors and a first task start, which do not depend on the number of rows.
With --repeat the three take turns, and the medians are printed.
"""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

from made_texts import make_texts, scores
from spark_scale import PARTITIONS, TABLES, start_spark

from paraprint.spark import dedup_files

PEERS = pathlib.Path(__file__).resolve().parent / "peers"
WIDTH, THRESHOLD = 2, 0.5
ALGORITHM = f"minhash-one-permutation:unit=words,width={WIDTH},threshold={THRESHOLD}"
FILES = 4  # a task of Spark reads whole files


def write_texts(folder, rows, length):
    """Writes the texts as one file and as several. Returns all, the parts, and the group of each row."""
    folder.mkdir(parents=True, exist_ok=True)
    lines, groups = [], []
    for row, (text, group) in enumerate(make_texts(rows, length)):
        lines.append(json.dumps({"id": f"made|{row}", "text": text}) + "\n")
        groups.append(group)
    whole = folder / "texts.jsonl"
    whole.write_text("".join(lines))
    parts = []
    for part in range(FILES):
        parts.append(folder / f"part-{part}.jsonl")
        parts[-1].write_text("".join(lines[part * rows // FILES:(part + 1) * rows // FILES]))
    return whole, parts, groups


def with_datatrove(python, whole, folder):
    removed = folder / "datatrove.txt"
    command = [python, PEERS / "remove_rows.py", "datatrove", whole, removed, "--threads", "2"]
    command += ["--length", str(WIDTH), "--threshold", str(THRESHOLD)]
    with open(folder / "datatrove.log", "wb") as log:
        subprocess.run(command, check=True, stdout=log, stderr=log, cwd=PEERS)
    return removed.read_text().split()


def with_program(program, parts, folder):
    shutil.rmtree(folder / "program", ignore_errors=True)
    arguments = ["--threads", "2", "--no-report", "--no-records", "--no-evidence", "--no-paragraphs", "--quiet"]
    command = [program, "dedup", *parts, "--out", folder / "program", "--algorithm", ALGORITHM, *arguments]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return removed_of(folder / "program")


def with_spark(parts, folder):
    for name in ("work", "spark"):
        shutil.rmtree(folder / name, ignore_errors=True)
    began = time.monotonic()
    spark = start_spark()
    started = time.monotonic() - began
    run = {"work": str(folder / "work"), "out": str(folder / "spark"), "partitions": PARTITIONS}
    result = dedup_files(spark, [str(part) for part in parts], algorithm=ALGORITHM, paragraphs=False, **run)
    spark.stop()
    return removed_of(folder / "spark"), result.metrics, started


def removed_of(folder):
    return [json.loads(line)["id"] for line in (folder / "removed.jsonl").read_text().splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("python", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--length", type=int, default=8, help="of the texts, in 500 characters")
    parser.add_argument("--repeat", type=int, default=1)
    given = parser.parse_args()
    folder = given.work.resolve()
    whole, parts, groups = write_texts(folder, given.rows, given.length)
    seconds = {"datatrove": [], "program": [], "spark": []}
    removed = {}

    def timed(name, run):
        began = time.monotonic()
        removed[name] = run()
        seconds[name].append(time.monotonic() - began)

    metrics = {}
    starts = []

    def on_spark():
        found, measured, started = with_spark(parts, folder)
        metrics.update(measured)
        starts.append(started)
        return found

    for _ in range(given.repeat):
        timed("datatrove", lambda: with_datatrove(given.python.absolute(), whole, folder))
        timed("program", lambda: with_program(given.program.resolve(), parts, folder))
        timed("spark", on_spark)
    equal = all((folder / "program" / name).read_bytes() == (folder / "spark" / name).read_bytes() for name in TABLES)
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    figures = {
        name: {
            "seconds": round(medians[name], 2),
            "rows_a_second": round(given.rows / medians[name], 1),
            "f1": round(scores({int(row.partition("|")[2]) for row in removed[name]}, groups)[2], 4),
        }
        for name in medians
    }
    stages = {name: stage["seconds"] for name, stage in metrics["stages"].items()}
    print(
        json.dumps(
            {
                "rows": given.rows,
                "tables_equal": equal,
                **figures,
                "spark_start_seconds": round(statistics.median(starts), 2),
                "spark_times_datatrove": round(medians["datatrove"] / medians["spark"], 2),
                "started_spark_times_datatrove": round(
                    medians["datatrove"] / (medians["spark"] - statistics.median(starts)), 2
                ),
                "shuffled_bytes_a_row": round(metrics["shuffle_bytes"] / given.rows, 1),
                "spark_stages": stages,
            },
            indent=2,
        )
    )
    sys.exit(0 if equal else 1)


if __name__ == "__main__":
    main()
