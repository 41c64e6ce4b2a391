#!/usr/bin/env python3
"""Effects of `dedup --align-words` on labelled sets: copies found, false ones, processor time. Standard library only.

usage: aligned.py PROGRAM FOLDER SET...
FOLDER receives the output of the runs. A SET has docs.jsonl[.gz] and labels.tsv[.gz] (id_a, id_b, label; dup and near
are copies, diff and unlabelled pairs are not, other labels are ignored). Prints a Markdown table, one row per set.
"""
import gzip
import json
import pathlib
import resource
import subprocess
import sys

COPIES = ("dup", "near")


def open_text(path):
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")


def labels_of(folder):
    labels = {}
    with open_text(next(folder.glob("labels.tsv*"))) as rows:
        for row in rows:
            if row.strip() and not row.startswith("#"):
                id_a, id_b, label = row.rstrip("\n").split("\t")[:3]
                labels[min(id_a, id_b), max(id_a, id_b)] = label
    return labels


def run(program, folder, out, *options):
    """The pairs reported as copies, the counters of the alignment, processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "dedup", next(folder.glob("docs.jsonl*")), "--out", out, "--restart", "--no-records",
                    "--no-report", "--quiet", *options], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = set()
    with open(out / "matches.tsv", encoding="utf-8") as rows:
        for row in rows:
            id_a, id_b, _, verdict = row.rstrip("\n").split("\t")
            if verdict in ("same", "near"):
                found.add((min(id_a, id_b), max(id_a, id_b)))
    counters = json.loads((out / "summary.json").read_text())["counters"].get("alignment", {})
    return found, counters, seconds


def quality(found, labels):
    right = sum(labels.get(pair) in COPIES for pair in found)
    false = sum(labels.get(pair, "diff") == "diff" for pair in found)
    copies = sum(label in COPIES for label in labels.values())
    return right / max(1, right + false), right / max(1, copies)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, work = sys.argv[1], pathlib.Path(sys.argv[2])
    print("| Set | aligned | made near | no longer | P, R | with alignment | processor time |")
    print("|---|--:|--:|--:|---|---|--:|")
    for name in sys.argv[3:]:
        folder = pathlib.Path(name)
        labels = labels_of(folder)
        found, _, seconds = run(program, folder, work / f"{folder.name}.plain")
        aligned, counters, more_seconds = run(program, folder, work / f"{folder.name}.aligned", "--align-words")
        counts = [counters.get(key, 0) for key in ("pairs_aligned", "pairs_made_near", "pairs_no_longer_near")]
        scores = ["{:.4f}, {:.4f}".format(*quality(pairs, labels)) for pairs in (found, aligned)]
        print("|", " | ".join([folder.name, *map(str, counts), *scores, f"{more_seconds / seconds:.2f} times"]), "|",
              flush=True)


if __name__ == "__main__":
    main()
