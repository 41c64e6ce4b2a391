#!/usr/bin/env python3
"""The speed of `paraprint dedup` over Parquet, Arrow and CSV files, compared with the same pages as JSON lines.

usage: table_files.py PROGRAM CRAWL... [--rounds N] [--texts]
Run it with the Python that has the package and pyarrow (PYTHONPATH=build/release/python), which the program then uses.

Every run reads the pages, removes copies and writes the pages that stay in the form of the input, with one thread and
without a report. Printed is the processor time of the whole process, the best of N alternating rounds, and how the
speed compares with that over JSON lines. --texts: the extracted texts in place of the HTML of the pages.
"""
import argparse
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pyarrow
from pyarrow import parquet

import paraprint


def rows_of(crawl, extracts):
    for page in paraprint.read_pages(*crawl):
        text = paraprint.extract(page).text if extracts else page.html if page.html is not None else page.text
        if isinstance(text, bytes):
            text = text.decode("utf-8", "replace")
        yield {"id": page.id, "url": page.url, "text" if extracts or page.html is None else "html": text}


def write_inputs(folder, rows):
    with open(folder / "pages.jsonl", "w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    names = ["id", "url", *sorted({name for row in rows for name in row} - {"id", "url"})]
    table = pyarrow.table({name: [row.get(name) for row in rows] for name in names})
    parquet.write_table(table, folder / "pages.parquet", compression="zstd", row_group_size=1000)
    with pyarrow.ipc.new_file(str(folder / "pages.arrow"), table.schema) as writer:
        writer.write_table(table, max_chunksize=1000)
    with open(folder / "pages.csv", "w", encoding="utf-8", newline="") as text:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(names)
        writer.writerows([row.get(name, "") for name in names] for row in rows)
    return ["pages.jsonl", "pages.parquet", "pages.arrow", "pages.csv"]


def seconds_of(program, path, out):
    shutil.rmtree(out, ignore_errors=True)
    command = [program, "dedup", path, "--out", out, "--threads", "1", "--no-report", "--no-evidence", "--quiet"]
    process = subprocess.Popen(command, env={**os.environ, "PARAPRINT_PYTHON": sys.executable})
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"table_files.py: {path} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, (out / "clusters.tsv").read_bytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("crawl", nargs="+")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--texts", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="table-files-") as name:
        folder = pathlib.Path(name)
        rows = list(rows_of(arguments.crawl, arguments.texts))
        inputs = write_inputs(folder, rows)
        best = {name: (float("inf"), 0.0) for name in inputs}
        clusters = set()
        for _ in range(arguments.rounds):
            for name in inputs:
                seconds, peak, found = seconds_of(arguments.program, folder / name, folder / "out")
                best[name] = min(best[name], (seconds, peak))
                clusters.add(found)
        if len(clusters) > 1:
            sys.exit("table_files.py: the clusters differ")
        print(f"{len(rows):,} pages\n{'':<14} {'MB':>7} {'s':>7} {'pages/s':>8} {'ratio':>6} {'MiB':>6}")
        for name, (seconds, peak) in best.items():
            size = (folder / name).stat().st_size / 1e6
            ratio = best["pages.jsonl"][0] / seconds
            print(f"{name:<14} {size:7.1f} {seconds:7.2f} {len(rows) / seconds:8.0f} {ratio:6.2f} {peak:6.0f}")


if __name__ == "__main__":
    main()
