"""The driver: the order of the stages, and the output."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import time
from typing import Any, Callable

import pyarrow
import pyarrow.compute
import pyarrow.fs
from pyspark import RDD
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from .. import _core
from ..errors import InvalidArgumentError
from ..stages import flow, tasks
from ..stages.storage import array_of, open_file_system, uri_of, write_parquet
from ..stages.tasks import ROW_COLUMN, Task
from . import evidence, failures, records, revisits, words
from .stages import Stages, collected

TABLES = ("clusters.tsv", "matches.tsv", "removed.jsonl")

# Maximum pages of an outcome batch, which is held as one array.
_PAGES_AT_ONCE = 1 << 16

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
    work: str
    spark: SparkSession

    @functools.cached_property
    def survivors(self) -> DataFrame:
        """The surviving rows with all their columns; for archives id, URL, file and position of the records."""
        return self.spark.read.parquet(uri_of(self.folder) + "/survivors")

    @functools.cached_property
    def clusters(self) -> DataFrame:
        """id, cluster, kept and kept_id of every page."""
        return self.spark.read.parquet(uri_of(self.work) + "/outcome").select("id", "cluster", "kept", "kept_id")

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
            work = functools.partial(tasks.profile_files, self.task("profiles"), paths)
            return collected(self.tasks_of(groups).mapPartitions(work))

        def count(task: Task) -> RDD:
            return self.tasks_of(groups).mapPartitions(functools.partial(words.count_files, task, paths))

        counts = words.learn(self, count)
        self.begin_profiles(counts)

        self.stage("profiles", profile)
        self.divide_pages("profiles")
        self.compare(paths)
        outcome = self.write_tables(paths)
        revisits.resolve(self, self.plan, paths, groups)
        records.write(self, self.plan, paths, groups)

        def survive() -> None:
            file_system, root = open_file_system(self.out)
            folder = root + "/survivors"
            if file_system.get_file_info(folder).type == pyarrow.fs.FileType.Directory:
                file_system.delete_dir(folder)
            file_system.create_dir(folder)
            kept = outcome.filter(outcome["kept"])
            write_parquet(file_system, folder, kept.select(["id", "url", "file", "ordinal"]))

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
        self.arrange()
        self.compare([""])
        self.write_tables([""])
        outcome = self.spark.read.parquet(self.work.uri("outcome"))
        removed = outcome.filter("not kept").select(F.col("ordinal").alias(ROW_COLUMN))
        survivors = rows.join(F.broadcast(removed), ROW_COLUMN, "left_anti").drop(ROW_COLUMN)
        return self.result(lambda: survivors.write.mode("overwrite").parquet(uri_of(self.out) + "/survivors"))

    def refuse_skipped_rows(self) -> None:
        skipped = [row for report in self.reports["profiles"] for row in report["skipped"]]
        if skipped:
            raise InvalidArgumentError(f"{min(skipped)[1]}; on_error=\"skip\" leaves such rows out")

    # ------------------------------------------------------------------------------------------------------------------

    def compare(self, inputs: list[str]) -> None:
        """Runs all stages from profiles to clusters."""
        self.count_records()
        self.metrics["pages"] = self.batches.first_pages[-1]
        for job in flow.jobs_of(self.core):
            self.run_job(job)
        self.plan = _core.RunPlan.create(self.core, inputs, self.scratch)
        tasks.fill_plan(self.plan, self.work, self.batches, self.parcels)

    def count_records(self) -> None:
        """Adds up what the profiling tasks read, in the order of the input."""
        reports = sorted(self.reports["profiles"], key=lambda report: report["batches"][:1])
        counters = self.count("profiles")
        if skipped := sum(report["skipped_rows"] for report in reports):
            counters["rows_skipped"] = skipped
        self.metrics["counters"]["reading"] = dict(sorted(counters.items()))
        del self.metrics["counters"]["profiles"]
        self.metrics["broken"] = [broken for report in reports for broken in report["broken"]][:100]

    # ------------------------------------------------------------------------------------------------------------------

    def write_tables(self, paths: list[str]) -> pyarrow.Table:
        """Writes the tables to the output folder; returns the outcome of every page, also stored as a stage."""
        file_system, root = open_file_system(self.out)
        file_system.create_dir(root, recursive=True)
        self.plan.write_tables(self.scratch)
        for name in TABLES:
            pyarrow.fs.copy_files(
                os.path.join(self.scratch, name), root + "/" + name, destination_filesystem=file_system
            )
        evidence.write(self, self.plan)
        rows = pyarrow.Table.from_batches(map(pyarrow.record_batch, self.plan.page_batches(_PAGES_AT_ONCE)))
        files = pyarrow.concat_arrays([array_of(path, pyarrow.string()) for path in [*paths, ""]])  # must not be empty
        columns = {
            "file": pyarrow.compute.take(files, rows["file_index"]),
            "ordinal": rows["ordinal"],
            "kept": pyarrow.compute.cast(rows["kept"], pyarrow.bool_()),
            **{name: rows[name] for name in ("cluster", "id", "url", "kept_id")},
        }
        outcome = pyarrow.Table.from_arrays(list(columns.values()), list(columns))
        self.metrics["kept"] = pyarrow.compute.sum(outcome["kept"]).as_py() or 0
        sizes = pyarrow.compute.value_counts(outcome["cluster"]).field("counts")
        one = array_of(1, pyarrow.int64())[0]
        self.metrics["clusters"] = pyarrow.compute.sum(pyarrow.compute.greater(sizes, one)).as_py() or 0
        self.work.write_table("outcome", outcome)
        return outcome

    def result(self, survive: Callable[[], None]) -> DedupResult:
        began = time.monotonic()
        with failures.named("survivors"):
            survive()
        self.metrics["stages"]["survivors"] = {"seconds": round(time.monotonic() - began, 3)}
        self.metrics["shuffle_bytes"] = sum(
            stage.get("shuffle_write_bytes", 0) for stage in self.metrics["stages"].values()
        )
        self.work.write_json("metrics.json", self.metrics)
        pages, kept = self.metrics["pages"], self.metrics["kept"]
        return DedupResult(
            pages,
            kept,
            pages - kept,
            self.metrics["clusters"],
            self.out,
            self.metrics,
            self.work.path,
            self.spark,
        )


def file_groups(paths: list[str], partitions: int) -> list[list[int]]:
    """The files of each profiling task, as indices into the list. The largest come first, and groups shrink with the
    remaining bytes, so that all executors finish at about the same time. Small files share a task, because starting
    one takes time."""
    sizes = []
    for path in paths:
        file_system, inner = open_file_system(path)
        sizes.append(file_system.get_file_info(inner).size or 0)
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
