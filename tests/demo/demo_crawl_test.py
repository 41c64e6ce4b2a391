#!/usr/bin/env python3
"""The bundled crawl end to end, against the ground truth of examples/demo-crawl. Standard library only.

usage: demo_crawl_test.py PARAPRINT SOURCE_ROOT [unittest arguments]
"""
import gzip
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zlib

# Minimum share of copies (labels dup and near) found, and of partial copies with any verdict.
COPY_RECALL_MINIMUM = 0.97
PARTIAL_RECALL_MINIMUM = 0.85
COPY_VERDICTS = ("same", "near")


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines if line.strip() and not line.startswith("#")]


def members(path):
    """The decompressed gzip members; of a broken one, as much as can be decompressed."""
    stored, result = path.read_bytes(), []
    while stored:
        decompressor = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            result.append(decompressor.decompress(stored))
            stored = decompressor.unused_data
        except zlib.error:
            result.append(b"broken")
            following = stored.find(b"\x1f\x8b\x08", 1)
            stored = stored[following:] if following > 0 else b""
    return result


class DemoCrawl(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.crawl = root / "examples" / "demo-crawl"
        cls.inputs = [str(path) for path in sorted(cls.crawl.glob("*.warc.gz"))]
        cls.output = cls.folder / "out"
        cls.run_program("dedup", *cls.inputs, "--out", str(cls.output))
        cls.pages = {row[0]: " ".join(row[3:6]) for row in rows(cls.crawl / "pages.tsv")}
        cls.truth = {tuple(row[:2]): row[2:] for row in rows(cls.crawl / "labels.tsv")}
        cls.verdicts = {tuple(sorted(row[:2])): row[3] for row in rows(cls.output / "matches.tsv")}

    @classmethod
    def run_program(cls, *arguments):
        finished = subprocess.run([program, *arguments], capture_output=True, text=True)
        if finished.returncode != 0:
            raise AssertionError(f"{arguments}: exit {finished.returncode}\n{finished.stderr[-2000:]}")

    def describe(self, pairs):
        return "\n".join(f"  {self.verdicts.get(pair, 'no row')}: {self.pages.get(pair[0], pair[0])}  <->  "
                         f"{self.pages.get(pair[1], pair[1])}" for pair in sorted(pairs))

    def test_no_wrong_pair(self):
        found = {pair for pair, verdict in self.verdicts.items() if verdict in COPY_VERDICTS}
        odd = {pair for pair in found if not set(pair) <= set(self.pages)}
        wrong = {pair for pair in found - odd if self.truth.get(pair, ["diff"])[0] == "diff"}
        self.assertFalse(wrong, "\n" + self.describe(wrong))

    def test_copies_are_found(self):
        copies = {pair for pair, label in self.truth.items() if label[0] in ("dup", "near")}
        missed = {pair for pair in copies if self.verdicts.get(pair) not in COPY_VERDICTS}
        self.assertGreaterEqual(1 - len(missed) / len(copies), COPY_RECALL_MINIMUM, "\n" + self.describe(missed))

    def test_partial_copies_are_found(self):
        partial = {pair for pair, label in self.truth.items() if label[0] == "topic"
                   and ("unchanged" in self.pages[pair[0]] or "unchanged" in self.pages[pair[1]])}
        missed = {pair for pair in partial if pair not in self.verdicts}
        self.assertGreaterEqual(1 - len(missed) / len(partial), PARTIAL_RECALL_MINIMUM, "\n" + self.describe(missed))

    def test_no_page_is_lost(self):
        clustered = [row[0] for row in rows(self.output / "clusters.tsv")]
        self.assertEqual(len(clustered), len(set(clustered)))
        self.assertFalse(set(self.pages) - set(clustered))

    def test_the_broken_record_is_counted(self):
        summary = json.loads((self.output / "summary.json").read_text(encoding="utf-8"))
        self.assertIn("odd.warc.gz", json.dumps(summary["broken"]))

    def test_threads_and_file_order_change_nothing(self):
        other = self.folder / "other"
        self.run_program("dedup", *reversed(self.inputs), "--out", str(other), "--threads", "1")
        for name in ("clusters.tsv", "matches.tsv", "removed.jsonl", "matches.jsonl"):
            self.assertEqual((self.output / name).read_bytes(), (other / name).read_bytes(), name)

    def test_the_crawl_matches_its_generator(self):
        made = self.folder / "made"
        made.mkdir()
        shutil.copytree(self.crawl / "articles", made / "articles")
        shutil.copy(self.crawl / "plan.txt", made)
        subprocess.run([sys.executable, "-B", str(root / "tools" / "make_demo_crawl.py"), str(made)], check=True,
                       stdout=subprocess.DEVNULL)
        for name in ("labels.tsv", "pages.tsv"):
            self.assertEqual((made / name).read_bytes(), (self.crawl / name).read_bytes(), name)
        for name in ("first", "second", "third"):
            path = f"{name}.warc.gz"
            self.assertEqual(gzip.decompress((made / path).read_bytes()),
                             gzip.decompress((self.crawl / path).read_bytes()), path)
        self.assertEqual(members(made / "odd.warc.gz"), members(self.crawl / "odd.warc.gz"))


if __name__ == "__main__":
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
