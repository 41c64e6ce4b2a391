#!/usr/bin/env python3
"""`paraprint dedup --revisits`: what players show in place of removed pages, and what is recorded about them.

usage: revisits_test.py PARAPRINT [unittest arguments]
"""
import collections
import gzip
import json
import os
import pathlib

import replay
import support

DEMO = pathlib.Path(__file__).resolve().parents[2] / "examples/demo-crawl"
ODD = pathlib.Path(os.environ.get("PARAPRINT_DATA_DIR", "../data")) / "corpus/odd-warcs"


def record(kind, identifier, url, block, *fields, version="1.1", date="2024-05-01T10:00:00Z"):
    lines = [f"WARC/{version}", f"WARC-Type: {kind}", f"WARC-Record-ID: <urn:test:{identifier}>", f"WARC-Date: {date}",
             f"WARC-Target-URI: {url}", *fields, f"Content-Length: {len(block)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def page(identifier, url, body, *fields, headers=(), **options):
    """A response record, its request and its metadata."""
    message = support.http_message(body, headers=headers)
    concurrent = f"WARC-Concurrent-To: <urn:test:{identifier}>"
    return (record("response", identifier, url, message, "Content-Type: application/http; msgtype=response", *fields,
                   **options)
            + record("request", identifier + "-request", url, b"GET / HTTP/1.1\r\n\r\n", concurrent,
                     "Content-Type: application/http; msgtype=request", **options)
            + record("metadata", identifier + "-metadata", url, b"hopsFromSeed: 1\r\n", concurrent,
                     "Content-Type: application/warc-fields", **options))


def revisit(identifier, url, *fields, profile="identical-payload-digest", date="2024-06-01T10:00:00Z"):
    """A revisit record of the input."""
    if ":" not in profile:
        profile = "http://netpreserve.org/warc/1.1/revisit/" + profile
    return record("revisit", identifier, url, b"HTTP/1.1 200 OK\r\n\r\n",
                  "Content-Type: application/http; msgtype=response", f"WARC-Profile: {profile}", *fields, date=date)


def linked_archives():
    """Copies of one page, and revisit records that refer to one of them each, in all ways that there are: (content of
    the archives by name, body by name of the copy)."""
    text = support.article(5)
    bodies = {name: support.html_of(text, head=f"<title>{name}</title>").encode()
              for name in ("kept", "id", "place", "digest", "modified", "gone")}
    digests = {name: replay.sha1_label(body) for name, body in bodies.items()}
    sites = {name: f"http://{name}.example/" for name in bodies}
    pages = b"".join(page(name, sites[name], body, date=f"2024-05-0{day}T10:00:00Z")
                     for day, (name, body) in enumerate(bodies.items(), 1))
    revisits = (revisit("id-again", "http://other.example/id", "WARC-Refers-To: <urn:test:id>",
                        f"WARC-Refers-To-Target-URI: {sites['id']}", "WARC-Refers-To-Date: 2024-05-02T10:00:00Z",
                        f"WARC-Payload-Digest: {digests['id']}")
                + revisit("place-again", "http://other.example/place", f"WARC-Refers-To-Target-URI: {sites['place']}",
                          "WARC-Refers-To-Date: 2024-05-03T10:00:00Z", f"WARC-Payload-Digest: {digests['place']}")
                + revisit("digest-again", sites["digest"], f"WARC-Payload-Digest: {digests['digest']}")
                + revisit("modified-again", sites["modified"], profile="server-not-modified")
                + revisit("nothing-again", "http://nothing.example/", "WARC-Payload-Digest: sha1:" + "A" * 32))
    # The revisit records come before the pages, and in another file.
    return {"1.warc": revisits, "2.warc": pages}, bodies


class Revisits(support.ProgramTest):
    def dedup(self, *inputs, out="out"):
        """Returns the records that were written. Expects the counters of records in place of pages to be right."""
        self.run_program("dedup", *inputs, "--out", self.folder / out, "--revisits", "--no-report", "--quiet")
        records = [found for path in sorted((self.folder / out / "records").rglob("*")) if path.is_file()
                   for found in replay.records_of(path)]
        counters = json.loads((self.folder / out / "summary.json").read_text())["counters"]["output"]
        before = collections.Counter(found.kind for path in inputs for found in replay.records_of(path))
        after = collections.Counter(found.kind for found in records)
        self.assertEqual(counters.get("revisits_written", 0), after["revisit"] - before["revisit"])
        self.assertLessEqual(counters.get("relations_written", 0), after["metadata"])
        return records

    def assert_players_show_the_removed_bytes(self, inputs, records):
        """Expects for every new revisit record that the player shows the payload that the removed record had."""
        before = collections.defaultdict(list)
        for path in inputs:
            for found in replay.records_of(path):
                before[found.id, found.url].append(found)
        checked = 0
        for revisit in records:
            originals = before[revisit.id, revisit.url]
            if revisit.kind != "revisit" or any(original.kind == "revisit" for original in originals):
                continue
            self.assertTrue(replay.field(revisit, "WARC-Profile").endswith("/revisit/identical-payload-digest"))
            payloads = {replay.payload_of(original) for original in originals}
            for shown in replay.payloads_shown(revisit, records):
                self.assertIn(shown, payloads, revisit.url)
            headers = {original.block.partition(b"\r\n\r\n")[0] for original in originals}
            self.assertIn(revisit.block.partition(b"\r\n\r\n")[0], headers)
            checked += 1
        return checked

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def test_only_equal_payloads_become_revisits(self):
        text = support.article(1)
        body = support.html_of(text).encode()
        near = support.html_of(text, head="<title>Printed</title>").encode()
        packed = gzip.compress(body, mtime=0)
        first = self.write("first.warc", page("kept", "http://a.example/", body,
                                              "WARC-Payload-Digest: sha256:as-the-index-has-it")
                           + page("none", "http://a.example/other", support.html_of(support.article(2)).encode()))
        second = self.write("second.warc",
                            page("equal", "http://b.example/", body, date="2024-05-02T10:00:00.250Z")
                            + page("old", "http://c.example/", body, version="1.0", date="2024-05-03T10:00:00Z")
                            + page("near", "http://d.example/", near, date="2024-05-04T10:00:00Z")
                            + page("packed", "http://e.example/", packed, headers=["Content-Encoding: gzip"],
                                   date="2024-05-05T10:00:00Z")
                            + page("cut", "http://f.example/", body, "WARC-Truncated: length",
                                   date="2024-05-06T10:00:00Z"))
        records = self.dedup(first, second)
        found = {found.id: found for found in records}
        self.assertEqual(self.assert_players_show_the_removed_bytes([first, second], records), 2)
        equal, old = found["<urn:test:equal>"], found["<urn:test:old>"]
        self.assertEqual((equal.kind, equal.version), ("revisit", "WARC/1.1"))
        self.assertEqual((old.kind, old.version), ("revisit", "WARC/1.0"))
        self.assertEqual(equal.fields["WARC-Profile"],
                         "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest")
        self.assertEqual(old.fields["WARC-Profile"], "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest")
        self.assertEqual(equal.fields["WARC-Date"], "2024-05-02T10:00:00.250Z")
        self.assertEqual(equal.fields["WARC-Refers-To"], "<urn:test:kept>")
        self.assertEqual(equal.fields["WARC-Refers-To-Target-URI"], "http://a.example/")
        self.assertEqual(equal.fields["WARC-Refers-To-Date"], "2024-05-01T10:00:00Z")
        self.assertEqual(equal.fields["WARC-Payload-Digest"], "sha256:as-the-index-has-it")
        # Requests and metadata stay with the revisit records, and go with the pages that have none.
        for name in ("equal", "old"):
            self.assertIn(f"<urn:test:{name}-request>", found)
            self.assertIn(f"<urn:test:{name}-metadata>", found)
        for name in ("near", "packed", "cut"):
            self.assertFalse({f"<urn:test:{name}{end}>" for end in ("", "-request", "-metadata")} & set(found), name)
        relations = {found.url: found for found in records
                     if found.kind == "metadata" and "WARC-Refers-To" in found.fields}
        self.assertEqual(set(relations), {"http://d.example/", "http://e.example/", "http://f.example/"})
        relation = relations["http://d.example/"]
        self.assertEqual(relation.fields["WARC-Refers-To"], "<urn:test:near>")
        self.assertEqual(relation.fields["WARC-Date"], "2024-05-04T10:00:00Z")
        self.assertEqual(relation.fields["Content-Type"], "application/warc-fields")
        fields = dict(line.split(": ", 1) for line in relation.block.decode().splitlines())
        self.assertEqual(fields["keptUri"], "http://a.example/")
        self.assertEqual(fields["keptDate"], "2024-05-01T10:00:00Z")
        removed = {line["id"]: line for line in
                   map(json.loads, (self.folder / "out/removed.jsonl").read_text().splitlines())}
        row = removed["urn:test:near"]
        for name, key in (("verdict", "verdict"), ("reason", "reason"), ("keptId", "kept_id")):
            self.assertEqual(fields[name], row[key])
        for name, key in (("resemblance", "resemblance"), ("containment", "containment_removed"),
                          ("containmentOfKept", "containment_kept")):
            self.assertAlmostEqual(float(fields[name]), row[key], places=4)

    def test_no_revisit_to_one_of_two_records_of_an_address_and_second(self):
        """A player that looks up address and time might show the other one."""
        body = support.html_of(support.article(3)).encode()
        other = support.html_of(support.article(4)).encode()
        error = record("response", "error", "http://a.example/", support.http_message(b"no", status="503 Busy"),
                       "Content-Type: application/http; msgtype=response")
        for name, first, more in (("file", page("kept", "http://a.example/", body) + error, b""),
                                  ("files", page("kept", "http://a.example/", body),
                                   page("other", "http://a.example/", other))):
            with self.subTest(name):
                paths = [self.write(f"{name}-1.warc", first),
                         self.write(f"{name}-2.warc", more + page("equal", "http://b.example/", body,
                                                                  date="2024-05-02T10:00:00Z"))]
                records = self.dedup(*paths, out=name)
                self.assertNotIn("revisit", {found.kind for found in records})
                self.assertIn("<urn:test:equal>", {found.fields.get("WARC-Refers-To") for found in records})

    def test_pages_of_revisit_records_of_the_input_stay(self):
        """A player shows the body of the page for the revisit record, so it stays although it is a copy."""
        archives, bodies = linked_archives()
        inputs = [self.write(name, content) for name, content in archives.items()]
        stay = {"kept", "id", "place", "digest", "modified"}
        for mode, threads in (("--no-revisits", "1"), ("--revisits", "4"), ("--payloads", "1")):
            with self.subTest(mode):
                out = self.folder / f"out{mode}"
                self.run_program("dedup", *inputs, "--out", out, mode, "--threads", threads, "--keep", "earliest",
                                 "--no-report", "--quiet")
                records = [found for path in inputs for found in replay.records_of(out / "records" / path.name)]
                self.assertEqual({found.id for found in records if found.kind == "response"},
                                 {f"<urn:test:{name}>" for name in stay})
                lines = [json.loads(line) for line in (out / "input-revisits.jsonl").read_text().splitlines()]
                self.assertEqual([(line["id"], line["found_by"], line.get("page_id")) for line in lines], [
                    ("urn:test:id-again", "id", "urn:test:id"),
                    ("urn:test:place-again", "address-and-date", "urn:test:place"),
                    ("urn:test:digest-again", "address-and-digest", "urn:test:digest"),
                    ("urn:test:modified-again", "previous-capture", "urn:test:modified"),
                    ("urn:test:nothing-again", "nothing", None)])
                for line in lines[:4]:
                    self.assertEqual((line["verdict"], line["kept_id"]), ("same", "urn:test:kept"))
                removed = [json.loads(line)["id"] for line in (out / "removed.jsonl").read_text().splitlines()]
                self.assertEqual(removed, [f"urn:test:{name}" for name in sorted(bodies) if name != "kept"])
                counters = json.loads((out / "summary.json").read_text())["counters"]["revisits"]
                self.assertEqual(counters, {"found_by_address_and_date": 1, "found_by_address_and_digest": 1,
                                            "found_by_id": 1, "found_by_previous_capture": 1, "not_found": 1,
                                            "of_pages": 4, "pages_kept_for_revisits": 4, "pages_referred_to": 4})
                for name in ("id", "place"):
                    again = next(found for found in records if found.id == f"<urn:test:{name}-again>")
                    self.assertEqual(replay.payloads_shown(again, records), [bodies[name]])

    def copies(self):
        """(file with two copies, payload of the shorter one, its digest). By itself, the shorter one is removed."""
        text = support.article(5)
        short = support.html_of(text).encode()
        long = support.html_of([*text, "Printed for the archive by the editors of this page."]).encode()
        first = self.write("copies.warc", page("short", "http://a.example/", short, date="2024-05-01T10:00:00Z")
                           + page("long", "http://b.example/", long, date="2024-05-02T10:00:00Z"))
        return first, short, "WARC-Payload-Digest: " + replay.sha1_label(short)

    def input_revisits(self, out="out"):
        lines = (self.folder / out / "input-revisits.jsonl").read_text().splitlines()
        return {row["id"].removeprefix("urn:test:"): row for row in map(json.loads, lines)}

    def test_pages_that_revisits_of_the_input_refer_to_stay(self):
        first, short, digest = self.copies()
        place = ("WARC-Refers-To-Target-URI: http://a.example/", "WARC-Refers-To-Date: 2024-05-01T10:00:00Z")
        other = "http://c.example/"
        cases = {"id": (other, ["WARC-Refers-To: <urn:test:short>"]),
                 "address-and-date": (other, [*place, digest]),
                 "address-and-digest": ("http://a.example/", [digest])}
        for way, (url, fields) in cases.items():
            for options in ((), ("--revisits",), ("--payloads",)):
                with self.subTest(way, options=options):
                    second = self.write("second.warc", revisit("again", url, *fields))
                    out = f"{way}{''.join(options)}"
                    self.run_program("dedup", first, second, "--out", self.folder / out, "--no-report", "--quiet",
                                     *options)
                    records = [found for name in ("copies.warc", "second.warc")
                               for found in replay.records_of(self.folder / out / "records" / name)]
                    kept = {found.id: found for found in records}
                    self.assertEqual(kept["<urn:test:short>"].kind, "response")
                    self.assertEqual(replay.payload_of(kept["<urn:test:short>"]), short)
                    self.assertIn("<urn:test:short-request>", kept)
                    removed = (self.folder / out / "removed.jsonl").read_text().splitlines()
                    self.assertEqual([json.loads(line)["id"] for line in removed], ["urn:test:short"])
                    if way == "address-and-date":
                        self.assertEqual(replay.payloads_shown(kept["<urn:test:again>"], records), [short])
                    row = self.input_revisits(out)["again"]
                    self.assertEqual((row["found_by"], row["page_id"]), (way, "urn:test:short"))
                    self.assertEqual((row["verdict"], row["kept_id"]), ("near", "urn:test:long"))
                    counters = json.loads((self.folder / out / "summary.json").read_text())["counters"]
                    self.assertEqual(counters["revisits"]["pages_kept_for_revisits"], 1)
                    self.assertEqual(counters["pages"]["kept"], 1)

    def test_the_capture_before_a_304_stays_beside_the_stated_one(self):
        """Some players show it, whatever the record states."""
        first, _, _ = self.copies()
        second = self.write("second.warc", revisit("304", "http://a.example/", "WARC-Refers-To: <urn:test:long>",
                                                        profile="server-not-modified"))
        records = self.dedup(first, second)
        self.assertLessEqual({"<urn:test:short>", "<urn:test:long>"},
                             {found.id for found in records if found.kind == "response"})
        self.assertEqual(self.input_revisits()["304"]["page_id"], "urn:test:long")

    def test_pages_that_no_revisit_refers_to_go(self):
        first, _, digest = self.copies()
        second = self.write("second.warc", revisit("other", "http://d.example/", digest)
                            + revisit("long", "http://c.example/", "WARC-Refers-To: <urn:test:long>"))
        self.dedup(first, second)
        removed = [json.loads(line) for line in (self.folder / "out/removed.jsonl").read_text().splitlines()]
        self.assertEqual([row["id"] for row in removed], ["urn:test:short"])
        rows = self.input_revisits()
        self.assertEqual(rows["other"]["found_by"], "nothing")
        self.assertNotIn("page_id", rows["other"])
        self.assertEqual((rows["long"]["verdict"], rows["long"]["kept_id"]), ("same", "urn:test:long"))

    def test_not_modified_and_other_profiles(self):
        first, _, _ = self.copies()
        later = page("later", "http://a.example/", support.html_of(support.article(6)).encode(),
                     date="2024-07-01T10:00:00Z")
        second = self.write("second.warc", later
                            + revisit("304", "http://a.example/", profile="server-not-modified")
                            + revisit("early", "http://a.example/", profile="server-not-modified",
                                           date="2024-04-01T10:00:00Z")
                            + revisit("near", "http://c.example/", "WARC-Refers-To: <urn:test:long>",
                                           profile="urn:paraprint:revisit:near-duplicate"))
        records = self.dedup(first, second)
        self.assertIn("<urn:test:short>", {found.id for found in records if found.kind == "response"})
        rows = self.input_revisits()
        self.assertEqual(rows["304"]["found_by"], "previous-capture")
        self.assertEqual(rows["304"]["refers_to_id"], "urn:test:short")
        self.assertEqual(rows["early"]["found_by"], "nothing")
        self.assertEqual(rows["near"]["page_id"], "urn:test:long")
        self.assertNotIn("verdict", rows["near"])

    def test_listing_of_revisits_does_not_depend_on_threads(self):
        first, _, digest = self.copies()
        inputs = [first] + [self.write(f"more-{number}.warc", b"".join(
            revisit(f"r{number}-{i}", f"http://a.example/{i % 3 or ''}", digest) for i in range(40)))
            for number in range(6)]
        made = set()
        for threads in (1, 4):
            self.run_program("dedup", *inputs, "--out", self.folder / f"t{threads}", "--no-report", "--quiet",
                             "--threads", threads)
            made.add((self.folder / f"t{threads}" / "input-revisits.jsonl").read_bytes())
        self.assertEqual(len(made), 1)
        self.assertEqual(made.pop().count(b"\n"), 240)

    def test_demo_crawl(self):
        inputs = sorted(DEMO.glob("*.warc.gz"))
        records = self.dedup(*inputs)
        self.assert_players_show_the_removed_bytes(inputs, records)
        self.assert_warcio_reads_the_output(path.name for path in inputs if path.name != "odd.warc.gz")

    def test_odd_archives(self):
        if not ODD.exists():
            self.skipTest("test data not found; set PARAPRINT_DATA_DIR")
        inputs = sorted(path for path in ODD.iterdir() if path.is_file())
        records = self.dedup(*inputs)
        self.assertGreater(self.assert_players_show_the_removed_bytes(inputs, records), 0)

    def assert_warcio_reads_the_output(self, names):
        try:
            from warcio.archiveiterator import ArchiveIterator
        except ImportError:
            return
        for name in names:
            with open(self.folder / "out/records" / name, "rb") as stream:
                for found in ArchiveIterator(stream, check_digests="raise"):
                    found.content_stream().read()


if __name__ == "__main__":
    support.main()
