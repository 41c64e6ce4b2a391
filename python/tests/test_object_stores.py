"""Inputs and outputs in object stores and on the web, with real servers on this machine: of S3, Google's and Azure's
storage, if store_servers.sh could build them, and one of HTTP that drops connections."""

import contextlib
import http.server
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

import paraprint
import store_servers
from paraprint import file_inputs
from paraprint.work_folder import PrivateFolder
from test_table_files import ICE, RIVER, ROWS, TRAM, command, read, write

pyarrow = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory):
    with store_servers.s3_server(tmp_path_factory.mktemp("s3")) as address:
        yield address


@pytest.fixture(scope="module")
def gs_endpoint(tmp_path_factory):
    with store_servers.gs_server(tmp_path_factory.mktemp("gs")) as address:
        yield address


@pytest.fixture(scope="module")
def abfs_endpoint(tmp_path_factory):
    with store_servers.abfs_server(tmp_path_factory.mktemp("abfs")) as address:
        yield address


@pytest.fixture
def bucket(endpoint, monkeypatch):
    """The bucket `corpus` of S3, emptied."""
    return store_servers.s3_store(endpoint).emptied(monkeypatch)


@pytest.fixture(params=("s3", "gs", "abfs"))
def store(request, monkeypatch):
    """A bucket of each kind of store, emptied."""
    if request.param == "s3":
        return request.getfixturevalue("bucket")
    if request.param == "abfs":
        return store_servers.abfs_store(request.getfixturevalue("abfs_endpoint")).emptied(monkeypatch)
    return store_servers.gs_store(request.getfixturevalue("gs_endpoint")).emptied(monkeypatch)


def test_parquet_from_store_to_store(program, store, tmp_path):
    table = pyarrow.table(ROWS)
    store.put("pages/b.parquet", write(tmp_path / "b.parquet", table.slice(2)))
    store.put("pages/a.parquet", write(tmp_path / "a.parquet", table.slice(0, 2)))
    store.put("pages/deep/c.parquet", tmp_path / "a.parquet")
    store.put("pages/notes.txt", tmp_path / "a.parquet")
    local = paraprint.dedup([tmp_path / "a.parquet", tmp_path / "b.parquet"], tmp_path / "local", keep="first")
    result = paraprint.dedup(store.given("pages/*.parquet"), store.given("clean/"), keep="first", tmp=str(tmp_path))
    assert result.outputs == [store.shown("clean/records/a.parquet"), store.shown("clean/records/b.parquet")]
    for path in result.outputs:
        expected = local.folder / "records" / path.rpartition("/")[2]
        assert store.get(path.removeprefix(store.shown(""))) == expected.read_bytes()
    stored = store.names("clean")
    for name in ("clusters.tsv", "matches.tsv"):
        assert store.get(f"clean/{name}") == (local.folder / name).read_bytes()
    assert result.report_path == store.shown("clean/report/index.html") and "clean/report/index.html" in stored
    assert not [name for name in stored if "incomplete" in name or "/." in name]
    assert result.clusters == local.clusters  # read from the local copy, which goes with the result
    copies = list(tmp_path.glob("paraprint-*"))
    del result
    assert copies and not list(tmp_path.glob("paraprint-*"))
    done = command(program, "dedup", store.given("pages/*.parquet"), "--out", store.given("run"), "--keep", "first")
    assert done.returncode == 0, done.stderr
    report = store.shown("run/report/index.html")
    assert f"output: {store.shown('run')}\nreport: {report}\n" in done.stderr
    assert store.get("run/records/b.parquet") == store.get("clean/records/b.parquet")


def test_archives_come_from_stores_as_they_are(program, root, store, tmp_path):
    crawl = root / "examples" / "demo-crawl"
    for path in crawl.glob("*.warc.gz"):
        store.put(f"crawl/{path.name}", path)
    local = tmp_path / "local"
    subprocess.run([program, "dedup", crawl, "--out", local, "--quiet"], check=True)
    done = command(program, "dedup", store.given("crawl/"), "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    for path in [local / "clusters.tsv", local / "matches.tsv", *(local / "records").iterdir()]:
        assert (tmp_path / "out" / path.relative_to(local)).read_bytes() == path.read_bytes(), path
    assert not list(tmp_path.glob("*.paraprint-work"))
    result = paraprint.dedup(crawl, store.given("clean-crawl"), tmp=str(tmp_path))
    assert store.get("clean-crawl/clusters.tsv") == (local / "clusters.tsv").read_bytes()
    assert result.pages == 108


def test_what_cannot_be_read_or_written_is_named_and_nothing_appears(program, store, tmp_path):
    path = write(tmp_path / "a.parquet", pyarrow.table(ROWS))
    store.put("pages/a.parquet", path)
    for given, kind, said in (
        (store.given("pages/none.parquet"), FileNotFoundError, store.shown("pages/none.parquet: no such file")),
        (store.given("none/*.parquet"), FileNotFoundError, store.shown("none/\\*.parquet: no file matches")),
        (store.of_nobody("a.parquet"), FileNotFoundError, store.shown("a.parquet: ").replace("corpus", "nobody")),
        ("nothing://corpus/a.parquet", paraprint.errors.UnsupportedError, "nothing://corpus/a.parquet: "),
    ):
        with pytest.raises(kind, match=said):
            paraprint.dedup(given, tmp_path / "out")
        assert not (tmp_path / "out").exists()
    with pytest.raises(paraprint.Error, match=store.shown("out: ").replace("corpus", "nobody")):
        paraprint.dedup(path, store.of_nobody("out"), tmp=str(tmp_path))
    with pytest.raises(paraprint.errors.InvalidArgumentError, match=store.shown("pages: is not empty")):
        paraprint.dedup(path, store.given("pages"), tmp=str(tmp_path))
    assert store.names("pages") == ["pages/a.parquet"]
    with pytest.raises(paraprint.errors.UnsupportedError, match=store.shown("known: an index of known pages")):
        paraprint.dedup(path, tmp_path / "out", index=store.given("known"))
    store.put("bad/a.parquet", pathlib.Path(__file__))
    done = command(program, "dedup", store.given("bad/a.parquet"), "--out", store.given("bad-out"))
    assert done.returncode == 1 and f"paraprint: {store.shown('bad/a.parquet')}: " in done.stderr
    assert store.names("bad-out") == ["bad-out/.paraprint-incomplete"]
    store.put("bad/a.parquet", path)  # the same call then succeeds
    done = command(program, "dedup", store.given("bad/a.parquet"), "--out", store.given("bad-out"))
    assert done.returncode == 0 and "bad-out/records/a.parquet" in store.names("bad-out")


def test_corpus_and_benchmarks_come_from_stores(program, store, tmp_path):
    corpus = write(tmp_path / "corpus.parquet", pyarrow.table({"id": ["a", "b"], "text": [f"{RIVER} {ICE}", RIVER]}))
    tables = write(tmp_path / "tables.parquet", pyarrow.table({"question": [TRAM, ICE]}))
    (tmp_path / "lines.jsonl").write_text(json.dumps({"id": "x", "question": RIVER}) + "\n")
    for path in (corpus, tables, tmp_path / "lines.jsonl"):
        store.put(f"of/{path.name}", path)
    local = paraprint.contaminated(corpus, [tables, tmp_path / "lines.jsonl"], tmp_path / "local", records=True)
    given = (store.given("of/corpus.parquet"), [store.given("of/tables.parquet"), store.given("of/lines.jsonl")])
    result = paraprint.contaminated(*given, store.given("found"), records=True, tmp=str(tmp_path))
    for rows in (local.finds, list(local.iterate_items())):
        expected = json.loads(json.dumps(rows).replace(str(tmp_path), store.shown("of")))
        assert rows and expected in (result.finds, list(result.iterate_items()))
    assert result.outputs == [store.shown("found/records/corpus.parquet")]
    assert store.get("found/records/corpus.parquet") == (tmp_path / "local/records/corpus.parquet").read_bytes()
    assert result.report_path == store.shown("found/report.html")
    done = command(program, "contaminated", given[0], "--against", given[1][0], "--against", given[1][1], "--records",
                   "--out", store.given("command"))
    assert done.returncode == 0 and f"output: {store.shown('command')}\n" in done.stderr, done.stderr
    for name in store.names("found"):
        if not name.endswith("timing.json"):
            assert store.get(name.replace("found/", "command/")) == store.get(name), name
    assert not list(tmp_path.glob("*.paraprint-work"))


def test_an_object_that_changes_is_an_error(store, tmp_path):
    store.put("a.parquet", write(tmp_path / "a.parquet", pyarrow.table(ROWS)))
    other = write(tmp_path / "b.parquet", pyarrow.table({"text": [TRAM, ICE]}))
    changed = []

    def change(*_):
        if not changed:
            changed.append(store.put("a.parquet", other))

    with pytest.raises(paraprint.errors.CorruptDataError, match=store.shown("a.parquet: has changed since the run")):
        paraprint.dedup(store.given("a.parquet"), store.given("out"), progress=change, tmp=str(tmp_path))
    assert store.names("out") == ["out/.paraprint-incomplete"]


def test_names_of_objects_stay_below_the_folder_of_copies(tmp_path):
    copies = file_inputs._Copies(PrivateFolder(tmp_path, ()), tmp_path)
    for name in ("a", "x/../../../b", "/etc/c", "./d//e"):
        place = copies.place_of(f"s3://corpus/{name}")
        assert tmp_path in place.parents and ".." not in place.parts
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="would have the same name on this machine"):
        copies.place_of("s3://corpus/../a")
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="names no file"):
        copies.place_of("https://example.org/")


def test_keys_and_signatures_are_not_shown(bucket, endpoint, tmp_path, monkeypatch):
    path = write(tmp_path / "a.csv", pyarrow.table({"text": [RIVER, RIVER]}))
    bucket.put("a.csv", path)
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    query = f"?endpoint_override={endpoint}&scheme=http&region=us-east-1"
    result = paraprint.dedup(f"s3://name:secret@corpus/*.csv{query}", f"s3://name:secret@corpus/out{query}")
    assert [row["file"] for row in result.removed] == ["s3://corpus/a.csv"]
    assert result.outputs == ["s3://corpus/out/records/a.csv"]
    assert bucket.get("out/records/a.csv") == f'text\n"{RIVER}"\n'.encode()
    for given in (f"s3://name:secret@corpus/none.csv{query}", f"{_Web(b'', status=404).uri}/a.csv?signature=secret"):
        with pytest.raises(FileNotFoundError) as raised:
            paraprint.dedup(given, tmp_path / "out")
        assert "secret" not in str(raised.value) and ".csv: " in str(raised.value)


class _Cut(threading.Thread):
    """A way to the S3 server on which every answer ends after so many bytes."""

    def __init__(self, endpoint, limit):
        super().__init__(daemon=True)
        self._to = endpoint.partition(":")
        self._limit = limit
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.endpoint = f"127.0.0.1:{self._listening.getsockname()[1]}"
        self.start()

    def run(self):
        while True:
            near, _ = self._listening.accept()
            far = socket.create_connection((self._to[0], int(self._to[2])))
            threading.Thread(target=self._pass, args=(near, far, None), daemon=True).start()
            threading.Thread(target=self._pass, args=(far, near, self._limit), daemon=True).start()

    @staticmethod
    def _pass(source, target, limit):
        passed = 0
        try:
            while (piece := source.recv(4096)) and (limit is None or passed < limit):
                target.sendall(piece)
                passed += len(piece)
        except OSError:
            pass
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def test_a_connection_to_a_store_that_drops_is_an_error(program, endpoint, bucket, tmp_path, monkeypatch):
    texts = [f"{RIVER} {n} {os.urandom(500).hex()}" for n in range(2000)]
    bucket.put("a.parquet", write(tmp_path / "a.parquet", pyarrow.table({"text": texts})))
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{_Cut(endpoint, 300_000).endpoint}")
    with pytest.raises(paraprint.errors.InputOutputError, match="^s3://corpus/a.parquet: .*"):
        paraprint.dedup("s3://corpus/a.parquet", tmp_path / "out")
    assert not (tmp_path / "out").exists() and not list(tmp_path.glob("*.paraprint-work"))
    done = command(program, "dedup", "s3://corpus/a.parquet", "--out", tmp_path / "out")
    assert done.returncode == 1 and done.stderr.startswith("paraprint: s3://corpus/a.parquet: "), done.stderr


def test_a_store_that_refuses_is_an_error(program, tmp_path, monkeypatch):
    for name, value in (("AWS_ACCESS_KEY_ID", "name"), ("AWS_SECRET_ACCESS_KEY", "secret"),
                        ("AWS_EC2_METADATA_DISABLED", "true"), ("AWS_DEFAULT_REGION", "us-east-1"),
                        ("AWS_ENDPOINT_URL", _Web(b"", status=403).uri)):
        monkeypatch.setenv(name, value)
    path = write(tmp_path / "a.csv", pyarrow.table(ROWS))
    for given, out, named in (("s3://corpus/a.parquet", tmp_path / "out", "s3://corpus/a.parquet"),
                              ("s3://corpus/crawl/", tmp_path / "out", "s3://corpus/crawl/"),
                              (path, "s3://corpus/out", "s3://corpus/out")):
        with pytest.raises(PermissionError, match=f"^{named}: "):
            paraprint.dedup(given, out, tmp=str(tmp_path / "tmp"))
        done = command(program, "dedup", given, "--out", out, "--tmp", tmp_path / "tmp")
        assert done.returncode == 1 and "the credentials of the store" in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()


class _Web(http.server.ThreadingHTTPServer):
    """Serves one file under every name. Of each connection, `limits` has the number of bytes to send before it is
    dropped."""

    def __init__(self, content, limits=(), tag='"1"', status=200):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.content, self.limits, self.tag, self.status = content, list(limits), tag, status
        self.sends_whole = False  # whatever part is asked for
        self.ranges = []
        self.asked = self.waits = None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def uri(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.send_error(self.server.status)

    do_PUT = do_HEAD

    def do_GET(self):
        server = self.server
        if server.asked is not None:
            server.asked.set()
            server.waits.wait(60)
        if server.status != 200:
            self.send_error(server.status)
            return
        wanted = self.headers.get("Range")
        server.ranges.append(wanted)
        is_part = wanted is not None and self.headers.get("If-Range") == server.tag
        first = int(wanted.removeprefix("bytes=").rstrip("-")) if is_part else 0
        self.send_response(206 if is_part else 200)
        self.send_header("ETag", server.tag)
        if is_part:
            begin = 0 if server.sends_whole else first
            self.send_header("Content-Range", f"bytes {begin}-{len(server.content) - 1}/{len(server.content)}")
            first = begin
        self.send_header("Content-Length", str(len(server.content) - first))
        self.end_headers()
        limit = server.limits.pop(0) if server.limits else len(server.content)
        self.wfile.write(server.content[first:first + limit])

    def log_message(self, *_):
        pass


def test_files_of_the_web_are_downloaded_even_if_connections_drop(tmp_path):
    path = write(tmp_path / "a.parquet", pyarrow.table({**ROWS, "id": ["a", "b", "c", "d"]}))
    web = _Web(path.read_bytes(), [100, 200])
    result = paraprint.dedup(f"{web.uri}/deep/pages.parquet", tmp_path / "out", keep="first")
    assert result.survivors == ["a", "b", "d"] and web.ranges == [None, "bytes=100-", "bytes=300-"]
    assert read(result.outputs[0]).num_rows == 3 and result.outputs[0].name == "pages.parquet"
    assert not list(tmp_path.glob("*.paraprint-work"))
    web = _Web(path.read_bytes(), [100])
    web.sends_whole = True
    result = paraprint.dedup(f"{web.uri}/pages.parquet", tmp_path / "whole", keep="first")
    assert result.survivors == ["a", "b", "d"] and web.ranges == [None, "bytes=100-", None]
    lines = _Web("".join(json.dumps({"id": f"{n}", "text": RIVER}) + "\n" for n in range(3)).encode())
    assert paraprint.dedup(f"{lines.uri}/pages.jsonl", tmp_path / "lines").clusters == [["0", "1", "2"]]


def test_a_signal_ends_the_command_and_the_same_command_resumes(program, tmp_path):
    content = "".join(json.dumps({"id": f"{n}", "text": RIVER}) + "\n" for n in range(3)).encode()
    web = _Web(content)
    web.asked = threading.Event()
    web.waits = threading.Event()
    run = [program, "dedup", f"{web.uri}/pages.jsonl", "--out", str(tmp_path / "out"), "--quiet"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PARAPRINT_PYTHON": sys.executable}
    process = subprocess.Popen(run, env=environment, stderr=subprocess.PIPE, text=True)
    assert web.asked.wait(60)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (5, "paraprint: stopped; repeat the command to resume\n")
    web.waits.set()
    done = command(*run)
    assert done.returncode == 0 and (tmp_path / "out" / "removed.jsonl").read_text().count("\n") == 2


@pytest.mark.parametrize(("answer", "said"), [
    (b"garbage\r\n\r\n", "BadStatusLine"),
    (b"HTTP/1.1 200 OK\r\nX: " + b"a" * 70000 + b"\r\n\r\ntext\n", "LineTooLong"),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\ntext", "IncompleteRead"),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\ntext", "IncompleteRead"),
])
def test_answers_of_the_web_that_are_not_http_are_errors(tmp_path, answer, said):
    with socket.create_server(("127.0.0.1", 0)) as server:
        def give():
            for _ in range(4):
                connection, _ = server.accept()
                with connection:
                    connection.recv(1 << 16)
                    connection.sendall(answer)

        threading.Thread(target=give, daemon=True).start()
        uri = f"http://127.0.0.1:{server.getsockname()[1]}/pages.csv"
        with pytest.raises(paraprint.errors.InputOutputError, match=f"{uri}: {said}"):
            paraprint.dedup(uri, tmp_path / "out")


def test_names_of_the_web_that_cannot_be_are_errors(tmp_path):
    web = _Web(b"text\n" + RIVER.replace(",", "").encode() + b"\n")
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="/a b.csv: "):
        paraprint.dedup(f"{web.uri}/a b.csv", tmp_path / "out")
    with pytest.raises(paraprint.errors.InputOutputError, match="File name too long"):
        paraprint.dedup(f"{web.uri}/{'n' * 300}.csv", tmp_path / "out")


def test_what_the_web_does_not_give_is_named(program, tmp_path):
    content = write(tmp_path / "a.parquet", pyarrow.table(ROWS)).read_bytes()
    for web, kind, said in ((_Web(content, [10] * 9, tag='W/"1"'), OSError, "the connection ended after 10 of"),
                            (_Web(b"", status=404), FileNotFoundError, "404"),
                            (_Web(b"", status=403), PermissionError, "403"),
                            (_Web(b"", status=500), OSError, "500")):
        with pytest.raises(kind, match=f"{web.uri}/a.parquet: {said}"):
            paraprint.dedup(f"{web.uri}/a.parquet", tmp_path / "out")
        assert not (tmp_path / "out").exists()
    done = command(program, "dedup", f"{web.uri}/a.parquet", "--out", tmp_path / "out")
    assert done.returncode == 1 and done.stderr.startswith(f"paraprint: {web.uri}/a.parquet: 500")
    with pytest.raises(paraprint.errors.UnsupportedError, match="results cannot be written to"):
        paraprint.dedup(tmp_path / "a.parquet", "https://example.org/out")
