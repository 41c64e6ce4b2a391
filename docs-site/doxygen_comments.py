#!/usr/bin/env python3
"""Doxygen's input filter: marks the plain comments of a header as documentation of what they are written at.

usage: doxygen_comments.py HEADER   (prints the header)

The headers have no markup but `code`, so each comment goes through Doxygen unread ("verbatim"), and cpp_reference.py
formats it. A comment documents the declaration in the next line or, at the end of a line, the one before it. The first
comment of a file is its contract. Comments followed by a blank line are headings between declarations, and stay plain.
"""
import re
import sys

COMMENT = re.compile(r"^(\s*)// ?(.*)$")
# A declaration and a comment after it. No header has "//" in a string.
TRAILING = re.compile(r"^(\s*\S.*?)(\s+)// (.*)$")


def documentation(lines, indent, opening):
    text = "\n".join(lines)
    return f"{indent}{opening} @verbatim\n{text}\n@endverbatim */"


def marked(lines):
    """The lines of a header with its comments marked. Line numbers change; what is declared stays the same."""
    is_first = True
    number = 0
    while number < len(lines):
        whole = COMMENT.match(lines[number])
        trailing = None if whole else TRAILING.match(lines[number])
        if whole:
            end = number
            while end < len(lines) and COMMENT.match(lines[end]):
                end += 1
            block = [COMMENT.match(line)[2] for line in lines[number:end]]
            following = lines[end].strip() if end < len(lines) else ""
            if is_first:
                yield documentation(block, "", "/** @file\n")
            elif following and not following.startswith(("}", "#")) and not block[0].startswith("---"):
                yield documentation(block, whole[1], "/**")
            is_first = False
            number = end
        elif trailing:
            # Further lines of the comment are in the same column.
            column = len(trailing[1]) + len(trailing[2])
            block = [trailing[3]]
            number += 1
            while number < len(lines) and (more := COMMENT.match(lines[number])) and len(more[1]) == column:
                block.append(more[2])
                number += 1
            # After an opening brace, a comment is about the type; after a closing one, it repeats what ends there.
            if trailing[1].endswith("{") and not trailing[1].startswith("namespace"):
                yield documentation(block, "", "/**")
            yield trailing[1]
            if not trailing[1].endswith(("{", "}")):
                yield documentation(block, "", "/**<")
        else:
            yield lines[number]
            number += 1


def main():
    with open(sys.argv[1], encoding="utf-8") as header:
        print("\n".join(marked(header.read().split("\n"))))


if __name__ == "__main__":
    main()
