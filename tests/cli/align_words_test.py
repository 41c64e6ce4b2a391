"""`paraprint dedup --align-words`: which pairs are aligned, how they are decided, and that nothing else changes."""
import collections
import json
import pathlib

import support

NEAR = 0.55
# Pairs are aligned within these distances below and above --near (src/engine/word_alignment.cc).
BELOW, ABOVE = 0.20, 0.05
LONG_TEXT_WORDS = 40_000


# Words of the bundled list: the alignment knows them, while the comparison (--synonyms off) does not.
SYNONYMS = [("buy", "purchase"), ("car", "automobile"), ("begin", "commence"), ("doctor", "physician"),
            ("answer", "reply"), ("huge", "enormous")]


def edited(seed, kept_paragraphs, replaced_share, is_by_synonyms=False):
    """An article of eleven paragraphs, and a copy with some of them, in each of which words are replaced."""
    writer = support.Writer(seed)
    text, copy = [], []
    for number, paragraph in enumerate(writer.article(11)):
        pairs = [(word, word) for word in paragraph.split()]
        for place, (word, _) in enumerate(pairs):
            if writer.random.random() < replaced_share and not word.endswith("."):
                pairs[place] = writer.random.choice(SYNONYMS) if is_by_synonyms else (word, writer.word())
        text.append(" ".join(word for word, _ in pairs))
        is_kept = number < kept_paragraphs
        copy.append(" ".join(word for _, word in pairs) if is_kept else writer.article(1)[0])
    return text, copy


class AlignWords(support.ProgramTest):
    def crawl(self):
        lines = []
        for seed in range(60):
            text, copy = edited(seed, 7 + seed % 4, (seed // 8 % 8) / 25, is_by_synonyms=seed // 4 % 2 == 0)
            url = f"https://host{seed}.example/"
            lines.append(support.json_line(f"a{seed:02}", support.html_of(text), url=url))
            lines.append(support.json_line(f"b{seed:02}", support.html_of(copy), url=url + "b"))
        return self.write("pages.jsonl", b"".join(lines))

    def dedup(self, source, out, *options):
        self.run_program("dedup", source, "--out", self.folder / out, "--quiet", *options)
        rows = (self.folder / out / "matches.jsonl").read_text().splitlines()
        return {(row["id_a"], row["id_b"]): row for row in map(json.loads, rows)}

    def test_pairs_near_the_threshold_are_decided_by_the_mean(self):
        source = self.crawl()
        plain = self.dedup(source, "plain")
        aligned = self.dedup(source, "aligned", "--align-words")
        self.assertFalse(any("word_resemblance" in row for row in plain.values()))
        changed = collections.Counter()
        for pair, row in aligned.items():
            before = plain[pair]
            self.assertEqual(before["passages"], row["passages"])
            self.assertEqual(before["resemblance"], row["resemblance"])
            in_doubt = NEAR - BELOW <= row["resemblance"] < NEAR + ABOVE and row["verdict"] != "same"
            self.assertEqual("word_resemblance" in row, in_doubt, row)
            if not in_doubt:
                self.assertEqual(before["verdict"], row["verdict"])
                continue
            mean = (row["resemblance"] + row["word_resemblance"]) / 2
            if abs(mean - NEAR) > 0.001:  # the file has three decimals
                self.assertEqual(row["verdict"] == "near", mean >= NEAR, row)
            changed[before["verdict"] == "near", row["verdict"] == "near"] += 1
        self.assertGreater(changed[False, True], 0, changed)
        counters = json.loads((self.folder / "aligned/summary.json").read_text())["counters"]["alignment"]
        self.assertEqual(counters["pairs_aligned"], sum(changed.values()))
        self.assertEqual(counters["pairs_made_near"], changed[False, True])
        self.assertEqual(counters.get("pairs_no_longer_near", 0), changed[True, False])

    def test_word_resemblance_agrees_with_compare(self):
        source = self.crawl()
        compared = 0
        pages = {row["id"]: row["html"] for row in map(json.loads, pathlib.Path(source).read_text().splitlines())}
        for (id_a, id_b), row in self.dedup(source, "out", "--align-words").items():
            if "word_resemblance" not in row or compared == 5:
                continue
            compared += 1
            files = [self.write(f"{name}.html", pages[name].encode()) for name in (id_a, id_b)]
            answer = json.loads(self.run_program("compare", *files, "--json").stdout)
            self.assertAlmostEqual(answer["word_resemblance"], row["word_resemblance"], places=3)
        self.assertEqual(compared, 5)

    def test_output_is_independent_of_threads_and_memory_and_recluster_aligns_again(self):
        source = self.crawl()
        self.dedup(source, "one", "--align-words", "--threads", "1")
        self.dedup(source, "two", "--align-words", "--threads", "3", "--memory", "64MiB")
        self.assert_same_output(self.folder / "one", self.folder / "two")
        self.run_program("recluster", self.folder / "two", "--near", "0.6", "--quiet")
        self.dedup(source, "fresh", "--align-words", "--near", "0.6")
        for name in ("matches.jsonl", "clusters.tsv", "matches.tsv", "removed.jsonl"):
            self.assertEqual((self.folder / "two" / name).read_bytes(), (self.folder / "fresh" / name).read_bytes())

    def test_unalignable_pairs_keep_their_verdict_and_are_counted(self):
        writer = support.Writer(5)
        words = [writer.word() for _ in range(LONG_TEXT_WORDS)]
        text = [" ".join(words[at:at + 80]) + "." for at in range(0, len(words), 80)]
        copy = text[:len(text) * 7 // 10] + [" ".join(writer.article(1)) for _ in range(len(text) * 3 // 10)]
        lines = [support.json_line("a", support.html_of(text)), support.json_line("b", support.html_of(copy))]
        source = self.write("long.jsonl", b"".join(lines))
        plain = self.dedup(source, "plain")
        aligned = self.dedup(source, "aligned", "--align-words")
        self.assertLess(abs(plain["a", "b"]["resemblance"] - 0.5), 0.1, "near the decision")
        self.assertEqual(plain, aligned)
        counters = json.loads((self.folder / "aligned/summary.json").read_text())["counters"]["alignment"]
        self.assertEqual(counters, {"pairs_too_long_or_gone": 1})

    def test_other_algorithms_are_rejected(self):
        refused = self.run_program("dedup", self.crawl(), "--out", self.folder / "out", "--align-words",
                                   "--algorithm", "minhash", expect=support.USAGE)
        self.assertIn("align_words is on", refused.stderr)
        self.assertIn("minhash", refused.stderr)


if __name__ == "__main__":
    support.main()
