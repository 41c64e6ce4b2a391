"""Files in stores that pyarrow does not know and fsspec does: sftp:, webhdfs:, memory: and more. Needs fsspec, and for
most stores a package that fsspec names."""

from __future__ import annotations

import datetime
from typing import Any

from .errors import UnsupportedError

#: What stores call the time of the last change. Of those that never change a file, it is the time of its creation.
_TIMES = ("mtime", "modificationTime", "LastModified", "last_modified", "updated", "created")
#: A number of seconds is smaller until the year 5138, and one of milliseconds larger since 1973.
_MILLISECONDS_MINIMUM = 1e11
#: Where a file is visible while it is being written, and can be renamed.
_WITH_RENAMING = ("webhdfs", "webHDFS", "sftp", "ssh", "smb", "ftp")


def file_system_of(uri: str, name: str) -> tuple[Any, str]:
    """The file system of a URI as pyarrow's, and the path in it. Messages begin with `name`. Raises what the store
    raises if it cannot be reached."""
    scheme = uri.partition("://")[0]
    try:
        from fsspec.core import url_to_fs
    except ImportError as missing:
        raise UnsupportedError(
            f"{name}: {scheme}: is none of s3, gs, hdfs, abfs, file, https; for others: pip install fsspec"
        ) from missing
    from pyarrow import fs

    try:
        file_system, path = url_to_fs(uri)
    except ImportError as error:  # what fsspec needs for a scheme
        package = getattr(error.__cause__ or error, "name", None)
        advice = f" (pip install {package})" if package else ""
        raise UnsupportedError(f"{name}: {error}{advice}") from error
    except ValueError as error:
        raise UnsupportedError(f"{name}: {error}") from error
    return fs.PyFileSystem(fs.FSSpecHandler(file_system)), path


def _store_of(file_system: Any) -> Any:
    """The file system of fsspec, or None for one of pyarrow's."""
    return getattr(getattr(file_system, "handler", None), "fs", None)


def has_renaming(file_system: Any) -> bool:
    """Whether a file has to be written under another name so that it appears as a whole."""
    protocol = getattr(_store_of(file_system), "protocol", ())
    names = (protocol,) if isinstance(protocol, str) else tuple(protocol)
    return any(name in _WITH_RENAMING for name in names)


def rename(file_system: Any, source: str, target: str) -> None:
    """Not through pyarrow, which passes arguments that not all file systems of fsspec have."""
    store = _store_of(file_system)
    if store is None:
        file_system.move(source, target)
    else:
        store.mv(source, target)


def changed_seconds(file_system: Any, path: str) -> int:
    """The time of the last change in seconds, for a file of which pyarrow does not know it; 0 if the store does not
    tell it either."""
    store = _store_of(file_system)
    facts = {} if store is None else store.info(path)
    value = next((facts[name] for name in _TIMES if facts.get(name) is not None), 0)
    if isinstance(value, str):
        try:
            value = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
        except ValueError:
            return 0
    if isinstance(value, datetime.datetime):
        return int(value.timestamp())
    return int(value / 1000 if value > _MILLISECONDS_MINIMUM else value)
