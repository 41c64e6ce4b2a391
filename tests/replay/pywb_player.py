"""Replays archives with pywb, in this process: its index, its server for records and its front end.

The front end is asked for `TIMESTAMPid_/URL`, which is the archived answer without rewriting.
"""
import collections
import contextlib
import gzip
import io
import json
import logging
import pathlib
import re
import tempfile
import zipfile

import yaml
from pywb.apps.frontendapp import FrontEndApp  # first: it patches the standard library for gevent
from pywb.indexer.cdxindexer import write_cdx_index
from pywb.utils.canonicalize import canonicalize
from pywb.warcserver.resource.blockrecordloader import BlockArcWarcRecordLoader
from warcio.bufferedreaders import ChunkedDataReader
from warcio.timeutils import http_date_to_timestamp

import tools  # noqa: F401  (finds replay)
import replay
from shown import FAILED, NOT_ARCHIVED, Capture, Shown, body_digest

INDEX_OPTIONS = {"append_post": True, "cdxj": True, "sort": True, "include_all": False}  # of wb-manager


logging.getLogger("warcio").setLevel(logging.ERROR)


class Silence:
    def write(self, _):
        pass

    def flush(self):
        pass


def index_of(archives):
    """The sorted index of archives, with file names as an archivist has them and digests with their algorithm."""
    lines = [line for path in archives for line in index_lines(path, path.name)[0]]
    return "".join(sorted(re.sub(r'"digest": ?"(?!sha)', '"digest": "sha1:', line) for line in lines))


def index_lines(path, name):
    """The lines of the index of an archive, with the reason why it ends early, if it does."""
    index = io.BytesIO()
    complaint = None
    try:
        with open(path, "rb") as stream, contextlib.redirect_stderr(Silence()):
            write_cdx_index(index, stream, name, **INDEX_OPTIONS)
    except Exception as error:  # of warcio, of its decoders, of the index
        complaint = f"{type(error).__name__}: {error}"
    return index.getvalue().decode().splitlines(keepends=True), complaint


def unpack_wacz(path, folder):
    """Does what `wb-manager add --unpack-wacz` does: takes the archives and their index out of a WACZ file. Returns the
    lines of the index, and the archives by the names that it has for them."""
    archives = {}
    for name, content in replay.archives_in(path).items():
        archives[f"{path.stem}-{name}"] = folder / f"{path.stem}-{name}"
        archives[f"{path.stem}-{name}"].write_bytes(content)
    with zipfile.ZipFile(path) as file:
        lines = gzip.decompress(file.read("indexes/index.cdx.gz")).decode().splitlines()
    renamed = []
    for line in lines:
        key, timestamp, members = line.split(" ", 2)
        members = json.loads(members)
        members["filename"] = f"{path.stem}-{members['filename']}"
        renamed.append(f"{key} {timestamp} {json.dumps(members)}\n")
    return renamed, archives


class IndexLine:
    def __init__(self, line):
        self.key, self.timestamp, members = line.split(" ", 2)
        self.members = json.loads(members)

    @property
    def is_revisit(self):
        return self.members.get("mime") == "warc/revisit"

    @property
    def capture(self):  # the record may have no address
        return Capture(self.members.get("url", ""), self.timestamp)


class PywbPlayer:
    def __init__(self, archives):
        """Indexes the archives; WACZ files have an index. `complaints` has what pywb says about those that it cannot
        read to their end."""
        self.work = tempfile.TemporaryDirectory(prefix="pywb-")
        folder = pathlib.Path(self.work.name)
        lines, paths, self.paths, self.complaints = [], [], {}, []
        for number, path in enumerate(map(pathlib.Path, archives)):
            if path.suffix == ".wacz":
                found, archives_found = unpack_wacz(path, folder)
                lines += found
                self.paths |= archives_found
                paths += [f"{name}\t{file}\n" for name, file in archives_found.items()]
                continue
            name = f"{number}-{path.name}"
            paths.append(f"{name}\t{path.resolve()}\n")
            self.paths[name] = path
            found, complaint = index_lines(path, name)
            lines += found
            if complaint is not None:
                self.complaints.append((path.name, complaint))
        self.loader = BlockArcWarcRecordLoader()
        lines.sort()
        self.lines = [IndexLine(line) for line in lines]
        (folder / "index.cdxj").write_text("".join(lines))
        (folder / "paths.txt").write_text("".join(sorted(paths)))
        config = folder / "config.yaml"
        config.write_text(yaml.dump({
            "collections_root": str(folder / "collections"), "enable_auto_colls": False,
            "collections": {"all": {"index_paths": str(folder / "index.cdxj"),
                                    "archive_paths": str(folder / "paths.txt")}}}))
        self.application = FrontEndApp(config_file=str(config))
        self.application.warcserver_server.server.log = Silence()

    def close(self):
        self.application.warcserver_server.stop()
        self.work.cleanup()

    def captures(self):
        return list(dict.fromkeys(line.capture for line in self.lines))

    def place(self, capture):
        return canonicalize(capture.url), capture.timestamp

    def bodies_at_shared_places(self):
        """The bodies of places that several captures share: the front end shows the same one for all of them."""
        by_place, by_digest = collections.defaultdict(list), collections.defaultdict(list)
        for line in self.lines:
            by_place[line.key, line.timestamp].append(line)
            by_digest[line.members.get("digest")].append(line)
        shared = {}
        for place, lines in by_place.items():
            # A revisit record is shown with any record that states its digest, even one that lies.
            revisits = [other for line in lines if line.is_revisit for other in by_digest[line.members.get("digest")]]
            if len(lines) > 1 or revisits:
                shared[place] = set(map(self._stored_body, [*lines, *revisits]))
        return shared

    def revisits(self):
        """The places that have only revisit records."""
        whole = {(line.key, line.timestamp) for line in self.lines if not line.is_revisit}
        return {(line.key, line.timestamp) for line in self.lines if line.is_revisit} - whole

    def _stored_body(self, line):
        """Digest of the body, for a revisit record of nothing; None if the front end cannot show the record."""
        members = line.members
        try:
            record = self.loader.load(str(self.paths[members["filename"]]), members["offset"], members["length"])
            if not record.http_headers or not record.http_headers.get_statuscode().isdigit():
                return None
            chunked = (record.http_headers.get_header("Transfer-Encoding") or "").lower() == "chunked"
            stream = ChunkedDataReader(record.raw_stream, decomp_type=None) if chunked else record.raw_stream
            return body_digest(b"".join(iter(lambda: stream.read(1 << 16), b"")))
        except Exception:  # as in index_lines()
            return None

    def show_all(self, captures):
        return {capture: self.show(capture) for capture in captures}

    def show(self, capture):
        prefix = f"/all/{capture.timestamp}id_/"
        status, headers, body = self._get(prefix + capture.url)
        memento = headers.get("memento-datetime")
        redirect = headers.get("location", "").partition(prefix)
        if memento is None and redirect[1]:  # to the address with the slash that it lacks
            status, headers, body = self._get(prefix + redirect[2])
            memento = headers.get("memento-datetime")
        if memento is None:
            text = body.decode("utf-8", "replace")
            return Shown(NOT_ARCHIVED if status == "404" else FAILED, detail=f"{status} {text[-2000:]}")
        address = re.sub(r"^.*?/all/\d+id_/", "", headers.get("content-location", ""))
        return Shown(status, body_digest(body), headers.get("location", ""), http_date_to_timestamp(memento),
                     guessed=bool(address) and canonicalize(address) != canonicalize(capture.url))

    def _get(self, path):
        answer = {}

        def start_response(status, headers, _=None):
            answer["status"], answer["headers"] = status.partition(" ")[0], {k.lower(): v for k, v in headers}

        path, _, query = path.partition("?")
        environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path.encode().decode("latin-1"), "QUERY_STRING": query,
                   "REQUEST_URI": path + ("?" + query if query else ""),
                   "SERVER_NAME": "localhost", "SERVER_PORT": "80", "HTTP_HOST": "localhost",
                   "SERVER_PROTOCOL": "HTTP/1.1", "wsgi.url_scheme": "http", "wsgi.input": io.BytesIO(),
                   "wsgi.errors": io.StringIO(), "HTTP_ACCEPT_ENCODING": "gzip, deflate, br, zstd, compress, identity"}
        body = b"".join(self.application(environ, start_response))
        return answer["status"], answer["headers"], body
