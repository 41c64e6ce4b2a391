"""Services shared by the stages of a run: settings, checkpoints in the work folder, metrics, parcel exchange."""

from __future__ import annotations

import collections
import contextlib
import functools
import itertools
import json
import time
from typing import Any, Callable, Iterator

from pyspark import RDD
from pyspark.sql import DataFrame, SparkSession

from .. import _core
from ..errors import InvalidArgumentError
from ..places import check_apart
from ..stages import tables, tasks
from ..stages.flow import Job, known_jobs_of
from ..stages.known import KnownFolder, begun_runs, withdrawn_on_error
from ..stages.output_folder import METRICS, check_claim, claim_output, is_claimed
from ..stages.parts import ADVICE
from ..stages.records import PlacesOfInputs
from ..stages.s3_settings import in_use
from ..stages.storage import LAYOUT, WorkFolder, described_in
from ..stages.tasks import StoredPlaces, Task
from . import failures
from .workers import without_rescans

STAGES = (
    *("input", "words", "profiles", "arrange", "repeats", "paragraphs", "keys", "matches", "components", "clusters"),
    *("tables", *tables.FOLDERS, "claims", "captures", "wanted", "targets", "removed", "records"),
    *("known", "remembered"),
)

# What a run knew of its folder of known pages when it began.
_KNOWN = "known.json"
# By which name the run claimed its output folder.
_CLAIM = "claim.json"

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
        known: str | None,
    ) -> None:
        self.spark = spark
        self.options = {"evidence": False, "records": False, **options}  # off by default here
        self.core = _core.DividedOptions.create([], self.options)
        self.work = WorkFolder(work)
        self.out = out
        self.is_resumed = resume
        self.partitions = partitions or max(2, spark.sparkContext.defaultParallelism)
        self.metrics: dict[str, Any] = {"stages": {}, "counters": {}}
        self.reports: dict[str, list[dict[str, Any]]] = {}
        self.scratch = ""
        self.batches = tasks.divide_pages("profiles", [], self.partitions)
        self.known = KnownFolder(known) if known is not None else None
        if self.known is not None:
            self.core.check_known()
        self._shared: dict[str, Any] = {"s3": in_use()}
        self.last_job = ""  # which makes the tables
        self.has_own_output = False  # of an earlier attempt at the run, which none of another run has replaced
        self._claim = ""
        self.begun: dict[str, Any] = {"runs": []}  # KnownFolder.begin()
        self._last: dict[str, str] = {}  # job that has the results of one with repeated levels

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
        """Checks or claims the work folder, which belongs to one source, set of options and number of partitions, and
        the output folder."""
        identity = {
            "layout": LAYOUT,
            "options": self.core.identity(),
            "source": source,
            "partitions": self.partitions,
            "known": self.known.path if self.known is not None else None,
        }
        if self.is_resumed and (stored := self.work.read_object("identity.json")) not in (None, identity):
            assert stored is not None
            differing = sorted(name for name in identity if stored.get(name) != identity[name])
            raise InvalidArgumentError(
                f"{self.work.path}: contains a run with other {', '.join(differing)}; choose another work folder, or "
                "do not resume"
            )
        if not self.is_resumed and self.work.read_json("identity.json") is None and not self.work.is_empty():
            raise InvalidArgumentError(
                f"{self.work.path}: contains files that do not belong to a run; choose another folder"
            )
        self._claim_output()
        if not self.is_resumed:
            for stage in self.work.stages():
                if stage.partition("-")[0] in STAGES:  # rounds are numbered
                    self.work.remove(stage)
        self.work.write_json("identity.json", identity)

    def _claim_output(self) -> None:
        """Claims the output folder, by a name that a resumed run keeps."""
        check_apart(self.work.path, self.out)
        stored = (self.work.read_object(_CLAIM) or {}) if self.is_resumed else {}
        with described_in(f"{self.work.path}/{_CLAIM}"):
            claim = str(stored["run"]) if stored else ""
        self.has_own_output = bool(claim) and is_claimed(self.out, claim)
        self._claim = claim_output(self.out, claim)
        self.work.write_json(_CLAIM, {"run": self._claim})

    def check_claim(self) -> None:
        """Raises InvalidArgumentError if another run has claimed the output folder since this one did."""
        check_claim(self.out, self._claim)

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
        self._begin_known(settings)

    def _begin_known(self, settings: str) -> None:
        """Looks up which runs the pages are compared with. A resumed run keeps to those that it began with."""
        if self.known is None:
            return
        begun = self.work.read_object(_KNOWN) if self.is_resumed else None
        if begun is None:
            begun = self.known.begin(settings)
            self.work.write_json(_KNOWN, begun)
        self.begun = begun
        with described_in(f"{self.work.path}/{_KNOWN}", ADVICE):
            self.share("known", begun_runs(begun))

    @property
    def compares_known(self) -> bool:
        """Whether there are earlier runs."""
        return bool(self.begun["runs"])

    def remember(self) -> None:
        """Adds the run to the folder of known pages, if there is one, as the last thing that it does."""
        if self.known is None or self.known.has(self.begun):
            return
        with withdrawn_on_error(self.known, self.begun):
            for job in known_jobs_of(self.core):
                # What a run that failed has left, of which parts may be gone.
                self.work.remove(job.name)
                self.known.withdraw(self.begun)
                self.run_job(job)
                reports = self.reports[job.name]
            settings = self.metrics["settings_identity"]
            self.known.add(self.begun, settings, self.batches.first_pages[-1], reports)

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
        return Task(stage, self.options, self.work.path, folder or stage, self.partitions, **self._shared, **more)

    def tasks_of(self, items: list[Any]) -> RDD:
        """One task per item, started in this order."""
        return self.spark.sparkContext.parallelize(items, max(1, len(items)))

    def run_job(self, job: Job) -> None:
        """Runs the levels of a job, and gives later tasks what it makes for all of them."""
        self.stage(job.name, lambda: collected(self._levels(job)))
        counters = self.count(job.name)
        tasks.check_profiles(job.name, counters)
        if job.joined:
            joined = _core.join_entries(list(self.parcels(job.name, job.joined)))
            self.share(job.joined.replace("-", "_"), joined)
        if fingerprints := counters.get("simhashes_different"):
            self._shared["fingerprints"] = fingerprints
        self._repeat(job, counters)

    def _repeat(self, job: Job, counters: dict[str, int]) -> None:
        """Runs the repeated levels of a job until nothing changes; later jobs take what the last round stored."""
        last = job.name
        for number in itertools.count(2):
            if not counters.get(job.repeated_until):
                break
            again = job.round(number, last)
            self.stage(again.name, functools.partial(lambda again: collected(self._levels(again)), again))
            counters = self.count(again.name)
            last = again.name
        self._last[job.name] = last

    def _levels(self, job: Job) -> RDD:
        """The reports of the tasks of a job."""
        sent: RDD | None = None
        for level, stages in enumerate(job.levels):
            routes = job.routes(level)
            given = [self.task(stage.name, job.name, kinds=stage.kinds, routes=routes) for stage in stages]
            stored = [self._stored(job.stored_kinds(stage)) for stage in stages]
            if sent is None:
                waiting = {share for places in stored for of_kind in places.value.values() for share in of_kind}
                shares = [share for share in range(self.partitions) if self.batches.of(share) or share in waiting]
                work = without_rescans(functools.partial(tasks.first_level, given, stored))
                sent = self.tasks_of(shares).mapPartitions(work)
            else:
                sent = self._shuffle(sent, functools.partial(tasks.through_parcels, given, stored))
        assert sent is not None
        return sent.mapPartitions(tasks.reports_of)

    def _stored(self, sources: list[tuple[str, str]]) -> Any:
        """A broadcast variable with the places of stored parcels: kinds, each with the job that stored it."""
        if not sources:
            return tasks.Given({})  # costs no message to the executors
        places: StoredPlaces = {}
        for kind, job in sources:
            source = self._last.get(job, job)
            of_kind = places.setdefault(kind, {})
            for partition, file, row in self.parcel_places(source, kind):
                of_kind.setdefault(partition, []).append((source, file, row))
        return self.spark.sparkContext.broadcast(places)

    def _shuffle(self, parcels: RDD, run: Callable[..., Any]) -> RDD:
        """Sends parcels to the tasks of their partitions."""
        return parcels.partitionBy(self.partitions, int).mapPartitionsWithIndex(without_rescans(run))

    def exchange(self, parcels: RDD, receiver: Task) -> RDD:
        """The reports of a stage for parcels that other functions send."""
        work = functools.partial(tasks.through_parcels, [receiver], [self._stored([])])
        return self._shuffle(parcels, work).mapPartitions(tasks.reports_of)

    def divide_ids(self) -> None:
        """Gives each task a range of ids."""
        self._shared["first_ids"] = tasks.first_ids_of(self.reports["profiles"], self.partitions)

    def arrange(self) -> None:
        """Stores the pages of a table in the order of their ids, from which they get their numbers."""
        self.divide_pages("profiles")

        def sort() -> list[dict[str, Any]]:
            rows = self.task("rows", "arrange", routes=frozenset({"rows"}))
            work = functools.partial(tasks.first_level, [rows], [self._stored([])])
            numbers = [share for share in range(self.partitions) if self.batches.of(share)]
            sent = self.tasks_of(numbers).mapPartitions(work)
            return collected(self._shuffle(sent, functools.partial(tasks.arrange_pages, self.task("arrange"))))

        self.stage("arrange", sort)
        self.divide_pages("arrange")

    def divide_pages(self, stage: str) -> None:
        """Numbers the pages that a stage stored, in the order of its batches, and gives each task a range of them."""
        self.batches = tasks.divide_pages(stage, self.reports[stage], self.partitions)
        self.share("batches", self.batches)

    def parcel_places(self, stage: str, kind: str) -> list[tuple[int, str, int]]:
        """(partition, file, row) of every stored parcel of a kind, sorted by partition."""
        return sorted(tasks.places_of(self.reports[stage], kind), key=lambda place: place[0])

    def places_by_input(self, stage: str, kind: str) -> PlacesOfInputs:
        """The places of stored parcels of a kind whose partitions are inputs, by input."""
        places: PlacesOfInputs = {}
        for index, file, row in self.parcel_places(stage, kind):
            places.setdefault(index, []).append((stage, file, row))
        return places

    def parcels(self, stage: str, kind: str) -> Iterator[bytes]:
        places = [place[1:] for place in self.parcel_places(stage, kind)]
        for (payload,) in self.work.rows(stage, places, ["payload"]):
            yield payload

    def complete_output(self) -> None:
        """Writes what is known of the run so far, without times, as the last file of the output."""
        metrics = {name: value for name, value in self.metrics.items() if name != "stages"}
        WorkFolder(self.out).write_json(METRICS, metrics, has_checksum=False)

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
