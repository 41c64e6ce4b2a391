"""Selects rows of Arrow columns in the memory that they take: texts are copied into buffers of their exact size, or
shared where the layout allows that.

Arrow's own selection guesses how much texts take and doubles what was too small. It cannot select views at all.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from . import _core, arrow_values, object_views, stores
from .errors import UnsupportedError

#: Rows that a thread copies at once: some ten megabytes of texts, which the system maps in large pages.
_PIECE_ROWS = 1 << 16
#: Texts are shared if at least this part of their memory stays; otherwise the others would be kept for too little.
_SHARED_SHARE = 0.5
#: The layouts of views, with which pyarrow cannot compute.
_VIEWS = ("string_view", "binary_view")


def is_selected_here(kind: Any) -> bool:
    """Whether columns of this type are texts or bytes, in any layout but that of a dictionary."""
    return is_copied_here(kind) or str(kind) in _VIEWS


def check(name: str, kind: Any) -> None:
    """Raises for the type of a column of which no rows can be selected: by selecting none of none."""
    if is_selected_here(kind):
        return
    pyarrow = stores.arrow()
    try:
        pyarrow.schema([("rows", kind)]).empty_table().column(0).combine_chunks().filter(arrow_values.mask_of(b""))
    except pyarrow.ArrowNotImplementedError as error:
        raise UnsupportedError(
            f"column '{name}' has the type {kind}, of which pyarrow cannot select rows; leave it out, or cast it"
        ) from error


def is_copied_here(kind: Any) -> bool:
    """Whether columns of this type are texts or bytes with offsets."""
    types = stores.arrow().types
    return bool(
        types.is_string(kind) or types.is_large_string(kind) or types.is_binary(kind) or types.is_large_binary(kind)
    )


def selected(column: Any, is_wanted: bytes, threads: int, whole_chunks: bool = False) -> Any:
    """The values of a chunked array in the rows whose byte in `is_wanted` is 1 and not 0. With `whole_chunks`, the
    result has a chunk for each chunk, otherwise as many as are convenient."""
    pyarrow = stores.arrow()
    layout = str(column.type)
    if layout in _VIEWS:
        if _may_share(column, is_wanted):
            chunks = [_shared(chunk, is_wanted[begin : begin + len(chunk)]) for begin, chunk in _pieces(column, True)]
            return pyarrow.chunked_array(chunks, column.type)
        mask = arrow_values.mask_of(is_wanted)
        table = pyarrow.table([column], ["texts"])
        return arrow_values.without_views(table, lambda texts: texts.filter(mask)).column(0)
    if not is_copied_here(column.type):
        return column.filter(arrow_values.mask_of(is_wanted))
    pieces = _pieces(column, whole_chunks)
    with ThreadPoolExecutor(max(1, threads)) as pool:
        copies = pool.map(lambda piece: _copied(piece[1], is_wanted[piece[0] : piece[0] + len(piece[1])]), pieces)
        return pyarrow.chunked_array(list(copies), column.type)


def _pieces(column: Any, whole_chunks: bool) -> list[tuple[int, Any]]:
    """First rows, and arrays."""
    pieces, begin = [], 0
    for chunk in column.chunks:
        step = max(1, len(chunk)) if whole_chunks else _PIECE_ROWS
        pieces += [(begin + first, chunk.slice(first, step)) for first in range(0, len(chunk), step)]
        begin += len(chunk)
    return pieces


def _validity(array: Any, is_wanted: bytes) -> Any:
    """The bitmap of the rows that are not null; None if all are valid."""
    return array.is_valid().filter(arrow_values.mask_of(is_wanted)).buffers()[1] if array.null_count else None


def _copied(array: Any, is_wanted: bytes) -> Any:
    pyarrow = stores.arrow()
    rows = is_wanted.count(1)
    chunk = arrow_values.chunk_of(array)
    is_wide = pyarrow.types.is_large_string(array.type) or pyarrow.types.is_large_binary(array.type)
    offsets = pyarrow.allocate_buffer((rows + 1) * (8 if is_wide else 4))
    texts = pyarrow.allocate_buffer(_core.selected_bytes(chunk, is_wanted))
    _core.copy_selected(chunk, is_wanted, offsets, texts)
    return pyarrow.Array.from_buffers(array.type, rows, [_validity(array, is_wanted), offsets, texts])


def _may_share(column: Any, is_wanted: bytes) -> bool:
    kept, all_bytes = 0, 0
    for begin, chunk in _pieces(column, True):
        kept += _core.selected_bytes(arrow_values.chunk_of(chunk), is_wanted[begin : begin + len(chunk)])
        all_bytes += sum(buffer.size for buffer in chunk.buffers()[2:])
    return kept >= _SHARED_SHARE * all_bytes


def _shared(array: Any, is_wanted: bytes) -> Any:
    pyarrow = stores.arrow()
    all_views = [None, array.buffers()[1]]
    kind = pyarrow.binary(object_views.VIEW_BYTES)
    views = pyarrow.Array.from_buffers(kind, len(array), all_views, offset=array.offset)
    kept = views.filter(arrow_values.mask_of(is_wanted))
    buffers = [_validity(array, is_wanted), kept.buffers()[1], *array.buffers()[2:]]
    return pyarrow.Array.from_buffers(array.type, len(kept), buffers)
