#!/usr/bin/env python3
"""--keep score:FIELD:max: the copy stays whose record has the largest number in a field.

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

    def test_forms_that_are_not_known(self):
        self.write_pages()
        for keep in ("score", "score:quality", "score:quality:best", "score:a:max,score:b:max"):
            self.assertIn("score:", self.dedup("--keep", keep, expect=support.USAGE).stderr)


if __name__ == "__main__":
    support.main()
