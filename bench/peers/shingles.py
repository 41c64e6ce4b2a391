"""Sets of consecutive words or characters, the input of MinHash. A Chinese character is a word."""
import re

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD = re.compile(f"[{HAN}]|[^\\W{HAN}]+")
LENGTH = 5


def shingles(text, length=LENGTH):
    words = WORD.findall(text.lower())
    return {" ".join(words[i:i + length]) for i in range(max(1, len(words) - length + 1))}


def characters(text, length):
    """Sets of consecutive characters of the words, with one blank between words."""
    letters = " ".join(WORD.findall(text.lower()))
    return {letters[i:i + length] for i in range(max(1, len(letters) - length + 1))}
