#!/usr/bin/env python3
"""`paraprint eval` under any settings finds what `paraprint dedup` finds under them; presets are such settings by name.

usage: eval_pipeline_test.py PARAPRINT [unittest arguments]
Standard library only.
"""
import json
import pathlib
import re
import struct
import unittest

import support
from support import ProgramTest, article, html_of, json_line

ARTICLES = 12
SITES = 2
# Wide enough to be compared, but not what an extractor takes for text.
MENU = "<nav><ul>{}</ul></nav>"


def menu(site):
    words = support.Writer(1000 + site).sentence().rstrip(".").split()
    return MENU.format("".join(f'<li><a href="/{word}">{word}</a></li>' for word in words))


def page(number, site):
    """An article in the template of a site; the second site adds a sentence to every third one."""
    paragraphs = article(number)
    if site == 1 and number % 3 == 0:
        paragraphs = [*paragraphs, "This sentence is found in the second copy of the article only, at its very end."]
    return html_of(paragraphs).replace("<article>", menu(site) + "<article>")


def single(number):
    """As results are stored in single precision, so is the threshold that they are compared with."""
    return struct.unpack("f", struct.pack("f", number))[0]


class EvalPipeline(ProgramTest):
    def setUp(self):
        super().setUp()
        self.set = self.folder / "set"
        self.set.mkdir()
        pages = [json_line(f"a{n}s{site}", page(n, site)) for n in range(ARTICLES) for site in range(SITES)]
        pages.append(json_line("short", "<p>Too short.</p>"))
        (self.set / "docs.jsonl").write_bytes(b"".join(pages))
        rows = [f"a{n}s0\ta{n}s1\tnear\n" for n in range(ARTICLES)] + ["a0s0\ta1s0\tdiff\n"]
        (self.set / "labels.tsv").write_text("".join(rows), encoding="utf-8")
        self.runs = 0

    def evaluate(self, *options):
        """Runs `eval`; the results of each algorithm, and its reported pairs with their scores."""
        self.runs += 1
        out = self.folder / f"eval{self.runs}"
        self.run_program("eval", self.set, "--quiet", "--bootstrap", "100", "--write-pairs", "--out", out, *options)
        rows = json.loads((out / "results.json").read_text(encoding="utf-8"))["sets"][0]["algorithms"]
        for row in rows:
            table = out / "pairs" / "set" / (row["label"].replace(":", "_") + ".tsv")
            lines = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
            row["pairs"] = {frozenset(line[:2]): f"{float(line[2]):.4f}" for line in lines
                            if float(line[2]) >= single(row["threshold"])}
        return rows

    def pairs(self, *options):
        rows = self.evaluate(*options)
        self.assertEqual(len(rows), 1)
        return rows[0]["pairs"]

    def dedup(self, *options):
        self.runs += 1
        out = self.folder / f"dedup{self.runs}"
        self.run_program("dedup", self.set / "docs.jsonl", "--quiet", "--no-records", "--no-report", "--no-evidence",
                         "--out", out, *options)
        return out

    def dedup_pairs(self, *options):
        lines = (self.dedup(*options) / "matches.tsv").read_text(encoding="utf-8").splitlines()
        rows = [line.split("\t") for line in lines]
        return {frozenset(row[:2]): row[2] for row in rows if row[3] in ("same", "near")}

    def presets(self):
        return json.loads(self.run_program("algorithms", "--presets", "--json").stdout)

    # -- options

    def test_finds_what_dedup_finds(self):
        pipelines = (
            ("paragraph",),
            ("paragraph", "--idf", "corpus", "--extractor", "whole-page", "--near", "0.9"),
            ("paragraph", "--paragraph-words", "long", "--word-hash", "blake2b", "--extractor", "weighted-dom",
             "--anchors", "1", "--anchor-characters", "30", "--simhash-words", "12", "--part-of-speech"),
            ("paragraph-literal:distance_bits=20", "--paragraph-words", "long", "--word-hash", "blake2b"),
            ("paragraph-cosine", "--extractor", "whole-page", "--idf", "corpus", "--synonyms", "list"),
            ("simhash-64:distance_bits=8", "--extractor", "whole-page"),
            ("simhash-64:distance_bits=8", "--extractor", "whole-page", "--idf", "corpus", "--no-fold-traditional"),
            ("i-match", "--extractor", "whole-page", "--idf", "corpus"),
            ("tianwang-keywords:weights=tfidf", "--idf", "corpus"),
            ("shingle", "--extractor", "whole-page"),
        )
        found = []
        for algorithm, *options in pipelines:
            with self.subTest(algorithm=algorithm, options=options):
                pairs = self.pairs("--algorithms", algorithm, *options)
                self.assertEqual(pairs, self.dedup_pairs("--algorithm", algorithm, *options))
                found.append(pairs)
        # The settings must matter on these pages, otherwise equality would show little.
        self.assertNotEqual(found[5], found[6])
        self.assertTrue(all(found), "every pipeline finds something")

    def test_options_can_be_given_in_the_specification(self):
        whole = self.pairs("--algorithms", "simhash-64:distance_bits=8", "--extractor", "whole-page", "--idf", "corpus")
        specified = self.pairs("--algorithms", "simhash-64:distance_bits=8,extractor=whole-page,idf=corpus")
        self.assertEqual(specified, whole)
        # The specification takes precedence.
        self.assertEqual(self.pairs("--algorithms", "simhash-64:idf=corpus,extractor=whole-page,distance_bits=8",
                                    "--extractor", "weighted-dom"), whole)

    def test_word_weights_of_the_pages(self):
        """With bundled weights the menus count; half of the pages have them, which is too often for I-Match."""
        bundled, corpus = self.evaluate("--algorithms", "paragraph", "--sweep",
                                        "i-match:extractor=whole-page,idf=bundled,corpus")[1:]
        self.assertEqual(bundled["pairs"], {})
        plain = {frozenset((f"a{n}s0", f"a{n}s1")) for n in range(ARTICLES) if n % 3}
        self.assertEqual(set(corpus["pairs"]), plain)
        self.assertEqual(corpus["algorithm"].partition(",extractor=")[2], "whole-page,idf=corpus")

    def test_sweeps_equal_single_evaluations(self):
        swept = self.evaluate("--algorithms", "shingle", "--sweep", "simhash-64:extractor=learned-dom,whole-page,"
                              "distance_bits=2,8", "--sweep", "paragraph:word_hash=blake2b", "--threads", "2")
        self.assertEqual([row["label"] for row in swept],
                         ["shingle", "simhash-64:extractor=learned-dom,distance_bits=2",
                          "simhash-64:extractor=learned-dom,distance_bits=8",
                          "simhash-64:extractor=whole-page,distance_bits=2",
                          "simhash-64:extractor=whole-page,distance_bits=8", "paragraph:word_hash=blake2b"])
        for row in swept:
            alone = self.evaluate("--algorithms", row["label"], "--threads", "1")[0]
            self.assertEqual(row, alone)

    def test_the_manual_names_every_option(self):
        finished = self.run_program("eval", self.set, "--algorithms", "minhash:unknown=1", expect=support.USAGE)
        names = finished.stderr.partition("options of all algorithms are ")[2].strip().split(", ")
        self.assertIn("fold_traditional", names)
        manual = (pathlib.Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")
        help_text = self.run_program("eval", "--help").stdout
        for name in names:
            self.assertIn(f"`{name}`", manual)
            self.assertIn(name.replace("_", "-"), help_text)

    # -- presets

    def test_presets_are_those_of_dedup(self):
        presets = self.presets()
        self.assertIn("seed-004", [preset["name"] for preset in presets])
        side_by_side = {row["label"]: row for row in self.evaluate("--algorithms", "presets")}
        self.assertEqual(list(side_by_side), [preset["name"] for preset in presets])
        for preset in presets:
            with self.subTest(preset=preset["name"]):
                options = [word for name, value in preset["settings"].items()
                           for word in ("--" + name.replace("_", "-"), value)]
                pairs = side_by_side[preset["name"]]["pairs"]
                self.assertEqual(self.dedup_pairs(*options), pairs)
                self.assertEqual(self.dedup_pairs("--preset", preset["name"]), pairs)
        self.assertGreater(len({frozenset(row["pairs"]) for row in side_by_side.values()}), 2)

    def test_a_preset_is_a_set_of_options(self):
        by_name = self.evaluate("--preset", "seed-004")[0]
        self.assertEqual(by_name["label"], "paragraph-literal:distance_bits=12")
        by_options = self.evaluate("--algorithms", "paragraph-literal:distance_bits=12", "--extractor", "weighted-dom",
                                   "--paragraph-words", "long", "--word-hash", "blake2b")[0]
        self.assertEqual(by_name, by_options)

    def test_options_override_a_preset_wherever_they_are(self):
        config = self.write("eval.toml", '[eval]\nextractor = "whole-page"\npreset = "seed-004"\n'
                                         'word-hash = "murmur3"\n')
        expected = "paragraph-literal:distance_bits=12,extractor=whole-page,paragraph_words=long"
        for options in (("--extractor", "whole-page", "--preset", "seed-004", "--word-hash", "murmur3"),
                        ("--preset", "seed-004", "--word-hash", "murmur3", "--extractor", "whole-page"),
                        ("--config", config),
                        ("--config", config, "--preset", "seed-004")):
            self.assertEqual(self.evaluate(*options)[0]["algorithm"], expected, options)
        others = self.evaluate("--algorithms", "minhash,paragraph:word_hash=murmur3", "--preset", "seed-004")
        self.assertEqual([row["algorithm"].partition("extractor=")[2] for row in others],
                         ["weighted-dom,paragraph_words=long,word_hash=blake2b", "weighted-dom,paragraph_words=long"])

    def test_a_run_keeps_the_settings_of_its_preset(self):
        out = self.dedup("--preset", "seed-004", "--word-hash", "murmur3")
        before = support.output_files(out)
        settings = json.loads(before["summary.json"])["settings"]
        self.assertEqual([settings[name] for name in ("algorithm", "extractor", "paragraph_words", "word_hash")],
                         ["paragraph-literal:distance_bits=12", "weighted-dom", "long", "murmur3"])
        self.run_program("recluster", out, "--quiet")
        after = support.output_files(out)
        self.assertEqual(json.loads(after["summary.json"])["settings"], settings)
        self.assertEqual(after["matches.tsv"], before["matches.tsv"])
        finished = self.run_program("recluster", out, "--preset", "seed-004", expect=support.USAGE)
        self.assertIn("--preset", finished.stderr)

    def test_an_index_takes_presets(self):
        answers = []
        for number, options in enumerate((["--preset", "seed-002"],
                                          ["--algorithm", "simhash-integrated:bits=64,distance_bits=3"])):
            data = self.folder / f"known-{number}"
            answered = self.run_program("index", "add", "--data", data, *options, self.set / "docs.jsonl").stdout
            answers.append(re.sub(r'"(first|last)_seen":\d+', "", answered))  # the time of the call
            self.run_program("index", "find", "--data", data, "--preset", "seed-002", self.set / "docs.jsonl")
            finished = self.run_program("index", "find", "--data", data, "--preset", "seed-001",
                                        self.set / "docs.jsonl", expect=support.USAGE)
            self.assertIn("algorithm", finished.stderr)
        self.assertEqual(*answers)
        self.assertIn('"near"', answers[0])

    def test_help_and_listing_name_every_preset(self):
        listing = self.run_program("algorithms", "--presets").stdout
        helps = [self.run_program(*command, "--help").stdout
                 for command in (["dedup"], ["eval"], ["crawl"], ["index", "add"], ["serve"])]
        for preset in self.presets():
            for text in (listing, *helps):
                self.assertIn(preset["name"], text)
            self.assertIn(preset["source"], listing)

    def test_an_unknown_preset_suggests_the_nearest(self):
        for arguments in (("eval", self.set), ("dedup", self.set / "docs.jsonl", "--out", self.folder / "out")):
            finished = self.run_program(*arguments, "--preset", "seed-04", expect=support.USAGE)
            self.assertIn("unknown preset 'seed-04'; did you mean 'seed-004'?", finished.stderr)
        finished = self.run_program("eval", self.set, "--algorithms", "seed-04", expect=support.USAGE)
        self.assertIn("did you mean 'seed-004'?", finished.stderr)


if __name__ == "__main__":
    support.main()
