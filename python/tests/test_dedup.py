"""Collections: every kind of input gives the same clusters, and bad rows are reported or counted."""

import json
import os
import subprocess
import sys

import pytest

import paraprint

TEXT = ("The river rose two metres overnight, the council said on Monday, and the old bridge to the market was closed. "
        "Nobody was hurt, though several cellars had to be pumped out by volunteers before the morning. ")
OTHER = ("A new line of trams will run between the two stations from next spring, the transport office announced, and "
         "the first cars have already been delivered to the depot in the north of the town. ")


@pytest.fixture(scope="module")
def crawl(root):
    return sorted((root / "examples" / "demo-crawl").glob("*.warc.gz"))


@pytest.fixture(scope="module")
def of_program(program, crawl, tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    subprocess.run([program, "dedup", *crawl, "--out", folder / "out", "--quiet"], check=True)
    return folder / "out"


@pytest.fixture(scope="module")
def pages(crawl):
    return list(paraprint.read_pages(*crawl))


def table_of(pages):
    pyarrow = pytest.importorskip("pyarrow")

    def encoded(body):
        return body.encode() if isinstance(body, str) else body

    return pyarrow.table({
        "number": range(len(pages)),
        "id": [page.id for page in pages],
        "url": [page.url for page in pages],
        "date": [page.date or None for page in pages],
        "kind": [page.content_type for page in pages],
        "html": pyarrow.array([encoded(page.html) for page in pages], pyarrow.binary()),
        "text": pyarrow.array([encoded(page.text) for page in pages], pyarrow.binary()),
    })


def same_bytes(result, folder, *names):
    for name in names:
        assert (result.folder / name).read_bytes() == (folder / name).read_bytes(), name


def test_files_give_the_output_of_the_program(of_program, crawl, tmp_path):
    names = [path.relative_to(of_program) for path in of_program.rglob("*") if path.is_file()]
    result = paraprint.dedup(crawl, tmp_path / "out", threads=1)
    for name in names:
        if ".paraprint" not in name.parts and name.name != "timing.json":
            assert (tmp_path / "out" / name).read_bytes() == (of_program / name).read_bytes(), name
    summary = json.loads((of_program / "summary.json").read_text(encoding="utf-8"))
    assert result.summary == summary
    assert len(result.survivors) == result.pages_kept == result.pages - result.pages_removed
    assert sum(len(cluster) for cluster in result.clusters) - len(result.clusters) >= result.pages_removed
    assert len(result.matches) == result.match_count and len(list(result.evidence())) > 0


def test_pages_in_memory_give_the_same_bytes(of_program, pages):
    result = paraprint.dedup(iter(pages))
    same_bytes(result, of_program, "clusters.tsv", "matches.tsv")


def test_a_table_gives_the_same_bytes(of_program, pages):
    table = table_of(pages)
    result = paraprint.dedup(table, content_type_field="kind")
    same_bytes(result, of_program, "clusters.tsv", "matches.tsv")
    assert result.kept.column_names == table.column_names
    assert sorted(result.kept["id"].to_pylist()) == result.survivors
    numbers = result.kept["number"].to_pylist()
    assert numbers == sorted(numbers)


def test_provenance_names_one_first_page_of_each_cluster(crawl, tmp_path):
    result = paraprint.dedup(crawl, tmp_path / "out", provenance=True)
    rows = {row["id"]: row for row in result.provenance()}
    clusters = [cluster for cluster in result.clusters if len(cluster) > 1]
    assert clusters and set(rows) == {name for cluster in clusters for name in cluster}
    for cluster in clusters:
        assert sum(rows[name]["copied_from"] is None for name in cluster) == 1
        assert {rows[name]["copied_from"] for name in cluster} - {None} <= set(cluster)


@pytest.mark.parametrize("row_group_rows", [7, 1000])
def test_parquet_gives_the_same_bytes(of_program, pages, tmp_path, row_group_rows):
    from pyarrow import parquet

    table = table_of(pages).replace_schema_metadata({"made-by": "a test"})
    parquet.write_table(table, tmp_path / "pages.parquet", row_group_size=row_group_rows)
    result = paraprint.dedup(tmp_path / "pages.parquet", tmp_path / "out", content_type_field="kind")
    same_bytes(result, of_program, "clusters.tsv", "matches.tsv")
    assert result.outputs == [tmp_path / "out" / "records" / "pages.parquet"]
    kept = parquet.read_table(result.outputs[0])
    assert kept.schema.equals(table.schema, check_metadata=True)
    assert kept == paraprint.dedup(table, content_type_field="kind").kept.replace_schema_metadata(kept.schema.metadata)
    # A second call resumes the finished run: nothing is compared again, and nothing changes.
    again = paraprint.dedup(tmp_path / "pages.parquet", tmp_path / "out", content_type_field="kind")
    same_bytes(again, of_program, "clusters.tsv", "matches.tsv")


def test_several_parquet_files_and_empty_row_groups(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    folder = tmp_path / "in"
    folder.mkdir()
    schema = pyarrow.schema([("content", pyarrow.string()), ("label", pyarrow.int32())])
    for name, rows in (("a.parquet", [TEXT, OTHER]), ("b.parquet", []), ("c.parquet", [TEXT])):
        with parquet.ParquetWriter(folder / name, schema) as writer:
            writer.write_table(schema.empty_table())
            for number, row in enumerate(rows):
                writer.write_table(pyarrow.table({"content": [row], "label": [number]}, schema=schema))
                writer.write_table(schema.empty_table())
    result = paraprint.dedup(folder, tmp_path / "out", text_field="content", report=False)
    assert result.clusters == [["a.parquet:0", "c.parquet:0"]]
    assert [parquet.read_table(path).num_rows for path in result.outputs] == [2, 0, 0]
    assert parquet.read_table(result.outputs[0])["label"].to_pylist() == [0, 1]


def test_parquet_script_gives_the_same_bytes(of_program, pages, tmp_path):
    from pyarrow import parquet

    parquet.write_table(table_of(pages), tmp_path / "pages.parquet")
    run = [sys.executable, "-m", "paraprint.parquet"]
    done = subprocess.run([*run, tmp_path / "pages.parquet", "--out", tmp_path / "out", "--content-type-field", "kind",
                           "--no-report", "--threads", "1"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(tmp_path / "out" / "records" / "pages.parquet") and "removed" in done.stderr
    assert (tmp_path / "out" / "clusters.tsv").read_bytes() == (of_program / "clusters.tsv").read_bytes()
    assert not (tmp_path / "out" / "report").exists()
    for arguments, said in (([tmp_path / "pages.parquet", "--near", "7"], "near is 7"),
                            ([tmp_path / "pages.parquet", "--text-field", "no", "--html-field", "none"], "'none'"),
                            ([tmp_path / "none.parquet"], "none.parquet"), ([tmp_path / "out"], "not a file of rows")):
        refused = subprocess.run([*run, *arguments, "--out", tmp_path / "other"], capture_output=True, text=True)
        assert refused.returncode == 2 and said in refused.stderr


def test_parquet_without_pyarrow_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # importing it fails
    (tmp_path / "pages.parquet").touch()
    with pytest.raises(paraprint.errors.UnsupportedError, match="pip install pyarrow"):
        paraprint.dedup(str(tmp_path / "pages.parquet"))


def test_pandas_frames_keep_their_index():
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"id": [7, 8, 9], "text": [TEXT, OTHER, TEXT]}, index=["x", "y", "z"])
    result = paraprint.dedup(frame)
    assert result.clusters == [["7", "9"]]
    assert list(result.kept.index) == ["x", "y"] and list(result.kept["id"]) == [7, 8]
    # If Arrow cannot convert a frame, only the page columns matter.
    mixed = pandas.DataFrame({"text": [TEXT, 3.5, None, OTHER], "note": [1, "x", None, b"y"]}, index=list("wxyz"))
    with pytest.raises(ValueError, match="column 'text', row 1: float; it must be str"):
        paraprint.dedup(mixed)
    result = paraprint.dedup(mixed, on_error="skip")
    assert result.skipped == {"null": 1, "wrong-type": 1}
    assert list(result.kept.index) == ["w", "z"] and list(result.kept["note"]) == [1, b"y"]


def test_date_column_decides_the_survivor():
    import datetime

    pyarrow = pytest.importorskip("pyarrow")
    days = [datetime.datetime(2024, 5, day) for day in (3, 1, 2)]
    table = pyarrow.table({"text": [TEXT] * 3, "date": days})
    assert paraprint.dedup(table, keep="earliest").survivors == ["1"]
    assert paraprint.dedup(table, keep="latest").survivors == ["0"]


def test_bad_rows_are_reported_or_counted():
    pyarrow = pytest.importorskip("pyarrow")
    broken = pyarrow.Array.from_buffers(pyarrow.string(), 1, pyarrow.array([b"\xff\xfe!"]).buffers())
    rows = {
        "null": (["1", "2"], [TEXT, None], "column 'text', row 1: null"),
        "duplicate-id": (["1", "1"], [TEXT, OTHER], "column 'id', row 1: the id '1' occurs in an earlier row"),
        "too-large": (["1", "2"], [TEXT, "x" * 5000], "column 'text', row 1: 5000 bytes, more than 4000"),
        "not-utf8": (["1", "2"], pyarrow.chunked_array([pyarrow.array([TEXT]), broken]), "row 1: invalid UTF-8"),
    }
    for reason, (ids, texts, said) in rows.items():
        table = pyarrow.table({"id": ids, "text": texts})
        with pytest.raises(ValueError, match=said.replace("(", r"\(")):
            paraprint.dedup(table, max_body_bytes=4000)
        result = paraprint.dedup(table, max_body_bytes=4000, on_error="skip")
        assert result.skipped == {reason: 1} and result.pages == 1
        assert result.kept["text"].to_pylist() == [TEXT] and reason in repr(result)


def test_missing_columns_and_wrong_types_are_rejected():
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(ValueError, match="no column 'html' or 'text'; the columns are n"):
        paraprint.dedup(pyarrow.table({"n": [1]}))
    with pytest.raises(ValueError, match="column 'text' has the type double"):
        paraprint.dedup(pyarrow.table({"text": [1.5]}))
    for named in ("text_field", "url_field", "id_field", "content_type_field"):
        with pytest.raises(ValueError, match="no column 'none'; the columns are text"):
            paraprint.dedup(pyarrow.table({"text": [TEXT]}), **{named: "none"})
    rows = [{"text": TEXT}, {"id": "x"}, {"text": 5}, 5, {"text": OTHER, "url": 3}, paraprint.Page(html=7)]
    skipping = paraprint.dedup(rows, on_error="skip")
    assert skipping.skipped == {"null": 1, "wrong-type": 4} and skipping.survivors == ["0"]
    with pytest.raises(ValueError, match="page 1 has neither"):
        paraprint.dedup([{"text": TEXT}, {"id": "x"}])
    with pytest.raises(ValueError, match="field 'text' of page 0 is int"):
        paraprint.dedup([{"text": 5}])
    with pytest.raises(TypeError, match="page 0 is int"):
        paraprint.dedup([5])
    with pytest.raises(ValueError, match="occurs in an earlier row"):
        paraprint.dedup([{"id": "x", "text": TEXT}, {"id": "x", "text": OTHER}])


@pytest.mark.parametrize("page", [{"text": f"{OTHER} \ud800"}, {"text": OTHER, "id": "x\ud800"},
                                  paraprint.Page(html="\udce9"), paraprint.Page(html=OTHER, id="\udce9")])
def test_pages_with_lone_surrogates_are_not_utf8(page):
    result = paraprint.dedup([{"text": TEXT}, page, {"text": TEXT}], on_error="skip")
    assert result.skipped == {"not-utf8": 1} and result.clusters == [["0", "2"]]
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="page 1: a lone surrogate"):
        paraprint.dedup([{"text": TEXT}, page])


def test_urls_and_dates_with_lone_surrogates_are_dropped(tmp_path):
    pages = [{"text": TEXT, "url": "http://example.org/\ud800", "date": "2024\udcff"}]
    assert paraprint.dedup(pages, tmp_path / "out").pages == 1


def test_columns_with_lone_surrogates_are_not_utf8():
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    for other, reasons in (("y\ud800", {"not-utf8": 2}), (2**70, {"not-utf8": 1, "wrong-type": 1})):
        frame = pandas.DataFrame({"text": pandas.Series([TEXT, "x\ud800", other, TEXT], dtype=object)})
        result = paraprint.dedup(frame, on_error="skip", keep="first")
        assert result.skipped == reasons and result.kept["text"].tolist() == [TEXT]
        kept = paraprint.drop_near_duplicates(frame, on_error="skip", keep="first")
        assert kept["text"].tolist() == [TEXT, "x\ud800", other]
        with pytest.raises(ValueError, match="row (1: invalid UTF-8|2: int)"):
            paraprint.dedup(frame)


def test_arguments_of_the_wrong_type_are_named(tmp_path):
    with pytest.raises(TypeError, match="the id of a page must be str, not int"):
        paraprint.dedup([paraprint.Page(html=TEXT, id=5)])
    with pytest.raises(ValueError, match="option 'keep' has a lone surrogate"):
        paraprint.dedup([{"text": TEXT}], keep="\ud800")


@pytest.mark.parametrize("form", ["rows", "lines", "iterable"])
def test_names_of_files_that_are_not_utf8(tmp_path, form):
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    if form == "rows":
        parquet = pytest.importorskip("pyarrow.parquet")
        pyarrow = pytest.importorskip("pyarrow")
        given = []
        for number, name in enumerate((b"\xe4.parquet", b"\xf6.parquet")):
            given.append(folder / os.fsdecode(name))
            with pyarrow.OSFile(os.fsencode(given[-1]), "wb") as sink:
                parquet.write_table(pyarrow.table({"text": [TEXT, f"{OTHER} {number ** 9}"]}), sink)
    elif form == "lines":
        given = folder / "a.jsonl"
        given.write_text("".join(json.dumps({"id": name, "text": TEXT}) + "\n" for name in "ab"))
    else:
        given = [{"text": TEXT}, {"text": TEXT}]
    result = paraprint.dedup(given, folder / os.fsdecode(b"\xff"), keep="first")
    assert result.pages_removed >= 1 and os.fsencode(result.folder).endswith(b"caf\xe9/\xff")
    assert all(path.exists() for path in result.outputs) and len(result.outputs) == (2 if form == "rows" else 0)
    if form == "rows":
        assert result.removed[0]["id"] == "\\udcf6.parquet:0"


def test_invalid_inputs_and_options_are_rejected(tmp_path):
    with pytest.raises(ValueError, match="paraprint.Page"):
        paraprint.dedup(["<p>A page, not a path.</p>"])
    with pytest.raises(FileNotFoundError, match="none.warc"):
        paraprint.dedup(tmp_path / "none.warc")
    with pytest.raises(FileNotFoundError, match="none.parquet"):
        paraprint.dedup(tmp_path / "none.parquet")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 but nothing else")
    with pytest.raises(paraprint.Error, match="broken.parquet"):
        paraprint.dedup(tmp_path / "broken.parquet")
    with pytest.raises(ValueError, match="cannot mix"):
        paraprint.dedup([tmp_path / "a.parquet", tmp_path / "b.jsonl"])
    with pytest.raises(TypeError, match="did you mean 'near'"):
        paraprint.dedup([{"text": TEXT}], nera=0.5)
    with pytest.raises(ValueError, match="near is 3"):
        paraprint.dedup([{"text": TEXT}], near=3)


def test_without_a_folder_no_files_remain(tmp_path, monkeypatch):
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    result = paraprint.dedup([{"text": TEXT}, {"text": TEXT}])
    assert result.survivors == ["0"] and list(tmp_path.iterdir())
    del result
    assert not list(tmp_path.iterdir())


def test_progress_is_reported(tmp_path):
    stages = []
    paraprint.dedup([{"text": TEXT}], progress=lambda stage, *rest: stages.append(stage))
    assert "read" in stages


def test_ids_with_tabs_are_preserved():
    ids = ["a\tb", "c\\td", "e\nf", "g\\\\n"]
    result = paraprint.dedup([{"id": name, "text": TEXT} for name in ids])
    assert sorted(result.cluster_of) == sorted(ids) and result.clusters == [sorted(ids)]


def test_ids_that_are_not_utf8_are_counted_page_by_page(tmp_path):
    def record(number, name):
        body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{TEXT} {number // 2}</p>".encode()
        return (b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/" + str(number).encode()
                + b"\r\nWARC-Date: 2024-05-01T00:00:00Z\r\nWARC-Record-ID: <urn:" + name + b">\r\n"
                + b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n" % len(body)
                + body + b"\r\n\r\n")

    names = [b"a", b"z\xe4\xb8", b"z\xff", b"z\xfe"]  # the second one is the beginning of a character
    path = tmp_path / "a.warc"
    path.write_bytes(b"".join(record(number, name) for number, name in enumerate(names)))
    result = paraprint.dedup(path, tmp_path / "out", near=0.999, keep="first")
    shown = ["urn:a", "urn:z\ufffd\ufffd", "urn:z\ufffd"]
    assert sorted(row["id"] for row in result.removed) == sorted([shown[1], shown[2]])
    assert len(result.survivors) == result.pages_kept == 2 and set(result.cluster_of) == set(shown)
    assert sorted(len(cluster) for cluster in result.clusters) == [2, 2]
    assert {name for pair in result.matches for name in pair[:2]} == set(shown)


def test_results_have_text_and_html_representations():
    result = paraprint.dedup([{"id": "<b>", "text": TEXT}, {"id": "c", "text": TEXT}])
    assert "&lt;b&gt;" in result._repr_html_() and "<b>" not in result._repr_html_()
    assert repr(result) == ("<paraprint.DedupResult of 2 pages: 1 kept, 1 removed; 1 clusters, 1 matching pairs>")


def test_evaluation_of_extractors(tmp_path):
    gold = tmp_path / "gold.jsonl"
    page = {"id": "a", "html": f"<nav>Menu</nav><p>{TEXT}</p>", "text": TEXT, "page_type": "news"}
    gold.write_text(json.dumps(page) + "\nbroken\n", encoding="utf-8")
    evaluation = paraprint.evaluate_extraction(gold, extractor=["whole-page", "learned-dom"], bootstrap=100,
                                               out=tmp_path / "out")
    rows = evaluation.results["by_page_type"][0]["extractors"]
    assert [row["extractor"] for row in rows] == ["whole-page", "learned-dom"] and rows[0]["correct"] == 1
    assert len(evaluation.warnings) == 1 and "gold.jsonl" in evaluation.warnings[0]
    assert (tmp_path / "out" / "results.json").exists() and "news" in str(evaluation)
    with pytest.raises(ValueError, match="unknown extractor"):
        paraprint.evaluate_extraction(gold, extractor="best")


def test_evaluation(program, root, tmp_path):
    crawl = root / "examples" / "demo-crawl"
    inputs = {"pages": [str(path) for path in sorted(crawl.glob("*.warc.gz"))], "labels": str(crawl / "labels.tsv")}
    evaluation = paraprint.evaluate(algorithms=["paragraph", "simhash-64"], bootstrap=100, world="open",
                                    out=tmp_path / "evaluation", **inputs)
    assert [row["label"] for row in evaluation.results["sets"][0]["algorithms"]] == ["paragraph", "simhash-64"]
    assert "simhash-64" in str(evaluation) and (tmp_path / "evaluation" / "results.csv").exists()
    with pytest.raises(ValueError, match="unknown algorithm"):
        paraprint.evaluate(algorithms="simhash-65", **inputs)
    assert {"paragraph", "minhash"} <= {algorithm.name for algorithm in paraprint.algorithms()}


# Keywords, and what the command line calls the same.
SPECIFIED = "simhash-64:distance_bits=6,stop_words=dropped"
SWEEPS = ["seed-004:distance_bits=3,24,extractor=learned-dom", "minhash:idf=bundled,corpus"]
EVALUATIONS = {
    "options": ({"algorithms": ["paragraph", SPECIFIED], "extractor": "whole-page", "paragraph_words": "long",
                 "word_hash": "blake2b", "idf": "corpus", "part_of_speech": True, "near": 0.7},
                ["--algorithms", f"paragraph,{SPECIFIED}", "--extractor", "whole-page", "--paragraph-words", "long",
                 "--word-hash", "blake2b", "--idf", "corpus", "--part-of-speech", "--near", "0.7"]),
    "preset": ({"word_hash": "murmur3", "preset": "seed-004"}, ["--preset", "seed-004", "--word-hash", "murmur3"]),
    "presets": ({"algorithms": ["seed-003-keywords", "seed-004-i-match"]},
                ["--algorithms", "seed-003-keywords,seed-004-i-match"]),
    "sweeps": ({"algorithms": "digest-text", "sweep": SWEEPS},
               ["--algorithms", "digest-text", "--sweep", SWEEPS[0], "--sweep", SWEEPS[1]]),
}


@pytest.mark.parametrize("name", EVALUATIONS)
def test_evaluation_equals_that_of_the_program(name, program, root, tmp_path):
    crawl = root / "examples" / "demo-crawl"
    pages = [str(path) for path in sorted(crawl.glob("*.warc.gz"))]
    keywords, flags = EVALUATIONS[name]
    paraprint.evaluate(pages=pages, labels=crawl / "labels.tsv", world="open", bootstrap=100, write_pairs=True,
                       out=tmp_path / "python", **keywords)
    command = [program, "eval", "--pages", ",".join(pages), "--labels", crawl / "labels.tsv", "--world", "open",
               "--bootstrap", "100", "--write-pairs", "--quiet", "--out", tmp_path / "program", *flags]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    written = sorted(path.relative_to(tmp_path / "program") for path in (tmp_path / "program").rglob("*.*")
                     if path.name != "timing.json" and path.parent.name != "report")
    assert len(written) >= 4
    for path in written:
        assert (tmp_path / "python" / path).read_bytes() == (tmp_path / "program" / path).read_bytes(), path


def test_presets_of_a_run(program, crawl, tmp_path):
    assert {"seed-003-keywords", "seed-004"} <= {preset.name for preset in paraprint.presets()}
    paraprint.dedup(crawl, tmp_path / "python", extractor="whole-page", preset="seed-004", report=False)
    subprocess.run([program, "dedup", *crawl, "--out", tmp_path / "program", "--preset", "seed-004", "--extractor",
                    "whole-page", "--no-report", "--quiet"], check=True)
    settings = json.loads((tmp_path / "python" / "summary.json").read_text(encoding="utf-8"))["settings"]
    assert (settings["paragraph_words"], settings["extractor"]) == ("long", "whole-page")
    for name in ("summary.json", "matches.tsv", "clusters.tsv"):
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "program" / name).read_bytes(), name
    with pytest.raises(ValueError, match="did you mean 'seed-004'"):
        paraprint.dedup(crawl, tmp_path / "other", preset="seed-04")
    with pytest.raises(TypeError, match="preset"):
        paraprint.profile("<p>A page.</p>", preset="seed-004")


def test_judged_sample(root, tmp_path):
    crawl = root / "examples" / "demo-crawl"
    drawn = paraprint.evaluate(pages=[str(path) for path in sorted(crawl.glob("*.warc.gz"))], out=tmp_path / "judging",
                               algorithms=["paragraph", "minhash"], sample=30)
    head, *pairs = map(json.loads, (tmp_path / "judging" / "sample.jsonl").read_text(encoding="utf-8").splitlines())
    assert drawn.results == head and drawn.report_path.endswith("1.html")
    judged = tmp_path / "judged.jsonl"
    judged.write_text("".join(json.dumps({**line, "judgement": "y"}) + "\n" for line in (head, *pairs)),
                      encoding="utf-8")
    evaluation = paraprint.evaluate(judgements=judged)
    assert [row["precision"]["estimate"] for row in evaluation.results["algorithms"]] == [1, 1]
    assert evaluation.results["decided"] == len(pairs)
    with pytest.raises(ValueError, match="out"):
        paraprint.evaluate(pages="x", sample=30)
