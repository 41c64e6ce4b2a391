#!/usr/bin/env python3
"""Other readers of archives read what paraprint writes, with no complaint that they do not also have about the input.

usage: readers_test.py PARAPRINT [unittest arguments]

The readers: warcio and FastWARC, with their checks of digests, cdxj-indexer and `jwarc validate`. `Small` reads the
bundled pages and a crawl, `Real` the archives of PARAPRINT_DATA_DIR. Exits with 77 (skipped) if none is installed;
tests/replay/install_tools.sh installs them.
"""
import collections
import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys

import tools

tools.use_their_python(__file__)

import replay
import support
from crawl_site import answer, article_page, page_answer, redirect
from crawl_support import CrawlTest

import modes

DATA = pathlib.Path(os.environ.get("PARAPRINT_DATA_DIR", "../data")) / "corpus"
DEMO = tools.ROOT / "examples/demo-crawl"


def failure(error):
    """The kind of an exception: its text may have offsets and bytes."""
    return f"fails with {type(error).__name__}"


def warcio(path):
    from warcio.archiveiterator import ArchiveIterator
    with open(path, "rb") as stream:
        try:
            for record in ArchiveIterator(stream, check_digests=True):
                record.content_stream().read()
                if record.digest_checker.passed is False:
                    yield from (f"{record.rec_headers.get_header('WARC-Record-ID')}: {problem}"
                                for problem in record.digest_checker.problems)
        except Exception as error:
            yield failure(error)


def fastwarc(path):
    from fastwarc.warc import ArchiveIterator
    try:
        for record in ArchiveIterator(str(path), parse_http=False):
            record.freeze()
            name = record.headers.get("WARC-Record-ID")
            if "WARC-Block-Digest" in record.headers and not record.verify_block_digest():
                yield f"{name}: block digest"
            if record.is_http and "WARC-Payload-Digest" in record.headers and record.headers["WARC-Type"] != "revisit":
                record.parse_http()
                if not record.verify_payload_digest():
                    yield f"{name}: payload digest"
    except Exception as error:
        yield failure(error)


def cdxj_indexer(path):
    from cdxj_indexer.main import CDXJIndexer
    lines = io.StringIO()
    try:
        CDXJIndexer(lines, [str(path)]).process_all()
    except Exception as error:
        yield failure(error)
    for line in lines.getvalue().splitlines():
        if not re.match(r"[^ ]+ \d{14} \{.*\}$", line):
            yield f"wrote {line[:200]}"


def jwarc(path):
    done = subprocess.run(["java", "-jar", tools.jwarc(), "validate", "-j", "1", path], capture_output=True,
                          timeout=modes.RUN_LIMIT_SECONDS)
    for line in (done.stdout + done.stderr).decode("utf-8", "replace").splitlines():
        line = re.sub(r"^\S*?: +", "", line.replace(str(path), path.name))
        if line.strip().startswith(("at ", "offset ", "...", "Failed to validate")) or not line.strip():
            continue  # where, after what
        if "invalid HTTP header Content-Length" in line:
            continue  # of a record that says that it is truncated
        yield re.sub(r"\d+", "N", re.sub(r"[\w/.-]*" + re.escape(path.name), "FILE", line))


# What a reader says of files that are right: its name, the end of the file's, and words of the complaint.
FALSE_ALARMS = [
    ("jwarc", ".arc", "EOFException"),     # an ARC file of which only the header stays ends in a blank line
    ("jwarc", ".arc.gz", "EOFException"),
]

READERS = {reader.__name__: reader for reader in (warcio, fastwarc, cdxj_indexer, jwarc)}


def is_installed(name):
    if name == "jwarc":
        return tools.jwarc() is not None
    try:
        __import__(name)
        return True
    except ImportError:
        return False


def complaints(name, path):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return collections.Counter(
            complaint for complaint in READERS[name](path)
            if not any(name == reader and path.name.endswith(ending) and words in complaint
                       for reader, ending, words in FALSE_ALARMS))


class ReadersTest(support.ProgramTest):
    def setUp(self):
        super().setUp()
        self.readers = [name for name in READERS if is_installed(name)]

    def assert_read(self, inputs, mode):
        """`inputs` have different names, which their outputs keep."""
        out = self.folder / re.sub(r"\W+", "-", mode)
        archives = modes.run(support.program, modes.MODES[mode], inputs, out)
        before = {path.name: path for path in inputs}
        self.assertTrue(archives)
        for path in archives:
            changed = path.read_bytes() != before[path.name].read_bytes()
            for name in self.readers if changed else ():
                with self.subTest(mode=mode, reader=name, file=path.name):
                    found = complaints(name, path)
                    self.assertEqual(found - complaints(name, before[path.name]) if found else found, {})


class Small(ReadersTest, CrawlTest):
    def test_bundled_pages(self):
        for mode in modes.MODES:
            self.assert_read(sorted(DEMO.glob("*.warc.gz")), mode)

    def test_crawl(self):
        chunked = (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
                   b"5\r\nhello\r\n0\r\n\r\n")
        site = self.site({"/": page_answer("Home", 30, ["/1", "/2", "/3", "/gone", "/moved", "/chunked"]),
                          "/1": answer(article_page(1)), "/2": answer(article_page(1, print_version=True)),
                          "/3": answer(article_page(1)), "/moved": redirect("/1"), "/chunked": chunked})
        for copies in modes.COPIES:
            self.crawl(site.root, "--copies", copies, out=copies)
            for path in modes.archives_below(self.folder / copies / "warc"):
                for name in self.readers:
                    with self.subTest(copies=copies, reader=name):
                        self.assertEqual(complaints(name, path), {})

    def test_readers_find_lies(self):
        """The readers complain about an archive with a wrong digest: else the other tests could not fail."""
        lying = re.sub(rb"sha1:[A-Z2-7]{32}", b"sha1:" + b"A" * 32, replay.content_of(DEMO / "first.warc.gz"))
        path = pathlib.Path(self.write("lying.warc", lying))
        for name in self.readers:
            if name != "cdxj_indexer":
                self.assertTrue(complaints(name, path), name)


class Real(ReadersTest):
    def test_real_archives(self):
        if not DATA.exists():
            self.skipTest("test data not found; set PARAPRINT_DATA_DIR")
        folders = [DATA, DATA / "odd-warcs"]
        inputs = [path for folder in folders for path in sorted(folder.iterdir())
                  if path.is_file() and modes.is_archive(path)]
        for mode in modes.MODES:
            self.assert_read(inputs, mode)


def main():
    missing = [name for name in READERS if not is_installed(name)]
    if missing:
        print(f"not installed: {', '.join(missing)}", file=sys.stderr)
    if len(missing) == len(READERS):
        tools.skip("any of the readers")
    support.main()


if __name__ == "__main__":
    main()
