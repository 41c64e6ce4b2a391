#!/usr/bin/env python3
"""Compare how a task reads archives: from this machine, from S3 by ranges, and from S3 by a copy on the disk.

usage: bench/object_reads.py [--latency MILLISECONDS,...] [--rounds N] ARCHIVE...
Needs the Python package with pyarrow (PYTHONPATH=build/release/python) and the server of S3 that
python/tests/store_servers.sh builds, which runs on this machine for the time of the call. Of each answer of the server,
the first byte comes by so many milliseconds later.

Prints JSON: for each latency and way, pages per second of the profiling stage, MB per second where records are only
looked at (the stage "claims"), and the most bytes on the task's disk that are parts of archives; medians of the rounds,
in which the ways take turns.
"""

import argparse
import collections
import json
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).parents[1] / "python" / "tests"))
import store_servers
from faulty_proxy import FaultyProxy

from paraprint import _core
from paraprint.stages.ranges import open_input
from paraprint.stages.storage import open_file_system


class Ways:
    """Each way calls read() with what the core reads an archive from; returns the bytes on the disk."""

    def __init__(self, archives, store, scratch):
        self.archives, self.store, self.scratch = archives, store, scratch

    def local(self, read):
        for path in self.archives:
            read(str(path))
        return 0

    def ranges(self, read):
        for path in self.archives:
            with open_input(self.store.given(path.name)) as source:
                read(source)
        return sum(path.stat().st_size for path in self.scratch.iterdir())

    def copy(self, read):
        most = 0
        for path in self.archives:
            file_system, inner = open_file_system(self.store.given(path.name))
            copy = self.scratch / path.name
            with file_system.open_input_stream(inner, compression=None) as source, open(copy, "wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
            most = max(most, copy.stat().st_size)
            read(str(copy))
            copy.unlink()
        return most


def measure(way, options, folder):
    stage = _core.ProfileStage.create(options, str(folder), b"")
    pages = 0

    def profile(source):
        nonlocal pages
        batches = []
        stage.profile_file(source, 0, batches.append)
        pages += sum(batch[0] for batch in batches)

    began = time.monotonic()
    disk_bytes = way(profile)
    profiled = time.monotonic()
    way(lambda source: _core.read_claims(options, source, 0, False))
    return pages / (profiled - began), 1 / (time.monotonic() - profiled), disk_bytes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--latency", default="0,30", help="milliseconds, separated by commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("archives", nargs="+", type=pathlib.Path, metavar="ARCHIVE")
    parsed = parser.parse_args()
    options = _core.DividedOptions.create([], {"evidence": False})
    megabytes = sum(path.stat().st_size for path in parsed.archives) / 1e6
    report = {"archives": len(parsed.archives), "megabytes": round(megabytes, 1), "latency_milliseconds": {}}
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder, "scratch")
        scratch.mkdir()
        with store_servers.S3Process(pathlib.Path(folder)) as server:
            for latency in map(float, parsed.latency.split(",")):
                with FaultyProxy(server.address, 0, 1.0, ("slow",), latency / 1000) as proxy:
                    store = store_servers.s3_store(proxy.address if latency else server.address)
                    os.environ.update(store.environment)
                    for path in parsed.archives:
                        store.put(path.name, path)
                    ways = Ways(parsed.archives, store, scratch)
                    found = collections.defaultdict(list)
                    for _ in range(parsed.rounds):
                        for name in ("local", "ranges", "copy"):
                            found[name].append(measure(getattr(ways, name), options, folder))
                report["latency_milliseconds"][latency] = {
                    name: {
                        "pages_per_second": round(statistics.median(row[0] for row in rows), 1),
                        "read_megabytes_per_second": round(megabytes * statistics.median(row[1] for row in rows), 1),
                        "disk_bytes": max(row[2] for row in rows),
                    }
                    for name, rows in found.items()
                }
    json.dump(report, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
