"""What a player shows for captures of an archive, and how what it shows before and after a change is compared."""
import collections
import dataclasses
import hashlib

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


# How an answer after the change relates to the one before. LOST_STATUS and OTHER are faults of the change.
EQUAL = "equal"
ABSENT = "not archived"       # said by the player
NEAREST = "other time"        # the player shows another capture of the address, with the date of that one
GUESSED = "other address"     # the player shows a similar address, as it does for all that an archive lacks
SIBLING = "same second"       # the input has several captures of this address and second, and this is one of them
UNRESOLVED = "unresolved"     # the capture is there, but the player cannot load it
HEADER = "other header"       # the body is right, the status or where a redirect leads is not
OTHER = "other body"
NOT_BEFORE = "not before"     # the player showed nothing before the change
OUTCOMES = [EQUAL, ABSENT, NEAREST, GUESSED, SIBLING, UNRESOLVED, HEADER, OTHER, NOT_BEFORE]
FAULTS = [UNRESOLVED, HEADER, OTHER]


def outcome_of(capture, before, after, siblings):
    """`siblings`: the answers of all captures of the input with this address and second."""
    if before.status in (NOT_ARCHIVED, FAILED) or before.guessed or before.timestamp != capture.timestamp:
        return NOT_BEFORE
    if after.status == NOT_ARCHIVED:
        return ABSENT
    if after.status == FAILED:
        return UNRESOLVED
    if after.guessed:
        return GUESSED
    if after.timestamp != capture.timestamp:
        return NEAREST
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

    def add(self, capture, before, after, siblings=()):
        outcome = outcome_of(capture, before, after, siblings)
        self.counts[outcome] += 1
        if outcome in FAULTS:
            self.faults.append((outcome, capture, before, after))
        elif outcome == NOT_BEFORE:
            self.nothing_before.append((capture, before))
        return outcome

    def captures(self):
        return sum(self.counts.values())

    def row(self):
        return [self.captures(), *(self.counts[outcome] for outcome in OUTCOMES)]
