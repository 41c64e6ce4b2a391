"""Ids that are longer than those of a run: it would rename such a page, possibly to the id of another row."""

import json

import pytest

import paraprint

pyarrow = pytest.importorskip("pyarrow")
from pyarrow import parquet  # noqa: E402

RIVER = "The river rose two metres overnight, the council said, and the old bridge to the market was closed."
GARDEN = "The children of the school planted forty apple trees in the garden, and roses along its southern wall."
LONGEST = "x" * 8192
#: The second row is the second page, so that a run would call it "1".
ROWS = {"id": ["0", LONGEST + "y", "1"], "text": [RIVER, RIVER, GARDEN]}


def pages():
    return [{"id": name, "text": text} for name, text in zip(*ROWS.values())]


def test_a_row_with_a_long_id_takes_no_other_row_with_it(tmp_path):
    table = pyarrow.table(ROWS)
    parquet.write_table(table, tmp_path / "rows.parquet")
    for given in (table, tmp_path / "rows.parquet", pages()):
        with pytest.raises(paraprint.errors.InvalidArgumentError, match="row 1: an id of 8193 bytes, more than 8192"):
            paraprint.dedup(given, tmp_path / "raised", restart=True)
        result = paraprint.dedup(given, tmp_path / "out", restart=True, on_error="skip")
        assert result.skipped == {"long-id": 1} and result.survivors == ["0", "1"]
        for rows in [result.kept] if result.kept is not None else map(parquet.read_table, result.outputs):
            assert rows["id"].to_pylist() == ["0", "1"]
    same = pyarrow.table({"id": [LONGEST, "1"], "text": [RIVER, RIVER]})
    assert paraprint.dedup(same).clusters == [["1", LONGEST]]


@pytest.mark.parametrize("options", [{}, {"trim": True}])
def test_rows_after_a_long_id_are_annotated(tmp_path, options):
    parquet.write_table(pyarrow.table(ROWS), tmp_path / "rows.parquet")
    result = paraprint.dedup(tmp_path / "rows.parquet", tmp_path / "out", annotate=True, on_error="skip", **options)
    (written,) = map(parquet.read_table, result.outputs)
    assert written["id"].to_pylist() == ROWS["id"] and written["is_kept"].to_pylist() == [True, None, True]


def test_rows_after_one_that_is_too_long_once_decoded_are_annotated(tmp_path):
    rows = {"html": [RIVER.encode(), b"\xe9" * 150, GARDEN.encode(), RIVER.encode()]}
    parquet.write_table(pyarrow.table(rows), tmp_path / "rows.parquet")
    result = paraprint.dedup(tmp_path / "rows.parquet", tmp_path / "out", annotate=True, max_body_bytes=200)
    (written,) = map(parquet.read_table, result.outputs)
    clusters = written["cluster"].to_pylist()
    assert result.pages == 3 and clusters[0] == clusters[3] != clusters[2] and clusters[1] is None


def test_documents_with_long_ids_are_found_where_they_are(tmp_path):
    corpus = {"id": ["2", LONGEST + "y", "1"], "text": [GARDEN, f"{GARDEN} {RIVER}", GARDEN]}
    parquet.write_table(pyarrow.table(corpus), tmp_path / "corpus.parquet")
    items = {"id": [LONGEST + "z", "a"], "question": [RIVER, "How high did the river rise?"]}
    parquet.write_table(pyarrow.table(items), tmp_path / "items.parquet")
    result = paraprint.contaminated(tmp_path / "corpus.parquet", tmp_path / "items.parquet", tmp_path / "out",
                                    records=True)
    assert [(find["row"], find["verdict"]) for find in result.finds] == [(1, "exact")]
    assert [item["documents_exact"] for item in result.iterate_items()] == [1, 0]
    assert parquet.read_table(result.outputs[0])["id"].to_pylist() == ["2", "1"]
    assert "paraprint-work" not in json.dumps(result.finds)
    assert ".jsonl:" not in json.dumps([*result.finds, *result.iterate_items()])
    assert [find["item"] for find in result.finds] == ["items.parquet:0"] and result.finds[0]["id"] == "1"
