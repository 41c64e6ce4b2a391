#!/usr/bin/env python3
"""What a crawl costs that is compared with the pages of earlier runs, beside a run over all of them.

usage: bench/known_costs.py [--pages N] [--partitions P] [--without-whole] WORK_FOLDER ARCHIVE.warc.gz...
Needs the package (source build/python-venv/bin/activate after `make python`). The last archive gives the new pages, its
first N records (default: one in a hundred of all), the other archives are known. Three runs, each as a job array in
this process: the known archives, which makes the folder of known pages; the new pages against this folder; all pages
at once without a folder. Prints JSON: processor seconds of each without starting Python, by step where known pages are
looked up and remembered; bytes of the folder's tables and of their blocks that the second run read; the share that the
second run costs of the third, and whether the pages that it keeps are as many as the third keeps in addition to the
first. --without-whole leaves the third run out; the second is then compared with the first without what storing its
texts took, which is a little less than a run over all.

Needs 13 KB of disk per page, most of them while a run goes on.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import sys
import time
import zlib

from paraprint.stages.job_array import JobArray, start
from paraprint.stages.known import KnownFolder
from paraprint.stages.storage import WorkFolder

STEPS_SHOWN = ("profiles", "known", "remembered")


def first_records(archive, count, path):
    """Copies the first records, each a gzip member."""
    content = pathlib.Path(archive).read_bytes()
    at = 0
    for _ in range(count):
        member = zlib.decompressobj(31)
        member.decompress(content[at:at + (4 << 20)])
        if not member.eof:
            break
        at = min(len(content), at + (4 << 20)) - len(member.unused_data)
    path.write_bytes(content[:at])
    return str(path)


class Run:
    """A run and what it costs."""

    def __init__(self, folder, name, inputs, partitions, known):
        print(f"known_costs.py: {name} run", file=sys.stderr)
        self.seconds = collections.Counter()
        self.out = folder / f"{name}-out"
        work = str(folder / f"{name}-work")
        for path in (work, self.out):
            shutil.rmtree(path, ignore_errors=True)
        start(work, str(self.out), inputs, partitions, {"memory": "2GiB"}, known)
        while step := JobArray(work).next_step():
            for number in step.numbers:
                began = time.process_time()
                JobArray(work).run_task(step.name, number)
                self.seconds[step.name] += time.process_time() - began
        array = JobArray(work)
        list(array.steps())
        self.pages = array.batches.first_pages[-1]
        removed = sum(1 for _ in (self.out / "removed.jsonl").open())
        self.kept = self.pages - removed
        shutil.rmtree(work)

    def total(self):
        return sum(self.seconds.values())

    def seconds_of(self, name):
        return sum(seconds for step, seconds in self.seconds.items() if step.split(".")[0] == name)

    def described(self):
        shown = {name: round(self.seconds_of(name), 2) for name in STEPS_SHOWN}
        return {"pages": self.pages, "kept": self.kept, "seconds": round(self.total(), 2), **shown}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int)
    parser.add_argument("--partitions", type=int, default=2)
    parser.add_argument("--without-whole", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("archives", nargs="+")
    parsed = parser.parse_args()
    parsed.folder.mkdir(parents=True, exist_ok=True)
    *known_archives, last = parsed.archives
    known = parsed.folder / "known"
    shutil.rmtree(known, ignore_errors=True)
    first = Run(parsed.folder, "first", known_archives, parsed.partitions, str(known))
    new = first_records(last, parsed.pages or first.pages // 100, parsed.folder / "new.warc.gz")

    read = collections.Counter()
    blocks_of = WorkFolder.blocks

    def counted(self, stage, *more):
        for payload in blocks_of(self, stage, *more):
            read[stage.partition("/")[2]] += len(payload)
            yield payload

    WorkFolder.blocks = counted
    second = Run(parsed.folder, "second", [new], parsed.partitions, str(known))
    WorkFolder.blocks = blocks_of
    if parsed.without_whole:
        compared = {"share": round(second.total() / (first.total() - first.seconds_of("remembered")), 4)}
    else:
        whole = Run(parsed.folder, "whole", [*known_archives, new], parsed.partitions, None)
        compared = {
            "whole": whole.described(),
            "share": round(second.total() / whole.total(), 4),
            "kept_in_addition": [second.kept, whole.kept - first.kept],
        }
    (stored, _) = KnownFolder(str(known)).runs()
    stored_bytes = {
        table: sum(os.path.getsize(known / stored.name / table / file[0]) for file in files)
        for table, files in stored.tables.items()
    }
    print(json.dumps({
        "first": first.described(),
        "second": second.described(),
        **compared,
        "known_texts": stored.texts,
        "stored_bytes": stored_bytes,
        "read_bytes": dict(read),
    }, indent=2))


if __name__ == "__main__":
    main()
