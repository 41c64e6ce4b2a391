"""What the package raises: `Error`, which also is the built-in exception that fits.

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
    """Base of all errors of the package. The words are those of the command line."""

    code = "error"


class InvalidArgumentError(Error, ValueError):
    """An option or a call that can't be honoured; the message says what is allowed."""

    code = "invalid-argument"


class NotFoundError(Error, FileNotFoundError):
    """A file or a record that is not there."""

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
    """A named limit was passed; the message names it."""

    code = "limit-exceeded"


class UnsupportedError(Error, ValueError):
    """Understood, but not something this build can do."""

    code = "unsupported"


class CancelledError(Error):
    """Asked to stop."""

    code = "cancelled"


_BY_CODE = {kind.code: kind for kind in Error.__subclasses__()}


def error_of(code: str, message: str) -> Error:
    """The exception of an error of the core: called by paraprint._core."""
    return _BY_CODE.get(code, Error)(message)
