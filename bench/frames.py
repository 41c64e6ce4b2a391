#!/usr/bin/env python3
"""Near-duplicates of a data frame: drop_near_duplicates() compared with rensa and datasketch, in one run.

usage: PYTHONPATH=build/release/python bench/frames.py [--rows N] [--threads N] [--only NAME ...] [--peer-rows N]

Makes N texts of 500 characters (100,000 by default; the goal is stated for a million) and lets each tool say which rows
it drops, each in a process of its own that reads the same file into a frame first. Needs pyarrow, pandas, rensa and
datasketch. `--peer-rows` lets datasketch work on the first rows alone, because it needs a second for a thousand.

Of the texts, made of words drawn by Zipf's law, 30 % are copies of an earlier one with at most a tenth of the words
replaced; they are what should be dropped. 10 % share half of an earlier text, and 5 % use the sixty words of one of
fifty topics in an order of their own; they should stay.

Printed per tool: processor and elapsed time per text, precision, recall and F1 of the rows dropped, the peak of memory
during the call as a multiple of the frame (the frame and the rows that are returned included), and the ratio of its
processor time to that of the first tool. "sketches" is the loop for datasketch with paraprint.sketches. Peers run with
the words of a text as its set, and with its pairs of words; each at the threshold of its documentation and at a lower
one.
"""
import argparse
import importlib
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

CHARACTERS, WORDS = 500, 84  # about as many words as fit


def make_texts(rows):
    """Yields (text, number of the group that it is a copy in)."""
    chance = random.Random(1)
    vocabulary = ["".join(chance.choice("bcdfglmnprstv") + chance.choice("aeiou") for _ in range(chance.randint(1, 4)))
                  for _ in range(30_000)]
    weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(vocabulary))))
    topics = [chance.sample(vocabulary, 60) for _ in range(50)]
    bases = []
    for _ in range(rows):
        kind = chance.random()
        group = len(bases)
        words = chance.choices(vocabulary, cum_weights=weights, k=WORDS)
        if bases and kind < 0.3:
            group, words = chance.choice(bases)
            share = chance.choice((0, 0.02, 0.05, 0.1))
            words = [chance.choice(vocabulary) if chance.random() < share else word for word in words]
        elif bases and kind < 0.4:
            words = chance.choice(bases)[1][:WORDS // 2] + words[WORDS // 2:]
        elif kind < 0.45:
            words = chance.choices(chance.choice(topics), k=WORDS)
        if group == len(bases):
            bases.append((group, words))
        sentences = (" ".join(words[begin:begin + 11]).capitalize() for begin in range(0, WORDS, 11))
        yield ". ".join(sentences)[:CHARACTERS], group


def sets_of(texts, size):
    for text in texts:
        words = text.split()
        yield words if size == 1 else [f"{a} {b}" for a, b in zip(words, words[1:])]


def by_paraprint(frame, threads, **options):
    import paraprint

    kept = paraprint.drop_near_duplicates(frame, text="text", keep="first", threads=threads, progress=False, **options)
    return kept["row"].tolist()


def by_rensa(frame, threads, size, threshold):
    from rensa import RMinHashDeduplicator

    names = map(str, range(len(frame)))
    found = RMinHashDeduplicator(threshold=threshold, num_perm=128, use_lsh=True)
    is_kept = found.add_pairs(zip(names, sets_of(frame["text"], size)))
    return frame[is_kept]["row"].tolist()


def by_datasketch(frame, threads, size, threshold, module="datasketch"):
    sketches = importlib.import_module(module)
    index, is_kept = sketches.MinHashLSH(threshold=threshold, num_perm=128), []
    for row, words in enumerate(sets_of(frame["text"], size)):
        signature = sketches.MinHash(num_perm=128)
        signature.update_batch([word.encode() for word in words])
        is_kept.append(not index.query(signature))
        if is_kept[-1]:
            index.insert(row, signature)
    return frame[is_kept]["row"].tolist()


TOOLS = {
    "paraprint": (by_paraprint, {}),
    "paraprint MinHash": (by_paraprint, {"paragraphs": False, "algorithm":
                          "minhash-one-permutation:unit=characters,width=8,threshold=0.6"}),
    "rensa words 0.8": (by_rensa, {"size": 1, "threshold": 0.8}),
    "rensa words 0.7": (by_rensa, {"size": 1, "threshold": 0.7}),
    "rensa pairs 0.5": (by_rensa, {"size": 2, "threshold": 0.5}),
    "sketches words 0.8": (by_datasketch, {"size": 1, "threshold": 0.8, "module": "paraprint.sketches"}),
    "datasketch words 0.8": (by_datasketch, {"size": 1, "threshold": 0.8}),
    "datasketch pairs 0.5": (by_datasketch, {"size": 2, "threshold": 0.5}),
}


def peak_bytes():
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return 1024 * int(line.split()[1])
    return 0


def work(name, path, rows, threads, target):
    """One tool in this process: writes its figures and the rows that it keeps."""
    import pyarrow

    function, arguments = TOOLS[name]
    function(read_frame(path, 100), threads, **arguments)  # imports and first calls
    pyarrow.default_memory_pool().release_unused()
    pathlib.Path("/proc/self/clear_refs").write_text("5")
    before = peak_bytes()
    frame = read_frame(path, rows)
    frame_bytes = int(frame.memory_usage(deep=True).sum())
    pathlib.Path("/proc/self/clear_refs").write_text("5")
    begin = time.perf_counter(), time.process_time()
    kept = function(frame, threads, **arguments)
    figures = {"elapsed": time.perf_counter() - begin[0], "processor": time.process_time() - begin[1],
               "memory": (peak_bytes() - before) / frame_bytes, "rows": len(frame), "kept": kept}
    pathlib.Path(target).write_text(json.dumps(figures))


def read_frame(path, rows):
    import pyarrow

    with pyarrow.OSFile(path) as source:  # copied into memory of the process, unlike a mapped file
        return pyarrow.ipc.open_file(source).read_all().slice(0, rows).to_pandas()


def scores(kept, groups):
    kept, seen, right, dropped, copies = set(kept), set(), 0, 0, 0
    for row, group in enumerate(groups):
        is_copy = group in seen
        seen.add(group)
        copies += is_copy
        dropped += row not in kept
        right += is_copy and row not in kept
    precision, recall = right / max(1, dropped), right / max(1, copies)
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--peer-rows", type=int)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        return work(given.work[0], given.work[1], given.rows, given.threads, given.work[2])

    import pyarrow

    with tempfile.TemporaryDirectory() as folder:
        path, target = os.path.join(folder, "texts.arrow"), os.path.join(folder, "figures.json")
        texts, groups = zip(*make_texts(given.rows))
        table = pyarrow.table({"text": texts, "row": range(given.rows)})
        with pyarrow.ipc.new_file(path, table.schema) as file:
            file.write_table(table)
        del table, texts
        own = None
        print(f"{given.rows} texts of {CHARACTERS} characters, {given.threads} thread(s)")
        for name in TOOLS:
            if given.only and not any(name.startswith(wanted) for wanted in given.only):
                continue
            rows = min(given.rows, given.peer_rows or given.rows) if "sketch" in name else given.rows
            command = [sys.executable, __file__, "--rows", str(rows), "--threads", str(given.threads),
                       "--work", name, path, target]
            subprocess.run(command, check=True)
            figures = json.loads(pathlib.Path(target).read_text())
            precision, recall, f1 = scores(figures["kept"], groups[:rows])
            cost = figures["processor"] / rows * 1e6
            own = own or cost
            print(f"{name:<21} {cost:7.1f} us/text  elapsed {figures['elapsed'] / rows * 1e6:7.1f}  precision "
                  f"{precision:.4f} recall {recall:.4f} F1 {f1:.4f}  memory {figures['memory']:.2f}  "
                  f"{cost / own:6.2f} times ours", flush=True)


if __name__ == "__main__":
    main()
