"""Copies of files of the web (http:, https:) on this machine, by Python's own client."""

from __future__ import annotations

import email.utils
import errno
import os
import pathlib
import urllib.error
import urllib.request
from typing import Any

from . import _core
from .errors import AccessDeniedError, InputOutputError, NoSpaceError, NotFoundError
from .stores import PARTIAL, PIECE_BYTES, shown

#: Without a byte for so long, a connection counts as broken.
_TIMEOUT_SECONDS = 60
#: Connections that are made for one file before it is given up.
_ATTEMPTS = 4


def download(uri: str, target: pathlib.Path) -> None:
    """Downloads a file, which appears as a whole, with the time of the original, or without one that of 1970: a run
    recognises its inputs by their times. Goes on where a connection broke, if the server can, and gives up after the
    fourth one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + PARTIAL)
    name = shown(uri)
    with open(partial, "wb") as output:
        copy = _Download(uri, output)
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                copy.go_on()
                break
            except urllib.error.HTTPError as error:
                if error.code in (401, 403):
                    raise AccessDeniedError(f"{name}: {error.code} {error.reason}") from error
                if error.code in (404, 410):
                    raise NotFoundError(f"{name}: {error.code} {error.reason}") from error
                if error.code < 500 or attempt == _ATTEMPTS:
                    raise InputOutputError(f"{name}: {error.code} {error.reason}") from error
            except OSError as error:
                if error.errno == errno.ENOSPC:
                    raise NoSpaceError(f"{target}: {error.strerror}") from error
                if attempt == _ATTEMPTS:
                    raise InputOutputError(f"{name}: {error}") from error
    os.utime(partial, (copy.modified, copy.modified))
    os.replace(partial, target)


class _Download:
    """What has come of a file so far, and the tag that tells whether it is still the same file."""

    def __init__(self, uri: str, output: Any) -> None:
        self.modified = 0.0  #: when the file was changed, in seconds since 1970, if the server says
        self._uri = uri
        self._output = output
        self._tag = ""

    def go_on(self) -> None:
        """Asks for what is missing. Raises if the connection ends too early."""
        done = self._output.tell()
        headers = {"User-Agent": f"paraprint/{_core.version()}", "Accept-Encoding": "identity"}
        if done and self._tag:
            headers.update({"Range": f"bytes={done}-", "If-Range": self._tag})
        request = urllib.request.Request(self._uri, headers=headers)
        with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as answer:
            if answer.status != 206:  # the whole file
                done = 0
                self._output.seek(0)
                self._output.truncate()
            tag = answer.headers.get("ETag") or ""
            self._tag = "" if tag.startswith("W/") else tag
            self.modified = _seconds_of(answer.headers.get("Last-Modified"))
            expected = answer.headers.get("Content-Length")
            while piece := answer.read(PIECE_BYTES):
                self._output.write(piece)
        came = self._output.tell() - done
        if expected is not None and came != int(expected):
            raise ConnectionError(f"the connection ended after {done + came} of {done + int(expected)} bytes")


def _seconds_of(date: str | None) -> float:
    """A date of HTTP in seconds since 1970; 0 for a missing or invalid one."""
    try:
        return max(email.utils.parsedate_to_datetime(date or "").timestamp(), 0.0)
    except (TypeError, ValueError, OverflowError):
        return 0.0
