"""Near-duplicate web pages: extraction, fingerprints, comparison, deduplication.

The calls are those of the program `paraprint`, with its options as keyword arguments: `--near 0.8` is `near=0.8`,
`--no-report` is `report=False`. docs/python.md is the manual.
"""

from . import _core, errors
from ._core import Profile
from .comparison import Comparison, MatchedSpan, compare
from .errors import Error
from .pages import Content, Page, Paragraph, ParagraphFingerprint, extract, profile, read_pages
from .tables import extract_batch, profile_batch

__version__ = version = _core.version()

__all__ = [
    "Comparison",
    "Content",
    "Error",
    "MatchedSpan",
    "Page",
    "Paragraph",
    "ParagraphFingerprint",
    "Profile",
    "compare",
    "errors",
    "extract",
    "extract_batch",
    "profile",
    "profile_batch",
    "read_pages",
    "version",
]
