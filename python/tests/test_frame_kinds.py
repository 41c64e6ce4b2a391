"""What is special about the frames of one library: types, names, selections and connections."""

import pytest

import paraprint
from paraprint import frame_kinds, frames
from test_frames import NEAR, OTHER, RIVER

pyarrow = pytest.importorskip("pyarrow")
numpy = pytest.importorskip("numpy")


def test_pandas_ids_keep_their_type():
    pandas = pytest.importorskip("pandas")
    for ids in (pandas.Series([7, 8, 9], dtype="int32"), pandas.Series(pandas.Categorical(["x", "y", "z"])),
                pandas.Series(pandas.to_datetime(["2024-01-03", "2024-01-04", "2024-01-05"]))):
        frame = pandas.DataFrame({"text": [RIVER, OTHER, RIVER], "id": ids})
        found = paraprint.find_near_duplicates(frame, keep="first")
        assert found["kept_id"].dtype == ids.dtype and found["kept_id"].tolist() == [ids[0], ids[1], ids[0]]


def test_pandas_ids_of_rows_that_cannot_be_compared_are_missing():
    pandas = pytest.importorskip("pandas")
    large = 2**60 + 1
    for kind, ids, name in (("int64", [large, large + 2, large + 4], "Int64"), ("int32", [7, 8, 9], "Int32"),
                            ("uint64", [2**64 - 1, 2**64 - 3, 1], "UInt64"), ("uint8", [1, 2, 3], "UInt8")):
        frame = pandas.DataFrame({"text": [RIVER, RIVER, " "], "id": numpy.array(ids, dtype=kind)})
        found = paraprint.find_near_duplicates(frame, keep="first")["kept_id"]
        assert found.dtype == name and found.tolist() == [ids[0], ids[0], pandas.NA]
    frame = pandas.DataFrame({"text": [RIVER, " "], "id": [True, False]})
    assert paraprint.find_near_duplicates(frame)["kept_id"].tolist() == [True, pandas.NA]


def test_pandas_columns_whose_names_read_the_same():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({0: [RIVER, OTHER, RIVER], "0": [OTHER, OTHER, RIVER], "t\ud800": [RIVER] * 3})
    assert paraprint.drop_near_duplicates(frame, text=0, url="0", keep="first").index.tolist() == [0, 1]
    assert paraprint.drop_near_duplicates(frame, text="0", url=0, keep="first").index.tolist() == [0, 2]
    assert len(paraprint.drop_near_duplicates(frame, text="t\ud800")) == 1


def test_pandas_frames_without_duplicate_labels():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": pandas.Series([RIVER, RIVER, OTHER], dtype="string")})
    kept = paraprint.drop_near_duplicates(frame.set_flags(allows_duplicate_labels=False), keep="first")
    assert kept["text"].tolist() == [RIVER, OTHER] and not kept.flags.allows_duplicate_labels


def test_pandas_views_are_selected():
    pandas = pytest.importorskip("pandas")
    kind = pandas.ArrowDtype(pyarrow.string_view())
    frame = pandas.DataFrame({"text": pandas.Series([RIVER, RIVER, OTHER], dtype=kind)})
    kept = paraprint.drop_near_duplicates(frame, keep="first")
    assert kept["text"].dtype == kind and kept["text"].tolist() == [RIVER, OTHER]


def test_ids_that_cannot_be_compared_are_refused():
    for ids in ([[1], [2]], [{"a": 1}, {"a": 2}]):
        with pytest.raises(ValueError, match="column 'id' has the type .*, whose values cannot be compared; id=None"):
            paraprint.find_near_duplicates(pyarrow.table({"text": [RIVER, OTHER], "id": ids}))


def test_scores_that_are_missing_or_of_two_columns():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": [RIVER, RIVER], "q": pandas.Series([None, None], dtype=object)})
    with pytest.raises(ValueError, match="none of 2 pages has a number"):
        paraprint.drop_near_duplicates(frame, keep="score:q:max")
    twice = pandas.DataFrame([[RIVER, 1, 2]], columns=["text", "q", "q"])
    for given in (twice, pyarrow.table([[RIVER], [1], [2]], names=["text", "q", "q"])):
        with pytest.raises(ValueError, match="there are 2 columns 'q'; keep= needs one"):
            paraprint.drop_near_duplicates(given, keep="score:q:max")


def test_columns_that_cannot_be_selected_are_refused_before_the_run(monkeypatch):
    text, views = [RIVER, RIVER, OTHER], pyarrow.array(["a", "b", "c"], pyarrow.string_view())
    monkeypatch.setattr(frames, "_decide", lambda *_: pytest.fail("the run has begun"))
    offsets = pyarrow.array([0, 1, 2, 3], pyarrow.int32())
    for column in (pyarrow.ListArray.from_arrays(offsets, views), pyarrow.StructArray.from_arrays([views], ["x"]),
                   pyarrow.RunEndEncodedArray.from_arrays([2, 3], [1, 2])):
        table = pyarrow.table({"text": text, "other": column})
        for frame in (table, table.combine_chunks().to_batches()[0]):
            with pytest.raises(paraprint.errors.UnsupportedError, match="column 'other' has the type"):
                paraprint.drop_near_duplicates(frame)
        with pytest.raises(paraprint.errors.UnsupportedError, match="column 'other' has the type"):
            paraprint.dedup(table, progress=lambda *_: pytest.fail("the run has begun"))


def test_polars_texts_in_chunks_and_categories():
    polars = pytest.importorskip("polars")
    parts = [polars.DataFrame({"text": [RIVER, OTHER]}), polars.DataFrame({"text": [RIVER]})]
    assert paraprint.drop_near_duplicates(polars.concat(parts, rechunk=False), keep="first")["text"].to_list() == [
        RIVER, OTHER]
    frame = parts[0].with_columns(polars.col("text").cast(polars.Categorical))
    assert paraprint.drop_near_duplicates(frame).schema == frame.schema


def test_a_duckdb_relation_belongs_to_its_connection():
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE pages (n INTEGER, body VARCHAR)")
    connection.executemany("INSERT INTO pages VALUES (?, ?)", [[1, RIVER], [2, OTHER], [3, RIVER]])
    relation = connection.sql("SELECT * FROM pages WHERE n < 10")
    kept = paraprint.drop_near_duplicates(relation, keep="first")
    joined = connection.sql("SELECT kept.n FROM kept JOIN pages USING (n) ORDER BY n")
    assert joined.fetchall() == [(1,), (2,)]


@pytest.mark.parametrize("tells_connection", [True, False])
def test_tables_of_a_duckdb_connection_are_never_taken_for_the_result(tells_connection, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    for name in ("made", "paraprint_rows", "rows", "frame", "kept", "table"):
        connection.execute(f"CREATE TABLE \"{name}\" AS SELECT 'of another table' AS body")
    connection.execute("CREATE TABLE pages AS SELECT unnest(?) AS body", [[RIVER, OTHER, RIVER]])
    if tells_connection and not hasattr(connection.table("pages"), "_con"):
        pytest.skip("a relation of this DuckDB does not tell its connection")
    if tells_connection:
        connection.execute("SET python_enable_replacements = false")  # nothing is found by its name then
    else:  # as before DuckDB 2
        monkeypatch.setattr(frame_kinds._DuckDb, "_connection", lambda self: None)
    kept = paraprint.drop_near_duplicates(connection.table("pages"), keep="first")
    found = paraprint.find_near_duplicates(connection.table("pages"), keep="first", columns=["is_kept"])
    assert kept.fetchall() == [(RIVER,), (OTHER,)] and len(found.fetchall()) == 3
    names = connection.execute("SELECT view_name FROM duckdb_views() WHERE view_name LIKE 'paraprint%'").fetchall()
    assert names == [] and connection.execute("SELECT * FROM paraprint_rows").fetchall() == [("of another table",)]


def test_a_selection_of_a_dataset():
    datasets = pytest.importorskip("datasets")
    given = datasets.Dataset.from_dict({"text": [OTHER, RIVER, NEAR, RIVER, OTHER], "n": [0, 1, 2, 3, 4]})
    chosen = given.select([4, 3, 1])
    assert paraprint.drop_near_duplicates(chosen, keep="first")["n"][:] == [4, 3]
    found = paraprint.find_near_duplicates(chosen, keep="first")
    assert found["kept_id"][:] == [0, 1, 1] and found.features["text"] == given.features["text"]
    with pytest.raises(ValueError, match="pass one of them: train, test"):
        paraprint.drop_near_duplicates(datasets.DatasetDict({"train": given, "test": given}))
