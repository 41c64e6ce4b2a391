#!/usr/bin/env python3
"""`paraprint eval --sample` and `--judgements` end to end: drawing pairs, judging them, figures, and what goes wrong.

usage: judge_test.py PARAPRINT [unittest arguments]
Standard library only.
"""
import csv
import gzip
import json
import random
import unittest

import support
from support import ProgramTest, article, html_of, json_line

ARTICLES = 25


def is_copy(pair):
    """Pages a, b and c of an article are copies; page d has half of it."""
    return pair["id_a"][1:] == pair["id_b"][1:] and "d" not in pair["id_a"][0] + pair["id_b"][0]


class Judge(ProgramTest):
    def setUp(self):
        super().setUp()
        lines = []
        for n in range(ARTICLES):
            text = article(n)
            other = article(1000 + n)
            lines.append(json_line(f"a{n}", html_of(text), url=f"https://site.example/{n}?<script>"))
            ended_otherwise = text[:4] + ["One paragraph was put in the place of the last one."]
            lines.append(json_line(f"b{n}", html_of(ended_otherwise)))
            lines.append(json_line(f"c{n}", html_of(["This introduction is new."] + text)))
            lines.append(json_line(f"d{n}", html_of(text[:2] + other[:3])))
        self.pages = self.write("pages.jsonl", b"".join(lines))

    def evaluate(self, *options, expect=support.SUCCESS):
        return self.run_program("eval", *options, expect=expect)

    def draw(self, pairs, *options, out="judging", expect=support.SUCCESS):
        return self.evaluate("--pages", self.pages, "--algorithms", "paragraph,minhash,simhash-64", "--sample", pairs,
                             "--out", self.folder / out, "--quiet", *options, expect=expect)

    def sample(self, out="judging"):
        text = (self.folder / out / "sample.jsonl").read_text(encoding="utf-8")
        lines = [json.loads(line) for line in text.splitlines()]
        return lines[0], lines[1:]

    def judge(self, name, head, pairs, decide=is_copy):
        lines = [head]
        for pair in pairs:
            said = decide(pair)
            lines.append({**pair, "judgement": said if isinstance(said, str) else "y" if said else "n"})
        return self.write(name, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))

    def results(self, *files, expect=support.SUCCESS, out="figures"):
        finished = self.evaluate("--judgements", ",".join(files), "--out", self.folder / out, expect=expect)
        return finished, json.loads((self.folder / out / "results.json").read_text(encoding="utf-8"))

    def test_a_sample_of_all_pairs_gives_the_exact_figures(self):
        self.draw(10000)
        head, pairs = self.sample()
        self.assertEqual(sum(stratum["pairs"] for stratum in head["strata"]), len(pairs))
        finished, results = self.results(self.judge("truth.jsonl", head, pairs))
        self.assertEqual(results["decided"], len(pairs))
        copies = [pair for pair in pairs if is_copy(pair)]
        self.assertEqual(len(copies), 3 * ARTICLES)
        pooled = [pair for pair in copies if pair["found_by"]]
        for row in results["algorithms"]:
            found = [pair for pair in pairs if row["algorithm"] in pair["found_by"]]
            right = [pair for pair in found if is_copy(pair)]
            self.assertEqual(row["pairs"], len(found))
            for figure, truth in (("precision", len(right) / len(found)), ("pooled_recall", len(right) / len(pooled)),
                                  ("recall", len(right) / len(copies))):
                self.assertAlmostEqual(row[figure]["estimate"], truth, 6)
                self.assertAlmostEqual(row[figure]["interval"][0], truth, 6)
                self.assertAlmostEqual(row[figure]["interval"][1], truth, 6)
            self.assertIn(row["algorithm"], finished.stdout)
        out = self.folder / "figures"
        self.assertEqual(sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()),
                         ["report/index.html", "results.csv", "results.json"])
        rows = list(csv.DictReader((out / "results.csv").read_text(encoding="utf-8").splitlines()))
        self.assertEqual([row["algorithm"] for row in rows], ["paragraph", "minhash", "simhash-64"])
        self.assertIn("pooled recall", (out / "report/index.html").read_text(encoding="utf-8"))

    def test_the_sample_is_the_same_whatever_the_threads_and_the_order_of_pages(self):
        self.draw(40, "--threads", 1)
        lines = (self.folder / "pages.jsonl").read_bytes().splitlines(keepends=True)
        random.Random(5).shuffle(lines)
        self.write("pages.jsonl", b"".join(lines))
        self.draw(40, "--threads", 3, out="again")
        self.assertEqual(support.output_files(self.folder / "judging"), support.output_files(self.folder / "again"))
        self.draw(40, "--seed", 2, out="other")
        self.assertNotEqual(self.sample()[0]["sample"], self.sample("other")[0]["sample"])

    def test_pairs_to_read(self):
        self.draw(60)
        head, pairs = self.sample()
        self.assertEqual(len(pairs), 60)
        self.assertEqual([pair["pair"] for pair in pairs], list(range(1, 61)))
        self.assertAlmostEqual(sum(pair["weight"] for pair in pairs),
                               sum(stratum["pairs"] for stratum in head["strata"]), 3)
        pages = [(self.folder / "judging" / "pairs" / f"{n}.html").read_text(encoding="utf-8") for n in (1, 2)]
        self.assertIn('id="pair-50"', pages[0])
        self.assertIn('id="pair-60"', pages[1])
        for page in pages:
            self.assertNotIn("<script>", page)
            self.assertNotIn("minhash", page)  # judges do not see who found a pair

    def test_judging_a_part_and_several_judges(self):
        self.draw(40)
        head, pairs = self.sample()
        ann = self.judge("ann.jsonl", head, pairs, lambda pair: is_copy(pair) if pair["pair"] <= 30 else "")
        bob = self.judge("bob.jsonl", head, pairs[:20],
                         lambda pair: is_copy(pair) if pair["pair"] > 2 else not is_copy(pair))
        label = {"id_a": pairs[39]["id_a"], "id_b": pairs[39]["id_b"], "judgement": "?", "judge": "cy"}
        cy = self.write("labels.jsonl.gz", gzip.compress(json.dumps(label).encode() + b"\n"))
        finished, results = self.results(ann, bob, cy)
        self.assertEqual((results["decided"], results["undecided"], results["unjudged"]), (28, 3, 9))
        self.assertEqual(results["disputed_pairs"], 2)
        self.assertEqual([pair["pair"] for pair in results["disputed"]], [1, 2])
        self.assertEqual([judge["judge"] for judge in results["judges"]], ["ann", "bob", "cy"])
        self.assertEqual([(row["judge_a"], row["judge_b"], row["pairs"], row["agreed"])
                          for row in results["agreement"]], [("ann", "bob", 20, 18)])
        self.assertIn("ann and bob: 20 pairs, 18 judged alike, kappa 0.", finished.stdout)
        self.assertEqual(results["missing"], 0)

    def test_unusable_lines_are_named_and_counted(self):
        self.draw(20)
        head, pairs = self.sample()
        path = self.judge("judged.jsonl", head, pairs, lambda pair: "perhaps" if pair["pair"] == 3 else is_copy(pair))
        with open(path, "a", encoding="utf-8") as file:
            file.write('{"id_a": "a1", "judgement": y}\n{"id_a": "nobody", "id_b": "b0", "judgement": "y"}\n')
        finished, results = self.results(path)
        self.assertEqual(results["unusable_lines"], 3)
        self.assertEqual(results["decided"], 19)
        self.assertIn("judged.jsonl: line 4: field \"judgement\" is 'perhaps'", finished.stderr)
        self.assertIn("(line 22)", finished.stderr)
        self.assertIn("line 23: the sample has no such pair", finished.stderr)
        self.assertIn("3 unusable lines", finished.stdout)

    def test_requests_that_cannot_be_met(self):
        self.draw(20)
        head, pairs = self.sample()
        unjudged = str(self.folder / "judging" / "sample.jsonl")
        self.assertIn("no pair of the sample is judged",
                      self.evaluate("--judgements", unjudged, expect=support.USAGE).stderr)
        self.assertIn("may contain judgements", self.draw(20, expect=support.USAGE).stderr)
        self.assertIn("10 to 10000", self.draw(3, out="few", expect=support.USAGE).stderr)
        self.draw(20, "--seed", 9, out="other")
        other = str(self.folder / "other" / "sample.jsonl")
        self.assertIn("different samples",
                      self.evaluate("--judgements", f"{unjudged},{other}", expect=support.USAGE).stderr)
        self.assertIn("neither pages", self.evaluate("--judgements", unjudged, "--pages", self.pages,
                                                     expect=support.USAGE).stderr)
        missing = self.evaluate("--judgements", self.folder / "missing.jsonl", expect=support.USAGE)
        self.assertIn("missing.jsonl", missing.stderr)
        text = self.write("text.jsonl", "these are my judgements: all fine\n")
        self.assertIn("text.jsonl", self.evaluate("--judgements", text, expect=support.USAGE).stderr)
        self.assertFalse((self.folder / "few").exists())


if __name__ == "__main__":
    support.main()
