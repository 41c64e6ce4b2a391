#!/usr/bin/env python3
"""`paraprint eval` end to end: output, traces of a killed run, and invalid requests.

usage: evaluate_test.py PARAPRINT [unittest arguments]
Standard library only.
"""
import csv
import json
import signal
import subprocess
import time
import unittest

import support
from support import ProgramTest, article, html_of, json_line

ARTICLES = 4
# Enough pages for a run to be killed while it is reading.
LONG_RUN_PAGES = 4000

LABELS = [("a0", "b0", "dup", "copy"), ("a1", "b1", "near", "insertion=0.1"), ("a2", "b2", "near", "insertion+typos"),
          ("a0", "a1", "diff", "")]


class Evaluate(ProgramTest):
    def setUp(self):
        super().setUp()
        self.set = self.folder / "set"
        self.set.mkdir()
        self.scratch = self.folder / "scratch"
        self.scratch.mkdir()
        lines = []
        for n in range(ARTICLES):
            text = article(n)
            lines.append(json_line(f"a{n}", html_of(text)))
            lines.append(json_line(f"b{n}", html_of(text if n == 0 else text + ["One more sentence ends it all."])))
        (self.set / "docs.jsonl").write_bytes(b"".join(lines))
        self.label(LABELS)

    def label(self, rows, name="labels.tsv"):
        header = [("id_a", "id_b", "label", "edits")] if name == "labels.tsv" else [("id", "cluster")]
        (self.set / name).write_text("".join("\t".join(row) + "\n" for row in header + rows), encoding="utf-8")

    def evaluate(self, *options, expect=support.SUCCESS):
        return self.run_program("eval", self.set, "--quiet", "--out", self.folder / "out", "--tmp", self.scratch,
                                *options, expect=expect)

    def check_refused(self, *options, names):
        """Asserts exit code 2, a message with the reason, and no output."""
        finished = self.evaluate(*options, expect=support.USAGE)
        message = finished.stderr
        for name in names:
            self.assertIn(name, message)
        self.assertFalse((self.folder / "out").exists(), message)
        self.assertEqual(list(self.scratch.iterdir()), [])

    def test_writes_figures_of_single_edits_and_of_combinations(self):
        self.evaluate("--algorithms", "paragraph,digest-text", "--write-pairs")
        out = self.folder / "out"
        self.assertEqual(sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()),
                         ["breakdown.csv", "pairs/set/digest-text.tsv", "pairs/set/paragraph.tsv",
                          "report/index.html", "results.csv", "results.json", "timing.json"])
        self.assertEqual(list(self.scratch.iterdir()), [])
        rows = list(csv.DictReader((out / "breakdown.csv").read_text(encoding="utf-8").splitlines()))
        near = {(row["breakdown"], row["group"]): (row["near_reported"], row["near"]) for row in rows
                if row["algorithm"] == "paragraph"}
        self.assertEqual(near[("edit", "insertion")], ("2", "2"))
        self.assertEqual(near[("edit alone", "insertion")], ("1", "1"))
        self.assertEqual(near[("number of edits", "2 edits")], ("1", "1"))
        figures = json.loads((out / "results.json").read_text(encoding="utf-8"))["sets"][0]["algorithms"][0]
        self.assertEqual([group["name"] for group in figures["by_edit_count"]], ["1 edit", "2 edits"])
        pairs = (out / "pairs/set/paragraph.tsv").read_text(encoding="utf-8").splitlines()
        self.assertIn("a0\tb0\t1", pairs)

    def test_labels_of_unknown_pages(self):
        self.label(LABELS + [("a0", "nobody", "near", "")])
        self.check_refused(names=["nobody"])

    def test_a_pair_labelled_twice(self):
        self.label(LABELS + [("b0", "a0", "dup", "")])
        self.check_refused(names=["labels.tsv", "line 6", "line 2"])

    def test_a_pair_labelled_in_two_ways(self):
        self.label(LABELS + [("b0", "a0", "diff", "")])
        self.check_refused(names=["line 6", "as dup", "now as diff"])

    def test_a_page_paired_with_itself(self):
        self.label(LABELS + [("a0", "a0", "near", "")])
        self.check_refused(names=["line 6", "itself"])

    def test_a_page_in_two_clusters(self):
        self.label([("a0", "x"), ("b0", "x"), ("a0", "y")], "clusters.tsv")
        self.check_refused(names=["clusters.tsv", "line 4", "a0"])

    def test_an_unknown_label(self):
        self.label(LABELS + [("a0", "b3", "similar", "")])
        self.check_refused(names=["line 6", "similar", "dup, near, topic"])

    def test_sets_without_labels_or_pages(self):
        self.label([])
        self.check_refused(names=["labels.tsv", "no label"])
        self.label(LABELS)
        (self.set / "docs.jsonl").write_bytes(b"")
        self.check_refused(names=["set", "no page"])
        (self.set / "docs.jsonl").unlink()
        self.check_refused(names=["docs.jsonl"])

    def test_an_invalid_world(self):
        (self.set / "set.json").write_text('{"world": "round"}', encoding="utf-8")
        self.check_refused(names=["set.json", "round", "open or closed"])

    def test_an_unknown_algorithm_suggests_the_nearest_name(self):
        self.check_refused("--algorithms", "paragraph,simhash64", names=["simhash64", "did you mean 'simhash-64'"])

    def test_parameters_out_of_range_or_unknown(self):
        self.check_refused("--algorithms", "simhash-64:distance_bits=64", names=["distance_bits", "'64'", "0 to 31"])
        self.check_refused("--algorithms", "simhash-64:tables=5", names=["tables", "join, 4, 10, 16, 20"])
        self.check_refused("--algorithms", "minhash:band=3", names=["band", "did you mean 'bands'"])
        self.check_refused("--sweep", "paragraph:near=0.5,7", names=["near", "7"])
        self.check_refused("--sweep", "simhash-64", names=["ALGORITHM:PARAMETER=VALUE"])

    def test_a_killed_run_leaves_nothing_behind(self):
        with (self.set / "docs.jsonl").open("ab") as documents:
            for n in range(LONG_RUN_PAGES):
                documents.write(json_line(f"more{n}", html_of(article(100 + n % 50))))
        running = subprocess.Popen([support.program, "eval", self.set, "--quiet", "--algorithms", "all", "--tmp",
                                    self.scratch, "--out", self.folder / "out"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + support.RUN_LIMIT_SECONDS
        while not support.open_files(running.pid, self.scratch) and time.monotonic() < deadline:
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
        running.wait()
        self.assertEqual(running.returncode, -signal.SIGKILL, "the run had ended before it was killed")
        self.assertEqual(list(self.scratch.iterdir()), [])
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    support.main()
