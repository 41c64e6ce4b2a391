"""The bodies that a record may be shown with."""
import gzip
import zlib

import tools  # noqa: F401  (finds replay)
import replay
from shown import Capture, body_digest


def capture_of(record):
    return Capture(record.url.partition("#")[0], replay.timestamp(record, "WARC-Date"))


def referred_to_by(record):
    """The capture that a revisit record states by address and date; None if it states none."""
    url = replay.field(record, "WARC-Refers-To-Target-URI").strip("<>").partition("#")[0]
    timestamp = replay.timestamp(record, "WARC-Refers-To-Date")
    return Capture(url, timestamp) if record.kind == "revisit" and url and timestamp else None


def captures_referred_to(archives):
    """What the revisit records of archives state by address and date: capture -> those that it refers to."""
    stated = {}
    for path in archives:
        for record in replay.records_of(path):
            if (target := referred_to_by(record)) is not None:
                stated.setdefault(capture_of(record), set()).add(target)
    return stated


def readings_of(record):
    """Digests of the body as stored, without chunks, and without compression."""
    head, _, rest = record.block.partition(b"\r\n\r\n")
    head = head.lower() if replay.field(record, "Content-Type").startswith("application/http") else b""
    body = rest if head else replay.payload_of(record)  # some players take any word before the version for HTTP
    readings = [body]
    if b"chunked" in head:
        readings.append(without_chunks(body))
    if b"gzip" in head:
        try:
            readings.append(gzip.decompress(readings[-1]))
        except (OSError, EOFError, zlib.error):
            pass
    return set(map(body_digest, readings))


def without_chunks(body):
    parts, at = [], 0
    while (end := body.find(b"\r\n", at)) >= 0:
        try:
            size = int(body[at:end].split(b";")[0], 16)
        except ValueError:
            break
        parts.append(body[end + 2:end + 2 + size])
        at = end + 2 + size + 2
        if size == 0:
            break
    return b"".join(parts)


def bodies_of_incomplete_records(archives):
    """Capture -> bodies of records that say that they are cut. Players may not be able to read them in the input, where
    they are damaged, but in the output, where paraprint has repaired them."""
    bodies = {}
    for path in archives:
        for record in replay.records_of(path):
            if replay.field(record, "WARC-Truncated"):
                bodies.setdefault(capture_of(record), set()).update(readings_of(record))
    return bodies
