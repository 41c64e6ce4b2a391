"""The application: `python -m paraprint.spark`, or this file for spark-submit.

An INPUT is an archive (WARC, ARC, WET, HAR, JSON lines, HTML), a folder of archives, or with --parquet a Parquet data
set with the columns named by --id-field, --html-field etc. Options not listed first are those of `paraprint dedup`.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from paraprint import Error
from paraprint.spark import DedupResult, dedup, dedup_files
from paraprint.stages.arguments import add_options, options_of
from paraprint.table_command import printable


def parse(arguments: list[str]) -> tuple[argparse.Namespace, dict[str, Any]]:
    """Returns the arguments of this application, and the options of `paraprint dedup` by keyword."""
    parser = argparse.ArgumentParser(prog="python -m paraprint.spark", description=__doc__)
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="files, folders or URIs, readable on every machine")
    parser.add_argument("--work", required=True, help="folder or URI for the stages, accessible to every machine")
    parser.add_argument("--out", required=True, help="folder or URI of the output")
    parser.add_argument("--resume", action="store_true", help="reuse the completed stages in --work")
    parser.add_argument("--partitions", type=int, help="tasks per stage (default: Spark's parallelism)")
    parser.add_argument("--known", metavar="FOLDER",
                        help="folder or URI of the pages of earlier runs: remove what they had, add what stays; made "
                             "by the first run")
    parser.add_argument("--parquet", action="store_true", help="the inputs are Parquet")
    parser.add_argument("--on-error", choices=("raise", "skip"), default="raise", help="Parquet: rows without a page")
    add_options(parser)
    parsed = parser.parse_args(arguments)
    return parsed, options_of(parsed)


def run(spark: SparkSession, parsed: argparse.Namespace, options: dict[str, Any]) -> DedupResult:
    shared = {"work": parsed.work, "out": parsed.out, "resume": parsed.resume, "partitions": parsed.partitions,
              "known": parsed.known}
    if parsed.parquet:
        return dedup(spark.read.parquet(*parsed.inputs), on_error=parsed.on_error, **shared, **options)
    return dedup_files(spark, parsed.inputs, **shared, **options)


def main(arguments: list[str]) -> int:
    parsed, options = parse(arguments)
    return report(SparkSession.builder.appName("paraprint dedup").getOrCreate(), parsed, options)


def report(spark: SparkSession, parsed: argparse.Namespace, options: dict[str, Any]) -> int:
    """Runs, prints the result, ends the session; returns the exit code."""
    try:
        result = run(spark, parsed, options)
    except (Error, OSError) as error:
        print(f"paraprint.spark: {printable(str(error))}", file=sys.stderr)
        return 1
    except PySparkException as error:  # an unreadable Parquet input
        print(f"paraprint.spark: {printable(str(error).partition(chr(10))[0])}", file=sys.stderr)
        return 1
    finally:
        spark.stop()
    print(
        f"{result.pages} pages: {result.kept} kept, {result.removed} removed, {result.clusters_of_copies} clusters; "
        f"{result.metrics['shuffle_bytes']} bytes shuffled; {printable(str(result.folder))}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
