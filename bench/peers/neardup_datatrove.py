#!/usr/bin/env python3
"""Near-duplicates by datatrove's MinHash stages. usage: neardup_datatrove.py TEXTS.jsonl PAIRS.tsv

Its defaults: sets of 5 consecutive words, 14 buckets of 8 hashes. The words are those of the other MinHash
(shingles.py), which serve Chinese as well and cost less than its own tokenizers. Its clusters are chains, so every pair
of a cluster counts.
"""
import itertools
import json
import multiprocessing
import pathlib
import struct
import sys
import tempfile

from datatrove.data import Document
from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupBuckets, MinhashDedupSignature
from datatrove.utils.word_tokenizers import WordTokenizer
from shingles import WORD


class Words(WordTokenizer):
    def word_tokenize(self, text):
        return WORD.findall(text)

    def sent_tokenize(self, text):
        return [text]

    def span_tokenize(self, text):
        return [(0, len(text))]


def documents(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            page = json.loads(line)
            yield Document(text=page["text"], id=page["id"])


def clusters_of(pairs, count):
    """Connected components, keyed by the number of their first page."""
    first = list(range(count))

    def root(page):
        while first[page] != page:
            page = first[page]
        return page

    for a, b in pairs:
        low, high = sorted((root(a), root(b)))
        first[high] = low
    members = {}
    for page in range(count):
        members.setdefault(root(page), []).append(page)
    return members.values()


def signed(path, folder, config, rank, processes):
    """Writes the signatures of every `processes`-th text from number `rank`, and returns their ids."""
    ids = []

    def noted():
        for text in itertools.islice(documents(path), rank, None, processes):
            ids.append(text.id)
            yield text

    MinhashDedupSignature(f"{folder}/signatures", config, language=Words()).run(noted(), rank, processes)
    return ids


def bucketed(folder, config, rank):
    MinhashDedupBuckets(f"{folder}/signatures", f"{folder}/buckets", config=config).run(None, rank, config.num_buckets)


def find_clusters(path, config, processes=1):
    """(ids in the order of the texts, the clusters of their numbers, as lists in ascending order)."""
    with tempfile.TemporaryDirectory() as folder, multiprocessing.Pool(processes) as pool:
        ranks = pool.starmap(signed, [(path, folder, config, rank, processes) for rank in range(processes)])
        pool.starmap(bucketed, [(folder, config, rank) for rank in range(config.num_buckets)])
        ids = [name for turn in itertools.zip_longest(*ranks) for name in turn if name is not None]
        found = set()
        for bucket in pathlib.Path(folder, "buckets").glob("*.dups"):
            found |= {(number_a * processes + file_a, number_b * processes + file_b)
                      for file_a, number_a, file_b, number_b in struct.iter_unpack("<4I", bucket.read_bytes())}
    return ids, clusters_of(found, len(ids))


def main():
    ids, clusters = find_clusters(sys.argv[1], MinhashConfig())
    with open(sys.argv[2], "w", encoding="utf-8") as pairs:
        for members in clusters:
            for a, b in itertools.combinations(members, 2):
                pairs.write(f"{ids[a]}\t{ids[b]}\t1\n")


if __name__ == "__main__":
    main()
