#!/usr/bin/env python3
"""From a file of texts to the list of rows that a program removes. Run by end_to_end.py, a process per program.

usage: remove_rows.py PROGRAM TEXTS.jsonl REMOVED.txt --length N [--characters] --threshold T --threads N [--tool PATH]

REMOVED.txt gets the ids of the rows removed. Sets are each N consecutive words or characters (shingles.py). A program
with a tokenizer of its own is given the words with blanks between them.
"""
import argparse
import gzip
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import removers
from shingles import WORD, characters, shingles

# Of a Bloom filter: enough for hardly any errors.
BLOOM_BYTES_PER_SHINGLE = 2


def read(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            page = json.loads(line)
            yield page["id"], page["text"]


def words_of(text):
    return " ".join(WORD.findall(text.lower()))


def with_package(given, remover):
    """A function of removers.py."""
    ids = []

    def sets():
        for name, text in read(given.texts):
            ids.append(name)
            yield characters(text, given.length) if given.characters else shingles(text, given.length)

    is_kept = remover(sets(), given.threshold, given.threads)
    return [name for name, stays in zip(ids, is_kept, strict=True) if not stays]


def with_datatrove(given):
    from datatrove.pipeline.dedup.minhash import MinhashConfig
    from neardup_datatrove import find_clusters

    bands, rows_per_band = removers.bands_of(given.threshold)
    config = MinhashConfig(n_grams=given.length, num_buckets=bands, hashes_per_bucket=rows_per_band)
    ids, clusters = find_clusters(given.texts, config, given.threads)
    return [ids[member] for members in clusters for member in members[1:]]


def with_text_dedup(given):
    from datasets import load_from_disk

    with tempfile.TemporaryDirectory() as folder:
        texts, names = f"{folder}/texts.jsonl", []
        with open(texts, "w", encoding="utf-8") as file:
            for name, text in read(given.texts):
                names.append(name)
                file.write(json.dumps({"id": name, "text": words_of(text)}) + "\n")
        options = {"path": "json", "data_files": texts, "split": "train", "cache_dir": f"{folder}/cache",
                   "output": f"{folder}/out", "column": "text", "ngram": given.length, "min_length": 0,
                   "num_perm": removers.PERMUTATIONS, "threshold": given.threshold, "num_proc": given.threads}
        arguments = itertools.chain(*((f"--{option}", str(value)) for option, value in options.items()))
        subprocess.run([sys.executable, "-m", "text_dedup.minhash", *arguments], check=True, cwd=folder)
        kept = set(load_from_disk(f"{folder}/out")["id"])
    return [name for name in names if name not in kept]


def with_semhash(given):
    """What it does without a model: equal texts."""
    from semhash.records import remove_exact_duplicates

    _, copies = remove_exact_duplicates([{"id": name, "text": words_of(text)} for name, text in read(given.texts)],
                                        ["text"])
    return [record["id"] for record, _ in copies]


def write_parts(given, folder):
    """Writes the words of the texts as compressed JSON lines, one file per thread, for programs that share out files.
    Returns the files and the number of shingles in them."""
    paths = [pathlib.Path(folder, f"{number}.json.gz") for number in range(given.threads)]
    files, shingles_count = [gzip.open(path, "wt", encoding="utf-8", compresslevel=1) for path in paths], 0
    for number, (name, text) in enumerate(read(given.texts)):
        words = words_of(text)
        shingles_count += words.count(" ") + 1
        files[number % given.threads].write(json.dumps({"id": name, "source": "texts", "text": words}) + "\n")
    for file in files:
        file.close()
    return paths, shingles_count


def read_parts(paths):
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def with_bff(given):
    """Removes a text if more than this share of its shingles are in the filter already."""
    with tempfile.TemporaryDirectory() as folder:
        paths, shingles_count = write_parts(given, folder)
        pathlib.Path(folder, "out").mkdir()
        subprocess.run([given.tool, "--bloom-filter-file", f"{folder}/filter", "--bloom-filter-size",
                        str(BLOOM_BYTES_PER_SHINGLE * shingles_count), "--expected-ngram-count", str(shingles_count),
                        "--min-ngram-size", "1", "--max-ngram-size", str(given.length), "--filtering-threshold",
                        str(given.threshold), "--whole-document", "--annotate-only", "--threads", str(given.threads),
                        "--output-directory", f"{folder}/out", *paths], check=True)
        found = read_parts(f"{folder}/out/{path.name}" for path in paths)
        return [page["id"] for page in found if page["bff_duplicate_spans"]]


def with_dolma(given):
    """As bff: a text is one paragraph."""
    with tempfile.TemporaryDirectory() as folder:
        documents = pathlib.Path(folder, "documents")
        documents.mkdir()
        paths, shingles_count = write_parts(given, documents)
        by_shingles = {"ngram_length": given.length, "stride": 0, "overlap_threshold": given.threshold,
                       "skip_short_paragraphs": False}
        removers.dolma_core().deduper_entrypoint(json.dumps({
            "documents": [f"{documents}/*.json.gz"], "processes": given.threads, "is_s3_volume": False,
            "dedupe": {"name": "copies", "skip_empty": False, "min_length": 0, "min_words": 0, "num_partitions": 1,
                       "partition_index": 0, "file_partition": False, "document_dir": "documents",
                       "paragraphs": {"attribute_name": "copy", "paragraph_separator": "\n", "by_ngram": by_shingles}},
            "bloom_filter": {"file": f"{folder}/filter", "read_only": False, "estimated_doc_count": shingles_count,
                             "size_in_bytes": BLOOM_BYTES_PER_SHINGLE * shingles_count,
                             "desired_false_positive_rate": 0.0},
            "work_dir": {"input": f"{folder}/input", "output": f"{folder}/output"},
            "compression": {"input": None, "output": None}}))
        found = read_parts(f"{folder}/attributes/copies/{path.name}" for path in paths)
        return [page["id"] for page in found if page["attributes"].get("copy")]


PROGRAMS = {
    "rensa": lambda given: with_package(given, removers.by_rensa),
    "FastSketchLSH": lambda given: with_package(given, removers.by_fastsketch),
    "datasketch": lambda given: with_package(given, removers.by_datasketch),
    "datatrove": with_datatrove,
    "text-dedup": with_text_dedup,
    "SemHash": with_semhash,
    "bff": with_bff,
    "dolma": with_dolma,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", choices=PROGRAMS)
    parser.add_argument("texts")
    parser.add_argument("removed")
    parser.add_argument("--length", type=int, required=True)
    parser.add_argument("--characters", action="store_true")
    parser.add_argument("--threshold", type=float, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tool")
    given = parser.parse_args()
    removed = PROGRAMS[given.program](given)
    pathlib.Path(given.removed).write_text("".join(f"{name}\n" for name in removed), encoding="utf-8")


if __name__ == "__main__":
    main()
