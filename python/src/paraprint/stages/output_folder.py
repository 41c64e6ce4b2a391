"""The output folder of a divided run: whether it may be written to, and whether what it holds is whole.

A run replaces and deletes files and folders with the names of its output. So it first makes sure that an earlier run
has made them, and marks the folder for the runs that come after it.
"""

from __future__ import annotations

import contextlib
import posixpath
import re
import uuid

import pyarrow.fs

from ..durable_files import sync_folder
from ..errors import CorruptDataError, InvalidArgumentError
from ..stores import repeated, shown
from .storage import WorkFolder, open_file_system, withdraw

#: Says that a divided run writes to the folder, also of one that was killed. The program knows it, too.
MARKER = ".paraprint-divided"
#: The last file that a divided run writes, as summary.json is of the program.
METRICS = "metrics.json"
_SUMMARY = "summary.json"
#: What a divided run may replace or delete.
OUTPUT_NAMES = (
    _SUMMARY, METRICS, "records", ".records-attempts", "survivors", "clusters.tsv", "matches.tsv", "removed.jsonl",
    "matches.jsonl", "input-revisits.jsonl", "savings.json", "savings.html",
)
# Of these, what only divided runs write, and what only the program does.
_OF_DIVIDED = {METRICS, ".records-attempts", "survivors"}
_OF_PROGRAM = {_SUMMARY}
# The work folder of the program.
_PROGRAM = ".paraprint"
# How a summary of the program begins, and the metrics of job arrays that knew no marker.
_BEGINNINGS = {
    _SUMMARY: re.compile(rb'{\n  "version": "[^"\n]*",\n  "command": "'), METRICS: re.compile(rb'{\n  "broken": \[')
}
_BEGINNING_BYTES = 200
# Runs on Spark that knew no marker have all of these when they are done, and no metrics.
_OF_SPARK = {"clusters.tsv", "matches.tsv", "removed.jsonl", "survivors/_SUCCESS"}


def claim_output(out: str, run: str = "") -> str:
    """Marks the folder as the output of a divided run, before anything is read, and returns the name of the run, a new
    one unless it is given. Raises InvalidArgumentError if the folder has files or folders that the run would replace,
    and no sign of a run that made them."""
    file_system, root = open_file_system(out)
    if found := repeated(shown(out), lambda: _foreign(file_system, root)):
        raise InvalidArgumentError(
            f"{shown(out)}: holds {', '.join(found)}, which no run has written there and a run would replace; choose "
            "another --out"
        )
    run = run or uuid.uuid4().hex
    WorkFolder(out).write_json(MARKER, {"written_by": "divided runs of paraprint", "run": run}, has_checksum=False)
    return run


def is_claimed(out: str, run: str) -> bool:
    """Whether the run is the last one that claimed the folder. What is there may be of another one otherwise."""
    with contextlib.suppress(CorruptDataError):
        marker = WorkFolder(out).read_json(MARKER)
        return isinstance(marker, dict) and marker.get("run") == run
    return False


def check_claim(out: str, run: str) -> None:
    """Raises InvalidArgumentError if another run has claimed the folder since this one did."""
    if not is_claimed(out, run):
        raise InvalidArgumentError(
            f"{shown(out)}: another run has begun to write there since this one did; start this one over with another "
            "--out"
        )


def _foreign(file_system: pyarrow.fs.FileSystem, root: str) -> list[str]:
    """The names of what a run would replace and none has written. A sign of a divided run does not stand for files that
    only the program writes, nor the reverse."""
    names = [*OUTPUT_NAMES, MARKER, _PROGRAM, *_OF_SPARK]
    infos = dict(zip(names, file_system.get_file_info([posixpath.join(root, name) for name in names])))
    there = {name for name, info in infos.items() if info.type != pyarrow.fs.FileType.NotFound}
    recognised = set()
    for name, beginning in _BEGINNINGS.items():
        if infos[name].is_file:
            with file_system.open_input_stream(posixpath.join(root, name)) as file:
                if beginning.match(bytes(file.read(_BEGINNING_BYTES))):
                    recognised.add(name)
    written: set[str] = set()
    if MARKER in there or METRICS in recognised or _OF_SPARK <= there:
        written |= set(OUTPUT_NAMES) - _OF_PROGRAM
    if _PROGRAM in there or _SUMMARY in recognised:
        written |= set(OUTPUT_NAMES) - _OF_DIVIDED
    return [name for name in OUTPUT_NAMES if name in there - written]


def withdraw_completion(out: str) -> None:
    """Deletes the files that say that the output of an earlier run is whole, before anything else of it changes."""
    file_system, root = open_file_system(out)
    for name in (_SUMMARY, METRICS):
        withdraw(file_system, posixpath.join(root, name))
    if file_system.type_name == "local":
        sync_folder(root)
