"""Makes a finished run to look at, and starts `paraprint view` on it. Standard library only."""
import http.client
import json
import re
import signal
import subprocess
import threading
import urllib.parse

import support

START_LIMIT_SECONDS = 60
LOAD_LIMIT_SECONDS = 120

HOSTILE = ["<img src=x onerror=\"window.owned=1\">", "</script><script>window.owned=1</script>",
           "<svg onload=window.owned=1>", "{{constructor.constructor('window.owned=1')()}}",
           "javascript:window.owned=1",
           "\u202egnp.exe", "a\u0000b\u001b[31m", "'\"><b>bold</b>", "\ufffd", "&lt;i&gt;"]


def changed(paragraphs, count, seed):
    """The article with its first `count` paragraphs replaced by others."""
    return support.article(seed, count) + paragraphs[count:]


def write_pages(path):
    """Clusters with scores on both sides of the threshold, equal texts, hostile names, several hosts and months."""
    pages = []
    for group in range(24):
        paragraphs = support.article(100 + group, 8)
        hostile = HOSTILE[group % len(HOSTILE)]
        for copy in range(1 + group % 5):
            text = changed(paragraphs, copy, 1000 + group * 10 + copy) if copy else paragraphs
            text = text + [f"{hostile} " + " ".join(paragraphs[-1].split()[:5])]
            title = f"Article {group} {hostile}".replace("<", "&lt;")
            identifier = f"page-{group:02}-{copy}" + (hostile if copy == 1 else "")
            pages.append(support.json_line(
                identifier.replace("\u0000", "0"),
                support.html_of([part.replace("<", "&lt;") for part in text], f"<title>{title}</title>"),
                url=f"https://host{copy}.example/{group}?q={urllib.parse.quote(hostile)}",
                date=f"2025-{1 + group % 12:02}-0{1 + copy}T10:00:00Z"))
    pages.append(support.json_line("script-url", support.html_of(support.article(100, 8)),
                                   url="javascript:window.owned=1"))
    path.write_bytes(b"".join(pages))


def write_copied_pages(path, large=70):
    """A chain of dated copies with hostile names, some with odd statements, and a cluster of `large` equal pages."""
    text, other = support.article(1, 12), support.article(2, 3)
    second = text[:3] + [other[0]] + text[4:]
    third = second[:5] + [other[1]] + second[6:]
    pages = []

    def add(name, paragraphs, day="", head="", byline="", host=""):
        title = f"{name} {HOSTILE[len(pages) % len(HOSTILE)]}".replace("<", "&lt;")
        head = f"<title>{title}</title>{head}"
        if day:
            head += f'<meta property="article:published_time" content="{day}">'
        html = support.html_of([byline, *paragraphs] if byline else paragraphs, head)
        pages.append(support.json_line(name, html, url=f"http://{host or name}.example/page",
                                       date="2024-05-01T10:00:00Z"))

    add("first", text, "2010-01-01")
    add("second", second, "2010-02-01T08:00:00Z",
        byline='Originally published at <a href="http://first.example/page">First</a>')
    add("third", third, "2010-03-01")
    add("fourth" + HOSTILE[0], third[:6] + [other[2]] + third[7:], "2010-03-09", host="fourth")
    add("undated" + HOSTILE[2], second, host="undated", head=f"<meta name=source content='{HOSTILE[2]}'>")
    add("future", text, "2031-01-01")
    for number in range(large):
        day = f"2012-{1 + number % 12:02}-{1 + number % 28:02}" if number else "2011-12-31"
        add(f"equal-{number:03}", support.article(3, 6), day, host=f"host{number % 5}")
    add("alone", support.article(4, 8), "2009-03-01")
    path.write_bytes(b"".join(pages))


def make_copied_run(folder, *arguments):
    """A run over write_copied_pages() with --provenance, in folder/clean."""
    write_copied_pages(folder / "pages.jsonl")
    subprocess.run([support.program, "dedup", folder / "pages.jsonl", "--out", folder / "clean", "--provenance",
                    "--quiet", *map(str, arguments)], check=True, timeout=support.RUN_LIMIT_SECONDS)
    return folder / "clean"


def make_run(folder, *arguments):
    """A run over write_pages() in folder/clean; its input stays next to it."""
    write_pages(folder / "pages.jsonl")
    subprocess.run([support.program, "dedup", folder / "pages.jsonl", "--out", folder / "clean", "--no-report",
                    "--quiet", *map(str, arguments)], check=True, timeout=support.RUN_LIMIT_SECONDS)
    return folder / "clean"


def make_index(folder, *arguments):
    """An index with write_pages() in folder/known; its input stays next to it."""
    write_pages(folder / "pages.jsonl")
    subprocess.run([support.program, "index", "add", "--data", folder / "known", folder / "pages.jsonl",
                    *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   timeout=support.RUN_LIMIT_SECONDS)
    return folder / "known"


class Viewer:
    """A running explorer."""

    def __init__(self, folder, *arguments, environment=None, load=True):
        self.process = subprocess.Popen([support.program, "view", str(folder), "--port", "0", "--quiet",
                                         *map(str, arguments)], stderr=subprocess.PIPE, env=environment)
        self.lines = []
        self.is_listening = threading.Event()
        self.reader = threading.Thread(target=self.read_lines, daemon=True)
        self.reader.start()
        self.is_listening.wait(START_LIMIT_SECONDS)
        match = re.search(r"http://\S+:(\d+)/", "".join(self.lines))
        if not match:
            raise AssertionError(f"the explorer did not start (exit code {self.process.poll()}): {self.lines}")
        self.port = int(match[1])
        self.url = f"http://127.0.0.1:{self.port}/"
        if load:
            self.wait_until_loaded()

    def read_lines(self):
        for line in self.process.stderr:
            self.lines.append(line.decode(errors="replace"))
            self.is_listening.set()
        self.is_listening.set()

    def stop(self, how=signal.SIGTERM):
        """Sends the signal and returns the exit code."""
        return support.end_process(self.process, self.reader, how)

    def request(self, method, path, body=None, headers=None):
        """Returns status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LOAD_LIMIT_SECONDS)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def get(self, path, status=200, **parameters):
        query = urllib.parse.urlencode(parameters)
        got, _, body = self.request("GET", f"/api/{path}" + (f"?{query}" if query else ""))
        if got != status:
            raise AssertionError(f"{path} {parameters}: {got} {body[:500]}")
        return json.loads(body)

    def post(self, path, body, status=200):
        got, _, answer = self.request("POST", f"/api/{path}", json.dumps(body).encode(),
                                      {"Content-Type": "application/json"})
        if got != status:
            raise AssertionError(f"{path} {body}: {got} {answer[:500]}")
        return json.loads(answer)

    def wait_until_loaded(self):
        """Until the thresholds are there as well."""
        waiter = threading.Event()
        for _ in range(LOAD_LIMIT_SECONDS * 20):
            if self.process.poll() is not None:
                raise AssertionError(f"the explorer ended: {self.lines}")
            if self.get("state")["stage"] == "":
                return
            waiter.wait(0.05)
        raise AssertionError("the run was never loaded")
