"""The driver: the order of the stages, their checkpoints and metrics, and the output."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import json
import os
import time
from typing import Any, Callable, Iterator, Sequence

import pyarrow
import pyarrow.fs
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from .. import _core
from ..errors import InvalidArgumentError
from . import tasks
from .storage import WorkFolder, open_file_system, uri_of
from .tasks import COUNTERS, PAGES_SCHEMA, PARCELS_SCHEMA, ROW_COLUMN, Task

TABLES = ("clusters.tsv", "matches.tsv", "removed.jsonl")
STAGES = ("input", "profiles", "paragraphs", "keys", "near", "matches", "components", "clusters", "outcome")

# Rows of tables and batches of pages are large: so few travel to Python at once.
_SETTINGS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "128",
    "spark.sql.parquet.columnarReaderBatchSize": "128",
}


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


def dedup(
    df: DataFrame,
    *,
    work: str,
    out: str,
    resume: bool = False,
    partitions: int | None = None,
    on_error: str = "raise",
    content_type_field: str = "",
    **options: Any,
) -> DedupResult:
    """Removes near-duplicate rows. The columns are named as for tables elsewhere: `id_field`, `html_field`,
    `text_field`, `url_field`, `date_field`; all other options are those of `paraprint dedup`, with `_` for `-`.

    `out` receives clusters.tsv, matches.tsv, removed.jsonl and the surviving rows with all their columns as Parquet in
    `survivors`. `work` is a folder that every machine reaches; with `resume=True` a run goes on with the stages that
    are complete there. Rows have no order: where the policy asks for one, it is that of their ids.

    A row without id, or without HTML and text, is an exception, or with `on_error="skip"` no page: it survives.
    """
    if on_error not in ("raise", "skip"):
        raise InvalidArgumentError(f"on_error is '{on_error}'; it must be one of raise, skip")
    run = _Run(df.sparkSession, options, work, out, resume, partitions)
    columns = _page_columns(df, run.core, options, content_type_field)
    with run.settings():
        run.begin("table " + ", ".join(f"{use}={name}" for use, name in sorted(columns.items())))
        return run.dedup_table(df, columns, on_error == "raise")


def dedup_files(
    spark: SparkSession,
    inputs: Sequence[str],
    *,
    work: str,
    out: str,
    resume: bool = False,
    partitions: int | None = None,
    **options: Any,
) -> DedupResult:
    """Removes near-duplicate pages of archives (WARC, ARC, WET, JSON lines, HTML): files and folders that every machine
    reaches under the same path, or URIs that pyarrow reads (hdfs, s3, gs), a file a task.

    `out` receives clusters.tsv, matches.tsv and removed.jsonl with the bytes that `paraprint dedup` writes for the same
    inputs, and id, URL and place of the surviving records as Parquet in `survivors`.
    """
    run = _Run(spark, options, work, out, resume, partitions)
    paths = _input_paths(inputs, options)
    with run.settings():
        run.begin("files " + "\n".join(paths))
        return run.dedup_paths(paths)


def _page_columns(df: DataFrame, core: Any, options: dict[str, Any], content_type_field: str) -> dict[str, str]:
    names = core.row_fields()
    if content_type_field:
        names["content_type"] = content_type_field
    columns = {use: name for use, name in names.items() if name in df.columns}
    listed = ", ".join(df.columns)
    if "id" not in columns:
        raise InvalidArgumentError(f"there is no column '{names['id']}' for ids; the columns are {listed}")
    if "html" not in columns and "text" not in columns:
        raise InvalidArgumentError(
            f"there is no column '{names['html']}' or '{names['text']}'; the columns are {listed}"
        )
    if content_type_field and "content_type" not in columns:
        raise InvalidArgumentError(f"there is no column '{content_type_field}'; the columns are {listed}")
    types = dict(df.dtypes)
    for use in ("html", "text", "content_type", "url"):
        if use in columns and types[columns[use]] not in ("string", "binary"):
            raise InvalidArgumentError(
                f"column '{columns[use]}' is {types[columns[use]]}; it must be string or binary"
            )
    return columns


def _input_paths(inputs: Sequence[str], options: dict[str, Any]) -> list[str]:
    """The inputs in the order of a run: by the bytes of their paths."""
    local = [path for path in inputs if "://" not in path]
    paths = _core.DividedOptions.create(local, options).list_inputs() if local else []
    for uri in (path for path in inputs if "://" in path):
        file_system, inner = open_file_system(uri)
        info = file_system.get_file_info(inner)
        if info.type == pyarrow.fs.FileType.NotFound:
            raise FileNotFoundError(f"{uri}: there is no such file or folder")
        if info.is_file:
            paths.append(uri)
            continue
        for found in file_system.get_file_info(pyarrow.fs.FileSelector(inner, recursive=True)):
            if found.is_file and not found.base_name.startswith(("_", ".")):
                paths.append(uri.rstrip("/") + found.path[len(inner.rstrip("/")) :])
    return sorted(set(paths), key=os.fsencode)


class _Run:
    """One run: what its stages share. Each stage is skipped where a resumed run finds it complete."""

    def __init__(
        self,
        spark: SparkSession,
        options: dict[str, Any],
        work: str,
        out: str,
        resume: bool,
        partitions: int | None,
    ) -> None:
        self.spark = spark
        self.options = options
        self.core = _core.DividedOptions.create([], options)
        self.work = WorkFolder(work)
        self.out = out
        self.is_resumed = resume
        self.partitions = partitions or max(2, spark.sparkContext.defaultParallelism)
        self.slots = tasks.slots_of(self.partitions)
        self.metrics: dict[str, Any] = {"stages": {}, "counters": {}}
        self.scratch = ""
        self.first_positions: Any = None
        self.tables: Any = None
        self.boilerplate = b""

    @contextlib.contextmanager
    def settings(self) -> Iterator[None]:
        """Spark's settings and scratch space of the driver for the time of the run."""
        before = {name: self.spark.conf.get(name, None) for name in _SETTINGS}
        for name, value in _SETTINGS.items():
            self.spark.conf.set(name, value)
        try:
            with tasks.temporary_folder() as self.scratch:
                yield
        finally:
            for name, value in before.items():
                self.spark.conf.unset(name) if value is None else self.spark.conf.set(name, value)

    def begin(self, source: str) -> None:
        """A work folder belongs to one source, one set of options and one number of partitions."""
        identity = {"options": self.core.identity(), "source": source, "partitions": self.partitions}
        if self.is_resumed and (stored := self.work.read_json("identity.json")) not in (None, identity):
            differing = sorted(name for name in identity if stored.get(name) != identity[name])
            raise InvalidArgumentError(
                f"{self.work.path}: holds a run with other {', '.join(differing)}; choose another work folder, or do "
                "not resume"
            )
        if not self.is_resumed:
            if self.work.read_json("identity.json") is None and not self.work.is_empty():
                raise InvalidArgumentError(f"{self.work.path}: holds files that are no run's; choose another folder")
            for stage in STAGES:
                self.work.remove(stage)
        self.work.write_json("identity.json", identity)

    def stage(self, name: str, make: Callable[[], DataFrame], by_kind: bool = False) -> None:
        """Runs a stage into the work folder, by Spark's own commit, and notes what it cost."""
        if self.is_resumed and self.work.is_complete(name):
            self.metrics["stages"][name] = {"resumed": True}
            return
        began = time.monotonic()
        context = self.spark.sparkContext
        group = f"paraprint-{name}-{time.time_ns()}"
        context.setJobGroup(group, f"paraprint: {name}")
        writer = make().write.mode("overwrite")
        (writer.partitionBy("kind") if by_kind else writer).parquet(self.work.uri(name))
        self.metrics["stages"][name] = {"seconds": round(time.monotonic() - began, 3), **_shuffled(context, group)}

    def task(self, stage: str, shares: int = 1) -> Task:
        return Task(
            stage,
            self.options,
            self.work.path,
            self.partitions,
            self.slots,
            self.tables,
            self.boilerplate,
            self.first_positions,
            shares,
        )

    # ------------------------------------------------------------------------------------------------------------------

    def dedup_paths(self, paths: list[str]) -> DedupResult:
        task = Task("profiles", self.options, self.work.path, self.partitions, self.slots)

        def profile() -> DataFrame:
            inputs = self.spark.range(0, len(paths), 1, max(1, len(paths)))
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
        task = Task("profiles", self.options, self.work.path, self.partitions, self.slots)

        def profile() -> DataFrame:
            fields = [
                F.col(name) if use in ("html", "text") else F.col(name).cast("string").alias(name)
                for use, name in columns.items()
            ]
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

    # ------------------------------------------------------------------------------------------------------------------

    def pages_frame(self) -> DataFrame:
        return self.spark.read.schema(PAGES_SCHEMA).parquet(self.work.uri("profiles"))

    def kind_frame(self, stage: str, kind: str) -> DataFrame:
        """The parcels of a kind; none where no task gave any."""
        if not self.work.part_files(f"{stage}/kind={kind}"):
            return self.spark.createDataFrame([], PARCELS_SCHEMA)
        return self.spark.read.schema(PARCELS_SCHEMA).parquet(self.work.uri(stage)).filter(F.col("kind") == kind)

    def to_partitions(self, frame: DataFrame) -> DataFrame:
        return frame.filter(F.col("kind") != COUNTERS).repartition(self.partitions, "slot")

    def parcels(self, stage: str) -> Iterator[tuple[str, bytes]]:
        for batch in self.work.batches(stage, ["kind", "payload"], 64):
            for kind, payload in zip(batch.column(0).to_pylist(), batch.column(1)):
                yield kind, payload.as_py()

    def count(self, name: str, folder: str) -> None:
        """Sums the counters of a stage's tasks."""
        sums: collections.Counter[str] = collections.Counter()
        has_kinds = "kind=" in folder
        for batch in self.work.batches(folder, ["payload"] if has_kinds else ["payload", "kind"], 64):
            kinds = [COUNTERS] * batch.num_rows if has_kinds else batch.column(1).to_pylist()
            for kind, payload in zip(kinds, batch.column(0)):
                if kind == COUNTERS:
                    sums.update(json.loads(payload.as_py()))
        self.metrics["counters"][name] = dict(sorted(sums.items()))

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


def _shuffled(context: Any, group: str) -> dict[str, int]:
    """What the jobs of a group wrote for and read from shuffles, as Spark's own status says."""
    written = 0
    store = context._jsc.sc().statusStore()
    tracker = context.statusTracker()
    for job_id in tracker.getJobIdsForGroup(group):
        job = tracker.getJobInfo(job_id)
        for stage_id in job.stageIds if job else ():
            with contextlib.suppress(Exception):  # a stage that was skipped has no attempt
                written += store.lastStageAttempt(stage_id).shuffleWriteBytes()
    return {"shuffle_write_bytes": written}
