#!/usr/bin/env python3
"""paraprint contaminated: items of benchmarks in documents, word for word, with edits and in part.

usage: contaminated_test.py PARAPRINT [unittest arguments]
"""
import gzip
import json
import pathlib
import random

import support

QUESTION = "What is the capital of France, and on which river does that ancient city lie?"
PASSAGE = ("The committee that planned the new harbour met eleven times before the winter, and every one of its "
           "members had another opinion about where the breakwater should begin, how long it would have to be to "
           "protect the fishing boats, and who was going to pay for the repairs of the old lighthouse on the northern "
           "pier.")
CHINESE = ("在冬天到来之前，规划新港口的委员会一共开了十一次会，"
           "每位委员对防波堤应该从哪里开始、需要修多长都有不同的意见。")


def rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


class Contaminated(support.ProgramTest):
    def write_lines(self, name, records):
        lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        return self.write(name, gzip.compress(lines.encode()) if name.endswith(".gz") else lines)

    def search(self, *options, out="out", **how):
        return self.run_program("contaminated", self.folder / "corpus.jsonl", "--out", self.folder / out, "--against",
                                self.folder / "items.jsonl", *options, **how)

    def write_example(self):
        other = support.article(5, 8)
        words = PASSAGE.split()
        self.write_lines("corpus.jsonl", [
            {"id": "clean", "text": "\n".join(other[:4])},
            {"id": "edited", "text": "\n".join([other[0], "Well: so what WAS the capital of France and on which river "
                                                          "does that ancient city lie today? Nobody knew.", other[1]])},
            {"id": "exact", "html": support.html_of([other[2], PASSAGE.upper(), other[3]])},
            {"id": "part", "text": "\n".join([other[4], " ".join(words[:38]), other[5]])},
            {"id": "chinese", "text": other[6] + "\n" + CHINESE.replace("规划", "規劃").replace("委员会", "委員會")},
            {"id": "little", "text": other[7] + "\n" + " ".join(words[:8])},
        ])
        self.write_lines("items.jsonl", [
            {"id": "question", "question": QUESTION},
            {"id": "passage", "text": PASSAGE, "question": "not read"},
            {"id": "chinese", "problem": CHINESE},
            {"id": "short", "question": "Who pays for it?"},
            {"id": "again", "prompt": PASSAGE.lower().replace(",", "")},
            {"id": "none", "answer": "This line has no field of an item."},
        ])

    def test_finds_and_where_they_are(self):
        self.write_example()
        done = self.search()
        self.assertIn("6 documents: 2 hold an item word for word, 1 with edits, 1 in part", done.stderr)
        self.assertIn("5 items: 4 found, 0 of them in part; 1 are too short to be looked for", done.stderr)
        summary = json.loads((self.folder / "out/summary.json").read_text())
        self.assertEqual(summary["broken"][0]["kind"], "missing-field")
        self.assertIn("line 6: no text in any of the fields text, question",
                      summary["broken"][0]["examples"][0]["message"])
        found = {(row["id"], row["item"]): row for row in rows(self.folder / "out/contaminated.jsonl")}
        self.assertEqual({pair: row["verdict"] for pair, row in found.items()},
                         {("edited", "question"): "whole", ("exact", "passage"): "exact", ("part", "passage"): "part",
                          ("chinese", "chinese"): "exact"})
        # The worked example of docs/algorithms/contamination.md.
        edited = found["edited", "question"]
        self.assertEqual((edited["words"], edited["share"], edited["passage_score"]), (14, 0.9797, 10.8))
        texts = {}
        for line in self.run_program("extract", self.folder / "corpus.jsonl").stdout.splitlines():
            texts[json.loads(line)["id"]] = json.loads(line)["text"].encode()
        items = {row["item"]: row["text"].encode() for row in rows(self.folder / "out/items.jsonl")}

        def pieces(text, spans):
            return [text[begin:end].decode() for begin, end in spans]

        self.assertEqual(pieces(texts["edited"], edited["spans"]),
                         ["what WAS the capital of France and on which river does that ancient city lie"])
        self.assertEqual(pieces(items["question"], edited["item_spans"]), [QUESTION[:-1]])
        exact = found["exact", "passage"]
        self.assertEqual(pieces(texts["exact"], exact["spans"]), [PASSAGE.upper()[:-1]])
        self.assertEqual(pieces(items["passage"], found["part", "passage"]["item_spans"]),
                         [" ".join(PASSAGE.split()[:38])])
        chinese = found["chinese", "chinese"]
        self.assertEqual(pieces(items["chinese"], chinese["item_spans"]), [CHINESE[:-1]])
        of_item = {row["item"]: row for row in rows(self.folder / "out/items.jsonl")}
        self.assertEqual(of_item["again"]["same_as"], "passage")
        for name in ("passage", "again"):
            counts = [of_item[name][f"documents_{kind}"] for kind in ("exact", "whole", "part")]
            self.assertEqual(counts, [1, 0, 1])
        self.assertTrue(of_item["short"]["too_short"])
        report = (self.folder / "out/report.html").read_text("utf-8")
        self.assertIn("<mark>what WAS the capital of France", report)

    def test_documents_without_an_item(self):
        self.write_example()
        self.search("--records")
        self.assertEqual([row["id"] for row in rows(self.folder / "out/records/corpus.jsonl")], ["clean", "little"])
        self.search("--records", "--keep-parts")
        self.assertEqual([row["id"] for row in rows(self.folder / "out/records/corpus.jsonl")],
                         ["clean", "part", "little"])
        self.search("--no-report")
        self.assertFalse((self.folder / "out/report.html").exists())
        self.assertFalse((self.folder / "out/records").exists())
        summary = json.loads((self.folder / "out/summary.json").read_text())
        self.assertEqual(summary["command"], "contaminated")
        self.assertEqual(summary["counters"]["documents"]["finds"], 4)
        self.assertEqual(summary["broken"][0]["kind"], "missing-field")

    def test_passages_that_many_documents_have(self):
        words = PASSAGE.split()
        half, other = " ".join(words[:30]), " ".join(words[30:])
        documents = [{"id": f"idiom-{number}", "text": "\n".join([*support.article(number, 2), half])}
                     for number in range(11)]
        documents.insert(4, {"id": "part", "text": "\n".join([*support.article(40, 2), other])})
        documents.insert(2, {"id": "exact", "text": "\n".join([*support.article(41, 2), PASSAGE])})
        self.write_lines("corpus.jsonl", documents)
        self.write_lines("items.jsonl", [{"id": "passage", "text": PASSAGE}, {"id": "again", "text": PASSAGE.upper()}])
        done = self.search("--records")
        self.assertIn("11 parts were left out: more than 10 documents have these passages; see documents_common",
                      done.stderr)
        found = {row["id"]: row["verdict"] for row in rows(self.folder / "out/contaminated.jsonl")}
        self.assertEqual(found, {"exact": "exact", "part": "part"})
        for item in rows(self.folder / "out/items.jsonl"):
            counts = [item[f"documents_{kind}"] for kind in ("exact", "whole", "part", "common")]
            self.assertEqual(counts, [1, 0, 1, 11])
        self.assertEqual([row["id"] for row in rows(self.folder / "out/records/corpus.jsonl")],
                         [f"idiom-{number}" for number in range(11)])
        documents_counted = json.loads((self.folder / "out/summary.json").read_text())["counters"]["documents"]
        self.assertEqual((documents_counted["finds"], documents_counted["common_finds"]), (2, 11))
        report = (self.folder / "out/report.html").read_text("utf-8")
        self.assertIn("part", report)
        self.assertNotIn("idiom-", report)
        # The same bytes whatever the threads and the order of the files; without a limit, all are found.
        for name, part in (("a", documents[:5]), ("b", documents[5:])):
            self.write_lines(f"{name}.jsonl", part)
        names = ("items.jsonl", "report.html")
        first = [(self.folder / "out" / name).read_bytes() for name in names]
        for threads in ("1", "4"):
            self.run_program("contaminated", self.folder / "a.jsonl", self.folder / "b.jsonl", "--threads", threads,
                             "--out", self.folder / threads, "--against", self.folder / "items.jsonl")
            self.assertEqual([(self.folder / threads / name).read_bytes() for name in names], first)
        for limit in ("0", "11"):
            done = self.search("--passage-documents", limit)
            self.assertNotIn("left out", done.stderr)
            self.assertEqual(len(rows(self.folder / "out/contaminated.jsonl")), 13)

    def test_fields_of_items(self):
        self.write_lines("corpus.jsonl", [{"id": "x", "text": " ".join(PASSAGE.split()[:30])}])
        words = PASSAGE.split()
        self.write_lines("items.jsonl", [
            {"id": 7, "question": " ".join(words[:10]), "choices": {"text": [" ".join(words[20:30]),
                                                                            " ".join(words[10:20])], "label": [1]}},
        ])
        self.search("--item-fields", "question,choices", "--whole", "0.6")
        (row,) = rows(self.folder / "out/contaminated.jsonl")
        self.assertEqual((row["item"], row["verdict"]), ("7", "whole"))
        done = self.search("--item-fields", "prompt", expect=support.USAGE)
        self.assertIn("no item was found in the benchmarks; name the fields", done.stderr)

    def test_any_number_of_threads_gives_the_same_bytes(self):
        draw = random.Random(4)
        sentences = [sentence for seed in range(40) for sentence in support.article(seed, 3)]
        documents = [{"id": str(number), "text": "\n".join(draw.sample(sentences, 9))} for number in range(400)]
        self.write_lines("corpus.jsonl", documents)
        self.write_lines("items.jsonl", [{"id": str(number), "text": sentence}
                                         for number, sentence in enumerate(sentences[::3])])
        for threads in ("1", "2", "5"):
            self.search("--threads", threads, "--records", out=threads)
        for name in ("contaminated.jsonl", "items.jsonl", "report.html", "summary.json", "records/corpus.jsonl"):
            first = (self.folder / "1" / name).read_bytes()
            self.assertTrue(first)
            for threads in ("2", "5"):
                self.assertEqual((self.folder / threads / name).read_bytes(), first, name)
        found = {(row["id"], row["item"]) for row in rows(self.folder / "1/contaminated.jsonl")}
        wanted = {(document["id"], str(number)) for document in documents
                  for number, sentence in enumerate(sentences[::3]) if sentence in document["text"]}
        self.assertGreater(len(wanted), 500)
        self.assertEqual(found, wanted)

    def test_archives_and_pages_as_items(self):
        body = support.html_of([*support.article(3, 2), PASSAGE, *support.article(4, 2)]).encode()
        self.write("crawl.warc", support.page_record("a", "http://a.example/", body) +
                   support.page_record("b", "http://b.example/", support.html_of(support.article(9, 4)).encode()))
        self.write("item.html", support.html_of([PASSAGE]))
        self.run_program("contaminated", self.folder / "crawl.warc", "--against", self.folder / "item.html", "--out",
                         self.folder / "out", "--records")
        (row,) = rows(self.folder / "out/contaminated.jsonl")
        self.assertEqual((row["url"], row["verdict"]), ("http://a.example/", "exact"))
        written = (self.folder / "out/records/crawl.warc").read_bytes()
        self.assertNotIn(b"urn:test:a", written)
        self.assertIn(b"urn:test:b", written)

    def test_what_cannot_be_read(self):
        self.write("corpus.jsonl", b'{"id":"x","text":"' + PASSAGE.encode() + b'"}\n{"id":"y"}\nnonsense\n')
        self.write("items.jsonl", b'nonsense\n{"text": 5}\n{"text":""}\n{"text":"' + PASSAGE.encode() + b'"}\n[1]\n')
        done = self.search()
        self.assertEqual(len(rows(self.folder / "out/contaminated.jsonl")), 1)
        self.assertIn("6 broken records were counted", done.stderr)
        done = self.run_program("contaminated", self.folder / "corpus.jsonl", "--out", self.folder / "other",
                                "--against", self.folder / "missing.jsonl", expect=support.USAGE)
        self.assertIn("missing.jsonl", done.stderr)
        self.assertFalse((self.folder / "other").exists())
        self.run_program("dedup", self.folder / "corpus.jsonl", "--out", self.folder / "dedup")
        done = self.search(out="dedup", expect=support.USAGE)
        self.assertIn("holds another run", done.stderr)
    def test_files_of_others_stay(self):
        self.write_example()
        items = self.folder / "items.jsonl"
        before = items.read_bytes()
        done = self.search(out=".", expect=support.USAGE)
        self.assertIn("choose another --out", done.stderr)
        self.search()
        for name in ("items.jsonl", "contaminated.jsonl"):
            (self.folder / "theirs").mkdir(exist_ok=True)
            (self.folder / "theirs" / name).write_text("theirs")
            done = self.search(out="theirs", expect=support.USAGE)
            self.assertIn(f"holds {name}, which no run has written there", done.stderr)
            self.assertEqual([path.name for path in (self.folder / "theirs").iterdir()], [name])
            (self.folder / "theirs" / name).unlink()
        # The output of a run may be replaced, unless the benchmark is in it.
        self.search()
        done = self.run_program("contaminated", self.folder / "corpus.jsonl", "--out", self.folder / "out", "--against",
                                self.folder / "out/items.jsonl", expect=support.USAGE)
        self.assertIn("choose another --out", done.stderr)
        self.assertEqual(items.read_bytes(), before)
        # Whatever it is called, and as a folder in which the output would be.
        kept = pathlib.Path(self.write("out/records/x.jsonl", before))
        for against, out in ((kept, "out"), (self.folder / "out", "out"), (self.folder, "new")):
            done = self.run_program("contaminated", self.folder / "corpus.jsonl", "--out", self.folder / out,
                                    "--against", against, expect=support.USAGE)
            self.assertIn("choose another --out", done.stderr)
            self.assertEqual(kept.read_bytes(), before)

    def test_output_of_other_runs_stays(self):
        self.write_example()
        for sign in (".paraprint-divided", ".paraprint/state/x", ".paraprint/pages.log"):
            with self.subTest(sign):
                out = self.folder / sign.strip(".").replace("/", "-")
                kept = [pathlib.Path(self.write(out / name, b"theirs"))
                        for name in (sign, "records/a.jsonl", "metrics.json")]
                self.assertIn("another --out", self.search(out=out.name, expect=support.USAGE).stderr)
                self.assertEqual([path.read_bytes() for path in kept], [b"theirs"] * 3)

    def test_standard_input_is_read_again(self):
        self.write_example()
        for text, found in ((QUESTION, ["question"]), (PASSAGE, ["passage"]), ("Nothing.", [])):
            line = json.dumps({"id": "one", "text": "\n".join([*support.article(3, 2), text])}) + "\n"
            self.run_program("contaminated", "-", "--out", self.folder / "out", "--against",
                             self.folder / "items.jsonl", stdin=line.encode())
            self.assertEqual([row["item"] for row in rows(self.folder / "out/contaminated.jsonl")], found)

    def test_options_are_checked(self):
        self.write_example()
        for options, message in ((("--whole", "0"), "whole"), (("--passage-score", "0"), "passage_score")):
            self.assertIn(message, self.search(*options, expect=support.USAGE).stderr)


if __name__ == "__main__":
    support.main()
