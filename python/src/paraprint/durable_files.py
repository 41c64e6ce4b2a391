"""Files that are complete on disk, or not there, whenever the machine stops."""

from __future__ import annotations

import errno
import os

__all__ = ["replace_durably", "sync_file", "sync_folder"]

AnyPath = str | os.PathLike[str]


def sync_file(path: AnyPath) -> None:
    """Waits until the content of the file is on disk."""
    # "Read and write", since some systems refuse to sync what is open for reading only; nothing is written.
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(path: AnyPath) -> None:
    """Waits until the names in the folder are on disk: which files it has, not what is in them. Some file systems
    cannot do that for a folder, and nothing can be done there."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.EBADF):
            raise
    finally:
        os.close(descriptor)


def replace_durably(partial: AnyPath, path: AnyPath) -> None:
    """Gives the finished file `partial` the name `path`; both are in one folder. After this, the new file survives a
    crash; before it, whatever had the name."""
    sync_file(partial)
    os.replace(partial, path)
    sync_folder(os.path.dirname(os.fspath(path)) or ".")
