"""Labels for units of text: the share of a unit's tokens that the gold text has at that place.

Two alignments are tried for each page; the one whose choice of units scores better is kept:
  sequence: the longest common subsequence of page and gold tokens; a teaser that repeats a sentence of the article is
            not content, because the gold has the sentence only once;
  n-grams:  the tokens within 5-grams that occur anywhere in the gold, for golds in another order than the page.
Tokens are those of the scorer: after NFKC and lower-casing, one CJK character or one run of other word characters.
"""
import collections
import multiprocessing
import re
import unicodedata

import numpy as np
from rapidfuzz.distance import LCSseq

GRAM = 5
MAX_TABLE = 4e9  # page tokens * gold tokens; larger pages use n-grams only
CJK = '\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\uac00-\ud7af\U00020000-\U0003fa1f'
TOKEN = re.compile('[%s]|[^\\W%s]+' % (CJK, CJK))


def tokens_of(text):
    return TOKEN.findall(unicodedata.normalize('NFKC', text).lower())


def sequence_hits(units, gold):
    flat = [token for unit in units for token in unit]
    owner = np.repeat(np.arange(len(units)), [len(unit) for unit in units])
    numbers = {}
    wanted = [numbers.setdefault(token, len(numbers)) for token in gold]
    known = [i for i, token in enumerate(flat) if token in numbers]
    hit = np.zeros(len(flat), bool)
    if known and len(known) * len(wanted) < MAX_TABLE:
        for step in LCSseq.opcodes([numbers[flat[i]] for i in known], wanted):
            if step.tag == 'equal':
                hit[[known[i] for i in range(step.src_start, step.src_end)]] = True
    return np.bincount(owner[hit], minlength=len(units)) if len(flat) else np.zeros(len(units))


def gram_hits(units, gold):
    grams = {tuple(gold[i:i + GRAM]) for i in range(len(gold) - GRAM + 1)}
    hits = np.zeros(len(units))
    for number, unit in enumerate(units):
        hit = np.zeros(len(unit), bool)
        for i in range(len(unit) - GRAM + 1):
            if tuple(unit[i:i + GRAM]) in grams:
                hit[i:i + GRAM] = True
        hits[number] = hit.sum()
    return hits


def score(units, gold, chosen):
    """Token F1 of the chosen units, computed on multisets as by the scorer."""
    have = collections.Counter(token for unit, is_chosen in zip(units, chosen) if is_chosen for token in unit)
    want = collections.Counter(gold)
    return 2 * sum((have & want).values()) / max(have.total() + want.total(), 1)


def label_page(arguments):
    texts, gold_text = arguments
    gold = tokens_of(gold_text)
    units = [tokens_of(text) for text in texts]
    counts = np.array([len(unit) for unit in units], np.int64)
    sizes = np.maximum(counts, 1)
    by_sequence = sequence_hits(units, gold) / sizes
    by_grams = np.where(counts >= GRAM, gram_hits(units, gold) / sizes, by_sequence)
    better = by_sequence if score(units, gold, by_sequence > 0.5) >= score(units, gold, by_grams > 0.5) else by_grams
    return counts, better


def score_page(arguments):
    texts, gold_text, chosen = arguments
    return score([tokens_of(text) for text in texts], tokens_of(gold_text), chosen)


def score_pages(texts, golds, chosen, processes):
    """Token F1 of each page, given which of its units are chosen."""
    with multiprocessing.Pool(processes) as pool:
        return np.array(pool.map(score_page, zip(texts, golds, chosen), chunksize=8))


def label_pages(texts, golds, processes):
    """Tokens and labels of all units of all pages."""
    with multiprocessing.Pool(processes) as pool:
        results = pool.map(label_page, zip(texts, golds), chunksize=8)
    return np.concatenate([result[0] for result in results]), np.concatenate([result[1] for result in results])
