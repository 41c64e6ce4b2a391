"""What the stages of a run share: settings, checkpoints in the work folder, metrics, parcels as DataFrames."""

from __future__ import annotations

import collections
import contextlib
import json
import time
from typing import Any, Callable, Iterator

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from .. import _core
from ..errors import InvalidArgumentError
from . import tasks
from .storage import WorkFolder
from .tasks import COUNTERS, PAGES_SCHEMA, PARCELS_SCHEMA, Task

STAGES = ("input", "words", "profiles", "paragraphs", "keys", "near", "matches", "components", "clusters", "outcome")

# Rows of tables and batches of pages are large: so few travel to Python at once.
_SETTINGS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "128",
    "spark.sql.parquet.columnarReaderBatchSize": "128",
}


class Stages:
    """A run over one work folder. Each stage is skipped where a resumed run finds it complete."""

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
        self.words: Any = None
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

    def begin_profiles(self, words: bytes) -> None:
        """Profiles are made with one set of word weights: `words` is the table of learnt ones, or empty."""
        settings = self.core.settings_identity(words)
        self.metrics["settings_identity"] = settings
        stored = self.work.read_json("settings.json") if self.is_resumed else None
        if stored not in (None, settings):
            raise InvalidArgumentError(
                f"{self.work.path}: holds profiles made with other word weights: the pages have changed; do not resume"
            )
        self.work.write_json("settings.json", settings)
        self.words = self.spark.sparkContext.broadcast(words)

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
            self.words,
        )

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
