#!/usr/bin/env python3
"""The MapReduce jobs of docs/mapreduce.md give the tables of `paraprint dedup`, byte for byte.

usage: mapreduce_test.py PARAPRINT MAPREDUCE_STAGE RUN_LOCAL [unittest arguments]
"""
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

import support
from support import ProgramTest, article, html_of, json_line

TABLES = ("clusters.tsv", "matches.tsv", "removed.jsonl")


# Mapper and reducer of a word count. A line is "partition TAB word TAB count".
WORD_COUNT = """import collections, sys
counts = collections.Counter()
for line in sys.stdin:
    if sys.argv[1] == "map":
        for word in line.split():
            print(ord(word[0]), word, 1, sep="\\t")
    else:
        _, word, count = line.split("\\t")
        counts[word] += int(count)
for word, count in counts.items():
    print(word, count)
"""


class MapReduce(ProgramTest):
    def pages(self, crawl, seeds):
        lines = []
        footer = [f"This is the footer that every page of {crawl} has in common with all the other pages."]
        for seed in seeds:
            text = article(seed)
            if seed % 3 == 0:
                text[1] = article(1000 + seed)[0]
            if seed % 4 == 0:
                text = [sentence.replace(" the ", " that ") for sentence in text]
            lines.append(json_line(f"{crawl}-{seed}", html_of(text + footer), f"http://{crawl}.example/{seed}"))
        return b"".join(lines)

    def run_jobs(self, *arguments, expect=0):
        finished = subprocess.run([sys.executable, "-B", RUN_LOCAL, STAGE, *map(str, arguments)], capture_output=True,
                                  timeout=600)
        self.assertEqual(finished.returncode, expect, finished.stderr.decode()[-3000:])
        return finished.stderr.decode()

    def test_same_bytes_for_any_number_of_tasks(self):
        self.write("in/one.jsonl", self.pages("one", range(40)))
        self.write("in/two.jsonl", self.pages("two", range(20, 60)) + b"{broken\n")
        self.write("in/page.html", html_of(article(7)))
        inputs = self.folder / "in"
        for number, options in enumerate(((), ("near=0.8", "candidate_bits=3", "boilerplate=off"))):
            plain = [part for option in options for part in self.as_arguments(option)]
            single = self.folder / f"single-{number}"
            self.run_program("dedup", inputs, "--out", single, "--no-report", *plain)
            self.assertGreater(len((single / "removed.jsonl").read_text().splitlines()), 10)
            for tasks in (1, 3, 7):
                out = self.folder / f"jobs-{number}-{tasks}"
                self.run_jobs(inputs, *options, "--out", out, "--tasks", tasks)
                for name in TABLES:
                    self.assertEqual((out / name).read_bytes(), (single / name).read_bytes(), (name, tasks, options))
                self.assertEqual(sorted(path.name for path in out.iterdir()), sorted(TABLES))

    @staticmethod
    def as_arguments(option):
        name, value = option.split("=")
        name = name.replace("_", "-")
        return [f"--no-{name}"] if value == "off" else [f"--{name}", value]

    def test_local_runner_counts_words(self):
        """The example that MapReduce is explained with: the mappers' lines meet in the reducers by their keys."""
        program = self.folder / "count_words"
        program.write_text(f"#!{sys.executable}\n" + WORD_COUNT)
        program.chmod(0o755)
        specification = importlib.util.spec_from_file_location("run_local", RUN_LOCAL)
        run_local = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(run_local)
        for text, expected in (("a b a\n", ["a 2", "b 1"]), ("a\nb\na\n", ["a 2", "b 1"]), ("", [])):
            for tasks in (1, 3):
                folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
                jobs = run_local.Jobs(str(program), folder, tasks, [], [])
                (folder / "text").write_text(text)
                counts = jobs.reduce("reduce", jobs.map("map", folder / "text"))
                self.assertEqual(sorted(pathlib.Path(counts).read_text().splitlines()), expected)

    def test_failures_are_named(self):
        page = self.write("in/page.html", html_of(article(7)))
        self.assertIn("no-such-file", self.run_jobs(self.folder / "no-such-file", "--out", self.folder / "a", expect=1))
        self.assertIn("near", self.run_jobs(page, "near=7", "--out", self.folder / "b", expect=1))
        other = self.run_jobs(page, "algorithm=minhash", "--out", self.folder / "c", expect=1)
        self.assertIn("algorithm=minhash: these jobs are those of the paragraph method", other)
        self.assertIn("exists", self.run_jobs(page, "--out", self.folder / "in", expect=1))
        for command, line, word in (("reduce-exact", b"0\texact\tzz\n", "hexadecimal"),
                                    ("reduce-exact", b"0\n", "fields"), ("map-pages", b"", "usage")):
            finished = subprocess.run([STAGE, command, "tasks=1", f"scratch={self.folder}", f"tables={page}"],
                                      input=line, capture_output=True, timeout=60)
            self.assertEqual(finished.returncode, 1)
            self.assertIn(word if command != "reduce-exact" else "mapreduce_stage", finished.stderr.decode())


if __name__ == "__main__":
    STAGE, RUN_LOCAL = (str(pathlib.Path(path).resolve()) for path in sys.argv[2:4])
    del sys.argv[2:4]
    support.main()
