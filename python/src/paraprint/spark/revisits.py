"""Revisit records of the input (stages/revisits.py) on Spark."""

from __future__ import annotations

import functools
from typing import Any

from ..stages import revisits
from ..stages.inputs import profiled_inputs
from ..stages.records import RECORDS
from ..stages.revisits import CAPTURES, CLAIMS, REFERRED
from .stages import Stages, collected


def resolve(run: Stages, plan: Any, paths: list[str], groups: list[list[int]]) -> None:
    """Finds the captures that revisit records refer to, and tells all tasks where they are."""
    if not run.options.get(RECORDS):
        return
    inputs = profiled_inputs(run.reports["profiles"], paths)
    own = revisits.inputs_with_revisits(run.reports["profiles"], inputs, groups)
    if not any(own):
        return

    def claim() -> list[dict[str, Any]]:
        work = functools.partial(revisits.read_claims, run.task(CLAIMS))
        return collected(run.tasks_of([group for group in own if group]).mapPartitions(work))

    def find() -> list[dict[str, Any]]:
        work = functools.partial(revisits.read_captures, run.task(CAPTURES), run.spark.sparkContext.broadcast(claimed))
        return collected(run.tasks_of([[inputs[index] for index in group] for group in groups]).mapPartitions(work))

    run.stage(CLAIMS, claim)
    for payload in run.parcels(CLAIMS, CLAIMS):
        plan.add_claims(payload)
    claimed = plan.end_claims(revisits.CLAIMED_BYTES)
    run.stage(CAPTURES, find)
    for payload in run.parcels(CAPTURES, CAPTURES):
        plan.add_captures(payload)
    run.share("referred", plan.end_captures())


def write(run: Stages, plan: Any) -> None:
    """Writes input-revisits.jsonl, if there are revisit records."""
    revisits.withdraw_list(run.out)
    if run.task("").referred is None:
        return
    pages = run.parcels(run.last_job, REFERRED)
    run.metrics["counters"]["revisits"] = revisits.write_list(plan, pages, run.scratch, run.out)
