"""Where output and input folders are: a run must neither read what it writes nor delete what it reads."""

from __future__ import annotations

import os
import pathlib
import re
from typing import Iterable

from .errors import InvalidArgumentError
from .stores import file_system_of, is_remote, shown


def check_outside(out: str, inputs: Iterable[str]) -> None:
    """Raises InvalidArgumentError if the output folder is in an input folder, whose records would be read as input by
    the tasks that come later and by the next run, or an input is in the output folder, where runs delete files."""
    root = _place(out)
    for path in inputs:
        place = _place(path)
        if _is_inside(root, place):
            raise InvalidArgumentError(
                f"{shown(out)}: the output folder is inside the input folder {shown(path)} and would be read as input; "
                "choose another --out"
            )
        if _is_inside(place, root):
            raise InvalidArgumentError(f"{shown(path)}: is inside the output folder {shown(out)}; choose another --out")


def check_apart(work: str, out: str) -> None:
    """Raises InvalidArgumentError if the work folder of a divided run is its output folder: both have folders of the
    same names."""
    if _place(work) == _place(out):
        raise InvalidArgumentError(f"{shown(work)}: is the output folder, too; choose another work folder")


def _place(path: str) -> tuple[str, ...]:
    """The parts of a path on this machine, links resolved, or of a URI."""
    path = re.sub("^s3a://", "s3://", path)  # Hadoop's name of the same store
    if path.startswith("file:"):
        path = file_system_of(path)[1]
    return pathlib.PurePosixPath(shown(path).rstrip("/") if is_remote(path) else os.path.realpath(path)).parts


def _is_inside(place: tuple[str, ...], folder: tuple[str, ...]) -> bool:
    return place[: len(folder)] == folder
