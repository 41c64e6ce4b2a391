#!/usr/bin/env python3
"""Turns the usage example in the opening comment of a public header into a source that includes only that header.
tests/api compiles these sources, so an example cannot go stale. Standard library only.

usage: header_examples.py HEADER OUTPUT
An example is introduced by a comment line that ends with "Example:" and consists of the indented comment lines after
it. It is the body of a function in the namespace paraprint, and must be complete: it declares every name that it uses.
Fails for a header without an example.
"""
import pathlib
import re
import sys

INTRODUCTION = re.compile(r"^// (.* )?Example:$")
INDENTED = re.compile(r"^//   (.*)$")

TEMPLATE = """// Made from the opening comment of {header} by tests/api/header_examples.py.
#include "paraprint/{name}"

namespace paraprint {{
void example_of_{stem}();
void example_of_{stem}() {{
#line {line} "{path}"
{code}
}}
}}  // namespace paraprint
"""


def example_of(text):
    """(number of the first line, lines) of the example in the opening comment, or None."""
    lines = text.split("\n")
    opening = lines[: next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))]
    for number, line in enumerate(opening):
        if not INTRODUCTION.match(line):
            continue
        begin = number + 1
        while begin < len(opening) and opening[begin] == "//":
            begin += 1
        code = []
        for example_line in opening[begin:]:
            found = INDENTED.match(example_line)
            if found is None and example_line != "//":
                break
            code.append(found[1] if found else "")
        while code and not code[-1]:
            code.pop()
        return (begin + 1, code) if code else None
    return None


def source_of(path):
    found = example_of(path.read_text(encoding="utf-8"))
    if found is None:
        raise SystemExit(f"{path}:1: the opening comment has no example: a line 'Example:' and indented code")
    line, code = found
    body = "\n".join("  " + row if row else "" for row in code)
    return TEMPLATE.format(header=f"include/paraprint/{path.name}", name=path.name, stem=path.stem, line=line,
                           path=path, code=body)


if __name__ == "__main__":
    pathlib.Path(sys.argv[2]).write_text(source_of(pathlib.Path(sys.argv[1])), encoding="utf-8")
