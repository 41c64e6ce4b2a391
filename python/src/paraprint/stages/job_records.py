"""The steps of an array of jobs that write records: the archives without the removed pages, with what the revisit
records of the inputs refer to."""

from __future__ import annotations

import contextlib
import functools
import json
from typing import TYPE_CHECKING, Any, Generator, Iterator

from .. import _core
from . import flow, revisits
from .flow import Step
from .inputs import Input, profiled_inputs
from .output_folder import check_claim, withdraw_completion
from .records import RECORDS, SAVINGS, TARGETS, WANTED, RecordsOutput, has_final_names, read_targets, write_inputs
from .revisits import CAPTURES, CLAIMS, REFERRED, inputs_with_revisits, read_captures, read_claims
from .tasks import Given, temporary_folder

if TYPE_CHECKING:
    from .job_array import JobArray


class RecordSteps:
    """What an array of jobs with records has besides the jobs of all."""

    #: The stages of these steps that are none of the flow.
    STAGES = (CLAIMS, CAPTURES, TARGETS, RECORDS)

    def __init__(self, array: JobArray) -> None:
        self._array = array
        self._inputs: list[Input] = []
        self._with_revisits: list[list[Input]] = []  # of each task that reads inputs

    @property
    def _has_revisits(self) -> bool:
        return any(self._with_revisits)

    def steps_of_revisits(self, profiled: list[dict[str, Any]]) -> Iterator[Step]:
        """The steps before the tables."""
        array = self._array
        self._inputs = profiled_inputs(profiled, array.inputs)
        self._with_revisits = inputs_with_revisits(profiled, self._inputs, array.groups)
        if not self._has_revisits:
            return
        with_revisits = [number for number, inputs in enumerate(self._with_revisits) if inputs]
        yield from self._reported(CLAIMS, with_revisits)
        yield from self._reported(CAPTURES, list(range(len(array.groups))))
        array.settings["referred"] = _Referred(self)

    def steps(self) -> Iterator[Step]:
        """The steps after the tables."""
        array = self._array
        *before, listing = flow.record_jobs_of(array.core)
        for job in before:
            yield from array.levels(job)
            wanted = array.stored.get((job.name, WANTED), [])
            inputs = array.places(WANTED, wanted)
            reading = [number for number, group in enumerate(array.groups) if not inputs.keys().isdisjoint(group)]
            yield from self._reported(TARGETS, reading, {WANTED: wanted})
        counters = yield from array.levels(listing)
        with self._plan() as plan:
            plan.check_removed(counters.get("pages_to_remove", 0), array.batches.first_pages[-1])
        listed = array.stored.get((listing.name, RECORDS), [])
        yield from self._reported(RECORDS, list(range(len(array.groups))), {RECORDS: listed})

    def _reported(
        self, stage: str, numbers: list[int], stored: dict[str, list[str]] | None = None
    ) -> Generator[Step, None, None]:
        """A step, whose parcels can be read when it has been reported."""
        reports = yield from self._array.reported(Step(stage, stage, numbers, stored or {}))
        for kind in {kind for report in reports for kind, _ in report["parcels"]}:
            self._array.stored[stage, kind] = [stage]

    def run_task(self, step: Step, number: int) -> dict[str, Any]:
        array = self._array
        task = array.task_of(step)
        if step.stage == CLAIMS:
            said = read_claims(task, [self._with_revisits[number]])
        elif step.stage == CAPTURES:
            with self._plan() as plan:
                claimed = self._claimed(plan)
            own = [self._inputs[index] for index in array.groups[number]]
            said = read_captures(task, Given(claimed), [own])
        else:
            group = array.groups[number]
            (kind, steps), = step.stored.items()
            places = array.places(kind, steps)
            if step.stage == TARGETS:
                said = read_targets(task, self._inputs, places, [group])
            else:
                check_claim(array.out, array.claim)
                with self._plan() as plan:
                    names = plan.record_names()
                # A task that is repeated although it has reported changes nothing, and all may be whole by now.
                if has_final_names(array.out) and not array.has_reported(step, number):
                    withdraw_completion(array.out)
                is_revisits = bool(array.options.get("revisits"))
                said = write_inputs(task, self._inputs, names, places, array.out, is_revisits, [group])
        return dict(json.loads(next(iter(said))))

    def write_output(self) -> None:
        """Commits the records."""
        array = self._array
        output = RecordsOutput(array.out)
        output.withdraw_savings()
        revisits.withdraw_list(array.out)
        output.commit(array.reports(RECORDS, range(len(array.groups))))
        with temporary_folder() as scratch, self._plan(scratch) as plan:
            if self._has_revisits:
                self._end_captures(plan)
                revisits.write_list(plan, array.parcels(array.last_job, REFERRED), scratch, array.out)
            output.write_savings(plan, array.parcels(RECORDS, SAVINGS), scratch)

    # ------------------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _plan(self, scratch: str | None = None) -> Iterator[Any]:
        with contextlib.ExitStack() as stack:
            folder = scratch if scratch is not None else stack.enter_context(temporary_folder())
            yield _core.RecordsPlan.create(self._array.core, self._array.inputs, folder)

    def _claimed(self, plan: Any) -> bytes:
        for payload in self._array.parcels(CLAIMS, CLAIMS):
            plan.add_claims(payload)
        return bytes(plan.end_claims(revisits.CLAIMED_BYTES))

    def _end_captures(self, plan: Any) -> bytes:
        self._claimed(plan)
        for payload in self._array.parcels(CAPTURES, CAPTURES):
            plan.add_captures(payload)
        return bytes(plan.end_captures())

    def referred(self) -> bytes:
        """The places that revisit records refer to."""
        with self._plan() as plan:
            return self._end_captures(plan)


class _Referred:
    """A setting that only the tasks that need it compute."""

    def __init__(self, steps: RecordSteps) -> None:
        self._steps = steps

    @functools.cached_property
    def value(self) -> bytes:
        return self._steps.referred()
