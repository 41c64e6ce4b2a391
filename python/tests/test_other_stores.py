"""Stores that are not object stores, through the command: HDFS by its own protocol and by HTTP, files of a machine that
is reached by SSH, and files of this one. And what is said where the package for a store is missing."""

import json
import os
import subprocess
import sys

import pytest

import paraprint
import store_servers
from test_table_files import ICE, RIVER, ROWS, TRAM, command, write

pyarrow = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def hdfs(tmp_path_factory):
    with store_servers.hdfs_server(tmp_path_factory.mktemp("hdfs")) as ports:
        yield ports


@pytest.fixture(scope="module")
def sftp(tmp_path_factory):
    with store_servers.sftp_server(tmp_path_factory.mktemp("sftp")) as port:
        yield port


@pytest.fixture(params=("file", "hdfs", "webhdfs", "sftp"))
def store(request, tmp_path, monkeypatch):
    folder = tmp_path / "corpus"
    folder.mkdir()
    if request.param == "file":
        found = store_servers.file_store(folder)
    elif request.param == "sftp":
        found = store_servers.sftp_store(request.getfixturevalue("sftp"), folder)
    else:
        port, http_port = request.getfixturevalue("hdfs")
        found = store_servers.webhdfs_store(http_port)
        if request.param == "hdfs":  # the test itself has no Java in its process
            found.scheme, found.environment = "hdfs", store_servers.hdfs_environment()
            found.place = found.given_place = f"127.0.0.1:{port}/corpus"
    for name, value in found.environment.items():
        monkeypatch.setenv(name, value)
    found.clear()
    return found


def test_tables_from_store_to_store(program, store, tmp_path):
    table = pyarrow.table(ROWS)
    store.put("pages/b.parquet", write(tmp_path / "b.parquet", table.slice(2)))
    store.put("pages/a.parquet", write(tmp_path / "a.parquet", table.slice(0, 2)))
    store.put("pages/deep/c.parquet", tmp_path / "a.parquet")
    local = paraprint.dedup([tmp_path / "a.parquet", tmp_path / "b.parquet"], tmp_path / "local", keep="first")
    done = command(program, "dedup", store.given("pages/*.parquet"), "--out", store.given("clean"), "--keep", "first",
                   "--tmp", tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"output: {store.shown('clean')}\n" in done.stderr and "secret" not in done.stderr
    for name in ("records/a.parquet", "records/b.parquet", "clusters.tsv", "matches.tsv"):
        assert store.get(f"clean/{name}") == (local.folder / name).read_bytes(), name
    (removed,) = map(json.loads, store.get("clean/removed.jsonl").decode().splitlines())
    assert (removed["file"], removed["row"]) == (store.shown("pages/b.parquet"), 0)
    left = [name for name in store.names("clean") if "incomplete" in name or "partial" in name or "/." in name]
    assert not left and not list(tmp_path.glob("paraprint-*"))


def test_archives_and_benchmarks_from_stores(program, root, store, tmp_path):
    crawl = root / "examples" / "demo-crawl"
    for path in crawl.glob("*.warc.gz"):
        store.put(f"crawl/{path.name}", path)
    local = tmp_path / "local"
    subprocess.run([program, "dedup", crawl, "--out", local, "--quiet"], check=True)
    done = command(program, "dedup", store.given("crawl"), "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    for path in [local / "clusters.tsv", local / "matches.tsv", *(local / "records").iterdir()]:
        assert (tmp_path / "out" / path.relative_to(local)).read_bytes() == path.read_bytes(), path
    store.put("items.csv", write(tmp_path / "items.csv", pyarrow.table({"id": ["ice"], "question": [ICE]})))
    store.put("corpus.parquet", write(tmp_path / "c.parquet", pyarrow.table({"text": [RIVER, f"{RIVER} {ICE}"]})))
    done = command(program, "contaminated", store.given("corpus.parquet"), "--against", store.given("items.csv"),
                   "--out", store.given("found"))
    assert done.returncode == 0, done.stderr
    (find,) = map(json.loads, store.get("found/contaminated.jsonl").decode().splitlines())
    assert (find["file"], find["row"], find["item"]) == (store.shown("corpus.parquet"), 1, "ice")
    assert find["benchmark"] == store.shown("items.csv")


def test_what_cannot_be_read_is_named_and_the_same_command_then_succeeds(program, store, tmp_path):
    path = write(tmp_path / "a.parquet", pyarrow.table(ROWS))
    done = command(program, "dedup", store.given("none.parquet"), "--out", tmp_path / "out")
    assert done.returncode == 2 and f"paraprint: {store.shown('none.parquet')}: no such file" in done.stderr
    store.put("pages/a.parquet", path)
    done = command(program, "dedup", path, "--out", store.given("pages"))
    assert done.returncode == 2 and f"{store.shown('pages')}: is not empty" in done.stderr
    store.put("bad/a.parquet", __file__)
    run = ("dedup", store.given("bad/a.parquet"), "--out", store.given("out"), "--tmp", tmp_path)
    done = command(program, *run)
    assert done.returncode == 1 and f"paraprint: {store.shown('bad/a.parquet')}: " in done.stderr
    assert store.names("out") == ["out/.paraprint-incomplete"]
    store.put("bad/a.parquet", path)
    assert command(program, *run).returncode == 0 and "out/records/a.parquet" in store.names("out")


_INTERRUPTED = """
import os, signal, sys, time
from paraprint import stores

stores.file_system_of(sys.argv[1])
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_java_leaves_signals_to_python(hdfs, monkeypatch):
    for name, value in store_servers.hdfs_environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    run = [sys.executable, "-c", _INTERRUPTED, f"hdfs://127.0.0.1:{hdfs[0]}/"]
    assert subprocess.run(run, capture_output=True, text=True).stdout == "interrupted\n"


def test_memory_is_a_store_within_a_process(tmp_path):
    memory = pytest.importorskip("fsspec").filesystem("memory")
    for name, rows in (("a", [RIVER, ICE]), ("b", [RIVER.upper(), TRAM])):
        path = write(tmp_path / f"{name}.csv", pyarrow.table({"id": [f"{name}0", f"{name}1"], "text": rows}))
        memory.pipe(f"/corpus/{name}.csv", path.read_bytes())
    result = paraprint.dedup("memory://corpus/*.csv", "memory://clean", keep="first", tmp=str(tmp_path))
    assert result.outputs == ["memory://clean/records/a.csv", "memory://clean/records/b.csv"]
    assert memory.cat("/clean/records/b.csv") == f'id,text\nb1,"{TRAM}"\n'.encode()

    def change(*_):
        memory.pipe("/corpus/a.csv", memory.cat("/corpus/b.csv"))  # of the same length or not: it is newer

    with pytest.raises(paraprint.errors.CorruptDataError, match="memory://corpus/a.csv: has changed since the run"):
        paraprint.dedup("memory://corpus/*.csv", tmp_path / "out", progress=change)


def test_a_package_that_is_missing_is_named(program, tmp_path, monkeypatch):
    pytest.importorskip("fsspec")
    cases = (("oci://corpus/a.parquet", "ocifs", "(pip install ocifs)"),
             ("dropbox://corpus/a.parquet", "dropboxdrivefs", "(pip install dropboxdrivefs)"),
             ("nothing://corpus/a.parquet", "", "Protocol not known: nothing"))
    for uri, package, said in cases:
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(paraprint.errors.UnsupportedError, match=f"^{uri}: ") as raised:
            paraprint.dedup(uri, tmp_path / "out")
        assert said in str(raised.value)
    (tmp_path / "fsspec.py").write_text("raise ImportError('not here')\n")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.pathsep.join(sys.path)}")
    monkeypatch.setenv("PARAPRINT_PYTHON", sys.executable)
    run = [program, "dedup", "sftp://corpus/a.parquet", "--out", tmp_path / "out"]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr == (
        "paraprint: sftp://corpus/a.parquet: sftp: is none of s3, gs, hdfs, abfs, file, https; for others: "
        "pip install fsspec\n")


def test_hdfs_without_hadoop_says_what_it_needs(program, tmp_path, monkeypatch):
    for name in ("HADOOP_HOME", "JAVA_HOME", "CLASSPATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ARROW_LIBHDFS_DIR", str(tmp_path))
    done = command(program, "dedup", "hdfs://localhost:1/a.parquet", "--out", tmp_path / "out")
    if done.returncode == 1:
        pytest.skip("this machine has Hadoop")
    assert done.returncode == 2 and done.stderr.startswith(
        "paraprint: hdfs://localhost:1/a.parquet: hdfs: needs Java and Hadoop's libhdfs.so; set JAVA_HOME")


def test_a_server_that_does_not_answer_is_an_error(program, tmp_path):
    pytest.importorskip("requests")
    pytest.importorskip("fsspec")
    pytest.importorskip("paramiko")
    for uri in ("webhdfs://127.0.0.1:1/a.parquet", "sftp://name:secret@127.0.0.1:1/a.parquet"):
        done = command(program, "dedup", uri, "--out", tmp_path / "out")
        shown = uri.replace("name:secret@", "")
        assert done.returncode == 1 and done.stderr.startswith(f"paraprint: {shown}: "), done.stderr
        assert "Traceback" not in done.stderr and not (tmp_path / "out").exists()


def test_a_wrong_password_is_an_error(program, sftp, tmp_path):
    pytest.importorskip("paramiko")
    uri = f"sftp://name:guessed@127.0.0.1:{sftp}{tmp_path}/a.parquet"
    done = command(program, "dedup", uri, "--out", tmp_path / "out")
    assert done.returncode == 1 and "AuthenticationException" in done.stderr and "guessed" not in done.stderr
