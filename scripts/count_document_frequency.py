#!/usr/bin/env python3
"""Count data/document_frequency.tsv: the number of web pages in which each word outside the Han dictionary occurs.

usage: count_document_frequency.py COUNT_WORDS_PROGRAM FILE... > data/document_frequency.tsv

Files are .warc.gz (response records) or .jsonl.gz (field "html"). Only words and their counts are kept. At most 50
pages per site and one page of each text are counted, so that no template outweighs the language. Words in fewer than
5 pages, and all but the 30,000 most common, are left out."""
import gzip
import hashlib
import html
import json
import re
import subprocess
import sys
import urllib.parse

PAGES_PER_SITE = 50
MINIMUM_DOCUMENTS = 5
MAXIMUM_WORDS = 30000
HIDDEN = re.compile(r"<!--.*?-->|<(script|style|noscript|template|svg)\b.*?</\1\s*>", re.S | re.I)
TAG = re.compile(r"<[^>]*>")
META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w-]+)", re.I)


def decode(body):
    declared = META_CHARSET.search(body[:4096])
    names = ["utf-8"] + ([declared.group(1).decode("ascii")] if declared else []) + ["gb18030"]
    for name in names:
        try:
            return body.decode({"gb2312": "gb18030", "gbk": "gb18030"}.get(name.lower(), name))
        except (LookupError, UnicodeDecodeError):
            continue
    return body.decode("utf-8", "ignore")


def warc_pages(path):
    with gzip.open(path, "rb") as file:
        while True:
            line = file.readline()
            if not line:
                return
            if not line.startswith(b"WARC/"):
                continue
            headers = {}
            for line in iter(file.readline, b"\r\n"):
                if not line:
                    return
                name, _, value = line.partition(b":")
                headers[name.strip().lower()] = value.strip()
            block = file.read(int(headers.get(b"content-length", 0)))
            if headers.get(b"warc-type") == b"response":
                url = headers.get(b"warc-target-uri", b"").decode("utf-8", "replace")
                yield url, decode(block.partition(b"\r\n\r\n")[2])


def json_pages(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            page = json.loads(line)
            yield page.get("url") or page["id"], page["html"]


def main():
    program, *paths = sys.argv[1:]
    counter = subprocess.Popen([program, str(MINIMUM_DOCUMENTS), str(MAXIMUM_WORDS)], stdin=subprocess.PIPE)
    pages_by_site = {}
    seen = set()
    for path in paths:
        for url, page in json_pages(path) if path.endswith(".jsonl.gz") else warc_pages(path):
            site = urllib.parse.urlsplit(url).netloc or url
            text = html.unescape(TAG.sub(" ", HIDDEN.sub(" ", page))).replace("\0", " ")
            data = text.encode("utf-8", "ignore")
            digest = hashlib.sha256(" ".join(text.split()).encode("utf-8", "ignore")).digest()
            if digest in seen or pages_by_site.get(site, 0) >= PAGES_PER_SITE:
                continue
            seen.add(digest)
            pages_by_site[site] = pages_by_site.get(site, 0) + 1
            counter.stdin.write(data + b"\0")
    counter.stdin.close()
    if counter.wait() != 0:
        sys.exit("count_document_frequency.py: the counter failed")


if __name__ == "__main__":
    main()
