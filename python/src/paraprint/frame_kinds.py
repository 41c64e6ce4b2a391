"""The kinds of frames that near-duplicates are found in: how each gives its columns, its rows and further columns.

Columns are read as Arrow arrays, which share the memory of the frame wherever its library allows that.
"""

from __future__ import annotations

import secrets
from typing import Any

from . import arrow_values, object_views, row_selection, stores
from .errors import InvalidArgumentError, UnsupportedError


class FrameKind:
    """An Arrow table, and the base of all other kinds. A mask has a byte per row, 1 or 0; rows are numbers in an Arrow
    array. NumPy is there only if the library of the frame needs it."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame

    @property
    def names(self) -> list[str]:
        return list(self.frame.schema.names)

    def column(self, name: str, raises: bool) -> tuple[Any, set[int]]:
        """The column, and the rows with an object of the wrong type, which are null in it or raise."""
        return self.frame.column(name), set()

    def taken(self, name: str, rows: Any) -> Any:
        """The values of a column in these rows, null for a null, for with_columns()."""
        table = stores.arrow().table([self.column(name, True)[0]], [name])
        return arrow_values.without_views(table, lambda column: column.take(rows)).column(0)

    def check_selection(self) -> None:
        """Raises for a column of which pyarrow cannot select rows: before a run, not when its work is done."""
        for field in self.frame.schema:
            row_selection.check(field.name, field.type)

    def filter(self, mask: bytes, threads: int) -> Any:
        columns = [row_selection.selected(column, mask, threads) for column in self.frame.columns]
        return stores.arrow().Table.from_arrays(columns, schema=self.frame.schema)

    def with_columns(self, columns: dict[str, Any]) -> Any:
        """The frame with further columns: Arrow arrays, or what taken() returned."""
        table = self.frame
        for name, values in columns.items():
            table = table.append_column(name, values)
        return table


class _RecordBatch(FrameKind):
    def filter(self, mask: bytes, threads: int) -> Any:
        pyarrow = stores.arrow()
        columns = [
            row_selection.selected(pyarrow.chunked_array([column]), mask, threads, whole_chunks=True).combine_chunks()
            for column in self.frame.columns
        ]
        return pyarrow.RecordBatch.from_arrays(columns, schema=self.frame.schema)

    def with_columns(self, columns: dict[str, Any]) -> Any:
        pyarrow = stores.arrow()
        table = pyarrow.Table.from_batches([self.frame])
        for name, values in columns.items():
            table = table.append_column(name, values)
        made = table.combine_chunks().to_batches()
        return made[0] if made else pyarrow.RecordBatch.from_pylist([], schema=table.schema)


class _Pandas(FrameKind):
    """Rows are found by their place, so the index may hold anything, repeated labels included."""

    @property
    def names(self) -> list[str]:
        return list(self.frame.columns)

    def column(self, name: str, raises: bool) -> tuple[Any, set[int]]:
        values = self.frame[name]
        viewed = object_views.views_of(values) if object_views.holds_objects(values) else None
        return arrow_values.column_of(name, values, raises) if viewed is None else (viewed, set())

    def taken(self, name: str, rows: Any) -> Any:
        values = self.frame[name].array
        if rows.null_count and values.dtype.kind in "iub":
            # NumPy's integers would become floating-point numbers, which are not the same ids.
            values = values.astype(_nullable_name(values.dtype.name))
        return values.take(rows.fill_null(-1).to_numpy(), allow_fill=True)

    def check_selection(self) -> None:
        import pandas

        for name, kind in self.frame.dtypes.items():
            if isinstance(kind, pandas.ArrowDtype):
                row_selection.check(str(name), kind.pyarrow_dtype)

    def filter(self, mask: bytes, threads: int) -> Any:
        import numpy

        texts = {place: column for place, column in enumerate(map(self._arrow_texts, range(self.frame.shape[1])))
                 if column is not None}
        others = [place for place in range(self.frame.shape[1]) if place not in texts]
        made = self.frame.iloc[:, others].loc[numpy.frombuffer(mask, numpy.bool_)]
        for place, column in texts.items():
            values = self.frame.dtypes.iloc[place].__from_arrow__(row_selection.selected(column, mask, threads))
            may_repeat = made.flags.allows_duplicate_labels
            made.insert(place, self.frame.columns[place], values, allow_duplicates=may_repeat)
        return made

    def _arrow_texts(self, place: int) -> Any:
        """The column as a chunked array if pandas keeps its texts in Arrow; otherwise None."""
        import pandas

        pyarrow = stores.arrow()
        kind = self.frame.dtypes.iloc[place]
        if not (isinstance(kind, pandas.StringDtype) and kind.storage == "pyarrow") and not (
            isinstance(kind, pandas.ArrowDtype) and row_selection.is_selected_here(kind.pyarrow_dtype)
        ):
            return None
        texts = self.frame.iloc[:, place].array.__arrow_array__()
        return texts if isinstance(texts, pyarrow.ChunkedArray) else pyarrow.chunked_array([texts])

    def with_columns(self, columns: dict[str, Any]) -> Any:
        pyarrow = stores.arrow()
        made = self.frame.copy(deep=False)
        for name, values in columns.items():
            if isinstance(values, pyarrow.Array):
                # Of pandas' integers only this kind can be null.
                is_integer = pyarrow.types.is_integer(values.type)
                values = values.to_pandas(types_mapper=_nullable_integer if is_integer else None).array
            made[name] = values
        return made


def _nullable_name(name: str) -> str:
    """The name of pandas' type of integers or booleans that can be missing, for the name of NumPy's."""
    return "boolean" if name == "bool" else name.replace("u", "U").replace("int", "Int")


def _nullable_integer(_: Any) -> Any:
    import pandas

    return pandas.Int64Dtype()


class _Polars(FrameKind):
    def __init__(self, frame: Any) -> None:
        import polars

        self._is_lazy = isinstance(frame, polars.LazyFrame)
        super().__init__(frame.collect() if self._is_lazy else frame)

    @property
    def names(self) -> list[str]:
        return list(self.frame.columns)

    def column(self, name: str, raises: bool) -> tuple[Any, set[int]]:
        # Not to_arrow(), which copies texts into a layout with offsets.
        return stores.arrow().table(self.frame.select(name)).column(0), set()

    def _series(self, values: Any) -> Any:
        import polars

        return values if isinstance(values, polars.Series) else polars.from_arrow(values)

    def taken(self, name: str, rows: Any) -> Any:
        return self.frame.get_column(name).gather(self._series(rows))

    def check_selection(self) -> None:
        """Polars selects rows of every type."""

    def filter(self, mask: bytes, threads: int) -> Any:
        return self._returned(self.frame.filter(self._series(arrow_values.mask_of(mask))))

    def with_columns(self, columns: dict[str, Any]) -> Any:
        return self._returned(self.frame.with_columns(self._series(values).alias(name)
                                                      for name, values in columns.items()))

    def _returned(self, frame: Any) -> Any:
        return frame.lazy() if self._is_lazy else frame


class _DuckDb(FrameKind):
    """A relation, read once: a query need not give its rows in the same order twice."""

    def __init__(self, relation: Any) -> None:
        read = getattr(relation, "to_arrow_table", None) or relation.fetch_arrow_table
        super().__init__(read())
        self._relation = relation

    def _connection(self) -> Any:
        return getattr(self._relation, "_con", None)

    def _returned(self, made: Any) -> Any:
        """A relation over these rows, of the connection of the relation given."""
        connection = self._connection()
        if connection is not None:
            return connection.from_arrow(made)
        # Before DuckDB 2, a relation does not tell its connection, and rows reach it only as a variable of Python. Its
        # name is random, because a table of that name would be read instead; and so is that of the view that query()
        # leaves behind, which would hide one of the user's.
        variable, view = (f"paraprint_{secrets.token_hex(16)}" for _ in range(2))
        query, text = self._relation.query, f"SELECT * FROM {variable}"
        found = eval("query(view, text)", {variable: made, "query": query, "view": view, "text": text})
        query(view, f"DROP VIEW {view}")
        return found

    def filter(self, mask: bytes, threads: int) -> Any:
        return self._returned(super().filter(mask, threads))

    def with_columns(self, columns: dict[str, Any]) -> Any:
        return self._returned(super().with_columns(columns))


class _Dataset(FrameKind):
    """A data set of Hugging Face."""

    @property
    def names(self) -> list[str]:
        return list(self.frame.column_names)

    def column(self, name: str, raises: bool) -> tuple[Any, set[int]]:
        return self.frame.select_columns([name]).with_format("arrow")[:].column(name), set()

    def check_selection(self) -> None:
        """A selection of a data set is a list of its rows, whatever they are."""

    def filter(self, mask: bytes, threads: int) -> Any:
        import numpy

        return self.frame.select(numpy.flatnonzero(numpy.frombuffer(mask, numpy.bool_)))

    def with_columns(self, columns: dict[str, Any]) -> Any:
        from datasets import Dataset, concatenate_datasets

        if self.frame.num_rows == 0:  # concatenate_datasets() drops what has no rows, columns included
            return Dataset(FrameKind(self.frame.with_format("arrow")[:]).with_columns(columns))
        added = Dataset(stores.arrow().table(columns))
        return concatenate_datasets([self.frame, added], axis=1)


def kind_of(frame: Any) -> FrameKind:
    """Raises InvalidArgumentError for what is not a frame of one of the kinds."""
    library, name = type(frame).__module__.split(".")[0], type(frame).__name__
    if library == "datasets" and name in ("DatasetDict", "IterableDatasetDict"):
        raise InvalidArgumentError(f"a {name} has several data sets; pass one of them: {', '.join(map(str, frame))}")
    if library == "datasets" and name == "Dataset":
        return _Dataset(frame)
    if library == "polars" and name in ("DataFrame", "LazyFrame"):
        return _Polars(frame)
    if library in ("duckdb", "_duckdb") and name == "DuckDBPyRelation":
        return _DuckDb(frame)
    if hasattr(frame, "columns") and hasattr(frame, "index") and hasattr(frame, "loc"):
        return _Pandas(frame)  # or a subclass of another library
    pyarrow = stores.arrow()
    if isinstance(frame, pyarrow.RecordBatch):
        return _RecordBatch(frame)
    if isinstance(frame, pyarrow.Table):
        return FrameKind(frame)
    if hasattr(frame, "__arrow_c_stream__"):
        return FrameKind(pyarrow.table(frame))
    raise InvalidArgumentError(
        f"{type(frame).__name__} is not a frame; pass a data frame of pandas or polars, a table of pyarrow, a relation "
        "of DuckDB or a Dataset of Hugging Face"
    )
