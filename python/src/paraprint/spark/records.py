"""The archives without the removed pages: a task writes whole inputs, and the driver commits them.

Each attempt of a task writes to its own folder. The reports that complete the stage decide which attempt counts; the
driver moves its files into place and removes all others. In an object store there is nothing to move (_write_input()).
"""

from __future__ import annotations

import collections
import functools
import itertools
import json
import os
import posixpath
import uuid
from typing import Any, Iterable

import pyarrow.fs

from .. import _core
from ..errors import InvalidArgumentError
from ..stages import flow, tasks
from ..stages.ranges import RangeReader, open_input
from ..stages.storage import WorkFolder, open_file_system, withdraw
from ..stages.tasks import Reports, Task
from ..stores import appears_when_closed, publish, repeated
from .stages import Stages, collected

RECORDS = "records"
WANTED = "wanted"
TARGETS = "targets"
ATTEMPTS = ".records-attempts"
SAVINGS = "savings"
SAVINGS_FILES = ("savings.json", "savings.html")


def check_options(options: dict[str, Any]) -> None:
    """Rejects options for archives, which tables do not have."""
    for name in (RECORDS, "revisits"):
        if options.get(name):
            raise InvalidArgumentError(
                f"{name}: a table has no archives to write; the folder 'survivors' contains the surviving rows"
            )


def write(run: Stages, plan: Any, paths: list[str], groups: list[list[int]]) -> None:
    """Writes `records` to the output folder, as the program does, if requested."""
    file_system, root = open_file_system(run.out)
    is_wanted = bool(run.options.get(RECORDS))
    revisits = bool(run.options.get("revisits"))
    if not (is_wanted and run.is_resumed and _all_there(run, file_system, root, revisits)):
        run.work.remove(RECORDS)
        for folder in (RECORDS, ATTEMPTS):
            _remove(file_system, f"{root}/{folder}")
    for name in SAVINGS_FILES:
        withdraw(file_system, f"{root}/{name}")
    if not is_wanted:
        return

    unreadable = {index for report in run.reports["profiles"] for index in report["unreadable"]}
    *before, listing = flow.record_jobs_of(run.core)
    for job in before:
        run.run_job(job)
        _find_targets(run, paths, groups, unreadable)
    run.run_job(listing)
    plan.check_removed(run.metrics["counters"][listing.name].get("pages_to_remove", 0), run.metrics["pages"])

    def copy() -> list[dict[str, Any]]:
        places = run.places_by_input(listing.name, RECORDS)
        named = enumerate(zip(paths, plan.record_names()))
        inputs = [(path, name, index in unreadable) for index, (path, name) in named]
        work = functools.partial(write_inputs, run.task(RECORDS), inputs, listing.name, places, run.out, revisits)
        return collected(run.tasks_of(groups).mapPartitions(work))

    run.stage(RECORDS, copy)
    for source, target in _files(run.reports[RECORDS], root):
        if file_system.get_file_info(source).is_file:  # otherwise an earlier driver has moved it
            file_system.create_dir(posixpath.dirname(target), recursive=True)
            file_system.move(source, target)
    _remove(file_system, f"{root}/{ATTEMPTS}")
    for payload in run.parcels(RECORDS, SAVINGS):
        plan.add_savings(payload)
    plan.write_savings(run.scratch)
    for name in SAVINGS_FILES:
        publish(os.path.join(run.scratch, name), file_system, f"{root}/{name}")
    run.metrics["counters"]["writing"] = run.count(RECORDS)
    del run.metrics["counters"][RECORDS]


def _find_targets(run: Stages, paths: list[str], groups: list[list[int]], unreadable: set[int]) -> None:
    """Reads what revisit records need to know of the pages that they refer to."""

    def read() -> list[dict[str, Any]]:
        places = run.places_by_input(WANTED, WANTED)
        inputs = [(path, index in unreadable) for index, path in enumerate(paths)]
        work = functools.partial(read_targets, run.task(TARGETS), inputs, places)
        return collected(run.tasks_of(groups).mapPartitions(work))

    run.stage(TARGETS, read)


def _files(reports: list[dict[str, Any]], root: str) -> Iterable[tuple[str, str]]:
    """The files of the attempts that count, and their final paths."""
    for report in reports:
        for attempt, paths in report["attempts"]:
            for path in paths:
                yield f"{root}/{ATTEMPTS}/{attempt}/{path}", f"{root}/{RECORDS}/{path}"


def _all_there(run: Stages, file_system: pyarrow.fs.FileSystem, root: str, revisits: bool) -> bool:
    """Whether the stage is complete and each of its files exists, in its attempt's folder or in its final place."""
    if not run.work.is_complete(RECORDS):
        return False
    reports = run.work.reports(RECORDS)
    return all(report["revisits"] == revisits for report in reports) and all(
        any(info.is_file for info in file_system.get_file_info(list(places))) for places in _files(reports, root)
    )


def _remove(file_system: pyarrow.fs.FileSystem, folder: str) -> None:
    if file_system.get_file_info(folder).type == pyarrow.fs.FileType.Directory:
        file_system.delete_dir(folder)


# ----------------------------------------------------------------------------------------------------------------------
# On executors


def read_targets(
    task: Task,
    inputs: list[tuple[str, bool]],
    places: dict[int, list[tuple[str, int]]],
    groups: Iterable[list[int]],
) -> Reports:
    """Reads the wanted pages of inputs, given by their index in the list of (path, whether reading ends early).
    `places` are the positions of the lists of wanted pages in the work folder. What is found goes to the owners of the
    pages."""
    work = WorkFolder(task.work)
    with work.new_part(TARGETS, tasks.PARCELS) as part:
        parcels = []
        for index in itertools.chain.from_iterable(groups):
            if index not in places:
                continue
            path, ends_early = inputs[index]
            wanted = b"".join(payload for (payload,) in work.rows(WANTED, places[index], ["payload"]))
            first_pages = task.batches.value.first_pages
            with open_input(path) as source:
                targets = _core.read_targets(tasks.options_of(task), source, wanted, ends_early, first_pages)
            for kind, partition, payload in targets:
                part.write(kind, partition, payload)
                parcels.append((kind, partition))
        part.close()
        yield json.dumps({"file": part.file, "parcels": parcels})


def write_inputs(
    task: Task,
    inputs: list[tuple[str, str, bool]],
    listing: str,
    places: dict[int, list[tuple[str, int]]],
    out: str,
    revisits: bool,
    groups: Iterable[list[int]],
) -> Reports:
    """Writes inputs, given by their index in the list of (path, path under `records`, whether reading ends early).
    `places` are the positions of their removed pages in the stage `listing`."""
    work = WorkFolder(task.work)
    counters: collections.Counter[str] = collections.Counter()
    attempts = []
    parcels = []
    with work.new_part(RECORDS, tasks.PARCELS) as part:
        for index in itertools.chain.from_iterable(groups):
            path, name, ends_early = inputs[index]
            removed = b"".join(payload for (payload,) in work.rows(listing, places.get(index, []), ["payload"]))
            attempt = uuid.uuid4().hex
            with open_input(path) as source:
                counted, savings, paths = _write_input(task, source, name, (out, attempt), removed, ends_early)
            counters.update(counted)
            attempts.append((attempt, paths))
            part.write(SAVINGS, index, savings)
            parcels.append((SAVINGS, index))
        part.close()
        report = {"file": part.file, "parcels": parcels, "attempts": attempts, "revisits": revisits}
        yield json.dumps({**report, "counters": counters})


def _write_input(
    task: Task, source: str | RangeReader, name: str, place: tuple[str, str], removed: bytes, ends_early: bool
) -> tuple[dict[str, int], bytes, list[str]]:
    """Returns counts, what was saved, and the files in the folder of this attempt. `place` is the output folder and the
    name of the attempt. In an object store the files have their final names at once: they appear complete, every
    attempt writes the same bytes, and moving one would copy it."""
    out, attempt = place
    file_system, root = open_file_system(out)
    is_final = appears_when_closed(file_system)
    folder = RECORDS if is_final else f"{ATTEMPTS}/{attempt}"
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
