#!/usr/bin/env python3
"""--languages: only pages in these languages stay, and a run is what it would be without the others.

usage: languages_test.py PARAPRINT [unittest arguments]
"""
import json
import random

import replay
import support

WORDS = {
    "de": ("Der Hafen", "Die alte Brücke", "Unser Nachbar", "Der Bürgermeister",
           "wartete im Winter", "schrieb am Abend", "sprach lange", "auf die Fähre", "über den Damm", "mit Fischern",
           "bis der Regen aufhörte.", "weil niemand mehr kam.", "ohne ein Wort zu sagen."),
    "en": ("The harbour office", "People near the old bridge", "Our neighbour", "The mayor of the town",
           "waited last winter", "wrote in the evening", "talked for a long time", "about the ferry", "over the dam",
           "with the fishermen", "until the rain stopped.", "because nobody came any more.", "without saying a word."),
    "zh": ("港口管理局", "老桥旁的居民", "我们的邻居", "镇上的医生",
           "去年冬天一直等待", "晚上写信谈到", "多次讨论", "渡轮的班次，", "新修的堤坝，", "渔民的收成，",
           "直到雨停了。", "因为再也没有人来。", "没有说一句话。"),
}


def article(language, seed, paragraphs=4):
    draw = random.Random(seed)
    first, then, last = WORDS[language][:4], WORDS[language][4:10], WORDS[language][10:]
    space = "" if language == "zh" else " "

    def sentence():
        middle = space.join(draw.sample(then, 4))
        return f"{draw.choice(first)}{space}{middle}{space}{draw.randrange(10_000)}{space}{draw.choice(last)}"

    return [space.join(sentence() for _ in range(4)) for _ in range(paragraphs)]


def rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def lines_of(languages):
    """Three articles of each language, each with a copy that has one paragraph less; and pages without words."""
    lines = []
    for language in languages:
        for number in range(3):
            paragraphs = article(language, 100 * number + 7)
            lines += [support.json_line(f"{language}-{number}", support.html_of(paragraphs)),
                      support.json_line(f"{language}-{number}-copy", support.html_of(paragraphs[:-1]))]
    lines.append(support.json_line("none", support.html_of(["12 345,67", "8 % - 9"])))
    random.Random(3).shuffle(lines)
    return lines


class Languages(support.ProgramTest):
    def dedup(self, source, out, *options):
        return self.run_program("dedup", self.folder / source, "--out", self.folder / out, "--threads", "1", *options)

    def tables(self, out, pages):
        """What the tables say of these pages, clusters by their members."""
        members = {}
        for line in (self.folder / out / "clusters.tsv").read_text().splitlines():
            page, cluster = line.split("\t")
            if page in pages:
                members.setdefault(cluster, []).append(page)
        matches = [line for line in (self.folder / out / "matches.tsv").read_text().splitlines()]
        removed = [(row["id"], row["kept_id"], row["reason"], row["resemblance"])
                   for row in rows(self.folder / out / "removed.jsonl") if row["reason"] != "language"]
        return sorted(members.values()), matches, removed

    def test_the_run_is_that_of_the_pages_in_these_languages(self):
        lines = lines_of(("de", "en", "zh"))
        self.write("all.jsonl", b"".join(lines))
        for chosen, prefixes in (("zh,en", ("zh", "en")), ("de", ("de",)), ("und,zh", ("zh", "none"))):
            wanted = [line for line in lines if json.loads(line)["id"].startswith(prefixes)]
            self.write("some.jsonl", b"".join(wanted))
            pages = {json.loads(line)["id"] for line in wanted}
            for options in ((), ("--algorithm", "minhash"), ("--no-sentences",)):
                with self.subTest(languages=chosen, options=options):
                    self.dedup("some.jsonl", "some", "--restart", *options)
                    done = self.dedup("all.jsonl", "all", "--restart", "--languages", chosen, *options)
                    self.assertIn(f"{len(lines) - len(wanted)} of the removed pages are in other languages than "
                                  f"{', '.join(chosen.split(','))}", done.stderr)
                    self.assertEqual(self.tables("all", pages), self.tables("some", pages))
                    self.assertEqual((self.folder / "all/records/all.jsonl").read_bytes(),
                                     (self.folder / "some/records/some.jsonl").read_bytes())
                    others = [row for row in rows(self.folder / "all/removed.jsonl") if row["reason"] == "language"]
                    self.assertEqual({row["id"] for row in others}, {json.loads(line)["id"] for line in lines} - pages)
                    for row in others:
                        expected = "und" if row["id"] == "none" else row["id"].split("-")[0]
                        self.assertEqual(row["language"], expected)
                        self.assertFalse({"verdict", "kept_id", "kept_url", "resemblance"} & set(row))

    def test_a_finished_run_can_be_repeated_with_other_languages(self):
        self.write("all.jsonl", b"".join(lines_of(("de", "en", "zh"))))
        self.dedup("all.jsonl", "first", "--languages", "zh")
        self.dedup("all.jsonl", "out")
        # Pages are not read again, but compared: scores of fewer pages are not those of all.
        self.dedup("all.jsonl", "out", "--languages", "zh")
        for name in ("clusters.tsv", "matches.tsv", "removed.jsonl", "summary.json"):
            out, first = ((self.folder / run / name).read_bytes() for run in ("out", "first"))
            self.assertEqual(out, first, name)
        self.run_program("recluster", self.folder / "out", "--keep", "shortest")
        refused = self.run_program("recluster", self.folder / "out", "--languages", "en", expect=support.USAGE)
        self.assertIn("other inputs or settings", refused.stderr)

    def test_known_pages_and_the_limit_of_removals_concern_the_compared_pages(self):
        lines = lines_of(("de", "zh"))
        self.write("all.jsonl", b"".join(lines))
        self.dedup("all.jsonl", "first", "--languages", "zh", "--index", self.folder / "known",
                   "--max-removed-share", "0.5")
        statistics = json.loads(self.run_program("index", "stats", "--data", self.folder / "known").stdout)
        self.assertEqual(statistics["pages"], 3)
        # German pages are not looked up: they would be new.
        done = self.dedup("all.jsonl", "second", "--languages", "zh", "--index", self.folder / "known")
        self.assertIn("6 of the removed pages were known from earlier crawls", done.stderr)
        done = self.run_program("dedup", self.folder / "all.jsonl", "--out", self.folder / "third", "--languages", "zh",
                                "--max-removed-share", "0.4", expect=support.FAILURE)
        self.assertIn("3 of 6 pages would be removed", done.stderr)

    def test_archives_say_why_a_page_is_missing(self):
        records = b"".join(
            support.page_record(f"{language}-{number}", f"http://{language}.example/{number}",
                                support.html_of(article(language, number)).encode())
            for language in ("de", "zh") for number in range(2))
        self.write("crawl.warc", records)
        self.dedup("crawl.warc", "out", "--languages", "zh", "--revisits")
        found = {}
        for record in replay.records_of(self.folder / "out/records/crawl.warc"):
            found.setdefault(record.kind, []).append(record)
        self.assertEqual([record.id for record in found["response"]], ["<urn:test:zh-0>", "<urn:test:zh-1>"])
        notes = [record.block.decode().strip() for record in found["metadata"]]
        self.assertEqual(notes, ["reason: language"] * 2)

    def test_annotations_and_report_tell_them_apart(self):
        self.write("all.jsonl", b"".join(lines_of(("de", "zh"))))
        self.dedup("all.jsonl", "out", "--languages", "zh", "--annotate")
        of_page = {row["id"]: row for row in rows(self.folder / "out/annotations.jsonl")}
        self.assertEqual(of_page["de-0"]["kept_id"], None)
        self.assertEqual((of_page["de-0"]["is_kept"], of_page["de-0"]["verdict"]), (False, None))
        self.assertEqual((of_page["zh-0-copy"]["is_kept"], of_page["zh-0-copy"]["kept_id"]), (False, "zh-0"))
        self.assertEqual(len((self.folder / "out/records/all.jsonl").read_bytes().splitlines()), len(of_page))
        self.assertIn("in a language that was not to be kept", (self.folder / "out/report/index.html").read_text())

    def test_commands_that_read_pages_one_by_one(self):
        self.write("all.jsonl", b"".join(lines_of(("de", "en", "zh"))))
        done = self.run_program("extract", "--languages", "de", self.folder / "all.jsonl")
        self.assertEqual(sorted(json.loads(line)["id"] for line in done.stdout.splitlines()),
                         sorted(f"de-{number}{copy}" for number in range(3) for copy in ("", "-copy")))
        self.assertIn("13 pages in other languages were left out", done.stderr)
        done = self.run_program("profile", "--languages", "zh,und", self.folder / "all.jsonl", "--quiet")
        self.assertEqual((len(done.stdout.splitlines()), done.stderr), (7, ""))

    def test_codes_that_are_never_identified_are_refused(self):
        self.write("all.jsonl", b"".join(lines_of(("zh",))))
        for command in (("dedup", "--out", self.folder / "out"), ("extract",)):
            done = self.run_program(*command, self.folder / "all.jsonl", "--languages", "zh,cn", expect=support.USAGE)
            self.assertIn("'cn' is not the code of a language that can be identified", done.stderr)
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    support.main()
