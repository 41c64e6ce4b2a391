"""The lists of algorithms and presets, their evaluation on labelled pages, and that of extractors."""

from __future__ import annotations

import html as html_module
import json
import os
import pathlib
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from . import _core
from .option_types import EvaluateExtractionKeywords, EvaluateKeywords

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Parameter(NamedTuple):
    name: str
    summary: str
    default: Any
    range: tuple[Any, ...]  #: minimum and maximum, or the choices


@dataclass(frozen=True)
class Algorithm:
    """An algorithm for `algorithm=`, given as its name or as "name:parameter=value,parameter=value"."""

    name: str
    summary: str
    page: str
    index: str
    is_crawl_scale: bool
    parameters: tuple[Parameter, ...]


def algorithms() -> list[Algorithm]:
    """Returns all algorithms as `paraprint algorithms` lists them, with the default method first.

    >>> import paraprint
    >>> paraprint.algorithms()[0].name
    'paragraph'
    """
    return [
        Algorithm(name, summary, page, index, is_crawl_scale, tuple(Parameter(*row) for row in parameters))
        for name, summary, page, index, is_crawl_scale, parameters in _core.algorithms()
    ]


@dataclass(frozen=True)
class Preset:
    """A paper's system for `preset=`: options with their values as text, which other keywords override."""

    name: str
    summary: str
    source: str
    settings: dict[str, str]


def presets() -> list[Preset]:
    """Returns all presets as `paraprint algorithms --presets` lists them.

    >>> import paraprint
    >>> [preset.settings["algorithm"] for preset in paraprint.presets() if preset.name == "seed-004"]
    ['paragraph-literal:distance_bits=12']
    """
    return [Preset(**row) for row in json.loads(_core.presets_json())]


@dataclass(frozen=True)
class Evaluation:
    """The result of evaluate(): `table` for people, `results` for programs (results.json in docs/evaluation.md; of a
    drawn sample, its head)."""

    table: str
    results: dict[str, Any]
    folder: pathlib.Path | None  #: with results.json, results.csv and the report; None without `out`
    report_path: str

    def __str__(self) -> str:
        return self.table

    def _repr_html_(self) -> str:
        return f"<pre>{html_module.escape(self.table)}</pre>"


def evaluate(
    *sets: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    progress: Callable[[str, int, int, str, bool], None] | None = None,
    **options: Unpack[EvaluateKeywords],
) -> Evaluation:
    """Scores algorithms on labelled sets of pages. Options are those of `paraprint eval`.

    `paraprint.evaluate("neardup/zh-laws", algorithms=["paragraph", "seed-004"], idf="corpus", bootstrap=200)`

    For pages without labels, `sample=200` with `pages` and `out` draws pairs to be judged, into `out`/sample.jsonl, and
    `judgements=["sample.jsonl"]` estimates precision and recall from them.
    """
    names = [os.fspath(path) for path in sets]
    if out is None:
        with tempfile.TemporaryDirectory(prefix="paraprint-") as folder:
            return _evaluate(names, pathlib.Path(folder), None, progress, dict(options))
    return _evaluate(names, pathlib.Path(os.fspath(out)), pathlib.Path(os.fspath(out)), progress, dict(options))


def _evaluate(
    names: list[str], written: pathlib.Path, kept: pathlib.Path | None, progress: Any, options: dict[str, Any]
) -> Evaluation:
    is_sample = bool(options.get("sample")) and not options.get("judgements")
    if is_sample and kept is None:
        raise ValueError("a sample needs `out`, the folder for the pairs to be judged")
    table, report_path = _core.evaluate(names, progress, {**options, "out": str(written)})
    if is_sample:
        with (written / "sample.jsonl").open(encoding="utf-8") as lines:
            results = json.loads(next(lines))
    else:
        results = json.loads((written / "results.json").read_text(encoding="utf-8"))
    return Evaluation(table, results, kept, report_path if kept is not None else "")


@dataclass(frozen=True)
class ExtractionEvaluation(Evaluation):
    """The result of evaluate_extraction(); `warnings` names the lines that could not be used."""

    warnings: tuple[str, ...] = ()


def evaluate_extraction(
    *gold: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    progress: Callable[[str, int, int, str, bool], None] | None = None,
    **options: Unpack[EvaluateExtractionKeywords],
) -> ExtractionEvaluation:
    """Scores extractors on pages whose main content is known. Options are those of `paraprint eval-extract`.

    `paraprint.evaluate_extraction("gold.jsonl.gz", extractor=["learned-dom", "whole-page"])`
    """
    keywords: dict[str, Any] = dict(options)
    if out is not None:
        keywords["out"] = os.fspath(out)
    table, results, report_path, warnings = _core.evaluate_extraction(
        [os.fspath(path) for path in gold], progress, keywords
    )
    kept = None if out is None else pathlib.Path(os.fspath(out))
    return ExtractionEvaluation(table, json.loads(results), kept, report_path, tuple(warnings))
