"""The folder of known pages: tables of earlier runs, which tasks look pages up in, and how a run is added to them
(docs/formats/known-folder.md).

A run is added by the one small file that names its tables. Until that is there, and for a run that fails for good, the
folder is what it was. Nothing in it is changed, so any number of runs may read it while others are added.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import uuid
from typing import Any, Callable, Iterator

import pyarrow

from .. import _core
from ..errors import CorruptDataError, InvalidArgumentError, UnsupportedError
from .storage import Part, WorkFolder

_FORMAT = 1
#: Kinds of parcels that are blocks of a table: this, then its name.
BLOCKS = "known/"
_BLOCK_SCHEMA = pyarrow.schema(
    [("first", pyarrow.uint64()), ("last", pyarrow.uint64()), ("payload", pyarrow.binary())]
)
_KEYS = ["first", "last"]
_ADVICE = "restore it, or begin another folder of known pages"


@dataclasses.dataclass(frozen=True)
class KnownRun:
    """A run in the folder."""

    name: str
    numbers: int  # above that of any of its texts
    texts: int
    tables: dict[str, list[tuple[str, int, int]]]  # files of each, with their first and last keys, in that order


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
        folder = WorkFolder(self.path)
        for number, run in enumerate(self.runs if table else ()):

            def needs(first: int, last: int, number: int = number) -> bool:
                return bool(stage.needs_known(number, first, last))

            for file, first, last in run.tables.get(table, ()):
                if needs(first, last):
                    for payload in folder.blocks(f"{run.name}/{table}", file, _KEYS, needs, _ADVICE):
                        stage.add_known(number, payload)
                        yield


class KnownParts:
    """The tables that a task stores of its run."""

    def __init__(self, known: KnownRuns) -> None:
        self._known = known
        self._folder = WorkFolder(known.path)
        self._parts: dict[str, Part] = {}
        self._keys: dict[str, tuple[int, int]] = {}

    def write(self, kind: str, parcel: bytes) -> None:
        table = kind.removeprefix(BLOCKS)
        if table not in self._parts:
            stage = f"{self._known.name}/{table}"
            self._folder.create(stage)
            self._parts[table] = self._folder.new_part(stage, _BLOCK_SCHEMA, statistics=_KEYS)
        for first, last, payload in _core.read_known_blocks(parcel):
            self._parts[table].write(first, last, payload)
            self._keys[table] = (self._keys.get(table, (first, last))[0], last)

    def close(self) -> dict[str, tuple[str, int, int]]:
        """The file of each table, with its first and last key."""
        for part in self._parts.values():
            part.close()
        return {table: (part.file, *self._keys[table]) for table, part in self._parts.items()}


class KnownFolder:
    """The folder from the view of a driver."""

    def __init__(self, path: str) -> None:
        self.path = path.rstrip("/")
        self._folder = WorkFolder(self.path)

    def begin(self, identity: str) -> dict[str, Any]:
        """What a new run needs to know of the folder, to be stored with the run. Checks that its settings fit."""
        names = [name for name in self._folder.files() if name.endswith(".json")]
        for name in names:
            self._read(name, identity)
        last = max((_number_of(name) for name in names), default=0)
        return {"path": self.path, "runs": names, "number": last + 1, "name": uuid.uuid4().hex}

    def resume(self, begun: dict[str, Any], identity: str) -> KnownRuns:
        runs = [self._read(name, identity) for name in begun["runs"]]
        return KnownRuns(self.path, runs, begun["name"])

    def withdraw(self, begun: dict[str, Any]) -> None:
        """Deletes what a run has stored, unless it has been added."""
        if not self.has(begun):
            self._folder.remove(begun["name"])

    def has(self, begun: dict[str, Any]) -> bool:
        return _file_of(begun) in self._folder.files()

    def add(self, begun: dict[str, Any], identity: str, numbers: int, reports: list[dict[str, Any]]) -> None:
        """Adds the run whose tasks gave these reports."""
        tables = collections.defaultdict(list)
        for report in reports:
            for table, (file, first, last) in report.get("known", {}).items():
                tables[table].append((file, first, last))
        for table, files in tables.items():
            files.sort(key=lambda file: file[1:])
            self._folder.keep_only(f"{begun['name']}/{table}", {name for name, _, _ in files})
        texts = sum(report["counters"].get("texts_remembered", 0) for report in reports)
        described = {"format": _FORMAT, "identity": identity, "numbers": numbers, "texts": texts, "tables": tables}
        self._folder.write_json(_file_of(begun), described)

    def runs(self) -> list[KnownRun]:
        return [self._read(name) for name in self._folder.files() if name.endswith(".json")]

    def identity(self) -> str | None:
        """The settings of the profiles; None of an empty folder."""
        names = [name for name in self._folder.files() if name.endswith(".json")]
        return str(self._folder.read_json(names[0])["identity"]) if names else None

    def texts(self) -> Iterator[bytes]:
        """The blocks of all texts, those of the oldest run first."""
        for run in self.runs():
            for file, _, _ in run.tables.get("texts", ()):
                yield from self._folder.blocks(f"{run.name}/texts", file, _KEYS, lambda *_: True, _ADVICE)

    def _read(self, name: str, identity: str | None = None) -> KnownRun:
        shown = f"{self.path}/{name}"
        stored = self._folder.read_json(name)
        if stored is None:
            raise CorruptDataError(f"{shown}: is missing; {_ADVICE}")
        if not isinstance(stored, dict) or stored.get("format") != _FORMAT:
            raise UnsupportedError(f"{shown}: is not a run that this version of paraprint reads; {_ADVICE}")
        if identity is not None and stored["identity"] != identity:
            raise InvalidArgumentError(
                f"{shown}: its pages were profiled with other settings ({stored['identity']}) than those of this run "
                f"({identity}); choose another folder, or the settings of the earlier runs"
            )
        try:
            tables = {
                table: [(str(file), int(first), int(last)) for file, first, last in files]
                for table, files in stored["tables"].items()
            }
            return KnownRun(name.partition("-")[2].removesuffix(".json"), int(stored["numbers"]),
                            int(stored["texts"]), tables)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise CorruptDataError(f"{shown}: is damaged ({error!r}); {_ADVICE}") from error


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
    parts = KnownParts(folder.resume(begun, known.identity()))
    with withdrawn_on_error(folder, begun):
        texts = known.make_known_tables(memory_bytes, temporary_folder, parts.write)
        report = {"known": parts.close(), "counters": {"texts_remembered": texts}}
        folder.add(begun, known.identity(), texts, [report])
    return int(texts)


def export_index(path: str, index: str, progress: Callable[[int], None] | None = None) -> int:
    """Adds the texts of a folder to an index, which is created if missing. Returns their number."""
    folder = KnownFolder(path)
    identity = folder.identity()
    if identity is None:
        raise InvalidArgumentError(f"{path}: has no known pages")
    opened = _core.OpenedIndex.create(index, identity)
    texts = 0
    for block in folder.texts():
        texts += opened.add_known_texts(block)
        if progress is not None:
            progress(texts)
    opened.sync()
    return texts


def _file_of(begun: dict[str, Any]) -> str:
    return f"{begun['number']:08}-{begun['name']}.json"


def _number_of(name: str) -> int:
    digits = name.partition("-")[0]
    if not digits.isdecimal():
        raise InvalidArgumentError(f"{name}: is not a file of a folder of known pages; choose another folder")
    return int(digits)
