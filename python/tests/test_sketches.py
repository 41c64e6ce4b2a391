"""MinHash signatures and their indexes: known values, slow versions, and datasketch itself where it is installed."""

import hashlib
import itertools
import pickle
import random

import pytest

numpy = pytest.importorskip("numpy")

from paraprint import errors, sketches  # noqa: E402  (needs numpy)
from paraprint.sketches import LeanMinHash, MinHash, MinHashLSH, MinHashLSHForest  # noqa: E402

PRIME, MAX_HASH = 2**61 - 1, 2**32 - 1


def signature(members, **arguments):
    made = MinHash(**arguments)
    made.update_batch([str(member).encode() for member in members])
    return made


def random_sets(count, seed=3):
    """Sets of numbers in pairs with every share in common."""
    chance = random.Random(seed)
    for i in range(count):
        shared = chance.sample(range(10**6), 5 + 90 * i // count)
        rest = 100 - len(shared)
        yield tuple(shared + chance.sample(range(low, low + 10**6), rest) for low in (10**6, 2 * 10**6))


def test_values_are_those_of_the_definition():
    """In Python's integers, for numbers whose products need more than 64 bits."""
    made = MinHash(16, 5, hashfunc=lambda number: number)
    factors, offsets = made.permutations
    members = [0, 1, 77, 2**31, MAX_HASH, 123456789]
    made.update_batch(members)
    for i, (factor, offset) in enumerate(zip(factors.tolist(), offsets.tolist())):
        assert 0 < factor < PRIME and 0 <= offset < PRIME
        assert made.hashvalues[i] == min((factor * hash + offset) % 2**64 % PRIME & MAX_HASH for hash in members)


def test_known_values():
    """Signatures that datasketch 1 gives; a stored one stays readable as long as these hold."""
    made = MinHash(4, 1)
    made.update(b"Hello")
    assert made.hashvalues.tolist() == [734825475, 960773806, 359816889, 342714745]
    assert sketches.sha1_hash32(b"Hello") == int.from_bytes(hashlib.sha1(b"Hello").digest()[:4], "little")


def test_updates_one_by_one_and_in_batches():
    words = [f"word {i}".encode() for i in range(50)]
    one, batch, parts = MinHash(), MinHash(), MinHash()
    for word in words:
        one.update(word)
    batch.update_batch(reversed(words))
    parts.update_batch(words[:20])
    parts.update_batch(words[10:])
    assert one == batch == parts and one.digest().tolist() == batch.hashvalues.tolist()
    assert MinHash.bulk([words, words[:5]])[0] == one and len(list(MinHash.generator([words] * 3))) == 3


def test_estimates_are_close():
    for a, b in random_sets(40):
        exact = len(set(a) & set(b)) / len(set(a) | set(b))
        assert signature(a, num_perm=512).jaccard(signature(b, num_perm=512)) == pytest.approx(exact, abs=0.1)
    assert signature(range(5000), num_perm=512).count() == pytest.approx(5000, rel=0.15)


def test_union_merge_copy_and_clear():
    a, b = signature(range(50)), signature(range(30, 90))
    both = MinHash.union(a, b)
    assert both == signature(range(90)) != a
    copied = a.copy()
    copied.merge(b)
    assert copied == both and a == signature(range(50))
    copied.update(b"x")
    assert copied != both
    copied.clear()
    assert copied.is_empty() and copied.count() == pytest.approx(0) and not a.is_empty()
    assert MinHash(hashvalues=a.hashvalues, permutations=a.permutations) == a
    assert pickle.loads(pickle.dumps(a)) == a
    with pytest.raises(TypeError):
        hash(a)


def test_signatures_that_cannot_be_compared():
    for other in (MinHash(64), MinHash(128, seed=2)):
        for call in (MinHash().jaccard, MinHash().merge, lambda one: MinHash.union(MinHash(), one)):
            with pytest.raises(errors.InvalidArgumentError, match="not comparable"):
                call(other)
    assert MinHash() != MinHash(seed=2) and MinHash() != "text" and MinHash() != LeanMinHash(MinHash())
    for arguments in ({"num_perm": 0}, {"hashfunc": 3}, {"permutations": [[1], [2]]}):
        with pytest.raises(ValueError):
            MinHash(**arguments)
    for arguments in ({"scheme": "affine32"}, {"gpu_mode": "always"}, {"hashobj": hashlib.sha1}):
        with pytest.raises(errors.UnsupportedError):
            MinHash(**arguments)
    with pytest.raises(ValueError, match="two or more|at least two"):
        MinHash.union(MinHash())


def test_lean_signatures():
    full = signature(range(20), num_perm=10, seed=7)
    lean = LeanMinHash(full)
    assert lean == LeanMinHash(seed=7, hashvalues=full.hashvalues) and lean.jaccard(full) == 1
    full.update_batch(str(number).encode() for number in range(20, 300))
    assert lean != LeanMinHash(full) and len({lean, lean.copy(), LeanMinHash(full)}) == 2
    assert LeanMinHash.union(lean, LeanMinHash(full)) == LeanMinHash(full)
    assert pickle.loads(pickle.dumps(lean)) == lean
    for update in (lean.update, lean.update_batch):
        with pytest.raises(TypeError, match="cannot be updated"):
            update(b"x")
    with pytest.raises(ValueError):
        LeanMinHash(seed=1)


@pytest.mark.parametrize("byteorder", "@=<>!")
def test_lean_signatures_as_bytes(byteorder):
    lean = LeanMinHash(signature(range(20), num_perm=10, seed=7))
    written = bytearray(lean.bytesize(byteorder) + 3)
    lean.serialize(written, byteorder)
    assert lean.bytesize(byteorder) == 8 + 4 + 4 * 10
    assert LeanMinHash.deserialize(written, byteorder) == lean
    for size in range(lean.bytesize(byteorder)):
        with pytest.raises(ValueError, match="bytes"):
            LeanMinHash.deserialize(written[:size], byteorder)
        with pytest.raises(ValueError, match=f"has {size} bytes"):
            lean.serialize(bytearray(size), byteorder)
    with pytest.raises(ValueError, match="too few"):
        LeanMinHash.deserialize(b"\xff" * 40, byteorder)


def slow_areas(threshold, bands, size):
    """The areas that the choice of bands weighs, by many rectangles."""
    steps = 4000
    places = [(i + 0.5) / steps for i in range(steps)]
    shared = [1 - (1 - place**size) ** bands for place in places]
    below = sum(share for place, share in zip(places, shared) if place < threshold)
    return below / steps, sum(1 - share for place, share in zip(places, shared) if place >= threshold) / steps


@pytest.mark.parametrize("threshold", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("weights", [(0.5, 0.5), (0.2, 0.8)])
def test_bands_are_the_best_choice(threshold, weights):
    index = MinHashLSH(threshold=threshold, num_perm=24, weights=weights)
    errors_of = {(bands, size): sum(weight * area for weight, area in zip(weights, slow_areas(threshold, bands, size)))
                 for bands in range(1, 25) for size in range(1, 24 // bands + 1)}
    assert errors_of[index.b, index.r] == pytest.approx(min(errors_of.values()), abs=2e-4)


def test_queries_find_exactly_what_shares_a_band():
    sets = list(itertools.chain.from_iterable(random_sets(60)))
    signatures = {number: signature(members, num_perm=32) for number, members in enumerate(sets)}
    index = MinHashLSH(num_perm=32, params=(8, 4))
    for number, made in signatures.items():
        index.insert(number, made)
    for made in signatures.values():
        wanted = {other for other, values in signatures.items()
                  if any((values.hashvalues[i:i + 4] == made.hashvalues[i:i + 4]).all() for i in range(0, 32, 4))}
        found = index.query(made)
        assert set(found) == wanted and len(found) == len(wanted)
    restored = pickle.loads(pickle.dumps(index))
    assert [restored.query(made) for made in signatures.values()] == [index.query(made) for made in signatures.values()]
    for number in list(signatures)[::2]:
        index.remove(number)
    assert all(number % 2 for made in signatures.values() for number in index.query(made))
    for number in list(signatures)[1::2]:
        index.remove(number)
    assert index.is_empty() and not any(index.hashtables)


def test_keys_and_counts():
    a, b = signature("abc", num_perm=16), signature("abcx", num_perm=16)
    index = MinHashLSH(num_perm=16, params=(8, 2))
    with index.insertion_session() as session:
        session.insert("a", a)
        session.insert("b", b)
    assert "a" in index and "c" not in index
    with pytest.raises(ValueError, match="already in the index"):
        index.insert("a", b)
    assert all(sum(table.values()) == 2 for table in index.get_counts()) and len(index.get_counts()) == 8
    assert [sum(table.values()) for table in index.get_subset_counts("a", "none")] == [1] * 8
    index.insert("a", b, check_duplication=False)
    assert index.query(b).count("a") == 1
    with index.deletion_session() as session:
        session.remove("a")
    assert index.query(a) == index.query(b) == ["b"] and all(index.hashtables)
    index.add_to_query_buffer(a)
    index.add_to_query_buffer(b)
    assert index.collect_query_buffer() == ["b"] and index.collect_query_buffer() == []
    with pytest.raises(ValueError, match="not in the index"):
        index.remove("a")


def test_a_removal_does_not_search_the_keys_of_a_band():
    class Counted:
        compared = 0

        def __eq__(self, other):
            Counted.compared += 1
            return self is other

        def __hash__(self):
            return id(self)

    index, same = MinHashLSH(num_perm=16, params=(8, 2)), signature("a", num_perm=16)
    keys = [Counted() for _ in range(500)]
    for key in keys:
        index.insert(key, same)
    Counted.compared = 0
    for key in reversed(keys):
        index.remove(key)
    assert index.is_empty() and not any(index.hashtables) and Counted.compared < len(keys)


def test_pickled_indexes_of_former_versions_have_lists():
    index, same = MinHashLSH(num_perm=16, params=(8, 2)), signature("a", num_perm=16)
    for key in "abc":
        index.insert(key, same)
    index.hashtables = [{band: list(members) for band, members in table.items()} for table in index.hashtables]
    restored = pickle.loads(pickle.dumps(index))
    restored.remove("b")
    restored.insert("d", same)
    assert restored.query(same) == ["a", "c", "d"]


def test_indexes_are_merged():
    one, two = MinHashLSH(num_perm=16, params=(8, 2)), MinHashLSH(num_perm=16, params=(8, 2))
    one.insert("a", signature("a", num_perm=16))
    two.insert("b", signature("b", num_perm=16))
    one.merge(two, check_overlap=True)
    assert one.query(signature("b", num_perm=16)) == ["b"] and "a" not in two
    with pytest.raises(ValueError, match="both indexes have the key 'b'"):
        one.merge(two, check_overlap=True)
    with pytest.raises(ValueError, match="different parameters"):
        one.merge(MinHashLSH(num_perm=16, params=(4, 4)))


def test_arguments_of_indexes():
    short = signature("a", num_perm=8)
    for call in (lambda: MinHashLSH(num_perm=16).query(short), lambda: MinHashLSH(num_perm=16).insert("a", short),
                 lambda: MinHashLSH(num_perm=16).add_to_query_buffer(short), lambda: MinHashLSHForest().add("a", short),
                 lambda: MinHashLSH(threshold=1.1), lambda: MinHashLSH(num_perm=1), lambda: MinHashLSH(params=(64, 4)),
                 lambda: MinHashLSH(weights=(0.5, 0.6)), lambda: MinHashLSH(params=(1, 4)),
                 lambda: MinHashLSHForest(l=0), lambda: MinHashLSHForest().query(signature("a"), 0),
                 lambda: MinHashLSH(storage_config={"type": "redis"})):
        with pytest.raises(ValueError):
            call()
    halved = MinHashLSH(num_perm=16, params=(8, 2), hashfunc=lambda band: band[:4])
    halved.insert("a", signature("a", num_perm=16))
    assert halved.query(signature("a", num_perm=16)) == ["a"]
    assert all(len(band) == 4 for table in halved.hashtables for band in table)


def test_a_forest_finds_the_longest_shared_beginnings():
    sets = list(itertools.chain.from_iterable(random_sets(50)))
    signatures = {number: signature(members, num_perm=64) for number, members in enumerate(sets)}
    forest = MinHashLSHForest(num_perm=64, l=4)
    for number, made in signatures.items():
        forest.add(number, made)
    assert forest.is_empty() and forest.query(signatures[0], 5) == []
    forest.index()
    assert not forest.is_empty() and 3 in forest and 1000 not in forest

    def shared(a, b):
        equal = (signatures[a].hashvalues == signatures[b].hashvalues).reshape(4, 16)
        return max(next((i for i, same in enumerate(tree) if not same), 16) for tree in equal)

    for number, made in signatures.items():
        lengths = sorted((shared(number, other) for other in signatures), reverse=True)
        found = forest.query(made, 3)
        assert found[0] == number
        assert [shared(number, other) for other in found] == [length for length in lengths[:3] if length > 0]
        assert (forest.get_minhash_hashvalues(number) == made.hashvalues).all()
    with pytest.raises(ValueError, match="already in the index"):
        forest.add(0, signatures[0])
    with pytest.raises(KeyError):
        forest.get_minhash_hashvalues("none")
    assert pickle.loads(pickle.dumps(forest)).query(signatures[5], 2) == forest.query(signatures[5], 2)


def test_datasketch_gives_the_same():
    datasketch = pytest.importorskip("datasketch")

    def theirs(**arguments):
        try:
            return datasketch.MinHash(scheme="legacy", **arguments)
        except TypeError:  # version 1 has this scheme alone
            return datasketch.MinHash(**arguments)

    for threshold, weights in itertools.product((0.3, 0.5, 0.7, 0.8, 0.9), ((0.5, 0.5), (0.3, 0.7))):
        a, b = (module.MinHashLSH(threshold, 128, weights) for module in (sketches, datasketch))
        assert (a.b, a.r) == (b.b, b.r)
    index, other_index = (module.MinHashLSH(0.4, 64) for module in (sketches, datasketch))
    forest, other_forest = (module.MinHashLSHForest(64) for module in (sketches, datasketch))
    pairs = []
    for number, members in enumerate(itertools.chain.from_iterable(random_sets(40))):
        made, other = signature(members, num_perm=64, seed=9), theirs(num_perm=64, seed=9)
        other.update_batch([str(member).encode() for member in members])
        assert made.hashvalues.tolist() == other.hashvalues.tolist() and made.count() == pytest.approx(other.count())
        pairs.append((made, other))
        for structure, one in ((index, made), (other_index, other)):
            structure.insert(number, one)
        for structure, one in ((forest, made), (other_forest, other)):
            structure.add(number, one)
    forest.index()
    other_forest.index()
    for made, other in pairs:
        assert sorted(index.query(made)) == sorted(other_index.query(other))
        assert made.jaccard(pairs[0][0]) == other.jaccard(pairs[0][1])
        assert set(forest.query(made, 1)) == set(other_forest.query(other, 1))
