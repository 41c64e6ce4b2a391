"""The archives without the removed pages: a task writes whole inputs, and a driver commits them.

Each attempt of a task writes to its own folder. The reports that count decide which attempt does; the driver moves its
files into place and removes all others. In an object store there is nothing to move (_write_input()).
"""

from __future__ import annotations

import collections
import functools
import itertools
import json
import os
import posixpath
import uuid
from typing import Any, Iterable, Iterator

import pyarrow.fs

from .. import _core
from ..errors import CorruptDataError
from ..stores import appears_when_closed, publish, repeated
from . import tasks
from .inputs import Input
from .parts import sync_stored
from .ranges import RangeReader
from .storage import WorkFolder, open_file_system, withdraw
from .tasks import Reports, Task

RECORDS = "records"
WANTED = "wanted"
TARGETS = "targets"
SAVINGS = "savings"
_ATTEMPTS = ".records-attempts"
_SAVINGS_FILES = ("savings.json", "savings.html")

#: The places of stored parcels by input: stage, file and row.
PlacesOfInputs = dict[int, list[tuple[str, str, int]]]


class RecordsOutput:
    """What a driver does with the records in the output folder."""

    def __init__(self, out: str) -> None:
        self._file_system, self._root = open_file_system(out)

    def withdraw(self) -> None:
        """Deletes the records of an earlier run, and what it saved."""
        for folder in (RECORDS, _ATTEMPTS):
            self._remove(folder)
        self.withdraw_savings()

    def withdraw_savings(self) -> None:
        for name in _SAVINGS_FILES:
            withdraw(self._file_system, f"{self._root}/{name}")

    def has_all(self, reports: list[dict[str, Any]]) -> bool:
        """Whether each file of the reports exists, in its attempt's folder or in its final place."""
        return all(
            any(info.is_file for info in self._file_system.get_file_info(list(places)))
            for places in self._files(reports)
        )

    def commit(self, reports: list[dict[str, Any]]) -> None:
        """Moves the files of the attempts that count into place, and deletes all others. Raises CorruptDataError, and
        changes nothing, if one is missing."""
        if not self.has_all(reports):
            raise CorruptDataError(
                f"{self._root}/{_ATTEMPTS}: files that tasks wrote are missing; start over with another work folder"
            )
        for source, target in self._files(reports):
            if self._file_system.get_file_info(source).is_file:  # otherwise an earlier driver has moved it
                self._file_system.create_dir(posixpath.dirname(target), recursive=True)
                self._file_system.move(source, target)
                sync_stored(self._file_system, target)
        self._remove(_ATTEMPTS)
        named = {path for report in reports for _, paths in report["attempts"] for path in paths}
        for path in list(self._files_below("")):
            if path not in named:
                self._file_system.delete_file(f"{self._root}/{RECORDS}/{path}")

    def write_savings(self, plan: Any, payloads: Iterable[bytes], scratch: str) -> None:
        """Writes what was saved, from the parcels of the tasks."""
        for payload in payloads:
            plan.add_savings(payload)
        plan.write_savings(scratch)
        for name in _SAVINGS_FILES:
            publish(os.path.join(scratch, name), self._file_system, f"{self._root}/{name}")

    def _files(self, reports: list[dict[str, Any]]) -> Iterable[tuple[str, str]]:
        """The files of the attempts that count, and their final paths."""
        for report in reports:
            for attempt, paths in report["attempts"]:
                for path in paths:
                    yield f"{self._root}/{_ATTEMPTS}/{attempt}/{path}", f"{self._root}/{RECORDS}/{path}"

    def _files_below(self, folder: str) -> Iterator[str]:
        """The paths of the files in a folder of the records, level by level: file systems differ in how the paths of
        their lists begin."""
        selector = pyarrow.fs.FileSelector(f"{self._root}/{RECORDS}/{folder}".rstrip("/"), allow_not_found=True)
        for info in self._file_system.get_file_info(selector):
            if info.is_file:
                yield folder + info.base_name
            else:
                yield from self._files_below(f"{folder}{info.base_name}/")

    def _remove(self, folder: str) -> None:
        path = f"{self._root}/{folder}"
        if self._file_system.get_file_info(path).type == pyarrow.fs.FileType.Directory:
            self._file_system.delete_dir(path)


# ----------------------------------------------------------------------------------------------------------------------
# Tasks


def read_targets(task: Task, inputs: list[Input], places: PlacesOfInputs, groups: Iterable[list[int]]) -> Reports:
    """Reads the wanted pages of inputs, given by their index in the list. `places` are the lists of wanted pages. What
    is found goes to the owners of the pages."""
    work = WorkFolder(task.work)
    with work.new_part(task.folder, tasks.PARCELS) as part:
        parcels = []
        for index in itertools.chain.from_iterable(groups):
            if index not in places:
                continue
            wanted = b"".join(payload for (payload,) in work.stored_rows(places[index], ["payload"]))
            first_pages = task.batches.value.first_pages
            given = inputs[index]
            with given.open() as source:
                targets = _core.read_targets(tasks.options_of(task), source, wanted, given.ends_early, first_pages)
            for kind, partition, payload in targets:
                part.write(kind, partition, payload)
                parcels.append((kind, partition))
        part.close()
        yield json.dumps({"file": part.file, "parcels": parcels, "counters": {}})


def write_inputs(
    task: Task,
    inputs: list[Input],
    names: list[str],
    places: PlacesOfInputs,
    out: str,
    revisits: bool,
    groups: Iterable[list[int]],
) -> Reports:
    """Writes inputs, given by their index in the list. `names` are their paths under `records`, `places` the lists of
    their removed pages."""
    work = WorkFolder(task.work)
    counters: collections.Counter[str] = collections.Counter()
    attempts = []
    parcels = []
    with work.new_part(task.folder, tasks.PARCELS) as part:
        for index in itertools.chain.from_iterable(groups):
            removed = b"".join(payload for (payload,) in work.stored_rows(places.get(index, []), ["payload"]))
            attempt = uuid.uuid4().hex
            given = inputs[index]
            with given.open() as source:
                counted, savings, paths = _write_input(
                    task, source, names[index], (out, attempt), removed, given.ends_early
                )
            counters.update(counted)
            attempts.append((attempt, paths))
            part.write(SAVINGS, index, savings)
            parcels.append((SAVINGS, index))
        part.close()
        report = {"file": part.file, "parcels": parcels, "attempts": attempts, "revisits": revisits}
        yield json.dumps({**report, "counters": counters})


def has_final_names(out: str) -> bool:
    """Whether tasks write records under their final names, so that those of an earlier run go before the last step."""
    return appears_when_closed(open_file_system(out)[0])


def _write_input(
    task: Task, source: str | RangeReader, name: str, place: tuple[str, str], removed: bytes, ends_early: bool
) -> tuple[dict[str, int], bytes, list[str]]:
    """Returns counts, what was saved, and the files in the folder of this attempt. `place` is the output folder and the
    name of the attempt. In an object store the files have their final names at once: they appear complete, every
    attempt writes the same bytes, and moving one would copy it."""
    out, attempt = place
    file_system, root = open_file_system(out)
    is_final = appears_when_closed(file_system)
    folder = RECORDS if is_final else f"{_ATTEMPTS}/{attempt}"
    target = f"{root}/{folder}"
    is_local = isinstance(file_system, pyarrow.fs.LocalFileSystem)
    with tasks.temporary_folder() as scratch:
        written = target if is_local else scratch
        output = os.path.join(written, name)
        os.makedirs(os.path.dirname(output), exist_ok=True)
        counters, savings = _core.write_records(tasks.options_of(task), source, removed, ends_early, output)
        found = [os.path.join(at, file) for at, _, files in os.walk(written) for file in files]
        paths = sorted(os.path.relpath(file, written) for file in found)
        for path in paths if not is_local else ():
            if not is_final:
                file_system.create_dir(posixpath.dirname(f"{target}/{path}"), recursive=True)
            copy = functools.partial(
                pyarrow.fs.copy_files, f"{scratch}/{path}", f"{target}/{path}", destination_filesystem=file_system
            )
            repeated(f"{out}/{folder}/{path}", copy)
    return dict(counters), savings, paths
