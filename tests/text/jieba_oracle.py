"""Segments each line of standard input with Python's jieba: prints the byte ranges of the words that contain a Han
character, as "begin-end" separated by spaces.

usage: jieba_oracle.py JIEBA_DIRECTORY < lines

The folder is that of the package whose data was compiled into the build; any Python 3 can import it from there."""
import logging
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[1])))
import jieba  # noqa: E402

HAN = re.compile("[\u4E00-\u9FD5]")


def main():
    jieba.setLogLevel(logging.ERROR)
    for line in sys.stdin.buffer:
        position = 0
        ranges = []
        for word in jieba.lcut(line.decode("utf-8").rstrip("\n"), HMM=True):
            size = len(word.encode("utf-8"))
            if HAN.search(word):
                ranges.append(f"{position}-{position + size}")
            position += size
        print(" ".join(ranges))


if __name__ == "__main__":
    main()
