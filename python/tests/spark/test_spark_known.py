"""Crawls after crawls on Spark: what earlier runs had is removed, with the bytes of the program and its index."""

import json
import subprocess

import pytest
from spark_outputs import NEEDED, files_below, tables_of

import paraprint

spark_package = pytest.importorskip("paraprint.spark", reason=NEEDED)

from paraprint.stages.known import KnownFolder, import_index  # noqa: E402


def program_after(program, inputs, out, index, *options):
    subprocess.run([program, "dedup", *inputs, "--out", out, "--index", index, "--quiet", *options], check=True)
    return tables_of(out)


@pytest.mark.parametrize("partitions", [pytest.param(2, marks=pytest.mark.long), 5])
def test_archives_after_an_index(spark, demo, program, tmp_path, partitions):
    program_after(program, demo[:1], tmp_path / "one", tmp_path / "index")
    import_index(str(tmp_path / "index"), str(tmp_path / "known"), str(tmp_path), 1 << 20)
    expected = program_after(program, demo[1:], tmp_path / "two", tmp_path / "index", "--revisits", "--no-report")
    known = str(tmp_path / "known")
    work, out = str(tmp_path / "work"), tmp_path / "out"
    run = {"work": work, "out": str(out), "partitions": partitions, "known": known, "records": True, "revisits": True}
    result = spark_package.dedup_files(spark, demo[1:], **run)
    assert tables_of(out) == expected
    assert files_below(out / "records") == files_below(tmp_path / "two" / "records")
    removed = [json.loads(line) for line in expected["removed.jsonl"].splitlines()]
    known_before = sum(row["reason"] == "known" for row in removed)
    assert result.metrics["counters"]["known"]["removed_known_before"] == known_before > 0
    # Resuming a run that is done adds nothing and finds the same.
    before = files_below(tmp_path / "known")
    spark_package.dedup_files(spark, demo[1:], resume=True, **run)
    assert tables_of(out) == expected and files_below(tmp_path / "known") == before
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="another? known|other known"):
        spark_package.dedup_files(spark, demo[1:], resume=True, **{**run, "known": str(tmp_path / "others")})


def test_tables_after_tables(spark, tmp_path):
    def crawl(number, rows):
        frame = spark.createDataFrame(rows, "id string, text string")
        return spark_package.dedup(frame, work=str(tmp_path / f"w{number}"), out=str(tmp_path / f"o{number}"),
                                   known=str(tmp_path / "known"), partitions=2)

    texts = [" ".join(f"word{number}x{place}" for place in range(120)) for number in range(40)]
    first = crawl(1, [(f"a{number}", text) for number, text in enumerate(texts[:30])])
    assert first.kept == 30
    rows = [(f"b{number}", text + " and one thing more") for number, text in enumerate(texts[10:], 10)]
    second = crawl(2, rows)
    assert sorted(row.id for row in second.survivors.collect()) == [f"b{number}" for number in range(30, 40)]
    removed = [json.loads(line) for line in (tmp_path / "o2" / "removed.jsonl").read_text().splitlines()]
    assert {(row["id"], row["kept_id"], row["reason"]) for row in removed} == {
        (f"b{number}", f"a{number}", "known") for number in range(10, 30)
    }
    assert [run.texts for run in KnownFolder(str(tmp_path / "known")).runs()] == [30, 10]


def test_a_run_that_cannot_be_added_leaves_the_folder_as_it_was(spark, demo, tmp_path, monkeypatch):
    known = tmp_path / "known"
    options = {"known": str(known), "partitions": 2}
    spark_package.dedup_files(spark, demo[:1], work=str(tmp_path / "w1"), out=str(tmp_path / "o1"), **options)
    before = files_below(known)

    def fail(*_):
        raise OSError(28, "No space left on device", str(known))

    monkeypatch.setattr(KnownFolder, "add", fail)
    second = {"work": str(tmp_path / "w2"), "out": str(tmp_path / "o2"), **options}
    with pytest.raises(OSError, match="No space"):
        spark_package.dedup_files(spark, demo[2:3], **second)
    assert files_below(known) == before
    monkeypatch.undo()
    spark_package.dedup_files(spark, demo[2:3], resume=True, **second)
    assert len(KnownFolder(str(known)).runs()) == 2 and len(list(KnownFolder(str(known)).texts())) > 1
    # What was stored before the failure is gone, so the resumed run has stored it again.
    again = spark_package.dedup_files(spark, demo[2:3], work=str(tmp_path / "w3"), out=str(tmp_path / "o3"), **options)
    assert again.metrics["counters"]["known"]["removed_known_before"] > 0 and again.kept < again.pages / 4
