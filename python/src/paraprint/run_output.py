"""Where a run writes its output: to a folder on this machine, which is that of the caller, a temporary one, or one to
be copied to a store."""

from __future__ import annotations

import contextlib
import os
import pathlib
import posixpath
import tempfile
import weakref
from types import TracebackType
from typing import Iterable, Iterator, Protocol, Union

from . import work_folder
from .durable_files import replace_durably, sync_folder
from .errors import InvalidArgumentError, UnsupportedError
from .places import check_outside
from .progress import Progress
from .stores import PARTIAL, StoredFile, arrow, errors_of, file_system_of, is_of_web, is_remote, publish, shown

Path = Union[str, "os.PathLike[str]"]

#: The object that says that a folder in a store is not complete.
_INCOMPLETE = ".paraprint-incomplete"
#: What stays in the work folder of a run that failed: the copies of its inputs, and an output for a store.
_FETCHED, _OUTPUT = "fetched", "out"


class FolderResult(Protocol):
    """A result that refers to files of its output folder."""

    folder: pathlib.Path
    outputs: list[str]
    report_path: str


class RunOutput:
    """The output of a run, a context manager around it. `folder` is where the run writes, `temporary` the folder to
    keep for as long as the result if the caller wants no output, and `work` what the run may have besides, made when it
    is needed. It is removed at the end; if the run fails, `fetched` stays, so that the same call resumes with it."""

    def __init__(self, out: Path | None, tmp: str) -> None:
        self._given = "" if out is None else os.fspath(out)
        self.temporary: tempfile.TemporaryDirectory[str] | None = None
        self._remote: _RemoteFolder | None = None
        if out is None:
            with errors_of(tmp or "the folder for temporary files"):
                if tmp:
                    pathlib.Path(tmp).mkdir(parents=True, exist_ok=True)
                self.temporary = tempfile.TemporaryDirectory(prefix="paraprint-", dir=tmp or None)
            self.folder = pathlib.Path(self.temporary.name, _OUTPUT)
            work = work_folder.beside(self.folder)
        elif is_remote(os.fspath(out)):
            self._remote = _RemoteFolder(os.fspath(out))
            work = work_folder.within(tmp or tempfile.gettempdir(), self._remote.uri)
            self.folder = work / _OUTPUT
        else:
            self.folder = pathlib.Path(os.fspath(out))
            place = os.path.realpath(self.folder)
            work = work_folder.within(tmp, place) if tmp else work_folder.beside(self.folder)
        self.work = work_folder.PrivateFolder(work, (_FETCHED, _OUTPUT))
        self.fetched = work / _FETCHED

    def __enter__(self) -> RunOutput:
        if self._remote is not None:
            self._remote.check()
            self.work.begin()
            try:
                self._remote.mark()
            except BaseException:
                self.work.end(is_done=False)
                raise
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self.work.end(is_done=kind is None)

    def begin_rows(self, paths: Iterable[str], files: Iterable[StoredFile]) -> None:
        """Makes sure that the run deletes no rows that it reads, and that no other one has its output folder until its
        rows are written there: the lock of the core does not last that long. `paths` are what the caller named, and
        `files` the files of rows among them. Raises InvalidArgumentError."""
        if self._given:
            check_outside(self._given, [*(path for path in paths if path != "-"), *(file.uri for file in files)])
            self.work.begin()

    @contextlib.contextmanager
    def unfinished(self) -> Iterator[None]:
        """Takes summary.json away while the output is changed or added to, and for good if that fails: the file says
        that the output is whole."""
        summary = self.folder / "summary.json"
        partial = summary.with_name(summary.name + PARTIAL)
        with errors_of(str(summary)):
            os.replace(summary, partial)
            sync_folder(self.folder)
        yield
        with errors_of(str(summary)):
            replace_durably(partial, summary)

    def publish(self, result: FolderResult, progress: Progress | None) -> None:
        """Copies the files of a result to the store that they are for, if they are. Its paths become URIs, and its
        folder one of its own on this machine, which is removed with it."""
        if self._remote is None:
            return
        self._remote.copy(self.folder, progress)
        result.outputs = [self._remote.of(path, self.folder) for path in result.outputs]
        if result.report_path:
            result.report_path = self._remote.of(result.report_path, self.folder)
        # Not in the work folder, which the next run for this output needs while the result may still be in use.
        place = self.work.path.parent
        with errors_of(str(place)):
            kept = tempfile.TemporaryDirectory(prefix="paraprint-", dir=place)
            weakref.finalize(result, kept.cleanup)
            result.folder = pathlib.Path(kept.name, _OUTPUT)
            os.replace(self.folder, result.folder)


class _RemoteFolder:
    """An output folder in a store."""

    def __init__(self, uri: str) -> None:
        if is_of_web(uri):
            raise UnsupportedError(f"{shown(uri)}: results cannot be written to {uri.partition('://')[0]}:")
        base, _, query = uri.partition("?")
        self.uri = shown(base.rstrip("/"))
        self._file_system, path = file_system_of(base.rstrip("/") + (f"?{query}" if query else ""))
        self._path = path.rstrip("/")

    def check(self) -> None:
        """Raises if the folder has files of another run."""
        selector = arrow().fs.FileSelector(self._path, recursive=False, allow_not_found=True)
        with errors_of(self.uri):
            listed = self._file_system.get_file_info(selector)
            names = [posixpath.basename(info.path) for info in listed]
            if names and _INCOMPLETE not in names:
                raise InvalidArgumentError(f"{self.uri}: is not empty; choose another folder, or empty this one")

    def mark(self) -> None:
        """Marks the folder as incomplete. Raises if it may not be written to: now, not when the work is done."""
        with errors_of(self.uri):
            self._create_folder(self._path)
            with self._file_system.open_output_stream(f"{self._path}/{_INCOMPLETE}") as file:
                file.write(b"A run is being written to this folder. Without this file, it is complete.\n")

    def copy(self, folder: pathlib.Path, progress: Progress | None) -> None:
        """Copies all files that a user reads. Raises and leaves the folder marked as incomplete if one fails."""
        files = {path: path.stat().st_size for path in sorted(folder.rglob("*")) if path.is_file()}
        done = 0
        for path, size in files.items():
            relative = path.relative_to(folder)
            if not relative.parts[0].startswith("."):  # the work of the run
                target = f"{self._path}/{relative.as_posix()}"
                with errors_of(self.of(path, folder)):
                    self._create_folder(posixpath.dirname(target))
                    publish(str(path), self._file_system, target)
            done += size
            if progress is not None:
                progress("copying", done, sum(files.values()), "bytes", path == next(reversed(files)))
        with errors_of(self.uri):
            self._file_system.delete_file(f"{self._path}/{_INCOMPLETE}")

    def of(self, path: str | pathlib.Path, folder: pathlib.Path) -> str:
        """The URI of a file that was in the local folder."""
        return f"{self.uri}/{pathlib.Path(path).relative_to(folder).as_posix()}"

    def _create_folder(self, path: str) -> None:
        """Not in object stores, whose folders are parts of names."""
        if self._file_system.type_name not in ("s3", "gcs", "abfs"):
            self._file_system.create_dir(path, recursive=True)
