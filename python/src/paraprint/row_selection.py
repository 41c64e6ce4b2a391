"""Selects rows of Arrow columns in the memory that they take: texts are copied into buffers of their exact size, or
shared where the layout allows that.

Arrow's own selection guesses how much texts take and doubles what was too small. It cannot select views at all.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from . import _core, datasets, stores

#: Rows that a thread copies at once: some ten megabytes of texts, which the system maps in large pages.
_PIECE_ROWS = 1 << 16
#: Texts are shared if at least this part of their memory stays; otherwise the others would be kept for too little.
_SHARED_SHARE = 0.5
#: In the layout of views.
_VIEW_BYTES = 16


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
    if layout in ("string_view", "binary_view"):
        if _may_share(column, is_wanted):
            chunks = [_shared(chunk, is_wanted[begin : begin + len(chunk)]) for begin, chunk in _pieces(column, True)]
            return pyarrow.chunked_array(chunks, column.type)
        mask = datasets.mask_of(is_wanted)
        table = pyarrow.table([column], ["texts"])
        return datasets.without_views(table, lambda texts: texts.filter(mask)).column(0)
    if not is_copied_here(column.type):
        return column.filter(datasets.mask_of(is_wanted))
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
    return array.is_valid().filter(datasets.mask_of(is_wanted)).buffers()[1] if array.null_count else None


def _copied(array: Any, is_wanted: bytes) -> Any:
    pyarrow = stores.arrow()
    rows = is_wanted.count(1)
    chunk = datasets.chunk_of(array)
    is_wide = pyarrow.types.is_large_string(array.type) or pyarrow.types.is_large_binary(array.type)
    offsets = pyarrow.allocate_buffer((rows + 1) * (8 if is_wide else 4))
    texts = pyarrow.allocate_buffer(_core.selected_bytes(chunk, is_wanted))
    _core.copy_selected(chunk, is_wanted, offsets, texts)
    return pyarrow.Array.from_buffers(array.type, rows, [_validity(array, is_wanted), offsets, texts])


def _may_share(column: Any, is_wanted: bytes) -> bool:
    kept, all_bytes = 0, 0
    for begin, chunk in _pieces(column, True):
        kept += _core.selected_bytes(datasets.chunk_of(chunk), is_wanted[begin : begin + len(chunk)])
        all_bytes += sum(buffer.size for buffer in chunk.buffers()[2:])
    return kept >= _SHARED_SHARE * all_bytes


def _shared(array: Any, is_wanted: bytes) -> Any:
    pyarrow = stores.arrow()
    all_views = [None, array.buffers()[1]]
    views = pyarrow.Array.from_buffers(pyarrow.binary(_VIEW_BYTES), len(array), all_views, offset=array.offset)
    kept = views.filter(datasets.mask_of(is_wanted))
    buffers = [_validity(array, is_wanted), kept.buffers()[1], *array.buffers()[2:]]
    return pyarrow.Array.from_buffers(array.type, len(kept), buffers)
