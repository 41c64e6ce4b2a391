#!/usr/bin/env python3
"""Compare paraprint with other programs on the same labelled texts: quality, pages per second, memory.

usage: bench/peers/compare.py [--neardup DATA_DIRECTORY SCORER] [--extraction GOLD.jsonl[.gz] SCORER] [options]

Creates its own environment (build/peers-venv, from the package index) and prints two tables. Data and scorers are
those of bench/quality. Each program runs alone, with one worker. Times are processor seconds including start-up and
reading, so pages per second are those of one core; memory is the peak resident size. The programs take turns for
--rounds rounds, and the fastest run of each counts, because other load can only make a run slower.

Near-duplicates: the texts of all sets together (extracted by paraprint from the sets of HTML) are one collection for
speed and memory; F1 (lenient) is the mean over sets with 20 copies or more, at the program's own threshold and at the
best of all thresholds in hindsight, if the program returns scores.
Extraction: every n-th page of the gold, so that about --pages remain; F1 of words, and of runs of four words.
"""
import argparse
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from running import HERE, measured

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENVIRONMENT = ROOT / "build" / "peers-venv"
COPIES_MINIMUM = 20
# Thresholds of the programs that score pairs: the value that their documentation suggests.
THRESHOLDS = {"datasketch": 0.7}
# paraprint's own MinHash, for a comparison of the same method.
MINHASH = "minhash-one-permutation:unit=characters,width=8,threshold=0.6"


def open_text(path):
    return gzip.open(path, "rt", encoding="utf-8") if str(path).endswith(".gz") else open(path, encoding="utf-8")


def fastest(commands, logs, rounds):
    """By name: (processor seconds, peak MB) of the fastest of `rounds` runs; the programs take turns."""
    best = {}
    for _ in range(rounds):
        for name, command in commands.items():
            usage = measured(command, logs[name])
            best[name] = min(best.get(name, (float("inf"),)), (usage.processor, usage.megabytes))
    return best


def scored(scorer, *arguments):
    printed = subprocess.run([sys.executable, scorer, *map(str, arguments)], check=True, capture_output=True, text=True)
    return printed.stdout


def write_collection(data, program, work):
    """Write all sets as one collection, ids prefixed by the set's name. Return the sets with enough copies."""
    chosen = []
    with open(work / "texts.jsonl", "w", encoding="utf-8") as texts:
        for folder in sorted(path for path in data.iterdir() if path.is_dir()):
            documents, labels = next(folder.glob("docs.jsonl*"), None), next(folder.glob("labels.tsv*"), None)
            if documents is None or labels is None:
                continue
            with open_text(labels) as rows:
                copies = sum(row.rstrip("\n").split("\t")[2] in ("dup", "near") for row in rows if row[0] != "#")
            if copies < COPIES_MINIMUM:
                continue
            chosen.append(folder)
            extracted = subprocess.run([program, "extract", documents], check=True, capture_output=True).stdout
            for line in extracted.decode("utf-8").rstrip("\n").split("\n"):
                page = json.loads(line)
                named = {"id": f"{folder.name}|{page['id']}", "text": page["text"]}
                texts.write(json.dumps(named, ensure_ascii=False) + "\n")
    return chosen


def neardup_commands(program, work):
    """By name: the command, and the file of pairs that it writes."""
    python, texts = ENVIRONMENT / "bin" / "python", work / "texts.jsonl"

    def own(name, *options):
        command = [program, "dedup", texts, "--out", work / name, "--threads", "1", "--no-records", "--no-report",
                   "--no-evidence", "--restart", *options]
        return command, work / name / "matches.tsv"

    def peer(name):
        return [python, HERE / f"neardup_{name}.py", texts, work / f"{name}.tsv"], work / f"{name}.tsv"

    return {
        "paraprint": own("paraprint"),
        "its MinHash": own("paraprint-minhash", "--algorithm", MINHASH, "--no-paragraphs"),
        "datasketch": peer("datasketch"),
        "datatrove": peer("datatrove"),
    }


def split_pairs(pairs_path, work, program):
    """Write the pairs within each set, one file per set. Pairs across sets have no labels."""
    files = {}
    with open(pairs_path, encoding="utf-8") as pairs:
        for line in pairs:
            a, b, score, *verdict = line.rstrip("\n").split("\t")
            if verdict and verdict[0] not in ("same", "near"):
                continue
            (set_a, id_a), (set_b, id_b) = a.split("|", 1), b.split("|", 1)
            if set_a == set_b:
                files.setdefault(set_a, []).append(f"{id_a}\t{id_b}\t{score}\n")
    for name, rows in files.items():
        (work / f"{program}-{name}.tsv").write_text("".join(rows), encoding="utf-8")


def neardup(data, scorer, program, rounds, work):
    sets = write_collection(pathlib.Path(data), program, work)
    with open(work / "texts.jsonl", encoding="utf-8") as lines:
        pages = sum(1 for _ in lines)
    print(f"near-duplicates: {pages} texts of {len(sets)} sets: {', '.join(folder.name for folder in sets)}")
    print(f"{'program':12} {'F1':>7} {'best F1':>8} {'pages/s':>9} {'slower by':>10} {'MB':>6}   F1 by set")
    runs = neardup_commands(program, work)
    times = fastest({name: command for name, (command, _) in runs.items()},
                    {name: work / f"{name}.log" for name in runs}, rounds)
    first = times["paraprint"][0]
    for name, (_, pairs) in runs.items():
        seconds, megabytes = times[name]
        split_pairs(pairs, work, name)
        own, best = [], []
        for folder in sets:
            predictions = work / f"{name}-{folder.name}.tsv"
            predictions.touch()
            threshold = ["--threshold", THRESHOLDS[name]] if name in THRESHOLDS else []
            judged = json.loads(scored(scorer, folder, predictions, "--json", *threshold))
            swept = json.loads(scored(scorer, folder, predictions, "--json", "--sweep")).get("sweep_lenient", {})
            own.append(judged["pairwise"]["lenient"]["F1"])
            best.append(max(own[-1], swept.get("best_F1", 0)))
        figures = " ".join(f"{value:.3f}" for value in own)
        print(f"{name:12} {sum(own) / len(own):7.3f} {sum(best) / len(best):8.3f} {pages / seconds:9.1f} "
              f"{seconds / first:9.1f}x {megabytes:6.0f}   {figures}", flush=True)


def extraction(gold, scorer, program, pages_wanted, rounds, work):
    with open_text(gold) as lines:
        total = sum(1 for _ in lines)
    step = max(1, total // pages_wanted)
    with open_text(gold) as lines, open(work / "pages.jsonl", "w", encoding="utf-8") as pages, \
            open(work / "gold.jsonl", "w", encoding="utf-8") as chosen:
        count = 0
        for number, line in enumerate(lines):
            if number % step == 0:
                page = json.loads(line)
                pages.write(json.dumps({"id": page["id"], "html": page["html"]}, ensure_ascii=False) + "\n")
                chosen.write(line)
                count += 1
    python = ENVIRONMENT / "bin" / "python"
    commands = {"paraprint": [program, "extract", "--threads", "1", work / "pages.jsonl"]}
    for name in ("resiliparse", "trafilatura"):
        commands[name] = [python, HERE / f"extract_{name}.py", work / "pages.jsonl", work / f"{name}.jsonl"]
    print(f"\nextraction: {count} pages, {os.path.getsize(work / 'pages.jsonl') / 1e6:.0f} MB")
    print(f"{'program':12} {'F1':>7} {'S4F1':>8} {'pages/s':>9} {'slower by':>10} {'MB':>6}")
    outputs = {name: work / f"{name}.jsonl" for name in commands}
    logs = {name: work / f"{name}.log" for name in commands}
    logs["paraprint"] = outputs["paraprint"]  # prints its texts
    times = fastest(commands, logs, rounds)
    first = times["paraprint"][0]
    for name, output in outputs.items():
        seconds, megabytes = times[name]
        scored(scorer, work / "gold.jsonl", output, "--json", work / "score.json")
        rows = json.loads((work / "score.json").read_text(encoding="utf-8"))["rows"]
        print(f"{name:12} {rows['ALL']['F1']:7.3f} {rows['ALL']['S4F1']:8.3f} {count / seconds:9.1f} "
              f"{seconds / first:9.1f}x {megabytes:6.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--neardup", nargs=2)
    parser.add_argument("--extraction", nargs=2)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--program", default=ROOT / "build" / "release" / "apps" / "paraprint")
    given = parser.parse_args()
    made = subprocess.run([ROOT / "python" / "make_venv.sh", ENVIRONMENT, HERE / "requirements.txt"])
    if made.returncode != 0:
        raise SystemExit("compare.py: skipped, the other programs can't be installed")
    program = pathlib.Path(given.program).resolve()
    with tempfile.TemporaryDirectory() as work:
        if given.neardup:
            neardup(*given.neardup, program, given.rounds, pathlib.Path(work))
        if given.extraction:
            extraction(*given.extraction, program, given.pages, given.rounds, pathlib.Path(work))


if __name__ == "__main__":
    main()
