"""The output of a divided run: parts that tasks have stored, one after the other. A driver holds a piece at a time."""

from __future__ import annotations

import contextlib
import functools
import posixpath
from typing import Any, Callable, Iterable, Iterator

import pyarrow
import pyarrow.fs

from .. import _core
from ..stores import repeated, whole_file
from .output_folder import withdraw_completion
from .parts import BytesPart, array_of, sync_stored
from .storage import WorkFolder, mark_complete, open_file_system, withdraw, write_parquet

TABLES = ("clusters.tsv", "matches.tsv", "removed.jsonl")
EVIDENCE = "matches.jsonl"
#: What became of each page, as Parquet files in the work folder, and of these the pages that stay.
OUTCOME = "outcome"
SURVIVORS = "survivors"
#: Parts of the tables: plain files, so that a driver holds a piece of one at a time. Arrow keeps memory for what it has
#: decoded, more of it the more parts there are.
PARTS = "parts"
#: The folders of these in the work folder.
FOLDERS = (OUTCOME, SURVIVORS, PARTS)

OUTCOME_SCHEMA = pyarrow.schema(
    [
        ("file", pyarrow.string()),
        ("ordinal", pyarrow.int64()),
        ("kept", pyarrow.bool_()),
        ("cluster", pyarrow.int64()),
        ("id", pyarrow.string()),
        ("url", pyarrow.string()),
        ("kept_id", pyarrow.string()),
    ]
)
SURVIVORS_SCHEMA = pyarrow.schema([OUTCOME_SCHEMA.field(name) for name in ("id", "url", "file", "ordinal")])


def _write(file_system: pyarrow.fs.FileSystem, path: str, parts_of_file: Callable[[], Iterable[bytes]]) -> None:
    """Writes a file from its parts; it appears as a whole, or not at all."""
    with whole_file(file_system, path) as name:
        try:
            with file_system.open_output_stream(name) as file:
                for part in parts_of_file():
                    file.write(part)
        except BaseException:
            with contextlib.suppress(OSError):  # an object store has completed it
                file_system.delete_file(name)
            raise


@contextlib.contextmanager
def _on_one_thread() -> Iterator[None]:
    """Arrow copies on several threads, each of which keeps what it once needed, so that memory would grow with the
    number of files. They are copied one at a time anyway."""
    threads = pyarrow.io_thread_count()
    pyarrow.set_io_thread_count(1)
    try:
        yield
    finally:
        pyarrow.set_io_thread_count(threads)


class TableParts:
    """The parts of the tables that a task makes."""

    def __init__(self, work: WorkFolder) -> None:
        self._work = work
        self._parts: dict[str, BytesPart] = {}

    def write(self, table: str, content: bytes) -> None:
        if table not in self._parts:
            self._parts[table] = self._work.new_bytes(PARTS)
        self._parts[table].write(content)

    def close(self) -> dict[str, tuple[str, int, int]]:
        """The file of each table, its size, and its checksum."""
        for part in self._parts.values():
            part.close()
        return {table: (part.file, part.size, part.checksum) for table, part in self._parts.items()}


class OutcomeParts:
    """What became of the pages of a task, and for archives those that stay: files in folders of their own. `inputs`:
    the paths of the run's inputs."""

    def __init__(self, work: WorkFolder, inputs: list[str]) -> None:
        self._inputs = pyarrow.concat_arrays([array_of(path, pyarrow.string()) for path in inputs])
        self._pages = work.new_part(OUTCOME, OUTCOME_SCHEMA, is_for_others=True)
        has_files = inputs != [""]
        self._survivors = work.new_part(SURVIVORS, SURVIVORS_SCHEMA, is_for_others=True) if has_files else None

    def write(self, parcel: bytes) -> None:
        """Adds the rows of a parcel."""
        batch = pyarrow.record_batch(_core.outcome_batch(parcel))
        columns = {name: batch.column(place) for place, name in enumerate(batch.schema.names)}
        columns["file"] = self._inputs.take(columns["file_index"])
        rows = pyarrow.Table.from_arrays([columns[name] for name in OUTCOME_SCHEMA.names], schema=OUTCOME_SCHEMA)
        self._pages.write_rows(rows)
        if self._survivors is not None and (kept := rows.filter(rows["kept"])).num_rows > 0:
            self._survivors.write_rows(kept.select(SURVIVORS_SCHEMA.names))

    def close(self) -> dict[str, str]:
        """The names of the files, which are empty without rows."""
        parts = {OUTCOME: self._pages, SURVIVORS: self._survivors}
        for part in parts.values():
            if part is not None:
                part.close()
        return {kind: part.file for kind, part in parts.items() if part is not None}


def parts_of(work: WorkFolder, reports: Iterable[dict[str, Any]], table: str) -> Iterator[bytes]:
    """The content of a table, from the tasks that reported parts of it."""
    given = [report for report in reports if table in report.get(PARTS, {})]
    for report in sorted(given, key=lambda report: report["share"]):
        yield from work.stored_bytes(PARTS, *report[PARTS][table])


def files_of(reports: Iterable[dict[str, Any]], kind: str) -> list[str]:
    """The files of OUTCOME or SURVIVORS that tasks reported, in the order of their pages."""
    given = [report for report in reports if report.get(kind)]
    return [report[kind] for report in sorted(given, key=lambda report: report["share"])]


@_on_one_thread()
def write_survivors(work: WorkFolder, files: list[str], out: str) -> None:
    """Copies the files of SURVIVORS to the output folder."""
    file_system, root = open_file_system(out)
    folder = posixpath.join(root, SURVIVORS)
    if file_system.get_file_info(folder).type == pyarrow.fs.FileType.Directory:
        file_system.delete_dir(folder)
    file_system.create_dir(folder, recursive=True)
    if not files:
        write_parquet(file_system, folder, SURVIVORS_SCHEMA.empty_table())
        return
    for number, file in enumerate(files):
        target = f"part-{number:05}.parquet"
        copy = functools.partial(work.copy_file, SURVIVORS, file, file_system, posixpath.join(folder, target))
        repeated(f"{out}/{SURVIVORS}/{target}", copy)
        sync_stored(file_system, posixpath.join(folder, target))
    mark_complete(file_system, folder)


def write_all(out: str, has_evidence: bool, parts_of: Callable[[str], Iterable[bytes]]) -> None:
    """Writes the tables to the output folder, before its other files, and deletes evidence of an earlier run."""
    file_system, root = open_file_system(out)
    file_system.create_dir(root, recursive=True)
    withdraw_completion(out)
    withdraw(file_system, f"{root}/{EVIDENCE}")
    for name in (*TABLES, EVIDENCE) if has_evidence else TABLES:
        parts_of_file = functools.partial(parts_of, name)
        repeated(f"{out}/{name}", functools.partial(_write, file_system, f"{root}/{name}", parts_of_file))
