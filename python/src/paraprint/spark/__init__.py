"""Deduplication on Apache Spark: `dedup()` for DataFrames, `dedup_files()` for WARC and other archives.

Executors and driver need this package and pyarrow, and a work folder that all of them reach. docs/spark.md has use,
sizing and the algorithm; `python -m paraprint.spark --help` the application for spark-submit.
"""

from .application import DedupResult, dedup, dedup_files

__all__ = ["DedupResult", "dedup", "dedup_files"]
