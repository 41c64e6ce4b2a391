"""Frames of every library in, the same kind out: which rows stay, what is said of them, and what is refused."""

import io
import random
import subprocess
import sys

import pytest

import paraprint
from paraprint import frame_kinds, frames, object_views, progress, row_selection

pyarrow = pytest.importorskip("pyarrow")
numpy = pytest.importorskip("numpy")

RIVER = ("The river rose two metres overnight, the council said, and the old bridge to the market was closed. Nobody "
         "was hurt, though several cellars near the harbour had to be pumped out by volunteers until early morning.")
NEAR = RIVER.replace("early morning", "late evening")
OTHER = "A new library opens in the harbour next spring, with rooms for two hundred readers."
KINDS = ["pyarrow", "record batch", "pandas", "pandas objects", "polars", "polars lazy", "duckdb", "datasets"]


def frame_of(kind, columns):
    """A frame of this kind with the columns."""
    table = pyarrow.table(columns)
    if kind == "pyarrow":
        return table
    if kind == "record batch":
        return pyarrow.RecordBatch.from_pydict(columns)
    library = pytest.importorskip(kind.split()[0])
    if kind == "pandas":
        return library.DataFrame(columns)
    if kind == "pandas objects":  # what pandas makes of texts before version 3
        return library.DataFrame(table.to_pydict()).astype({name: object for name in columns if name != "n"})
    if kind.startswith("polars"):
        return library.from_arrow(table) if kind == "polars" else library.from_arrow(table).lazy()
    if kind == "duckdb":
        return library.connect().from_arrow(table)
    return library.Dataset(table)


def columns_of(frame):
    """The columns of any frame as lists, None for every missing value."""
    if hasattr(frame, "collect"):
        frame = frame.collect()
    if hasattr(frame, "to_arrow_table"):
        frame = frame.to_arrow_table()
    if hasattr(frame, "loc"):
        return {name: [None if type(value).__name__ in ("NAType", "NoneType") or value != value else value
                       for value in frame[name].astype(object)] for name in frame.columns}
    if hasattr(frame, "to_pydict"):
        return frame.to_pydict()
    if hasattr(frame, "to_dict") and not hasattr(frame, "get_column"):
        return frame.to_dict()
    return frame.to_dict(as_series=False)


def class_of(frame):
    return type(frame).__module__, type(frame).__name__


def columns():
    return {"n": [10, 11, 12, 13, 14], "body": [RIVER, OTHER, NEAR, "  ", RIVER], "id": ["a", "b", "c", "d", "e"]}


@pytest.mark.parametrize("kind", KINDS)
def test_rows_that_stay(kind):
    frame = frame_of(kind, columns())
    kept = paraprint.drop_near_duplicates(frame, text="body", keep="first")
    assert class_of(kept) == class_of(frame)
    assert columns_of(kept) == {"n": [10, 11, 13], "body": [RIVER, OTHER, "  "], "id": ["a", "b", "d"]}
    assert columns_of(paraprint.drop_near_duplicates(frame))["n"] == [10, 11, 13]


@pytest.mark.parametrize("kind", KINDS)
def test_columns_that_are_added(kind):
    frame = frame_of(kind, columns())
    found = paraprint.find_near_duplicates(frame, text="body", keep="first")
    assert class_of(found) == class_of(frame)
    values = columns_of(found)
    assert {name: values.pop(name) for name in columns()} == columns()
    scores = values.pop("score")
    assert values == {"cluster": [0, 1, 0, None, 0], "cluster_size": [3, 1, 3, None, 3],
                      "is_kept": [True, True, False, True, False], "kept_id": ["a", "b", "a", None, "a"],
                      "verdict": [None, None, "near", None, "same"]}
    assert scores[:2] == [None, None] and 0.7 < scores[2] < 1 and scores[3:] == [None, 1.0]


@pytest.mark.parametrize("kind", KINDS)
def test_rows_without_ids_are_named_by_number(kind):
    frame = frame_of(kind, columns())
    found = paraprint.find_near_duplicates(frame, id=None, keep="last", columns=["kept_id", "cluster"])
    values = columns_of(found)
    assert list(values) == ["n", "body", "id", "cluster", "kept_id"]
    assert values["kept_id"] == [4, 1, 4, None, 4]


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_without_rows(kind):
    frame = frame_of(kind, {"text": pyarrow.array([], pyarrow.string()), "n": pyarrow.array([], pyarrow.int64())})
    assert columns_of(paraprint.drop_near_duplicates(frame)) == {"text": [], "n": []}
    found = columns_of(paraprint.find_near_duplicates(frame))
    assert list(found) == ["text", "n", *frames.COLUMNS] and not any(found.values())


def test_frames_decide_as_a_run_over_files(tmp_path):
    """All pairs of rows and clusters, with URLs and dates that matter, against the tables of dedup()."""
    chance = random.Random(5)
    words = [f"{a}{b}" for a in ("riv", "mar", "lan", "ket", "bor") for b in ("er", "ket", "tern", "tle", "den", "um")]
    rows = []
    for i in range(2500):
        text = " ".join(chance.choices(words, k=40))
        if i % 3 == 0 and rows:
            text = chance.choice(rows)["text"].replace(chance.choice(words), chance.choice(words))
        rows.append({"id": f"row {i}", "text": text, "url": f"https://site{i % 7}.example/{i}",
                     "date": f"20{10 + i % 13}-05-01T10:00:00Z"})
    table = pyarrow.Table.from_pylist(rows)
    result = paraprint.dedup(table, tmp_path / "out", keep="earliest", report=False)
    removed = {row["id"]: row for row in result.removed}
    assert len(removed) > 500
    for threads in (1, 3):
        found = paraprint.find_near_duplicates(table, keep="earliest", threads=threads).to_pylist()
        clusters = {}
        for row in found:
            clusters.setdefault(row["cluster"], []).append(row["id"])
            reason = removed.get(row["id"])
            assert row["is_kept"] == (reason is None)
            if reason is not None:
                assert (row["kept_id"], row["verdict"]) == (reason["kept_id"], reason["verdict"])
                assert round(row["score"], 4) == pytest.approx(reason["resemblance"], abs=1e-4)
            assert row["cluster_size"] == len(clusters[row["cluster"]]) or row["cluster_size"] > 1
        assert list(clusters) == list(range(len(clusters)))
        assert sorted(sorted(ids) for ids in clusters.values() if len(ids) > 1) == sorted(result.clusters)
        kept = paraprint.drop_near_duplicates(table, keep="earliest", threads=threads)
        assert kept["id"].to_pylist() == [row["id"] for row in rows if row["id"] not in removed]


def test_work_files_leave_nothing_and_hold_no_text(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(paraprint._core, "PageSpool", lambda *_: made.append(1))
    texts = [RIVER, NEAR, OTHER] * 100
    kept = paraprint.drop_near_duplicates(pyarrow.table({"text": texts}), tmp=str(tmp_path))
    assert 0 < kept.num_rows < 300 and not made and list(tmp_path.iterdir()) == []


# ----------------------------------------------------------------------------------------------------------------------
# What is special about a library


def test_pandas_keeps_index_types_and_attributes():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": [RIVER, OTHER, RIVER], "kind": pandas.Categorical(["x", "y", "x"]),
                              "many": [[1], [2, 3], []], "day": pandas.to_datetime(["2024-01-03"] * 3)},
                             index=["same label", "other", "same label"])
    kept = paraprint.drop_near_duplicates(frame, keep="first")
    assert list(kept.index) == ["same label", "other"]
    assert (kept.dtypes == frame.dtypes).all() and kept["many"].tolist() == [[1], [2, 3]]
    found = paraprint.find_near_duplicates(frame, keep="first")
    assert list(found.index) == list(frame.index) and list(found["kept_id"]) == [0, 1, 0]
    assert list(frame.columns) == ["text", "kind", "many", "day"]
    assert found[found["is_kept"]]["text"].tolist() == kept["text"].tolist()
    assert str(found["cluster"].dtype) == "Int64" and found["is_kept"].dtype == bool
    texts = frame.assign(text=pandas.Categorical(frame["text"]))
    assert paraprint.drop_near_duplicates(texts, keep="first")["text"].dtype == texts["text"].dtype
    objects = frame.assign(text=frame["text"].astype(object))
    assert len(paraprint.drop_near_duplicates(objects)) == 2
    numbered = pandas.DataFrame([[1, RIVER], [2, OTHER], [3, RIVER]])
    assert paraprint.drop_near_duplicates(numbered, text=1, keep="first")[0].tolist() == [1, 2]
    with pytest.raises(ValueError, match="there are 2 columns 'text'; text= needs one"):
        paraprint.drop_near_duplicates(pandas.DataFrame([[RIVER, OTHER]], columns=["text", "text"]))


def test_tables_of_arrow_do_not_need_numpy():
    code = ("import sys; sys.modules['numpy'] = None; import paraprint, pyarrow\n"
            "for kind in (pyarrow.string(), pyarrow.string_view()):\n"
            "    texts = pyarrow.array(['The river rose two metres.', 'Nothing else happened that day.'] * 9, kind)\n"
            "    table = pyarrow.table({'text': texts, 'n': range(18)})\n"
            "    print(paraprint.drop_near_duplicates(table, keep='first')['n'].to_pylist(),\n"
            "          paraprint.find_near_duplicates(table, keep='first')['is_kept'].to_pylist().count(True))\n")
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout == "[0, 1] 2\n" * 2, ran.stderr


def test_texts_that_are_objects_are_read_where_they_are():
    """Views of all kinds of texts against the texts, and that only those that are not ASCII are copied."""
    pandas = pytest.importorskip("pandas")
    chance = random.Random(11)
    letters = ["az 09", "aéß", "a桥市场", "a😀🌉"]
    texts = ["".join(chance.choices(chance.choice(letters), k=chance.choice([0, 1, 11, 12, 13, 400])))
             for _ in range(3000)] + ["x" * 12, "é" * 6, "é" * 7, "a" * (1 << 20)]
    missing = [None, float("nan"), pandas.NA, pandas.NaT]
    for row in range(0, len(texts), 7):
        texts[row] = chance.choice(missing)
    for kind in (object, "string[python]"):
        series = pandas.Series(texts if kind is object else [None if value is pandas.NaT else value for value in texts],
                               dtype=kind)
        assert object_views.holds_objects(series)
        viewed = object_views.views_of(series)
        viewed.validate(full=True)
        assert viewed.to_pylist() == [text if isinstance(text, str) else None for text in texts]
    ascii_text = "not shared by being the same object: " + "".join(chance.choices("abc", k=40))
    viewed = object_views.views_of(pandas.Series([ascii_text], dtype=object))
    window = viewed.buffers()[2]
    offset = int(numpy.frombuffer(viewed.buffers()[1], numpy.int32)[3])
    assert id(ascii_text) < window.address + offset < id(ascii_text) + sys.getsizeof(ascii_text)
    for objects in ([b"bytes", "text"], [1, "text"], [["a"], "text"]):
        assert object_views.views_of(pandas.Series(objects, dtype=object)) is None
    assert not object_views.holds_objects(pandas.Series([1, 2]))


def test_a_frame_of_objects_may_change_while_it_is_read():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": pandas.Series([f"{RIVER} Boat {i % 500}." for i in range(1500)], dtype=object)})
    wanted = paraprint.find_near_duplicates(frame, keep="first")["cluster"].tolist()

    def change(*_):
        frame["text"] = [f"another text {i} " * 20 for i in range(1500)]

    found = paraprint.find_near_duplicates(frame, keep="first", progress=change)
    assert found["cluster"].tolist() == wanted and frame["text"][0].startswith("another")


def test_objects_with_lone_surrogates_are_not_utf8():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": pandas.Series([RIVER, "half \ud83d of a pair", RIVER], dtype=object)})
    with pytest.raises(ValueError, match="column 'text', row 1: invalid UTF-8"):
        paraprint.drop_near_duplicates(frame)
    assert list(paraprint.drop_near_duplicates(frame, on_error="skip", keep="first").index) == [0, 1]


def selected_frame(frame, mask, threads=2):
    return frame_kinds.kind_of(frame).filter(bytes(map(bool, mask)), threads)


def test_pandas_rows_are_selected_with_all_columns():
    pandas = pytest.importorskip("pandas")
    rows = 2 * row_selection._PIECE_ROWS + 7
    texts = [None if i % 11 == 0 else f"text {i}" * (i % 4) for i in range(rows)]
    frame = pandas.DataFrame({"text": texts, "many": [[i] for i in range(rows)],
                              "kind": pandas.Categorical(["x", "y", "z"] * 50_000)[:rows],
                              "bytes": pandas.array([str(i).encode() for i in range(rows)],
                                                    pandas.ArrowDtype(pyarrow.binary())),
                              "python": pandas.array(texts, pandas.StringDtype("python"))},
                             index=pandas.Index([i % 10 for i in range(rows)], name="label"))
    frame.columns = ["text", "many", "kind", "text", "python"]
    frame.attrs["made"] = "by hand"
    chance = random.Random(2)
    mask = [chance.random() < 0.7 for _ in range(rows)]
    for wanted in (mask, [False] * rows, [True] * rows):
        kept = selected_frame(frame, wanted)
        pandas.testing.assert_frame_equal(kept, frame.loc[wanted])
        assert kept.attrs == frame.attrs
    pandas.testing.assert_frame_equal(selected_frame(frame[:0], []), frame[:0])


def test_arrow_rows_are_selected_in_every_layout():
    rows = 3 * row_selection._PIECE_ROWS + 7
    texts = [None if i % 7 == 0 else ["", f"{i}", f"a text that is not within its view {i}"][i % 3]
             for i in range(rows)]
    kinds = [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(), pyarrow.binary(), pyarrow.large_binary(),
             pyarrow.binary_view(), pyarrow.dictionary(pyarrow.int32(), pyarrow.string()), pyarrow.int64()]
    schema = pyarrow.schema([(str(kind), kind) for kind in kinds], metadata={"made": "by hand"})
    table = pyarrow.table([pyarrow.array(range(rows) if kind == pyarrow.int64() else texts).cast(kind)
                           for kind in kinds], schema=schema)
    # Chunks of other lengths than the pieces, one of them empty, which begin within their buffers.
    table = pyarrow.concat_tables([table.slice(3, 70_000), table.slice(0, 0), table.slice(70_003)])
    chance = random.Random(3)
    for share in (0.02, 0.7, 0, 1):
        mask = [chance.random() < share for _ in range(table.num_rows)]
        kept = selected_frame(table, mask)
        kept.validate(full=True)
        assert kept.schema.equals(schema, check_metadata=True)
        for name in schema.names:
            values = table[name].to_pylist()
            assert kept[name].to_pylist() == [value for value, is_wanted in zip(values, mask) if is_wanted], name
    batch = table.slice(5, 60_000).combine_chunks().to_batches()[0]
    mask = [chance.random() < 0.5 for _ in range(batch.num_rows)]
    kept = selected_frame(batch, mask)
    assert isinstance(kept, pyarrow.RecordBatch) and kept.num_rows == sum(mask)
    assert kept.schema.equals(schema, check_metadata=True)
    assert selected_frame(table.slice(0, 0), []).schema == schema


def test_views_share_texts_unless_few_stay():
    texts = pyarrow.array(["a text that is not within its view"] * 1_000, pyarrow.string_view())
    table = pyarrow.table({"text": texts})
    before = pyarrow.total_allocated_bytes()
    kept = selected_frame(table, [True] * 900 + [False] * 100)
    assert pyarrow.total_allocated_bytes() < before + 20_000  # views of 16 bytes, and no texts, which have 34
    assert kept["text"].chunk(0).buffers()[2].address == texts.buffers()[2].address
    few = selected_frame(table, [True] * 100 + [False] * 900)
    assert few["text"].chunk(0).buffers()[2].address != texts.buffers()[2].address
    assert few["text"].nbytes < 0.2 * table.nbytes


def test_any_arrow_stream_gives_a_table():
    class Stream:
        def __arrow_c_stream__(self, schema=None):
            return pyarrow.table({"text": [RIVER, RIVER]}).__arrow_c_stream__(schema)

    assert paraprint.drop_near_duplicates(Stream()) == pyarrow.table({"text": [RIVER]})


@pytest.mark.parametrize("kind", ["string_view", "binary_view", "large_string", "binary"])
@pytest.mark.parametrize("is_batch", [False, True])
def test_every_layout_of_texts(kind, is_batch):
    texts = pyarrow.array([RIVER, OTHER, RIVER], pyarrow.string()).cast(getattr(pyarrow, kind)())
    frame = pyarrow.table({"text": texts, "id": pyarrow.array(list("abc")).cast(texts.type)}, metadata={"a": "b"})
    given = frame.to_batches()[0] if is_batch else frame
    kept = paraprint.drop_near_duplicates(given, keep="first")
    assert kept.schema.equals(frame.schema, check_metadata=True) and kept.num_rows == 2
    found = paraprint.find_near_duplicates(given, keep="first")
    assert found.schema.field("kept_id").type == texts.type
    ids = frame["id"].to_pylist()
    assert found["kept_id"].to_pylist() == [ids[0], ids[1], ids[0]]


# ----------------------------------------------------------------------------------------------------------------------
# What is refused


def test_columns_are_not_overwritten():
    frame = pyarrow.table({"text": [RIVER, RIVER], "score": [1, 2], "id": ["a", "b"]})
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="the column 'score' would be overwritten"):
        paraprint.find_near_duplicates(frame)
    assert paraprint.drop_near_duplicates(frame, keep="first")["score"].to_pylist() == [1]
    found = paraprint.find_near_duplicates(frame, columns={"score": "similarity", "verdict": None})
    assert found.column_names == ["text", "score", "id", "cluster", "cluster_size", "is_kept", "kept_id", "similarity"]
    for wrong, message in (({"score": "text"}, "'text' would be overwritten"), (["kept"], "no column 'kept'"),
                           ({"score": "x", "verdict": "x"}, "'x' would be overwritten")):
        with pytest.raises(ValueError, match=message):
            paraprint.find_near_duplicates(frame, columns=wrong)


def test_columns_that_do_not_exist_or_are_not_text():
    for frame, arguments, message in (
        ({"a": ["x"], "b": ["y"]}, {}, "name the column of the texts with text= or html=; the columns are a, b"),
        ({"text": ["x"]}, {"text": "none"}, "no column 'none'; the columns are text"),
        ({"text": ["x"]}, {"date": "day"}, "no column 'day'; the columns are text"),
        ({"text": [1, 2]}, {}, "column 'text' has the type int64; it must be text or bytes"),
        ({"text": [["x"], ["y"]]}, {}, "column 'text' has the type list<.*>; it must be text or bytes"),
        ({"text": pyarrow.array([1, 2]).dictionary_encode()}, {}, "column 'text' has the type int64"),
        ({"text": ["x"], "url": [3]}, {}, "column 'url' has the type int64"),
        ({"text": ["x"]}, {"html": "text", "text": "text"}, "column 'text' is either text or html"),
    ):
        with pytest.raises(paraprint.errors.InvalidArgumentError, match=message):
            paraprint.drop_near_duplicates(pyarrow.table(frame), **arguments)
    with pytest.raises(ValueError, match="list is not a frame"):
        paraprint.drop_near_duplicates([RIVER])
    with pytest.raises(ValueError, match="raise, skip"):
        paraprint.drop_near_duplicates(pyarrow.table({"text": ["x"]}), on_error="ignore")


def test_options_of_files_are_unknown():
    for name in ("out", "records", "evidence", "restart", "text_field", "id_field"):
        with pytest.raises(TypeError, match=f"there is no option '{name}'"):
            paraprint.drop_near_duplicates(pyarrow.table({"text": ["x"]}), **{name: "x"})
    with pytest.raises(ValueError, match="near"):
        paraprint.drop_near_duplicates(pyarrow.table({"text": ["x"]}), near=7)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_that_cannot_be_compared(kind):
    frame = frame_of(kind, {"text": [RIVER, None, RIVER, OTHER * 300]})
    with pytest.raises(ValueError, match="column 'text', row 1: null"):
        paraprint.drop_near_duplicates(frame)
    skipped = {"on_error": "skip", "max_body_bytes": 10_000, "keep": "first"}
    assert columns_of(paraprint.drop_near_duplicates(frame, **skipped)) == {"text": [RIVER, None, OTHER * 300]}
    found = columns_of(paraprint.find_near_duplicates(frame, **skipped))
    assert found["is_kept"] == [True, True, False, True] and found["kept_id"] == [0, None, 0, None]
    assert found["cluster_size"] == [2, None, 2, None] and found["verdict"] == [None, None, "same", None]


def test_invalid_utf8_and_wrong_objects():
    broken = pyarrow.array([RIVER.encode(), b"\xff\xfe", RIVER.encode()]).view(pyarrow.string())
    with pytest.raises(ValueError, match="column 'text', row 1: invalid UTF-8"):
        paraprint.drop_near_duplicates(pyarrow.table({"text": broken}))
    assert paraprint.drop_near_duplicates(pyarrow.table({"text": broken}), on_error="skip").num_rows == 2
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": pandas.Series([RIVER, ["a", "list"], RIVER], dtype=object)})
    with pytest.raises(ValueError, match="column 'text', row 1: list; it must be str"):
        paraprint.drop_near_duplicates(frame)
    assert list(paraprint.drop_near_duplicates(frame, on_error="skip", keep="first").index) == [0, 1]


def test_ids_must_be_different():
    for ids, message in ((["a", "b", "a"], "column 'id', row 2: the id 'a' occurs in an earlier row"),
                         ([1, None, 2], "column 'id', row 1: null")):
        frame = pyarrow.table({"text": [RIVER, OTHER, RIVER], "id": ids})
        with pytest.raises(ValueError, match=message):
            paraprint.find_near_duplicates(frame)
        assert paraprint.find_near_duplicates(frame, id=None)["kept_id"].null_count == 0
        assert paraprint.drop_near_duplicates(frame).num_rows == 2


def test_html_takes_precedence_over_text():
    frame = pyarrow.table({"page": [f"<p>{RIVER}</p>", None, f"<p>{OTHER}</p>"], "plain": [OTHER, RIVER, OTHER]})
    found = paraprint.find_near_duplicates(frame, html="page", text="plain", keep="first")
    assert found["kept_id"].to_pylist() == [0, 0, 2]
    with pytest.raises(ValueError, match="column 'page', row 1: null"):
        paraprint.find_near_duplicates(frame, html="page")


# ----------------------------------------------------------------------------------------------------------------------
# Progress


def test_progress_is_passed_on_or_shown_or_silent(monkeypatch, capsys):
    frame = pyarrow.table({"text": [RIVER, OTHER] * 50})
    seen = []
    paraprint.drop_near_duplicates(frame, progress=lambda *arguments: seen.append(arguments))
    assert seen and all(len(arguments) == 5 for arguments in seen)
    paraprint.drop_near_duplicates(frame)
    assert capsys.readouterr().err == ""
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    paraprint.drop_near_duplicates(frame, progress=True)
    shown = capsys.readouterr().err
    assert seen[0][0] in shown and shown.endswith("\n")


def test_progress_is_shown_in_a_terminal(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    assert progress.progress_of(None) is None
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert progress.progress_of(None) is not None and progress.progress_of(False) is None


def test_bars_of_tqdm():
    tqdm = pytest.importorskip("tqdm")
    written = io.StringIO()
    bars = progress._Bars(lambda **keywords: tqdm.tqdm(**keywords, file=written))
    for done in (1, 2):
        bars("reading", done, 2, "pages", done == 2)
    bars("matching", 5, 0, "pairs", True)
    assert "reading: 100%" in written.getvalue() and "matching" in written.getvalue()


def test_kinds_are_recognised_without_their_libraries():
    assert type(frame_kinds.kind_of(pyarrow.table({"a": [1]}))) is frame_kinds.FrameKind
