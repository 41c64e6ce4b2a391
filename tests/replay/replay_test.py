#!/usr/bin/env python3
"""Players judge what paraprint writes: a capture of the input is shown with its own bytes, or not at all.

usage: replay_test.py PARAPRINT pywb|wabac [unittest arguments]

`Small` has made-up archives, the bundled pages and a crawl of a local site, `Real` the archives of PARAPRINT_DATA_DIR.
Exits with 77 (skipped) if the player is not installed; tests/replay/install_tools.sh installs it.
"""
import gzip
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time
import warnings

import tools

tools.use_their_python(__file__)

import replay
import support
from crawl_site import answer, article_page, conditional, page_answer, redirect
from crawl_support import CrawlTest

import compare
import modes
from readings import capture_of, readings_of
from shown import EQUAL, ORPHANED, OUTCOMES, body_digest, may_be_left_out, why_not_replayed

DATA = pathlib.Path(os.environ.get("PARAPRINT_DATA_DIR", "../data")) / "corpus"
DEMO = tools.ROOT / "examples/demo-crawl"
player_class = None  # set by main()

def record(kind, identifier, url, block, *fields, date="2024-05-01T10:00:00Z"):
    lines = ["WARC/1.1", f"WARC-Type: {kind}", f"WARC-Record-ID: <urn:test:{identifier}>", f"WARC-Date: {date}",
             f"WARC-Target-URI: {url}", *fields, f"Content-Length: {len(block)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


class ReplayTest(support.ProgramTest):
    def setUp(self):
        super().setUp()
        warnings.simplefilter("ignore", ResourceWarning)  # the player leaves files open

    def assert_replays(self, inputs, names=()):
        """Compares what the player shows of the inputs with what it shows of each output."""
        table = ["\t".join(["mode", "captures", *OUTCOMES])]
        work = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for name, comparison in compare.compare_modes(support.program, inputs, player_class, work, names):
            table.append("\t".join(map(str, [name, *comparison.row()])))
            with self.subTest(name):
                self.assertEqual(comparison.faults, [])
                unexplained = [found for found in comparison.nothing_before if why_not_replayed(*found) is None]
                self.assertEqual(unexplained, [])
                if "dedup" not in name:
                    lost = [found for found in comparison.left_out if not may_be_left_out(found[1])]
                    self.assertEqual(lost, [])
                self.assertGreater(comparison.counts[EQUAL], 0)
        print("\n".join(table), file=sys.stderr)
        shutil.rmtree(work)


class Small(ReplayTest):
    def collection(self, seed):
        """Archives in which payloads of all types and statuses recur, as do pages, with revisit records."""
        choose = random.Random(seed)
        texts = [support.html_of(support.article(seed * 10 + number)).encode() for number in range(3)]
        bodies = texts + [choose.randbytes(size) for size in (0, 1, 600, 3000)]
        paths = []
        for number in range(3):
            parts = []
            for place in range(25):
                identifier = f"{seed}-{number}-{place}"
                scheme = choose.choice(["http", "https"])
                url = f"{scheme}://{choose.randrange(12)}.example/{choose.choice(['', 'page', 'image.png'])}"
                date = f"2024-05-{choose.randrange(1, 29):02}T10:00:0{choose.randrange(3)}Z"
                body = choose.choice(bodies)
                fields = choose.choice([[], ["WARC-Payload-Digest: " + replay.sha1_label(body)]])
                headers = [f"X-Place: {place}"]
                if choose.randrange(4) == 0:
                    body = gzip.compress(body, mtime=0)
                    fields, headers = [], ["Content-Encoding: gzip"]
                if choose.randrange(4) == 0:
                    body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if body else b"0\r\n\r\n"
                    fields, headers = [], [*headers, "Transfer-Encoding: chunked"]
                status = choose.choice(["200 OK"] * 6 + ["404 Not Found", "302 Found"])
                if status.startswith("3"):
                    headers.append(f"Location: http://elsewhere.example/{place}")
                if choose.randrange(10) == 0:
                    parts.append(record("resource", identifier, url, choose.choice(bodies), "Content-Type: image/png",
                                        date=date))
                    continue
                content_type = choose.choice(["text/html; charset=utf-8", "image/png"])
                parts.append(record("response", identifier, url,
                                    support.http_message(body, content_type, headers, status),
                                    "Content-Type: application/http; msgtype=response", *fields, date=date))
            packed = number > 0
            content = b"".join(gzip.compress(part, mtime=0) for part in parts) if packed else b"".join(parts)
            paths.append(pathlib.Path(self.write(f"{seed}-{number}.warc{'.gz' if packed else ''}", content)))
        return paths

    def test_made_up_archives(self):
        for seed in range(3):
            with self.subTest(seed):
                self.assert_replays(self.collection(seed))

    def test_archives_with_revisit_records(self):
        """Captures that revisit records refer to stay."""
        inputs = self.collection(4)
        archives = modes.run(support.program, modes.MODES["payloads, all sizes"], inputs, self.folder / "out")
        kinds = [found.kind for path in archives for found in replay.records_of(path)]
        self.assertGreater(kinds.count("revisit"), 10)
        self.assert_replays(archives)

    def test_what_a_lost_original_takes_away_is_a_fault(self):
        page = support.http_message(b"<p>the page", "text/html", [], "200 OK")
        fields = ["Content-Type: application/http; msgtype=response",
                  "WARC-Payload-Digest: " + replay.sha1_label(b"<p>the page")]
        original = record("response", "original", "http://a.example/", page, *fields)
        revisit = record("revisit", "revisit", "http://b.example/", page.partition(b"<p>")[0], *fields,
                         "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
                         "WARC-Refers-To-Target-URI: http://a.example/", "WARC-Refers-To-Date: 2024-05-01T10:00:00Z",
                         date="2024-05-02T10:00:00Z")
        whole = pathlib.Path(self.write("whole.warc", original + revisit))
        orphan = pathlib.Path(self.write("orphan.warc", revisit))
        before = compare.Before(player_class, [whole])
        self.assertEqual(before.compare(player_class, [whole]).counts, {EQUAL: 2})
        comparison = before.compare(player_class, [orphan])
        self.assertEqual(comparison.counts, {ORPHANED: 2})
        self.assertEqual(len(comparison.faults), 2)

    def test_bundled_pages(self):
        self.assert_replays(sorted(DEMO.glob("*.warc.gz")))

    def test_the_model_of_a_player_shows_what_players_show(self):
        """tests/cli/replay.py says what a player shows for revisit records: other tests rely on it."""
        inputs = self.collection(7)
        archives = modes.run(support.program, modes.MODES["payloads, all sizes"], inputs, self.folder / "out")
        records = [found for path in archives for found in replay.records_of(path)]
        revisits = {capture_of(found): found for found in records if found.kind == "revisit"}
        self.assertGreater(len(revisits), 10)
        player = player_class(archives)
        self.addCleanup(player.close)
        shown = player.show_all(list(revisits))
        shared = player.bodies_at_shared_places()
        for capture, revisit in revisits.items():
            if player.place(capture) in shared and player_class.__name__ == "PywbPlayer":
                continue  # it may show the other capture
            expected = set()
            for payload in replay.payloads_shown(revisit, records):
                expected |= readings_of(replay.Record(b"WARC/1.1\r\n" + b"\r\n".join(
                    f"{name}: {value}".encode() for name, value in revisit.fields.items()),
                    revisit.block + payload))
            self.assertIn(shown[capture].body, expected, capture)


class SmallCrawl(ReplayTest, CrawlTest):
    """A crawl, and another one of the same site later, replayed against what the server sent."""

    def site_and_truth(self):
        """The site, and address -> digests of the bodies that it serves there."""
        body, other = article_page(1), article_page(2)
        copy = article_page(1, print_version=True)
        chunked = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (other[:100], other[100:])) + b"0\r\n\r\n"
        packed = gzip.compress(body, mtime=0)
        bodies = {"/": None, "/a/1": body, "/a/1-again": body, "/print/1": copy, "/a/2": other, "/gone": b"<p>gone",
                  "/moved": b"moved", "/etag": None}
        routes = {
            "/": page_answer("Home", 30, [*list(bodies)[1:], "/chunked", "/packed"]),
            "/a/1(-again)?": answer(body), "/print/1": answer(copy), "/a/2": answer(other),
            "/gone": answer(b"<p>gone", "404 Not Found"), "/moved": redirect("/a/1"), "/etag": conditional,
            "/chunked": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n"
                        b"Connection: close\r\n\r\n" + chunked,
            "/packed": answer(packed, headers=["Content-Encoding: gzip"])}
        site = self.site(routes)
        truth = {path: {body_digest(content)} for path, content in bodies.items() if content is not None}
        truth["/"] = {body_digest(routes["/"].partition(b"\r\n\r\n")[2])}
        truth["/etag"] = {body_digest(page_answer("Conditional", 95).partition(b"\r\n\r\n")[2]), body_digest(b"")}
        truth["/chunked"] = {body_digest(other)}
        truth["/packed"] = {body_digest(packed), body_digest(body)}
        return site, truth

    def test_crawls(self):
        for copies in modes.COPIES:
            with self.subTest(copies):
                site, truth = self.site_and_truth()
                self.crawl(site.root, "--copies", copies, "--connections", 1, out=copies)
                time.sleep(1.1)
                self.crawl("--copies", copies, "--connections", 1, "--refetch-after", 0, out=copies)
                archives = modes.archives_below(self.folder / copies / "warc")
                player = player_class(archives)
                self.addCleanup(player.close)
                captures = player.captures()
                shown = player.show_all(captures)
                for capture in captures:
                    path = capture.url.removeprefix(site.root)
                    if path == "/robots.txt":
                        continue
                    if path != "/etag":  # for "not modified", wabac.js shows the capture that was not modified
                        self.assertEqual(shown[capture].timestamp, capture.timestamp, capture)
                    self.assertIn(shown[capture].body, truth[path], capture)
                replayed = {capture.url.removeprefix(site.root) for capture in captures}
                left_out = {"store": set(), "metadata": {"/print/1", "/chunked", "/packed"},
                            "skip": {"/print/1", "/a/1-again", "/chunked", "/packed"}}[copies]
                self.assertEqual(set(truth) - replayed, left_out)
                print(f"crawl --copies {copies}\t{len(captures)} captures", file=sys.stderr)


class Real(ReplayTest):
    def setUp(self):
        super().setUp()
        if not DATA.exists():
            self.skipTest("test data not found; set PARAPRINT_DATA_DIR")

    def test_odd_archives(self):
        inputs = [path for path in sorted((DATA / "odd-warcs").iterdir()) if modes.is_archive(path)]
        self.assertGreater(len(inputs), 30)
        self.assert_replays(inputs)

    def test_real_archives(self):
        for path in sorted(DATA.glob("*.warc.gz")):
            with self.subTest(path.name):
                print(path.name, file=sys.stderr)
                self.assert_replays([path])


def main():
    global player_class
    name = sys.argv.pop(2)
    if name == "wabac":
        import wabac_player
        if not wabac_player.is_installed():
            tools.skip("wabac.js or Chromium")
    player_class = compare.player_named(name)
    support.main()


if __name__ == "__main__":
    main()
