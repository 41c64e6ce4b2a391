#!/usr/bin/env python3
"""Summarise the results of a run over the demo crawl and compare them with its labels. Standard library only.

usage: tools/tell_demo.py OUTPUT_DIRECTORY examples/demo-crawl
"""
import collections
import pathlib
import sys

EXAMPLES_SHOWN = 5


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines if line.strip() and not line.startswith("#")]


def main():
    output, crawl = map(pathlib.Path, sys.argv[1:3])
    clusters = collections.defaultdict(list)
    for page_id, cluster in rows(output / "clusters.tsv"):
        clusters[cluster].append(page_id)
    matches = rows(output / "matches.tsv")
    verdicts = collections.Counter(row[3] for row in matches)
    pages = {row[0]: row for row in rows(crawl / "pages.tsv")}
    truth = {tuple(row[:2]): row[2] for row in rows(crawl / "labels.tsv")}

    found = {tuple(sorted(row[:2])) for row in matches if row[3] in ("same", "near")}
    copies = {pair for pair, label in truth.items() if label in ("dup", "near")}
    # The odd pages (empty, broken, ...) have no labels.
    wrong = {pair for pair in found if set(pair) <= set(pages) and truth.get(pair, "diff") == "diff"}
    groups = [group for group in clusters.values() if len(group) > 1]
    groups.sort(key=lambda group: (-len(group), min(group)))
    total = sum(map(len, clusters.values()))
    survivors = len(clusters)

    print(f"\nThe demo crawl has {total} pages. {total - survivors} are copies of another one; {survivors} remain.")
    print(f"{len(groups)} groups of copies. The largest:")
    for group in groups[:EXAMPLES_SHOWN]:
        known = [pages[page_id] for page_id in group if page_id in pages]
        name = known[0][3] if known else group[0]
        hosts = sorted({row[1].split("/")[2] for row in known})
        print(f"  {len(group)} pages of {name}: {', '.join(hosts)}")
    partial = verdicts["contained"] + verdicts["contains"] + verdicts["overlap"]
    print(f"Pairs: {verdicts['same']} same, {verdicts['near']} near, {partial} partial copies (excerpts, digests).")
    print(f"Bundled truth: {len(found & copies)} of {len(copies)} copy pairs found, {len(wrong)} wrong pairs.")
    report = (output / "report" / "index.html").resolve()
    print(f"\nThe report, with every copied paragraph side by side:\n  {report}\n")


if __name__ == "__main__":
    main()
