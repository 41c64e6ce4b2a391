"""Divided runs whose inputs, work folder and output are in stores: ranges, faults of the network, servers that restart,
objects that change. Each run gives the bytes of the program for local files, or ends with the object's name."""

import os
import shutil
import subprocess
import sys
import threading
import time
import zipfile

import pytest

import paraprint
import store_servers
from faulty_proxy import FAULTS, FaultyProxy
from paraprint import stores

pytest.importorskip("pyarrow", reason="the folder has Parquet files")

from paraprint import _core  # noqa: E402
from paraprint.stages import ranges  # noqa: E402
from paraprint.stages.inputs import list_inputs  # noqa: E402
from paraprint.stages.job_array import JobArray, start  # noqa: E402
from paraprint.stages.known import KnownFolder, import_index  # noqa: E402
from paraprint.stages.known_merge import merge_known  # noqa: E402
from paraprint.stages.ranges import RangeReader, open_input  # noqa: E402
from test_job_array import TABLES  # noqa: E402

#: Instead of the folder of the inputs, which removed.jsonl has.
_LOCAL = b"CRAWL/"
ARCHIVES = ("first", "second", "odd")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with store_servers.S3Process(tmp_path_factory.mktemp("s3")) as running:
        yield running


@pytest.fixture(scope="module")
def hdfs(tmp_path_factory):
    with store_servers.hdfs_server(tmp_path_factory.mktemp("hdfs")) as ports:
        yield ports


@pytest.fixture
def bucket(server, monkeypatch):
    return store_servers.s3_store(server.address).emptied(monkeypatch)


@pytest.fixture
def faulty(server, bucket, monkeypatch):
    """The same bucket through a proxy, and the proxy, which does nothing bad yet."""
    with FaultyProxy(server.address, 1, 0.0, slow_seconds=0.1) as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{proxy.address}")
        yield bucket, proxy


@pytest.fixture
def seaweed(tmp_path, monkeypatch):
    """Another server of S3, new for each test because it keeps folders that have become empty, and its bucket."""
    with store_servers.SeaweedProcess(tmp_path) as running:
        yield running, store_servers.s3_store(running.address).emptied(monkeypatch)


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(stores, "_DELAYS_SECONDS", (0.05, 0.1))


@pytest.fixture
def demo(root):
    return root / "examples" / "demo-crawl"


def put_demo(store, demo, folder="crawl"):
    for name in ARCHIVES:
        store.put(f"{folder}/{name}.warc.gz", demo / f"{name}.warc.gz")


@pytest.fixture(scope="module")
def expected(program, root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("one")
    demo = root / "examples" / "demo-crawl"
    inputs = [demo / f"{name}.warc.gz" for name in ARCHIVES]
    subprocess.run([program, "dedup", *inputs, "--out", folder, "--quiet"], check=True)
    return {name: (folder / name).read_bytes().replace(f"{demo}/".encode(), _LOCAL) for name in TABLES}


def run_all(work):
    """Runs all steps in this process, with few requests."""
    while step := (array := JobArray(work)).next_step():
        for number in step.numbers:
            array.run_task(step.name, number)


def array_tables(store, folders=("crawl", "work", "out")):
    """The tables of an array of jobs whose folders all are in the store."""
    crawl, work, out = map(store.given, folders)
    start(work, out, [crawl], 2, {})
    run_all(work)
    return tables_in(store)


def tables_in(store):
    """As the program writes them for local files."""
    return {name: store.get(f"out/{name}").replace(store.given("crawl/").encode(), _LOCAL) for name in TABLES}


# ----------------------------------------------------------------------------------------------------------------------


def test_ranges_are_read_ahead_and_once(faulty, tmp_path, monkeypatch):
    store, proxy = faulty
    monkeypatch.setattr(ranges, "RANGE_BYTES", 1000)
    content = os.urandom(40_500)
    (tmp_path / "a").write_bytes(content)
    store.put("a", tmp_path / "a")
    del proxy.requests[:]
    with open_input(store.given("a")) as (reader, _):
        assert (reader.name, reader.size_bytes) == (store.shown("a"), len(content))
        read = b""
        while piece := reader.read_at(len(read), 700):
            read += piece
            behind = max(0, len(read) - 2500)  # as a writer of records does
            assert content.startswith(reader.read_at(behind, 300), behind)
        assert read == content
        assert reader.read_at(len(content), 10) == reader.read_at(len(content) + 10**12, 10) == b""
        asked = [given for method, _, given in proxy.requests if method == "GET"]
        assert sorted(asked) == sorted(f"bytes={begin}-{min(begin + 999, 40_499)}" for begin in range(0, 40_500, 1000))
        assert reader.read_at(5_300, 100) == content[5_300:5_400]  # only that range
        assert len([method for method, *_ in proxy.requests if method == "GET"]) == len(asked) + 1


def test_nothing_is_copied_to_the_disk(bucket, demo, tmp_path, monkeypatch):
    put_demo(bucket, demo)
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))
    options = _core.DividedOptions.create([], {"evidence": False})
    stage = _core.ProfileStage.create(options, str(tmp_path), b"")
    local, remote = [], []
    stage.profile_file(str(demo / "first.warc.gz"), 0, local.append)
    seen = []

    class Watching(RangeReader):
        def read_at(self, offset_bytes, size):
            seen.append([path for path in tmp_path.rglob("*") if path.is_file()])
            return super().read_at(offset_bytes, size)

    stage.profile_file(Watching(bucket.given("crawl/first.warc.gz")), 0, remote.append)
    assert seen and not any(seen)
    assert remote == local


def test_formats_and_names_are_those_of_local_files(bucket, demo, tmp_path):
    """Ids and messages have the name of the object, and offsets those of the file."""
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes((demo / "odd.warc.gz").read_bytes()[:-40])
    page = tmp_path / "page.html"
    page.write_text("<title>A page</title><p>These are some words of a page that is an archive of its own.</p>")
    (tmp_path / "short.warc").write_text("WARC/1.0\r\n")
    options = _core.DividedOptions.create([], {"evidence": False})
    stage = _core.ProfileStage.create(options, str(tmp_path), b"")
    for path in (cut, page, tmp_path / "short.warc"):
        bucket.put(path.name, path)
        local, remote = [], []
        stage.profile_file(str(path), 0, local.append)
        with open_input(bucket.given(path.name)) as (reader, _):
            stage.profile_file(reader, 0, remote.append)
        shown = [tuple(str(part).replace(bucket.shown(path.name), str(path)) for part in batch) for batch in remote]
        if path is not page:  # its id is its path
            assert shown == [tuple(map(str, batch)) for batch in local], path
        assert len(remote) == len(local) and remote[0][0] == local[0][0]


def test_a_wacz_file_in_a_store(bucket, program, demo, tmp_path):
    """The WARC files in it are inputs of their own, read by ranges of the whole, as on this machine."""
    local = tmp_path / "demo.wacz"
    with zipfile.ZipFile(local, "w") as file:
        for name in ARCHIVES:
            file.write(demo / f"{name}.warc.gz", f"archive/{name}.warc.gz")
    subprocess.run([program, "dedup", local, "--out", tmp_path / "one", "--no-report", "--quiet"], check=True)
    bucket.put("crawl/demo.wacz", local)
    start(bucket.given("work"), bucket.given("out"), [bucket.given("crawl")], 2, {})
    run = JobArray(bucket.given("work"))
    names = [f"/archive/{name}.warc.gz" for name in sorted(ARCHIVES)]
    assert run.inputs == [bucket.given("crawl/demo.wacz") + name for name in ("", *names)]
    run_all(bucket.given("work"))
    for name in TABLES:
        found = bucket.get(f"out/{name}").replace(bucket.shown("crawl/demo.wacz").encode(), str(local).encode())
        assert found == (tmp_path / "one" / name).read_bytes()
    with pytest.raises(paraprint.errors.NotFoundError, match=f"^{bucket.shown('crawl/none.wacz/archive/a.warc')}: no "):
        with open_input(bucket.given("crawl/none.wacz/archive/a.warc")):
            pass


def test_an_object_that_changes_while_it_is_read_is_an_error(bucket, tmp_path, monkeypatch, impatient):
    monkeypatch.setattr(ranges, "RANGE_BYTES", 1000)
    for later in (b"b" * 20_000, b"b" * 9_000, b"b"):
        (tmp_path / "a").write_bytes(b"a" * 10_000)
        bucket.put("a.txt", tmp_path / "a")
        with pytest.raises(paraprint.errors.CorruptDataError, match=f"^{bucket.shown('a.txt')}: has changed since"):
            with open_input(bucket.given("a.txt")) as (reader, _):
                reader.read_at(0, 100)
                (tmp_path / "a").write_bytes(later)
                bucket.put("a.txt", tmp_path / "a")
                for begin in range(0, 10_000, 1000):
                    reader.read_at(begin, 1000)
    with pytest.raises(paraprint.errors.NotFoundError, match=f"^{bucket.shown('a.txt')}: no such file"):
        with open_input(bucket.given("a.txt")):
            bucket.file_system.delete_file("corpus/a.txt")


def test_an_object_that_changed_since_it_was_profiled_is_an_error(bucket, tmp_path):
    (tmp_path / "a").write_bytes(b"a" * 100)
    bucket.put("a.txt", tmp_path / "a")
    with open_input(bucket.given("a.txt")) as (_, stamp):
        size_bytes, modified = stamp.split()
    with open_input(bucket.given("a.txt"), stamp) as (reader, again):
        assert (reader.read_at(0, 100), again) == (b"a" * 100, stamp)
    for other in (f"{size_bytes}0 {modified}", f"{size_bytes} {modified}0"):
        with pytest.raises(paraprint.errors.CorruptDataError, match=f"^{bucket.shown('a.txt')}: has changed since"):
            with open_input(bucket.given("a.txt"), other):
                pass


def test_what_cannot_get_better_is_not_repeated(faulty, demo, monkeypatch):
    store, proxy = faulty
    put_demo(store, demo)
    monkeypatch.setattr(stores, "_DELAYS_SECONDS", (1000,))
    with pytest.raises(paraprint.errors.NotFoundError, match=f"^{store.shown('crawl/none')}: no such file"):
        RangeReader(store.given("crawl/none"))
    with pytest.raises(paraprint.errors.NotFoundError, match=f"^{store.given('nothing')}: no such file or folder"):
        list_inputs([store.given("nothing")], {})
    proxy.refused = ("first.warc.gz",)
    with pytest.raises(paraprint.errors.AccessDeniedError, match=f"^{store.shown('crawl/first.warc.gz')}: "):
        RangeReader(store.given("crawl/first.warc.gz"))
    proxy.refused = ("/corpus/",)
    with pytest.raises(paraprint.errors.AccessDeniedError, match=f"^{store.given('out')}"):
        start(store.given("work"), store.given("out"), [str(demo)], 2, {})


def test_a_store_that_stays_away_ends_the_task_with_the_objects_name(faulty, demo, impatient, monkeypatch, tmp_path):
    store, proxy = faulty
    put_demo(store, demo)
    stage = _core.ProfileStage.create(_core.DividedOptions.create([], {"evidence": False}), str(tmp_path), b"")
    with open_input(store.given("crawl/second.warc.gz")) as (reader, _):
        proxy.share = 1.0
        proxy.faults = ("dropped",)
        said = f"^{store.shown('crawl/second.warc.gz')}: .*; gave up after 3 attempts$"
        with pytest.raises(paraprint.errors.InputOutputError, match=said):
            stage.profile_file(reader, 0, print)
        proxy.share = 0.0


def test_array_of_jobs_over_a_bad_network(faulty, demo, expected):
    check_bad_network(*faulty, demo, expected)


def test_array_of_jobs_on_seaweedfs_over_a_bad_network(seaweed, demo, expected, monkeypatch):
    server, store = seaweed
    with FaultyProxy(server.address, 1, 0.0, slow_seconds=0.1) as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{proxy.address}")
        check_bad_network(store, proxy, demo, expected)


def check_bad_network(store, proxy, demo, expected):
    put_demo(store, demo)
    proxy.share = 0.02
    tables = array_tables(store)
    proxy.share = 0.0
    assert tables == expected
    assert all(proxy.counts[fault] for fault in FAULTS), proxy.counts
    assert not [name for name in store.names("") if name.endswith(".partial")]


def test_array_of_jobs_with_a_server_that_is_killed_and_restarted(server, bucket, demo, expected):
    check_kills(server, bucket, demo, expected)


def test_array_of_jobs_with_seaweedfs_killed_and_restarted(seaweed, demo, expected):
    check_kills(*seaweed, demo, expected)


def check_kills(server, bucket, demo, expected):
    put_demo(bucket, demo)
    stop = threading.Event()
    kills = 0

    def restart():
        nonlocal kills
        while not stop.wait(server.seconds_between_kills):
            kills += 1
            server.kill()
            time.sleep(0.5)
            server.start()

    restarter = threading.Thread(target=restart)
    restarter.start()
    work, out = bucket.given("work"), bucket.given("out")
    failures = []
    try:
        for _ in range(20):  # what a batch system does with tasks that fail
            try:
                if "work/run.json" not in bucket.names("work"):
                    start(work, out, [bucket.given("crawl")], 2, {})
                run_all(work)
                break
            except (paraprint.Error, OSError) as error:
                failures.append(str(error))
                time.sleep(1)
    finally:
        stop.set()
        restarter.join()
    assert kills
    assert bucket.names("out"), failures
    assert tables_in(bucket) == expected
    assert all("corpus" in said for said in failures), failures


def test_records_of_an_array_of_jobs_in_a_store(program, bucket, demo, tmp_path):
    put_demo(bucket, demo)
    inputs = [demo / f"{name}.warc.gz" for name in ARCHIVES]
    command = [program, "dedup", *inputs, "--out", tmp_path, "--no-report", "--revisits", "--quiet"]
    subprocess.run(command, check=True)
    for name in ("records/of-another-run.warc.gz", ".paraprint-divided"):
        bucket.put(f"out/{name}", demo / "first.warc.gz")
    start(bucket.given("work"), bucket.given("out"), [bucket.given("crawl")], 2, {"records": True, "revisits": True})
    run_all(bucket.given("work"))
    JobArray(bucket.given("work")).run_task("output", 0)  # as if it had failed at the end
    assert "out/metrics.json" in bucket.names("out")
    for name in ARCHIVES:
        written = f"records/{name}.warc.gz"
        assert bucket.get(f"out/{written}") == (tmp_path / written).read_bytes(), name
    stored = [name for name in bucket.names("out/records") if not name.endswith("/")]
    assert len(stored) == len(ARCHIVES), stored
    assert bucket.get("out/savings.html").startswith(b"<!")
    start(bucket.given("again"), bucket.given("out"), [bucket.given("crawl")], 2, {"records": True})
    while (step := (array := JobArray(bucket.given("again"))).next_step()).name != "records":
        for number in step.numbers:
            array.run_task(step.name, number)
    assert "out/metrics.json" in bucket.names("out")
    array.run_task("records", 0)  # from now on, records of two runs may be there
    assert "out/metrics.json" not in bucket.names("out")


@pytest.fixture(scope="module")
def after_the_first(program, root, tmp_path_factory):
    """The index of the first archive, and the tables of the others after it."""
    folder = tmp_path_factory.mktemp("known")
    demo = root / "examples" / "demo-crawl"
    first, *others = [demo / f"{name}.warc.gz" for name in ARCHIVES]
    call = [program, "dedup", "--index", folder / "index", "--quiet", "--out"]
    subprocess.run([*call, folder / "one", first], check=True)
    shutil.copytree(folder / "index", folder / "first")
    subprocess.run([*call, folder / "two", *others], check=True)
    tables = {name: (folder / "two" / name).read_bytes().replace(f"{demo}/".encode(), _LOCAL) for name in TABLES}
    assert tables["removed.jsonl"].count(b'"reason":"known"') > 2
    return folder / "first", tables


def tables_after_the_first(store, demo, index, tmp_path):
    """A folder of known pages in the store, made from the index, and a run that uses it and is added to it."""
    put_demo(store, demo)
    known = store.given("known")
    import_index(str(index), known, str(tmp_path), 1 << 20)
    others = [store.given(f"crawl/{name}.warc.gz") for name in ARCHIVES[1:]]
    start(store.given("work"), store.given("out"), others, 2, {}, known)
    run_all(store.given("work"))
    assert len(KnownFolder(known).runs()) == 2
    assert len(list(KnownFolder(known).texts())) >= 1
    return tables_in(store)


def test_known_pages_over_a_bad_network(faulty, demo, after_the_first, tmp_path):
    store, proxy = faulty
    proxy.share = 0.02
    tables = tables_after_the_first(store, demo, after_the_first[0], tmp_path)
    proxy.share = 0.0
    assert tables == after_the_first[1]
    assert any(proxy.counts[fault] for fault in FAULTS), proxy.counts
    assert not [name for name in store.names("") if name.endswith(".partial")]


def test_known_pages_are_merged_in_a_store(bucket, demo, after_the_first, tmp_path):
    tables_after_the_first(bucket, demo, after_the_first[0], tmp_path)
    known = KnownFolder(bucket.given("known"))
    texts = sum(run.texts for run in known.runs())
    assert merge_known(known.path, 1 << 30, merges_all=True) == (2, 1)
    assert len(known.names()) == 3
    assert merge_known(known.path, 1 << 30, keep_seconds=0) == (1, 1)
    assert len(known.names()) == len(set(known.folder.stages())) == 1
    # It knows the whole crawl.
    start(bucket.given("again"), bucket.given("out"), [bucket.given("crawl")], 2, {}, known.path)
    run_all(bucket.given("again"))
    merged, added = known.runs()
    removed = tables_in(bucket)["removed.jsonl"].count(b'"reason":"known"')
    assert merged.texts == texts and removed > 20 and added.texts < removed / 4


def test_known_pages_on_hdfs(hdfs, demo, after_the_first, monkeypatch, tmp_path):
    store = store_servers.webhdfs_store(hdfs[1]).emptied(monkeypatch)
    assert tables_after_the_first(store, demo, after_the_first[0], tmp_path) == after_the_first[1]
    merge_known(store.given("known"), 1 << 30, merges_all=True, keep_seconds=0)
    assert len(KnownFolder(store.given("known")).names()) == 1


@pytest.mark.parametrize("scheme", ["hdfs", "webhdfs"])
def test_array_of_jobs_on_hdfs(hdfs, scheme, demo, expected, monkeypatch, tmp_path):
    port, http_port = hdfs
    store = store_servers.webhdfs_store(http_port).emptied(monkeypatch)
    put_demo(store, demo)
    if scheme == "webhdfs":
        assert array_tables(store) == expected
        return
    for name, value in store_servers.hdfs_environment().items():
        monkeypatch.setenv(name, value)
    given = f"hdfs://127.0.0.1:{port}/corpus"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", _RUN_ARRAY, given], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    store.scheme, store.given_place = "hdfs", f"127.0.0.1:{port}/corpus"
    assert tables_in(store) == expected


# In a process of its own: Java stays in it.
_RUN_ARRAY = """
import sys
from paraprint.stages.job_array import JobArray, start

place = sys.argv[1]
start(f"{place}/work", f"{place}/out", [f"{place}/crawl"], 3, {})
while step := (array := JobArray(f"{place}/work")).next_step():
    for number in step.numbers:
        array.run_task(step.name, number)
"""
