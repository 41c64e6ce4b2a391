"""Batches: tables of pages in, tables out, without running Python code per page.

A table is anything with the Arrow interface (`__arrow_c_stream__` or `__arrow_c_array__`), such as those of pyarrow,
pandas 2.2 and polars, a list or NumPy array of texts, or a mapping from names to these. The result is a
`pyarrow.Table` if pyarrow is installed, otherwise a list of `ArrowBatch`, which has the same interface. Rows keep their
order and number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping

from . import _core, arrow_values, datasets
from .errors import InvalidArgumentError
from .option_types import BatchKeywords
from .pages import profiler_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: Options of a batch for reading and running; the others affect extraction and fingerprints.
_BATCH_OPTIONS = {row[0] for row in _core.options("batch")} - {row[0] for row in _core.options("profile")}


def split_options(options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Splits options into those that affect profiles and all others."""
    profiling = {name: value for name, value in options.items() if name not in _BATCH_OPTIONS}
    return profiling, {name: value for name, value in options.items() if name in _BATCH_OPTIONS}


def is_raising(on_error: str) -> bool:
    if on_error not in ("raise", "skip"):
        raise InvalidArgumentError(f"on_error is '{on_error}'; it must be one of raise, skip")
    return on_error == "raise"


def chunks_of(table: Any) -> Iterator[_core.ArrowChunk]:
    chunks = _core.ArrowChunks(table)
    while (chunk := chunks.next()) is not None:
        yield chunk


def _map_batches(
    function: Callable[..., _core.ArrowBatch],
    table: Any,
    on_error: str,
    content_type_field: str,
    options: dict[str, Any],
) -> Iterator[_core.ArrowBatch]:
    raises = is_raising(on_error)
    profiling, reading = split_options(options)
    profiler = profiler_of(profiling)
    named = {**reading, "content_type_field": content_type_field}
    first_row = 0
    for chunk in chunks_of(_arrow_of(table, named, raises)):
        if chunk.column_names:  # a single column matches every name
            datasets.check_named(named, chunk.column_names)
        yield function(profiler, chunk, reading, content_type_field, raises, first_row)
        first_row += chunk.rows


def _arrow_of(table: Any, named: dict[str, Any], raises: bool) -> Any:
    """Converts tables without a (reliable) Arrow interface to objects with one."""
    if isinstance(table, (list, tuple)) or type(table).__module__ == "numpy":
        return arrow_values.column_of(named.get("html_field", "html"), table, raises)[0]
    if arrow_values.is_frame(table) and hasattr(table, "columns"):
        needed = {"html", "text", "url", *(str(name) for name in named.values())}
        return arrow_values.table_of(table, needed, raises)[0]
    return arrow_values.table_of(table, (), raises)[0] if isinstance(table, Mapping) else table


def _gather(function: Callable[..., _core.ArrowBatch], table: Any, *arguments: Any) -> Any:
    made = list(_map_batches(function, table, *arguments))
    try:
        import pyarrow
    except ImportError:
        return made
    if not made:  # a table without rows may have no batches
        made = list(_map_batches(function, pyarrow.array([], pyarrow.string()), *arguments))
    return pyarrow.Table.from_batches([pyarrow.record_batch(batch) for batch in made])


def extract_batch(
    table: Any, *, on_error: str = "raise", content_type_field: str = "", **options: Unpack[BatchKeywords]
) -> Any:
    """Returns the main content of every row, in the columns `title` and `text`.

    HTML is read from the column `html_field` ("html"), or if that is null, text from `text_field` ("text"). Bytes are
    decoded with the charset from the column `content_type_field`, the page or its bytes. A row without either, or
    longer than `max_body_bytes`, raises an exception that names column and row; with `on_error="skip"` it is null in
    every column of the result (`table["text"].null_count` counts such rows). `threads` defaults to one per processor.

    >>> import paraprint, pyarrow
    >>> pages = pyarrow.table({"html": ["<p>The river rose two metres overnight.</p>", None]})
    >>> paraprint.extract_batch(pages, on_error="skip")["text"].to_pylist()
    ['The river rose two metres overnight.', None]
    """
    return _gather(_core.extract_batch, table, on_error, content_type_field, dict(options))


def profile_batch(
    table: Any, *, on_error: str = "raise", content_type_field: str = "", **options: Unpack[BatchKeywords]
) -> Any:
    """Returns the fingerprints of every row, in the columns `profile` (bytes for `Profile.from_bytes`), `text_hash`
    (16 bytes) and `content_characters`. Rows are read as in `extract_batch()`.

    >>> import paraprint, pyarrow
    >>> pages = pyarrow.table({"text": ["The river rose two metres overnight."]})
    >>> paraprint.profile_batch(pages)["content_characters"].to_pylist()
    [30]
    """
    return _gather(_core.profile_batch, table, on_error, content_type_field, dict(options))
