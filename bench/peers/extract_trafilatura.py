#!/usr/bin/env python3
"""Main content by trafilatura, without comments. usage: extract_trafilatura.py PAGES.jsonl TEXTS.jsonl"""
import json
import sys

import trafilatura


def main():
    with open(sys.argv[1], encoding="utf-8") as lines, open(sys.argv[2], "w", encoding="utf-8") as texts:
        for line in lines:
            page = json.loads(line)
            text = trafilatura.extract(page["html"], include_comments=False) or ""
            texts.write(json.dumps({"id": page["id"], "text": text}, ensure_ascii=False) + "\n")


main()
