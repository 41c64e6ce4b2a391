#!/usr/bin/env python3
"""`paraprint crawl` against our own sites on loopback addresses.

usage: crawl_test.py PARAPRINT [unittest arguments]
"""
import email.utils
import gzip
import json
import os
import subprocess
import time

import crawl_site
import support
from crawl_site import answer, article_page, page_answer, redirect
from crawl_support import QUICK, CrawlTest


class Pages(CrawlTest):
    def test_pages_links_and_archive(self):
        chunked = crawl_site.page("Chunked", support.article(31, 4))
        site = self.site({
            "/": page_answer("Home", 30, ["/a/1", "/a/2?x=1&utm_source=mail", "chunked", "packed", "/gone", "/moved",
                                          "http://elsewhere.invalid/", "mailto:x@example.org", "/a/1#part", "/plain"]),
            "/a/1": answer(article_page(1)), "/a/2": answer(article_page(2, ["/a/1", "/deep/1"])),
            "/deep/1": page_answer("Deep 1", 41, ["/deep/2"]), "/deep/2": page_answer("Deep 2", 42, ["/deep/3"]),
            "/deep/3": page_answer("Deep 3", 43), "/moved": redirect("/moved-here"),
            "/moved-here": page_answer("Moved", 44), "/plain": answer("A text.\n", content_type="text/plain"),
            "/chunked": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (chunked[:100], chunked[100:]))
                        + b"0\r\n\r\n",
            "/packed": answer(gzip.compress(crawl_site.page("Packed", support.article(32, 4))),
                              headers=["Content-Encoding: gzip"]),
        })
        self.crawl(site.root + "/#top")
        stored = {"/", "/a/1", "/a/2?x=1", "/chunked", "/packed", "/moved-here", "/plain", "/deep/1", "/deep/2"}
        for path in stored:
            self.assertEqual(self.fate(site.root + path), ("stored", None), path)
        self.assertEqual(self.fate(site.root + "/gone"), ("refused", "http-status"))
        self.assertEqual(self.fate(site.root + "/moved"), ("redirect", None))
        self.assertEqual(self.fate(site.root + "/deep/3"), ("skipped", "depth"))
        self.assertEqual(set(site.counts()), stored | {"/robots.txt", "/gone", "/moved"})
        self.assertEqual(max(site.counts().values()), 1)
        request = site.requests[-1]
        self.assertNotIn("cookie", request.fields)
        self.assertTrue(request.fields["user-agent"].startswith("paraprint/"))
        self.assertEqual(request.fields["accept-encoding"], "gzip, br, zstd")
        summary = self.summary()
        self.assertTrue(summary["is_complete"])
        self.assertEqual(summary["totals"]["stored"], len(stored))
        self.assertEqual(summary["totals"]["links_off_scope"], 1)
        self.assertEqual(summary["totals"]["requests"], len(site.requests))
        records = {record.url: record for record in self.assert_archive_agrees_with_log()
                   if record.kind in ("response", "revisit")}
        # Stored as received: chunks and compression are kept.
        self.assertTrue(records[site.root + "/chunked"].block.endswith(b"0\r\n\r\n"))
        packed = records[site.root + "/packed"].block.partition(b"\r\n\r\n")[2]
        self.assertIn(b"Packed", gzip.decompress(packed))
        self.assertIn("Crawl of", (self.folder / "out/report/index.html").read_text())

    def test_our_reader_reads_the_archive(self):
        site = self.site({"/": page_answer("Home", 30, ["/1", "/2"]), "/1": answer(article_page(1)),
                          "/2": answer(article_page(1, print_version=True))})
        self.crawl(site.root)
        finished = self.run_program("extract", self.folder / "out/warc")
        self.assertEqual(len(finished.stdout.splitlines()), 3)
        self.assertNotIn("broken", finished.stderr)
        # A copy for the crawler is a copy for the batch as well.
        self.run_program("dedup", self.folder / "out/warc", "--out", self.folder / "clean", "--quiet")
        removed = [json.loads(line) for line in (self.folder / "clean/removed.jsonl").read_text().splitlines()]
        self.assertEqual(len(removed), 1)
        self.assertEqual(self.fate(site.root + "/2"), ("copy", None))

    def test_pages_of_adverts_are_archived_and_refused(self):
        adverts = "".join(f"<p><a rel=sponsored href=http://shop{n}.invalid/>Shoes no. {n}</a></p>" for n in range(60))
        links = "".join(f"<p><a href=http://blog{n}.invalid/>A blog no. {n}</a></p>" for n in range(60))
        site = self.site({"/": page_answer("Home", 30, ["/adverts", "/links"]),
                          "/adverts": answer(f"<html><body>{adverts}</body></html>"),
                          "/links": answer(f"<html><body>{links}</body></html>")})
        self.crawl(site.root)
        self.assertEqual(self.fate(site.root + "/adverts"), ("refused", "advert"))
        self.assertEqual(self.fate(site.root + "/links"), ("stored", None))
        self.assertEqual(self.summary()["totals"]["stored"], 2)
        kept = {record.url for record in self.assert_archive_agrees_with_log() if record.kind == "response"}
        self.assertIn(site.root + "/adverts", kept)
        # The caller asked for a seed.
        self.crawl(site.root + "/adverts", "--depth", "0", out="seed")
        self.assertEqual(self.fate(site.root + "/adverts", out="seed"), ("stored", None))

    def test_repeated_request_is_archived_once(self):
        """The site closes a kept connection when the next request arrives, so libcurl repeats it on a new one."""
        def kept(reply):
            return reply.replace(b"Connection: close\r\n", b"")
        site = self.site({"/": kept(page_answer("Home", 30, ["/1"])), "/1": kept(answer(article_page(1)))},
                         hangs_up_late=True)
        self.crawl(site.root)
        requests = [record.block for record in self.records() if record.kind == "request"]
        self.assertEqual([block.count(b"GET /") for block in requests], [1, 1])

    def test_scope_and_patterns(self):
        other = self.site({"/.*": page_answer("Other", 50)}, address="127.0.0.2")
        site = self.site({"/": page_answer("Home", 30, ["/yes/1", "/no/1", other.root + "/"]),
                          "/.*": page_answer("X", 51)})
        self.crawl(site.root, "--exclude", "*/no/*", allow="127.0.0.0/8")
        self.assertEqual(self.fate(site.root + "/no/1"), ("skipped", "excluded"))
        self.assertEqual(other.requests, [])
        self.crawl(site.root, "--include", "*/$", "--include", "*/yes/", "--scope", "any", allow="127.0.0.0/8",
                   out="any")
        self.assertEqual(self.fate(other.root + "/", "any"), ("stored", None))
        self.assertEqual(self.fate(site.root + "/no/1", "any"), ("skipped", "excluded"))
        self.assertEqual(self.fate(site.root + "/yes/1", "any")[0], "stored")

    def test_nofollow(self):
        site = self.site({"/": page_answer("Home", 30, ["/meta", "/header"]),
                          "/meta": answer(crawl_site.page("M", support.article(52), ["/never"],
                                                          "<meta name=robots content=nofollow>")),
                          "/header": page_answer("H", 53, ["/never"], headers=["X-Robots-Tag: nofollow"])})
        self.crawl(site.root)
        self.assertIsNone(self.fate(site.root + "/never"))

    def test_links_marked_nofollow(self):
        site = self.site({"/": answer('<p>%s</p><a rel=nofollow href="/marked">m</a>' % " ".join(support.article(30))),
                          "/marked": page_answer("M", 31)})
        self.crawl(site.root)
        self.assertIsNone(self.fate(site.root + "/marked"))
        self.crawl(site.root, "--follow-rel-nofollow", out="all")
        self.assertEqual(self.fate(site.root + "/marked", "all"), ("stored", None))

    def noindex_site(self):
        """/meta and /header ask not to be indexed; /copy-of-meta and /copy-of-header have the same texts."""
        hidden = crawl_site.page("M", support.article(52), ["/copy-of-meta"], "<meta name=robots content=noindex>")
        return self.site({"/": page_answer("Home", 30, ["/meta", "/header"]),
                          "/meta": answer(hidden),
                          "/header": page_answer("H", 53, ["/copy-of-header"], headers=["X-Robots-Tag: noindex"]),
                          "/copy-of-meta": page_answer("C", 52), "/copy-of-header": page_answer("C", 53)})

    def test_noindex_pages_are_archived_but_not_indexed(self):
        site = self.noindex_site()
        self.crawl(site.root)
        for path in ("/meta", "/header", "/copy-of-meta", "/copy-of-header"):
            self.assertEqual(self.fate(site.root + path), ("stored", None), path)
        self.assertEqual([url for url, line in self.log().items() if line.get("noindex")],
                         [site.root + "/meta", site.root + "/header"])

    def test_noindex_can_be_ignored(self):
        site = self.noindex_site()
        self.crawl(site.root, "--noindex", "index")
        self.assertEqual(self.fate(site.root + "/copy-of-meta"), ("copy", None))
        self.assertEqual(self.fate(site.root + "/copy-of-header"), ("copy", None))

    def test_noindex_pages_can_be_skipped(self):
        site = self.noindex_site()
        self.crawl(site.root, "--noindex", "skip")
        self.assertEqual(self.fate(site.root + "/meta"), ("refused", "noindex"))
        self.assertEqual(self.fate(site.root + "/header"), ("refused", "noindex"))
        self.assertEqual(self.fate(site.root + "/copy-of-meta"), ("stored", None))
        self.assert_archive_agrees_with_log()
        self.crawl(site.root, "--noindex", "hide", out="wrong", expect=support.USAGE)

    def test_page_limits(self):
        site = self.site({"/": page_answer("Home", 30, [f"/{i}" for i in range(20)]),
                          "/[0-9]+": lambda site, request, send: answer(article_page(int(request.path[1:])))})
        self.crawl(site.root, "--max-pages", 5)
        self.assertEqual(self.summary()["totals"]["stored"], 5)
        self.assertEqual(self.summary()["stopped_by"], "page-limit")
        self.crawl("--max-pages", 9)
        self.assertEqual(self.summary()["totals"]["stored"], 9)
        self.crawl("--max-pages-per-host", 12)
        self.assertEqual(self.summary()["totals"]["stored"], 12)
        self.assertEqual(self.summary()["totals"]["reasons"], {"host-pages": 9})
        self.crawl()  # without the limit, the skipped addresses are wanted
        self.assertEqual(self.summary()["totals"]["stored"], 21)
        self.assertEqual(self.summary()["totals"]["reasons"], {})
        self.assertEqual(max(site.counts().values()), 1)

    def test_greater_depth_resumes_the_crawl(self):
        site = self.site({"/": page_answer("Home", 30, ["/1"]), "/1": page_answer("1", 31, ["/2"]),
                          "/2": page_answer("2", 32, ["/3"]), "/3": page_answer("3", 33)})
        self.crawl(site.root, "--depth", 1)
        self.assertEqual(self.fate(site.root + "/2"), ("skipped", "depth"))
        self.crawl("--depth", 3)
        self.assertEqual(self.fate(site.root + "/3"), ("stored", None))
        self.assertEqual(max(site.counts().values()), 1)

    def test_refetch(self):
        text = [crawl_site.page("Changing", support.article(61, 4))]
        site = self.site({"/": page_answer("Home", 30, ["/conditional", "/same", "/changing"]),
                          "/conditional": crawl_site.conditional, "/same": page_answer("Same", 62),
                          "/changing": lambda *_: answer(text[0])})
        self.crawl(site.root)
        text[0] = crawl_site.page("Changing", support.article(63, 4))
        time.sleep(1.1)
        self.crawl("--refetch-after", 0)
        self.assertEqual(self.fate(site.root + "/conditional"), ("unchanged", None))
        self.assertEqual(self.log()[site.root + "/conditional"]["http_status"], 304)
        self.assertEqual(self.fate(site.root + "/same"), ("unchanged", None))
        self.assertEqual(self.fate(site.root + "/changing"), ("stored", None))
        self.assertTrue(self.log()[site.root + "/changing"]["has_changed"])
        profiles = {record.url: record.fields["WARC-Profile"].rpartition("/")[2]
                    for record in self.assert_archive_agrees_with_log() if record.kind == "revisit"}
        self.assertEqual(profiles[site.root + "/conditional"], "server-not-modified")
        self.assertEqual(profiles[site.root + "/same"], "identical-payload-digest")
        self.assertEqual(self.summary()["totals"]["unchanged"], 3)

    def test_pages_that_a_limit_keeps_from_being_fetched_again(self):
        """Later they are asked for on condition, because the archive has them."""
        site = self.site({"/": page_answer("Home", 30, ["/conditional"]), "/conditional": crawl_site.conditional})
        self.crawl(site.root)
        time.sleep(1.1)
        self.crawl("--refetch-after", 0, "--max-pages-per-host", 1)
        self.assertEqual(self.fate(site.root + "/conditional"), ("skipped", "host-pages"))
        self.crawl()
        self.assertEqual(self.fate(site.root + "/conditional"), ("unchanged", None))
        self.assertEqual(self.log()[site.root + "/conditional"]["http_status"], 304)

    def test_other_algorithms_recognise_copies(self):
        words = support.article(1, 12)
        near = words[:-1] + [words[-1] + " Printed on Monday."]
        pages = {"/": page_answer("Home", 30, ["/one", "/near", "/other"]),
                 "/one": answer(crawl_site.page("One", words)), "/near": answer(crawl_site.page("One", near)),
                 "/other": answer(article_page(2))}
        for algorithm in ("simhash-integrated", "simhash-position:tables=10", "keyword-position"):
            site = self.site(pages)
            self.crawl(site.root + "/", "--algorithm", algorithm, out=algorithm)
            fates = {path: self.fate(site.root + path, algorithm) for path in ("/one", "/near", "/other")}
            self.assertEqual(fates["/other"], ("stored", None))
            self.assertEqual(sorted(status for status, _ in fates.values()), ["copy", "stored", "stored"], algorithm)

    def test_invalid_options(self):
        for arguments in (["ftp://example.org/"], [], ["http://a.example", "--scope", "world"],
                          ["http://a.example", "--user-agent", "/1"],
                          ["http://a.example", "--allow-address", "localhost"],
                          ["http://a.example", "--connections", 0], ["http://a.example", "--delay", -1],
                          ["http://a.example", "--algorithm", "minhash-forest"]):
            finished = self.run_program("crawl", *arguments, "--out", self.folder / "bad", expect=support.USAGE)
            self.assertIn("paraprint", finished.stderr)
        self.run_program("crawl", "http://a.example", expect=support.USAGE)

    def test_only_a_crawl_needs_libcurl(self):
        """A damaged one is found before the installed one. Other commands do not load it."""
        self.write("libraries/libcurl.so.4", b"not a library")
        page = self.write("page.html", support.html_of(support.article(1)))
        where = {"LD_LIBRARY_PATH": str(self.folder / "libraries")}
        command = [support.program, "crawl", "http://a.example", "--out", str(self.folder / "out")]
        finished = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **where})
        self.assertEqual(finished.returncode, support.USAGE, finished.stderr)
        self.assertIn("crawling needs libcurl", finished.stderr)
        self.assertIn("apt install libcurl4", finished.stderr)
        self.assertFalse((self.folder / "out" / "summary.json").exists())
        subprocess.run([support.program, "extract", page], check=True, capture_output=True, env={**os.environ, **where})


class Traps(CrawlTest):
    def test_endless_calendar(self):
        site = self.site({"/": page_answer("Home", 30, ["/calendar/2031/1", "/a/1"]),
                          "/calendar/[0-9]+/[0-9]+": crawl_site.calendar, "/a/1": answer(article_page(1))})
        self.crawl(site.root, "--depth", 50, "--barren-limit", 10)
        self.assertEqual(len(site.asked("/calendar/.*")), 10)
        self.assertGreater(self.summary()["totals"]["reasons"]["barren-shape"], 0)
        self.assertEqual(self.fate(site.root + "/a/1"), ("stored", None))

    def test_visitor_numbers(self):
        site = self.site({"/": page_answer("Home", 30, ["/catalogue?visitor=0"]), "/catalogue": crawl_site.catalogue})
        self.crawl(site.root, "--depth", 50, "--copy-links", 2)
        # Links are followed from the first page and two copies of it, five links each.
        self.assertEqual(len(site.asked("/catalogue.*")), 1 + 3 * 5)
        self.assertEqual(self.summary()["totals"]["copies"], 15)
        cluster = self.summary()["clusters"][0]
        self.assertEqual((cluster["copies"], cluster["copies_whose_links_were_followed"]), (15, 2))

    def test_seeds_that_are_copies_of_each_other(self):
        starts = [f"/start/{number}/" for number in range(5)]
        routes = {start: page_answer("Home", 30, [f"{start}page", f"{start}again"]) for start in starts}
        routes.update({f"{start}page": answer(article_page(number + 1)) for number, start in enumerate(starts)})
        # A copy reached through a link counts against --copy-links.
        routes.update({f"{start}again": page_answer("Home", 30, [f"{start}beyond"]) for start in starts})
        routes.update({f"{start}beyond": answer(article_page(number + 11)) for number, start in enumerate(starts)})
        site = self.site(routes)
        self.crawl(*[site.root + start for start in starts], "--copy-links", 2)
        self.assertEqual(len(site.asked("/start/./page")), 5)
        self.assertEqual(len(site.asked("/start/./beyond")), 2)
        cluster = self.summary()["clusters"][0]
        self.assertEqual((cluster["copies"], cluster["copies_whose_links_were_followed"]), (9, 2))

    def test_session_ids_and_print_versions(self):
        site = self.site({"/": page_answer("Home", 30, ["/a/1?PHPSESSID=1", "/a/1?PHPSESSID=2", "/print/1", "/a/2"]),
                          "/a/[0-9]": lambda site, request, send: answer(article_page(int(request.path[-1]))),
                          "/print/1": answer(article_page(1, print_version=True))})
        self.crawl(site.root)
        self.assertEqual(site.asked("/a/1.*"), ["/a/1"])
        line = self.log()[site.root + "/print/1"]
        self.assertEqual((line["status"], line["known_url"]), ("copy", site.root + "/a/1"))

    def test_redirect_loops_and_chains(self):
        site = self.site({"/": page_answer("Home", 30, ["/loop/a", "/self", "/chain/1", "/session"]),
                          "/loop/a": redirect("/loop/b"), "/loop/b": redirect("/loop/a"), "/self": redirect("/self"),
                          "/chain/[0-9]+": crawl_site.chain,
                          "/session": lambda site, request, send:
                              page_answer("Session", 71) if request.query else redirect("/session?PHPSESSID=9")})
        self.crawl(site.root)
        self.assertEqual(self.fate(site.root + "/loop/b"), ("redirect", None))
        self.assertEqual(self.fate(site.root + "/self"), ("refused", "bad-redirect"))
        self.assertEqual(len(site.asked("/chain/.*")), 11)
        self.assertEqual(self.fate(site.root + "/chain/10"), ("redirect", None))
        self.assertEqual(self.fate(site.root + "/chain/11"), ("refused", "redirect-limit"))
        self.assertNotIn(site.root + "/chain/12", self.log())
        self.assertEqual(self.fate(site.root + "/session?PHPSESSID=9"), ("stored", None))
        self.assertEqual(max(site.counts().values()), 1)

    def test_pages_with_numbers_called_like_sessions(self):
        pages = {f"/story.pl?sid=24/05/01/{number}": number for number in range(1, 4)}
        numbers = {target.partition("=")[2]: number for target, number in pages.items()}
        site = self.site({"/": page_answer("Home", 30, list(pages)),
                          "/story.pl": lambda site, request, send: answer(article_page(
                              numbers[crawl_site.query_values(request, "sid")[0]]))})
        self.crawl(site.root)
        for page in pages:
            self.assertEqual(self.fate(site.root + page), ("stored", None))

    def test_hosts_that_become_too_long(self):
        hosts = ["\u00e9." * 110 + "example", "\u2121" * 100 + ".example"]  # "xn--9ca." and "tel" each
        site = self.site({"/": page_answer("Home", 30, [*(f"http://{host}/" for host in hosts), "/1"]),
                          "/1": answer(article_page(1))})
        self.crawl(site.root, "--scope", "any")
        self.assertEqual(set(self.log()), {site.root + "/", site.root + "/1"})
        self.assertEqual(self.summary()["totals"]["links_unusable"], 2)

    def test_redirects_of_other_sites(self):
        """Too many of them, and then the page is found by its own site."""
        victim = self.site({"/": page_answer("Victim", 31, ["/list"]), "/list": page_answer("List", 32, ["/1"]),
                            "/1": answer(article_page(1))}, address="127.0.0.2", delay_seconds=0.3)
        site = self.site({"/": page_answer("Home", 30, ["/r/1"]),
                          "/r/11": redirect(victim.root + "/1"),
                          "/r/[0-9]+": lambda site, request, send: redirect(f"/r/{int(request.path[3:]) + 1}")})
        self.crawl(site.root, victim.root, allow="127.0.0.0/8")
        self.assertEqual(self.fate(victim.root + "/1"), ("stored", None))

    def test_repeating_paths(self):
        site = self.site({"/": page_answer("Home", 30, ["/x/"]), "/x/.*": crawl_site.deep})
        self.crawl(site.root, "--depth", 50)
        self.assertEqual(site.asked("/x/.*"), ["/x/", "/x/again/more/", "/x/again/more/again/more/"])
        self.assertEqual(self.summary()["totals"]["reasons"], {"repeating-path": 1})


class BrokenAnswers(CrawlTest):
    def test_broken_answers_are_reported_and_skipped(self):
        cases = {
            "/slow": (crawl_site.slow_body, ("failed", "stalled")),
            "/hang-up": (crawl_site.hang_up, ("failed", "connection")),
            "/truncated": (crawl_site.truncated, ("stored", None)),
            "/truncated-chunks": (crawl_site.truncated_chunks, ("stored", None)),
            "/reset": (crawl_site.reset, ("stored", None)),
            "/short-redirect": (crawl_site.broken_redirect("/moved"), ("redirect", None)),
            "/slow-redirect": (crawl_site.broken_redirect("/moved", 3), ("redirect", None)),
            "/large-redirect": (answer(b"a" * 300_000, "302 Found", headers=["Location: /moved"]), ("redirect", None)),
            "/moved": (page_answer("Moved", 81), ("stored", None)),
            "/short-length": (crawl_site.short_length, ("stored", None)),
            "/huge-header": (crawl_site.huge_header, ("refused", "header-too-large")),
            "/long-line": (crawl_site.long_header_line, ("refused", "header-too-large")),
            "/long-status": (crawl_site.long_status_line, ("refused", "header-too-large")),
            "/bomb": (crawl_site.bomb(), ("refused", "expands-too-much")),
            "/large": (answer(b"a" * 300_000), ("refused", "body-too-large")),
            "/picture": (answer(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8), ("refused", "not-text")),
            "/document": (answer(b"%PDF-1.7", content_type="application/pdf"), ("refused", "content-type")),
            "/not-gzip": (answer(b"\x1f\x8b\x08" + b"\xff" * 50, headers=["Content-Encoding: gzip"]),
                          ("refused", "broken-encoding")),
            "/not-http": (b"SSH-2.0-server\r\n\r\n", ("failed", "protocol")),
            "/error": (answer("broken", "500 Internal Server Error"), ("failed", "server-error")),
            "/forbidden": (answer("no", "403 Forbidden"), ("refused", "http-status")),
            "/flaky": (crawl_site.flaky(2), ("stored", None)),
            "/empty": (answer(""), ("stored", None)),
            "/nameless": (redirect("http://name.invalid/"), ("redirect", None)),
            "/nowhere": (redirect("http://[bad/"), ("refused", "bad-redirect")),
        }
        routes = {path: reply for path, (reply, _) in cases.items()}
        links = [path for path in cases if path != "/moved"]
        site = self.site({"/": page_answer("Home", 30, links), **routes})
        self.crawl(site.root, "--max-body-bytes", 200_000, "--max-decoded-bytes", "10MB", "--retries", 2)
        for path, (_, fate) in cases.items():
            self.assertEqual(self.fate(site.root + path), fate, path)
        counts = site.counts()
        for path in ("/slow", "/hang-up", "/truncated", "/reset", "/error", "/flaky"):
            self.assertEqual(counts[path], 3, path)
        for path in ("/bomb", "/document", "/forbidden", "/huge-header", "/long-line", "/long-status",
                     "/short-redirect", "/slow-redirect", "/large-redirect"):
            self.assertEqual(counts[path], 1, path)
        records = {record.url: record for record in self.assert_archive_agrees_with_log() if record.kind == "response"}
        for path, reason in (("/truncated", "disconnect"), ("/reset", "disconnect"), ("/short-redirect", "disconnect"),
                             ("/large-redirect", "length")):
            self.assertEqual(records[site.root + path].fields["WARC-Truncated"], reason, path)
        self.assertNotIn("WARC-Truncated", records[site.root + "/flaky"].fields)
        self.assertTrue(self.summary()["is_complete"])

    def test_fields_that_look_like_a_status(self):
        """Only a line at the beginning is one, or after an interim response."""
        fields = ["HTTP/1.1: a field", "HTTP/1.1-Fallback: 404"]
        interim = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        site = self.site({"/": interim + page_answer("Home", 30, headers=fields)})
        self.crawl(site.root)
        line = self.log()[site.root + "/"]
        self.assertEqual((line["status"], line["http_status"]), ("stored", 200))
        block = next(record.block for record in self.assert_archive_agrees_with_log() if record.kind == "response")
        self.assertTrue(block.startswith(b"HTTP/1.1 200 OK\r\n"), block[:100])
        for field in fields:
            self.assertIn(field.encode(), block)

    def test_retry_after_with_a_date(self):
        def busy(site, request, send):
            if site.counts()["/"] > 1:
                return page_answer("Home", 30)
            later = email.utils.formatdate(time.time() + 3, usegmt=True)  # whole seconds
            return answer("busy", "503 Service Unavailable", headers=["Retry-After: " + later])
        site = self.site({"/": busy})
        self.crawl(site.root)
        self.assertEqual(self.fate(site.root + "/"), ("stored", None))
        first, second = (request.time_seconds for request in site.requests if request.path == "/")
        self.assertGreater(second - first, 1.5)

    def test_silence_times_out(self):
        site = self.site({"/": page_answer("Home", 30, ["/silent", "/a/1"]), "/silent": crawl_site.silent,
                          "/a/1": answer(article_page(1))})
        self.crawl(site.root, "--retries", 0)
        self.assertEqual(self.fate(site.root + "/silent"), ("failed", "timeout"))
        self.assertEqual(self.fate(site.root + "/a/1"), ("stored", None))


class PrivateAddresses(CrawlTest):
    def test_refused_before_and_after_redirects(self):
        secret = self.site({"/.*": page_answer("Secret", 81)}, address="127.0.0.2")
        targets = {"/literal": secret.root + "/1", "/short": f"http://127.2:{secret.port}/2",
                   "/number": f"http://2130706434:{secret.port}/3",
                   "/mapped": f"http://[::ffff:127.0.0.2]:{secret.port}/4",
                   "/metadata": "http://169.254.169.254/latest/", "/zero": f"http://0.0.0.0:{secret.port}/5"}
        site = self.site({"/": page_answer("Home", 30, [*targets, secret.root + "/direct"]),
                          **{path: redirect(target) for path, target in targets.items()}})
        self.crawl(site.root, "--scope", "any", "--retries", 0)
        self.assertEqual(secret.requests, [])
        reasons = self.summary()["totals"]["reasons"]
        self.assertEqual(reasons, {"private-address": 7})
        self.crawl(site.root, out="none", allow="127.0.0.3")
        self.assertEqual(self.summary("none")["totals"]["reasons"], {"private-address": 1})
        self.assertEqual(len(site.asked("/")), 1)  # by the first crawl

    def test_spellings_of_internal_addresses(self):
        """As lists for testing request forgery have them: as seeds, links and redirects."""
        secret = self.site({"/.*": page_answer("Secret", 30)}, address="0.0.0.0")
        hosts = ["127.0.0.3", "127.3", "127.0.3", "2130706435", "0x7f000003", "0x7F.0.0.3", "0177.0.0.3",
                 "017700000003", "0177.0x0.0.03", "127.0.0.3.", "0", "0.0.0.0", "0x0", "[::]", "[::1]",
                 "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.3]", "[::ffff:7f00:3]", "[::127.0.0.3]", "[64:ff9b::7f00:3]",
                 "[64:ff9b:1::7f00:3]", "[2002:7f00:3::]", "[fe80::1]", "[fd00:ec2::254]", "169.254.169.254",
                 "2852039166", "0xa9fea9fe", "[::ffff:a9fe:a9fe]", "10.0.0.1", "192.168.0.1", "172.16.0.1",
                 "100.100.100.200", "localhost", "LOCALHOST", "localhost.", "lo%63alhost", "127.0.0.%33",
                 "\u2460\u2461\u2466.0.0.3", "\uff11\uff12\uff17.0.0.3", "127\u30020\u30020\u30023",
                 "user@127.0.0.3", "example.org@127.0.0.3", "127.0.0.3%20", "127.0.0.3%00.example.org"]
        targets = {f"/{n}": f"http://{host}:{secret.port}/{n}" for n, host in enumerate(hosts)}
        schemes = {"/file": "file:///etc/passwd", "/gopher": f"gopher://127.0.0.3:{secret.port}/_GET%20/",
                   "/dict": f"dict://127.0.0.3:{secret.port}/info", "/ftp": "ftp://127.0.0.3/",
                   "/data": "data:text/html,secret", "/slashes": f"//127.0.0.3:{secret.port}/slashes",
                   "/backslashes": f"http:\\\\127.0.0.3:{secret.port}\\x",
                   "/backslash": f"http://example.invalid\\@127.0.0.3:{secret.port}/"}
        targets.update(schemes)
        links = [target + "?link" for target in targets.values()]
        site = self.site({"/": page_answer("Home", 30, [*targets, *links]),
                          **{path: redirect(target) for path, target in targets.items()}}, address="127.0.0.9")
        self.crawl(site.root, "--scope", "any", "--retries", 0, allow="127.0.0.9")
        self.assertEqual(secret.requests, [])
        self.assertEqual(len(site.requests), len(targets) + 2, "robots.txt, the page, and each redirect")
        foreign = [line for line in self.log().values() if not line["url"].startswith(site.root)]
        self.assertGreater(len(foreign), len(hosts) // 2)
        self.assertEqual({line["status"] for line in foreign} - {"refused", "failed", "skipped"}, set())
        for number, host in enumerate(hosts[::7]):
            seed = f"http://{host}:{secret.port}/"
            done = subprocess.run([support.program, "crawl", seed, "--retries", "0", *map(str, QUICK), "--out",
                                   str(self.folder / f"seed{number}")], capture_output=True, timeout=60)
            self.assertIn(done.returncode, (support.SUCCESS, support.USAGE), done.stderr)  # USAGE: not an address
        self.assertEqual(secret.requests, [])

    def test_resolved_addresses_are_checked(self):
        site = self.site({"/.*": page_answer("Home", 30)})
        self.crawl(f"http://localhost:{site.port}/", "--retries", 0, allow="10.0.0.0/8")
        self.assertEqual(site.requests, [])
        self.assertEqual(self.summary()["totals"]["reasons"], {"private-address": 1})


if __name__ == "__main__":
    support.main()
