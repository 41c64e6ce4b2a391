"""Files of rows: Parquet, Arrow and CSV, read and written batch by batch in bounded memory. Needs pyarrow.

Every column is kept, with its type, metadata and order. The columns of CSV are text, and its values stay what they are:
"007" is no number, and an empty field no missing one.
"""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import os
import pathlib
from typing import Any, Collection, Iterable, Iterator, Mapping, NamedTuple, Protocol

from .column_checks import ColumnChecker
from .errors import CorruptDataError, Error, InvalidArgumentError, LimitExceededError
from .stores import StoredFile, arrow, errors_of

#: Maximum rows per batch. A batch also ends at the end of a row group.
BATCH_ROWS = 1024
#: The same for Parquet, which has to be decoded: of pages, larger batches are new memory each time, which costs more
#: than the decoding.
_PARQUET_BATCH_ROWS = 256
#: The same where it cannot be told how long the texts are.
_UNKNOWN_BATCH_ROWS = 16
#: Size from which rows are written as a row group, even if those of the input have more rows.
_ROW_GROUP_BYTES = 64 << 20
#: Maximum bytes of text in a batch of CSV or Parquet: fewer rows are read if they are long.
_BATCH_TEXT_BYTES = 64 << 20
#: Maximum columns of CSV. What a row costs grows with them, and one that is too short is a byte in the file.
_CSV_COLUMNS_MAXIMUM = 10_000
#: Maximum length of a field of CSV, the limit of pages with what may surround them.
_FIELD_BYTES_MAXIMUM = 256 << 20
#: What a value takes besides its text, about.
_PLACE_BYTES = 8
#: A file may have this many rows, and more for each of its bytes: a column of nulls takes no room in it, and a row that
#: is no page is remembered as well.
_ROWS_MAXIMUM = 16 << 20
_ROWS_PER_BYTE = 8
#: Beyond so many bytes, compressed text may be this many times as long as its file, as for archives.
_UNPACKED_BYTES = 64 << 20
_EXPANSION_RATIO_MAXIMUM = 500
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}


class RowBatch(NamedTuple):
    rows: Any  #: a pyarrow.RecordBatch with at least one row
    broken: Mapping[int, str] = {}  #: rows that could not be read, which are null, with what is wrong with them
    part: int = 0  #: of the file: a row group of Parquet, a batch of an Arrow file. Other forms have one part


class Rows(Protocol):
    """An open file of rows."""

    schema: Any  #: pyarrow.Schema

    @property
    def share_done(self) -> float:
        """How much of the file the batches so far make up, from 0 to 1."""

    def batches(self, part: int = 0, columns: Collection[str] | None = None) -> Iterator[RowBatch]:
        """All rows, or those from the beginning of a part. `columns`: those that are needed; others may be missing."""

    def writer(self, path: pathlib.Path, schema: Any) -> contextlib.AbstractContextManager[Any]:
        """A writer with write_batch() for a local file in the form of this one."""


@contextlib.contextmanager
def opened(file: StoredFile) -> Iterator[Rows]:
    """Raises errors that name the file, also while it is read; and if it has changed meanwhile."""
    name = file.path.lower()
    with errors_of(file.uri), file.open() as source, _named(file.uri):
        if name.endswith((".parquet", ".pq")):
            yield _Parquet(source)
        elif _without_compression(name).endswith((".csv", ".tsv")):
            yield _Csv(source, name)
        else:
            yield _Arrow(source)
    file.check()


def first_repeated(names: Iterable[str]) -> str | None:
    """The first name that is among those before it."""
    seen: set[str] = set()
    return next((name for name in names if name in seen or seen.add(name)), None)  # type: ignore[func-returns-value]


@contextlib.contextmanager
def _named(name: str) -> Iterator[None]:
    try:
        yield
    except Error as error:
        if str(error).startswith(f"{name}: "):
            raise
        raise type(error)(f"{name}: {error}") from error


def _check_rows(rows: int, size_bytes: int) -> None:
    maximum = _ROWS_MAXIMUM + _ROWS_PER_BYTE * size_bytes
    if rows > maximum:
        raise LimitExceededError(f"has more than {maximum} rows, which its size does not account for")


class _Parquet:
    def __init__(self, source: Any) -> None:
        from pyarrow import parquet

        self._source = source
        self._file = parquet.ParquetFile(source, pre_buffer=False)  # pre-buffering would hold the whole file in memory
        _check_rows(self._file.metadata.num_rows, source.size())
        self.schema = self._file.schema_arrow
        self.share_done: float = 0

    def batches(self, part: int = 0, columns: Collection[str] | None = None) -> Iterator[RowBatch]:
        metadata = self._file.metadata
        done = sum(metadata.row_group(group).num_rows for group in range(part))
        wanted = None if columns is None else [name for name in self.schema.names if name in columns]
        for group in range(part, metadata.num_row_groups):
            rows = self._batch_rows(group, wanted)
            for batch in self._file.iter_batches(rows, [group], wanted, use_threads=False):
                done += batch.num_rows
                self.share_done = done / max(metadata.num_rows, 1)
                if batch.num_rows > 0:
                    yield RowBatch(batch, part=group)

    def _batch_rows(self, group: int, wanted: list[str] | None) -> int:
        """How many rows of a row group a batch may have. A text that many rows share is in the file once and in a batch
        once per row, so that a small file could take any memory."""
        metadata = self._file.metadata.row_group(group)
        largest = 0
        for number in range(metadata.num_columns):
            column = metadata.column(number)
            name = column.path_in_schema
            if column.physical_type != "BYTE_ARRAY" or (wanted is not None and name not in wanted):
                continue
            average = column.total_uncompressed_size // max(metadata.num_rows, 1)
            largest = max(largest, average)
            if column.has_dictionary_page and column.total_uncompressed_size * _PARQUET_BATCH_ROWS > _BATCH_TEXT_BYTES:
                largest = max(largest, self._longest_shared(group, name))
        return max(1, min(_PARQUET_BATCH_ROWS, _BATCH_TEXT_BYTES // max(largest, 1)))

    def _longest_shared(self, group: int, name: str) -> int:
        """The length of the longest text in the dictionary of a column, whose first page is read for it."""
        from pyarrow import compute, parquet

        file = parquet.ParquetFile(
            self._source, metadata=self._file.metadata, read_dictionary=[name], pre_buffer=False, buffer_size=1 << 20
        )
        try:
            first = next(file.iter_batches(1, [group], [name], use_threads=False), None)
        except arrow().ArrowInvalid:  # pyarrow wants UTF-8 in a dictionary, unlike in other columns of texts
            return _BATCH_TEXT_BYTES // _UNKNOWN_BATCH_ROWS
        if first is None or not arrow().types.is_dictionary(first.column(0).type):
            return 0  # of texts in lists and structs
        return int(compute.max(compute.binary_length(first.column(0).dictionary)).as_py() or 0)

    def writer(self, path: pathlib.Path, schema: Any) -> contextlib.AbstractContextManager[Any]:
        metadata = self._file.metadata
        groups = (metadata.row_group(group).num_rows for group in range(metadata.num_row_groups))
        return _parquet_writer(path, schema, max(groups, default=BATCH_ROWS))


@contextlib.contextmanager
def _parquet_writer(path: pathlib.Path, schema: Any, group_rows: int) -> Iterator[_ParquetWriter]:
    from pyarrow import parquet

    sink = arrow().OSFile(os.fsencode(path), "wb")
    with sink, parquet.ParquetWriter(sink, schema, compression="zstd") as file:
        writer = _ParquetWriter(file, group_rows)
        yield writer
        writer.flush()


class _ParquetWriter:
    """Collects rows into row groups: pyarrow makes one of each batch."""

    def __init__(self, file: Any, group_rows: int) -> None:
        self._file = file
        self._group_rows = group_rows
        self._batches: list[Any] = []
        self._rows = 0
        self._bytes = 0

    def write_batch(self, batch: Any) -> None:
        while batch.num_rows > 0:
            part = batch.slice(0, self._group_rows - self._rows)
            batch = batch.slice(part.num_rows)
            self._batches.append(part)
            self._rows += part.num_rows
            self._bytes += part.nbytes
            if self._rows == self._group_rows or self._bytes >= _ROW_GROUP_BYTES:
                self.flush()

    def flush(self) -> None:
        if self._batches:
            self._file.write_table(arrow().Table.from_batches(self._batches), row_group_size=self._rows)
        self._batches, self._rows, self._bytes = [], 0, 0


class _Arrow:
    """An IPC file, also known as Feather 2, or an IPC stream."""

    def __init__(self, source: Any) -> None:
        ipc = arrow().ipc
        self._is_file = bytes(source.read(6)) == b"ARROW1"
        source.seek(0)
        self._reader = ipc.open_file(source) if self._is_file else ipc.open_stream(source)
        self._source = source
        self.schema = self._reader.schema
        self._size_bytes = source.size()
        self._checker = ColumnChecker(self.schema)
        self.share_done: float = 0

    def batches(self, part: int = 0, columns: Collection[str] | None = None) -> Iterator[RowBatch]:
        rows = 0
        for number, batch in self._stored_batches(part):
            rows += batch.num_rows
            _check_rows(rows, self._size_bytes)
            if columns is not None:
                batch = batch.select([name for name in batch.schema.names if name in columns])
            self._checker.check(batch)
            for first in range(0, batch.num_rows, BATCH_ROWS):
                yield RowBatch(batch.slice(first, BATCH_ROWS), part=number)

    def _stored_batches(self, first: int) -> Iterator[tuple[int, Any]]:
        if not self._is_file:
            for batch in self._reader:
                self.share_done = _share_read(self._source)
                yield 0, batch
            return
        count = self._reader.num_record_batches
        for number in range(first, count):
            self.share_done = (number + 1) / count
            yield number, self._reader.get_batch(number)

    def writer(self, path: pathlib.Path, schema: Any) -> contextlib.AbstractContextManager[Any]:
        ipc = arrow().ipc
        options = ipc.IpcWriteOptions(emit_dictionary_deltas=True)
        return _ipc_writer(path, ipc.new_file if self._is_file else ipc.new_stream, schema, options)


@contextlib.contextmanager
def _ipc_writer(path: pathlib.Path, kind: Any, schema: Any, options: Any) -> Iterator[Any]:
    with arrow().OSFile(os.fsencode(path), "wb") as sink, kind(sink, schema, options=options) as writer:
        yield writer


def _share_read(source: Any) -> float:
    """Of a file that is read from its beginning to its end."""
    return 1.0 if source.closed else float(source.tell() / max(source.size(), 1))  # decompressors close it at its end


def _without_compression(name: str) -> str:
    ending = next((ending for ending in _COMPRESSIONS if name.endswith(ending)), "")
    return name.removesuffix(ending)


class _Csv:
    """RFC 4180: fields may be quoted and have line feeds; the first row has the names of the columns. Bytes are read
    and written as Latin-1, which keeps every one of them, and understood as UTF-8. The separator is the tabulator in
    .tsv files, and otherwise the comma, or the semicolon if the first row has some and no comma."""

    def __init__(self, source: Any, name: str) -> None:
        self._source = source
        self._compression = next((kind for ending, kind in _COMPRESSIONS.items() if name.endswith(ending)), None)
        content = source if self._compression is None else arrow().CompressedInputStream(source, self._compression)
        unpacked_maximum = max(_UNPACKED_BYTES, _EXPANSION_RATIO_MAXIMUM * source.size())
        limited = _LimitedLines(content, unpacked_maximum)
        text = io.TextIOWrapper(io.BufferedReader(limited, 1 << 20), "latin-1", newline="")
        first = text.readline()
        if first.startswith(("\xff\xfe", "\xfe\xff")):
            raise InvalidArgumentError("is UTF-16; convert it to UTF-8, for example with iconv")
        first = first.removeprefix("\xef\xbb\xbf")  # the byte order mark of UTF-8
        other = ";" if ";" in first and "," not in first else ","
        self._separator = "\t" if _without_compression(name).endswith(".tsv") else other
        self._line_end = "\r\n" if first.endswith("\r\n") else "\n"
        csv.field_size_limit(max(csv.field_size_limit(), _FIELD_BYTES_MAXIMUM))
        self._rows = csv.reader(itertools.chain([first] if first else [], text), delimiter=self._separator, strict=True)
        try:
            header = next(self._rows, [])
        except csv.Error as error:
            raise InvalidArgumentError(f"line 1: {error}") from error
        names = [_text(field) for field in header]
        if not names:
            raise InvalidArgumentError("is empty; the first row must have the names of the columns")
        if len(names) > _CSV_COLUMNS_MAXIMUM:
            raise LimitExceededError(f"has {len(names)} columns, more than {_CSV_COLUMNS_MAXIMUM}")
        repeated = first_repeated(names)
        if repeated is not None:
            raise InvalidArgumentError(f"two columns have the name '{repeated}'")
        pyarrow = arrow()
        self.schema = pyarrow.schema([(name, pyarrow.string()) for name in names])

    @property
    def share_done(self) -> float:
        return _share_read(self._source)

    def batches(self, part: int = 0, columns: Collection[str] | None = None) -> Iterator[RowBatch]:
        rows: list[list[str] | None] = []  # None for one that is broken
        broken: dict[int, str] = {}
        size = 0
        wanted = [number for number, name in enumerate(self.schema.names) if columns is None or name in columns]
        while True:
            line = self._rows.line_num + 1
            row: list[Any] | None = None
            problem = ""
            try:
                row = next(self._rows, None)
                if row is None:
                    break
                if not row:
                    continue  # an empty line
                if len(row) != len(self.schema):
                    problem = f"{len(row)} fields, and the first row has {len(self.schema)}"
            except csv.Error as error:
                problem = str(error)
            if row is None or problem:
                broken[len(rows)] = f"line {line}: {problem}"
                row = None
            rows.append(row)
            # A row that is missing takes memory in every column, too.
            size += sum(map(len, row or ())) + _PLACE_BYTES * len(self.schema)
            if len(rows) == BATCH_ROWS or size >= _BATCH_TEXT_BYTES:
                yield RowBatch(self._batch(rows, wanted), broken)
                rows, broken, size = [], {}, 0
        if rows:
            yield RowBatch(self._batch(rows, wanted), broken)

    def _batch(self, rows: list[list[str] | None], wanted: list[int]) -> Any:
        pyarrow = arrow()
        columns = []
        for number in wanted:
            encoded = [None if row is None else row[number].encode("latin-1") for row in rows]
            columns.append(pyarrow.array(encoded, pyarrow.binary()).view(pyarrow.string()))
        schema = pyarrow.schema([self.schema.field(number) for number in wanted])
        return pyarrow.RecordBatch.from_arrays(columns, schema=schema)

    def writer(self, path: pathlib.Path, schema: Any) -> contextlib.AbstractContextManager[Any]:
        return _csv_writer(path, schema, self._compression, self._separator, self._line_end)


class _LimitedLines(io.RawIOBase):
    """The bytes of a file, of which there must not be too many, and whose lines must not be too long: Python's reader
    of lines has no limit."""

    def __init__(self, source: Any, bytes_maximum: int) -> None:
        self._source = source
        self._bytes_maximum = bytes_maximum
        self._begin = 0  # of the last line
        self._at = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = int(self._source.readinto(buffer))
        last = bytes(buffer[:count]).rfind(b"\n")
        if last >= 0:
            self._begin = self._at + last + 1
        self._at += count
        if self._at > self._bytes_maximum:
            raise LimitExceededError(f"expands to more than {self._bytes_maximum} bytes; is it a decompression bomb?")
        if self._at - self._begin > _FIELD_BYTES_MAXIMUM:
            raise CorruptDataError(f"a line from byte {self._begin} is longer than {_FIELD_BYTES_MAXIMUM >> 20} MiB")
        return count


def _text(field: str) -> str:
    return field.encode("latin-1").decode("utf-8", "replace")


class _RowOutput:
    """What a csv.writer writes to. It is told to end lines with a carriage return and a line feed, since it quotes only
    fields with a character of the line end, and a reader would take either for one."""

    LINE_END = "\r\n"

    def __init__(self, output: Any, line_end: str) -> None:
        self._output = output
        self._line_end = line_end

    def write(self, row: str) -> None:
        self._output.write(row if self._line_end == self.LINE_END else row[: -len(self.LINE_END)] + self._line_end)


class _CsvWriter:
    def __init__(self, output: Any, schema: Any, separator: str, line_end: str) -> None:
        lines = _RowOutput(output, line_end)
        self._rows = csv.writer(lines, delimiter=separator, lineterminator=_RowOutput.LINE_END)
        self._rows.writerow([name.encode().decode("latin-1") for name in schema.names])

    def write_batch(self, batch: Any) -> None:
        self._rows.writerows(zip(*(_fields(column) for column in batch.columns)))


def _fields(column: Any) -> list[str]:
    """The values of a column as Latin-1 readings of their UTF-8; nothing for what is missing."""
    pyarrow = arrow()
    if not pyarrow.types.is_string(column.type):
        column = column.cast(pyarrow.string())
    return [(value or b"").decode("latin-1") for value in column.view(pyarrow.binary()).to_pylist()]


@contextlib.contextmanager
def _csv_writer(
    path: pathlib.Path, schema: Any, compression: str | None, separator: str, line_end: str
) -> Iterator[_CsvWriter]:
    pyarrow = arrow()
    with contextlib.ExitStack() as stack:
        output = stack.enter_context(pyarrow.OSFile(os.fsencode(path), "wb"))
        if compression is not None:
            output = stack.enter_context(pyarrow.CompressedOutputStream(output, compression))
        text = stack.enter_context(io.TextIOWrapper(io.BufferedWriter(output, 1 << 20), "latin-1", newline=""))
        yield _CsvWriter(text, schema, separator, line_end)
