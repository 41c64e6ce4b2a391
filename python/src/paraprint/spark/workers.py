"""What Spark's Python processes do before each task, and need not do."""

from __future__ import annotations

import functools
import sys
import zipimport
from typing import Any, Callable


def without_rescans(work: Callable[..., Any]) -> Callable[..., Any]:
    """The same function of a task, after which its process begins the next task sooner. PySpark asks Python to look for
    new modules before each task, and Python then reads the directories of all archives on its path again, that of
    Spark's own archive a dozen times: longer than most tasks take. Archives do not change while a process runs."""
    return functools.partial(_run, work)


def _run(work: Callable[..., Any], *arguments: Any) -> Any:
    for importer in sys.path_importer_cache.values():
        if isinstance(importer, zipimport.zipimporter):
            importer.invalidate_caches = _keep  # type: ignore[method-assign]
    return work(*arguments)


def _keep() -> None:
    """In place of reading an archive again."""
