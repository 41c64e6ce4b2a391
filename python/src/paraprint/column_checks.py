"""Checks Arrow columns that come from a file: of one that is broken, offsets and indices may point anywhere."""

from __future__ import annotations

from typing import Any

from .stores import arrow


class ColumnChecker:
    """Checks the batches of one file. What batches share, their dictionaries, is checked once."""

    def __init__(self, schema: Any) -> None:
        self._kinds = [_as_bytes(kind) for kind in schema.types]
        self._schema = schema
        self._checked: dict[str, Any] = {}  # the last dictionary of a column; kept, so that its memory has no other use

    def check(self, batch: Any) -> None:
        """Raises pyarrow's errors. Whether texts are UTF-8 is not checked: that is seen row by row elsewhere."""
        pyarrow = arrow()
        kinds = dict(zip(self._schema.names, self._kinds))
        fields = [field.with_type(kinds[field.name]) for field in batch.schema]
        for field, column in zip(fields, pyarrow.record_batch(_Reread(batch, pyarrow.schema(fields))).columns):
            if pyarrow.types.is_dictionary(field.type):
                self._check_dictionary(field.name, column.dictionary)
                size = len(column.dictionary)
                column = pyarrow.DictionaryArray.from_arrays(column.indices, pyarrow.nulls(size), safe=False)
            column.validate(full=True)

    def _check_dictionary(self, name: str, values: Any) -> None:
        known = self._checked.get(name)
        if known is None or _place_of(known) != _place_of(values):
            values.validate(full=True)
            self._checked[name] = values


def _place_of(array: Any) -> tuple[Any, ...]:
    """What tells the array from others in memory."""
    buffers = (None if buffer is None else (buffer.address, buffer.size) for buffer in array.buffers())
    return len(array), array.offset, *buffers


class _Reread:
    """A batch for pyarrow.record_batch(), which takes the same memory for columns of the types in another schema."""

    def __init__(self, batch: Any, schema: Any) -> None:
        self._batch = batch
        self._schema = schema

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        return self._schema.__arrow_c_schema__(), self._batch.__arrow_c_array__()[1]


def _as_bytes(kind: Any) -> Any:
    """The type with bytes in place of texts, at any depth, which has the same layout in memory."""
    pyarrow = arrow()
    types = pyarrow.types
    plain = {"string": "binary", "large_string": "large_binary", "string_view": "binary_view"}.get(str(kind))
    if plain is not None:
        return getattr(pyarrow, plain)()
    if isinstance(kind, pyarrow.BaseExtensionType):
        return _as_bytes(kind.storage_type)
    if types.is_dictionary(kind):
        return pyarrow.dictionary(kind.index_type, _as_bytes(kind.value_type), kind.ordered)
    if types.is_run_end_encoded(kind):
        return pyarrow.run_end_encoded(kind.run_end_type, _as_bytes(kind.value_type))
    if types.is_map(kind):
        return pyarrow.map_(_field(kind.key_field), _field(kind.item_field), kind.keys_sorted)
    if types.is_fixed_size_list(kind):
        return pyarrow.list_(_field(kind.value_field), kind.list_size)
    for is_list, made in (("is_list", "list_"), ("is_large_list", "large_list"), ("is_list_view", "list_view"),
                          ("is_large_list_view", "large_list_view")):
        if hasattr(types, is_list) and getattr(types, is_list)(kind):
            return getattr(pyarrow, made)(_field(kind.value_field))
    if types.is_struct(kind) or types.is_union(kind):
        fields = [_field(kind.field(number)) for number in range(kind.num_fields)]
        return pyarrow.struct(fields) if types.is_struct(kind) else pyarrow.union(fields, kind.mode, kind.type_codes)
    return kind


def _field(field: Any) -> Any:
    return field.with_type(_as_bytes(field.type))
