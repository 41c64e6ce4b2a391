#!/usr/bin/env python3
"""What looking up a page costs among pages made for it, compared with a look-up among versions of it.

Makes two indexes of pages with as many rows of the same length: in one, all rows of all pages differ in one word of
twelve, so that each resembles all others; the other has versions of one page, in which half of the rows were changed.
Asks each for ten pages and prints processor seconds, for each program given:

    bench/crowded_lookups.py WORK build/release/apps/paraprint [PROGRAM OF ANOTHER COMMIT]

WORK is a folder for the pages and indexes. The indexes are made by the first program.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import sys

ELEVEN_WORDS = "bralo cremi drupa flonk grati klobe plasi skrom spulo trafi wrelo"
LOOKUPS = 10


def word(generator):
    return "".join(generator.choice("bdfgklmnprst") + generator.choice("aeiou") for _ in range(3))


def html(rows):
    return "<html><body><article>" + "".join(f"<p>{row}</p>" for row in rows) + "</article></body></html>"


def crowded_page(number, rows):
    return html(f"{ELEVEN_WORDS} n{1_000_000 + number * 2 * rows + row}" for row in range(rows))


def version(number, rows):
    shared = random.Random(1)
    own = random.Random(2 + number)
    changed = []
    for _ in range(rows):
        words = [word(shared) for _ in range(12)]
        if own.random() < 0.5:
            words[-1] = word(own)
        changed.append(" ".join(words))
    return html(changed)


def write_pages(path, make, numbers, rows):
    with open(path, "w", encoding="utf-8") as out:
        for number in numbers:
            page = {"id": f"{path.stem}-{number}", "url": f"http://h{number}.example/", "html": make(number, rows)}
            out.write(json.dumps(page) + "\n")


def processor_seconds(command, output):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(output, "wb") as out:
        subprocess.run(command, stdout=out, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--rows", type=int, default=1100)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    if any(arguments.work.iterdir()):
        sys.exit(f"crowded_lookups.py: {arguments.work} is not empty")
    print(f"{'pages':10} {'program':40} {'add':>8} {'look-up':>8}  processor seconds")
    for name, make in (("crowded", crowded_page), ("versions", version)):
        known = arguments.work / f"{name}.jsonl"
        asked = arguments.work / f"{name}-asked.jsonl"
        write_pages(known, make, range(arguments.pages), arguments.rows)
        write_pages(asked, make, range(arguments.pages, arguments.pages + LOOKUPS), arguments.rows)
        answers = set()
        for place, program in enumerate(arguments.programs):
            data = arguments.work / f"{name}-{place}"
            add = processor_seconds([program, "index", "add", "--data", data, known], os.devnull)
            index = arguments.work / f"{name}-0"
            answer = arguments.work / f"{name}-{place}.answers"
            find = processor_seconds([program, "index", "find", "--threads", "1", "--data", index, asked], answer)
            answers.add(answer.read_bytes())
            print(f"{name:10} {program:40} {add / arguments.pages:8.3f} {find / LOOKUPS:8.3f}", flush=True)
        if len(answers) > 1:
            print(f"{name}: the programs answer differently", file=sys.stderr)


if __name__ == "__main__":
    main()
