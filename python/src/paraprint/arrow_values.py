"""Arrow arrays and tables from other objects, and small conversions of them. Needs pyarrow."""

from __future__ import annotations

from typing import Any, Callable, Collection, Iterable

from . import _core
from .errors import InvalidArgumentError
from .stores import arrow

#: The layouts with offsets for those of views, with which pyarrow cannot compute.
LAYOUTS = {"string_view": "large_string", "binary_view": "large_binary"}


def is_frame(table: Any) -> bool:
    return type(table).__module__.split(".")[0] == "pandas"


def table_of(given: Any, needed: Collection[str], raises: bool) -> tuple[Any, set[int]]:
    """A pyarrow.Table, and the rows with a value of the wrong type. If Arrow cannot convert a pandas data frame, the
    table has only the `needed` columns."""
    pyarrow = arrow()
    try:
        return given if isinstance(given, pyarrow.Table) else pyarrow.table(given), set()
    except (pyarrow.ArrowException, UnicodeEncodeError, OverflowError) as error:
        if not is_frame(given):
            raise InvalidArgumentError(f"cannot read the table: {error}") from error
    columns = {name: column_of(name, given[name], raises) for name in given.columns if name in needed}
    table = pyarrow.table({name: array for name, (array, _) in columns.items()})
    return table, set().union(*(wrong for _, wrong in columns.values()))


def column_of(name: str, values: Any, raises: bool) -> tuple[Any, set[int]]:
    """Python or NumPy objects as an Arrow array, and the rows whose object is not text although others are. Such rows
    are null in the array, or raise."""
    pyarrow = arrow()
    try:
        array = pyarrow.array(values, from_pandas=True)
        if not pyarrow.types.is_nested(array.type):
            return array, set()
    except (pyarrow.ArrowException, ValueError, OverflowError):  # mixed types, lone surrogates, large integers
        pass
    objects = list(values)
    kind = next((kind for value in objects for kind in (str, bytes) if isinstance(value, kind)), str)
    texts = [value if isinstance(value, kind) else None for value in objects]
    wrong = [row for row, value in enumerate(objects) if texts[row] is None and not _is_missing(value)]
    if wrong and raises:
        raise InvalidArgumentError(
            f"column '{name}', row {wrong[0]}: {type(objects[wrong[0]]).__name__}; it must be {kind.__name__}"
        )
    if kind is bytes:
        return pyarrow.array(texts, pyarrow.binary()), set(wrong)
    try:
        return pyarrow.array(texts, pyarrow.string()), set(wrong)
    except UnicodeEncodeError:  # a lone surrogate, which is then found to be invalid UTF-8 like that of other tables
        utf8 = [None if text is None else str(text).encode("utf-8", "surrogatepass") for text in texts]
        return pyarrow.array(utf8, pyarrow.large_binary()).view(pyarrow.large_string()), set(wrong)


def _is_missing(value: Any) -> bool:
    """None, or a missing value of pandas."""
    is_nan = isinstance(value, float) and value != value
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


def without_views(table: Any, select: Callable[[Any], Any]) -> Any:
    """The rows that `select` takes from a table. Arrow cannot select rows of columns of views, as polars has them: for
    such a table, `select` is given their texts in a layout with offsets."""
    pyarrow = arrow()
    if not {str(field.type) for field in table.schema} & set(LAYOUTS):
        return select(table)
    offsets = {view: getattr(pyarrow, layout)() for view, layout in LAYOUTS.items()}
    fields = [field.with_type(offsets.get(str(field.type), field.type)) for field in table.schema]
    return select(table.cast(pyarrow.schema(fields, table.schema.metadata))).cast(table.schema)


def chunk_of(batch: Any) -> _core.ArrowChunk:
    chunk = _core.ArrowChunks(batch).next()
    assert chunk is not None  # a batch is one chunk
    return chunk


def mask_of(flags: Iterable[int]) -> Any:
    """An array of booleans, true for 1. pyarrow.array() would load pandas first, if it is installed, to see whether the
    flags are one of its arrays; that takes a third of a second."""
    pyarrow = arrow()
    values = bytes(flags)
    stored = pyarrow.Array.from_buffers(pyarrow.uint8(), len(values), [None, pyarrow.py_buffer(values)])
    return stored.cast(pyarrow.bool_())


def flags_of(mask: Any) -> bytes:
    """A byte per value of an array of booleans without nulls, 1 for true: mask_of() in reverse."""
    values = mask.cast(arrow().uint8())
    flags: bytes = values.buffers()[1].slice(values.offset, len(values)).to_pybytes() if len(values) else b""
    return flags
