"""Shared by the command-line tests: texts of a made-up language, records, and runs of the program."""
import gzip
import json
import os
import pathlib
import random
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import unittest

# Exit codes of the program (apps/paraprint/main.cc); stable.
SUCCESS, FAILURE, USAGE, UNREADABLE_INPUT, NO_SPACE_LEFT, INTERRUPTED = 0, 1, 2, 3, 4, 5

# A hanging program fails the test instead of stopping the suite.
RUN_LIMIT_SECONDS = 300

program = ""  # set by main()


class Writer:
    """Sentences with enough distinct words for unrelated texts to stay unrelated."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def word(self):
        return "".join(self.random.choice("bdfgklmnprstv") + self.random.choice("aeiou")
                       for _ in range(self.random.randint(2, 3)))

    def sentence(self):
        return " ".join(self.word() for _ in range(self.random.randint(12, 21))).capitalize() + "."

    def article(self, paragraphs=5):
        return [" ".join(self.sentence() for _ in range(4)) for _ in range(paragraphs)]


def article(seed, paragraphs=5):
    return Writer(seed).article(paragraphs)


def html_of(paragraphs, head=""):
    body = "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs)
    return (f"<!DOCTYPE html>\n<html><head><meta charset=utf-8>{head}</head>"
            f"<body><article>{body}</article></body></html>\n")


def json_line(identifier, html, url=None, date=None):
    record = {"id": identifier, "html": html}
    if url is not None:
        record["url"] = url
    if date is not None:
        record["date"] = date
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


def tls_server(folder):
    """The context of a server on 127.0.0.1, and the certificate of the authority that vouches for it. Needs the command
    openssl."""
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    key = ("-newkey", "rsa:2048", "-nodes")
    openssl("req", "-x509", *key, "-days", "2", "-subj", "/CN=authority", "-keyout", "authority.key",
            "-out", "authority.pem")
    openssl("req", *key, "-subj", "/CN=test", "-keyout", "server.key", "-out", "server.csr")
    (folder / "server.cnf").write_text("subjectAltName=IP:127.0.0.1\n")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial",
            "-days", "2", "-extfile", "server.cnf", "-out", "server.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    return context, folder / "authority.pem"


def http_message(body, content_type="text/html; charset=utf-8", headers=(), status="200 OK"):
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def warc_record(identifier, url, payload, length=None, date="2024-05-01T10:00:00Z", kind="response"):
    """A WARC 1.0 record. `url` None omits the field; `length` overrides the length of the payload."""
    lines = ["WARC/1.0", f"WARC-Type: {kind}", f"WARC-Record-ID: <urn:test:{identifier}>", f"WARC-Date: {date}"]
    if url is not None:
        lines.append(f"WARC-Target-URI: {url}")
    lines.append("Content-Type: application/http; msgtype=response")
    lines.append(f"Content-Length: {len(payload) if length is None else length}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + payload + b"\r\n\r\n"


def page_record(identifier, url, body, **options):
    return warc_record(identifier, url, http_message(body), **options)


def member(content):
    """One gzip member, with the same bytes on every run."""
    return gzip.compress(content, mtime=0)


def open_files(process, folder):
    """Paths of files below the folder that the process (by id) has open, named or unlinked."""
    opened = []
    for link in pathlib.Path(f"/proc/{process}/fd").iterdir():
        try:
            opened.append(str(link.readlink()))
        except OSError:
            pass  # closed since it was listed
    return [path for path in opened if path.startswith(str(folder))]


def output_files(folder):
    """Every output file except the work folder and timing.json: relative path -> bytes."""
    folder = pathlib.Path(folder)
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith(".paraprint") and name != "timing.json":
            found[name] = path.read_bytes()
    return found


def end_process(process, reader, how):
    """Sends the signal to a running program; returns its exit code once `reader` has all that it said."""
    if process.poll() is None:
        process.send_signal(how)
    code = process.wait(RUN_LIMIT_SECONDS)
    reader.join()
    process.stderr.close()
    return code


class ProgramTest(unittest.TestCase):
    """Gives each test a folder of its own and the program to run in it."""
    maxDiff = 4000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="paraprint-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    def run_program(self, *arguments, expect=SUCCESS, stdin=b"", prepare=None):
        """Returns the finished process, stdout and stderr as text; fails unless it exits with `expect`."""
        finished = subprocess.run([program, *map(str, arguments)], input=stdin, capture_output=True,
                                  timeout=RUN_LIMIT_SECONDS, preexec_fn=prepare)
        finished.stdout = finished.stdout.decode(errors="replace")
        finished.stderr = finished.stderr.decode(errors="replace")
        self.assertEqual(finished.returncode, expect, f"{arguments}\nstderr: {finished.stderr[-3000:]}")
        return finished

    def assert_stops(self, stage, *arguments):
        """Asserts that the program stops on SIGINT during `stage` and leaves no file behind."""
        before = sorted(path.name for path in self.folder.iterdir())
        running = subprocess.Popen([program, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        said = b""
        while stage.encode() not in said:
            more = os.read(running.stderr.fileno(), 4096)
            self.assertTrue(more, f"finished before stage {stage}: {said.decode()}")
            said += more
        running.send_signal(signal.SIGINT)
        said += running.communicate(timeout=RUN_LIMIT_SECONDS)[1]
        self.assertEqual(running.returncode, INTERRUPTED, said.decode())
        self.assertIn(b"repeat the command to start over", said)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before, "something was left behind")

    def assert_same_output(self, one, other):
        one, other = output_files(one), output_files(other)
        self.assertEqual(sorted(one), sorted(other))
        differing = [name for name in one if one[name] != other[name]]
        self.assertFalse(differing, "these files differ")
        self.assertTrue(one)


def main():
    """usage: FILE PARAPRINT [unittest arguments]"""
    global program
    program = os.path.abspath(sys.argv[1])
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    unittest.main(module="__main__", argv=sys.argv[:1] + sys.argv[2:])
