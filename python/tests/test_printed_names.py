"""Names of files that commands print: to a terminal without what it would obey, and to a pipe byte for byte."""

import contextlib
import os
import pty
import subprocess
import sys
import types

import pytest

from paraprint.errors import InputOutputError

NAMES = [b"a\xff.parquet", b"b\x1b[31m.parquet"]


@pytest.fixture
def command(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    (tmp_path / "in").mkdir()
    for number, name in enumerate(NAMES):
        with open(os.fsencode(tmp_path / "in") + b"/" + name, "wb") as file:
            parquet.write_table(pyarrow.table({"text": [f"The river rose {number} metres."]}), file)
    return [sys.executable, "-m", "paraprint.parquet", tmp_path / "in", "--out", tmp_path / "out", "--no-report"]


def test_a_program_gets_the_bytes_of_names(command, tmp_path):
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}  # as in a locale of a language
    done = subprocess.run(command, capture_output=True, check=True, env=strict)
    folder = os.fsencode(tmp_path / "out" / "records")
    assert done.stdout == b"".join(folder + b"/" + name + b"\n" for name in NAMES)


def test_a_terminal_gets_names_that_can_be_printed(command):
    leader, follower = pty.openpty()
    process = subprocess.Popen(command, stdout=follower, stderr=subprocess.PIPE)
    os.close(follower)
    shown = b""
    with contextlib.suppress(OSError):  # the other end is closed
        while piece := os.read(leader, 4096):
            shown += piece
    assert (process.wait(), process.stderr.read().count(b"Traceback")) == (0, 0)
    os.close(leader)
    assert b"/a\\udcff.parquet\r\n" in shown and b"/b\\x1b[31m.parquet\r\n" in shown and b"\x1b" not in shown


def test_messages_of_divided_runs_can_be_printed(tmp_path):
    for words in (["next", tmp_path / "a\x1b[31m"], ["merge-known", tmp_path / "a\x1b[31m"]):
        done = subprocess.run([sys.executable, "-m", "paraprint.stages", *words], capture_output=True, check=False)
        assert done.returncode == 1 and b"a\\x1b[31m" in done.stderr and b"\x1b" not in done.stderr, done.stderr


def test_messages_of_spark_can_be_printed(capsys, monkeypatch):
    pytest.importorskip("pyspark")
    from paraprint.spark import __main__ as application

    def fail(*_):
        raise InputOutputError("a\x1b[31m: cannot be read")

    monkeypatch.setattr(application, "run", fail)
    session = types.SimpleNamespace(stop=lambda: None)
    assert application.report(session, types.SimpleNamespace(), {}) == 1
    assert capsys.readouterr().err == "paraprint.spark: a\\x1b[31m: cannot be read\n"
