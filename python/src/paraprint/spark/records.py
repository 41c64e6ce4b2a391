"""The archives without the removed pages (stages/records.py) on Spark."""

from __future__ import annotations

import functools
from typing import Any

from ..errors import InvalidArgumentError
from ..stages import flow, records
from ..stages.inputs import Input, profiled_inputs
from ..stages.records import RECORDS, SAVINGS, TARGETS, WANTED, RecordsOutput
from .stages import Stages, collected


def check_options(options: dict[str, Any]) -> None:
    """Rejects options for archives, which tables do not have."""
    for name in (RECORDS, "revisits"):
        if options.get(name):
            raise InvalidArgumentError(
                f"{name}: a table has no archives to write; the folder 'survivors' contains the surviving rows"
            )


def write(run: Stages, plan: Any, paths: list[str], groups: list[list[int]]) -> None:
    """Writes `records` to the output folder, as the program does, if requested."""
    output = RecordsOutput(run.out)
    is_wanted = bool(run.options.get(RECORDS))
    revisits = bool(run.options.get("revisits"))
    if is_wanted and run.has_own_output and _all_there(run, output, revisits):
        output.withdraw_savings()
    else:
        run.work.remove(RECORDS)
        output.withdraw()
    if not is_wanted:
        return

    inputs = profiled_inputs(run.reports["profiles"], paths)
    *before, listing = flow.record_jobs_of(run.core)
    for job in before:
        run.run_job(job)
        _find_targets(run, inputs, groups)
    run.run_job(listing)
    plan.check_removed(run.metrics["counters"][listing.name].get("pages_to_remove", 0), run.metrics["pages"])

    def copy() -> list[dict[str, Any]]:
        places = run.places_by_input(listing.name, RECORDS)
        names = plan.record_names()
        work = functools.partial(records.write_inputs, run.task(RECORDS), inputs, names, places, run.out, revisits)
        return collected(run.tasks_of(groups).mapPartitions(work))

    run.stage(RECORDS, copy)
    run.check_claim()
    output.commit(run.reports[RECORDS])
    output.write_savings(plan, run.parcels(RECORDS, SAVINGS), run.scratch)
    run.metrics["counters"]["writing"] = run.count(RECORDS)
    del run.metrics["counters"][RECORDS]


def _find_targets(run: Stages, inputs: list[Input], groups: list[list[int]]) -> None:
    """Reads what revisit records need to know of the pages that they refer to."""

    def read() -> list[dict[str, Any]]:
        places = run.places_by_input(WANTED, WANTED)
        work = functools.partial(records.read_targets, run.task(TARGETS), inputs, places)
        return collected(run.tasks_of(groups).mapPartitions(work))

    run.stage(TARGETS, read)


def _all_there(run: Stages, output: RecordsOutput, revisits: bool) -> bool:
    """Whether the stage is complete, with the wanted records, and each of its files exists."""
    if not run.work.is_complete(RECORDS):
        return False
    reports = run.work.reports(RECORDS)
    return all(report["revisits"] == revisits for report in reports) and output.has_all(reports)
