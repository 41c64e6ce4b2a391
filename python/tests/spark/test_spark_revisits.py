"""Archives with revisit records through Spark: what these refer to stays, with the bytes of the program."""

import gzip
import json
import os
import pathlib
import subprocess

import pytest
from spark_outputs import NEEDED, files_below

dedup_files = pytest.importorskip("paraprint.spark", reason=NEEDED).dedup_files


def outputs_of(folder):
    """The bytes of all files that do not differ from the program's by design."""
    others = (".paraprint/", ".paraprint-divided", "survivors/", "timing.json", "summary.json", "metrics.json")
    return {name: content for name, content in files_below(folder).items() if not name.startswith(others)}


def compare(spark, program, folder, inputs, *, partitions, exit_codes=(0,), **options):
    """Runs both; returns metrics and the counters of the program."""
    switches = [f"--{name}={value}" if isinstance(value, str) else f"--{name}"
                for name, value in options.items() if value]
    command = [program, "dedup", *inputs, "--out", folder / "one", "--no-report", "--no-evidence", "--quiet", *switches]
    assert subprocess.run(command, check=False).returncode in exit_codes
    run = {"work": str(folder / "work"), "out": str(folder / "out"), "partitions": partitions, "records": True}
    result = dedup_files(spark, [str(path) for path in inputs], **run, **options)
    given, expected = outputs_of(folder / "out"), outputs_of(folder / "one")
    assert sorted(given) == sorted(expected)
    for name, content in expected.items():
        assert given[name] == content, name
    counters = json.loads((folder / "one" / "summary.json").read_text())["counters"]
    assert result.metrics["counters"].get("revisits", {}) == counters.get("revisits", {})
    return run, expected


@pytest.mark.parametrize("partitions", [pytest.param(1, marks=pytest.mark.long), 4])
@pytest.mark.parametrize("revisits", [False, True])
def test_pages_of_revisit_records_stay(spark, program, archives, tmp_path, monkeypatch, partitions, revisits):
    from paraprint.stages import revisits as stage

    if partitions > 1:  # as if there were too many to broadcast
        monkeypatch.setattr(stage, "CLAIMED_BYTES", 8)
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    contents, _ = archives.linked_archives()
    for name, content in contents.items():
        (crawl / name).write_bytes(content)
    # Revisit records among pages, in an archive that ends early.
    pages = b"".join(archives.page(f"more-{i}", f"http://more.example/{i}",
                                   archives.support.html_of(archives.support.article(i // 2)).encode())
                     for i in range(8))
    again = archives.revisit("more-again", "http://more.example/3", profile="server-not-modified")
    cut = gzip.compress(pages + again + pages)
    (crawl / "3.warc.gz").write_bytes(cut[: len(cut) - 900])
    run, expected = compare(spark, program, tmp_path, [crawl], partitions=partitions, exit_codes=(0, 3),
                            revisits=revisits, keep="earliest")
    rows = [json.loads(line) for line in expected["input-revisits.jsonl"].splitlines()]
    assert [row["found_by"] for row in rows[:5]] == ["id", "address-and-date", "address-and-digest",
                                                     "previous-capture", "nothing"]
    removed = [json.loads(line)["id"] for line in expected["removed.jsonl"].splitlines()]
    assert "urn:test:place" in removed and b"<urn:test:place>" in expected["records/2.warc"]

    assert json.loads(expected["savings.json"])["totals"]["records_removed"] > 0

    (tmp_path / "work" / "captures" / "_SUCCESS").unlink()
    (tmp_path / "work" / "records" / "_SUCCESS").unlink()
    options = {"revisits": revisits, "keep": "earliest"}
    result = dedup_files(spark, [str(crawl)], resume=True, **run, **options)
    assert result.metrics["stages"]["claims"] == {"resumed": True} and "seconds" in result.metrics["stages"]["captures"]
    assert outputs_of(tmp_path / "out") == expected
    # Without records, nothing looks for revisit records, and no earlier list remains.
    dedup_files(spark, [str(crawl)], resume=True, **{**run, "records": False}, keep="earliest")
    assert sorted(outputs_of(tmp_path / "out")) == ["clusters.tsv", "matches.tsv", "removed.jsonl"]


def test_savings_tell_pages_with_nothing_but_a_template(spark, program, archives, tmp_path):
    notice = archives.support.article(99, 1)
    texts = [archives.support.article(i) + notice for i in range(12)] + [notice] * 3
    pages = [archives.page(f"{i}", f"http://site.example/{i}", archives.support.html_of(text).encode())
             for i, text in enumerate(texts)]
    for name, part in (("1.warc", pages[:7]), ("2.warc", pages[7:])):
        (tmp_path / name).write_bytes(b"".join(part))
    inputs = [tmp_path / "1.warc", tmp_path / "2.warc"]
    _, expected = compare(spark, program, tmp_path, inputs, partitions=3)
    assert json.loads(expected["savings.json"])["totals"]["classes"]["template"]["records"] == 2


def test_demo_crawl(spark, program, demo, tmp_path):
    _, expected = compare(spark, program, tmp_path, demo, partitions=3, exit_codes=(0, 3), revisits=True)
    assert len(expected["input-revisits.jsonl"].splitlines()) == 1


def test_odd_archives(spark, program, tmp_path):
    odd = pathlib.Path(os.environ.get("PARAPRINT_DATA_DIR", "../data")) / "corpus" / "odd-warcs"
    if not odd.exists():
        pytest.skip("test data not found; set PARAPRINT_DATA_DIR")
    _, expected = compare(spark, program, tmp_path, [odd], partitions=3, exit_codes=(0, 3), revisits=False)
    assert len(expected["input-revisits.jsonl"].splitlines()) > 10
