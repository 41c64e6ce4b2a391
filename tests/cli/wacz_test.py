#!/usr/bin/env python3
"""WACZ files as input of every command.

usage: wacz_test.py PARAPRINT [unittest arguments]
"""
import io
import json
import os
import pathlib
import shutil
import unittest
import warnings
import zipfile

import support

DATA = pathlib.Path(os.environ.get("PARAPRINT_DATA_DIR", "../data")) / "corpus"
PACKAGE = json.dumps({"profile": "data-package", "resources": []})


def body(seed, title="", near=False):
    text = support.article(seed)
    if near:
        text[-1] = text[-1][:-1] + " indeed."
    return support.html_of(text, head=f"<title>{title}</title>" if title else "").encode()


def page(name, content, date="2024-05-01T10:00:00Z", **options):
    return support.page_record(name, f"http://example.org/{name}", content, date=date, **options)


def packed(members, compression=zipfile.ZIP_STORED):
    """The bytes of a ZIP file."""
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two members of one name are meant
        with zipfile.ZipFile(out, "w") as archive:
            for name, content in members:
                archive.writestr(zipfile.ZipInfo(name), content, compress_type=compression)
    return out.getvalue()


def wacz_of(warcs, pages=None, compression=zipfile.ZIP_STORED):
    members = [(f"archive/{name}", content) for name, content in warcs.items()]
    if pages is not None:
        lines = [{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}, *pages]
        members.append(("pages/pages.jsonl", "".join(json.dumps(line) + "\n" for line in lines)))
    return packed([*members, ("datapackage.json", PACKAGE)], compression)


def lines_of(text):
    return [json.loads(line) for line in text.decode().splitlines()]


class WaczTest(support.ProgramTest):
    def broken(self, out):
        return {kind["kind"]: kind for kind in json.loads((self.folder / out / "summary.json").read_text())["broken"]}


class Reading(WaczTest):
    def setUp(self):
        super().setUp()
        self.first = b"".join(support.member(page(f"a{i}", body(i))) for i in range(6))
        self.second = page("b1", body(1, near=True)) + page("b2", body(2)) + page("b9", body(9))

    def test_results_are_those_of_the_warc_files(self):
        """Tables, survivors and revisit records are the same, but for the names of files."""
        for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            with self.subTest(compression=compression):
                shutil.rmtree(self.folder / "plain", ignore_errors=True)
                self.write("plain/x.wacz-files/archive/a.warc.gz", self.first)
                self.write("plain/x.wacz-files/archive/b.warc", self.second)
                wacz = self.write("packed/x.wacz", wacz_of({"b.warc": self.second, "a.warc.gz": self.first},
                                                           compression=compression))
                for options in ((), ("--revisits",), ("--payloads",)):
                    one, two = (self.folder / name for name in ("one", "two"))
                    self.run_program("dedup", self.folder / "plain", "--out", one, "--restart", *options)
                    self.run_program("dedup", wacz, "--out", two, "--restart", *options)
                    for table in ("clusters.tsv", "matches.tsv", "matches.jsonl"):
                        self.assertEqual((one / table).read_bytes(), (two / table).read_bytes(), table)
                    for name in ("a.warc.gz", "b.warc"):
                        self.assertEqual((one / "records" / name).read_bytes(),
                                         (two / "records/x.wacz/archive" / name).read_bytes(), options)
                    rows = [lines_of((out / "removed.jsonl").read_bytes()) for out in (one, two)]
                    self.assertEqual(len(rows[0]), 2)
                    for left, right in zip(*rows):
                        self.assertEqual(left.pop("file"), right.pop("file").replace("packed/x.wacz",
                                                                                     "plain/x.wacz-files"))
                        self.assertEqual(left, right)

    def test_every_command_reads_it(self):
        wacz = self.write("x.wacz", wacz_of({"a.warc.gz": self.first, "b.warc": self.second}))
        plain = [self.write("a.warc.gz", self.first), self.write("b.warc", self.second)]
        self.assertEqual(self.run_program("extract", wacz).stdout, self.run_program("extract", *plain).stdout)
        self.assertEqual(self.run_program("extract", wacz + "/archive/b.warc").stdout,
                         self.run_program("extract", plain[1]).stdout)
        self.run_program("payloads", wacz, "--out", self.folder / "payloads", "--min-payload-bytes", "0")
        self.assertEqual(len(lines_of((self.folder / "payloads/revisits.jsonl").read_bytes())), 1)
        self.run_program("compare", wacz, plain[0])
        self.run_program("index", "add", wacz, "--data", self.folder / "index")
        with open(wacz, "rb") as stream:
            self.run_program("dedup", "-", "--out", self.folder / "copied", stdin=stream.read())
        self.assertEqual(len(lines_of((self.folder / "copied/removed.jsonl").read_bytes())), 2)

    def test_odd_members_are_named_and_counted(self):
        members = [("archive/../../up.warc.gz", self.first), ("/archive/root.warc", self.second),
                   ("archive/twice.warc", page("c1", body(41))), ("archive/twice.warc", page("c2", body(42))),
                   ("archive/inner.wacz", wacz_of({"a.warc.gz": self.first})), ("archive/a.warc.gz", self.first),
                   ("datapackage.json", json.dumps({"resources": [{"path": "archive/gone.warc"}]}))]
        wacz = self.write("odd.wacz", packed(members))
        self.run_program("dedup", wacz, "--out", self.folder / "out")
        broken = self.broken("out")
        self.assertEqual(broken["unusable-member"]["count"], 4)
        self.assertEqual(broken["missing-member"]["count"], 1)
        self.assertIn("archive/gone.warc", broken["missing-member"]["examples"][0]["message"])
        self.assertTrue(all(example["file"] == wacz for example in broken["unusable-member"]["examples"]))
        written = sorted(path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*.warc*"))
        self.assertEqual(written, ["out/records/odd.wacz/archive/a.warc.gz", "out/records/odd.wacz/archive/twice.warc"])

    def test_missing_members_are_all_counted(self):
        """A hundred are named, and every command that counts what is broken counts the others, too."""
        missing = [{"path": f"archive/{n}.warc"} for n in range(250)]
        wacz = self.write("a.wacz", packed([("archive/a.warc.gz", self.first),
                                            ("datapackage.json", json.dumps({"resources": missing}))]))
        self.run_program("dedup", wacz, "--out", self.folder / "out")
        missing = self.broken("out")["missing-member"]
        self.assertEqual((missing["count"], len(missing["examples"])), (250, 100))
        self.assertTrue(missing["examples"][-1]["message"].endswith(", and 150 more like it"))
        for command, *out in (("cdx", "--out", self.folder / "index.cdxj"), ("wacz", "--out", self.folder / "b.wacz"),
                              ("plan",)):
            run = self.run_program(command, wacz, *out)
            self.assertRegex(run.stderr + run.stdout, r"250 broken records|broken records +250", command)

    def test_names_that_cannot_be_files_together(self):
        """A run writes what it reads, whatever the members are called."""
        longest = "n" * 250 + ".warc"
        members = [("archive/a.warc", page("c1", body(41))), ("archive/a.warc/b.warc", page("c2", body(42))),
                   (f"archive/{longest}", page("c3", body(43))), ("datapackage.json", PACKAGE)]
        wacz = self.write("odd.wacz", packed(members))
        long_page = self.write("pages/" + "p" * 246 + ".html", body(44))
        self.run_program("dedup", wacz, self.folder / "pages", "--out", self.folder / "out")
        self.assertEqual(self.broken("out")["unusable-member"]["count"], 1)
        written = sorted(path.name for path in (self.folder / "out/records").rglob("*") if path.is_file())
        self.assertEqual(written, sorted(["b.warc", longest, pathlib.Path(long_page).name]))

    def test_a_file_that_is_cut_off_is_searched(self):
        whole = wacz_of({"a.warc.gz": self.first, "z.warc.gz": support.member(page("z", body(50)))})
        wacz = self.write("cut.wacz", whole[:whole.rindex(b"archive/z.warc.gz")])
        self.run_program("dedup", wacz, "--out", self.folder / "out")
        self.assertEqual(self.broken("out")["broken-directory"]["count"], 1)
        clusters = (self.folder / "out/clusters.tsv").read_text().splitlines()
        self.assertEqual([line.split("\t")[0] for line in clusters[:6]], [f"urn:test:a{i}" for i in range(6)])

    def test_wrong_checksum(self):
        wacz = bytearray(wacz_of({"a.warc": self.second}))
        at = wacz.index(b"</article>")
        wacz[at:at + 10] = b"<articlex>"
        self.run_program("dedup", self.write("a.wacz", bytes(wacz)), "--out", self.folder / "out")
        self.assertEqual(self.broken("out")["bad-checksum"]["count"], 1)

    @unittest.skipUnless((DATA / "odd-warcs").is_dir(), "test data not found; set PARAPRINT_DATA_DIR")
    def test_odd_archives_read_as_when_unpacked(self):
        files = [path for path in sorted((DATA / "odd-warcs").iterdir()) if path.name.endswith((".warc", ".warc.gz"))]
        wacz = self.write("odd.wacz", wacz_of({path.name: path.read_bytes() for path in files}))
        self.run_program("dedup", *files, "--out", self.folder / "one")
        self.run_program("dedup", wacz, "--out", self.folder / "two")
        one, two = (json.loads((self.folder / name / "summary.json").read_text()) for name in ("one", "two"))
        for name in ("one", "two"):
            self.assertTrue((self.folder / name / "clusters.tsv").read_text())
        self.assertEqual((self.folder / "one/clusters.tsv").read_bytes(),
                         (self.folder / "two/clusters.tsv").read_bytes())
        counts = [{kind["kind"]: kind["count"] for kind in summary["broken"]} for summary in (one, two)]
        self.assertEqual(*counts)
        for path in files:
            self.assertEqual((self.folder / "one/records" / path.name).read_bytes(),
                             (self.folder / "two/records/odd.wacz/archive" / path.name).read_bytes(), path.name)


if __name__ == "__main__":
    support.main()
