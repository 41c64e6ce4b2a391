"""Copies of files of the web (http:, https:) on this machine, by Python's own client."""

from __future__ import annotations

import email.utils
import errno
import http.client
import os
import pathlib
import re
import urllib.error
import urllib.request
from typing import Any

from . import _core
from .durable_files import replace_durably
from .errors import AccessDeniedError, InputOutputError, InvalidArgumentError, NoSpaceError, NotFoundError
from .stores import PIECE_BYTES, errors_of, partial_name, shown

#: Without a byte for so long, a connection counts as broken.
_TIMEOUT_SECONDS = 60
#: Connections that are made for one file before it is given up.
_ATTEMPTS = 4


def download(uri: str, target: pathlib.Path) -> None:
    """Downloads a file, which appears as a whole, with the time of the original, or without one that of 1970: a run
    recognises its inputs by their times. Goes on where a connection broke, if the server can, and gives up after the
    fourth one."""
    partial = target.with_name(partial_name(target.name))
    name = shown(uri)
    with errors_of(str(target)):
        target.parent.mkdir(parents=True, exist_ok=True)
        opened = open(partial, "wb")
    with opened as output:
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
                if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                    raise NoSpaceError(f"{target}: {error.strerror}") from error
                if attempt == _ATTEMPTS:
                    raise InputOutputError(f"{name}: {error}") from error
            except http.client.InvalidURL as error:
                raise InvalidArgumentError(f"{name}: {error}") from error
            except http.client.HTTPException as error:  # an answer that is not HTTP, or ends in the middle
                if attempt == _ATTEMPTS:
                    raise InputOutputError(f"{name}: {type(error).__name__}: {error}") from error
            except ValueError as error:  # a name without a host, or one that is no name of the web
                raise InvalidArgumentError(f"{name}: {error}") from error
    with errors_of(str(target)):
        os.utime(partial, (copy.modified, copy.modified))
        replace_durably(partial, target)


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
                self._begin_again()
                done = 0
            elif _first_byte(answer.headers.get("Content-Range")) != done:
                self._begin_again()
                raise ConnectionError(f"the server sent other bytes than those from {done} on")
            tag = answer.headers.get("ETag") or ""
            self._tag = "" if tag.startswith("W/") else tag
            self.modified = _seconds_of(answer.headers.get("Last-Modified"))
            expected = _size_of(answer.headers.get("Content-Length"))
            while piece := answer.read(PIECE_BYTES):
                self._output.write(piece)
        came = self._output.tell() - done
        if expected is not None and came != expected:
            raise ConnectionError(f"the connection ended after {done + came} of {done + expected} bytes")

    def _begin_again(self) -> None:
        self._output.seek(0)
        self._output.truncate()


def _first_byte(content_range: str | None) -> int | None:
    """Where the part of a file begins, by its header Content-Range; None if it does not say."""
    found = re.match(r"\s*bytes\s+(\d{1,18})-", content_range or "", re.ASCII | re.IGNORECASE)
    return int(found[1]) if found else None


def _size_of(content_length: str | None) -> int | None:
    """None for a missing or invalid header, as http.client reads it."""
    given = (content_length or "").strip()
    return int(given) if re.fullmatch(r"\d{1,18}", given, re.ASCII) else None


def _seconds_of(date: str | None) -> float:
    """A date of HTTP in seconds since 1970; 0 for a missing or invalid one."""
    try:
        return max(email.utils.parsedate_to_datetime(date or "").timestamp(), 0.0)
    except (TypeError, ValueError, OverflowError):
        return 0.0
