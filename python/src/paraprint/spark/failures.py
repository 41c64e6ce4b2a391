"""Extracts the error of a failed task from the messages in which Spark and Java wrap it for the driver."""

from __future__ import annotations

import contextlib
import re
from typing import Iterator

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from .. import errors

_TRACEBACK = "Traceback (most recent call last):\n"
_JAVA_STACK = re.compile(r"\n\s*\tat ")
_OURS = re.compile(r"^paraprint\.errors\.(\w+): ", re.MULTILINE)
_OF_SPARK = re.compile(r".*most recent failure: (.+)|Exception: (.+)")


@contextlib.contextmanager
def named(stage: str) -> Iterator[None]:
    """Turns failures of Spark jobs into exceptions of this package that name stage and cause."""
    try:
        yield
    except (Py4JJavaError, PySparkException) as error:
        raise error_of(stage, str(error)) from error


def error_of(stage: str, said: str) -> errors.Error:
    """The exception for a message of Spark: the class that the task raised if it is one of ours, else Error."""
    _, _, traceback = _JAVA_STACK.split(said)[0].partition(_TRACEBACK)
    if found := list(_OURS.finditer(traceback)):
        kind = getattr(errors, found[-1][1], errors.Error)
        return kind(f"stage {stage}: {traceback[found[-1].end():].rstrip()}")
    if traceback:
        # All lines of a traceback are indented except that of the exception.
        raised = [line for line in traceback.splitlines() if line and not line.startswith(" ")]
        return errors.Error(f"stage {stage}: a task failed: {raised[-1] if raised else traceback.strip()}")
    told = _OF_SPARK.search(said)
    reason = (told[1] or told[2]) if told else said.strip().partition("\n")[0]
    return errors.Error(f"stage {stage}: {reason}")
