"""The run behind contaminated(), whose corpus and benchmarks may be files of rows.

Rows become lines of temporary files, which the core reads like any other: of the corpus its pages, of benchmarks the
columns that are an item, lists and structs as they are. The output then names the files and rows that they were.
"""

from __future__ import annotations

import bisect
import itertools
import json
import pathlib
from collections import Counter, defaultdict
from typing import Any, Callable, Collection, Iterator, Mapping, NamedTuple

from . import _core, arrow_values, datasets, file_inputs, table_files
from .datasets import printable_name
from .deduplication import add_rows, longest_line_bytes
from .errors import CorruptDataError, InvalidArgumentError
from .progress import Progress
from .run_output import RunOutput
from .stores import StoredFile, arrow, errors_of

_FIELDS = ("id_field", "html_field", "text_field", "url_field", "date_field")


class _Spooled(NamedTuple):
    """The rows of a corpus as lines of temporary files."""

    files: list[StoredFile]
    source: datasets.FileSource
    paths: list[str]  #: of the temporary files
    numbers_of: list[Callable[[int], int]]  #: for each, the number of the page that begins at a byte


class Run:
    """One search. `skipped` and `outputs` are those of the result."""

    def __init__(
        self,
        output: RunOutput,
        progress: Progress | None,
        raises: bool,
        content_type_field: str,
        options: Mapping[str, Any],
    ) -> None:
        self.skipped: Counter[str] = Counter()
        self.outputs: list[pathlib.Path] = []
        self._output = output
        self._folder = output.folder
        self._progress = progress
        self._raises = raises
        self._content_type_field = content_type_field
        self._options = {**options, "out": str(output.folder)}
        _core.check_options("contaminated", self._options)
        defaults = {row[0]: row[2] for row in _core.options("read")}
        self._fields: dict[str, str] = {name: str(options.get(name, defaults[name])) for name in _FIELDS}
        self._names: dict[str, str] = {}  # what the output calls files that the core reads, by path

    def find(self, corpus: list[str], against: list[str]) -> Mapping[str, int]:
        """The counts of the core."""
        work, fetched = self._output.work, self._output.fetched
        made = work.path / "rows"
        rows, inputs = file_inputs.split(corpus, work, fetched / "corpus", self._progress, names=self._names)
        item_rows, benchmarks = file_inputs.split(
            against, work, fetched / "benchmarks", self._progress, may_mix=True, names=self._names
        )
        if rows or item_rows:
            self._output.begin_rows([*corpus, *against], [*rows, *item_rows])
            work.begin()
        benchmarks += self._benchmark_lines(item_rows, made / "benchmarks")
        options: dict[str, Any] = {**self._options, "against": benchmarks}
        spooled = self._spool_rows(_in_order(rows), made / "corpus") if rows else None
        if spooled is not None:
            inputs = spooled.paths
            options.update(max_line_bytes=longest_line_bytes(self._options), records=False)
        outcome = _core.find_contamination(inputs, self._progress, options, self._names)
        if rows or item_rows:
            with self._output.unfinished():
                if spooled is not None:
                    self._write_rows(spooled)
                if item_rows:
                    self._name_items({printable_name(file.uri) for file in item_rows})
        return outcome

    def _named(self) -> dict[str, str]:
        """The columns of the corpus that the caller named explicitly."""
        named = {name: self._fields[name] for name in _FIELDS if name in self._options}
        return {**named, "content_type_field": self._content_type_field}

    # ------------------------------------------------------------------------------------------------------------------
    # The corpus

    @property
    def _writes(self) -> bool:
        return bool(self._options.get("records")) and self._output.temporary is None

    def _spool_rows(self, files: list[StoredFile], made: pathlib.Path) -> _Spooled:
        source = datasets.FileSource(files, self._named(), self._raises)
        if self._writes:
            source.check_outputs()
        source.check_columns(self._fields)
        made.mkdir(parents=True, exist_ok=True)
        reading = {row[0] for row in _core.options("read")}
        reading_options = {name: value for name, value in self._options.items() if name in reading}
        paths = [str(made / f"{number:06}.jsonl") for number in range(len(files))]
        self._names.update({path: printable_name(file.uri) for path, file in zip(paths, files)})
        spools: list[_core.PageSpool] = []

        def spool_of(number: int) -> _core.PageSpool:
            """The spool of a file. Batches come in the order of files, so that only the last spool is open."""
            while len(spools) <= number:
                if spools:
                    spools[-1].finish()
                spools.append(_core.PageSpool(paths[len(spools)], {**reading_options, **self._fields}, as_given=True))
            return spools[number]

        def add(chunk: _core.ArrowChunk, batch: datasets.PageBatch) -> bytes:
            spool = spool_of(batch.file)
            return spool.add(chunk, self._content_type_field, batch.prefix, self._raises, batch.first_row)

        add_rows(source, self._fields, add, self.skipped)
        spool_of(len(files) - 1).finish()
        return _Spooled(files, source, paths, [spool.number_of for spool in spools])

    def _write_rows(self, spooled: _Spooled) -> None:
        """Names the documents that were found, and writes the others."""
        held = self._name_documents(spooled)
        if self._writes:
            rows = _clean_rows(spooled.source, self._fields, held)
            self.outputs = spooled.source.write(rows, self._folder / "records")

    def _name_documents(self, spooled: _Spooled) -> Mapping[int, set[int]]:
        """Writes the row of each document into contaminated.jsonl, in place of its offset in a temporary file. Returns,
        by file, the rows that hold something for which the output leaves them out."""
        file_of = {printable_name(file.uri): number for number, file in enumerate(spooled.files)}
        pages = [_PageRows(spooled.source, number) for number in range(len(spooled.files))]
        keeps_parts = bool(self._options.get("keep_parts"))
        held: dict[int, set[int]] = defaultdict(set)

        def named(line: str) -> str:
            find = json.loads(line)
            file = file_of[find["file"]]
            row = pages[file].row_of(spooled.numbers_of[file](find["offset_bytes"]))
            if find["verdict"] != "part" or not keeps_parts:
                held[file].add(row)
            return f'{line.rpartition(",")[0]},"row":{row}}}\n'

        datasets.rewrite_lines(self._folder / "contaminated.jsonl", named)
        return held

    # ------------------------------------------------------------------------------------------------------------------
    # Benchmarks

    def _benchmark_lines(self, files: list[StoredFile], made: pathlib.Path) -> list[str]:
        """The paths of files of JSON lines, one for each of these files, with a line for each row."""
        paths = []
        for number, file in enumerate(_in_order(files)):
            path = made / f"{number:06}.jsonl"
            self._names[str(path)] = printable_name(file.uri)
            with errors_of(str(path)):
                path.parent.mkdir(parents=True, exist_ok=True)
                opened = open(path, "w", encoding="utf-8", errors="replace")
            with errors_of(str(path)), opened as lines, table_files.opened(file) as rows:
                wanted = self._item_columns(rows.schema.names)
                first_row = 0
                for batch, broken, _ in rows.batches(columns={*wanted, self._fields["id_field"]}):
                    if broken and self._raises:
                        row, problem = next(iter(broken.items()))
                        raise CorruptDataError(f"row {first_row + row}, {problem}")
                    self.skipped.update({datasets.SKIP_REASONS[datasets.BROKEN]: len(broken)} if broken else {})
                    lines.writelines(self._lines_of(batch, broken, wanted, printable_name(file.label), first_row))
                    first_row += batch.num_rows
            paths.append(str(path))
        return paths

    def _item_columns(self, columns: Collection[str]) -> list[str]:
        given = self._options.get("item_fields") or []
        asked = given.split(",") if isinstance(given, str) else list(given)
        names = asked or _core.usual_item_fields()
        wanted = [name for name in names if name in columns]
        if not wanted:
            what = "name those that are an item with item_fields" if not asked else "item_fields names none of them"
            raise InvalidArgumentError(
                f"there is no column {' or '.join(names)}; the columns are {', '.join(columns)}: {what}"
            )
        return wanted

    def _lines_of(
        self, batch: Any, broken: Collection[int], wanted: list[str], label: str, first_row: int
    ) -> Iterator[str]:
        columns = {name: _values(batch.column(name)) for name in wanted}
        id_field = self._fields["id_field"]
        ids = _values(batch.column(id_field)) if id_field in batch.schema.names else [None] * batch.num_rows
        for row in range(batch.num_rows):
            item = {name: _texts(values[row]) for name, values in columns.items()}
            given = _text_of(ids[row])
            name = "" if given is None else str(given)
            # The core would name one without an id, or with a longer one, by its place in the temporary file.
            has_id = 0 < len(name.encode("utf-8", "replace")) <= _core.PAGE_NAME_BYTES_MAXIMUM
            item[id_field] = name if has_id else f"{label}:{first_row + row}"
            # A blank line is no item, but counts for the numbers of lines.
            yield "\n" if row in broken else json.dumps(item, ensure_ascii=False) + "\n"

    def _name_items(self, names: Collection[str]) -> None:
        """Writes the row of each item of these files into items.jsonl, in place of its line in a temporary file."""

        def named(line: str) -> str:
            before, _, after = line.partition(',"line":')
            if json.loads(line)["benchmark"] not in names:
                return line
            number, _, rest = after.partition(",")
            return f'{before},"row":{int(number) - 1},{rest}'

        datasets.rewrite_lines(self._folder / "items.jsonl", named)


def _in_order(files: list[StoredFile]) -> list[StoredFile]:
    """Without repetitions, so that the output does not depend on how files were named on the command line."""
    by_name = {file.uri: file for file in files}
    return [by_name[uri] for uri in sorted(by_name, key=lambda uri: uri.encode("utf-8", "surrogateescape"))]


class _PageRows:
    """The rows of a file that are pages."""

    def __init__(self, source: datasets.FileSource, file: int) -> None:
        of_file = [number for number, (of, _, _) in enumerate(source.places) if of == file]
        self._batches = [(source.accepted[number], source.places[number][2]) for number in of_file]
        self._ends = list(itertools.accumulate(accepted.count(0) for accepted, _ in self._batches))

    def row_of(self, page: int) -> int:
        batch = bisect.bisect_right(self._ends, page)
        accepted, first_row = self._batches[batch]
        return first_row + datasets.place_of_page(accepted, page - (self._ends[batch - 1] if batch else 0))


def _clean_rows(
    source: datasets.FileSource, fields: dict[str, str], held: Mapping[int, set[int]]
) -> Iterator[tuple[datasets.PageBatch, Any]]:
    """All batches again, each with a mask of the pages that are not in `held`."""
    for batch, accepted in zip(source.batches(fields), source.accepted):
        rows = held.get(batch.file, set())
        is_kept = (reason == 0 and batch.first_row + row not in rows for row, reason in enumerate(accepted))
        yield batch, arrow_values.mask_of(is_kept)


def _values(column: Any) -> list[Any]:
    """The values as Python's, texts as bytes: whether these are UTF-8 has not been checked."""
    types = arrow().types
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if types.is_string(column.type):
        column = column.cast(arrow().binary())
    elif types.is_large_string(column.type):
        column = column.cast(arrow().large_binary())
    return list(column.to_pylist())


def _text_of(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _texts(value: Any) -> Any:
    """The texts in a value as JSON has them; anything else is null. Of the pairs of a map, the values."""
    value = _text_of(value)
    if isinstance(value, tuple):
        return _texts(value[1])
    if isinstance(value, list):
        return [_texts(part) for part in value]
    if isinstance(value, dict):
        return {name: _texts(part) for name, part in value.items()}
    return value if isinstance(value, str) else None
