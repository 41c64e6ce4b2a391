#!/usr/bin/env python3
"""`paraprint simulate` end to end: output, reproducibility, and bad input.

usage: simulate_test.py PARAPRINT [unittest arguments]
Standard library only.
"""
import collections
import gzip
import json
import pathlib
import resource
import unittest

import support
from support import ProgramTest, article, html_of, json_line

BASES = 30
PAGES = 200


class Simulate(ProgramTest):
    def setUp(self):
        super().setUp()
        self.pages = self.write("pages.jsonl", b"".join(
            json_line(f"page{n}", html_of(article(n, 7), f"<title>Title {n}</title>")) for n in range(BASES)))

    def simulate(self, name="out", pages=PAGES, options=(), expect=support.SUCCESS, inputs=None):
        out = self.folder / name
        finished = self.run_program("simulate", *(inputs or [self.pages]), "--out", out, "--pages", pages, "--quiet",
                                    *options, expect=expect)
        return out, finished

    def rows(self, path):
        return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]

    def documents(self, out):
        return [json.loads(line) for line in (out / "docs.jsonl").read_text(encoding="utf-8").splitlines()]

    def records(self, out):
        found = {}
        for path in sorted(out.glob("pages-*.warc.gz")):
            for record in gzip.decompress(path.read_bytes()).split(b"WARC/1.1\r\n")[1:]:
                header = dict(line.split(": ", 1) for line in record.split(b"\r\n\r\n")[0].decode().split("\r\n"))
                if header["WARC-Type"] == "response":
                    found[header["WARC-Record-ID"].strip("<>")] = (path.name, record)
        return found

    def test_all_files_describe_the_same_pages(self):
        out, _ = self.simulate(options=("--pages-per-file", 70))
        self.assertEqual(sorted(path.name for path in out.iterdir()),
                         ["clusters.tsv", "docs.jsonl", "edits.jsonl", "labels.tsv", "pages-0000.warc.gz",
                          "pages-0001.warc.gz", "pages-0002.warc.gz", "set.json", "summary.json"])
        documents = {document["id"]: document for document in self.documents(out)}
        self.assertEqual(len(documents), PAGES)
        records = self.records(out)
        self.assertEqual({key: file for key, (file, _) in records.items()},
                         {key: document["file"] for key, document in documents.items()})
        clusters = dict(self.rows(out / "clusters.tsv"))
        self.assertEqual(clusters.keys(), documents.keys())
        seen = set()
        for id_a, id_b, label, edits, strengths, kind, *_ in self.rows(out / "labels.tsv"):
            self.assertLess(id_a, id_b)
            self.assertNotIn((id_a, id_b), seen)
            seen.add((id_a, id_b))
            self.assertIn(label, ("dup", "near", "topic", "diff"))
            self.assertIn(kind, ("copy", "formula", "same-site", "same-topic"))
            self.assertEqual(edits.count("+"), strengths.count("+"))
            if label in ("dup", "near"):
                self.assertEqual(clusters[id_a], clusters[id_b])
            if kind == "copy":
                self.assertTrue(set(documents[id_a]["bases"]) & set(documents[id_b]["bases"]))
        edited = collections.Counter()
        for line in (out / "edits.jsonl").read_text(encoding="utf-8").splitlines():
            edit = json.loads(line)
            self.assertIn(edit["page"], documents)
            self.assertTrue(0 < edit["strength"] <= 1)
            edited[edit["edit"]] += 1
        summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        self.assertEqual(summary["edits"], dict(edited))
        self.assertEqual(summary["pages"], PAGES)
        self.assertEqual(json.loads((out / "set.json").read_text())["world"], "closed")

    def test_output_does_not_depend_on_threads(self):
        first, _ = self.simulate("first", options=("--threads", 1))
        second, _ = self.simulate("second", options=("--threads", 4))
        self.assert_same_output(first, second)
        third, _ = self.simulate("third", options=("--seed", 2))
        self.assertNotEqual((first / "labels.tsv").read_bytes(), (third / "labels.tsv").read_bytes())

    def test_edits_that_keep_the_text_give_the_verdict_same(self):
        out, _ = self.simulate(options=("--edits", "exact-copy,template,markup", "--formula-share", 0, "--bases", 25))
        clean = self.folder / "clean"
        self.run_program("dedup", *sorted(out.glob("pages-*")), "--out", clean, "--no-report", "--quiet")
        found = {(a, b) for a, b, _, verdict in
                 (line.split("\t") for line in (clean / "matches.tsv").read_text().splitlines()[1:])
                 if verdict in ("same", "near")}
        wanted = {(row[0], row[1]) for row in self.rows(out / "labels.tsv") if row[2] == "dup"}
        self.assertGreater(len(wanted), 300)
        self.assertEqual(found - wanted, set())
        self.assertGreaterEqual(len(found & wanted), 0.98 * len(wanted))

    def test_number_of_base_articles_and_texts(self):
        out, _ = self.simulate(options=("--bases", 7, "--texts"))
        documents = self.documents(out)
        self.assertEqual(sum(document["role"] == "original" for document in documents), 7)
        self.assertTrue(all(document["text"] for document in documents))

    def test_edits_are_listed(self):
        listed = self.run_program("simulate", "--list-edits").stdout
        for name in ("exact-copy", "synonyms", "digest", "charset"):
            self.assertIn(f"\n{name}\n" if name != "exact-copy" else name, listed)

    def assert_refused(self, message, *options, pages=PAGES, inputs=None, name="refused"):
        out, finished = self.simulate(name, pages, options, support.USAGE, inputs)
        self.assertIn(message, finished.stderr)
        self.assertFalse(out.exists(), "something was written")

    def test_invalid_options_are_rejected(self):
        self.assert_refused("did you mean 'synonyms'?", "--edits", "synonym")
        self.assert_refused("above 0 and at most 1", "--edits", "typos=2")
        self.assert_refused("given twice", "--edits", "typos,typos=0.1")
        self.assert_refused("pages is 1", pages=1)
        self.assert_refused("fewer than the 30 base articles", "--bases", 30, pages=20)
        self.assert_refused("only 30 usable base articles", "--bases", 31)
        self.assert_refused("edits_per_page is 0", "--edits-per-page", 0)
        self.assert_refused("formula_share is 1", "--formula-share", 1)
        self.assert_refused("template_share is -0.5", "--template-share", -0.5)
        self.assert_refused("no-such", "--extractor", "no-such")
        self.assert_refused("twice min_characters", "--max-characters", 500)

    def test_inputs_without_articles_are_rejected(self):
        empty = self.write("empty.jsonl", json_line("a", "<p>Too short.</p>"))
        self.assert_refused("nothing to copy", inputs=[empty])
        self.assert_refused("missing.jsonl", inputs=[self.folder / "missing.jsonl"])
        missing = self.run_program("simulate", "--out", self.folder / "none", "--pages", 10, expect=support.USAGE)
        self.assertIn("no input", missing.stderr)

    def test_output_folder_must_be_empty(self):
        self.write("full/something", b"mine")
        _, finished = self.simulate("full", expect=support.USAGE)
        self.assertIn("must be empty", finished.stderr)
        self.assertEqual([path.name for path in (self.folder / "full").iterdir()], ["something"])
        self.write("file", b"")
        _, finished = self.simulate("file", expect=support.USAGE)
        self.assertIn("not a directory", finished.stderr)

    def test_full_disk_leaves_nothing(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

        out = self.folder / "full-disk"
        self.run_program("simulate", self.pages, "--out", out, "--pages", PAGES, "--quiet",
                         expect=support.NO_SPACE_LEFT, prepare=limit)
        self.assertFalse(out.exists() and list(pathlib.Path(out).iterdir()))


if __name__ == "__main__":
    support.main()
