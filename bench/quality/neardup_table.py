#!/usr/bin/env python3
"""Print the table of neardup.sh from its working directory: sets, NAME.json (scores), NAME/matches.tsv.

Columns: lenient and strict F1, precision (lenient), recall, share of topic pairs reported, recall of partial copies
(labels_detail with lcs_containment >= 0.9, not labelled as copies, with any verdict except distinct), V-measure, time.
"""
import gzip
import json
import pathlib
import sys

PARTIAL_CONTAINMENT = 0.9


def open_text(path):
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")


def rows(path):
    with open_text(path) as lines:
        return [line.rstrip("\n").split("\t") for line in lines if line.strip()]


def partial_recall(set_folder, matches):
    """(found, all) partial copies, or None if the set does not list them."""
    path = next((set_folder / name for name in ("labels_detail.tsv.gz", "labels_detail.tsv")
                 if (set_folder / name).exists()), None)
    if path is None:
        return None
    header, *details = rows(path)
    header = [name.lstrip("#").strip() for name in header]
    if "lcs_containment" not in header:
        return None
    column, label = header.index("lcs_containment"), header.index("label")
    partial = {tuple(sorted(row[:2])) for row in details
               if row[label] not in ("dup", "near") and row[column] and float(row[column]) >= PARTIAL_CONTAINMENT}
    found = {tuple(sorted(row[:2])) for row in matches}
    return (len(partial & found), len(partial)) if partial else None


def text(value, form="{:.3f}"):
    return "-" if value is None else form.format(value)


def main():
    work = pathlib.Path(sys.argv[1])
    print(f"{'set':22} {'lenient':>8} {'strict':>8} {'prec':>8} {'recall':>8} {'topic':>8} {'partial':>12} {'V':>8} "
          f"{'s':>7}")
    for name, seconds, set_folder in rows(work / "sets"):
        score = json.loads((work / f"{name}.json").read_text(encoding="utf-8"))
        pairs = score["pairwise"]
        partial = partial_recall(pathlib.Path(set_folder), rows(work / name / "matches.tsv"))
        partial_text = f"{partial[0]}/{partial[1]}" if partial else "-"
        measure = score.get("clusters", {}).get("V_measure_NMI")
        print(f"{name:22} {pairs['lenient']['F1']:8.3f} {pairs['strict']['F1']:8.3f} {pairs['lenient']['P']:8.3f} "
              f"{pairs['lenient']['R']:8.3f} {text(pairs['flagged_topic']):>8} {partial_text:>12} {text(measure):>8} "
              f"{seconds:>7}")


if __name__ == "__main__":
    main()
