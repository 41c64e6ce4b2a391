"""A run whose tasks are processes that share a folder: for the arrays of jobs that batch systems have.

A run has steps. The tasks of a step run in any order and at the same time, each as a process with a number; a step
begins when all tasks of the earlier ones have reported. Nothing is sent: a task stores its parcels in the work folder,
with those that would travel elsewhere, and later tasks read theirs from there.
"""

from __future__ import annotations

import collections
import concurrent.futures
import dataclasses
import functools
import json
import uuid
from typing import Any, Generator, Iterator

from .. import _core
from ..errors import InvalidArgumentError, UnsupportedError
from ..places import check_apart, check_outside
from . import flow, revisits, tables, tasks
from .flow import Step
from .inputs import list_inputs, unreadable_inputs
from .job_records import RecordSteps
from .known import KnownFolder, begun_runs
from .output_folder import METRICS, check_claim, claim_output
from .records import RecordsOutput
from .reports import checked_report, is_number, records_read
from .storage import LAYOUT, WorkFolder, described_in
from .tasks import Given, StoredPlaces, Task

# Reports that are read at the same time.
_REPORTS_AT_ONCE = 8
# So few are read one after the other if the folder is mounted: that takes less than starting threads.
_FEW_LOCAL_REPORTS = 16
#: The last step.
OUTPUT = "output"
# In the description of a broken record.
_UNREADABLE = ": unreadable-file: "


def start(
    work: str, out: str, inputs: list[str], partitions: int, options: dict[str, Any], known: str | None = None
) -> JobArray:
    """Describes a run in a new work folder. `known`: a folder of the pages of earlier runs."""
    options = {"evidence": False, "records": False, **options}  # off by default here
    core = _core.DividedOptions.create([], options)
    if core.learns_words:
        raise UnsupportedError("idf is 'corpus', which arrays of jobs do not learn; use paraprint.spark")
    if partitions < 1:
        raise InvalidArgumentError(f"partitions is {partitions}; it must be at least 1")
    folder = WorkFolder(work)
    if not folder.is_empty():
        raise InvalidArgumentError(f"{work}: is not empty; choose another folder")
    check_apart(work, out)
    check_outside(out, inputs)
    paths = list_inputs(inputs, options)
    run = {
        "layout": LAYOUT,
        "identity": core.identity(),
        "inputs": paths,
        "out": out,
        "partitions": partitions,
        "options": options,
    }
    if known is not None:
        core.check_known()
        run["known"] = KnownFolder(known).begin(core.settings_identity(b""))
    run["claim"] = claim_output(out)
    folder.write_json("run.json", run)
    return JobArray(work)


class JobArray:
    """The run of a work folder, as far as its tasks have reported."""

    def __init__(self, work: str) -> None:
        self.work = WorkFolder(work)
        run = self.work.read_object("run.json")
        if run is None:
            raise InvalidArgumentError(f"{work}: contains no run")
        self.settings: dict[str, Any] = {}  # of tasks
        with described_in(f"{work}/run.json"):
            self.options = dict(run["options"])
            self.core = _core.DividedOptions.create([], self.options)
            if (run.get("layout"), run["identity"]) != (LAYOUT, self.core.identity()):
                raise UnsupportedError(f"{work}: contains a run of another version of paraprint; start over")
            self.inputs: list[str] = list(run["inputs"])
            self.out: str = run["out"]
            self.claim: str = run["claim"]
            self.partitions: int = run["partitions"]
            if not is_number(self.partitions) or self.partitions == 0:
                raise ValueError(f"partitions {self.partitions!r}")
            self.known: dict[str, Any] | None = run.get("known")
            if self.known is not None:
                self.known_folder = KnownFolder(self.known["path"])
                self.settings_identity = self.core.settings_identity(b"")
                self.settings["known"] = Given(begun_runs(self.known))
        self.batches = tasks.divide_pages("profiles", [], self.partitions)
        self.stored: dict[tuple[str, str], list[str]] = {}  # steps by job and kind
        self._numbers: dict[str, list[int]] = {}  # of the tasks of each step so far: a folder may list its files late
        self.last_job = ""  # which makes the tables
        self.counters: dict[str, dict[str, int]] = {}  # of the jobs so far
        self._reports: dict[tuple[str, int], dict[str, Any]] = {}
        self._places: dict[str, dict[str, dict[int, list[tuple[str, str, int]]]]] = {}  # by step
        self._records = RecordSteps(self) if self.options.get("records") else None

    def next_step(self) -> Step | None:
        """The first step with tasks that have not reported, with the numbers of these; None when the run is done."""
        for step in self.steps():
            if missing := [number for number in step.numbers if self._report(step.name, number) is None]:
                return dataclasses.replace(step, numbers=missing)
        return None

    def steps(self) -> Iterator[Step]:
        """All steps in their order. To get the one after a step, its tasks must have reported."""
        yield Step("profiles", "profiles", list(range(len(self.groups))))
        profiled = self._profiled()
        self.batches = tasks.divide_pages("profiles", profiled, self.partitions)
        self.settings["first_ids"] = tasks.first_ids_of(profiled, self.partitions)
        if self._records is not None:
            yield from self._records.steps_of_revisits(profiled)
        for job in flow.jobs_of(self.core, self.known is not None and bool(self.known["runs"])):
            counters = yield from self.levels(job)
            last = job.name
            number = 2
            while counters.get(job.repeated_until):
                again = job.round(number, last)
                counters = yield from self.levels(again)
                last = again.name
                number += 1
            for kind in {kind for name, kind in self.stored if name == last}:
                self.stored[job.name, kind] = self.stored[last, kind]
            self.last_job = job.name
        if self._records is not None:
            yield from self._records.steps()
        if self.known is not None:
            for job in flow.known_jobs_of(self.core):
                yield from self.levels(job)
        yield Step(OUTPUT, OUTPUT, [0])

    def levels(self, job: flow.Job) -> Generator[Step, None, dict[str, int]]:
        """The steps of a job; returns its counters."""
        counters: collections.Counter[str] = collections.Counter()
        sent: dict[str, list[str]] = {}
        for level, stages in enumerate(job.levels):
            made: dict[str, list[str]] = {}
            for stage in stages:
                given = {kind: sent.get(kind, []) for kind in stage.kinds}
                for kind, source in job.stored_kinds(stage):
                    given[kind] = given[kind] + self.stored.get((source, kind), [])
                waiting = {partition for kind, steps in given.items() for partition in self.places(kind, steps)}
                if level == 0:
                    waiting |= {number for number in range(self.partitions) if self.batches.of(number)}
                step = Step(f"{job.name}.{stage.name}", stage.name, sorted(waiting), given)
                for report in (yield from self.reported(step)):
                    counters.update(report["counters"])
                    for kind in {kind for kind, _ in report["parcels"]}:
                        if step.name not in made.setdefault(kind, []):
                            made[kind].append(step.name)
            for stage in stages:
                for kind in stage.kinds:
                    sent.pop(kind, None)
            for kind, steps in made.items():
                sent[kind] = sent.get(kind, []) + steps
        self.counters[job.name] = dict(sorted(counters.items()))
        self.stored.update({(job.name, kind): steps for kind, steps in sent.items()})
        tasks.check_profiles(job.name, counters)
        if job.joined:
            joined = _core.join_entries(list(self.parcels(job.name, job.joined)))
            self.settings[job.joined.replace("-", "_")] = Given(joined)
        if fingerprints := counters.get("simhashes_different"):
            self.settings["fingerprints"] = fingerprints
        return counters

    def reported(self, step: Step) -> Generator[Step, None, list[dict[str, Any]]]:
        """The step, and then the reports of its tasks."""
        yield step
        self._numbers[step.name] = step.numbers
        return self.reports(step.name, step.numbers)

    # ------------------------------------------------------------------------------------------------------------------

    @functools.cached_property
    def _pool(self) -> concurrent.futures.ThreadPoolExecutor:
        """Reads reports, for a store takes a while to answer. One for all steps: each has few reports."""
        return concurrent.futures.ThreadPoolExecutor(_REPORTS_AT_ONCE)

    @property
    def groups(self) -> list[list[int]]:
        """The inputs of each task that reads inputs, as indices into the list."""
        tasks_reading = min(self.partitions, len(self.inputs))
        return [list(range(number, len(self.inputs), self.partitions)) for number in range(tasks_reading)]

    def task_of(self, step: Step) -> Task:
        return Task(step.stage, self.options, self.work.path, step.name, self.partitions, tuple(step.stored),
                    batches=Given(self.batches), inputs=Given(self.inputs), words=Given(b""), **self.settings)

    def run_task(self, name: str, number: int) -> None:
        """Runs one task of the step that next_step() gave, and stores its report."""
        step = next((step for step in self.steps() if step.name == name), None)
        if step is None or number not in step.numbers:
            raise InvalidArgumentError(f"step {name} has no task {number}")
        self.work.create(name)
        if step.stage == OUTPUT:
            report = self._write_output()
        elif step.stage == "profiles":
            reports = tasks.profile_files(self.task_of(step), self.inputs, [self.groups[number]])
            report = json.loads(next(iter(reports)))
        elif self._records is not None and step.stage in RecordSteps.STAGES:
            report = self._records.run_task(step, number)
        else:
            task = self.task_of(step)
            for kind in tables.FOLDERS:
                self.work.create(kind)
            places: StoredPlaces = {
                kind: {number: self.places(kind, steps).get(number, [])} for kind, steps in step.stored.items()
            }
            (_, (_, said)), = tasks.first_level([task], [Given(places)], [number])
            report = json.loads(said)
        self.work.write_json(_report_name(name, number), report, uuid.uuid4().hex)

    def _write_output(self) -> dict[str, Any]:
        check_claim(self.out, self.claim)
        steps = [step for step in self._numbers if step.startswith(f"{self.last_job}.")]
        reports = [report for step in steps for report in self.reports(step, self._numbers[step])]
        tables.write_all(self.out, self.core.has_evidence, functools.partial(tables.parts_of, self.work, reports))
        if self._records is not None:
            self._records.write_output()
        else:
            RecordsOutput(self.out).withdraw()
            revisits.withdraw_list(self.out)
        tables.write_survivors(self.work, tables.files_of(reports, tables.SURVIVORS), self.out)
        WorkFolder(self.out).write_json(METRICS, self._metrics(), has_checksum=False)
        if self.known is not None and not self.known_folder.has(self.known):
            self._remember(self.known)
        return {"file": "", "parcels": [], "counters": {}}

    def _metrics(self) -> dict[str, Any]:
        """What a user may want to know of the run, as Spark has it."""
        reading, broken = records_read(self._profiled())
        counted = self.counters[self.last_job]
        return {
            "pages": self.batches.first_pages[-1],
            "kept": counted.get("pages_kept", 0),
            "clusters": counted.get("clusters_of_copies", 0),
            "broken": broken,
            "unreadable": self.unreadable_inputs(),
            "counters": {**self.counters, "reading": reading},
        }

    def complaints(self) -> list[str]:
        """What the program says of records and inputs that could not be read."""
        reading, broken = records_read(self._profiled())
        said = []
        if number := reading.get("broken_records"):
            said.append(f"{number} broken records were counted; see {self.out}/{METRICS}")
        for path in self.unreadable_inputs():
            reasons = (text[len(path) :].partition(_UNREADABLE) for text in broken if text.startswith(f"{path}: "))
            reason = next((reason for _, kind, reason in reasons if kind), "")
            said.append(f"paraprint: {path}: not read to its end" + (f": {reason}" if reason else ""))
        return said

    def unreadable_inputs(self) -> list[str]:
        """The inputs that could not be read to their end, once the profiles are there."""
        return [self.inputs[index] for index in sorted(unreadable_inputs(self._profiled()))]

    def _profiled(self) -> list[dict[str, Any]]:
        return self.reports("profiles", range(len(self.groups)))

    def _remember(self, known: dict[str, Any]) -> None:
        """Adds the run to the folder of known pages."""
        reports = [
            report
            for job in flow.known_jobs_of(self.core)
            for level in job.levels
            for stage in level
            for report in self.reports(f"{job.name}.{stage.name}", self._numbers[f"{job.name}.{stage.name}"])
        ]
        self.known_folder.add(known, self.settings_identity, self.batches.first_pages[-1], reports)

    # ------------------------------------------------------------------------------------------------------------------

    def _report(self, step: str, number: int) -> dict[str, Any] | None:
        """The report of a task; None if there is none yet."""
        if (step, number) not in self._reports:
            name = _report_name(step, number)
            report = self.work.read_object(name)
            if report is None:
                return None
            with described_in(f"{self.work.path}/{name}"):
                checked = checked_report(report)
                for member in ("counters", *(("inputs", "ids", "stamps") if step == "profiles" else ("parcels",))):
                    checked[member]
                self._reports[step, number] = checked
        return self._reports[step, number]

    def has_reported(self, step: Step, number: int) -> bool:
        return self._report(step.name, number) is not None

    def reports(self, step: str, numbers: Any) -> list[dict[str, Any]]:
        unread = [number for number in numbers if (step, number) not in self._reports]
        if len(unread) > (_FEW_LOCAL_REPORTS if self.work.is_local else 1):
            list(self._pool.map(lambda number: self._report(step, number), unread))
        reports = {number: self._report(step, number) for number in numbers}
        for number, report in reports.items():
            if report is None:
                raise InvalidArgumentError(f"step {step}: task {number} has not reported yet")
        return [report for report in reports.values() if report is not None]

    def _stored_places(self, step: str) -> dict[str, dict[int, list[tuple[str, str, int]]]]:
        """The places of the parcels that a step stored, by kind and partition."""
        if step in self._places:
            return self._places[step]
        places: dict[str, dict[int, list[tuple[str, str, int]]]] = {}
        for report in self.reports(step, self._numbers[step]):
            for row, (kind, partition) in enumerate(report["parcels"]):
                places.setdefault(kind, {}).setdefault(partition, []).append((step, report["file"], row))
        self._places[step] = places
        return places

    def places(self, kind: str, steps: list[str]) -> dict[int, list[tuple[str, str, int]]]:
        places: dict[int, list[tuple[str, str, int]]] = {}
        for step in steps:
            for partition, found in self._stored_places(step).get(kind, {}).items():
                places.setdefault(partition, []).extend(found)
        return places

    def parcels(self, job: str, kind: str) -> Iterator[bytes]:
        places_of = self.places(kind, self.stored.get((job, kind), []))
        for places in (places_of[partition] for partition in sorted(places_of)):
            for (payload,) in self.work.stored_rows(places, ["payload"]):
                yield payload


def _report_name(step: str, number: int) -> str:
    return f"{step}/report-{number}.json"
