"""The index of known pages: whether a text has been seen before, in any form."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator, Union

from . import _core
from ._core import Profile
from .errors import NotFoundError
from .option_types import IndexKeywords
from .pages import Body, Page, page_of, profiler_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

Id = Union[str, bytes]

_NO_FILTERS = ("", "", "", "")

#: Number of ids read at once when iterating over an index.
_IDS_AT_ONCE = 10_000


@dataclass(frozen=True)
class KnownPage:
    """A page stored in the index. Times are Unix times in seconds; `cluster` is the id of its cluster's first page."""

    id: str
    cluster: str
    first_seen: int
    last_seen: int
    text: int  #: number of its text; pages of equal text share it
    content_characters: int
    url: str = ""
    date: str = ""
    stated: dict[str, str] = field(default_factory=dict)  #: what it states of its publication, if that was kept


@dataclass(frozen=True)
class KnownMatch:
    """A known page that matches the query, read as "the query is VERDICT the known page"."""

    id: str
    verdict: str
    resemblance: float
    containment_asked: float  #: share of the query that is in the known page
    containment_known: float
    cluster: str
    first_seen: int
    last_seen: int
    url: str = ""
    stated: dict[str, str] = field(default_factory=dict)  #: as in KnownPage
    passages: list[dict[str, Any]] = field(default_factory=list)  #: with evidence=True


@dataclass(frozen=True)
class IndexAnswer:
    """The answer for a page. `verdict` is that of the best match, or "new" without one."""

    verdict: str
    matches: list[KnownMatch]
    content_characters: int
    change: str = ""  #: after adding: "new", "unchanged" or "changed", by the page's id
    stored: bool = False
    cluster: str = ""
    previous: dict[str, Any] | None = None  #: for a changed page: scores against its previous text

    @property
    def is_new(self) -> bool:
        return self.verdict == "new"

    @property
    def is_copy(self) -> bool:
        """Whether the page is the same as or near to a known page."""
        return self.verdict in ("same", "near")


def _answer(line: str) -> IndexAnswer:
    values = json.loads(line)
    matches = [KnownMatch(**match) for match in values.pop("matches")]
    known = {name: value for name, value in values.items() if name not in ("id", "url")}
    return IndexAnswer(matches=matches, **known)


class Index:
    """A durable index of known pages in a folder, searchable while it changes (docs/index.md). A context manager.

    Pages are HTML, a `Page` or a `Profile`, with an id (by default their URL). All methods are thread-safe; only one
    process at a time can change a folder. With `read_only` the newest snapshot that it publishes is opened for lookups,
    and `refresh()` follows it; nothing is written to the folder. Options are those of `paraprint index`. `sync` is
    "always", "interval" or "none" and decides what a power cut may lose. With `provenance`, what added pages state of
    their publication is stored with them, for filters and for `provenance()`.

    Ids of archives may be no UTF-8: iteration gives them as os.fsdecode() does, and every method takes them so, or as
    bytes. In answers, such bytes are U+FFFD.

    >>> import paraprint, tempfile
    >>> with tempfile.TemporaryDirectory() as folder, paraprint.Index(folder) as index:
    ...     index.lookup_or_add("<p>A page that is not known yet.</p>", url="https://example.org/a").verdict
    'new'
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        create: bool = True,
        read_only: bool = False,
        sync: str = "always",
        provenance: bool = False,
        **options: Unpack[IndexKeywords],
    ) -> None:
        _core.check_options("index", dict(options))
        names = {row[0] for row in _core.options("profile")}
        self._profiler = profiler_of({name: value for name, value in options.items() if name in names})
        self._index = _core.open_index(
            os.fspath(folder), self._profiler.settings, create, read_only, sync, dict(options)
        )
        self.folder = os.fspath(folder)
        self._keeps_origins = provenance

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Releases the folder, once calls of other threads have ended. Everything acknowledged is already durable."""
        self._index.close()

    def _asked(self, page: Page | Body | Profile, id: Id, url: str, date: str) -> tuple[Profile, tuple[Id, str, str]]:
        if isinstance(page, Profile):
            return page, (id, url, date)
        body, is_html, content_type, page_url, page_id, page_date = page_of(page)._fields()
        profile = self._profiler.profile(body, is_html, content_type, url or page_url, self._keeps_origins)
        return profile, (id or page_id, url or page_url, date or page_date)

    def lookup(
        self,
        page: Page | Body | Profile,
        *,
        id: Id = "",
        url: str = "",
        date: str = "",
        evidence: bool = False,
        matches: int = 16,
        all: bool = False,
        published_from: str = "",
        published_until: str = "",
        source: str = "",
        site: str = "",
    ) -> IndexAnswer:
        """Returns the known pages that match, best first, without storing anything. If the text itself is known, near
        pages are only listed with `all`. Filters leave other known pages out: by the day or moment of publication
        that they state, by the host or name of the source that they state, and by their own host or site name."""
        filters = (published_from, published_until, source, site)
        return _answer(self._index.lookup(*self._asked(page, id, url, date), (evidence, matches, all, filters)))

    def lookup_or_add(
        self,
        page: Page | Body | Profile,
        *,
        id: Id = "",
        url: str = "",
        date: str = "",
        evidence: bool = False,
        matches: int = 16,
        all: bool = False,
        copies: bool = True,
        replace: bool = True,
    ) -> IndexAnswer:
        """Looks up and adds in one step: if two equal pages are added at the same time, exactly one is new.
        `copies=False` does not store pages that are the same as or near to a known one; `replace=False` keeps the
        text already stored under the id."""
        asked = self._asked(page, id, url, date)
        return _answer(self._index.lookup_or_add(*asked, (evidence, matches, all, _NO_FILTERS), copies, replace))

    def add(self, page: Page | Body | Profile, *, id: Id = "", url: str = "", date: str = "") -> str:
        """Adds without looking for copies. Returns "new", "unchanged" or "changed"."""
        return self._index.add(*self._asked(page, id, url, date))

    def __getitem__(self, id: Id) -> KnownPage:
        try:
            return KnownPage(**json.loads(self._index.get(id)))
        except NotFoundError as missing:
            raise KeyError(id) from missing

    def __contains__(self, id: Id) -> bool:
        try:
            return bool(self[id])
        except KeyError:
            return False

    def __delitem__(self, id: Id) -> None:
        if not self.delete(id):
            raise KeyError(id)

    def __iter__(self) -> Iterator[str]:
        """Ids in the order of their bytes."""
        last = ""
        while ids := self._index.ids_after(last, _IDS_AT_ONCE):
            yield from ids
            last = ids[-1]

    def __len__(self) -> int:
        return int(self.statistics()["pages"])

    def __bool__(self) -> bool:
        return True

    def find_by_url(self, url: str) -> KnownPage:
        """Raises paraprint.Error (a FileNotFoundError) for an unknown URL."""
        return KnownPage(**json.loads(self._index.find_by_url(url)))

    def profile(self, id: Id) -> Profile:
        return self._index.profile(id)

    def cluster(self, id: Id, limit: int = 1000) -> list[KnownPage]:
        """Pages of the cluster named `id`, starting with its first page."""
        return [KnownPage(**json.loads(line)) for line in self._index.cluster(id, limit)]

    def provenance(
        self,
        id: Id,
        pages: int = 1000,
        *,
        published_from: str = "",
        published_until: str = "",
        source: str = "",
        site: str = "",
    ) -> dict[str, Any]:
        """Who copied from whom in the cluster of a page (docs/provenance.md): the output of
        `paraprint index provenance`. `pages` of the cluster are traced; filters leave some of them out of the answer.

        >>> import paraprint, tempfile
        >>> page = "<p>{} The harbour authority counted nine hundred ships, barges and tugs last year.</p>"
        >>> with tempfile.TemporaryDirectory() as folder, paraprint.Index(folder, provenance=True) as index:
        ...     for day in ("2024-05-03", "2024-05-01"):
        ...         text = f'<meta property="article:published_time" content="{day}">' + page.format("")
        ...         _ = index.lookup_or_add(text, url=f"https://example.org/{day}")
        ...     traced = index.provenance("https://example.org/2024-05-03")
        >>> [row["id"] for row in traced["pages"] if row["is_first"]]
        ['https://example.org/2024-05-01']
        """
        return dict(json.loads(self._index.trace(id, pages, (published_from, published_until, source, site))))

    def delete(self, id: Id) -> bool:
        """Deletes a page; returns whether it existed."""
        return self._index.remove(id)

    def expire(self, seen_before: float) -> int:
        """Deletes the pages last seen before this Unix time; returns their number."""
        return self._index.expire(int(seen_before))

    def statistics(self) -> dict[str, Any]:
        """The output of `paraprint index stats`."""
        return dict(json.loads(self._index.statistics()))

    def verify(self, search_tables: bool = True) -> list[tuple[str, str]]:
        """Checks all stored data. Returns pairs of finding and advice; an empty list if the index is consistent."""
        return list(self._index.verify(search_tables)[3])

    def compact(self) -> None:
        """Frees the disk space of deleted pages."""
        self._index.compact()

    def backup(self, folder: str | os.PathLike[str]) -> None:
        """Writes a snapshot to a new folder, itself an index."""
        self._index.backup(os.fspath(folder))

    def snapshot(self) -> None:
        """Publishes the index as it is now for readers, in its own folder. Does nothing if nothing has changed."""
        self._index.snapshot()

    def refresh(self) -> bool:
        """Of an index opened with `read_only`: opens a newer snapshot, and returns whether there was one."""
        return bool(self._index.refresh())

    def sync(self) -> None:
        """Makes everything acknowledged so far durable against a power cut."""
        self._index.sync()

    @property
    def settings(self) -> str:
        """The settings identity of its profiles."""
        return self._index.settings

    def __repr__(self) -> str:
        state = "closed" if self._index.is_closed else f"{len(self)} pages"
        return f"<paraprint.Index {self.folder!r}: {state}>"
