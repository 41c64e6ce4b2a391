#!/usr/bin/env python3
"""What the archive of `paraprint crawl` has of copies and of pages fetched again, and what players show.

usage: crawl_archive_test.py PARAPRINT [unittest arguments]
"""
import gzip
import json
import re
import socket
import time

import crawl_site
import support
from crawl_site import answer, article_page, page_answer, redirect
from crawl_support import CrawlTest


class Archive(CrawlTest):
    def test_warcio_reads_the_archive(self):
        try:
            from warcio.checker import Checker
            from warcio.archiveiterator import ArchiveIterator
        except ImportError:
            self.skipTest("warcio is not installed")
        site = self.site({"/": page_answer("Home", 30, ["/1", "/2", "/3", "/gone", "/moved", "/chunked"]),
                          "/1": answer(article_page(1)), "/2": answer(article_page(1, print_version=True)),
                          "/3": answer(article_page(1)),
                          "/moved": redirect("/1"),
                          "/chunked": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                                      b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"})
        self.crawl(site.root)
        for path in (self.folder / "out/warc").glob("*.warc.gz"):
            with open(path, "rb") as stream:
                kinds = [record.rec_type for record in ArchiveIterator(stream, check_digests="raise")
                         if record.content_stream().read() is not None]
            self.assertEqual(kinds[0], "warcinfo")
            self.assertEqual(kinds.count("response"), 6)
            self.assertEqual(kinds.count("revisit"), 1)
            arguments = type("Arguments", (), {"inputs": [str(path)], "verbose": False})()
            self.assertFalse(Checker(arguments).process_all())

    def test_all_files_of_a_crawl_are_part_of_one_collection(self):
        site = self.site({"/": page_answer("Home", 30, ["/1", "/2"]), "/1": answer(article_page(1)),
                          "/2": answer(article_page(2))})
        self.crawl(site.root, "--warc-bytes", 1000, "--max-pages", 1)
        self.crawl("--warc-bytes", 1000)
        self.crawl(site.root, out="other")
        collections = [[re.search(rb"^isPartOf: (crawl-[0-9a-f]+)\r$", record.block, re.M)[1]
                        for record in self.records(out) if record.kind == "warcinfo"] for out in ("out", "other")]
        self.assertGreater(len(collections[0]), 1)
        self.assertEqual(len(set(collections[0])), 1)
        self.assertNotIn(collections[1][0], collections[0])

    def test_files_have_the_usual_names_and_a_complete_warcinfo(self):
        site = self.site({"/": page_answer("Home", 30, ["/1", "/2"]), "/1": answer(article_page(1)),
                          "/2": answer(article_page(2))})
        about = ("--warc-bytes", 1000, "--operator", "A. Person <a@example.org>", "--description", "two pages",
                 "--user-agent", "tester/1 (+https://example.org/)")
        self.crawl(site.root, *about, "--warc-prefix", "Site-1.b_c", "--max-pages", 2)
        self.crawl(site.root, *about)
        names = sorted(path.name for path in (self.folder / "out/warc").iterdir())
        for name, prefix, number in zip(names, ("Site-1.b_c", "Site-1.b_c", "crawl"), range(3), strict=True):
            self.assertRegex(name, rf"^{re.escape(prefix)}-20\d{{15}}-{number:05}\.warc\.gz$")
        information = [record for record in self.assert_archive_agrees_with_log() if record.kind == "warcinfo"]
        self.assertEqual([record.fields["WARC-Filename"] for record in information], names)
        for record in information:
            fields = dict(line.split(": ", 1) for line in record.block.decode().splitlines())
            self.assertEqual(list(fields), ["software", "format", "conformsTo", "isPartOf", "description", "operator",
                                            "hostname", "robots", "http-header-user-agent"])
            self.assertEqual((fields["operator"], fields["description"], fields["hostname"], fields["robots"],
                              fields["http-header-user-agent"]),
                             (about[3], about[5], socket.gethostname(), "obey", about[7]))

    def test_bad_names_and_descriptions_are_refused(self):
        for name, value in (("--warc-prefix", ""), ("--warc-prefix", "../a"), ("--warc-prefix", "a b"),
                            ("--operator", "a\r\nrobots: ignore"), ("--description", "a\nb"), ("--cdx", "cdx9")):
            refused = self.run_program("crawl", "http://127.0.0.1:9/", "--out", self.folder / "no", name, value,
                                       expect=support.USAGE)
            self.assertRegex(refused.stderr, name[2:].replace("-", "[-_]"))
        self.assertFalse((self.folder / "no").exists())

    def test_index_has_the_captures_of_all_runs(self):
        site = self.site({"/": page_answer("Home", 30, ["/1", "/2"]), "/1": answer(article_page(1)),
                          "/2": answer(article_page(1))})
        options = ("--warc-bytes", 1000, "--cdx", "cdxj")
        seen = []
        for more in ((site.root, "--max-pages", 2), ()):
            self.crawl(*more, *options)
            archives = sorted((self.folder / "out/warc").glob("*.warc.gz"))
            expected = self.run_program("cdx", *archives).stdout
            index = (self.folder / "out/index.cdxj").read_text()
            self.assertEqual(index, expected)
            lines = [json.loads(line.split(" ", 2)[2]) for line in index.splitlines()]
            seen.append({line["url"] for line in lines})
            places = {(record.file, record.offset): record.url for record in self.records()}
            for line in lines:
                self.assertEqual(places[line["filename"], int(line["offset"])], line["url"])
        self.assertEqual(len(seen[0]), 2)
        self.assertEqual(seen[1], {site.root + path for path in ("/", "/1", "/2")})
        self.crawl("--cdx", "cdx11")
        self.assertTrue((self.folder / "out/index.cdx").read_text().startswith(" CDX N b a m s k r M S V g\n"))
        self.crawl(site.root, out="none")
        self.assertEqual(list((self.folder / "none").glob("index.cdx*")), [])

    def test_copies_are_stored_described_or_skipped(self):
        copy = article_page(1, print_version=True)
        site = self.site({"/": page_answer("Home", 30, ["/a/1", "/print/1"]), "/a/1": answer(article_page(1)),
                          "/print/1": answer(copy)})
        self.crawl(site.root)
        self.assertEqual(self.fate(site.root + "/print/1"), ("copy", None))
        self.assertEqual(self.players_show(site.root + "/print/1"), [copy])
        self.crawl(site.root, "--copies", "metadata", out="metadata")
        records = self.assert_archive_agrees_with_log("metadata")
        self.assertEqual(self.players_show(site.root + "/print/1", "metadata"), [])
        relation, = [record for record in records if record.url == site.root + "/print/1"]
        original = next(record for record in records if record.kind == "response" and record.url.endswith("/a/1"))
        self.assertEqual(relation.fields["Content-Type"], "application/warc-fields")
        fields = dict(line.split(": ", 1) for line in relation.block.decode().splitlines())
        self.assertEqual(list(fields), ["via", "hopsFromSeed", "fetchTimeMs", "verdict", "reason", "resemblance",
                                        "containment", "containmentOfKept", "keptId", "keptUri", "keptDate"])
        line = self.log("metadata")[site.root + "/print/1"]
        self.assertEqual((fields["verdict"], fields["keptUri"]), (line["verdict"], line["known_url"]))
        self.assertEqual((f"<{fields['keptId']}>", fields["keptDate"]), (original.id, original.fields["WARC-Date"]))
        self.crawl(site.root, "--copies", "skip", out="skip")
        self.assertNotIn(site.root + "/print/1", {record.url for record in self.records("skip")})
        refused = self.run_program("crawl", site.root, "--copies", "revisit", "--out", self.folder / "no",
                                   expect=support.USAGE)
        for value in ("store", "metadata", "skip"):
            self.assertIn(value, refused.stderr)

    def test_equal_bodies_of_other_addresses_become_revisits(self):
        body = article_page(1)
        packed = gzip.compress(body, mtime=0)
        site = self.site({"/": page_answer("Home", 30, ["/1", "/2", "/3"]), "/1": answer(body), "/2": answer(body),
                          "/3": answer(packed, headers=["Content-Encoding: gzip"])})
        for copies in ("store", "metadata"):
            self.crawl(site.root, "--copies", copies, "--connections", 1, out=copies)
            kinds = {record.url: record.kind for record in self.assert_archive_agrees_with_log(copies)
                     if record.kind in ("response", "revisit")}
            self.assertEqual((kinds[site.root + "/1"], kinds[site.root + "/2"]), ("response", "revisit"))
            self.assertEqual(self.players_show(site.root + "/2", copies), [body])
        # Equal only when decoded.
        self.assertEqual(self.players_show(site.root + "/3", "store"), [packed])
        self.assertEqual(self.players_show(site.root + "/3", "metadata"), [])

    def test_fetched_again_in_another_compression(self):
        body = article_page(1)
        replies = [answer(body), answer(gzip.compress(body, mtime=0), headers=["Content-Encoding: gzip"])]
        site = self.site({"/": lambda *_: replies[0]})
        self.crawl(site.root)
        time.sleep(1.1)
        replies.reverse()
        self.crawl("--refetch-after", 0)
        self.assertEqual(self.fate(site.root + "/"), ("unchanged", None))
        self.assertEqual(self.players_show(site.root + "/"), [body, gzip.compress(body, mtime=0)])

    def test_not_modified_refers_to_the_page_and_not_to_an_error_after_it(self):
        replies = []

        def reply(_, request, __):
            return replies[0] or crawl_site.conditional(_, request, __)

        site = self.site({"/": reply})
        for replies[:] in [[None], [answer("<p>no", "404 Not Found")], [None]]:
            self.crawl(*[site.root] * (not site.requests), *["--refetch-after", 0] * bool(site.requests))
            time.sleep(1.1)
        self.assertEqual(self.log()[site.root + "/"]["http_status"], 304)
        page, error, again = self.players_show(site.root + "/")
        self.assertEqual(error, b"<p>no")
        self.assertEqual(again, page)

    def test_copies_left_out_are_requested_without_conditions(self):
        """A 304 would have nothing to refer to."""
        site = self.site({"/": page_answer("Home", 30, ["/1", "/2"]), "/1": answer(article_page(1)),
                          "/2": answer(article_page(1, print_version=True), headers=['ETag: "v1"'])})
        self.crawl(site.root, "--copies", "metadata", "--connections", 1)
        time.sleep(1.1)
        self.crawl("--copies", "metadata", "--refetch-after", 0)
        requests = [request for request in site.requests if request.path == "/2"]
        self.assertEqual(["if-none-match" in request.fields for request in requests], [False, False])
        self.assertEqual(self.fate(site.root + "/2"), ("copy", None))


if __name__ == "__main__":
    support.main()
