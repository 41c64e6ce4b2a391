"""How runs read rows of files: where they are, in batches that can be found again, and again after a kill."""

import collections
import json
import random
import signal
import subprocess
import sys

import pyarrow
import pytest
from pyarrow import parquet

import paraprint
from paraprint import datasets, stores, table_files

WORDS = [f"{a}{b}{c}" for a in ("bar", "del", "gim", "mon") for b in ("ae", "oi", "u") for c in ("rt", "nd", "l", "st")]
FIELDS = {"id_field": "id", "html_field": "html", "text_field": "text", "url_field": "url", "date_field": "date"}


def text_of(seed):
    draw = random.Random(seed)
    return " ".join(f"The {' '.join(draw.choices(WORDS, k=9))} number {draw.randrange(10**6)}." for _ in range(8))


def rows_of(count):
    """Every third text is that of the row before it, and every seventh has changed words in it."""
    texts = [text_of(n - (n % 3 == 2)) for n in range(count)]
    texts = [text.replace("bar", "arb", 3) if n % 7 == 6 else text for n, text in enumerate(texts)]
    return {"id": [f"row {n}" for n in range(count)], "url": [f"https://example.org/{n}" for n in range(count)],
            "text": texts, "n": list(range(count))}


def write(path, table, part_rows):
    """A file whose parts, if its form has parts, have so many rows."""
    if path.suffix == ".parquet":
        parquet.write_table(table, path, row_group_size=part_rows)
    elif path.suffix == ".csv":
        lines = zip(*(table[name].to_pylist() for name in table.column_names))
        path.write_text("\n".join(",".join(map(str, row)) for row in [table.column_names, *lines]) + "\n")
    else:
        kind = pyarrow.ipc.new_stream if path.suffix == ".arrows" else pyarrow.ipc.new_file
        with kind(str(path), table.schema) as writer:
            writer.write_table(table, max_chunksize=part_rows)
    return path


class Checks:
    """In place of the core: every row with an even number is a page."""

    def check(self, chunk, prefix, raises, first_row):
        return bytes((first_row + row) % 2 for row in range(self.rows))


def reader_of(paths):
    files = [file for path in paths for file in stores.list_files(str(path), lambda name: True)]
    source = datasets.FileSource(files, {}, raises=False)
    checks = Checks()

    def check(batch, found):
        checks.rows = batch.rows.num_rows
        source.add(batch, found())

    reader = datasets.BatchReader(source, FIELDS, set(FIELDS.values()), check)
    return source, lambda number: reader.batch(checks, number)


@pytest.mark.parametrize("ending", ["parquet", "arrow", "arrows", "csv"])
def test_batches_are_found_again_in_any_order(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(table_files, "BATCH_ROWS", 40)
    monkeypatch.setattr(table_files, "_PARQUET_BATCH_ROWS", 40)
    paths = [write(tmp_path / f"{name}.{ending}", pyarrow.table(rows_of(count)), 100)
             for name, count in (("a", 430), ("b", 7), ("c", 250))]
    source, batch_at = reader_of(paths)
    known = []
    while (batch := batch_at(len(known))) is not None:
        known.append(batch)
    expected = [(file, first) for file, count in enumerate((430, 7, 250)) for first in range(0, count, 40)]
    if ending != "csv":  # no batch has rows of two parts
        expected = [(file, first + at) for file, count in enumerate((430, 7, 250)) for first in range(0, count, 100)
                    for at in range(0, min(100, count - first), 40)]
    assert [(place[0], place[2]) for place in source.places] == expected
    assert batch_at(len(known)) is None
    draw = random.Random(3)
    orders = [range(len(known)), reversed(range(len(known))), draw.choices(range(len(known)), k=60)]
    for number in [number for order in orders for number in order]:
        _, prefix, first_row, outcome, done = batch_at(number)
        assert (prefix, first_row, outcome) == known[number][1:4] and 0 < done <= source.size_bytes
    assert known[-1][4] == source.size_bytes or ending == "arrows"  # whose end mark has not been read
    texts = [text for path in paths for batch in source.batches(FIELDS) for text in batch.pages["text"].to_pylist()]
    assert texts[: 430 + 7 + 250] == [*rows_of(430)["text"], *rows_of(7)["text"], *rows_of(250)["text"]]


def test_only_the_part_of_a_batch_is_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(table_files, "_PARQUET_BATCH_ROWS", 40)
    path = write(tmp_path / "a.parquet", pyarrow.table(rows_of(500)), 100)
    source, batch_at = reader_of([path])
    for number in range(15):
        batch_at(number)
    read = collections.Counter()
    batches = table_files._Parquet.batches

    def counted(self, *arguments):
        for batch in batches(self, *arguments):
            read[batch.part] += 1
            yield batch

    monkeypatch.setattr(table_files._Parquet, "batches", counted)
    for number in (1, 2, 10, 11, 13):
        batch_at(number)
    assert read == {0: 3, 3: 3, 4: 2}


@pytest.fixture
def files(tmp_path):
    table = pyarrow.table(rows_of(700))
    lines = tmp_path / "a.jsonl"
    rows = zip(*(table[name].to_pylist() for name in table.column_names))
    lines.write_text("".join(json.dumps(dict(zip(table.column_names, row))) + "\n" for row in rows))
    return lines, write(tmp_path / "a.parquet", table, 90)


def outputs_of(result, name, skipped=()):
    """All that a run wrote, except what names its input or differs from run to run."""
    found = {}
    for path in sorted(result.folder.rglob("*")):
        relative = path.relative_to(result.folder)
        if path.is_file() and relative.parts[0] not in (".paraprint", "timing.json", "records", *skipped):
            found[str(relative)] = path.read_text(encoding="utf-8").replace(str(name), "input")
    removed = [json.loads(line) for line in found["removed.jsonl"].splitlines()]
    for row in removed:
        row.pop("offset_bytes", row.pop("row", None))
    found["removed.jsonl"] = removed
    return found


@pytest.mark.parametrize("options", [
    {}, {"align_words": True, "near": 0.9}, {"annotate": True}, {"idf": "corpus"}, {"keep": "score:n:max"},
    {"algorithm": "simhash-64"}, {"memory": "64MB", "threads": 3},
], ids=str)
def test_every_option_does_what_it_does_for_json_lines(tmp_path, files, options):
    lines, rows = files
    options = {"keep": "first", "threads": 2, **options}
    expected = paraprint.dedup(lines, tmp_path / "expected", records=False, **options)
    result = paraprint.dedup(rows, tmp_path / "out", **options)
    assert result.pages_removed == expected.pages_removed >= 200
    # The summary and the pages of the report that repeat it have the size of the input.
    skipped = ("summary.json", "report")
    assert outputs_of(result, rows, skipped) == outputs_of(expected, lines, skipped)
    for page in (expected.folder / "report").rglob("*.html"):
        if page.parent.name != "report":
            shown = result.folder / page.relative_to(expected.folder)
            assert shown.read_text().replace(str(rows), "input") == page.read_text().replace(str(lines), "input")
    kept = parquet.read_table(result.outputs[0])
    if not options.get("annotate"):
        assert sorted(kept["id"].to_pylist()) == sorted(expected.survivors)
    assert kept.num_rows == (700 if options.get("annotate") else expected.pages_kept)


def test_an_index_is_used_as_by_json_lines(tmp_path, files):
    lines, rows = files
    for path in files:
        for out, known in (("first", 0), ("second", 467)):
            folder = tmp_path / path.suffix[1:]
            result = paraprint.dedup(path, folder / out, index=folder / "index", report=False, keep="first")
            assert result.pages_known == (0 if out == "first" else result.pages_removed), out
    assert ((tmp_path / "parquet" / "second" / "clusters.tsv").read_bytes()
            == (tmp_path / "jsonl" / "second" / "clusters.tsv").read_bytes())


def test_texts_are_written_to_no_file_but_to_trim_them(tmp_path, files):
    found = set()

    def look(*_):
        found.update(str(path.relative_to(tmp_path)) for folder in (tmp_path, *tmp_path.glob("*.paraprint-work"))
                     for path in folder.iterdir())

    paraprint.dedup(files[1], tmp_path / "out", progress=look)
    of_lock = {"out.paraprint-work", "out.paraprint-work/.paraprint-work"}
    assert found == {"a.jsonl", "a.parquet", "out", *of_lock}
    found.clear()
    paraprint.dedup(files[1], tmp_path / "trimmed", progress=look, trim=True)
    assert "trimmed.paraprint-work/pages.jsonl" in found



KILLED = """
import json, os, sys, paraprint
from paraprint import datasets

replace_durably = datasets.replace_durably

def replace(partial, path):
    if path.name == sys.argv[1]:
        os._exit(9)
    replace_durably(partial, path)

datasets.replace_durably = replace
getattr(paraprint, sys.argv[2])(*json.loads(sys.argv[3]), **json.loads(sys.argv[4]))
"""


@pytest.mark.parametrize("killed_at", ["b.parquet", "first"])
@pytest.mark.parametrize("call, options", [
    ("dedup", {}), ("dedup", {"trim": True}), ("dedup", {"annotate": True}), ("contaminated", {"records": True}),
])
def test_the_summary_is_there_when_all_rows_are_written(tmp_path, call, options, killed_at):
    for name, begin in (("a", 0), ("b", 100)):
        write(tmp_path / f"{name}.parquet", pyarrow.table(rows_of(200)).slice(begin, 100), 100)
    given = [[str(tmp_path / "a.parquet"), str(tmp_path / "b.parquet")]]
    if call == "contaminated":
        write(tmp_path / "items.parquet", pyarrow.table({"question": rows_of(200)["text"][150:151]}), 100)
        given.append(str(tmp_path / "items.parquet"))
    given.append(str(tmp_path / "out"))
    first = "removed.jsonl" if call == "dedup" else "contaminated.jsonl"
    arguments = [first if killed_at == "first" else killed_at, call, json.dumps(given), json.dumps(options)]
    for _ in range(2):  # the second one finds what the first one has left
        assert subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False).returncode == 9
        assert (tmp_path / "out" / first).exists() and not (tmp_path / "out" / "summary.json").exists()
    result = getattr(paraprint, call)(*given, **options)
    assert result.summary and len(result.outputs) == 2
    assert not list((tmp_path / "out").rglob("*.partial"))


RUN = """
import sys, paraprint
def tell(stage, done, *_):
    print(stage, done, flush=True)
paraprint.dedup(sys.argv[1], sys.argv[2], progress=tell, report=False, threads=1, on_error="skip", keep="first")
"""


def test_a_killed_run_resumes(tmp_path):
    rows = write(tmp_path / "a.parquet", pyarrow.table(rows_of(6000)), 900)
    expected = paraprint.dedup(rows, tmp_path / "expected", report=False, keep="first")
    process = subprocess.Popen([sys.executable, "-c", RUN, rows, tmp_path / "out"], stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        stage, done = line.split()
        if stage == "read" and int(done) > rows.stat().st_size // 3:
            process.send_signal(signal.SIGKILL)
            break
    process.communicate()
    assert process.returncode == -signal.SIGKILL and not (tmp_path / "out" / "summary.json").exists()
    done = [int(line.split()[1]) for line in subprocess.run(
        [sys.executable, "-c", RUN, rows, tmp_path / "out"], capture_output=True, text=True, check=True,
    ).stdout.splitlines() if line.startswith("read")]
    assert min(done) > rows.stat().st_size // 4  # what had been read is not read again
    for name in ("clusters.tsv", "matches.tsv", "matches.jsonl", "removed.jsonl"):
        assert (tmp_path / "out" / name).read_bytes() == (expected.folder / name).read_bytes()
    assert (tmp_path / "out" / "records" / "a.parquet").read_bytes() == expected.outputs[0].read_bytes()


def test_a_folder_of_other_rows_is_refused(tmp_path, files):
    rows = files[1]
    first = paraprint.dedup(rows, tmp_path / "out", report=False)
    again = paraprint.dedup(rows, tmp_path / "out", report=False)
    assert outputs_of(again, rows) == outputs_of(first, rows)
    for change in ({"url_field": "text"}, {"id_field": "url"}, {"content_type_field": "url"}):
        with pytest.raises(paraprint.errors.InvalidArgumentError, match="holds a run with other inputs"):
            paraprint.dedup(rows, tmp_path / "out", report=False, **change)
    write(rows, pyarrow.table(rows_of(700)), 90)  # the same rows at another time
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="holds a run with other inputs"):
        paraprint.dedup(rows, tmp_path / "out", report=False)
    assert paraprint.dedup(rows, tmp_path / "out", report=False, restart=True).pages == 700


def damaged(path, column):
    """Overwrites a column in the last row group of a Parquet file."""
    metadata = parquet.ParquetFile(path).metadata
    chunk = metadata.row_group(metadata.num_row_groups - 1).column(column)
    with open(path, "r+b") as file:
        file.seek(chunk.dictionary_page_offset)
        file.write(b"\xff" * chunk.total_compressed_size)


def test_columns_that_a_run_needs_not_are_read_only_to_be_written(tmp_path, files):
    rows = files[1]
    damaged(rows, 3)
    assert paraprint.dedup(rows).pages == 700
    with pytest.raises(paraprint.errors.CorruptDataError, match="a.parquet: "):
        paraprint.dedup(rows, tmp_path / "out")


@pytest.mark.parametrize("on_error", ["raise", "skip"])
def test_a_damaged_file_ends_the_run(tmp_path, files, on_error):
    rows = files[1]
    damaged(rows, 2)
    with pytest.raises(paraprint.errors.CorruptDataError, match="a.parquet: "):
        paraprint.dedup(rows, tmp_path / "out", on_error=on_error)
    assert (tmp_path / "out").exists() == (on_error == "skip")
    assert not (tmp_path / "out" / "summary.json").exists()


def test_files_with_other_columns_are_found_before_the_run(tmp_path, files):
    other = write(tmp_path / "b.parquet", pyarrow.table({"body": ["a text"]}), 90)
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="b.parquet: there is no column 'html' or 'text'"):
        paraprint.dedup([files[1], other], tmp_path / "out", on_error="skip")
    numbers = write(tmp_path / "c.parquet", pyarrow.table({"text": [1.5]}), 90)
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="c.parquet: column 'text' has the type double"):
        paraprint.dedup([files[1], numbers], tmp_path / "out", on_error="skip")
    assert not (tmp_path / "out").exists()


def test_batches_with_all_columns_may_end_at_other_rows(tmp_path, files, monkeypatch):
    expected = paraprint.dedup(files[1], tmp_path / "expected", keep="first", report=False)
    batches = table_files._Parquet.batches

    def shorter(self, part=0, columns=None):
        for batch in batches(self, part, columns):
            for first in range(0, batch.rows.num_rows, 90 if columns else 35):
                yield batch._replace(rows=batch.rows.slice(first, 90 if columns else 35))

    monkeypatch.setattr(table_files._Parquet, "batches", shorter)
    result = paraprint.dedup(files[1], tmp_path / "out", keep="first", report=False)
    assert parquet.read_table(result.outputs[0]) == parquet.read_table(expected.outputs[0])
    assert result.removed == expected.removed
