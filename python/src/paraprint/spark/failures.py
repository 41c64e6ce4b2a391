"""What went wrong on an executor, in its own words: Spark gives it to the driver within its own and those of Java."""

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
    """Failures of Spark's jobs as exceptions of this package that name the stage and the cause."""
    try:
        yield
    except (Py4JJavaError, PySparkException) as error:
        raise error_of(stage, str(error)) from error


def error_of(stage: str, said: str) -> errors.Error:
    """The exception for what Spark said: of the kind that the task raised where that was one of ours."""
    _, _, traceback = _JAVA_STACK.split(said)[0].partition(_TRACEBACK)
    if found := list(_OURS.finditer(traceback)):
        kind = getattr(errors, found[-1][1], errors.Error)
        return kind(f"stage {stage}: {traceback[found[-1].end():].rstrip()}")
    if traceback:
        # Lines of a traceback are indented, but for what was raised.
        raised = [line for line in traceback.splitlines() if line and not line.startswith(" ")]
        return errors.Error(f"stage {stage}: a task failed: {raised[-1] if raised else traceback.strip()}")
    told = _OF_SPARK.search(said)
    reason = (told[1] or told[2]) if told else said.strip().partition("\n")[0]
    return errors.Error(f"stage {stage}: {reason}")
