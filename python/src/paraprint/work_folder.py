"""Private folders for what a run keeps on this machine while it reads it: copies of files in stores, and texts.

A folder has a name that nobody gives to one of theirs, and one run at a time uses it. A link, or a folder that was not
made here, is left alone: the run then ends with an error that names it.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import pathlib
import shutil
import stat

from .errors import AccessDeniedError, InvalidArgumentError
from .stores import WORK_FOLDER_MARKER as _MARKER
from .stores import errors_of

_MARKER_TEXT = b"A folder of paraprint. It can be deleted when no run uses it; a run that failed resumes with it.\n"
_NAME = "paraprint-work"


class PrivateFolder:
    """The folder `path`, which begin() makes. What has a name in `kept` stays in it if a run fails, for the next one
    with the same folder."""

    def __init__(self, path: pathlib.Path, kept: tuple[str, ...]) -> None:
        self.path = path
        self._kept = kept
        self._lock = -1  # descriptor of the marker

    def begin(self) -> None:
        """Makes the folder, or takes over that of a run that failed. Does nothing if this was done before. Raises
        InvalidArgumentError if another run uses it or if it was not made here, and AccessDeniedError if it belongs to
        another user."""
        if self._lock >= 0:
            return
        with errors_of(str(self.path)):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = None
            while lock is None:
                lock = self._locked()
            self._lock = lock
            self.clear(*self._kept)

    def end(self, is_done: bool = True) -> None:
        """Removes the folder and lets it go. That of a run that has failed stays if there is something to keep."""
        if self._lock < 0:
            return
        with contextlib.suppress(OSError):
            if not self.clear(*(() if is_done else self._kept)):
                # Last, so that the folder of a run that is killed here is still recognised.
                os.unlink(self.path / _MARKER)
                os.rmdir(self.path)
        lock, self._lock = self._lock, -1
        fcntl.flock(lock, fcntl.LOCK_UN)  # also for a child of this process, which shares the lock
        os.close(lock)

    def clear(self, *kept: str) -> bool:
        """Removes everything that has none of these names, and returns whether anything is left."""
        is_left = False
        for name in os.listdir(self.path) if self._lock >= 0 else ():
            path = self.path / name
            if name in kept:
                is_left = True
            elif name != _MARKER and path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            elif name != _MARKER:
                path.unlink()
        return is_left

    def _locked(self) -> int | None:
        """The descriptor of the locked marker; None if the folder was removed meanwhile."""
        with contextlib.suppress(FileExistsError):
            os.mkdir(self.path, 0o700)
        with contextlib.ExitStack() as held:
            try:
                folder = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
                held.callback(os.close, folder)
                self._check(folder)
                flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
                lock = os.open(_MARKER, flags, 0o600, dir_fd=folder)
                held.callback(os.close, lock)
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # The run that had the lock may have removed the folder before this one got it.
                if not (_is_same(os.lstat(self.path), folder) and _is_same(os.lstat(self.path / _MARKER), lock)):
                    return None
            except FileNotFoundError:
                return None
            except NotADirectoryError as error:
                raise self._foreign() from error
            except BlockingIOError as error:
                raise InvalidArgumentError(
                    f"{self.path}: another run with the same output uses this folder; wait for its end"
                ) from error
            text = os.read(lock, len(_MARKER_TEXT) + 1)
            if text not in (b"", _MARKER_TEXT):
                raise self._foreign()
            if not text:  # it is new, or the run that made it was killed
                os.write(lock, _MARKER_TEXT)
            held.pop_all()
            os.close(folder)
            return lock

    def _check(self, folder: int) -> None:
        """Raises unless the open folder was made here. One without a file is that of a run that was killed."""
        if os.fstat(folder).st_uid != os.geteuid():
            raise AccessDeniedError(f"{self.path}: belongs to another user; choose another folder with tmp")
        names = os.listdir(folder)
        if names and _MARKER not in names:
            raise self._foreign()
        if names and not stat.S_ISREG(os.stat(_MARKER, dir_fd=folder, follow_symlinks=False).st_mode):
            raise self._foreign()

    def _foreign(self) -> InvalidArgumentError:
        return InvalidArgumentError(
            f"{self.path}: is needed for temporary files, and was not made by paraprint; move it, or choose another "
            "folder with tmp"
        )


def _is_same(named: os.stat_result, descriptor: int) -> bool:
    return os.path.samestat(named, os.fstat(descriptor))


def beside(output: pathlib.Path) -> pathlib.Path:
    """The path of the work folder next to an output folder: a run must not read inputs from inside that one. It does
    not begin with a dot: records of inputs that were fetched to it may be written to a path with its name, and readers
    of folders leave hidden ones out. They leave out the folder itself because of its marker."""
    if output.name in ("", ".."):
        output = pathlib.Path(os.path.realpath(output))
    return output.parent / f"{output.name}.{_NAME}"


def within(tmp: str, output: str) -> pathlib.Path:
    """The path of the work folder in `tmp` for an output, which is a canonical path or a URI: always the same one, and
    for every user another."""
    digest = hashlib.sha256(output.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return pathlib.Path(tmp) / f"{_NAME}-{os.geteuid()}-{digest}"
