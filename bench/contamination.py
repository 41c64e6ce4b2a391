#!/usr/bin/env python3
"""How many planted benchmark items `paraprint contaminated` finds, compared with overlap of n-grams.

usage: bench/contamination.py PROGRAM WORK-FOLDER PAGES... [--items N] [--seed N] [--datatrove PYTHON]
PAGES are archives of pages without near-duplicates between them (`paraprint dedup` removes those first). Half of the
pages give the items: stretches of 6 to 14, of 20 to 60 and of 80 to 200 words. Each item is planted into one document
made of the other half, or into none, so that half of all items must not be found:

  exact       as it is
  case        in capitals, without punctuation
  5, 10, 20, 30 %   of the words left out, replaced or followed by another word
  half        its first half alone
  order       its second half before the first

Compared: `paraprint contaminated` (a find of each verdict, and all together); any 13 words in a row (as for GPT-3), of
shorter items all words in a row; any 12 words in a row (the default of datatrove's filter). No five words in a row of
an item stand in a document without it, or in another item. Words are those between white space, without punctuation, in
lower case; of Chinese, characters. Precision is the share of finds in the document that the item was planted into.

With --datatrove, a Python that has datatrove, also its own decontamination (bench/peers/contamination_datatrove.py
says what it needs), with 12 words in a row, its default.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import resource
import subprocess
import sys

STRENGTHS = ("exact", "case", "5 %", "10 %", "20 %", "30 %", "half", "order")
LENGTHS = {"6 to 14": (6, 14), "20 to 60": (20, 60), "80 to 200": (80, 200)}
HAN = re.compile(r"[\u3400-\u9fff]")


def units(text: str) -> list[str]:
    """What edits and lengths count: words with their punctuation; of Chinese, characters."""
    return [unit for word in text.split() for unit in (list(word) if HAN.search(word) else [word])]


def joined(parts: list[str]) -> str:
    text = ""
    for part in parts:
        is_han = bool(HAN.search(part)) or (text and HAN.search(text[-1]))
        text += part if is_han or not text else " " + part
    return text


def plain_words(text: str) -> list[str]:
    """For n-grams."""
    return [word for word in (re.sub(r"[\W_]+", "", unit.lower()) for unit in units(text)) if word]


def runs_of(text: str) -> set[tuple[str, ...]]:
    """All five words in a row."""
    words = plain_words(text)
    return {tuple(words[begin:begin + 5]) for begin in range(len(words) - 4)}


class Planter:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.vocabulary: list[str] = []

    def edited(self, words: list[str], share: float) -> list[str]:
        out = []
        for word in words:
            kind = self.random.choice(("leave out", "replace", "add")) if self.random.random() < share else "keep"
            if kind in ("keep", "add"):
                out.append(word)
            if kind in ("replace", "add"):
                out.append(self.random.choice(self.vocabulary))
        return out or words[:1]

    def planted(self, text: str, strength: str) -> str:
        words = units(text)
        if strength == "case":
            return re.sub(r"[^\w\s]+", " ", text).upper()
        if strength.endswith("%"):
            return joined(self.edited(words, int(strength.split()[0]) / 100))
        middle = len(words) // 2
        if strength == "half":
            return joined(words[:middle])
        return joined(words[middle:] + words[:middle]) if strength == "order" else text


def pages_of(program: str, work: pathlib.Path, inputs: list[str]) -> list[str]:
    """Texts of pages of 200 words or more, of which none is a copy of another one."""
    out = work / "pages"
    if not out.exists():
        subprocess.run([program, "dedup", *inputs, "--out", out, "--remove-contained", "--no-report", "--no-evidence",
                        "--quiet"], check=True)
    lines = subprocess.run([program, "extract", "--quiet", out / "records"], check=True, capture_output=True).stdout
    texts = [json.loads(line)["text"] for line in lines.splitlines()]
    return [text for text in texts if len(units(text)) >= 200]


def make(options: argparse.Namespace, texts: list[str]) -> dict[str, dict]:
    """Writes corpus and benchmark. Returns for each item its length, its strength ("" if it is not planted), and the
    document that has it."""
    planter = Planter(options.seed)
    planter.random.shuffle(texts)
    half = len(texts) // 2
    sources, documents = texts[:half], texts[half:]
    planter.vocabulary = [word for text in documents[:200] for word in units(text)]
    # Pages of one site share its template: an item with words of it would be in many documents.
    known = {run for text in documents for run in runs_of(text)}
    items: dict[str, dict] = {}
    chosen = {}
    for number in range(options.items):
        length = list(LENGTHS)[number // 2 % len(LENGTHS)]
        while True:
            source = units(planter.random.choice(sources))
            size = min(planter.random.randint(*LENGTHS[length]), len(source))
            begin = planter.random.randrange(len(source) - size + 1)
            text = joined(source[begin:begin + size])
            runs = runs_of(text)
            if runs and known.isdisjoint(runs):
                break
        known.update(runs)
        chosen[f"item-{number}"] = text
        # Every strength with every length: items 0, 2, 4 are planted as they are, 6, 8, 10 in capitals.
        strength = STRENGTHS[number // 2 // len(LENGTHS) % len(STRENGTHS)] if number % 2 == 0 else ""
        items[f"item-{number}"] = {"length": length, "strength": strength, "document": ""}
    places = list(range(options.documents))
    planter.random.shuffle(places)
    corpus = [documents[number % len(documents)] for number in range(options.documents)]
    for name, item in items.items():
        if not item["strength"]:
            continue
        place = places.pop()
        paragraphs = corpus[place].split("\n")
        paragraphs.insert(planter.random.randrange(len(paragraphs) + 1),
                          planter.planted(chosen[name], item["strength"]))
        corpus[place] = "\n".join(paragraphs)
        item["document"] = f"document-{place}"
    with (options.work / "corpus.jsonl").open("w", encoding="utf-8") as out:
        for number, text in enumerate(corpus):
            out.write(json.dumps({"id": f"document-{number}", "text": text}, ensure_ascii=False) + "\n")
    with (options.work / "benchmark.jsonl").open("w", encoding="utf-8") as out:
        for name, text in chosen.items():
            out.write(json.dumps({"id": name, "question": text}, ensure_ascii=False) + "\n")
    return items


def timed(command: list, **how) -> tuple[subprocess.CompletedProcess, float]:
    """Runs a program; its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, **how)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def finds_of_program(options: argparse.Namespace) -> tuple[dict[str, set], float]:
    out = options.work / "found"
    _, seconds = timed([options.program, "contaminated", options.work / "corpus.jsonl", "--against",
                        options.work / "benchmark.jsonl", "--out", out, "--quiet"])
    finds = collections.defaultdict(set)
    for line in (out / "contaminated.jsonl").open(encoding="utf-8"):
        row = json.loads(line)
        pair = (row["item"], row["id"])
        finds["paraprint, all finds"].add(pair)
        if row["verdict"] != "part":
            finds["paraprint, exact and whole"].add(pair)
        if row["verdict"] == "exact":
            finds["paraprint, exact"].add(pair)
    return finds, seconds


def finds_of_datatrove(options: argparse.Namespace) -> tuple[set, float]:
    script = pathlib.Path(__file__).parent / "peers" / "contamination_datatrove.py"
    done, seconds = timed([options.datatrove, script, options.work / "benchmark.jsonl", options.work / "corpus.jsonl",
                           options.work, "12"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return {tuple(line.split("\t")) for line in done.stdout.splitlines()}, seconds


def finds_of_ngrams(options: argparse.Namespace, size: int) -> set:
    of_gram = collections.defaultdict(set)
    lengths = set()
    for line in (options.work / "benchmark.jsonl").open(encoding="utf-8"):
        row = json.loads(line)
        words = plain_words(row["question"])
        length = min(size, len(words))
        lengths.add(length)
        for begin in range(len(words) - length + 1):
            of_gram[tuple(words[begin:begin + length])].add(row["id"])
    finds = set()
    for line in (options.work / "corpus.jsonl").open(encoding="utf-8"):
        row = json.loads(line)
        words = plain_words(row["text"])
        for length in lengths:
            for begin in range(len(words) - length + 1):
                for item in of_gram.get(tuple(words[begin:begin + length]), ()):
                    finds.add((item, row["id"]))
    return finds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--items", type=int, default=2400)
    parser.add_argument("--documents", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--datatrove", metavar="PYTHON")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    items = make(options, pages_of(options.program, options.work, options.pages))
    finds, seconds = finds_of_program(options)
    finds["13 words in a row"] = finds_of_ngrams(options, 13)
    finds["12 words in a row"] = finds_of_ngrams(options, 12)
    methods = ["paraprint, exact", "paraprint, exact and whole", "paraprint, all finds", "13 words in a row",
               "12 words in a row"]
    times = {"paraprint": seconds}
    if options.datatrove:
        finds["datatrove, 12 words"], times["datatrove"] = finds_of_datatrove(options)
        methods.append("datatrove, 12 words")
    # A document may be made of a page more than once.
    true_pairs = {(name, item["document"]) for name, item in items.items() if item["strength"]}
    print(f"{len(items)} items, {len(true_pairs)} of them planted; {options.documents} documents; processor time: "
          + "; ".join(f"{name} {seconds:.1f} s" for name, seconds in times.items()))
    print(f"{'':<28}precision  recall  " + "  ".join(f"{strength:>6}" for strength in STRENGTHS))
    for method in methods:
        found = finds[method]
        precision = len(found & true_pairs) / max(1, len(found))
        shares = []
        for strength in STRENGTHS:
            wanted = {(name, item["document"]) for name, item in items.items() if item["strength"] == strength}
            shares.append(len(wanted & found) / max(1, len(wanted)))
        recall = len(found & true_pairs) / len(true_pairs)
        print(f"{method:<28}{precision:>9.3f}{recall:>8.3f}  " + "  ".join(f"{share:>6.3f}" for share in shares))
    for length in LENGTHS:
        row = []
        for method in methods[2:]:
            wanted = {(name, item["document"]) for name, item in items.items()
                      if item["strength"] and item["length"] == length}
            row.append(f"{method} {len(wanted & finds[method]) / len(wanted):.3f}")
        print(f"recall of items of {length} words: " + ", ".join(row))
    marked = {document for _, document in true_pairs}
    for method in methods:
        documents = {document for _, document in finds[method]}
        print(f"documents with any find: {method}: precision {len(documents & marked) / max(1, len(documents)):.3f}, "
              f"recall {len(documents & marked) / len(marked):.3f}")
    wrong = sorted(finds["paraprint, all finds"] - true_pairs)
    print(f"{len(wrong)} finds beside the planted ones, as " + " ".join(map(str, wrong[:5])), file=sys.stderr)


if __name__ == "__main__":
    main()
