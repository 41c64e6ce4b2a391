"""keep="score:FIELD:max" compares a number of the rows; languages= leaves rows in other languages out."""

import json

import pytest

import paraprint

pyarrow = pytest.importorskip("pyarrow")

RIVER = "The river rose two metres overnight, the council said, and the old bridge to the market was closed. "
ROWS = [
    {"id": "a", "text": RIVER * 3 + "It will be open again on Monday.", "quality": 1},
    {"id": "b", "text": RIVER * 3, "quality": 3},
    {"id": "c", "text": RIVER * 3, "quality": None},
    {"id": "d", "text": "去年冬天港口结冰两次，渡轮一直停在码头，直到冰雪融化以后才重新开航。" * 3, "quality": 2},
]
NUMBERS = (pyarrow.int8(), pyarrow.float32(), pyarrow.float64(), pyarrow.decimal128(24, 2))


def survivors(result):
    return sorted(result.survivors)


@pytest.mark.parametrize("keep, kept", [("score:quality:max", "b"), ("score:quality:min", "a"), ("longest", "a")])
def test_rows_of_every_kind(tmp_path, keep, kept):
    options = {"keep": keep, "remove_contained": True, "report": False}
    assert survivors(paraprint.dedup(ROWS, tmp_path / "rows", **options)) == [kept, "d"]
    lines = tmp_path / "pages.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    assert survivors(paraprint.dedup(lines, tmp_path / "lines", **options)) == [kept, "d"]
    for number, kind in enumerate(NUMBERS):
        table = pyarrow.Table.from_pylist(ROWS)
        table = table.set_column(2, "quality", table["quality"].cast(kind))
        assert survivors(paraprint.dedup(table, tmp_path / f"table-{number}", **options)) == [kept, "d"]
        frame = {"keep": keep, "remove_contained": True}
        assert paraprint.drop_near_duplicates(table, **frame)["id"].to_pylist() == [kept, "d"]


def test_parquet_files(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(ROWS), tmp_path / "pages.parquet")
    options = {"keep": "score:quality:max", "remove_contained": True, "report": False}
    result = paraprint.dedup(tmp_path / "pages.parquet", tmp_path / "out", **options)
    written = parquet.read_table(result.outputs[0])
    assert written["id"].to_pylist() == ["b", "d"] and written["quality"].to_pylist() == [3, 2]
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="there is no column 'rank'"):
        paraprint.dedup(tmp_path / "pages.parquet", tmp_path / "other", keep="score:rank:max")


def test_a_score_may_have_the_name_of_what_lines_of_texts_have(tmp_path):
    """Rows without ids have another field in the file of texts."""
    parquet = pytest.importorskip("pyarrow.parquet")
    keep = {"keep": "score:place:max", "report": False}
    rows = [{"text": RIVER, "place": place} for place in (3, 7, None, 5)]
    assert paraprint.dedup([{"id": "a", **rows[0]}, *rows[1:]], **keep).survivors == ["1"]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "pages.parquet")
    for options in ({}, {"trim": True}):
        result = paraprint.dedup(tmp_path / "pages.parquet", tmp_path / f"out{len(options)}", **keep, **options)
        assert parquet.read_table(result.outputs[0])["place"].to_pylist() == [7]


def test_a_score_that_is_not_finite_or_changes_makes_another_input(tmp_path):
    table = pyarrow.table({"id": ["a", "b"], "text": [RIVER, RIVER], "q": [float("inf"), 1.0]})
    options = {"keep": "score:q:max", "report": False}
    assert survivors(paraprint.dedup(table, tmp_path / "out", **options)) == ["b"]
    changed = table.set_column(2, "q", pyarrow.array([2.0, 1.0]))
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="other inputs or settings"):
        paraprint.dedup(changed, tmp_path / "out", **options)
    assert survivors(paraprint.dedup(changed, tmp_path / "out", restart=True, **options)) == ["a"]


def test_columns_that_are_no_numbers(tmp_path):
    table = pyarrow.table({"id": ["a", "b"], "text": [RIVER, RIVER], "quality": ["0.1", "0.2"]})
    for call in (
        lambda: paraprint.dedup(table, tmp_path / "out", keep="score:quality:max"),
        lambda: paraprint.drop_near_duplicates(table, keep="score:quality:max"),
    ):
        with pytest.raises(paraprint.errors.InvalidArgumentError, match="'quality' has the type string; keep compares"):
            call()
    for call in (
        lambda: paraprint.dedup(table, tmp_path / "out", keep="score:rank:max"),
        lambda: paraprint.drop_near_duplicates(table, keep="score:rank:max"),
    ):
        with pytest.raises(paraprint.errors.InvalidArgumentError, match="there is no column 'rank'"):
            call()
    rows = [{"id": "a", "text": RIVER, "quality": "0.1"}]
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="field 'quality' of page 0 is str, not a number"):
        paraprint.dedup(rows, tmp_path / "rows", keep="score:quality:max")
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="none of 1 pages has a number in a field \"rank\""):
        paraprint.dedup([{"id": "a", "text": RIVER}], tmp_path / "rows", keep="score:rank:max")


def test_languages(tmp_path):
    result = paraprint.dedup(ROWS, tmp_path / "out", languages=["zh"], report=True)
    assert result.survivors == ["d"] and result.pages_in_other_languages == 3
    assert {(row["id"], row["language"], row["reason"]) for row in result.removed} == {
        (name, "en", "language") for name in "abc"
    }
    assert "language" in result._repr_html_()
    table = paraprint.dedup(pyarrow.Table.from_pylist(ROWS), tmp_path / "table", languages="en", report=False)
    assert "d" not in table.kept["id"].to_pylist()
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="'cn' is not the code of a language"):
        paraprint.dedup(ROWS, tmp_path / "other", languages=["cn"])
    with pytest.raises(paraprint.errors.Error, match="this call answers for every page"):
        paraprint.drop_near_duplicates(pyarrow.Table.from_pylist(ROWS), languages=["zh"])


def test_numbers_that_are_too_large_are_reported_or_counted():
    rows = [{"id": "a", "text": RIVER, "q": 1}, {"id": "b", "text": RIVER, "q": 10**400},
            {"id": 10**5000, "text": RIVER}]
    keep = {"keep": "score:q:max"}
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="field 'q' of page 1: int too large"):
        paraprint.dedup(rows, **keep)
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="field 'id' of page 1: Exceeds the limit"):
        paraprint.dedup([rows[0], rows[2]], **keep)
    result = paraprint.dedup(rows, on_error="skip", **keep)
    assert result.skipped == {"long-id": 1, "wrong-type": 1} and result.survivors == ["a"]
