#!/usr/bin/env python3
"""Make a labelled set with words replaced by synonyms that are in no list, and the text to learn them from.

usage: substituted.py SIMULATED TEXTS OUT [SHARE...]
SIMULATED: a corpus of `paraprint simulate --texts`; its original pages are the articles. TEXTS: more articles in the
output format of `paraprint extract`. OUT receives training.jsonl for `paraprint vectors train`, and set/ for
`paraprint eval`.

Each frequent content word gets a partner: a dictionary word of the same part of speech that does not occur in the texts
(for other scripts, random letters). In the training text each article uses one or the other, chosen at random, so both
occur in the same contexts and equally often, which is what vectors can learn. In a copy of an article, SHARE of the
content words are replaced by their partners. The result does not depend on any list, and any share can be requested;
real synonyms differ more in use than these, so the results are an upper bound for vectors of such a corpus.
"""
import collections
import hashlib
import json
import pathlib
import random
import re
import sys

import jieba

COUNT_MINIMUM = 15     # of a word, to get a partner
PARTNER_FREQUENCY = 30  # in the dictionary: rarer words are split in running text
CONTENT_TAGS = ("n", "v", "a", "d", "i", "l", "vn", "ad", "an", "b", "z")
HAN = re.compile(r"^[\u4e00-\u9fd5]{2,4}$")
LATIN = re.compile(r"^[a-z]{4,}$")


def lot(*parts):
    """A number in [0, 1) that depends on `parts` only."""
    digest = hashlib.blake2b("\x1f".join(map(str, parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2 ** 64


def tokens_of(text):
    return [token for token in jieba.cut(text, HMM=False)]


def choose_partners(counts):
    tags = {}
    free = collections.defaultdict(list)
    for line in jieba.get_dict_file():
        word, frequency, tag = line.decode().strip().split(" ")
        tags[word] = tag
        if tag in CONTENT_TAGS and HAN.match(word) and int(frequency) >= PARTNER_FREQUENCY and word not in counts:
            free[tag, len(word)].append(word)
    stop = set()
    partners = {}
    draw = random.Random(5)
    for words in free.values():
        words.sort()
        draw.shuffle(words)
    for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if count < COUNT_MINIMUM or word in stop:
            continue
        if HAN.match(word) and tags.get(word) in CONTENT_TAGS:
            pool = free[tags[word], len(word)]
            if pool:
                partners[word] = pool.pop()
        elif LATIN.match(word) and word not in ENGLISH_STOP:
            partners[word] = "".join(draw.choice("bcdfghklmnprstvz") + draw.choice("aeiou") for _ in range(4))
    return partners


def said_otherwise(tokens, partners, chance):
    return "".join(partners[token.lower()] if token.lower() in partners and chance(token.lower(), place) else token
                   for place, token in enumerate(tokens))


ENGLISH_STOP = set()


def main():
    simulated, texts_path, out = map(pathlib.Path, sys.argv[1:4])
    shares = [float(share) for share in sys.argv[4:]] or [0.1, 0.2, 0.3, 0.5]
    stop_file = pathlib.Path(__file__).resolve().parents[2] / "src" / "text" / "stop_words" / "en.txt"
    ENGLISH_STOP.update(word for line in stop_file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
                        for word in line.split())
    articles = {}
    for line in (simulated / "docs.jsonl").open(encoding="utf-8"):
        page = json.loads(line)
        if page["role"] == "original":
            articles[page["id"]] = page["text"]
    more = [json.loads(line) for line in texts_path.open(encoding="utf-8")]
    known = {text["text"] for text in more}
    more += [{"id": name, "text": text} for name, text in sorted(articles.items()) if text not in known]
    counts = collections.Counter()
    cut = []
    for text in more:
        tokens = tokens_of(text["text"])
        cut.append((text["id"], tokens))
        counts.update(token.lower() for token in tokens)
    partners = choose_partners(counts)
    (out / "set").mkdir(parents=True)
    with (out / "training.jsonl").open("w", encoding="utf-8") as training:
        for name, tokens in cut:
            said = said_otherwise(tokens, partners, lambda word, _: lot("training", name, word) < 0.5)
            training.write(json.dumps({"id": name, "text": said}, ensure_ascii=False) + "\n")
    (out / "partners.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in sorted(partners.items())), encoding="utf-8")
    (out / "set" / "set.json").write_text('{"world": "closed"}\n')
    with (out / "set" / "docs.jsonl").open("w", encoding="utf-8") as docs, \
            (out / "set" / "labels.tsv").open("w", encoding="utf-8") as labels:
        labels.write("id_a\tid_b\tlabel\tedits\n")
        for name, text in sorted(articles.items()):
            tokens = tokens_of(text)
            docs.write(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n")
            names = [name]
            for share in shares:
                said = said_otherwise(tokens, partners, lambda word, place: lot(name, share, place) < share)
                names.append(f"{name}/{share}")
                docs.write(json.dumps({"id": names[-1], "text": said}, ensure_ascii=False) + "\n")
            for share, copy in zip(shares, names[1:]):
                first, second = sorted((name, copy))
                labels.write(f"{first}\t{second}\tnear\tsubstituted-{share}\n")
            for i, one in enumerate(names[1:], 1):  # two copies of one article: neither counted as right nor as wrong
                for other in names[i + 1:]:
                    first, second = sorted((one, other))
                    labels.write(f"{first}\t{second}\ttopic\tboth\n")
    print(f"{len(articles)} articles, {len(partners)} words with partners", file=sys.stderr)


if __name__ == "__main__":
    main()
