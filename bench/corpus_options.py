#!/usr/bin/env python3
"""What --annotate and --trim cost: processor time of `paraprint dedup` with them, as a multiple of that without.

usage: bench/corpus_options.py PROGRAM WORK-FOLDER [--pages N] [--rounds N] PAGES...
PAGES are archives or folders of pages, from which `paraprint simulate` makes a corpus of N pages (default 20,000) in
WORK-FOLDER, as WARC files and as JSON lines of text. Runs are interleaved, each into a folder of its own, without
report and evidence. Processor time, of all threads, so that other work on the machine matters little.
"""

import argparse
import json
import pathlib
import resource
import shutil
import statistics
import subprocess

VARIANTS = {"dedup": [], "--annotate": ["--annotate"], "--trim": ["--trim"]}


def seconds(program: str, corpus: pathlib.Path, out: pathlib.Path, options: list[str]) -> float:
    shutil.rmtree(out, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "dedup", corpus, "--out", out, "--quiet", "--no-report", "--no-evidence", *options],
                   check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--pages", dest="count", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    corpus = options.work / f"corpus-{options.count}"
    if not corpus.exists():
        subprocess.run([options.program, "simulate", *options.pages, "--out", corpus, "--pages", str(options.count),
                        "--quiet"], check=True)
    archives = options.work / "archives"
    texts = options.work / "texts.jsonl"
    if not archives.exists():
        archives.mkdir()
        for path in corpus.glob("*.warc*"):
            (archives / path.name).symlink_to(path.resolve())
        with open(texts, "w", encoding="utf-8") as file:
            subprocess.run([options.program, "extract", archives], stdout=file, stderr=subprocess.DEVNULL, check=True)
    for name, form in (("JSON lines of text", texts), ("WARC", archives)):
        taken: dict[str, list[float]] = {variant: [] for variant in VARIANTS}
        for _ in range(options.rounds):
            for variant, arguments in VARIANTS.items():
                taken[variant].append(seconds(options.program, form, options.work / "out", arguments))
        medians = {variant: statistics.median(times) for variant, times in taken.items()}
        for variant, median in medians.items():
            print(f"{name:20} {variant:12} {median:8.2f} s of a processor, {median / medians['dedup']:.3f} times dedup")
        trimmed = [json.loads(line) for line in open(options.work / "out/trimmed.jsonl", encoding="utf-8")]
        print(f"{name:20} {len(trimmed)} passages, {sum(row['content_characters'] for row in trimmed)} characters")


if __name__ == "__main__":
    main()
