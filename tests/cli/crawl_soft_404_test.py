#!/usr/bin/env python3
"""Sites that answer requests for addresses that do not exist with a page or a redirect, crawled by `paraprint crawl`.

usage: crawl_soft_404_test.py PARAPRINT [unittest arguments]
"""
import json
import time

import crawl_site
import support
from crawl_site import answer, article_page, page_answer, redirect
from crawl_support import PROBING, CrawlTest

PROBE = "/[bcdfghjklmnpqrstvwxz]{24}"


def missing_page(site, request, send):
    """What the site shows for any address that it does not have: never twice the same."""
    return answer(crawl_site.page("Not found", [f"There is nothing at {request.path}.", *support.article(500, 3),
                                                f"Here is the search, request {len(site.requests)}."], ["/", "/a/1"]))


def shell(site, request, send):
    """The page of a site that is made by scripts."""
    return answer(crawl_site.page("Application", support.article(600, 3), ["/", "/app/1", "/app/2", "/app/3"]))


class Soft404(CrawlTest):
    def crawl(self, *arguments, pace=PROBING, **options):
        return super().crawl(*arguments, pace=pace, **options)

    def ordinary_site(self, links, missing=missing_page, **options):
        routes = {"/": page_answer("Home", 30, ["/a/1", "/a/2", *links]),
                  "/a/[0-9]": lambda site, request, send: answer(article_page(int(request.path[-1])))}
        return self.site({**routes, "/.*": missing}, **options)

    def probes(self, out="out"):
        return self.summary(out)["probes"]

    def answer_to_probe(self, out="out"):
        answers = {name: count for name, count in self.probes(out).items() if name != "origins" and count > 0}
        self.assertEqual(list(answers.values()), [1])
        return next(iter(answers))

    def test_pages_like_the_answer(self):
        gone = [f"/gone/{number}" for number in range(4)]
        site = self.ordinary_site(gone)
        self.crawl(site.root)
        probe, = site.asked(PROBE)
        self.assertEqual([request.target for request in site.requests][:3], ["/robots.txt", probe, "/"])
        self.assertEqual(max(site.counts().values()), 1)
        for path in gone:
            self.assertEqual(self.fate(site.root + path), ("refused", "soft-404"), path)
            line = self.log()[site.root + path]
            self.assertEqual((line["verdict"], line["known_url"]), ("near", site.root + probe))
        for path in ("/", "/a/1", "/a/2"):
            self.assertEqual(self.fate(site.root + path), ("stored", None), path)
        # Nothing is lost, and the probe is not part of the archive.
        records = self.assert_archive_agrees_with_log()
        self.assertNotIn(site.root + probe, {record.url for record in records})
        for path in gone:
            body, = self.players_show(site.root + path)
            self.assertIn(f"nothing at {path}.".encode(), body)
        totals = self.summary()["totals"]
        self.assertEqual((totals["stored"], totals["copies"]), (3, 0))
        self.assertEqual(totals["reasons"], {"soft-404": 4})
        self.assertEqual(totals["requests"], len(site.requests))
        self.assertEqual(self.probes()["origins"], [{"origin": site.root, "answer": "page", "pages": "differ"}])
        report = (self.folder / "out/report/index.html").read_text()
        self.assertIn("those like it are soft 404s", report)
        # They are no known pages: a page with their text elsewhere is not a copy of one.
        listed = self.run_program("index", "stats", "--data", self.folder / "out/.paraprint/index")
        self.assertEqual(json.loads(listed.stdout)["pages"], 3)

    def test_short_pages_that_repeat_their_address(self):
        """They have less text in common than pages need that count as near."""
        def missing(site, request, send):
            shown = {"/gone/1": "/gone/1", "/gone/%C3%A9?n=1": "/gone/\u00e9?n=1", "/gone/3": "/other"}
            return answer(crawl_site.page("Oops", [f"Sorry, {shown.get(request.target, request.target)} could not be "
                                                   "found. It may have been moved."], ["/"]))
        site = self.ordinary_site(["/gone/1", "/gone/\u00e9?n=1", "/gone/3"], missing)
        self.crawl(site.root)
        for path in ("/gone/1", "/gone/%C3%A9?n=1"):
            self.assertEqual(self.fate(site.root + path), ("refused", "soft-404"))
            self.assertEqual(self.log()[site.root + path]["verdict"], "same")
        self.assertEqual(self.fate(site.root + "/gone/3"), ("stored", None), "in doubt it is a page")

    def test_honest_sites(self):
        for address, status in (("127.0.0.31", "404 Not Found"), ("127.0.0.32", "410 Gone"), ("127.0.0.33", "403 No")):
            site = self.ordinary_site(["/gone/1"], answer("<p>nothing", status), address=address)
            self.crawl(site.root, out=address, allow=address)
            self.assertEqual(len(site.asked(PROBE)), 1)
            self.assertEqual(self.answer_to_probe(address), "error")
            self.assertEqual(self.fate(site.root + "/gone/1", address), ("refused", "http-status"))

    def test_nothing_is_asked_when_turned_off(self):
        site = self.ordinary_site(["/gone/1"])
        self.crawl(site.root, "--soft-404", "off")
        self.assertEqual(site.asked(PROBE), [])
        self.assertEqual(self.fate(site.root + "/gone/1"), ("stored", None))
        refused = self.run_program("crawl", site.root, "--soft-404", "maybe", "--out", self.folder / "no",
                                   expect=support.USAGE)
        self.assertIn("probe", refused.stderr)

    def test_robots_txt_may_disallow_the_probe(self):
        site = self.ordinary_site(["/gone/1"], robots=b"User-agent: *\nDisallow: /\nAllow: /$\nAllow: /a/\n"
                                                      b"Allow: /gone/\n")
        self.crawl(site.root)
        self.assertEqual(site.asked(PROBE), [])
        self.assertEqual(self.answer_to_probe(), "disallowed")
        self.assertEqual(self.fate(site.root + "/gone/1"), ("stored", None))

    def test_the_probe_keeps_the_delay(self):
        site = self.ordinary_site(["/gone/1"], robots=b"User-agent: *\nCrawl-delay: 0.25\n")
        self.crawl(site.root)
        times = [request.time_seconds for request in site.requests]
        for earlier, later in zip(times, times[1:]):
            self.assertGreaterEqual(later - earlier, 0.25 * 0.98)

    def test_application_of_one_page(self):
        site = self.site({"/.*": shell})
        self.crawl(site.root)
        self.assertEqual(self.fate(site.root + "/"), ("stored", None))
        for number in (1, 2, 3):
            self.assertEqual(self.fate(site.root + f"/app/{number}"), ("copy", None))
        self.assertEqual(self.summary()["totals"]["reasons"], {})
        self.assertEqual(self.probes()["origins"], [{"origin": site.root, "answer": "page", "pages": "alike"}])
        self.assertIn("are all answered alike", (self.folder / "out/report/index.html").read_text())

    def test_application_entered_elsewhere(self):
        """Its front page is never seen. The page that differs comes after the first three that do not."""
        site = self.site({"/about": page_answer("About", 31), "/.*": lambda site, request, send: answer(
            crawl_site.page("Application", support.article(600, 3), ["/app/2", "/app/3", "/app/4/5"] if
                            request.path == "/app/1" else ["/about", "/app/6"]))})
        self.crawl(site.root + "/app/1", "--exclude", "*/$")
        self.assertEqual(self.fate(site.root + "/about"), ("stored", None))
        self.assertEqual(self.fate(site.root + "/app/6"), ("copy", None))
        self.assertEqual(self.probes()["origins"][0]["pages"], "alike")

    def test_seeds_are_pages(self):
        site = self.ordinary_site([])
        self.crawl(site.root, site.root + "/gone/1", site.root + "/gone/2")
        self.assertEqual(self.fate(site.root + "/gone/1"), ("stored", None))
        self.assertEqual(self.fate(site.root + "/gone/2"), ("copy", None))
        self.assertEqual(self.probes()["origins"][0]["pages"], "differ")

    def test_redirects_like_the_answer(self):
        site = self.ordinary_site(["/gone/1", "/gone/2", "/moved"], lambda site, request, send:
                                  redirect("/a/1") if request.path == "/moved" else redirect("/sorry")
                                  if request.path != "/sorry" else page_answer("Sorry", 33))
        self.crawl(site.root)
        for path in ("/gone/1", "/gone/2"):
            self.assertEqual(self.fate(site.root + path), ("refused", "soft-404"))
            self.assertEqual(self.log()[site.root + path]["redirect_target"], site.root + "/sorry")
        self.assertEqual(self.fate(site.root + "/moved"), ("redirect", None))
        self.assertEqual(self.fate(site.root + "/sorry"), ("stored", None))
        self.assertEqual(self.probes()["origins"], [{"origin": site.root, "answer": "redirect",
                                                     "redirect_target": site.root + "/sorry", "pages": "differ"}])
        self.assert_archive_agrees_with_log()

    def test_redirects_of_a_whole_site(self):
        """The old address of a site: its front page leads where everything leads."""
        other = self.site({"/.*": page_answer("New home", 34, [])}, address="127.0.0.34")
        site = self.site({"/.*": redirect(other.root + "/")}, address="127.0.0.35")
        self.crawl(site.root, site.root + "/old", "--scope", "any", allow="127.0.0.0/8")
        self.assertEqual(self.fate(site.root + "/old"), ("redirect", None))
        origins = {row["origin"]: row["pages"] for row in self.probes()["origins"]}
        self.assertEqual(origins[site.root], "alike")

    def test_redirects_that_only_move_the_address(self):
        def missing(site, request, send):
            if request.path.startswith("/en/"):
                return missing_page(site, request, send)
            return redirect("/en" + request.path)
        site = self.ordinary_site(["/en/gone", "/gone"], missing)
        self.crawl(site.root)
        self.assertEqual(len(site.asked("/en" + PROBE)), 1)
        self.assertEqual(self.answer_to_probe(), "page")
        self.assertEqual(self.fate(site.root + "/en/gone"), ("refused", "soft-404"))
        self.assertEqual(self.fate(site.root + "/gone"), ("redirect", None))

    def test_copies_and_links(self):
        """The first one is archived and its links are followed; the options for copies decide about further ones."""
        gone = [f"/gone/{number}" for number in range(3)]

        def missing(site, request, send):
            links = [request.path + "/below"] if request.path in gone else []
            return answer(crawl_site.page("Not found", [*support.article(500, 3), f"{len(site.requests)}."], links))
        for copies, archived in (("store", 3), ("metadata", 1), ("skip", 1)):
            site = self.ordinary_site(gone, missing)
            self.crawl(site.root, "--copies", copies, "--copy-links", 1, out=copies)
            records = self.assert_archive_agrees_with_log(copies)
            shown = [path for path in gone if self.players_show(site.root + path, copies)]
            self.assertEqual(shown, gone[:archived])
            self.assertEqual(site.asked("/gone/./below"), ["/gone/0/below"])
            self.assertEqual(self.summary(copies)["totals"]["links_of_copies_not_followed"], 2)
            if copies != "metadata":
                continue
            relation = next(record for record in records if record.url == site.root + gone[1])
            fields = dict(line.split(": ", 1) for line in relation.block.decode().splitlines())
            self.assertEqual((fields["reason"], fields["keptUri"]), ("soft-404", site.root + gone[0]))
            kept = next(record for record in records if record.id == f"<{fields['keptId']}>")
            self.assertEqual((kept.kind, kept.url), ("response", site.root + gone[0]))

    def test_equal_answers_become_revisits(self):
        body = crawl_site.page("Not found", support.article(500, 3))
        site = self.ordinary_site(["/gone/1", "/gone/2"], answer(body))
        self.crawl(site.root)
        kinds = {record.url: record.kind for record in self.assert_archive_agrees_with_log()
                 if record.kind in ("response", "revisit")}
        self.assertEqual((kinds[site.root + "/gone/1"], kinds[site.root + "/gone/2"]), ("response", "revisit"))
        self.assertEqual(self.players_show(site.root + "/gone/2"), [body])

    def test_noindex_pages_left_out_stay_so(self):
        hidden = crawl_site.page("Not found", support.article(500, 3), head="<meta name=robots content=noindex>")
        site = self.ordinary_site(["/gone/1"], answer(hidden))
        self.crawl(site.root, "--noindex", "skip")
        self.assertEqual(self.fate(site.root + "/gone/1"), ("refused", "noindex"))
        self.crawl(site.root, out="archive")
        self.assertEqual(self.fate(site.root + "/gone/1", "archive"), ("refused", "soft-404"))

    def test_answers_that_say_nothing(self):
        def picture(*_):
            return answer(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8)
        cases = {"127.0.0.41": (answer(b""), "other"), "127.0.0.42": (picture, "other"),
                 "127.0.0.43": (answer(b"%PDF-1.7", content_type="application/pdf"), "other"),
                 "127.0.0.44": (answer(b"<p>" + b"word " * 300_000), "other"),
                 "127.0.0.45": (redirect("http://[bad/"), "other"),
                 "127.0.0.50": (lambda site, request, send: page_answer("Log-in", 36) if request.path == "/login"
                                else redirect("/login?next=" + request.path), "other"),
                 "127.0.0.51": (lambda site, request, send: redirect("https://127.0.0.1" + request.path), "other"),
                 "127.0.0.46": (answer("no", "500 Internal Server Error"), "none"),
                 "127.0.0.47": (crawl_site.hang_up, "none"),
                 "127.0.0.48": (crawl_site.truncated, "none"),
                 "127.0.0.49": (answer("no", "204 No Content"), "other")}
        for address, (reply, expected) in cases.items():
            site = self.ordinary_site([], reply, address=address)
            self.crawl(site.root, "--retries", 1, out=address, allow=address)
            self.assertEqual(self.answer_to_probe(address), expected, address)
            self.assertEqual(site.counts()[site.asked(PROBE)[0]], 2 if expected == "none" else 1, address)
            self.assertEqual(self.summary(address)["totals"]["stored"], 3, address)

    def test_no_page_no_probe(self):
        site = self.ordinary_site([], robots=b"User-agent: *\nDisallow: /a/\nDisallow: /$\n")
        self.crawl(site.root)
        self.assertEqual(sorted(site.counts()), ["/robots.txt"])

    def test_later_runs_know_the_answer(self):
        site = self.ordinary_site([f"/gone/{number}" for number in range(4)])
        self.crawl(site.root, "--max-pages", 2)
        for limit in (3, 0):
            self.crawl("--max-pages", limit)
        self.assertEqual(len(site.asked(PROBE)), 1)
        self.assertEqual(max(count for target, count in site.counts().items() if target != "/robots.txt"), 1)
        self.assertEqual(self.summary()["totals"]["reasons"], {"soft-404": 4})

    def test_fetched_again(self):
        """A page disappears, another one returns; the answer to the probe is asked for again."""
        pages = {"/b": article_page(7), "/c": None}

        def reply(site, request, send):
            body = pages.get(request.path)
            return answer(body, headers=['ETag: "1"']) if body else missing_page(site, request, send)
        site = self.ordinary_site(["/b", "/c"], reply)
        self.crawl(site.root)
        self.assertEqual(self.fate(site.root + "/b"), ("stored", None))
        self.assertEqual(self.fate(site.root + "/c"), ("refused", "soft-404"))
        time.sleep(1.1)
        pages.update({"/b": None, "/c": article_page(7)})
        self.crawl("--refetch-after", 0)
        self.assertEqual(self.fate(site.root + "/b"), ("refused", "soft-404"))
        # /b is not a known page any more; otherwise /c would be a copy of it.
        self.assertEqual(self.fate(site.root + "/c"), ("stored", None))
        self.assertEqual(list(map(site.counts().__getitem__, site.asked(PROBE))), [2])
        totals = self.summary()["totals"]
        self.assertEqual((totals["stored"], totals["unchanged"], totals["reasons"]), (1, 3, {"soft-404": 1}))
        self.assert_archive_agrees_with_log()
        time.sleep(1.1)
        self.crawl("--refetch-after", 0)
        requests = [request for request in site.requests if request.path == "/b"]
        self.assertNotIn("if-none-match", requests[-1].fields)
        self.assertEqual(self.fate(site.root + "/b"), ("refused", "soft-404"))


if __name__ == "__main__":
    support.main()
