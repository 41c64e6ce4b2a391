"""Finds the items of benchmarks in a corpus: questions and passages that a model must not have seen."""

from __future__ import annotations

import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence, Union

from . import contaminated_rows
from .option_types import ContaminatedKeywords
from .pages import input_paths
from .progress import Progress
from .run_output import RunOutput
from .tables import is_raising

if TYPE_CHECKING:
    from typing_extensions import Unpack

Path = Union[str, "os.PathLike[str]"]

_VERDICTS = ("exact", "whole", "part")


class ContaminationResult:
    """The result of contaminated(). Methods read the files in `folder` on demand.

    The counts are those that the program prints. `documents_exact` hold an item word for word, `documents_whole` are
    the others that hold one with edits, `documents_part` the others that hold a part of one. `items_found` were found
    exactly or as a whole, `items_found_part` only in part, and `items_too_short` were not looked for. `common_finds`
    are parts that are not among the finds, because more than `passage_documents` documents have these passages.
    `report_path` is empty without a report. `skipped` counts the rows of tables that could not be read, by reason
    (docs/python.md), and `outputs` has the files written for a corpus of tables with `records`: URIs if `out` is one.
    """

    def __init__(self, folder: pathlib.Path, outcome: Mapping[str, int], has_report: bool, keep_alive: Any) -> None:
        self.folder = folder
        self.documents = outcome["documents"]
        self.documents_exact = outcome["documents_exact"]
        self.documents_whole = outcome["documents_whole"]
        self.documents_part = outcome["documents_part"]
        self.items = outcome["items"]
        self.items_too_short = outcome["items_too_short"]
        self.items_found = outcome["items_found"]
        self.items_found_part = outcome["items_found_part"]
        self.common_finds = outcome["common_finds"]
        self.broken_records = outcome["broken_records"]
        self.unreadable_inputs = outcome["unreadable_inputs"]
        self.report_path = str(folder / "report.html") if has_report else ""
        self.skipped: dict[str, int] = {}
        self.outputs: list[Any] = []
        self._keep_alive = keep_alive

    def _rows(self, name: str) -> Iterator[dict[str, Any]]:
        with open(self.folder / name, encoding="utf-8", errors="replace", newline="\n") as lines:
            for line in lines:
                yield json.loads(line)

    def iterate_finds(self) -> Iterator[dict[str, Any]]:
        """The rows of contaminated.jsonl: each document with each item that it holds, and where."""
        return self._rows("contaminated.jsonl")

    @property
    def finds(self) -> list[dict[str, Any]]:
        return list(self.iterate_finds())

    def iterate_items(self) -> Iterator[dict[str, Any]]:
        """The rows of items.jsonl: each item, and how many documents hold it."""
        return self._rows("items.jsonl")

    @property
    def verdict_of(self) -> dict[str, str]:
        """The best verdict ("exact", "whole" or "part") of each document that holds something, by its id."""
        best: dict[str, str] = {}
        for row in self.iterate_finds():
            known = best.get(row["id"], row["verdict"])
            best[row["id"]] = min(known, row["verdict"], key=_VERDICTS.index)
        return best

    @property
    def summary(self) -> dict[str, Any]:
        """summary.json: every counter, every setting, the broken records."""
        return dict(json.loads((self.folder / "summary.json").read_text(encoding="utf-8")))

    def __repr__(self) -> str:
        return (
            f"<paraprint.ContaminationResult of {self.documents} documents: {self.documents_exact} exact, "
            f"{self.documents_whole} whole, {self.documents_part} part; {self.items} items: {self.items_found} found, "
            f"{self.items_found_part} in part, {self.items_too_short} too short>"
        )


def contaminated(
    corpus: Path | Sequence[Path],
    against: Path | Sequence[Path],
    out: Path | None = None,
    *,
    on_error: str = "raise",
    content_type_field: str = "",
    progress: Progress | None = None,
    **options: Unpack[ContaminatedKeywords],
) -> ContaminationResult:
    """Finds which documents of a corpus hold items of benchmarks, word for word, with edits or in part.

    `paraprint.contaminated("corpus/", ["gsm8k.jsonl", "mmlu.jsonl"], "found", item_fields="question,choices")`

    `corpus` and `against` are a path or paths, as for `paraprint contaminated`, whose options are taken as keywords.
    Parquet, Arrow and CSV files are read as by dedup(), the corpus from the columns `html_field` and `text_field`, and
    the benchmarks from those of `item_fields`; their names may be URIs. `on_error="skip"` leaves out and counts the
    rows that are not pages.

    `out` is the folder for the files described in docs/algorithms/contamination.md, or its URI. Without it they go to a
    temporary folder that is deleted with the result, without a report.
    """
    raises = is_raising(on_error)
    given: dict[str, Any] = dict(options)
    if out is None:
        given = {"report": False, **given}
    output = RunOutput(out, os.fspath(given.get("tmp") or ""))
    run = contaminated_rows.Run(output, progress, raises, content_type_field, given)
    with output:
        outcome = run.find(_paths(corpus), _paths(against))
        result = ContaminationResult(output.folder, outcome, given.get("report") is not False, output.temporary)
        result.skipped, result.outputs = dict(sorted(run.skipped.items())), run.outputs
        output.publish(result, progress)
    return result


def _paths(given: Path | Sequence[Path]) -> list[str]:
    return input_paths([given] if isinstance(given, (str, os.PathLike)) else given)
