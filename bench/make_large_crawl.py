#!/usr/bin/env python3
"""Make a large crawl from a small real one by copying and editing its pages. Standard library only.

usage: bench/make_large_crawl.py --out DIRECTORY [--pages N] [options] CORPUS.warc.gz ...

Every new page starts from a real one, so markup, page sizes, charsets and languages are those of the corpus:
  base    a real page in which a large share of the words, at random places, is replaced by words of other pages in the
          same charset and script. Two bases made from one real page share the site's frame but no sentence.
  copy    a copy of a base: byte for byte; with a few words changed; with paragraphs deleted, inserted or moved; or with
          its middle in the frame of another site. Each has its own host and URL.
Copies are concentrated on some of the bases: most of these have one or two, a few have hundreds.

Writes DIRECTORY/part-NNNN.warc.gz (one gzip member per record) and DIRECTORY/clusters.tsv (id, cluster, kind).
The same arguments give the same pages, whatever the value of --workers. Memory: about 2.5 times the decompressed
corpus, partly shared by the workers, and about 100 bytes per page.
"""
import argparse
import array
import functools
import gc
import gzip
import multiprocessing
import os
import pathlib
import random
import re
import sys
import time
import uuid
import zlib

# Minimum size of a text between two tags to be edited: in the middle of a page, and elsewhere, where shorter texts are
# the buttons and links of the site's frame, which its pages share.
MIDDLE_EDITED_CHARACTERS = 3
FRAME_EDITED_CHARACTERS = 24
# The first and the last text of at least this size delimit the middle of a page.
MIDDLE_TEXT_CHARACTERS = 120
# Share of words replaced: so many that no fingerprint matches, or so few that the text is the same.
BASE_REPLACED_SHARE = 0.5
EDIT_REPLACED_SHARE = 0.02
# Kinds of copies other than exact ones, with their weights.
EDIT_KINDS = {"words": 4, "paragraphs": 4, "template": 2}
# Copies go to this share of the bases, more of them to the first ones (density ~ 1 / sqrt(rank)).
COPIED_BASES_SHARE = 0.35
HOSTS_PER_SOURCE_HOST = 40
# A few larger pages would dominate the size of the whole crawl.
PAGE_BYTES_MAXIMUM = 600_000
WORDS_PER_POOL = 400_000

TOKENS = re.compile(r"(?s)<(script|style)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>|[^<]+", re.IGNORECASE)
META_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
HEADER_CHARSET = re.compile(rb"content-type:[^\r\n]*charset=\"?([\w-]+)", re.IGNORECASE)
# The unit of replacement: most Chinese words have two characters; other words are runs of letters and digits.
WORDS = re.compile(r"([\u3400-\u9fff]{2}|[^\W_\u3400-\u9fff]{2,})")
FIRST_HAN = "\u3400"
UUID_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "large-crawl.example")


class SourcePage:
    """A real page cut into pieces; pieces at odd indices are editable texts, the others are frame."""

    def __init__(self, host, encoding, has_header_charset, pieces):
        self.host = host
        self.encoding = encoding
        self.has_header_charset = has_header_charset
        self.pieces = pieces
        long_texts = [index for index in range(1, len(pieces), 2) if len(pieces[index]) >= MIDDLE_TEXT_CHARACTERS]
        self.middle = (long_texts[0], long_texts[-1] + 1) if len(long_texts) >= 2 else None


def cut(markup):
    pieces, frame = [], []
    for token in TOKENS.finditer(markup):
        text = token[0]
        if text[0] != "<" and len(text) >= MIDDLE_EDITED_CHARACTERS and not text.isspace():
            pieces += ["".join(frame), text]
            frame = []
        else:
            frame.append(text)
    return pieces + ["".join(frame)]


def records(path):
    """Yield (url, HTTP message) of the response records of a .warc.gz file."""
    with gzip.open(path, "rb") as stream:
        while True:
            line = stream.readline()
            if not line:
                return
            if not line.startswith(b"WARC/"):
                continue
            fields = {}
            while (line := stream.readline().strip()):
                name, _, value = line.partition(b":")
                fields[name.lower()] = value.strip()
            block = stream.read(int(fields[b"content-length"]))
            if fields.get(b"warc-type") == b"response":
                yield fields[b"warc-target-uri"].decode("utf-8", "replace").strip("<>"), block


def read_corpus(paths):
    """The editable pages: HTML without transfer coding, decodable in the declared charset."""
    pages, left_out = [], 0
    for path in paths:
        for url, block in records(path):
            header, _, body = block.partition(b"\r\n\r\n")
            declared = HEADER_CHARSET.search(header)
            charset = declared or META_CHARSET.search(body[:4096])
            encoding = charset[1].decode("ascii").lower() if charset else "utf-8"
            encoding = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs"}.get(encoding, encoding)
            try:
                if re.search(rb"(?i)(transfer|content)-encoding:", header) or len(body) > PAGE_BYTES_MAXIMUM:
                    raise ValueError
                markup = body.decode(encoding)
            except (ValueError, LookupError):
                left_out += 1
                continue
            host = url.split("/")[2] if url.count("/") >= 2 else url
            pages.append(SourcePage(host, encoding, declared is not None, cut(markup)))
    return pages, left_out


def word_pools(pages, seed):
    """Words in corpus order, pages in random order: (without Han characters, with)."""
    pools = ([], [])
    order = list(range(len(pages)))
    random.Random(seed).shuffle(order)
    for index in order:
        if min(map(len, pools)) >= WORDS_PER_POOL:
            break
        for text in pages[index].pieces[1::2]:
            for word in WORDS.findall(text):
                pools[word >= FIRST_HAN].append(word)
    return tuple(pool[:WORDS_PER_POOL] or ["word"] for pool in pools)


class Maker:
    def __init__(self, pages, arguments):
        self.pages = pages
        self.arguments = arguments
        self.pools = word_pools(pages, arguments.seed)
        hosts = sorted({page.host for page in pages})
        self.host_numbers = {host: number for number, host in enumerate(hosts)}
        self.templates = [page for page in pages if page.middle]

    def replace_words(self, text, share, generator):
        parts = WORDS.split(text)  # words are at odd indices
        choose = generator.random
        for index in range(1, len(parts), 2):
            if choose() < share:
                pool = self.pools[parts[index] >= FIRST_HAN]
                parts[index] = pool[int(choose() * len(pool))]
        return "".join(parts)

    def replace_page_words(self, page, pieces, share, generator):
        begin, end = page.middle or (0, len(pieces))
        return [self.replace_words(piece, share, generator)
                if index % 2 and (begin <= index < end or len(piece) >= FRAME_EDITED_CHARACTERS) else piece
                for index, piece in enumerate(pieces)]

    def base(self, cluster):
        generator = random.Random(f"{self.arguments.seed}/base/{cluster}")
        page = self.pages[int(generator.random() * len(self.pages))]
        return page, self.replace_page_words(page, page.pieces, BASE_REPLACED_SHARE, generator)

    def move_paragraphs(self, pieces, generator):
        """Delete one text in twelve, swap one in twelve with another, and insert a new one."""
        pieces = list(pieces)
        places = [index for index in range(1, len(pieces), 2) if len(pieces[index]) >= MIDDLE_TEXT_CHARACTERS]
        few = len(places) // 12
        if len(places) >= 4:
            chosen = generator.sample(places, min(len(places), 3 * few + 2))
            for first, second in zip(chosen[0:few], chosen[few:2 * few]):
                pieces[first], pieces[second] = pieces[second], pieces[first]
            for index in chosen[2 * few:3 * few]:
                pieces[index] = ""
            donor = self.replace_words(pieces[chosen[-1]], BASE_REPLACED_SHARE, generator)
            pieces[chosen[-2]] += "</p>\n<p>" + donor
        return pieces

    def reframe(self, page, pieces, generator):
        """The middle of the page between the head and the tail of a page of another site."""
        if not page.middle:
            return page, pieces
        other = self.templates[int(generator.random() * len(self.templates))]
        (begin, end), (other_begin, other_end) = page.middle, other.middle
        return other, other.pieces[:other_begin] + pieces[begin:end] + other.pieces[other_end:]

    def copy(self, cluster, member):
        generator = random.Random(f"{self.arguments.seed}/copy/{cluster}/{member}")
        page, pieces = self.base(cluster)
        if generator.random() < self.arguments.exact_share:
            return "exact", page, pieces, generator
        kind = generator.choices(list(EDIT_KINDS), list(EDIT_KINDS.values()))[0]
        frame = page
        if kind == "words":
            pieces = self.replace_page_words(page, pieces, EDIT_REPLACED_SHARE, generator)
        elif kind == "paragraphs":
            pieces = self.move_paragraphs(pieces, generator)
        else:
            frame, pieces = self.reframe(page, pieces, generator)
        return kind, frame, pieces, generator

    def page(self, cluster, member):
        """Return (record id, kind, gzip member)."""
        if member == 0:
            kind, (frame, pieces) = "base", self.base(cluster)
            generator = random.Random(f"{self.arguments.seed}/url/{cluster}")
        else:
            kind, frame, pieces, generator = self.copy(cluster, member)
        number = self.host_numbers[frame.host] * HOSTS_PER_SOURCE_HOST
        number += int(generator.random() * HOSTS_PER_SOURCE_HOST)
        url = f"http://host-{number}.example/{cluster % 97}/{cluster}-{member}.html"
        body = "".join(pieces).encode(frame.encoding, "xmlcharrefreplace")
        record_id = f"urn:uuid:{uuid.uuid5(UUID_NAMESPACE, f'{self.arguments.seed}/{cluster}/{member}')}"
        return record_id, kind, gzip_member(warc_record(record_id, url, cluster + member, frame, body))


def warc_record(record_id, url, second, frame, body):
    charset = {"gb18030": "gbk", "big5hkscs": "big5"}.get(frame.encoding, frame.encoding)
    content_type = f"text/html; charset={charset}" if frame.has_header_charset else "text/html"
    http = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n".encode("ascii")
    date = f"2025-{second // 86400 % 12 + 1:02}-01T{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}Z"
    header = (f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <{record_id}>\r\nWARC-Date: {date}\r\n"
              f"WARC-Target-URI: {url}\r\nContent-Type: application/http;msgtype=response\r\n"
              f"Content-Length: {len(http) + len(body)}\r\n\r\n").encode("ascii")
    return header + http + body + b"\r\n\r\n"


def gzip_member(content):
    compressor = zlib.compressobj(1, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    return compressor.compress(content) + compressor.flush()


def plan(arguments):
    """The pages in crawl order, as cluster numbers; the n-th occurrence of a cluster is its n-th member."""
    generator = random.Random(f"{arguments.seed}/plan")
    bases = max(1, round(arguments.pages * arguments.unique_share))
    copied = max(1, round(bases * COPIED_BASES_SHARE))
    clusters = array.array("L", range(bases))
    clusters.extend(int(copied * generator.random() ** 2) for _ in range(arguments.pages - bases))
    order = array.array("L", range(arguments.pages))
    generator.shuffle(order)
    seen = array.array("L", bytes(8 * bases))
    planned = []
    for index in order:
        cluster = clusters[index]
        planned.append((cluster, seen[cluster]))
        seen[cluster] += 1
    return planned


def write_part(maker, planned, part):
    """Write one file; return its rows of clusters.tsv and its sizes."""
    arguments = maker.arguments
    chosen = planned[part * arguments.pages_per_file:(part + 1) * arguments.pages_per_file]
    path = pathlib.Path(arguments.out) / f"part-{part:04}.warc.gz"
    rows = []
    with open(path.with_suffix(".partial"), "wb") as output:
        for cluster, member in chosen:
            record_id, kind, stored = maker.page(cluster, member)
            output.write(stored)
            rows.append(f"{record_id}\t{cluster}\t{kind}\n")
    os.replace(path.with_suffix(".partial"), path)
    return part, "".join(rows), path.stat().st_size


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="+", help="WARC files (.warc.gz) of real pages")
    parser.add_argument("--out", required=True, help="output directory, created if missing")
    parser.add_argument("--pages", type=int, default=500_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unique-share", type=float, default=0.55, help="share of pages that are bases")
    parser.add_argument("--exact-share", type=float, default=0.4, help="share of copies that are exact")
    parser.add_argument("--pages-per-file", type=int, default=25_000, help="a page takes about 10 KB")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    return parser.parse_args()


def main():
    arguments = read_arguments()
    os.makedirs(arguments.out, exist_ok=True)
    started = time.time()
    pages, left_out = read_corpus(arguments.corpus)
    print(f"{len(pages)} pages to start from ({left_out} left out), {time.time() - started:.0f} s", file=sys.stderr)
    maker = Maker(pages, arguments)
    gc.freeze()  # keeps the collector from touching, and so copying, memory shared with the workers
    planned = plan(arguments)
    parts = -(-arguments.pages // arguments.pages_per_file)
    size_bytes = 0
    # Forked workers share the corpus; spawned ones would need copies.
    global write_one
    write_one = functools.partial(write_part, maker, planned)
    with multiprocessing.get_context("fork").Pool(arguments.workers) as pool, \
            open(pathlib.Path(arguments.out) / "clusters.tsv", "w", encoding="ascii") as clusters:
        for part, rows, part_bytes in pool.imap(run_one, range(parts)):
            clusters.write(rows)
            size_bytes += part_bytes
            print(f"part {part + 1} of {parts}, {time.time() - started:.0f} s", file=sys.stderr)
    print(f"{arguments.pages} pages, {size_bytes / 1e6:.0f} MB in {parts} files, {time.time() - started:.0f} s")


def run_one(part):
    return write_one(part)


if __name__ == "__main__":
    main()
