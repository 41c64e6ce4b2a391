#!/usr/bin/env python3
"""`paraprint eval-extract` end to end: files, broken input, independence of threads, and the figures of another scorer.

usage: eval_extract_test.py PARAPRINT [unittest arguments]
Standard library only. The comparison needs the scorer of the labelled pages (PARAPRINT_SHARED, or the folder `shared`
next to the source tree), that with labelled pages also PARAPRINT_DATA_DIR; without them, both are skipped.
"""
import csv
import gzip
import json
import os
import pathlib
import subprocess
import sys
import unittest

import support
from support import ProgramTest, article, html_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCORER = pathlib.Path(os.environ.get("PARAPRINT_SHARED", ROOT.parent / "shared")) / "tools" / "score_extraction.py"
DATA = os.environ.get("PARAPRINT_DATA_DIR", "")
GOLD = pathlib.Path(DATA) / "extraction" / "dev.jsonl.gz"

# Texts whose tokens depend on normalisation, lower case and the classes of characters.
ODD_TEXTS = [
    "ΟΔΥΣΣΕΥΣ Σ. Ο ΘΕΟΣ'Σ, ΑΣ ΑΣΑ", "İSTANBUL ISPARTA ılık", "Straße STRASSE ẞ", "ﬁne ﬀ ﬃ ½ ² Ⅷ ①",
    "ＦＵＬＬ　ｗｉｄｔｈ ｶﾞｷﾞ", "e\u0301te\u0301 a\u0323\u0301 \u1e69 s\u0323\u0307", "中文与English混排，2024年。",
    "カタカナ・ひらがな々〇ー", "한국어 각각 \u1112\u1161\u11ab", "ไทยภาษา สระ", "हिन्दी में", "עברית שָׁלוֹם", "العربيةُ",
    "snake_case __x__ don't e-mail", "𠮷野家 \U0002f800", "①②③ ٣٤٥ 𝟙𝟚", "", "...",
    "\u200bzero\u200bwidth soft\u00adhyphen",
]


class EvalExtract(ProgramTest):
    def gold(self, rows, name="gold.jsonl"):
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        return self.write(name, lines)

    def sample_rows(self):
        rows = []
        for n in range(60):
            text = article(n)
            menu = "".join(f'<li><a href="/{n}/{i}">{word}</a></li>' for i, word in enumerate(text[0].split()[:30]))
            page = html_of(text).replace("<body>", f"<body><nav><ul>{menu}</ul></nav>")
            rows.append({"id": f"p{n}", "html": page, "text": "\n".join(text),
                         "page_type": ["news", "forum", "blog"][n % 3], "lang": ["en", "fr"][n % 2],
                         "dataset": ["one", "two"][n % 2], "tier": "tool-snapshot" if n % 10 == 0 else "human"})
        return rows

    def evaluate(self, *arguments, expect=support.SUCCESS):
        return self.run_program("eval-extract", *arguments, expect=expect)

    def test_files_and_table(self):
        finished = self.evaluate(self.gold(self.sample_rows()), "--out", self.folder / "out", "--show", "2")
        out = self.folder / "out"
        self.assertEqual(sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()),
                         ["pages.csv", "report/index.html", "results.json", "timing.json"])
        results = json.loads((out / "results.json").read_text(encoding="utf-8"))
        self.assertEqual([row["extractor"] for row in results["all"]["extractors"]],
                         ["learned-dom", "weighted-dom", "whole-page"])
        self.assertEqual({group["name"]: group["pages"] for group in results["by_page_type"]},
                         {"news": 20, "forum": 20, "blog": 20})
        for row in results["all"]["extractors"]:
            self.assertLessEqual(row["f1_bootstrap_95"][0], row["f1"])
            self.assertGreaterEqual(row["f1_bootstrap_95"][1], row["f1"])
        pages = list(csv.DictReader((out / "pages.csv").read_text(encoding="utf-8").splitlines()))
        self.assertEqual(len(pages), 60 * 3)
        whole = [float(row["f1"]) for row in pages if row["extractor"] == "whole-page"]
        self.assertAlmostEqual(sum(whole) / 60, results["all"]["extractors"][2]["f1"], places=5)
        self.assertIn("page type", finished.stdout)
        self.assertIn("54 pages whose text is not a tool's output", finished.stdout)
        self.assertIn("whole-page, lowest F1:", finished.stdout)
        self.assertIn("report: ", finished.stderr)
        report = (out / "report/index.html").read_text(encoding="utf-8")
        self.assertIn("By page type", report)

    def test_json_on_standard_output(self):
        finished = self.evaluate(self.gold(self.sample_rows()), "--json", "--extractor", "whole-page,learned-dom")
        results = json.loads(finished.stdout)
        self.assertEqual([row["extractor"] for row in results["all"]["extractors"]], ["whole-page", "learned-dom"])
        self.assertEqual(results["all"]["extractors"][0]["f1_difference"], 0)
        self.assertGreater(results["all"]["extractors"][1]["f1_difference"], 0)
        self.assertIn("learned-dom", finished.stderr)

    def test_threads_and_order_of_files_do_not_matter(self):
        rows = self.sample_rows()
        one = self.gold(rows[:25], "a.jsonl")
        two = self.write("b.jsonl.gz", support.member(pathlib.Path(self.gold(rows[25:], "c")).read_bytes()))
        first = self.folder / "first"
        second = self.folder / "second"
        self.evaluate(one, two, "--out", first, "--threads", "1", "--quiet")
        self.evaluate(two, one, "--out", second, "--threads", "3", "--quiet")
        for name in ("results.json", "pages.csv"):
            self.assertEqual((first / name).read_bytes(), (second / name).read_bytes(), name)
        whole = self.folder / "whole"
        self.evaluate(self.gold(list(reversed(rows))), "--out", whole, "--quiet")
        self.assertEqual((first / "results.json").read_bytes(), (whole / "results.json").read_bytes())

    def test_pages_named_by_path(self):
        text = article(1)
        self.write("pages/a.html", html_of(text, '<meta charset="utf-8">'))
        self.write("pages/b.html", '<meta charset="gb18030"><p>'.encode() + "中文网页的正文。".encode("gb18030"))
        self.write("outside.html", html_of(text))
        os.mkfifo(self.folder / "pages" / "pipe.html")
        gold = self.gold([{"id": "a", "html": "a.html", "text": "\n".join(text)},
                          {"id": "b", "html": "b.html", "text": "中文网页的正文。"},
                          {"id": "c", "html": "../outside.html", "text": "x"},
                          {"id": "d", "html": str(self.folder / "outside.html"), "text": "x"},
                          {"id": "e", "html": "missing.html", "text": "x"},
                          {"id": "f", "html": "pipe.html", "text": "x"}], "pages/gold.jsonl")
        finished = self.evaluate(gold, "--json", "--extractor", "whole-page")
        results = json.loads(finished.stdout)
        self.assertEqual((results["pages"], results["broken_lines"]), (2, 4))
        self.assertEqual(results["all"]["extractors"][0]["f1"], 1)
        for line, reason in [(3, "not a path below"), (4, "not a path below"), (5, "neither HTML nor a file"),
                             (6, "neither HTML nor a file")]:
            self.assertRegex(finished.stderr, rf"gold\.jsonl: .*line {line}\b.*{reason}")

    def test_bad_input(self):
        gold = self.gold(self.sample_rows()[:3])
        with open(gold, "ab") as file:
            file.write(b'{"id": "x", "html": "<p>x\n{"id": "y", "html": "<p>y</p>", "text": null}\n\xff\n')
        finished = self.evaluate(gold, "--json", "--extractor", "whole-page")
        self.assertEqual(json.loads(finished.stdout)["broken_lines"], 3)
        for line in (4, 5, 6):
            self.assertRegex(finished.stderr, rf"gold\.jsonl: .*line {line}\b")
        cut = self.write("cut.jsonl.gz", gzip.compress(pathlib.Path(gold).read_bytes())[:-40])
        self.assertIn("cut.jsonl.gz", self.evaluate(cut, "--extractor", "whole-page").stderr)

    def test_refused_requests(self):
        gold = self.gold(self.sample_rows()[:3])
        out = self.folder / "out"
        for arguments, reason in [((gold, "--extractor", "best"), "best"),
                                  ((gold, "--extractor", "whole-page", "--extractor", "whole-page"), "twice"),
                                  ((gold, "--bootstrap", "1"), "100"),
                                  ((self.write("page.html", "<html><p>no lines"),), "page.html: not JSON lines"),
                                  ((self.gold([{"id": "a"}], "no.jsonl"),), "no page with its main content"),
                                  ((self.folder / "missing.jsonl",), "missing.jsonl")]:
            finished = self.run_program("eval-extract", *arguments, "--out", out, "--quiet", expect=support.USAGE)
            self.assertIn(reason, finished.stderr)
            self.assertFalse(out.exists())

    def check_against_scorer(self, gold, extractor):
        """Every figure of the scorer for what `paraprint extract` prints, in all its groups."""
        texts = self.folder / "texts.jsonl"
        extracted = subprocess.run([support.program, "extract", "--extractor", extractor, "--quiet", gold], check=True,
                                   capture_output=True, timeout=support.RUN_LIMIT_SECONDS)
        texts.write_bytes(extracted.stdout)
        figures = self.folder / "scored.json"
        subprocess.run([sys.executable, "-B", SCORER, gold, texts, "--json", figures, "--by",
                        "dataset,lang,page_type"], check=True, capture_output=True, timeout=support.RUN_LIMIT_SECONDS)
        scored = json.loads(figures.read_text(encoding="utf-8"))["rows"]
        ours = json.loads(self.evaluate(gold, "--json", "--extractor", extractor, "--bootstrap", "100").stdout)
        named = {"ALL": ours["all"], "HUMAN": ours["without_tools"], "MACRO": ours["mean_of_sources"]}
        named |= {group["name"]: group for group in ours["by_source"]}
        named |= {f"lang:{group['name']}": group for group in ours["by_language"]}
        named |= {f"page_type:{group['name']}": group for group in ours["by_page_type"]}
        compared = 0
        for name, theirs in scored.items():
            group = named["page_type:unknown" if name == "page_type:None" else name]
            self.assertEqual(group["sources" if name == "MACRO" else "pages"], theirs["n"], name)
            row = group["extractors"][0]
            for figure, key in [("precision", "P"), ("recall", "R"), ("f1", "F1"), ("median_f1", "medF1"),
                                ("correct_share", "good"), ("bad_share", "bad")]:
                self.assertAlmostEqual(row[figure], theirs[key], delta=1e-6, msg=f"{name} {figure}")
            compared += 1
        self.assertEqual(compared, len(named))

    @unittest.skipUnless(SCORER.exists(), "no scorer")
    def test_agrees_with_the_scorer_on_odd_texts(self):
        rows = self.sample_rows()
        for n, text in enumerate(ODD_TEXTS):
            # Half of the text, in another order, so that precision and recall differ.
            words = text.split()
            rows.append({"id": f"odd{n}", "html": f"<p>{' '.join(reversed(words[:2]))} more</p>", "text": text,
                         "lang": "xx", "dataset": "odd"})
        gold = self.gold(rows)
        for extractor in ("whole-page", "learned-dom"):
            self.check_against_scorer(gold, extractor)


@unittest.skipUnless(SCORER.exists() and DATA and GOLD.exists(), "no scorer, or no labelled pages")
class LabelledPages(EvalExtract):
    def test_agrees_with_the_scorer_on_labelled_pages(self):
        for extractor in ("learned-dom", "weighted-dom"):
            self.check_against_scorer(GOLD, extractor)


if __name__ == "__main__":
    support.main()
