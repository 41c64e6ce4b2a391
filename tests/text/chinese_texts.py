"""Prints Chinese texts of the unpacked labelled sets, one per line. usage: chinese_texts.py DATA_DIR BYTES_PER_SET"""
import gzip
import json
import os
import sys

FILES = ["zh-blog-html/truth_main", "zh-docs-html/truth_main", "zh-laws/docs", "zh-reposts/docs", "sohu2021-topic/docs"]


def main():
    directory, limit_bytes = sys.argv[1], int(sys.argv[2])
    for name in FILES:
        path = os.path.join(directory, "neardup", name + ".jsonl.gz")
        if not os.path.exists(path):
            continue
        written_bytes = 0
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                page = json.loads(line)
                text = " ".join((page.get("text") or page.get("main") or "").split())
                written_bytes += len(text.encode("utf-8"))
                sys.stdout.buffer.write(text.encode("utf-8") + b"\n")
                if written_bytes > limit_bytes:
                    break


if __name__ == "__main__":
    main()
