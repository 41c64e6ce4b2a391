#!/usr/bin/env python3
"""`paraprint payloads`: which records become revisit records, what they refer to, and what players show.

usage: payloads_test.py PARAPRINT [unittest arguments]
"""
import collections
import gzip
import hashlib
import json
import os
import pathlib
import random

import replay
import support

DATA = pathlib.Path(os.environ.get("PARAPRINT_DATA_DIR", "../data")) / "corpus"
TYPES = ["text/html", "image/png", "application/pdf", "text/css", "application/json"]
HTTP = "Content-Type: application/http; msgtype=response"


def record(kind, identifier, url, block, *fields, version="1.1", date="2024-05-01T10:00:00Z"):
    lines = [f"WARC/{version}", f"WARC-Type: {kind}", f"WARC-Record-ID: <urn:test:{identifier}>", f"WARC-Date: {date}",
             f"WARC-Target-URI: {url}", *fields, f"Content-Length: {len(block)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def response(identifier, url, body, *fields, content_type="text/html", status="200 OK", headers=(), **options):
    return record("response", identifier, url, support.http_message(body, content_type, headers, status), HTTP, *fields,
                  **options)


def status_of(found):
    return found.block.split(None, 2)[1] if found.block.startswith(b"HTTP/") else b""


def codings_of(found):
    """How the payload is to be read."""
    if not found.block.startswith(b"HTTP/"):
        return replay.field(found, "Content-Type")
    head = found.block.partition(b"\r\n\r\n")[0].decode("latin-1").lower().split("\r\n")[1:]
    codings = [line for line in head if line.startswith(("transfer-encoding:", "content-encoding:"))]
    return status_of(found), sorted(codings)


def is_capture(found):
    return found.kind in ("response", "resource")


def records_by_warcio(path):
    """The records of a file as warcio reads them."""
    from warcio.archiveiterator import ArchiveIterator
    with open(path, "rb") as stream:
        for found in ArchiveIterator(stream, no_record_parse=True):
            head = "\r\n".join([found.rec_headers.protocol, *(f"{name}: {value}" for name, value
                                                             in found.rec_headers.headers)])
            yield replay.Record(head.encode(), found.raw_stream.read())


def copies_by_dictionary(paths, minimum=0, records_of=replay.records_of):
    """id of a copy -> id of the record that it repeats, found with a dictionary over all payloads in memory."""
    captures = [found for path in sorted(paths) for found in records_of(path)]
    claims = collections.defaultdict(set)
    for found in captures:
        if found.kind == "revisit":
            claims["id"].add(replay.field(found, "WARC-Refers-To"))
            claims["place"].add((replay.field(found, "WARC-Refers-To-Target-URI"),
                                 replay.timestamp(found, "WARC-Refers-To-Date")))
            claims["digest"].add((found.url, replay.field(found, "WARC-Payload-Digest")))
    captures = [found for found in captures if is_capture(found)]
    payloads_at = collections.defaultdict(set)
    for found in captures:
        payloads_at[found.url, replay.field(found, "WARC-Date")[:19]].add(replay.payload_of(found))
    captures.sort(key=lambda found: replay.field(found, "WARC-Date")[:19])
    originals, copies = {}, {}
    for found in captures:
        payload = replay.payload_of(found)
        place = (found.url, replay.field(found, "WARC-Date")[:19])
        if len(payload) < max(minimum, 1) or replay.field(found, "WARC-Truncated") or status_of(found).startswith(b"3"):
            continue
        key = payload, str(codings_of(found))
        original = originals.get(key)
        digest = replay.field(found, "WARC-Payload-Digest") or replay.sha1_label(payload)
        if original is None:
            if len(payloads_at[place]) == 1:
                originals[key] = found, place
        elif original[1] != place and not (
                found.id in claims["id"] or (found.url, replay.timestamp(found, "WARC-Date")) in claims["place"]
                or (found.url, digest) in claims["digest"]):
            copies[found.id] = original[0].id
    return copies


class Payloads(support.ProgramTest):
    def write(self, name, content):
        return pathlib.Path(super().write(name, content))

    def payloads(self, *inputs, out="out", options=()):
        """Runs the command; returns the rows of revisits.jsonl, and all records that were written."""
        self.run_program("payloads", *inputs, "--out", self.folder / out, "--quiet", *options)
        rows = [json.loads(line) for line in (self.folder / out / "revisits.jsonl").read_text().splitlines()]
        records = [found for path in sorted((self.folder / out / "records").rglob("*"))
                   if path.is_file() and "warc" in path.name for found in replay.records_of(path)]
        counters = self.summary(out)["counters"]
        self.assertEqual(counters["output"]["revisits_written"], len(rows))
        self.assertEqual(counters["payloads"].get("payload_bytes_saved", 0), sum(row["payload_bytes"] for row in rows))
        return rows, records

    def summary(self, out="out"):
        return json.loads((self.folder / out / "summary.json").read_text())

    def assert_replay(self, inputs, records):
        """Expects every capture of the input to be there, unchanged or as a revisit record that shows its payload."""
        after = collections.defaultdict(list)
        for found in records:
            after[found.id, found.url, replay.field(found, "WARC-Date")].append(found)
        for path in inputs:
            for found in replay.records_of(path):
                same = after[found.id, found.url, replay.field(found, "WARC-Date")]
                if any((other.kind, other.block) == (found.kind, found.block) for other in same):
                    continue
                revisits = [other for other in same if other.kind == "revisit"]
                self.assertTrue(revisits and is_capture(found), f"{path}: {found.id} is lost")
                for shown in replay.payloads_shown(revisits[0], records):
                    self.assertEqual(shown, replay.payload_of(found))
                if found.block.startswith(b"HTTP/"):
                    self.assertEqual(revisits[0].block.partition(b"\r\n\r\n")[0], found.block.partition(b"\r\n\r\n")[0])

    def collection(self, seed):
        """Writes a few archives in which payloads of all types recur."""
        choose = random.Random(seed)
        bodies = [choose.randbytes(choose.choice([0, 1, 300, 600, 5000])) for _ in range(8)]
        paths = []
        for number in range(3):
            parts = []
            for place in range(25):
                name = f"{number}-{place}"
                body = choose.choice(bodies)
                url = f"http://{choose.randrange(30)}.example/"
                date = f"2024-05-{choose.randrange(1, 29):02}T10:00:0{choose.randrange(3)}Z"
                if choose.randrange(12) == 0:
                    parts.append(record("resource", name, url, body, "Content-Type: image/png", date=date))
                elif choose.randrange(12) == 0:
                    target = f"http://{choose.randrange(30)}.example/"
                    parts.append(record("revisit", name, url, b"HTTP/1.1 200 OK\r\n\r\n", HTTP,
                                        "WARC-Payload-Digest: " + replay.sha1_label(body),
                                        *choose.choice([[], [f"WARC-Refers-To: <urn:test:0-{choose.randrange(25)}>"],
                                                        [f"WARC-Refers-To-Target-URI: {target}",
                                                         "WARC-Refers-To-Date: " + date]]), date=date))
                else:
                    fields = choose.choice([[], [], [], ["WARC-Truncated: length"]])
                    headers = choose.choice([[], [], ["Content-Encoding: br"], [f"X-Time: {place}"]])
                    status = choose.choice(["200 OK", "200 OK", "404 Not Found", "301 Moved"])
                    parts.append(response(name, url, body, *fields, content_type=choose.choice(TYPES), status=status,
                                          headers=headers, date=date))
                parts.append(record("metadata", name + "-metadata", url, b"hopsFromSeed: 1\r\n",
                                    "Content-Type: application/warc-fields", date=date))
            packed = number > 0
            content = b"".join(gzip.compress(part, mtime=0) for part in parts) if packed else b"".join(parts)
            paths.append(self.write(f"{seed}-{number}.warc{'.gz' if packed else ''}", content))
        return paths

    def test_finds_what_a_dictionary_finds(self):
        for seed in range(12):
            with self.subTest(seed):
                minimum = [0, 1, 512][seed % 3]
                paths = self.collection(seed)
                rows, records = self.payloads(*paths, out=f"out-{seed}", options=["--min-payload-bytes", str(minimum)])
                found = {f"<{row['id']}>": f"<{row['refers_to_id']}>" for row in rows}
                self.assertEqual(found, copies_by_dictionary(paths, minimum))
                self.assertEqual({other.id: replay.field(other, "WARC-Refers-To") for other in records
                                  if other.kind == "revisit" and other.id in found}, found)
                self.assert_replay(paths, records)

    def test_finds_what_a_dictionary_finds_with_warcio(self):
        try:
            import warcio  # noqa: F401
        except ImportError:
            self.skipTest("the Python package warcio is not installed")
        collections_read = {f"made-{seed}": self.collection(seed) for seed in range(20, 30)}
        if DATA.exists():
            collections_read["crawled"] = sorted(DATA.glob("*.warc.gz"))
        for name, paths in collections_read.items():
            with self.subTest(name):
                rows, _ = self.payloads(*paths, out=f"out-{name}", options=["--min-payload-bytes", "0"])
                self.assertEqual({f"<{row['id']}>": f"<{row['refers_to_id']}>" for row in rows},
                                 copies_by_dictionary(paths, 0, records_by_warcio))

    def test_output_does_not_depend_on_threads_memory_or_order(self):
        paths = self.collection(99)
        self.payloads(*paths, out="one", options=["--threads", "1"])
        self.payloads(*reversed(paths), out="two", options=["--threads", "4", "--memory", "64MiB"])
        self.assert_same_output(self.folder / "one", self.folder / "two")
        self.payloads(*paths, out="two")
        self.assert_same_output(self.folder / "one", self.folder / "two")

    def test_age(self):
        body = b"x" * 1000
        dates = ["2024-01-01", "2024-01-20", "2024-02-10", "2024-02-15"]
        path = self.write("ages.warc", b"".join(
            response(date, f"http://{date}.example/", body, date=f"{date}T10:00:00Z") for date in dates))
        rows, records = self.payloads(path, options=["--max-age-days", "30"])
        self.assertEqual({row["id"][9:]: row["refers_to_id"][9:] for row in rows},
                         {"2024-01-20": "2024-01-01", "2024-02-15": "2024-02-10"})
        self.assert_replay([path], records)
        self.assertEqual(self.summary()["counters"]["payloads"]["stored_original_too_old"], 1)

    def test_earlier_collections(self):
        """What an index lists is referred to, in any form of index and digest, unless it is younger or a revisit."""
        bodies = {name: (name * 1000).encode() for name in "abcdef"}
        sha1 = {name: replay.sha1_label(body) for name, body in bodies.items()}
        sha256 = {name: "sha-256:" + hashlib.sha256(body).hexdigest() for name, body in bodies.items()}

        def line(name, date, digest, mime="image/png", where='"filename": "old.warc.gz", "offset": "123"',
                 status="200"):
            return (f'com,old)/{name} {date} {{"url": "http://old.example/{name}", "mime": "{mime}", '
                    f'"status": "{status}", "digest": "{digest}", {where}}}\n')

        cdxj = self.write("old.cdxj.gz", gzip.compress((
            line("a", "20200101000000", sha1["a"]) + line("a2", "20190101000000", sha1["a"])
            + line("b", "20250101000000", sha1["b"]) + line("c", "20200101000000", sha1["c"], "warc/revisit")
            + line("d", "20200101000000", sha256["d"]) + line("f", "20200101000000", sha1["f"], status="404")
            + line("f", "20200101000000", sha1["f"], status="-") + "not a line\n").encode()))
        classic = self.write("old.cdx", " CDX N b a m s k r M S V g\ncom,old)/e 20200202020202 http://old.example/e "
                             f"image/png 200 {sha1['e'].removeprefix('sha1:')} - - 100 7 old-2.warc.gz\n")
        path = self.write("new.warc", b"".join(
            response(f"{name}{place}", f"http://new.example/{name}{place}", body, content_type="image/png",
                     date=f"2024-05-0{place}T10:00:00Z") for name, body in bodies.items() for place in (1, 2)))
        rows, records = self.payloads(path, options=["--known", cdxj, "--known", classic])
        found = {row["id"][9:]: (row["refers_to_url"], row["refers_to_date"]) for row in rows}
        stored = {name + "2": (f"http://new.example/{name}1", "2024-05-01T10:00:00Z") for name in "bcdf"}
        known = {name: ("http://old.example/a2", "2019-01-01T00:00:00Z") for name in ("a1", "a2")}
        known |= {name: ("http://old.example/e", "2020-02-02T02:02:02Z") for name in ("e1", "e2")}
        self.assertEqual(found, stored | known)
        revisit = {other.id[10:-1]: other for other in records}["e1"]
        self.assertEqual(replay.field(revisit, "WARC-Refers-To"), "")
        self.assertEqual(replay.field(revisit, "WARC-Refers-To-Filename"), "old-2.warc.gz")
        self.assertEqual(replay.field(revisit, "WARC-Refers-To-File-Offset"), "7")
        self.assertEqual(replay.field(revisit, "WARC-Payload-Digest"), sha1["e"])
        self.assertEqual(self.summary()["counters"]["lists"],
                         {"listed": 5, "listed_other_digests": 1, "listed_revisits": 1, "listed_without_status": 1})
        self.assertEqual(sum(kind["count"] for kind in self.summary()["broken"]), 1)

        rows, _ = self.payloads(path, options=["--known", cdxj, "--listed-digest", "sha256"])
        self.assertEqual({row["id"][9:]: row["payload_digest"] for row in rows if "old" in row["refers_to_url"]},
                         {"d1": sha256["d"], "d2": sha256["d"]})
        rows, _ = self.payloads(path, options=["--known", cdxj, "--max-age-days", "1600"])
        self.assertEqual({row["refers_to_url"] for row in rows if "old" in row["refers_to_url"]},
                         {"http://old.example/a"})
        missing = self.run_program("payloads", path, "--out", self.folder / "x", "--known", "none.cdxj",
                                   expect=support.USAGE)
        self.assertIn("none.cdxj", missing.stderr)

    def test_output_folders_as_earlier_collections(self):
        """Folders stand for the indexes in them, of either form, and several may be named."""
        bodies = {name: (name * 1000).encode() for name in "abcd"}

        def crawl(number, names):
            return self.write(f"crawl-{number}.warc", b"".join(
                response(f"{number}{name}", f"http://{number}.example/{name}", bodies[name],
                         date=f"2024-0{number}-01T10:00:00Z") for name in names))

        def found(rows):
            return {row["id"][9:]: (row["refers_to_url"], row["refers_to_date"]) for row in rows}

        one, two, three = (self.folder / name for name in ("one", "two", "three"))
        self.payloads(crawl(1, "ab"), out="one", options=["--cdx", "cdxj"])
        rows, _ = self.payloads(crawl(2, "ac"), out="two", options=["--cdx", "cdx11", "--known", one])
        self.assertEqual(found(rows), {"2a": ("http://1.example/a", "2024-01-01T10:00:00Z")})
        rows, records = self.payloads(crawl(3, "abcd"), out="three", options=["--known", f"{two}/", "--known", one])
        self.assertEqual(found(rows), {"3a": ("http://1.example/a", "2024-01-01T10:00:00Z"),
                                       "3b": ("http://1.example/b", "2024-01-01T10:00:00Z"),
                                       "3c": ("http://2.example/c", "2024-02-01T10:00:00Z")})
        files = {replay.field(other, "WARC-Refers-To-Filename") for other in records if other.kind == "revisit"}
        self.assertEqual(files, {"crawl-1.warc", "crawl-2.warc"})
        self.assertEqual(self.summary("three")["counters"]["lists"], {"listed": 3, "listed_revisits": 1})

        # The folder has no index yet; the advice makes one.
        refused = self.refused_list(three)
        command = refused.partition("paraprint cdx ")[2].split()
        self.run_program("cdx", *command)
        rows, _ = self.payloads(crawl(4, "d"), out="four", options=["--known", three])
        self.assertEqual(found(rows), {"4d": ("http://3.example/d", "2024-03-01T10:00:00Z")})

    def refused_list(self, known, out="refused"):
        """Returns the message; the output folder must stay as it was."""
        path = self.write("any.warc", response("any", "http://any.example/", b"x" * 1000))
        before = support.output_files(self.folder / out)
        answer = self.run_program("payloads", path, "--out", self.folder / out, "--known", known, expect=support.USAGE)
        self.assertEqual(support.output_files(self.folder / out), before)
        self.assertIn(str(known), answer.stderr)
        return answer.stderr

    def test_folders_that_list_nothing(self):
        page = self.write("page.html", support.html_of(support.article(3)).encode())
        self.run_program("index", "add", "--data", self.folder / "pages", page)
        self.assertIn("index of pages, which does not store the digests", self.refused_list(self.folder / "pages"))
        (self.folder / "empty").mkdir()
        self.assertIn("not an output folder", self.refused_list(self.folder / "empty"))
        path = self.write("a.warc", response("a", "http://a.example/", b"y" * 1000))
        self.payloads(path, out="own", options=["--cdx", "cdxj"])
        for known in (self.folder / "own", self.folder / "own/index.cdxj"):
            self.assertIn("is inside the output folder", self.refused_list(known, out="own"))

    def test_with_near_duplicates(self):
        """`dedup --payloads`: pages are removed as without it, and everything with a stored payload replays."""
        text = support.article(1)
        html = support.html_of(text).encode()
        near = support.html_of(text, head="<title>Printed</title>").encode()
        image, error = b"i" * 900, b"<p>not here</p>" * 50
        path = self.write("site.warc", b"".join([
            response("first", "http://a.example/", html, date="2024-05-01T10:00:00Z"),
            response("equal", "http://b.example/", html, date="2024-05-02T10:00:00Z"),
            response("near", "http://c.example/", near, date="2024-05-03T10:00:00Z"),
            response("near-equal", "http://d.example/", near, date="2024-05-04T10:00:00Z"),
            response("image", "http://a.example/i.png", image, content_type="image/png", date="2024-05-01T10:00:01Z"),
            response("image-2", "http://b.example/i.png", image, content_type="image/png", date="2024-05-02T10:00:01Z"),
            response("error", "http://a.example/x", error, status="404 Not Found", date="2024-05-01T10:00:02Z"),
            response("error-2", "http://b.example/x", error, status="404 Not Found", date="2024-05-02T10:00:02Z")]))
        self.run_program("dedup", path, "--out", self.folder / "plain", "--revisits", "--quiet")
        self.run_program("dedup", path, "--out", self.folder / "out", "--payloads", "--quiet")
        for name in ("removed.jsonl", "matches.tsv", "clusters.tsv"):
            self.assertEqual((self.folder / "out" / name).read_bytes(), (self.folder / "plain" / name).read_bytes())
        kept = {json.loads(line)["kept_id"] for line in (self.folder / "out/removed.jsonl").read_text().splitlines()}
        self.assertEqual(len(kept), 1)
        records = list(replay.records_of(self.folder / "out/records/site.warc"))
        kinds = collections.Counter(found.kind for found in records)
        # Of the four pages one is kept; one of the others has its payload, or two.
        self.assertEqual(kinds["revisit"] + kinds["metadata"], 3 + 2)
        found = {other.id[10:-1]: other for other in records}
        self.assertEqual([found[name].kind for name in ("image", "image-2", "error", "error-2")],
                         ["response", "revisit", "response", "revisit"])
        before = {other.id: other for other in replay.records_of(path)}
        for revisit in records:
            if revisit.kind == "revisit":
                for shown in replay.payloads_shown(revisit, records):
                    self.assertEqual(shown, replay.payload_of(before[revisit.id]))
        rows = [json.loads(line) for line in (self.folder / "out/revisits.jsonl").read_text().splitlines()]
        self.assertEqual(len(rows), kinds["revisit"])
        self.assertEqual(self.summary()["counters"]["output"]["revisits_written"], kinds["revisit"])
        self.run_program("recluster", self.folder / "out", "--no-payloads", "--quiet")
        self.assertFalse((self.folder / "out/revisits.jsonl").exists())

    def test_removed_pages_refer_to_pages_that_stay(self):
        """A removed page with the bytes of the kept one may be older, and the kept one may itself be a copy."""
        html = support.html_of(support.article(2)).encode()
        path = self.write("site.warc", b"".join([
            response("oldest", "http://a.example/long-address", html, date="2024-05-01T10:00:00Z"),
            response("image", "http://b.example/", html, content_type="image/png", date="2024-05-02T10:00:00Z"),
            response("kept", "http://c.example/", html, date="2024-05-03T10:00:00Z")]))
        self.run_program("dedup", path, "--out", self.folder / "out", "--payloads", "--keep", "latest", "--quiet")
        records = list(replay.records_of(self.folder / "out/records/site.warc"))
        self.assertEqual({found.id[10:-1]: replay.field(found, "WARC-Refers-To")[10:-1] for found in records},
                         {"oldest": "image", "image": "", "kept": "image"})

    def test_other_formats_are_copied(self):
        pages = self.write("pages.jsonl", b'{"id": "1", "text": "a"}\n{"id": "2", "text": "a"}\n')
        warc = self.write("a.warc", response("a", "http://a.example/", b"y" * 1000)
                          + response("b", "http://b.example/", b"y" * 1000, date="2024-06-01T10:00:00Z"))
        rows, _ = self.payloads(pages, warc)
        self.assertEqual([row["id"] for row in rows], ["urn:test:b"])
        self.assertEqual((self.folder / "out/records/pages.jsonl").read_bytes(), pages.read_bytes())

    def test_records_that_are_too_large_to_be_held(self):
        """They are found by digests of their pieces; the output is that of a run that holds them."""
        for seed in range(40, 46):
            with self.subTest(seed):
                paths = self.collection(seed)
                plain, limited = f"plain-{seed}", f"limited-{seed}"
                options = ["--min-payload-bytes", "1"]
                self.payloads(*paths, out=plain, options=options)
                rows, records = self.payloads(*paths, out=limited, options=[*options, "--max-record-bytes", "600"])
                found = {f"<{row['id']}>": f"<{row['refers_to_id']}>" for row in rows}
                self.assertEqual(found, copies_by_dictionary(paths, 1))
                self.assert_replay(paths, records)
                for name in ("revisits.jsonl", "savings.json"):
                    self.assertEqual((self.folder / limited / name).read_bytes(),
                                     (self.folder / plain / name).read_bytes())
                self.assert_same_output(self.folder / limited / "records", self.folder / plain / "records")
                summary = self.summary(limited)
                self.assertNotIn("stored_too_large", summary["counters"]["reading"])
                self.assertEqual(summary["broken"], self.summary(plain)["broken"])

    def test_large_records_of_earlier_collections(self):
        body = b"z" * 5000
        sha256 = hashlib.sha256(body).hexdigest()
        known = self.write("old.cdxj", 'com,old)/z 20200101000000 {"url": "http://old.example/z", "mime": "image/png", '
                           f'"status": "200", "digest": "sha256:{sha256}"}}\n')
        path = self.write("large.warc.gz", gzip.compress(response("z", "http://new.example/z", body)))
        rows, records = self.payloads(path, options=["--max-record-bytes", "2000", "--known", known,
                                                     "--listed-digest", "sha256"])
        self.assertEqual([row["refers_to_url"] for row in rows], ["http://old.example/z"])
        self.assertEqual([found.kind for found in records], ["revisit"])
        self.assertIn(b"Content-Type: text/html", records[0].block)

    def test_large_records_of_doubtful_length_stay(self):
        """Something else than a record follows them, so their payloads may not be what their length says."""
        parts = []
        for place, name in enumerate("abc", 1):
            whole = response(name, f"http://{name}.example/", b"z" * 5000, date=f"2024-06-0{place}T10:00:00Z")
            parts.append(whole if name == "c" else whole + b"what is this?\r\n\r\n")
        path = self.write("large.warc", b"".join(parts))
        rows, records = self.payloads(path, options=["--max-record-bytes", "2000"])
        self.assertEqual(rows, [])
        self.assertEqual(self.summary()["counters"]["reading"]["stored_too_large"], 2)
        self.assertEqual([found.kind for found in records], ["response"] * 3)
        cut = self.write("cut.warc", parts[2] * 2 + parts[2][:-1000])
        rows, records = self.payloads(cut, options=["--max-record-bytes", "2000"])
        self.assertEqual(rows, [])  # one id, address and date
        self.assertEqual([kind["kind"] for kind in self.summary()["broken"]], ["repeated-id", "truncated-record"])

    def test_broken_input_is_reported_and_copied(self):
        whole = response("a", "http://a.example/", b"y" * 1000) + response(
            "b", "http://b.example/", b"y" * 1000, date="2024-06-01T10:00:00Z")
        cut = self.write("cut.warc", whole + response("c", "http://c.example/", b"y" * 1000)[:-200])
        rows, records = self.payloads(cut)
        self.assertEqual([row["id"] for row in rows], ["urn:test:b"])
        self.assertEqual([kind["kind"] for kind in self.summary()["broken"]], ["truncated-record"])
        self.assertEqual([found.kind for found in records], ["response", "revisit", "response"])

    def test_refusals(self):
        path = self.write("a.warc", response("a", "http://a.example/", b"y" * 1000))
        self.run_program("dedup", path, "--out", self.folder / "run", "--quiet")
        answer = self.run_program("payloads", path, "--out", self.folder / "run", expect=support.USAGE)
        self.assertIn("holds another run", answer.stderr)
        for other in (".paraprint-divided", "contaminated.jsonl"):
            kept = [pathlib.Path(self.write(f"of{other}/{name}", b"theirs")) for name in (other, "records/a.warc")]
            answer = self.run_program("payloads", path, "--out", self.folder / f"of{other}", expect=support.USAGE)
            self.assertIn("choose another --out", answer.stderr)
            self.assertEqual([path.read_bytes() for path in kept], [b"theirs"] * 2)
        for arguments, message in (([path], "no output folder"), (["--out", self.folder / "out"], "no input"),
                                   ([path, "--out", self.folder], "inside")):
            with self.subTest(message):
                self.assertIn(message, self.run_program("payloads", *arguments, expect=support.USAGE).stderr)

    def test_real_archives(self):
        if not DATA.exists():
            self.skipTest("test data not found; set PARAPRINT_DATA_DIR")
        rows, records = self.payloads(DATA, options=["--min-payload-bytes", "0"])
        revisits = {(found.id, found.url): found for found in records if found.kind == "revisit"}
        for file in {row["file"] for row in rows}:
            before = collections.defaultdict(set)
            for found in replay.records_of(pathlib.Path(file)):
                before[found.id, found.url].add(replay.payload_of(found))
            for name in {(f"<{row['id']}>", row["url"]) for row in rows if row["file"] == file}:
                for shown in replay.payloads_shown(revisits[name], records):
                    self.assertIn(shown, before[name])
        self.assertGreater(len(rows), 5)


if __name__ == "__main__":
    support.main()
