#!/usr/bin/env python3
"""Prints the results of tools/reproduce.sh as the published tables, in Markdown.

usage: reproduce_tables.py FOLDER

FOLDER is the --out of reproduce.sh. Experiments that were not run to their end are left out. Published figures stand
beside ours; docs/reproduce.md says where they come from and why they differ.
"""
import collections
import csv
import gzip
import json
import math
import pathlib
import sys

GIGABYTE = 1e9
# Per cent, per cent, seconds, gigabytes: 500,000 pages on 40 cores (paragraph-fingerprint article, tables 2 to 4).
PUBLISHED_SYSTEMS = {"seed-004": (92.5, 90.3, 350, 2.5), "seed-004-shingle": (85.2, 82.1, 520, 3.8),
                     "seed-004-i-match": (80.5, 78.3, 480, 3.5), "seed-004-simhash": (88.6, 86.5, 420, 3.0)}
# D. Fetterly, M. Manasse, M. Najork 2003: probability that two of six supershingles agree.
PUBLISHED_FETTERLY = {0.80: 0.026, 0.95: 0.90}
# M. Henzinger 2006 (precision over all judged pairs); G. S. Manku, A. Jain, A. Das Sarma 2007 (64 bits, k = 3).
PUBLISHED_PRECISION = {"shingle-fetterly": 0.38, "random-projection": 0.50, "henzinger": 0.79, "simhash-64": 0.75}
SUPERSHINGLES, MIN_HASHES_EACH = 6, 14


def table(header, rows, right_from=1):
    """A Markdown table whose columns from `right_from` on are aligned to the right."""
    rules = ["---" if column < right_from else "--:" for column in range(len(header))]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [header, rules, *rows]) + "\n"


def percent(share):
    return "" if share is None else f"{100 * share:.1f}"


class Evaluation:
    """The files of one run of `paraprint eval`."""

    def __init__(self, folder):
        self.folder = folder
        self.sets = json.loads((folder / "results.json").read_text())["sets"]
        self.timing = json.loads((folder / "timing.json").read_text())["sets"]

    def algorithm(self, label, of_set=0):
        return next(one for one in self.sets[of_set]["algorithms"] if one["label"] == label)

    def seconds_and_peak(self, label, of_set=0):
        """Processor seconds from bytes to verified pairs, and the peak memory in gigabytes."""
        row = next(one for one in self.timing[of_set]["algorithms"] if one["label"] == label)
        steps = ("extract", "features", "fingerprint", "candidates", "verify")
        return sum(row[f"{step}_seconds"] for step in steps), row["memory_peak_bytes"] / GIGABYTE

    def pairs(self, label, of_set=0):
        """{(id, id): score} of every scored pair."""
        name = label.replace(":", "_")
        path = self.folder / "pairs" / self.sets[of_set]["name"] / f"{name}.tsv"
        with path.open(encoding="utf-8") as lines:
            rows = (line.rstrip("\n").split("\t") for line in lines)
            return {(min(a, b), max(a, b)): float(score) for a, b, score in rows}

    def reported(self, label, of_set=0):
        threshold = self.algorithm(label, of_set)["threshold"]
        return {pair for pair, score in self.pairs(label, of_set).items() if score >= threshold}


def figures(algorithm):
    at = algorithm["at_default"]["lenient"]
    return [percent(at["precision"]), percent(at["recall"]), percent(at["f1"])]


def systems(folder):
    run = Evaluation(folder / "systems")
    rows = []
    for algorithm in run.sets[0]["algorithms"]:
        label = algorithm["label"]
        if ":" in label:  # of the curve
            continue
        published = PUBLISHED_SYSTEMS.get(label, ("",) * 4)
        seconds, peak = run.seconds_and_peak(label)
        held_out = algorithm["held_out"]["test"]["lenient"]
        rows.append([f"`{label}`", *published, *figures(algorithm), percent(held_out["f1"]), f"{seconds:.0f}",
                     f"{peak:.2f}"])
    header = ["system", "P %, published", "R %", "s", "GB", "P %, here", "R %", "F1 %", "F1 %, held-out threshold", "s",
              "GB"]
    title = f"## Tables 2 to 4: {run.sets[0]['pages']} simulated pages\n\n"
    return title + table(header, rows) + "\n" + literal_curve(run, 0) + literal_by_edit(run)


def literal_rows(evaluation, of_set):
    prefix = "paragraph-literal:distance_bits="
    labels = [one["label"] for one in evaluation.sets[of_set]["algorithms"] if one["label"].startswith(prefix)]
    return [(label[len(prefix):], evaluation.algorithm(label, of_set)) for label in labels]


def literal_curve(evaluation, of_set):
    rows = [[bits, *figures(algorithm)] for bits, algorithm in literal_rows(evaluation, of_set)]
    return f"The literal rule over its threshold T, {evaluation.sets[of_set]['name']}:\n\n" + \
        table(["T, bits of 128", "P %", "R %", "F1 %"], rows) + "\n"


def literal_by_edit(evaluation):
    rows = []
    for group in evaluation.algorithm("paragraph-literal")["by_edit_alone"]:
        copies = group["labelled"]["dup"] + group["labelled"]["near"]
        if copies:
            found = group["reported"]["dup"] + group["reported"]["near"]
            rows.append([group["name"], copies, percent(found / copies)])
    rows.sort(key=lambda row: -float(row[2]))
    return "Copies with one edit that the literal rule finds at its default threshold:\n\n" + \
        table(["edit", "pairs", "R %"], rows) + "\n"


def real(folder):
    run = Evaluation(folder / "real")
    rows = []
    for number, one in enumerate(run.sets):
        if one["labels"]["dup"] + one["labels"]["near"]:
            cells = [figures(run.algorithm(label, number))[:2] for label in ("paragraph", "paragraph-literal")]
            literal = {bits: figures(algorithm)[2] for bits, algorithm in literal_rows(run, number)}
            best = max(literal, key=lambda bits: float(literal[bits]))
            rows.append([one["name"], *cells[0], *cells[1], f"{literal[best]} at {best}"])
    header = ["labelled set", "`paragraph` P %", "R %", "`paragraph-literal` P %", "R %",
              "best F1 % of the literal rule, at T"]
    return f"## The literal rule on real pages\n\n{table(header, rows)}\n"


def variants(folder):
    rows = []
    for one in Evaluation(folder / "variants").sets[0]["algorithms"]:
        test = one["held_out"]["test"]["lenient"]
        shares = one["at_default"]["flagged_topic"], test["precision"], test["recall"], test["f1"]
        rows.append([f"`{one['label']}`", *figures(one), *map(percent, shares)])
    header = ["algorithm", "P %", "R %", "F1 %", "topic pairs reported, %", "P %, held-out threshold", "R %", "F1 %"]
    return f"## Improved fingerprints and the Tianwang rules\n\n{table(header, rows)}\n"


def fetterly_law(resemblance):
    agree = resemblance ** MIN_HASHES_EACH
    return 1 - (1 - agree) ** SUPERSHINGLES - SUPERSHINGLES * agree * (1 - agree) ** (SUPERSHINGLES - 1)


def sampling(folder):
    run = Evaluation(folder / "sampling")
    resemblance = run.pairs("shingle")
    found = run.reported("shingle-fetterly")
    estimate = run.pairs("minhash-one-permutation")
    rows = []
    for middle in (0.80, 0.85, 0.90, 0.95, 0.97):
        near = [pair for pair, value in resemblance.items() if abs(value - middle) < 0.01]
        if near:
            law = sum(fetterly_law(resemblance[pair]) for pair in near) / len(near)
            errors = [estimate[pair] - resemblance[pair] for pair in near if pair in estimate]
            deviation = math.sqrt(sum(error * error for error in errors) / len(errors)) if errors else math.nan
            rows.append([f"{middle:.2f}", len(near), percent(PUBLISHED_FETTERLY.get(middle)), percent(law),
                         percent(sum(pair in found for pair in near) / len(near)),
                         f"{math.sqrt(middle * (1 - middle) / 128):.4f}", f"{deviation:.4f}"])
    header = ["resemblance ± 0.01", "pairs", "`shingle-fetterly` R %, published", "by its law", "here",
              "error of 128 min-hashes, by its law", "here"]
    return f"## Sampled shingles against all shingles\n\n{table(header, rows)}\n"


def sites_and_labels(folder, run):
    """The site of each page, and the label of each listed pair, of the corpus that was evaluated."""
    corpus = folder / run.sets[0]["name"]
    sites = {}
    for path in sorted(corpus.glob("docs.jsonl*")):
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
            sites.update((page["id"], page["site"]) for page in map(json.loads, lines))
    labels = {}
    for path in sorted(corpus.glob("labels.tsv*")):
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                labels[min(row["id_a"], row["id_b"]), max(row["id_a"], row["id_b"])] = row["label"]
    return sites, labels


def sites(folder):
    run = Evaluation(folder / "sites")
    site_of, labels = sites_and_labels(folder, run)
    rows = []
    for label, published in PUBLISHED_PRECISION.items():
        right, all_reported = collections.Counter(), collections.Counter()
        for pair in run.reported(label):
            truth = labels.get(pair, "diff")
            if truth != "topic":
                place = "same site" if site_of[pair[0]] == site_of[pair[1]] else "other site"
                all_reported[place] += 1
                right[place] += truth in ("dup", "near")
        cells = [percent(right[place] / all_reported[place]) if all_reported[place] else ""
                 for place in ("same site", "other site")]
        rows.append([f"`{label}`", f"{100 * published:.0f}", *figures(run.algorithm(label))[:2], *cells])
    header = ["algorithm", "P %, published", "P %, here", "R %", "P % on one site", "P % across sites"]
    return f"## Fingerprints of whole pages, templates included\n\n{table(header, rows)}\n"


def keywords(folder):
    rows = []
    for algorithm in Evaluation(folder / "keywords").sets[0]["algorithms"]:
        if ":keywords=" in algorithm["label"]:
            analysis = algorithm["analysis"]
            rows.append([algorithm["label"].rpartition("=")[2], *figures(algorithm),
                         *(f"{float(value):.3f}" for value in analysis.values() if isinstance(value, (int, float)))])
    names = [name.replace("_", " ") for name, value in analysis.items() if isinstance(value, (int, float))]
    return f"## Choice of N, `tianwang-keywords`\n\n{table(['N', 'P %', 'R %', 'F1 %', *names], rows)}\n"


def ablation(folder):
    rows = [[one["label"], *figures(one)] for one in Evaluation(folder / "ablation").sets[0]["algorithms"]]
    return f"## Parts of the paragraph method\n\n{table(['without, or with', 'P %', 'R %', 'F1 %'], rows)}\n"


def extraction(folder):
    return "## Table 1: extraction\n\n```\n" + (folder / "extraction.txt").read_text() + "```\n"


def collection(folder):
    header, *rows = [line.split("\t") for line in (folder / "collection.tsv").read_text().splitlines()]
    return f"## The collection\n\n{table(header, rows, right_from=2)}\n"


def hashes(folder):
    parts = [f"{what}:\n\n```\n{(folder / name).read_text()}```\n"
             for what, name in (("The inputs", "hashes.txt"), ("Their reposts", "hashes-reposts.txt"))
             if (folder / name).exists()]
    return "## Classic string hashes\n\n" + "\n".join(parts)


EXPERIMENTS = {"extraction": extraction, "collection": collection, "systems": systems, "real": real,
               "variants": variants, "sampling": sampling, "sites": sites, "keywords": keywords, "ablation": ablation,
               "hashes": hashes}


def main():
    folder = pathlib.Path(sys.argv[1])
    print("# Tables\n")
    for name, make in EXPERIMENTS.items():
        try:
            print(make(folder))
        except FileNotFoundError:  # not run, or not finished
            print(f"reproduce_tables.py: no {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
