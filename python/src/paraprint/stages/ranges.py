"""Inputs of tasks that are files of a store: read in ranges, a few at the same time, without a copy on this machine.

A range that fails is asked for again (repeated() of stores.py); what had come before stays. A file that changes while
it is read is an error.
"""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import posixpath
import re
from typing import Any, Iterator

import pyarrow.fs

from .. import _core
from ..errors import CorruptDataError, InputOutputError, NotFoundError
from ..stores import StoredFile, is_remote, repeated, shown
from .storage import open_file_system

#: Bytes of a range: much more than what a store delivers in the time that it takes to answer.
RANGE_BYTES = 2 << 20
#: Ranges that are asked for before they are needed, at the same time.
RANGES_AHEAD = 4
# Ranges of a file in memory, the last ones used. A writer of records follows its reader, and reads what that one has
# just read.
_RANGES_KEPT = 16
_WACZ = ".wacz"
_IN_WACZ = re.compile(r"\.wacz/", re.IGNORECASE)


class RangeReader:
    """A file of a store, or a WARC file in a WACZ file there, of which it reads the whole. read_at() is for one thread
    at a time."""

    def __init__(self, uri: str) -> None:
        self.name = shown(uri)
        self.file = self.name  # what is read
        self._file = repeated(self.name, lambda: self._find(uri))
        self.size_bytes: int = self._file.size_bytes
        self._opened: Any = repeated(self.name, self._file.open)
        self._ranges: collections.OrderedDict[int, concurrent.futures.Future[bytes]] = collections.OrderedDict()
        self._threads = concurrent.futures.ThreadPoolExecutor(RANGES_AHEAD, "ranges")

    def _find(self, uri: str) -> StoredFile:
        file, file_system, info = file_of(uri)
        if not info.is_file:
            raise NotFoundError(f"{self.name}: no such file")
        self.file = shown(file)
        path = info.path
        return StoredFile(self.file, posixpath.basename(path), file_system, path, info.size)

    def read_at(self, offset_bytes: int, size: int) -> bytes:
        """Some of the bytes at the offset, at most `size`; none at the end."""
        if offset_bytes >= self.size_bytes:
            return b""
        number, begin = divmod(offset_bytes, RANGE_BYTES)
        # Whoever has read the range before reads from front to back.
        ahead = RANGES_AHEAD if number == 0 or number - 1 in self._ranges else 0
        if number in self._ranges:
            self._ranges.move_to_end(number)
        self._want(range(number, number + 1 + ahead))
        piece = self._ranges[number].result()
        return piece[begin : begin + size]

    def _want(self, numbers: range) -> None:
        for number in numbers:
            if number not in self._ranges and number * RANGE_BYTES < self.size_bytes:
                self._ranges[number] = self._threads.submit(self._fetch, number)
        while len(self._ranges) > _RANGES_KEPT:
            self._ranges.popitem(last=False)[1].cancel()

    def _fetch(self, number: int) -> bytes:
        begin = number * RANGE_BYTES
        size = min(RANGE_BYTES, self.size_bytes - begin)
        is_first = True

        def read() -> bytes:
            nonlocal is_first
            if not is_first:
                self.check()  # a file that is now shorter fails as a broken connection does
            is_first = False
            piece: bytes = self._opened.read_at(size, begin)
            if len(piece) != size:
                raise InputOutputError(f"{self.name}: {len(piece)} of {size} bytes came for byte {begin}")
            return piece

        return repeated(self.name, read)

    def check(self) -> None:
        """Raises if the file is not what it was when it was opened."""
        self._file.check()

    def stamp(self) -> str:
        """What tells the file from what it was before a change, on every machine."""
        return self._file.stamp()

    def version(self) -> str:
        """The same, for the same machine."""
        return self._file.version()

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
        with contextlib.suppress(OSError):
            self._opened.close()


def file_of(path: str) -> tuple[str, Any, Any]:
    """The file that an input is in, itself or a WACZ file: path or URI, file system, and what that says about it."""
    file_system, inner = open_file_system(path)
    info = file_system.get_file_info(inner)
    if info.type != pyarrow.fs.FileType.NotFound:
        return path, file_system, info
    base, question_mark, query = path.partition("?") if is_remote(path) else (path, "", "")
    for found in _IN_WACZ.finditer(base):
        above = base[: found.end() - 1] + question_mark + query
        of_above = file_system.get_file_info(open_file_system(above)[1])
        if of_above.is_file:
            return above, file_system, of_above
    return path, file_system, info


def parts_of(uri: str) -> list[str]:
    """The URIs of the inputs that a file of a store gives a run: itself, and of a WACZ file those of its WARC files."""
    base, question_mark, query = uri.partition("?")
    if not base.lower().endswith(_WACZ):
        return [uri]
    with contextlib.closing(RangeReader(uri)) as reader:
        names: list[str] = _core.list_parts(reader)
        return [base + name[len(reader.name) :] + question_mark + query for name in names]


@contextlib.contextmanager
def open_input(path: str, stamp: str = "") -> Iterator[tuple[str | RangeReader, str]]:
    """What the core reads an input from, its path on this machine or ranges of a file of a store, and its stamp.
    `stamp`: that of when the run read the input before. Raises if the input has changed since then, or while it is
    read."""
    if is_remote(path):
        with contextlib.closing(RangeReader(path)) as reader:
            _check_stamp(reader.name, reader.stamp(), stamp)
            yield reader, reader.stamp()
            repeated(reader.name, reader.check)
    else:
        now = _core.stamp_input(path)
        _check_stamp(path, now, stamp)
        yield path, now
        _check_stamp(path, _core.stamp_input(path), now)


def _check_stamp(name: str, now: str, before: str) -> None:
    if before not in ("", now):
        raise CorruptDataError(f"{name}: has changed since the run read it; start over with another work folder")
