"""MinHash signatures and their indexes under the names, arguments and hash values of datasketch 1.

For code that calls datasketch: `from paraprint.sketches import MinHash, MinHashLSH`. The signatures are equal, value by
value, and are updated in C++. docs/sketches.md says what is different. Needs numpy. Nothing here is thread-safe.

>>> from paraprint.sketches import MinHash, MinHashLSH
>>> flood, storm = MinHash(num_perm=64), MinHash(num_perm=64)
>>> flood.update_batch([b"the", b"river", b"rose", b"overnight"])
>>> storm.update_batch([b"the", b"river", b"rose", b"yesterday"])
>>> index = MinHashLSH(threshold=0.4, num_perm=64)
>>> index.insert("flood", flood)
>>> index.query(storm)
['flood']
"""

from __future__ import annotations

import functools
import hashlib
import struct
from typing import Any, Callable, Hashable, Iterable, Iterator, Sequence

from . import _core
from .errors import InvalidArgumentError, UnsupportedError

try:
    import numpy
except ImportError as missing:
    raise UnsupportedError("paraprint.sketches needs numpy: pip install numpy") from missing

_PRIME = (1 << 61) - 1
_MAX_HASH = (1 << 32) - 1


def sha1_hash32(data: bytes) -> int:
    """The first 32 bits of SHA-1, little-endian: the hash function of a `MinHash` that is given none."""
    return int.from_bytes(hashlib.sha1(data).digest()[:4], "little")


@functools.lru_cache(maxsize=64)
def _permutations(seed: int, count: int) -> Any:
    """Two rows, factors and offsets. The generator and the order of its draws decide every signature."""
    draws = numpy.random.RandomState(seed).randint(0, _PRIME, size=(count, 2), dtype=numpy.uint64)
    made = numpy.ascontiguousarray(draws.T)
    made[0] += numpy.uint64(1)  # a factor is not 0
    made.setflags(write=False)  # shared by all signatures with this seed and length
    return made


def _check_comparable(a: MinHash, b: MinHash) -> None:
    if a.seed != b.seed or len(a) != len(b):
        raise InvalidArgumentError(
            f"signatures of {len(a)} values with seed {a.seed} and of {len(b)} values with seed {b.seed} are not "
            "comparable"
        )


class MinHash:
    """The signature of a set: for each of `num_perm` permutations of 32-bit hashes, the least value of any member."""

    seed: int
    hashvalues: Any  #: numpy array of 64-bit integers below 2^32

    def __init__(
        self,
        num_perm: int = 128,
        seed: int = 1,
        gpu_mode: str = "disable",
        hashfunc: Callable[[Any], int] | None = None,
        hashobj: object = None,
        hashvalues: Any = None,
        permutations: Any = None,
        scheme: str | None = None,
    ) -> None:
        """`hashfunc` maps a member to an integer below 2^32. `hashvalues` and `permutations` are those of another
        signature. `scheme` is "legacy" or None; `gpu_mode` "disable" or "detect", with the same effect."""
        if scheme not in (None, "legacy"):
            raise UnsupportedError(f"scheme is '{scheme}'; only that of datasketch 1, 'legacy', is supported")
        if gpu_mode not in ("disable", "detect"):
            raise UnsupportedError(f"gpu_mode is '{gpu_mode}'; there is no GPU support")
        if hashobj is not None:
            raise UnsupportedError("hashobj is not supported; use hashfunc")
        if hashvalues is not None:
            num_perm = len(hashvalues)
        if not 1 <= num_perm <= _MAX_HASH + 1:
            raise InvalidArgumentError(f"num_perm is {num_perm}; it must be 1 to {_MAX_HASH + 1}")
        self.seed = seed
        self.num_perm = num_perm
        self.hashfunc = sha1_hash32 if hashfunc is None else hashfunc
        if not callable(self.hashfunc):
            raise InvalidArgumentError("hashfunc must be callable")
        if permutations is None:
            self.permutations = _permutations(seed, num_perm)
        else:
            self.permutations = numpy.ascontiguousarray(permutations, dtype=numpy.uint64)
            if self.permutations.shape != (2, num_perm):
                raise InvalidArgumentError(f"permutations must be 2 rows of {num_perm} numbers")
        if hashvalues is None:
            self.hashvalues = numpy.full(num_perm, _MAX_HASH, dtype=numpy.uint64)
        else:
            self.hashvalues = numpy.array(hashvalues, dtype=numpy.uint64)

    def update(self, b: Any) -> None:
        """Adds a member. Cost: `num_perm` multiplications."""
        self.update_batch((b,))

    def update_batch(self, b: Iterable[Any]) -> None:
        """Adds members, faster than one by one."""
        hashes = numpy.fromiter(map(self.hashfunc, b), dtype=numpy.uint64)
        _core.update_signature(self.hashvalues, self.permutations[0], self.permutations[1], hashes)

    def jaccard(self, other: MinHash) -> float:
        """The estimated Jaccard similarity of the two sets."""
        _check_comparable(self, other)
        return float(numpy.count_nonzero(self.hashvalues == other.hashvalues)) / len(self)

    def count(self) -> float:
        """The estimated number of different members."""
        share = float(self.hashvalues.sum()) / _MAX_HASH
        return len(self) / share - 1 if share > 0 else float("inf")

    def merge(self, other: MinHash) -> None:
        """Makes this the signature of the union."""
        _check_comparable(self, other)
        numpy.minimum(self.hashvalues, other.hashvalues, out=self.hashvalues)

    def digest(self) -> Any:
        """A copy of the values."""
        return self.hashvalues.copy()

    def is_empty(self) -> bool:
        return bool((self.hashvalues == _MAX_HASH).all())

    def clear(self) -> None:
        self.hashvalues.fill(_MAX_HASH)

    def copy(self) -> MinHash:
        return type(self)(
            seed=self.seed, hashfunc=self.hashfunc, hashvalues=self.hashvalues, permutations=self.permutations
        )

    def __len__(self) -> int:
        return len(self.hashvalues)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MinHash):
            return NotImplemented
        return type(self) is type(other) and self.seed == other.seed and numpy.array_equal(
            self.hashvalues, other.hashvalues
        )

    __hash__ = None  # type: ignore[assignment]  # it can be changed; LeanMinHash cannot

    @classmethod
    def union(cls, *mhs: MinHash) -> MinHash:
        """The signature of the union of two or more sets."""
        if len(mhs) < 2:
            raise InvalidArgumentError("union() takes at least two signatures")
        made = mhs[0].copy()
        for other in mhs[1:]:
            MinHash.merge(made, other)
        return made

    @classmethod
    def bulk(cls, b: Iterable[Iterable[Any]], **minhash_kwargs: Any) -> list[MinHash]:
        """One signature per set, all with the same arguments."""
        return list(cls.generator(b, **minhash_kwargs))

    @classmethod
    def generator(cls, b: Iterable[Iterable[Any]], **minhash_kwargs: Any) -> Iterator[MinHash]:
        """As bulk(), one by one."""
        for members in b:
            made = cls(**minhash_kwargs)
            made.update_batch(members)
            yield made


class LeanMinHash(MinHash):
    """A signature that cannot be updated: hashable, and with a form of bytes, which is that of datasketch 1: the seed
    in 8 bytes, the number of values in 4, and 4 bytes per value."""

    def __init__(
        self, minhash: MinHash | None = None, seed: int | None = None, hashvalues: Any = None, scheme: str | None = None
    ) -> None:
        """From a signature, or from the seed and the values of one."""
        if scheme not in (None, "legacy"):
            raise UnsupportedError(f"scheme is '{scheme}'; only that of datasketch 1, 'legacy', is supported")
        if minhash is not None:
            seed, hashvalues = minhash.seed, minhash.hashvalues
        if seed is None or hashvalues is None:
            raise InvalidArgumentError("give a signature, or seed and hashvalues")
        self.seed = seed
        self.hashvalues = numpy.array(hashvalues, dtype=numpy.uint64)

    def update(self, b: Any) -> None:
        raise TypeError("a LeanMinHash cannot be updated; update the MinHash")

    def update_batch(self, b: Iterable[Any]) -> None:
        self.update(b)

    def copy(self) -> LeanMinHash:
        return type(self)(seed=self.seed, hashvalues=self.hashvalues)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash((self.seed, self.hashvalues.tobytes()))

    def _format(self, byteorder: str) -> str:
        return f"{byteorder}qi{len(self)}I"

    def bytesize(self, byteorder: str = "@") -> int:
        """Bytes that serialize() writes. `byteorder` is that of the module struct."""
        return struct.calcsize(self._format(byteorder))

    def serialize(self, buf: Any, byteorder: str = "@") -> None:
        """Writes the signature to the beginning of a buffer of at least bytesize() bytes."""
        if len(buf) < self.bytesize(byteorder):
            raise InvalidArgumentError(f"the buffer has {len(buf)} bytes; it needs {self.bytesize(byteorder)}")
        struct.pack_into(self._format(byteorder), buf, 0, self.seed, len(self), *self.hashvalues.tolist())

    @classmethod
    def deserialize(cls, buf: Any, byteorder: str = "@") -> LeanMinHash:
        """Reads what serialize() wrote. Raises InvalidArgumentError for a buffer that is too short."""
        head = struct.Struct(f"{byteorder}qi")
        if len(buf) < head.size:
            raise InvalidArgumentError(f"the buffer has {len(buf)} bytes; a signature begins with {head.size}")
        seed, count = head.unpack_from(buf, 0)
        if count < 1 or len(buf) < head.size + 4 * count:
            raise InvalidArgumentError(f"the buffer has {len(buf)} bytes, too few for a signature of {count} values")
        return cls(seed=seed, hashvalues=struct.unpack_from(f"{byteorder}{count}I", buf, head.size))

    def __getstate__(self) -> tuple[int, bytes]:
        return self.seed, self.hashvalues.tobytes()

    def __setstate__(self, state: tuple[int, bytes]) -> None:
        self.seed = state[0]
        self.hashvalues = numpy.frombuffer(state[1], dtype=numpy.uint64).copy()


@functools.lru_cache(maxsize=64)
def _bands(threshold: float, num_perm: int, weights: tuple[float, float]) -> tuple[int, int]:
    """The number of bands and the values in each that make the weighted sum of two areas least: below the threshold,
    of the probability that a pair shares a band; above it, that it shares none. Both are polynomials of the similarity,
    which Gaussian quadrature with these nodes integrates exactly up to 400 permutations."""
    nodes, shares = numpy.polynomial.legendre.leggauss(min(num_perm // 2 + 1, 200))
    below = (nodes + 1) / 2 * threshold
    above = threshold + (nodes + 1) / 2 * (1 - threshold)
    best, found = float("inf"), (0, 0)
    for bands in range(1, num_perm + 1):
        for size in range(1, num_perm // bands + 1):
            false_positives = shares @ (1 - (1 - below**size) ** bands) * threshold / 2
            false_negatives = shares @ (1 - above**size) ** bands * (1 - threshold) / 2
            error = weights[0] * false_positives + weights[1] * false_negatives
            if error < best:
                best, found = error, (bands, size)
    return found


class MinHashLSH:
    """An index that finds signatures with some band of values in common: probably those of a Jaccard similarity of at
    least `threshold`. The results are candidates; compare them by `jaccard()`.

    `hashtables` has a dictionary per band, from the bytes of its values to the keys that have them (the keys of a
    dictionary, in the order of insertions), and `keys` a list of these bytes for every key. Cost of a call: `b`
    look-ups and the candidates.
    """

    def __init__(
        self,
        threshold: float = 0.9,
        num_perm: int = 128,
        weights: tuple[float, float] = (0.5, 0.5),
        params: tuple[int, int] | None = None,
        storage_config: dict[str, Any] | None = None,
        prepickle: bool | None = None,
        hashfunc: Callable[[bytes], bytes] | None = None,
    ) -> None:
        """`params` gives bands and values per band, instead of `threshold` and the `weights` of false positives and
        false negatives. `hashfunc` shortens the bytes of bands. Only memory is supported as storage."""
        if (storage_config or {}).get("type", "dict") != "dict" or prepickle:
            raise UnsupportedError("storage_config: only {'type': 'dict'} is supported; paraprint.Index is on disk")
        if not 0 <= threshold <= 1:
            raise InvalidArgumentError(f"threshold is {threshold}; it must be 0 to 1")
        if num_perm < 2:
            raise InvalidArgumentError(f"num_perm is {num_perm}; it must be at least 2")
        if any(not 0 <= weight <= 1 for weight in weights) or sum(weights) != 1.0:
            raise InvalidArgumentError(f"weights are {weights}; each must be 0 to 1, and their sum 1")
        self.h = num_perm
        self.b, self.r = params or _bands(threshold, num_perm, (weights[0], weights[1]))
        if self.b * self.r > num_perm:
            raise InvalidArgumentError(f"params: {self.b} bands of {self.r} values are more than num_perm, {num_perm}")
        if self.b < 2:
            raise InvalidArgumentError("one band is too few; change the threshold or give params")
        self.buffer_size = 50000
        self.hashfunc = hashfunc
        self.hashranges = [(i * self.r, (i + 1) * self.r) for i in range(self.b)]
        self.hashtables: list[dict[bytes, dict[Hashable, None]]] = [{} for _ in range(self.b)]
        self.keys: dict[Hashable, list[bytes]] = {}
        self._query_buffer: list[MinHash] = []

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # Pickles of earlier versions have lists of keys.
        self.hashtables = [
            {band: dict.fromkeys(members) for band, members in table.items()} for table in self.hashtables
        ]

    def _band_bytes(self, minhash: MinHash) -> list[bytes]:
        if len(minhash) != self.h:
            raise InvalidArgumentError(f"the signature has {len(minhash)} values; this index takes {self.h}")
        values = minhash.hashvalues.tobytes()
        width = self.r * minhash.hashvalues.itemsize
        bands = [values[begin : begin + width] for begin in range(0, self.b * width, width)]
        return bands if self.hashfunc is None else [self.hashfunc(band) for band in bands]

    def insert(self, key: Hashable, minhash: MinHash, check_duplication: bool = True) -> None:
        """Adds a signature under a key. A key that is known raises, unless `check_duplication` is false: then the key
        is found by either signature."""
        bands = self._band_bytes(minhash)
        if check_duplication and key in self.keys:
            raise InvalidArgumentError(f"the key {key!r} is already in the index")
        self._add(key, bands)

    def _add(self, key: Hashable, bands: list[bytes]) -> None:
        self.keys[key] = self.keys.get(key, []) + bands
        for i, band in enumerate(bands):
            self.hashtables[i % self.b].setdefault(band, {}).setdefault(key)

    def query(self, minhash: MinHash) -> list[Hashable]:
        """The keys of candidates, each once, in the order of bands and insertions."""
        found: dict[Hashable, None] = {}
        for table, band in zip(self.hashtables, self._band_bytes(minhash)):
            members = table.get(band)
            if members is not None:
                found.update(members)
        return list(found)

    def add_to_query_buffer(self, minhash: MinHash) -> None:
        """Remembers a query for collect_query_buffer()."""
        self._band_bytes(minhash)
        self._query_buffer.append(minhash)

    def collect_query_buffer(self) -> list[Hashable]:
        """The candidates of all queries remembered, which are forgotten."""
        queries, self._query_buffer = self._query_buffer, []
        return list(dict.fromkeys(key for minhash in queries for key in self.query(minhash)))

    def remove(self, key: Hashable) -> None:
        if key not in self.keys:
            raise InvalidArgumentError(f"the key {key!r} is not in the index")
        for i, band in enumerate(self.keys.pop(key)):
            table = self.hashtables[i % self.b]
            members = table.get(band, {})
            members.pop(key, None)
            if not members:
                table.pop(band, None)

    def merge(self, other: MinHashLSH, check_overlap: bool = False) -> None:
        """Adds everything in another index with the same parameters. `check_overlap` raises if it shares a key."""
        if (self.h, self.b, self.r, self.hashfunc) != (other.h, other.b, other.r, other.hashfunc):
            raise InvalidArgumentError("the indexes have different parameters")
        shared = next((key for key in other.keys if key in self.keys), None) if check_overlap else None
        if shared is not None:
            raise InvalidArgumentError(f"both indexes have the key {shared!r}")
        for key, bands in list(other.keys.items()):
            self._add(key, bands)

    def is_empty(self) -> bool:
        return not self.keys

    def __contains__(self, key: Hashable) -> bool:
        return key in self.keys

    def get_counts(self) -> list[dict[bytes, int]]:
        """Per band, how many keys each value has."""
        return [{band: len(members) for band, members in table.items()} for table in self.hashtables]

    def get_subset_counts(self, *keys: Hashable) -> list[dict[bytes, int]]:
        """Per band, how many of these keys each of their values has."""
        counts: list[dict[bytes, int]] = [{} for _ in range(self.b)]
        for key in dict.fromkeys(keys):
            for i, band in enumerate(self.keys.get(key, [])):
                counts[i % self.b][band] = counts[i % self.b].get(band, 0) + 1
        return counts

    def insertion_session(self, buffer_size: int = 50000) -> _Session:
        """A context whose insert() is that of the index: without a server, there is nothing to send in batches."""
        return _Session(self)

    def deletion_session(self, buffer_size: int = 50000) -> _Session:
        """The same for remove()."""
        return _Session(self)


class _Session:
    def __init__(self, lsh: MinHashLSH) -> None:
        self.lsh = lsh
        self.insert = lsh.insert
        self.remove = lsh.remove

    def __enter__(self) -> _Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing is outstanding."""


class MinHashLSHForest:
    """An index that finds about the `k` most similar signatures: those that share the longest beginning of the values
    of one of `l` trees. Signatures added are found after the next index()."""

    def __init__(self, num_perm: int = 128, l: int = 8) -> None:
        if not 1 <= l <= num_perm:
            raise InvalidArgumentError(f"l is {l}; it must be 1 to num_perm, {num_perm}")
        self.l = l
        self.k = num_perm // l
        self._num_perm = num_perm
        self.hashranges = [(i * self.k, (i + 1) * self.k) for i in range(l)]
        self.hashtables: list[dict[bytes, list[Hashable]]] = [{} for _ in range(l)]
        self.sorted_hashtables: list[list[bytes]] = [[] for _ in range(l)]
        self.keys: dict[Hashable, list[bytes]] = {}

    def _tree_bytes(self, minhash: MinHash) -> list[bytes]:
        if len(minhash) < self.k * self.l:
            raise InvalidArgumentError(f"the signature has {len(minhash)} values; this index takes {self.k * self.l}")
        # Big-endian, so that the order of bytes is that of values.
        values = minhash.hashvalues.astype(">u8").tobytes()
        return [values[8 * begin : 8 * end] for begin, end in self.hashranges]

    def add(self, key: Hashable, minhash: MinHash) -> None:
        trees = self._tree_bytes(minhash)
        if key in self.keys:
            raise InvalidArgumentError(f"the key {key!r} is already in the index")
        self.keys[key] = trees
        for table, values in zip(self.hashtables, trees):
            table.setdefault(values, []).append(key)

    def index(self) -> None:
        """Makes all signatures added so far findable. Cost: sorts them."""
        self.sorted_hashtables = [sorted(table) for table in self.hashtables]

    def query(self, minhash: MinHash, k: int) -> list[Hashable]:
        """The keys of at most `k` signatures, those with the longest shared beginning first."""
        from bisect import bisect_left

        if k <= 0:
            raise InvalidArgumentError(f"k is {k}; it must be at least 1")
        trees = self._tree_bytes(minhash)
        found: dict[Hashable, None] = {}
        for depth in range(self.k, 0, -1):
            for table, ordered, values in zip(self.hashtables, self.sorted_hashtables, trees):
                beginning = values[: 8 * depth]
                place = bisect_left(ordered, beginning)
                while place < len(ordered) and ordered[place].startswith(beginning):
                    for key in table[ordered[place]]:
                        found[key] = None
                        if len(found) >= k:
                            return list(found)
                    place += 1
        return list(found)

    def get_minhash_hashvalues(self, key: Hashable) -> Any:
        """The values of a signature that the index keeps: the first `k` times `l`."""
        if key not in self.keys:
            raise KeyError(f"the key {key!r} is not in the index")
        return numpy.frombuffer(b"".join(self.keys[key]), dtype=">u8").astype(numpy.uint64)

    def is_empty(self) -> bool:
        """Whether nothing can be found yet."""
        return not any(self.sorted_hashtables)

    def __contains__(self, key: Hashable) -> bool:
        return key in self.keys


__all__: Sequence[str] = ["LeanMinHash", "MinHash", "MinHashLSH", "MinHashLSHForest", "sha1_hash32"]
