"""Shows how far a call has got: as bars of tqdm if it is installed, otherwise in a line on standard error."""

from __future__ import annotations

import sys
from typing import Any, Callable, Union

#: Called with the stage, the units done, their total (0 if unknown), the name of the unit, whether the stage is done.
Progress = Callable[[str, int, int, str, bool], None]


def progress_of(wanted: Union[Progress, bool, None]) -> Progress | None:
    """`wanted` if it is a function, a display for True and none for False. None decides by whether a person can see it:
    in a terminal or a notebook."""
    if callable(wanted):
        return wanted
    if wanted is None:
        wanted = _is_notebook() or (sys.stderr is not None and sys.stderr.isatty())
    if not wanted:
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line()
    return _Bars(tqdm)


def _is_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


class _Bars:
    """A bar per stage, which stays when the stage is done."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._stage = ""
        self._bar: Any = None

    def __call__(self, stage: str, done: int, total: int, unit: str, is_finished: bool) -> None:
        if self._bar is None or stage != self._stage:
            if self._bar is not None:
                self._bar.close()
            self._stage = stage
            self._bar = self._tqdm(desc=stage, total=total or None, unit=f" {unit}", unit_scale=True)
        self._bar.total = total or None
        self._bar.update(done - self._bar.n)
        if is_finished:
            self._bar.close()
            self._bar = None


class _Line:
    """A line that is written over, ended when a stage is."""

    def __init__(self) -> None:
        self._length = 0

    def __call__(self, stage: str, done: int, total: int, unit: str, is_finished: bool) -> None:
        share = f" ({100 * done // total} %)" if total else ""
        line = f"{stage}: {done:,} {unit}{share}"
        print("\r" + line.ljust(self._length), end="\n" if is_finished else "", file=sys.stderr, flush=True)
        self._length = 0 if is_finished else len(line)
