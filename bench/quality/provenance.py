#!/usr/bin/env python3
"""How often provenance.jsonl names the right source, on simulated chains of copies. Standard library only.

usage: provenance.py PARAPRINT WORK INPUT... [--seeds 1,2] [--pages 1500] [--threads 2]

For each seed and setting it simulates a corpus from the pages of the inputs, runs `dedup --provenance`, and compares
each page that has an ancestor in its cluster with the truth (copies.tsv):

  ancestor   the named source is what the page was copied from, or what that was copied from
  direction  or it is another page with the text of such an ancestor that was published before the page
  parent     the named source is the nearest ancestor in the cluster
  reversed   the named source was itself copied from the page
  first      (per cluster) the page called first has no ancestor in the cluster

All are shares of the pages with an ancestor: a page that is called the first one, or that has a collateral as its
source, counts as wrong. Rows divide pages by what speaks: "dates" if the page and its nearest ancestor state days that
differ ("dates, some kept": in a cluster with pages that state the date of the page that they were copied from),
"sources" if the page states one that is in the cluster, "texts" if neither, "equal texts" if even the texts are the
same.
"""
import argparse
import collections
import csv
import json
import pathlib
import shutil
import subprocess

# Edits that change the words of a text, so that texts can speak.
WORD_EDITS = ("typos,ocr,synonyms,word-substitution,sentence-deletion,paragraph-deletion,insertion,rewriting,excerpt,"
              "truncation,paragraph-order")
SETTINGS = {
    "dates": ["--dated-share", "1"],
    "sources": ["--sourced-share", "1"],
    "half of both": ["--dated-share", "0.5", "--sourced-share", "0.5"],
    "texts": ["--edits", WORD_EDITS],
}
CONFIDENCE_BINS = ((0, 0.6), (0.6, 0.75), (0.75, 0.9), (0.9, 0.97), (0.97, 1.01))


class Truth:
    """copies.tsv of a simulated corpus."""

    def __init__(self, folder):
        with open(folder / "copies.tsv", encoding="utf-8") as file:
            self.rows = {row["id"]: row for row in csv.DictReader(file, delimiter="\t")}
        with open(folder / "labels.tsv", encoding="utf-8") as file:
            self.equal = {(row["id_a"], row["id_b"]) for row in csv.DictReader(file, delimiter="\t")
                          if row["label"] == "dup"}

    def ancestors(self, page):
        """Nearest first."""
        found = []
        while page in self.rows and self.rows[page]["copied_from"]:
            page = self.rows[page]["copied_from"]
            found.append(page)
        return found

    def keeps_date(self, page):
        """Whether it states the date of the page that it was copied from as its own."""
        row = self.rows.get(page, {})
        return bool(row.get("stated_date")) and row["stated_date"] != row["published"]

    def speaks(self, page, ancestor, cluster):
        dates = self.rows[page]["stated_date"], self.rows[ancestor]["stated_date"]
        if all(dates) and dates[0] != dates[1]:
            return "dates, some kept" if any(self.keeps_date(each) for each in cluster) else "dates"
        if self.rows[page]["stated_source"] in cluster:
            return "sources"
        return "equal texts" if tuple(sorted((page, ancestor))) in self.equal else "texts"


    def is_twin(self, named, page, ancestors):
        """Whether it has the text of an ancestor and was there before the page."""
        return (named in self.rows and self.rows[named]["published"] < self.rows[page]["published"] and
                any(tuple(sorted((named, ancestor))) in self.equal for ancestor in ancestors))


def compare(truth, lines, counts, bins):
    clusters = collections.defaultdict(dict)
    for line in lines:
        if line["id"] in truth.rows:
            clusters[line["cluster"]][line["id"]] = line
    for cluster in clusters.values():
        for page, line in cluster.items():
            present = [ancestor for ancestor in truth.ancestors(page) if ancestor in cluster]
            if line["is_first"] and len(cluster) > 1:
                counts["clusters"]["pages"] += 1
                counts["clusters"]["first"] += not present
            if not present:
                continue
            row = counts[truth.speaks(page, present[0], cluster)]
            named = line["copied_from"]
            row["pages"] += 1
            row["ancestor"] += named in present
            row["direction"] += named in present or truth.is_twin(named, page, present)
            row["parent"] += named == present[0]
            row["reversed"] += named is not None and page in truth.ancestors(named)
            if named is not None:
                index = next(i for i, (low, high) in enumerate(CONFIDENCE_BINS) if low <= line["confidence"] < high)
                bins[index].append((line["confidence"],
                                    named in present or truth.is_twin(named, page, present)))


def print_counts(setting, counts):
    for speaks in ("dates", "dates, some kept", "sources", "texts", "equal texts", "clusters"):
        row = counts[speaks]
        if not row["pages"]:
            continue
        shares = [f"{row[name] / row['pages']:.3f}" for name in
                  (("first",) if speaks == "clusters" else ("direction", "ancestor", "parent", "reversed"))]
        print("|", " | ".join([setting, speaks, str(row["pages"]), *shares]), "|" * (5 - len(shares)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paraprint")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--pages", default="1500")
    parser.add_argument("--threads", default="2")
    options = parser.parse_args()
    print("| setting | what speaks | pages | direction (clusters: first) | ancestor | parent | reversed |")
    print("|---|---|--:|--:|--:|--:|--:|")
    bins = [[] for _ in CONFIDENCE_BINS]
    for setting, arguments in SETTINGS.items():
        counts = collections.defaultdict(collections.Counter)
        for seed in options.seeds.split(","):
            folder = options.work / f"{setting.replace(' ', '-')}-{seed}"
            shutil.rmtree(folder, ignore_errors=True)
            subprocess.run([options.paraprint, "simulate", *options.inputs, "--out", folder / "corpus", "--pages",
                            options.pages, "--seed", seed, "--chain-share", "0.5", "--formula-share", "0", "--threads",
                            options.threads, "--quiet", *arguments], check=True)
            pages = sorted((folder / "corpus").glob("pages-*.warc.gz"))
            subprocess.run([options.paraprint, "dedup", *pages, "--out", folder / "clean", "--provenance",
                            "--no-records", "--no-report", "--no-evidence", "--threads", options.threads, "--quiet"],
                           check=True)
            with open(folder / "clean" / "provenance.jsonl", encoding="utf-8") as file:
                compare(Truth(folder / "corpus"), map(json.loads, file), counts, bins)
        print_counts(setting, counts)
    print("\n| confidence | pages | mean | right |\n|---|--:|--:|--:|")
    for (low, high), pairs in zip(CONFIDENCE_BINS, bins):
        if pairs:
            mean = sum(confidence for confidence, _ in pairs) / len(pairs)
            print(f"| {low} to {min(high, 1)} | {len(pairs)} | {mean:.3f} "
                  f"| {sum(right for _, right in pairs) / len(pairs):.3f} |")


if __name__ == "__main__":
    main()
