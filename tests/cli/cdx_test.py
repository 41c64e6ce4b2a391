#!/usr/bin/env python3
"""`paraprint cdx` and `--cdx` of other commands: lines equal those of cdxj-indexer, and bad input is reported.

usage: cdx_test.py PARAPRINT [unittest arguments]

The expected lines in data/ were made with `cdxj-indexer --sort` 1.5.0 (surt 0.3.1, warcio 1.8.1) from the archives that
odd_records() makes. If that program is installed, or PARAPRINT_CDXJ_INDEXER names it, it is asked again, also for the
archives in PARAPRINT_DATA_DIR.
"""
import base64
import collections
import gzip
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import unittest

import support

EXPECTED = pathlib.Path(__file__).parent / "data"
DATA = pathlib.Path(os.environ.get("PARAPRINT_DATA_DIR", "../data")) / "corpus"
ORACLE = os.environ.get("PARAPRINT_CDXJ_INDEXER") or shutil.which("cdxj-indexer")
HTTP = "Content-Type: application/http; msgtype=response"
DIGEST = "WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"

# Files of the collection for which cdxj-indexer has other lines, and why (docs/cdx.md).
# name -> (lines that only we have, lines that only it has, reason)
FAULTS = {
    "warcio__bad.arc": (0, 2, "lines for records whose length is not a number"),
    "warcio__example-wrong-chunks.warc.gz": (0, 1, "a line for one of two records in one member"),
    "webarchive-commons__IAH-20080430204825-00000-blackbook-truncated.arc": (8, 0, "stops at the first record"),
    "webarchive-commons__link-extraction-test.warc": (4, 0, "stops at a version line it does not find"),
}


def record(kind, url, block, *fields, version="1.0", date="2024-05-01T10:00:00Z"):
    lines = [f"WARC/{version}", f"WARC-Type: {kind}", "WARC-Record-ID: <urn:test:1>"]
    lines += [f"WARC-Date: {date}"] if date else []
    lines += [f"WARC-Target-URI: {url}"] if url else []
    text = "\r\n".join([*lines, *fields, f"Content-Length: {len(block)}"])
    return text.encode("latin-1" if "\xe4" in text else "utf-8") + b"\r\n\r\n" + block + b"\r\n\r\n"


def response(url, block, *fields, **options):
    return record("response", url, block, HTTP, *fields, **options)


def chunked(body, size):
    pieces = [body[at:at + size] for at in range(0, len(body), size)]
    return b"".join(f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in pieces) + b"0\r\n\r\n"


def http(body=b"body", *lines, first="HTTP/1.1 200 OK"):
    return "\r\n".join([first, *lines]).encode("latin-1") + b"\r\n\r\n" + body


def digest_of(payload):
    return "sha1:" + base64.b32encode(hashlib.sha1(payload).digest()).decode()


def odd_records():
    """Records of every type, with odd headers."""
    html = "Content-Type: text/html; charset=utf-8"
    packed = gzip.compress(b"packed" * 100, mtime=0)
    return [
        record("warcinfo", None, b"software: test\r\n", "Content-Type: application/warc-fields"),
        response("http://example.org/", http(b"a", html)),
        response("http://www.example.org:80/B?b=1&a=2#c", http(b"b", html), DIGEST),
        response("http://example.org/sha256", http(b"b"), "WARC-Payload-Digest: sha-256:" + "ab" * 32),
        response("http://example.org/lower", http(b"b"), DIGEST.lower()),
        response("http://example.org/chunked", http(chunked(b"chunked" * 50, 100), "Transfer-Encoding: chunked")),
        response("http://example.org/gzip", http(packed, "Content-Encoding: gzip", "content-type: image/png")),
        response("http://example.org/both", http(chunked(packed, 9), "Content-Encoding: gzip",
                                                 "Transfer-Encoding: chunked", "Content-Type:text/css;x")),
        response("http://example.org/not-chunked", http(b"plain", "Transfer-Encoding: chunked")),
        record("request", "http://example.org/", b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n",
               "Content-Type: application/http; msgtype=request"),
        record("revisit", "http://example.org/revisit", http(b"", html), HTTP, DIGEST),
        record("revisit", "http://example.org/revisit-304", http(b"", first="HTTP/1.1 304 Not Modified"), HTTP, DIGEST),
        record("revisit", "http://example.org/revisit-empty", b"", DIGEST),
        record("resource", "http://example.org/resource", b"\x89PNG", "Content-Type: image/png"),
        record("resource", "file:///a b/c.txt", b"text", "Content-Type: text/plain; charset=utf-8"),
        record("resource", "urn:pageinfo:http://example.org/", b"{}", "Content-Type: application/json"),
        record("resource", "http://example.org/no-type", b"HTTP/1.1 200 OK\r\n\r\nnot a message"),
        record("metadata", "http://example.org/meta", b"<a/>", "Content-Type: application/xml"),
        record("metadata", None, b"no address", "Content-Type: text/plain"),
        record("metadata", "http://example.org/fields", b"via: a\r\n", "Content-Type: application/warc-fields"),
        record("resource", "metadata://example.org/log", b"log: a\r\n", "Content-Type: application/warc-fields"),
        record("conversion", "http://example.org/", b"text", "Content-Type: text/plain"),
        record("response", "dns:example.org", b"20240501100000\r\nexample.org. 1 IN A 192.0.2.1\r\n",
               "Content-Type: text/dns"),
        response("whois://whois.example/a", b"no message"),
        response("HTTP://EXAMPLE.ORG/CAPITALS", http(b"a", html)),
        response("<http://example.org/brackets>", http(b"a", html)),
        response("http://example.org/spaces in it", http(b"a", html)),
        response("http://example.org/\u4f8b\U0001f600?\u00fc=\u00df", http(b"a", "Content-Type: text/html")),
        response("http://b\u00fccher.example/", http(b"a", html)),
        response("http://example.org/latin-1-\xe4", http(b"a", html)),
        response("http://example.org:99999/port", http(b"a", html)),
        response("http://example.org/empty", b""),
        response("http://example.org/no-body", http(b"")),
        response("http://example.org/no-header-end", b"HTTP/1.1 200 OK\r\nContent-Type: text/plain"),
        response("http://example.org/line-feeds", b"HTTP/1.0 404 Not Found\nContent-Type: text/plain\n\nbody"),
        response("http://example.org/blank-line", b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n \t\r\nbody"),
        response("http://example.org/blank-first", b"\r\nHTTP/1.1 200 OK\r\n\r\nbody"),
        response("http://example.org/no-reason", http(b"a", first="HTTP/1.1 204")),
        response("http://example.org/two-spaces", http(b"a", first="HTTP/1.1  500   Odd")),
        response("http://example.org/h2", http(b"a", first="HTTP/2 200")),
        response("http://example.org/no-message", b"<html> <body>text</body>\nmore\n\n</html>"),
        response("http://example.org/folded", http(b"a", "X-A: b", "  c", "Content-Type:", "\ttext/x-folded; a")),
        response("http://example.org/type-first", http(b"a", "Content-Type: a/b", "content-type: c/d")),
        response("http://example.org/type-latin-1", http(b"a", "Content-Type: text/\xe4")),
        response("http://example.org/no-colon", http(b"a", "nothing", " more", "Content-Type : text/plain")),
        response("http://example.org/quotes\"\\\x7f", http(b"a", "Content-Type: a\"b\\c")),
        response("http://example.org/fraction", http(b"a"), date="2024-05-01T10:00:00.123456Z", version="1.1"),
        response("http://example.org/a?jsessionid=0123456789abcdef0123456789abcdef&b", http(b"a")),
        response("http://example.org/", http(b"another", html), date="2023-01-01T00:00:00Z"),
    ]


def odd_archives():
    """The same records in each form of file that players can read."""
    records = odd_records()
    arc = [b"filedesc://odd.arc 0.0.0.0 20080430204825 text/plain 76\n1 0 InternetArchive\n"
           b"URL IP-address Archive-date Content-type Archive-length\n\n"]
    for url, date, block in (("http://example.org/arc", "20080430204825", http(b"arc", "Content-Type: text/html")),
                             ("http://example.org/arc in words", "20080430204825", http(b"arc")),
                             ("dns:example.org", "20080430204825", b"20080430 example.org\n"),
                             ("http://example.org/early", "199701020304", http(b"early")),
                             ("http://example.org/impossible", "20081399999999", http(b"date")),
                             ("http://example.org/last", "20080430204825", b"no message")):
        arc.append(f"{url} 192.0.2.1 {date} text/html {len(block)}\n".encode() + block + b"\n")
    return {"odd.warc": b"".join(records), "odd.warc.gz": b"".join(map(support.member, records)),
            "odd.arc": b"".join(arc), "odd.arc.gz": b"".join(map(support.member, arc))}


class CdxTest(support.ProgramTest):
    def write_archives(self):
        return {name: self.write(name, content) for name, content in odd_archives().items()}

    def index(self, *arguments, expect=support.SUCCESS):
        return self.run_program("cdx", *arguments, "--quiet", expect=expect).stdout

    def ask_oracle(self, *arguments):
        """Lines in their order, and whether the program came to its end."""
        finished = subprocess.run([ORACLE, "--sort", *map(str, arguments)], capture_output=True, check=False,
                                  timeout=support.RUN_LIMIT_SECONDS)
        if finished.returncode == 0:
            return finished.stdout.decode(), True
        # Without --sort, it prints the lines up to the record that stops it.
        finished = subprocess.run([ORACLE, *map(str, arguments)], capture_output=True, check=False,
                                  timeout=support.RUN_LIMIT_SECONDS)
        return finished.stdout.decode(), False

    def test_expected_lines(self):
        for name, path in self.write_archives().items():
            for form in ("cdxj", "cdx11"):
                with self.subTest(name, form=form):
                    self.assertEqual(self.index(path, "--form", form),
                                     (EXPECTED / f"{name}.{form}").read_text(encoding="utf-8"))

    @unittest.skipUnless(ORACLE, "cdxj-indexer is not installed")
    def test_expected_lines_are_those_of_cdxj_indexer(self):
        for name, path in self.write_archives().items():
            with self.subTest(name):
                lines, is_complete = self.ask_oracle(path)
                self.assertTrue(is_complete)
                self.assertEqual(lines, (EXPECTED / f"{name}.cdxj").read_text(encoding="utf-8"))

    @unittest.skipUnless(ORACLE, "cdxj-indexer is not installed")
    def test_all_archives_together_equal_cdxj_indexer(self):
        paths = list(self.write_archives().values())
        self.assertEqual(self.index(*paths), self.ask_oracle(*paths)[0])
        self.assertEqual(self.index(self.folder, "--root", self.folder),
                         self.ask_oracle("--dir-root", self.folder, self.folder)[0])

    def assert_equals_oracle(self, path):
        ours = collections.Counter(self.index(path).splitlines())
        theirs, is_complete = self.ask_oracle(path)
        theirs = collections.Counter(set(theirs.splitlines()))
        only_ours, only_theirs, reason = FAULTS.get(path.name, (0, 0, ""))
        self.assertEqual((sum((ours - theirs).values()), sum((theirs - ours).values())), (only_ours, only_theirs),
                         (path.name, reason, ours - theirs, theirs - ours))
        if is_complete and not reason:
            self.assertEqual("\n".join(self.index(path, "--form", "cdx11").splitlines()),
                             "\n".join(self.ask_oracle("-11", path)[0].splitlines()))
        return len(ours)

    @unittest.skipUnless(ORACLE, "cdxj-indexer is not installed")
    @unittest.skipUnless(DATA.exists(), "test data not found; set PARAPRINT_DATA_DIR")
    def test_archives_of_the_collection_equal_cdxj_indexer(self):
        lines, archives = 0, 0
        for path in sorted([*DATA.rglob("*.warc*"), *DATA.rglob("*.arc*")]):
            with self.subTest(path.name):
                lines += self.assert_equals_oracle(path)
                archives += 1
        print(f"{archives} archives, {lines} lines")

    def test_neither_threads_nor_memory_nor_order_matter(self):
        paths = list(self.write_archives().values())
        for number in range(40):
            chance = random.Random(number)
            paths.append(self.write(f"more-{number}.warc.gz", b"".join(
                support.member(response(f"http://{chance.choice('abc')}.example/{chance.random()}", http(b"x" * 50)))
                for _ in range(100))))
        expected = self.index(*paths, "--threads", "1")
        self.assertEqual(len(expected.splitlines()), len(set(expected.splitlines())))
        self.assertEqual(expected.splitlines(), sorted(expected.splitlines(), key=str.encode))
        for options in (["--threads", "4"], ["--threads", "3", "--memory", "64MiB"]):
            random.Random(1).shuffle(paths)
            self.assertEqual(self.index(*paths, *options), expected)

    def test_names_of_archives(self):
        content = response("http://example.org/", http())
        first, second = self.write("a/x.warc", content), self.write("b/c/x.warc", content)

        def names(*arguments):
            lines = self.index(*arguments).splitlines()
            return sorted(json.loads(line.split(" ", 2)[2])["filename"] for line in lines)

        self.assertEqual(names(first), ["x.warc"])
        self.assertEqual(names(first, second), ["a/x.warc", "b/c/x.warc"])
        self.assertEqual(names(second, "--root", self.folder / "b/"), ["c/x.warc"])
        self.assertEqual(names(second, "--root", self.folder / "a"), ["../b/c/x.warc"])

    def test_standard_input_and_file(self):
        content = b"".join(odd_records())
        expected = (EXPECTED / "odd.warc.cdxj").read_text(encoding="utf-8")
        answer = self.run_program("cdx", "-", "--quiet", stdin=content).stdout
        self.assertEqual(answer, expected.replace('"odd.warc"', '"-"'))
        out = self.folder / "index.cdxj"
        answer = self.run_program("cdx", self.write("odd.warc", content), "--out", out)
        self.assertEqual(answer.stdout, "")
        self.assertIn("records", answer.stderr)
        self.assertEqual(out.read_text(encoding="utf-8"), expected)
        self.assertEqual(list(self.folder.glob("*.partial")), [])

    def test_large_records_have_their_digest(self):
        small = response("http://example.org/", http(b"z" * 1000, "Content-Type: image/png"))
        large = response("http://example.org/large", http(b"y" * (65 << 20), "Content-Type: image/png"))
        resource = record("resource", "http://example.org/resource", b"HTTPS" * (13 << 20), "Content-Type: a/b")
        path = self.write("large.warc", small + large + resource)
        said = self.run_program("cdx", path).stderr
        self.assertEqual(said.count("record-too-large"), 2)  # a wrong length makes such records, too
        self.assertNotIn("broken records", said)
        lines = {json.loads(line.split(" ", 2)[2])["url"][18:]: json.loads(line.split(" ", 2)[2])
                 for line in self.index(path).splitlines()}
        self.assertEqual(lines["/large"]["digest"], digest_of(b"y" * (65 << 20)))
        self.assertEqual(lines["/large"]["mime"], "image/png")
        self.assertEqual(lines["/resource"]["digest"], digest_of(b"HTTPS" * (13 << 20)))
        self.assertEqual(lines["/resource"]["offset"], str(len(small + large)))
        self.assertEqual(lines["/large"]["length"], str(len(large) - 4))

    def test_captures_that_cannot_be_indexed_are_counted(self):
        two = self.write("two.warc.gz", support.member(b"".join(odd_records()[1:3])))
        answer = self.run_program("cdx", two)
        self.assertEqual(answer.stdout, "")
        self.assertIn("two.warc.gz: at byte 0", answer.stderr)
        self.assertIn("2 captures are not in the index: 0 have no date, 2 are", answer.stderr)
        undated = self.write("undated.warc", response("http://example.org/", http(), date=None))
        self.assertIn("1 captures are not in the index: 1 have no date", self.run_program("cdx", undated).stderr)
        pages = self.write("pages.jsonl", support.json_line("a", "<p>a</p>"))
        answer = self.run_program("cdx", pages, self.write("a.warc", odd_records()[1]))
        self.assertEqual(len(answer.stdout.splitlines()), 1)
        self.assertIn("pages.jsonl: neither WARC nor ARC", answer.stderr)

    def test_damage_is_reported_and_the_rest_indexed(self):
        good = response("http://example.org/", http())
        path = self.write("damaged.warc", good + b"garbage\r\n" + good.replace(b".org/", b".org/2") + good[:-10])
        answer = self.run_program("cdx", path)
        self.assertIn("garbage", answer.stderr)
        self.assertIn("broken records were found", answer.stderr)
        offsets = {json.loads(line.split(" ", 2)[2])["offset"] for line in answer.stdout.splitlines()}
        self.assertEqual(len(offsets), 3)

    def test_refusals(self):
        for arguments, message in (([], "no input"), (["none.warc"], "none.warc"),
                                   ([self.write("a.warc", odd_records()[1]), "--form", "none"], "form")):
            with self.subTest(message):
                self.assertIn(message, self.run_program("cdx", *arguments, expect=support.USAGE).stderr)

    def test_fields_of_cdx_have_no_spaces(self):
        body = b"b" * 2000
        record_of = lambda url, **options: response(url, http(body, "Content-Type: image/png"), **options)
        spaced = response("http://b.example/", http(b"x"), "WARC-Payload-Digest: sha1:AB CD\tEF")
        for name in ("my file.warc", "my%20file.warc", "line\nend.warc"):
            path = self.write(name, record_of("http://a.example/") + spaced)
            index = self.write("index.cdx", self.index(path, "--form", "cdx11"))
            lines = [line.split(" ") for line in pathlib.Path(index).read_text().splitlines()[1:]]
            self.assertEqual([len(line) for line in lines], [11, 11])
            self.assertEqual(lines[1][5], "-")
            later = self.write("later.warc", record_of("http://c.example/", date="2025-01-01T00:00:00Z"))
            out = self.folder / "out"
            self.run_program("payloads", later, "--known", index, "--out", out, "--quiet")
            written = (out / "records/later.warc").read_bytes().decode()
            shutil.rmtree(out)
            self.assertIn("WARC-Type: revisit", written)
            expected = name.replace("\n", " ")  # a header field ends at a line end
            self.assertIn(f"WARC-Refers-To-Filename: {expected}\r\n", written)

    def test_neither_inputs_nor_devices_are_replaced(self):
        path = self.write("a.warc", odd_records()[1])
        before = pathlib.Path(path).read_bytes()
        link = self.folder / "link.warc"
        link.symlink_to(path)
        for out in (path, link):
            answer = self.run_program("cdx", path, "--out", out, expect=support.USAGE)
            self.assertIn(f"{out}: is an input", answer.stderr)
        self.assertEqual(pathlib.Path(path).read_bytes(), before)
        os.mkfifo(self.folder / "pipe")
        answer = self.run_program("cdx", path, "--out", self.folder / "pipe", expect=support.USAGE)
        self.assertIn("pipe is a device, pipe or socket", answer.stderr)
        self.assertTrue((self.folder / "pipe").is_fifo())
        (self.folder / "linked.cdxj").write_text("old")
        (self.folder / "index.cdxj").symlink_to("linked.cdxj")
        self.run_program("cdx", path, "--out", self.folder / "index.cdxj")
        self.assertTrue((self.folder / "index.cdxj").is_symlink())
        self.assertEqual((self.folder / "linked.cdxj").read_text(encoding="utf-8"), self.index(path))

    def test_index_beside_the_output(self):
        """`payloads --cdx` and `dedup --cdx` write what `cdx` writes of their records, and `payloads` reads it."""
        body = b"b" * 2000
        paths = [self.write(f"{name}/same.warc.gz", b"".join(support.member(
            response(f"http://{name}.example/{number}", http(body, "Content-Type: image/png"),
                     date=f"2024-05-0{number}T10:00:00Z")) for number in (1, 2))) for name in "ab"]
        for command in ("payloads", "dedup"):
            for form, name in (("cdxj", "index.cdxj"), ("cdx11", "index.cdx")):
                out = self.folder / command
                self.run_program(command, *paths, "--out", out, "--cdx", form, "--quiet")
                records = out / "records"
                self.assertEqual((out / name).read_text(encoding="utf-8"),
                                 self.index(records, "--root", records, "--form", form))
        index = self.folder / "payloads" / "index.cdx"
        self.assertIn(" a/same.warc.gz\n", index.read_text(encoding="utf-8"))
        self.assertEqual(index.read_text(encoding="utf-8").count("warc/revisit"), 3)
        later = self.write("later.warc", response("http://c.example/", http(body, "Content-Type: image/png"),
                                                  date="2025-01-01T00:00:00Z"))
        self.run_program("payloads", later, "--out", self.folder / "later", "--known", index, "--quiet")
        self.assertEqual(len((self.folder / "later/revisits.jsonl").read_text(encoding="utf-8").splitlines()), 1)


if __name__ == "__main__":
    support.main()
