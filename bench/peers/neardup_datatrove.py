#!/usr/bin/env python3
"""Near-duplicates by datatrove's MinHash stages. usage: neardup_datatrove.py TEXTS.jsonl PAIRS.tsv

Its defaults: sets of 5 consecutive words, 14 buckets of 8 hashes. The words are those of the other MinHash
(shingles.py), which serve Chinese as well and cost less than its own tokenizers. Its clusters are chains, so every pair
of a cluster counts.
"""
import itertools
import json
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


def documents(path, ids):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            page = json.loads(line)
            ids.append(page["id"])
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


def main():
    ids, found, config = [], set(), MinhashConfig()
    with tempfile.TemporaryDirectory() as folder:
        signatures, buckets = pathlib.Path(folder, "signatures"), pathlib.Path(folder, "buckets")
        MinhashDedupSignature(str(signatures), config, language=Words()).run(documents(sys.argv[1], ids))
        for rank in range(config.num_buckets):
            MinhashDedupBuckets(str(signatures), str(buckets), config=config).run(None, rank, config.num_buckets)
        for path in buckets.glob("*.dups"):
            found |= {(a, b) for _, a, _, b in struct.iter_unpack("<4I", path.read_bytes())}
    with open(sys.argv[2], "w", encoding="utf-8") as pairs:
        for members in clusters_of(found, len(ids)):
            for a, b in itertools.combinations(members, 2):
                pairs.write(f"{ids[a]}\t{ids[b]}\t1\n")


main()
