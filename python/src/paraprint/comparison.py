"""Comparison of two pages or profiles: verdict, scores and shared passages."""

from __future__ import annotations

import dataclasses
import html as html_module
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from . import _core
from ._core import Profile
from .errors import InvalidArgumentError
from .option_types import CompareKeywords
from .pages import Body, Content, Page, _content, page_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

Side = Union[Page, Body, Profile]


class MatchedSpan(NamedTuple):
    """A passage of a that is also in b. Offsets are bytes of the extracted texts in UTF-8."""

    begin_a: int
    end_a: int
    begin_b: int
    end_b: int
    paragraph_a: int
    paragraph_b: int
    distance_bits: int  #: of the two paragraphs' fingerprints; 0 for equal text
    is_sentence: bool  #: a sentence of paragraphs that do not match as a whole


@dataclass(frozen=True)
class Comparison:
    """The result of compare(), read as "a is VERDICT b": same, near, contained, contains, overlap, distinct."""

    verdict: str
    resemblance: float
    containment_a: float  #: share of a that is in b
    containment_b: float
    matched_characters: float
    spans: tuple[MatchedSpan, ...]
    content_a: Content | None = None  #: None if profiles were compared
    content_b: Content | None = None
    _pages: tuple[Page, Page] | None = field(default=None, repr=False, compare=False)
    _options: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def is_copy(self) -> bool:
        """Whether the verdict is same or near, in which case dedup removes one of the pages."""
        return self.verdict in ("same", "near")

    @property
    def passages(self) -> list[tuple[str, str]]:
        """The matched passages as texts of a and b. Needs pages, not profiles."""
        if self.content_a is None or self.content_b is None:
            raise InvalidArgumentError("profiles contain no text; compare pages to see passages")
        bytes_a, bytes_b = self.content_a.text.encode(), self.content_b.text.encode()
        return [(_text(bytes_a[s.begin_a : s.end_a]), _text(bytes_b[s.begin_b : s.end_b])) for s in self.spans]

    def to_html(self) -> str:
        """A complete HTML page with both texts side by side, as from `paraprint compare --html`. Needs pages."""
        return self._rendered("html")

    def to_json(self) -> str:
        """The output of `paraprint compare --json`. Needs pages."""
        return self._rendered("json")

    def __str__(self) -> str:
        return self._rendered("text") if self._pages else repr(self)

    def _rendered(self, form: str) -> str:
        if self._pages is None:
            raise InvalidArgumentError("profiles contain no text; compare pages to see passages")
        a, b = self._pages
        return _core.compare_pages(a._fields(), b._fields(), form, self._options)[3]

    def _repr_html_(self) -> str:
        if self._pages is None:
            return f"<pre>{html_module.escape(repr(self))}</pre>"
        # Pages are untrusted, so the document is in a sandboxed frame that may only run its own script.
        document = html_module.escape(self.to_html(), quote=True)
        return (
            f'<iframe sandbox="allow-scripts" srcdoc="{document}" style="width:100%;height:36em;border:1px solid #888"'
            ' title="two pages side by side"></iframe>'
        )


def _text(utf8: bytes) -> str:
    return utf8.decode(errors="replace")


def _comparison(fields: tuple[Any, ...]) -> Comparison:
    verdict, resemblance, containment_a, containment_b, matched_characters, spans = fields
    matched = tuple(MatchedSpan(*span) for span in spans)
    return Comparison(verdict, resemblance, containment_a, containment_b, matched_characters, matched)


def compare(a: Side, b: Side, **options: Unpack[CompareKeywords]) -> Comparison:
    """Compares two pages or two profiles.

    Each page is HTML (str or bytes) or a `Page`. Options are those of `paraprint compare`, for example `near=0.8`.

    >>> import paraprint
    >>> a = "<p>The river rose two metres overnight, the council said on Monday, and the old bridge was closed.</p>"
    >>> paraprint.compare(a, a.replace("Monday", "Tuesday"), min_characters=20).verdict
    'near'
    """
    if isinstance(a, Profile) and isinstance(b, Profile):
        return _comparison(_core.compare_profiles(a, b, dict(options)))
    if isinstance(a, Profile) or isinstance(b, Profile):
        raise TypeError("a profile can only be compared with a profile, and a page with a page")
    page_a, page_b = page_of(a), page_of(b)
    compared, content_a, content_b, _ = _core.compare_pages(page_a._fields(), page_b._fields(), "json", dict(options))
    return dataclasses.replace(
        _comparison(compared),
        content_a=_content(content_a),
        content_b=_content(content_b),
        _pages=(page_a, page_b),
        _options=dict(options),
    )
