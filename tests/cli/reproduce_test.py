#!/usr/bin/env python3
"""tools/reproduce.sh fills the published tables from the bundled crawl.

usage: reproduce_test.py PARAPRINT [unittest arguments]
"""
import os
import pathlib
import re
import subprocess
import unittest

import support
from support import ProgramTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = 300


class Reproduce(ProgramTest):
    def reproduce(self, *arguments, expect=0):
        environment = {name: value for name, value in os.environ.items() if name != "PARAPRINT_DATA_DIR"}
        run = subprocess.run([ROOT / "tools/reproduce.sh", "--program", os.path.abspath(support.program),
                              "--out", self.folder / "out", *arguments],
                             capture_output=True, text=True, env=environment, check=False)
        self.assertEqual(run.returncode, expect, run.stderr)
        return run.stderr

    def rows(self, title):
        """The cells of the first table below a title, without its two header lines."""
        tables = (self.folder / "out/tables.md").read_text(encoding="utf-8")
        section = tables.split(f"## {title}", 1)[1].split("\n## ", 1)[0]
        lines = [line for line in section.splitlines() if line.startswith("|")]
        end = next((n for n, line in enumerate(lines) if n > 1 and re.match(r"\| ---", line)), len(lines) + 1) - 1
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:end]]

    def test_tables_of_the_bundled_crawl(self):
        experiments = "systems,variants,sampling,sites,keywords,real,extraction"
        messages = self.reproduce("--pages", str(PAGES), "--only", experiments)
        self.assertIn("real left out: no labelled sets", messages)
        self.assertIn("extraction left out", messages)
        systems = {row[0]: row[1:] for row in self.rows(f"Tables 2 to 4: {PAGES} simulated pages")}
        self.assertEqual(systems["`seed-004-shingle`"][:4], ["85.2", "82.1", "520", "3.8"])
        for name in ("`paragraph`", "`paragraph-literal`", "`i-match`", "`simhash-128`"):
            precision, recall = map(float, systems[name][4:6])
            self.assertGreater(precision, 90, name)
            self.assertGreater(recall, 0, name)
        self.assertGreater(float(systems["`paragraph`"][5]), float(systems["`paragraph-literal`"][5]))
        self.assertEqual([row[0] for row in self.rows("Choice of N")], ["3", "5", "8", "10", "15", "20", "30"])
        self.assertEqual(len(self.rows("Improved fingerprints")), 12)
        self.assertEqual(len(self.rows("Fingerprints of whole pages")), 4)

    def test_what_is_there_is_not_made_again(self):
        self.reproduce("--pages", str(PAGES), "--only", "keywords")
        corpus = self.folder / f"out/corpus-{PAGES}/summary.json"
        made = corpus.stat().st_mtime_ns
        messages = self.reproduce("--pages", str(PAGES), "--only", "variants")
        self.assertNotIn("simulating", messages)
        self.assertEqual(corpus.stat().st_mtime_ns, made)
        self.assertEqual(len(self.rows("Choice of N")), 7)  # of the run before

    def test_wrong_requests(self):
        self.assertIn("no experiment of that name: tables", self.reproduce("--only", "tables", expect=2))
        self.assertIn("usage", self.reproduce("--page", "3", expect=2))
        self.reproduce("--pages", str(PAGES), "--only", "keywords", "missing.warc.gz", expect=2)


if __name__ == "__main__":
    support.main()
