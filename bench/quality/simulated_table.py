#!/usr/bin/env python3
"""Tables of what was found in a simulated corpus. Standard library only.

usage: simulated_table.py CORPUS_FOLDER PAIRS
PAIRS has id_a, id_b in the first two columns. Recall by edit is that of pairs of an original page and a copy with this
edit alone, besides another template; a pair of two copies has too many causes to name one.
"""
import collections
import pathlib
import sys

BANDS = 4  # of strengths, within the range that an edit was drawn from
LABELS = ("dup", "near", "topic", "diff")


def rows(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            yield line.rstrip("\n").split("\t")


def cause(row):
    """(name, strength) of a pair's single edit; (name, None) for pairs without one."""
    edits, strengths, kind = row[3].split("|"), row[4].split("|"), row[5]
    if kind != "copy":
        return kind, None
    if edits.count("original") != 1:
        return "two copies", None
    side = 1 - edits.index("original")
    named = list(zip(edits[side].split("+"), strengths[side].split("+")))
    others = [pair for pair in named if pair[0] != "template"]
    if len(others) > 1:
        return "two edits or more", None
    name, strength = (others or named)[0]
    return name, float(strength)


def share(found, all_of_them):
    return f"{found / all_of_them:.3f}" if all_of_them else ""


def main():
    corpus, pairs = pathlib.Path(sys.argv[1]), sys.argv[2]
    predicted = {tuple(sorted(row[:2])) for row in rows(pairs)}
    counts = collections.defaultdict(collections.Counter)
    strengths = collections.defaultdict(list)
    for row in rows(corpus / "labels.tsv"):
        if row[0] == "id_a":
            continue
        name, strength = cause(row)
        found = (row[0], row[1]) in predicted
        counts[name][row[2], found] += 1
        if strength is not None and row[2] in ("dup", "near"):
            strengths[name].append((strength, found))
    print("| edit | dup, near | recall | by strength, in quarters of the range drawn | topic | reported | diff "
          "| reported |")
    print("|---|--:|--:|---|--:|--:|--:|--:|")
    for name in sorted(counts):
        found = {label: counts[name][label, True] for label in LABELS}
        total = {label: found[label] + counts[name][label, False] for label in LABELS}
        drawn = strengths[name]
        least, most = min((s for s, _ in drawn), default=0), max((s for s, _ in drawn), default=0)
        bands = ""
        if most > least:
            hits = [[hit for strength, hit in drawn
                     if min(BANDS - 1, int((strength - least) / (most - least) * BANDS)) == band]
                    for band in range(BANDS)]
            bands = f"{least:g} to {most:g}: " + ", ".join(share(sum(band), len(band)) or "-" for band in hits)
        positives = total["dup"] + total["near"]
        print(f"| {name} | {positives} | {share(found['dup'] + found['near'], positives)} | {bands} | {total['topic']} "
              f"| {share(found['topic'], total['topic'])} | {total['diff']} | {share(found['diff'], total['diff'])} |")


if __name__ == "__main__":
    main()
