"""Exceptions of the package: subclasses of `Error` and of a matching built-in exception.

>>> import paraprint
>>> try:
...     paraprint.profile("<p>text</p>", extractor="unknown")
... except paraprint.Error as error:
...     print(error.code)
invalid-argument
>>> issubclass(paraprint.errors.NotFoundError, FileNotFoundError)
True
"""

from __future__ import annotations


class Error(Exception):
    """Base of all errors of the package. The messages are those of the command line."""

    code = "error"


class InvalidArgumentError(Error, ValueError):
    """An invalid option or call; the message says what is allowed."""

    code = "invalid-argument"


class NotFoundError(Error, FileNotFoundError):
    """A file or a record does not exist."""

    code = "not-found"


class AccessDeniedError(Error, PermissionError):
    """The system refused access."""

    code = "permission-denied"


class InputOutputError(Error, OSError):
    """A read or a write failed."""

    code = "input-output"


class NoSpaceError(Error, OSError):
    """The disk is full; nothing already written is lost."""

    code = "no-space"


class CorruptDataError(Error, ValueError):
    """Stored bytes contradict their own format or checksum."""

    code = "corrupt-data"


class LimitExceededError(Error, ValueError):
    """A limit was exceeded; the message names it."""

    code = "limit-exceeded"


class UnsupportedError(Error, ValueError):
    """Valid, but not supported by this build."""

    code = "unsupported"


class CancelledError(Error):
    """The call was asked to stop."""

    code = "cancelled"


_BY_CODE = {kind.code: kind for kind in Error.__subclasses__()}


def error_of(code: str, message: str) -> Error:
    """The exception for an error of the core; called by paraprint._core."""
    return _BY_CODE.get(code, Error)(message)
