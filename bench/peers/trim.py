#!/usr/bin/env python3
"""Passages taken out of texts by `paraprint dedup --trim` and by two other programs, on the same texts.

usage: bench/peers/trim.py WORK-FOLDER TEXTS.jsonl ... [--suffix-arrays PATH] [--bff PATH] [--bytes N] [--threads N]
                           [--sample FILE] [--program PATH]

TEXTS.jsonl come from `paraprint extract`. Near-duplicate pages are removed first, so that all programs get the texts
that stay, in the same order. Compared:

  paraprint        --trim with its defaults: whole paragraphs and runs of sentences, equal or nearly equal
  suffix arrays    google-research/deduplicate-text-datasets (Lee et al. 2022): all substrings of N bytes (100 by
                   default) that occur twice. It takes out every copy; "later copies" leaves the first one, as
                   paraprint does
  bff              allenai/bff: paragraphs of which more than 80 % of the 13-grams occur in an earlier one

Build the others with `cargo build --release`; one that is not named is left out. Needs numpy. Printed: characters taken
out, processor and elapsed seconds, peak memory, and for each two programs the share of the characters taken out by the
first that the second takes out, too. --sample writes passages to judge by hand as JSON lines: 100 that only paraprint
takes out, 50 that suffix arrays take out, too, and 50 later copies that only these take out, chosen with a fixed seed,
each with its surroundings and the places where its parts stay.
"""
import argparse
import gzip
import json
import pathlib
import random
import shutil
import struct

import numpy
from compare import ROOT
from running import Usage, measured

SAMPLE_COUNTS = {"only paraprint": 100, "both": 50, "only suffix arrays": 50}
CONTEXT_BYTES = 120
LATER, ALL = "later copies", "suffix arrays"


def run(given, name, *commands):
    """The processor and elapsed seconds of commands together, and their peak memory."""
    usages = [measured(list(map(str, command)), given.work / f"{name}.log", given.threads) for command in commands]
    return Usage(sum(usage.processor for usage in usages), sum(usage.elapsed for usage in usages),
                 max(usage.megabytes for usage in usages))


def rows_of(path):
    with open(path, encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def write_texts(given):
    """Writes the pages that stay, and returns (their file, their texts by id). The texts are as paraprint would extract
    them from themselves, which is what the spans of trimmed.jsonl refer to."""
    texts = {}
    for path in given.texts:
        for page in rows_of(path):
            texts.setdefault(page["id"], page["text"])
    path, before = given.work / "texts.jsonl", None
    while texts != before:
        before = texts
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n"
                            for name, text in texts.items())
        run(given, "whole", dedup(given, path, "whole"))
        removed = {row["id"] for row in rows_of(given.work / "whole" / "removed.jsonl")}
        run(given, "extracted", [given.program, "extract", "--quiet", path])
        texts = {page["id"]: page["text"] for page in rows_of(given.work / "extracted.log")
                 if page["id"] not in removed}
    return path, texts


def dedup(given, path, out, *options):
    return [given.program, "dedup", path, "--out", given.work / out, "--keep", "first", "--threads", given.threads,
            "--no-report", "--no-evidence", "--restart", "--quiet", *options]


class Texts:
    """All texts one after the other as bytes, each preceded by 8 bytes that occur once."""

    def __init__(self, texts):
        self.begins, parts, length = {}, [], 0
        for number, (name, text) in enumerate(texts.items()):
            encoded = text.encode("utf-8")
            parts += [b"\xff\xff" + struct.pack("<IH", number, 0xffff), encoded]
            self.begins[name] = length + 8
            length += 8 + len(encoded)
        self.data = b"".join(parts)
        # Whether a byte begins a character of a text.
        self.is_character = (numpy.frombuffer(self.data, numpy.uint8) & 0xc0) != 0x80
        for begin in self.begins.values():
            self.is_character[begin - 8:begin] = False

    def mask(self, spans):
        """Which characters are in the spans."""
        steps = numpy.zeros(len(self.data) + 1, numpy.int32)
        for begin, end in spans:
            steps[begin] += 1
            steps[end] -= 1
        return (numpy.cumsum(steps)[:-1] > 0) & self.is_character

    def around(self, begin, end):
        """Texts before, in and after a span."""
        spans = ((max(0, begin - CONTEXT_BYTES), begin), (begin, end), (end, end + CONTEXT_BYTES))
        return [self.data[first:last].decode("utf-8", "replace") for first, last in spans]


def by_paraprint(given, path, texts):
    """(usage, spans, for each the spans that stay). What has no letter or digit between it is one span."""
    usage = run(given, "trim", dedup(given, path, "trim", "--trim"))
    rows = []
    for row in rows_of(given.work / "trim" / "trimmed.jsonl"):
        rows.append([tuple(texts.begins[row[name]] + offset for offset in row[span])
                     for name, span in (("id", "span"), ("kept_id", "kept_span"))])
    spans, kept = [], []
    for (begin, end), stays in sorted(rows):
        if spans and not any(map(str.isalnum, texts.data[spans[-1][1]:begin].decode("utf-8", "replace"))):
            spans[-1] = spans[-1][0], end
            kept[-1].append(stays)
        else:
            spans.append((begin, end))
            kept.append([stays])
    return usage, spans, kept


def by_suffix_arrays(given, texts):
    """(usage, spans of all copies, spans of all but the first copies)."""
    data, cache = given.work / "suffixes" / "data", given.work / "suffixes" / "cache"
    shutil.rmtree(data.parent, ignore_errors=True)
    cache.mkdir(parents=True)
    data.write_bytes(texts.data)
    usage = run(given, "suffixes", [given.suffix_arrays, "make", "--data-file", data],
                [given.suffix_arrays, "self-similar", "--data-file", data, "--length-threshold", given.bytes,
                 "--cache-dir", cache, "--num-threads", given.threads],
                [given.suffix_arrays, "collect", "--data-file", data, "--length-threshold", given.bytes,
                 "--cache-dir", cache])
    pairs = (line.split() for line in (given.work / "suffixes.log").read_text().splitlines())
    found = [tuple(map(int, pair)) for pair in pairs if len(pair) == 2 and all(map(str.isdigit, pair))]
    width = data.with_name("data.table.bin").stat().st_size // len(texts.data)
    later = []
    for sizes in cache.glob("sizes_*"):
        places = packed_numbers(cache / sizes.name.replace("sizes_", "dups_"), width)
        begin = 0
        for count in packed_numbers(sizes, width).tolist():
            copies = numpy.sort(places[begin:begin + count])
            later += [(place, place + given.bytes) for place in copies[1:].tolist()]
            begin += count
    return usage, found, later


def packed_numbers(path, width):
    """Little-endian numbers of so many bytes."""
    packed = numpy.frombuffer(path.read_bytes(), numpy.uint8).reshape(-1, width)
    return numpy.pad(packed, ((0, 0), (0, 8 - width))).view("<u8").ravel().astype(numpy.int64)


def by_bff(given, path, texts):
    folder = given.work / "bff"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "out").mkdir(parents=True)
    with open(path, "rb") as plain, gzip.open(folder / "texts.json.gz", "wb", compresslevel=1) as packed:
        shutil.copyfileobj(plain, packed)
    usage = run(given, "bff", [given.bff, "--bloom-filter-file", folder / "filter", "--bloom-filter-size",
                               len(texts.data) * 2, "--expected-ngram-count", len(texts.data) // 4, "--annotate-only",
                               "--threads", given.threads, "--output-directory", folder / "out",
                               folder / "texts.json.gz"])
    spans = []
    with gzip.open(folder / "out" / "texts.json.gz", "rt", encoding="utf-8") as lines:
        for page in map(json.loads, lines):
            spans += [tuple(texts.begins[page["id"]] + offset for offset in span)
                      for span in page["bff_duplicate_spans"]]
    return usage, spans


def shares(spans, mask, texts):
    """Of each span, the share of its characters that are in the mask."""
    return [mask[begin:end].sum() / max(1, texts.is_character[begin:end].sum()) for begin, end in spans]


def whole_spans(mask, texts):
    """The spans that a mask consists of."""
    inside = mask | ~texts.is_character  # bytes within a character, and between texts
    edges = numpy.flatnonzero(numpy.diff(numpy.concatenate(([0], mask, [0]))))
    spans = []
    for begin, end in edges.reshape(-1, 2).tolist():
        if spans and inside[spans[-1][1]:begin].all():
            begin = spans.pop()[0]
        spans.append((begin, end))
    return spans


def write_sample(path, texts, own, kept, masks):
    chance = random.Random(1)
    rows = {kind: [] for kind in SAMPLE_COUNTS}
    for span, stays, share in zip(own, kept, shares(own, masks[ALL], texts)):
        if share <= 0.1 or share >= 0.9:
            rows["both" if share >= 0.9 else "only paraprint"].append((span, stays))
    for begin, end in whole_spans(masks[LATER] & ~masks["paraprint"], texts):
        if masks["paraprint"][max(0, begin - 1):end + 1].any() or end - begin < 50:
            continue  # the end of a passage, without the rest
        first = texts.data.find(texts.data[begin:end])
        rows["only suffix arrays"].append(((begin, end), [(first, first + end - begin)]))
    with open(path, "w", encoding="utf-8") as file:
        for kind, count in SAMPLE_COUNTS.items():
            for span, stays in chance.sample(rows[kind], min(count, len(rows[kind]))):
                places = [texts.around(*place) for place in stays]
                row = {"kind": kind, "taken_out": texts.around(*span), "stays": places}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
    print("passages to sample from: " + ", ".join(f"{kind} {len(found)}" for kind, found in rows.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("texts", nargs="+")
    parser.add_argument("--suffix-arrays", type=pathlib.Path)
    parser.add_argument("--bff", type=pathlib.Path)
    parser.add_argument("--bytes", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--sample", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "apps" / "paraprint")
    given = parser.parse_args()
    for name in ("work", "program", "suffix_arrays", "bff"):
        if getattr(given, name):
            setattr(given, name, getattr(given, name).resolve())
    given.work.mkdir(parents=True, exist_ok=True)
    path, stay = write_texts(given)
    texts = Texts(stay)
    characters = int(texts.is_character.sum())
    print(f"{len(stay)} texts, {len(texts.data) / 1e6:.1f} MB, {characters} characters; {given.threads} thread(s)")
    usages, masks = {}, {}
    usages["paraprint"], own, kept = by_paraprint(given, path, texts)
    masks["paraprint"] = texts.mask(own)
    if given.suffix_arrays:
        usages[ALL], spans, later = by_suffix_arrays(given, texts)
        masks[ALL], masks[LATER] = texts.mask(spans), texts.mask(later)
    if given.bff:
        usages["bff"], spans = by_bff(given, path, texts)
        masks["bff"] = texts.mask(spans)
    print(f"{'':14} {'characters':>11} {'share':>7} {'processor s':>11} {'elapsed s':>9} {'MB':>6}   of these also in "
          f"{', '.join(masks)}")
    for name, mask in masks.items():
        count = int(mask.sum())
        usage = usages.get(name, usages.get(ALL))
        also = "  ".join(f"{(mask & other).sum() / max(1, count):.3f}" for other in masks.values())
        print(f"{name:14} {count:11} {count / characters:7.3f} {usage.processor:11.2f} {usage.elapsed:9.2f} "
              f"{usage.megabytes:6.0f}   {also}")
    if given.sample and given.suffix_arrays:
        write_sample(given.sample, texts, own, kept, masks)


if __name__ == "__main__":
    main()
