#!/usr/bin/env python3
"""One archive with records of every type of WARC 1.1, through the commands that read archives: which records are
pages, which are copies, and that nothing but copies leaves the archive.

usage: record_types_test.py PARAPRINT [unittest arguments]
"""
import json
import os
import pathlib
import shutil
import subprocess
import unittest

import replay
import support

ORACLE = os.environ.get("PARAPRINT_CDXJ_INDEXER") or shutil.which("cdxj-indexer")
HTTP = "Content-Type: application/http; msgtype=response"
HTML = "Content-Type: text/html; charset=utf-8"
TEXT = "Content-Type: text/plain"


def record(kind, identifier, url, block, *fields, date="2024-05-01T10:00:00Z"):
    lines = ["WARC/1.1", f"WARC-Type: {kind}", f"WARC-Record-ID: <urn:test:{identifier}>", f"WARC-Date: {date}",
             *([f"WARC-Target-URI: {url}"] if url else []), *fields, f"Content-Length: {len(block)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def refers_to(identifier):
    return f"WARC-Refers-To: <urn:test:{identifier}>"


def html_page(seed):
    return support.html_of(support.article(seed)).encode()


def text_of(seed):
    return "\n".join(support.article(seed)).encode()


def http_page(seed):
    return support.http_message(html_page(seed))


def segments(identifier, url, message, cuts, between=b"", **options):
    """A response in len(cuts) + 1 records."""
    parts = [message[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(message)])]
    made = [record("response", identifier, url, parts[0], "WARC-Segment-Number: 1", HTTP, **options)]
    for number, part in enumerate(parts[1:], 2):
        total = [f"WARC-Segment-Total-Length: {len(message)}"] if number == len(parts) else []
        made.append(record("continuation", f"{identifier}-{number}", url, part, f"WARC-Segment-Number: {number}",
                           f"WARC-Segment-Origin-ID: <urn:test:{identifier}>", *total, **options))
    return made


def mixed_records():
    """The records of the archive. Pages are named by a letter, which is also the seed of their text."""
    a, b, c, d, e, f, g, h, x = range(500, 509)
    divided = segments("c", "http://c.example/", http_page(c), [300, 900])
    lost = segments("lost", "http://lost.example/", http_page(x), [300, 900])
    dns = b"20240501100000\r\na.example.\t300\tIN\tA\t192.0.2.1\r\n"
    return [
        record("warcinfo", "info", None, b"software: test\r\n", "Content-Type: application/warc-fields"),
        record("response", "dns", "dns:a.example", dns, "Content-Type: text/dns"),
        record("resource", "dns-2", "dns:a.example", dns, "Content-Type: text/dns", date="2024-05-02T10:00:00Z"),
        # A page, what belongs to it, and what was made from it.
        record("response", "a", "http://a.example/", http_page(a), HTTP),
        record("request", "a-request", "http://a.example/", b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n",
               "WARC-Concurrent-To: <urn:test:a>", "Content-Type: application/http; msgtype=request"),
        record("metadata", "a-metadata", "http://a.example/", b"via: x\r\n", refers_to("a"),
               "Content-Type: application/warc-fields"),
        record("conversion", "a-text", "http://a.example/", text_of(a), refers_to("a"), TEXT),
        record("conversion", "a-html", "http://a.example/", html_page(a), refers_to("a"), HTML),
        record("conversion", "a-text-again", "http://a.example/", text_of(a), refers_to("a-text"), TEXT),
        record("conversion", "a-image", "http://a.example/", b"\x89PNG" + bytes(600), refers_to("a"),
               "Content-Type: image/png"),
        # What was made from a document that is not a page, or is not here, is a page.
        record("response", "b-pdf", "http://b.example/b.pdf",
               support.http_message(b"%PDF-1.4" + bytes(600), "application/pdf"), HTTP),
        record("conversion", "b", "http://b.example/b.pdf", text_of(b), refers_to("b-pdf"), TEXT),
        record("conversion", "b-copy", "http://other.example/b.pdf", text_of(b), refers_to("elsewhere"), TEXT,
               date="2024-05-03T10:00:00Z"),
        record("conversion", "h", "http://h.example/", html_page(h), refers_to("nowhere"), HTML),
        # A page in segments, with the start of a file between two of them, and its copy in one.
        divided[0],
        record("warcinfo", "info-2", None, b"software: test\r\n", "Content-Type: application/warc-fields"),
        divided[1], divided[2],
        record("response", "c-copy", "http://copy-of-c.example/", http_page(c), HTTP, date="2024-05-03T10:00:00Z"),
        # The same, where the segments come last.
        record("response", "d", "http://d.example/", http_page(d), HTTP),
        *segments("d-copy", "http://copy-of-d.example/", http_page(d), [500], date="2024-05-03T10:00:00Z"),
        # Segments that are not whole.
        lost[0], lost[2],
        record("continuation", "stray", "http://stray.example/", b"x", "WARC-Segment-Number: 2",
               "WARC-Segment-Origin-ID: <urn:test:none>", "WARC-Segment-Total-Length: 9"),
        # Resources of several schemes, and what crawlers store as resources.
        record("resource", "e", "ftp://e.example/e.html", html_page(e), HTML),
        record("resource", "e-copy", "file:///srv/e.html", html_page(e), HTML, date="2024-05-03T10:00:00Z"),
        record("resource", "f", "urn:nbn:de:1234-5", html_page(f), HTML),
        record("resource", "log", "urn:X-wpull:log", text_of(x), TEXT),
        record("resource", "a-extracted", "urn:text:http://a.example/", text_of(a), TEXT),
        record("resource", "image", "http://e.example/e.png", b"\x89PNG" + bytes(900), "Content-Type: image/png"),
        record("resource", "image-copy", "http://e.example/copy.png", b"\x89PNG" + bytes(900),
               "Content-Type: image/png", date="2024-05-03T10:00:00Z"),
        # Two pages of one id, of which one is a copy, and a record of a type of a later standard.
        record("response", "g", "http://g.example/", http_page(g), HTTP),
        record("response", "g", "http://copy-of-a.example/", http_page(a), HTTP, date="2024-05-03T10:00:00Z"),
        record("request", "g-request", "http://g.example/", b"GET / HTTP/1.1\r\nHost: g.example\r\n\r\n",
               "WARC-Concurrent-To: <urn:test:g>", "Content-Type: application/http; msgtype=request"),
        record("future", "future", "http://a.example/", html_page(a), HTML),
    ]


PAGES = ["a", "a-text", "a-html", "a-text-again", "b", "b-copy", "h", "c", "c-copy", "d", "d-copy", "e", "e-copy", "f",
         "g", "g"]
# The page is kept; the conversions of "a" are not pages of their own beside it.
COPIES = {"b-copy": "b", "c-copy": "c", "d-copy": "d", "e-copy": "e", "g#2": "a"}
# The places in mixed_records() of what is removed with them.
SEGMENTED_COPY = ["d-copy", "d-copy-2"]


def identifier_of(found):
    return replay.field(found, "WARC-Record-ID").strip("<>").removeprefix("urn:test:")


class RecordTypes(support.ProgramTest):
    def write_mixed(self):
        """The archive uncompressed and compressed."""
        records = mixed_records()
        return [pathlib.Path(self.write("mixed.warc", b"".join(records))),
                pathlib.Path(self.write("mixed.warc.gz", b"".join(map(support.member, records))))]

    def summary(self):
        return json.loads((self.folder / "out/summary.json").read_text(encoding="utf-8"))

    def rows(self, name):
        return [json.loads(line) for line in (self.folder / "out" / name).read_text(encoding="utf-8").splitlines()]

    def run_into_out(self, command, path, *options):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        self.run_program(command, path, "--out", self.folder / "out", "--quiet", *options)
        return self.folder / "out/records" / path.name

    def offsets_in(self, path):
        """Where each record of the archive begins; of two with one id, the second one."""
        offsets, at = {}, 0
        for made in mixed_records():
            identifier = made.split(b"<urn:test:")[1].split(b">")[0].decode()
            offsets[identifier] = at
            at += len(made if path.suffix == ".warc" else support.member(made))
        return offsets

    def assert_broken(self, path):
        """Three segments belong to no whole record, and one record has the id of another; each is named."""
        offsets = self.offsets_in(path)
        broken = {kind["kind"]: kind for kind in self.summary()["broken"]}
        self.assertEqual({name: kind["count"] for name, kind in broken.items()},
                         {"unjoined-segments": 3, "repeated-id": 1})
        self.assertEqual([(example["file"], example["offset_bytes"])
                          for example in broken["unjoined-segments"]["examples"]],
                         [(str(path), offsets[identifier]) for identifier in ("lost", "lost-3", "stray")])
        self.assertEqual([(example["file"], example["offset_bytes"]) for example in broken["repeated-id"]["examples"]],
                         [(str(path), offsets["g"])])

    def expected_without(self, path, removed):
        """The stored bytes without the records of these positions or ids."""
        kept = [made for number, made in enumerate(mixed_records())
                if number not in removed and made.split(b"<urn:test:")[1].split(b">")[0].decode() not in removed]
        return b"".join(kept if path.suffix == ".warc" else map(support.member, kept))

    def position_of(self, url):
        return next(number for number, made in enumerate(mixed_records())
                    if f"WARC-Target-URI: {url}\r\n".encode() in made)

    def test_extract_prints_all_pages(self):
        for path in self.write_mixed():
            finished = self.run_program("extract", path)
            pages = [json.loads(line) for line in finished.stdout.splitlines()]
            self.assertEqual([page["id"].removeprefix("urn:test:") for page in pages], PAGES)
            texts = {page["id"].removeprefix("urn:test:"): page["text"] for page in pages}
            self.assertEqual(texts["c"], texts["c-copy"])
            self.assertEqual(texts["d"], texts["d-copy"])
            self.assertNotIn("<", "".join(texts.values()))
            for identifier in ("lost", "lost-3", "stray"):
                place = f"{path}: at byte {self.offsets_in(path)[identifier]}: unjoined-segments: "
                self.assertIn(place, finished.stderr)
            self.assertEqual(finished.stderr.count("unjoined-segments: "), 3, finished.stderr)

    def test_dedup_removes_copies_and_nothing_else(self):
        for path in self.write_mixed():
            records = self.run_into_out("dedup", path)
            removed = {row["id"].removeprefix("urn:test:"): row["kept_id"].removeprefix("urn:test:")
                       for row in self.rows("removed.jsonl")}
            self.assertEqual(removed, COPIES)
            self.assert_broken(path)
            reading = self.summary()["counters"]["reading"]
            self.assertEqual(reading["conversions_of_pages"], 3)
            self.assertEqual(reading["duplicate_ids"], 1)
            output = self.summary()["counters"]["output"]
            self.assertEqual((output["pages_removed"], output["segments_removed"], output["companions_removed"]),
                             (5, 1, 0))
            gone = {"b-copy", "c-copy", *SEGMENTED_COPY, "e-copy", self.position_of("http://copy-of-a.example/")}
            self.assertEqual(records.read_bytes(), self.expected_without(path, gone))
            self.assert_readers_agree(path, records, gone)

    def assert_readers_agree(self, path, records, gone):
        """warcio reads the same records from the output as from the input, without those that are gone."""
        try:
            from warcio.archiveiterator import ArchiveIterator
        except ImportError:
            return

        def read(file):
            with open(file, "rb") as stream:
                return [(found.rec_type, found.rec_headers.get_header("WARC-Record-ID"), found.raw_stream.read())
                        for found in ArchiveIterator(stream, no_record_parse=True)]
        before = read(path)
        self.assertEqual(len(before), len(mixed_records()))
        kept = [found for number, found in enumerate(before)
                if number not in gone and found[1].strip("<>").removeprefix("urn:test:") not in gone]
        self.assertEqual(read(records), kept)

    # A player resolves a revisit record to the first segment alone.
    def test_no_revisit_record_is_about_segments_or_conversions(self):
        for path in self.write_mixed():
            records = self.run_into_out("dedup", path, "--revisits")
            written = {identifier_of(found): found.kind for found in replay.records_of(records)}
            replaced = {replay.field(found, "WARC-Refers-To").strip("<>").removeprefix("urn:test:")
                        for found in replay.records_of(records) if found.kind == "metadata"} - {"a"}
            # That of "g" is about a copy of "a", at whose address and date pywb's index lists the conversions, too.
            self.assertEqual(replaced, {"b-copy", "c-copy", "d-copy", "g"})
            self.assertNotIn("d-copy-2", written)
            revisits = [found for found in replay.records_of(records) if found.kind == "revisit"]
            self.assertEqual({found.url for found in revisits}, {"file:///srv/e.html"})

    def test_payloads_replaces_captures_only(self):
        for path in self.write_mixed():
            records = self.run_into_out("payloads", path, "--min-payload-bytes", "1")
            self.assertEqual({row["id"].removeprefix("urn:test:") for row in self.rows("revisits.jsonl")},
                             {"e-copy", "image-copy"})
            before = list(replay.records_of(path))
            after = list(replay.records_of(records))
            self.assertEqual([found.url for found in after], [found.url for found in before])
            for old, new in zip(before, after):
                if new.kind != "revisit":
                    self.assertEqual((new.kind, new.fields, new.block), (old.kind, old.fields, old.block))
            self.assertEqual(self.summary()["counters"]["reading"]["duplicate_ids"], 1)
            self.assert_broken(path)

    def test_cdx_has_the_lines_of_cdxj_indexer(self):
        paths = self.write_mixed()
        for path in paths:
            lines = self.run_program("cdx", path, "--quiet").stdout
            for expected in ("dns:a.example ", "example,c)/ ", "example,lost)/ ", "file:/srv/e.html "):
                self.assertIn("\n" + expected, "\n" + lines)
            urls = [json.loads(line.split(" ", 2)[2])["url"] for line in lines.splitlines()]
            # Neither conversions nor continuation records, nor requests, files or unknown types.
            captures = [made for made in mixed_records()
                        if made.split(b"WARC-Type: ")[1].split(b"\r")[0] in (b"response", b"resource")]
            self.assertEqual(len(urls), len(captures))
            if ORACLE:
                theirs = subprocess.run([ORACLE, "--sort", path], capture_output=True, check=True).stdout.decode()
                self.assertEqual(lines, theirs)

    def test_wacz_packs_all_records(self):
        for path in self.write_mixed():
            packed = self.folder / "out.wacz"
            self.run_program("wacz", path, "--out", packed, "--quiet")
            shutil.unpack_archive(packed, self.folder / "unpacked", "zip")
            (archive,) = (self.folder / "unpacked/archive").iterdir()
            self.assertEqual(replay.content_of(archive), b"".join(mixed_records()))
            # Players have no captures of conversions, so those are not in the list of pages.
            lines = (self.folder / "unpacked/pages/pages.jsonl").read_text(encoding="utf-8").splitlines()[1:]
            urls = sorted(json.loads(line)["url"] for line in lines)
            self.assertEqual(urls, sorted(["ftp://e.example/e.html", "urn:nbn:de:1234-5", "file:///srv/e.html"] + [
                f"http://{name}.example/" for name in ("a", "c", "copy-of-a", "copy-of-c", "copy-of-d", "d", "g")]))
            packed.unlink()
            shutil.rmtree(self.folder / "unpacked")

    def test_index_adds_pages_once(self):
        path = self.write_mixed()[0]
        said = self.run_program("index", "add", "--data", self.folder / "index", path, "--quiet").stdout
        rows = [json.loads(line) for line in said.splitlines()]
        self.assertEqual([row["id"].removeprefix("urn:test:") for row in rows], PAGES)

    # By the standard, each segment is in a file of its own.
    def test_segments_in_several_files_are_kept(self):
        parts = segments("c", "http://c.example/", http_page(502), [300, 900])
        others = [record("response", f"copy-{number}", f"http://{number}.example/", http_page(502), HTTP)
                  for number in range(3)]
        for number, (part, other) in enumerate(zip(parts, others)):
            self.write(f"in/{number}.warc.gz", support.member(part) + support.member(other))
        self.run_program("dedup", self.folder / "in", "--out", self.folder / "out", "--quiet")
        (broken,) = self.summary()["broken"]
        self.assertEqual((broken["kind"], broken["count"]), ("unjoined-segments", 3))
        self.assertEqual(len({example["file"] for example in broken["examples"]}), 3)
        self.assertEqual(len(self.rows("removed.jsonl")), 2)
        self.assertEqual(self.summary()["counters"]["reading"]["pages_not-a-page"], 1)
        written = b"".join(replay.content_of(path) for path in sorted((self.folder / "out/records").rglob("*.gz")))
        self.assertEqual(sum(part in written for part in parts), 3)

    # A WET file alone has conversions only, and copies among them are found.
    def test_wet_files_are_read_as_pages(self):
        texts = [record("conversion", f"text-{number}", f"http://{number}.example/", text_of(600 + number % 2),
                        TEXT, refers_to(f"page-{number}")) for number in range(4)]
        pages = [record("response", f"page-{number}", f"http://{number}.example/", http_page(600 + number % 2), HTTP)
                 for number in range(4)]
        self.write("crawl.wet.gz", b"".join(map(support.member, texts)))
        self.run_program("dedup", self.folder / "crawl.wet.gz", "--out", self.folder / "out", "--quiet")
        self.assertEqual(len(self.rows("removed.jsonl")), 2)
        # With the file of the pages, whichever is read first, only those are compared, and all texts stay.
        for name in ("a.warc.gz", "z.warc.gz"):
            self.write(name, b"".join(map(support.member, pages)))
            self.run_into_out("dedup", self.folder / name, self.folder / "crawl.wet.gz", "--threads", "2")
            removed = [row["id"] for row in self.rows("removed.jsonl")]
            self.assertEqual(sorted(removed), ["urn:test:page-2", "urn:test:page-3"])
            self.assertEqual(self.summary()["counters"]["reading"]["conversions_of_pages"], 4)
            self.assertEqual(replay.content_of(self.folder / "out/records/crawl.wet.gz"), b"".join(texts))


if __name__ == "__main__":
    support.main()
