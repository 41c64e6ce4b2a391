#!/usr/bin/env python3
"""Tables of the results on a simulated corpus. Standard library only.

usage: simulated_table.py CORPUS_FOLDER PAIRS [all|train|test]
PAIRS has id_a, id_b in the first two columns. Recall by edit is over pairs of an original page and a copy with only
this edit (and possibly another template); for a pair of two copies the cause of a miss is ambiguous. Pages linked by a
label other than diff, or by a common formula, are in the same half, chosen by a checksum of their smallest id.
"""
import collections
import pathlib
import sys
import zlib

BANDS = 4  # bands of strength, within the range of an edit
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


def halves(labels):
    """Map each page to whether it belongs to the test half."""
    parent = {}

    def root(page):
        while parent.setdefault(page, page) != page:
            parent[page] = parent[parent[page]]
            page = parent[page]
        return page

    for row in labels:
        if row[2] != "diff" or row[5] == "formula":
            a, b = root(row[0]), root(row[1])
            parent[max(a, b)] = min(a, b)
    return lambda page: zlib.crc32(root(page).encode()) % 2 == 1


def print_figures(labels, predicted, half):
    """Precision and recall in a closed world, without topic pairs; a pair is in the half of its smaller id."""
    listed = {(row[0], row[1]): row[2] for row in labels}
    copies = sum(label in ("dup", "near") for label in listed.values())
    right = sum(listed.get(pair) in ("dup", "near") for pair in predicted)
    wrong = sum(listed.get(pair, "diff") == "diff" for pair in predicted)
    precision, recall = right / max(1, right + wrong), right / max(1, copies)
    both = 2 * right / max(1, right + wrong + copies)
    print(f"{half}: precision {precision:.4f}, recall {recall:.4f}, F1 {both:.4f}, {wrong} of {right + wrong} wrong\n")


def main():
    corpus, pairs = pathlib.Path(sys.argv[1]), sys.argv[2]
    half = sys.argv[3] if len(sys.argv) > 3 else "all"
    predicted = {tuple(sorted(row[:2])) for row in rows(pairs)}
    labels = list(rows(corpus / "labels.tsv"))[1:]
    if half != "all":
        is_test = halves(labels)
        labels = [row for row in labels if is_test(row[0]) == (half == "test")]
        predicted = {pair for pair in predicted if is_test(pair[0]) == (half == "test")}
    print_figures(labels, predicted, half)
    counts = collections.defaultdict(collections.Counter)
    strengths = collections.defaultdict(list)
    for row in labels:
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
