"""How to reach S3, for drivers whose scheduler has settings for it: they take the place of the environment.

The driver uses settings for the time of a run, and sends them to its tasks, where they come into use as they arrive. A
process uses one set of settings at a time.
"""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

import pyarrow.fs

_SCHEME = "s3://"


class S3Settings:
    """Arguments of pyarrow's S3FileSystem by bucket. They are secret: nothing shows them, and pickled, they belong into
    what a scheduler sends to its tasks only. Without arguments for a bucket, the environment says how to reach it."""

    def __init__(self, by_bucket: dict[str, dict[str, Any]]) -> None:
        self._by_bucket = by_bucket

    def __repr__(self) -> str:
        return f"S3Settings({sorted(self._by_bucket)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (self._by_bucket,)

    @contextlib.contextmanager
    def used(self) -> Iterator[None]:
        """Uses the settings in this process."""
        before = in_use()
        _use(self)
        try:
            yield
        finally:
            _use(before)

    def file_system_of(self, uri: str) -> tuple[pyarrow.fs.FileSystem, str] | None:
        """The file system of a URI and the path in it; None if the settings do not say how to reach it. What is in the
        URI itself, in front of the bucket or behind a question mark, goes first."""
        path = uri.removeprefix(_SCHEME)
        arguments = self._by_bucket.get(path.partition("/")[0])
        if not uri.startswith(_SCHEME) or not arguments or "?" in path:
            return None
        return pyarrow.fs.S3FileSystem(**arguments), path.rstrip("/")


_in_use = S3Settings({})


def _use(settings: S3Settings) -> None:
    global _in_use
    _in_use = settings


def _received(by_bucket: dict[str, dict[str, Any]]) -> S3Settings:
    """In the process of a task, which may have had a task of another run before."""
    settings = S3Settings(by_bucket)
    _use(settings)
    return settings


def in_use() -> S3Settings:
    """The settings that this process uses."""
    return _in_use
