"""Archives through Spark: same bytes as the program, for any number of tasks and in spite of failing executors."""

import errno
import json
import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time

import pytest
from kill_executors import executors
from spark_outputs import NEEDED, files_below, tables_of

import paraprint
from paraprint.errors import NoSpaceError

dedup_files = pytest.importorskip("paraprint.spark", reason=NEEDED).dedup_files


@pytest.mark.parametrize("partitions", [pytest.param(2, marks=pytest.mark.long), 7])
def test_demo_crawl_gives_the_bytes_of_the_program(spark, demo, dedup_by_program, tmp_path, partitions):
    result = dedup_files(spark, demo, work=str(tmp_path / "work"), out=str(tmp_path / "out"), partitions=partitions)
    assert tables_of(tmp_path / "out") == dedup_by_program(demo)
    assert result.removed > 0
    assert result.pages == result.kept + result.removed
    survivors = {row.id for row in result.survivors.collect()}
    removed = {json.loads(line)["id"] for line in (tmp_path / "out" / "removed.jsonl").read_text().splitlines()}
    assert len(survivors) == result.kept and not survivors & removed
    metrics = json.loads((tmp_path / "work" / "metrics.json").read_text())
    assert metrics["shuffle_bytes"] > 0
    written = json.loads((tmp_path / "out" / "metrics.json").read_text())
    assert "stages" not in written and {name: metrics[name] for name in written} == written
    assert metrics["counters"]["reading"]["broken_records"] > 0  # odd.warc.gz has broken records


def test_resumed_run_reuses_completed_stages(spark, demo, dedup_by_program, tmp_path):
    work, out = tmp_path / "work", tmp_path / "out"
    options = {"near": 0.8, "keep": "earliest", "boilerplate": False}  # the program's
    dedup_files(spark, demo, work=str(work), out=str(out), partitions=1, **options)
    for stage in ("matches", "clusters"):  # as if killed before these stages completed
        (work / stage / "_SUCCESS").unlink()
    (out / "clusters.tsv").unlink()
    result = dedup_files(spark, demo, work=str(work), out=str(out), partitions=1, resume=True, **options)
    assert tables_of(out) == dedup_by_program(demo, "--near", "0.8", "--keep", "earliest", "--no-boilerplate")
    stages = result.metrics["stages"]
    assert stages["profiles"] == stages["keys"] == {"resumed": True}
    assert "seconds" in stages["matches"]
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="contains a run with other options"):
        dedup_files(spark, demo, work=str(work), out=str(out), partitions=1, resume=True, near=0.9)


@pytest.mark.parametrize("partitions", [pytest.param(1, marks=pytest.mark.long), 5])
def test_word_weights_learned_from_the_pages(spark, demo, program, tmp_path, partitions):
    subprocess.run([program, "dedup", *demo, "--out", tmp_path / "one", "--idf", "corpus", "--quiet"], check=True)
    work, out = tmp_path / "work", tmp_path / "out"
    run = {"work": str(work), "out": str(out), "partitions": partitions, "idf": "corpus"}
    result = dedup_files(spark, demo, **run)
    assert tables_of(out) == tables_of(tmp_path / "one")
    summary = json.loads((tmp_path / "one" / "summary.json").read_text())
    assert result.metrics["settings_identity"] in json.dumps(summary)
    assert "idf=corpus/" in result.metrics["settings_identity"]
    if partitions > 1:
        return
    # The weights differ from those of the stored profiles.
    (work / "settings.json").write_text('"of other words"')
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="other word weights"):
        dedup_files(spark, demo, resume=True, **run)


@pytest.mark.parametrize("revisits", [False, True])
def test_archives_without_the_removed_pages(spark, demo, program, tmp_path, revisits):
    crawl = tmp_path / "crawl"
    (crawl / "pages").mkdir(parents=True)
    for path in demo:
        shutil.copy(path, crawl)
    cut = (crawl / "third.warc.gz").read_bytes()
    (crawl / "third.warc.gz").write_bytes(cut[: len(cut) // 2])
    for name in ("a", "b"):
        (crawl / "pages" / f"{name}.html").write_text("<p>Both pages have these words and no others at all.</p>")
    command = [program, "dedup", crawl, "--out", tmp_path / "one", "--no-report", "--quiet"]
    subprocess.run(command + ["--revisits"] * revisits, check=False)  # an input ends early
    out = tmp_path / "out"
    run = {"work": str(tmp_path / "work"), "out": str(out), "partitions": 3 - revisits, "records": True}
    run |= {"revisits": revisits, "evidence": True}
    (out / "records").mkdir(parents=True)
    (out / "records" / "of-another-run.warc.gz").touch()
    with pytest.raises(paraprint.errors.InvalidArgumentError, match=f"{out}: holds records, which no run has written"):
        dedup_files(spark, [str(crawl)], **run)
    assert list(files_below(out)) == ["records/of-another-run.warc.gz"] and not (tmp_path / "work").exists()
    with pytest.raises(paraprint.errors.InvalidArgumentError, match=f"^{crawl}/out: .* inside the input folder "):
        dedup_files(spark, [str(crawl)], **{**run, "out": str(crawl / "out")})
    (out / ".paraprint-divided").touch()
    result = dedup_files(spark, [str(crawl)], **run)
    expected = files_below(tmp_path / "one" / "records")
    assert len(expected) == 6 - 1
    assert files_below(out / "records") == expected
    assert result.metrics["counters"]["writing"]["pages_removed"] > 5
    assert (out / "matches.jsonl").read_bytes() == (tmp_path / "one" / "matches.jsonl").read_bytes()
    if revisits:
        return
    # A driver that failed while moving files; then missing files.
    (out / ".records-attempts" / "unknown").mkdir(parents=True)
    assert dedup_files(spark, [str(crawl)], resume=True, **run).metrics["stages"]["records"] == {"resumed": True}
    assert files_below(out / "records") == expected and not (out / ".records-attempts").exists()
    (out / "records" / min(expected)).unlink()
    dedup_files(spark, [str(crawl)], resume=True, **run)
    assert files_below(out / "records") == expected


def test_application_accepts_the_options_of_the_program():
    from paraprint.spark.__main__ import parse

    folders = ["--work", "w", "--out", "o"]
    parsed, options = parse(["a.warc.gz", "b", *folders, "--near", "0.8", "--no-boilerplate", "--memory", "1GiB"])
    assert parsed.inputs == ["a.warc.gz", "b"]
    assert options == {"near": "0.8", "boilerplate": False, "memory": "1GiB"}
    with pytest.raises(SystemExit):
        parse(["a.warc.gz", *folders, "--threads", "2"])


def test_killed_executor_does_not_change_the_output(spark, demo, dedup_by_program, tmp_path):
    killed = []

    def kill_one():
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and not killed:
            if (tmp_path / "work" / "keys" / "_SUCCESS").exists():
                process = executors()[0]
                os.kill(process, signal.SIGKILL)
                killed.append(process)
            time.sleep(0.02)

    killer = threading.Thread(target=kill_one)
    killer.start()
    dedup_files(spark, demo, work=str(tmp_path / "work"), out=str(tmp_path / "out"), partitions=4)
    killer.join()
    assert killed
    assert tables_of(tmp_path / "out") == dedup_by_program(demo)


def test_failing_task_raises_an_exception_with_the_cause(spark, demo, tmp_path, capfd):
    from paraprint.spark import __main__ as application

    folders = {"work": str(tmp_path / "work"), "out": str(tmp_path / "out")}
    dedup_files(spark, demo, partitions=2, **folders)
    (tmp_path / "work" / "matches" / "_SUCCESS").unlink()
    for part in (tmp_path / "work" / "keys").glob("part-*"):  # read only by executors
        part.write_bytes(b"no Parquet")
    cause = "stage matches: .*/keys/part-.*its end is missing"
    with pytest.raises(paraprint.errors.CorruptDataError, match=cause) as raised:
        dedup_files(spark, demo, partitions=2, resume=True, **folders)
    assert "\tat " not in str(raised.value) and "Traceback" not in str(raised.value)

    class Session:  # report() stops the session
        def __getattr__(self, name):
            return (lambda: None) if name == "stop" else getattr(spark, name)

    parsed, options = application.parse([*demo, "--work", folders["work"], "--out", folders["out"], "--resume",
                                         "--partitions", "2"])
    assert application.report(Session(), parsed, options) == 1
    said = capfd.readouterr().err
    assert "paraprint.spark: stage matches: " in said and "Traceback" not in said


def test_spark_failures_are_reported_in_one_line():
    from paraprint.spark.failures import error_of

    java = "\n\tat org.apache.spark.api.python.BasePythonRunner(PythonRunner.scala:572)\n\tat java.lang.Thread.run"
    begin = ("An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.\n"
             ": org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times, "
             "most recent failure: ")
    in_python = (begin + "Lost task 0.3 in stage 1.0 (TID 4) (10.0.0.2 executor 1): "
                 "org.apache.spark.api.python.PythonException: Traceback (most recent call last):\n"
                 "  File \"tasks.py\", line 3, in profile_files\n    work()\n")
    error = error_of("profiles", in_python + "paraprint.errors.NoSpaceError: /tmp: the disk is full\n" + java)
    assert type(error) is paraprint.errors.NoSpaceError and str(error) == "stage profiles: /tmp: the disk is full"
    chained = (in_python + "KeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\n"
               "Traceback (most recent call last):\n  File \"x.py\", line 1, in f\nMemoryError\n" + java)
    assert str(error_of("keys", chained)) == "stage keys: a task failed: MemoryError"
    lost = begin + "Lost task 0.3 in stage 1.0: ExecutorLostFailure (executor 1 exited)\nDriver stacktrace:" + java
    assert str(error_of("keys", lost)) == ("stage keys: Lost task 0.3 in stage 1.0: ExecutorLostFailure (executor 1 "
                                           "exited)")
    assert str(error_of("input", "[PATH_NOT_FOUND] no such path\nmore")) == "stage input: [PATH_NOT_FOUND] no such path"


def test_options_that_cannot_be_divided_are_rejected(spark, demo, tmp_path):
    with pytest.raises(paraprint.errors.UnsupportedError, match="algorithm is 'scam'"):
        dedup_files(spark, demo, work=str(tmp_path / "work"), out=str(tmp_path / "out"), algorithm="scam")
    for option in ("align_words", "annotate", "trim"):
        with pytest.raises(paraprint.errors.UnsupportedError, match=f"{option} is on, but "):
            dedup_files(spark, demo, work=str(tmp_path / "work"), out=str(tmp_path / "out"), **{option: True})
    assert not (tmp_path / "work").exists() and not (tmp_path / "out").exists()
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "one.jpg").touch()
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="do not belong to a run"):
        dedup_files(spark, demo, work=str(tmp_path / "photos"), out=str(tmp_path / "out"))
    with pytest.raises(FileNotFoundError):
        dedup_files(spark, ["/no/such/crawl"], work=str(tmp_path / "work"), out=str(tmp_path / "out"))


def test_files_of_abandoned_tasks_are_not_part_of_the_stage(tmp_path):
    from paraprint.stages.storage import WorkFolder
    from paraprint.stages.tasks import PARCELS

    work = WorkFolder(str(tmp_path))
    work.begin("keys")
    for payload in (b"given up", b"once more"):
        with work.new_part("keys", PARCELS) as part:
            part.write("exact", 0, payload)
    assert not work.is_complete("keys")
    work.complete("keys", [{"file": part.file}, {"file": ""}])
    assert work.is_complete("keys")
    assert sorted(file.name for file in (tmp_path / "keys").iterdir()) == ["_SUCCESS", part.file]
    assert list(work.rows("keys", [(part.file, 0)], ["kind", "payload"])) == [("exact", b"once more")]


def test_a_file_is_replaced_as_a_whole(tmp_path):
    from paraprint.stages.storage import WorkFolder

    work = WorkFolder(str(tmp_path))
    (tmp_path / "identity.json.partial").write_text("{")  # left by a killed run
    assert work.is_empty()
    work.write_json("identity.json", {"layout": 1})
    assert not work.is_empty()
    os.link(tmp_path / "identity.json", tmp_path / "earlier")
    work.write_json("identity.json", {"layout": 2})
    assert work.read_json("identity.json") == {"layout": 2}
    assert work.read_json("earlier") == {"layout": 1}  # the old bytes were not overwritten
    assert sorted(file.name for file in tmp_path.iterdir()) == ["earlier", "identity.json"]


def test_a_table_without_one_of_its_parts_is_absent(tmp_path):
    from paraprint.stages import tables

    def fail_half_way():
        yield b'{"a":1}\n'
        raise OSError(errno.ENOSPC, "no space left")

    def write(parts_of):
        tables.write_all(str(tmp_path), False, parts_of)
        return sorted(file.name for file in tmp_path.iterdir())

    (tmp_path / "matches.jsonl").write_text("of an earlier run")
    with pytest.raises(NoSpaceError, match=f"{tmp_path}/clusters.tsv: no space left"):
        write(lambda name: fail_half_way())
    assert list(tmp_path.iterdir()) == []
    assert write(lambda name: [b"a", name.encode()]) == sorted(tables.TABLES)
    assert (tmp_path / "clusters.tsv").read_bytes() == b"aclusters.tsv"
