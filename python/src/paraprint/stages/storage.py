"""The work folder: a path that every machine can access, or a URI that both pyarrow and Spark support.

A stage is a folder of Parquet files. Tasks write theirs under unique names, and the driver completes the stage with one
small file, _SUCCESS, that lists them. A task may therefore fail, run twice or continue after it was abandoned: files
that are not listed are not read.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import posixpath
import re
import zlib
from typing import Any, Callable, Iterable, Iterator

import pyarrow
import pyarrow.fs
import pyarrow.parquet

from ..durable_files import sync_folder
from ..errors import CorruptDataError, Error
from ..stores import PARTIAL, errors_of, file_system_of, repeated, shown, whole_file
from . import s3_settings
from .parts import ADVICE, BytesPart, Part, StoredBytes, StoredRows
from .reports import checked_report

#: Work folders with another layout cannot be resumed.
LAYOUT = 11

_COMPLETE = "_SUCCESS"
# Member of a JSON file: the CRC-32 of the others, as _checksum_of() has it. Files of earlier versions have none.
_CHECKSUM = "checksum"
# Where a JSON file is damaged.
_ANOTHER_FOLDER = "start over in another folder"
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
        with contextlib.suppress(FileNotFoundError):  # another task may delete it at the same time
            file_system.delete_file(path)


@contextlib.contextmanager
def described_in(name: str, advice: str = _ANOTHER_FOLDER) -> Iterator[None]:
    """Turns what wrong members of a JSON file lead to into an error that names it."""
    try:
        yield
    except Error:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise CorruptDataError(f"{name}: is damaged ({error!r}); {advice}") from error


class WorkFolder:
    """The stages of a run, by name."""

    def __init__(self, path: str) -> None:
        self.path = path.rstrip("/")
        self._file_system, self._root = open_file_system(self.path)

    @property
    def is_local(self) -> bool:
        """Whether it is a folder that this machine has mounted."""
        return bool(self._file_system.type_name == "local")

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
        self._create_folder(posixpath.join(self._root, stage))

    def begin(self, stage: str) -> None:
        """Creates an empty folder for the files of the stage's tasks."""
        self.remove(stage)
        self.create(stage)

    def _create_folder(self, path: str) -> None:
        """Creates a folder and those above it, whose names are on disk then."""
        created = []
        while self.is_local and path and not os.path.isdir(path):
            created.append(path)
            path = posixpath.dirname(path)
        self._file_system.create_dir(created[0] if created else path, recursive=True)
        for folder in created:
            sync_folder(posixpath.dirname(folder))

    def complete(self, stage: str, reports: list[dict[str, Any]]) -> None:
        """Completes the stage: from now on it consists of the files in these reports, and nothing else."""
        self.keep_only(stage, {str(report.get("file")) for report in reports})
        self.write_json(posixpath.join(stage, _COMPLETE), {"reports": reports}, is_on_a_line=True)

    def keep_only(self, stage: str, names: set[str]) -> None:
        """Deletes the files of a stage that have other names: those of tasks that failed or ran twice."""
        for info in self._file_system.get_file_info(pyarrow.fs.FileSelector(posixpath.join(self._root, stage))):
            if info.is_file and info.base_name not in names:
                with contextlib.suppress(OSError):  # an abandoned task may still write or delete
                    self._file_system.delete_file(info.path)

    def reports(self, stage: str) -> list[dict[str, Any]]:
        """The reports of the tasks of a complete stage."""
        name = posixpath.join(stage, _COMPLETE)
        stored = self.read_json(name)
        with described_in(f"{self.path}/{name}", ADVICE):
            reports = stored if isinstance(stored, list) else stored["reports"]  # a list in earlier versions
            return [checked_report(report) for report in reports]

    def new_part(
        self,
        stage: str,
        schema: pyarrow.Schema,
        statistics: list[str] | None = None,
        is_for_others: bool = False,
    ) -> Part:
        """A file for a task. `statistics` names the columns of numbers whose values its end has, too (StoredRows)."""
        folder = posixpath.join(self._root, stage)
        return Part(self._file_system, folder, f"{self.path}/{stage}", schema, statistics, is_for_others)

    def new_bytes(self, stage: str) -> BytesPart:
        """A file for a task whose content is plain bytes."""
        return BytesPart(self._file_system, posixpath.join(self._root, stage), f"{self.path}/{stage}")

    def stored_bytes(self, stage: str, file: str, size: int, checksum: int) -> Iterator[bytes]:
        """The content of such a file, piece by piece, with its size and checksum as BytesPart has them.

        A damaged or missing file raises a CorruptDataError that names it.
        """
        opened = StoredBytes(self._file_system, self._root, self.path, f"{stage}/{file}", ADVICE)
        with contextlib.closing(opened):
            yield from opened.pieces(size, checksum)

    def open_rows(self, stage: str, file: str, advice: str = ADVICE) -> contextlib.closing[StoredRows]:
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

    def read_json(self, name: str, advice: str = _ANOTHER_FOLDER) -> Any:
        """The content of a JSON file; None if it does not exist. A damaged one raises a CorruptDataError that names
        it."""
        path, shown_name = posixpath.join(self._root, name), f"{self.path}/{name}"

        def read() -> bytes | None:
            try:
                with self._file_system.open_input_stream(path) as file:
                    return bytes(file.read())
            except FileNotFoundError:
                return None

        content = repeated(shown_name, read)
        if content is None:
            return None
        try:
            value = json.loads(content, parse_constant=_refuse_constant)
            if isinstance(value, dict) and _CHECKSUM in value and value.pop(_CHECKSUM) != _checksum_of(value):
                raise ValueError("its content is not what was written")
        except (ValueError, RecursionError) as error:
            raise CorruptDataError(f"{shown_name}: {error}; {advice}") from error
        return value

    def read_object(self, name: str, advice: str = _ANOTHER_FOLDER) -> dict[str, Any] | None:
        """The same, of a file whose content is an object."""
        value = self.read_json(name, advice)
        if value is not None and not isinstance(value, dict):
            raise CorruptDataError(f"{self.path}/{name}: is damaged (not an object of JSON); {advice}")
        return value

    def write_json(
        self, name: str, value: Any, attempt: str = "", is_on_a_line: bool = False, has_checksum: bool = True
    ) -> None:
        """Writes or replaces a JSON file as a whole. Two attempts at one task, which may do so at the same time, have
        names of their own. Objects have a checksum, of which read_json() says nothing."""
        if has_checksum and isinstance(value, dict):
            value = {**value, _CHECKSUM: _checksum_of(value)}
        content = (json.dumps(value, indent=None if is_on_a_line else 2, sort_keys=True) + "\n").encode()

        def write() -> None:
            self._create_folder(self._root)
            with whole_file(self._file_system, posixpath.join(self._root, name), attempt) as path:
                with self._file_system.open_output_stream(path) as file:
                    file.write(content)

        repeated(f"{self.path}/{name}", write)


def _checksum_of(value: dict[str, Any]) -> int:
    return zlib.crc32(json.dumps(value, sort_keys=True).encode())


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def write_parquet(file_system: pyarrow.fs.FileSystem, folder: str, table: pyarrow.Table) -> None:
    """Writes a table as one Parquet file, and the marker file that completes it for other readers."""
    pyarrow.parquet.write_table(table, posixpath.join(folder, "part-00000.parquet"), filesystem=file_system)
    mark_complete(file_system, folder)


def mark_complete(file_system: pyarrow.fs.FileSystem, folder: str) -> None:
    """Writes the file that completes a folder of Parquet files for other readers."""
    with file_system.open_output_stream(posixpath.join(folder, _COMPLETE)) as marker:
        marker.write(b"\n")  # some servers of S3 refuse empty objects
