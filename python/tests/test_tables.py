"""Tables over Arrow: every column layout, slices, threads, rows that are not pages, and runs over tables."""

import json

import pytest

import paraprint

pyarrow = pytest.importorskip("pyarrow")

PAGES = [f"<h1>Report {i}</h1><p>The river rose {i} metres overnight, and 桥 number {i} was closed.</p>"
         for i in range(40)]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "binary", "large_binary", "binary_view"])
def test_every_kind_of_column(kind):
    column = pyarrow.array(PAGES, pyarrow.string()).cast(getattr(pyarrow, kind)())
    profiles = paraprint.profile_batch(pyarrow.table({"html": column}))
    assert profiles["profile"].to_pylist() == [paraprint.profile(page).to_bytes() for page in PAGES]
    hashes = [value.hex() for value in profiles["text_hash"].to_pylist()]
    assert hashes == [paraprint.profile(page).text_hash for page in PAGES]


def test_slices_chunks_and_single_columns():
    table = pyarrow.concat_tables([pyarrow.table({"n": pyarrow.array(range(len(pages)), pyarrow.int64()),
                                                  "html": pyarrow.array(pages, pyarrow.string())})
                                   for pages in (PAGES[:20], [], PAGES[20:])])
    expected = [paraprint.extract(page).text for page in PAGES]
    assert paraprint.extract_batch(table)["text"].to_pylist() == expected
    assert paraprint.extract_batch(table.slice(13, 20))["text"].to_pylist() == expected[13:33]
    batch = pyarrow.RecordBatch.from_pydict({"html": PAGES}).slice(5, 9)
    assert paraprint.extract_batch(batch)["text"].to_pylist() == expected[5:14]
    struct = pyarrow.StructArray.from_arrays([pyarrow.array(PAGES)], ["html"]).slice(7, 3)
    assert paraprint.extract_batch(struct)["text"].to_pylist() == expected[7:10]
    assert paraprint.extract_batch(pyarrow.array(PAGES).slice(3, 2))["text"].to_pylist() == expected[3:5]


def test_threads_do_not_change_the_result():
    table = pyarrow.table({"html": PAGES * 5})
    one = paraprint.profile_batch(table, threads=1)
    assert one == paraprint.profile_batch(table, threads=3) == paraprint.profile_batch(table)


def test_html_takes_precedence_over_text():
    table = pyarrow.table({"body": ["<p>The page as it was fetched.</p>", None], "plain": ["other", "A text alone."]})
    found = paraprint.extract_batch(table, html_field="body", text_field="plain")["text"].to_pylist()
    assert found == ["The page as it was fetched.", "A text alone."]


def test_content_type_column_sets_the_charset():
    text = "中文网页的编码由服务器声明，正文应当完整地保留下来。"
    table = pyarrow.table({"html": [f"<p>{text}</p>".encode("big5hkscs", "ignore"), f"<p>{text}</p>".encode("gb18030")],
                           "type": ["text/html; charset=big5", "text/html; charset=gb18030"]})
    assert paraprint.extract_batch(table, content_type_field="type")["text"].to_pylist()[1] == text


def test_rows_that_are_not_pages():
    table = pyarrow.table({"html": ["<p>The first page has a text.</p>", None, "x" * 2000]})
    with pytest.raises(ValueError, match="column 'html', row 1: null"):
        paraprint.profile_batch(table)
    with pytest.raises(ValueError, match=r"column 'html', row 2: 2000 bytes, more than 1000 \(max_body_bytes\)"):
        paraprint.extract_batch(pyarrow.table({"html": ["a", "b", "x" * 2000]}), max_body_bytes=1000)
    skipped = paraprint.profile_batch(table, on_error="skip", max_body_bytes=1000)
    assert [skipped.column(i).null_count for i in range(3)] == [2, 2, 2]
    assert skipped["content_characters"].to_pylist()[0] == len("Thefirstpagehasatext")
    parts = pyarrow.concat_tables([pyarrow.table({"html": ["a"] * 5}), pyarrow.table({"html": ["b", None]})])
    with pytest.raises(ValueError, match="row 6: null"):
        paraprint.extract_batch(parts)
    with pytest.raises(ValueError, match="raise, skip"):
        paraprint.extract_batch(table, on_error="ignore")


def test_columns_that_are_not_text_are_rejected():
    with pytest.raises(ValueError, match="no column 'html' or 'text'; the columns are id, body"):
        paraprint.extract_batch(pyarrow.table({"id": ["1"], "body": ["<p>a</p>"]}))
    with pytest.raises(ValueError, match="column 'html' has the Arrow type 'l'"):
        paraprint.extract_batch(pyarrow.table({"html": [1, 2]}))
    with pytest.raises(ValueError, match="column 'html' has the Arrow type 'l'"):
        paraprint.extract_batch(pyarrow.table({"html": pyarrow.array([1, 2]).dictionary_encode()}))
    with pytest.raises(TypeError, match="__arrow_c_stream__"):
        paraprint.extract_batch(iter(["<p>a</p>"]))
    for named in ({"html_field": "none"}, {"url_field": "none"}, {"content_type_field": "none"}):
        with pytest.raises(ValueError, match="no column 'none'; the columns are html"):
            paraprint.extract_batch(pyarrow.table({"html": ["<p>a</p>"]}), **named)


def test_lists_and_numpy_arrays():
    numpy = pytest.importorskip("numpy")
    expected = [paraprint.extract(page).text for page in PAGES]
    for column in (PAGES, tuple(PAGES), numpy.array(PAGES), numpy.array(PAGES, object), {"html": numpy.array(PAGES)},
                   {"html": PAGES}, [page.encode() for page in PAGES]):
        assert paraprint.extract_batch(column)["text"].to_numpy().tolist() == expected
    with pytest.raises(ValueError, match="column 'html', row 1: dict; it must be str"):
        paraprint.extract_batch(["<p>a</p>", {"html": "b"}])
    with pytest.raises(ValueError, match="column 'html', row 0: dict"):
        paraprint.extract_batch([{"html": "b"}])
    assert paraprint.extract_batch(["<p>a</p>", 7, None], on_error="skip")["text"].to_pylist() == ["a", None, None]


def test_lists_with_lone_surrogates_are_not_utf8():
    texts = [PAGES[0], "x\ud800", None]
    assert paraprint.extract_batch(texts, on_error="skip")["text"].null_count == 2
    assert paraprint.extract_batch([2**70, PAGES[0]], on_error="skip")["text"].null_count == 1
    with pytest.raises(ValueError, match="column 'html', row 1: invalid UTF-8"):
        paraprint.extract_batch(texts)


def test_rows_that_are_null_as_a_whole_are_no_pages():
    pages = pyarrow.array([PAGES[0], PAGES[1], PAGES[0]])
    rows = pyarrow.StructArray.from_arrays([pages], ["html"], mask=pyarrow.array([False, True, False]))
    for part, nulls in ((rows, [1]), (rows.slice(1), [0])):
        texts = paraprint.extract_batch(part, on_error="skip")["text"].to_pylist()
        assert [row for row, text in enumerate(texts) if text is None] == nulls
    with pytest.raises(ValueError, match="column 'html', row 1: null"):
        paraprint.extract_batch(rows)


class Given:
    """An object of Arrow's interface that returns what it was given, each time."""

    def __init__(self, method, value):
        setattr(type(self), method, lambda self, requested_schema=None: value)


@pytest.mark.parametrize("method", ["__arrow_c_array__", "__arrow_c_stream__"])
def test_capsules_can_be_read_once(method):
    batch = pyarrow.record_batch({"html": PAGES[:2]})
    given = type("Once", (Given,), {})(method, getattr(batch, method)())
    assert paraprint.extract_batch(given).num_rows == 2
    for _ in range(2):
        with pytest.raises(ValueError, match="the table has been read before"):
            paraprint.extract_batch(given)


@pytest.mark.parametrize("value", [(), (1,), None, [1, 2], (1, 2, 3)])
def test_arrays_without_two_capsules_are_refused(value):
    with pytest.raises(TypeError, match="must return two capsules"):
        paraprint.extract_batch(type("Other", (Given,), {})("__arrow_c_array__", value))


def test_tables_without_rows():
    for nothing in (pyarrow.table({"html": pyarrow.array([], pyarrow.string())}), [], pyarrow.array([], "binary")):
        found = paraprint.extract_batch(nothing)
        assert found.column_names == ["title", "text"] and found.num_rows == 0
        assert paraprint.profile_batch(nothing).num_rows == 0


@pytest.mark.parametrize("values", [pyarrow.string(), pyarrow.large_string(), pyarrow.binary()])
@pytest.mark.parametrize("indices", [pyarrow.int8(), pyarrow.uint16(), pyarrow.int32(), pyarrow.int64()])
def test_dictionary_columns(values, indices):
    """Rows refer to values of a dictionary; slices of either may begin anywhere."""
    dictionary = pyarrow.array(["left out", *PAGES[:3], None], values)[1:]
    column = pyarrow.DictionaryArray.from_arrays(pyarrow.array([1, 2, None, 0, 3, 1], indices), dictionary)[1:]
    table = pyarrow.table({"html": column, "id": pyarrow.array(list("abcde")).dictionary_encode()})
    texts = paraprint.extract_batch(table, on_error="skip")["text"].to_pylist()
    wanted = [PAGES[2], None, PAGES[0], None, PAGES[1]]
    assert texts == [None if page is None else paraprint.extract(page).text for page in wanted]
    with pytest.raises(ValueError, match="row 1: null"):
        paraprint.extract_batch(table)


def test_pandas_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"id": range(3), "html": PAGES[:3]})
    texts = paraprint.extract_batch(frame).to_pandas()["text"]
    assert list(texts) == [paraprint.extract(page).text for page in PAGES[:3]]
    mixed = pandas.DataFrame({"html": [PAGES[0], 3, float("nan")], "other": [1, "x", None]}, index=[9, 8, 7])
    with pytest.raises(ValueError, match="column 'html', row 1: int; it must be str"):
        paraprint.extract_batch(mixed)
    skipped = paraprint.extract_batch(mixed, on_error="skip")["text"].to_pylist()
    assert skipped == [paraprint.extract(PAGES[0]).text, None, None]


def test_columns_outlive_their_batch():
    import gc

    columns = [paraprint.extract_batch(pyarrow.table({"html": [page]}))["text"] for page in PAGES]
    gc.collect()
    assert [column.to_pylist()[0] for column in columns] == [paraprint.extract(page).text for page in PAGES]


def test_other_threads_run_during_a_batch():
    """While the core processes a batch, another Python thread completes a hundred steps."""
    import threading

    table = pyarrow.table({"html": [page * 30 for page in PAGES] * 10})
    is_running, steps = threading.Event(), []

    def work():
        is_running.set()
        paraprint.profile_batch(table, threads=1)
        is_running.clear()

    thread = threading.Thread(target=work)
    thread.start()
    is_running.wait()
    while is_running.is_set():
        steps.append(1)
    thread.join()
    assert len(steps) > 100


def rows_for_dedup():
    """Texts with copies, in two charsets, with dates and URLs of every kind."""
    def text(i):
        return " ".join(f"Report {i}, part {part}: the river rose by {i * 7 + part} metres." for part in range(6))

    rows = []
    for i in range(3000):
        html = f"<meta charset=gb18030><title>桥 {i}</title><p>桥梁 {text(i // 2)}</p>".encode("gb18030")
        rows.append({"id": f"row {i}", "url": f"https://example.org/{i}" if i % 3 else None,
                     "date": ["2024", "2024-05-01T10:00:00Z", None, "never"][i % 4],
                     "html": html if i % 5 else None, "text": text(i // 2).encode() if i % 5 == 0 else None})
    return rows


def without_places(folder):
    """The tables and the summary, without the name of the input and the places in it."""
    found = {name: (folder / name).read_text(encoding="utf-8") for name in ("clusters.tsv", "matches.tsv")}
    removed = map(json.loads, (folder / "removed.jsonl").read_text(encoding="utf-8").splitlines())
    found["removed.jsonl"] = [{**row, "file": "", "offset_bytes": 0} for row in removed]
    if (folder / "matches.jsonl").exists():
        found["matches.jsonl"] = (folder / "matches.jsonl").read_text(encoding="utf-8")
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    del summary["inputs"], summary["settings"]["max_line_bytes"]
    for kind in summary["broken"]:
        kind["examples"] = [example["message"].split(": ", 1)[1] if example["message"].startswith("line ")
                            else example["message"] for example in kind["examples"]]
    return {**found, "summary.json": summary}


@pytest.fixture
def spools(monkeypatch):
    """The paths of the spool files that are made."""
    made = []
    spool = paraprint._core.PageSpool
    monkeypatch.setattr(paraprint._core, "PageSpool", lambda path, *rest: made.append(path) or spool(path, *rest))
    return made


@pytest.mark.parametrize("form", ["arrow", "pandas", "polars", "dictionary", "slices"])
def test_a_table_gives_the_output_of_json_lines_without_a_spool_file(form, tmp_path, spools):
    rows = rows_for_dedup()
    options = {"keep": "earliest", "report": False}
    expected = paraprint.dedup(iter(rows), tmp_path / "lines", **options)
    assert spools == [str(tmp_path / "lines.paraprint-work" / "pages.jsonl")]
    table = pyarrow.Table.from_pylist(rows)
    if form == "pandas":
        pytest.importorskip("pandas")
        table = table.to_pandas()
    elif form == "polars":
        table = pytest.importorskip("polars").from_arrow(table)
    elif form == "dictionary":
        for place, name in enumerate(table.column_names):
            if name != "date":  # of a dictionary only texts, ids and URLs are read
                table = table.set_column(place, name, table.column(name).dictionary_encode())
    elif form == "slices":
        table = pyarrow.concat_tables([table.slice(0, 1), table.slice(1, 0), table.slice(1, 1500), table.slice(1501)])
    result = paraprint.dedup(table, tmp_path / "table", **options)
    assert len(spools) == 1
    assert result.pages_removed == expected.pages_removed > 1000
    assert result.broken_records == expected.broken_records == 750
    assert without_places(result.folder) == without_places(expected.folder)
    assert len(result.kept) == result.pages_kept


@pytest.mark.parametrize("threads", [1, 3])
def test_a_table_with_an_index_gives_the_output_of_json_lines(threads, tmp_path, spools):
    rows = rows_for_dedup()[:600]
    for part in (rows[:400], rows):
        expected = paraprint.dedup(iter(part), tmp_path / "lines", index=tmp_path / "a", threads=threads, restart=True)
        assert len(spools) == 1
        result = paraprint.dedup(pyarrow.Table.from_pylist(part), tmp_path / "table", index=tmp_path / "b",
                                 threads=threads, restart=True)
        assert len(spools) == 1
        spools.clear()
        assert without_places(result.folder) == without_places(expected.folder)
    assert result.pages_known == expected.pages_known > 350


def test_rows_left_out_do_not_shift_the_others(tmp_path, spools):
    rows = rows_for_dedup()
    table = pyarrow.Table.from_pylist([{**row, "html": None, "text": None} if i % 11 == 0 or 1024 <= i < 2048 else row
                                       for i, row in enumerate(rows)])
    result = paraprint.dedup(table, tmp_path / "table", on_error="skip", report=False)
    left = [row for i, row in enumerate(rows) if i % 11 and not 1024 <= i < 2048]
    expected = paraprint.dedup(iter(left), tmp_path / "lines", report=False)
    assert result.skipped == {"null": len(rows) - len(left)} and len(spools) == 1
    assert without_places(result.folder) == without_places(expected.folder)


def test_a_repeated_call_resumes_and_other_rows_do_not(tmp_path):
    rows = rows_for_dedup()[:600]
    first = paraprint.dedup(pyarrow.Table.from_pylist(rows), tmp_path / "out", report=False)
    log = tmp_path / "out" / ".paraprint" / "pages.log"
    before = log.stat().st_mtime_ns
    again = paraprint.dedup(pyarrow.Table.from_pylist(rows), tmp_path / "out", report=False, keep="latest")
    assert log.stat().st_mtime_ns == before and again.cluster_of == first.cluster_of
    rows[-1]["url"] = "https://example.org/other"
    with pytest.raises(ValueError, match="holds a run with other inputs"):
        paraprint.dedup(pyarrow.Table.from_pylist(rows), tmp_path / "out", report=False)
    assert paraprint.dedup(pyarrow.Table.from_pylist(rows), tmp_path / "out", report=False, restart=True).pages == 600


def test_a_table_without_pages(tmp_path):
    nothing = pyarrow.table({"text": pyarrow.array([], pyarrow.string())})
    for out in (None, tmp_path / "out"):
        result = paraprint.dedup(nothing, out)
        assert result.pages == 0 and result.kept.num_rows == 0


def test_a_chunk_belongs_to_the_pages_it_was_added_to():
    pages = paraprint._core.TablePages({}, "")
    chunk = paraprint._core.ArrowChunks(pyarrow.record_batch({"text": ["a", "b"], "id": ["x", "x"]})).next()
    assert pages.add(chunk, "", False, 0) == bytes([0, 4]) and len(pages) == 1
    with pytest.raises(TypeError), pytest.warns(RuntimeWarning):
        pages.add(chunk, "", False, 2)
