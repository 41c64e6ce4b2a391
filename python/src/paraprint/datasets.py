"""Reads pages from tables and files of rows batch by batch, and selects the surviving rows. Needs pyarrow."""

from __future__ import annotations

import bisect
import itertools
import json
import pathlib
from typing import TYPE_CHECKING, Any, Callable, Collection, Iterable, Iterator, Mapping, NamedTuple

from . import _core, row_selection, table_files
from .arrow_values import LAYOUTS, chunk_of, is_frame, mask_of, table_of, without_views
from .durable_files import replace_durably
from .errors import CorruptDataError, InvalidArgumentError, UnsupportedError
from .stores import PARTIAL, StoredFile, arrow, errors_of, partial_name
from .table_files import BATCH_ROWS

if TYPE_CHECKING:
    from .dedup_result import DedupResult

#: Why a row was skipped, by the number that the bindings give (row_checks.cc), or one of ours (5 and 6).
SKIP_REASONS = {
    1: "null", 2: "too-large", 3: "not-utf8", 4: "duplicate-id", 5: "wrong-type", 6: "broken-row", 7: "long-id",
}
NULL, NOT_UTF8, WRONG_TYPE, BROKEN, LONG_ID = 1, 3, 5, 6, 7


def check_named(fields: Mapping[str, Any], columns: Collection[str]) -> None:
    """Raises if a column that the caller names ("html_field" etc.) is missing; default columns are optional."""
    for field, name in fields.items():
        if field.endswith("_field") and name and name not in columns:
            raise InvalidArgumentError(f"there is no column '{name}'; the columns are {', '.join(columns)}")


class PageBatch(NamedTuple):
    rows: Any  #: the original rows, a pyarrow.RecordBatch
    pages: Any  #: the columns that pages are read from, with ids and dates as text
    prefix: str  #: prefix of the generated ids of rows without one
    first_row: int
    unreadable: Mapping[int, int] = {}  #: rows that are null because they could not be read, with the reason
    file: int = 0  #: number of the file that the rows are from
    part: int = 0  #: of the file, as in table_files.RowBatch
    bytes_done: int = 0  #: of all files, about, up to the end of the batch
    accepted: bytes = b""  #: once it is known, a byte per row, 0 for a page


class Source:
    """Rows that can be read repeatedly in the same order. `accepted` has one byte per row for each batch checked so
    far, 0 for a page."""

    def __init__(self) -> None:
        self.accepted: list[bytes] = []

    def batches(self, fields: dict[str, str]) -> Iterator[PageBatch]:
        raise NotImplementedError

    def add(self, batch: PageBatch, outcome: bytes) -> None:
        """Adds what was found of the rows of the next batch."""
        self.accepted.append(outcome)

    def place_of(self, batch: PageBatch) -> str:
        """What messages about a row begin with."""
        return ""


class TableSource(Source):
    """A table in memory."""

    def __init__(self, table: Any, named: Mapping[str, Any], needed: Collection[str], raises: bool) -> None:
        super().__init__()
        self._given = table
        self._table, wrong = table_of(table, needed, raises)
        self._wrong_rows = sorted(wrong)
        check_named(named, table.columns if is_frame(table) else self._table.column_names)
        if not is_frame(table):
            for field in self._table.schema:
                row_selection.check(field.name, field.type)  # now, not when the run is done

    def batches(self, fields: dict[str, str]) -> Iterator[PageBatch]:
        first_row = 0
        for batch in self._table.to_batches(max_chunksize=BATCH_ROWS):
            begin = bisect.bisect_left(self._wrong_rows, first_row)
            end = bisect.bisect_left(self._wrong_rows, first_row + batch.num_rows)
            wrong = {row - first_row: WRONG_TYPE for row in self._wrong_rows[begin:end]}
            yield PageBatch(batch, page_columns(batch, fields), "", first_row, wrong)
            first_row += batch.num_rows

    def kept(self, kept: Iterator[tuple[PageBatch, Any]]) -> Any:
        pyarrow = arrow()
        masks = [mask for _, mask in kept]
        mask = pyarrow.chunked_array(masks, pyarrow.bool_())
        if is_frame(self._given):
            return self._given[mask.to_numpy()]
        return without_views(self._table, lambda table: table.filter(mask))


class FileSource(Source):
    """Files of rows, read batch by batch. `places` has the numbers of file, part and first row of each batch."""

    def __init__(self, files: list[StoredFile], named: Mapping[str, Any], raises: bool) -> None:
        super().__init__()
        arrow()  # if it is missing, fails here with a message
        self.places: list[tuple[int, int, int]] = []
        self.size_bytes = sum(file.size_bytes for file in files)
        self.raises = raises
        self._named = named
        self._files = files
        repeated = table_files.first_repeated(printable_name(file.label) for file in self._files)
        if repeated is not None:
            raise InvalidArgumentError(f"two inputs have the same name, {repeated}, and so would their outputs")

    @property
    def name(self) -> str:
        return printable_name(self._files[0].uri) if len(self._files) == 1 else f"{len(self._files)} files of rows"

    def identity(self) -> str:
        """What tells the rows from those of other files, and from what they were before a change."""
        return "\n".join(file.identity() for file in self._files)

    def check_outputs(self, spool: str = "") -> None:
        """Raises if write() could not write all files: one of them cannot have the name of a folder of another one. Nor
        can `spool`, which the run itself writes next to them."""
        written = {name: file for file in self._files for name in _written_names(file.label)}
        for file in self._files:
            for above in map(str, pathlib.PurePosixPath(file.label).parents):
                if spool and above in _written_names(spool):
                    raise InvalidArgumentError(
                        f"{printable_name(file.uri)}: a run that trims writes a file {above} below records/, where "
                        "this folder cannot be; rename it"
                    )
                if above in written:
                    raise InvalidArgumentError(
                        f"{printable_name(written[above].uri)} and {printable_name(file.uri)} cannot be written next "
                        "to each other below records/, where one would be a file, and the other one in a folder of its "
                        "name; rename one of them"
                    )

    def check_columns(self, fields: dict[str, str], added: Collection[str] = ()) -> None:
        """Raises if the columns of a file are not those that are needed, or if it has one that is to be added."""
        pyarrow = arrow()
        for file in self._files:
            with table_files.opened(file) as rows:
                check_named(self._named, rows.schema.names)
                if not rows.schema.names:
                    continue  # nor does it have rows
                kinds = [field.type if field.name in fields.values() else pyarrow.null() for field in rows.schema]
                none = [pyarrow.nulls(0, kind) for kind in kinds]
                page_columns(pyarrow.RecordBatch.from_arrays(none, rows.schema.names), fields)
                for name in added:
                    if name in rows.schema.names:
                        raise InvalidArgumentError(
                            f"there is a column '{name}' already; give the new one another name, like "
                            f"annotation_fields=['{name}=new_{name}'], or leave it out"
                        )

    def batches(
        self, fields: dict[str, str], columns: Collection[str] | None = None, first: int = 0
    ) -> Iterator[PageBatch]:
        """Batches from number `first` on, which is at most that of the first one that has not been checked. `columns`:
        as in table_files.Rows; batches may then end at other rows."""
        at = min(first, max(len(self.places) - 1, 0))
        while at > 0 and self.places[at - 1][:2] == self.places[at][:2]:
            at -= 1  # reading begins with the part that the batch is in
        begin, part, first_row = self.places[at] if self.places else (0, 0, 0)
        bytes_before = sum(file.size_bytes for file in self._files[:begin])
        for number, file in enumerate(self._files[begin:], begin):
            with table_files.opened(file) as rows:
                has_ids = fields["id_field"] in rows.schema.names
                prefix = "" if has_ids or len(self._files) == 1 else f"{printable_name(file.label)}:"
                for batch, broken, of_part in rows.batches(part, columns):
                    if broken and self.raises:
                        row, problem = next(iter(broken.items()))
                        raise CorruptDataError(f"row {first_row + row}, {problem}")
                    if at >= first:
                        others = dict.fromkeys(broken, BROKEN)
                        done = bytes_before + int(file.size_bytes * rows.share_done)
                        pages = page_columns(batch, fields)
                        yield PageBatch(batch, pages, prefix, first_row, others, number, of_part, done)
                    at += 1
                    first_row += batch.num_rows
            bytes_before += file.size_bytes
            part = first_row = 0

    def add(self, batch: PageBatch, outcome: bytes) -> None:
        super().add(batch, outcome)
        self.places.append((batch.file, batch.part, batch.first_row))

    def place_of(self, batch: PageBatch) -> str:
        return f"{self._files[batch.file].uri}: "

    def name_rows(self, removed: pathlib.Path, number_of: Callable[[int], int]) -> None:
        """Names in removed.jsonl the file and the row of each page in place of the file that the run read.
        `number_of` gives the number of the page that begins at a byte of that file."""
        ends = list(itertools.accumulate(outcome.count(0) for outcome in self.accepted))

        def named(line: str) -> str:
            rest, _, begin = line.partition(',"offset_bytes":')
            if not begin:  # no record of this run, or named by an earlier call
                return line
            number = number_of(int(begin.rstrip("}\n")))
            batch = bisect.bisect_right(ends, number)
            row = place_of_page(self.accepted[batch], number - (ends[batch - 1] if batch else 0))
            file, _, first_row = self.places[batch]
            before = rest.rpartition(',"file":')[0]
            name = json.dumps(self._files[file].uri, ensure_ascii=False)
            return f'{before},"file":{name},"row":{first_row + row}}}\n'

        rewrite_lines(removed, named)

    def write(
        self, selected: Iterator[tuple[PageBatch, Any]], folder: pathlib.Path, added: Mapping[str, Any] | None = None
    ) -> list[pathlib.Path]:
        """Writes one file per input in its form. `selected` has for each batch the mask of the rows to write, or with
        `added`, new columns by name and type, their arrays: then all rows that could be read are written."""
        pyarrow = arrow()
        written = []
        batch: tuple[PageBatch, Any] | None = next(selected, None)
        for number, file in enumerate(self._files):
            target = folder / file.label
            partial = target.with_name(partial_name(target.name))
            with table_files.opened(file) as rows:
                schema, writer_of = rows.schema, rows.writer
            for name, kind in (added or {}).items():
                schema = schema.append(pyarrow.field(name, kind))
            with errors_of(str(target)):
                target.parent.mkdir(parents=True, exist_ok=True)
                with writer_of(partial, schema) as writer:
                    while batch is not None and batch[0].file == number:
                        writer.write_batch(_selected(*batch, schema if added is not None else None))
                        batch = next(selected, None)
                replace_durably(partial, target)
            written.append(target)
        return written


def _written_names(label: str) -> tuple[str, str]:
    """The paths that a file has when it is complete, and before."""
    path = pathlib.PurePosixPath(label)
    return label, str(path.with_name(partial_name(path.name)))


def printable_name(name: str) -> str:
    """The name of a file, which may be no UTF-8, for what must be."""
    return name.encode("utf-8", "backslashreplace").decode()


def rewrite_lines(path: pathlib.Path, change: Callable[[str], str]) -> None:
    """Changes the lines of a file of UTF-8, which is as it was if that fails."""
    partial = path.with_name(path.name + PARTIAL)
    with errors_of(str(path)):
        with open(path, encoding="utf-8", newline="\n") as lines:
            with open(partial, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as written:
                written.writelines(map(change, lines))
        replace_durably(partial, path)


class BatchReader:
    """The batches of files by number, for the core (file_rows.h). `check` is given each batch once, and a function that
    checks its rows; it adds the result to the source."""

    def __init__(
        self,
        source: FileSource,
        fields: dict[str, str],
        columns: Collection[str],
        check: Callable[[PageBatch, Callable[[], bytes]], None],
    ) -> None:
        self._source = source
        self._fields = fields
        self._columns = columns
        self._check = check
        self._batches: Iterator[PageBatch] = iter(())
        self._next = -1  # number of the batch that `_batches` gives next

    def batch(self, rows: _core.FileRows, number: int) -> tuple[_core.ArrowChunk, str, int, bytes, int] | None:
        places = self._source.places
        is_behind = self._next < 0 or number < self._next
        # Further on in the same part, all batches in between have to be decoded anyway.
        if is_behind or (number < len(places) and places[self._next][:2] != places[number][:2]):
            self._batches = self._source.batches(self._fields, self._columns, number)
            self._next = number
        batch = None
        while self._next <= number:
            batch = next(self._batches, None)
            if batch is None:
                return None
            self._next += 1
        assert batch is not None
        chunk = chunk_of(batch.pages)
        if number == len(places):
            self._check(batch, lambda: rows.check(chunk, batch.prefix, self._source.raises, batch.first_row))
        return chunk, batch.prefix, batch.first_row, self._source.accepted[number], batch.bytes_done


def place_of_page(accepted: bytes, number: int) -> int:
    """The row of the page with this number among the pages of a batch."""
    if not any(accepted):
        return number
    return [row for row, reason in enumerate(accepted) if reason == 0][number]


def _selected(batch: PageBatch, found: Any, schema: Any) -> Any:
    """The rows of a batch that a mask selects, or with a schema, its rows with further columns."""
    pyarrow = arrow()
    if schema is None:
        return without_views(batch.rows, lambda rows: rows.filter(found))
    rows = pyarrow.RecordBatch.from_arrays([*batch.rows.columns, *found], schema=schema)
    if not batch.unreadable:
        return rows
    is_readable = mask_of(row not in batch.unreadable for row in range(rows.num_rows))
    return without_views(rows, lambda rows: rows.filter(is_readable))


def page_columns(batch: Any, fields: dict[str, str]) -> Any:
    """The columns named in `fields`, with numeric ids and timestamps converted to text, and scores to doubles."""
    pyarrow = arrow()
    if not {fields["html_field"], fields["text_field"]} & set(batch.schema.names):
        raise InvalidArgumentError(
            f"there is no column '{fields['html_field']}' or '{fields['text_field']}'; "
            f"the columns are {', '.join(batch.schema.names)}"
        )
    arrays, names = [], []
    for field, name in fields.items():
        if name not in batch.schema.names:
            continue
        column = batch.column(name)
        if field == "id_field" and (pyarrow.types.is_integer(column.type) or pyarrow.types.is_dictionary(column.type)):
            column = column.cast(pyarrow.string())
        elif field == "date_field" and not _is_text(column.type):
            column = _dates(column)
        # A dictionary of texts is read as it is: a copy of its rows could take much more memory than the table.
        kind = column.type.value_type if pyarrow.types.is_dictionary(column.type) else column.type
        if field == "score_field":
            column = _numbers(name, column)
        elif not _is_text(kind) and not pyarrow.types.is_null(kind):
            raise InvalidArgumentError(f"column '{name}' has the type {kind}; it must be text or bytes")
        arrays.append(column)
        names.append(name)
    others = [name for name in batch.schema.names if name not in names and _is_text(batch.column(name).type)]
    arrays += [batch.column(name) for name in others]
    return pyarrow.RecordBatch.from_arrays(arrays, names=names + others)


def _numbers(name: str, column: Any) -> Any:
    """The column as double-precision numbers."""
    pyarrow = arrow()
    kind = column.type
    types = pyarrow.types
    if not (types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind) or types.is_null(kind)):
        raise InvalidArgumentError(f"column '{name}' has the type {kind}; keep compares it as a number")
    return column.cast(pyarrow.float64(), safe=False)


def _is_text(kind: Any) -> bool:
    names = ("string", "large_string", "string_view", "binary", "large_binary", "binary_view")
    return str(kind) in names


def _dates(column: Any) -> Any:
    """Timestamps as "2024-05-01T10:00:00Z"; null for other types."""
    pyarrow = arrow()
    if not pyarrow.types.is_timestamp(column.type) and not pyarrow.types.is_date(column.type):
        return pyarrow.nulls(len(column), pyarrow.string())
    from pyarrow import compute

    return compute.strftime(column.cast(pyarrow.timestamp("s"), safe=False), format="%Y-%m-%dT%H:%M:%SZ")


def _checked_batches(source: Source, fields: dict[str, str]) -> Iterator[PageBatch]:
    """All batches again, with what was found of their rows. With all columns, they may end at other rows than those
    that were checked."""
    outcomes = iter(source.accepted)
    found = b""
    for batch in source.batches(fields):
        while len(found) < batch.rows.num_rows:
            found += next(outcomes)
        yield batch._replace(accepted=found[: batch.rows.num_rows])
        found = found[batch.rows.num_rows :]


def kept_rows(source: Source, result: DedupResult, fields: dict[str, str]) -> Iterator[tuple[PageBatch, Any]]:
    """Iterates over the batches of the source again, each with a mask of the surviving rows."""
    removed = _core.IdSet()
    for row in result.iterate_removed():
        removed.insert(row["id"])
    for batch in _checked_batches(source, fields):
        found = removed.find(chunk_of(batch.pages), fields["id_field"], batch.prefix, batch.first_row)
        yield batch, mask_of(not left_out and not is_in for left_out, is_in in zip(batch.accepted, found))


def trimmed_rows(
    selected: Iterator[tuple[PageBatch, Any]], result: DedupResult, records: pathlib.Path, fields: dict[str, str]
) -> Iterator[tuple[PageBatch, Any]]:
    """What kept_rows() or annotated_rows() gives, with the texts of pages that lost passages as in `records`, JSON
    lines of the pages of these rows, in their order. A column of bytes gets UTF-8."""
    trimmed = {row["id"] for row in result.trimmed()}
    name = fields["text_field"]
    with open(records, encoding="utf-8") as lines:
        for batch, found in selected:
            written = [not reason for reason in batch.accepted] if isinstance(found, list) else found.to_pylist()
            texts: dict[int, str] = {}
            for row, is_written in enumerate(written):
                page = json.loads(next(lines)) if is_written else {}
                if page.get("id", page.get(_core.PLACE_FIELD)) in trimmed and "text" in page:
                    texts[row] = page["text"]
            yield (batch._replace(rows=_with_texts(batch.rows, name, texts)) if texts else batch), found


def _with_texts(rows: Any, name: str, texts: Mapping[int, str]) -> Any:
    from pyarrow import compute

    pyarrow = arrow()
    at = rows.schema.get_field_index(name)
    column = rows.column(at)
    mask = mask_of(row in texts for row in range(rows.num_rows))
    values = pyarrow.array([texts[row] for row in sorted(texts)], pyarrow.string())
    if pyarrow.types.is_dictionary(column.type):
        raise UnsupportedError(f"column '{name}' is a dictionary, whose texts cannot be trimmed; cast it to text")
    without_view = getattr(pyarrow, LAYOUTS.get(str(column.type), str(column.type)))()
    changed = compute.replace_with_mask(column.cast(without_view), mask, values.cast(without_view))
    return rows.set_column(at, rows.schema.field(at), changed.cast(column.type))


def annotation_columns(names: Collection[str]) -> dict[str, Any]:
    """The columns that `annotation_fields` asks for, by the name to write."""
    pyarrow = arrow()
    counts = dict.fromkeys(("cluster", "cluster_size", "content_characters"), pyarrow.uint32())
    shares = dict.fromkeys(("score", "boilerplate_share"), pyarrow.float64())
    kinds = {**counts, **shares, "is_kept": pyarrow.bool_()}
    named = (item.partition("=") for item in names)
    return {written or field: kinds.get(field, pyarrow.string()) for field, _, written in named}


def annotated_rows(
    source: Source, result: DedupResult, fields: dict[str, str], columns: Mapping[str, Any]
) -> Iterator[tuple[PageBatch, list[Any]]]:
    """Iterates over the batches of the source again, each with the columns of annotations.jsonl, which has the pages in
    the same order. Rows that are no pages have nulls."""
    pyarrow = arrow()
    annotations = result.annotations()
    following = next(annotations, None)
    # Ids tell which rows the run did not take for pages, if there are any: bodies that are too long once decoded.
    has_all = result.pages == sum(outcome.count(0) for outcome in source.accepted)
    for batch in _checked_batches(source, fields):
        rows: list[dict[str, Any]] = []
        ids = batch.pages.column(fields["id_field"]) if fields["id_field"] in batch.pages.schema.names else None
        for row, left_out in enumerate(batch.accepted):
            is_page = not left_out and following is not None
            if is_page and not has_all:
                name = str(batch.first_row + row) if ids is None else ids[row].as_py()
                name = name.decode("utf-8", "replace") if isinstance(name, bytes) else name
                is_page = following is not None and following["id"] == f"{batch.prefix}{name}"
            rows.append(following if is_page and following is not None else {})
            if is_page:
                following = next(annotations, None)
        arrays = [pyarrow.array([row.get(name) for row in rows], kind) for name, kind in columns.items()]
        yield batch, arrays
