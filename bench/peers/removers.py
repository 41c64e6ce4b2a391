"""Which rows each Python package keeps, given the set of words or shingles of each row in turn.

Each function returns one bool per row, true for a row that stays: the first row of similar ones. 128 permutations.
`threads` matters only where the package has threads.
"""
import importlib.util
import itertools
import pathlib

PERMUTATIONS, BATCH_ROWS = 128, 10_000


def by_rensa(sets, threshold, threads):
    from rensa import RMinHashDeduplicator

    found = RMinHashDeduplicator(threshold=threshold, num_perm=PERMUTATIONS, use_lsh=True)
    return found.add_pairs((str(row), items) for row, items in enumerate(sets))


def by_datasketch(sets, threshold, threads, module="datasketch"):
    sketches = importlib.import_module(module)
    index, is_kept = sketches.MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS), []
    for row, items in enumerate(sets):
        signature = sketches.MinHash(num_perm=PERMUTATIONS)
        signature.update_batch([item.encode() for item in items])
        is_kept.append(not index.query(signature))
        if is_kept[-1]:
            index.insert(row, signature)
    return is_kept


def by_fastsketch(sets, threshold, threads):
    """It only proposes candidates; a row stays if no row before it that stays is among them. Bands have equal sizes,
    so that the threshold is one of a few: the nearest."""
    import numpy
    from FastSketchLSH import LSH, FastSimilaritySketch

    bands = min((2, 4, 8, 16, 32, 64), key=lambda count: abs(count ** (-count / PERMUTATIONS) - threshold))
    sketcher, sketches = FastSimilaritySketch(PERMUTATIONS), []
    sets = iter(sets)
    while batch := [list(items) for items in itertools.islice(sets, BATCH_ROWS)]:
        sketches.append(sketcher.batch(batch, False, threads))
    sketches = numpy.concatenate(sketches)
    index, is_kept = LSH(PERMUTATIONS, bands, num_threads=threads), []
    index.insert(sketches)
    for first in range(0, len(sketches), BATCH_ROWS):
        found, ends = index.query(sketches[first:first + BATCH_ROWS], "csr")
        for row, (begin, end) in enumerate(itertools.pairwise(ends.tolist()), first):
            is_kept.append(not any(other < row and is_kept[other] for other in found[begin:end].tolist()))
    return is_kept


def bands_of(threshold):
    """(bands, hashes per band) that suit a threshold."""
    from datasketch.lsh import _optimal_param

    return _optimal_param(threshold, PERMUTATIONS, 0.5, 0.5)


def dolma_core():
    """The extension module of dolma alone: the package imports taggers, and much that they need."""
    package = importlib.util.find_spec("dolma")
    if package is None:
        raise ModuleNotFoundError("No module named 'dolma'")
    path = next(pathlib.Path(package.submodule_search_locations[0]).glob("dolma.*.so"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location("dolma.dolma", path))
    module.__spec__.loader.exec_module(module)
    return module
