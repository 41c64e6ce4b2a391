#!/usr/bin/env python3
"""Compare reading archives with warcio (pip install warcio), in one run.

usage: bench/reading.py READ_ARCHIVES FILE...
READ_ARCHIVES is the program of that name in the bench build. Both read every record and decode every HTTP response's
body, one thread each, in turn; the best of the rounds counts.
"""
import subprocess
import sys
import time

ROUNDS = 3


def read_with_warcio(paths):
    from warcio.archiveiterator import ArchiveIterator
    begin = time.perf_counter()
    pages = size_bytes = 0
    for path in paths:
        with open(path, "rb") as stream:
            for record in ArchiveIterator(stream, arc2warc=True):
                if record.rec_type not in ("response", "resource", "conversion"):
                    continue
                pages += 1
                size_bytes += len(record.content_stream().read())
    return time.perf_counter() - begin, pages, size_bytes / 1e6


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    program, paths = sys.argv[1], sys.argv[2:]
    runs = {"paraprint": [], "warcio": []}
    for _ in range(ROUNDS):
        output = subprocess.run([program, *paths], check=True, capture_output=True, text=True).stdout
        runs["paraprint"].append(tuple(float(word) for word in output.split()))
        runs["warcio"].append(read_with_warcio(paths))
    best = {name: min(results) for name, results in runs.items()}
    for name, (seconds, pages, megabytes) in best.items():
        print(f"{name:10} {seconds:7.3f} s  {pages:7.0f} pages  {megabytes:8.1f} MB  {megabytes / seconds:7.0f} MB/s")
    print(f"warcio takes {best['warcio'][0] / best['paraprint'][0]:.1f} times as long")


if __name__ == "__main__":
    main()
