#!/usr/bin/env python3
"""`paraprint crawl` and robots.txt: what it disallows, how slow it asks for, which sitemaps it names.

usage: crawl_robots_test.py PARAPRINT [unittest arguments]
"""
import gzip
import re

import crawl_site
import support
from crawl_site import answer, article_page, page_answer, redirect
from crawl_support import CrawlTest


class Robots(CrawlTest):
    def test_robots_txt_is_obeyed(self):
        site = self.site({"/": page_answer("Home", 30, ["/open", "/closed/1", "/closed/but-not-this", "/x.gif"]),
                          "/.*": page_answer("X", 82)},
                         robots=b"User-agent: *\nDisallow: /\n\nUser-agent: Paraprint\nDisallow: /closed/\n"
                                b"Allow: /closed/but-not\nDisallow: /*.gif$\n")
        self.crawl(site.root)
        self.assertEqual(self.fate(site.root + "/closed/1"), ("skipped", "robots"))
        self.assertEqual(self.fate(site.root + "/x.gif"), ("skipped", "robots"))
        self.assertEqual(sorted(site.counts()), ["/", "/closed/but-not-this", "/open", "/robots.txt"])

    def test_other_answers_to_robots_txt(self):
        loop = redirect("/robots.txt?again")
        answers = {
            "127.0.0.11": (lambda *_: answer("", "500 Internal Server Error"), "robots-unreachable"),
            "127.0.0.12": (lambda *_: answer("", "429 Too Many Requests"), "robots-unreachable"),
            "127.0.0.13": (lambda *_: answer("", "403 Forbidden"), None),
            "127.0.0.14": (lambda *_: answer("", "404 Not Found"), None),
            "127.0.0.15": (lambda *_: redirect("/rules"), "robots"),
            "127.0.0.16": (lambda *_: loop, None),  # endless redirects count as a missing file
            "127.0.0.17": (lambda *_: answer(b"User-agent: *\nDisallow: /page\n#" + b"x" * 2_000_000), "robots"),
            "127.0.0.18": (lambda *_: answer(gzip.compress(b"User-agent: *\nDisallow: /page"),
                                             headers=["Content-Encoding: gzip"]), "robots"),
            "127.0.0.19": (crawl_site.hang_up, "robots-unreachable"),
            "127.0.0.20": (crawl_site.long_header_line, "robots-unreachable"),
            "127.0.0.21": (crawl_site.broken_redirect("/rules"), "robots"),
        }
        sites = {address: self.site({"/page": page_answer("P", 83), "/rules": answer("User-agent: *\nDisallow: /")},
                                    address=address, robots=reply) for address, (reply, _) in answers.items()}
        self.crawl(*[site.root + "/page" for site in sites.values()], "--retries", 1, allow="127.0.0.0/8")
        for address, site in sites.items():
            reason = answers[address][1]
            fate = self.fate(site.root + "/page")
            if reason is None:
                self.assertIn(fate[0], ("stored", "copy"), address)
            else:
                self.assertEqual(fate, ("skipped", reason), address)
                self.assertEqual(site.counts()["/page"], 0, address)
        self.assertEqual(sites["127.0.0.11"].counts()["/robots.txt"], 2)  # a retry
        self.assertEqual(sites["127.0.0.16"].counts()["/robots.txt?again"], 5)

    def test_files_on_other_hosts(self):
        """Those of two hosts are on each other, and those of many on one, which gets one request after the other."""
        crowd = [f"127.0.0.{number}" for number in range(31, 41)]
        place_of = {"127.0.0.11": "127.0.0.12", "127.0.0.12": "127.0.0.11", **dict.fromkeys(crowd, "127.0.0.12")}
        sites = {}
        for address, place in place_of.items():
            sites[address] = self.site(
                {"/page": page_answer("P", 83), "/rules.*": answer("User-agent: *\nDisallow: /no")}, address=address,
                robots=lambda site, *_, place=place, address=address: redirect(f"{sites[place].root}/rules?{address}"),
                delay_seconds=0.25 if address == "127.0.0.12" else 0.05)
        self.crawl(*[site.root + "/page" for site in sites.values()], allow="127.0.0.0/8")
        for address, site in sites.items():
            self.assertIn(self.fate(site.root + "/page")[0], ("stored", "copy"), address)
        asked = [request for request in sites["127.0.0.12"].requests if request.path.startswith("/rules")]
        self.assertEqual(len(asked), len(crowd) + 1)
        times = [request.time_seconds for request in asked]
        self.assertGreater(min(later - earlier for earlier, later in zip(times, times[1:])), 0.25)

    def test_unreachable_robots_txt_is_asked_for_in_every_run(self):
        answers = [answer("", "503 Service Unavailable"), answer("", "503 Service Unavailable"),
                   answer(b"User-agent: *\nDisallow: /closed")]
        site = self.site({"/": page_answer("Home", 30, ["/1"]), "/.*": answer(article_page(1))},
                         robots=lambda *_: answers[0])
        for _ in range(2):
            self.crawl(site.root, site.root + "/open", site.root + "/closed", "--retries", 0)
            for path in ("/", "/open", "/closed"):
                self.assertEqual(self.fate(site.root + path), ("skipped", "robots-unreachable"))
            self.assertTrue(self.summary()["is_complete"])
            self.assertEqual(self.summary()["totals"]["reasons"], {"robots-unreachable": 3})
            answers.pop(0)
        self.crawl("--retries", 0)
        self.assertEqual(self.fate(site.root + "/"), ("stored", None))
        self.assertEqual(self.fate(site.root + "/closed"), ("skipped", "robots"))
        self.assertEqual(self.summary()["totals"]["reasons"], {"robots": 1})
        self.assertEqual(site.counts(), {"/robots.txt": 3, "/": 1, "/open": 1, "/1": 1})

    def test_crawl_delay(self):
        delay_seconds = 0.25
        site = self.site({"/": page_answer("Home", 30, ["/1", "/2", "/3"]),
                          "/.*": lambda site, request, send: answer(article_page(int(request.path[1:])))},
                         robots=b"User-agent: *\nCrawl-delay: 0.25\n")
        self.crawl(site.root)
        times = [request.time_seconds for request in site.requests]
        self.assertEqual(len(times), 5)
        for earlier, later in zip(times, times[1:]):
            self.assertGreaterEqual(later - earlier, delay_seconds * 0.98)

    def test_sitemaps(self):
        packed = gzip.compress(crawl_site.sitemap("/never relative").encode())
        site = self.site({"/": page_answer("Home", 30),
                          "/index.xml": lambda site, *_: answer(
                              f"<sitemapindex><sitemap><loc>{site.root}/pages.xml.gz</loc></sitemap>"
                              f"<sitemap><loc>{site.root}/pages.txt</loc></sitemap></sitemapindex>",
                              content_type="application/xml"),
                          "/pages.xml.gz": lambda site, *_: answer(
                              gzip.compress(crawl_site.sitemap(site.root + "/from-xml",
                                                               "http://elsewhere.invalid/").encode()),
                              content_type="application/gzip"),
                          "/pages.txt": lambda site, *_: answer(f"{site.root}/from-text\n", content_type="text/plain"),
                          "/broken.xml": answer(packed[:40], content_type="application/xml"),
                          "/from-.*": lambda site, request, send: page_answer(request.path, len(request.path))},
                         robots=b"Sitemap: /index.xml\nSitemap: /broken.xml\n")
        self.crawl(site.root)
        for path in ("/from-xml", "/from-text"):
            self.assertEqual(self.fate(site.root + path), ("stored", None), path)
            self.assertEqual(self.log()[site.root + path]["depth"], 1)
        self.assertEqual(self.summary()["totals"]["sitemaps"], 4)
        self.assertEqual({url: line["sitemap_defect"] for url, line in self.log().items() if "sitemap_defect" in line},
                         {site.root + "/broken.xml": "damaged"})
        self.crawl(site.root, "--no-sitemaps", out="without")
        self.assertEqual(set(self.log("without")), {site.root + "/"})

    def test_sitemaps_that_have_moved(self):
        """To another address of the host, and to one that is not its own. Endless redirects end."""
        other = self.site({"/map.xml": lambda site, *_: answer(crawl_site.sitemap(site.root + "/listed")),
                           "/.*": page_answer("Other", 33)}, address="127.0.0.2")
        site = self.site({"/": page_answer("Home", 30), "/old.xml": redirect("/new.xml", "301 Moved Permanently"),
                          "/new.xml": lambda site, *_: answer(crawl_site.sitemap(site.root + "/listed")),
                          "/listed": answer(article_page(1)), "/away.xml": redirect(other.root + "/map.xml"),
                          "/self.xml": redirect("/self.xml"), "/chain/[0-9]+": crawl_site.chain},
                         robots=b"Sitemap: /old.xml\nSitemap: /away.xml\nSitemap: /self.xml\nSitemap: /chain/1\n")
        self.crawl(site.root, other.root, allow="127.0.0.0/8")
        self.assertEqual(self.fate(site.root + "/listed"), ("stored", None))
        self.assertEqual(self.log()[site.root + "/listed"]["referrer"], site.root + "/new.xml")
        line = self.log()[site.root + "/old.xml"]
        self.assertEqual((line["status"], line["redirect_target"]), ("redirect", site.root + "/new.xml"))
        self.assertEqual(self.log()[site.root + "/new.xml"]["depth"], 0)
        self.assertEqual(self.fate(site.root + "/away.xml"), ("redirect", None))
        self.assertEqual(other.counts(), {"/robots.txt": 1, "/": 1})
        self.assertEqual(self.fate(site.root + "/self.xml"), ("refused", "bad-redirect"))
        self.assertEqual(self.fate(site.root + "/chain/11"), ("refused", "redirect-limit"))
        self.assertEqual(len(site.asked("/chain/.*")), 11)
        totals = self.summary()["totals"]
        self.assertEqual((totals["sitemaps"], totals["redirects"], totals["links_off_scope"]), (4, 0, 1))

    def test_long_sitemaps_are_read_up_to_the_limit(self):
        pages = [f"/listed/{number}" for number in range(1, 201)]
        site = self.site({"/": page_answer("Home", 30), "/listed/.*": answer("short"),
                          "/long.xml": lambda site, *_: answer(
                              crawl_site.sitemap(*(site.root + page for page in pages))),
                          "/long.txt": lambda site, *_: answer("".join(f"{site.root}{page}?t\n" for page in pages))},
                         robots=b"Sitemap: /long.xml\nSitemap: /long.txt\n")
        self.crawl(site.root, "--max-body-bytes", 4000, "--barren-limit", 0)
        for path in ("/long.xml", "/long.txt"):
            line = self.log()[site.root + path]
            self.assertEqual((line["status"], line["sitemap_defect"]), ("stored", "cut"))
        for query in ("", "?t"):
            asked = site.asked("/listed/[0-9]+" + re.escape(query))
            self.assertGreater(len(asked), 10)
            self.assertEqual(set(asked), {page + query for page in pages[:len(asked)]})

    def victim(self):
        """Home, a list, and articles."""
        articles = [f"/article/{number}" for number in range(1, 4)]
        site = self.site({"/": page_answer("Victim", 31, ["/list"]), "/list": page_answer("List", 32, articles),
                          "/article/.": lambda site, request, send: answer(article_page(int(request.path[-1]))),
                          "/index.xml": lambda site, *_: answer(
                              f"<sitemapindex><sitemap><loc>{site.root}/map.xml</loc></sitemap></sitemapindex>"),
                          "/map.xml": lambda site, *_: answer(crawl_site.sitemap(site.root + "/unlinked")),
                          "/unlinked": answer(article_page(9))},
                         robots=lambda site, *_: answer(f"Sitemap: {site.root}/index.xml\n",
                                                        content_type="text/plain"),
                         address="127.0.0.2", delay_seconds=0.2)
        return site, [site.root + article for article in articles]

    def assert_all_pages_are_stored(self, victim, articles):
        for url in (*articles, victim.root + "/unlinked"):
            self.assertEqual(self.fate(url), ("stored", None), url)
        # Sitemaps that were read have the same status, and are not counted.
        stored = {host["host"]: host["stored"] for host in self.summary()["hosts"]}
        self.assertEqual(stored, {"127.0.0.1": 1, "127.0.0.2": len(articles) + 3})

    def test_pages_that_other_sites_call_sitemaps(self):
        victim, articles = self.victim()
        lines = "".join(f"Sitemap: {article}\n" for article in articles)
        site = self.site({"/": page_answer("Home", 30)}, robots=lines.encode())
        self.crawl(site.root, victim.root, allow="127.0.0.0/8")
        self.assert_all_pages_are_stored(victim, articles)

    def test_sitemaps_that_other_sites_make_up(self):
        victim, articles = self.victim()
        lines = "".join(f"Sitemap: {victim.root}/no/{number}\n" for number in range(100))
        index = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in articles)
        site = self.site({"/": page_answer("Home", 30), "/index.xml": answer(f"<sitemapindex>{index}</sitemapindex>")},
                         robots=f"Sitemap: /index.xml\n{lines}".encode())
        victim.delay_seconds = 0.01
        self.crawl(site.root, victim.root, allow="127.0.0.0/8")
        self.assert_all_pages_are_stored(victim, articles)
        # The index may only name sitemaps of its own host.
        self.assertEqual({article: self.log()[article]["referrer"] for article in articles},
                         dict.fromkeys(articles, victim.root + "/list"))
        hosts = {host["host"]: host["sitemaps"] for host in self.summary()["hosts"]}
        self.assertEqual(hosts, {"127.0.0.1": 100, "127.0.0.2": 2})

    def test_sitemap_indexes_that_list_pages(self):
        site = self.site({"/": page_answer("Home", 30, ["/1"]), "/1": answer(article_page(1)),
                          "/index.xml": lambda site, *_: answer(
                              f"<sitemapindex><sitemap><loc>{site.root}/1</loc></sitemap></sitemapindex>")},
                         robots=b"Sitemap: /index.xml\n")
        self.crawl(site.root)
        self.assertIn("verdict", self.log()[site.root + "/1"])
        self.assertEqual(self.summary()["totals"]["stored"], 2)


if __name__ == "__main__":
    support.main()
