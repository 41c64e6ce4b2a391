"""The work folder: a path that every machine can access, or a URI that both pyarrow and Spark support.

A stage is a folder of Parquet files. Tasks write theirs under unique names, and the driver completes the stage with one
small file, _SUCCESS, that lists them. A task may therefore fail, run twice or continue after it was abandoned: files
that are not listed are not read.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import operator
import os
import posixpath
import re
import struct
import sys
import uuid
import zlib
from typing import Any, Callable, Iterable, Iterator

import pyarrow
import pyarrow.fs
import pyarrow.parquet

from ..errors import CorruptDataError, NotFoundError
from ..stores import PARTIAL, PIECE_BYTES, errors_of, file_system_of, repeated, shown, whole_file
from . import s3_settings

#: Work folders with another layout cannot be resumed.
LAYOUT = 9

_COMPLETE = "_SUCCESS"
# Where a file of a stage is missing or damaged.
_ADVICE = "start over without the stages stored there (do not resume)"
#: Of each request, with pauses of half a second on average before the second one, and twice the last one after it.
_S3_ATTEMPTS = 5


def uri_of(path: str) -> str:
    """The path as a URI for Spark; a plain path is local."""
    return path if "://" in path else "file://" + os.path.abspath(path)


def open_file_system(path: str) -> tuple[pyarrow.fs.FileSystem, str]:
    """The file system of the path, and the path in it. Hadoop's name of S3, s3a, is known, too. S3 is reached by
    the settings that this process uses (s3_settings.py), if there are any."""
    uri = re.sub("^s3a://", "s3://", path)
    with errors_of(shown(uri)):
        found = s3_settings.in_use().file_system_of(uri)
    file_system, inner = found or file_system_of(uri)
    return _patient(file_system), inner


def _patient(file_system: pyarrow.fs.FileSystem) -> pyarrow.fs.FileSystem:
    """The same file system. That of S3 would try again only where no connection can be made; it shall also where the
    server asks to slow down or the connection breaks, most of all while a file is being written, which cannot be
    repeated from outside."""
    if file_system.type_name != "s3":
        return file_system
    _, (settings,) = file_system.__reduce__()
    return pyarrow.fs.S3FileSystem(
        **settings, retry_strategy=pyarrow.fs.AwsStandardS3RetryStrategy(max_attempts=_S3_ATTEMPTS)
    )


def withdraw(file_system: pyarrow.fs.FileSystem, path: str) -> None:
    """Deletes a file of an earlier run, if there is one."""
    if file_system.get_file_info(path).is_file:
        file_system.delete_file(path)


class WorkFolder:
    """The stages of a run, by name."""

    def __init__(self, path: str) -> None:
        self.path = path.rstrip("/")
        self._file_system, self._root = open_file_system(self.path)

    def uri(self, stage: str) -> str:
        return uri_of(self.path) + "/" + stage

    def is_complete(self, stage: str) -> bool:
        success = self._file_system.get_file_info(posixpath.join(self._root, stage, _COMPLETE))
        return bool(success.type == pyarrow.fs.FileType.File)

    def is_empty(self) -> bool:
        """Whether the folder is missing or empty, except for files that a killed run has not completed."""
        selector = pyarrow.fs.FileSelector(self._root, allow_not_found=True)
        return all(info.path.endswith(PARTIAL) for info in self._file_system.get_file_info(selector))

    def files(self) -> list[str]:
        """The names of the files that are complete, ascending."""
        selector = pyarrow.fs.FileSelector(self._root, allow_not_found=True)
        names = [info.base_name for info in self._file_system.get_file_info(selector) if info.is_file]
        return sorted(name for name in names if not name.endswith(PARTIAL))

    def stages(self) -> list[str]:
        """The names of the folders."""
        selector = pyarrow.fs.FileSelector(self._root, allow_not_found=True)
        return [info.base_name for info in self._file_system.get_file_info(selector) if not info.is_file]

    def last_change(self, stage: str) -> float | None:
        """When a file of a stage last changed, in seconds of Unix time; None if there is none, or nobody knows."""
        selector = pyarrow.fs.FileSelector(posixpath.join(self._root, stage), allow_not_found=True, recursive=True)
        times = [info.mtime_ns for info in self._file_system.get_file_info(selector) if info.mtime_ns]
        return max(times) / 1e9 if times else None

    def remove(self, stage: str) -> None:
        folder = posixpath.join(self._root, stage)
        if self._file_system.get_file_info(folder).type == pyarrow.fs.FileType.Directory:
            self._file_system.delete_dir(folder)

    def delete(self, file: str) -> None:
        """Deletes a file of the folder itself, if it is there."""
        withdraw(self._file_system, posixpath.join(self._root, file))

    # ------------------------------------------------------------------------------------------------------------------

    def create(self, stage: str) -> None:
        """Creates the folder of a stage whose tasks report for themselves."""
        self._file_system.create_dir(posixpath.join(self._root, stage), recursive=True)

    def begin(self, stage: str) -> None:
        """Creates an empty folder for the files of the stage's tasks."""
        self.remove(stage)
        self._file_system.create_dir(posixpath.join(self._root, stage), recursive=True)

    def complete(self, stage: str, reports: list[dict[str, Any]]) -> None:
        """Completes the stage: from now on it consists of the files in these reports, and nothing else."""
        self.keep_only(stage, {str(report.get("file")) for report in reports})
        self.write_json(posixpath.join(stage, _COMPLETE), reports)

    def keep_only(self, stage: str, names: set[str]) -> None:
        """Deletes the files of a stage that have other names: those of tasks that failed or ran twice."""
        for info in self._file_system.get_file_info(pyarrow.fs.FileSelector(posixpath.join(self._root, stage))):
            if info.is_file and info.base_name not in names:
                with contextlib.suppress(OSError):  # an abandoned task may still write or delete
                    self._file_system.delete_file(info.path)

    def reports(self, stage: str) -> list[dict[str, Any]]:
        """The reports of the tasks of a complete stage."""
        return list(self.read_json(posixpath.join(stage, _COMPLETE)))

    def new_part(self, stage: str, schema: pyarrow.Schema, statistics: list[str] | None = None) -> Part:
        """A file for a task. `statistics` names the columns of numbers whose values its end has, too (StoredRows)."""
        return Part(self._file_system, posixpath.join(self._root, stage), f"{self.path}/{stage}", schema, statistics)

    def new_bytes(self, stage: str) -> BytesPart:
        """A file for a task whose content is plain bytes."""
        return BytesPart(self._file_system, posixpath.join(self._root, stage), f"{self.path}/{stage}")

    def stored_bytes(self, stage: str, file: str, size: int, checksum: int) -> Iterator[bytes]:
        """The content of such a file, piece by piece, with its size and checksum as BytesPart has them.

        A damaged or missing file raises a CorruptDataError that names it.
        """
        opened = StoredBytes(self._file_system, self._root, self.path, f"{stage}/{file}", _ADVICE)
        with contextlib.closing(opened):
            yield from opened.pieces(size, checksum)

    def open_rows(self, stage: str, file: str, advice: str = _ADVICE) -> contextlib.closing[StoredRows]:
        """The rows of a file of a stage. `advice`: what to do if it is missing or damaged."""
        return contextlib.closing(StoredRows(self._file_system, self._root, self.path, f"{stage}/{file}", advice))

    def rows(
        self, stage: str, places: Iterable[tuple[str, int]], columns: list[str]
    ) -> Iterator[tuple[Any, ...]]:
        """The values of rows of a stage, at the positions returned by Part.write."""
        return self.stored_rows(((stage, file, row) for file, row in places), columns)

    def stored_rows(self, places: Iterable[tuple[str, str, int]], columns: list[str]) -> Iterator[tuple[Any, ...]]:
        """The values of rows, given by stage, file and position. Consecutive rows of a file share one open.

        A damaged or missing file raises a CorruptDataError that names it.
        """
        for (stage, file), of_file in itertools.groupby(places, key=lambda place: place[:2]):
            with self.open_rows(stage, file) as rows:
                for _, _, row in of_file:
                    yield rows.read(row, columns)

    def blocks(
        self, stage: str, file: str, keys: list[str], needs: Callable[[int, int], bool], advice: str
    ) -> Iterator[bytes]:
        """The column `payload` of the rows of a file whose two keys, of which the file has statistics, are needed.

        A damaged or missing file raises a CorruptDataError that names it and gives the advice.
        """
        with self.open_rows(stage, file, advice) as rows:
            for row, (first, last) in enumerate(rows.statistics(keys)):
                if needs(first, last):
                    yield rows.read(row, ["payload"])[0]

    # ------------------------------------------------------------------------------------------------------------------

    def copy_file(self, stage: str, file: str, file_system: pyarrow.fs.FileSystem, path: str) -> None:
        """Copies a file of a stage."""
        source = posixpath.join(self._root, stage, file)
        pyarrow.fs.copy_files(
            source, path, source_filesystem=self._file_system, destination_filesystem=file_system
        )

    def read_json(self, name: str) -> Any:
        """The content of a JSON file; None if it does not exist."""
        path, shown_name = posixpath.join(self._root, name), f"{self.path}/{name}"

        def read() -> Any:
            try:
                with self._file_system.open_input_stream(path) as file:
                    content = file.read()
            except FileNotFoundError:
                return None
            try:
                return json.loads(content)
            except ValueError as error:
                raise CorruptDataError(f"{shown_name}: {error}; start over in another folder") from error

        return repeated(shown_name, read)

    def write_json(self, name: str, value: Any, attempt: str = "") -> None:
        """Writes or replaces a JSON file as a whole. Two attempts at one task, which may do so at the same time, have
        names of their own."""
        indent = None if isinstance(value, list) else 2
        content = (json.dumps(value, indent=indent, sort_keys=True) + "\n").encode()

        def write() -> None:
            self._file_system.create_dir(self._root, recursive=True)
            with whole_file(self._file_system, posixpath.join(self._root, name), attempt) as path:
                with self._file_system.open_output_stream(path) as file:
                    file.write(content)

        repeated(f"{self.path}/{name}", write)


class _StoredFile:
    """A file of the work folder, whose `name` includes its stage. A damaged or missing file raises a CorruptDataError
    that names it."""

    def __init__(
        self,
        file_system: pyarrow.fs.FileSystem,
        root: str,
        shown_root: str,
        name: str,
        advice: str,
    ) -> None:
        self._file_system = file_system
        self._advice = advice
        self._path = posixpath.join(root, name)
        self._shown = f"{shown_root}/{name}"
        self._opened: Any = None

    def _open(self) -> Any:
        return self._file_system.open_input_file(self._path)

    def _repeated(self, read: Callable[[Any], Any]) -> Any:
        """Reads from the file, which is opened again for each further attempt."""

        def attempt() -> Any:
            try:
                if self._opened is None:
                    self._opened = self._open()
                return read(self._opened)
            except BaseException:
                self.close()
                raise

        try:
            return repeated(self._shown, attempt)
        except (CorruptDataError, NotFoundError) as error:
            raise CorruptDataError(f"{error}; {self._advice}") from error

    def close(self) -> None:
        if self._opened is not None:
            opened, self._opened = self._opened, None
            self._end(opened)

    def _end(self, opened: Any) -> None:
        opened.close()


class StoredRows(_StoredFile):
    """The rows of a file."""

    def _open(self) -> Any:
        return pyarrow.parquet.ParquetFile(super()._open())

    def _end(self, opened: Any) -> None:
        opened.close(force=True)

    def read(self, row: int, columns: list[str]) -> tuple[Any, ...]:
        table = self._repeated(lambda file: file.read_row_group(row, columns=columns, use_threads=False))
        values = tuple(table.column(column)[0].as_py() for column in columns)
        del table
        # Otherwise the pool keeps more and more memory, the more rows a process reads.
        pyarrow.default_memory_pool().release_unused()
        return values

    def statistics(self, columns: list[str], rows: Iterable[int] | None = None) -> list[list[int]]:
        """The values of columns of numbers in these rows, or in all, from what the end of the file says about them:
        nothing else is read. For columns that new_part() was told."""

        def read(file: Any) -> list[list[int]]:
            metadata = file.metadata
            places = [file.schema_arrow.get_field_index(column) for column in columns]
            groups = map(metadata.row_group, range(metadata.num_row_groups) if rows is None else rows)
            return [[group.column(place).statistics.max for place in places] for group in groups]

        return list(self._repeated(read))


class StoredBytes(_StoredFile):
    """The content of a file of plain bytes."""

    def pieces(self, size: int, checksum: int) -> Iterator[bytes]:
        found = 0
        for begin in range(0, size, PIECE_BYTES):
            count = min(PIECE_BYTES, size - begin)
            piece = self._repeated(operator.methodcaller("read_at", count, begin))
            found = zlib.crc32(piece, found)
            if len(piece) < count:
                break
            yield piece
        if found != checksum:
            raise CorruptDataError(f"{self._shown}: has other bytes than were written; {self._advice}")


class BytesPart:
    """A file of one attempt of a task, of plain bytes. It is created with the first of them."""

    def __init__(self, file_system: pyarrow.fs.FileSystem, folder: str, shown_folder: str) -> None:
        self._file_system = file_system
        self._folder = folder
        self._shown_folder = shown_folder
        self._opened: Any = None
        self.file = ""  # its name; empty without bytes
        self.size = 0
        self.checksum = 0  # CRC-32

    def write(self, content: bytes) -> None:
        self.file = self.file or f"part-{uuid.uuid4().hex}"
        with errors_of(f"{self._shown_folder}/{self.file}"):
            if self._opened is None:
                self._opened = self._file_system.open_output_stream(posixpath.join(self._folder, self.file))
            self._opened.write(content)
        self.size += len(content)
        self.checksum = zlib.crc32(content, self.checksum)

    def close(self) -> None:
        if self._opened is not None:
            opened, self._opened = self._opened, None
            with errors_of(f"{self._shown_folder}/{self.file}"):
                opened.close()


class Part:
    """A file of one attempt of a task. Each row that is written alone has its own row group, because rows are read one
    by one. The file is created with its first row."""

    def __init__(
        self,
        file_system: pyarrow.fs.FileSystem,
        folder: str,
        shown_folder: str,
        schema: pyarrow.Schema,
        statistics: list[str] | None = None,
    ) -> None:
        self._statistics = statistics
        self._file_system = file_system
        self._folder = folder
        self._shown_folder = shown_folder  # for messages
        self._schema = schema
        self._writer: pyarrow.parquet.ParquetWriter | None = None
        self.file = ""  # its name; empty without rows
        self.rows = 0

    def write(self, *values: Any) -> int:
        """Adds a row; returns its position in the file."""
        arrays = [array_of(value, field.type) for value, field in zip(values, self._schema)]
        self.write_rows(pyarrow.Table.from_arrays(arrays, schema=self._schema))
        return self.rows - 1

    def write_rows(self, rows: pyarrow.Table) -> None:
        """Adds rows of the file's schema as a row group."""
        self.file = self.file or f"part-{uuid.uuid4().hex}.parquet"
        with self._errors():
            if self._writer is None:
                self._writer = self._begin()
            self._writer.write_table(rows)
        self.rows += rows.num_rows

    def _begin(self) -> pyarrow.parquet.ParquetWriter:
        # Hashes hardly repeat, so dictionaries and statistics of other columns would cost more than they save.
        return pyarrow.parquet.ParquetWriter(
            posixpath.join(self._folder, self.file),
            self._schema,
            filesystem=self._file_system,
            compression="lz4",
            use_dictionary=False,
            write_statistics=self._statistics or False,
        )

    def _errors(self) -> contextlib.AbstractContextManager[None]:
        return errors_of(f"{self._shown_folder}/{self.file}")

    def close(self) -> None:
        if self._writer is not None:
            writer, self._writer = self._writer, None
            with self._errors():
                writer.close()

    def __enter__(self) -> Part:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def array_of(value: int | str | bytes, kind: pyarrow.DataType) -> pyarrow.Array:
    """An array of one number, text or byte string. Avoids pyarrow.array(), which imports pandas, if installed, in every
    process; that takes a quarter of a second."""
    if isinstance(value, int):
        signed = pyarrow.types.is_signed_integer(kind)
        number = value.to_bytes(kind.bit_width // 8, sys.byteorder, signed=signed)
        return pyarrow.Array.from_buffers(kind, 1, [None, pyarrow.py_buffer(number)])
    content = value.encode("utf-8", "replace") if isinstance(value, str) else value
    buffers = [pyarrow.py_buffer(struct.pack("=2i", 0, len(content))), pyarrow.py_buffer(content)]
    return pyarrow.Array.from_buffers(kind, 1, [None, *buffers])


def write_parquet(file_system: pyarrow.fs.FileSystem, folder: str, table: pyarrow.Table) -> None:
    """Writes a table as one Parquet file, and the marker file that completes it for other readers."""
    pyarrow.parquet.write_table(table, posixpath.join(folder, "part-00000.parquet"), filesystem=file_system)
    mark_complete(file_system, folder)


def mark_complete(file_system: pyarrow.fs.FileSystem, folder: str) -> None:
    """Writes the file that completes a folder of Parquet files for other readers."""
    with file_system.open_output_stream(posixpath.join(folder, _COMPLETE)) as marker:
        marker.write(b"\n")  # some servers of S3 refuse empty objects
