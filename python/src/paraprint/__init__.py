"""Near-duplicate web pages: extraction, fingerprints, comparison, deduplication.

The calls correspond to the commands of the program `paraprint` and take its options as keyword arguments: `--near 0.8`
is `near=0.8`, `--no-report` is `report=False`. docs/python.md is the manual.
"""

from . import _core, errors
from ._core import Profile
from .comparison import Comparison, MatchedSpan, compare
from .contamination import ContaminationResult, contaminated
from .dedup_result import DedupResult, ScoredPair
from .deduplication import dedup
from .errors import Error
from .evaluation import (
    Algorithm,
    Evaluation,
    ExtractionEvaluation,
    Parameter,
    Preset,
    algorithms,
    evaluate,
    evaluate_extraction,
    presets,
)
from .feed import follow
from .frames import drop_near_duplicates, find_near_duplicates
from .known import Index, IndexAnswer, KnownMatch, KnownPage
from .pages import Content, Page, Paragraph, ParagraphFingerprint, extract, profile, read_pages
from .tables import extract_batch, profile_batch

__version__ = version = _core.version()

__all__ = [
    "Algorithm",
    "Comparison",
    "ContaminationResult",
    "Content",
    "DedupResult",
    "Error",
    "Evaluation",
    "ExtractionEvaluation",
    "Index",
    "IndexAnswer",
    "KnownMatch",
    "KnownPage",
    "MatchedSpan",
    "Page",
    "Paragraph",
    "ParagraphFingerprint",
    "Parameter",
    "Preset",
    "Profile",
    "ScoredPair",
    "algorithms",
    "compare",
    "contaminated",
    "dedup",
    "drop_near_duplicates",
    "errors",
    "evaluate",
    "evaluate_extraction",
    "extract",
    "extract_batch",
    "find_near_duplicates",
    "follow",
    "presets",
    "profile",
    "profile_batch",
    "read_pages",
    "version",
]
