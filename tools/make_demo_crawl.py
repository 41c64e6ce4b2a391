#!/usr/bin/env python3
"""Render the bundled articles into the demo crawl: WARC files and their labels. Standard library only.

usage: tools/make_demo_crawl.py [examples/demo-crawl]

Reads  articles/*.txt and plan.txt of that folder (one page per line).
Writes first|second|third|odd.warc.gz  the crawl
       pages.tsv    id, url, WARC file, article, repost, site, charset of every page with an article
       labels.tsv   id_a, id_b, label (dup, near, topic, diff), a comment; every positive and every partial pair is
                    listed, so unlisted pairs are negatives ("closed world"). Ids are WARC-Record-IDs.
The same input gives the same records; only the gzip bytes may differ between zlib versions.
"""
import itertools
import pathlib
import random
import sys

from demo_crawl import reposts, templates, warc_writer
from demo_crawl.articles import read_articles

CRAWL_DATES = {"first": "2025-08-01", "second": "2025-08-02", "third": "2025-08-03", "odd": "2025-08-04"}
RELATED_LINKS = 6
# Changes that normalisation undoes: pairs of these are `dup`, other whole copies are `near`.
EXACT_REPOSTS = {"unchanged", "to_traditional", "to_simplified", "full_width", "half_width"}
PARTIAL_REPOSTS = {"teaser", "excerpt", "digest"}
# Minimum share of the article that a whole copy keeps; less is a mistake in the plan.
MINIMUM_WHOLE_SHARE = 0.8


class PlannedPage:
    def __init__(self, number, line, articles):
        name, repost, self.site, self.charset, self.file = line.split()
        self.number = number
        self.repost, _, other = repost.partition(":")
        self.sources = [name] + ([other] if other else [])
        original = articles[name]
        arguments = [articles[source] for source in self.sources]
        self.article = getattr(reposts, self.repost)(*arguments)
        self.url = templates.page_url(self.site, number)
        self.id = warc_writer.record_id(self.url)
        self.is_partial = self.repost in PARTIAL_REPOSTS
        if not self.is_partial:
            share = text_size(self.article) / text_size(original)
            if not MINIMUM_WHOLE_SHARE <= share <= 1 / MINIMUM_WHOLE_SHARE:
                raise SystemExit(f"plan.txt:{number}: {self.repost} of {name} keeps {share:.0%}: not a whole copy")

    def payload(self, articles):
        """Return the page as bytes; related links depend on the URL only."""
        generator = random.Random(self.url)
        others = sorted(name for name, article in articles.items()
                        if article.language == self.article.language and name not in self.sources)
        chosen = generator.sample(others, min(RELATED_LINKS, len(others)))
        related = [(articles[name].title, f"/more/{name}") for name in chosen]
        markup = templates.render(self.site, self.article, self.number, self.charset, related)
        return markup.encode(self.charset, "xmlcharrefreplace")

    def record(self, articles):
        content_type = "text/html"
        if templates.SITES[self.site].names_charset_in_header:
            content_type += f"; charset={self.charset}"
        minutes, seconds = divmod(self.number, 60)
        date = f"{CRAWL_DATES[self.file]}T06:{minutes:02}:{seconds:02}Z"
        return warc_writer.response_record(self.url, date, self.url, "200 OK", content_type, self.payload(articles))


def text_size(article):
    return sum(len(block.text) for block in article.blocks)


def read_plan(path, articles):
    lines = path.read_text(encoding="utf-8").split("\n")
    return [PlannedPage(number, line, articles) for number, line in enumerate(lines, 1) if line and line[0] != "#"]


def odd_records(pages, articles):
    """Yield the odd records of every crawl: pages without content, redirects, errors, a revisit, a broken record."""
    date = CRAWL_DATES["odd"] + "T07:00:00Z"
    html_type = "text/html; charset=utf-8"

    def response(path, status, payload, content_type=html_type, extra=()):
        url = "https://news.example" + path
        return warc_writer.member(warc_writer.response_record(url, date, url, status, content_type, payload, extra))

    empty = b"<!DOCTYPE html><html><head><title></title></head><body></body></html>"
    missing = b"<html><head><title>Not found</title></head><body><h1>404</h1><p>No such page here.</p></body></html>"
    yield response("/empty-1", "200 OK", empty)
    yield response("/empty-2", "200 OK", empty)
    yield response("/nothing-at-all", "200 OK", b"")
    yield response("/tiny", "200 OK", b"<html><body><p>Ok.</p></body></html>")
    yield response("/gone", "404 Not Found", missing)
    yield response("/moved", "301 Moved Permanently", b"", extra=("Location: https://news.example/articles/5.html",))
    yield response("/logo.png", "200 OK", b"\x89PNG\r\n\x1a\n" + bytes(64), "image/png")
    # A record truncated in the middle, as by a full disk, followed by a complete one.
    whole = warc_writer.member(pages[0].record(articles).replace(b"<urn:uuid:", b"<urn:broken:"))
    yield whole[:len(whole) // 2]
    original = pages[0]
    payload_digest = warc_writer.sha1_digest(original.payload(articles))
    block = warc_writer.http_response("200 OK", html_type, b"")
    revisit = warc_writer.record("revisit", "revisit of " + original.url, date, block,
                                 "application/http;msgtype=response", original.url)
    header, rest = revisit.split(b"\r\n\r\n", 1)
    header += (f"\r\nWARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
               f"\r\nWARC-Refers-To: <{original.id}>\r\nWARC-Payload-Digest: {payload_digest}").encode("ascii")
    yield warc_writer.member(header + b"\r\n\r\n" + rest)
    yield response("/after-the-broken-one", "200 OK",
                   b"<html><body><p>The crawl went on after the cut record, and this short page proves it: "
                   b"it can be read although its neighbour cannot.</p></body></html>")


def label(page_a, page_b):
    """Return the label and comment of two pages, or None if the pair need not be listed."""
    if set(page_a.sources) & set(page_b.sources):
        if page_a.is_partial or page_b.is_partial:
            return "topic", "partial copy"
        exact = page_a.repost in EXACT_REPOSTS and page_b.repost in EXACT_REPOSTS
        return ("dup" if exact else "near"), f"{page_a.repost} / {page_b.repost}"
    same_kind = page_a.sources[0].rsplit("-", 1)[0] == page_b.sources[0].rsplit("-", 1)[0]
    if same_kind:
        return "diff", "same form, other facts"
    if page_a.site == page_b.site and page_a.article.language == page_b.article.language:
        return "diff", "same template, other text"
    return None


def write_tables(folder, pages):
    with open(folder / "pages.tsv", "w", encoding="utf-8") as output:
        output.write("# id\turl\tfile\tarticle\trepost\tsite\tcharset\n")
        for page in pages:
            output.write("\t".join((page.id, page.url, f"{page.file}.warc.gz", "+".join(page.sources), page.repost,
                                    page.site, page.charset)) + "\n")
    with open(folder / "labels.tsv", "w", encoding="utf-8") as output:
        output.write("# id_a\tid_b\tlabel\twhy\n")
        for page_a, page_b in itertools.combinations(pages, 2):
            truth = label(page_a, page_b)
            if truth:
                output.write("\t".join((*sorted((page_a.id, page_b.id)), *truth)) + "\n")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "examples/demo-crawl")
    articles = read_articles(folder / "articles")
    pages = read_plan(folder / "plan.txt", articles)
    for name, date in CRAWL_DATES.items():
        members = [warc_writer.member(warc_writer.information_record(f"{name}.warc.gz", date + "T06:00:00Z"))]
        members += [warc_writer.member(page.record(articles)) for page in pages if page.file == name]
        if name == "odd":
            members += odd_records(pages, articles)
        (folder / f"{name}.warc.gz").write_bytes(b"".join(members))
    write_tables(folder, pages)
    print(f"{len(pages)} pages of {len(articles)} articles written to {folder}")


if __name__ == "__main__":
    main()
