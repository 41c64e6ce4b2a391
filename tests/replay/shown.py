"""What a player shows for captures of an archive, and how what it shows before and after a change is compared."""
import collections
import dataclasses
import hashlib
import urllib.parse

NOT_ARCHIVED, FAILED = "not archived", "failed"


@dataclasses.dataclass(frozen=True)
class Capture:
    url: str
    timestamp: str  # 14 digits, as players address it


@dataclasses.dataclass(frozen=True)
class Shown:
    """The answer of a player. `status` is that of the archived answer, or NOT_ARCHIVED or FAILED; the rest is empty
    then."""
    status: str
    body: str = ""       # digest of the bytes
    location: str = ""   # where a redirect leads
    timestamp: str = ""  # of the capture that is shown: players show the nearest one if there is none at that time
    guessed: bool = False  # of another address: players look for similar ones if they have none
    detail: str = ""     # the player's words about a failure

    def answer(self):
        return self.status, self.body, self.location


def body_digest(content):
    return hashlib.sha1(content).hexdigest()


def why_not_replayed(capture, shown):
    """Why a player does not show a capture of an input that nothing has changed; None if that is not known."""
    parts = urllib.parse.urlsplit(capture.url)
    if not capture.timestamp:
        return "a record without date"
    if parts.scheme not in ("http", "https"):
        return "not an address of the web"
    if parts.fragment:
        return "an address with a fragment"
    if not parts.path:
        return "an address without path, which players write with one"
    if parts.path == "/post":
        return "the answer to a POST request"
    if shown.status not in (NOT_ARCHIVED, FAILED) and shown.timestamp != capture.timestamp:
        return "a redirect to itself, or a revisit record behind damage: the player shows another capture"
    if "." not in parts.netloc or parts.path.startswith("//"):
        return "a host without dot, or an empty first part of the path"
    return next((why for address, why in NOT_REPLAYED.items() if capture.url.startswith(address)), None)


NOT_REPLAYED = {
    "http://example.com/": "a status line without text (pywb), or a revisit record without its page",
    "http://www.example.com/": "wabac.js stops at the records without address of link-extraction-test.warc",
    "https://news.example/after-the-broken-one": "behind damage that players do not pass over",
}


# Captures of the odd archives that may be left out: what paraprint itself reports as lost, with what it counts it as,
# and what pywb finds under another address than before.
REPORTED = {Capture("http://example.com/", "20140401000000"): "bad-record-header: its length is -1, or abc",
            Capture("<http://example.com/>", "20170306040353"): "pywb's own index has the angle brackets, too"}
# The same of real archives, by the beginning of the address.
REPORTED_ADDRESSES = {
    "http://mp.weixin.qq.com/s?__biz=MzI2MzEwNTY3OQ==&mid=2648978231&":
        "its fragment is in the index of WACZ files, and wabac.js looks up addresses without"}


def may_be_left_out(capture):
    return capture in REPORTED or any(capture.url.startswith(address) for address in REPORTED_ADDRESSES)


# The other capture of this second is kept, but has a broken status line (HTTPX/1.1), and pywb cannot load it.
BROKEN_SIBLINGS = {Capture("http://example.com?example=2", "20140103030321")}

# How an answer after the change relates to the one before.
EQUAL = "equal"
ABSENT = "not archived"       # said by the player
NEAREST = "other time"        # the player shows another capture of the address, with the date of that one
GUESSED = "other address"     # the player shows a similar address, as it does for all that an archive lacks
SIBLING = "same second"       # the input has several captures of this address and second, and this is one of them
ORPHANED = "orphaned"         # left out while a revisit record refers to it, or a revisit record of such a capture
UNSTATED = "no original"      # a revisit record of the input states an address and date without a capture
UNRESOLVED = "unresolved"     # the capture is there, but the player cannot load it
HEADER = "other header"       # the body is right, the status or where a redirect leads is not
OTHER = "other body"
NOT_BEFORE = "not before"     # the player showed nothing before the change
OUTCOMES = [EQUAL, ABSENT, NEAREST, GUESSED, SIBLING, UNSTATED, ORPHANED, UNRESOLVED, HEADER, OTHER,
            NOT_BEFORE]
FAULTS = [ORPHANED, UNRESOLVED, HEADER, OTHER]


def outcome_of(capture, before, after, siblings, is_revisit, is_referred_to):
    """`siblings`: digests of the bodies of all captures of the input that the player takes for this one, None for one
    that it cannot show. `is_referred_to`: by a revisit record of the input."""
    if before.status in (NOT_ARCHIVED, FAILED) or before.guessed or before.timestamp != capture.timestamp:
        return NOT_BEFORE
    if after.status == NOT_ARCHIVED:
        return ORPHANED if is_referred_to else ABSENT
    if after.status == FAILED and (None in siblings or capture in BROKEN_SIBLINGS):
        return SIBLING
    if after.status == FAILED:
        return ORPHANED if is_revisit else UNRESOLVED
    if after.guessed or after.timestamp != capture.timestamp:
        if is_referred_to:
            return ORPHANED
        return GUESSED if after.guessed else NEAREST
    if after.answer() == before.answer():
        return EQUAL
    if after.body in siblings:
        return SIBLING
    return HEADER if after.body == before.body else OTHER


class Comparison:
    """Outcomes of all captures of an input, with those that are faults."""

    def __init__(self):
        self.counts = collections.Counter()
        self.faults = []
        self.nothing_before = []
        self.left_out = []

    def add(self, capture, before, after, siblings=(), is_revisit=False, is_referred_to=False):
        outcome = outcome_of(capture, before, after, siblings, is_revisit, is_referred_to)
        self.counts[outcome] += 1
        if outcome in FAULTS:
            self.faults.append((outcome, capture, before, after))
        elif outcome == NOT_BEFORE:
            self.nothing_before.append((capture, before))
        elif outcome not in (EQUAL, SIBLING):
            self.left_out.append((outcome, capture))
        return outcome

    def add_without_original(self):
        self.counts[UNSTATED] += 1

    def captures(self):
        return sum(self.counts.values())

    def row(self):
        return [self.captures(), *(self.counts[outcome] for outcome in OUTCOMES)]
