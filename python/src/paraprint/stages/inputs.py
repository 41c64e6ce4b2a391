"""The inputs of a divided run: files and folders, which have the same paths on every machine, and URIs; and what the
tasks that profiled them say of them."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
from typing import Any, Iterator, Sequence

import pyarrow.fs

from .. import _core
from ..errors import InvalidArgumentError, NotFoundError
from ..stores import is_remote, repeated
from .ranges import RangeReader, open_input, parts_of
from .storage import open_file_system
from .tasks import temporary_folder


@dataclasses.dataclass(frozen=True)
class Input:
    """An input that was profiled."""

    number: int  #: its place in the order of the inputs
    path: str
    ends_early: bool  #: it could not be read to its end
    stamp: str  #: of open_input()

    @contextlib.contextmanager
    def open(self) -> Iterator[str | RangeReader]:
        """What the core reads it from. Raises if it has changed since it was profiled."""
        with open_input(self.path, self.stamp) as (source, _):
            yield source


def profiled_inputs(profiled: list[dict[str, Any]], paths: list[str]) -> list[Input]:
    """All inputs in their order, from the reports of profiling tasks."""
    unreadable = unreadable_inputs(profiled)
    stamps = {index: stamp for report in profiled for index, stamp in report["stamps"]}
    return [Input(index, path, index in unreadable, stamps.get(index, "")) for index, path in enumerate(paths)]


def unreadable_inputs(profiled: list[dict[str, Any]]) -> set[int]:
    """The inputs that could not be read to their end."""
    return {index for report in profiled for index in report["unreadable"]}


def list_inputs(inputs: Sequence[str], options: dict[str, Any]) -> list[str]:
    """The inputs in the order of the run, that is, by the bytes of their paths. A URI is a file, or a folder, in which
    names that begin with a dot or an underscore are left out. A WACZ file gives an input for itself and one for each of
    its WARC files. Raises if the run writes records and two inputs would be written to one file."""
    for path in inputs:
        _check_name(path)
    local = [path for path in inputs if not is_remote(path)]
    listed = _core.DividedOptions.create(local, options).list_inputs() if local or not inputs else []
    paths: list[str] = [_check_name(os.fsdecode(path)) for path in listed]
    for uri in filter(is_remote, inputs):
        for found in repeated(uri, functools.partial(_list, uri)):
            paths += parts_of(found)
    paths = sorted(set(paths), key=os.fsencode)
    if any(map(is_remote, inputs)):  # of others the core has done it
        with temporary_folder() as scratch:
            _core.RecordsPlan.create(_core.DividedOptions.create([], options), paths, scratch)
    return paths


def _check_name(path: str) -> str:
    """The same path. One that is not UTF-8 can be in no table, report or store."""
    try:
        path.encode()
    except UnicodeEncodeError as error:
        shown = path.encode("utf-8", "backslashreplace").decode()
        raise InvalidArgumentError(f"{shown}: its name is not UTF-8; rename it, or leave it out") from error
    return path


def _list(uri: str) -> list[str]:
    file_system, inner = open_file_system(uri)
    info = file_system.get_file_info(inner)
    if info.type == pyarrow.fs.FileType.NotFound:
        raise NotFoundError(f"{uri}: no such file or folder")
    if info.is_file:
        return [uri]
    below = len(inner.rstrip("/"))
    listed = file_system.get_file_info(pyarrow.fs.FileSelector(inner, recursive=True))
    found = [
        uri.rstrip("/") + file.path[below:]
        for file in listed
        if file.is_file and not file.base_name.startswith(("_", "."))
    ]
    if not found:
        raise NotFoundError(f"{uri}: there are no files in the folder")
    return found
