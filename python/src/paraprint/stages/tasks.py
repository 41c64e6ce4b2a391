"""The code of the tasks: functions over numbers of tasks and parcels, or over Arrow batches of table rows.

Each function gets a `Task`, a set of plain values that a scheduler serialises, and does the stage's work in C++: Python
handles batches of pages and parcels of a megabyte, never single pages. A task writes data for later stages to a file of
its own (storage.py), gives the scheduler the parcels to shuffle to other tasks, and reports to the driver in a few
lines of JSON. Its work counts only if the report arrives, so any task may run again.
"""

from __future__ import annotations

import bisect
import collections
import contextlib
import dataclasses
import itertools
import json
import os
import shutil
import tempfile
import zlib
from typing import Any, Callable, Iterable, Iterator

import pyarrow

from .. import _core
from ..errors import CorruptDataError
from .known import BLOCKS, KnownParts
from .parts import Part, array_of, data_of
from .ranges import open_input
from .storage import WorkFolder
from .tables import EVIDENCE, OUTCOME, PARTS, TABLES, OutcomeParts, TableParts

Batches = Iterator[pyarrow.RecordBatch]
Reports = Iterator[str]
#: Shuffled data: the number of the receiving task, and kind and bytes, or a report for the driver.
Parcels = Iterator[tuple[int, tuple[str, bytes]]]
#: Places of stored parcels by kind and number of the task that takes them: (stage, file, row).
StoredPlaces = dict[str, dict[int, list[tuple[str, str, int]]]]

#: A batch of pages. `number` is the number of earlier batches of the input, or of earlier rows of the table. Statistics
#: of the file say how many pages a batch has.
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
# Ids that a task samples.
_SAMPLED_IDS = 64
# The stage that says what became of each page, and those that must know the inputs and their revisit records.
_LISTING = "list-pages"
_OF_INPUTS = (_LISTING, "list-wanted", "list-removed", "meet-addresses")


@dataclasses.dataclass(frozen=True)
class BatchRows:
    """Consecutive batches of a run in consecutive rows of a file: those of an input, or of a task for a table."""

    file: str
    first_row: int
    rows: int
    first_page: int
    pages: int


@dataclasses.dataclass(frozen=True)
class PageBatches:
    """Where the batches of a run are stored, in the order of its pages, and the range of pages of each task. Of single
    batches it knows nothing: ranges begin and end within them, and a task finds its own in the files."""

    stage: str  # that stored them
    stored: list[BatchRows]
    first_pages: list[int]  # of each task, and the number of all

    def of(self, number: int) -> list[BatchRows]:
        """Where the pages of a task are."""
        begin, end = self.first_pages[number : number + 2]
        if begin == end:
            return []
        first = bisect.bisect(self.stored, begin, key=lambda rows: rows.first_page) - 1
        return list(itertools.takewhile(lambda rows: rows.first_page < end, self.stored[first:]))


@dataclasses.dataclass(frozen=True)
class Task:
    """The parameters of all tasks of a stage. Data that grows with the run is in broadcast variables, or Given."""

    stage: str
    options: dict[str, Any]
    work: str
    folder: str  # folder of the stage's job, under `work`
    partitions: int
    kinds: tuple[str, ...] = ()  # of parcels that the stage takes
    routes: frozenset[str] = frozenset()  # Job.routes(); other kinds are stored
    words: Any = None  # broadcast: the table of word weights; empty for bundled ones
    batches: Any = None  # broadcast: PageBatches
    first_ids: tuple[bytes, ...] = ()  # of ranges of ids
    inputs: Any = None  # broadcast: the paths of the run's inputs
    referred: Any = None  # broadcast: the places that revisit records of the inputs refer to
    large_sites: Any = None  # broadcast: the sites that may have a template
    boilerplate: Any = None  # broadcast: the templates of all sites
    known: Any = None  # broadcast: KnownRuns
    known_templates: Any = None  # broadcast: the templates that these runs have of the sites of this one
    s3: Any = dataclasses.field(default=None, repr=False)  # S3Settings, in use where the task arrives
    fingerprints: int = 0  # number of distinct ones in the run, for the stages that join them


@dataclasses.dataclass(frozen=True)
class Given:
    """What a broadcast variable is where tasks are processes of their own."""

    value: Any


def divide_pages(stage: str, reports: list[dict[str, Any]], partitions: int) -> PageBatches:
    """Numbers the pages that a stage stored, in the order of its inputs, and gives each task as many of them."""
    given = sorted(
        (source, number, report["file"], first_row, rows, pages)
        for report in reports
        for source, number, first_row, rows, pages in report.get("inputs", ())
    )
    stored: list[BatchRows] = []
    total = 0
    for _, _, file, first_row, rows, pages in given:
        stored.append(BatchRows(file, first_row, rows, total, pages))
        total += pages
    return PageBatches(stage, stored, [total * number // partitions for number in range(partitions + 1)])


def places_of(reports: list[dict[str, Any]], kind: str) -> Iterator[tuple[int, str, int]]:
    """(partition, file, row) of every stored parcel of a kind, in the order of the tasks that stored them."""
    for report in sorted(reports, key=lambda report: report.get("share", 0)):
        for row, (given, partition) in enumerate(report["parcels"]):
            if given == kind:
                yield partition, report["file"], row


def check_profiles(job: str, counters: dict[str, int]) -> None:
    """A task cannot tell a profile that was lost from one that its owner did not send, but the sums can."""
    sent, received = (counters.get(f"profiles_{way}", 0) for way in ("sent", "received"))
    if sent != received:
        raise CorruptDataError(
            f"stage {job}: {sent} profiles were sent, but {received} were received; start over without the stages "
            "stored there (do not resume)"
        )


def first_ids_of(reports: list[dict[str, Any]], partitions: int) -> tuple[bytes, ...]:
    """Ranges of ids, one per task, from what profiling tasks reported."""
    sampled = [bytes.fromhex(sampled) for report in reports for sampled in report["ids"]]
    return tuple(_core.id_ranges(sampled, partitions))


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
        self._inputs: list[list[int]] = []  # index, number of the first batch, its row, number of rows, of pages
        self._counters: collections.Counter[str] = collections.Counter()
        self._broken: list[str] = []
        self._unreadable: set[int] = set()
        self._with_revisits: set[int] = set()
        self.stamps: list[tuple[int, str]] = []  # of inputs, by index
        self._ids: list[bytes] = []  # sampled
        self.skipped: list[tuple[int, str]] = []  # ordinal and complaint

    def write(self, file_index: int, number: int, profiled: tuple[Any, ...]) -> None:
        pages, facts, profiles, notes, ids = profiled
        said = json.loads(notes)
        self._counters.update(said["counters"])
        self._counters["broken_records"] += said["broken_records"]
        self._broken += said["broken"][: _BROKEN_NAMED - len(self._broken)]
        if said["is_unreadable"]:
            self._unreadable.add(file_index)
        if said["counters"].get("records_revisit"):
            self._with_revisits.add(file_index)
        self._ids = sorted(self._ids + ids, key=zlib.crc32)[:_SAMPLED_IDS]
        if pages == 0:
            return
        row = self._part.write(file_index, number, pages, facts, profiles)
        if not self._inputs or self._inputs[-1][0] != file_index:
            self._inputs.append([file_index, number, row, 0, 0])
        self._inputs[-1][3] += 1
        self._inputs[-1][4] += pages

    def text(self) -> str:
        self._part.close()
        report = {
            "file": self._part.file,
            "inputs": self._inputs,
            "counters": self._counters,
            "broken": self._broken,
            "unreadable": sorted(self._unreadable),
            "with_revisits": sorted(self._with_revisits),
            "stamps": self.stamps,
            "ids": [sampled.hex() for sampled in self._ids],
            "skipped_rows": len(self.skipped),
            "skipped": sorted(self.skipped)[:1],
        }
        return json.dumps(report)


def profile_files(task: Task, inputs: list[str], groups: Iterable[list[int]]) -> Reports:
    """Profiles inputs, given by their index in the list."""
    with temporary_folder() as folder, WorkFolder(task.work).new_part(task.folder, PAGES, ["pages"]) as part:
        stage = _core.ProfileStage.create(options_of(task), folder, task.words.value)
        report = _PageReport(part)
        for index in itertools.chain.from_iterable(groups):
            numbers = itertools.count()

            def write(profiled: tuple[Any, ...], index: int = index, numbers: Iterator[int] = numbers) -> None:
                report.write(index, next(numbers), profiled)

            with open_input(inputs[index]) as (source, stamp):
                report.stamps.append((index, stamp))
                stage.profile_file(source, index, write)
        yield report.text()


def profile_rows(task: Task, columns: dict[str, str]) -> Callable[[Batches], Batches]:
    """Profiles table rows. `columns` maps id, url, date, content_type, html and text to column names."""

    def run(batches: Batches) -> Batches:
        with temporary_folder() as folder, WorkFolder(task.work).new_part(task.folder, PAGES, ["pages"]) as part:
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


def _create(task: Task, folder: str, share: int, process_stages: int = 1) -> Any:
    def shared(broadcast: Any) -> bytes:
        return broadcast.value if broadcast is not None else b""

    return _core.StageTask.create(
        options_of(task),
        task.stage,
        task.partitions,
        share,
        task.batches.value.first_pages if task.batches is not None else [],
        list(task.first_ids),
        task.inputs.value if task.stage in _OF_INPUTS else [],
        shared(task.referred) if task.stage in _OF_INPUTS else b"",
        shared(task.large_sites),
        shared(task.boilerplate),
        task.fingerprints,
        task.known.value.first_texts if task.known is not None else [0],
        shared(task.known_templates),
        task.known is not None,
        process_stages,
        folder,
    )


class _Output:
    """The output of a task: parcels to shuffle, parcels stored in its file, and a report."""

    def __init__(self, task: Task, share: int, stage: Any, part: Part) -> None:
        self._task = task
        self._share = share
        self._stage = stage
        self._part = part
        self._kept: list[tuple[str, int]] = []
        self._tables = TableParts(WorkFolder(task.work))
        self._outcome = OutcomeParts(WorkFolder(task.work), task.inputs.value) if task.stage == _LISTING else None
        self._known = KnownParts(task.known.value.path, task.known.value.name) if task.known is not None else None

    def take(self) -> Parcels:
        """Takes the parcels that are ready; yields those to shuffle and stores the others."""
        while parcels := self._stage.take_parcels():
            for kind, partition, payload in parcels:
                if kind in self._task.routes:
                    yield partition, (kind, payload)
                elif self._outcome is not None and kind == OUTCOME:
                    self._outcome.write(payload)
                elif self._known is not None and kind.startswith(BLOCKS):
                    self._known.write(kind, payload)
                elif kind in (*TABLES, EVIDENCE):
                    self._tables.write(kind, payload)
                else:
                    self._part.write(kind, partition, payload)
                    self._kept.append((kind, partition))

    def finish(self) -> Parcels:
        """Takes the remaining parcels, and yields the report last, for task 0 to pass on."""
        self._stage.finish()
        yield from self.take()
        self._part.close()
        report: dict[str, Any] = {"file": self._part.file, "share": self._share, "parcels": self._kept}
        report["counters"] = dict(self._stage.counters())
        if self._outcome is not None:
            report.update(self._outcome.close())
        if self._known is not None and (stored := self._known.close()):
            report["known"] = stored
        if parts := self._tables.close():
            report[PARTS] = parts
        yield 0, (_REPORT, json.dumps(report).encode())


@contextlib.contextmanager
def _working(task: Task, share: int, process_stages: int) -> Iterator[tuple[Any, _Output]]:
    """The C++ task of a stage, and its output. So many stages share the memory of the process."""
    with temporary_folder() as folder, WorkFolder(task.work).new_part(task.folder, PARCELS) as part:
        stage = _create(task, folder, share, process_stages)
        yield stage, _Output(task, share, stage, part)


def parcel_of_row(row: Any) -> tuple[int, tuple[str, bytes]]:
    """Converts a row of PARCELS_SCHEMA to a parcel for the task of its partition."""
    return row.partition, (row.kind, bytes(row.payload))


def first_level(tasks: list[Task], stored: list[Any], shares: Iterable[int]) -> Parcels:
    """Runs the stages of the first level of a job, one after the other. `stored`: for each stage a broadcast variable
    with the places of its stored parcels."""
    for share in shares:
        for task, places in zip(tasks, stored):
            with _working(task, share, 1) as (stage, output):
                yield from _concluded(task, share, stage, output, places.value)


def through_parcels(
    tasks: list[Task], stored: list[Any], share: int, parcels: Iterable[tuple[int, tuple[str, bytes]]]
) -> Parcels:
    """Runs the stages of a level for the tasks of one number, each with the parcels that it receives and those that
    earlier jobs stored for it; passes on other parcels, and reports. Stages share a process, because starting one costs
    more than most stages do."""
    takers = {kind: place for place, task in enumerate(tasks) for kind in task.kinds}
    working: dict[int, tuple[contextlib.ExitStack, Any, _Output]] = {}
    with contextlib.ExitStack() as all_stacks:

        def of(place: int) -> tuple[contextlib.ExitStack, Any, _Output]:
            if place not in working:
                stack = all_stacks.enter_context(contextlib.ExitStack())
                working[place] = (stack, *stack.enter_context(_working(tasks[place], share, len(tasks))))
            return working[place]

        for _, (kind, payload) in parcels:
            if kind == _REPORT:
                yield 0, (kind, payload)
            elif kind not in takers:
                yield share, (kind, payload)
            else:
                _, stage, output = of(takers[kind])
                stage.add_parcel(kind, payload)
                yield from output.take()
        for place, task in enumerate(tasks):
            places = stored[place].value
            if place in working or any(share in of_kind for of_kind in places.values()):
                stack, stage, output = of(place)
                yield from _concluded(task, share, stage, output, places)
                del working[place], stage, output
                stack.close()


def reports_of(parcels: Parcels) -> Reports:
    """What is left of the parcels of a last level: reports."""
    for _, (_, report) in parcels:
        yield report.decode()


def _concluded(task: Task, share: int, stage: Any, output: _Output, stored: StoredPlaces) -> Parcels:
    """Finishes a task: gives it its stored parcels, and the batches of pages that it needs."""
    work = WorkFolder(task.work)
    for kind, of_kind in stored.items():
        stored_at = of_kind.get(share, [])
        for (folder, file, _), (payload,) in zip(stored_at, work.stored_rows(stored_at, ["payload"])):
            with data_of(f"{task.work}/{folder}/{file}"):
                stage.add_parcel(kind, payload)
            yield from output.take()
    stage.end_parcels()
    if task.known is not None:
        for _ in task.known.value.give_blocks(stage):
            yield from output.take()
    if task.batches is not None:
        batches: PageBatches = task.batches.value
        for file, first_page, facts, profiles in _needed_batches(work, batches, share, stage):
            with data_of(f"{task.work}/{batches.stage}/{file}"):
                stage.add_pages(first_page, facts, profiles)
            yield from output.take()
    yield from output.finish()


def _needed_batches(
    work: WorkFolder, batches: PageBatches, share: int, stage: Any
) -> Iterator[tuple[str, int, bytes, bytes]]:
    """The batches with pages of a task that it needs: the file, the number of the first page, facts, profiles."""
    columns = ["facts", "profiles"] if stage.needs_profiles() else ["facts"]
    begin, end = batches.first_pages[share : share + 2]
    needed = [stored for stored in batches.of(share) if stage.needs_pages(stored.first_page, stored.pages)]
    for file, all_stored in itertools.groupby(needed, key=lambda stored: stored.file):
        with work.open_rows(batches.stage, file) as rows:
            for stored in all_stored:
                first = stored.first_page
                numbers = range(stored.first_row, stored.first_row + stored.rows)
                for row, (pages,) in zip(numbers, rows.statistics(["pages"], numbers)):
                    if first < end and begin < first + pages and stage.needs_pages(first, pages):
                        facts, *profiles = rows.read(row, columns)
                        yield file, first, facts, *(profiles or [b""])
                    first += pages


def arrange_pages(task: Task, number: int, parcels: Iterable[tuple[int, tuple[str, bytes]]]) -> Reports:
    """Sorts the pages of a range of ids and stores them; passes on reports."""
    rows = []
    for _, (kind, payload) in parcels:
        if kind == _REPORT:
            yield payload.decode()
        else:
            rows.append(payload)
    with temporary_folder() as folder, WorkFolder(task.work).new_part(task.folder, PAGES, ["pages"]) as part:
        stage = _create(task, folder, number)
        while rows:
            stage.add_parcel("rows", rows.pop())
        stage.end_parcels()
        stage.finish()
        total = 0
        while parcels := stage.take_parcels():
            for _, _, payload in parcels:
                for pages, facts, profiles in _core.read_batches(payload):
                    part.write(number, part.rows, pages, facts, profiles)
                    total += pages
        part.close()
        inputs = [(number, 0, 0, part.rows, total)] if total > 0 else []
        yield json.dumps({"file": part.file, "inputs": inputs, "parcels": [], "counters": {}})
