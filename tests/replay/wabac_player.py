"""Replays archives with wabac.js, the player of replayweb.page, in headless Chromium.

The page and the service worker around the player come from a server of this module on a loopback address, as do the
archives. The answers are those of `TIMESTAMPid_/URL`, without rewriting.
"""
import collections
import functools
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time
import zlib

import tools
import replay
from readings import capture_of, readings_of
from shown import Capture, Shown

HERE = pathlib.Path(__file__).resolve().parent
LIMIT_SECONDS = 900
CHROMIUM = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)


def is_installed():
    return CHROMIUM is not None and tools.wabac() is not None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, task, *arguments):
        self.task = task
        super().__init__(*arguments)

    def log_message(self, *_):
        pass

    def answer(self, content, content_type="application/octet-stream", status=200, headers=()):
        self.send_response(status)
        for name, value in [("Content-Type", content_type), ("Content-Length", str(len(content))), *headers]:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        if self.path == "/":
            self.answer((HERE / "wabac_page.html").read_bytes(), "text/html; charset=utf-8")
        elif self.path == "/worker.js":
            self.answer((HERE / "wabac_worker.js").read_bytes(), "text/javascript; charset=utf-8")
        elif self.path == "/wabac.js":
            self.answer(tools.wabac().read_bytes(), "text/javascript; charset=utf-8")
        elif self.path == "/task":
            self.answer(json.dumps(self.task.description()).encode(), "application/json")
        elif self.path in self.task.files:
            self.answer_with_range(self.task.files[self.path].read_bytes())
        else:
            self.answer(b"", status=404)

    def answer_with_range(self, content):
        ranges = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not ranges:
            return self.answer(content, headers=[("Accept-Ranges", "bytes")])
        first, last = int(ranges[1]), min(int(ranges[2] or len(content) - 1), len(content) - 1)
        part = content[first:last + 1]
        self.answer(part, status=206, headers=[("Content-Range", f"bytes {first}-{last}/{len(content)}")])

    def do_POST(self):
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.task.end(self.path, content)
        self.answer(b"{}", "application/json")


class Task:
    """What the page in the browser has to do."""

    def __init__(self, archives, captures, on_demand):
        # The player goes by the endings of names.
        self.files = {f"/archives/{number}-{path.name.partition('.')[0]}" + ending_of(path): path
                      for number, path in enumerate(archives)}
        self.captures, self.on_demand = captures, on_demand
        self.ended = threading.Event()
        self.result = self.failure = None

    def description(self):
        return {"archives": list(self.files), "onDemand": self.on_demand,
                "captures": [{"url": capture.url, "timestamp": capture.timestamp} for capture in self.captures]}

    def end(self, path, content):
        if path == "/done":
            self.result = content
        else:
            self.failure = content
        self.ended.set()


def ending_of(path):
    if path.suffix == ".wacz":
        return ".wacz"
    with open(path, "rb") as stream:
        return ".warc.gz" if stream.read(2) == b"\x1f\x8b" else ".warc"


def run_in_browser(task):
    with tempfile.TemporaryDirectory(prefix="wabac-", ignore_cleanup_errors=True) as profile:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, task))
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        browser = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
             f"--user-data-dir={profile}", f"http://127.0.0.1:{server.server_port}/"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until = time.monotonic() + LIMIT_SECONDS
            while not task.ended.wait(0.5) and browser.poll() is None and time.monotonic() < until:
                pass
        finally:
            browser.terminate()
            try:
                browser.wait(20)
            except subprocess.TimeoutExpired:
                browser.kill()
                browser.wait()
            server.shutdown()
            server.server_close()
    if task.result is None:
        raise RuntimeError(f"wabac.js: {task.failure or 'no answer from the browser'}")
    return task.result


class WabacPlayer:
    """With `on_demand`, the player reads a single archive by its index, as it does with large ones and WACZ files."""

    def __init__(self, archives, on_demand=False):
        self.archives = [path for path in map(pathlib.Path, archives) if not is_arc(path)]
        self.on_demand = on_demand or [path.suffix for path in self.archives] == [".wacz"]
        self.complaints = []

    def close(self):
        pass

    def records(self):
        for path in self.archives:
            yield from replay.records_of(path)

    def captures(self):
        return list(dict.fromkeys(
            capture_of(record) for record in self.records()
            if record.kind in ("response", "resource", "revisit") and record.url))

    def revisits(self):
        """The captures that have only revisit records."""
        kinds = collections.defaultdict(set)
        for record in self.records():
            if record.url:
                kinds[capture_of(record)].add(record.kind)
        return {capture for capture, found in kinds.items()
                if "revisit" in found and not found & {"response", "resource"}}

    def place(self, capture):
        return capture

    def bodies_at_shared_places(self):
        """The bodies of captures that the player cannot tell apart: of one address and second, or with one digest."""
        groups = collections.defaultdict(set)
        members = []
        for record in self.records():
            if record.kind not in ("response", "resource", "revisit") or not record.url:
                continue
            place = capture_of(record)
            digest = replay.field(record, "WARC-Payload-Digest")
            target = Capture(replay.field(record, "WARC-Refers-To-Target-URI"),
                             replay.timestamp(record, "WARC-Refers-To-Date"))
            members.append((place, [place, target, *[digest] * bool(digest)]))
            if record.kind != "revisit":
                for key in (place, *[digest] * bool(digest)):
                    groups[key] |= readings_of(record)
        shared = collections.defaultdict(set)
        for place, keys in members:
            for key in keys:
                shared[place] |= groups.get(key, set())
        return shared

    def show_all(self, captures):
        result = run_in_browser(Task(self.archives, captures, self.on_demand))
        self.complaints = [tuple(complaint) for complaint in result["complaints"]]
        return {capture: Shown(**shown) for capture, shown in zip(captures, result["shown"], strict=True)}


def is_arc(path):
    with open(path, "rb") as stream:
        head = stream.read(1 << 16)
    if head.startswith(b"\x1f\x8b"):
        head = zlib.decompressobj(31).decompress(head, 64)
    return head.startswith(b"filedesc:")
