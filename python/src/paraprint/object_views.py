"""Texts of pandas that are Python objects, as Arrow columns of views, which share the memory of the objects."""

from __future__ import annotations

from typing import Any

from . import _core, stores

#: Size of a view in the layout of views.
VIEW_BYTES = 16


def holds_objects(values: Any) -> bool:
    """Whether a Series of pandas is a column of Python objects: of the type "object", or "string" stored in Python."""
    import pandas

    kind = values.dtype
    return kind == object or (isinstance(kind, pandas.StringDtype) and kind.storage == "python")


def views_of(values: Any) -> Any:
    """The texts of a Series of pandas, with nulls for missing values; None if it has other objects or no texts, or if
    pyarrow has no columns of views. Texts that are not ASCII are copied. The array keeps the objects, so that the frame
    may change meanwhile. Its size in bytes says nothing: the texts are anywhere in the memory of the process.
    """
    pyarrow = stores.arrow()
    if not hasattr(pyarrow, "string_view"):
        return None
    is_missing = values.isna().to_numpy()
    if is_missing.all():
        return None
    objects = values.tolist()
    views = pyarrow.allocate_buffer(VIEW_BYTES * len(objects))
    windows = _core.view_texts(objects, is_missing.tobytes(), views)
    if windows is None:
        return None
    validity = pyarrow.array(~is_missing).buffers()[1] if is_missing.any() else None
    texts = [pyarrow.foreign_buffer(address, size, objects) for address, size in windows]
    return pyarrow.Array.from_buffers(pyarrow.string_view(), len(objects), [validity, views, *texts])
