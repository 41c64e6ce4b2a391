"""Runs on Spark whose inputs, work folder and output are in stores, also while their server fails: the bytes of the
program for local files. Each run has a session of its own, because executors have the environment of their session."""

import json
import os
import subprocess
import sys

import pytest
import store_servers
from faulty_proxy import FaultyProxy
from spark_outputs import NEEDED, files_below

pytest.importorskip("pyspark", reason=NEEDED)

_TABLES = ("clusters.tsv", "matches.tsv", "removed.jsonl", "matches.jsonl", "savings.json")


@pytest.fixture(scope="module")
def one(program, root, tmp_path_factory):
    """The output of the program."""
    folder = tmp_path_factory.mktemp("one")
    demo = root / "examples" / "demo-crawl"
    inputs = [demo / f"{name}.warc.gz" for name in ("first", "second", "odd")]
    subprocess.run([program, "dedup", *inputs, "--out", folder, "--no-report", "--quiet"], check=True)
    return inputs, files_below(folder)


def run_spark(store, inputs, environment, more=None):
    """Runs the application over the files in the store, with more settings of Spark; returns the process."""
    for path in inputs:
        store.put(f"crawl/{path.name}", path)
    command = [sys.executable, "-m", "paraprint.spark", store.given("crawl"), "--work", store.given("work"), "--out",
               store.given("out"), "--records", "--evidence", "--partitions", "2"]
    paths = os.pathsep.join(path for path in sys.path if path)
    settings = {"spark.executor.memory": "1024m", "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
                "spark.executorEnv.PYTHONPATH": paths, **(more or {})}
    submit = " ".join(f"--conf {name}={value}" for name, value in settings.items())
    environment = {**os.environ, **store.environment, **environment, "PYTHONPATH": paths, "PYSPARK_PYTHON":
                   sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_SUBMIT_ARGS":
                   f"--master local-cluster[2,1,1024] {submit} pyspark-shell"}
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def compared(store, expected, folder):
    """The files of the output that the program has, too, and what the program wrote."""
    names = [name for name in expected if name in _TABLES or name.startswith("records/")]
    stored = [name.removeprefix("out/") for name in store.names("out")]
    assert sorted(name for name in stored if name.startswith("records/")) == sorted(
        name for name in names if name.startswith("records/"))
    assert not [name for name in stored if "attempts" in name or name.endswith(".partial")]
    found = {name: store.get(f"out/{name}") for name in names}
    for name in _TABLES:  # that have the places of the inputs
        found[name] = found[name].replace(store.given("crawl/").encode(), folder)
    return found, {name: expected[name] for name in names}


@pytest.fixture
def server(tmp_path_factory):
    with store_servers.S3Process(tmp_path_factory.mktemp("s3")) as running:
        yield running


def test_everything_in_a_bucket_over_a_bad_network(server, one, monkeypatch):
    inputs, expected = one
    store = store_servers.s3_store(server.address)
    for name, value in store.environment.items():
        monkeypatch.setenv(name, value)
    with FaultyProxy(server.address, 7, 0.01) as proxy:
        done = run_spark(store, inputs, {"AWS_ENDPOINT_URL": f"http://{proxy.address}"})
        assert done.returncode == 0, done.stderr[-3000:]
        moved = [path for method, path, _ in proxy.requests if method == "PUT" and "attempts" in path]
    found, wanted = compared(store, expected, f"{inputs[0].parent}/".encode())
    assert found == wanted
    assert not moved  # records appear under their names
    metrics = json.loads(store.get("work/metrics.json"))
    assert metrics["counters"]["writing"]["pages_removed"] > 5


def test_settings_of_s3a(server, one, monkeypatch):
    """Spark alone knows how to reach the bucket. Nothing that is written shows the keys."""
    inputs, expected = one
    store = store_servers.s3_store(server.address)
    for name, value in store.environment.items():
        monkeypatch.setenv(name, value)
    for path in inputs:
        store.put(f"crawl/{path.name}", path)
    checksums = {name: value for name, value in store.environment.items() if "CHECKSUM" in name}
    for name in store.environment:
        monkeypatch.delenv(name)
    store.environment = {**checksums, "AWS_EC2_METADATA_DISABLED": "true"}
    settings = {f"spark.executorEnv.{name}": value for name, value in store.environment.items()}
    settings |= {f"spark.hadoop.fs.s3a.{name}": value for name, value in {
        "endpoint": f"http://{server.address}", "endpoint.region": "us-east-1", "path.style.access": "true",
        "access.key": "wrong", "bucket.corpus.access.key": "key-of-the-bucket", "secret.key": "a-secret-for-s3",
        "session.token": "a-token-for-s3"}.items()}
    done = run_spark(store, [], {}, settings)
    assert done.returncode == 0, done.stderr[-3000:]
    found, wanted = compared(store, expected, f"{inputs[0].parent}/".encode())
    assert found == wanted
    written = done.stdout.encode() + done.stderr.encode() + b"".join(map(store.get, store.names("work")))
    written += b"".join(map(store.get, store.names("out")))
    assert not [secret for secret in (b"key-of-the-bucket", b"a-secret-for-s3", b"a-token-for-s3") if secret in written]


def test_everything_on_hdfs(one, tmp_path):
    inputs, expected = one
    with store_servers.hdfs_server(tmp_path) as (port, http_port):
        store = store_servers.webhdfs_store(http_port)
        store.clear()
        given = store_servers.webhdfs_store(http_port)
        given.scheme, given.given_place = "hdfs", f"127.0.0.1:{port}/corpus"
        done = run_spark(given, inputs, store_servers.hdfs_environment())
        assert done.returncode == 0, done.stderr[-3000:]
        store.scheme, store.given_place = "hdfs", given.given_place
        found, wanted = compared(store, expected, f"{inputs[0].parent}/".encode())
        assert found == wanted
