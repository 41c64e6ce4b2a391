"""What the stages of a run share: settings, checkpoints in the work folder, metrics, parcels on their way."""

from __future__ import annotations

import collections
import contextlib
import functools
import json
import time
from typing import Any, Callable, Iterator

from pyspark import RDD
from pyspark.sql import DataFrame, SparkSession

from .. import _core
from ..errors import InvalidArgumentError
from . import failures, tasks
from .storage import WorkFolder
from .tasks import PagePlace, Task

STAGES = (
    *("input", "words", "profiles", "paragraphs", "keys", "matches", "components", "clusters", "outcome"),
    *("pairs", "evidence", "removed", "records"),
)

# Work folders of another layout are not resumed.
_LAYOUT = 2

# Rows of tables are large: so few travel to Python at once.
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
        self.metrics: dict[str, Any] = {"stages": {}, "counters": {}}
        self.reports: dict[str, list[dict[str, Any]]] = {}
        self.scratch = ""
        self.places: list[PagePlace] = []
        self._shared: dict[str, Any] = {}

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
        identity = {
            "layout": _LAYOUT,
            "options": self.core.identity(),
            "source": source,
            "partitions": self.partitions,
        }
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
        self.share("words", words)

    def _is_done(self, name: str) -> bool:
        if not (self.is_resumed and self.work.is_complete(name)):
            return False
        self.metrics["stages"][name] = {"resumed": True}
        return True

    @contextlib.contextmanager
    def _measured(self, name: str) -> Iterator[None]:
        """Notes what a stage cost, under a name by which Spark's own pages tell its jobs."""
        began = time.monotonic()
        context = self.spark.sparkContext
        group = f"paraprint-{name}-{time.time_ns()}"
        context.setJobGroup(group, f"paraprint: {name}")
        with failures.named(name):
            yield
        self.metrics["stages"][name] = {"seconds": round(time.monotonic() - began, 3), **_shuffled(context, group)}

    def store(self, name: str, make: Callable[[], DataFrame]) -> None:
        """A stage that Spark writes and commits."""
        if not self._is_done(name):
            with self._measured(name):
                make().write.mode("overwrite").parquet(self.work.uri(name))

    def stage(self, name: str, run: Callable[[], list[dict[str, Any]]]) -> None:
        """A stage whose tasks write their files and report; kept in `reports`."""
        if self._is_done(name):
            self.reports[name] = self.work.reports(name)
            return
        with self._measured(name):
            self.work.begin(name)
            self.reports[name] = run()
            self.work.complete(name, self.reports[name])

    # ------------------------------------------------------------------------------------------------------------------

    def share(self, name: str, value: Any) -> None:
        """Sends what is as large as the run to every executor once; tasks have it under this name."""
        self._shared[name] = self.spark.sparkContext.broadcast(value)

    def task(self, stage: str, folder: str = "", **more: Any) -> Task:
        return Task(stage, self.options, self.work.path, folder or stage, self.partitions, **self._shared, **more)

    def tasks_of(self, items: list[Any]) -> RDD:
        """An item a task, begun in this order."""
        return self.spark.sparkContext.parallelize(items, max(1, len(items)))

    def exchange(self, parcels: RDD, receivers: list[Task]) -> RDD:
        """Parcels at the tasks that they name: as many of each receiver as there are partitions."""
        sent = parcels.partitionBy(self.partitions * len(receivers), int)
        return sent.mapPartitionsWithIndex(functools.partial(tasks.over_parcels, receivers))

    def page_ranges(self) -> list[tuple[int, int]]:
        """The batches of pages, as ranges of about as many pages for each partition."""
        total = sum(place[3] for place in self.places)
        ranges: list[tuple[int, int]] = []
        begin = 0
        for end, place in enumerate(self.places, 1):
            if (place[2] + place[3]) * self.partitions >= total * (len(ranges) + 1):
                ranges.append((begin, end))
                begin = end
        return ranges

    def parcel_places(self, stage: str, kind: str) -> list[tuple[int, str, int]]:
        """(partition, file, row) of every parcel of a kind that the stage keeps, by partition."""
        found = [
            (partition, report["file"], row)
            for report in self.reports[stage]
            for row, (given, partition) in enumerate(report["parcels"])
            if given == kind
        ]
        return sorted(found, key=lambda place: place[0])

    def store_parcels(self, stage: str, parcels: list[tuple[str, int, bytes]]) -> dict[int, list[tuple[str, int]]]:
        """A stage that the driver makes; gives the places of its parcels by partition."""
        places: dict[int, list[tuple[str, int]]] = collections.defaultdict(list)
        self.work.begin(stage)
        with self.work.new_part(stage, tasks.PARCELS) as part:
            for kind, partition, payload in parcels:
                row = part.write(kind, partition, payload)
                places[partition].append((part.file, row))
        return places

    def parcels(self, stage: str, kind: str) -> Iterator[bytes]:
        places = [place[1:] for place in self.parcel_places(stage, kind)]
        for (payload,) in self.work.rows(stage, places, ["payload"]):
            yield payload

    def count(self, stage: str) -> dict[str, int]:
        """Sums the counters of a stage's tasks."""
        sums: collections.Counter[str] = collections.Counter()
        for report in self.reports[stage]:
            sums.update(report["counters"])
        self.metrics["counters"][stage] = dict(sorted(sums.items()))
        return sums


def collected(reports: RDD) -> list[dict[str, Any]]:
    """Runs the tasks of an RDD of reports."""
    return [json.loads(report) for report in reports.collect()]


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
