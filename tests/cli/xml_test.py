#!/usr/bin/env python3
"""XML documents as pages: the same text from files, archives, lines, the index, the service and the crawler.

usage: xml_test.py PARAPRINT [unittest arguments]
"""
import json

import crawl_site
import support
from crawl_support import CrawlTest
from serve_support import ServeTest
from support import ProgramTest, article, http_message, warc_record

TEXT = ["Ångström & Söhne sold the mill.", *article(5)]


def document(paragraphs=TEXT, encoding="iso-8859-1", cdata=True):
    blocks = []
    for number, paragraph in enumerate(paragraphs):
        escaped = paragraph.replace("&", "&amp;")
        blocks.append(f"<para><![CDATA[{paragraph}]]></para>" if cdata and number % 2 == 0 else
                      f"<para>{escaped}</para>")
    return (f"<?xml version=\"1.0\" encoding=\"{encoding}\"?>\n<!-- made by a program -->\n<chapter>\n"
            + "\n".join(blocks) + "\n</chapter>\n").encode(encoding)


def records(bodies):
    return b"".join(warc_record(str(number), f"http://x.example/{number}", http_message(body, content_type))
                    for number, (content_type, body) in enumerate(bodies))


FEED = b"<?xml version='1.0'?><rss version='2.0'><channel><title>News</title></channel></rss>"
SITEMAP = b"<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'></urlset>"


class Xml(ProgramTest):
    def texts(self, *inputs):
        finished = self.run_program("extract", *inputs)
        return [json.loads(line)["text"].splitlines() for line in finished.stdout.splitlines()]

    def test_same_text_in_every_container(self):
        self.write("files/a.xml", document())
        self.write("files/b/c.XML", document(encoding="utf-16", cdata=False))
        self.write("files/sitemap.xml", SITEMAP)
        self.assertEqual(self.texts(self.folder / "files"), [TEXT, TEXT])
        self.assertEqual(self.texts(self.folder / "files/a.xml"), [TEXT])
        archive = self.write("x.warc", records([
            ("text/xml", document()), ("application/xml; charset=utf-8", document(encoding="utf-8")),
            ("text/xml", FEED), ("application/xml", SITEMAP), ("application/rss+xml", FEED),
            ("application/xhtml+xml", support.html_of(TEXT).replace(" & ", " &amp; ").encode())]))
        self.assertEqual(self.texts(archive), [TEXT, TEXT, TEXT])
        lines = self.write("x.jsonl", support.json_line("a", document().decode("iso-8859-1")))
        self.assertEqual(self.texts(lines), [TEXT])

    def test_copies_are_found_and_feeds_stay(self):
        archive = self.write("x.warc", records([
            ("text/html; charset=utf-8", support.html_of(TEXT).encode()), ("text/xml", document()),
            ("text/xml", FEED), ("text/xml", FEED)]))
        self.run_program("dedup", archive, "--out", self.folder / "out", "--no-report")
        removed = [json.loads(line)["id"] for line in (self.folder / "out/removed.jsonl").read_text().splitlines()]
        self.assertEqual(len(removed), 1)
        kept = b"".join(path.read_bytes() for path in (self.folder / "out/records").rglob("*") if path.is_file())
        self.assertEqual(kept.count(FEED), 2)

    def test_index_knows_it_as_a_copy(self):
        self.run_program("index", "add", "--data", self.folder / "known",
                         self.write("a.html", support.html_of(TEXT)))
        found = self.run_program("index", "find", "--data", self.folder / "known",
                                 self.write("b.xml", document()))
        self.assertEqual(json.loads(found.stdout)["verdict"], "same")

    def test_files_next_to_archives_are_not_pages(self):
        self.write("item/a.warc", records([("text/xml", document())]))
        self.write("item/a_meta.xml", "<metadata><title>Crawl</title></metadata>")
        self.assertEqual(len(self.texts(self.folder / "item")), 1)

    def test_damaged_documents_keep_their_text(self):
        whole = document()
        self.write("files/cut.xml", whole[:-30])
        self.write("files/undeclared.xml", whole.replace(b"<chapter>", b"<chapter>&nbsp; <open>"))
        self.write("files/empty.xml", b"")
        self.write("files/none.xml", b"<?xml version='1.0'?>")
        texts = self.texts(self.folder / "files")
        self.assertIn(TEXT[0], texts[0])
        self.assertEqual(texts[0][:-1], TEXT[:-1])
        self.assertEqual(texts[-1][-len(TEXT):], TEXT)


class Service(ServeTest):
    def test_service_reads_it(self):
        service = self.serve()
        for content_type in ("text/xml", "application/xml"):
            _, answer = service.request("POST", "/v1/extract", document(), content_type)[:2]
            self.assertEqual(answer["text"].splitlines(), TEXT)


class Crawler(CrawlTest):
    def test_crawler_stores_documents_and_refuses_feeds(self):
        site = self.site({
            "/": crawl_site.page_answer("Home", 30, ["/doc", "/copy", "/feed"]),
            "/doc": crawl_site.answer(document(), content_type="text/xml"),
            "/copy": crawl_site.answer(document(encoding="utf-8", cdata=False), content_type="application/xml"),
            "/feed": crawl_site.answer(FEED, content_type="text/xml")})
        self.crawl(site.root)
        self.assertEqual({self.fate(site.root + path)[0] for path in ("/doc", "/copy")}, {"stored", "copy"})
        self.assertEqual(self.fate(site.root + "/feed"), ("refused", "content-type"))


if __name__ == "__main__":
    support.main()
