"""Reads Markdown as repository viewers do: headings with their anchors, and links. Standard library only.

The site (docs-site/stage.py) and the test of all links (tests/architecture/document_rules.py) share it, so that a link
that works in one of them works in the other.
"""
import re
from typing import NamedTuple

FENCE = re.compile(r"^ {0,3}(?:- |\d+\. )?\s*(`{3,}|~{3,})(.*)$")
HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")
CODE_SPAN = re.compile(r"(`+)(?!`)(?:.|\n)*?(?<!`)\1(?!`)")
# [text](target "title"), with one level of brackets in the text; images, too.
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\](?:\([^()\s]*\))?)*)\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s]*)*)>?"
                  r"(\s+\"[^\"]*\")?\s*\)")
HTML_ANCHOR = re.compile(r"<a\s+(?:id|name)=\"([^\"]+)\"")
HTML_TARGET = re.compile(r"<(?:img|a|source)\s[^>]*?\b(?:src|srcset|href)=\"([^\"]+)\"")


class Heading(NamedTuple):
    line: int  # from 0
    level: int
    text: str
    anchor: str


class Link(NamedTuple):
    line: int  # from 0
    target: str


def code_lines(lines):
    """For each line, whether it belongs to a fenced block of code, its fences included, or to a Python session, which
    begins with ">>>" and ends with a blank line."""
    inside = None
    is_session = False
    marks = []
    for line in lines:
        found = FENCE.match(line)
        if inside is None:
            is_session = line.startswith(">>> ") or is_session and bool(line.strip())
            found = None if is_session else found
            inside = found[1] if found and ("`" not in found[2] or found[1][0] == "~") else None
            marks.append(is_session or inside is not None)
            continue
        marks.append(True)
        if found and found[1][0] == inside[0] and len(found[1]) >= len(inside) and not found[2].strip():
            inside = None
    return marks


def plain_text(markdown):
    """A heading or label as it is shown: links are their text, code and emphasis lose their marks."""
    text = LINK.sub(lambda link: link[2], markdown)
    text = re.sub(r"<[^>]+>", "", text)
    text = re.sub(r"`+", "", text)
    return re.sub(r"(?<!\w)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?!\w)", "", text).strip()


def slug(text):
    """The anchor that repository viewers give a heading of this text."""
    kept = "".join(letter for letter in text.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")


def headings(lines):
    """The headings of a page, each with its anchor; a repeated one gets "-1", "-2" and so on."""
    found = []
    uses = {}
    for number, (line, is_code) in enumerate(zip(lines, code_lines(lines))):
        match = None if is_code else HEADING.match(line)
        if not match:
            continue
        text = plain_text(match[2])
        anchor = slug(text)
        uses[anchor] = uses.get(anchor, -1) + 1
        found.append(Heading(number, len(match[1]), text, f"{anchor}-{uses[anchor]}" if uses[anchor] else anchor))
    return found


def anchors(lines):
    """Everything in a page that the part of a link after "#" can name."""
    marked = {anchor for line, is_code in zip(lines, code_lines(lines)) if not is_code
              for anchor in HTML_ANCHOR.findall(line)}
    return marked | {heading.anchor for heading in headings(lines)}


def without_code(lines):
    """The lines with fenced blocks and code spans blanked out, each character in its place."""
    text = "\n".join(" " * len(line) if is_code else line for line, is_code in zip(lines, code_lines(lines)))
    # A span ends with its paragraph; what looks like one across a blank line is not code.
    return CODE_SPAN.sub(lambda span: span[0] if "\n\n" in span[0] else re.sub(r"[^\n]", " ", span[0]), text)


def links(lines):
    """The links and images of a page, those in raw HTML included. A link's text may contain code, its target not."""
    text = without_code(lines)
    for pattern, group in ((LINK, 3), (HTML_TARGET, 1)):
        for found in pattern.finditer(text):
            # The place of the target: texts with a link inside have two.
            yield Link(text.count("\n", 0, found.start(group)), found[group])
            if pattern is LINK:
                yield from (Link(text.count("\n", 0, found.start()), inner[3])
                            for inner in LINK.finditer(found[2]))


def is_external(target):
    return re.match(r"^[a-z][a-z0-9+.-]*:", target, re.I) is not None or target.startswith("//")
