"""Files of rows: Parquet, Arrow and CSV, through dedup() and through the command."""

import csv
import errno
import gzip
import json
import os
import subprocess
import sys

import pytest

import paraprint
import paraprint.column_checks
import paraprint.stores
import paraprint.table_files

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

RIVER = "The river rose two metres overnight, the council said, and the old bridge to the market was closed."
ICE = "Everybody knows that ice is slippery, and almost everybody who was asked could say why, and was wrong."
TRAM = "A new line of trams will run between the two stations from next spring, the transport office announced."
ROWS = {"id": ["007", "1e3", "x;y", "été"], "text": [RIVER, ICE, RIVER.upper(), TRAM],
        "note": ['say "no"', "two\nlines", "a,b", ""]}


def command(program, *arguments, python=sys.executable, **keywords):
    """A run of the program, which is told where the package is as its launcher tells it."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop("PARAPRINT_PYTHON", None)
    if python:
        environment["PARAPRINT_PYTHON"] = python
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, env=environment, **keywords)


def write(path, table):
    """Writes the table in the form that the name asks for."""
    name = path.name.lower()
    if ".csv" in name or ".tsv" in name:
        import io

        text = io.StringIO()
        rows = csv.writer(text, delimiter="\t" if ".tsv" in name else ",", lineterminator="\n")
        rows.writerows([table.column_names, *zip(*(column.to_pylist() for column in table.columns))])
        content = text.getvalue().encode()
        if name.endswith(".gz"):
            content = gzip.compress(content)
        elif name.endswith(".zst"):
            content = pyarrow.compress(content, "zstd", asbytes=True)
        path.write_bytes(content)
    elif name.endswith(".parquet"):
        parquet.write_table(table, path)
    else:
        kind = pyarrow.ipc.new_stream if name.endswith(".arrows") else pyarrow.ipc.new_file
        with kind(str(path), table.schema) as writer:
            writer.write_table(table, max_chunksize=3)
    return path


def read(path):
    name = path.name.lower()
    if ".csv" in name or ".tsv" in name:
        content = path.read_bytes()
        if name.endswith(".gz"):
            content = gzip.decompress(content)
        elif name.endswith(".zst"):
            content = pyarrow.input_stream(path, compression="zstd").read()
        lines = content.decode().splitlines(keepends=True)
        header, *rows = csv.reader(lines, delimiter="\t" if ".tsv" in name else ",")
        return pyarrow.table({name: [row[at] for row in rows] for at, name in enumerate(header)})
    if name.endswith(".parquet"):
        return parquet.read_table(path)
    return (pyarrow.ipc.open_stream if name.endswith(".arrows") else pyarrow.ipc.open_file)(path).read_all()


NAMES = ("a.parquet", "a.arrow", "a.feather", "a.arrows", "a.csv", "a.tsv", "a.csv.gz", "a.CSV.zst")


@pytest.mark.parametrize("name", NAMES)
def test_every_form_gives_what_json_lines_give(program, tmp_path, name):
    lines = tmp_path / "a.jsonl"
    lines.write_text("".join(json.dumps(dict(zip(ROWS, row))) + "\n" for row in zip(*ROWS.values())), encoding="utf-8")
    expected = paraprint.dedup(lines, tmp_path / "expected", keep="first")
    table = pyarrow.table(ROWS)
    result = paraprint.dedup(write(tmp_path / name, table), tmp_path / "out", keep="first")
    for file in ("clusters.tsv", "matches.tsv"):
        assert (result.folder / file).read_bytes() == (expected.folder / file).read_bytes()
    assert result.outputs == [tmp_path / "out" / "records" / name]
    assert read(result.outputs[0]) == table.take([0, 1, 3])
    done = command(program, "dedup", tmp_path / name, "--out", tmp_path / "run", "--keep", "first")
    assert done.returncode == 0, done.stderr
    assert "4 pages: 3 kept, 1 removed; 1 clusters, 1 matching pairs\n" in done.stderr
    assert (tmp_path / "run" / "records" / name).read_bytes() == result.outputs[0].read_bytes()
    assert (tmp_path / "run" / "report" / "index.html").exists()


def test_schemas_and_dictionaries_are_kept(tmp_path):
    kinds = pyarrow.DictionaryArray.from_arrays([0, 1, 0], ["news", "blog"])
    table = pyarrow.table({"text": [RIVER, ICE, RIVER], "kind": kinds, "n": pyarrow.array([1, None, 3], pyarrow.int8()),
                           "list": [[1], [], None]}).replace_schema_metadata({"made": "by a test"})
    for name in ("a.arrow", "a.arrows"):
        result = paraprint.dedup(write(tmp_path / name, table), tmp_path / f"{name}.out", keep="first")
        kept = read(result.outputs[0])
        assert kept.schema.equals(table.schema, check_metadata=True)
        assert kept == table.take([0, 1])


def test_row_groups_are_as_large_as_those_of_the_input(tmp_path, monkeypatch):
    texts = [f"{TRAM} {n} {n * 7919} {n * 104729}" for n in range(3000)]
    table = pyarrow.table({"id": [str(n) for n in range(3000)], "text": texts})
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=1300)
    result = paraprint.dedup(tmp_path / "a.parquet", tmp_path / "out", near=1, keep="first", report=False)
    written = parquet.ParquetFile(result.outputs[0])
    sizes = [written.metadata.row_group(group).num_rows for group in range(written.num_row_groups)]
    assert sum(sizes) == result.pages_kept and set(sizes[:-1]) <= {1300} and sizes[-1] <= 1300
    monkeypatch.setattr(paraprint.table_files, "_ROW_GROUP_BYTES", 100_000)
    again = paraprint.dedup(tmp_path / "a.parquet", tmp_path / "again", near=1, keep="first", report=False)
    assert parquet.ParquetFile(again.outputs[0]).num_row_groups > 3
    assert read(again.outputs[0]) == read(result.outputs[0])


def test_folders_are_read_to_their_depth(tmp_path):
    for year in ("2024", "2025"):
        (tmp_path / "in" / f"year={year}").mkdir(parents=True)
        write(tmp_path / "in" / f"year={year}" / "part.csv", pyarrow.table({"text": [RIVER, year + TRAM]}))
    (tmp_path / "in" / "_SUCCESS").touch()
    (tmp_path / "in" / "README.md").touch()
    result = paraprint.dedup(tmp_path / "in", tmp_path / "out", keep="first")
    assert result.clusters[0][0] == "year=2024/part.csv:0"
    assert [str(path.relative_to(tmp_path / "out")) for path in result.outputs] == [
        "records/year=2024/part.csv", "records/year=2025/part.csv"]


def test_removed_rows_are_named_by_file_and_row(tmp_path):
    river, ice, tram = RIVER.replace(",", ""), ICE.replace(",", ""), TRAM.replace(",", "")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text(f"text\n{river}\nbro,ken\n{river}\n")
    (tmp_path / "in" / "b.csv").write_text("text\n" + "".join(f"{tram} {n} {n * 7919}\n" for n in range(1500))
                                           + f"{ice}\nbro,ken\n{ice} \n{river}\n")
    for _ in range(2):  # the second call finds the run complete
        result = paraprint.dedup(tmp_path / "in", tmp_path / "out", on_error="skip", keep="first", near=0.99)
        found = {(row["id"], os.path.relpath(row["file"], tmp_path), row["row"]) for row in result.removed
                 if "tram" not in row["id"] and row["kept_id"] in ("a.csv:0", "b.csv:1500")}
        assert found == {("a.csv:2", "in/a.csv", 2), ("b.csv:1502", "in/b.csv", 1502), ("b.csv:1503", "in/b.csv", 1503)}
        assert not any("offset_bytes" in row for row in result.removed)


def test_fields_of_csv_stay_what_they_are(tmp_path):
    rows = (b'\xef\xbb\xbfid;text;price\r\n' b'1;' + RIVER.encode() + b';1,50\r\n\r\n' b'2;"' + ICE.encode()
            + b'\r\nand\tmore";\xff\r\n')
    (tmp_path / "a.csv").write_bytes(rows)
    result = paraprint.dedup(tmp_path / "a.csv", tmp_path / "out")
    assert result.survivors == ["1", "2"]
    assert result.outputs[0].read_bytes() == rows.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n\r\n", b"\r\n")


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_line_ends_in_fields_of_csv_are_quoted(tmp_path, line_end):
    fields = ["one\rtwo", "one\ntwo", "one\r\ntwo", "\r", 'say "no"\r', "plain"]
    quoted = ['"' + field.replace('"', '""') + '"' if field != "plain" else field for field in fields]
    lines = ["id,text,note"] + [f'{n},"{RIVER} {n * n}",{field}' for n, field in enumerate(quoted)]
    content = "".join(line + line_end for line in lines).encode()
    (tmp_path / "a.csv").write_bytes(content)
    result = paraprint.dedup(tmp_path / "a.csv", tmp_path / "out", annotate=True, annotation_fields=["is_kept"])
    written = result.outputs[0].read_bytes()
    with open(result.outputs[0], newline="", encoding="utf-8") as rows:
        assert [row[2] for row in csv.reader(rows)] == ["note", *fields]
    kept = paraprint.dedup(tmp_path / "a.csv", tmp_path / "same", min_characters=10**6).outputs[0]
    assert kept.read_bytes() == content and written.count(line_end.encode()) >= len(lines)


def test_csv_has_a_limit_of_columns_and_broken_rows_cost_no_columns(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("text," + ",".join(map(str, range(9_999))) + "\n" + "x\n" * 3000)
    assert paraprint.dedup(path, on_error="skip").skipped == {"broken-row": 3000}
    monkeypatch.setattr(paraprint.table_files, "_BATCH_TEXT_BYTES", 8 * 10_000 * 5)
    with paraprint.table_files.opened(paraprint.stores.list_files(str(path), lambda _: True)[0]) as rows:
        batches = list(rows.batches(columns=["text"]))
    assert [len(batch.broken) for batch in batches] == [5] * 600 and batches[0].rows.num_columns == 1
    path.write_text("text," + ",".join(map(str, range(10_000))) + "\n")
    with pytest.raises(paraprint.errors.LimitExceededError, match="a.csv: has 10001 columns, more than 10000"):
        paraprint.dedup(path)


def test_broken_rows_of_csv_are_named_or_counted(program, tmp_path):
    path = tmp_path / "a.csv"
    river, ice = RIVER.replace(",", ""), ICE.replace(",", "")
    path.write_bytes(f'id,text\n1,{river}\n2,too,many\n3,"{ice}" x\n4\n5,{ice}\n6,\xff\n'.encode("latin-1"))
    with pytest.raises(paraprint.errors.CorruptDataError,
                       match=r"a.csv: row 1, line 3: 3 fields, and the first row has 2$"):
        paraprint.dedup(path, tmp_path / "raised")
    for annotate in (False, True):
        out = tmp_path / f"out-{annotate}"
        result = paraprint.dedup(path, out, on_error="skip", annotate=annotate, annotation_fields=["is_kept"])
        assert result.skipped == {"broken-row": 3, "not-utf8": 1}
        lines = result.outputs[0].read_bytes().decode("latin-1").splitlines()
        assert lines == (["id,text,is_kept", f"1,{river},true", f"5,{ice},true", "6,\xff,"] if annotate
                         else ["id,text", f"1,{river}", f"5,{ice}"])
    done = command(program, "dedup", path, "--out", tmp_path / "run")
    assert done.returncode == 0 and "4 rows are no pages and were left out: 3 broken-row, 1 not-utf8\n" in done.stderr


@pytest.mark.parametrize(("name", "content", "said"), [
    ("a.csv", b"", "is empty; the first row must have the names of the columns"),
    ("a.csv", b"text,text\n", "two columns have the name 'text'"),
    ("a.csv", b'"text\n', "line 1: unexpected end of data"),
    ("a.csv", "text\nx\n".encode("utf-16"), "is UTF-16; convert it"),
    ("a.csv", b"body\nx\n", "there is no column 'html' or 'text'"),
    ("a.csv.gz", b"not compressed", ""),
    ("a.csv.gz", gzip.compress(b"text\n" + b"x" * 100000)[:60], ""),
    ("a.parquet", b"PAR1 but nothing else", ""),
    ("a.arrow", b"ARROW1 but nothing else", ""),
    ("a.arrow", b"", ""),
    ("a.arrows", b"\xff\xff\xff\xff\x00\x01\x00\x00", ""),
])
def test_files_that_are_no_tables_are_named(program, tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(paraprint.Error, match=f"{name}: .*{said}"):
        paraprint.dedup(tmp_path / name, tmp_path / "out")
    done = command(program, "dedup", tmp_path / name, "--out", tmp_path / "out")
    assert done.returncode in (1, 2) and done.stderr.startswith(f"paraprint: {tmp_path / name}: "), done.stderr
    assert "Traceback" not in done.stderr


def test_lines_of_csv_have_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(paraprint.table_files, "_FIELD_BYTES_MAXIMUM", 3 << 20)
    (tmp_path / "a.csv").write_text("text\n" + RIVER + "\n" + "x" * (5 << 20) + "\n")
    with pytest.raises(paraprint.errors.CorruptDataError, match="a.csv: a line from byte 105 is longer than 3 MiB"):
        paraprint.dedup(tmp_path / "a.csv", tmp_path / "out")


def test_offsets_of_a_broken_arrow_file_are_not_followed(tmp_path):
    path = write(tmp_path / "a.arrow", pyarrow.table({"text": [RIVER, ICE, TRAM]}))
    content = bytearray(path.read_bytes())
    at = content.index(len(RIVER).to_bytes(4, "little") + (len(RIVER) + len(ICE)).to_bytes(4, "little"))
    content[at:at + 4] = (2**31 - 5).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(paraprint.errors.CorruptDataError, match="a.arrow: "):
        paraprint.dedup(path, tmp_path / "out")


def invalid_texts(kind):
    """A column of this type with three texts, of which the second is not UTF-8."""
    texts = [RIVER.encode(), b"caf\xe9 and more than twelve bytes", TRAM.encode()]
    if kind == pyarrow.string_view():
        return pyarrow.Array.from_buffers(kind, 3, pyarrow.array(texts, pyarrow.binary_view()).buffers())
    return pyarrow.Array.from_buffers(pyarrow.string(), 3, pyarrow.array(texts).buffers()).cast(kind, safe=False)


@pytest.mark.parametrize("layout", ["string", "large_string", "string_view", "dictionary"])
def test_a_row_of_an_arrow_file_that_is_not_utf8_is_only_that_row(tmp_path, layout):
    if layout == "dictionary":
        column = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1, 2]), invalid_texts(pyarrow.string()))
    elif layout == "large_string":
        column = invalid_texts(pyarrow.string()).view(pyarrow.binary()).cast(pyarrow.large_binary()).view(
            pyarrow.large_string())
    else:
        column = invalid_texts(getattr(pyarrow, layout)())
    path = write(tmp_path / "a.arrow", pyarrow.table({"text": column, "n": [1, 2, 3]}))
    result = paraprint.dedup(path, tmp_path / "out", on_error="skip")
    assert result.skipped == {"not-utf8": 1} and read(result.outputs[0])["n"].to_pylist() == [1, 3]
    with pytest.raises(ValueError, match="a.arrow: column 'text', row 1: invalid UTF-8"):
        paraprint.dedup(path, tmp_path / "raised")


def test_other_columns_of_an_arrow_file_need_not_be_utf8(tmp_path):
    texts, offsets = invalid_texts(pyarrow.string()), pyarrow.array([0, 1, 2, 3], pyarrow.int32())
    table = pyarrow.table({
        "text": [RIVER, ICE, RIVER], "list": pyarrow.ListArray.from_arrays(offsets, texts),
        "struct": pyarrow.StructArray.from_arrays([texts], ["a"]), "n": [1, 2, 3],
        "fixed": pyarrow.FixedSizeListArray.from_arrays(texts, 1),
        "map": pyarrow.MapArray.from_arrays(offsets, texts, texts),
        "union": pyarrow.UnionArray.from_sparse(pyarrow.array([0, 0, 0], pyarrow.int8()), [texts])})
    result = paraprint.dedup(write(tmp_path / "a.arrow", table), tmp_path / "out", keep="first")
    kept = read(result.outputs[0])
    assert kept["n"].to_pylist() == [1, 2] and kept.schema == table.schema
    flat = kept["list"].combine_chunks().flatten()
    assert flat.cast(pyarrow.binary()).to_pylist() == texts.cast(pyarrow.binary()).to_pylist()[:2]


def test_dictionaries_of_an_arrow_file_are_checked_once(tmp_path, monkeypatch):
    values = pyarrow.array([RIVER, ICE, TRAM])
    schema = pyarrow.schema([("text", pyarrow.dictionary(pyarrow.int32(), pyarrow.string()))])
    with pyarrow.ipc.new_file(str(tmp_path / "a.arrow"), schema) as writer:
        for number in range(9):
            indices = pyarrow.array([number % 3], pyarrow.int32())
            writer.write_batch(pyarrow.record_batch([pyarrow.DictionaryArray.from_arrays(indices, values)], schema))
    checked = []
    check = paraprint.column_checks.ColumnChecker._check_dictionary

    def counted(self, name, dictionary):
        before = self._checked.get(name)
        check(self, name, dictionary)
        checked.append(self._checked[name] is not before)

    monkeypatch.setattr(paraprint.column_checks.ColumnChecker, "_check_dictionary", counted)
    with paraprint.table_files.opened(paraprint.stores.list_files(str(tmp_path / "a.arrow"), bool)[0]) as rows:
        assert sum(batch.rows.num_rows for batch in rows.batches()) == 9
    assert checked == [True] + [False] * 8


def test_indices_of_a_broken_arrow_file_are_not_followed(tmp_path):
    indices = pyarrow.array([0, 1, 77777], pyarrow.int32())
    column = pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array([RIVER, ICE]), safe=False)
    path = write(tmp_path / "a.arrow", pyarrow.table({"text": [RIVER, ICE, TRAM], "other": column}))
    with pytest.raises(paraprint.errors.CorruptDataError, match="a.arrow: "):
        paraprint.dedup(path, tmp_path / "out")


def test_batches_of_parquet_are_smaller_if_rows_share_long_texts(tmp_path, monkeypatch):
    monkeypatch.setattr(paraprint.table_files, "_BATCH_TEXT_BYTES", 100_000)
    long = "".join(f"{number} " for number in range(5000))[:10_000]
    shared = pyarrow.table({"text": [long] * 300, "id": [str(number) for number in range(300)]})
    path = write(tmp_path / "a.parquet", shared)
    with paraprint.table_files.opened(paraprint.stores.list_files(str(path), bool)[0]) as rows:
        sizes = [batch.rows.num_rows for batch in rows.batches()]
    assert sizes == [10] * 30
    result = paraprint.dedup(path, tmp_path / "out", keep="first")
    assert (result.pages, result.survivors, read(result.outputs[0]).num_rows) == (300, ["0"], 1)
    latin = pyarrow.Array.from_buffers(pyarrow.string(), 3, pyarrow.array([b"caf\xe9 " * 9999] * 3).buffers())
    path = write(tmp_path / "b.parquet", pyarrow.table({"text": latin}))
    assert paraprint.dedup(path, on_error="skip").skipped == {"not-utf8": 3}


def test_links_in_folders_and_names_that_are_not_utf8(tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    name = os.fsdecode(b"caf\xe9.csv")
    for folder, text in (("in", RIVER), ("in/deep", ICE)):
        write(tmp_path / folder / name, pyarrow.table({"text": [text, text]}))
    write(tmp_path / "aside.csv", pyarrow.table({"text": [TRAM]}))
    (tmp_path / "in" / "linked.csv").symlink_to("../aside.csv")
    (tmp_path / "in" / "none.csv").symlink_to("missing.csv")
    for number in range(9):
        (tmp_path / "in" / "deep" / f"up{number}").symlink_to("..")
    os.mkfifo(tmp_path / "in" / "pipe.csv")
    found = [file.label for file in paraprint.stores.list_files(str(tmp_path / "in"), lambda label: True)]
    assert found == [name, f"deep/{name}", "linked.csv"]


@pytest.mark.parametrize("name", ["x.parquet", "x.parquet.partial"])
def test_a_file_that_would_be_in_a_folder_of_the_name_of_another_one_is_refused(program, tmp_path, name):
    path = write(tmp_path / "x.parquet", pyarrow.table(ROWS))
    (tmp_path / "d" / name).mkdir(parents=True)
    others = pyarrow.table({**ROWS, "id": ["a", "b", "c", "d"]})
    write(tmp_path / "d" / name / "part-0.parquet", others)
    complaint = f"{path} and {tmp_path}/d/{name}/part-0.parquet cannot be written next to each other"
    with pytest.raises(paraprint.errors.InvalidArgumentError, match=complaint):
        paraprint.dedup([path, tmp_path / "d"], tmp_path / "out")
    with pytest.raises(paraprint.errors.InvalidArgumentError, match=complaint):
        paraprint.contaminated([path, tmp_path / "d"], path, tmp_path / "out", item_fields="text", records=True)
    done = command(program, "dedup", path, tmp_path / "d", "--out", tmp_path / "out")
    assert done.returncode == 2 and done.stderr.startswith(f"paraprint: {complaint}"), done.stderr
    assert not (tmp_path / "out").exists()
    assert paraprint.dedup([path, tmp_path / "d"], tmp_path / "out", records=False).pages == 8


@pytest.mark.parametrize("name", ["pages.jsonl", "pages.jsonl.partial"])
def test_a_folder_with_the_name_of_the_file_of_texts_is_refused(tmp_path, name):
    (tmp_path / "d" / name).mkdir(parents=True)
    path = write(tmp_path / "d" / name / "part-0.parquet", pyarrow.table(ROWS))
    complaint = f"^{path}: a run that trims writes a file {name} below records/"
    with pytest.raises(paraprint.errors.InvalidArgumentError, match=complaint):
        paraprint.dedup(tmp_path / "d", tmp_path / "out", trim=True)
    assert not (tmp_path / "out").exists()
    assert read(paraprint.dedup(tmp_path / "d", tmp_path / "out").outputs[0]).num_rows == 3


@pytest.mark.parametrize("out", ["out", "file://{}/out"])
def test_names_without_room_for_an_ending_are_written(tmp_path, out):
    (tmp_path / "d").mkdir()
    names = ["a" * 247 + ".parquet", "b" * 251 + ".csv"]
    for name in names:
        write(tmp_path / "d" / name, pyarrow.table({"text": ROWS["text"]}))
    given = tmp_path / out if out == "out" else out.format(tmp_path)
    result = paraprint.dedup(tmp_path / "d", given, tmp=str(tmp_path / "tmp"))
    assert sorted(os.listdir(tmp_path / "out" / "records")) == names and result.pages == 8


def test_a_full_disk_is_an_error_that_names_the_file(tmp_path, monkeypatch):
    path = write(tmp_path / "a.parquet", pyarrow.table({"text": [RIVER, RIVER]}))

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(paraprint.datasets, "replace_durably", full)
    with pytest.raises(paraprint.errors.NoSpaceError, match="removed.jsonl: No space left"):
        paraprint.dedup(path, tmp_path / "out")
    (tmp_path / "b.jsonl").write_text(json.dumps({"id": "q", "question": RIVER}) + "\n")
    with pytest.raises(paraprint.errors.NoSpaceError, match="contaminated.jsonl: No space left"):
        paraprint.contaminated(path, tmp_path / "b.jsonl", tmp_path / "found")


def test_a_file_that_changes_is_an_error(tmp_path):
    path = write(tmp_path / "a.csv", pyarrow.table(ROWS))

    def change(stage, *_):
        if stage != "fetching" and path.stat().st_mtime > 1000:
            path.write_text("text\nother\n")
            os.utime(path, (1000, 1000))

    with pytest.raises(paraprint.errors.CorruptDataError, match="a.csv: has changed since the run began"):
        paraprint.dedup(path, tmp_path / "out", progress=change)
    assert not (tmp_path / "out" / "records").exists()


def test_the_command_without_the_package_says_what_to_install(program, tmp_path):
    path = write(tmp_path / "a.csv", pyarrow.table(ROWS))
    for given in (path, "s3://bucket/a.warc.gz"):
        done = command(program, "dedup", given, "--out", tmp_path / "out", python=None)
        assert done.returncode == 2
        assert done.stderr == (f"paraprint: {given}: tables (Parquet, Arrow, CSV) and object stores need the command "
                               "of the Python package: pip install 'paraprint[arrow]'\n")
    done = command(program, "dedup", path, "--out", tmp_path / "out", python="/nowhere/python")
    assert done.returncode == 1 and "cannot start /nowhere/python" in done.stderr


def test_the_command_passes_on_all_options(program, tmp_path):
    path = write(tmp_path / "a.parquet", pyarrow.table({"doc": ["a", "b", "c"], "body": [RIVER, TRAM, RIVER.upper()],
                                                        "rank": [1.5, None, 2.5]}))
    done = command(program, "dedup", path, "--out", tmp_path / "out", "--id-field", "doc", "--text-field", "body",
                   "--keep", "score:rank:max", "--annotate", "--annotation-fields", "is_kept,kept_id=of",
                   "--no-report", "--quiet", "--preset", "seed-004", "--extractor", "whole-page")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    table = read(tmp_path / "out" / "records" / "a.parquet")
    assert table["is_kept"].to_pylist() == [False, True, True] and table["of"].to_pylist() == ["c", "b", "c"]
    assert not (tmp_path / "out" / "report").exists()
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert "blake2b" in json.dumps(summary) and "whole-page" in json.dumps(summary)
    done = command(program, "dedup", path, "--out", tmp_path / "other", "--id-field", "none")
    assert done.returncode == 2 and f"{path}: there is no column 'none'" in done.stderr


def test_python_modules_in_the_current_folder_are_not_imported(program, tmp_path):
    for name in ("json", "paraprint", "csv"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')")
    write(tmp_path / "a.csv", pyarrow.table(ROWS))
    done = command(program, "dedup", "a.csv", "--out", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_files_of_rows_and_others_do_not_mix(tmp_path):
    write(tmp_path / "a.csv", pyarrow.table(ROWS))
    (tmp_path / "b.jsonl").write_text("{}\n")
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="cannot mix files of rows .*a.csv"):
        paraprint.dedup([tmp_path / "a.csv", tmp_path / "b.jsonl"], tmp_path / "out")


PASSAGES = [RIVER, ICE, TRAM,
            "Whoever wants to borrow a book must show a card, which the library gives to everybody in the town.",
            "Snow fell on the hills during the night, and the road over the pass stayed shut until noon.",
            "For the soup, fry two onions in butter, add carrots and a litre of water, and let it boil for an hour."]


@pytest.mark.parametrize("annotate", [False, True])
@pytest.mark.parametrize("kind", ["string", "large_string", "binary", "string_view"])
def test_texts_are_trimmed_as_in_json_lines(tmp_path, kind, annotate):
    texts = ["\n\n".join(PASSAGES[:3]), "\n\n".join([PASSAGES[3], PASSAGES[1] + "  ", PASSAGES[4]]), None,
             "\n\n".join(PASSAGES[:3]), PASSAGES[2] + "\n" + PASSAGES[5]]
    html = "<p>" + f"{PASSAGES[0]}</p><p>{PASSAGES[5]} Then serve it with bread and cheese while it is hot.</p>"
    lines = tmp_path / "a.jsonl"
    rows = [{"id": str(n), "text": text} for n, text in enumerate(texts) if text] + [{"id": "h", "html": html}]
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = {"trim": True, "keep": "first", "annotate": annotate, "trim_characters": 50}
    expected = paraprint.dedup(lines, tmp_path / "expected", **options)
    column = pyarrow.array([*texts, None]).cast(getattr(pyarrow, kind)())
    table = pyarrow.table({"id": [*map(str, range(5)), "h"], "text": column, "html": [None] * 5 + [html]})
    path = write(tmp_path / "a.arrow", table)
    result = paraprint.dedup(path, tmp_path / "out", on_error="skip", **options)
    assert list(result.trimmed()) == list(expected.trimmed()) and len(list(result.trimmed())) >= 3
    written = read(result.outputs[0])
    records = [json.loads(line) for line in (tmp_path / "expected" / "records" / "a.jsonl").read_text().splitlines()]
    found = {name: text.decode() if isinstance(text, bytes) else text
             for name, text in zip(written["id"].to_pylist(), written["text"].to_pylist())}
    assert written["text"].type == column.type
    found.pop("2", None)
    assert found == {row["id"]: row.get("text") for row in records}
    assert any(text != table["text"][int(name)].as_py() for name, text in found.items() if name in "014")
    assert sorted(path.name for path in (tmp_path / "out" / "records").iterdir()) == ["a.arrow"]
    assert (tmp_path / "out" / "texts.jsonl").read_bytes() == (tmp_path / "expected" / "texts.jsonl").read_bytes()


def test_pandas_is_not_loaded_for_files(tmp_path):
    """It takes a third of a second, and only frames need it."""
    path = write(tmp_path / "a.parquet", pyarrow.table(ROWS))
    code = ("import sys, paraprint; paraprint.dedup(sys.argv[1], sys.argv[2]); "
            "paraprint.contaminated(sys.argv[1], sys.argv[1], sys.argv[3], item_fields='text', records=True); "
            "print('pandas' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", code, path, tmp_path / "out", tmp_path / "found"], capture_output=True,
                          text=True)
    assert done.stdout == "False\n", done.stderr
