"""Files on this machine and in object stores, by path or URI: s3:, gs:, hdfs:, abfs:, file: through pyarrow, and every
other scheme that fsspec knows, if it is installed; but for https:, which is in downloads.py. Needs pyarrow.

A file is read as it was when it was listed; one that has changed since is an error that names it. What is written to a
store appears file by file, each as a whole, and only after everything has been made on this machine.
"""

from __future__ import annotations

import contextlib
import errno
import fnmatch
import hashlib
import os
import pathlib
import posixpath
import random
import re
import shutil
import stat
import time
from typing import Any, Callable, Iterator, TypeVar

from . import _core, other_stores
from .durable_files import replace_durably
from .errors import (
    AccessDeniedError,
    CorruptDataError,
    Error,
    InputOutputError,
    InvalidArgumentError,
    NoSpaceError,
    NotFoundError,
    UnsupportedError,
)

#: Suffix of a file that is not complete, on this machine and where files are visible while they are written.
PARTIAL = ".partial"
_NAME_BYTES_MAXIMUM = 255  # of most file systems
#: The file that says that a folder is the work folder of a run (work_folder.py).
WORK_FOLDER_MARKER = ".paraprint-work"
#: Bytes of a file that are copied at a time.
PIECE_BYTES = 1 << 20
#: By default pyarrow asks Google's servers for fifteen minutes before it says that they do not answer.
_GCS_LIMIT, _GCS_RETRY_SECONDS = "retry_limit_seconds", 60
#: What errors of pyarrow say that are those of a connection, and not of a file's content.
_OF_CONNECTION = re.compile(
    r"AWS Error|google::cloud|HTTP|curl|[Cc]onnect|[Tt]imed? ?out|[Nn]etwork|HDFS|java|Couldn't resolve|refused"
)
_NO_HADOOP = re.compile(r"Unable to load lib(hdfs|jvm)")
_OF_PERMISSION = re.compile(
    r"ACCESS_DENIED|AccessDenied|Forbidden|PERMISSION_DENIED|HTTP status 40[13]|AccessControlException|"
    r"INVALID_ACCESS_KEY_ID|SIGNATURE_DOES_NOT_MATCH|INVALID_CLIENT_TOKEN_ID|EXPIRED_TOKEN"
)
#: Before each further attempt of repeated(). They are varied, so that the tasks of a run do not return all at once.
_DELAYS_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0)

Value = TypeVar("Value")


def arrow() -> Any:
    try:
        import pyarrow
        import pyarrow.fs
    except ImportError as missing:
        raise UnsupportedError("tables, Parquet files and object stores need pyarrow: pip install pyarrow") from missing
    return pyarrow


def is_remote(path: str) -> bool:
    return _core.is_remote(path)


def is_of_web(uri: str) -> bool:
    return uri.partition("://")[0].lower() in ("http", "https")


def shown(uri: str) -> str:
    """The path or URI without what may be secret: a key before the bucket, or a signature behind a question mark."""
    return re.sub(r"://[^/@]*@", "://", uri.partition("?")[0], count=1) if is_remote(uri) else uri


@contextlib.contextmanager
def errors_of(name: str) -> Iterator[None]:
    """Turns the errors of pyarrow and of the system into ours, which name the file."""
    try:
        yield
    except Error:
        raise
    except FileNotFoundError as error:
        raise NotFoundError(f"{name}: {error.strerror or 'no such file'}") from error
    except PermissionError as error:
        raise AccessDeniedError(f"{name}: {error.strerror or error}") from error
    except OSError as error:
        text = str(error)
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise NoSpaceError(f"{name}: {error.strerror}") from error
        if _OF_PERMISSION.search(text):
            raise AccessDeniedError(f"{name}: {text}") from error
        if "NO_SUCH_BUCKET" in text:
            raise NotFoundError(f"{name}: {text}") from error
        if error.errno is not None or (is_remote(name) and _OF_CONNECTION.search(text)):
            raise InputOutputError(f"{name}: {text}") from error
        raise CorruptDataError(f"{name}: {text}") from error
    except arrow().ArrowException as error:
        raise CorruptDataError(f"{name}: {error}") from error
    except Exception as error:  # of the package that fsspec uses
        if not is_remote(name) or type(error).__module__ == "builtins":
            raise
        raise InputOutputError(f"{name}: {type(error).__name__}: {error}") from error


def repeated(name: str, call: Callable[[], Value]) -> Value:
    """The value of a call that reads the file, or replaces it as a whole. If the file is remote, a call that fails as a
    connection does is made again for half a minute, so that a run outlives a broken connection and a server that
    restarts. What cannot get better, such as a missing file or a refusal, is raised at once. Errors are those of
    errors_of()."""
    delays = _DELAYS_SECONDS if is_remote(name) else ()
    for delay in delays:
        try:
            with errors_of(name):
                return call()
        except InputOutputError:
            time.sleep(delay * random.uniform(0.5, 1.5))
    try:
        with errors_of(name):
            return call()
    except InputOutputError as error:
        if not delays:
            raise
        raise InputOutputError(f"{error}; gave up after {len(delays) + 1} attempts") from error


def file_system_of(uri: str) -> tuple[Any, str]:
    """The file system of a URI, and the path in it. A path without a scheme is local."""
    pyarrow = arrow()
    if not is_remote(uri):
        return pyarrow.fs.LocalFileSystem(), os.path.abspath(uri)
    wanted, name = uri, shown(uri)
    if uri.partition("://")[0] in ("hdfs", "viewfs") and "-Xrs" not in os.environ.get("LIBHDFS_OPTS", ""):
        # Without it, the Java machine takes Ctrl-C away from Python.
        os.environ["LIBHDFS_OPTS"] = f"{os.environ.get('LIBHDFS_OPTS', '')} -Xrs".strip()
    if uri.partition("://")[0] in ("gs", "gcs") and _GCS_LIMIT not in uri:
        wanted += f"{'&' if '?' in uri else '?'}{_GCS_LIMIT}={_GCS_RETRY_SECONDS}"
    with errors_of(name):
        try:
            file_system, path = pyarrow.fs.FileSystem.from_uri(wanted)
            return file_system, path
        except pyarrow.ArrowInvalid as error:
            if "Unrecognized filesystem" not in str(error):
                raise InvalidArgumentError(f"{name}: {error}") from error
        except pyarrow.ArrowNotImplementedError as error:
            raise UnsupportedError(f"{name}: {error}") from error
        except OSError as error:
            if not _NO_HADOOP.search(str(error)):
                raise
            raise UnsupportedError(
                f"{name}: hdfs: needs Java and Hadoop's libhdfs.so; set JAVA_HOME, HADOOP_HOME and "
                "CLASSPATH=$(hadoop classpath --glob), and ARROW_LIBHDFS_DIR if the library is in another folder; or "
                "use webhdfs:, which needs neither"
            ) from error
        return other_stores.file_system_of(uri, name)


class StoredFile:
    """A file of a run, which must stay what it was when it was first opened."""

    def __init__(self, uri: str, label: str, file_system: Any, path: str, size_bytes: int) -> None:
        self.uri = uri  #: for messages: path or URI, without what follows a question mark
        self.label = label  #: its name, or its path below the folder that was given
        self.path = path  #: in its file system
        self.size_bytes = size_bytes
        self._file_system = file_system
        self._modified: int | None = None

    def open(self) -> Any:
        """A pyarrow.NativeFile. Raises if the file has changed."""
        with errors_of(self.uri):
            self.check()
            return self._file_system.open_input_file(_name_for(self._file_system, self.path))

    def check(self) -> int:
        """The time of the last change, in seconds. Raises if it is not the one of the first call, which is asked for
        then: lists of files in stores may have others than answers about one file."""
        with errors_of(self.uri):
            now = self._file_system.get_file_info(_name_for(self._file_system, self.path))
        if not now.is_file:
            raise NotFoundError(f"{self.uri}: no such file")
        modified = now.mtime_ns
        if modified is None:
            with errors_of(self.uri):
                modified = other_stores.changed_seconds(self._file_system, self.path) * 1_000_000_000
        if self._modified is None:
            self._modified = modified
        if (now.size, modified) != (self.size_bytes, self._modified):
            raise CorruptDataError(f"{self.uri}: has changed since the run began; repeat the run when it is complete")
        return modified // 1_000_000_000

    def stamp(self) -> str:
        """What tells the file, once it was opened, from what it was before a change: its size, and in a store the time
        of the last change. Machines may have copies with times of their own."""
        return str(self.size_bytes) if self._file_system.type_name == "local" else f"{self.size_bytes} {self._modified}"

    def version(self) -> str:
        """Its size and the time of the last change, once it was opened; empty if the store does not tell the time."""
        return f"{self.size_bytes} {self._modified}" if self._modified else ""

    def identity(self) -> str:
        """What tells the file from others of its name, and from what it was before a change."""
        self.check()
        return f"{self.uri} {self.label} {self.size_bytes} {self._modified}"


def list_files(given: str, is_wanted: Callable[[str], bool]) -> list[StoredFile]:
    """The files that a path or URI names, by name: itself, those below a folder that are wanted, or for a URI with `*`
    or `[`, those that match and are wanted. Names that begin with a dot or an underscore are left out of folders, and
    so are the work folders of runs, which have copies of their inputs."""
    base, _, query = given.partition("?") if is_remote(given) else (given, "", "")
    is_pattern = is_remote(given) and re.search(r"[*\[]", base) is not None
    root = re.split(r"[*\[]", base)[0].rpartition("/")[0] if is_pattern else base.rstrip("/")
    file_system, path = file_system_of(root + (f"?{query}" if query else ""))
    path = path.rstrip("/")
    base, root = shown(base), shown(root)
    pyarrow = arrow()
    with errors_of(base):
        info = file_system.get_file_info(_name_for(file_system, path))
        if info.is_file and not is_pattern:
            return [StoredFile(base, posixpath.basename(path), file_system, path, info.size)]
        if info.type == pyarrow.fs.FileType.NotFound and not is_pattern:
            raise NotFoundError(f"{base}: no such file" + (" or folder" if is_remote(given) else ""))
        if file_system.type_name != "local":
            listed = list(_files_of_store(file_system, path, is_pattern))
        else:
            listed = list(_files_here(path)) if info.type == pyarrow.fs.FileType.Directory else []
    below = len(path) + 1
    # Not by their names, which folders of records may have, too.
    markers = (name for name, _ in listed if posixpath.basename(name) == WORK_FOLDER_MARKER)
    work_folders = {posixpath.dirname(name) for name in markers} - {path}
    found = []
    for name, size_bytes in sorted(listed, key=lambda file: file[0].encode("utf-8", "surrogateescape")):
        label = name[below:]
        uri = f"{root}/{label}"
        if any(part.startswith((".", "_")) for part in label.split("/")):
            continue
        if not work_folders.isdisjoint(map(str, pathlib.PurePosixPath(name).parents)):
            continue
        if is_wanted(label) and (not is_pattern or _matches(uri, base)):
            found.append(StoredFile(uri, label, file_system, name, size_bytes))
    if not found:
        raise NotFoundError(f"{base}: no file " + ("matches" if is_pattern else "of a known kind in the folder"))
    if is_pattern and len({posixpath.basename(file.label) for file in found}) == len(found):
        for file in found:
            file.label = posixpath.basename(file.label)
    return found


def _name_for(file_system: Any, path: str) -> str | bytes:
    """The path for pyarrow, which takes text for UTF-8; a name on this machine may be no UTF-8."""
    return os.fsencode(path) if file_system.type_name == "local" else path


def _files_here(folder: str) -> Iterator[tuple[str, int]]:
    """The files below a folder of this machine with their sizes. Links to files count as these, and those to folders
    are not followed, because they can form cycles: as the core reads a folder."""

    def fail(error: OSError) -> None:
        raise error

    for place, _, names in os.walk(folder, onerror=fail):
        for name in names:
            path = os.path.join(place, name)
            with contextlib.suppress(FileNotFoundError):  # a link to nothing
                facts = os.stat(path)
                if stat.S_ISREG(facts.st_mode):
                    yield path, facts.st_size


def _files_of_store(file_system: Any, folder: str, may_miss: bool) -> Iterator[tuple[str, int]]:
    selector = arrow().fs.FileSelector(folder, recursive=True, allow_not_found=may_miss)
    return ((info.path, info.size) for info in file_system.get_file_info(selector) if info.is_file)


def _matches(uri: str, pattern: str) -> bool:
    """As in a shell: a star does not match a slash."""
    parts, patterns = uri.split("/"), pattern.split("/")
    return len(parts) == len(patterns) and all(map(fnmatch.fnmatchcase, parts, patterns))


# ----------------------------------------------------------------------------------------------------------------------


def fetch(file: StoredFile, target: pathlib.Path) -> None:
    """Copies the file to this machine, where it appears as a whole, with the time of the original. Does nothing if it
    has been fetched before."""
    modified = file.check()
    if target.exists() and (target.stat().st_size, int(target.stat().st_mtime)) == (file.size_bytes, modified):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(partial_name(target.name))
    with errors_of(file.uri), contextlib.ExitStack() as stack:
        source = stack.enter_context(file.open())
        output = stack.enter_context(open(partial, "wb"))
        shutil.copyfileobj(source, output, PIECE_BYTES)
        if output.tell() != file.size_bytes:
            raise CorruptDataError(f"{file.uri}: {output.tell()} of {file.size_bytes} bytes came")
    file.check()
    os.utime(partial, (modified, modified))
    with errors_of(str(target)):
        replace_durably(partial, target)


# ----------------------------------------------------------------------------------------------------------------------


def appears_when_closed(file_system: Any) -> bool:
    """Whether a file is not there before it is complete, as in object stores; renaming it would copy it there."""
    return file_system.type_name not in ("local", "hdfs") and not other_stores.has_renaming(file_system)


def partial_name(name: str) -> str:
    """The name of a file until it is complete. As in the core, one without room for the suffix gets a short one."""
    if len(os.fsencode(name + PARTIAL)) <= _NAME_BYTES_MAXIMUM:
        return name + PARTIAL
    return hashlib.sha256(os.fsencode(name)).hexdigest()[:16] + PARTIAL


@contextlib.contextmanager
def whole_file(file_system: Any, path: str, attempt: str = "") -> Iterator[str]:
    """The name to write the file under, so that a reader finds it complete, as it was before, or not at all. Object
    stores do that themselves: a file of theirs appears when it is closed. Writers of one file that may meet each have
    an `attempt` of their own; the last one of them is right."""
    if appears_when_closed(file_system):
        yield path
        return
    folder, name = posixpath.split(path)
    partial = posixpath.join(folder, partial_name(f"{name}.{attempt}" if attempt else name))
    try:
        yield partial
        if file_system.type_name == "local":
            replace_durably(partial, path)
        else:
            _replace(file_system, partial, path)
    except BaseException:
        with contextlib.suppress(OSError):
            file_system.delete_file(partial)
        raise


def _replace(file_system: Any, partial: str, path: str) -> None:
    """Renames where the new name must not exist, as on HDFS, also if another writer renames to it meanwhile."""
    for is_last in (False, True):
        if file_system.get_file_info(path).is_file:
            with contextlib.suppress(FileNotFoundError):
                file_system.delete_file(path)
        try:
            other_stores.rename(file_system, partial, path)
            return
        except OSError:
            if is_last or not file_system.get_file_info(path).is_file:
                raise


def publish(source: str, file_system: Any, path: str) -> None:
    """Copies a local file, so that it appears as a whole."""
    with whole_file(file_system, path) as name:
        arrow().fs.copy_files(source, name, destination_filesystem=file_system)
