"""Runs as arrays of jobs that share a folder: same bytes as the program, tasks that fail, folders of other runs."""

import json
import os
import re
import subprocess
import sys
import types

import pytest

import paraprint

pyarrow = pytest.importorskip("pyarrow", reason="the folder has Parquet files")
import pyarrow.fs  # noqa: E402
import pyarrow.parquet  # noqa: E402

from paraprint import stores  # noqa: E402
from paraprint.stages import tasks  # noqa: E402
from paraprint.stages.__main__ import main  # noqa: E402
from paraprint.stages.job_array import JobArray, start  # noqa: E402
from paraprint.stages.parts import Part  # noqa: E402
from paraprint.stages.storage import WorkFolder  # noqa: E402

TABLES = ("clusters.tsv", "matches.tsv", "removed.jsonl")


@pytest.fixture
def demo(root):
    return [str(root / "examples" / "demo-crawl" / f"{name}.warc.gz") for name in ("first", "second", "third", "odd")]


def run_steps(work):
    """Runs all steps in this process, tasks from the last to the first."""
    steps = []
    while step := JobArray(work).next_step():
        steps.append(step.name)
        for number in reversed(step.numbers):
            JobArray(work).run_task(step.name, number)
    return steps


def forge(path, **members):
    """Changes members of a JSON file, as its writer of an earlier version might have written it: without checksum."""
    stored = json.loads(path.read_text())
    del stored["checksum"]
    path.write_text(json.dumps({**stored, **members}))


def tables_of(folder):
    return {name: (folder / name).read_bytes() for name in TABLES}


@pytest.mark.parametrize(
    "partitions, options", [(1, {}), (3, {"near": "0.8", "boilerplate": False, "evidence": True})]
)
def test_same_bytes_as_the_program(program, demo, tmp_path, partitions, options):
    arguments = ["--near", "0.8", "--no-boilerplate"] if options else []
    subprocess.run([program, "dedup", *demo, "--out", tmp_path / "one", "--quiet", *arguments], check=True)
    start(str(tmp_path / "work"), str(tmp_path / "out"), demo, partitions, options)
    steps = run_steps(str(tmp_path / "work"))
    assert tables_of(tmp_path / "out") == tables_of(tmp_path / "one")
    assert (tmp_path / "out" / "matches.jsonl").exists() == bool(options)
    if options:
        assert (tmp_path / "out" / "matches.jsonl").read_bytes() == (tmp_path / "one" / "matches.jsonl").read_bytes()
    kept = pyarrow.parquet.read_table(tmp_path / "out" / "survivors")["id"].to_pylist()
    clusters = [line.split("\t")[0] for line in (tmp_path / "one" / "clusters.tsv").read_text().splitlines()]
    removed = [json.loads(line)["id"] for line in (tmp_path / "one" / "removed.jsonl").read_text().splitlines()]
    assert sorted(kept) == sorted(set(clusters) - set(removed))
    assert steps[0] == "profiles" and steps[-1] == "output" and "matches.verify" in steps
    assert ("paragraphs.boilerplate" in steps) == (not options)


@pytest.mark.parametrize("algorithm", ["minhash:threshold=0.5", "simhash-64", "digest-bytes", "spotsigs", "shingle"])
def test_page_level_algorithms(program, demo, tmp_path, algorithm):
    arguments = ["--algorithm", algorithm, "--no-paragraphs", "--no-evidence", "--no-report", "--no-records", "--quiet"]
    subprocess.run([program, "dedup", *demo, "--out", tmp_path / "one", *arguments], check=True)
    start(str(tmp_path / "work"), str(tmp_path / "out"), demo, 3, {"algorithm": algorithm, "paragraphs": False})
    steps = run_steps(str(tmp_path / "work"))
    assert tables_of(tmp_path / "out") == tables_of(tmp_path / "one")
    assert "matches.verify" in steps and "paragraphs.boilerplate" not in steps
    assert ("matches.hamming" in steps) == (algorithm == "simhash-64")
    assert ("matches.join-sets" in steps) == (algorithm in ("spotsigs", "shingle"))


def test_commands(program, demo, tmp_path):
    def call(*arguments):
        command = [sys.executable, "-m", "paraprint.stages", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True)

    work = tmp_path / "work"
    assert call("start", work, "--out", tmp_path / "out", "--partitions", 2, *demo[:3], "--near", "0.7").returncode == 0
    assert call("next", work).stdout == "profiles 0,1\n"
    assert call("task", work, "profiles", 1).returncode == 0
    assert call("next", work).stdout == "profiles 0\n"
    early = call("task", work, "repeats.texts", 0)
    assert early.returncode == 1
    assert early.stderr.endswith("step repeats.texts, task 0: step profiles: task 0 has not reported yet\n")
    ran = call("run", work, "--processes", 2)
    assert ran.returncode == 0, ran.stderr
    assert call("next", work).stdout == ""
    subprocess.run([program, "dedup", *demo[:3], "--out", tmp_path / "one", "--quiet", "--near", "0.7"], check=True)
    assert tables_of(tmp_path / "out") == tables_of(tmp_path / "one")


def test_a_task_that_runs_twice_and_a_damaged_parcel(demo, tmp_path):
    work = str(tmp_path / "work")
    start(work, str(tmp_path / "out"), demo[:2], 2, {})
    while (step := JobArray(work).next_step()).name != "keys.exact":
        for number in step.numbers:
            JobArray(work).run_task(step.name, number)
            JobArray(work).run_task(step.name, number)  # as if the batch system had lost it
    parts = [report["file"] for report in map(json.loads, (path.read_text() for path in
                                                           (tmp_path / "work" / "keys.keys").glob("*.json")))]
    for part in parts:
        path = tmp_path / "work" / "keys.keys" / part
        whole = path.read_bytes()
        path.write_bytes(whole[:300] + bytes([whole[300] ^ 1]) + whole[301:])  # a byte of its first parcel
    with pytest.raises(paraprint.errors.CorruptDataError, match="keys.keys/part-.*start over"):
        JobArray(work).run_task("keys.exact", step.numbers[0])
    os.remove(tmp_path / "work" / "keys.keys" / parts[0])
    with pytest.raises(paraprint.errors.CorruptDataError, match="keys.keys/part-"):
        for number in step.numbers:
            JobArray(work).run_task("keys.exact", number)


@pytest.mark.parametrize("statistics", [None, ["partition"]])
def test_no_flipped_bit_of_a_part_is_read_as_something_else(tmp_path, statistics):
    work = WorkFolder(str(tmp_path))
    work.create("keys")
    written = [("exact", 3, bytes(range(200))), ("near", 4, b"")]
    with work.new_part("keys", tasks.PARCELS, statistics) as part:
        for row in written:
            part.write(*row)
    path = tmp_path / "keys" / part.file
    whole = path.read_bytes()

    def read():
        places = [("keys", part.file, row) for row in range(len(written))]
        found = list(work.stored_rows(places, ["kind", "partition", "payload"]))
        with work.open_rows("keys", part.file) as rows:
            numbers = rows.statistics(["partition"]) if statistics else []
        return found, numbers

    expected = read()
    assert expected == (written, [[3], [4]] if statistics else [])
    caught = 0
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        try:
            assert read() == expected, place
        except paraprint.errors.CorruptDataError as error:
            assert f"keys/{part.file}: " in str(error) and "start over" in str(error)
            caught += 1
    assert caught > len(whole) / 2


def test_whole_files_with_wrong_content_are_named(demo, tmp_path):
    """Whatever the core says of it."""
    start(str(tmp_path / "work"), str(tmp_path / "out"), demo[:1], 1, {})
    array = JobArray(str(tmp_path / "work"))
    while (step := array.next_step()).name != "keys.exact":
        array.run_task(step.name, 0)
    report = array.work.read_object("keys.keys/report-0.json")
    with array.work.new_part("keys.keys", tasks.PARCELS) as part:
        for kind, partition in report["parcels"]:
            part.write(kind, partition, b"\xff" * 7)
    os.replace(tmp_path / "work" / "keys.keys" / part.file, tmp_path / "work" / "keys.keys" / report["file"])
    with pytest.raises(paraprint.errors.CorruptDataError, match=f"keys.keys/{report['file']}: .*damaged.*start over"):
        array.run_task("keys.exact", 0)


def test_parts_of_earlier_versions_are_read(tmp_path):
    work = WorkFolder(str(tmp_path))
    work.create("keys")
    rows = pyarrow.table([["exact"], [3], [b"bytes"]], schema=tasks.PARCELS)
    pyarrow.parquet.write_table(rows, tmp_path / "keys" / "part-0.parquet", compression="lz4")
    assert list(work.rows("keys", [("part-0.parquet", 0)], ["payload"])) == [(b"bytes",)]


@pytest.mark.parametrize("damage", ["short", "changed", "missing"])
def test_a_damaged_part_of_a_table(demo, tmp_path, damage):
    work = str(tmp_path / "work")
    start(work, str(tmp_path / "out"), demo[:2], 2, {})
    while (step := JobArray(work).next_step()).name != "output":
        for number in step.numbers:
            JobArray(work).run_task(step.name, number)
    part = sorted((tmp_path / "work" / "parts").iterdir())[0]
    whole = part.read_bytes()
    if damage == "missing":
        part.unlink()
    else:
        part.write_bytes(whole[:-1] if damage == "short" else whole[:5] + b"\0" + whole[6:])
    with pytest.raises(paraprint.errors.CorruptDataError, match=f"/parts/{part.name}: .*start over"):
        JobArray(work).run_task("output", 0)
    assert JobArray(work).next_step() == step
    part.write_bytes(whole)
    JobArray(work).run_task("output", 0)
    assert whole in b"".join((tmp_path / "out" / name).read_bytes() for name in TABLES)


_WITHOUT_SPACE = """
import os, resource, sys
from paraprint.stages.__main__ import main
from paraprint.stages.storage import WorkFolder
from paraprint.stages.tasks import PARCELS

resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
if sys.argv[2] == "store":
    with WorkFolder(sys.argv[3]).new_part("keys", PARCELS) as part:
        part.write("exact", 0, os.urandom(100_000))
sys.exit(main(sys.argv[2:]))
"""


def test_full_disks_and_damaged_descriptions_are_named(demo, tmp_path):
    work = str(tmp_path / "work")
    start(work, str(tmp_path / "out"), demo[:2], 2, {})

    def run(limit, *arguments):
        command = [sys.executable, "-c", _WITHOUT_SPACE, str(limit), *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    done = run(1000, "task", work, "profiles", "0")
    assert done.returncode == 1
    said = "paraprint.stages: step profiles, task 0: cannot write /.*: File too large\n"
    assert re.fullmatch(said, done.stderr), done.stderr
    (tmp_path / "store" / "keys").mkdir(parents=True)
    done = run(1000, "store", str(tmp_path / "store"))
    said = f"paraprint.errors.NoSpaceError: {tmp_path}/store/keys/part-.*: .*File too large"
    assert re.search(said, done.stderr), done.stderr
    assert JobArray(work).next_step().numbers == [0, 1]  # nothing counts that was not written whole
    assert run(1 << 30, "task", work, "profiles", "0").returncode == 0
    for name in ("profiles/report-0.json", "run.json"):
        whole = (tmp_path / "work" / name).read_text()
        (tmp_path / "work" / name).write_text(whole[: len(whole) // 2])
        with pytest.raises(paraprint.errors.CorruptDataError, match=f"^{work}/{name}: .*; start over"):
            JobArray(work).next_step()
        (tmp_path / "work" / name).write_text(whole)


def test_a_changed_digit_of_a_description_is_noticed(demo, tmp_path):
    work = tmp_path / "work"
    start(str(work), str(tmp_path / "out"), demo[:1], 1, {})
    JobArray(str(work)).run_task("profiles", 0)
    for name in ("profiles/report-0.json", "run.json"):
        whole = (work / name).read_text()
        for place, digit in enumerate(whole):
            if digit.isdigit():
                (work / name).write_text(whole[:place] + str((int(digit) + 1) % 10) + whole[place + 1 :])
                with pytest.raises(paraprint.errors.Error, match=f"^{work}(/{name})?: .*start over"):
                    JobArray(str(work)).next_step()
        (work / name).write_text(whole)
    assert JobArray(str(work)).next_step().name != "profiles"


def test_descriptions_without_what_they_must_have_are_named(demo, tmp_path, capsys):
    work = tmp_path / "work"
    start(str(work), str(tmp_path / "out"), demo[:1], 1, {})
    JobArray(str(work)).run_task("profiles", 0)
    whole = {name: (work / name).read_text() for name in ("run.json", "profiles/report-0.json")}
    run, report = (json.loads(text) for text in whole.values())
    for stored in (run, report):
        del stored["checksum"]
    no_objects = ("", "[]", "null[", "[" * 100_000, "7", "{}", '{"a": Infinity}')
    wrong = [(name, text) for name in whole for text in no_objects]
    wrong += [("run.json", json.dumps({**run, "partitions": number})) for number in (0, -1, "2", 1.5)]
    for name, stored in (("run.json", run), ("profiles/report-0.json", report)):
        for member in ("options", "identity", "inputs", "file", "ids", "counters"):
            if member in stored:
                wrong.append((name, json.dumps({**stored, member: None})))
    for member, value in (("file", "../../x"), ("inputs", [[0, 0, -5, 1, 10]]), ("inputs", [[0, 0]]), ("ids", ["zz"]),
                          ("parcels", [["keys", "0"]]), ("attempts", [["0" * 32, ["../../x"]]]),
                          ("attempts", [["../x", ["a"]]]), ("known", {"../x": []}), ("outcome", "/etc/passwd")):
        wrong.append(("profiles/report-0.json", json.dumps({**report, member: value})))
    for name, text in wrong:
        (work / name).write_text(text)
        assert main(["next", str(work)]) == 1, text[:100]
        assert re.search(f"^paraprint.stages: {work}(/{name})?: .*start over", capsys.readouterr().err), text[:100]
        (work / name).write_text(whole[name])


def test_batches_are_stored_as_they_come(demo, tmp_path, monkeypatch):
    """What a task of profiles holds does not grow with its inputs."""
    stored, waiting = [], []

    class Stage:
        def profile_file(self, source, index, visit):
            for batch in range(3):
                notes = json.dumps({"counters": {}, "broken_records": 0, "broken": [], "is_unreadable": False})
                visit((batch, b"facts", b"profiles", notes, []))  # the first batch has no pages
                waiting.append(batch - len(stored))

    monkeypatch.setattr(Part, "write", lambda self, *row: stored.append(row[:3]) or len(stored) - 1)
    stages = types.SimpleNamespace(create=lambda *_: Stage())
    core = types.SimpleNamespace(ProfileStage=stages, DividedOptions=tasks._core.DividedOptions)
    monkeypatch.setattr(tasks, "_core", core)
    task = tasks.Task("profiles", {}, str(tmp_path), "profiles", 1, words=tasks.Given(b""))
    (report,) = map(json.loads, tasks.profile_files(task, demo[:2], [[0, 1]]))
    assert waiting == [0, 0, 0, -2, -2, -2]
    assert stored == [(0, 1, 1), (0, 2, 2), (1, 1, 1), (1, 2, 2)]
    assert report["inputs"] == [[0, 1, 0, 2, 3], [1, 1, 2, 2, 3]]


def test_a_batch_that_cannot_be_stored_ends_the_task(demo, tmp_path, monkeypatch):
    start(str(tmp_path / "work"), str(tmp_path / "out"), demo[:1], 1, {})

    def fail(*_):
        raise paraprint.errors.NoSpaceError("part-0: no space left")

    monkeypatch.setattr(Part, "write", fail)
    with pytest.raises(paraprint.errors.NoSpaceError, match="part-0: no space left"):
        JobArray(str(tmp_path / "work")).run_task("profiles", 0)
    monkeypatch.undo()
    JobArray(str(tmp_path / "work")).run_task("profiles", 0)
    assert JobArray(str(tmp_path / "work")).next_step().name != "profiles"


def test_broken_records_and_inputs_that_end_early_are_told(program, demo, tmp_path, capfd):
    """As by the program: its line, and its exit code."""
    cut = tmp_path / "cut.warc"
    cut.symlink_to("/proc/self/mem")  # its first byte cannot be read
    inputs, out, work = [demo[3], str(cut)], tmp_path / "out", str(tmp_path / "work")
    told = subprocess.run([program, "dedup", *inputs, "--out", tmp_path / "one", "--no-report"], capture_output=True,
                          text=True)
    assert told.returncode == 3
    start(work, str(out), inputs, 2, {})
    while (step := JobArray(work).next_step()).name != "output":
        for number in step.numbers:
            assert main(["task", work, step.name, str(number)]) == 0
    capfd.readouterr()
    assert main(["task", work, "output", "0"]) == 3
    said = capfd.readouterr().err
    (line,) = [line for line in told.stderr.splitlines() if "broken records" in line]
    assert line.replace(f"{tmp_path}/one/summary.json", f"{out}/metrics.json") in said.splitlines()
    (line,) = [line for line in told.stderr.splitlines() if line.startswith("paraprint: ")]
    assert line in said.splitlines()
    assert main(["run", work]) == 3 and JobArray(work).next_step() is None
    metrics = json.loads((out / "metrics.json").read_text())
    lines = {name: len((tmp_path / "one" / name).read_text().splitlines()) for name in TABLES}
    assert metrics["unreadable"] == [str(cut)] and str(cut) in "".join(metrics["broken"])
    assert metrics["pages"] == lines["clusters.tsv"] == metrics["kept"] + lines["removed.jsonl"]
    assert metrics["counters"]["reading"]["broken_records"] == len(metrics["broken"])


def test_a_name_that_is_no_utf8_is_named(demo, tmp_path):
    folder = tmp_path / "crawl"
    folder.mkdir()
    (folder / os.fsdecode(b"caf\xe9.jsonl")).write_text('{"id": "a", "text": "some words"}\n')
    with pytest.raises(paraprint.errors.InvalidArgumentError, match=r"crawl/caf\\udce9.jsonl: its name is not UTF-8"):
        start(str(tmp_path / "work"), str(tmp_path / "out"), [str(folder)], 1, {})


def test_a_folder_that_lists_its_files_late(program, demo, tmp_path, monkeypatch):
    """As of file systems that are caches: what is asked for by name is there, and not yet in the list."""
    from paraprint.stages import storage

    subprocess.run([program, "dedup", *demo[:2], "--out", tmp_path / "one", "--quiet"], check=True)
    work = str(tmp_path / "work")
    start(work, str(tmp_path / "out"), demo[:2], 2, {})

    def none_listed(*_, **__):
        raise AssertionError("a task listed a folder")

    monkeypatch.setattr(storage.pyarrow.fs, "FileSelector", none_listed)
    run_steps(work)
    assert tables_of(tmp_path / "out") == tables_of(tmp_path / "one")


def test_what_cannot_be_run_is_rejected(demo, tmp_path):
    work, out = str(tmp_path / "work"), str(tmp_path / "out")
    with pytest.raises(paraprint.errors.UnsupportedError, match="idf is 'corpus'"):
        start(work, out, demo, 2, {"idf": "corpus"})
    with pytest.raises(paraprint.errors.UnsupportedError, match="algorithm is 'scam'"):
        start(work, out, demo, 2, {"algorithm": "scam"})
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="partitions is 0"):
        start(work, out, demo, 0, {})
    assert not os.path.exists(work)
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="contains no run"):
        JobArray(work)
    start(work, out, demo, 2, {})
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="is not empty"):
        start(work, out, demo, 2, {})
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="no task 7"):
        JobArray(work).run_task("profiles", 7)
    forge(tmp_path / "work" / "run.json", identity="of an earlier version")
    with pytest.raises(paraprint.errors.UnsupportedError, match="another version of paraprint"):
        JobArray(work)


class _WithoutReplacing:
    """A file system like HDFS, which does not rename to a name that exists."""

    type_name = "hdfs"

    def __init__(self):
        self._local = pyarrow.fs.LocalFileSystem()

    def __getattr__(self, name):
        return getattr(self._local, name)

    def move(self, source, target):
        if os.path.exists(target):
            raise OSError(f"{target} exists")
        os.rename(source, target)


@pytest.mark.parametrize("kind", [pyarrow.fs.LocalFileSystem, _WithoutReplacing])
def test_two_attempts_at_one_report(kind, tmp_path):
    file_system, path = kind(), tmp_path / "report-0.json"
    with stores.whole_file(file_system, str(path), "first") as first:
        with stores.whole_file(file_system, str(path), "second") as second:
            for name in (first, second):
                with open(name, "w") as file:
                    file.write(os.path.basename(name))
        assert path.read_text() == os.path.basename(second)
    assert path.read_text() == os.path.basename(first)
    assert os.listdir(tmp_path) == [path.name]


def test_profiles_that_are_lost_are_noticed():
    tasks.check_profiles("matches", {"profiles_sent": 3, "profiles_received": 3})
    with pytest.raises(paraprint.errors.CorruptDataError, match="stage matches: 3 profiles were sent, but 2 were rec"):
        tasks.check_profiles("matches", {"profiles_sent": 3, "profiles_received": 2})
