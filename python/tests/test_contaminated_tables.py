"""Files of rows as corpus and benchmarks of contaminated(): they give what the same rows give as JSON lines."""

import json
import os
import random

import pytest

import paraprint
from test_contamination import HARBOUR, QUESTION, RIVER
from test_table_files import NAMES, command, read, write

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

EDITED = "So what WAS the capital of France and on which river does that ancient city lie today?"
CORPUS = {"id": ["clean", "edited", "exact", "part"], "note": ["007", "", 'a "b"', "c,d"],
          "text": [RIVER, f"{RIVER}\n{EDITED}", f"{RIVER}\n{HARBOUR.upper()}\n{EDITED}",
                   " ".join(HARBOUR.split()[:28])]}
ITEMS = {"id": ["capital", "short", "harbour"], "question": [QUESTION, "Who pays for it?", HARBOUR]}


def lines(path, columns):
    rows = [dict(zip(columns, row)) for row in zip(*columns.values())]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def rows_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def without_places(rows):
    places = ("file", "row", "offset_bytes", "line", "benchmark")
    return [{name: value for name, value in row.items() if name not in places} for row in rows]


@pytest.fixture
def expected(tmp_path):
    """What JSON lines give."""
    corpus = lines(tmp_path / "expected-corpus.jsonl", CORPUS)
    items = lines(tmp_path / "expected-items.jsonl", ITEMS)
    return paraprint.contaminated(corpus, items, tmp_path / "expected")


@pytest.mark.parametrize("name", NAMES)
def test_every_form_gives_what_json_lines_give(program, tmp_path, expected, name):
    (tmp_path / "items").mkdir()
    corpus = write(tmp_path / name, pyarrow.table(CORPUS))
    items = write(tmp_path / "items" / name, pyarrow.table(ITEMS))
    result = paraprint.contaminated(corpus, items, tmp_path / "out", records=True)
    assert without_places(result.finds) == without_places(expected.finds) and len(result.finds) == 4
    assert without_places(result.iterate_items()) == without_places(expected.iterate_items())
    row_of = {id: row for row, id in enumerate(CORPUS["id"])}
    for find in result.finds:
        assert (find["file"], find["row"]) == (str(corpus), row_of[find["id"]]) and "offset_bytes" not in find
    found = [(item["benchmark"], item["row"], "line" in item) for item in result.iterate_items()]
    assert found == [(str(items), row, False) for row in range(3)]
    assert read(result.outputs[0]).equals(read(corpus).slice(0, 1)) and result.outputs[0].name == name
    arguments = ("contaminated", corpus, "--against", items, "--out", tmp_path / "command", "--records")
    done = command(program, *arguments)
    assert done.returncode == 0, done.stderr
    assert "4 documents: 1 hold an item word for word, 1 with edits, 1 in part\n" in done.stderr
    assert "3 items: 2 found, 0 of them in part; 1 are too short to be looked for\n" in done.stderr
    assert f"report: {tmp_path / 'command' / 'report.html'}\n" in done.stderr
    written = ("contaminated.jsonl", "items.jsonl", "summary.json", "report.html", f"records/{name}")
    for path in written:
        assert (tmp_path / "command" / path).read_bytes() == (tmp_path / "out" / path).read_bytes(), path
    for path in (*written[:-1], "timing.json"):
        assert "paraprint-work" not in (tmp_path / "out" / path).read_text(encoding="utf-8"), path
    summary = result.summary
    assert summary["inputs"] == [str(corpus)] and str(items) in json.dumps(summary)
    assert not list(tmp_path.glob("*.paraprint-work"))


def test_parts_stay_if_asked(tmp_path):
    corpus = write(tmp_path / "a.parquet", pyarrow.table(CORPUS))
    items = write(tmp_path / "b.parquet", pyarrow.table(ITEMS))
    result = paraprint.contaminated(corpus, items, tmp_path / "out", records=True, keep_parts=True)
    assert read(result.outputs[0])["id"].to_pylist() == ["clean", "part"]
    assert paraprint.contaminated(corpus, items, records=True).outputs == []  # no folder to write to


@pytest.mark.parametrize("seed", range(3))
def test_rows_of_many_files_are_found_where_they_are(tmp_path, seed):
    """Against positions known from making the files: several batches, row groups, and rows that are no pages."""
    chance = random.Random(seed)
    questions = [" ".join(f"{chance.choice('bdfgklmnprst')}{chance.choice('aeiou')}{chance.randrange(10**6)}"
                          for _ in range(20)) for _ in range(5)]
    files, known = [], set()
    for number in range(3):
        texts = [f"{RIVER} {chance.random()}" for _ in range(chance.randrange(1500, 3000))]
        for row in chance.sample(range(len(texts)), 40):
            texts[row] = None
        for row in chance.sample(range(len(texts)), 20):
            item = chance.randrange(5)
            texts[row] = f"{RIVER} {questions[item]}"
            known.add((f"{number}.parquet", row, f"i{item}"))
        files.append(tmp_path / f"{number}.parquet")
        parquet.write_table(pyarrow.table({"text": texts}), files[-1], row_group_size=700)
    items = write(tmp_path / "items.csv", pyarrow.table({"id": [f"i{n}" for n in range(5)], "question": questions}))
    result = paraprint.contaminated(files, items, tmp_path / "out", on_error="skip", records=True)
    found = {(row["file"].rpartition("/")[2], row["row"], row["item"]) for row in result.finds}
    assert found == known and result.skipped == {"null": 120}
    for path in files:
        rows = {row for file, row, _ in known if file == path.name}
        before = read(path)["text"].to_pylist()
        kept = [text for row, text in enumerate(before) if text is not None and row not in rows]
        assert read(tmp_path / "out" / "records" / path.name)["text"].to_pylist() == kept
    again = paraprint.contaminated(files[::-1], items, tmp_path / "again", on_error="skip", threads=1, records=True)
    for name in ("contaminated.jsonl", "items.jsonl", "summary.json", "report.html", "records/0.parquet"):
        assert (again.folder / name).read_bytes() == (result.folder / name).read_bytes(), name


def test_one_temporary_file_is_open_at_a_time(tmp_path, monkeypatch):
    made = paraprint._core.PageSpool
    is_open = []

    class Spool:
        def __init__(self, *arguments, **keywords):
            assert not any(is_open)
            is_open.append(True)
            self._spool, self._number = made(*arguments, **keywords), len(is_open) - 1
            self.add, self.number_of = self._spool.add, self._spool.number_of

        def finish(self):
            self._spool.finish()
            is_open[self._number] = False

    monkeypatch.setattr(paraprint._core, "PageSpool", Spool)
    (tmp_path / "corpus").mkdir()
    for number in range(5):
        rows = {"text": [] if number in (1, 4) else [RIVER]}
        write(tmp_path / "corpus" / f"{number}.csv", pyarrow.table(rows))
    (tmp_path / "items.jsonl").write_text(json.dumps({"id": "q", "question": RIVER}) + "\n")
    found = paraprint.contaminated(tmp_path / "corpus", tmp_path / "items.jsonl")
    assert found.documents_exact == 3 and is_open == [False] * 5


def test_columns_of_items_may_be_lists_structs_dictionaries_and_bytes(tmp_path):
    choices = ["It begins at the northern pier.", "Fishermen from the islands opposed the breakwater for years."]
    values = {"question": HARBOUR, "choices": {"text": choices, "label": ["A", "B"]}, "answers": choices, "level": 3}
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "7", **values}) + "\n")
    table = pyarrow.table({
        "id": pyarrow.array([7], pyarrow.int32()), "question": pyarrow.array([HARBOUR]).dictionary_encode(),
        "choices": pyarrow.array([values["choices"]]), "answers": pyarrow.array([[c.encode() for c in choices]]),
        "level": [3], "taken": pyarrow.array([[("key", choices[0])]], pyarrow.map_(pyarrow.string(), pyarrow.string())),
    })
    items = write(tmp_path / "a.parquet", table)
    corpus = write(tmp_path / "corpus.parquet", pyarrow.table(CORPUS))
    for fields in ("question,choices,level", "choices", "answers,question", "question"):
        expected = paraprint.contaminated(corpus, tmp_path / "a.jsonl", item_fields=fields)
        result = paraprint.contaminated(corpus, items, item_fields=fields.split(","))
        assert without_places(result.iterate_items()) == without_places(expected.iterate_items()), fields
        assert without_places(result.finds) == without_places(expected.finds), fields
    (item,) = paraprint.contaminated(corpus, items, item_fields="taken").iterate_items()
    assert item["text"] == choices[0]


def test_benchmarks_may_be_of_several_forms(tmp_path):
    corpus = write(tmp_path / "corpus.csv", pyarrow.table({"doc": CORPUS["id"], "body": CORPUS["text"]}))
    questions = lines(tmp_path / "b.jsonl", {"doc": ["capital"], "question": [QUESTION]})
    passages = write(tmp_path / "a.parquet", pyarrow.table({"text": [None, HARBOUR], "doc": ["none", None]}))
    options = {"id_field": "doc", "text_field": "body"}
    result = paraprint.contaminated(corpus, [questions, passages], tmp_path / "out", **options)
    items = [(row["benchmark"].rpartition("/")[2], row["item"]) for row in result.iterate_items()]
    assert items == [("a.parquet", "a.parquet:1"), ("b.jsonl", "capital")]
    assert result.verdict_of == {"edited": "whole", "exact": "exact", "part": "part"}
    (defect,) = result.summary["broken"]  # the row without a text
    assert defect["kind"] == "missing-field" and defect["examples"][0]["file"] == str(passages)
    settings = result.summary["settings"]
    assert settings["id_field"] == "doc" and settings["text_field"] == "body"
    reverse = paraprint.contaminated(corpus, [passages, questions], tmp_path / "reverse", **options)
    assert (reverse.folder / "items.jsonl").read_bytes() == (result.folder / "items.jsonl").read_bytes()
    pages = lines(tmp_path / "pages.jsonl", CORPUS)  # only the benchmarks are tables
    assert paraprint.contaminated(pages, passages).verdict_of == {"exact": "exact", "part": "part"}


def test_ids_may_repeat_or_be_missing(tmp_path):
    texts = [HARBOUR, HARBOUR, RIVER, HARBOUR, HARBOUR]
    corpus = write(tmp_path / "corpus.parquet", pyarrow.table({"id": ["a", "a", "b", None, ""], "text": texts}))
    items = write(tmp_path / "items.parquet", pyarrow.table({"text": [HARBOUR, f"{HARBOUR} twice"]}))
    result = paraprint.contaminated(corpus, items)
    exact = [(row["id"], row["row"]) for row in result.finds if row["item"] == "items.parquet:0"]
    assert exact == [("a", 0), ("a", 1), ("3", 3), ("4", 4)] and result.skipped == {}


def test_rows_that_cannot_be_read(program, tmp_path):
    corpus, items = tmp_path / "corpus.csv", tmp_path / "items.csv"
    corpus.write_text(f'id,text\na,"{RIVER}"\nbroken\nb,"{HARBOUR}"\n')
    items.write_text(f'id,question\nx,y,z\nharbour,"{HARBOUR}"\n')
    with pytest.raises(paraprint.errors.CorruptDataError, match="corpus.csv: row 1, line 3: 1 fields"):
        paraprint.contaminated(corpus, lines(tmp_path / "items.jsonl", ITEMS))
    with pytest.raises(paraprint.errors.CorruptDataError, match="items.csv: row 0, line 2: 3 fields"):
        paraprint.contaminated(corpus, items, on_error="raise")
    done = command(program, "contaminated", corpus, "--against", items, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "2 rows are no pages and were left out: 2 broken-row\n" in done.stderr
    (find,) = rows_of(tmp_path / "out" / "contaminated.jsonl")
    assert (find["id"], find["row"], find["item"], find["verdict"]) == ("b", 2, "harbour", "exact")
    assert rows_of(tmp_path / "out" / "items.jsonl")[0]["row"] == 1


def test_errors_name_file_and_columns(program, tmp_path):
    corpus = write(tmp_path / "corpus.parquet", pyarrow.table(CORPUS))
    items = write(tmp_path / "items.parquet", pyarrow.table(ITEMS))
    wrong = paraprint.errors.InvalidArgumentError
    with pytest.raises(wrong, match="items.parquet: there is no column text or question.*: name those"):
        paraprint.contaminated(corpus, write(tmp_path / "x.items.parquet", pyarrow.table({"a": ["b"]})))
    with pytest.raises(wrong, match="items.parquet: there is no column a or b; the columns are id, question: item_fi"):
        paraprint.contaminated(corpus, items, item_fields=["a", "b"])
    with pytest.raises(wrong, match="corpus.parquet: there is no column 'body'; the columns are id, note, text"):
        paraprint.contaminated(corpus, items, text_field="body")
    with pytest.raises(wrong, match="cannot mix files of rows"):
        paraprint.contaminated([corpus, lines(tmp_path / "pages.jsonl", CORPUS)], items)
    with pytest.raises(wrong, match="on_error is 'ignore'"):
        paraprint.contaminated(corpus, items, on_error="ignore")
    with pytest.raises(wrong, match="b.parquet: no item was found in the benchmarks"):
        paraprint.contaminated(corpus, write(tmp_path / "b.parquet", pyarrow.table({"text": ["", None]})))
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 and no more")
    for given in ((broken, items), (corpus, broken)):
        with pytest.raises(paraprint.errors.CorruptDataError, match="broken.parquet: "):
            paraprint.contaminated(*given)
    done = command(program, "contaminated", tmp_path / "none.parquet", "--against", items, "--out", tmp_path / "out")
    assert (done.returncode, done.stderr) == (2, f"paraprint: {tmp_path}/none.parquet: no such file\n")
    done = command(program, "contaminated", corpus, "--against", items, "--out", tmp_path / "out", python=None)
    assert done.returncode == 2 and f"paraprint: {corpus}: tables (Parquet, Arrow, CSV)" in done.stderr
    done = command(program, "contaminated", tmp_path / "pages.jsonl", "--against", items, "--out", tmp_path / "out",
                   python=None)
    assert done.returncode == 2 and f"paraprint: {items}: tables" in done.stderr
    assert not (tmp_path / "out").exists() and not list(tmp_path.glob("*.paraprint-work"))


def test_files_without_rows(tmp_path):
    empty = write(tmp_path / "empty.parquet", pyarrow.table({"id": pyarrow.array([], pyarrow.string()),
                                                             "text": pyarrow.array([], pyarrow.string())}))
    items = write(tmp_path / "items.parquet", pyarrow.table(ITEMS))
    result = paraprint.contaminated(empty, [items, empty], tmp_path / "out", records=True)
    assert (result.documents, result.items, result.unreadable_inputs) == (0, 3, 0)
    assert read(result.outputs[0]).num_rows == 0


def test_names_of_files_that_are_not_utf8(tmp_path):
    """Two that a reader of JSON could not tell apart."""
    names = [os.fsdecode(b"a\xfe.parquet"), os.fsdecode(b"a\xff.parquet")]
    shown = [f"{tmp_path}/a\\udcfe.parquet", f"{tmp_path}/a\\udcff.parquet"]
    texts = [[HARBOUR, RIVER], [RIVER]]
    for name, rows in zip(names, texts):
        with open(tmp_path / name, "wb") as file:
            parquet.write_table(pyarrow.table({"text": rows}), file)
    lines(tmp_path / "items.jsonl", {"id": ["i"], "text": [RIVER]})
    found = paraprint.contaminated([tmp_path / name for name in names], tmp_path / "items.jsonl", tmp_path / "out",
                                   item_fields="text", records=True)
    assert [(find["file"], find["row"]) for find in found.finds] == [(shown[0], 1), (shown[1], 0)]
    assert [parquet.read_table(open(path, "rb")).num_rows for path in found.outputs] == [1, 0]
    asked = paraprint.contaminated(tmp_path / "items.jsonl", [tmp_path / name for name in names], tmp_path / "of-items",
                                   item_fields="text")
    items = [(item["benchmark"], item["row"], item["documents_exact"]) for item in asked.iterate_items()]
    assert items == [(shown[0], 0, 0), (shown[0], 1, 1), (shown[1], 0, 1)]
