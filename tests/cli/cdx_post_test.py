#!/usr/bin/env python3
"""`paraprint cdx --post-append`: what requests send is part of the keys of their responses, as with cdxj-indexer.

usage: cdx_post_test.py PARAPRINT [unittest arguments]

The expected lines in data/ were made with `cdxj-indexer --sort --post-append` 1.5.0 from the archive that
post_records() makes. If that program is installed, or PARAPRINT_CDXJ_INDEXER names it, it is asked again, also for
random bodies.
"""
import base64
import gzip
import hashlib
import json
import random
import re
import subprocess
import unittest

import support
from cdx_test import DATA, EXPECTED, FAULTS, ORACLE, chunked

FORM, JSON, TEXT = "application/x-www-form-urlencoded", "application/json", "text/plain"
PARTS = (b'--B\r\nContent-Disposition: form-data; name="a"\r\n\r\none & two\r\n'
         b'--B\r\nContent-Disposition: form-data; name="file"; filename="x.bin"\r\n'
         b"Content-Type: application/octet-stream\r\n\r\n\x00\xff\r\nx\r\n--B--\r\n")
BODIES = [
    (FORM, b"a=1&b=two+words&c=%C3%A9%2B%26"), (FORM + "; charset=UTF-8", "d=\u00fc&e=%zz%".encode()),
    (FORM, b"a=\xff"), (FORM, b""), (FORM, b"x=%E4%B8&y=%f0%9f%98%80+"), (FORM, b"long=" + b"y" * 5000),
    ("multipart/form-data; boundary=B", PARTS), ("multipart/form-data", PARTS),
    (JSON, b'{"a": 1, "b": {"a": "x y", "c": [true, null, -2.5, "\\u00e9"]}, "a.2_": 3, "": 4}'),
    (JSON, b'{"n": [0, -0, 1.0, 1e5, 1e16, 1e-5, 0.0001, 123456789012345678, 1.7976931348623157e308, -0.0, 3.14]}'),
    (JSON, b'{"same": 1, "other": 2, "same": {"deep": 3}}'), (JSON, b"[1, 2]"), (JSON, b"{broken"), (JSON, b""),
    (JSON, b'{"a": 1}\n{"a": 2}'), (JSON, b'{"a": 1}\n{"a": 2}\n'), (JSON, b'"text"'),
    (TEXT, b'{"plain": "json"}'), (TEXT, b"no json"), (TEXT, b"7"), ("application/octet-stream", bytes(range(256))),
    ("", b"typeless"), ("image/png", b"\x89PNG" * 2000)]


def record(kind, number, url, block, *fields):
    lines = ["WARC/1.0", f"WARC-Type: {kind}", f"WARC-Record-ID: <urn:test:{kind}-{number}>",
             "WARC-Date: 2024-05-01T10:00:00Z", f"WARC-Target-URI: {url}",
             f"Content-Type: application/http; msgtype={kind}", *fields, f"Content-Length: {len(block)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def pair(number, content_type, body, method="POST", url=None, is_request_first=False, length=True, headers=()):
    url = url or f"http://example.org/{number}"
    lines = [f"{method} / HTTP/1.1", "Host: example.org", *headers]
    lines += [f"Content-Type: {content_type}"] * bool(content_type)
    lines += [f"Content-Length: {len(body) if length is True else length}"] * (length is not None)
    request = "\r\n".join(lines).encode() + b"\r\n\r\n" + body
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nanswer %d" % number
    digest = base64.b32encode(hashlib.sha1(b"answer %d" % number).digest()).decode()
    digest = f"WARC-Payload-Digest: sha1:{digest}"
    if is_request_first:
        return [record("request", number, url, request),
                record("response", number, url, answer, digest, f"WARC-Concurrent-To: <urn:test:request-{number}>")]
    return [record("response", number, url, answer, digest),
            record("request", number, url, request, f"WARC-Concurrent-To: <urn:test:response-{number}>")]


def post_records():
    records = []
    for number, (content_type, body) in enumerate(BODIES):
        records += pair(number, content_type, body, is_request_first=number % 2 == 1)
    body = b"a=1&b=2"
    for options in ({"method": "GET"}, {"method": "PUT"}, {"method": "post"}, {"url": "http://example.org/?q=1&z=2"},
                    {"length": 3}, {"length": None}, {"length": "many"}, {"length": -1}):
        records += pair(len(records), FORM, body, **options)
    records += pair(len(records), FORM, chunked(body, 3), length=None, headers=["Transfer-Encoding: chunked"])
    records += pair(len(records), FORM, gzip.compress(body, mtime=0), headers=["Content-Encoding: gzip"])
    lonely = pair(len(records), FORM, body)
    # Only neighbours belong together, and only if the second one says so.
    records += [lonely[0], *pair(900, FORM, body), lonely[1], *pair(901, FORM, body)[::-1]]
    return records


class CdxPostTest(support.ProgramTest):
    def index(self, *arguments):
        return self.run_program("cdx", *arguments, "--quiet").stdout

    def write_posts(self):
        return {"post.warc": self.write("post.warc", b"".join(post_records())),
                "post.warc.gz": self.write("post.warc.gz", b"".join(map(support.member, post_records())))}

    def ask(self, *arguments):
        asked = subprocess.run([ORACLE, "--sort", "--post-append", *map(str, arguments)], capture_output=True,
                               check=True, timeout=support.RUN_LIMIT_SECONDS)
        return asked.stdout.decode()

    def test_expected_lines(self):
        for name, path in self.write_posts().items():
            for form in ("cdxj", "cdx11"):
                with self.subTest(name, form=form):
                    self.assertEqual(self.index(path, "--post-append", "--form", form).splitlines(),
                                     (EXPECTED / f"{name}.{form}").read_text(encoding="utf-8").splitlines())

    @unittest.skipUnless(ORACLE, "cdxj-indexer is not installed")
    def test_expected_lines_are_those_of_cdxj_indexer(self):
        for name, path in self.write_posts().items():
            self.assertEqual(self.ask(path).splitlines(), (EXPECTED / f"{name}.cdxj").read_text().splitlines())
            self.assertEqual(self.ask("-11", path).splitlines(), (EXPECTED / f"{name}.cdx11").read_text().splitlines())

    @unittest.skipUnless(ORACLE, "cdxj-indexer is not installed")
    def test_random_bodies_equal_cdxj_indexer(self):
        choose = random.Random(5)
        pieces = ["a", "b=", "&", "+", "%41", "%", "\u00e9", "%C3%A9", "%E4%B8", "%F0%9F", "#", "?", "/", " ", "\n",
                  '"', "\\", "=", ";", "~"]

        def value(depth):
            kind = choose.randrange(7 if depth < 3 else 5)
            if kind == 0:
                return choose.choice([True, False, None])
            if kind == 1:
                return choose.randrange(-10**18, 10**18)
            if kind == 2:
                return choose.choice([choose.random(), choose.uniform(-1, 1) * 10.0 ** choose.randrange(-30, 30)])
            if kind in (3, 4):
                return "".join(choose.choices(pieces, k=choose.randrange(6)))
            if kind == 5:
                return [value(depth + 1) for _ in range(choose.randrange(4))]
            return {choose.choice(["a", "b", "a.2_", "", "\u4e2d"]): value(depth + 1)
                    for _ in range(choose.randrange(4))}

        records = []
        for number in range(400):
            text = "".join(choose.choices(pieces, k=choose.randrange(20))).encode()
            kind = choose.choice([FORM, JSON, TEXT, "application/x"])
            body = json.dumps(value(0)).encode() if kind in (JSON, TEXT) and choose.randrange(5) else text
            records += pair(number, kind, body)
        path = self.write("random.warc", b"".join(records))
        self.assertEqual(self.index(path, "--post-append").splitlines(), self.ask(path).splitlines())

    @unittest.skipUnless(ORACLE, "cdxj-indexer is not installed")
    @unittest.skipUnless(DATA.exists(), "test data not found; set PARAPRINT_DATA_DIR")
    def test_archives_of_the_collection_equal_cdxj_indexer(self):
        """But for digests that are not stated: with this option, cdxj-indexer computes those of nothing."""
        def without_digests(lines):
            return [re.sub(r'"digest": "[^"]*", ', "", line) for line in lines.splitlines()]

        compared = 0
        for path in sorted((DATA / "odd-warcs").glob("*.warc*")):
            try:
                theirs = self.ask(path)
            except subprocess.CalledProcessError:
                continue  # damaged: cdxj-indexer ends with an error
            if path.name in FAULTS:
                continue
            with self.subTest(path.name):
                compared += 1
                self.assertEqual(sorted(without_digests(self.index(path, "--post-append"))),
                                 sorted(without_digests(theirs)))
        self.assertGreater(compared, 25)

    def test_requests_forge_no_lines(self):
        """An address without a key is its own key, and the body of a request is appended to it."""
        forged = 'org,victim)/ 20240501100000 {"url": "http://victim.org/", "digest": "sha1:' + 32 * "A" + '"}'
        for url in ("http://example.org:99999/", "http://\u00fc.example:x/", "filedesc://x"):
            for content_type, body in ((FORM, "a=\n" + forged + "\nb="), (FORM, "a=%0A" + forged + "%0D%0A"),
                                       (FORM, "a=\t\v\f\r\x7f\x1f " + forged)):
                path = self.write("forged.warc", b"".join(pair(1, content_type, body.encode(), url=url)))
                for form in ("cdxj", "cdx11"):
                    lines = self.index(path, "--post-append", "--form", form).split("\n")
                    lines = [line for line in lines if line and not line.startswith(" CDX")]
                    self.assertEqual(len(lines), 1, lines)
                    key, date, rest = lines[0].split(" ", 2)
                    self.assertTrue(key.startswith(url[:5]) and "victim" in key and key.isprintable(), key)
                    self.assertEqual(date, "20240501100000")

    def test_broken_parts_are_bytes(self):
        """cdxj-indexer ends with an error."""
        for number, body in enumerate([PARTS[:-10], PARTS.replace(b"\r\n\r\n", b"\r\n"), b"--B", b"", b"--B--"]):
            path = self.write("broken.warc", b"".join(pair(1, "multipart/form-data; boundary=B", body)))
            line = json.loads(self.index(path, "--post-append").split(" ", 2)[2])
            expected = "" if body == b"--B--" else "__wb_post_data=" + base64.b64encode(body).decode()
            self.assertEqual(line["requestBody"], expected, number)

    def test_without_the_option_nothing_changes(self):
        path = self.write("post.warc", b"".join(post_records()))
        lines = self.index(path).splitlines()
        self.assertFalse([line for line in lines if "__wb_method" in line or "requestBody" in line])
        self.assertEqual(len(lines), len(self.index(path, "--post-append").splitlines()))


if __name__ == "__main__":
    support.main()
