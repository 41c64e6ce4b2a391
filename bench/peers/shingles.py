"""Sets of consecutive words, the input of MinHash."""
import re

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD = re.compile(f"[{HAN}]|[^\\W{HAN}]+")
LENGTH = 5


def shingles(text):
    words = WORD.findall(text.lower())
    return {" ".join(words[i:i + LENGTH]) for i in range(max(1, len(words) - LENGTH + 1))}
