#!/usr/bin/env python3
"""Main content by resiliparse. usage: extract_resiliparse.py PAGES.jsonl TEXTS.jsonl"""
import json
import sys

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import HTMLTree


def main():
    with open(sys.argv[1], encoding="utf-8") as lines, open(sys.argv[2], "w", encoding="utf-8") as texts:
        for line in lines:
            page = json.loads(line)
            text = extract_plain_text(HTMLTree.parse(page["html"]), main_content=True)
            texts.write(json.dumps({"id": page["id"], "text": text}, ensure_ascii=False) + "\n")


main()
