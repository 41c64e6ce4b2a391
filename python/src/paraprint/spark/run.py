"""The driver: the order of the stages, and the output."""

from __future__ import annotations

import collections
import dataclasses
import functools
import json
import time
from typing import Any, Callable

from pyspark import RDD
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from .. import _core
from ..errors import InvalidArgumentError
from ..stages import flow, tables, tasks
from ..stages.output_folder import METRICS
from ..stages.ranges import file_of
from ..stages.reports import records_read
from ..stages.storage import uri_of
from ..stages.tasks import ROW_COLUMN, Task
from . import failures, records, revisits, words
from .stages import Stages, collected
from .workers import without_rescans

# More removed rows are not sent to all tasks, 8 bytes each.
_BROADCAST_ROWS = 8 << 20
_CLUSTERS_SCHEMA = "id string, cluster bigint, kept boolean, kept_id string"

# Small inputs share a task up to this size.
_BYTES_OF_A_TASK = 64 << 20


@dataclasses.dataclass
class DedupResult:
    """The result of a run. `pages`, `kept` and `removed` count pages. `survivors` and `clusters` are DataFrames over
    the output and the work folder, which must exist while they are used."""

    pages: int
    kept: int
    removed: int
    clusters_of_copies: int
    folder: str
    metrics: dict[str, Any]
    outcome: list[str]  # URIs of Parquet files in the work folder
    spark: SparkSession

    @functools.cached_property
    def survivors(self) -> DataFrame:
        """The surviving rows with all their columns; for archives id, URL, file and position of the records."""
        return self.spark.read.parquet(uri_of(self.folder) + "/survivors")

    @functools.cached_property
    def clusters(self) -> DataFrame:
        """id, cluster, kept and kept_id of every page."""
        if not self.outcome:
            return self.spark.createDataFrame([], _CLUSTERS_SCHEMA)
        return self.spark.read.parquet(*self.outcome).select("id", "cluster", "kept", "kept_id")

    def __repr__(self) -> str:
        return (
            f"DedupResult({self.pages} pages: {self.kept} kept, {self.removed} removed in "
            f"{self.clusters_of_copies} clusters; {self.folder})"
        )


class Run(Stages):
    """One run: the stages in their order."""

    def dedup_paths(self, paths: list[str]) -> DedupResult:
        groups = file_groups(paths, self.partitions)

        def profile() -> list[dict[str, Any]]:
            work = without_rescans(functools.partial(tasks.profile_files, self.task("profiles"), paths))
            return collected(self.tasks_of(groups).mapPartitions(work))

        def count(task: Task) -> RDD:
            return self.tasks_of(groups).mapPartitions(functools.partial(words.count_files, task, paths))

        counts = words.learn(self, count)
        self.begin_profiles(counts)

        self.stage("profiles", profile)
        self.divide_ids()
        self.divide_pages("profiles")
        plan = _core.RecordsPlan.create(self.core, paths, self.scratch)
        revisits.resolve(self, plan, paths, groups)
        self.compare(paths)
        self.write_tables()
        revisits.write(self, plan)
        records.write(self, plan, paths, groups)

        def survive() -> None:
            tables.write_survivors(self.work, tables.files_of(self.listed, tables.SURVIVORS), self.out)

        return self.result(survive)

    def dedup_table(self, df: DataFrame, columns: dict[str, str], is_raising: bool) -> DedupResult:
        # The numbered rows are stored, because a repeated task must see the same numbers.
        self.store("input", lambda: df.withColumn(ROW_COLUMN, F.monotonically_increasing_id()))
        rows = self.spark.read.parquet(self.work.uri("input"))

        fields = [
            F.col(name) if use in ("html", "text") else F.col(name).cast("string").alias(name)
            for use, name in columns.items()
        ]

        def count(task: Task) -> RDD:
            counted = rows.select(*fields).mapInArrow(words.count_rows(task, columns), tasks.PARCELS_SCHEMA)
            return counted.rdd.map(tasks.parcel_of_row)

        def profile() -> list[dict[str, Any]]:
            work = tasks.profile_rows(self.task("profiles"), columns)
            reports = rows.select(ROW_COLUMN, *fields).mapInArrow(work, tasks.REPORTS_SCHEMA)
            return [json.loads(row.report) for row in reports.collect()]

        self.begin_profiles(words.learn(self, count))
        self.stage("profiles", profile)
        if is_raising:
            self.refuse_skipped_rows()
        self.divide_ids()
        self.arrange()
        self.compare([""])
        self.write_tables()
        survivors = rows
        if self.outcome:
            outcome = self.spark.read.parquet(*self.outcome)
            removed = outcome.filter("not kept").select(F.col("ordinal").alias(ROW_COLUMN))
            if self.metrics["pages"] - self.metrics["kept"] <= _BROADCAST_ROWS:
                removed = F.broadcast(removed)
            survivors = rows.join(removed, ROW_COLUMN, "left_anti")
        survivors = survivors.drop(ROW_COLUMN)
        return self.result(lambda: survivors.write.mode("overwrite").parquet(uri_of(self.out) + "/survivors"))

    def refuse_skipped_rows(self) -> None:
        skipped = [row for report in self.reports["profiles"] for row in report["skipped"]]
        if skipped:
            raise InvalidArgumentError(f"{min(skipped)[1]}; on_error=\"skip\" leaves such rows out")

    # ------------------------------------------------------------------------------------------------------------------

    def compare(self, inputs: list[str]) -> None:
        """Runs all stages after the profiles."""
        self.count_records()
        self.metrics["pages"] = self.batches.first_pages[-1]
        self.share("inputs", inputs)
        for kind in tables.FOLDERS:
            self.work.create(kind)
        for job in flow.jobs_of(self.core, self.compares_known):
            self.run_job(job)
            self.last_job = job.name

    def count_records(self) -> None:
        """Adds up what the profiling tasks read."""
        self.metrics["counters"]["reading"], self.metrics["broken"] = records_read(self.reports["profiles"])

    # ------------------------------------------------------------------------------------------------------------------

    @property
    def listed(self) -> list[dict[str, Any]]:
        """The reports of the job that made the tables."""
        return self.reports[self.last_job]

    @property
    def outcome(self) -> list[str]:
        return [f"{self.work.uri(tables.OUTCOME)}/{file}" for file in tables.files_of(self.listed, tables.OUTCOME)]

    def write_tables(self) -> None:
        """Writes the tables to the output folder."""
        self.check_claim()
        tables.write_all(self.out, self.core.has_evidence, functools.partial(tables.parts_of, self.work, self.listed))
        counters = self.metrics["counters"][self.last_job]
        self.metrics["kept"] = counters.get("pages_kept", 0)
        self.metrics["clusters"] = counters.get("clusters_of_copies", 0)

    def result(self, survive: Callable[[], None]) -> DedupResult:
        began = time.monotonic()
        with failures.named("survivors"):
            survive()
        self.complete_output()
        with failures.named("known"):
            self.remember()
        self.metrics["stages"]["survivors"] = {"seconds": round(time.monotonic() - began, 3)}
        self.metrics["shuffle_bytes"] = sum(
            stage.get("shuffle_write_bytes", 0) for stage in self.metrics["stages"].values()
        )
        self.work.write_json(METRICS, self.metrics, has_checksum=False)
        pages, kept = self.metrics["pages"], self.metrics["kept"]
        return DedupResult(
            pages,
            kept,
            pages - kept,
            self.metrics["clusters"],
            self.out,
            self.metrics,
            self.outcome,
            self.spark,
        )


def file_groups(paths: list[str], partitions: int) -> list[list[int]]:
    """The files of each profiling task, as indices into the list. The largest come first, and groups shrink with the
    remaining bytes, so that all executors finish at about the same time. Small files share a task, because starting
    one takes time."""
    files = [file_of(path) for path in paths]
    inputs_of = collections.Counter(file for file, *_ in files)
    sizes = [(info.size or 0) // inputs_of[file] for file, _, info in files]
    left = sum(sizes)
    groups: list[list[int]] = []
    goal = size = 0
    for index in sorted(range(len(paths)), key=lambda index: -sizes[index]):
        if not groups or size + sizes[index] > goal:
            goal = min(_BYTES_OF_A_TASK, left // (2 * partitions))
            groups.append([])
            size = 0
        groups[-1].append(index)
        size += sizes[index]
        left -= sizes[index]
    return groups
