"""Ctrl-C during long calls: they end with KeyboardInterrupt, and a run can be resumed or repeated."""

import json
import random
import signal
import subprocess
import sys

import pyarrow
import pyarrow.parquet

import paraprint

PAGES = 4000
WORDS = [f"{a}{b}{c}{d}" for a in "bdgm" for b in ("ae", "oi", "u") for c in ("rt", "nd", "l", "st") for d in "aeiou"]


def article(seed):
    words = random.Random(seed).choices(WORDS, k=400)
    return "<p>" + "</p><p>".join(" ".join(words[at : at + 40]) + "." for at in range(0, 400, 40)) + "</p>"


def interrupted(code, *arguments):
    """Runs the code in a process that gets SIGINT after its first output; returns the rest of the output."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline(), process.stderr.read()
    process.send_signal(signal.SIGINT)
    said, complaint = process.communicate(timeout=300)
    assert process.returncode == 0, complaint
    return said.splitlines()[-1]


DEDUP = """
import sys, paraprint
try:
    paraprint.dedup(sys.argv[1], sys.argv[2], progress=lambda *_: print("begun", flush=True), report=False, threads=2)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_dedup_stops_and_resumes(tmp_path):
    lines = (json.dumps({"id": f"page{n}", "html": article(n // 2)}) + "\n" for n in range(PAGES))
    pages = tmp_path / "pages.jsonl"
    pages.write_text("".join(lines))
    assert interrupted(DEDUP, pages, tmp_path / "out") == "interrupted"
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".paraprint"]
    result = paraprint.dedup(pages, tmp_path / "out", report=False)
    assert result.pages == PAGES and result.pages_removed == PAGES // 2
    paraprint.dedup(pages, tmp_path / "undisturbed", report=False)
    for name in ("clusters.tsv", "matches.tsv", "removed.jsonl", "matches.jsonl", "summary.json"):
        written = (tmp_path / "out" / name).read_text().replace(str(tmp_path / "out"), "")
        assert written == (tmp_path / "undisturbed" / name).read_text().replace(str(tmp_path / "undisturbed"), ""), name


BATCH = """
import sys, pyarrow, pyarrow.parquet, paraprint
table = pyarrow.parquet.read_table(sys.argv[1])
try:
    print("begun", flush=True)
    paraprint.profile_batch(table, threads=2)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_batch_stops(tmp_path):
    table = pyarrow.table({"html": [article(n) for n in range(PAGES)]})
    pyarrow.parquet.write_table(table, tmp_path / "pages.parquet")
    assert interrupted(BATCH, tmp_path / "pages.parquet") == "interrupted"


EVALUATE = """
import sys, paraprint
try:
    paraprint.evaluate(sys.argv[1], progress=lambda *_: print("begun", flush=True))
except KeyboardInterrupt:
    print("interrupted")
"""


def test_evaluation_stops(tmp_path):
    lines = (json.dumps({"id": f"page{n}", "html": article(n // 2)}) + "\n" for n in range(PAGES))
    (tmp_path / "docs.jsonl").write_text("".join(lines))
    (tmp_path / "labels.tsv").write_text("page0\tpage1\tdup\npage1\tpage2\tdiff\n")
    assert interrupted(EVALUATE, tmp_path) == "interrupted"


CONTAMINATED = """
import sys, paraprint
try:
    paraprint.contaminated(*sys.argv[1:], progress=lambda *_: print("begun", flush=True), threads=2)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_search_for_items_stops(tmp_path):
    pages, items = tmp_path / "pages.jsonl", tmp_path / "items.jsonl"
    pages.write_text("".join(json.dumps({"id": f"page{n}", "html": article(n)}) + "\n" for n in range(PAGES)))
    items.write_text("".join(json.dumps({"text": article(n)[3:200]}) + "\n" for n in range(100)))
    assert interrupted(CONTAMINATED, pages, items, tmp_path / "out") == "interrupted"
    assert not (tmp_path / "out" / "summary.json").exists()
    assert paraprint.contaminated(pages, items, tmp_path / "out").items_found == 100


def test_dedup_of_files_of_rows_stops_and_resumes(tmp_path):
    table = pyarrow.table({"id": [f"page{n}" for n in range(PAGES)], "html": [article(n // 2) for n in range(PAGES)]})
    pages = tmp_path / "pages.parquet"
    pyarrow.parquet.write_table(table, pages, row_group_size=500)
    assert interrupted(DEDUP, pages, tmp_path / "out") == "interrupted"
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".paraprint"]
    result = paraprint.dedup(pages, tmp_path / "out", report=False)
    assert result.pages == PAGES and result.pages_removed == PAGES // 2
    assert pyarrow.parquet.read_table(result.outputs[0]).num_rows == PAGES // 2
