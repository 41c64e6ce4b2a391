#!/usr/bin/env python3
"""dedup --trim: passages stay in one place only, and everything else stays as it is.

usage: trim_test.py PARAPRINT [unittest arguments]
"""
import json
import pathlib
import re

import support

DEMO = pathlib.Path(__file__).resolve().parents[2] / "examples/demo-crawl"


def rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def letters(text):
    """Letters and digits, as the program counts them in these texts."""
    return re.sub(r"\W", "", text)


class Trim(support.ProgramTest):
    def path(self, name):
        return self.folder / name

    def write_texts(self, texts):
        lines = [f'{{"id": "{name}", "n": 1.50, "text": {json.dumps(text)}, "z":[1, {{}}] }}\n'
                 for name, text in texts.items()]
        return self.write("pages.jsonl", "".join(lines))

    def trimmed(self, texts, *options):
        """The texts afterwards, and the rows of trimmed.jsonl."""
        self.write_texts(texts)
        self.run_program("dedup", self.path("pages.jsonl"), "--out", self.path("out"), "--restart", "--trim",
                         "--keep", "first", *options)
        after = {row["id"]: row["text"] for row in rows(self.path("out") / "records/pages.jsonl")}
        return after, rows(self.path("out") / "trimmed.jsonl")

    def test_paragraphs_and_runs_of_sentences(self):
        first, second, third = (support.article(seed) for seed in (1, 2, 3))
        sentences = re.findall(r"[^.]*\.", first[3])
        run = "".join(sentences[1:3]).strip()
        texts = {
            "a": "\n\n".join(first),
            "b": "# Heading\n\n" + "\r\n".join(second[:2]) + "\r\n  " + first[1].replace(" ", "  ") + "\t\r\n"
                 + second[2],
            "c": "\n\n".join(third[:2] + [f"{third[2]} {run} {third[3]}"]),
        }
        after, passages = self.trimmed(texts)
        self.assertEqual(after["a"], texts["a"])
        self.assertEqual(after["b"], "# Heading\n\n" + "\r\n".join(second[:2]) + "\r\n  " + second[2])
        self.assertEqual(after["c"], "\n\n".join(third[:2] + [f"{third[2]} {third[3]}"]))
        self.assertEqual([(row["id"], row["kind"], row["kept_id"], row["places"]) for row in passages],
                         [("b", "paragraph", "a", 2), ("c", "sentences", "a", 2)])
        self.assertEqual(passages[0]["content_characters"], len(letters(first[1])))
        begin, end = passages[1]["kept_span"]
        text = self.run_program("extract", "--text", self.write("a.txt", texts["a"])).stdout
        self.assertEqual(text.encode()[begin:end].decode(), run)
        counters = json.loads((self.path("out") / "summary.json").read_text())["counters"]["output"]
        self.assertEqual(counters["pages_trimmed"], 2)
        self.assertEqual(counters["characters_trimmed"], len(letters(first[1])) + len(letters(run)))
        self.assertFalse((self.path("out") / "texts.jsonl").exists())

    def test_all_other_bytes_of_a_line_stay(self):
        first, second = support.article(1), support.article(2)
        self.write_texts({"a": "\n".join(first), "b": "\n".join(second + [first[0]])})
        self.run_program("dedup", self.path("pages.jsonl"), "--out", self.path("out"), "--trim", "--keep", "first")
        before = self.path("pages.jsonl").read_bytes().splitlines(keepends=True)
        after = (self.path("out") / "records/pages.jsonl").read_bytes().splitlines(keepends=True)
        self.assertEqual(after[0], before[0])
        self.assertEqual(after[1], before[1].replace(b"\\n" + first[0].encode(), b""))

    def test_limits(self):
        pages = [support.article(seed) for seed in range(1, 5)]
        shared = pages[0][0]
        texts = {str(number): "\n".join(page if number == 0 else page + [shared]) for number, page in enumerate(pages)}
        characters = len(letters(shared))
        self.assertEqual(len(self.trimmed(texts)[1]), 3)
        self.assertEqual(len(self.trimmed(texts, "--trim-places", "4")[1]), 3)
        self.assertEqual(len(self.trimmed(texts, "--trim-places", "5")[1]), 0)
        self.assertEqual(len(self.trimmed(texts, "--trim-characters", str(characters))[1]), 3)
        self.assertEqual(len(self.trimmed(texts, "--trim-characters", str(characters + 1))[1]), 0)
        self.run_program("dedup", self.path("pages.jsonl"), "--out", self.path("x"), "--trim", "--trim-places", "1",
                         expect=support.USAGE)

    def test_near_paragraphs(self):
        first, second = support.article(1), support.article(2)
        edited = first[0].replace(first[0].split()[7], "zzt", 1)
        texts = {"a": "\n".join(first), "b": "\n".join(second + [edited])}
        after, passages = self.trimmed(texts, "--trim-bits", "12")
        self.assertEqual([row["kind"] for row in passages], ["near-paragraph"])
        self.assertEqual(after["b"], "\n".join(second))
        # The sentences that are equal go even if the paragraph is not near enough.
        after, passages = self.trimmed(texts, "--trim-bits", "-1")
        self.assertEqual([row["kind"] for row in passages], ["sentences"])
        self.assertIn("zzt", after["b"])

    def test_sites(self):
        first, second, third = (support.article(seed) for seed in (1, 2, 3))
        pages = [("http://one.test/a", first), ("http://one.test/b", second + [first[0]]),
                 ("http://two.test/c", third + [first[0]])]
        self.write("pages.jsonl", "".join(json.dumps({"id": url, "url": url, "text": "\n".join(page)}) + "\n"
                                          for url, page in pages))
        for options, wanted in (((), 2), (("--trim-sites",), 1)):
            self.run_program("dedup", self.path("pages.jsonl"), "--out", self.path("out"), "--restart", "--trim",
                             "--keep", "first", *options)
            self.assertEqual(len(rows(self.path("out") / "trimmed.jsonl")), wanted)

    def test_pages_of_html_get_their_texts_in_a_file(self):
        first, second = support.article(1), support.article(2)
        self.write("pages.jsonl", support.json_line("a", support.html_of(first), "http://one.test/a")
                   + support.json_line("b", support.html_of(second + [first[2]]), "http://two.test/b"))
        self.run_program("dedup", self.path("pages.jsonl"), "--out", self.path("out"), "--trim", "--keep", "first")
        self.assertEqual((self.path("out") / "records/pages.jsonl").read_bytes(), self.path("pages.jsonl").read_bytes())
        self.assertEqual(rows(self.path("out") / "texts.jsonl"),
                         [{"id": "b", "url": "http://two.test/b", "text": "\n".join(second)}])

    def test_with_annotations(self):
        first, second = support.article(1), support.article(2)
        after, _ = self.trimmed({"a": "\n".join(first), "b": "\n".join(second + [first[0]]), "c": "\n".join(first)},
                                "--annotate", "--annotation-fields", "is_kept")
        self.assertEqual(after, {"a": "\n".join(first), "b": "\n".join(second), "c": "\n".join(first)})
        written = rows(self.path("out") / "records/pages.jsonl")
        self.assertEqual([row["is_kept"] for row in written], [True, True, False])

    def test_threads_and_memory_do_not_matter(self):
        self.run_program("dedup", DEMO, "--out", self.path("one"), "--trim", "--threads", "1", "--no-report")
        self.run_program("dedup", DEMO, "--out", self.path("two"), "--trim", "--threads", "2", "--memory", "64MB",
                         "--no-report")
        one, two = support.output_files(self.path("one")), support.output_files(self.path("two"))
        self.assertEqual(one, two)
        self.assertGreater(len(rows(self.path("one") / "trimmed.jsonl")), 3)

    def test_a_second_run_finds_nothing(self):
        pages = [support.article(seed) for seed in range(1, 6)]
        texts = {str(n): "\n".join(page + [pages[n - 1][1], pages[n - 2][2]]) for n, page in enumerate(pages)}
        after, passages = self.trimmed(texts)
        self.assertGreater(len(passages), 5)
        again, passages = self.trimmed(after)
        self.assertEqual(passages, [])
        self.assertEqual(again, after)


if __name__ == "__main__":
    support.main()
