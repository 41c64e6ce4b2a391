"""The passages that pages share: rows of matches.jsonl, made by tasks from the profiles of their pairs."""

from __future__ import annotations

import os
from typing import Any

from ..stages.storage import open_file_system, withdraw
from ..stores import publish
from .stages import Stages, collected

EVIDENCE = "evidence"
NAME = "matches.jsonl"


def write(run: Stages, plan: Any) -> None:
    """Writes matches.jsonl to the output folder, with the bytes of the program, if requested."""
    file_system, root = open_file_system(run.out)
    withdraw(file_system, f"{root}/{NAME}")
    if not run.options.get(EVIDENCE):
        return
    pairs = plan.plan_evidence(run.batches.first_pages)

    def find() -> list[dict[str, Any]]:
        return collected(run.with_profiles(EVIDENCE, EVIDENCE, "pairs", pairs))

    run.stage(EVIDENCE, find)
    run.count(EVIDENCE)
    path = os.path.join(run.scratch, NAME)
    with open(path, "wb") as file:
        for payload in run.parcels(EVIDENCE, EVIDENCE):
            file.write(payload)
    publish(path, file_system, f"{root}/{NAME}")
