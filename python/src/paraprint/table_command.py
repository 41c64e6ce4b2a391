"""What the command `paraprint` becomes for inputs that this package reads: files of rows, and files in object stores.

The program has parsed the command line, and passes on what it was given. Messages, progress and exit codes are those of
the program. A row that is not a page is counted and left out, as a broken record of an archive is.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import Any

from . import _core
from .contamination import ContaminationResult, contaminated
from .dedup_result import DedupResult
from .deduplication import dedup
from .errors import AccessDeniedError, CancelledError, Error, InvalidArgumentError, NoSpaceError, NotFoundError
from .errors import UnsupportedError
from .stores import shown

#: Exit codes of the program.
DONE, FAILED, USAGE, UNREADABLE_INPUT, NO_SPACE, INTERRUPTED = range(6)
_LINE_INTERVAL_SECONDS = 10
_SIGNAL_PATIENCE_SECONDS = 10


def main(file: int) -> int:
    """`file` is open and has "name\\0value\\0..."."""
    with open(file, "rb") as arguments:
        words = [os.fsdecode(word) for word in arguments.read().split(b"\0")[:-1]]
    given = list(zip(words[::2], words[1::2]))
    lists = {name: [value for of, value in given if of == name] for name in ("input", "against")}
    others = dict(pair for pair in given if pair[0] not in lists)
    command = others.pop("command")
    is_quiet = others.pop("quiet", "") == "true"
    switches = {row[0] for row in _core.options(command) if row[1] == "switch"}
    options: dict[str, Any] = {name: value == "true" if name in switches else value for name, value in others.items()}
    options.update(on_error="skip", progress=None if is_quiet else ProgressLines())
    _heed_signals()
    result: DedupResult | ContaminationResult
    try:
        if command == "contaminated":
            result = contaminated(lists["input"], lists["against"], **options)
        else:
            result = dedup(lists["input"], **options)
    except KeyboardInterrupt:
        again = "resume" if command == "dedup" else "start again"
        print(f"paraprint: stopped; repeat the command to {again}", file=sys.stderr)
        return INTERRUPTED
    except Error as error:
        return report(error)
    if not is_quiet:
        lines = found_lines(result) if isinstance(result, ContaminationResult) else result_lines(result, others)
        report_result(lines, result, shown(others["out"]))
    return UNREADABLE_INPUT if result.unreadable_inputs > 0 else DONE


def _heed_signals() -> None:
    """SIGTERM is like Ctrl-C. Either ends the process even if Python's handlers do not run, because a call waits for a
    store that does not answer: after ten seconds. Everything written so far is kept, as after a kill."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)

    def end() -> None:
        os.read(reader, 1)
        time.sleep(_SIGNAL_PATIENCE_SECONDS)
        os._exit(INTERRUPTED)

    threading.Thread(target=end, daemon=True).start()


def report(error: Error) -> int:
    print(f"paraprint: {printable(str(error))}", file=sys.stderr)
    if isinstance(error, (InvalidArgumentError, NotFoundError, UnsupportedError)):
        return USAGE
    if isinstance(error, NoSpaceError):
        print("paraprint: nothing already written is lost; free some space and run the same command again",
              file=sys.stderr)
        return NO_SPACE
    if isinstance(error, AccessDeniedError):
        print("paraprint: check the permissions of the file or folder, or the credentials of the store",
              file=sys.stderr)
    return INTERRUPTED if isinstance(error, CancelledError) else FAILED


def found_lines(result: ContaminationResult) -> list[str]:
    return [
        f"{result.documents} documents: {result.documents_exact} hold an item word for word, {result.documents_whole} "
        f"with edits, {result.documents_part} in part",
        f"{result.items} items: {result.items_found + result.items_found_part} found, {result.items_found_part} of "
        f"them in part; {result.items_too_short} are too short to be looked for",
    ]


def result_lines(result: DedupResult, options: dict[str, str]) -> list[str]:
    removed = "would be removed" if options.get("annotate") == "true" else "removed"
    lines = [f"{result.pages} pages: {result.pages_kept} kept, {result.pages_removed} {removed}; "
             f"{result.cluster_count} clusters, {result.match_count} matching pairs"]
    if result.pages_known > 0:
        lines.append(f"{result.pages_known} of the removed pages were known from earlier crawls")
    if result.known_replaced > 0:
        lines.append(f"{result.known_replaced} known pages were replaced by kept pages with their ids and another text")
    if result.pages_not_indexed > 0:
        lines.append(f"{result.pages_not_indexed} of the kept pages are not in the index, which cannot take them")
    if result.pages_in_other_languages > 0:
        lines.append(f"{result.pages_in_other_languages} of the removed pages are in other languages than "
                     f"{options['languages'].replace(',', ', ')}")
    if result.pages_empty > 0:
        lines.append(f"{result.pages_empty} of the kept pages have no text to compare")
    return lines + result.ignored_pairs


def report_result(lines: list[str], result: DedupResult | ContaminationResult, out: str) -> None:
    if result.skipped:
        counts = ", ".join(f"{count} {reason}" for reason, count in result.skipped.items())
        lines.append(f"{sum(result.skipped.values())} rows are no pages and were left out: {counts}")
    if result.broken_records > 0:
        lines.append(f"{result.broken_records} broken records were counted; see {out}/summary.json")
    lines.append(f"output: {out}")
    if result.report_path:
        lines.append(f"report: {result.report_path}")
    for line in lines:
        print(printable(line), file=sys.stderr)


def printable(text: str) -> str:
    """Messages quote names that strangers may have chosen: control characters are escaped."""
    return "".join(
        character if character.isprintable() or character in "\n\t" else character.encode("unicode_escape").decode()
        for character in text.encode("utf-8", "backslashreplace").decode()
    )


def print_path(path: str | os.PathLike[str]) -> None:
    """Prints a line to standard output: for a terminal as above, and for a program with the bytes of the path."""
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None or sys.stdout.isatty():
        encoding = sys.stdout.encoding or "utf-8"
        print(printable(os.fspath(path)).encode(encoding, "backslashreplace").decode(encoding))
        return
    sys.stdout.flush()
    binary.write(os.fsencode(path) + b"\n")
    binary.flush()


class ProgressLines:
    """The program's lines of progress: a line that is written over in a terminal, otherwise one every ten seconds."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._stage = ""
        self._first_done = 0
        self._begin = self._last_line = 0.0

    def __call__(self, stage: str, done: int, total: int, unit: str, is_finished: bool) -> None:
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._first_done = stage, done
            self._begin = self._last_line = now
        if not (self._is_terminal or is_finished or now - self._last_line >= _LINE_INTERVAL_SECONDS):
            return
        self._last_line = now
        line = f"{stage:<10} {_amount(done, unit)}"
        if total > 0:
            line += f" of {_amount(total, unit)} ({100 * done / total:.0f} %)"
        seconds, here = now - self._begin, done - self._first_done
        if seconds >= 1 and here > 0:
            line += f", {_amount(here / seconds, unit)}/s"
            if is_finished:
                line += f", {_duration(seconds)}"
            elif total > done:
                line += f", {_duration((total - done) * seconds / here)} left"
        end = "\n" if is_finished or not self._is_terminal else ""
        print(f"\r\033[K{line}" if self._is_terminal else line, end=end, file=sys.stderr, flush=True)


def _amount(value: float, unit: str) -> str:
    if unit == "bytes":
        for size, name in ((1e9, "GB"), (1e6, "MB")):
            if value >= size:
                return f"{value / size:.1f} {name}"
        return f"{value / 1e3:.0f} kB"
    return f"{value / 1e6:.2f} M {unit}" if value >= 1e6 else f"{value:.0f} {unit}"


def _duration(seconds: float) -> str:
    whole = int(seconds + 0.5)
    if whole >= 3600:
        return f"{whole // 3600} h {whole // 60 % 60:02} min"
    return f"{whole // 60} min {whole % 60:02} s" if whole >= 60 else f"{whole} s"
