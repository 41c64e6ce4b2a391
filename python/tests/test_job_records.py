"""Records of arrays of jobs: the archives without the removed pages, with the bytes of the program."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import types

import pytest

import paraprint

pytest.importorskip("pyarrow", reason="the folder has Parquet files")

from paraprint.stages import revisits as stage  # noqa: E402
from paraprint.stages import ranges, storage, tables, tasks  # noqa: E402
from paraprint.stages.job_array import JobArray, start  # noqa: E402
from paraprint.stages.output_folder import MARKER, METRICS, OUTPUT_NAMES  # noqa: E402

#: Files of the program's output that an array of jobs does not write.
NOT_COMPARED = (".paraprint/", "timing.json", "summary.json")


def files_below(folder, left_out=()):
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith(left_out)}


def written_by_array(out):
    """What is compared with the program's output."""
    return files_below(out, ("survivors/", METRICS, MARKER))


def run_program(program, inputs, out, options):
    switches = [f"--{name}={value}" if isinstance(value, str) else f"--{name}"
                for name, value in options.items() if value]
    command = [program, "dedup", *inputs, "--out", out, "--no-report", "--no-evidence", "--quiet", *switches]
    assert subprocess.run(command, check=False).returncode in (0, 3)  # 3: an input ends early
    return files_below(out, NOT_COMPARED)


def run_steps(work, until=None):
    """Runs all steps in this process, tasks from the last to the first."""
    steps = []
    while (step := JobArray(work).next_step()) and step.name != until:
        steps.append(step.name)
        for number in reversed(step.numbers):
            JobArray(work).run_task(step.name, number)
    return steps


def run_array(inputs, folder, partitions, **options):
    start(str(folder / "work"), str(folder / "out"), [str(path) for path in inputs], partitions,
          {"records": True, **options})
    return run_steps(str(folder / "work"))


@pytest.fixture
def crawl(root, tmp_path):
    """Archives of several formats, one of which ends early, and files that are no archives."""
    folder = tmp_path / "crawl"
    (folder / "pages").mkdir(parents=True)
    for name in ("first", "second", "third", "odd"):
        shutil.copy(root / "examples" / "demo-crawl" / f"{name}.warc.gz", folder)
    cut = (folder / "third.warc.gz").read_bytes()
    (folder / "third.warc.gz").write_bytes(cut[: len(cut) // 2])
    for name in ("a", "b"):
        (folder / "pages" / f"{name}.html").write_text("<p>Both pages have these words and no others at all.</p>")
    return folder


@pytest.mark.parametrize("revisits", [False, True])
@pytest.mark.parametrize("partitions", [1, 4])
def test_same_bytes_as_the_program(program, crawl, tmp_path, partitions, revisits):
    expected = run_program(program, [crawl], tmp_path / "one", {"revisits": revisits})
    earlier = ("records/of-another-run.warc.gz", "savings.json", "input-revisits.jsonl", ".records-attempts/old")
    for name in (*earlier, MARKER):
        (tmp_path / "out" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / name).write_text("of an earlier run")
    steps = run_array([crawl], tmp_path, partitions, revisits=revisits)
    assert written_by_array(tmp_path / "out") == expected
    assert len([name for name in expected if name.startswith("records/")]) == 5
    assert [step for step in steps if "." not in step] == [
        *("profiles", "claims", "captures"), *(["targets"] if revisits else []), "records", "output"]


@pytest.mark.parametrize("partitions", [1, 3])
@pytest.mark.parametrize("revisits", [False, True])
def test_pages_of_revisit_records_stay(program, archives, tmp_path, monkeypatch, partitions, revisits):
    if partitions > 1:  # as if there were too many to be known exactly
        monkeypatch.setattr(stage, "CLAIMED_BYTES", 8)
    folder = tmp_path / "crawl"
    folder.mkdir()
    contents, _ = archives.linked_archives()
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    options = {"revisits": revisits, "keep": "earliest"}
    expected = run_program(program, [folder], tmp_path / "one", options)
    run_array([folder], tmp_path, partitions, **options)
    assert written_by_array(tmp_path / "out") == expected
    rows = [json.loads(line) for line in expected["input-revisits.jsonl"].splitlines()]
    assert [row["found_by"] for row in rows] == ["id", "address-and-date", "address-and-digest", "previous-capture",
                                                 "nothing"]
    assert b"<urn:test:place>" in expected["records/2.warc"]


def test_odd_archives(program, tmp_path):
    odd = pathlib.Path(os.environ.get("PARAPRINT_DATA_DIR", "../data")) / "corpus" / "odd-warcs"
    if not odd.exists():
        pytest.skip("test data not found; set PARAPRINT_DATA_DIR")
    expected = run_program(program, [odd], tmp_path / "one", {})
    run_array([odd], tmp_path, 3)
    assert written_by_array(tmp_path / "out") == expected


def test_known_pages_are_left_out_of_the_records(program, crawl, tmp_path):
    first, *others = sorted(crawl.glob("*.warc.gz"))
    for inputs, name in (([first], "1"), (others, "2")):
        expected = run_program(program, inputs, tmp_path / f"one-{name}", {"index": str(tmp_path / "index"),
                                                                           "no-boilerplate": True})
        start(str(tmp_path / f"work-{name}"), str(tmp_path / name), [str(path) for path in inputs], 2,
              {"records": True, "boilerplate": False}, str(tmp_path / "known"))
        run_steps(str(tmp_path / f"work-{name}"))
        assert written_by_array(tmp_path / name) == expected
    assert b'"reason":"known"' in expected["removed.jsonl"]


def test_a_task_that_runs_twice_and_one_that_does_not_end(program, crawl, tmp_path):
    expected = run_program(program, [crawl], tmp_path / "one", {})
    work, out = str(tmp_path / "work"), tmp_path / "out"
    start(work, str(out), [str(crawl)], 3, {"records": True})
    run_steps(work, until="records")
    for number in (2, 0, 1, 0, 1):  # as if the batch system had lost some
        JobArray(work).run_task("records", number)
    (out / ".records-attempts" / "killed").mkdir()
    (out / ".records-attempts" / "killed" / "first.warc.gz").write_bytes(b"half of")
    assert not (out / "records").exists()
    run_steps(work)
    assert written_by_array(out) == expected
    JobArray(work).run_task("output", 0)  # a driver that failed at the end runs again
    assert written_by_array(out) == expected


@pytest.mark.parametrize("step", ["claims", "captures", "targets", "records"])
def test_an_input_that_changes_between_steps_ends_the_run(program, crawl, tmp_path, step):
    expected = run_program(program, [crawl], tmp_path / "one", {"revisits": True})
    work = str(tmp_path / "work")
    start(work, str(tmp_path / "out"), [str(crawl)], 2, {"records": True, "revisits": True})
    run_steps(work, until=step)
    before = {path: path.read_bytes() for path in crawl.glob("*.gz")}
    for path, content in before.items():
        path.write_bytes(content + b"more")
    with pytest.raises(paraprint.errors.CorruptDataError, match=r"\.warc\.gz: has changed since the run read it"):
        run_steps(work)
    assert not (tmp_path / "out" / "records").exists()
    for path, content in before.items():
        path.write_bytes(content)
        os.utime(path, (1, 1))  # a copy with a time of its own is the same
    run_steps(work)
    assert written_by_array(tmp_path / "out") == expected


@pytest.mark.parametrize("is_uri", [False, True])
def test_parts_of_wacz_files_that_change_between_steps_end_the_run(program, crawl, tmp_path, is_uri):
    folder = tmp_path / "above.wacz"
    folder.mkdir()
    subprocess.run([program, "wacz", crawl, "--out", folder / "a.wacz", "--quiet"], check=True)
    whole = folder / ("a.wacz" if is_uri else "a?.zip")  # the program knows it by its content
    (folder / "a.wacz").rename(whole)
    os.utime(whole, (-3600, -3600))
    work = str(tmp_path / "work")
    start(work, str(tmp_path / "out"), [f"file://{whole}" if is_uri else f"{whole}/archive/first.warc.gz"], 1,
          {"records": True})
    run_steps(work, until="records")
    content = whole.read_bytes()
    whole.write_bytes(content + b"more")
    with pytest.raises(paraprint.errors.CorruptDataError, match="has changed since the run read it"):
        run_steps(work)
    whole.write_bytes(content)
    run_steps(work)
    assert files_below(tmp_path / "out" / "records")


@pytest.mark.parametrize("step", ["profiles", "records"])
def test_an_input_that_is_gone_is_named(crawl, tmp_path, step):
    work = str(tmp_path / "work")
    start(work, str(tmp_path / "out"), [str(crawl / "first.warc.gz")], 1, {"records": True})
    run_steps(work, until=step)
    (crawl / "first.warc.gz").unlink()
    with pytest.raises(paraprint.errors.NotFoundError, match="first.warc.gz"):
        run_steps(work)


def test_output_among_the_inputs_is_refused(crawl, tmp_path):
    for scheme in ("", "file://"):
        with pytest.raises(paraprint.errors.InvalidArgumentError, match="/crawl and would be read as input; choose"):
            start(str(tmp_path / "work"), f"{scheme}{crawl}/out", [str(crawl)], 1, {})
        complaint = f"{crawl}/first.warc.gz: is inside the output folder .*/crawl; choose another --out"
        with pytest.raises(paraprint.errors.InvalidArgumentError, match=complaint):
            start(str(tmp_path / "work"), str(crawl), [f"{scheme}{crawl}/first.warc.gz"], 1, {})
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="s3://a/crawl and would be read as input"):
        start(str(tmp_path / "work"), "s3://a/crawl/out", ["s3://a/crawl"], 1, {})
    assert not (tmp_path / "work").exists() and not (crawl / "out").exists()


def test_both_names_of_a_store_are_one_place(crawl, tmp_path):
    for out, given in (("s3a://a/crawl/out", "s3://a/crawl"), ("s3://a/crawl/out", "s3a://a/crawl")):
        with pytest.raises(paraprint.errors.InvalidArgumentError, match="a/crawl and would be read as input"):
            start(str(tmp_path / "work"), out, [given], 1, {})


def test_the_work_folder_must_not_be_the_output(crawl, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "both")
    for work in ("both", "link"):
        with pytest.raises(paraprint.errors.InvalidArgumentError, match="is the output folder, too; choose another"):
            start(str(tmp_path / work), f"file://{tmp_path}/both", [str(crawl)], 1, {})
    assert not (tmp_path / "both").exists()


def test_a_part_of_a_wacz_file_is_stamped_without_listing_it(tmp_path):
    """Each task that reads a part asks for the stamp, so that a list each time would be the square of their number."""
    (tmp_path / "a.wacz").write_bytes(b"no ZIP file")
    assert paraprint._core.stamp_input(f"{tmp_path}/a.wacz/archive/a.warc.gz") == "11"
    with pytest.raises(paraprint.errors.NotFoundError):
        paraprint._core.stamp_input(f"{tmp_path}/archive/a.warc.gz")


def test_folders_of_pages_that_change_between_steps_end_the_run(program, crawl, tmp_path):
    pages = crawl / "pages"
    expected = run_program(program, [pages], tmp_path / "one", {})
    work = str(tmp_path / "work")
    start(work, str(tmp_path / "out"), [str(pages)], 1, {"records": True})
    run_steps(work, until="records")
    (pages / "0.html").write_text("<p>This page was not there when the others were read.</p>")
    with pytest.raises(paraprint.errors.CorruptDataError, match="pages: has changed since the run read it; start"):
        run_steps(work)
    (pages / "0.html").unlink()
    (pages / "notes.txt").write_text("no page")
    run_steps(work)
    assert written_by_array(tmp_path / "out") == expected


def test_an_input_that_changes_while_it_is_profiled_ends_the_run(crawl, tmp_path, monkeypatch):
    start(str(tmp_path / "work"), str(tmp_path / "out"), [str(crawl / "first.warc.gz")], 1, {})

    def grow(path, stamp=""):
        with ranges.open_input(path, stamp) as given:
            yield given
            shutil.copy(crawl / "second.warc.gz", path)

    monkeypatch.setattr(tasks, "open_input", contextlib.contextmanager(grow))
    with pytest.raises(paraprint.errors.CorruptDataError, match="first.warc.gz: has changed since the run read it"):
        run_steps(str(tmp_path / "work"))


def test_too_many_removed_pages(crawl, tmp_path):
    complaint = "no records were written. A run without records lists .* start again with a higher max_removed_share"
    with pytest.raises(paraprint.errors.LimitExceededError, match=complaint):
        run_array([crawl], tmp_path, 2, max_removed_share=0.01)
    assert not (tmp_path / "out" / "records").exists()


def test_a_run_without_records_deletes_those_of_an_earlier_one(crawl, tmp_path):
    run_array([crawl], tmp_path, 2)
    assert (tmp_path / "out" / "records").exists() and (tmp_path / "out" / "input-revisits.jsonl").exists()
    start(str(tmp_path / "again"), str(tmp_path / "out"), [str(crawl)], 2, {})
    run_steps(str(tmp_path / "again"))
    assert sorted(written_by_array(tmp_path / "out")) == ["clusters.tsv", "matches.tsv", "removed.jsonl"]


@pytest.mark.parametrize("is_program", [False, True])
@pytest.mark.parametrize("step", ["records", "output"])
def test_a_run_does_not_replace_what_a_later_one_wrote(program, crawl, tmp_path, step, is_program):
    """The later one has deleted what the tasks of the earlier one wrote."""
    out = tmp_path / "out"
    start(str(tmp_path / "work"), str(out), [str(crawl)], 2, {"records": True})
    run_steps(str(tmp_path / "work"), until=step)
    if is_program:
        run_program(program, [crawl / "first.warc.gz"], out, {})
    else:
        start(str(tmp_path / "later"), str(out), [str(crawl / "first.warc.gz")], 1, {"records": True})
        run_steps(str(tmp_path / "later"))
    before = files_below(out)
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="another run has begun to write there since"):
        run_steps(str(tmp_path / "work"))
    assert files_below(out) == before


def test_records_that_are_missing_end_the_run(crawl, tmp_path):
    work = str(tmp_path / "work")
    start(work, str(tmp_path / "out"), [str(crawl)], 2, {"records": True})
    run_steps(work, until="output")
    shutil.rmtree(tmp_path / "out" / ".records-attempts")
    with pytest.raises(paraprint.errors.CorruptDataError, match="files that tasks wrote are missing; start over"):
        run_steps(work)
    assert not (tmp_path / "out" / METRICS).exists()


def test_records_of_an_earlier_run_whose_paths_end_alike_are_deleted(crawl, tmp_path):
    """Of a folder, `crawl/first.warc.gz`; of the file alone, `first.warc.gz`."""
    run_array([crawl], tmp_path, 2)
    records = tmp_path / "out" / "records"
    assert "crawl/first.warc.gz" in files_below(records)
    start(str(tmp_path / "again"), str(tmp_path / "out"), [str(crawl / "first.warc.gz")], 2, {"records": True})
    run_steps(str(tmp_path / "again"))
    assert list(files_below(records)) == ["first.warc.gz"]


# ----------------------------------------------------------------------------------------------------------------------
# The output folder


def written(folder, *names):
    """Files with their own names as content, and the folders that they are in."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return files_below(folder)


@pytest.mark.parametrize("name", OUTPUT_NAMES)
def test_files_of_others_stay(crawl, tmp_path, name):
    out = tmp_path / "out"
    is_folder = "." not in name.lstrip(".")
    mine = written(out, f"{name}/mine" if is_folder else name, "notes.txt")
    complaint = re.escape(f"{out}: holds {name}, which no run has written there and a run would replace; choose ")
    with pytest.raises(paraprint.errors.InvalidArgumentError, match=complaint):
        start(str(tmp_path / "work"), str(out), [str(crawl)], 2, {})
    assert files_below(out) == mine and not (tmp_path / "work").exists()


@pytest.mark.parametrize("name", [METRICS, "survivors/mine", ".records-attempts/mine", "summary.json"])
def test_a_sign_of_one_kind_of_run_does_not_stand_for_files_of_the_other(crawl, tmp_path, name):
    out = tmp_path / "out"
    others = ("clusters.tsv", "records/old.warc", MARKER if name == "summary.json" else ".paraprint/pages.log")
    mine = written(out, name, *others)
    complaint = re.escape(f"{out}: holds {name.removesuffix('/mine')}, which no run has written there")
    with pytest.raises(paraprint.errors.InvalidArgumentError, match=complaint):
        start(str(tmp_path / "work"), str(out), [str(crawl)], 2, {})
    assert files_below(out) == mine and not (tmp_path / "work").exists()


@pytest.mark.parametrize("sign", [
    {MARKER: "of a run that was killed before it wrote anything else"},
    {".paraprint/pages.log": "of the program"},
    {"summary.json": '{\n  "version": "0.1.0",\n  "command": "dedup",\n  "inputs": []\n}\n'},
    {METRICS: '{\n  "broken": [],\n  "clusters": 0\n}\n'},  # of a job array that knew no marker
    {"survivors/_SUCCESS": "\n", "clusters.tsv": "", "matches.tsv": "", "removed.jsonl": ""},  # the same of Spark
])
def test_outputs_of_earlier_runs_are_replaced(crawl, tmp_path, sign):
    written(tmp_path / "out", "records/old.warc", *sign)
    for name, content in sign.items():
        (tmp_path / "out" / name).write_text(content)
    run_array([crawl / "first.warc.gz"], tmp_path, 1)
    assert list(files_below(tmp_path / "out" / "records")) == ["first.warc.gz"]


def test_all_names_of_the_output_are_known(crawl, tmp_path):
    run_array([crawl], tmp_path, 2, evidence=True)
    names = set(os.listdir(tmp_path / "out"))
    assert names == {*OUTPUT_NAMES, MARKER} - {"summary.json", ".records-attempts"}


def test_the_program_knows_all_names_of_the_output(program, crawl, tmp_path):
    out = tmp_path / "out"
    names = {MARKER, *OUTPUT_NAMES} - {"summary.json"}
    old = written(out, *(name if "." in name[1:] or name == MARKER else f"{name}/old" for name in names))
    new = run_program(program, [crawl / "first.warc.gz"], out, {})
    assert not old.items() & new.items()


def test_the_output_of_the_program_is_whole_until_it_is_replaced(program, crawl, tmp_path, monkeypatch):
    out = tmp_path / "out"
    run_program(program, [crawl / "first.warc.gz"], out, {})
    before = files_below(out)
    start(str(tmp_path / "work"), str(out), [str(crawl / "second.warc.gz")], 1, {"records": True})
    run_steps(str(tmp_path / "work"), until="output")
    assert {name: files_below(out)[name] for name in before} == before

    def fail(*_):
        raise paraprint.errors.NoSpaceError("clusters.tsv: no space left")

    monkeypatch.setattr(tables, "_write", fail)
    with pytest.raises(paraprint.errors.NoSpaceError):
        JobArray(str(tmp_path / "work")).run_task("output", 0)
    assert not (out / "summary.json").exists() and not (out / METRICS).exists()
    monkeypatch.undo()
    run_steps(str(tmp_path / "work"))
    assert not (out / "summary.json").exists() and (out / METRICS).exists()
    assert list(files_below(out / "records")) == ["second.warc.gz"]


@pytest.mark.parametrize("name", [METRICS, "summary.json"])
def test_no_records_in_a_store_are_replaced_while_the_output_counts_as_whole(crawl, tmp_path, name):
    """There they have their final names before the last step."""
    memory = pytest.importorskip("fsspec").filesystem("memory")
    out = f"/{tmp_path.name}"
    memory.pipe(f"{out}/{MARKER}", b"of a run")
    memory.pipe(f"{out}/summary.json", b'{\n  "version": "0.1.0",\n  "command": "dedup",\n')
    if name == METRICS:
        start(str(tmp_path / "first"), f"memory:/{out}", [str(crawl / "first.warc.gz")], 1, {"records": True})
        run_steps(str(tmp_path / "first"))
        assert memory.exists(f"{out}/records/first.warc.gz") and not memory.exists(f"{out}/summary.json")
    inputs = [str(crawl / f"{archive}.warc.gz") for archive in ("first", "second")]
    work = str(tmp_path / "work")
    start(work, f"memory:/{out}", inputs, 2, {"records": True})
    run_steps(work, until="records")
    assert memory.exists(f"{out}/{name}")
    JobArray(work).run_task("records", 1)
    assert memory.exists(f"{out}/records/second.warc.gz") and not memory.exists(f"{out}/{name}")
    run_steps(work)
    assert memory.exists(f"{out}/{METRICS}")
    JobArray(work).run_task("records", 0)  # as if the batch system had lost it; it changes nothing
    assert memory.exists(f"{out}/{METRICS}")


def test_tasks_may_delete_a_file_at_the_same_time():
    def delete_file(path):
        raise FileNotFoundError(path)

    info = types.SimpleNamespace(is_file=True)
    storage.withdraw(types.SimpleNamespace(get_file_info=lambda path: info, delete_file=delete_file), METRICS)


def test_the_program_accepts_the_output_of_an_array(program, crawl, tmp_path):
    run_array([crawl / "first.warc.gz"], tmp_path, 1)
    run_program(program, [crawl / "second.warc.gz"], tmp_path / "out", {})
    assert list(files_below(tmp_path / "out" / "records")) == ["second.warc.gz"]
    assert not {METRICS, "survivors"} & set(os.listdir(tmp_path / "out"))


@pytest.mark.parametrize("are_uris", [False, True])
def test_inputs_of_one_name_are_refused_if_records_are_written(tmp_path, are_uris):
    paths = []
    for name in ("a.jsonl", "a.jsonl.partial"):
        (tmp_path / name).write_text('{"id": "a", "text": "some words"}\n')
        paths.append(f"file://{tmp_path}/{name}" if are_uris else str(tmp_path / name))
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="a.jsonl.partial"):
        start(str(tmp_path / "work"), str(tmp_path / "out"), paths, 1, {"records": True})
    assert not (tmp_path / "work").exists() and not (tmp_path / "out").exists()
    start(str(tmp_path / "work"), str(tmp_path / "out"), paths, 1, {})
