"""The jobs of a divided run: which stages exchange which parcels. C++ declares them (src/distribute/flow.cc); this is
the view of them that schedulers execute, and has nothing of Spark."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class Stage:
    name: str
    kinds: tuple[str, ...]  # of the parcels that its tasks take


@dataclasses.dataclass(frozen=True)
class Job:
    """Stages in levels: a parcel travels to the stage of a later level that takes its kind, and is stored if there is
    none. Tasks of the first level all run, those of later levels where they get a parcel. No two stages of a level take
    the same kind."""

    name: str
    levels: tuple[tuple[Stage, ...], ...]
    stored: tuple[tuple[str, str], ...]  # kinds from earlier jobs, each with the job
    joined: str = ""  # kind whose parcels become a setting of later tasks; empty: none
    repeated_levels: int = 0  # at the end, as long as this counter is above 0, on what they stored last
    repeated_until: str = ""

    def round(self, number: int, last: str) -> Job:
        """The repeated levels as a job of their own, on what the job `last` stored."""
        levels = self.levels[len(self.levels) - self.repeated_levels :]
        stored = tuple((kind, last) for stage in levels[0] for kind in stage.kinds)
        return Job(f"{self.name}-{number}", levels, stored)

    def stored_kinds(self, stage: Stage) -> list[tuple[str, str]]:
        """The kinds that the stage takes from earlier jobs, each with the job."""
        return [(kind, job) for kind, job in self.stored if kind in stage.kinds]

    def routes(self, level: int) -> frozenset[str]:
        """The kinds that later levels take; others are stored."""
        return frozenset(kind for stages in self.levels[level + 1 :] for stage in stages for kind in stage.kinds)


@dataclasses.dataclass(frozen=True)
class Step:
    """Tasks of an array of jobs that may run at the same time. `stage` is one of the flow, or of the array's own."""

    name: str
    stage: str
    numbers: list[int]  # of its tasks
    stored: dict[str, list[str]] = dataclasses.field(default_factory=dict)  # steps with parcels for it, by kind


def jobs_of(core: Any, compares_known: bool = False) -> list[Job]:
    """The jobs after the profiles, in their order; the last one makes the tables. `compares_known`: pages are compared
    with those of earlier runs, too."""
    return _jobs(core.jobs(compares_known))


def known_jobs_of(core: Any) -> list[Job]:
    """The jobs after them that make a run known to later ones."""
    return _jobs(core.known_jobs())


def record_jobs_of(core: Any) -> list[Job]:
    """The jobs after them that list what goes from each input, if records are written."""
    return _jobs(core.record_jobs())


def _jobs(declared: Any) -> list[Job]:
    return [
        Job(
            name,
            tuple(tuple(Stage(stage, tuple(kinds)) for stage, kinds in level) for level in levels),
            tuple(stored),
            *more,
        )
        for name, levels, stored, *more in declared
    ]
