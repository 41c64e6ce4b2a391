#!/usr/bin/env python3
"""--keep score:FIELD:max and --keep original: the copy stays whose record has the largest number in a field, or that
was published first by what the pages say.

usage: keep_score_test.py PARAPRINT [unittest arguments]
"""
import json

import support


class KeepScore(support.ProgramTest):
    def write_pages(self):
        paragraphs, other = support.article(1), support.article(2)
        records = [{"id": "long", "html": support.html_of(paragraphs), "quality": 0.25},
                   {"id": "good", "html": support.html_of(paragraphs[:-1]), "quality": 0.5},
                   {"id": "unknown", "html": support.html_of(paragraphs)},
                   {"id": "text", "html": support.html_of(other), "quality": "0.9"},
                   {"id": "least", "html": support.html_of(other), "quality": -1e300}]
        self.write("pages.jsonl", "".join(json.dumps(record) + "\n" for record in records))

    def dedup(self, *options, **how):
        return self.run_program("dedup", self.folder / "pages.jsonl", "--out", self.folder / "out", "--threads", "1",
                                *options, **how)

    def removed(self):
        lines = (self.folder / "out/removed.jsonl").read_text().splitlines()
        return {row["id"]: (row["kept_id"], row["reason"]) for row in map(json.loads, lines)}

    def test_the_best_record_stays(self):
        self.write_pages()
        self.dedup("--keep", "score:quality:max,longest")
        self.assertEqual(self.removed(), {"long": ("good", "score"), "unknown": ("good", "score"),
                                          "text": ("least", "score")})
        summary = json.loads((self.folder / "out/summary.json").read_text())
        self.assertIn('"without_score": 2', json.dumps(summary))
        self.assertIn('"wrong-field-type"', json.dumps(summary))
        # The log of the run has this field, so that another direction needs no reading, but another field does.
        self.run_program("recluster", self.folder / "out", "--keep", "score:quality:min")
        self.assertEqual(self.removed(), {"good": ("long", "score"), "unknown": ("long", "score"),
                                          "text": ("least", "score")})
        refused = self.run_program("recluster", self.folder / "out", "--keep", "score:rank:min", expect=support.USAGE)
        self.assertIn("other inputs or settings", refused.stderr)

    def test_a_field_that_no_record_has_ends_the_run(self):
        self.write_pages()
        done = self.dedup("--keep", "score:qualty:max", expect=support.USAGE)
        self.assertIn('none of 5 pages has a number in a field "qualty"', done.stderr)
        self.assertFalse((self.folder / "out/records").exists())

    def test_the_original_stays(self):
        """Each page is longer than the ones before it, so that the default would keep the last."""
        text = support.article(1)
        heads = {"original": "<p>Posted on January 7, 2008</p>", "later": "<p>2008-01-09 10:25</p>", "undated": "",
                 "sourced": "<p>2008-01-06 来源：新华网</p>"}
        records = []
        for number, (name, byline) in enumerate(heads.items()):
            body = "".join(f"<p>{paragraph}</p>" for paragraph in text + [f"Printed {'again ' * number}here."])
            html = f"<html><head><title>Heading</title></head><body><h1>Heading</h1>{byline}{body}</body></html>"
            records.append({"id": name, "html": html, "url": f"http://{name}.example/"})
        other = {"id": "other", "html": support.html_of(support.article(2)), "url": "http://other.example/"}
        for records_in_order in (records + [other], [other] + records[::-1]):
            self.write("pages.jsonl", "".join(json.dumps(record) + "\n" for record in records_in_order))
            self.dedup("--keep", "original,longest", "--restart")
            self.assertEqual(self.removed(), {"later": ("original", "original"), "undated": ("original", "original"),
                                              "sourced": ("original", "original")})
        counters = json.dumps(json.loads((self.folder / "out/summary.json").read_text()))
        self.assertIn('"pages_with_date": 3', counters)
        self.assertIn('"pages_with_source": 1', counters)
        # What the pages say was read with them: another criterion beside it needs no reading, no criterion does.
        self.run_program("recluster", self.folder / "out", "--keep", "host,original", "--prefer-host", "later.example")
        self.assertEqual({kept for kept, _ in self.removed().values()}, {"later"})
        refused = self.run_program("recluster", self.folder / "out", "--keep", "longest", expect=support.USAGE)
        self.assertIn("other inputs or settings", refused.stderr)
        self.dedup("--keep", "original,score:quality:max", expect=support.USAGE)

    def test_forms_that_are_not_known(self):
        self.write_pages()
        for keep in ("score", "score:quality", "score:quality:best", "score:a:max,score:b:max"):
            self.assertIn("score:", self.dedup("--keep", keep, expect=support.USAGE).stderr)


if __name__ == "__main__":
    support.main()
