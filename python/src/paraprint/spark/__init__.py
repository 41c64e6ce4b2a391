"""Deduplication on Apache Spark: `dedup()` for DataFrames, `dedup_files()` for WARC and other archives.

Executors and driver need this package, pyarrow, and a work folder that all of them can access. docs/spark.md describes
use, sizing and the stages; `python -m paraprint.spark --help` the application for spark-submit.
"""

from .application import DedupResult, dedup, dedup_files

__all__ = ["DedupResult", "dedup", "dedup_files"]
