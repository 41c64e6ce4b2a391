#!/usr/bin/env python3
"""Audits of a site: a made-up site with one issue of most kinds, bad input, and the same output for any order.

usage: audit_test.py PARAPRINT [unittest arguments]
"""
import csv
import unittest

import support

SITE = "https://example.org"


def link(rel, href, **attributes):
    others = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<link rel="{rel}" href="{href}"{others}>'


def html(seed, head="", links=(), paragraphs=5):
    anchors = "".join(f'<a href="{href}">more</a> ' for href in links)
    page = support.html_of(support.article(seed, paragraphs), head)
    return page.replace("</body>", f"<footer>{anchors}</footer></body>").encode()


def response(path, body=b"", status="200 OK", headers=(), content_type="text/html; charset=utf-8",
             date="2024-05-01T10:00:00Z"):
    url = path if "//" in path else SITE + path
    return support.warc_record(path, url, support.http_message(body, content_type, headers, status), date=date)


LISTED = ("/", "/hidden", "/moved", "/not-crawled")
SITEMAP = ("<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
           + "".join(f"<url><loc>{SITE}{path}</loc></url>" for path in LISTED) + "</urlset>").encode()


def site_records():
    not_found = support.html_of(support.article(99, 2)).encode()
    return [
        response("/", html(1, links=["/list?sort=a", "/list?sort=b", "/moved", "/missing", "/copy", "/de"])),
        response("/list?sort=a", html(2)),
        response("/list?sort=b", html(2)),
        response("/copy", html(3, link("canonical", "/original"))),
        response("/original", html(3)),
        response("/wrong", html(4, link("canonical", "/original"))),
        response("/by-header", html(3), headers=[f'Link: <{SITE}/original>; rel="canonical"']),
        response("/hidden", html(5), headers=["X-Robots-Tag: noindex"]),
        response("/moved", status="301 Moved Permanently", headers=["Location: /moved-again"]),
        response("/moved-again", status="302 Found", headers=["Location: /original"]),
        response("/missing", not_found, status="404 Not Found"),
        response("/gone", not_found),
        response("/en", html(6, link("alternate", "/de", hreflang="de"))),
        response("/de", html(7)),
        response("/short", b"<title>Short</title><p>A few words.</p>"),
        response("/sitemap.xml", SITEMAP, content_type="application/xml"),
        response("https://other.example/", html(2)),
        response("/", html(8), date="2023-01-01T00:00:00Z"),  # an earlier capture
    ]


EXPECTED = {
    ("soft-404", "/gone", "/missing"),
    ("parameter-duplicates", "/list?sort=a", "/list?sort=a"),
    ("parameter-duplicates", "/list?sort=b", "/list?sort=a"),
    ("canonical-to-other-text", "/wrong", "/original"),
    ("alternate-without-return", "/en", "/de"),
    ("redirect-chain", "/moved", "/original"),
    ("link-to-redirect", "/moved", "/moved-again"),
    ("link-to-error", "/missing", ""),
    ("link-to-duplicate", "/copy", "/original"),
    ("sitemap-not-indexable", "/hidden", ""),
    ("sitemap-not-indexable", "/moved", "/moved-again"),
    ("near-empty", "/short", ""),
}


class Audit(support.ProgramTest):
    def audit(self, *arguments, expect=support.SUCCESS):
        return self.run_program("audit", *arguments, "--quiet", expect=expect)

    def rows(self, out):
        with open(out / "audit.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        return {(row["issue"], row["url"].removeprefix(SITE), row["related_url"].removeprefix(SITE)) for row in rows}

    def test_a_site(self):
        crawl = self.write("crawl.warc", b"".join(site_records()))
        done = self.audit(crawl, "--site", "example.org", "--out", self.folder / "audit")
        self.assertEqual(self.rows(self.folder / "audit"), EXPECTED)
        self.assertIn("12 pages of 16 addresses", done.stdout)
        self.assertIn("2 redirects, 1 errors", done.stdout)
        page = (self.folder / "audit/audit.html").read_text()
        for issue in {issue for issue, _, _ in EXPECTED}:
            self.assertIn(f'id="{issue}"', page)
        self.assertNotIn("other.example", page)
        with open(self.folder / "audit/page-types.csv", encoding="utf-8", newline="") as file:
            shapes = {row["shape"]: row for row in csv.DictReader(file)}
        self.assertEqual(shapes["example.org/list?sort"]["pages"], "2")
        self.assertEqual(shapes["example.org/list?sort"]["copies"], "1")

    def test_the_order_of_files_and_threads_changes_nothing(self):
        records = site_records()
        first = self.folder / "first"
        self.write("one/a.warc", b"".join(records))
        self.audit(self.folder / "one", "--site", "example.org", "--out", first, "--threads", "1")
        for name, order in (("b", records[::-1]), ("c", records[5:] + records[:5])):
            out = self.folder / name
            files = [self.write(f"{name}-in/{i}.warc.gz", b"".join(map(support.member, order[i::3]))) for i in range(3)]
            self.audit(*files, "--site", "example.org", "--out", out, "--threads", "3")
            self.assertEqual(support.output_files(out), support.output_files(first))

    def test_a_site_without_issues(self):
        crawl = self.write("crawl.warc", b"".join(response(f"/{i}", html(i)) for i in range(3)))
        done = self.audit(crawl, "--site", "https://EXAMPLE.org/", "--out", self.folder / "audit")
        self.assertIn("Nothing was found", done.stdout)
        self.assertEqual(self.rows(self.folder / "audit"), set())

    def test_subdomains_belong_to_a_site_and_other_hosts_do_not(self):
        crawl = self.write("crawl.warc", b"".join(
            response(f"https://{host}/", html(1)) for host in ("a.example.org", "notexample.org", "example.org")))
        done = self.audit(crawl, "--site", "example.org")
        self.assertIn("2 pages of 2 addresses, 1 copies", done.stdout)

    def test_hostile_addresses_are_shown_as_text(self):
        body = html(1, link("canonical", "https://example.org/<script>alert(1)</script>,\"x\""))
        crawl = self.write("crawl.warc", response("/a", body) + response("/b?<b>=\"'", html(1)))
        self.audit(crawl, "--site", "example.org", "--out", self.folder / "audit")
        page = (self.folder / "audit/audit.html").read_text()
        self.assertNotIn("<script>alert", page)
        self.assertNotIn("<b>=", page)

    def test_bad_input(self):
        crawl = self.write("crawl.warc", response("/", html(1)))
        self.assertIn("no record of other.example",
                      self.audit(crawl, "--site", "other.example", expect=support.USAGE).stderr)
        self.assertIn("is not a host", self.audit(crawl, "--site", "a b", expect=support.USAGE).stderr)
        self.assertIn("is not a host", self.audit(crawl, "--site", "example.org/path", expect=support.USAGE).stderr)
        self.audit(crawl, expect=support.USAGE)
        self.assertIn("missing.warc", self.audit(self.folder / "missing.warc", "--site", "example.org",
                                                 expect=support.USAGE).stderr)

    def test_more_addresses_than_allowed_are_counted(self):
        crawl = self.write("crawl.warc", b"".join(response(f"/{i}", html(i)) for i in range(5)))
        done = self.audit(crawl, "--site", "example.org", "--max-pages", "3", "--out", self.folder / "audit")
        self.assertIn("3 pages of 3 addresses", done.stdout)
        self.assertIn("2 addresses were not looked at", (self.folder / "audit/audit.html").read_text())

    def test_damaged_records_are_counted_and_named(self):
        crawl = self.write("crawl.warc", response("/a", html(1)) + b"garbage\r\n" + response("/b", html(2)))
        done = self.run_program("audit", crawl, "--site", "example.org", "--out", self.folder / "audit")
        self.assertIn("2 pages of 2 addresses", done.stdout)
        self.assertIn("garbage", done.stderr)
        self.assertIn("1 records of the inputs are broken", (self.folder / "audit/audit.html").read_text())


if __name__ == "__main__":
    support.main()
