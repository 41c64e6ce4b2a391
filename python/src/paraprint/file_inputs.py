"""The inputs of a run that are paths or URIs: files of rows are read where they are, all others on this machine."""

from __future__ import annotations

import pathlib

from . import _core
from .errors import InvalidArgumentError
from .progress import Progress
from .stores import StoredFile, fetch, is_of_web, is_remote, list_files, shown
from .work_folder import PrivateFolder

_MIXED = "cannot mix files of rows ({}) and other inputs in one run"


def split(
    paths: list[str],
    work: PrivateFolder,
    folder: pathlib.Path,
    progress: Progress | None,
    may_mix: bool = False,
    names: dict[str, str] | None = None,
) -> tuple[list[StoredFile], list[str]]:
    """The files of rows, and the other inputs as paths on this machine, which for URIs are below `folder`, in the work
    folder: fetched now, or by an earlier call. In a folder of a store that has files of rows, these are the input. One
    of the two lists is empty: raises for a mixture, unless they `may_mix`. Adds the URIs of what was fetched to
    `names`, by path."""
    rows: list[StoredFile] = []
    others: list[str] = []
    copies = _Copies(work, folder)
    tables = [path for path in paths if not is_remote(path) and _core.is_table(path)]
    if not may_mix and tables and any(not is_remote(path) and path not in tables for path in paths):
        raise InvalidArgumentError(_MIXED.format(tables[0]))
    for path in paths:
        if path in tables:
            rows += list_files(path, _core.is_table)
        elif not is_remote(path):
            others.append(path)
        elif is_of_web(path):
            from .downloads import download  # a client of HTTP takes a while to load

            fetched = copies.place_of(shown(path))
            work.begin()
            download(path, fetched)
            if _core.is_table(str(fetched)):
                rows += list_files(str(fetched), _core.is_table)
                rows[-1].uri = shown(path)
            else:
                others.append(str(fetched))
        else:
            found = list_files(path, lambda label: True)
            found_rows = [file for file in found if _core.is_table(file.label)]
            rows += found_rows
            copies.wanted += found if not found_rows else []
    if not may_mix and rows and (others or copies.wanted):
        raise InvalidArgumentError(_MIXED.format(rows[0].uri))
    others += copies.fetch(progress)
    if names is not None:
        names.update(copies.names())
    return rows, others


class _Copies:
    """The copies of remote files on this machine."""

    def __init__(self, work: PrivateFolder, folder: pathlib.Path) -> None:
        self.wanted: list[StoredFile] = []
        self._work = work
        self._folder = folder
        self._uris: dict[pathlib.Path, str] = {}

    def place_of(self, uri: str) -> pathlib.Path:
        parts = [part for part in uri.partition("://")[2].split("/") if part not in ("", ".", "..")]
        place = self._folder.joinpath(*parts)
        other = self._uris.setdefault(place, uri)
        if len(parts) < 2 or other != uri:
            problem = f"and {other} would have the same name on this machine" if parts[1:] else "names no file"
            raise InvalidArgumentError(f"{uri}: {problem}")
        return place

    def names(self) -> dict[str, str]:
        return {str(place): uri for place, uri in self._uris.items()}

    def fetch(self, progress: Progress | None) -> list[str]:
        total = sum(file.size_bytes for file in self.wanted)
        done = 0
        places = []
        if self.wanted:
            self._work.begin()
        for number, file in enumerate(self.wanted, 1):
            place = self.place_of(file.uri)
            fetch(file, place)
            places.append(str(place))
            done += file.size_bytes
            if progress is not None:
                progress("fetching", done, total, "bytes", number == len(self.wanted))
        return places
