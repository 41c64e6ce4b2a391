"""The temporary files of a run next to its output, or in `tmp`: they are in a folder of the run's own."""

import fcntl
import json
import os
import shutil
import stat
import subprocess
import sys

import pytest

import paraprint
from paraprint import _core, work_folder

RIVER = "The river rose two metres overnight, the council said, and the old bridge to the market was closed."
PAGES = [{"id": "a", "text": RIVER}, {"id": "b", "text": RIVER}, {"id": "c", "text": "Something else."}]
ITEM = {"id": "i", "question": RIVER}


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def folder_at(path):
    return work_folder.PrivateFolder(path, ("fetched", "out"))


def test_files_and_folders_of_the_caller_stay(tmp_path):
    fetched = tmp_path / "out.fetched"
    fetched.mkdir()
    pages = lines(fetched / "pages.jsonl", PAGES)
    (tmp_path / "out.pages.jsonl").write_text("mine")
    (tmp_path / "out.rows").mkdir()
    assert paraprint.dedup([pages], tmp_path / "out").clusters == [["a", "b"]]
    assert paraprint.dedup(iter(PAGES), tmp_path / "out", restart=True).clusters == [["a", "b"]]
    assert paraprint.contaminated(pages, lines(tmp_path / "items.jsonl", [ITEM])).items == 1
    assert pages.exists() and (tmp_path / "out.rows").exists()
    assert (tmp_path / "out.pages.jsonl").read_text() == "mine"
    assert sorted(os.listdir(tmp_path)) == ["items.jsonl", "out", "out.fetched", "out.pages.jsonl", "out.rows"]


def test_folders_of_the_caller_stay_where_tables_are_searched(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    for ending in ("rows", "fetched"):
        (tmp_path / f"out.{ending}").mkdir()
        (tmp_path / f"out.{ending}" / "mine").write_text("mine")
    parquet.write_table(pyarrow.table({"id": ["a"], "text": [RIVER]}), tmp_path / "pages.parquet")
    items = lines(tmp_path / "items.jsonl", [ITEM])
    assert paraprint.contaminated(tmp_path / "pages.parquet", items, tmp_path / "out").documents_exact == 1
    assert (tmp_path / "out.rows" / "mine").exists() and (tmp_path / "out.fetched" / "mine").exists()
    assert not list(tmp_path.glob("*.paraprint-work"))


@pytest.mark.parametrize("has_out", [False, True])
def test_runs_with_the_same_tmp_keep_their_pages_apart(tmp_path, has_out):
    def pages():
        yield PAGES[0]
        other = paraprint.dedup(iter(PAGES[1:]), tmp_path / "b" / "out" if has_out else None, tmp=str(tmp_path / "t"))
        assert other.survivors == ["b", "c"]
        yield {"id": "d", "text": RIVER}

    result = paraprint.dedup(pages(), tmp_path / "a" / "out" if has_out else None, tmp=str(tmp_path / "t"))
    assert (result.clusters, result.pages) == ([["a", "d"]], 2)
    assert (tmp_path / "t" in result.folder.parents) != has_out
    del result
    assert not list((tmp_path / "t").iterdir())


@pytest.mark.parametrize("given", [{}, {"tmp": "t"}])
def test_a_second_run_for_the_same_output_is_refused(tmp_path, given):
    given = {name: str(tmp_path / value) for name, value in given.items()}

    def pages():
        yield from PAGES
        with pytest.raises(paraprint.errors.InvalidArgumentError, match="another run with the same output"):
            paraprint.dedup(iter(PAGES), tmp_path / "out", **given)

    assert paraprint.dedup(pages(), tmp_path / "out", **given).clusters == [["a", "b"]]


KILLED = """
import os, sys, paraprint
def tell(stage, *_):
    if stage == "candidates":
        os._exit(9)
paraprint.dedup(iter(%r), sys.argv[1], progress=tell, tmp=sys.argv[2])
"""


@pytest.mark.parametrize("tmp", ["", "t"])
def test_a_killed_run_over_pages_resumes(tmp_path, tmp):
    out, tmp = tmp_path / "out", tmp and str(tmp_path / tmp)
    assert subprocess.run([sys.executable, "-c", KILLED % PAGES, out, tmp], check=False).returncode == 9
    (left,) = (tmp_path / "t").glob("paraprint-work-*") if tmp else [tmp_path / "out.paraprint-work"]
    assert (left / "pages.jsonl").exists()
    (log,) = out.rglob("pages.log")
    stored = log.stat()
    assert paraprint.dedup(iter(PAGES), out, tmp=tmp).clusters == [["a", "b"]]
    assert (log.stat().st_ino, log.stat().st_mtime_ns) == (stored.st_ino, stored.st_mtime_ns) and not left.exists()


def test_copies_in_work_folders_are_no_input(tmp_path):
    """But records of such copies are, which are in folders with the same names."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    data = tmp_path / "data"
    left = [data / "a.paraprint-work", data / "paraprint-work-0-0"]
    for place in left:  # of runs that failed
        folder_at(place).begin()
    copies = [place / "fetched" / "example.org" for place in (*left, data / "records" / "a.paraprint-work")]
    for number, folder in enumerate((data, *copies)):
        folder.mkdir(parents=True, exist_ok=True)
        parquet.write_table(pyarrow.table({"id": [str(number)], "text": [RIVER]}), folder / f"{number}.parquet")
    assert paraprint.dedup(data, tmp_path / "out").clusters == [["0", "3"]]
    assert paraprint.dedup(f"file://{data}", tmp_path / "of-uri").clusters == [["0", "3"]]
    with pytest.raises(paraprint.errors.NotFoundError, match="no file matches"):
        paraprint.dedup(f"file://{data}/*/*/*/*.parquet")
    assert paraprint.dedup(left[0], tmp_path / "of-one").survivors == ["1"]


def test_links_and_folders_that_were_not_made_here_are_refused(tmp_path):
    place = tmp_path / "out.paraprint-work"
    others = tmp_path / "others"
    others.mkdir()
    (others / "pages.jsonl").write_text("mine")
    place.symlink_to(others)
    for make in (lambda: None, lambda: (place.unlink(), others.rename(place)),
                 lambda: (place.rename(others), place.write_text("mine"))):
        make()
        with pytest.raises(paraprint.errors.InvalidArgumentError, match=f"{place}: .*not made by paraprint"):
            paraprint.dedup(iter(PAGES), tmp_path / "out")
        assert ((place if place.is_dir() else others) / "pages.jsonl").read_text() == "mine"
    assert place.read_text() == "mine"


def test_the_spool_does_not_follow_a_link(tmp_path):
    (tmp_path / "victim").write_text("mine")
    (tmp_path / "pages.jsonl").symlink_to(tmp_path / "victim")
    with pytest.raises(paraprint.errors.InputOutputError, match="pages.jsonl: "):
        _core.PageSpool(str(tmp_path / "pages.jsonl"), {})
    assert (tmp_path / "victim").read_text() == "mine"


def test_a_folder_is_private_and_keeps_what_is_fetched_after_a_failure(tmp_path):
    folder = folder_at(tmp_path / "work")
    folder.end()  # it has not begun
    folder.begin()
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    (folder.path / "pages.jsonl").touch()
    folder.end(is_done=False)
    assert not folder.path.exists()
    folder.begin()
    for name in ("fetched", "rows"):
        (folder.path / name).mkdir()
        (folder.path / name / "a").touch()
    folder.end(is_done=False)
    assert sorted(path.name for path in folder.path.iterdir()) == [".paraprint-work", "fetched"]
    (folder.path / "pages.jsonl").touch()  # of a run that was killed
    other = folder_at(folder.path)
    other.begin()
    assert (folder.path / "fetched" / "a").exists() and not (folder.path / "pages.jsonl").exists()
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="another run"):
        folder.begin()
    other.end()
    assert not folder.path.exists()
    folder.path.mkdir()  # of a run that was killed before it could say that the folder is its own
    folder.begin()
    folder.end()
    assert not folder.path.exists()


def test_a_folder_that_is_removed_while_it_is_opened_is_made_again(tmp_path, monkeypatch):
    first, second = folder_at(tmp_path / "work"), folder_at(tmp_path / "work")
    first.begin()
    lock = fcntl.flock

    def lock_late(*given):
        monkeypatch.setattr(fcntl, "flock", lock)
        first.end()
        lock(*given)

    monkeypatch.setattr(fcntl, "flock", lock_late)
    second.begin()
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="another run"):
        first.begin()
    second.end()


def test_every_output_has_a_work_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert work_folder.beside(tmp_path / "a" / "out") == tmp_path / "a" / "out.paraprint-work"
    assert work_folder.beside(tmp_path.relative_to(tmp_path)) == tmp_path.parent / f"{tmp_path.name}.paraprint-work"
    places = {work_folder.within("/t", str(tmp_path / name / "out")) for name in ("a", "b")}
    assert len(places) == 2 and all(place.name.startswith("paraprint-work-") for place in places)


def test_no_record_is_written_to_a_hidden_folder(tmp_path):
    """Readers of the output would leave it out, this program included."""
    pytest.importorskip("pyarrow")
    for name, page in (("a", PAGES[0]), ("b", PAGES[2])):
        (tmp_path / name).mkdir()
        lines(tmp_path / name / "pages.jsonl", [page])
    given = [f"file://{tmp_path}/a/pages.jsonl", tmp_path / "b" / "pages.jsonl"]
    assert paraprint.dedup(given, tmp_path / "out").pages == 2
    written = [path.relative_to(tmp_path) for path in (tmp_path / "out" / "records").rglob("*.jsonl")]
    assert len(written) == 2 and not [path for path in written if any(part.startswith(".") for part in path.parts)]
    assert paraprint.dedup(tmp_path / "out" / "records").survivors == ["a", "c"]


@pytest.mark.parametrize("given", [{}, {"tmp": "t"}])
def test_an_output_in_a_store_is_written_again_while_the_first_result_is_in_use(tmp_path, given):
    pytest.importorskip("pyarrow")
    given = {name: str(tmp_path / value) for name, value in given.items()}
    out = f"file://{tmp_path}/out"
    first = paraprint.dedup(PAGES, out, **given)
    shutil.rmtree(tmp_path / "out")
    second = paraprint.dedup(PAGES[1:], out, **given)
    assert (first.pages, first.clusters, first.summary["command"]) == (3, [["a", "b"]], "dedup")
    assert (second.pages, second.clusters, second.summary["command"]) == (2, [], "dedup")
    folders = [first.folder, second.folder]
    del first, second
    assert not [folder for folder in folders if folder.parent.exists()]
    assert not given or os.listdir(tmp_path / "t") == []
