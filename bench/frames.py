#!/usr/bin/env python3
"""Near-duplicates of a data frame: drop_near_duplicates() compared with rensa and datasketch, in one run.

usage: PYTHONPATH=build/release/python bench/frames.py [--rows N] [--threads N] [--only NAME ...] [--peer-rows N]
                                                       [--frame pandas|objects|polars|pyarrow|views]

Makes N texts of 500 characters (100,000 by default; the goal is stated for a million) and lets each tool say which rows
it drops, each in a process of its own that reads the same file into a frame first. Needs pyarrow, pandas, rensa and
datasketch. `--peer-rows` lets datasketch work on the first rows alone, because it needs a second for a thousand.
`--frame` says what the frame is: of pandas with texts in Arrow (the default) or as Python objects, of polars, or a
table of pyarrow with offsets or with views. The peers are given frames of pandas.

made_texts.py says what the texts are: 30 % are edited copies, which should be dropped.

Printed per tool: processor and elapsed time per text, precision, recall and F1 of the rows dropped, the peak of memory
during the call as a multiple of the frame (the frame and the rows that are returned included), what the process had
taken for the frame before the call, and the ratio of its processor time to that of the first tool. "paraprint find" is
find_near_duplicates(), which returns the columns of the frame as they are and adds its own; "paraprint 0.5" drops rows
with `near=0.5`. "sketches" is the loop for datasketch with paraprint.sketches. Peers run with the words of a text as
its set, and with its pairs of words; each at the threshold of its documentation and at lower ones.
"""
import argparse
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from made_texts import CHARACTERS, make_texts, scores
from process_memory import peak_bytes, reset_peak, resident_bytes

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "peers"))
from removers import by_datasketch, by_rensa

ROWS_PER_CHUNK = 50_000


def sets_of(texts, size):
    for text in texts:
        words = text.split()
        yield words if size == 1 else [f"{a} {b}" for a, b in zip(words, words[1:])]


def by_paraprint(frame, threads, **options):
    import paraprint

    return paraprint.drop_near_duplicates(frame, text="text", keep="first", threads=threads, progress=False, **options)


def by_finding(frame, threads):
    import paraprint

    return paraprint.find_near_duplicates(frame, text="text", keep="first", threads=threads, progress=False)


def by_peer(frame, threads, remover, size, threshold, **options):
    return frame[remover(sets_of(frame["text"], size), threshold, threads, **options)]


def peer(remover, size, threshold, **options):
    return by_peer, {"remover": remover, "size": size, "threshold": threshold, **options}


TOOLS = {
    "paraprint": (by_paraprint, {}),
    "paraprint find": (by_finding, {}),
    "paraprint MinHash": (by_paraprint, {"paragraphs": False, "algorithm":
                          "minhash-one-permutation:unit=characters,width=8,threshold=0.6"}),
    "paraprint 0.5": (by_paraprint, {"near": 0.5}),
    "rensa words 0.8": peer(by_rensa, 1, 0.8),
    "rensa words 0.7": peer(by_rensa, 1, 0.7),
    "rensa pairs 0.5": peer(by_rensa, 2, 0.5),
    "rensa pairs 0.4": peer(by_rensa, 2, 0.4),
    "sketches words 0.8": peer(by_datasketch, 1, 0.8, module="paraprint.sketches"),
    "datasketch words 0.8": peer(by_datasketch, 1, 0.8),
    "datasketch pairs 0.5": peer(by_datasketch, 2, 0.5),
}


def read_pandas(table):
    return table.to_pandas()


def read_objects(table):
    import pandas

    return pandas.DataFrame({"text": pandas.Series(table["text"].to_pylist(), dtype=object), "row": table["row"]})


def read_polars(table):
    import polars

    return polars.from_arrow(table)


def read_pyarrow(table):
    return table


def read_views(table):
    import pyarrow

    return table.cast(pyarrow.schema({"text": pyarrow.string_view(), "row": pyarrow.int64()}))


FRAMES = {"pandas": read_pandas, "objects": read_objects, "polars": read_polars, "pyarrow": read_pyarrow,
          "views": read_views}


def size_bytes(frame):
    if hasattr(frame, "memory_usage"):
        return int(frame.memory_usage(deep=True).sum())
    return frame.estimated_size() if hasattr(frame, "estimated_size") else frame.nbytes


def rows_kept(frame):
    """The values of the column "row" where the column "is_kept", if there is one, is true."""
    kept = [True] * len(frame) if "is_kept" not in list(table_names(frame)) else list_of(frame["is_kept"])
    return [row for row, stays in zip(list_of(frame["row"]), kept) if stays]


def table_names(frame):
    return frame.column_names if hasattr(frame, "column_names") else frame.columns


def list_of(column):
    return next(getattr(column, name)() for name in ("tolist", "to_list", "to_pylist") if hasattr(column, name))


def work(name, path, kind, rows, threads, target):
    """One tool in this process: writes its figures and the rows that it keeps."""
    import pyarrow

    function, arguments = TOOLS[name]
    function(read_frame(path, kind, 100), threads, **arguments)  # imports and first calls
    pyarrow.default_memory_pool().release_unused()
    reset_peak()
    before = peak_bytes()
    frame = read_frame(path, kind, rows)
    pyarrow.default_memory_pool().release_unused()
    frame_bytes = size_bytes(frame)
    held = resident_bytes() - before
    reset_peak()
    begin = time.perf_counter(), time.process_time()
    returned = function(frame, threads, **arguments)
    figures = {"elapsed": time.perf_counter() - begin[0], "processor": time.process_time() - begin[1],
               "memory": (peak_bytes() - before) / frame_bytes, "frame_megabytes": frame_bytes / 1e6,
               "held": held / frame_bytes, "kept": rows_kept(returned)}
    pathlib.Path(target).write_text(json.dumps(figures))


def write_texts(path, rows):
    """Writes the texts in chunks, and returns the groups that they are copies in."""
    import pyarrow

    texts, groups = make_texts(rows), []
    schema = pyarrow.schema({"text": pyarrow.string(), "row": pyarrow.int64()})
    with pyarrow.ipc.new_file(path, schema) as file:
        while chunk := list(itertools.islice(texts, ROWS_PER_CHUNK)):
            numbers = range(len(groups), len(groups) + len(chunk))
            file.write_batch(pyarrow.record_batch([[text for text, _ in chunk], numbers], schema=schema))
            groups += [group for _, group in chunk]
    return groups


def read_frame(path, kind, rows):
    import pyarrow

    with pyarrow.OSFile(path) as source:  # copied into memory of the process, unlike a mapped file
        return FRAMES[kind](pyarrow.ipc.open_file(source).read_all().slice(0, rows))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--peer-rows", type=int)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--frame", choices=FRAMES, default="pandas")
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        return work(given.work[0], given.work[1], given.frame, given.rows, given.threads, given.work[2])

    with tempfile.TemporaryDirectory() as folder:
        path, target = os.path.join(folder, "texts.arrow"), os.path.join(folder, "figures.json")
        groups, own = write_texts(path, given.rows), None
        print(f"{given.rows} texts of {CHARACTERS} characters, {given.threads} thread(s)")
        for name in TOOLS:
            if given.only and not any(name.startswith(wanted) for wanted in given.only):
                continue
            rows = min(given.rows, given.peer_rows or given.rows) if "sketch" in name else given.rows
            kind = given.frame if name.startswith("paraprint") else "pandas"
            command = [sys.executable, __file__, "--rows", str(rows), "--threads", str(given.threads),
                       "--frame", kind, "--work", name, path, target]
            subprocess.run(command, check=True)
            figures = json.loads(pathlib.Path(target).read_text())
            precision, recall, f1 = scores(set(range(rows)).difference(figures["kept"]), groups[:rows])
            cost = figures["processor"] / rows * 1e6
            own = own or cost
            print(f"{name:<21} {cost:7.1f} us/text  elapsed {figures['elapsed'] / rows * 1e6:7.1f}  precision "
                  f"{precision:.4f} recall {recall:.4f} F1 {f1:.4f}  memory {figures['memory']:.2f}, of it "
                  f"before {figures['held']:.2f}  {figures['frame_megabytes']:.0f} MB  "
                  f"{cost / own:6.2f} times ours", flush=True)


if __name__ == "__main__":
    main()
