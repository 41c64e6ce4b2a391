#!/usr/bin/env python3
"""Lookups within 3 of 64 bits: Hamming tables compared with FAISS IndexBinaryMultiHash, sequentially in one run.

usage: hamming_faiss.py BENCH_HAMMING_TABLES [COUNT [QUERIES]]       default 10000000 2000
Needs numpy and faiss-cpu (pip install faiss-cpu). Both get COUNT random fingerprints and queries of which every second
is a stored one with 0 to 3 flipped bits. FAISS uses 4 hashes of 16 bits, its only design that finds all (one of four
blocks has no error); its range_search is called with distance < 4. One thread; processor seconds.
"""
import re
import subprocess
import sys
import time

import faiss
import numpy


def make_workload(count, queries):
    random = numpy.random.default_rng(1)
    values = random.integers(0, 256, size=(count, 8), dtype=numpy.uint8)
    asked = random.integers(0, 256, size=(queries, 8), dtype=numpy.uint8)
    for query in range(0, queries, 2):
        asked[query] = values[random.integers(count)]
        for _ in range(random.integers(4)):
            bit = random.integers(64)
            asked[query, bit // 8] ^= 1 << (bit % 8)
    return values, asked


def measure_faiss(count, queries):
    values, asked = make_workload(count, queries)
    faiss.omp_set_num_threads(1)
    index = faiss.IndexBinaryMultiHash(64, 4, 16)
    index.add(values)
    begin = time.process_time()
    limits, _, _ = index.range_search(asked, 4)
    seconds = (time.process_time() - begin) / queries
    if limits[-1] < queries / 2:
        sys.exit("hamming_faiss.py: FAISS found fewer hits than there are near copies")
    return seconds


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    queries = int(sys.argv[3]) if len(sys.argv) > 3 else 2000
    faiss_seconds = measure_faiss(count, queries)
    print(f"FAISS {faiss.__version__} IndexBinaryMultiHash(64, 4, 16): {faiss_seconds * 1e6:.1f} us per lookup, "
          f"{1 / faiss_seconds:,.0f} a second")
    ours = subprocess.run([program, str(count), str(queries * 10)], check=True, capture_output=True, text=True).stdout
    for line in ours.splitlines():
        found = re.search(r"(\d+) sorted tables.* ([\d.]+) us per lookup", line)
        if found:
            seconds = float(found[2]) * 1e-6
            print(f"{found[1]} Hamming tables: {found[2]} us per lookup, {1 / seconds:,.0f} per second, "
                  f"{faiss_seconds / seconds:.0f} times FAISS")


if __name__ == "__main__":
    main()
