#!/usr/bin/env python3
"""Run the same crawl through Spark with two single-core executors and through the program with two threads.

usage: bench/spark_scale.py PROGRAM WORK_FOLDER INPUT...
Needs the package with PySpark (source build/python-venv/bin/activate after `make python`). Both write tables only.
Prints JSON: pages per second of both, their ratio, processor seconds of both, which a busy machine changes less,
seconds and shuffled bytes per page by stage, the most memory of the driver's two processes, and whether the tables are
identical. Starting Java and the first task is not part of Spark's time.
"""
import collections
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

from pyspark.sql import SparkSession

from paraprint.spark import dedup_files

TABLES = ("clusters.tsv", "matches.tsv", "removed.jsonl")
# Java only schedules tasks, so briefly that its second compiler and parallel collector cost more than they save.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# Shuffle partitions: one per core (docs/spark.md); each additional task costs 0.1 seconds.
PARTITIONS = 2


def run_program(program, folder, inputs):
    began, processor = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    arguments = ["--threads", "2", "--restart", "--no-report", "--no-records", "--no-evidence"]
    subprocess.run([program, "dedup", *inputs, "--out", folder, *arguments], check=True, stderr=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor_seconds = used.ru_utime + used.ru_stime - processor.ru_utime - processor.ru_stime
    return time.monotonic() - began, round(processor_seconds, 1)


def spark_processor_seconds(spark):
    """Of the processes of Spark so far, by their kind; those of ended ones are with their parents."""
    tick = os.sysconf("SC_CLK_TCK")
    facts = {}  # name, parent, seconds by process
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(")")
        except OSError:  # it has ended
            continue
        fields = rest.split()
        facts[int(folder.name)] = (name, int(fields[1]), sum(map(int, fields[11:15])) / tick)
    driver = spark.sparkContext._gateway.proc.pid
    seconds = collections.Counter()
    for process, (name, _, used) in facts.items():
        above = process
        while above != driver and above in facts:
            above = facts[above][1]
        if above == driver:
            kind = "executors, Java" if name == "java" else "tasks, Python"
            seconds["driver, Java" if process == driver else kind] += used
    own = resource.getrusage(resource.RUSAGE_SELF)
    seconds["driver, Python"] = own.ru_utime + own.ru_stime
    return seconds


def start_spark():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (
        SparkSession.builder.master("local-cluster[2,1,2048]")
        .appName("paraprint scale")
        .config("spark.ui.enabled", "false")
        .config("spark.executor.memory", "2g")
        .config("spark.driver.extraJavaOptions", JAVA_OPTIONS)
        .config("spark.executor.extraJavaOptions", JAVA_OPTIONS)
        .config("spark.executorEnv.PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    spark.range(0, 1000, 1, 4).count()
    return spark


def driver_peaks(spark):
    """The most memory of the driver's processes, in bytes; Java's heap grows before it is full."""
    status = pathlib.Path(f"/proc/{spark.sparkContext._gateway.proc.pid}/status").read_text()
    java = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
    return {"python": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, "java": java * 1024}


def main():
    program, work, *inputs = sys.argv[1:]
    inputs = [os.path.abspath(path) for path in inputs]
    work = pathlib.Path(work)
    program_seconds, program_processor_seconds = run_program(program, work / "program", inputs)
    spark = start_spark()
    before = spark_processor_seconds(spark)
    began = time.monotonic()
    result = dedup_files(spark, inputs, work=str(work / "work"), out=str(work / "spark"), partitions=PARTITIONS)
    spark_seconds = time.monotonic() - began
    processor_seconds = {name: used - before[name] for name, used in spark_processor_seconds(spark).items()}
    peaks = driver_peaks(spark)
    spark.stop()
    equal = all((work / "program" / name).read_bytes() == (work / "spark" / name).read_bytes() for name in TABLES)
    stages = {
        name: {
            "seconds": stage["seconds"],
            "shuffled_bytes_a_page": round(stage.get("shuffle_write_bytes", 0) / result.pages, 1),
        }
        for name, stage in result.metrics["stages"].items()
    }
    print(
        json.dumps(
            {
                "pages": result.pages,
                "removed": result.removed,
                "tables_equal": equal,
                "program_pages_a_second": round(result.pages / program_seconds, 1),
                "spark_pages_a_second": round(result.pages / spark_seconds, 1),
                "ratio": round(program_seconds / spark_seconds, 3),
                "program_processor_seconds": program_processor_seconds,
                "spark_processor_seconds": round(sum(processor_seconds.values()), 1),
                **{f"of {name}": round(used, 1) for name, used in sorted(processor_seconds.items())},
                "shuffled_bytes_a_page": round(result.metrics["shuffle_bytes"] / result.pages, 1),
                "driver_peak_bytes": peaks,
                "stages": stages,
            },
            indent=2,
        )
    )
    sys.exit(0 if equal else 1)


if __name__ == "__main__":
    main()
