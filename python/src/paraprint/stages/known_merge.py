"""Makes one run out of several consecutive ones in a folder of known pages, so that a look-up does not open more and
more tables: `python -m paraprint.stages merge-known`.

A look-up gives the same answers before and after. The new run counts as soon as its file is there, which names those of
the runs that it replaces: nobody ever sees a part of the change. What it replaces stays for a while, because runs that
began earlier read it.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import math
import multiprocessing
import time
import uuid
from typing import Any, Iterator

from .. import _core
from ..errors import CorruptDataError, InvalidArgumentError
from .known import MERGED, KnownFolder, KnownParts, KnownRun

# Numbers of texts have 32 bits in a run.
_NUMBERS_MAXIMUM = (1 << 32) - 1
# What a merge takes for each run: a block, what is read ahead, the end of a file.
_BYTES_OF_A_RUN = 16 << 20


def merge_known(
    path: str, memory_bytes: int, merges_all: bool = False, keep_seconds: float = 86400, processes: int = 1
) -> tuple[int, int]:
    """Merges the newest runs of a folder, as many as runs_to_merge() says, or all. Deletes what has been replaced for
    `keep_seconds`. Returns how many runs there were and are. `processes`: tables that are merged at the same time."""
    if processes < 1:
        raise InvalidArgumentError(f"processes is {processes}; it must be at least 1")
    if not (math.isfinite(keep_seconds) and keep_seconds >= 0):
        raise InvalidArgumentError(f"keep_hours is {keep_seconds / 3600:g}; it must be a number from 0 on")
    folder = KnownFolder(path)
    runs = folder.counted(folder.identity())
    if not runs:
        raise InvalidArgumentError(f"{path}: has no known pages")
    _delete_replaced(folder, keep_seconds)
    names = list(runs)[_first_to_merge(list(runs.values()), merges_all) :]
    at_once = max(2, memory_bytes // _BYTES_OF_A_RUN // processes)
    while len(names) > 1:
        names = [_merge(folder, names[at : at + at_once], processes) for at in range(0, len(names), at_once)]
    _delete_replaced(folder, keep_seconds)
    return len(runs), len(folder.counted())


def runs_to_merge(texts: list[int]) -> int:
    """The first of the runs, given by their texts, the oldest first, that are to become one with all later ones.

    It is the first that has no more texts than all later ones together. So each run that is left has more than all
    later ones, which leaves no more runs than the logarithm of the number of texts. A text that is merged again gets
    into a run at least twice as large, so all n texts are written about n log n times.
    """
    later = sum(texts)
    for place, number in enumerate(texts):
        later -= number
        if number <= later:
            return place
    return len(texts)


def _first_to_merge(runs: list[KnownRun], merges_all: bool) -> int:
    first = 0 if merges_all else runs_to_merge([run.texts for run in runs])
    while sum(run.numbers for run in runs[first:]) > _NUMBERS_MAXIMUM:
        first += 1
    return first


def _merge(folder: KnownFolder, names: list[str], processes: int) -> str:
    """Makes one run out of consecutive ones, given by their files. Returns its file."""
    if len(names) == 1:
        return names[0]
    found = folder.counted()
    sources = [found[name] for name in names if name in found]
    if len(sources) < len(names):
        raise InvalidArgumentError(f"{folder.path}: another merge is at work; nothing was merged")
    # It takes the place of the last one: "-" sorts before digits, and nobody else begins with so many of the same.
    number, _, last = names[-1].partition("-")
    name = f"{last[:16]}-merged-{uuid.uuid4().hex[:16]}"
    file = f"{number}-{name}.json"
    with _withdrawn_on_error(folder, name, file):
        tables = dict.fromkeys(table for run in sources for table in run.tables)
        first_texts = [0]
        for run in sources:
            first_texts.append(first_texts[-1] + run.numbers)
        merged = KnownRun(name, first_texts[-1], sum(run.texts for run in sources), {})
        for table, files, count in _merged_tables(folder.path, name, list(tables), sources, first_texts, processes):
            merged.tables[table] = files
            if table == "texts" and count != merged.texts:
                raise CorruptDataError(f"{folder.path}: {count} texts instead of {merged.texts} are in {names}")
        _check_unchanged(folder, names)
        replaced = _replaced_by(folder, names)
        identity = folder.identity()
        assert identity is not None
        folder.write(file, identity, dataclasses.replace(merged, merged=replaced))
    return file


def _merged_tables(
    path: str, name: str, tables: list[str], sources: list[KnownRun], first_texts: list[int], processes: int
) -> Iterator[tuple[str, list[Any], int]]:
    given = [(path, name, table, sources, first_texts) for table in tables]
    if processes == 1:
        yield from map(_merge_table, given)
        return
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(processes, context) as pool:
        yield from pool.map(_merge_table, given)


def _merge_table(given: tuple[str, str, str, list[KnownRun], list[int]]) -> tuple[str, list[Any], int]:
    """The table, its files, and how many lines or texts it has."""
    path, name, table, sources, first_texts = given
    parts = KnownParts(path, name)
    with contextlib.ExitStack() as opened:
        blocks = [opened.enter_context(contextlib.closing(run.blocks(path, table))) for run in sources]
        try:
            count = _core.merge_known_table(table, first_texts, lambda run: next(blocks[run], None), parts.write)
        except CorruptDataError as error:
            if path in str(error):
                raise
            raise CorruptDataError(f"{path}: {', '.join(run.name for run in sources)}: {error}") from error
    return table, parts.close().get(table, []), count


def _check_unchanged(folder: KnownFolder, names: list[str]) -> None:
    """Nobody may have merged these runs or added one between them in the meantime."""
    counted = list(folder.counted())
    place = counted.index(names[0]) if names[0] in counted else 0
    if counted[place : place + len(names)] != names:
        raise InvalidArgumentError(f"{folder.path}: its runs changed meanwhile; nothing was merged, so try again")


def _replaced_by(folder: KnownFolder, names: list[str]) -> dict[str, int]:
    """The files of runs that do not count once these are replaced, and since when; those that are gone are left out."""
    now = int(time.time())
    found = folder.all_runs()
    replaced = {file: since for name in names for file, since in found[name].merged.items()}
    for file, run in found.items():  # merges that lost to another one
        if file not in names and not {*replaced, *names}.isdisjoint(run.merged):
            replaced.setdefault(file, now)
    folders = set(folder.folder.stages())
    still_there = {file: since for file, since in replaced.items() if file in found or _folder_of(file) in folders}
    return {**still_there, **dict.fromkeys(names, now)}


def _delete_replaced(folder: KnownFolder, keep_seconds: float) -> None:
    """Deletes runs that others have replaced for so long, and what merges have left that were killed then."""
    now = time.time()
    folders = set(folder.folder.stages())
    for run in folder.runs():
        for file in (file for file, since in run.merged.items() if now - since >= keep_seconds):
            folder.folder.delete(file)
            if _folder_of(file) in folders:
                folder.folder.remove(_folder_of(file))
    listed = {_folder_of(file) for file in folder.names()}
    for name in folders - listed:
        if MERGED.fullmatch(name):
            changed = folder.folder.last_change(name)
            if changed is not None and now - changed >= keep_seconds:
                folder.folder.remove(name)


def _folder_of(file: str) -> str:
    return file.partition("-")[2].removesuffix(".json")


@contextlib.contextmanager
def _withdrawn_on_error(folder: KnownFolder, name: str, file: str) -> Iterator[None]:
    """Deletes the tables of a merge that failed, unless it counts."""
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            if file not in folder.names():
                folder.folder.remove(name)
        raise
