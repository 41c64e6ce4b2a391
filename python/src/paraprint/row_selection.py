"""Selects rows of Arrow columns in the memory that they take: texts are copied into buffers of their exact size, or
shared where the layout allows that.

Arrow's own selection guesses how much texts take and doubles what was too small. It cannot select views at all.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from . import _core, datasets, stores

if TYPE_CHECKING:
    import numpy

#: Rows that a thread copies at once: some ten megabytes of texts, which the system maps in large pages.
_PIECE_ROWS = 1 << 16
#: Texts are shared if at least this part of their memory stays; otherwise the others would be kept for too little.
_SHARED_SHARE = 0.5
#: In the layout of views: longer texts are outside the view.
_INLINE_BYTES = 12


def is_copied_here(kind: Any) -> bool:
    """Whether columns of this type are texts or bytes with offsets."""
    types = stores.arrow().types
    return bool(
        types.is_string(kind) or types.is_large_string(kind) or types.is_binary(kind) or types.is_large_binary(kind)
    )


def selected(column: Any, is_wanted: numpy.ndarray[Any, Any], threads: int, whole_chunks: bool = False) -> Any:
    """The values of a chunked array in the rows where `is_wanted` is true. With `whole_chunks`, the result has a chunk
    for each chunk, otherwise as many as are convenient."""
    pyarrow = stores.arrow()
    layout = str(column.type)
    if layout in ("string_view", "binary_view"):
        if _may_share(column, is_wanted):
            chunks = [_shared(chunk, is_wanted[begin : begin + len(chunk)]) for begin, chunk in _pieces(column, True)]
            return pyarrow.chunked_array(chunks, column.type)
        mask = pyarrow.array(is_wanted)
        table = pyarrow.table([column], ["texts"])
        return datasets.without_views(table, lambda texts: texts.filter(mask)).column(0)
    if not is_copied_here(column.type):
        return column.filter(pyarrow.array(is_wanted))
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


def _validity(array: Any, is_wanted: Any) -> Any:
    """The bitmap of the rows that are not null; None if all are valid."""
    pyarrow = stores.arrow()
    return array.is_valid().filter(pyarrow.array(is_wanted)).buffers()[1] if array.null_count else None


def _copied(array: Any, is_wanted: Any) -> Any:
    pyarrow = stores.arrow()
    wanted, rows = is_wanted.tobytes(), int(is_wanted.sum())
    chunk = datasets.chunk_of(array)
    is_wide = pyarrow.types.is_large_string(array.type) or pyarrow.types.is_large_binary(array.type)
    offsets = pyarrow.allocate_buffer((rows + 1) * (8 if is_wide else 4))
    texts = pyarrow.allocate_buffer(_core.selected_bytes(chunk, wanted))
    _core.copy_selected(chunk, wanted, offsets, texts)
    return pyarrow.Array.from_buffers(array.type, rows, [_validity(array, is_wanted), offsets, texts])


def _views(array: Any) -> Any:
    """The views as pairs of numbers; the lower half of the first one is the size of the text."""
    import numpy

    views = numpy.frombuffer(array.buffers()[1], numpy.uint64).reshape(-1, 2)
    return views[array.offset : array.offset + len(array)]


def _may_share(column: Any, is_wanted: Any) -> bool:
    kept, all_bytes = 0, 0
    for begin, chunk in _pieces(column, True):
        sizes = _views(chunk)[is_wanted[begin : begin + len(chunk)], 0] & 0xFFFFFFFF
        kept += int(sizes[sizes > _INLINE_BYTES].sum())
        all_bytes += sum(buffer.size for buffer in chunk.buffers()[2:])
    return kept >= _SHARED_SHARE * all_bytes


def _shared(array: Any, is_wanted: Any) -> Any:
    pyarrow = stores.arrow()
    views = _views(array)[is_wanted]
    buffers = [_validity(array, is_wanted), pyarrow.py_buffer(views), *array.buffers()[2:]]
    return pyarrow.Array.from_buffers(array.type, len(views), buffers)
