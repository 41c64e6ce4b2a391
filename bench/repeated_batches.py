"""Batches of many pages, made of those of a few: the profiles are copied with other hashes, hosts and ids.

Within a copy, pages have in common what they had; pages of different copies have in common what unrelated pages have,
and the paragraphs and sentences that many pages have (COMMON_FROM): these keep their hashes, so their groups grow with
the pages. A copy is made when one of its batches is read; nothing is stored. Needs numpy.
"""
import collections

import numpy

# Of the pages, those that must have a hash so that it is the same in all copies.
COMMON_FROM = 0.01
# Bytes of an id and of a host that say which copy it is from.
MARK_BYTES = 4
PAIR_HASHES = 128
# What a byte of a profile is: a number below 8, a byte of a hash; from 8 on, one of the pair hashes; or neither.
NEITHER = 8 + PAIR_HASHES


def read_variable(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


class Places:
    """Where a batch of profiles (docs/formats/profile.md) has hashes."""

    def __init__(self, profiles):
        self.texts = []  # of pages
        self.parts = []  # of paragraphs, their fingerprints, and sentences
        self.pairs = []  # the first pair hash of each page
        at = 0
        while at < len(profiles):
            size, at = read_variable(profiles, at)
            if self._read(profiles, at) != at + size:
                raise SystemExit("repeated_batches.py: not a profile of this version")
            at += size

    def _read(self, data, at):
        self.texts += (at + 1, at + 9)
        _, at = read_variable(data, at + 17)
        paragraphs, at = read_variable(data, at)
        at += 1
        for _ in range(paragraphs):
            at = self._read_paragraph(data, at)
        numbers, at = read_variable(data, at)
        if numbers & 1:
            self.pairs.append(at)
            at += PAIR_HASHES
        return at + 4 * min(numbers >> 1, 24)

    def _read_paragraph(self, data, at):
        flags = data[at]
        at += 1
        if flags & 0x20:
            _, at = read_variable(data, at)
        fingerprint = 16 if flags & 0x10 else 0
        self.parts += range(at, at + 8 + fingerprint, 8)
        at += 8 + fingerprint
        for _ in range(0 if flags & 0x40 else 3):
            _, at = read_variable(data, at)
        sentences, at = (1, at) if flags & 0x80 else read_variable(data, at)
        for _ in range(sentences):
            if not flags & 0x80:
                self.parts.append(at)
                at += 8
            shape = data[at]
            _, at = read_variable(data, at + 1)
            for _ in range((shape >> 1 & 3 == 3) + (shape >> 3 == 31)):
                _, at = read_variable(data, at)
        return at


def mark_id(given, mark):
    """An id of a copy."""
    at = max(0, len(given) - MARK_BYTES - 1)
    return given[:at] + mark[: len(given) - at] + given[at + MARK_BYTES :]


def host_of(url):
    """Where the host begins, and its size."""
    begin = url.find(b"://") + 3
    end = url.find(b"/", begin)
    return begin, (end if end > 0 else len(url)) - begin


class RepeatedBatches:
    """`batches` are (pages, facts, profiles, notes, sampled ids). The copies of a batch follow each other, so that what
    pages of one copy have in common is as far apart as it was."""

    def __init__(self, batches, copies):
        self._batches, self._copies = batches, copies
        self._kinds, self._facts = [], []
        places = [Places(profiles) for _, _, profiles, *_ in batches]
        common = self._common(places)
        for found, (_, facts, profiles, *_) in zip(places, batches):
            kinds = numpy.full(len(profiles), NEITHER, numpy.uint8)
            for at in found.texts:
                kinds[at : at + 8] = range(8)
            for at in found.parts:
                if profiles[at : at + 8] not in common:
                    kinds[at : at + 8] = range(8)
            for at in found.pairs:
                kinds[at : at + PAIR_HASHES] = range(8, NEITHER)
            self._kinds.append(kinds)
            self._facts.append(self._marks(facts))
        self._made = {}

    def _common(self, places):
        pages = sum(batch[0] for batch in self._batches)
        counts = collections.Counter()
        for found, (_, _, profiles, *_) in zip(places, self._batches):
            counts.update(profiles[at : at + 8] for at in found.parts)
        return {value for value, count in counts.items() if count >= COMMON_FROM * pages}

    @staticmethod
    def _marks(facts):
        """Where facts (docs/formats/distributed.md) have bytes of text hashes, and each byte of marks."""
        hashes, marks = [], [[] for _ in range(MARK_BYTES)]
        at = 0
        while at < len(facts):
            for _ in range(4):
                _, at = read_variable(facts, at)
            at += 3
            for field in ("id", "url", "date"):
                size, at = read_variable(facts, at)
                text = facts[at : at + size]
                begin, room = (max(0, size - MARK_BYTES - 1), size) if field == "id" else host_of(text)
                for number in range(min(MARK_BYTES, room, size - begin) if field != "date" else 0):
                    marks[number].append(at + begin + number)
                at += size
            hashes += (at, at + 8)
            _, at = read_variable(facts, at + 16)
        hashes = numpy.array(hashes, numpy.int64)[:, None] + numpy.arange(8)
        return hashes, [numpy.array(places, numpy.int64) for places in marks]

    def __len__(self):
        return len(self._batches) * self._copies

    def pages(self, index):
        return self._batches[index // self._copies][0]

    def sizes(self):
        """Bytes of all facts, and of all profiles."""
        return tuple(sum(len(batch[part]) for batch in self._batches) * self._copies for part in (1, 2))

    def sampled_ids(self):
        for copy in range(self._copies):
            for batch in self._batches:
                yield from (self._id(given, copy) for given in batch[4])

    def _id(self, given, copy):
        return mark_id(given, self._mark(copy)) if copy else given

    @staticmethod
    def _mark(copy):
        return b"%04x" % copy

    def facts(self, index):
        number, copy = divmod(index, self._copies)
        facts = self._batches[number][1]
        if copy == 0:
            return facts
        changed = numpy.frombuffer(facts, numpy.uint8).copy()
        hashes, marks = self._facts[number]
        changed[hashes] ^= self._key(copy)[:8]
        for places, byte in zip(marks, self._mark(copy)):
            changed[places] = byte
        return changed.tobytes()

    def profiles(self, index):
        number, copy = divmod(index, self._copies)
        profiles = self._batches[number][2]
        if copy == 0:
            return profiles
        return (numpy.frombuffer(profiles, numpy.uint8) ^ self._key(copy)[self._kinds[number]]).tobytes()

    def _key(self, copy):
        if copy not in self._made:
            key = numpy.random.default_rng(copy).integers(0, 256, NEITHER + 1, numpy.uint8)
            key[NEITHER] = 0
            self._made[copy] = key
        return self._made[copy]
