"""The driver: the order of the stages, and the output."""

from __future__ import annotations

import collections
import dataclasses
import json
import os
import time
from typing import Any

import pyarrow
import pyarrow.fs
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .. import _core
from ..errors import InvalidArgumentError
from . import tasks, words
from .stages import Stages
from .storage import open_file_system, uri_of
from .tasks import COUNTERS, PAGES_SCHEMA, PARCELS_SCHEMA, ROW_COLUMN

TABLES = ("clusters.tsv", "matches.tsv", "removed.jsonl")


@dataclasses.dataclass
class DedupResult:
    """What a run gave. `pages`, `kept`, `removed` count pages; `survivors` and `clusters` are DataFrames over the work
    folder, which they need as long as they are used."""

    pages: int
    kept: int
    removed: int
    clusters_of_copies: int
    folder: str
    survivors: DataFrame
    clusters: DataFrame
    metrics: dict[str, Any]

    def __repr__(self) -> str:
        return (
            f"DedupResult({self.pages} pages: {self.kept} kept, {self.removed} removed in "
            f"{self.clusters_of_copies} clusters; {self.folder})"
        )


class Run(Stages):
    """One run: its stages in their order."""

    def dedup_paths(self, paths: list[str]) -> DedupResult:
        inputs = self.spark.range(0, len(paths), 1, max(1, len(paths)))
        counts = words.learn(self, lambda task: inputs.mapInArrow(words.count_files(task, paths), PARCELS_SCHEMA))
        self.begin_profiles(counts)
        task = self.task("profiles")

        def profile() -> DataFrame:
            return inputs.mapInArrow(tasks.profile_files(task, paths), PAGES_SCHEMA)

        self.stage("profiles", profile)
        plan = self.compare(paths, by_id=False)
        outcome = self.write_tables(plan, paths)
        survivors = outcome.filter("kept").select("id", "url", "file", "ordinal")
        return self.result(outcome, survivors)

    def dedup_table(self, df: DataFrame, columns: dict[str, str], is_raising: bool) -> DedupResult:
        # Rows are numbered once and for all: a task that runs again must see the same ones.
        self.stage("input", lambda: df.withColumn(ROW_COLUMN, F.monotonically_increasing_id()))
        rows = self.spark.read.parquet(self.work.uri("input"))
        fields = [
            F.col(name) if use in ("html", "text") else F.col(name).cast("string").alias(name)
            for use, name in columns.items()
        ]
        pages = rows.select(*fields)
        counts = words.learn(self, lambda task: pages.mapInArrow(words.count_rows(task, columns), PARCELS_SCHEMA))
        self.begin_profiles(counts)
        task = self.task("profiles")

        def profile() -> DataFrame:
            return rows.select(ROW_COLUMN, *fields).mapInArrow(tasks.profile_rows(task, columns), PAGES_SCHEMA)

        self.stage("profiles", profile)
        plan = self.compare([""], by_id=True, raises=columns if is_raising else None)
        outcome = self.write_tables(plan, [""])
        removed = outcome.filter("not kept").select(F.col("ordinal").alias(ROW_COLUMN))
        survivors = rows.join(F.broadcast(removed), ROW_COLUMN, "left_anti").drop(ROW_COLUMN)
        return self.result(outcome, survivors)

    # ------------------------------------------------------------------------------------------------------------------

    def compare(self, inputs: list[str], by_id: bool, raises: dict[str, str] | None = None) -> Any:
        """Profiles to clusters; the plan that knows them."""
        plan = _core.RunPlan.create(self.core, inputs, self.scratch)
        self.read_facts(plan, raises)
        plan.end_pages(by_id)
        self.metrics["pages"] = plan.pages
        self.tables = self.spark.sparkContext.broadcast(plan.tables())
        self.find_boilerplate()
        self.find_candidates()
        self.verify(plan)
        self.cluster(plan)
        return plan

    def read_facts(self, plan: Any, raises: dict[str, str] | None) -> None:
        """Facts in the order of files and batches, whatever file of the stage they are in."""
        keys = []
        counters: collections.Counter[str] = collections.Counter()
        broken: list[str] = []
        for batch in self.work.batches("profiles", ["file_index", "number", "pages", "notes"], 4096):
            for file_index, number, pages, notes in zip(*(column.to_pylist() for column in batch.columns)):
                said = json.loads(notes)
                keys.append((file_index, number, pages))
                counters.update(said["counters"])
                counters["broken_records"] += said["broken_records"]
                broken += said["broken"]
                if said.get("skipped_rows"):
                    counters["rows_skipped"] += said["skipped_rows"]
                    if raises is not None:
                        names = " or ".join(f"'{raises[use]}'" for use in ("id", "html", "text") if use in raises)
                        raise InvalidArgumentError(
                            f"column {names}, row {said['skipped'][0]}: null; on_error=\"skip\" leaves such rows out"
                        )
        positions: dict[tuple[int, int], int] = {}
        position = 0
        for file_index, number, pages in sorted(keys):
            positions[file_index, number] = position
            position += pages
        self.metrics["counters"]["reading"] = dict(sorted(counters.items()))
        self.metrics["broken"] = broken[:100]
        self.first_positions = self.spark.sparkContext.broadcast(positions)
        waiting: dict[int, bytes] = {}
        next_position = 0
        pages_at = {positions[file_index, number]: pages for file_index, number, pages in keys if pages > 0}
        for batch in self.work.batches("profiles", ["file_index", "number", "pages", "facts"], 64):
            for file_index, number, pages, facts in zip(*(column.to_pylist() for column in batch.columns)):
                if pages > 0:
                    waiting[positions[file_index, number]] = facts
            while next_position in waiting:
                plan.add_pages(waiting.pop(next_position))
                next_position += pages_at[next_position]

    def find_boilerplate(self) -> None:
        pages = self.pages_frame()
        task = self.task("paragraphs")
        sums = self.task("boilerplate")

        def find() -> DataFrame:
            sent = self.to_partitions(pages.mapInArrow(tasks.over_pages(task), PARCELS_SCHEMA))
            return sent.mapInArrow(tasks.over_parcels(sums), PARCELS_SCHEMA)

        self.stage("paragraphs", find)
        parts = [payload for kind, payload in self.parcels("paragraphs") if kind == "boilerplate"]
        self.boilerplate = _core.join_boilerplate(parts)

    def find_candidates(self) -> None:
        task = self.task("keys")
        self.stage(
            "keys", lambda: self.pages_frame().mapInArrow(tasks.over_pages(task), PARCELS_SCHEMA), by_kind=True
        )
        self.count("keys", "keys/kind=" + COUNTERS)
        near = self.task("near", self.partitions)
        self.stage(
            "near",
            lambda: self.to_partitions(self.kind_frame("keys", "near")).mapInArrow(
                tasks.over_parcels(near), PARCELS_SCHEMA
            ),
            by_kind=True,
        )
        self.count("near", "near/kind=" + COUNTERS)

    def verify(self, plan: Any) -> None:
        """Exact keys, fingerprints and sketches each give pairs, which are added up where they are verified."""
        different = self.metrics["counters"].get("near", {}).get("simhashes_different", 0)
        tables = self.core.hamming_task_count(different)
        bands = min(42, self.partitions)

        def compare() -> DataFrame:
            frames = [
                self.to_partitions(self.kind_frame("keys", "exact")).mapInArrow(
                    tasks.over_parcels(self.task("exact")), PARCELS_SCHEMA
                ),
                self.kind_frame("near", "pairs"),
            ]
            shared = (("hamming", tables, "near", "groups"), ("sketch", bands, "keys", "sketch"))
            for stage, shares, source, kind in shared:
                if shares > 0:
                    ids = self.spark.range(0, shares, 1, shares)
                    work = tasks.over_shares(self.task(stage, shares), source, kind)
                    frames.append(ids.mapInArrow(work, PARCELS_SCHEMA))
            found = frames[0]
            for frame in frames[1:]:
                found = found.unionByName(frame)
            pairs = self.to_partitions(found.filter(F.col("kind") == "pairs"))
            return pairs.mapInArrow(tasks.over_parcels(self.task("verify"), wants_pages=True), PARCELS_SCHEMA)

        self.stage("matches", compare)
        self.count("matches", "matches")
        for kind, payload in self.parcels("matches"):
            if kind == "matches":
                plan.add_matches(payload)

    def cluster(self, plan: Any) -> None:
        components = plan.plan_clusters(self.partitions)
        rows = [(kind, partition, self.slots[partition], payload) for kind, partition, payload in components]
        columns = zip(*rows) if rows else ([] for _ in tasks.PARCELS)
        arrays = [pyarrow.array(column, field.type) for column, field in zip(columns, tasks.PARCELS)]
        self.work.write_rows("components", pyarrow.table(arrays, schema=tasks.PARCELS))
        task = self.task("cluster")

        def cluster() -> DataFrame:
            sent = self.to_partitions(self.spark.read.schema(PARCELS_SCHEMA).parquet(self.work.uri("components")))
            return sent.mapInArrow(tasks.over_parcels(task, wants_pages=True), PARCELS_SCHEMA)

        self.stage("clusters", cluster)
        self.count("clusters", "clusters")
        for kind, payload in self.parcels("clusters"):
            if kind == "clusters":
                plan.add_clusters(payload)
            elif kind == "extra":
                plan.add_extra_matches(payload)

    def write_tables(self, plan: Any, paths: list[str]) -> DataFrame:
        """The tables in the output folder, and every page's outcome as a DataFrame."""
        file_system, root = open_file_system(self.out)
        file_system.create_dir(root, recursive=True)
        plan.write_tables(self.scratch)
        for name in TABLES:
            pyarrow.fs.copy_files(
                os.path.join(self.scratch, name), root + "/" + name, destination_filesystem=file_system
            )
        files, ordinals, kept, clusters, ids, urls, kept_ids = plan.page_columns()
        names = pyarrow.DictionaryArray.from_arrays(pyarrow.array(files, pyarrow.int32()), paths)
        table = pyarrow.table(
            {
                "file": names.cast("string"),
                "ordinal": pyarrow.array(ordinals, pyarrow.int64()),
                "kept": pyarrow.array(kept, pyarrow.bool_()),
                "cluster": pyarrow.array(clusters, pyarrow.int64()),
                "id": pyarrow.array(ids, pyarrow.string()),
                "url": pyarrow.array(urls, pyarrow.string()),
                "kept_id": pyarrow.array(kept_ids, pyarrow.string()),
            }
        )
        self.metrics["kept"] = sum(kept)
        sizes = collections.Counter(clusters)
        self.metrics["clusters"] = sum(1 for size in sizes.values() if size > 1)
        self.work.write_rows("outcome", table)
        return self.spark.read.parquet(self.work.uri("outcome"))

    def result(self, outcome: DataFrame, survivors: DataFrame) -> DedupResult:
        began = time.monotonic()
        survivors.write.mode("overwrite").parquet(uri_of(self.out) + "/survivors")
        self.metrics["stages"]["survivors"] = {"seconds": round(time.monotonic() - began, 3)}
        self.metrics["shuffle_bytes"] = sum(
            stage.get("shuffle_write_bytes", 0) for stage in self.metrics["stages"].values()
        )
        self.work.write_json("metrics.json", self.metrics)
        pages, kept = self.metrics["pages"], self.metrics["kept"]
        stored = self.spark.read.schema(survivors.schema).parquet(uri_of(self.out) + "/survivors")
        clusters = outcome.select("id", "cluster", "kept", "kept_id")
        return DedupResult(
            pages, kept, pages - kept, self.metrics["clusters"], self.out, stored, clusters, self.metrics
        )
