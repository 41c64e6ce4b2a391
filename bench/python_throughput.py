#!/usr/bin/env python3
"""Throughput of the Python package's batches compared with the program, on one thread each, in one run.

usage: PYTHONPATH=build/release/python bench/python_throughput.py PARAPRINT INPUT [...] [--pages N] [--rounds N]

Reads pages of the inputs (archives or JSON lines), writes them once as JSON lines for the program and once as Parquet
for the package, and lets both extract and profile them: `paraprint extract|profile --threads 1` writing to a file
against `extract_batch|profile_batch(threads=1)` over the Parquet file's batches, writing Parquet. Seconds are processor
time of the whole process including start-up and file reading, so that other load has little effect; rounds alternate,
and the best of each counts. The program prints profiles as JSON with --bytes, its format for passing them on.
Prints pages per second of each and the ratio. Needs pyarrow, and some thousand pages: the package starts more slowly.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

BATCH_ROWS = 512

WORKER = """
import sys
import pyarrow
from pyarrow import parquet
import paraprint
call, source, target = sys.argv[1:]
function = getattr(paraprint, call + "_batch")
writer = None
with parquet.ParquetFile(source) as file:
    for batch in file.iter_batches(batch_size=%d, use_threads=False):
        made = function(batch, threads=1)
        writer = writer or parquet.ParquetWriter(target, made.schema)
        writer.write_table(made)
writer.close()
""" % BATCH_ROWS


def processor_seconds(command, output):
    """Processor seconds of the command and its child processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(output, "wb") as file:
        subprocess.run(command, stdout=file, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_inputs(inputs, folder, most):
    import pyarrow
    from pyarrow import parquet

    import paraprint

    rows = []
    for page in paraprint.read_pages(*inputs):
        body = page.body if isinstance(page.body, str) else page.body.decode("utf-8", "ignore")
        rows.append({"id": page.id, "html": body})
        if len(rows) == most:
            break
    with open(folder / "pages.jsonl", "w", encoding="utf-8") as lines:
        for row in rows:
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")
    parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "pages.parquet", compression="none")
    return len(rows)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pages = write_inputs(given.inputs, folder, given.pages)
        print(f"{pages} pages, {os.path.getsize(folder / 'pages.jsonl') / 1e6:.1f} MB, processor time on one thread")
        for call in ("extract", "profile"):
            flags = ["--bytes"] if call == "profile" else []
            commands = {
                "program": [given.program, call, "--threads", "1", *flags, str(folder / "pages.jsonl")],
                "package": [sys.executable, "-c", WORKER, call, str(folder / "pages.parquet"), str(folder / "made")],
            }
            best = dict.fromkeys(commands, float("inf"))
            for _ in range(given.rounds):
                for side, command in commands.items():
                    best[side] = min(best[side], processor_seconds(command, folder / "output"))
            print(f"{call}: program {pages / best['program']:.0f} pages/s, "
                  f"package {pages / best['package']:.0f} pages/s, ratio {best['program'] / best['package']:.3f}")


if __name__ == "__main__":
    main()
