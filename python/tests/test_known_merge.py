"""Merged runs of a folder of known pages: the same answers, whatever happens to a merge on its way."""

import json
import os
import shutil
import subprocess
import sys

import pytest

import paraprint

pytest.importorskip("pyarrow", reason="the folder has Parquet files")

from paraprint.stages import known_merge  # noqa: E402
from paraprint.stages.job_array import JobArray, start  # noqa: E402
from paraprint.stages.known import KnownFolder  # noqa: E402
from paraprint.stages.known_merge import merge_known, runs_to_merge  # noqa: E402
from test_known_folder import flip, known_removals, tables_of  # noqa: E402
from test_job_array import forge  # noqa: E402

MEMORY_BYTES = 1 << 30
WORDS = [f"{start}{end}" for start in ("al", "be", "co", "du", "ef") for end in ("ran", "sel", "tim", "von", "wax")]
NOTICE = "This site is kept by volunteers who would be glad about your help with its many pages. " * 2


def text_of(seed):
    """Some paragraphs of words that hardly any other seed has in this order."""
    numbers = [(seed * 7919 + place * 104729) % 15_485_863 for place in range(240)]
    words = [WORDS[number % 25] + str(number % 97) for number in numbers]
    return "\n\n".join(" ".join(words[at : at + 60]) + "." for at in range(0, 240, 60))


def write_crawl(path, pages):
    path.write_text("".join(json.dumps({"id": name, "url": f"http://{site}.example/{name}", "text": text}) + "\n"
                            for name, site, text in pages))
    return str(path)


@pytest.fixture
def crawls(tmp_path):
    """Crawls of ten days. Pages come again with the same text and with other ones, and a site has a template."""
    paths = []
    for day in range(10):
        pages = []
        for number in range(12):
            text = text_of(1000 * day + number)
            pages.append((f"page-{day}-{number}", f"site{number % 3}", text))
        for number in range(6):  # replaced every day
            pages.append((f"front-{number}", "news", text_of(500_000 + 1000 * day + number)))
            pages.append((f"again-{number}", "news", text_of(700_000 + number)))  # the same every day
        for number in range(12):
            text = NOTICE + "\n\n" + text_of(900_000 + 100 * day + number)
            pages.append((f"notice-{day}-{number}", "template", text))
        paths.append(write_crawl(tmp_path / f"day-{day}.jsonl", pages))
    return paths


@pytest.fixture
def last_crawl(tmp_path):
    """Pages of all days, each a little changed."""
    pages = [(f"new-{seed}", "other", text_of(seed).replace(" alran", " alran bewax", 2))
             for day in range(10) for seed in range(1000 * day, 1000 * day + 12, 5)]
    pages += [("news", "news", text_of(700_002)), ("old", "news", text_of(500_001)), ("own", "own", text_of(-5))]
    return write_crawl(tmp_path / "last.jsonl", pages)


def run_once(folder, name, inputs, known, partitions=2, **options):
    """The tables of a run in this process."""
    work, out = str(folder / f"{name}-work"), folder / f"{name}-out"
    start(work, str(out), inputs, partitions, options, str(known))
    end_run(work)
    return tables_of(out)


def end_run(work, until=None):
    while (step := JobArray(work).next_step()) and step.name != until:
        for number in step.numbers:
            JobArray(work).run_task(step.name, number)


def add_runs(folder, crawls, known, partitions=1):
    for crawl in crawls:
        run_once(folder, os.path.basename(crawl), [crawl], known, partitions)


def tables_with(folder, name, last_crawl, known, partitions=2):
    """The tables of a run with a copy of the folder, which it is added to."""
    copy = folder / f"{name}-known"
    shutil.copytree(known, copy)
    return run_once(folder, name, [last_crawl], copy, partitions)


def content_of(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_the_same_output_before_and_after(crawls, last_crawl, tmp_path):
    known = tmp_path / "known"
    add_runs(tmp_path, crawls, known, partitions=2)
    expected = tables_with(tmp_path, "before", last_crawl, known)
    assert len(known_removals(expected)) > 20
    texts = sum(run.texts for run in KnownFolder(str(known)).runs())
    before, after = merge_known(str(known), MEMORY_BYTES)
    assert before == 10 and 1 <= after < 5
    assert tables_with(tmp_path, "tiers", last_crawl, known, 3) == expected
    # Two at a time, each table by a process of its own, and merged ones again.
    assert merge_known(str(known), 1, merges_all=True, processes=2) == (after, 1)
    assert tables_with(tmp_path, "all", last_crawl, known, 1) == expected
    (run,) = KnownFolder(str(known)).runs()
    assert run.texts == texts
    # A merged folder goes on like any other.
    run_once(tmp_path, "next", [last_crawl], known)
    assert len(known_removals(run_once(tmp_path, "again", [last_crawl], known))) > 30
    assert merge_known(str(known), MEMORY_BYTES, merges_all=True, keep_seconds=0) == (3, 1)
    (run,) = KnownFolder(str(known)).runs()
    assert {path.name for path in known.iterdir()} == {run.name, *KnownFolder(str(known)).names()}
    assert merge_known(str(known), MEMORY_BYTES, merges_all=True) == (1, 1)


def test_a_run_that_began_before_still_reads_what_it_knew(crawls, last_crawl, tmp_path):
    known = tmp_path / "known"
    add_runs(tmp_path, crawls[:4], known)
    expected = tables_with(tmp_path, "before", last_crawl, known)
    for name in ("kept", "deleted"):
        start(str(tmp_path / name), str(tmp_path / f"{name}-out"), [last_crawl], 1, {}, str(known))
    end_run(str(tmp_path / "kept"), until="known.find-exact")
    merge_known(str(known), MEMORY_BYTES, merges_all=True)
    end_run(str(tmp_path / "kept"))
    assert tables_of(tmp_path / "kept-out") == expected
    assert len(KnownFolder(str(known)).runs()) == 2
    merge_known(str(known), MEMORY_BYTES, keep_seconds=0)
    with pytest.raises(paraprint.errors.CorruptDataError, match="known/.*start over if runs have been merged"):
        end_run(str(tmp_path / "deleted"))


def test_the_work_of_merges():
    """Each of many runs is merged as it comes: few stay, and texts are copied a logarithmic number of times."""
    assert runs_to_merge([]) == 0 and runs_to_merge([5]) == 1
    assert runs_to_merge([100, 50, 20, 9]) == 4 and runs_to_merge([100, 30, 20, 10]) == 1
    sizes, copied = [], 0
    for day in range(1000):
        sizes.append(1 + day * 37 % 11 * (100 if day % 90 == 0 else 1))
        first = runs_to_merge(sizes)
        if len(sizes) - first > 1:
            copied += sum(sizes[first:])
            sizes[first:] = [sum(sizes[first:])]
        assert len(sizes) <= 15
    assert copied < 15 * sum(sizes)


def test_a_merge_that_fails_leaves_the_folder_as_it_was(crawls, last_crawl, tmp_path, monkeypatch):
    known = tmp_path / "known"
    add_runs(tmp_path, crawls[:3], known)
    before = content_of(known)

    def fail(*_):
        raise OSError(28, "no space left")

    monkeypatch.setattr(KnownFolder, "write", fail)
    with pytest.raises(OSError, match="no space left"):
        merge_known(str(known), MEMORY_BYTES, merges_all=True)
    assert content_of(known) == before
    assert not [path for path in known.iterdir() if "merged" in path.name]


_KILLED = """
import os, sys
from paraprint.stages import known, known_merge
known.KnownFolder.write = lambda *_: os._exit(9)
known_merge.merge_known(sys.argv[1], 1 << 30, merges_all=True)
"""


def test_what_a_killed_merge_has_left_is_deleted_later(crawls, last_crawl, tmp_path):
    known = tmp_path / "known"
    add_runs(tmp_path, crawls[:3], known)
    expected = tables_with(tmp_path, "before", last_crawl, known)
    assert subprocess.run([sys.executable, "-c", _KILLED, known]).returncode == 9
    (left,) = [path for path in known.iterdir() if "merged" in path.name]
    assert len(KnownFolder(str(known)).runs()) == 3
    assert tables_with(tmp_path, "killed", last_crawl, known) == expected
    merge_known(str(known), MEMORY_BYTES, merges_all=True)
    assert left.exists()  # it may be at work
    merge_known(str(known), MEMORY_BYTES, keep_seconds=0)
    assert not left.exists() and len(KnownFolder(str(known)).runs()) == 1
    assert tables_with(tmp_path, "after", last_crawl, known) == expected


@pytest.mark.parametrize("place", ["between", "last"])
def test_runs_that_are_added_meanwhile(crawls, last_crawl, tmp_path, monkeypatch, place):
    known = tmp_path / "known"
    add_runs(tmp_path, crawls[:2], known)
    late = str(tmp_path / "late")
    start(late, str(tmp_path / "late-out"), [crawls[2]], 1, {}, str(known))
    described = json.loads((tmp_path / "late" / "run.json").read_text())
    described["known"]["name"] = ("0" if place == "between" else "f") * 32  # begun at the same time as the next one
    forge(tmp_path / "late" / "run.json", known=described["known"])
    add_runs(tmp_path, crawls[3:4], known)
    original = known_merge._check_unchanged

    def check_after(*given):
        end_run(late)
        return original(*given)

    monkeypatch.setattr(known_merge, "_check_unchanged", check_after)
    if place == "between":
        with pytest.raises(paraprint.errors.InvalidArgumentError, match="changed meanwhile.*try again"):
            merge_known(str(known), MEMORY_BYTES, merges_all=True)
        assert [path.name for path in known.iterdir() if "merged" in path.name] == []
    else:
        assert merge_known(str(known), MEMORY_BYTES, merges_all=True) == (3, 2)
    monkeypatch.undo()
    runs = KnownFolder(str(known)).runs()
    assert runs[-2 if place == "between" else -1].name == described["known"]["name"]
    expected = tables_with(tmp_path, "before", last_crawl, known)
    merge_known(str(known), MEMORY_BYTES, merges_all=True)
    assert tables_with(tmp_path, "after", last_crawl, known) == expected


def test_two_merges_at_the_same_time(crawls, last_crawl, tmp_path, monkeypatch):
    """Each text counts once, whichever of them is first, and what has lost is deleted in the end."""
    known = tmp_path / "known"
    add_runs(tmp_path, crawls[:4], known)
    expected = tables_with(tmp_path, "before", last_crawl, known)
    monkeypatch.setattr(known_merge, "_check_unchanged", lambda *_: None)
    names = KnownFolder(str(known)).names()
    folder = KnownFolder(str(known))
    original = known_merge._merged_tables

    def other_first(*given):
        monkeypatch.setattr(known_merge, "_merged_tables", original)
        known_merge._merge(folder, names[1:3], 1)
        return original(*given)

    monkeypatch.setattr(known_merge, "_merged_tables", other_first)
    known_merge._merge(folder, names[2:4], 1)
    monkeypatch.undo()
    assert len(folder.names()) == 6
    assert len(folder.runs()) == 3 and sum(bool(run.merged) for run in folder.runs()) == 1
    assert tables_with(tmp_path, "both", last_crawl, known) == expected
    assert merge_known(str(known), MEMORY_BYTES, merges_all=True, keep_seconds=0) == (3, 1)
    assert len(folder.names()) == 1 and len(list(known.iterdir())) == 2
    assert tables_with(tmp_path, "after", last_crawl, known) == expected
    # A merge of what others have merged meanwhile is refused.
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="another merge is at work"):
        known_merge._merge(folder, names[2:4], 1)


@pytest.mark.parametrize("table", ["texts", "near", "templates"])
@pytest.mark.parametrize("place", [None, 400, -100])
def test_damaged_tables_are_not_merged(crawls, tmp_path, table, place):
    """Those that are cut, and those of which a bit is wrong, in a block or at the end."""
    known = tmp_path / "known"
    add_runs(tmp_path, crawls[:2], known)
    run = KnownFolder(str(known)).runs()[0]
    (file,) = (known / run.name / table).iterdir()
    whole = file.read_bytes()
    if place is None:
        file.write_bytes(whole[: len(whole) // 2])
    else:
        flip(file, place)
    before = content_of(known)
    with pytest.raises(paraprint.errors.CorruptDataError, match=f"{file.name}: .*restore it"):
        merge_known(str(known), MEMORY_BYTES, merges_all=True)
    assert content_of(known) == before


def test_tables_of_other_runs_are_not_merged(crawls, tmp_path):
    """Files that are whole, but not those of their runs."""
    known = tmp_path / "known"
    add_runs(tmp_path, crawls[:2], known)
    first, _ = (known / name for name in KnownFolder(str(known)).names())
    described = json.loads(first.read_text())
    del described["checksum"]
    for wrong, complaint in (
        ({"numbers": 3}, "known/"),
        ({"texts": described["texts"] + 1}, f"texts instead of {described['texts'] * 2 + 1}|texts instead of"),
        ({"format": 3}, "not a run that this version"),
        ({"format": 2}, "is damaged"),
    ):
        first.write_text(json.dumps({**described, **wrong}))
        before = content_of(known)
        with pytest.raises(paraprint.errors.Error, match=complaint):
            merge_known(str(known), MEMORY_BYTES, merges_all=True)
        assert content_of(known) == before


def test_command(crawls, tmp_path):
    def call(*arguments):
        command = [sys.executable, "-m", "paraprint.stages", "merge-known", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True)

    known = tmp_path / "known"
    add_runs(tmp_path, crawls[:3], known)
    merged = call(known, "--all", "--memory", "64MiB", "--processes", 2, "--keep-hours", 0)
    assert merged.returncode == 0, merged.stderr
    assert merged.stderr == f"{known}: 3 runs have become 1\n"
    assert len(list(known.iterdir())) == 2
    assert "example: python -m paraprint.stages merge-known" in call("--help").stdout
    for arguments, complaint in ((("--memory", "much"), "memory"), (("--processes", 0), "processes is 0")):
        refused = call(known, *arguments)
        assert refused.returncode == 1 and complaint in refused.stderr
    assert call(known).stderr == f"{known}: 1 runs have become 1\nnothing was merged: there is a single run\n"
    nothing = call(tmp_path / "nothing")
    assert nothing.returncode == 1 and nothing.stderr.endswith("nothing: has no known pages\n")
    for hours in ("-1", "inf", "nan"):
        refused = call(known, f"--keep-hours={hours}")
        assert refused.returncode == 1 and "it must be a number from 0 on" in refused.stderr
    add_runs(tmp_path, crawls[3:4], known)
    assert call(known).stderr.endswith("each run has more texts than all later ones together; --all merges them, too\n")


@pytest.mark.parametrize("named", ["../precious", "/absolute", "notes.json", "00000001-x.json", "texts"])
def test_only_runs_are_deleted(crawls, tmp_path, named):
    """Whatever the file of a merged run names."""
    known = tmp_path / "known"
    add_runs(tmp_path, crawls[:2], known)
    merge_known(str(known), MEMORY_BYTES, merges_all=True)
    (run,) = [path for path in known.iterdir() if "merged" in path.name and path.suffix == ".json"]
    (tmp_path / "precious").write_text("of others")
    (known / "notes").mkdir()
    forge(run, merged={str(tmp_path / "precious") if named == "/absolute" else named: 0})
    before = content_of(tmp_path)
    with pytest.raises(paraprint.errors.CorruptDataError, match=f"{run.name}: is damaged .*restore it"):
        merge_known(str(known), MEMORY_BYTES, keep_seconds=0)
    assert content_of(tmp_path) == before


def test_a_merged_run_is_on_disk_before_others_are_deleted(crawls, tmp_path, monkeypatch):
    known = tmp_path / "known"
    add_runs(tmp_path, crawls[:2], known)
    replaced = KnownFolder(str(known)).names()
    events = []
    sync, delete = os.fsync, KnownFolder(str(known)).folder.delete.__func__

    def synced(descriptor):
        sync(descriptor)
        events.append(os.readlink(f"/proc/self/fd/{descriptor}"))

    def deleted(folder, name):
        events.append(f"delete {name}")
        delete(folder, name)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(type(KnownFolder(str(known)).folder), "delete", deleted)
    merge_known(str(known), MEMORY_BYTES, merges_all=True, keep_seconds=0)
    first = min(events.index(f"delete {name}") for name in replaced)
    (run,) = KnownFolder(str(known)).names()
    described = [event for event in events[:first] if run in event]
    assert described == [f"{known}/{run}.partial"]
    assert str(known) in events[events.index(described[0]) : first]  # its name
    for path in known.glob("*merged*/*/*.parquet"):
        assert str(path) in events[: events.index(described[0])] and str(path.parent) in events
