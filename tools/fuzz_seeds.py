#!/usr/bin/env python3
"""Cuts seeds for the fuzzers out of real pages and archives, for a campaign with FUZZ_CORPUS.

usage: tools/fuzz_seeds.py FUZZ_CORPUS FILE...
  FUZZ_CORPUS  the folder of `make fuzz-campaign`; seeds go to a folder for each fuzzer
  FILE         JSON lines (.jsonl, .jsonl.gz) with "html", "text" or "url", or archives (WARC, ARC, WACZ, HAR)

fuzz/corpus/ has a few small seeds of each kind. Real markup holds combinations that nobody would write down, and
mutations start from them. The same files give the same seeds.
"""

import gzip
import hashlib
import json
import pathlib
import random
import sys
import zlib

PAGES_PER_FILE = 60
PAGES_READ_PER_FILE = 600
PAGE_PIECE_CHARACTERS = (1500, 6000)
TEXT_PIECE_CHARACTERS = (200, 1500)
ARCHIVE_BYTES = 40_000
MESSAGE_BYTES = 6_000
MESSAGES_PER_ARCHIVE = 40
UNPACKED_BYTES = 400_000
CHARSETS = ("utf-8", "gbk", "big5", "shift_jis", "euc-kr", "cp1251", "cp1252", "utf-16-le")
GZIP = b"\x1f\x8b"
# The begin of an input that says what follows (fuzz/page_profile.cc, contamination.cc, fingerprint.cc, charset.cc).
HTML_PAGE = b"\0"
HTML_DOCUMENT = 4
DEFAULT_PARAMETERS = 0
ONE_ALGORITHM = 0x80
PARTING = b"\xff"


class Corpus:
    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.random = random.Random(0)
        self.seeds = 0

    def add(self, fuzzer: str, seed: bytes) -> None:
        folder = self.folder / fuzzer
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
        self.seeds += 1

    def piece(self, text: str, characters: tuple[int, int]) -> str:
        size = self.random.randint(*characters)
        begin = self.random.randrange(max(1, len(text) - size))
        return text[begin : begin + size]


def utf8(text: str) -> bytes:
    return text.encode("utf-8", "ignore")


def item(text: str) -> bytes:
    return utf8(json.dumps({"text": text}, ensure_ascii=False)) + b"\n"


def add_html(corpus: Corpus, html: str) -> None:
    begin = html[: corpus.random.randint(*PAGE_PIECE_CHARACTERS)]
    for piece in {begin, corpus.piece(html, PAGE_PIECE_CHARACTERS)}:
        markup = utf8(piece)
        for fuzzer in ("html_dom", "links"):
            corpus.add(fuzzer, markup)
        choice = corpus.random.randrange(6)
        if choice < 2:
            corpus.add("page_profile", HTML_PAGE + markup)
        elif choice == 2:
            corpus.add("xml_text", markup)
        elif choice == 3:
            corpus.add("service_request", b"POST /v1/pages\ntext/html\n" + markup)
        elif choice == 4:
            corpus.add("contamination", bytes([HTML_DOCUMENT]) + item(piece[:300]) + PARTING + markup)
        else:
            corpus.add("charset", b"text/html\n" + piece.encode(corpus.random.choice(CHARSETS), "ignore"))


def add_text(corpus: Corpus, text: str) -> None:
    piece = corpus.piece(text, TEXT_PIECE_CHARACTERS)
    corpus.add("utf8_text", utf8(piece))
    settings = corpus.random.choice([DEFAULT_PARAMETERS, corpus.random.randrange(ONE_ALGORITHM, 256)])
    corpus.add("fingerprint", bytes([settings]) + utf8(piece[:600]) + PARTING + utf8(piece[30:600]))
    rules = bytes([corpus.random.randrange(HTML_DOCUMENT)])
    corpus.add("contamination", rules + item(piece[:250]) + PARTING + utf8(piece))


def add_lines(corpus: Corpus, path: pathlib.Path) -> None:
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        pages = [json.loads(line) for _, line in zip(range(PAGES_READ_PER_FILE), lines)]
    for page in corpus.random.sample(pages, min(PAGES_PER_FILE, len(pages))):
        corpus.add("jsonl", utf8(json.dumps(page, ensure_ascii=False)[:MESSAGE_BYTES]) + b"\n")
        if page.get("html"):
            add_html(corpus, page["html"])
        if page.get("text"):
            add_text(corpus, page["text"])
        if page.get("url"):
            corpus.add("url", b"http://example.org/a/b\n" + utf8(page["url"]))
            corpus.add("surt", utf8(page["url"]))


def unpacked(data: bytes) -> bytes:
    """The begin of what is compressed, member by member; as far as it can be read."""
    content = b""
    while data.startswith(GZIP) and len(content) < UNPACKED_BYTES:
        member = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            content += member.decompress(data, UNPACKED_BYTES)
        except zlib.error:
            break
        data = member.unused_data
    return content


def add_messages(corpus: Corpus, records: bytes, mark: bytes, fuzzers: tuple[str, ...]) -> None:
    begin = records.find(mark)
    for _ in range(MESSAGES_PER_ARCHIVE):
        if begin < 0:
            return
        for fuzzer in fuzzers:
            corpus.add(fuzzer, records[begin : begin + MESSAGE_BYTES])
        begin = records.find(mark, begin + len(mark))


def add_archive(corpus: Corpus, path: pathlib.Path) -> None:
    with path.open("rb") as file:
        data = file.read(UNPACKED_BYTES)
    corpus.add("wacz" if path.suffix == ".wacz" else "archive", data[:ARCHIVE_BYTES])
    records = unpacked(data) or data
    if records is not data:
        corpus.add("archive", records[:ARCHIVE_BYTES])
    add_messages(corpus, records, b"HTTP/1.", ("http_payload", "header_statements"))
    add_messages(corpus, records, b"POST ", ("request_query",))


def main() -> int:
    if len(sys.argv) < 3 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip(), file=sys.stderr if len(sys.argv) < 2 else sys.stdout)
        return 0 if sys.argv[1:2] in (["-h"], ["--help"]) else 2
    corpus = Corpus(pathlib.Path(sys.argv[1]))
    for path in map(pathlib.Path, sys.argv[2:]):
        (add_lines if ".jsonl" in path.suffixes else add_archive)(corpus, path)
    print(f"fuzz_seeds.py: {corpus.seeds} seeds in {corpus.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
