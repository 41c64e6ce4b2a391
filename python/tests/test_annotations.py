"""annotate=True: columns in Parquet files, and rows of annotations.jsonl."""

import pathlib

import pytest

import paraprint

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

RIVER = "The river rose two metres overnight, the council said, and the old bridge to the market was closed."
ICE = "Everybody knows that ice is slippery, and almost everybody who was asked could say why, and was wrong."


def write(path: pathlib.Path, **columns) -> str:
    parquet.write_table(pyarrow.table(columns), path, row_group_size=2)
    return str(path)


def test_parquet_files_keep_all_rows_and_get_columns(tmp_path):
    paths = [
        write(tmp_path / "a.parquet", text=[RIVER, None, ICE], n=[1, 2, 3]),
        write(tmp_path / "b.parquet", text=[ICE.upper(), "Something else.", RIVER], n=[4, 5, 6]),
    ]
    result = paraprint.dedup(paths, tmp_path / "out", annotate=True, on_error="skip", keep="first")
    table = pyarrow.concat_tables(parquet.read_table(path) for path in result.outputs)
    assert table["n"].to_pylist() == [1, 2, 3, 4, 5, 6]
    assert table["text"].to_pylist() == [RIVER, None, ICE, ICE.upper(), "Something else.", RIVER]
    assert table["is_kept"].to_pylist() == [True, None, True, False, True, False]
    assert table["kept_id"].to_pylist() == [
        "a.parquet:0", None, "a.parquet:2", "a.parquet:2", "b.parquet:1", "a.parquet:0"
    ]
    assert table["cluster_size"].to_pylist() == [2, None, 2, 2, 1, 2]
    assert table["verdict"].to_pylist() == [None, None, None, "same", None, "same"]
    assert table["language"].to_pylist()[0] == "en"
    cluster_of = result.cluster_of
    clusters = dict(zip(("a.parquet:0", "a.parquet:2", "b.parquet:1"), table["cluster"].take([0, 2, 4]).to_pylist()))
    assert clusters == {name: cluster_of[name] for name in clusters}
    assert [row["id"] for row in result.annotations()] == [
        "a.parquet:0", "a.parquet:2", "b.parquet:0", "b.parquet:1", "b.parquet:2"
    ]


def test_columns_have_the_names_that_were_chosen(tmp_path):
    path = write(tmp_path / "a.parquet", doc=[7, 8], text=[RIVER, RIVER], cluster=["x", "y"])
    chosen = ["cluster=group", "kept_id"]
    options = {"annotation_fields": chosen, "id_field": "doc", "keep": "first"}
    result = paraprint.dedup(path, tmp_path / "out", annotate=True, **options)
    table = parquet.read_table(result.outputs[0])
    assert table.column_names == ["doc", "text", "cluster", "group", "kept_id"]
    assert table["group"].to_pylist() == [1, 1]
    assert table["kept_id"].to_pylist() == ["7", "7"]


def test_no_column_is_overwritten(tmp_path):
    path = write(tmp_path / "a.parquet", text=[RIVER], score=[1])
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="a.parquet: there is a column 'score' already"):
        paraprint.dedup(path, tmp_path / "out", annotate=True)
    assert not (tmp_path / "out").exists()


def test_tables_and_iterables_give_the_rows(tmp_path):
    table = pyarrow.table({"id": ["a", "b"], "text": [RIVER, RIVER.lower()]})
    result = paraprint.dedup(table, annotate=True, keep="first")
    assert [(row["id"], row["is_kept"]) for row in result.annotations()] == [("a", True), ("b", False)]
    result = paraprint.dedup([{"id": "a", "text": RIVER}, {"id": "b", "text": RIVER}], tmp_path / "out", annotate=True)
    assert [row["cluster_size"] for row in result.annotations()] == [2, 2]


def test_trimming_leaves_the_texts_in_a_file(tmp_path):
    tram = "A new line of trams will run between the two stations from next spring, the transport office announced."
    cars = "The first cars have already been delivered to the depot in the north of the town, where they are tested."
    passage = f"{RIVER} {RIVER[4:]}"
    table = pyarrow.table({"id": ["a", "b"], "text": [f"{passage}\n{cars}", f"{ICE}\n{tram}\n{passage}"]})
    result = paraprint.dedup(table, tmp_path / "out", trim=True, keep="first")
    texts = (result.folder / "texts.jsonl").read_text("utf-8").splitlines()
    assert result.pages_kept == 2
    assert len(texts) == 1 and RIVER not in texts[0] and ICE in texts[0]
