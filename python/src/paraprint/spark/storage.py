"""The work folder: a path that every machine reaches, or a URI that pyarrow and Spark both know."""

from __future__ import annotations

import json
import os
import posixpath
from typing import Any, Iterator

import pyarrow
import pyarrow.fs
import pyarrow.parquet


def uri_of(path: str) -> str:
    """As Spark takes it: a plain path is one of this machine."""
    return path if "://" in path else "file://" + os.path.abspath(path)


def open_file_system(path: str) -> tuple[pyarrow.fs.FileSystem, str]:
    """What reads and writes the path, and the path in it."""
    file_system, inner = pyarrow.fs.FileSystem.from_uri(uri_of(path))
    return file_system, inner


class WorkFolder:
    """Stages as folders of Parquet files, each complete when Spark has committed it."""

    def __init__(self, path: str) -> None:
        self.path = path.rstrip("/")
        self._file_system, self._root = open_file_system(self.path)

    def uri(self, stage: str) -> str:
        return uri_of(self.path) + "/" + stage

    def is_complete(self, stage: str) -> bool:
        success = self._file_system.get_file_info(posixpath.join(self._root, stage, "_SUCCESS"))
        return bool(success.type == pyarrow.fs.FileType.File)

    def is_empty(self) -> bool:
        """Nothing is there, or a folder without files."""
        selector = pyarrow.fs.FileSelector(self._root, allow_not_found=True)
        return not self._file_system.get_file_info(selector)

    def remove(self, stage: str) -> None:
        folder = posixpath.join(self._root, stage)
        if self._file_system.get_file_info(folder).type == pyarrow.fs.FileType.Directory:
            self._file_system.delete_dir(folder)

    def part_files(self, stage: str) -> list[str]:
        """Paths of the stage's Parquet files, sorted; none if it gave nothing."""
        selector = pyarrow.fs.FileSelector(posixpath.join(self._root, stage), recursive=True, allow_not_found=True)
        found = self._file_system.get_file_info(selector)
        return sorted(info.path for info in found if info.is_file and info.path.endswith(".parquet"))

    def batches(self, stage: str, columns: list[str], rows_at_once: int = 16) -> Iterator[pyarrow.RecordBatch]:
        """The rows of a stage, file after file, in bounded memory."""
        for path in self.part_files(stage):
            yield from read_batches(self._file_system, path, columns, rows_at_once)

    def write_rows(self, stage: str, table: pyarrow.Table) -> None:
        """A stage that the driver makes: complete when the file _SUCCESS is there, as Spark's are."""
        folder = posixpath.join(self._root, stage)
        self.remove(stage)
        self._file_system.create_dir(folder, recursive=True)
        pyarrow.parquet.write_table(
            table, posixpath.join(folder, "part-00000.parquet"), filesystem=self._file_system, row_group_size=64
        )
        with self._file_system.open_output_stream(posixpath.join(folder, "_SUCCESS")):
            pass

    def read_json(self, name: str) -> Any:
        """The content of a JSON file; None if there is none."""
        path = posixpath.join(self._root, name)
        if self._file_system.get_file_info(path).type != pyarrow.fs.FileType.File:
            return None
        with self._file_system.open_input_stream(path) as file:
            return json.loads(file.read())

    def write_json(self, name: str, value: Any) -> None:
        self._file_system.create_dir(self._root, recursive=True)
        with self._file_system.open_output_stream(posixpath.join(self._root, name)) as file:
            file.write((json.dumps(value, indent=2, sort_keys=True) + "\n").encode())


def read_batches(
    file_system: pyarrow.fs.FileSystem, path: str, columns: list[str], rows_at_once: int
) -> Iterator[pyarrow.RecordBatch]:
    with file_system.open_input_file(path) as file:
        yield from pyarrow.parquet.ParquetFile(file).iter_batches(batch_size=rows_at_once, columns=columns)
