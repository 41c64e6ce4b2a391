#!/usr/bin/env python3
"""`paraprint crawl` stopped by signals and killed at any moment: settled addresses stay settled and are not requested
again.

usage: crawl_stop_test.py PARAPRINT [KILLS] [unittest arguments]
"""
import json
import random
import re
import signal
import subprocess
import sys
import time

import support
from crawl_site import answer, article_page, page
from crawl_support import CrawlTest

# Requests must not time out on a busy machine: they would rightly be repeated, which changes the order.
PATIENT = ("--delay", 0, "--timeout", 300, "--stall-timeout", 300, "--connect-timeout", 300, "--quiet",
           "--warc-bytes", 10_000)
kills = 12


class Stopping(CrawlTest):
    PAGES = 60

    def large_site(self, delay_seconds):
        """A tree of articles; every fourth one is the print version of another. Some links are dead, which the site
        does not say."""
        def missing(site, request, send):
            return answer(page("Not found", [f"Nothing at {request.path}.", *support.article(500, 3)]))

        def reply(site, request, send):
            number = int(request.path[1:] or 0)
            links = [f"/{child}" for child in range(4 * number + 1, 4 * number + 5) if child <= self.PAGES]
            if number % 3 == 0:
                links.append(f"/gone/{number}")
            if number % 4 == 3:
                return answer(article_page(number - 1, print_version=True))
            return answer(article_page(number, links))
        return self.site({"/[0-9]*": reply, "/.*": missing}, delay_seconds=delay_seconds)

    def start(self, site):
        return subprocess.Popen([support.program, "crawl", site.root, "--out", self.folder / "out", "--allow-address",
                                 "127.0.0.1", "--depth", "20", "--cdx", "cdxj", *map(str, PATIENT)],
                                stderr=subprocess.PIPE)

    def assert_same_crawl(self, out, reference):
        """Expects the same addresses with the same outcomes in the same order, and the same known pages for copies.
        The addresses of probes are different in every crawl."""
        fates = [[(url, line["status"], line.get("reason"), re.sub("/[a-z]{24}$", "/probe", line.get("known_url", "")))
                  for url, line in self.log(name).items()] for name in (out, reference)]
        self.assertEqual(*fates)
        self.assertEqual({fate[1:3] for fate in fates[0] if "/gone/" in fate[0]}, {("refused", "soft-404")})

    def assert_only_interrupted_requests_are_repeated(self, targets):
        """`targets`: the requests of all runs, in order. Only requests in progress when a run was killed may be
        repeated, each as the first request of the next run."""
        asked = set()
        for before, target in zip([None, *targets], targets):
            if target in asked:
                self.assertEqual(target, before, "requested twice")
            asked.add(target)
        self.assertLessEqual(len(targets) - len(asked), kills)

    def reference(self, site):
        self.crawl(site.root, "--depth", 20, out="reference", pace=PATIENT)
        with site.lock:
            site.requests.clear()

    def test_signal_saves_the_state(self):
        site = self.large_site(0.02)
        self.reference(site)
        for number in (signal.SIGTERM, signal.SIGINT):
            before = len(site.requests)
            running = self.start(site)
            while len(site.requests) < before + 8:
                time.sleep(0.005)
            running.send_signal(number)
            _, complaint = running.communicate(timeout=60)
            self.assertEqual(running.returncode, support.INTERRUPTED, complaint)
            self.assertFalse(self.summary()["is_complete"])
            self.assertEqual(self.summary()["stopped_by"], "request")
            archives = sorted((self.folder / "out/warc").glob("*.warc.gz"))
            self.assertEqual((self.folder / "out/index.cdxj").read_text(), self.run_program("cdx", *archives).stdout)
        self.crawl("--depth", 20, pace=PATIENT)
        self.assertTrue(self.summary()["is_complete"])
        self.assertEqual([target for target, count in site.counts().items() if count > 1], [])
        self.assert_same_crawl("out", "reference")
        self.assert_archive_agrees_with_log()

    def test_one_crawl_per_folder(self):
        site = self.large_site(0.05)
        running = self.start(site)
        while len(site.requests) < 3:
            time.sleep(0.005)
        finished = self.crawl(site.root, expect=support.USAGE)
        self.assertIn("another crawl", finished.stderr)
        running.kill()
        running.communicate()

    def test_power_cut(self):
        """After a power cut the state is that of the last sync, and the other files may have any length. This is
        simulated by a journal of another boot; archive, log and index have more than the state knows."""
        site = self.large_site(0.015)
        self.reference(site)
        journal = self.folder / "out/.paraprint/journal"
        choice = random.Random(11)
        cuts = 0
        for _ in range(8):
            wanted = len(site.requests) + choice.randrange(2, 8)
            running = self.start(site)
            # Waits for progress instead of a fixed time, in which a slow machine might not even start the crawl.
            while running.poll() is None and (len(site.requests) < wanted or not journal.exists()):
                time.sleep(0.005)
            running.kill()
            running.communicate()
            if journal.exists():
                format_line, _, rest = journal.read_bytes().split(b"\n", 2)
                journal.write_bytes(format_line + b"\nanother boot\n" + rest[:choice.randrange(len(rest) + 1)])
                cuts += 1
        self.assertGreater(cuts, 2)
        self.crawl(site.root, "--depth", 20, pace=PATIENT)
        self.assertTrue(self.summary()["is_complete"])
        self.assertFalse(journal.exists())
        self.assert_same_crawl("out", "reference")
        records = self.assert_archive_agrees_with_log()
        kept = [record.url for record in records if record.kind in ("response", "revisit")]
        self.assertEqual(len(kept), len(set(kept)), "a page twice in the archive")
        self.run_program("index", "verify", "--data", self.folder / "out/.paraprint/index")

    def test_kill_at_any_moment(self):
        site = self.large_site(0.005)
        self.reference(site)
        settled_at = []  # after each kill: number of requests so far, settled addresses
        choice = random.Random(7)
        for _ in range(kills):
            running = self.start(site)
            try:
                running.wait(timeout=0.25 + choice.random() * 0.6)
            except subprocess.TimeoutExpired:
                pass
            running.kill()
            running.communicate()
            log = self.folder / "out/log.jsonl"
            lines = log.read_text().split("\n")[:-1] if log.exists() else []
            settled = [json.loads(line)["url"] for line in lines]
            self.assertEqual(len(settled), len(set(settled)), "an address settled twice")
            # The last line may lack its change of the state, and is then cut off when the crawl resumes.
            settled_at.append((len(site.requests), {url.removeprefix(site.root) for url in settled[:-1]}))
        self.crawl(site.root, "--depth", 20, pace=PATIENT)
        self.assertTrue(self.summary()["is_complete"])
        for requests, settled in settled_at:
            again = settled & {request.target for request in site.requests[requests:]}
            self.assertFalse(again, "requested again after it was settled")
        self.assert_only_interrupted_requests_are_repeated([request.target for request in site.requests])
        self.assert_same_crawl("out", "reference")
        records = self.assert_archive_agrees_with_log()
        kept = [record.url for record in records if record.kind in ("response", "revisit")]
        self.assertEqual(len(kept), len(set(kept)), "a page twice in the archive")
        self.assertEqual(set(kept), {line["url"] for line in self.log("reference").values() if "record_id" in line})
        archives = [path.name for path in (self.folder / "out/warc").iterdir()]
        self.assertGreater(len(archives), 3)
        self.assertEqual([name for name in archives if name.endswith(".open")], [])
        self.run_program("extract", self.folder / "out/warc")


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[2].isdigit():
        kills = int(sys.argv.pop(2))
    support.main()
