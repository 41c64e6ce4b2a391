"""Single pages: their main content and their fingerprints."""

from __future__ import annotations

import contextlib
import functools
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Iterator, NamedTuple, Sequence, Union

from . import _core
from ._core import Profile
from .errors import InvalidArgumentError
from .option_types import ProfileKeywords, ReadKeywords

if TYPE_CHECKING:
    from typing_extensions import Unpack

Body = Union[str, bytes]


@dataclass(frozen=True)
class Page:
    """A page and its properties. Give either `html` or `text`, as str or as bytes in any charset.

    `id` names the page (if a call needs one, the default is the URL), `date` is the time of capture, and
    `content_type` the server's media type with charset.
    """

    html: Body | None = None
    text: Body | None = None
    id: str = ""
    url: str = ""
    date: str = ""
    content_type: str = ""

    def __post_init__(self) -> None:
        if (self.html is None) == (self.text is None):
            raise InvalidArgumentError("a page needs either html or text")

    @property
    def body(self) -> Body:
        return self.html if self.html is not None else self.text  # type: ignore[return-value]

    def _fields(self) -> tuple[Body, bool, str, str, str, str]:
        for name in ("content_type", "url", "id", "date"):
            value = getattr(self, name)
            if not isinstance(value, str):
                raise TypeError(f"the {name} of a page must be str, not {type(value).__name__}")
        return _body(self.body), self.html is not None, self.content_type, self.url, self.id, self.date


class Paragraph(NamedTuple):
    """A block of main content. Offsets are bytes of the extracted text in UTF-8."""

    text: str
    role: str  #: "paragraph", "heading", "list-item", "table-row", "quote", "code" or "title"
    heading_level: int  #: 1 to 6 for headings, else 0
    list_level: int  #: depth of list nesting, 0 outside lists
    begin_bytes: int
    end_bytes: int


@dataclass(frozen=True)
class Content:
    """The main content of a page: `title`, `text` with one paragraph per line, and `paragraphs`.

    `extract` also gives the content as `markdown`, its `language` ("en"; "und" if it cannot be told), and what the page
    says of itself. These are empty if unknown, and in the contents of a comparison.
    """

    title: str
    text: str
    paragraphs: tuple[Paragraph, ...]
    markdown: str = ""
    language: str = ""
    declared_language: str = ""
    article_title: str = ""
    author: str = ""
    site_name: str = ""
    date_published: str = ""
    date_modified: str = ""
    source_name: str = ""
    source_url: str = ""
    canonical_url: str = ""
    licence_url: str = ""

    def slice(self, begin_bytes: int, end_bytes: int) -> str:
        """The text between two byte offsets, such as those of evidence and profiles."""
        return self.text.encode()[begin_bytes:end_bytes].decode(errors="replace")

    def __str__(self) -> str:
        return self.text


class ParagraphFingerprint(NamedTuple):
    """The data of one paragraph in a profile. `simhash` is None if there are too few words."""

    begin_bytes: int
    end_bytes: int
    content_characters: int
    hash: str
    simhash: str | None


def _body(value: Any) -> Body:
    if isinstance(value, (str, bytes)):
        return value
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    raise TypeError(f"a page must be str or bytes, not {type(value).__name__}")


def _content(fields: tuple[str, str, Sequence[tuple[Any, ...]]], **described: str) -> Content:
    title, text, blocks = fields
    return Content(title, text, tuple(Paragraph(*block) for block in blocks), **described)


@functools.lru_cache(maxsize=16)
def _cached_profiler(options: tuple[tuple[str, Any], ...], _files: tuple[Any, ...]) -> _core.Profiler:
    return _core.Profiler(dict(options))


def _files_of(options: dict[str, Any]) -> tuple[Any, ...]:
    """Identifies the files that options name, so that a changed list or model is read again."""
    found = []
    for option in ("synonym_list", "word_vectors", "reduction", "topic_model"):
        value = options.get(option) or ()
        for path in value if isinstance(value, (list, tuple)) else str(value).split(","):
            with contextlib.suppress(OSError):
                facts = os.stat(path)
                found.append((path, facts.st_size, facts.st_mtime_ns, facts.st_ino))
    return tuple(found)


def profiler_of(options: dict[str, Any]) -> _core.Profiler:
    """The profiler for these options, cached because it holds parsers, scratch memory and models."""
    try:
        return _cached_profiler(tuple(sorted(options.items())), _files_of(options))
    except TypeError as error:
        if "unhashable" in str(error):
            return _core.Profiler(options)
        raise


def page_of(value: Page | Body) -> Page:
    """A `Page` from the argument of a call: a `Page` or HTML."""
    return value if isinstance(value, Page) else Page(html=_body(value))


def extract(page: Page | Body, **options: Unpack[ProfileKeywords]) -> Content:
    """Returns the main content of a page: HTML as str or bytes, or a `Page`.

    Options are those of `paraprint extract`, for example `extractor="whole-page"`.

    >>> import paraprint
    >>> content = paraprint.extract("<title>News</title><h1>Flood</h1><p>The river rose two metres overnight.</p>")
    >>> content.title
    'News'
    >>> [paragraph.role for paragraph in content.paragraphs]
    ['heading', 'paragraph']
    >>> content.language
    'en'
    """
    body, is_html, content_type, url, _, _ = page_of(page)._fields()
    fields, markdown, described = profiler_of(dict(options)).extract(body, is_html, content_type, url)
    return _content(fields, markdown=markdown, **described)


def profile(page: Page | Body, **options: Unpack[ProfileKeywords]) -> Profile:
    """Returns the fingerprints of a page. Options are those of `paraprint profile`.

    >>> import paraprint
    >>> a = paraprint.profile("<p>The river rose two metres overnight, the council said.</p>")
    >>> a == paraprint.Profile.from_bytes(a.to_bytes())
    True
    """
    body, is_html, content_type, url, _, _ = page_of(page)._fields()
    return profiler_of(dict(options)).profile(body, is_html, content_type, url)


def input_paths(inputs: Iterable[Any]) -> list[str]:
    """The inputs as paths for the core. A string that looks like a page is rejected with advice."""
    paths = [os.fspath(path) for path in inputs]
    for path in paths:
        if isinstance(path, str) and path.lstrip().startswith("<") and not os.path.exists(path):
            raise InvalidArgumentError(
                f"strings are file paths, but {path[:40]!r} looks like a page; use paraprint.Page(html=...)"
            )
    return paths


def read_pages(*inputs: Any, warning: Any = None, **options: Unpack[ReadKeywords]) -> Iterator[Page]:
    """Iterates over the pages of WARC, ARC, WET, HAR, JSON lines, HTML and XML files or folders.

    `warning` is called with one line per broken record. Options are those in the group Reading of
    `paraprint dedup --help`. Page bodies from archives are bytes in their original charset.
    """
    reader = _core.read_pages(input_paths(inputs), warning, dict(options))
    while (fields := reader.next()) is not None:
        body, is_html, content_type, url, page_id, date = fields
        yield Page(
            html=body if is_html else None,
            text=None if is_html else body,
            id=page_id,
            url=url,
            date=date,
            content_type=content_type,
        )
