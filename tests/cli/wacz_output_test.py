#!/usr/bin/env python3
"""WACZ files that `paraprint wacz` writes.

usage: wacz_output_test.py PARAPRINT [unittest arguments]

The program `wacz` of the Python package wacz validates the output if it is in PATH, or if PARAPRINT_PY_WACZ names it.
"""
import gzip
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import unittest
import zipfile

import support
from wacz_test import PACKAGE, WaczTest, body, lines_of, packed, page, wacz_of

PY_WACZ = os.environ.get("PARAPRINT_PY_WACZ") or shutil.which("wacz")


class Writing(WaczTest):
    def wacz(self, *arguments, name="out.wacz", **options):
        self.run_program("wacz", *arguments, "--out", self.folder / name, "--quiet", **options)
        return self.check(self.folder / name)

    def check(self, path):
        """The members of a file whose digests, index and list of pages are what they should be."""
        with zipfile.ZipFile(path) as archive:
            self.assertIsNone(archive.testzip())
            infos = archive.infolist()
            members = {info.filename: archive.read(info) for info in infos}
        self.assertEqual(len(members), len(infos))
        with open(path, "rb") as stream:
            for info in infos:
                # wabac.js takes a member without extra fields in the directory for one without them before its content.
                stream.seek(info.header_offset + 28)
                self.assertTrue(info.extra or stream.read(2) == b"\x00\x00", info.filename)
        package = json.loads(members["datapackage.json"])
        self.assertEqual((package["profile"], package["wacz_version"]), ("data-package", "1.1.1"))
        listed = {resource["path"]: resource for resource in package["resources"]}
        self.assertEqual(set(listed), set(members) - {"datapackage.json", "datapackage-digest.json"})
        for name, resource in listed.items():
            self.assertEqual(resource["bytes"], len(members[name]))
            self.assertEqual(resource["hash"], "sha256:" + hashlib.sha256(members[name]).hexdigest())
            self.assertEqual(resource["name"], name.rpartition("/")[2].lower())
        self.assertEqual(json.loads(members["datapackage-digest.json"]),
                         {"path": "datapackage.json",
                          "hash": "sha256:" + hashlib.sha256(members["datapackage.json"]).hexdigest()})
        for info in infos:
            is_stored = info.filename.startswith("archive/") or info.filename.endswith(".gz")
            self.assertEqual(info.compress_type, zipfile.ZIP_STORED if is_stored else zipfile.ZIP_DEFLATED)
        self.check_index(members)
        first, *pages = lines_of(members["pages/pages.jsonl"])
        self.assertEqual(first["format"], "json-pages-1.0")
        self.assertTrue(all(line["url"] and line["ts"] for line in pages))
        return members

    def check_index(self, members):
        """Each line leads to a member of gzip that is the record, and each block to its lines."""
        data = members["indexes/index.cdx.gz"]
        lines = gzip.decompress(data).decode().splitlines() if data else []
        self.assertEqual(lines, sorted(lines))
        for line in lines:
            entry = json.loads(line.split(" ", 2)[2])
            begin, size = int(entry["offset"]), int(entry["length"])
            stored = members["archive/" + entry["filename"]][begin:begin + size]
            record = gzip.decompress(stored).decode("utf-8", "replace")
            self.assertTrue(record.startswith("WARC/1."))
            self.assertIn(f"WARC-Target-URI: {entry['url']}\r\n", record)
        head, *blocks = members["indexes/index.idx"].decode().splitlines()
        self.assertEqual(json.loads(head.removeprefix("!meta 0 ")),
                         {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"})
        first_lines, end = [], 0
        for block in blocks:
            key, date, place = block.split(" ", 2)
            place = json.loads(place)
            self.assertEqual(place["offset"], end)
            end += place["length"]
            stored = data[place["offset"]:end]
            self.assertEqual(place["digest"], "sha256:" + hashlib.sha256(stored).hexdigest())
            first_lines.append(gzip.decompress(stored).decode().splitlines()[0])
            self.assertTrue(first_lines[-1].startswith(f"{key} {date} "))
        self.assertEqual(end, len(data))

    def pages_of(self, members, name="pages/pages.jsonl"):
        return {line["url"].removeprefix("http://example.org/"): line for line in lines_of(members[name])[1:]}

    def inputs(self):
        css = support.warc_record("css", "http://example.org/style.css", support.http_message(b"p {}", "text/css"))
        error = support.warc_record("gone", "http://example.org/gone", support.http_message(b"<p>x", status="404 Gone"))
        return [self.write("a.warc.gz", b"".join(map(support.member, (page("a1", body(1, "One & more")), css, error)))),
                self.write("b.warc", page("b1", body(2, "Zwei \u2013 2"), date="2024-06-01T10:00:00Z")
                           + page("b2", body(3))),
                self.write("c/whole.warc.gz", support.member(page("c1", body(4)) + page("c2", body(5)))),
                self.write("d/a.warc.gz", support.member(page("d1", body(6))))]

    def test_arc_files_are_refused(self):
        """What would be left out is named, with the way to convert it, and nothing is written."""
        text = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>from an ARC file"
        version = b"1 0 Made-up\nURL IP-address Archive-date Content-type Archive-length\n"
        arc = self.write("old.arc.gz", b"".join(map(gzip.compress, [
            b"filedesc://old.arc 0.0.0.0 20240501100000 text/plain %d\n%b\n" % (len(version), version),
            b"http://a.example/ 192.0.2.1 20240501100000 text/html %d\n%b\n" % (len(text), text)])))
        answer = self.run_program("wacz", *self.inputs(), arc, "--out", self.folder / "out.wacz", expect=support.USAGE)
        self.assertIn(f"{arc}: is an ARC file", answer.stderr)
        self.assertIn(f"warcio recompress {arc} {self.folder}/old.arc.warc.gz", answer.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir() if "wacz" in path.name], [])

    def test_packs_archives(self):
        inputs = self.inputs()
        members = self.wacz(*inputs, "--title", "A \u201ctitle\u201d", "--description", "More",
                            "--main-page", "http://example.org/a1")
        archives = {name for name in members if name.startswith("archive/")}
        self.assertEqual(len(archives), 4)
        self.assertIn(support.member(page("d1", body(6))), members.values())
        self.assertIn(pathlib.Path(inputs[0]).read_bytes(), members.values())
        for name in archives:
            self.assertTrue(name.endswith(".warc.gz"))
            self.assertEqual(name.count("/"), 1)
        package = json.loads(members["datapackage.json"])
        self.assertEqual(package["title"], "A \u201ctitle\u201d")
        self.assertEqual(package["description"], "More")
        self.assertEqual(package["mainPageURL"], "http://example.org/a1")
        self.assertEqual(package["created"], "2024-06-01T10:00:00Z")
        pages = self.pages_of(members)
        self.assertEqual(set(pages), {"a1", "b1", "b2", "c1", "c2", "d1"})
        self.assertEqual((pages["a1"]["title"], pages["b1"]["title"]), ("One & more", "Zwei \u2013 2"))
        self.assertEqual(pages["b1"]["ts"], "2024-06-01T10:00:00Z")
        self.assertEqual(len({line["id"] for line in pages.values()}), 6)
        self.assertEqual(gzip.decompress(members["indexes/index.cdx.gz"]).decode().count("\n"), 8)

    def test_equal_whatever_the_order_and_threads(self):
        inputs = self.inputs()
        self.wacz(*inputs, "--threads", "1", name="one.wacz")
        self.wacz(*reversed(inputs), "--threads", "3", name="two.wacz")
        self.assertEqual((self.folder / "one.wacz").read_bytes(), (self.folder / "two.wacz").read_bytes())
        self.assertFalse(list(self.folder.glob("*.partial")) + list(self.folder.glob("*.spill")))

    def test_sorts_outside_memory(self):
        """Lines that do not fit wait in files without names: beside the output, or in --tmp, which may be missing."""
        count, long = 9000, "x" * 1500
        records = b"".join(support.warc_record(f"r{i}", f"http://example.org/{i}/{long}",
                                               support.http_message(b"p {}", "text/css")) for i in range(count))
        path = self.write("many.warc", records)
        (self.folder / "out").mkdir()
        members = self.wacz(path, "--memory", "64MiB", name="out/beside.wacz")
        self.assertEqual(gzip.decompress(members["indexes/index.cdx.gz"]).count(b"\n"), count)
        self.assertEqual([entry.name for entry in (self.folder / "out").iterdir()], ["beside.wacz"])
        kept = self.write("tmp/paraprint-wacz.spill/kept", "a file of somebody else")
        self.wacz(path, "--memory", "64MiB", "--tmp", self.folder / "tmp", name="tmp.wacz")
        self.assertTrue(pathlib.Path(kept).exists())
        self.wacz(path, "--memory", "64MiB", "--tmp", self.folder / "new/folder", name="new.wacz")
        self.assertEqual((self.folder / "new.wacz").read_bytes(), (self.folder / "out/beside.wacz").read_bytes())

    def test_text_and_date(self):
        members = self.wacz(*self.inputs(), "--text", "--created", "2020-01-02")
        self.assertTrue(lines_of(members["pages/pages.jsonl"])[0]["hasText"])
        self.assertIn(support.article(1)[0][:40], self.pages_of(members)["a1"]["text"])
        self.assertEqual(json.loads(members["datapackage.json"])["created"], "2020-01-02T00:00:00Z")

    def run_folder(self, *options):
        first = (page("kept", body(1, "Kept")) + page("other", body(2)))
        second = (page("near", body(1, "Kept", near=True), date="2024-05-02T10:00:00Z")
                  + page("equal", body(1, "Kept"), date="2024-05-03T10:00:00Z"))
        inputs = [self.write("in/1.warc", first), self.write("in/2.warc", second)]
        self.run_program("dedup", *inputs, "--out", self.folder / "run", "--keep", "earliest", *options)
        return self.folder / "run"

    def test_marks_pages_that_a_run_removed(self):
        expected = {(): ("none", "none"), ("--revisits",): ("metadata", "revisit"),
                    ("--payloads",): ("metadata", "revisit")}
        for options, (near, equal) in expected.items():
            with self.subTest(options=options):
                shutil.rmtree(self.folder / "run", ignore_errors=True)
                members = self.wacz(self.run_folder(*options))
                pages = self.pages_of(members)
                self.assertEqual(set(pages), {"kept", "other", "near", "equal"})
                self.assertNotIn("duplicate", pages["kept"])
                self.assertNotIn("duplicate", pages["other"])
                for name, record, verdict, date in (("near", near, "near", "2024-05-02T10:00:00Z"),
                                                    ("equal", equal, "same", "2024-05-03T10:00:00Z")):
                    self.assertEqual(pages[name]["ts"], date)
                    mark = pages[name]["duplicate"]
                    self.assertGreater(mark.pop("resemblance"), 0.8)
                    self.assertEqual(mark, {"verdict": verdict, "url": "http://example.org/kept",
                                            "ts": "2024-05-01T10:00:00Z", "record": record})

    def test_marks_revisit_records_of_pages(self):
        def style(name, **options):
            return page(name, b"p {}" * 900, **options).replace(b"text/html", b"text/css ")
        later = {"date": "2024-05-03T10:00:00Z"}
        inputs = [self.write("1.warc", page("kept", body(1)) + style("css")),
                  self.write("2.warc", page("again", body(1), **later) + style("css2", **later))]
        self.run_program("payloads", *inputs, "--out", self.folder / "run")
        self.assertEqual(len(lines_of((self.folder / "run/revisits.jsonl").read_bytes())), 2)
        pages = self.pages_of(self.wacz(self.folder / "run"))
        self.assertEqual(set(pages), {"kept", "again"})
        self.assertEqual(pages["again"]["duplicate"],
                         {"url": "http://example.org/kept", "ts": "2024-05-01T10:00:00Z", "record": "revisit"})

    def test_keeps_lists_of_pages(self):
        first = page("kept", body(1)) + page("inner", body(2))
        second = page("near", body(1, near=True), date="2024-05-02T10:00:00Z")
        listed = [{"id": "7", "url": "http://example.org/kept", "ts": "2024-05-01T10:00:00Z", "title": "Mine",
                   "seed": True},
                  {"id": "8", "url": "http://example.org/near", "ts": "2024-05-02T10:00:00.000Z", "text": "words"}]
        wacz = self.write("in/x.wacz", wacz_of({"1.warc": first, "2.warc": second}, pages=listed))
        again = lines_of(self.wacz(wacz)["pages/pages.jsonl"])
        self.assertEqual(again[0], {"format": "json-pages-1.0", "id": "pages", "title": "All Pages", "hasText": True})
        self.assertEqual(again[1:], listed)
        self.run_program("dedup", wacz, "--out", self.folder / "run", "--keep", "earliest")
        lines = lines_of(self.wacz(self.folder / "run", name="clean.wacz")["pages/pages.jsonl"])
        self.assertEqual(lines[1], listed[0])
        self.assertEqual(lines[2].pop("duplicate")["url"], "http://example.org/kept")
        self.assertEqual(lines[2], listed[1])
        self.assertEqual(len(lines), 3)
        # Of an input without a list, pages are found in addition.
        both = self.wacz(wacz, self.write("more.warc", page("more", body(9))), name="both.wacz")
        self.assertEqual(set(self.pages_of(both)), {"kept", "near", "more"})

    def test_finds_pages_if_their_list_is_damaged(self):
        listed = [{"id": "7", "url": "http://example.org/kept", "ts": "2024-05-01T10:00:00Z", "title": "Mine"}]
        whole = wacz_of({"1.warc": page("kept", body(1)) + page("other", body(2))}, pages=listed)
        damaged = self.write("x.wacz", whole.replace(b'"title": "Mine"', b'"title": "Hers"'))
        done = self.run_program("wacz", damaged, "--out", self.folder / "out.wacz")
        self.assertIn("the member 'pages/pages.jsonl' is not read: the checksum", done.stderr)
        self.assertIn("1 broken records", done.stderr)
        pages = self.pages_of(self.check(self.folder / "out.wacz"))
        self.assertEqual(set(pages), {"kept", "other"})
        self.assertNotEqual(pages["kept"]["id"], "7")

    def test_keeps_extra_pages(self):
        extra = ('{"format":"json-pages-1.0","id":"extra"}\n'
                 '{"url":"http://example.org/e","ts":"2024-05-01T10:00:00Z"}\nnoise\n')
        wacz = self.write("x.wacz", packed([("archive/a.warc", page("e", body(1))), ("pages/extraPages.jsonl", extra),
                                            ("datapackage.json", PACKAGE)]))
        members = self.wacz(wacz)
        self.assertEqual(set(self.pages_of(members, "pages/extraPages.jsonl")), {"e"})
        self.assertEqual(self.pages_of(members), {})

    def test_reads_what_it_writes(self):
        inputs = self.inputs()
        self.wacz(*inputs)
        again = self.wacz(self.folder / "out.wacz", name="again.wacz")
        with zipfile.ZipFile(self.folder / "out.wacz") as archive:
            for name in archive.namelist():
                if name.startswith(("archive/", "indexes/")):
                    self.assertEqual(again[name], archive.read(name))
        self.run_program("dedup", self.folder / "out.wacz", "--out", self.folder / "one")
        self.run_program("dedup", *inputs, "--out", self.folder / "two")
        self.assertEqual((self.folder / "one/clusters.tsv").read_bytes(),
                         (self.folder / "two/clusters.tsv").read_bytes())

    def test_says_what_it_leaves_out(self):
        inputs = self.inputs()
        html = self.write("page.html", body(1).decode())
        done = self.run_program("wacz", *inputs, html, "--out", self.folder / "out.wacz")
        self.assertIn("1 inputs are not WARC files", done.stderr)
        self.assertIn("page.html", done.stderr)
        broken = self.write("broken.warc", page("x", body(1)) + b"noise\n" + page("y", body(2))[:-300])
        done = self.run_program("wacz", broken, "--out", self.folder / "out.wacz")
        self.assertIn("2 broken records", done.stderr)
        self.check(self.folder / "out.wacz")

    def test_names_are_safe(self):
        """Members have names that are read again, and that datapackage.json has as they are."""
        names = ["crawl-2020-01-01T10:00:00.warc.gz", os.fsdecode(b"caf\xe9.warc.gz"), "caf_.warc",
                 "na\u00efve.warc.gz", "b\\c.warc.gz", "x" * 250 + ".warc"]
        inputs = [self.write(name, support.member(page(f"p{number}", body(number))))
                  for number, name in enumerate(names)]
        members = self.wacz(*inputs)
        self.assertEqual({name.removeprefix("archive/") for name in members if name.startswith("archive/")},
                         {"crawl-2020-01-01T10_00_00.warc.gz", "caf_.warc.gz", "caf_-2.warc.gz",
                          "na\u00efve.warc.gz", "b_c.warc.gz", "x" * 247 + ".warc.gz"})
        again = self.folder / "again"
        self.run_program("dedup", self.folder / "out.wacz", "--out", again, "--no-report", "--no-records")
        self.assertEqual((again / "clusters.tsv").read_bytes().count(b"\n"), len(names))
        self.assertEqual(json.loads((again / "summary.json").read_text())["broken"], [])

    def test_unfinished_runs_are_refused(self):
        run = self.run_folder()
        (run / "summary.json").unlink()
        message = self.run_program("wacz", run, "--out", self.folder / "x.wacz", expect=support.USAGE).stderr
        self.assertIn(f"{run} holds a run that has not finished (summary.json is missing)", message)

    def test_divided_runs_are_packed_once_they_have_finished(self):
        run = self.run_folder()
        expected = self.wacz(run)
        (run / "summary.json").unlink()
        (run / ".paraprint-divided").write_text("A divided run of paraprint writes to this folder.\n")
        message = self.run_program("wacz", run, "--out", self.folder / "x.wacz", expect=support.USAGE).stderr
        self.assertIn(f"{run} holds a run that has not finished (metrics.json is missing)", message)
        (run / "metrics.json").write_text("{}")
        packed_again = self.wacz(run, name="again.wacz")
        self.assertEqual(sorted(packed_again), sorted(expected))
        self.assertEqual(packed_again["pages/pages.jsonl"], expected["pages/pages.jsonl"])

    def test_refuses(self):
        wacz = self.write("x.wacz", wacz_of({"a.warc": page("a", body(1))}))
        run = self.run_folder()
        html = self.write("page.html", "<p>x")
        for arguments, message in (((wacz, "--out", wacz), "is an input"), (("-", "--out", "x"), "standard input"),
                                   ((run, wacz, "--out", self.folder / "y"), "the only input"),
                                   ((html, "--out", self.folder / "y"), "none of the inputs is a WARC file"),
                                   ((wacz, "--out", self.folder / "y", "--created", "soon"), "is not a date")):
            self.assertIn(message, self.run_program("wacz", *arguments, expect=support.USAGE).stderr)
        self.assertFalse((self.folder / "y").exists())
        self.run_program("wacz", wacz, expect=support.USAGE)

    @unittest.skipUnless(PY_WACZ, "the Python package wacz is not installed")
    def test_py_wacz_validates_it(self):
        self.wacz(*self.inputs(), "--text", name="archives.wacz")
        self.wacz(self.run_folder("--revisits"), name="run.wacz")
        for name in ("archives.wacz", "run.wacz"):
            done = subprocess.run([PY_WACZ, "validate", "-f", str(self.folder / name)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("the passed WACZ is valid", done.stdout)
        with open(self.folder / "archives.wacz", "r+b") as archive:
            archive.seek(200)
            archive.write(b"\x00" * 40)
        done = subprocess.run([PY_WACZ, "validate", "-f", str(self.folder / "archives.wacz")], capture_output=True,
                              text=True)
        self.assertNotIn("the passed WACZ is valid", done.stdout)


if __name__ == "__main__":
    support.main()
