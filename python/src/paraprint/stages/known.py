"""The folder of known pages: tables of earlier runs, which tasks look pages up in, and how a run is added to them
(docs/formats/known-folder.md).

A run is added by the one small file that names its tables. Until that is there, and for a run that fails for good, the
folder is what it was. Nothing in it is changed, so any number of runs may read it while others are added. Runs can be
merged (known_merge.py): the file of the one that they become names those that no longer count.
"""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import dataclasses
import re
import uuid
from typing import Any, Callable, Generator, Iterator

import pyarrow

from .. import _core
from ..errors import CorruptDataError, InvalidArgumentError, UnsupportedError
from .parts import Part, data_of
from .reports import check_known_files, is_number
from .storage import WorkFolder, described_in

#: The folder of a run that was made of several.
MERGED = re.compile(r"[0-9a-f]{16}-merged-[0-9a-f]{16}")
# The folder and the file of a run. What another file names may be deleted, so it must be nothing else.
_RUN = re.compile(rf"[0-9a-f]{{32}}|{MERGED.pattern}")
_RUN_FILE = re.compile(rf"[0-9]+-({_RUN.pattern})\.json")
# Of a run, and of one that was made of several.
_FORMAT, _MERGED_FORMAT = 1, 2
# Descriptions of runs that are read at the same time.
_READ_AT_ONCE = 8
# How often a folder is listed whose files disappear meanwhile.
_LISTINGS = 3
# A file has so many blocks at most, so that its end, which readers hold, stays small.
_BLOCKS_OF_A_FILE = 4096
#: Kinds of parcels that are blocks of a table: this, then its name.
BLOCKS = "known/"
_BLOCK_SCHEMA = pyarrow.schema(
    [("first", pyarrow.uint64()), ("last", pyarrow.uint64()), ("payload", pyarrow.binary())]
)
_KEYS = ["first", "last"]
_ADVICE = "restore it, start over if runs have been merged since, or begin another folder of known pages"

#: A file of a table with its first and last keys.
KnownFile = tuple[str, int, int]


@dataclasses.dataclass(frozen=True)
class KnownRun:
    """A run in the folder."""

    name: str
    numbers: int  # above that of any of its texts
    texts: int
    tables: dict[str, list[KnownFile]]  # in the order of their keys
    merged: dict[str, int] = dataclasses.field(default_factory=dict)  # files of the runs that it replaces, and since
    # when, in seconds of Unix time

    def check(self) -> None:
        """Raises a ValueError, TypeError, AttributeError or LookupError for what a run cannot have: it says which files
        are read, and which ones a merge deletes."""
        if _RUN.fullmatch(self.name) is None:
            raise ValueError(f"name {self.name!r}")
        for table, files in self.tables.items():
            check_known_files(table, files)
        for value in (self.numbers, self.texts, *self.merged.values()):
            if not is_number(value):
                raise ValueError(f"number {value!r}")
        for file in self.merged:
            if _RUN_FILE.fullmatch(file) is None:
                raise ValueError(f"run {file!r}")

    def blocks(
        self, path: str, table: str, needs: Callable[[int, int], bool] = lambda *_: True
    ) -> Generator[bytes, None, None]:
        """The blocks of a table that may have a needed key, of the run in a folder."""
        folder = WorkFolder(path)
        for file, first, last in self.tables.get(table, ()):
            if needs(first, last):
                yield from folder.blocks(f"{self.name}/{table}", file, _KEYS, needs, _ADVICE)


@dataclasses.dataclass(frozen=True)
class KnownRuns:
    """What tasks know of the folder: the earlier runs in their order, and where this one stores its tables."""

    path: str
    runs: list[KnownRun]
    name: str  # of this run

    @property
    def first_texts(self) -> list[int]:
        """The number of the first text of each run among all, and the number after the last one."""
        first = [0]
        for run in self.runs:
            first.append(first[-1] + run.numbers)
        return first

    def give_blocks(self, stage: Any) -> Iterator[None]:
        """Gives a task the blocks that it needs of its table, and yields after each."""
        table = stage.known_table()
        for number, run in enumerate(self.runs if table else ()):

            def needs(first: int, last: int, number: int = number) -> bool:
                return bool(stage.needs_known(number, first, last))

            for payload in run.blocks(self.path, table, needs):
                with data_of(f"{self.path}/{run.name}/{table}", _ADVICE):
                    stage.add_known(number, payload)
                yield


class KnownParts:
    """The tables that a task stores of a run, by name, in a folder."""

    def __init__(self, path: str, name: str) -> None:
        self._name = name
        self._folder = WorkFolder(path)
        self._parts: dict[str, Part] = {}
        self._keys: dict[str, tuple[int, int]] = {}
        self._files: dict[str, list[KnownFile]] = {}

    def write(self, kind: str, parcel: bytes) -> None:
        table = kind.removeprefix(BLOCKS)
        for first, last, payload in _core.read_known_blocks(parcel):
            if table not in self._parts:
                stage = f"{self._name}/{table}"
                self._folder.create(stage)
                self._parts[table] = self._folder.new_part(stage, _BLOCK_SCHEMA, statistics=_KEYS)
            self._parts[table].write(first, last, payload)
            self._keys[table] = (self._keys.get(table, (first, last))[0], last)
            if self._parts[table].rows == _BLOCKS_OF_A_FILE:
                self._end_file(table)

    def _end_file(self, table: str) -> None:
        part = self._parts.pop(table)
        part.close()
        self._files.setdefault(table, []).append((part.file, *self._keys.pop(table)))

    def close(self) -> dict[str, list[KnownFile]]:
        """The files of each table."""
        for table in list(self._parts):
            self._end_file(table)
        return self._files


class KnownFolder:
    """The folder from the view of a driver."""

    def __init__(self, path: str) -> None:
        self.path = path.rstrip("/")
        self.folder = WorkFolder(self.path)

    def begin(self, identity: str) -> dict[str, Any]:
        """What a new run needs to know of the folder, to be stored with the run. Checks that its settings fit."""
        runs = self.counted(identity)
        last = max((_number_of(name) for name in self.names()), default=0)
        described = [dataclasses.asdict(run) for run in runs.values()]
        return {"path": self.path, "runs": described, "number": last + 1, "name": uuid.uuid4().hex}

    def withdraw(self, begun: dict[str, Any]) -> None:
        """Deletes what a run has stored, unless it has been added."""
        if not self.has(begun):
            self.folder.remove(begun["name"])

    def has(self, begun: dict[str, Any]) -> bool:
        return _file_of(begun) in self.folder.files()

    def add(self, begun: dict[str, Any], identity: str, numbers: int, reports: list[dict[str, Any]]) -> None:
        """Adds the run whose tasks gave these reports."""
        tables: dict[str, list[KnownFile]] = collections.defaultdict(list)
        for report in reports:
            for table, files in report.get("known", {}).items():
                tables[table] += [(name, first, last) for name, first, last in files]
        for table, files in tables.items():
            files.sort(key=lambda file: file[1:])
            self.folder.keep_only(f"{begun['name']}/{table}", {name for name, _, _ in files})
        texts = sum(report["counters"].get("texts_remembered", 0) for report in reports)
        self.write(_file_of(begun), identity, KnownRun(begun["name"], numbers, texts, dict(tables)))

    def write(self, file: str, identity: str, run: KnownRun) -> None:
        """Adds a run by its file."""
        described = {"identity": identity, "numbers": run.numbers, "texts": run.texts, "tables": run.tables}
        kind = {"format": _MERGED_FORMAT, "merged": run.merged} if run.merged else {"format": _FORMAT}
        self.folder.write_json(file, {**described, **kind})

    def runs(self) -> list[KnownRun]:
        """The runs that count, the oldest first."""
        return list(self.counted().values())

    def identity(self) -> str | None:
        """The settings of the profiles; None of an empty folder."""
        for name in self.names():
            stored = self.folder.read_object(name, _ADVICE)
            if stored is not None and "identity" in stored:  # a merge may have deleted it meanwhile
                return str(stored["identity"])
        return None

    def texts(self) -> Iterator[bytes]:
        """The blocks of all texts, those of the oldest run first."""
        for run in self.runs():
            yield from run.blocks(self.path, "texts")

    # ------------------------------------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """The files of all runs, ascending."""
        return [name for name in self.folder.files() if name.endswith(".json")]

    def counted(self, identity: str | None = None) -> dict[str, KnownRun]:
        """The runs that count, by their files, the oldest first. Checks that their settings are these."""
        found = self.all_runs(identity)
        replaced: set[str] = set()
        counted = {}
        # Who replaces the most comes first. Of two merges of the same run that did not know each other, one counts.
        for name in sorted(found, key=lambda name: (-len(found[name].merged), name)):
            merged = found[name].merged.keys()
            if name not in replaced and replaced.isdisjoint(merged):
                counted[name] = found[name]
                replaced |= merged
        return dict(sorted(counted.items()))

    def all_runs(self, identity: str | None = None) -> dict[str, KnownRun]:
        """All runs by their files, also those that others replace."""
        with concurrent.futures.ThreadPoolExecutor(_READ_AT_ONCE) as pool:  # a store takes a while to answer
            for _ in range(_LISTINGS):
                names = self.names()
                runs = dict(zip(names, pool.map(lambda name: self._read(name, identity), names)))
                if not (gone := [name for name, run in runs.items() if run is None]):
                    return {name: run for name, run in runs.items() if run is not None}
        raise CorruptDataError(f"{self.path}/{gone[0]}: is missing; {_ADVICE}")

    def _read(self, name: str, identity: str | None) -> KnownRun | None:
        """A run; None if its file is gone."""
        shown = f"{self.path}/{name}"
        stored = self.folder.read_object(name, _ADVICE)
        if stored is None:
            return None
        if stored.get("format") not in (_FORMAT, _MERGED_FORMAT):
            raise UnsupportedError(f"{shown}: is not a run that this version of paraprint reads; {_ADVICE}")
        with described_in(shown, _ADVICE):
            if identity is not None and stored["identity"] != identity:
                raise InvalidArgumentError(
                    f"{shown}: its pages were profiled with other settings ({stored['identity']}) than those of this "
                    f"run ({identity}); choose another folder, or the settings of the earlier runs"
                )
            tables = {
                table: [(file, first, last) for file, first, last in files]
                for table, files in stored["tables"].items()
            }
            merged = stored["merged"] if stored["format"] == _MERGED_FORMAT else {}
            run = KnownRun(name.partition("-")[2].removesuffix(".json"), stored["numbers"], stored["texts"], tables,
                           dict(merged))
            run.check()
            return run


def begun_runs(begun: dict[str, Any]) -> KnownRuns:
    """What the tasks of a run need to know of the folder, as begin() found it."""
    runs = [KnownRun(**described) for described in begun["runs"]]
    for run in runs:
        run.check()
    KnownRun(begun["name"], begun["number"], 0, {}).check()
    return KnownRuns(begun["path"], runs, begun["name"])


@contextlib.contextmanager
def withdrawn_on_error(folder: KnownFolder, begun: dict[str, Any]) -> Iterator[None]:
    """Leaves the folder as it was if the run cannot be added."""
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            folder.withdraw(begun)
        raise


def import_index(index: str, path: str, temporary_folder: str, memory_bytes: int) -> int:
    """Adds the texts of an index of known pages to a folder as a run. Returns their number."""
    folder = KnownFolder(path)
    known = _core.OpenedIndex.open(index)
    begun = folder.begin(known.identity())
    parts = KnownParts(path, begun["name"])
    with withdrawn_on_error(folder, begun):
        texts = known.make_known_tables(memory_bytes, temporary_folder, parts.write)
        report = {"known": parts.close(), "counters": {"texts_remembered": texts}}
        folder.add(begun, known.identity(), texts, [report])
    return int(texts)


def export_index(path: str, index: str, progress: Callable[[int], None] | None = None) -> tuple[int, int]:
    """Adds the texts of a folder to an index, which is created if missing. Returns their number, and that of the texts
    which an index cannot have, because their pages have too long names."""
    folder = KnownFolder(path)
    identity = folder.identity()
    if identity is None:
        raise InvalidArgumentError(f"{path}: has no known pages")
    opened = _core.OpenedIndex.create(index, identity)
    texts = left_out = 0
    for block in folder.texts():
        added, too_long = opened.add_known_texts(block)
        texts += added
        left_out += too_long
        if progress is not None:
            progress(texts)
    opened.sync()
    return texts, left_out


def _file_of(begun: dict[str, Any]) -> str:
    return f"{begun['number']:08}-{begun['name']}.json"


def _number_of(name: str) -> int:
    digits = name.partition("-")[0]
    if not digits.isdecimal():
        raise InvalidArgumentError(f"{name}: is not a file of a folder of known pages; choose another folder")
    return int(digits)
