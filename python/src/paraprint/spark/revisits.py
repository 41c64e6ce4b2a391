"""Revisit records of the input: the pages that a player shows for them stay in the archives.

Tasks read what the revisit records of single inputs refer to. The names that these state go to all tasks, which read
all inputs for the captures that have one. The driver joins the two by the rule of a run in one process.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
from typing import Any, Iterable

from .. import _core
from ..stages import tasks
from ..stages.ranges import open_input
from ..stages.storage import WorkFolder, open_file_system, withdraw
from ..stages.tasks import Reports, Task
from ..stores import publish
from .records import RECORDS
from .stages import Stages, collected

CLAIMS = "claims"
CAPTURES = "captures"
REFERRED = "referred-pages"
NAME = "input-revisits.jsonl"
#: Of the names that are broadcast; beyond it, tasks get a table of bits and find some captures too many.
CLAIMED_BYTES: int = _core.CLAIMED_NAMES_BYTES

#: Index and path of an input, and whether reading it ends early.
Input = tuple[int, str, bool]


def resolve(run: Stages, plan: Any, paths: list[str], groups: list[list[int]]) -> None:
    """Finds the captures that revisit records refer to, and tells all tasks where they are."""
    file_system, root = open_file_system(run.out)
    withdraw(file_system, f"{root}/{NAME}")
    reports = run.reports["profiles"]
    with_revisits = {index for report in reports for index in report["with_revisits"]}
    if not with_revisits or not run.options.get(RECORDS):
        return
    unreadable = {index for report in reports for index in report["unreadable"]}
    inputs = [[(index, paths[index], index in unreadable) for index in group] for group in groups]
    own = [[given for given in group if given[0] in with_revisits] for group in inputs]

    def claim() -> list[dict[str, Any]]:
        work = functools.partial(read_claims, run.task(CLAIMS))
        return collected(run.tasks_of([group for group in own if group]).mapPartitions(work))

    def find() -> list[dict[str, Any]]:
        work = functools.partial(read_captures, run.task(CAPTURES), run.spark.sparkContext.broadcast(claimed))
        return collected(run.tasks_of(inputs).mapPartitions(work))

    run.stage(CLAIMS, claim)
    for payload in run.parcels(CLAIMS, CLAIMS):
        plan.add_claims(payload)
    claimed = plan.end_claims(CLAIMED_BYTES)
    run.stage(CAPTURES, find)
    for payload in run.parcels(CAPTURES, CAPTURES):
        plan.add_captures(payload)
    run.share("referred", plan.end_captures())


def write(run: Stages, plan: Any) -> None:
    """Writes input-revisits.jsonl, if there are revisit records."""
    if run.task("").referred is None:
        return
    for payload in run.parcels(run.last_job, REFERRED):
        plan.add_referred_pages(payload)
    file_system, root = open_file_system(run.out)
    run.metrics["counters"]["revisits"] = dict(plan.write_input_revisits(run.scratch))
    publish(os.path.join(run.scratch, NAME), file_system, f"{root}/{NAME}")


# ----------------------------------------------------------------------------------------------------------------------
# On executors


def read_claims(task: Task, groups: Iterable[list[Input]]) -> Reports:
    """What the revisit records of inputs refer to."""
    options = tasks.options_of(task)
    return _read(task, groups, functools.partial(_core.read_claims, options))


def read_captures(task: Task, claimed: Any, groups: Iterable[list[Input]]) -> Reports:
    """The captures of inputs that have one of the names in the broadcast variable `claimed`."""
    search = _core.CaptureSearch.create(tasks.options_of(task), claimed.value)
    return _read(task, groups, search.read_input)


def _read(task: Task, groups: Iterable[list[Input]], read: Any) -> Reports:
    parcels = []
    with WorkFolder(task.work).new_part(task.folder, tasks.PARCELS) as part:
        for index, path, ends_early in itertools.chain.from_iterable(groups):
            with open_input(path) as source:
                found = read(source, index, ends_early)
            for kind, _, payload in found:
                part.write(kind, index, payload)
                parcels.append((kind, index))
        part.close()
        yield json.dumps({"file": part.file, "parcels": parcels})
