"""Finds near-duplicate rows of data frames, in memory, and returns frames of the same kind."""

from __future__ import annotations

import os
import resource
from typing import TYPE_CHECKING, Any, Iterable, Mapping, NamedTuple, Sequence, TypeVar, Union

from . import _core, arrow_values, datasets, stores, table_files
from .errors import InvalidArgumentError
from .frame_kinds import FrameKind, kind_of
from .option_types import FrameKeywords
from .progress import Progress, progress_of
from .tables import is_raising

if TYPE_CHECKING:
    from typing_extensions import Unpack

Frame = TypeVar("Frame")
Names = Union[Mapping[str, Union[str, None]], Sequence[str]]

#: The columns that find_near_duplicates() adds.
COLUMNS = ("cluster", "cluster_size", "is_kept", "kept_id", "verdict", "score")
#: Where the texts are if the call does not say so.
TEXT_COLUMNS = ("text", "content", "body")
#: Memory that a run may always add to the process.
_LEAST_MEMORY_BYTES = 128 << 20
#: For the core: a field that no column has.
_ABSENT = "\0"


class _Fields(NamedTuple):
    """Names of columns; None: not used."""

    text: str | None
    html: str | None
    url: str | None
    id: str | None
    date: str | None


def drop_near_duplicates(
    frame: Frame,
    *,
    text: str | None = None,
    html: str | None = None,
    url: str | None = "url",
    date: str | None = "date",
    on_error: str = "raise",
    progress: Progress | bool | None = None,
    **options: Unpack[FrameKeywords],
) -> Frame:
    """Returns the rows of `frame` that stay when one row of each cluster of near-duplicates is kept, in their order.

    `frame` is a data frame of pandas or polars, a table or record batch of pyarrow, a relation of DuckDB, a `Dataset`
    of Hugging Face, or anything else with the Arrow interface (which gives a pyarrow.Table). The result is of the same
    kind, with the same columns and, in pandas, the same index labels.

    `text`, `html`, `url` and `date` name columns. `text` is by default the first of "text", "content" and "body" that
    exists, if `html` is not given; a row is read from `html`, or if that is null from `text`. `url` and `date` are used
    if they exist; None leaves them out. Options are those of `paraprint dedup` that do not concern files, such as
    `near=0.8`, `keep="earliest"`, `keep="score:quality:max"` (of a column of numbers), `algorithm="minhash"`,
    `threads=2`, `memory="1GB"`.

    A row that cannot be compared (null, longer than `max_body_bytes`, invalid UTF-8, an object that is not text) raises
    an exception that names column and row. With `on_error="skip"` such rows stay. `progress` is True, False, or a
    function as for `dedup()`; by default progress is shown in a terminal or a notebook.

    >>> import paraprint, pyarrow
    >>> river = "The river rose two metres overnight, the council said, and the old bridge to the market was closed."
    >>> pages = pyarrow.table({"text": [river, "Nothing else happened.", river.upper()], "n": [1, 2, 3]})
    >>> paraprint.drop_near_duplicates(pages, keep="first")["n"].to_pylist()
    [1, 2]
    """
    kind = kind_of(frame)
    fields = _fields(kind.names, text, html, url, None, date)
    kind.check_selection()
    # A copy, so that the other columns are not in memory while rows are selected.
    is_kept = arrow_values.flags_of(_decide(kind, fields, on_error, progress, dict(options)).column("is_kept"))
    threads = int(options.get("threads") or 0) or len(os.sched_getaffinity(0))
    kept: Frame = kind.filter(is_kept, threads)
    return kept


def find_near_duplicates(
    frame: Frame,
    *,
    text: str | None = None,
    html: str | None = None,
    url: str | None = "url",
    id: str | None = "id",
    date: str | None = "date",
    columns: Names = COLUMNS,
    on_error: str = "raise",
    progress: Progress | bool | None = None,
    **options: Unpack[FrameKeywords],
) -> Frame:
    """Returns `frame` with columns that say which rows are near-duplicates, and of what:

    - `cluster`: number of the row's cluster, from 0, in the order of first rows;
    - `cluster_size`: rows in it; 1 for a row without near-duplicates;
    - `is_kept`: whether `drop_near_duplicates()` keeps the row;
    - `kept_id`: the row that is kept for this one, by its value in the column `id` or, without one, by its number;
    - `verdict`, `score`: "this row is VERDICT the kept row", and their resemblance; null for a row that is kept.

    `columns` renames them, as in `{"cluster": "group", "score": None}`, where None leaves a column out, or selects
    some, as in `["cluster", "is_kept"]`. A column of the frame is never overwritten: the call raises instead.

    Everything else is as in `drop_near_duplicates()`. `id` is used if it exists; its values must be different. With
    `on_error="skip"`, `is_kept` is true for rows that cannot be compared, and the other columns are null, as they are
    for blank texts.

    >>> import paraprint, pyarrow
    >>> river = "The river rose two metres overnight, the council said, and the old bridge to the market was closed."
    >>> pages = pyarrow.table({"text": [river, "Nothing else happened.", river.upper()], "id": ["a", "b", "c"]})
    >>> paraprint.find_near_duplicates(pages, keep="first").drop_columns(["text"]).to_pylist()[2]
    {'id': 'c', 'cluster': 0, 'cluster_size': 2, 'is_kept': False, 'kept_id': 'a', 'verdict': 'same', 'score': 1.0}
    """
    kind = kind_of(frame)
    fields = _fields(kind.names, text, html, url, id, date)
    names = _added_names(columns, kind.names)
    if fields.id is not None and "kept_id" in names:
        _check_ids(kind, fields.id)
    found = _decide(kind, fields, on_error, progress, dict(options))
    added = {}
    for column, name in names.items():
        if column != "kept_id":
            added[name] = found.column(column)
        elif fields.id is None:
            added[name] = found.column("kept_row")
        else:
            added[name] = kind.taken(fields.id, found.column("kept_row"))
    made: Frame = kind.with_columns(added)
    return made


def _fields(
    names: list[str], text: str | None, html: str | None, url: str | None, id: str | None, date: str | None
) -> _Fields:
    if text is None and html is None:
        text = next((name for name in TEXT_COLUMNS if name in names), None)
        if text is None:
            raise InvalidArgumentError(
                f"name the column of the texts with text= or html=; the columns are {', '.join(map(str, names))}"
            )
    if text is not None and text == html:
        raise InvalidArgumentError(f"column '{text}' is either text or html, not both")
    found = {"text": text, "html": html, "url": url, "id": id, "date": date}
    for field, name in found.items():
        if name is None:
            continue
        if name not in names and name == field and field not in ("text", "html"):
            found[field] = None  # by default these are used if they exist
        else:
            _check_column(names, name, field)
    return _Fields(**found)


def _check_column(names: list[str], name: str, field: str) -> None:
    if name not in names:
        raise InvalidArgumentError(f"there is no column '{name}'; the columns are {', '.join(map(str, names))}")
    if names.count(name) > 1:
        raise InvalidArgumentError(f"there are {names.count(name)} columns '{name}'; {field}= needs one")


def _keys_of(names: Iterable[Any]) -> dict[Any, str]:
    """What the core calls these columns: in pandas, a name may be any object, and two may read the same."""
    keys: dict[Any, str] = {}
    for name in names:
        key = str(name).encode("utf-8", "backslashreplace").decode()
        while name not in keys and key in keys.values():
            key += "'"
        keys.setdefault(name, key)
    return keys


def _added_names(wanted: Names, existing: Sequence[str]) -> dict[str, str]:
    """The names of the columns to add, by ours, in our order."""
    given = wanted if isinstance(wanted, Mapping) else {name: name for name in wanted}
    for name in given:
        if name not in COLUMNS:
            raise InvalidArgumentError(f"columns: there is no column '{name}'; it must be one of {', '.join(COLUMNS)}")
    renamed = {name: given.get(name, name if isinstance(wanted, Mapping) else None) for name in COLUMNS}
    names = {ours: name for ours, name in renamed.items() if name is not None}
    taken = set(existing)
    for ours, name in names.items():
        if name in taken:
            raise InvalidArgumentError(
                f"the column '{name}' would be overwritten; rename ours: columns={{'{ours}': 'near_{ours}'}}"
            )
        taken.add(name)
    return names


def _check_ids(kind: FrameKind, name: str) -> None:
    """Raises for an id that is null, or that occurs twice: kept_id would not say which row it means."""
    values, _ = kind.column(name, True)
    try:
        if values.null_count == 0 and len(values.unique()) == len(values):
            return
    except stores.arrow().ArrowNotImplementedError as error:
        raise InvalidArgumentError(
            f"column '{name}' has the type {values.type}, whose values cannot be compared; id=None identifies rows by "
            "their number"
        ) from error
    seen = set()
    for row, value in enumerate(values.to_pylist()):
        if value is None or value in seen:
            what = "null" if value is None else f"the id {value!r} occurs in an earlier row"
            raise InvalidArgumentError(f"column '{name}', row {row}: {what}; id=None identifies rows by their number")
        seen.add(value)


def _memory_bytes(text_bytes: int) -> int:
    """The default of `memory`, which counts the whole process: what it has now and half of the texts, which is about
    what the tables of a run take beyond them. Beyond that they go to disk."""
    with open("/proc/self/statm", encoding="ascii") as statistics:
        resident_pages = int(statistics.read().split()[1])
    return resident_pages * resource.getpagesize() + max(_LEAST_MEMORY_BYTES, text_bytes // 2)


def _decide(
    kind: FrameKind, fields: _Fields, on_error: str, progress: Progress | bool | None, options: dict[str, Any]
) -> Any:
    """A record batch with what was decided about each row: python/bindings/frame_columns.h."""
    raises = is_raising(on_error)
    _core.check_options("frame", options)
    shown = progress_of(progress)
    used = {field: name for field, name in fields._asdict().items() if name is not None and field != "id"}
    score = _core.score_field(str(options.get("keep") or ""))
    if score:
        _check_column(kind.names, score, "keep")
        used["score"] = score
    keys = _keys_of(used.values())
    read = {key: kind.column(name, raises)[0] for name, key in keys.items()}
    keywords = {f"{field}_field": keys[used[field]] if field in used else _ABSENT for field in _Fields._fields}
    score_key = keys[score] if score else ""
    columns_read = {**keywords, "score_field": score_key} if score else keywords
    if "max_body_bytes" in options:
        keywords["max_body_bytes"] = options["max_body_bytes"]
    pages = _core.TablePages(keywords, "", True, score_key)
    first_row = 0
    table = stores.arrow().table(read)
    for batch in table.to_batches(max_chunksize=table_files.BATCH_ROWS):
        chunk = arrow_values.chunk_of(datasets.page_columns(batch, columns_read))
        pages.add(chunk, "", raises, first_row)
        first_row += batch.num_rows
    memory = {} if options.get("memory") else {"memory": _memory_bytes(pages.size_bytes)}
    _, columns = _core.deduplicate_frame(pages, shown, {**options, **memory})
    return stores.arrow().record_batch(columns)
