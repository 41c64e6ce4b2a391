"""Services shared by the stages of a run: settings, checkpoints in the work folder, metrics, parcel exchange."""

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
from .tasks import PagePlace, Stored, Task

STAGES = (
    *("input", "words", "profiles", "paragraphs", "keys", "matches", "components", "clusters", "outcome"),
    *("pairs", "evidence", "claims", "captures", "wanted", "targets", "removed", "records"),
)

# Stages that need the tables of all pages.
_WITH_TABLES = ("paragraphs", "keys", "select")

# Work folders with another layout cannot be resumed.
_LAYOUT = 5

# Table rows are large, so only few are sent to Python at once.
_SETTINGS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "128",
    "spark.sql.parquet.columnarReaderBatchSize": "128",
}


class Stages:
    """A run over one work folder. A resumed run skips stages that are complete."""

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
        self.options = {"evidence": False, **options}  # off by default here
        self.core = _core.DividedOptions.create([], self.options)
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
        """Changes Spark's settings and provides scratch space on the driver for the duration of the run."""
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
        """Checks or claims the work folder, which belongs to one source, set of options and number of partitions."""
        identity = {
            "layout": _LAYOUT,
            "options": self.core.identity(),
            "source": source,
            "partitions": self.partitions,
        }
        if self.is_resumed and (stored := self.work.read_json("identity.json")) not in (None, identity):
            differing = sorted(name for name in identity if stored.get(name) != identity[name])
            raise InvalidArgumentError(
                f"{self.work.path}: contains a run with other {', '.join(differing)}; choose another work folder, or "
                "do not resume"
            )
        if not self.is_resumed:
            if self.work.read_json("identity.json") is None and not self.work.is_empty():
                raise InvalidArgumentError(
                    f"{self.work.path}: contains files that do not belong to a run; choose another folder"
                )
            for stage in STAGES:
                self.work.remove(stage)
        self.work.write_json("identity.json", identity)

    def begin_profiles(self, words: bytes) -> None:
        """Checks that all profiles of the run use the same word weights. `words` is the learned table, or empty."""
        settings = self.core.settings_identity(words)
        self.metrics["settings_identity"] = settings
        stored = self.work.read_json("settings.json") if self.is_resumed else None
        if stored not in (None, settings):
            raise InvalidArgumentError(
                f"{self.work.path}: contains profiles with other word weights, because the pages changed; do not resume"
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
        """Records time and shuffled bytes of a stage, and names its job group for Spark's web pages."""
        began = time.monotonic()
        context = self.spark.sparkContext
        group = f"paraprint-{name}-{time.time_ns()}"
        context.setJobGroup(group, f"paraprint: {name}")
        with failures.named(name):
            yield
        self.metrics["stages"][name] = {"seconds": round(time.monotonic() - began, 3), **_shuffled(context, group)}

    def store(self, name: str, make: Callable[[], DataFrame]) -> None:
        """Runs a stage that Spark writes and commits."""
        if not self._is_done(name):
            with self._measured(name):
                make().write.mode("overwrite").parquet(self.work.uri(name))

    def stage(self, name: str, run: Callable[[], list[dict[str, Any]]]) -> None:
        """Runs a stage whose tasks write their own files; their reports are kept in `reports`."""
        if self._is_done(name):
            self.reports[name] = self.work.reports(name)
            return
        with self._measured(name):
            self.work.begin(name)
            self.reports[name] = run()
            self.work.complete(name, self.reports[name])

    # ------------------------------------------------------------------------------------------------------------------

    def share(self, name: str, value: Any) -> None:
        """Broadcasts a value that grows with the run; tasks find it under this name."""
        self._shared[name] = self.spark.sparkContext.broadcast(value)

    def task(self, stage: str, folder: str = "", **more: Any) -> Task:
        shared = {name: value for name, value in self._shared.items() if name != "tables" or stage in _WITH_TABLES}
        return Task(stage, self.options, self.work.path, folder or stage, self.partitions, **shared, **more)

    def tasks_of(self, items: list[Any]) -> RDD:
        """One task per item, started in this order."""
        return self.spark.sparkContext.parallelize(items, max(1, len(items)))

    def exchange(self, parcels: RDD, receivers: list[Task], stored: Stored | None = None) -> RDD:
        """Shuffles parcels to the tasks that they name; each receiver has as many tasks as there are partitions. Tasks
        get the stored parcels of their number, too."""
        sent = parcels.partitionBy(self.partitions * len(receivers), int)
        return sent.mapPartitionsWithIndex(functools.partial(tasks.over_parcels, receivers, stored))

    def forward(self, parcels: RDD, receivers: list[Task]) -> RDD:
        """The same for receivers that send parcels themselves."""
        sent = parcels.partitionBy(self.partitions * len(receivers), int)
        return sent.mapPartitionsWithIndex(functools.partial(tasks.through_parcels, receivers, None))

    def with_profiles(
        self, name: str, folder: str, source: str, parcels: list[tuple[str, int, bytes]], fetching: str = "fetch"
    ) -> RDD:
        """The reports of a stage over parcels of the driver and the profiles that its "requests" parcels ask for.
        Under a page-level algorithm `fetching` decides whether these are fingerprints or profiles."""
        places = self.store_parcels(source, parcels)
        requests = places.pop("requests", {})
        fetch = self.task(fetching, folder, travelling={"pages": 0})
        pages = self.tasks_of(sorted(requests.items())).mapPartitions(
            functools.partial(tasks.over_stored, fetch, source, "requests")
        )
        stored = Stored(source, self.spark.sparkContext.broadcast(places))
        return self.exchange(pages, [self.task(name, folder)], stored)

    def page_ranges(self) -> list[tuple[int, int]]:
        """Ranges of page batches, one per partition, with about the same number of pages each."""
        total = sum(place[3] for place in self.places)
        ranges: list[tuple[int, int]] = []
        begin = 0
        for end, place in enumerate(self.places, 1):
            if (place[2] + place[3]) * self.partitions >= total * (len(ranges) + 1):
                ranges.append((begin, end))
                begin = end
        return ranges

    def parcel_places(self, stage: str, kind: str) -> list[tuple[int, str, int]]:
        """(partition, file, row) of every stored parcel of a kind, sorted by partition."""
        found = [
            (partition, report["file"], row)
            for report in self.reports[stage]
            for row, (given, partition) in enumerate(report["parcels"])
            if given == kind
        ]
        return sorted(found, key=lambda place: place[0])

    def stored_parcels(self, stage: str, kind: str) -> Any:
        """A broadcast variable with (file, row) of every stored parcel of a kind."""
        return self.spark.sparkContext.broadcast([place[1:] for place in self.parcel_places(stage, kind)])

    def store_parcels(
        self, stage: str, parcels: list[tuple[str, int, bytes]]
    ) -> dict[str, dict[int, list[tuple[str, int]]]]:
        """Writes a stage made by the driver; returns the positions of its parcels by kind and partition."""
        places: dict[str, dict[int, list[tuple[str, int]]]] = {}
        self.work.begin(stage)
        with self.work.new_part(stage, tasks.PARCELS) as part:
            for kind, partition, payload in parcels:
                row = part.write(kind, partition, payload)
                places.setdefault(kind, {}).setdefault(partition, []).append((part.file, row))
        return places

    def parcels(self, stage: str, kind: str) -> Iterator[bytes]:
        places = [place[1:] for place in self.parcel_places(stage, kind)]
        for (payload,) in self.work.rows(stage, places, ["payload"]):
            yield payload

    def count(self, stage: str) -> dict[str, int]:
        """Adds up the counters of a stage's tasks."""
        sums: collections.Counter[str] = collections.Counter()
        for report in self.reports[stage]:
            sums.update(report["counters"])
        self.metrics["counters"][stage] = dict(sorted(sums.items()))
        return sums


def collected(reports: RDD) -> list[dict[str, Any]]:
    """Runs the tasks of an RDD of reports, and returns the reports."""
    return [json.loads(report) for report in reports.collect()]


def _shuffled(context: Any, group: str) -> dict[str, int]:
    """Bytes that the jobs of a group wrote to shuffles, according to Spark's status."""
    written = 0
    store = context._jsc.sc().statusStore()
    tracker = context.statusTracker()
    for job_id in tracker.getJobIdsForGroup(group):
        job = tracker.getJobInfo(job_id)
        for stage_id in job.stageIds if job else ():
            with contextlib.suppress(Exception):  # a skipped stage has no attempt
                written += store.lastStageAttempt(stage_id).shuffleWriteBytes()
    return {"shuffle_write_bytes": written}
