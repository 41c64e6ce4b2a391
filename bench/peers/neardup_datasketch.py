#!/usr/bin/env python3
"""Near-duplicates by datasketch's MinHashLSH. usage: neardup_datasketch.py TEXTS.jsonl PAIRS.tsv

128 permutations over sets of 5 consecutive words (a Chinese character is a word), looked up at 0.5; a pair's score is
the estimated Jaccard similarity, so that other thresholds can be judged afterwards.
"""
import json
import sys

from datasketch import MinHash, MinHashLSH
from shingles import shingles

PERMUTATIONS, LOWEST = 128, 0.5


def main():
    index, signatures = MinHashLSH(threshold=LOWEST, num_perm=PERMUTATIONS), {}
    with open(sys.argv[1], encoding="utf-8") as lines, open(sys.argv[2], "w", encoding="utf-8") as pairs:
        for line in lines:
            page = json.loads(line)
            signature = MinHash(num_perm=PERMUTATIONS)
            signature.update_batch([shingle.encode() for shingle in shingles(page["text"])])
            for other in index.query(signature):
                pairs.write(f"{other}\t{page['id']}\t{signature.jaccard(signatures[other]):.4f}\n")
            index.insert(page["id"], signature)
            signatures[page["id"]] = signature


main()
