"""Object stores on this machine for tests: servers that store_servers.sh builds, and what tests do with a store. A test
that asks for a server that is not built is skipped."""

import base64
import contextlib
import functools
import hmac
import json
import os
import pathlib
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

import pytest

fs = pytest.importorskip("pyarrow.fs")

_SERVERS = pathlib.Path(os.environ.get("PARAPRINT_STORE_SERVERS", pathlib.Path(__file__).parents[2] / "build" /
                                       "store-servers"))
_START_SECONDS = 120
_ABFS_KEY = "c2VjcmV0"  # of the account on our own server


class Store:
    """A bucket or folder named `corpus`. URIs are given with what opens the store, and shown without."""

    def __init__(self, scheme, place, given_place, connect, root, environment, query=""):
        self.scheme = scheme
        self.place = place
        self.given_place = given_place
        self._connect = connect
        self.root = root  # of the file system's paths
        self.environment = environment
        self.query = query

    @functools.cached_property
    def file_system(self):
        """For the test itself. S3's is made with the environment in place, which has more than can be passed to it."""
        return self._connect()

    def given(self, name):
        return f"{self.scheme}://{self.given_place}/{name}{self.query}"

    def shown(self, name):
        return f"{self.scheme}://{self.place}/{name}"

    def of_nobody(self, name):
        """In a bucket that does not exist, as given."""
        return self.given(name).replace("corpus", "nobody")

    def emptied(self, monkeypatch):
        """This store without files, its environment in place for the test."""
        for name, value in self.environment.items():
            monkeypatch.setenv(name, value)
        self.clear()
        return self

    def put(self, name, local):
        path = f"{self.root}/{name}"
        if self.scheme not in ("s3", "gs", "abfs"):
            self.file_system.create_dir(path.rpartition("/")[0], recursive=True)
        with self.file_system.open_output_stream(path, compression=None) as file:
            file.write(pathlib.Path(local).read_bytes())

    def get(self, name):
        with self.file_system.open_input_stream(f"{self.root}/{name}", compression=None) as file:
            return file.read()

    def names(self, name):
        """The files below a folder, by their paths in the store."""
        selector = fs.FileSelector(f"{self.root}/{name}".rstrip("/"), recursive=True, allow_not_found=True)
        found = self.file_system.get_file_info(selector)
        return sorted(info.path.removeprefix(self.root).lstrip("/") for info in found if info.is_file)

    def clear(self):
        if self.scheme not in ("s3", "gs", "abfs"):
            self.file_system.create_dir(self.root, recursive=True)
        if self.scheme not in ("gs", "abfs"):
            self.file_system.delete_dir_contents(self.root)
        for name in self.names(""):
            self.file_system.delete_file(f"{self.root}/{name}")


def _free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def _server(command, port, log, is_ready=lambda: True, **keywords):
    """Runs until the block ends. `is_ready` is asked once the port is open."""
    with open(log, "wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, **keywords)
    try:
        end = time.monotonic() + _START_SECONDS
        while time.monotonic() < end and process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0 and is_ready():
                    break
            time.sleep(0.1)
        else:
            pytest.fail(f"{command[0]} does not start:\n{log.read_text(errors='replace')[-2000:]}")
        yield
    finally:
        process.kill()
        process.wait()


def _built(name):
    path = _SERVERS / name
    if not path.exists():
        pytest.skip(f"{path} is not built; python/tests/store_servers.sh builds it")
    return path


@contextlib.contextmanager
def s3_server(folder):
    """The address of a server of S3, with the bucket `corpus`."""
    program = _built("gofakes3")
    port = _free_port()
    command = [program, "-backend", "memory", "-host", f"127.0.0.1:{port}", "-initialbucket", "corpus"]
    with _server(command, port, folder / "log"):
        yield f"127.0.0.1:{port}"


class S3Process:
    """A server of S3, with the bucket `corpus`, that keeps its objects on the disk: it can be killed and restarted."""

    #: After which a test may kill it again: it has done something by then.
    seconds_between_kills = 2.0

    def __init__(self, folder):
        self._folder = folder
        self._port = _free_port()
        self._server = contextlib.ExitStack()
        self.address = f"127.0.0.1:{self._port}"

    def _command(self):
        return [_built("gofakes3"), "-backend", "bolt", "-bolt.db", self._folder / "objects", "-host", self.address,
                "-initialbucket", "corpus", "-quiet"]

    def _is_ready(self):
        return True

    def start(self):
        self._server.enter_context(_server(self._command(), self._port, self._folder / "log", self._is_ready))

    def kill(self):
        self._server.close()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()


class SeaweedProcess(S3Process):
    """The same with SeaweedFS, in one process: a store that is made for use, with its own checks of requests."""

    seconds_between_kills = 3.0

    def __init__(self, folder):
        super().__init__(folder)
        self._ports = {name: _free_port() for name in ("master", "volume", "filer")}
        self._grpc_ports = {name: _free_port() for name in ("master", "volume", "filer", "s3")}
        actions = ["Admin", "Read", "Write", "List", "Tagging"]
        known = [{"name": "tests", "credentials": [{"accessKey": "name", "secretKey": "secret"}], "actions": actions}]
        (folder / "s3.json").write_text(json.dumps({"identities": known}))

    def _command(self):
        command = [_built("weed"), "-logtostderr=true", "server", f"-dir={self._folder}", "-ip=127.0.0.1",
                   "-ip.bind=127.0.0.1", "-master.volumeSizeLimitMB=64", "-volume.max=20", "-filer", "-s3",
                   f"-s3.config={self._folder / 's3.json'}", f"-s3.port={self._port}"]
        command += [f"-{name}.port={port}" for name, port in self._ports.items()]
        return command + [f"-{name}.port.grpc={port}" for name, port in self._grpc_ports.items()]

    def _is_ready(self):
        keys = {"access_key": "name", "secret_key": "secret", "region": "us-east-1"}
        store = fs.S3FileSystem(endpoint_override=self.address, scheme="http", allow_bucket_creation=True, **keys)
        try:
            store.create_dir("corpus")
            with store.open_output_stream("corpus/is-ready") as file:
                file.write(b"yes")
            store.delete_file("corpus/is-ready")
        except OSError:
            return False
        return True


def s3_store(endpoint):
    environment = {"AWS_ACCESS_KEY_ID": "name", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_EC2_METADATA_DISABLED": "true",
                   "AWS_ENDPOINT_URL": f"http://{endpoint}", "AWS_DEFAULT_REGION": "us-east-1",
                   "AWS_REQUEST_CHECKSUM_CALCULATION": "WHEN_REQUIRED",
                   "AWS_RESPONSE_CHECKSUM_VALIDATION": "WHEN_REQUIRED"}
    return Store("s3", "corpus", "corpus", lambda: fs.FileSystem.from_uri("s3://corpus")[0], "corpus", environment)


@contextlib.contextmanager
def gs_server(folder):
    """The address of a server of Google's storage, with the bucket `corpus`."""
    program = _built("fake-gcs-server")
    port = _free_port()
    address = f"127.0.0.1:{port}"
    command = [program, "-backend", "memory", "-scheme", "http", "-host", "127.0.0.1", "-port", str(port),
               "-public-host", address]
    with _server(command, port, folder / "log"):
        bucket = urllib.request.Request(f"http://{address}/storage/v1/b", json.dumps({"name": "corpus"}).encode(),
                                        {"Content-Type": "application/json"})
        urllib.request.urlopen(bucket, timeout=60).close()
        yield address


def gs_store(endpoint):
    """Without credentials, as for data that everyone may read: pyarrow asks for them unless the URI says so."""
    environment = {"CLOUD_STORAGE_EMULATOR_ENDPOINT": f"http://{endpoint}"}
    return Store("gs", "corpus", "anonymous@corpus", lambda: fs.GcsFileSystem(anonymous=True), "corpus", environment)


@contextlib.contextmanager
def abfs_server(folder):
    """The address of a server of Azure's storage, with the container `corpus` in the account `name`."""
    program = _built("azurite/node_modules/.bin/azurite-blob")
    port = _free_port()
    address = f"127.0.0.1:{port}"
    command = [program, "--blobHost", "127.0.0.1", "--blobPort", str(port), "--inMemoryPersistence", "--silent",
               "--disableTelemetry", "--skipApiVersionCheck"]
    with _server(command, port, folder / "log", cwd=folder,
                 env={**os.environ, "AZURITE_ACCOUNTS": f"name:{_ABFS_KEY}"}):
        abfs_store(address).file_system.create_dir("corpus")
        yield address


def abfs_store(endpoint):
    """Reached without TLS and by a signature in the URI, which Azure's tools make of the account's key."""
    def connect():
        return fs.AzureFileSystem("name", account_key=_ABFS_KEY, blob_storage_authority=endpoint,
                                  blob_storage_scheme="http", dfs_storage_authority=endpoint, dfs_storage_scheme="http")
    place = f"{endpoint}/corpus"
    rights = {"sv": "2019-12-12", "ss": "b", "srt": "sco", "sp": "rwdlac", "se": "2099-01-01T00:00:00Z"}
    signed = "\n".join(("name", rights["sp"], rights["ss"], rights["srt"], "", rights["se"], "", "", rights["sv"], ""))
    digest = hmac.digest(base64.b64decode(_ABFS_KEY), signed.encode(), "sha256")
    query = urllib.parse.urlencode({"enable_tls": "false", **rights, "sig": base64.b64encode(digest).decode()})
    return Store("abfs", place, f"name@{place}", connect, "corpus", {}, f"?{query}")


@contextlib.contextmanager
def hdfs_server(folder):
    """The ports of HDFS and of its interface of HTTP: one name node and one data node."""
    folder_of_hdfs = _built("hdfs/libhdfs.so").parent
    port, http_port = _free_port(), _free_port()
    details = folder / "details"  # written when all nodes run
    command = ["java", "-Xmx512m", "-cp", f"{folder_of_hdfs}/jars/*",
               "org.apache.hadoop.mapreduce.MiniHadoopClusterManager", "-nomr", "-format", "-nnport", str(port),
               "-nnhttpport", str(http_port), "-datanodes", "1", "-D", "dfs.permissions.enabled=false",
               "-writeDetails", str(details)]
    with _server(command, http_port, folder / "log", lambda: details.exists() and details.read_text(), cwd=folder):
        yield port, http_port


def hdfs_environment():
    """What pyarrow needs to speak to HDFS."""
    folder = _built("hdfs/libhdfs.so").parent
    javac = pathlib.Path(os.popen("command -v javac").read().strip()).resolve()
    jars = [path for path in sorted((folder / "jars").glob("*.jar")) if "minicluster" not in path.name]
    return {"ARROW_LIBHDFS_DIR": str(folder), "JAVA_HOME": str(javac.parents[1]), "CLASSPATH": ":".join(map(str, jars))}


def webhdfs_store(http_port):
    pytest.importorskip("requests")
    store = pytest.importorskip("fsspec").filesystem("webhdfs", host="127.0.0.1", port=http_port)
    place = f"127.0.0.1:{http_port}/corpus"
    return Store("webhdfs", place, place, lambda: fs.PyFileSystem(fs.FSSpecHandler(store)), "/corpus", {})


_SFTP_SERVER = """
import asyncio, asyncssh, sys

class Server(asyncssh.SSHServer):
    def begin_auth(self, username):
        return True

    def password_auth_supported(self):
        return True

    def validate_password(self, username, password):
        return (username, password) == ("name", "secret")

async def serve():
    key = asyncssh.generate_private_key("ssh-rsa")
    await asyncssh.create_server(Server, "127.0.0.1", int(sys.argv[1]), server_host_keys=[key], sftp_factory=True)
    await asyncio.Event().wait()

asyncio.run(serve())
"""


@contextlib.contextmanager
def sftp_server(folder):
    pytest.importorskip("asyncssh")
    port = _free_port()
    with _server([sys.executable, "-c", _SFTP_SERVER, str(port)], port, folder / "log"):
        yield port


def sftp_store(port, folder):
    """Files below `folder`, which the server gives access to. Reached directly by the test itself."""
    pytest.importorskip("paramiko")
    pytest.importorskip("fsspec")
    place = f"127.0.0.1:{port}{folder}"
    return Store("sftp", place, f"name:secret@{place}", fs.LocalFileSystem, str(folder), {})


def file_store(folder):
    return Store("file", str(folder), str(folder), fs.LocalFileSystem, str(folder), {})
