#!/usr/bin/env python3
"""--never and --always: pairs that people judged have the verdict that they gave, whatever their scores.

usage: rulings_test.py PARAPRINT [unittest arguments]
"""
import json

import support


class Rulings(support.ProgramTest):
    def setUp(self):
        super().setUp()
        # a, b, c are near each other; d has the text of c; x and y have nothing in common.
        base = support.article(1, 8)
        variants = {"a": base, "b": base[:-1] + support.article(2, 1), "c": support.article(3, 1) + base[1:]}
        variants |= {"d": variants["c"], "x": support.article(4), "y": support.article(5)}
        lines = [support.json_line(name, support.html_of(text)) for name, text in variants.items()]
        (self.folder / "pages.jsonl").write_bytes(b"".join(lines))

    def dedup(self, *options, **how):
        return self.run_program("dedup", self.folder / "pages.jsonl", "--out", self.folder / "out", "--keep", "first",
                                *options, **how)

    def recluster(self, *options, **how):
        return self.run_program("recluster", self.folder / "out", *options, **how)

    def pairs(self, name, *pairs):
        return self.write(name, "".join("\t".join(pair) + "\n" for pair in pairs))

    def removed(self):
        lines = (self.folder / "out/removed.jsonl").read_text().splitlines()
        return {row["id"]: row["kept_id"] for row in map(json.loads, lines)}

    def verdicts(self):
        rows = [line.split("\t") for line in (self.folder / "out/matches.tsv").read_text().splitlines()]
        return {(row[0], row[1]): row[3] for row in rows}

    def rulings(self):
        summary = json.loads((self.folder / "out/summary.json").read_text())
        return summary["counters"].get("rulings", {})

    def test_pairs_that_are_never_copies(self):
        self.dedup()
        self.assertEqual(self.removed(), {"b": "a", "c": "a", "d": "a"})
        self.assertEqual(self.rulings(), {})
        before = {path.name: path.read_bytes() for path in (self.folder / "out").glob("*.jsonl")}
        # A row of matches.tsv, as it is. c and d have one text, so the ruling is about both.
        self.pairs("never.tsv", ("a", "d", "0.8", "near"))
        self.recluster("--never", self.folder / "never.tsv")
        self.assertNotIn(("a", "c"), self.verdicts())
        self.assertEqual(self.removed(), {"b": "a", "d": "c"})
        self.assertEqual(self.rulings(), {"pairs_never": 1, "pairs_of_unknown_pages": 0})
        self.recluster("--never", "")
        self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "out").glob("*.jsonl")}, before)

    def test_pairs_that_are_always_copies(self):
        self.pairs("always.tsv", ("id_a", "id_b"), ("x", "y"), ("y", "x"), ("a", "b"))
        self.dedup("--always", self.folder / "always.tsv")
        self.assertEqual(self.removed(), {"b": "a", "c": "a", "d": "a", "y": "x"})
        self.assertEqual(self.verdicts()[("x", "y")], "near")
        self.assertEqual(self.rulings()["pairs_always"], 3)
        # The options of the run are stored, with the file.
        self.recluster("--near", "0.99")
        self.assertEqual(self.removed(), {"b": "a", "d": "c", "y": "x"})

    def test_algorithms_are_overruled_too(self):
        self.pairs("always.tsv", ("x", "y"))
        self.pairs("never.tsv", ("c", "d"), ("a", "b"))
        done = self.dedup("--algorithm", "minhash", "--always", self.folder / "always.tsv", "--never",
                          self.folder / "never.tsv")
        self.assertEqual(self.removed()["y"], "x")
        self.assertNotEqual(self.removed().get("b"), "a")
        self.assertEqual(self.removed()["d"], "c", "equal texts stay equal")
        self.assertEqual(self.rulings()["pairs_of_equal_text"], 1)
        self.assertEqual(done.returncode, 0)

    def test_output_is_independent_of_threads_and_order(self):
        outputs = []
        for threads, order in (("1", 1), ("2", -1)):
            self.pairs("always.tsv", *[("x", "y"), ("b", "x")][::order])
            self.pairs("never.tsv", *[("a", "c"), ("a", "b")][::order])
            self.dedup("--threads", threads, "--restart", "--always", self.folder / "always.tsv", "--never",
                       self.folder / "never.tsv")
            outputs.append({name: (self.folder / "out" / name).read_bytes()
                            for name in ("clusters.tsv", "matches.tsv", "matches.jsonl", "removed.jsonl")})
        self.assertEqual(outputs[0], outputs[1])

    def test_ids_that_no_page_has_are_told(self):
        self.pairs("never.tsv", ("a", "b"), ("a", "nobody"), ("z", "q"))
        done = self.dedup("--never", self.folder / "never.tsv")
        self.assertIn('never.tsv: 2 of 3 pairs are ignored, because their pages are not in this run; line 2: no '
                      'page has the id "nobody"', done.stderr)
        self.assertEqual(self.rulings(), {"pairs_never": 1, "pairs_of_unknown_pages": 2})
        self.assertEqual(self.removed()["c"], "a")

    def test_files_that_cannot_be_used(self):
        never, always = self.folder / "never.tsv", self.folder / "always.tsv"
        for text, message in (("a\n", "never.tsv, line 1: one column"),
                              ("# why\n\na\ta\n", 'never.tsv, line 3: the page "a" is paired with itself')):
            never.write_text(text)
            self.assertIn(message, self.dedup("--never", never, expect=support.USAGE).stderr)
        self.assertIn("missing.tsv", self.dedup("--never", self.folder / "missing.tsv", expect=support.USAGE).stderr)
        self.pairs("never.tsv", ("a", "c"))
        self.pairs("always.tsv", ("d", "a"))
        both = self.dedup("--never", never, "--always", always, expect=support.USAGE)
        self.assertIn('both have the pages "a" and "c", or others of their texts', both.stderr)
        self.assertFalse((self.folder / "out/removed.jsonl").exists())

    def test_pages_that_are_not_compared_cannot_be_ruled_on(self):
        self.pairs("always.tsv", ("x", "y"))
        self.dedup("--always", self.folder / "always.tsv", "--languages", "zh")
        self.assertEqual(self.rulings()["pairs_not_compared"], 1)


if __name__ == "__main__":
    support.main()
