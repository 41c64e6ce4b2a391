"""Revisit records of the input: the pages that a player shows for them stay in the archives.

Tasks read what the revisit records of single inputs refer to. The names that these state go to all tasks, which read
all inputs for the captures that have one. A driver joins the two by the rule of a run in one process.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
from typing import Any, Iterable

from .. import _core
from ..stores import publish
from . import tasks
from .inputs import Input
from .storage import WorkFolder, open_file_system, withdraw
from .tasks import Reports, Task

CLAIMS = "claims"
CAPTURES = "captures"
REFERRED = "referred-pages"
_NAME = "input-revisits.jsonl"
#: Of the names that all tasks get; beyond it, they get a table of bits and find some captures too many.
CLAIMED_BYTES: int = _core.CLAIMED_NAMES_BYTES


def inputs_with_revisits(
    profiled: list[dict[str, Any]], inputs: list[Input], groups: list[list[int]]
) -> list[list[Input]]:
    """From the reports of profiling tasks, the inputs of each group that have revisit records."""
    with_revisits = {index for report in profiled for index in report["with_revisits"]}
    return [[inputs[index] for index in group if index in with_revisits] for group in groups]


def withdraw_list(out: str) -> None:
    """Deletes the list of an earlier run."""
    file_system, root = open_file_system(out)
    withdraw(file_system, f"{root}/{_NAME}")


def write_list(plan: Any, pages: Iterable[bytes], scratch: str, out: str) -> dict[str, int]:
    """Writes input-revisits.jsonl, from what tasks say of the pages that revisit records refer to. Returns counts."""
    for payload in pages:
        plan.add_referred_pages(payload)
    counters = dict(plan.write_input_revisits(scratch))
    file_system, root = open_file_system(out)
    publish(os.path.join(scratch, _NAME), file_system, f"{root}/{_NAME}")
    return counters


# ----------------------------------------------------------------------------------------------------------------------
# Tasks


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
        for given in itertools.chain.from_iterable(groups):
            with given.open() as source:
                found = read(source, given.number, given.ends_early)
            for kind, _, payload in found:
                part.write(kind, given.number, payload)
                parcels.append((kind, given.number))
        part.close()
        yield json.dumps({"file": part.file, "parcels": parcels, "counters": {}})
