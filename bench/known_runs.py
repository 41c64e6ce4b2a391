#!/usr/bin/env python3
"""What it costs to compare a crawl with many earlier runs, before and after these are merged.

usage: bench/known_runs.py [--runs N,N,...] [--partitions P] [--pages N] WORK_FOLDER ARCHIVE.warc.gz...
Needs the package (source build/python-venv/bin/activate after `make python`). Each archive but the last is a run of a
folder of known pages, so there must be more of them than the greatest number of runs; the first records of the last one
(--pages, default: 200) are a new crawl. For each number of runs, the crawl is compared with the first so many as a job
array in this process, then with the folder as `merge-known` leaves it, then with a single run. All must give the same
tables.

Prints JSON, for each of them: the runs in the folder, processor seconds of the whole comparison and of the steps that
look up known pages, the files that these opened, the bytes of the blocks that they read, and the seconds of the merge.
"""
import argparse
import json
import pathlib
import shutil
import time

from known_costs import Run, first_records

from paraprint.stages.known import KnownFolder
from paraprint.stages.known_merge import merge_known
from paraprint.stages.storage import WorkFolder

MEMORY_BYTES = 1 << 30
TABLES = ("clusters.tsv", "matches.tsv", "removed.jsonl")


class Counts:
    """The files and blocks of known pages that are read meanwhile."""

    def __enter__(self):
        self.files = self.bytes = 0
        self._original = original = WorkFolder.blocks
        counts = self

        def counted(self, *given):
            counts.files += 1
            for payload in original(self, *given):
                counts.bytes += len(payload)
                yield payload

        WorkFolder.blocks = counted
        return self

    def __exit__(self, *_):
        WorkFolder.blocks = self._original


def compare(folder, name, crawl, partitions, known):
    """Compares the crawl with a copy of the folder, and deletes what it has stored."""
    copy = folder / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(known, copy)
    runs = len(KnownFolder(str(copy)).runs())
    with Counts() as counts:
        run = Run(folder, name, [crawl], partitions, str(copy))
    described = run.described()
    tables = {table: (run.out / table).read_bytes() for table in TABLES}
    return tables, {"runs": runs, "seconds": described["seconds"], "seconds_known": described["known"],
                    "files_opened": counts.files, "bytes_read": counts.bytes}


def merged(known, into, **options):
    """A merged copy of the folder, and the seconds that it took."""
    shutil.rmtree(into, ignore_errors=True)
    shutil.copytree(known, into)
    began = time.process_time()
    merge_known(str(into), MEMORY_BYTES, keep_seconds=0, **options)
    return round(time.process_time() - began, 2)


def measure(parsed, known, crawl):
    expected, before = compare(parsed.folder, "before", crawl, parsed.partitions, known)
    result = {"separate": before}
    for name, options in (("default", {}), ("single", {"merges_all": True})):
        into = parsed.folder / "merged"
        seconds = merged(known, into, **options)
        tables, after = compare(parsed.folder, name, crawl, parsed.partitions, into)
        if tables != expected:
            raise SystemExit(f"known_runs.py: the tables differ after the merge ({name})")
        result[name] = {**after, "seconds_merge": seconds}
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", default="1,10,30")
    parser.add_argument("--partitions", type=int, default=2)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("archives", nargs="+")
    parsed = parser.parse_args()
    parsed.folder.mkdir(parents=True, exist_ok=True)
    *archives, last = parsed.archives
    crawl = first_records(last, parsed.pages, parsed.folder / "new.warc.gz")
    known = parsed.folder / "known"
    shutil.rmtree(known, ignore_errors=True)
    wanted = sorted(int(number) for number in parsed.runs.split(","))
    if len(archives) < wanted[-1]:
        raise SystemExit(f"known_runs.py: {wanted[-1]} runs need as many archives and another one")
    results = {}
    for number, archive in enumerate(archives[: wanted[-1]], 1):
        Run(parsed.folder, "known-run", [archive], parsed.partitions, str(known))
        if number in wanted:
            results[number] = measure(parsed, known, crawl)
    texts = sum(run.texts for run in KnownFolder(str(known)).runs())
    print(json.dumps({"new_pages": parsed.pages, "known_texts": texts, "by_runs": results}, indent=2))


if __name__ == "__main__":
    main()
