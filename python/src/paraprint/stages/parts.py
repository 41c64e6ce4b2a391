"""The files of a work folder, or of a folder of known pages: Parquet files whose rows are read one by one, and plain
bytes. Each has checksums, so that a damaged file is an error that names it: pages of Parquet files their own ones, as
Parquet has them, plain bytes one of all, in the report of their task.

The end of a Parquet file, which says where its pages are, has one, too. Parquet has no place for it; it is behind the
last field of the end, where readers do not look, but whose bytes they expect: those that know it take it away, others
pass over it. It is checked first, because Arrow may abort the process at an end that is damaged.
"""

from __future__ import annotations

import contextlib
import operator
import posixpath
import struct
import sys
import uuid
import zlib
from typing import Any, Callable, Iterable, Iterator

import pyarrow
import pyarrow.fs
import pyarrow.parquet

from ..durable_files import sync_file, sync_folder
from ..errors import CorruptDataError, Error, NotFoundError
from ..stores import PIECE_BYTES, errors_of, repeated

#: Where a file of a stage is missing or damaged.
ADVICE = "start over without the stages stored there (do not resume)"

# The last bytes of a file: the length of its end, and these.
_MAGIC = b"PAR1"
_LENGTH = struct.Struct("<I4s")
# The last bytes of the end: its checksum (CRC-32), and these.
_CHECKED = b"paraCRC1"
_CHECKSUM = struct.Struct("<I8s")
# What is read of a file first: most ends are shorter.
_LAST_BYTES = 64 << 10


@contextlib.contextmanager
def data_of(name: str, advice: str = ADVICE) -> Iterator[None]:
    """Names the file in what the core says of data that was read from it."""
    try:
        yield
    except CorruptDataError as error:
        raise CorruptDataError(f"{name}: {error}; {advice}") from error


def sync_stored(file_system: pyarrow.fs.FileSystem, path: str) -> None:
    """Waits until a file and its name are on disk. A store on other machines has done that itself."""
    if file_system.type_name == "local":
        sync_file(path)
        sync_folder(posixpath.dirname(path))


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
        except (Error, OSError, MemoryError):
            raise
        except Exception as error:  # whatever a damaged file leads to
            raise CorruptDataError(f"{self._shown}: is damaged ({error!r}); {self._advice}") from error

    def close(self) -> None:
        if self._opened is not None:
            opened, self._opened = self._opened, None
            self._end(opened)

    def _end(self, opened: Any) -> None:
        opened.close()


class StoredRows(_StoredFile):
    """The rows of a file."""

    def _open(self) -> Any:
        file = super()._open()
        return pyarrow.parquet.ParquetFile(file, metadata=_end_of(file), page_checksum_verification=True)

    def _end(self, opened: Any) -> None:
        opened.close(force=True)

    def read(self, row: int, columns: list[str]) -> tuple[Any, ...]:
        def values_of(file: Any) -> tuple[Any, ...]:
            table = file.read_row_group(row, columns=columns, use_threads=False)
            return tuple(table.column(column)[0].as_py() for column in columns)

        values: tuple[Any, ...] = self._repeated(values_of)
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


def _end_of(file: Any) -> pyarrow.parquet.FileMetaData:
    """What the end of a Parquet file says, read at once if it is short. Files of earlier versions have no checksum."""
    size = file.size()
    last = file.read_at(_LAST_BYTES, max(0, size - _LAST_BYTES))
    length, magic = _LENGTH.unpack(last[-_LENGTH.size :]) if len(last) >= _LENGTH.size else (0, b"")
    if magic != _MAGIC or length > size - _LENGTH.size:
        raise pyarrow.ArrowInvalid("its end is missing")
    if length + _LENGTH.size > len(last):
        last = file.read_at(length + _LENGTH.size, size - length - _LENGTH.size)
    end = last[-length - _LENGTH.size : -_LENGTH.size]
    if end.endswith(_CHECKED) and len(end) >= _CHECKSUM.size:
        checksum, _ = _CHECKSUM.unpack(end[-_CHECKSUM.size :])
        end = end[: -_CHECKSUM.size]
        if zlib.crc32(end) != checksum:
            raise pyarrow.ArrowInvalid("its end has other bytes than were written")
    whole = _MAGIC + end + _LENGTH.pack(len(end), _MAGIC)
    return pyarrow.parquet.read_metadata(pyarrow.BufferReader(whole))


class _Sink:
    """What Arrow writes a Parquet file to, whose end gets a checksum."""

    closed = False

    def __init__(self, output: Any) -> None:
        self._output = output
        self._end: list[bytes] | None = None

    def write(self, content: bytes) -> int:
        if self._end is None:
            self._output.write(content)
        else:
            self._end.append(content)
        return len(content)

    def flush(self) -> None:
        self._output.flush()

    def tell(self) -> int:
        return int(self._output.tell()) + sum(map(len, self._end or ()))

    def begin_end(self) -> None:
        """Holds back what comes: call before the writer writes the end."""
        self._end = []

    def write_end(self) -> None:
        last = b"".join(self._end or ())
        length, magic = _LENGTH.unpack(last[-_LENGTH.size :])
        end = last[-length - _LENGTH.size : -_LENGTH.size]
        checksum = _CHECKSUM.pack(zlib.crc32(end), _CHECKED)
        self._output.write(last[: -_LENGTH.size] + checksum + _LENGTH.pack(length + len(checksum), magic))


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
                sync_stored(self._file_system, posixpath.join(self._folder, self.file))


class Part:
    """A file of one attempt of a task. Each row that is written alone has its own row group, because rows are read one
    by one. The file is created with its first row. The end of one that other programs read has no checksum."""

    def __init__(
        self,
        file_system: pyarrow.fs.FileSystem,
        folder: str,
        shown_folder: str,
        schema: pyarrow.Schema,
        statistics: list[str] | None = None,
        is_for_others: bool = False,
    ) -> None:
        self._statistics = statistics
        self._is_for_others = is_for_others
        self._file_system = file_system
        self._folder = folder
        self._shown_folder = shown_folder  # for messages
        self._schema = schema
        self._writer: pyarrow.parquet.ParquetWriter | None = None
        self._output: Any = None
        self._sink: _Sink | None = None
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
        self._output = self._file_system.open_output_stream(posixpath.join(self._folder, self.file))
        self._sink = None if self._is_for_others else _Sink(self._output)
        # Hashes hardly repeat, so dictionaries and statistics of other columns would cost more than they save.
        return pyarrow.parquet.ParquetWriter(
            self._output if self._sink is None else pyarrow.PythonFile(self._sink, mode="w"),
            self._schema,
            compression="lz4",
            use_dictionary=False,
            write_statistics=self._statistics or False,
            write_page_checksum=True,
        )

    def _errors(self) -> contextlib.AbstractContextManager[None]:
        return errors_of(f"{self._shown_folder}/{self.file}")

    def close(self) -> None:
        if self._writer is not None:
            writer, self._writer = self._writer, None
            with self._errors():
                if self._sink is not None:
                    self._sink.begin_end()
                writer.close()
                if self._sink is not None:
                    self._sink.write_end()
                self._output.close()
                sync_stored(self._file_system, posixpath.join(self._folder, self.file))

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
