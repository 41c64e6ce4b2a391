#!/usr/bin/env python3
"""Near-duplicate removal by paraprint and by other programs, from one file of texts to the list of rows removed.

usage: bench/peers/end_to_end.py [--rows N] [--neardup DATA_DIRECTORY] [--threads N ...] [--only NAME ...]
                                 [--program PATH] [--environment FOLDER] [--bff PATH]

Two files of JSON lines: N made texts (made_texts.py, 20,000 by default), and with --neardup the texts of the labelled
sets whose pairs are all labelled, extracted by paraprint and put together. Each program reads the file, in a process of
its own, and writes which rows it removes. All split texts at the same places: at words (a Chinese character is one), at
each two consecutive words, or at each eight consecutive characters, and have the threshold that suits them; the bands
are those that datasketch would choose. paraprint runs in its default way as well, which compares paragraphs.

Printed per program: processor and elapsed seconds, reading and start-up included, the peak memory of its largest
process, and precision, recall and F1 of the rows removed. All rows of a group but one should be removed. In the
labelled sets, groups are the connected "dup" and "near" pairs; a removed row that is only in "topic" pairs, which are
neither, does not count.

Needs the packages of requirements.txt, which are installed into --environment (build/peers-venv by default), and of
requirements-bare.txt, which are installed there without the packages they ask for. --bff names the program of
allenai/bff (`cargo build --release`). What is missing is named and left out.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from compare import ENVIRONMENT, MINHASH, ROOT, open_text, write_collection
from running import HERE, measured

sys.path.append(str(ROOT / "bench"))
from made_texts import read_truth, scores, write_truth

# What a text is split into: arguments of remove_rows.py, threshold, parameters of our MinHash.
SPLITS = {
    "words": (["--length", "1"], 0.7, "unit=words,width=1"),
    "pairs of words": (["--length", "2"], 0.5, "unit=words,width=2"),
    "8 characters": (["--length", "8", "--characters"], 0.6, "unit=characters,width=8"),
}
# Other programs, the module that shows that they are there, and whether they are given characters.
PEERS = {
    "rensa": ("rensa", True),
    "FastSketchLSH": ("FastSketchLSH", True),
    "datasketch": ("datasketch", True),
    "datatrove": ("datatrove", False),
    "text-dedup": ("text_dedup.minhash", False),
    "bff": (None, False),
    "dolma": (None, False),
}
ONE_THREAD = {"datasketch", "rensa", "SemHash"}


def commands(given, texts, work, threads):
    """By (program, split): the command, and the file that will name the removed rows."""
    def own(folder, *options):
        return [given.program, "dedup", texts, "--out", work / folder, "--threads", str(threads), "--keep", "first",
                "--no-records", "--no-report", "--no-evidence", "--restart", "--quiet", *options], \
            work / folder / "removed.jsonl"

    def other(name, threshold, *options):
        return [given.environment / "bin" / "python", HERE / "remove_rows.py", name, texts, work / "removed.txt",
                "--threads", str(threads), "--threshold", str(threshold), *options], work / "removed.txt"

    found = {("paraprint", "paragraphs"): own("paragraphs"),
             ("paraprint", "README's MinHash"): own("readme", "--no-paragraphs", "--algorithm", MINHASH)}
    for split, (arguments, threshold, parameters) in SPLITS.items():
        algorithm = f"minhash-one-permutation:{parameters},threshold={threshold}"
        found["paraprint", split] = own(split.replace(" ", "-"), "--no-paragraphs", "--algorithm", algorithm)
        for name, (_, has_characters) in PEERS.items():
            if has_characters or "--characters" not in arguments:
                tool = ["--tool", given.bff] if name == "bff" else []
                found[name, split] = other(name, threshold, *arguments, *tool)
    found["SemHash", "equal texts"] = other("SemHash", 1, "--length", "1")
    return {key: value for key, value in found.items() if not (threads > 1 and key[0] in ONE_THREAD)}


def missing(given):
    """Names the programs that cannot be run."""
    names = set()
    for name, (module, _) in {**PEERS, "SemHash": ("semhash", False)}.items():
        if name == "bff":
            reason = None if given.bff else "no --bff"
        else:
            command = f"import {module}" if module else "import removers; removers.dolma_core()"
            run = subprocess.run([given.environment / "bin" / "python", "-c", command], cwd=HERE, text=True,
                                 capture_output=True)
            reason = run.stderr.strip().rpartition("\n")[2] if run.returncode else None
        if reason:
            names.add(name)
            print(f"{name}: left out: {reason}")
    return names


def label_collection(data, program, work):
    """Writes the labelled sets as one file, and its truth. Returns their names."""
    names = []
    found, doubtful = {}, set()
    for folder in write_collection(data, program, work):
        if json.loads((folder / "set.json").read_text(encoding="utf-8"))["world"] != "closed":
            continue
        names.append(folder.name)
        with open_text(next(folder.glob("labels.tsv*"))) as rows:
            for row in rows:
                a, b, label = row.rstrip("\n").split("\t")[:3]
                a, b = f"{folder.name}|{a}", f"{folder.name}|{b}"
                if label in ("dup", "near"):
                    found[root(found, a)] = root(found, b)
                elif label in ("topic", "event"):
                    doubtful |= {a, b}
    truth = []
    with open(work / "texts.jsonl", encoding="utf-8") as lines, \
            open(work / "labelled.jsonl", "w", encoding="utf-8") as texts:
        for line in lines:
            name = json.loads(line)["id"]
            if name.split("|")[0] in names:
                texts.write(line)
                truth.append((name, root(found, name), name in doubtful))
    write_truth(work / "labelled.tsv", truth)
    return names


def root(parents, name):
    while parents.get(name, name) != name:
        name = parents[name]
    return name


def removed_ids(path):
    with open(path, encoding="utf-8") as lines:
        return {json.loads(line)["id"] if path.suffix == ".jsonl" else line.rstrip("\n") for line in lines}


def compare(given, title, texts, truth, work, left_out):
    names, groups, is_doubtful = zip(*read_truth(truth))
    rows = {name: row for row, name in enumerate(names)}
    doubtful = {row for row, is_so in enumerate(is_doubtful) if is_so}
    print(f"\n{title}: {len(names)} texts, {texts.stat().st_size / 1e6:.1f} MB, {len(set(groups))} of them different")
    print(f"{'program':14} {'split at':17} threads processor s elapsed s     MB  removed precision  recall     F1")
    for threads in given.threads:
        for (name, split), (command, output) in commands(given, texts, work, threads).items():
            if name in left_out or given.only and not any(f"{name} {split}".startswith(only) for only in given.only):
                continue
            usage = measured(command, work / "log.txt", threads)
            removed = {rows[removed] for removed in removed_ids(output)}
            precision, recall, f1 = scores(removed, groups, doubtful)
            print(f"{name:14} {split:17} {threads:7} {usage.processor:11.2f} {usage.elapsed:9.2f} "
                  f"{usage.megabytes:6.0f} {len(removed):8} {precision:9.4f} {recall:7.4f} {f1:6.4f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--neardup", type=pathlib.Path)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "apps" / "paraprint")
    parser.add_argument("--environment", type=pathlib.Path)
    parser.add_argument("--bff", type=pathlib.Path)
    given = parser.parse_args()
    if given.environment is None:
        given.environment = ENVIRONMENT
        subprocess.run([ROOT / "python" / "make_venv.sh", ENVIRONMENT, HERE / "requirements.txt"], check=True)
        subprocess.run([ENVIRONMENT / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                        "-r", HERE / "requirements-bare.txt"], check=True)
    given.program = given.program.resolve()
    given.bff = given.bff and given.bff.resolve()
    left_out = missing(given)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if given.rows:
            texts, truth = work / "made.jsonl", work / "made.tsv"
            subprocess.run([sys.executable, ROOT / "bench" / "made_texts.py", texts, truth, "--rows", str(given.rows)],
                           check=True)
            compare(given, "made texts", texts, truth, work, left_out)
        if given.neardup:
            names = label_collection(given.neardup, given.program, work)
            compare(given, ", ".join(names), work / "labelled.jsonl", work / "labelled.tsv", work, left_out)


if __name__ == "__main__":
    main()
