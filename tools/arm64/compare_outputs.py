#!/usr/bin/env python3
"""Runs the same commands with the paraprint of this processor and with that of another one under an emulator, and
compares every byte that they print and write.

usage: compare_outputs.py FOLDER NATIVE_PROGRAM FOREIGN_PROGRAM EMULATOR [ARGUMENT ...]

FOLDER is created; it gets one work folder per processor, in which the commands run with the same relative paths. Ends
with code 1 at the first difference and names file and offset. Not compared, because they hold times or speeds:
timing.json; the members first_seen and last_seen of answers; the table that eval prints and shows in its report, whose
other figures are in results.csv; and the files of an index, because RocksDB writes times and its process into them:
their contents are compared as answers, in both directions.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
MODELS = "models"
# Trained on one side and used on both: fastText, as Debian builds it, fuses multiplications and additions on arm64.
WORDS = f"{MODELS}/words"
REDUCTION, TOPICS = f"{MODELS}/reduction", f"{MODELS}/topics"
INDEXES = ("known-amd64", "known-arm64")
# Figures of speed are among theirs.
TIMED_FILES = ("scores/report/index.html", "presets/report/index.html")
TIMES = re.compile(rb'"(first_seen|last_seen)":[0-9]+')


class Side:
    """One of the two programs, with its work folder and the processor time that it took."""

    def __init__(self, name, folder, command):
        self.name, self.folder, self.command, self.seconds = name, folder, command, 0.0
        folder.mkdir(parents=True)

    def run(self, arguments):
        begin = time.monotonic()
        done = subprocess.run([*self.command, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, check=False)
        self.seconds += time.monotonic() - begin
        return done


class Comparison:
    def __init__(self, native, foreign):
        self.native, self.foreign = native, foreign
        self.commands = self.files = self.bytes = 0

    def fail(self, message):
        print(f"compare_outputs.py: FAILED after {self.commands} commands: {message}", file=sys.stderr)
        sys.exit(1)

    def compare_bytes(self, what, a, b):
        if a != b:
            offset = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            near = slice(max(0, offset - 60), offset + 60)
            self.fail(f"{what} differs at offset {offset} ({len(a)} and {len(b)} bytes)\n"
                      f"  {self.native.name}: {a[near]!r}\n  {self.foreign.name}: {b[near]!r}")
        self.bytes += len(a)

    def run(self, *arguments, code=0, prints_times=False):
        """The same command on both sides: exit code, standard output and standard error are compared."""
        line = " ".join(arguments)
        a, b = (side.run(arguments) for side in (self.native, self.foreign))
        for side, done in ((self.native, a), (self.foreign, b)):
            if done.returncode != code:
                self.fail(f"{side.name}: exit code {done.returncode} instead of {code}: {line}\n"
                          f"{done.stderr.decode(errors='replace')[-2000:]}")
        if not prints_times:
            self.compare_bytes(f"standard output of {line}", TIMES.sub(rb"", a.stdout),
                               TIMES.sub(rb"", b.stdout))
        self.compare_bytes(f"standard error of {line}", a.stderr, b.stderr)
        self.commands += 1
        return a.stdout

    def compare_trees(self):
        """All files below the work folders, under the same names."""
        def names(side):
            return sorted(str(path.relative_to(side.folder)) for path in side.folder.rglob("*")
                          if path.is_file() and path.name != "timing.json"
                          and path.relative_to(side.folder).parts[0] not in INDEXES
                          and str(path.relative_to(side.folder)) not in TIMED_FILES)
        a, b = names(self.native), names(self.foreign)
        if a != b:
            self.fail(f"only one of both wrote {sorted(set(a) ^ set(b))[:10]}")
        for name in a:
            self.compare_bytes(name, *((side.folder / name).read_bytes() for side in (self.native, self.foreign)))
        self.files = len(a)


def pin_times(side):
    """The log of a run has the times of its input files."""
    for path in side.folder.rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))


def prepare_inputs(side):
    """The demo crawl, and the golden pages under their own names: two languages and more charsets."""
    shutil.copytree(SOURCE / "examples/demo-crawl", side.folder / "crawl", ignore=shutil.ignore_patterns("articles"))
    (side.folder / "pages").mkdir()
    for page in sorted((SOURCE / "tests/golden/pages").glob("*/page.*")):
        shutil.copy(page, side.folder / "pages" / f"{page.parent.name}{page.suffix}")
    pin_times(side)


def profile_and_extract(comparison, algorithms):
    inputs = ["crawl", "pages"]
    for extractor in ("learned-dom", "weighted-dom", "whole-page"):
        comparison.run("extract", *inputs, "--extractor", extractor)
        comparison.run("profile", *inputs, "--extractor", extractor, "--bytes")
    for options in (["--paragraph-words", "long"], ["--word-hash", "blake2b"], ["--no-fold-traditional"],
                    ["--part-of-speech"], ["--structure-share", "0.3"], ["--relevance", "page-and-paragraph"],
                    ["--synonyms", "list"], ["--anchors", "5", "--simhash-words", "2"]):
        comparison.run("profile", *inputs, "--bytes", *options)
    for algorithm in algorithms:
        comparison.run("profile", *inputs, "--algorithm", algorithm)


def deduplicate(comparison):
    inputs = ["crawl/first.warc.gz", "crawl/second.warc.gz", "crawl/third.warc.gz", "crawl/odd.warc.gz"]
    for name, options in {
        "default": ["--revisits", "--cdx", "cdxj"],
        "one-thread": ["--threads", "1", "--cdx", "cdx11", "--payloads"],
        "corpus-idf": ["--idf", "corpus", "--candidate-bits", "12", "--paragraph-bits", "32"],
        "aligned": ["--align-words", "--synonyms", "list", "--near", "0.3"],
        "minhash": ["--algorithm", "minhash:permutations=256"],
        "connected": ["--clusters", "connected", "--remove-contained", "--keep", "earliest,shortest-url"],
        "weighted": ["--list-weight", "0.3", "--after-heading-weight", "1.7", "--opening-weight", "2.3"],
    }.items():
        comparison.run("dedup", *inputs, "--quiet", "--out", f"dedup-{name}", *options)
    comparison.run("recluster", "dedup-default", "--near", "0.8", "--quiet")
    pages = sorted(path.name for path in (comparison.native.folder / "pages").iterdir())
    for a, b in zip(pages, pages[1:]):
        comparison.run("compare", f"pages/{a}", f"pages/{b}", "--json", code=2 if "empty.html" in (a, b) else 0)
    comparison.run("compare", "pages/article-zh.html", "pages/mixed-zh-en.html", "--html", "pair.html")


def judge_copies(comparison):
    """All algorithms on simulated copies: the scores of every pair, and the figures made of them."""
    comparison.run("simulate", "crawl", "--out", "simulated", "--pages", "150", "--seed", "7", "--texts", "--quiet")
    for side in (comparison.native, comparison.foreign):
        pin_times(side)
    comparison.run("dedup", "simulated", "--quiet", "--out", "dedup-simulated")
    comparison.run("eval", "simulated", "--algorithms", "all", "--write-pairs", "--out", "scores", "--quiet",
                   prints_times=True)
    comparison.run("eval", "simulated", "--algorithms", "presets", "--write-pairs", "--out", "presets", "--quiet",
                   prints_times=True)


def apply_models(comparison):
    inputs = ["crawl", "simulated"]
    native, foreign = comparison.native, comparison.foreign
    for side in (native, foreign):
        (side.folder / MODELS).mkdir()
    training = ["vectors", "train", *inputs, "--out", WORDS, "--dimension", "24", "--min-count", "2", "--quiet"]
    done = native.run(training)
    if done.returncode != 0:
        comparison.fail(f"{' '.join(training)}: {done.stderr.decode(errors='replace')}")
    shutil.copy(native.folder / WORDS, foreign.folder / WORDS)
    comparison.run("vectors", "reduce", WORDS, *inputs, "--out", REDUCTION, "--quiet")
    comparison.run("topics", "train", *inputs, "--out", TOPICS, "--topics", "12", "--min-pages", "2", "--quiet")
    for word in ("的", "water", "公司"):
        comparison.run("vectors", "neighbours", WORDS, word, "--count", "50")
    comparison.run("vectors", "info", WORDS)
    comparison.run("topics", "show", TOPICS, "--words", "50")
    comparison.run("topics", "infer", TOPICS, *inputs, "--topics", "12")
    comparison.run("profile", *inputs, "--bytes", "--relevance", "topics", "--topic-model", TOPICS)
    for mode in ("map", "soft"):
        comparison.run("profile", *inputs, "--bytes", "--synonyms", mode, "--word-vectors", WORDS)
    comparison.run("profile", *inputs, "--bytes", "--synonyms", "dense", "--word-vectors", WORDS,
                   "--reduction", REDUCTION)


def exchange_indexes(comparison):
    """An index per processor with the same pages; then each opens the one that the other made."""
    for side, name in zip((comparison.native, comparison.foreign), INDEXES):
        for archive in ("first", "third"):
            done = side.run(["index", "add", "--data", name, f"crawl/{archive}.warc.gz", "--quiet"])
            if done.returncode != 0:
                comparison.fail(f"{side.name}: index add: {done.stderr.decode(errors='replace')}")
    for name, maker, user in ((INDEXES[0], comparison.native, comparison.foreign),
                              (INDEXES[1], comparison.foreign, comparison.native)):
        shutil.copytree(maker.folder / name, user.folder / name)
    answers = []
    for name in INDEXES:
        data = ["--data", name]
        answers.append([comparison.run("index", "find", *data, "crawl", "--evidence", "--matches", "100", "--all"),
                        TIMES.sub(rb"", comparison.run("index", "export", *data, "--profiles")),
                        comparison.run("index", "add", *data, "crawl/second.warc.gz", "--quiet"),
                        comparison.run("index", "verify", *data),
                        comparison.run("index", "find", *data, "simulated", "--matches", "100", "--quiet"),
                        comparison.run("index", "delete", *data, "urn:uuid:ba170f2c-23c4-5f31-9917-e1cb550eba54"),
                        TIMES.sub(rb"", comparison.run("index", "export", *data, "--profiles"))])
    for number, (a, b) in enumerate(zip(*answers)):
        comparison.compare_bytes(f"answer {number} of {INDEXES[0]} and {INDEXES[1]}", TIMES.sub(rb"", a),
                                 TIMES.sub(rb"", b))


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    native_program, foreign_program = (str(pathlib.Path(path).resolve()) for path in sys.argv[2:4])
    comparison = Comparison(Side("amd64", folder / "amd64", [native_program]),
                            Side("arm64", folder / "arm64", [*sys.argv[4:], foreign_program]))
    for side in (comparison.native, comparison.foreign):
        prepare_inputs(side)
    comparison.run("version")
    algorithms = [row["name"] for row in json.loads(comparison.run("algorithms", "--json"))]
    steps = {
        f"content, fingerprints of {len(algorithms)} algorithms": lambda: profile_and_extract(comparison, algorithms),
        "dedup, recluster, compare": lambda: deduplicate(comparison),
        "simulated copies, scores of all pairs under every algorithm and preset": lambda: judge_copies(comparison),
        "word vectors, reduction, topics": lambda: apply_models(comparison),
        "indexes, each opened by both": lambda: exchange_indexes(comparison),
        "every file of the work folders": comparison.compare_trees,
    }
    for name, step in steps.items():
        bytes_before, commands_before = comparison.bytes, comparison.commands
        step()
        print(f"   same: {name} ({comparison.commands - commands_before} commands, "
              f"{comparison.bytes - bytes_before} bytes)", flush=True)
    print(f"   {comparison.commands} commands and {comparison.files} files have the same bytes, {comparison.bytes} "
          f"in all; amd64 took {comparison.native.seconds:.0f} s, arm64 {comparison.foreign.seconds:.0f} s")


main()
