#!/usr/bin/env python3
"""`paraprint vectors` end to end: training, import, lookup, and bad input.

usage: vectors_test.py PARAPRINT [unittest arguments]
Standard library only.
"""
import pathlib
import struct
import subprocess

import support
from support import ProgramTest, article, html_of, json_line

TRAINING = ("--quiet", "--dimension", 10, "--epochs", 1, "--min-count", 1)


class Vectors(ProgramTest):
    def train(self, name, *options, pages=None, expect=support.SUCCESS):
        pages = pages or self.write("pages.jsonl", b"".join(
            json_line(f"page{n}", html_of(article(n, 7))) for n in (1, 2, 3, 1)))
        return self.run_program("vectors", "train", pages, "--out", self.folder / name, *TRAINING, *options,
                                expect=expect)

    def info(self, name):
        lines = self.run_program("vectors", "info", self.folder / name).stdout.splitlines()
        return dict(line.strip().rsplit(None, 1) for line in lines)

    def fails(self, *arguments, says, expect=support.USAGE):
        before = sorted(path.name for path in self.folder.iterdir())
        finished = self.run_program("vectors", *arguments, expect=expect)
        self.assertIn(says, finished.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before, "something was left behind")

    def test_the_same_pages_give_the_same_model(self):
        self.train("first")
        self.train("second", "--threads", 1)
        self.train("other", "--seed", 2)
        first = (self.folder / "first").read_bytes()
        self.assertEqual(first, (self.folder / "second").read_bytes())
        self.assertNotEqual(first, (self.folder / "other").read_bytes())
        facts = self.info("first")
        self.assertEqual(facts["origin"], "skip-gram")
        self.assertEqual(facts["dimension"], "10")
        self.assertEqual(facts["bytes"], str(len(first)))
        self.assertNotEqual(facts["version"], self.info("other")["version"])

    def test_cbow_and_subwords(self):
        self.train("model", "--method", "cbow", "--subwords", "--subword-buckets", 1000)
        facts = self.info("model")
        self.assertEqual(facts["origin"], "cbow")
        self.assertIn("subwords", self.run_program("vectors", "info", self.folder / "model").stdout)

    def test_neighbours(self):
        model = self.write("model.vec", "4 2\nCar 1 0\nbus 0.9 0.1\ntree 0 1\n计算机 -1 0\n".encode())
        out = self.folder / "model"
        finished = self.run_program("vectors", "import", model, "--out", out)
        self.assertIn("4 words (1 with Han", finished.stderr)
        lines = self.run_program("vectors", "neighbours", out, "CAR", "--count", 2).stdout.splitlines()
        self.assertEqual([line.split("\t")[1] for line in lines], ["bus", "tree"])
        self.assertAlmostEqual(float(lines[0].split("\t")[0]), 0.9939, delta=0.005)
        self.fails("neighbours", out, "boat", says="contains no word 'boat'")

    def test_formats(self):
        numbers = struct.pack("<2f", 1, 2)
        binary = self.write("model.bin", b"2 2\ncar " + numbers + b"\nbus " + numbers + b"\n")
        glove = self.write("glove.txt", b"car 1 2\nbus 1 2\n")
        versions = set()
        for path in (binary, glove):
            self.run_program("vectors", "import", path, "--out", self.folder / "model", "--quiet")
            self.assertEqual(self.info("model")["words"], "2")
            versions.add(self.info("model")["version"])
        self.assertEqual(len(versions), 2, "the origin is a part of the version")

    def test_a_model_without_chinese_words_gives_a_warning(self):
        said = "the model has no Chinese words"
        for words, is_said in ((b"car 1 2\nbus 1 2\n", True), ("car 1 2\n电脑 1 2\n".encode(), False)):
            glove = self.write("glove.txt", words)
            finished = self.run_program("vectors", "import", glove, "--out", self.folder / "model")
            self.assertEqual(said in finished.stderr, is_said, finished.stderr)

    def test_bad_models(self):
        out = self.folder / "out"
        glove = self.write("glove.txt", b"car 1 2\nbus 1\n")
        self.fails("import", glove, "--out", out, says="glove.txt:2: expected 2 numbers, found 1",
                   expect=support.FAILURE)
        nan = self.write("nan.txt", b"car 1 nan\n")
        self.fails("import", nan, "--out", out, says="nan.txt:1: the vector contains infinity or NaN",
                   expect=support.FAILURE)
        cut = self.write("cut.bin", b"2 2\ncar " + struct.pack("<2f", 1, 2) + b"\nbus 12")
        self.fails("import", cut, "--out", out, says="cut.bin: at byte 21, word 2", expect=support.FAILURE)
        phrases = self.write("phrases.txt", b"new_york 1 2\n")
        self.fails("import", phrases, "--out", out, says="no usable words")
        packed = self.write("packed.gz", b"\x1f\x8b\x08")
        self.fails("import", packed, "--out", out, says="unpack it first")
        self.fails("import", self.folder / "none", "--out", out, says="none")
        self.fails("import", glove, "--out", out, "--format", "gensim", says="word2vec-text")
        self.fails("info", glove, says="vectors import")

    def test_messages_escape_control_characters(self):
        orders = b"\x1b[31m\xc2\x9b1m\xff\xe4\xb8\x8a"
        model = self.write("glove.txt", b"car 1 2\nbus 1 " + orders + b"\n")
        finished = subprocess.run([support.program, "vectors", "import", model, "--out", self.folder / "out"],
                                  capture_output=True)
        self.assertIn("glove.txt:2: '\\x1B[31m\\xC2\\x9B1m\\xFF上' is not a number", finished.stderr.decode())
        # U+009B in three and in four bytes, a surrogate, a value past the last one; then the smallest valid ones.
        for bad in (b"\xe0\x82\x9b", b"\xf0\x80\x82\x9b", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"):
            model = self.write("glove.txt", b"car 1 2\nbus 1 " + bad + b"\n")
            finished = subprocess.run([support.program, "vectors", "import", model, "--out", self.folder / "out"],
                                      capture_output=True)
            self.assertIn("".join(f"\\x{byte:02X}" for byte in bad), finished.stderr.decode())
        model = self.write("glove.txt", "car 1 2\nbus 1 \u0800\ud7ff\ue000\U00010000\U0010ffff\n".encode())
        finished = subprocess.run([support.program, "vectors", "import", model, "--out", self.folder / "out"],
                                  capture_output=True)
        self.assertIn("\u0800\ud7ff\ue000\U00010000\U0010ffff", finished.stderr.decode())

    def test_damaged_models_are_rejected(self):
        self.train("model")
        whole = (self.folder / "model").read_bytes()
        for name, damaged in (("cut", whole[:-200]), ("changed", whole[:3000] + b"?" + whole[3001:])):
            path = self.write(name, damaged)
            self.fails("info", path, says=str(path), expect=support.FAILURE)

    def test_an_earlier_model_is_kept_when_training_fails(self):
        self.train("model")
        whole = (self.folder / "model").read_bytes()
        empty = self.write("empty.jsonl", json_line("page", html_of([])))
        self.assertIn("no text", self.train("model", pages=empty, expect=support.USAGE).stderr)
        few = self.write("few.jsonl", json_line("page", html_of(article(5, 2))))
        said = self.train("model", "--min-count", 1000, pages=few, expect=support.USAGE).stderr
        self.assertIn("--min-count", said)
        self.train("model", "--dimension", 1, expect=support.USAGE)
        self.assertEqual((self.folder / "model").read_bytes(), whole)

    def test_unusable_output_is_reported_before_training(self):
        pages = self.write("pages.jsonl", json_line("page", html_of(article(1, 7))))
        self.train("model", pages=pages)
        out = self.folder / "none" / "out"
        for call in (("train", pages), ("reduce", self.folder / "model", pages)):
            finished = self.run_program("vectors", *call, "--out", out, expect=support.USAGE)
            self.assertIn("cannot create", finished.stderr)
            self.assertNotIn("read  ", finished.stderr)

    def test_inputs_are_not_replaced(self):
        pages = self.write("pages.jsonl", json_line("page", html_of(article(1, 7))))
        glove = self.write("glove.txt", b"car 1 2\nbus 1 2\n")
        self.train("model", pages=pages)
        model, link = self.folder / "model", self.folder / "link"
        link.symlink_to(pages)
        inputs = [pathlib.Path(path) for path in (pages, glove, model)]
        before = [path.read_bytes() for path in inputs]
        for call in (("train", pages, "--out", pages, *TRAINING), ("train", pages, "--out", link, *TRAINING),
                     ("import", glove, "--out", glove), ("reduce", model, pages, "--out", pages),
                     ("reduce", model, pages, "--out", model)):
            self.fails(*call, says="is an input; choose another --out")
        self.assertEqual([path.read_bytes() for path in inputs], before)
        self.assertTrue(link.is_symlink())

    def test_training_stops_on_request(self):
        pages = self.write("pages.jsonl", b"".join(json_line(f"page{n}", html_of(article(n, 7))) for n in range(20)))
        self.assert_stops("read", "vectors", "train", pages, "--out", self.folder / "model", "--min-count", 1,
                          "--epochs", 1000)

    def test_hashed_words_need_no_model(self):
        pages = self.write("pages.jsonl", b"".join(json_line(f"page{n}", html_of(article(n, 7))) for n in range(12)))
        out = self.folder / "hashed.reduction"
        self.run_program("vectors", "reduce", "hashed:64", pages, "--out", out, "--quiet")
        first = out.read_bytes()
        self.run_program("vectors", "reduce", "hashed:64", pages, "--out", out, "--threads", 1, "--quiet")
        self.assertEqual(first, out.read_bytes())

        edited = article(3, 7)
        edited[2] = article(99)[0]
        self.write("in/all.jsonl", b"".join([
            *(json_line(f"page{n}", html_of(article(n, 7))) for n in range(12)), json_line("edited", html_of(edited))]))
        dense = ("--synonyms", "dense", "--reduction", out)
        self.run_program("dedup", self.folder / "in", "--out", self.folder / "clean", "--no-report", *dense,
                         "--word-vectors", "hashed:64")
        removed = (self.folder / "clean/removed.jsonl").read_text().splitlines()
        self.assertEqual(len(removed), 1)
        self.assertIn('"page3"', removed[0])
        for vectors, further, says in (("hashed:63", (), "was not made with hashed:63"),
                                       ("hashed:8", (), "16 to 1024"),
                                       ("hashed:64", ("--word-hash", "blake2b"), "murmur3")):
            finished = self.run_program("dedup", self.folder / "in", "--out", self.folder / "none", *dense,
                                        "--word-vectors", vectors, *further, expect=support.USAGE)
            self.assertIn(says, finished.stderr)
        self.fails("reduce", "hashed:8", pages, "--out", self.folder / "none.reduction", says="16 to 1024")

    def test_dense_fingerprints(self):
        pages = self.write("pages.jsonl", b"".join(json_line(f"page{n}", html_of(article(n, 7))) for n in range(12)))
        self.train("model", pages=pages)
        model, out = self.folder / "model", self.folder / "reduction"
        finished = self.run_program("vectors", "reduce", model, pages, "--out", out)
        self.assertIn("components: ", finished.stderr)
        first = out.read_bytes()
        self.run_program("vectors", "reduce", model, pages, "--out", out, "--threads", 1, "--quiet")
        self.assertEqual(out.read_bytes(), first)
        options = ("--quiet", "--no-report", "--synonyms", "dense", "--word-vectors", model)
        said = self.run_program("dedup", pages, "--out", self.folder / "clean", *options, expect=support.USAGE).stderr
        self.assertIn("which needs principal components (reduction", said)
        copy = json_line("copy", html_of(article(3, 7)[:6]))
        twice = self.write("twice.jsonl", (self.folder / "pages.jsonl").read_bytes() + copy)
        self.run_program("dedup", twice, "--out", self.folder / "clean", *options, "--reduction", out)
        self.assertIn("synonyms=dense/", (self.folder / "clean" / "summary.json").read_text(encoding="utf-8"))
        self.assertIn("copy", (self.folder / "clean" / "clusters.tsv").read_text(encoding="utf-8"))

    def test_invalid_reductions_are_rejected(self):
        self.train("model")
        self.train("other", "--seed", 2)
        pages, out = self.folder / "pages.jsonl", self.folder / "reduction"
        self.fails("reduce", self.folder / "model", "--out", out, says="no input")
        self.fails("reduce", self.folder / "model", pages, says="(out)")
        self.fails("reduce", pages, pages, "--out", out, says="not a paraprint word vector model")
        self.fails("reduce", self.folder / "model", pages, "--out", out, "--components", 257, says="1 to 256")
        strange = self.write("strange.jsonl", json_line("page", html_of(["zzq " * 30])))
        self.fails("reduce", self.folder / "model", strange, "--out", out, says="two are needed")
        self.run_program("vectors", "reduce", self.folder / "other", pages, "--out", out)
        said = self.run_program("dedup", pages, "--out", self.folder / "clean", "--quiet", "--synonyms", "dense",
                                "--word-vectors", self.folder / "model", "--reduction", out,
                                expect=support.USAGE).stderr
        self.assertIn("vectors reduce", said)
        self.fails("info", out, says="not a paraprint word vector model")

    def test_broken_records_are_reported_and_skipped(self):
        pages = self.write("pages.jsonl", json_line("page", html_of(article(1, 7))) + b"{broken\n")
        finished = subprocess.run([support.program, "vectors", "train", pages, "--out", self.folder / "model",
                                   *map(str, TRAINING[1:])], capture_output=True, check=True, text=True)
        self.assertIn("pages.jsonl", finished.stderr)
        self.assertIn("train", finished.stderr)


if __name__ == "__main__":
    support.main()
