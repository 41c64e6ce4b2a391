"""Shared by the tests of `paraprint crawl`: sites that are closed with the test, runs, and access to their output."""
import json
import zlib

import replay
import support
from crawl_site import Site

# Fast settings; politeness is not needed for our own servers.
PROBING = ("--delay", 0, "--retry-pause", 0.02, "--stall-timeout", 1, "--timeout", 4, "--quiet")
# Most tests count all requests; those for addresses that do not exist have tests of their own.
QUICK = (*PROBING, "--soft-404", "off")


def members(path):
    """Yields the gzip members of a file, each decompressed separately, with offset and stored length."""
    data = path.read_bytes()
    at = 0
    while at < len(data):
        inflater = zlib.decompressobj(31)
        content = inflater.decompress(data[at:]) + inflater.flush()
        if not inflater.eof:
            raise AssertionError(f"{path}: the member at {at} is not complete")
        length = len(data) - at - len(inflater.unused_data)
        yield at, length, content
        at += length


class Record:
    """A WARC record; reading it checks its form and its digests."""

    def __init__(self, file, offset, length, content):
        self.file, self.offset, self.length = file, offset, length
        head, _, rest = content.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        assert lines[0] == "WARC/1.1", lines[0]
        self.fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            assert name not in self.fields, f"duplicate field {name}"
            self.fields[name] = value
        size = int(self.fields["Content-Length"])
        self.block = rest[:size]
        assert rest[size:] == b"\r\n\r\n", rest[size:]
        assert self.fields["WARC-Block-Digest"] == replay.sha1_label(self.block)
        self.kind, self.id = self.fields["WARC-Type"], self.fields["WARC-Record-ID"]
        self.url = self.fields.get("WARC-Target-URI")
        if "WARC-Payload-Digest" in self.fields and self.kind == "response":
            assert self.fields["WARC-Payload-Digest"] == replay.sha1_label(replay.payload_of(self))


class CrawlTest(support.ProgramTest):
    def site(self, routes, **options):
        site = Site(routes, **options)
        self.addCleanup(site.close)
        return site

    def crawl(self, *arguments, allow="127.0.0.1", expect=support.SUCCESS, out="out", pace=QUICK):
        return self.run_program("crawl", *arguments, "--out", self.folder / out, "--allow-address", allow, *pace,
                                expect=expect)

    def log(self, out="out"):
        """The last log line of each address."""
        lines = [json.loads(line) for line in (self.folder / out / "log.jsonl").read_text().splitlines()]
        return {line["url"]: line for line in lines}

    def fate(self, url, out="out"):
        line = self.log(out).get(url)
        return None if line is None else (line["status"], line.get("reason"))

    def summary(self, out="out"):
        return json.loads((self.folder / out / "summary.json").read_text())

    def records(self, out="out"):
        paths = sorted((self.folder / out / "warc").glob("*.warc.gz*"))
        return [Record(path.name.removesuffix(".open"), *member) for path in paths for member in members(path)]

    def assert_archive_agrees_with_log(self, out="out"):
        """Expects the records of every archived address where the log says, and a log line for every record."""
        records = self.records(out)
        self.assertEqual(len({record.id for record in records}), len(records), "duplicate record id")
        captures = [record for record in records if record.kind in ("response", "revisit")]
        alone = [record for record in records
                 if record.kind == "metadata" and "WARC-Concurrent-To" not in record.fields]
        main = {(record.file, record.offset): record for record in captures + alone}
        lines = [line for line in map(json.loads, (self.folder / out / "log.jsonl").read_text().splitlines())
                 if "record_id" in line]
        self.assertEqual(len(lines), len(main))
        for line in lines:
            record = main[line["file"], line["offset_bytes"]]
            self.assertEqual(record.id, f"<{line['record_id']}>")
            self.assertEqual(record.url, line["url"])
            self.assertEqual(record.length, line["length_bytes"])
        for kind in ("request", "metadata"):
            concurrent = [record.fields["WARC-Concurrent-To"] for record in records
                          if record.kind == kind and record not in alone]
            self.assertEqual(sorted(concurrent), sorted(record.id for record in captures))
        return records

    def players_show(self, url, out="out"):
        """The payloads of the captures of an address, in the order of fetching, as a player shows them."""
        records = self.records(out)
        shown = []
        for record in records:
            if record.url == url and record.kind == "response":
                shown.append(replay.payload_of(record))
            elif record.url == url and record.kind == "revisit":
                payloads = set(replay.payloads_shown(record, records))
                self.assertEqual(len(payloads), 1, url)
                shown.extend(payloads)
        return shown
