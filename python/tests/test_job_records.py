"""Records of arrays of jobs: the archives without the removed pages, with the bytes of the program."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

import paraprint

pytest.importorskip("pyarrow", reason="the folder has Parquet files")

from paraprint.stages import revisits as stage  # noqa: E402
from paraprint.stages.job_array import JobArray, start  # noqa: E402

#: Files of the program's output that an array of jobs does not write.
NOT_COMPARED = (".paraprint/", "timing.json", "summary.json")


def files_below(folder, left_out=()):
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith(left_out)}


def written_by_array(out):
    """What is compared with the program's output."""
    return files_below(out, ("survivors/", "metrics.json"))


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
    for name in ("records/of-another-run.warc.gz", "savings.json", "input-revisits.jsonl", ".records-attempts/old"):
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


def test_records_of_an_earlier_run_whose_paths_end_alike_are_deleted(crawl, tmp_path):
    """Of a folder, `crawl/first.warc.gz`; of the file alone, `first.warc.gz`."""
    run_array([crawl], tmp_path, 2)
    records = tmp_path / "out" / "records"
    assert "crawl/first.warc.gz" in files_below(records)
    start(str(tmp_path / "again"), str(tmp_path / "out"), [str(crawl / "first.warc.gz")], 2, {"records": True})
    run_steps(str(tmp_path / "again"))
    assert list(files_below(records)) == ["first.warc.gz"]
