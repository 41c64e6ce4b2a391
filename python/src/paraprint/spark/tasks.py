"""What runs on executors: functions over Arrow batches, for DataFrame.mapInArrow.

Each gets a `Task`, plain values that Spark sends along, and does the stage's work in C++: Python sees batches of pages
and parcels of a megabyte, never a page. Nothing is written but what Spark commits, so any task may run again.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import shutil
import tempfile
from typing import Any, Callable, Iterator

import pyarrow

from .. import _core
from .storage import WorkFolder, open_file_system, read_batches

Batches = Iterator[pyarrow.RecordBatch]

#: A batch of pages. `number` counts the batches of one file, or the rows of a table before it.
PAGES_SCHEMA = "file_index int, number bigint, pages int, facts binary, profiles binary, notes string"
_PAGES = pyarrow.schema(
    [
        ("file_index", pyarrow.int32()),
        ("number", pyarrow.int64()),
        ("pages", pyarrow.int32()),
        ("facts", pyarrow.binary()),
        ("profiles", pyarrow.binary()),
        ("notes", pyarrow.string()),
    ]
)
#: Bytes for a task of a later stage; `slot` is where Spark's hash puts the partition. Counters come as a parcel, too.
PARCELS_SCHEMA = "kind string, partition int, slot int, payload binary"
PARCELS = pyarrow.schema(
    [
        ("kind", pyarrow.string()),
        ("partition", pyarrow.int32()),
        ("slot", pyarrow.int32()),
        ("payload", pyarrow.binary()),
    ]
)
COUNTERS = "counters"
ROW_COLUMN = "__paraprint_row"

# Parcels that are handed to Spark at once.
_PARCELS_AT_ONCE = 64


@dataclasses.dataclass(frozen=True)
class Task:
    """Of every task of a stage. Broadcast variables hold what is as large as the run."""

    stage: str
    options: dict[str, Any]
    work: str
    partitions: int
    slots: list[int]
    tables: Any = None  # broadcast: RunPlan.tables()
    boilerplate: bytes = b""
    first_positions: Any = None  # broadcast: (file_index, number) of a batch -> position of its first page
    shares: int = 1
    words: Any = None  # broadcast: the table of word weights; empty for bundled ones


def slots_of(partitions: int) -> list[int]:
    """For each partition a number that `repartition(partitions, column)` sends there."""
    slots: dict[int, int] = {}
    number = 0
    while len(slots) < partitions:
        slots.setdefault(_spark_hash(number) % partitions, number)
        number += 1
    return [slots[partition] for partition in range(partitions)]


def _spark_hash(number: int) -> int:
    """Murmur3 (32 bits, seed 42) of an int, as Spark's `hash()`. A difference would cost balance, not results."""
    mask = 0xFFFFFFFF

    def rotate(value: int, bits: int) -> int:
        return (value << bits | value >> (32 - bits)) & mask

    mixed = rotate(number * 0xCC9E2D51 & mask, 15) * 0x1B873593 & mask
    value = (rotate(42 ^ mixed, 13) * 5 + 0xE6546B64) & mask
    value ^= 4
    value = (value ^ value >> 16) * 0x85EBCA6B & mask
    value = (value ^ value >> 13) * 0xC2B2AE35 & mask
    value ^= value >> 16
    return value - (1 << 32) if value >= 1 << 31 else value


@contextlib.contextmanager
def temporary_folder() -> Iterator[str]:
    """Scratch space of a task, on a disk that Spark was given if there is one; gone with the task."""
    disks = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")
    base = disks[0] if disks[0] and os.path.isdir(disks[0]) else None
    folder = tempfile.mkdtemp(prefix="paraprint-", dir=base)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def options_of(task: Task) -> Any:
    return _core.DividedOptions.create([], task.options)


def _page_rows(rows: list[tuple[Any, ...]]) -> pyarrow.RecordBatch:
    columns = zip(*rows)
    return pyarrow.record_batch([pyarrow.array(c, f.type) for c, f in zip(columns, _PAGES)], schema=_PAGES)


# ----------------------------------------------------------------------------------------------------------------------
# Pages to profiles


def profile_files(task: Task, inputs: list[str]) -> Callable[[Batches], Batches]:
    """Rows name inputs by their place in the list; gives their batches of pages."""

    def run(batches: Batches) -> Batches:
        with temporary_folder() as folder:
            stage = _core.ProfileStage.create(options_of(task), folder, task.words.value)
            for batch in batches:
                for index in batch.column(0).to_pylist():
                    yield from _profile_file(stage, inputs[index], index, folder)

    return run


def _profile_file(stage: Any, path: str, index: int, folder: str) -> Batches:
    spooled: list[tuple[Any, ...]] = []
    with local_copy(path, folder) as local:
        stage.profile_file(local, index, spooled.append)
    for number, (pages, facts, profiles, notes) in enumerate(spooled):
        yield _page_rows([(index, number, pages, facts, profiles, notes)])


@contextlib.contextmanager
def local_copy(path: str, folder: str) -> Iterator[str]:
    """A file of another file system as one of this machine, under its own name: names make ids."""
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
    """Rows of a table as pages. `columns`: its names of id, url, date, content_type, html and text."""

    def run(batches: Batches) -> Batches:
        with temporary_folder() as folder:
            stage = _core.ProfileStage.create(options_of(task), folder, task.words.value)
            for batch in batches:
                if batch.num_rows == 0:
                    continue
                ordinals = batch.column(batch.schema.get_field_index(ROW_COLUMN)).cast(pyarrow.uint64())
                buffer = ordinals.buffers()[1].slice(ordinals.offset * 8, len(ordinals) * 8)
                for chunk in chunks_of(batch):
                    profiled, skipped = stage.profile_rows(chunk, buffer.to_pybytes(), columns)
                    pages, facts, profiles, notes = profiled
                    said = json.loads(notes)
                    said["skipped_rows"] = len(skipped)
                    said["skipped"] = skipped[:1]
                    row = (0, ordinals[0].as_py(), pages, facts, profiles, json.dumps(said))
                    yield _page_rows([row])

    return run


def chunks_of(batch: pyarrow.RecordBatch) -> Iterator[Any]:
    chunks = _core.ArrowChunks(batch)
    while (chunk := chunks.next()) is not None:
        yield chunk


# ----------------------------------------------------------------------------------------------------------------------
# Stages


def _create(task: Task, folder: str, share: int = 0) -> Any:
    return _core.StageTask.create(
        options_of(task),
        task.stage,
        task.tables.value if task.tables is not None else b"",
        task.boilerplate,
        task.partitions,
        share,
        task.shares,
        folder,
    )


def _given(task: Task, stage: Any) -> Batches:
    """The parcels that are ready."""
    yield from parcel_batches(task, stage.take_parcels())


def parcel_batches(task: Task, parcels: list[tuple[str, int, bytes]]) -> Batches:
    """Parcels as batches for Spark."""
    for begin in range(0, len(parcels), _PARCELS_AT_ONCE):
        part = parcels[begin : begin + _PARCELS_AT_ONCE]
        # A kind with more partitions than the stage has tasks is read directly, not sent.
        slots = [task.slots[partition] if partition < len(task.slots) else 0 for _, partition, _ in part]
        kinds, partitions, payloads = zip(*part)
        yield pyarrow.record_batch(
            [pyarrow.array(c, f.type) for c, f in zip((kinds, partitions, slots, payloads), PARCELS)], schema=PARCELS
        )


def _finished(task: Task, stage: Any) -> Batches:
    stage.finish()
    yield from _given(task, stage)
    counters = json.dumps(dict(stage.counters())).encode()
    yield pyarrow.record_batch(
        [pyarrow.array(c, f.type) for c, f in zip(([COUNTERS], [0], [0], [counters]), PARCELS)], schema=PARCELS
    )


def over_pages(task: Task) -> Callable[[Batches], Batches]:
    """A stage that looks at pages alone: rows are batches of pages."""

    def run(batches: Batches) -> Batches:
        with temporary_folder() as folder:
            stage = _create(task, folder)
            stage.end_parcels()
            for batch in batches:
                _add_pages(task, stage, batch)
                yield from _given(task, stage)
            yield from _finished(task, stage)

    return run


def over_parcels(task: Task, wants_pages: bool = False) -> Callable[[Batches], Batches]:
    """A stage of parcels; with `wants_pages` the task then reads the batches that hold what it asks for."""

    def run(batches: Batches) -> Batches:
        with temporary_folder() as folder:
            stage = _create(task, folder)
            is_empty = True
            for batch in batches:
                for payload in batch.column(batch.schema.get_field_index("payload")):
                    stage.add_parcel(payload.as_py())
                    is_empty = False
            if is_empty:
                return
            stage.end_parcels()
            if wants_pages:
                for pages in WorkFolder(task.work).batches(
                    "profiles", ["file_index", "number", "pages", "facts", "profiles"]
                ):
                    _add_pages(task, stage, pages)
            yield from _finished(task, stage)

    return run


def over_shares(task: Task, source: str, kind: str) -> Callable[[Batches], Batches]:
    """A stage each of whose tasks reads all parcels of a kind: rows are the shares."""

    def run(batches: Batches) -> Batches:
        for batch in batches:
            for share in batch.column(0).to_pylist():
                with temporary_folder() as folder:
                    stage = _create(task, folder, share)
                    for payload in parcels_in_order(WorkFolder(task.work), source, kind):
                        stage.add_parcel(payload)
                    stage.end_parcels()
                    yield from _finished(task, stage)

    return run


def parcels_in_order(work: WorkFolder, stage: str, kind: str) -> Iterator[bytes]:
    """The parcels of a kind by rising partition; those of one partition in one file as they were given."""
    file_system, _ = open_file_system(work.path)
    places = []
    for path in work.part_files(stage + "/kind=" + kind):
        for batch in read_batches(file_system, path, ["partition"], 4096):
            places += [(partition, path) for partition in set(batch.column(0).to_pylist())]
    for wanted, path in sorted(set(places)):
        for batch in read_batches(file_system, path, ["partition", "payload"], _PARCELS_AT_ONCE):
            for partition, payload in zip(batch.column(0).to_pylist(), batch.column(1)):
                if partition == wanted:
                    yield payload.as_py()


def _add_pages(task: Task, stage: Any, batch: pyarrow.RecordBatch) -> None:
    first_positions = task.first_positions.value
    for row in range(batch.num_rows):
        key = (batch.column(0)[row].as_py(), batch.column(1)[row].as_py())
        pages = batch.column(2)[row].as_py()
        if pages > 0 and stage.needs_pages(first_positions[key], pages):
            stage.add_pages(first_positions[key], batch.column(3)[row].as_py(), batch.column(4)[row].as_py())
