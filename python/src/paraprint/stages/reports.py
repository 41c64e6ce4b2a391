"""What the report of a task may say. Later steps take the names of files, places and counts from it, so that a damaged
or forged one must not lead them elsewhere."""

from __future__ import annotations

import collections
import re
from typing import Any

#: Those of known pages.
KNOWN_TABLES = ("texts", "exact", "near", "sketch", "templates")

# Names of files and attempts.
_FILE = re.compile(r"(part-[0-9A-Za-z]+(\.parquet)?)?")
_ATTEMPT = re.compile(r"[0-9a-f]{32}")

# Of a run.
_BROKEN_DESCRIBED = 100

_FILES = ("file", "outcome", "survivors")
_NUMBERS = ("share", "skipped_rows")
_LISTS_OF_NUMBERS = ("unreadable", "with_revisits")


def is_file_name(name: Any) -> bool:
    """Whether a file of a stage may have the name. It is empty if there is none."""
    return isinstance(name, str) and _FILE.fullmatch(name) is not None


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def checked_report(report: Any) -> dict[str, Any]:
    """The same report. Raises what the members of a wrong one lead to: a ValueError, TypeError, AttributeError or
    LookupError."""
    _check(isinstance(report, dict), "report")
    for name in _FILES:
        _check(is_file_name(report.get(name, "")), name)
    for name in _NUMBERS:
        _check(is_number(report.get(name, 0)), name)
    for name in _LISTS_OF_NUMBERS:
        _check(all(map(is_number, report.get(name, []))), name)
    _check(all(len(rows) == 5 and all(map(is_number, rows)) for rows in report.get("inputs", [])), "inputs")
    for index, stamp in report.get("stamps", []):
        _check(is_number(index) and isinstance(stamp, str), "stamps")
    for kind, partition in report.get("parcels", []):
        _check(isinstance(kind, str) and is_number(partition) and report["file"] != "", "parcels")
    _check(all(map(is_number, report.get("counters", {}).values())), "counters")
    for sampled in report.get("ids", []):
        bytes.fromhex(sampled)
    for attempt, paths in report.get("attempts", []):
        _check(_ATTEMPT.fullmatch(attempt) is not None and all(map(_is_below, paths)), "attempts")
    for file, size, checksum in report.get("parts", {}).values():
        _check(is_file_name(file) and is_number(size) and is_number(checksum), "parts")
    for table, files in report.get("known", {}).items():
        check_known_files(table, files)
    return dict(report)


def records_read(reports: list[dict[str, Any]]) -> tuple[dict[str, int], list[str]]:
    """What profiling tasks counted, added up, and the broken records that they describe, in the order of the input."""
    counters: collections.Counter[str] = collections.Counter()
    broken: list[str] = []
    for report in sorted(reports, key=lambda report: list(report["inputs"][:1])):
        counters.update(report["counters"])
        broken += report.get("broken", [])
        if skipped := report.get("skipped_rows"):
            counters["rows_skipped"] += skipped
    return dict(sorted(counters.items())), broken[:_BROKEN_DESCRIBED]


def check_known_files(table: str, files: list[Any]) -> None:
    """Raises as above unless these may be the files of a table of known pages, with their first and last keys."""
    _check(table in KNOWN_TABLES, f"table {table!r}")
    for file, first, last in files:
        _check(is_file_name(file) and file != "" and is_number(first) and is_number(last), f"file {file!r}")


def _is_below(path: str) -> bool:
    """Whether the path of a file leads to a place below a folder."""
    return not path.startswith("/") and not {"", ".", ".."} & set(path.split("/"))


def _check(is_right: bool, member: str) -> None:
    if not is_right:
        raise ValueError(member)
