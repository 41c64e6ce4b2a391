#!/usr/bin/env python3
"""`paraprint dedup --provenance`: who copied from whom, and `simulate` with chains of copies.

usage: provenance_test.py PARAPRINT [unittest arguments]
Standard library only.
"""
import csv
import json

import support


def page(name, paragraphs, head="", byline=""):
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    html = f"<html><head><title>Heading</title>{head}</head><body><h1>Heading</h1>{byline}{body}</body></html>"
    return {"id": name, "html": html, "url": f"http://{name}.example/page", "date": "2024-05-01T10:00:00Z"}


def published(day):
    return f'<meta property="article:published_time" content="{day}">'


class Provenance(support.ProgramTest):
    def dedup(self, records, *options, out="out", **how):
        self.write("pages.jsonl", "".join(json.dumps(record) + "\n" for record in records))
        return self.run_program("dedup", self.folder / "pages.jsonl", "--out", self.folder / out, "--threads", "1",
                                *options, **how)

    def lines(self, out="out"):
        return [json.loads(line) for line in (self.folder / out / "provenance.jsonl").read_text().splitlines()]

    def by_id(self, out="out"):
        return {line["id"]: line for line in self.lines(out)}

    def chain(self):
        """first -> second -> third, each with one more paragraph changed, and a page of its own."""
        text, other = support.article(1, 8), support.article(2, 2)
        second = text[:3] + [other[0]] + text[4:]
        third = second[:5] + [other[1]] + second[6:]
        return [page("third", third, published("2010-03-01")),
                page("first", text, published("2010-01-01")),
                page("second", second, published("2010-02-01"),
                     '<p>Originally published at <a href="http://first.example/page">First</a></p>'),
                page("alone", support.article(3, 8), published("2009-03-01"))]

    def test_a_chain(self):
        self.dedup(self.chain(), "--provenance")
        lines = self.by_id()
        self.assertEqual(sorted(lines), ["first", "second", "third"])
        self.assertIsNone(lines["first"]["copied_from"])
        self.assertTrue(lines["first"]["is_first"])
        self.assertGreater(lines["first"]["first_confidence"], 0.9)
        self.assertEqual(lines["second"]["copied_from"], "first")
        self.assertEqual(lines["second"]["reasons"][:2], ["date", "stated-source"])
        self.assertEqual(lines["second"]["source_url"], "http://first.example/page")
        self.assertEqual(lines["second"]["date_place"], "open-graph")
        self.assertEqual(lines["third"]["copied_from"], "second")
        self.assertGreater(lines["third"]["confidence"], 0.9)
        # The line of the source is a paragraph of the second page alone.
        self.assertEqual((lines["second"]["added_paragraphs"], lines["second"]["lost_paragraphs"]), (2, 1))
        self.assertEqual((lines["third"]["added_paragraphs"], lines["third"]["lost_paragraphs"]), (1, 2))
        self.assertGreater(lines["third"]["added_characters"], 100)
        self.assertGreater(lines["third"]["lost_characters"], 100)
        self.assertEqual(len({line["cluster"] for line in lines.values()}), 1)

    def test_the_same_bytes_whatever_the_order_and_the_threads(self):
        records = self.chain()
        self.dedup(records, "--provenance")
        expected = (self.folder / "out/provenance.jsonl").read_bytes()
        self.dedup(records[::-1], "--provenance", "--threads", "3", out="reversed")
        self.assertEqual((self.folder / "reversed/provenance.jsonl").read_bytes(), expected)

    def test_recluster_traces_again_without_reading(self):
        self.dedup(self.chain(), "--provenance")
        before = self.lines()
        # Other clusters: at a higher threshold the third page is no copy of the first any more.
        self.run_program("recluster", self.folder / "out", "--near", "1")
        self.assertLess(len(self.lines()), len(before))
        self.run_program("recluster", self.folder / "out")
        self.assertEqual(self.lines(), before)

    def test_recluster_of_a_run_without_it_says_so(self):
        self.dedup(self.chain())
        self.assertFalse((self.folder / "out/provenance.jsonl").exists())
        refused = self.run_program("recluster", self.folder / "out", "--provenance", expect=support.USAGE)
        self.assertIn("holds a run without --provenance", refused.stderr)
        self.dedup(self.chain(), "--provenance", "--restart")
        refused = self.run_program("recluster", self.folder / "out", "--no-provenance", expect=support.USAGE)
        self.assertIn("holds a run with --provenance", refused.stderr)

    def test_statements_that_cannot_be_right(self):
        text = support.article(1, 8)
        records = [page("future", text, published("2031-01-01")),
                   page("early", text, published("1969-12-31")),
                   page("itself", text, '<meta name="source" content="itself.example">'),
                   page("elsewhere", text, '<meta name="source" content="The Morning Paper">'),
                   page("ring", text, '<link rel="canonical" href="http://round.example/page">'),
                   page("round", text, '<link rel="canonical" href="http://ring.example/page">'),
                   page("damaged", text, published("2010-99-99") + '<link rel="canonical" href="http://">')]
        self.dedup(records, "--provenance", "--min-characters", "50")
        lines = self.by_id()
        self.assertEqual({name: line.get("problems") for name, line in lines.items()},
                         {"future": ["date-in-future"], "early": ["date-before-web"], "itself": ["names-itself"],
                          "elsewhere": ["source-elsewhere"], "ring": ["sources-in-circle"],
                          "round": ["sources-in-circle"], "damaged": None})
        self.assertEqual(sum(line["is_first"] for line in lines.values()), 1)

    def canonical_pages(self):
        """The second page names the first one, and the third one names no page but has more text."""
        text = support.article(1, 8)
        return [page("first", text, '<link rel="canonical" href="http://first.example/page">'),
                page("second", text + support.article(2, 1), '<link rel="canonical" href="http://first.example/page">'),
                page("third", text + support.article(3, 2))]

    def test_canonical_addresses_are_evidence(self):
        self.dedup(self.canonical_pages(), "--provenance")
        matches = [json.loads(line) for line in (self.folder / "out/matches.jsonl").read_text().splitlines()]
        self.assertEqual({(row["id_a"], row["id_b"]): row.get("canonical") for row in matches},
                         {("first", "second"): "a", ("first", "third"): None, ("second", "third"): None})
        removed = [json.loads(line) for line in (self.folder / "out/removed.jsonl").read_text().splitlines()]
        self.assertEqual({row["id"]: (row["kept_id"], row.get("canonical")) for row in removed},
                         {"first": ("third", None), "second": ("third", None)})
        # Without statements nothing is said of them, and no page is a copy for its address alone.
        self.dedup(self.canonical_pages(), out="without")
        self.assertNotIn("canonical", (self.folder / "without/matches.jsonl").read_text())
        other = [page("first", support.article(5, 8)),
                 page("second", support.article(6, 8), '<link rel="canonical" href="http://first.example/page">')]
        self.dedup(other, "--provenance", out="other")
        self.assertEqual((self.folder / "other/matches.tsv").read_text(), "")

    def test_the_canonical_page_is_kept(self):
        self.dedup(self.canonical_pages(), "--provenance", "--keep", "canonical,longest")
        removed = [json.loads(line) for line in (self.folder / "out/removed.jsonl").read_text().splitlines()]
        self.assertEqual({row["id"]: (row["kept_id"], row["reason"], row.get("canonical")) for row in removed},
                         {"second": ("first", "canonical", "kept"), "third": ("first", "canonical", None)})
        # What pages state is read with them, so that other ranks need another run.
        self.run_program("recluster", self.folder / "out", "--keep", "longest", expect=support.USAGE)
        self.run_program("recluster", self.folder / "out", "--near", "0.9")
        refused = self.dedup(self.canonical_pages(), "--keep", "canonical,score:x:max", out="both",
                             expect=support.USAGE)
        self.assertIn("not both", refused.stderr)

    def test_an_index_keeps_what_pages_state(self):
        self.write("pages.jsonl", "".join(json.dumps(record) + "\n" for record in self.chain()))
        known = ["--data", self.folder / "known"]

        def answers(command, *arguments, **how):
            finished = self.run_program("index", command, *known, *arguments, **how)
            return [json.loads(line) for line in finished.stdout.splitlines()]

        answers("add", "--provenance", self.folder / "pages.jsonl")
        traced = answers("provenance", "third")[0]
        # The pages of the crawl came in another order than that of their publication.
        self.assertEqual({row["id"]: row["copied_from"] for row in traced["pages"]},
                         {"first": None, "second": "first", "third": "second"})
        self.assertEqual(answers("verify")[0]["findings"], [])
        self.dedup(self.chain(), "--provenance")
        for row, of_run in zip(traced["pages"], self.lines()):
            self.assertEqual({**row, "cluster": 1}, {**of_run, "cluster": 1})
        self.write("asked.html", support.html_of(support.article(1, 8)))
        for options, expected in (([], "first"), (["--published-from", "2010-01-02"], "second"),
                                  (["--source", "first.example"], "second"), (["--site", "third.example"], "third"),
                                  (["--published-until", "2009"], None)):
            found = answers("find", *options, self.folder / "asked.html")[0]
            self.assertEqual(found["matches"][0]["id"] if found["matches"] else None, expected, options)
            self.assertEqual(found["verdict"] == "new", expected is None)
        refused = self.run_program("index", "find", *known, "--published-from", "soon", self.folder / "asked.html",
                                   expect=support.USAGE)
        self.assertIn("published_from 'soon' is not a date", refused.stderr)
        # A run against an index adds what its pages state.
        self.dedup(self.chain(), "--provenance", "--index", self.folder / "other", out="next")
        finished = self.run_program("index", "export", "--data", self.folder / "other")
        stated = {row["id"]: row["stated"]["date"] for row in map(json.loads, finished.stdout.splitlines())}
        self.assertEqual(stated["alone"], "2009-03-01")

    def test_without_paragraphs_it_is_refused(self):
        refused = self.dedup(self.chain(), "--provenance", "--algorithm", "simhash", "--no-paragraphs", "--no-report",
                             "--no-evidence", expect=support.USAGE)
        self.assertIn("provenance compares sentences", refused.stderr)


class SimulatedChains(support.ProgramTest):
    def simulate(self, out, *options):
        self.write("pages.jsonl", b"".join(
            support.json_line(f"page{n}", support.html_of(support.article(n, 7), f"<title>Title {n}</title>"))
            for n in range(30)))
        self.run_program("simulate", self.folder / "pages.jsonl", "--out", self.folder / out, "--pages", 200, "--quiet",
                         *options)

    def test_copies_and_what_they_state(self):
        self.simulate("corpus", "--chain-share", "0.5", "--dated-share", "1", "--sourced-share", "0.5",
                      "--formula-share", "0")
        with open(self.folder / "corpus/copies.tsv", encoding="utf-8") as file:
            rows = {row["id"]: row for row in csv.DictReader(file, delimiter="\t")}
        self.assertEqual(len(rows), 200)
        copies = [row for row in rows.values() if row["copied_from"]]
        self.assertTrue(any(rows[row["copied_from"]]["copied_from"] for row in copies))
        for row in copies:
            parent = rows[row["copied_from"]]
            self.assertLess(parent["published"], row["published"])
            self.assertEqual(parent["original"], row["original"])
            self.assertIn(row["stated_source"], ("", row["copied_from"], row["original"], parent["stated_source"]))
            self.assertTrue(row["stated_date"])
        self.run_program("dedup", *sorted((self.folder / "corpus").glob("pages-*")), "--out", self.folder / "out",
                         "--provenance", "--no-report", "--no-records")
        lines = [json.loads(line) for line in (self.folder / "out/provenance.jsonl").read_text().splitlines()]
        stated = {line["id"]: line.get("date", "")[:10] for line in lines}
        self.assertGreater(len(stated), 50)
        self.assertEqual(stated, {name: rows[name]["stated_date"] for name in stated})

        def ancestors(name):
            while rows[name]["copied_from"]:
                name = rows[name]["copied_from"]
                yield name
        related = [(line["copied_from"] in ancestors(line["id"]), line["id"] in ancestors(line["copied_from"]))
                   for line in lines if line["copied_from"]]
        self.assertGreater(sum(right for right, _ in related), 20 * sum(reverse for _, reverse in related))

    def test_without_the_options_a_corpus_is_what_it_was(self):
        self.simulate("plain")
        self.assertFalse((self.folder / "plain/copies.tsv").exists())
        self.assertNotIn("chain_share", (self.folder / "plain/summary.json").read_text())


if __name__ == "__main__":
    support.main()
