"""The result of a run over a collection, whose files it reads on demand."""

from __future__ import annotations

import codecs
import html as html_module
import json
import pathlib
from collections import Counter
from typing import Any, Iterator, Mapping, NamedTuple


def _replaced_bytes(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "\ufffd" * (error.end - error.start), error.end


#: One U+FFFD for each byte that is no UTF-8, as in the JSON of the core: otherwise a page would have different ids in
#: files of JSON and in those that have the id as it is.
_REPLACING = "paraprint-replace"
codecs.register_error(_REPLACING, _replaced_bytes)


class ScoredPair(NamedTuple):
    """A row of matches.tsv, with id_a < id_b, read as "a is VERDICT b"."""

    id_a: str
    id_b: str
    score: float
    verdict: str


def _unescaped(name: str) -> str:
    if "\\" not in name:
        return name
    parts = name.split("\\\\")
    return "\\".join(part.replace("\\t", "\t").replace("\\n", "\n").replace("\\r", "\r") for part in parts)


class DedupResult:
    """The result of dedup(). Properties read the files in `folder` on demand.

    `pages`, `pages_kept`, `pages_removed` and the other counts are those that the program prints. Of an index,
    `known_replaced` counts its pages that got another text, and `pages_not_indexed` the kept pages that it cannot take.
    `skipped` counts rows that were not pages, by reason ("null", "too-large", "not-utf8", "duplicate-id", "wrong-type",
    "broken-row", "long-id").
    `ignored_pairs` says how many pairs of `never` and `always` are of pages that are not in the run, in a line for each
    file. `kept` contains the surviving rows of a table in the form of the input, and `outputs` the files written for
    files of rows: URIs if `out` is one.
    """

    def __init__(self, folder: pathlib.Path, outcome: Mapping[str, Any], keep_alive: Any = None) -> None:
        self.folder = folder
        self.pages: int = outcome["pages"]
        self.pages_kept: int = outcome["pages_kept"]
        self.pages_removed: int = outcome["pages_removed"]
        self.pages_known: int = outcome["pages_known"]
        self.known_replaced: int = outcome["known_replaced"]
        self.pages_not_indexed: int = outcome["pages_not_indexed"]
        self.pages_in_other_languages: int = outcome["pages_in_other_languages"]
        self.pages_empty: int = outcome["pages_empty"]
        self.cluster_count: int = outcome["cluster_count"]
        self.match_count: int = outcome["match_count"]
        self.broken_records: int = outcome["broken_records"]
        self.unreadable_inputs: int = outcome["unreadable_inputs"]
        self.ignored_pairs: list[str] = outcome["ignored_pairs"]
        self.memory_peak_bytes: int = outcome["memory_peak_bytes"]
        self.report_path: str = outcome["report_path"]
        self.skipped: dict[str, int] = {}
        self.kept: Any = None
        self.outputs: list[Any] = []
        self._keep_alive = keep_alive

    def _lines(self, name: str) -> Iterator[str]:
        with open(self.folder / name, encoding="utf-8", errors=_REPLACING, newline="\n") as lines:
            for line in lines:
                yield line.rstrip("\n")

    def _clustered(self) -> Iterator[tuple[str, int]]:
        """Every page with the number of its cluster, also if ids that are not UTF-8 read the same."""
        rows = (line.split("\t") for line in self._lines("clusters.tsv"))
        return ((_unescaped(name), int(cluster)) for name, cluster in rows)

    @property
    def cluster_of(self) -> dict[str, int]:
        """The cluster number of every page."""
        return dict(self._clustered())

    @property
    def clusters(self) -> list[list[str]]:
        """Clusters of two or more pages, each sorted, in the order of their first page."""
        members: dict[int, list[str]] = {}
        for name, cluster in self._clustered():
            members.setdefault(cluster, []).append(name)
        return [names for names in members.values() if len(names) > 1]

    @property
    def matches(self) -> list[ScoredPair]:
        """Every verified pair."""
        rows = (line.split("\t") for line in self._lines("matches.tsv"))
        return [ScoredPair(_unescaped(a), _unescaped(b), float(score), verdict) for a, b, score, verdict in rows]

    def evidence(self) -> Iterator[dict[str, Any]]:
        """The rows of matches.jsonl: pairs with their matched passages. Needs evidence=True."""
        return map(json.loads, self._lines("matches.jsonl"))

    def iterate_removed(self) -> Iterator[dict[str, Any]]:
        """The rows of removed.jsonl: each removed page, the page kept instead, and why."""
        return map(json.loads, self._lines("removed.jsonl"))

    def trimmed(self) -> Iterator[dict[str, Any]]:
        """The rows of trimmed.jsonl: passages that were taken out of pages that stay. Needs trim=True."""
        return map(json.loads, self._lines("trimmed.jsonl"))

    def provenance(self) -> Iterator[dict[str, Any]]:
        """The rows of provenance.jsonl: which page each one of a cluster was copied from. Needs provenance=True."""
        return map(json.loads, self._lines("provenance.jsonl"))

    def annotations(self) -> Iterator[dict[str, Any]]:
        """The rows of annotations.jsonl: what was decided about each page. Needs annotate=True."""
        return map(json.loads, self._lines("annotations.jsonl"))

    @property
    def removed(self) -> list[dict[str, Any]]:
        return list(self.iterate_removed())

    @property
    def survivors(self) -> list[str]:
        """Ids of the pages kept, sorted."""
        removed = Counter(row["id"] for row in self.iterate_removed())
        kept = []
        for name, _ in self._clustered():
            if removed[name] > 0:
                removed[name] -= 1
            else:
                kept.append(name)
        return kept

    @property
    def summary(self) -> dict[str, Any]:
        """summary.json: every counter, every setting, the broken records."""
        return dict(json.loads((self.folder / "summary.json").read_text(encoding="utf-8")))

    def __repr__(self) -> str:
        text = (
            f"<paraprint.DedupResult of {self.pages} pages: {self.pages_kept} kept, {self.pages_removed} removed; "
            f"{self.cluster_count} clusters, {self.match_count} matching pairs"
        )
        if self.skipped:
            text += "; skipped rows: " + ", ".join(f"{count} {reason}" for reason, count in self.skipped.items())
        return text + ">"

    def _repr_html_(self) -> str:
        shown = [row for _, row in zip(range(20), self.iterate_removed())]
        texts = [[str(row.get(key, "")) for key in _SHOWN] for row in shown]
        cells = ["".join(f"<td>{html_module.escape(text)}</td>" for text in row) for row in texts]
        rows = "".join(f"<tr>{row}</tr>" for row in cells)
        heads = "".join(f"<th>{html_module.escape(key)}</th>" for key in _SHOWN)
        more = f"<p>and {self.pages_removed - len(shown)} more</p>" if self.pages_removed > len(shown) else ""
        return f"<p>{html_module.escape(repr(self))}</p><table><tr>{heads}</tr>{rows}</table>{more}"


_SHOWN = ("id", "verdict", "kept_id", "resemblance", "reason")
