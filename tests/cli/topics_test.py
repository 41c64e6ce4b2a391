#!/usr/bin/env python3
"""`paraprint topics` end to end: training, inspection, inference, sentence weights, and bad input.

usage: topics_test.py PARAPRINT [unittest arguments]
Standard library only.
"""
import json
import pathlib
import random

import support
from support import ProgramTest, article, html_of, json_line

SUBJECTS = (("harbour ferry pilot anchor sailor captain".split(), "galley deck rudder mast".split()),
            ("oven flour butter sugar recipe kitchen".split(), "dough crust spoon yeast".split()))
TRAINING = ("--quiet", "--topics", 2, "--min-pages", 2, "--passes", 20, "--batch", 10, "--max-share", 0.9)


def page_of(subject, seed):
    draw = random.Random(seed)
    frequent, rare = SUBJECTS[subject]
    words = [draw.choice(frequent if draw.random() < 0.8 else rare) for _ in range(60)]
    return html_of([" ".join(words[at:at + 15]) + "." for at in range(0, 60, 15)])


class Topics(ProgramTest):
    def pages(self, name="pages.jsonl", order=range(40)):
        return self.write(name, b"".join(json_line(f"page{n}", page_of(n % 2, n)) for n in order))

    def train(self, name, *options, pages=None, expect=support.SUCCESS):
        return self.run_program("topics", "train", pages or self.pages(), "--out", self.folder / name, *TRAINING,
                                *options, expect=expect)

    def fails(self, *arguments, says, expect=support.USAGE):
        before = sorted(path.name for path in self.folder.iterdir())
        finished = self.run_program("topics", *arguments, expect=expect)
        self.assertIn(says, finished.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before, "something was left behind")

    def test_subjects_become_topics(self):
        self.train("model")
        shown = [line.split("\t") for line in
                 self.run_program("topics", "show", self.folder / "model", "--words", 6).stdout.splitlines()]
        self.assertEqual(len(shown), 2)
        found = {frozenset(word.split(":")[0] for word in words.split()) for _, _, words in shown}
        self.assertEqual(found, {frozenset(frequent) for frequent, _ in SUBJECTS})
        self.assertAlmostEqual(sum(float(share) for _, share, _ in shown), 1, places=3)

    def test_topics_of_pages(self):
        self.train("model")
        pages = self.write("new.jsonl", json_line("sea", page_of(0, 900)) + json_line("oven", page_of(1, 901))
                           + json_line("other", html_of(article(3, 2))))
        lines = [json.loads(line) for line in
                 self.run_program("topics", "infer", self.folder / "model", pages, "--topics", 1).stdout.splitlines()]
        self.assertEqual([line["id"] for line in lines], ["sea", "oven", "other"])
        self.assertGreater(lines[0]["topics"][0]["share"], 0.9)
        self.assertNotEqual(lines[0]["topics"][0]["topic"], lines[1]["topics"][0]["topic"])

    def test_the_same_pages_give_the_same_model(self):
        self.train("first", "--threads", 1)
        self.train("second", "--threads", 3, pages=self.pages("turned.jsonl", reversed(range(40))))
        self.train("other", "--seed", 2)
        first = (self.folder / "first").read_bytes()
        self.assertEqual(first, (self.folder / "second").read_bytes())
        self.assertNotEqual(first, (self.folder / "other").read_bytes())
        info = self.run_program("topics", "info", self.folder / "first").stdout
        self.assertIn(f"bytes             {len(first)}\n", info)
        self.assertIn("topics            2\n", info)
        self.assertIn("trained on pages  40\n", info)

    def test_bad_input(self):
        out = self.folder / "model"
        pages = self.pages()
        self.fails("train", "--out", out, says="no input")
        self.fails("train", pages, says="(out)")
        nowhere = self.folder / "none" / "model"
        said = self.run_program("topics", "train", pages, "--out", nowhere, expect=support.USAGE).stderr
        self.assertIn("cannot create", said)
        self.assertNotIn("read  ", said)
        self.fails("train", pages, "--out", out, "--topics", 1, says="topics is 1; it must be 2 to 1000")
        self.fails("train", pages, "--out", out, "--max-share", 0, says="max_share is 0")
        self.fails("train", pages, "--out", out, "--topics", 1000, "--words", 1000000, says="reduce either")
        self.fails("train", pages, "--out", out, "--min-pages", 41, says="--min-pages")
        empty = self.write("empty.jsonl", json_line("page", html_of([])))
        self.fails("train", empty, "--out", out, says="no word occurs")
        self.fails("info", pages, says="topics train")
        self.fails("show", self.folder / "none", says="none")
        self.fails("infer", pages, pages, says="not a paraprint topic model")

    def test_inputs_are_not_replaced(self):
        pages = pathlib.Path(self.pages())
        before = pages.read_bytes()
        link = self.folder / "link"
        link.symlink_to(pages)
        for out in (pages, link):
            self.fails("train", pages, "--out", out, *TRAINING, says="is an input; choose another --out")
        self.assertEqual(pages.read_bytes(), before)
        self.assertTrue(link.is_symlink())

    def test_damaged_models_are_rejected_and_earlier_ones_kept(self):
        self.train("model")
        whole = (self.folder / "model").read_bytes()
        for name, damaged in (("cut", whole[:-20]), ("changed", whole[:300] + b"?" + whole[301:])):
            path = self.write(name, damaged)
            self.fails("info", path, says=str(path), expect=support.FAILURE)
        self.train("model", "--min-pages", 41, expect=support.USAGE)
        self.assertEqual((self.folder / "model").read_bytes(), whole)

    def test_training_stops_on_request(self):
        self.assert_stops("read", "topics", "train", self.pages(), "--out", self.folder / "model", "--min-pages", 2,
                          "--topics", 500, "--passes", 1000)

    def test_sentences_are_weighted_by_topics(self):
        pages = self.pages()
        self.train("model")
        options = ("--quiet", "--no-report", "--relevance", "topics", "--topic-model", self.folder / "model")
        self.run_program("dedup", pages, "--out", self.folder / "out", *options)
        settings = json.loads((self.folder / "out" / "summary.json").read_text(encoding="utf-8"))["settings"]
        version = self.run_program("topics", "info", self.folder / "model").stdout.splitlines()[0].split()[-1]
        self.assertIn(f"relevance=topics/{version}", json.dumps(settings))
        self.train("model", "--seed", 2)
        said = self.run_program("dedup", pages, "--out", self.folder / "out", *options, expect=support.USAGE).stderr
        self.assertIn("other inputs or settings", said)
        said = self.run_program("dedup", pages, "--out", self.folder / "none", "--quiet", "--relevance", "both",
                                expect=support.USAGE).stderr
        self.assertIn("a topic model (topic_model", said)


if __name__ == "__main__":
    support.main()
