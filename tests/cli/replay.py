"""Reads WARC files as other tools do, and finds what a player shows for a revisit record.

A model: tests/replay compares it with players. Of what they do otherwise, paraprint writes nothing: revisit records of
redirects, of empty resources, of addresses that end in an asterisk, and of another status than the original's."""
import base64
import hashlib
import zipfile
import zlib


class Record:
    def __init__(self, head, block):
        lines = head.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
        pairs = (line.partition(":") for line in lines[1:])
        self.version = lines[0].strip()
        self.fields = {name.strip(): value.strip() for name, _, value in pairs}
        self.block = block
        self.size_bytes = 0  # with header and separator
        self.kind = field(self, "WARC-Type")
        self.id = field(self, "WARC-Record-ID")
        self.url = field(self, "WARC-Target-URI").strip("<>")


def field(record, name):
    """The value of a field, whatever the case of its name; "" without one."""
    return next((value for key, value in record.fields.items() if key.lower() == name.lower()), "")


def archives_in(wacz):
    """The archives in a WACZ file: name without folder -> bytes as stored."""
    with zipfile.ZipFile(wacz) as file:
        return {name.removeprefix("archive/"): file.read(name) for name in sorted(file.namelist())
                if name.startswith("archive/")}


def content_of(path):
    """The decompressed bytes of a file, or of all archives in a WACZ file."""
    if path.suffix == ".wacz":
        return b"".join(map(decompressed, archives_in(path).values()))
    return decompressed(path.read_bytes())


def decompressed(data):
    """Bytes that do not belong to a gzip member are passed over."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    parts = []
    at = 0
    while 0 <= at < len(data):
        inflater = zlib.decompressobj(31)
        try:
            parts.append(inflater.decompress(data[at:]))
            at = len(data) - len(inflater.unused_data)
        except zlib.error:
            at += 2
        at = data.find(b"\x1f\x8b", at)
    return b"".join(parts)


def records_of(path):
    content = content_of(path)
    at = content.find(b"WARC/")
    while at >= 0:
        head, _, rest = content[at:at + (1 << 16)].partition(b"\r\n\r\n")
        begin = at + len(head) + 4
        record = Record(head, b"")
        length = field(record, "Content-Length")
        if rest is not None and length.isdigit():
            record.block = content[begin:begin + int(length)]
            begin += int(length)
            record.size_bytes = begin - at + (4 if content[begin:begin + 4] == b"\r\n\r\n" else 0)
            yield record
        at = content.find(b"WARC/", begin)


def payload_of(record):
    """What follows the HTTP header, as stored."""
    return record.block.partition(b"\r\n\r\n")[2] if record.block.startswith(b"HTTP/") else record.block


def sha1_label(content):
    return "sha1:" + base64.b32encode(hashlib.sha1(content).digest()).decode()


def timestamp(record, name):
    """A date as players index it: the digits, to the second."""
    return "".join(digit for digit in field(record, name) if digit.isdigit())[:14]


def payloads_shown(revisit, records):
    """The payloads of all records that a player may show for the revisit record: by the address and the time that it
    refers to. pywb also compares digests, computing those that are missing; wabac.js does not."""
    assert payload_of(revisit) == b"", "a revisit record has no payload"
    status = revisit.block.split(None, 2)[1:2]
    assert not (status and status[0].startswith(b"3") and "identical" in field(revisit, "WARC-Profile")), \
        "players show no payload for a revisit record of a redirect"
    place = (field(revisit, "WARC-Refers-To-Target-URI"), timestamp(revisit, "WARC-Refers-To-Date"))
    at_place = [record for record in records
                if record.kind in ("response", "resource") and (record.url, timestamp(record, "WARC-Date")) == place]
    digest = field(revisit, "WARC-Payload-Digest")
    by_digest = [record for record in at_place
                 if digest in ("", field(record, "WARC-Payload-Digest") or sha1_label(payload_of(record)))]
    assert by_digest, f"no record of {place} has the digest {digest}"
    return [payload_of(record) for record in at_place]
