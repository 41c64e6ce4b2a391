#!/usr/bin/env python3
"""Made texts with known copies, and the scores of a program that says which of them it removes.

usage: bench/made_texts.py TEXTS.jsonl TRUTH.tsv --rows N

Texts have about 500 characters of words drawn by Zipf's law. 30 % are copies of an earlier one with none, 2, 5 or 10 %
of the words replaced; they are what should be removed. 10 % share half of an earlier text, and 5 % use the sixty words
of one of fifty topics in an order of their own; they should stay. Used as a program, writes the texts with the ids
`made|ROW`, and per row its id and the group it belongs to (write_truth()).
"""
import argparse
import collections
import itertools
import json
import random

CHARACTERS, WORDS = 500, 84  # about as many words as fit


def make_vocabulary(chance):
    """Words, and cumulative weights by Zipf's law."""
    words = ["".join(chance.choice("bcdfglmnprstv") + chance.choice("aeiou") for _ in range(chance.randint(1, 4)))
             for _ in range(30_000)]
    return words, list(itertools.accumulate(1 / (rank + 10) for rank in range(len(words))))


def make_texts(rows, length=1):
    """Yields (text, number of the group that it is a copy in). Texts are `length` times as long as said above."""
    count = length * WORDS
    chance = random.Random(1)
    vocabulary, weights = make_vocabulary(chance)
    topics = [chance.sample(vocabulary, 60) for _ in range(50)]
    bases = []
    for _ in range(rows):
        kind = chance.random()
        group = len(bases)
        words = chance.choices(vocabulary, cum_weights=weights, k=count)
        if bases and kind < 0.3:
            group, words = chance.choice(bases)
            share = chance.choice((0, 0.02, 0.05, 0.1))
            words = [chance.choice(vocabulary) if chance.random() < share else word for word in words]
        elif bases and kind < 0.4:
            words = chance.choice(bases)[1][:count // 2] + words[count // 2:]
        elif kind < 0.45:
            words = chance.choices(chance.choice(topics), k=count)
        if group == len(bases):
            bases.append((group, words))
        sentences = (" ".join(words[begin:begin + 11]).capitalize() for begin in range(0, count, 11))
        yield ". ".join(sentences)[:length * CHARACTERS], group


def scores(removed, groups, doubtful=frozenset()):
    """(precision, recall, F1) of the numbers of the rows removed. All rows of a group but one should be, whichever
    stays. Removing a group altogether is one error, which does not count if its rows are `doubtful`."""
    rows = collections.defaultdict(list)
    for row, group in enumerate(groups):
        rows[group].append(row)
    right, wrong, copies = 0, 0, 0
    for members in rows.values():
        count = sum(row in removed for row in members)
        is_gone = count == len(members)
        copies += len(members) - 1
        right += count - is_gone
        wrong += is_gone and members[0] not in doubtful
    precision, recall = right / max(1, right + wrong), right / max(1, copies)
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def write_truth(path, rows):
    """Writes rows of (id, group, is doubtful), in the order of the texts."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{name}\t{group}\t{int(is_doubtful)}\n" for name, group, is_doubtful in rows)


def read_truth(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return [(name, group, is_doubtful == "1") for name, group, is_doubtful in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts")
    parser.add_argument("truth")
    parser.add_argument("--rows", type=int, default=100_000)
    given = parser.parse_args()
    truth = []
    with open(given.texts, "w", encoding="utf-8") as file:
        for row, (text, group) in enumerate(make_texts(given.rows)):
            truth.append((f"made|{row}", group, False))
            file.write(json.dumps({"id": truth[-1][0], "text": text}) + "\n")
    write_truth(given.truth, truth)


if __name__ == "__main__":
    main()
