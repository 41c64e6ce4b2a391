"""The code that runs on executors: functions over rows of an RDD, or over Arrow batches for DataFrame.mapInArrow.

Each function gets a `Task`, a set of plain values that Spark serialises, and does the stage's work in C++: Python
handles batches of pages and parcels of a megabyte, never single pages. A task writes data for later stages to a file of
its own (storage.py), gives Spark the parcels to shuffle to other tasks, and reports to the driver in a few lines of
JSON. Its work counts only if the report arrives, so any task may run again.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import itertools
import json
import os
import shutil
import tempfile
from typing import Any, Callable, Iterable, Iterator

import pyarrow

from .. import _core
from .storage import Part, WorkFolder, array_of, open_file_system

Batches = Iterator[pyarrow.RecordBatch]
Reports = Iterator[str]
#: Shuffled data: the number of the receiving task, and kind and bytes, or a report for the driver.
Parcels = Iterator[tuple[int, tuple[str, bytes]]]
#: A stored batch of pages: its file, its row there, the position of its first page, its number of pages.
PagePlace = tuple[str, int, int, int]

#: A batch of pages. `number` is the number of earlier batches of the file, or of earlier rows of the table.
PAGES = pyarrow.schema(
    [
        ("file_index", pyarrow.int32()),
        ("number", pyarrow.int64()),
        ("pages", pyarrow.int32()),
        ("facts", pyarrow.binary()),
        ("profiles", pyarrow.binary()),
    ]
)
#: Bytes for a task of a later stage.
PARCELS_SCHEMA = "kind string, partition int, payload binary"
PARCELS = pyarrow.schema([("kind", pyarrow.string()), ("partition", pyarrow.int32()), ("payload", pyarrow.binary())])
REPORTS_SCHEMA = "report string"
ROW_COLUMN = "__paraprint_row"

_REPORT = "report"
# Maximum broken records that a task names; all are counted.
_BROKEN_NAMED = 100


@dataclasses.dataclass(frozen=True)
class Task:
    """The parameters of all tasks of a stage. Broadcast variables hold data that grows with the run."""

    stage: str
    options: dict[str, Any]
    work: str
    folder: str  # folder of the stage, under `work`
    partitions: int
    words: Any = None  # broadcast: the table of word weights; empty for bundled ones
    tables: Any = None  # broadcast: RunPlan.tables()
    boilerplate: Any = None  # broadcast: the templates of all sites
    places: Any = None  # broadcast: the PagePlace of every batch, by position
    fingerprints: int = 0  # number of distinct ones in the run, for the stages that join them
    # Kinds of parcels to shuffle, each with the number of the task for its first partition. Others are stored.
    travelling: dict[str, int] = dataclasses.field(default_factory=dict)
    passing: tuple[str, ...] = ()  # kinds of received parcels that are for the task of this number in the next stage


@dataclasses.dataclass(frozen=True)
class Stored:
    """Parcels that the driver stored: the name of their stage, and a broadcast variable with their positions by kind
    and number of the task."""

    stage: str
    places: Any


@contextlib.contextmanager
def temporary_folder() -> Iterator[str]:
    """Scratch space of a task, on one of Spark's local disks if configured; removed with the task."""
    disks = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")
    base = disks[0] if disks[0] and os.path.isdir(disks[0]) else None
    folder = tempfile.mkdtemp(prefix="paraprint-", dir=base)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def options_of(task: Task) -> Any:
    return _core.DividedOptions.create([], task.options)


# ----------------------------------------------------------------------------------------------------------------------
# Pages to profiles


class _PageReport:
    """The report of a profiling task; `write` stores a batch."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._batches: list[tuple[int, int, int]] = []
        self._counters: collections.Counter[str] = collections.Counter()
        self._broken: list[str] = []
        self._unreadable: set[int] = set()
        self._with_revisits: set[int] = set()
        self.skipped: list[tuple[int, str]] = []  # ordinal and complaint

    def write(self, file_index: int, number: int, profiled: tuple[Any, ...]) -> None:
        pages, facts, profiles, notes = profiled
        said = json.loads(notes)
        self._counters.update(said["counters"])
        self._counters["broken_records"] += said["broken_records"]
        self._broken += said["broken"][: _BROKEN_NAMED - len(self._broken)]
        if said["is_unreadable"]:
            self._unreadable.add(file_index)
        if said["counters"].get("records_revisit"):
            self._with_revisits.add(file_index)
        self._part.write(file_index, number, pages, facts, profiles)
        self._batches.append((file_index, number, pages))

    def text(self) -> str:
        self._part.close()
        report = {
            "file": self._part.file,
            "batches": self._batches,
            "counters": self._counters,
            "broken": self._broken,
            "unreadable": sorted(self._unreadable),
            "with_revisits": sorted(self._with_revisits),
            "skipped_rows": len(self.skipped),
            "skipped": sorted(self.skipped)[:1],
        }
        return json.dumps(report)


def profile_files(task: Task, inputs: list[str], groups: Iterable[list[int]]) -> Reports:
    """Profiles inputs, given by their index in the list."""
    with temporary_folder() as folder, WorkFolder(task.work).new_part(task.folder, PAGES) as part:
        stage = _core.ProfileStage.create(options_of(task), folder, task.words.value)
        report = _PageReport(part)
        for index in itertools.chain.from_iterable(groups):
            batches: list[tuple[Any, ...]] = []
            with local_copy(inputs[index], folder) as local:
                stage.profile_file(local, index, batches.append)
            for number, profiled in enumerate(batches):
                report.write(index, number, profiled)
        yield report.text()


@contextlib.contextmanager
def local_copy(path: str, folder: str) -> Iterator[str]:
    """A local copy of a remote file, under the same name, because ids are derived from names."""
    if "://" not in path:
        yield path
        return
    file_system, inner = open_file_system(path)
    copy = os.path.join(folder, os.path.basename(inner))
    with file_system.open_input_stream(inner, compression=None) as source, open(copy, "wb") as target:
        shutil.copyfileobj(source, target, 1 << 20)
    try:
        yield copy
    finally:
        os.remove(copy)


def profile_rows(task: Task, columns: dict[str, str]) -> Callable[[Batches], Batches]:
    """Profiles table rows. `columns` maps id, url, date, content_type, html and text to column names."""

    def run(batches: Batches) -> Batches:
        with temporary_folder() as folder, WorkFolder(task.work).new_part(task.folder, PAGES) as part:
            stage = _core.ProfileStage.create(options_of(task), folder, task.words.value)
            report = _PageReport(part)
            options = options_of(task)
            for batch in batches:
                if batch.num_rows == 0:
                    continue
                ordinals = batch.column(batch.schema.get_field_index(ROW_COLUMN)).cast(pyarrow.uint64())
                buffer = ordinals.buffers()[1].slice(ordinals.offset * 8, len(ordinals) * 8)
                for chunk in chunks_of(batch):
                    profiled, skipped = stage.profile_rows(options, chunk, buffer.to_pybytes(), columns)
                    report.skipped += skipped
                    report.write(0, ordinals[0].as_py(), profiled)
            yield pyarrow.RecordBatch.from_arrays([array_of(report.text(), pyarrow.string())], ["report"])

    return run


def chunks_of(batch: pyarrow.RecordBatch) -> Iterator[Any]:
    chunks = _core.ArrowChunks(batch)
    while (chunk := chunks.next()) is not None:
        yield chunk


# ----------------------------------------------------------------------------------------------------------------------
# Stages


def _create(task: Task, folder: str, share: int) -> Any:
    return _core.StageTask.create(
        options_of(task),
        task.stage,
        task.tables.value if task.tables is not None else b"",
        task.boilerplate.value if task.boilerplate is not None else b"",
        task.partitions,
        share,
        task.partitions,
        task.fingerprints,
        folder,
    )


class _Output:
    """The output of a task: parcels to shuffle, parcels stored in its file, and a report."""

    def __init__(self, task: Task, stage: Any, part: Part) -> None:
        self._task = task
        self._stage = stage
        self._part = part
        self._kept: list[tuple[str, int]] = []

    def take(self) -> Parcels:
        """Takes the parcels that are ready; yields those to shuffle and stores the others."""
        for kind, partition, payload in self._stage.take_parcels():
            first = self._task.travelling.get(kind)
            if first is not None:
                yield first + partition, (kind, payload)
            else:
                self._part.write(kind, partition, payload)
                self._kept.append((kind, partition))

    def finish(self) -> Parcels:
        """Takes the remaining parcels, and yields the report last, for task 0 to pass on."""
        self._stage.finish()
        yield from self.take()
        self._part.close()
        report = {"file": self._part.file, "parcels": self._kept, "counters": dict(self._stage.counters())}
        yield 0, (_REPORT, json.dumps(report).encode())


@contextlib.contextmanager
def _working(task: Task, share: int = 0) -> Iterator[tuple[Any, _Output]]:
    """The C++ task of a stage, and its output."""
    with temporary_folder() as folder, WorkFolder(task.work).new_part(task.folder, PARCELS) as part:
        stage = _create(task, folder, share)
        yield stage, _Output(task, stage, part)


def parcel_of_row(row: Any) -> tuple[int, tuple[str, bytes]]:
    """Converts a row of PARCELS_SCHEMA to a parcel for the task of its partition."""
    return row.partition, (row.kind, bytes(row.payload))


def over_pages(task: Task, ranges: Iterable[tuple[int, int]]) -> Parcels:
    """Runs a stage that reads only pages, given as ranges of the list of places."""
    for begin, end in ranges:
        with _working(task) as (stage, output):
            stage.end_parcels()
            for _ in _add_pages(task, stage, task.places.value[begin:end]):
                yield from output.take()
            yield from output.finish()


def send_stored(task: Task, source: str, kind: str, places: Any, shares: Iterable[int]) -> Parcels:
    """Runs a stage that sends on the stored parcels of an earlier one. `places` is a broadcast variable with their
    positions, which are dealt among the shares."""
    for share in shares:
        with _working(task) as (stage, output):
            given = WorkFolder(task.work).rows(source, places.value[share :: task.partitions], ["payload"])
            for (payload,) in given:
                stage.add_parcel(kind, payload)
                yield from output.take()
            stage.end_parcels()
            yield from output.finish()


def pass_on(work: str, source: str, places: Any, step: int, shares: Iterable[int]) -> Parcels:
    """Sends the stored parcels of an earlier stage to the tasks of their partitions, unchanged. `places` is as above,
    dealt among `step` shares."""
    for share in shares:
        given = places.value[share::step]
        for partition, kind, payload in WorkFolder(work).rows(source, given, ["partition", "kind", "payload"]):
            yield partition, (kind, payload)


def through_parcels(
    tasks: list[Task], stored: Stored | None, number: int, parcels: Iterable[tuple[int, tuple[str, bytes]]]
) -> Parcels:
    """Runs the task that receives parcels, after those that the driver stored for it; passes on reports. Numbers below
    the partitions belong to the first stage, the next ones to the second, and so on."""
    partitions = tasks[0].partitions
    task = tasks[number // partitions]
    with contextlib.ExitStack() as stack:
        stage = None
        for _, (kind, payload) in itertools.chain(_stored_parcels(task, stored, number), parcels):
            if kind == _REPORT:
                yield 0, (kind, payload)
                continue
            if kind in task.passing:
                yield number % partitions, (kind, payload)
                continue
            if stage is None:
                stage, output = stack.enter_context(_working(task, number % partitions))
            stage.add_parcel(kind, payload)
        if stage is not None:
            yield from _concluded(task, stage, output)


def over_parcels(
    tasks: list[Task], stored: Stored | None, number: int, parcels: Iterable[tuple[int, tuple[str, bytes]]]
) -> Reports:
    """The same for stages that send nothing on but reports."""
    for _, (_, report) in through_parcels(tasks, stored, number, parcels):
        yield report.decode()


def _stored_parcels(task: Task, stored: Stored | None, number: int) -> Parcels:
    if stored is None:
        return
    for kind, places in stored.places.value.items():
        for (payload,) in WorkFolder(task.work).rows(stored.stage, places.get(number, []), ["payload"]):
            yield number, (kind, payload)


def over_stored(task: Task, source: str, kind: str, items: Iterable[tuple[int, list[tuple[str, int]]]]) -> Parcels:
    """Runs a stage on parcels that the driver stored, given by numbers of tasks with positions."""
    for number, places in items:
        with _working(task, number) as (stage, output):
            for (payload,) in WorkFolder(task.work).rows(source, places, ["payload"]):
                stage.add_parcel(kind, payload)
            yield from _concluded(task, stage, output)


def _concluded(task: Task, stage: Any, output: _Output) -> Parcels:
    """Finishes a task after its last parcel, with the batches of pages that it needs."""
    stage.end_parcels()
    for _ in _add_pages(task, stage, task.places.value if task.places is not None else []):
        yield from output.take()
    yield from output.finish()


def _add_pages(task: Task, stage: Any, places: list[PagePlace]) -> Iterator[None]:
    wanted = [place for place in places if stage.needs_pages(place[2], place[3])]
    rows = WorkFolder(task.work).rows("profiles", [place[:2] for place in wanted], ["facts", "profiles"])
    for place, (facts, profiles) in zip(wanted, rows):
        stage.add_pages(place[2], facts, profiles)
        yield
