"""Runs that know the pages of earlier ones: same bytes as the program with an index; folders that are not usable."""

import json
import shutil
import subprocess
import sys
import types

import pytest

import paraprint

pyarrow = pytest.importorskip("pyarrow", reason="the folder has Parquet files")
import pyarrow.parquet  # noqa: E402

from paraprint.stages import known  # noqa: E402
from paraprint.stages.__main__ import main  # noqa: E402
from paraprint.stages.job_array import JobArray, start  # noqa: E402
from paraprint.stages.known import KnownFolder, export_index, import_index  # noqa: E402

TABLES = ("clusters.tsv", "matches.tsv", "removed.jsonl")
MEMORY_BYTES = 1 << 20


@pytest.fixture
def demo(root):
    return [str(root / "examples" / "demo-crawl" / f"{name}.warc.gz") for name in ("first", "second", "third")]


@pytest.fixture
def runs(tmp_path):
    """Runs of job arrays in this process."""

    class Runs:
        def __init__(self):
            self.number = 0

        def run(self, inputs, known, partitions=2, **options):
            self.number += 1
            self.work = tmp_path / f"work-{self.number}"
            self.out = tmp_path / f"out-{self.number}"
            start(str(self.work), str(self.out), inputs, partitions, options, known and str(known))
            self.end()
            return tables_of(self.out)

        def end(self, until=None):
            while (step := JobArray(str(self.work)).next_step()) and step.name != until:
                for number in step.numbers:
                    JobArray(str(self.work)).run_task(step.name, number)

    return Runs()


def tables_of(folder):
    return {name: (folder / name).read_bytes() for name in TABLES}


def run_program(program, inputs, out, index, *options):
    subprocess.run([program, "dedup", *inputs, "--out", out, "--index", index, "--quiet", *options], check=True)
    return tables_of(out)


def flip(path, place):
    """Changes a bit of a file."""
    whole = path.read_bytes()
    place %= len(whole)
    path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])


def known_removals(tables):
    return [row for row in map(json.loads, tables["removed.jsonl"].splitlines()) if row["reason"] == "known"]


@pytest.mark.parametrize("partitions", [1, 3])
def test_an_index_and_the_folder_made_of_it_know_the_same(program, demo, runs, tmp_path, partitions):
    run_program(program, demo[:1], tmp_path / "one", tmp_path / "index")
    texts = import_index(str(tmp_path / "index"), str(tmp_path / "known"), str(tmp_path), MEMORY_BYTES)
    assert texts > 10
    expected = run_program(program, demo[1:], tmp_path / "two", tmp_path / "index")
    tables = runs.run(demo[1:], tmp_path / "known", partitions)
    assert tables == expected
    assert known_removals(tables)
    # All that stays of a crawl is known when it comes again.
    again = runs.run(demo[1:], tmp_path / "known", partitions)
    pages = {line.split(b"\t")[0] for line in again["clusters.tsv"].splitlines()}
    first, second, third = KnownFolder(str(tmp_path / "known")).runs()
    assert first.texts == texts and second.texts > 0
    assert third.texts < len(pages) / 4


def test_each_run_is_known_to_the_next(program, demo, runs, tmp_path):
    for crawl in demo:
        out = tmp_path / f"program-{crawl.rpartition('/')[2]}"
        expected = run_program(program, [crawl], out, tmp_path / "index", "--no-boilerplate", "--near", "0.7")
        assert runs.run([crawl], tmp_path / "known", boilerplate=False, near=0.7) == expected
    runs_added = KnownFolder(str(tmp_path / "known")).runs()
    assert len(runs_added) == 3
    for run in runs_added:
        stored = {path.name for path in (tmp_path / "known" / run.name).glob("*/*")}
        assert stored == {file for files in run.tables.values() for file, _, _ in files}


def test_files_of_tasks_that_ran_twice_do_not_stay(demo, runs, tmp_path):
    known = tmp_path / "known"
    runs.run(demo[:1], known)
    runs.work = tmp_path / "work"
    start(str(runs.work), str(tmp_path / "out"), demo[2:3], 2, {}, str(known))
    runs.end(until="remembered.remember")
    for number in (0, 0, 1):
        JobArray(str(runs.work)).run_task("remembered.remember", number)
    runs.end()
    run = KnownFolder(str(known)).runs()[1]
    stored = {path.name for path in (known / run.name).glob("*/*")}
    assert stored == {file for files in run.tables.values() for file, _, _ in files} and run.texts > 0


def test_a_folder_becomes_an_index(program, demo, runs, tmp_path):
    runs.run(demo[:1], tmp_path / "known", boilerplate=False)
    texts, left_out = export_index(str(tmp_path / "known"), str(tmp_path / "index"))
    assert left_out == 0 and texts == KnownFolder(str(tmp_path / "known")).runs()[0].texts
    expected = runs.run(demo[1:], tmp_path / "known", boilerplate=False)
    made = run_program(program, demo[1:], tmp_path / "two", tmp_path / "index", "--no-boilerplate")
    assert made == expected and known_removals(made)


def test_commands(program, demo, tmp_path):
    def call(*arguments):
        command = [sys.executable, "-m", "paraprint.stages", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True)

    run_program(program, demo[:1], tmp_path / "one", tmp_path / "index")
    imported = call("import-known", tmp_path / "index", tmp_path / "known", "--memory", "64MiB")
    assert imported.returncode == 0 and "known texts added" in imported.stderr
    work = tmp_path / "work"
    begun = call("start", work, "--out", tmp_path / "out", "--partitions", 1, "--known", tmp_path / "known", demo[1])
    assert begun.returncode == 0, begun.stderr
    ran = call("run", work)
    assert ran.returncode == 0, ran.stderr
    expected = run_program(program, demo[1:2], tmp_path / "two", tmp_path / "index")
    assert tables_of(tmp_path / "out") == expected
    exported = call("export-known", tmp_path / "known", tmp_path / "made")
    assert exported.returncode == 0 and "known texts added" in exported.stderr
    for command in ("start", "next", "task", "run", "import-known", "export-known", "merge-known"):
        assert f"example: python -m paraprint.stages {command} " in call(command, "--help").stdout
    unclear = call("import-known", tmp_path / "index", tmp_path / "more", "--memory", "much")
    assert unclear.returncode == 1 and "much" in unclear.stderr and not (tmp_path / "more").exists()
    nothing = call("export-known", tmp_path / "nothing", tmp_path / "made")
    assert nothing.returncode == 1 and "has no known pages" in nothing.stderr


def test_runs_at_the_same_time_are_both_added(demo, runs, tmp_path):
    known = tmp_path / "known"
    start(str(tmp_path / "slow"), str(tmp_path / "slow-out"), demo[:1], 1, {}, str(known))
    runs.run(demo[1:2], known)
    runs.work = tmp_path / "slow"
    runs.end()
    assert [name.partition("-")[0] for name in sorted(file.name for file in known.glob("*.json"))] == ["00000001"] * 2
    assert known_removals(runs.run(demo[:2], known))


def test_a_run_that_is_not_done_changes_nothing(demo, runs, tmp_path):
    known = tmp_path / "known"
    runs.run(demo[:1], known)
    before = sorted(file.name for file in known.glob("*.json"))
    runs.work = tmp_path / "killed"
    start(str(runs.work), str(tmp_path / "killed-out"), demo[1:2], 1, {}, str(known))
    runs.end(until="output")
    assert sorted(file.name for file in known.glob("*.json")) == before
    expected = runs.run(demo[1:2], known)
    # It still knows only what was there when it began.
    runs.work = tmp_path / "killed"
    runs.end()
    assert tables_of(tmp_path / "killed-out") == expected


def test_folders_that_cannot_be_used(demo, runs, tmp_path):
    known = tmp_path / "known"
    runs.run(demo[:1], known)
    (described,) = known.glob("*.json")
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="other settings .* choose another folder"):
        start(str(tmp_path / "other"), str(tmp_path / "o"), demo[1:], 1, {"anchor_characters": 40}, str(known))
    with pytest.raises(paraprint.errors.UnsupportedError, match="algorithm is 'minhash'"):
        start(str(tmp_path / "other"), str(tmp_path / "o"), demo[1:], 1, {"algorithm": "minhash"}, str(known))
    content = described.read_text()
    written = json.loads(content)
    table = written["tables"]["texts"]
    without_checksum = {name: value for name, value in written.items() if name != "checksum"}
    wrong = [(json.dumps({**without_checksum, "format": 3}), "not a run that this version")]
    damaged = (content[:-20], content.replace("1", "2", 1), "[]", "null[", "[" * 100_000, '{"format": Infinity}')
    wrong += [(text, "restore it") for text in (*damaged, '{"format": 1}')]
    for member, value in (("identity", None), ("tables", None), ("tables", {"others": table}), ("numbers", -1),
                          ("tables", {"texts": [["../../x.parquet", 0, 1]]}), ("tables", {"texts": [[table[0][0], 1]]}),
                          ("tables", {"../x": table}), ("texts", 1.5), ("texts", "7")):
        left = {name: of_run for name, of_run in without_checksum.items() if name != member}
        wrong.append((json.dumps(left if value is None else {**left, member: value}), "is damaged.*restore it"))
    for text, complaint in wrong:
        described.write_text(text)
        with pytest.raises(paraprint.errors.Error, match=f"{described.name}: .*({complaint})"):
            start(str(tmp_path / "other"), str(tmp_path / "o"), demo[1:], 1, {}, str(known))
    described.write_text(content)
    (known / "notes.json").write_text("{}")
    with pytest.raises(paraprint.errors.Error, match="notes.json"):
        start(str(tmp_path / "other"), str(tmp_path / "o"), demo[1:], 1, {}, str(known))


@pytest.mark.parametrize("table, step", [("exact", "known.find-exact"), ("texts", "known.fetch-known")])
def test_damaged_tables(demo, runs, tmp_path, table, step):
    known = tmp_path / "known"
    runs.run(demo[:1], known, 1)
    runs.work = tmp_path / "work"
    start(str(runs.work), str(tmp_path / "out"), demo[:1], 1, {}, str(known))
    (file,) = known.glob(f"*/{table}/*.parquet")
    shutil.copy(file, tmp_path / "whole")
    for damage in ("cut", "flipped", "flipped at its end", "missing"):
        shutil.copy(tmp_path / "whole", file)
        if damage == "cut":
            file.write_bytes(file.read_bytes()[:-100])
        elif damage == "missing":
            file.unlink()
        else:
            flip(file, 400 if damage == "flipped" else -100)
        with pytest.raises(paraprint.errors.CorruptDataError, match=f"{file.name}.*restore it"):
            runs.end()
        assert JobArray(str(runs.work)).next_step().name == step
    shutil.copy(tmp_path / "whole", file)
    runs.end()
    assert known_removals(tables_of(tmp_path / "out"))


def test_only_blocks_that_may_have_a_key_are_read(demo, runs, tmp_path, monkeypatch):
    """A crawl of one page reads hardly anything of what is known."""
    known = tmp_path / "known"
    pages = [json.dumps({"id": f"p{n}", "text": " ".join(f"w{n}x{m}" for m in range(300))}) for n in range(1500)]
    (tmp_path / "many.jsonl").write_text("\n".join(pages) + "\n")
    (tmp_path / "one.jsonl").write_text(pages[700].replace("p700", "again") + "\n")
    runs.run([str(tmp_path / "many.jsonl")], known)
    (run,) = KnownFolder(str(known)).runs()
    blocks = {
        table: sum(pyarrow.parquet.ParquetFile(known / run.name / table / file[0]).num_row_groups for file in files)
        for table, files in run.tables.items()
    }
    assert blocks["texts"] > 3
    read = []
    from paraprint.stages.parts import StoredRows

    original = StoredRows.read
    monkeypatch.setattr(StoredRows, "read", lambda self, *given: read.append(self._path) or original(self, *given))
    tables = runs.run([str(tmp_path / "one.jsonl")], known)
    assert [row["kept_id"] for row in known_removals(tables)] == ["p700"]
    assert sum(f"{run.name}/texts" in path for path in read) == 1
    for table, count in blocks.items():  # a page with one paragraph is found by two exact keys
        assert sum(f"{run.name}/{table}" in path for path in read) <= min(count, 2 if table == "exact" else 1000)


def test_pages_that_an_index_cannot_have_are_told(demo, runs, tmp_path, monkeypatch, capsys):
    """Those of long names, which folders of earlier versions have (tests/distribute/known_run_test.cc)."""
    runs.run(demo[:1], tmp_path / "known")

    class Opened:
        def add_known_texts(self, block):
            return 5, 1

        def sync(self):
            pass

    index = types.SimpleNamespace(OpenedIndex=types.SimpleNamespace(create=lambda *_: Opened()))
    monkeypatch.setattr(known, "_core", index)
    blocks = len(list(KnownFolder(str(tmp_path / "known")).texts()))
    assert main(["export-known", str(tmp_path / "known"), str(tmp_path / "index")]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[0].endswith(f"index: {5 * blocks} known texts added")
    assert said[1] == (f"{blocks} known texts left out: an index takes no page with so long an id, URL or date, or "
                       "with so many search keys")
