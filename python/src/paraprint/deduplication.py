"""Removes near-duplicates from collections of pages, with a reason for each."""

from __future__ import annotations

import functools
import hashlib
import json
import numbers
import os
import pathlib
from collections import Counter
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Union

from . import _core, arrow_values, datasets, file_inputs, stores
from .dedup_result import DedupResult
from .errors import InvalidArgumentError, UnsupportedError
from .option_types import DedupKeywords
from .pages import Page, input_paths
from .progress import Progress
from .run_output import RunOutput
from .tables import is_raising

if TYPE_CHECKING:
    from typing_extensions import Unpack

Path = Union[str, "os.PathLike[str]"]

_DEFAULT_FIELDS = ("id_field", "html_field", "text_field", "url_field", "date_field")
#: JSON escapes can make a page up to this many times longer.
_JSON_GROWTH = 6


def dedup(
    pages: Any,
    out: Path | None = None,
    *,
    index: Path | None = None,
    on_error: str = "raise",
    content_type_field: str = "",
    progress: Progress | None = None,
    **options: Unpack[DedupKeywords],
) -> DedupResult:
    """Removes near-duplicates. `pages` is one of

    - a path or paths of WARC, ARC, WET, HAR, JSON lines, HTML or XML files or folders, as for `paraprint dedup`;
    - a path or paths of Parquet, Arrow or CSV files; surviving rows are written to `out`/records with all columns;
    - a table (pyarrow, pandas, polars); surviving rows are in `kept` of the result;
    - an iterable of `Page` or of mappings with "html" or "text", "id", "url", "date".

    Paths may be URIs, "s3://bucket/pages/*.parquet", of s3:, gs:, hdfs:, abfs:, https:, and with fsspec of other
    schemes, and so may `out`: the results are then made on this machine, in `tmp`, and copied when they are complete.

    `out` is the folder for the files described in docs/output.md. Without it they go to a temporary folder that is
    deleted with the result, without records, evidence and report. `index` is that of `paraprint dedup --index`. Options
    are those of `paraprint dedup`: `near=0.8`, `keep="earliest"`, `threads=2`, `html_field="content"`. Rows of tables
    are identified by the column `id_field` ("id") or, if there is none, by their number.

    A row that is not a page (null, longer than `max_body_bytes`, invalid UTF-8 in text, a repeated id, an object that
    is not text, a row of CSV with too few or too many fields) raises an exception that names column and row. With
    `on_error="skip"` such rows are left out of input and output, and counted.

    >>> import paraprint
    >>> text = "The river rose two metres overnight, the council said, and the old bridge to the market was closed."
    >>> pages = [{"id": "a", "text": text}, {"id": "b", "text": text}, {"id": "c", "text": "Something else."}]
    >>> result = paraprint.dedup(pages)
    >>> result.clusters, result.survivors
    ([['a', 'b']], ['a', 'c'])
    """
    is_raising(on_error)
    given: dict[str, Any] = dict(options)
    if out is None:
        given = {"records": False, "evidence": False, "report": False, **given}
    output = RunOutput(out, os.fspath(given.get("tmp") or ""))
    run = _Run(output, index, progress, on_error, content_type_field, given)
    with output:
        if _are_paths(pages):
            result = run.of_paths(input_paths([pages] if isinstance(pages, (str, os.PathLike)) else pages))
        elif hasattr(pages, "__arrow_c_stream__") or hasattr(pages, "__arrow_c_array__"):
            result = run.of_table(pages)
        else:
            result = run.of_iterable(pages)
        output.publish(result, progress)
    return result


def _are_paths(pages: Any) -> bool:
    if isinstance(pages, (str, os.PathLike)):
        return True
    is_list = isinstance(pages, (list, tuple))
    return is_list and len(pages) > 0 and all(isinstance(path, (str, os.PathLike)) for path in pages)


class _Run:
    """One run of the core, with a method per kind of input."""

    def __init__(
        self,
        output: RunOutput,
        index: Path | None,
        progress: Progress | None,
        on_error: str,
        content_type_field: str,
        options: dict[str, Any],
    ) -> None:
        self.output = output
        self.folder = output.folder
        self.index = "" if index is None else os.fspath(index)
        if stores.is_remote(self.index):
            raise UnsupportedError(f"{stores.shown(self.index)}: an index of known pages must be on this machine")
        self.progress = progress
        self.raises = is_raising(on_error)
        self.content_type_field = content_type_field
        self.options = options
        self.skipped: Counter[str] = Counter()
        self.number_of: Callable[[int], int] = int  # of the page at an offset: in the spool, where its line begins
        _core.check_options("dedup", {**options, "out": str(self.folder)})
        self.score_field: str = _core.score_field(str(options.get("keep") or ""))

    def of_paths(self, paths: list[str]) -> DedupResult:
        rows, others = file_inputs.split(paths, self.output.work, self.output.fetched, self.progress)
        if not rows:
            return self._deduplicate(others, self.options)
        self.output.begin_rows(paths, rows)
        return self.of_rows(rows)

    def of_iterable(self, pages: Iterable[Any]) -> DedupResult:
        def fill(spool: _core.PageSpool) -> None:
            for number, row in enumerate(pages):
                page = _page_of_row(row, number, self.raises)
                if isinstance(page, int):
                    self.skipped[datasets.SKIP_REASONS[page]] += 1
                    continue
                score = _score_of(row, self.score_field, number, self.raises)
                reason = score if isinstance(score, int) else self._add_page(spool, page, number, score)
                if reason:
                    self.skipped[datasets.SKIP_REASONS[reason]] += 1

        return self._through_spool(fill, {})

    def _add_page(self, spool: _core.PageSpool, page: Page, number: int, score: float | None) -> int:
        """Returns the reason why the page is none, or 0. A URL or date that is no UTF-8 is dropped, as in tables."""
        given = _core.GivenPage()
        given.body, given.is_html, content_type, url, page_id, date = page._fields()
        given.content_type, given.url, given.date = (_utf8_or_blank(text) for text in (content_type, url, date))
        given.score = score
        try:
            given.id = page_id.encode().decode()
            return spool.add_page(given, self.raises, number)
        except UnicodeEncodeError as error:
            if self.raises:
                raise InvalidArgumentError(f"page {number}: a lone surrogate, which is not UTF-8") from error
            return datasets.NOT_UTF8

    def of_table(self, table: Any) -> DedupResult:
        fields = self._fields()
        needed = {*fields.values(), self.content_type_field, self.score_field}
        source = datasets.TableSource(table, self._named(), needed, self.raises)
        pages = _core.TablePages(
            {**self._reading(), **fields}, self.content_type_field, score_field=self.score_field
        )

        def add(chunk: _core.ArrowChunk, batch: datasets.PageBatch) -> bytes:
            return pages.add(chunk, batch.prefix, self.raises, batch.first_row)

        self._add_rows(source, fields, add)
        options = {**self._options_of_pages(), "out": str(self.folder)}
        outcome = _core.deduplicate_table(pages, self.index, self.progress, options)
        result = self._result(outcome)
        result.kept = source.kept(datasets.kept_rows(source, result, fields))
        return result

    def of_rows(self, files: list[stores.StoredFile]) -> DedupResult:
        source = datasets.FileSource(files, self._named(), self.raises)
        fields = self._fields()
        writes = self.output.temporary is None and self.options.get("records", True)
        trims = writes and bool(self.options.get("trim"))
        if writes:
            source.check_outputs(self._spool.name if trims else "")
        columns = self._annotation_columns() if self.options.get("annotate") else None
        source.check_columns(self._fields_read(fields), columns if writes and columns is not None else ())
        result = self._trimmed_rows(source, fields) if trims else self._rows_in_place(source, fields)
        with self.output.unfinished():
            source.name_rows(self.folder / "removed.jsonl", self.number_of)
            if writes:
                self._write_rows(source, result, fields, columns, trims)
        return result

    def _write_rows(
        self,
        source: datasets.FileSource,
        result: DedupResult,
        fields: dict[str, str],
        columns: dict[str, Any] | None,
        trims: bool,
    ) -> None:
        records = self.folder / "records"
        selected = (
            datasets.kept_rows(source, result, fields)
            if columns is None
            else datasets.annotated_rows(source, result, fields, columns)
        )
        if trims:
            texts = records / self._spool.name
            selected = datasets.trimmed_rows(selected, result, texts, fields)
            result.outputs = source.write(selected, records, columns)
            texts.unlink()
        else:
            result.outputs = source.write(selected, records, columns)

    def _rows_in_place(self, source: datasets.FileSource, fields: dict[str, str]) -> DedupResult:
        """The run reads the rows from the files."""
        read = self._fields_read(fields)
        reader = datasets.BatchReader(
            source, read, {*read.values(), self.content_type_field}, functools.partial(check_rows, source, self.skipped)
        )
        identity = json.dumps([source.identity(), read, self.content_type_field])
        rows = _core.FileRows(
            {**self._reading(), **fields},
            self.content_type_field,
            self.score_field,
            reader,
            source.name,
            hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest(),
            source.size_bytes,
        )
        if self.raises:
            rows.complete()  # raises for a row before anything has been written
        options = {**self._options_of_pages(), "out": str(self.folder)}
        outcome = _core.deduplicate_rows(rows, self.index, self.progress, options)
        rows.complete()  # of a run that was complete before, the rows have not been read
        return self._result(outcome)

    def _trimmed_rows(self, source: datasets.FileSource, fields: dict[str, str]) -> DedupResult:
        """The run writes the texts, so that it needs them as records of a file."""

        def fill(spool: _core.PageSpool) -> None:
            def add(chunk: _core.ArrowChunk, batch: datasets.PageBatch) -> bytes:
                return spool.add(chunk, self.content_type_field, batch.prefix, self.raises, batch.first_row)

            self._add_rows(source, fields, add)

        return self._through_spool(fill, fields, keeps_records=True)

    def _annotation_columns(self) -> dict[str, Any]:
        default = next(row[2] for row in _core.options("dedup") if row[0] == "annotation_fields")
        given = self.options.get("annotation_fields", default)
        return datasets.annotation_columns(given.split(",") if isinstance(given, str) else given)

    def _named(self) -> dict[str, Any]:
        """The columns that the caller named explicitly."""
        named = {name: self.options[name] for name in _DEFAULT_FIELDS if name in self.options}
        return {**named, "content_type_field": self.content_type_field, "score_field": self.score_field}

    def _fields(self) -> dict[str, str]:
        return {row[0]: self.options.get(row[0], row[2]) for row in _core.options("read") if row[0] in _DEFAULT_FIELDS}

    def _fields_read(self, fields: dict[str, str]) -> dict[str, str]:
        return {**fields, "score_field": self.score_field} if self.score_field else fields

    def _reading(self) -> dict[str, Any]:
        reading = {row[0] for row in _core.options("read")}
        return {name: value for name, value in self.options.items() if name in reading}

    def _options_of_pages(self) -> dict[str, Any]:
        """The options of a run over rows that were read by their field names before it."""
        return {name: value for name, value in self.options.items() if name not in _DEFAULT_FIELDS}

    def _add_rows(
        self,
        source: datasets.Source,
        fields: dict[str, str],
        add: Callable[[_core.ArrowChunk, datasets.PageBatch], bytes],
    ) -> None:
        add_rows(source, self._fields_read(fields), add, self.skipped)

    @property
    def _spool(self) -> pathlib.Path:
        return self.output.work.path / "pages.jsonl"

    def _through_spool(
        self, fill: Callable[[_core.PageSpool], None], fields: dict[str, str], keeps_records: bool = False
    ) -> DedupResult:
        path = self._spool
        self.output.work.begin()
        try:
            spool = _core.PageSpool(str(path), {**self._reading(), **fields}, self.score_field)
            self.number_of = spool.number_of
            fill(spool)
            spool.finish()
            # The spool uses the default field names, and its lines must not be limited further.
            options = self._options_of_pages()
            options["max_line_bytes"] = longest_line_bytes(options)
            options["records"] = keeps_records
            return self._deduplicate([str(path)], options, is_spooled=True)
        finally:
            path.unlink(missing_ok=True)

    def _deduplicate(self, paths: list[str], options: dict[str, Any], is_spooled: bool = False) -> DedupResult:
        options = {**options, "out": str(self.folder)}
        return self._result(_core.deduplicate(paths, self.index, self.progress, options, is_spooled))

    def _result(self, outcome: Mapping[str, Any]) -> DedupResult:
        result = DedupResult(self.folder, outcome, self.output.temporary)
        result.skipped = dict(sorted(self.skipped.items()))
        return result


def longest_line_bytes(options: Mapping[str, Any]) -> int:
    """No line of JSON with a page within the limit of these options is longer."""
    longest = next(row[2] for row in _core.options("read") if row[0] == "max_body_bytes")
    return _JSON_GROWTH * int(options.get("max_body_bytes", longest)) + (1 << 20)


def add_rows(
    source: datasets.Source,
    fields: dict[str, str],
    add: Callable[[_core.ArrowChunk, datasets.PageBatch], bytes],
    skipped: Counter[str],
) -> None:
    """Passes all batches to `add`, which checks their rows, and records what became of each row."""
    for batch in source.batches(fields):
        check_rows(source, skipped, batch, functools.partial(add, arrow_values.chunk_of(batch.pages), batch))


def check_rows(
    source: datasets.Source, skipped: Counter[str], batch: datasets.PageBatch, check: Callable[[], bytes]
) -> None:
    """Records what `check` finds of the rows of a batch, and counts those that are no pages."""
    try:
        outcome = check()
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"{source.place_of(batch)}{error}") from error
    if batch.unreadable:
        outcome = bytes(
            batch.unreadable.get(row, found) if found == datasets.NULL else found for row, found in enumerate(outcome)
        )
    source.add(batch, outcome)
    for reason, count in Counter(outcome).items():
        if reason:
            skipped[datasets.SKIP_REASONS[reason]] += count


def _utf8_or_blank(text: str) -> str:
    return text if text.encode("utf-8", "ignore").decode() == text else ""


def _score_of(row: Any, field: str, number: int, raises: bool) -> float | int | None:
    """What a mapping has in the field that `keep` compares, or as an int the reason for skipping the row. Page objects
    have no scores."""
    value = row.get(field) if field and isinstance(row, Mapping) else None
    if value is None:
        return None
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError as error:
            if raises:
                raise InvalidArgumentError(f"field '{field}' of page {number}: {error}") from error
            return datasets.WRONG_TYPE
    if raises:
        raise InvalidArgumentError(f"field '{field}' of page {number} is {type(value).__name__}, not a number")
    return None


def _page_of_row(row: Any, number: int, raises: bool) -> Page | int:
    """The page, or the reason for skipping the row (a number of datasets.SKIP_REASONS)."""
    if isinstance(row, Page):
        if not isinstance(row.body, (str, bytes, bytearray, memoryview)) and not raises:
            return datasets.WRONG_TYPE
        return row
    if not isinstance(row, Mapping):
        if raises:
            raise TypeError(f"page {number} is {type(row).__name__}; it must be a Page or a mapping with html or text")
        return datasets.WRONG_TYPE
    known = {"html", "text", "id", "url", "date", "content_type"}
    fields = {name: value for name, value in row.items() if name in known and value is not None}
    for name, value in fields.items():
        if name == "id" and isinstance(value, int) and not isinstance(value, bool):
            try:
                fields[name] = str(value)
            except ValueError as error:  # Python writes no integers of very many digits
                if raises:
                    raise InvalidArgumentError(f"field 'id' of page {number}: {error}") from error
                return datasets.LONG_ID
        elif not isinstance(value, (str, bytes) if name in ("html", "text") else str):
            if raises:
                raise InvalidArgumentError(f"field '{name}' of page {number} is {type(value).__name__}, not text")
            return datasets.WRONG_TYPE
    if "html" in fields:
        fields.pop("text", None)
    if not {"html", "text"} & set(fields):
        if raises:
            raise InvalidArgumentError(f"page {number} has neither 'html' nor 'text'")
        return datasets.NULL
    return Page(**fields)
