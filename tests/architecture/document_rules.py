#!/usr/bin/env python3
"""Checks that relative links in Markdown lead somewhere, anchors included, that the site lists every page of docs/, and
that the citation has the version of the build.

usage: document_rules.py SOURCE_ROOT
Prints one line per finding, `file:line: message`, and fails if there is any. Standard library only: what needs the
site's own tools is checked by `make docs`.
"""
import os
import pathlib
import posixpath
import re
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs-site"))
import markdown_pages  # noqa: E402
from findings import report  # noqa: E402
from source_rules import tracked_files  # noqa: E402

NAVIGATION = "docs-site/mkdocs.yml"
# A row of the navigation: "      - Title: path.md", with the path of the page as stage.py takes it.
NAVIGATION_ROW = re.compile(r"^\s+- (?:(?:'[^']*'|\"[^\"]*\"|[^:'\"]+): )?([\w./-]+\.(?:md|ipynb))\s*(?:#.*)?$")
# Articles and test inputs are data.
DATA_FOLDERS = re.compile(r"(^|/)(data|corpus|golden)/|^examples/.*/articles/")


def pages(root):
    """Path and lines of every Markdown file of the repository."""
    for path in tracked_files(root):
        if path.endswith(".md") and not DATA_FOLDERS.search(path):
            yield path, (root / path).read_text(encoding="utf-8").split("\n")


def check_links(root):
    """Every relative link names a file or folder of the repository, and a heading of it if it has an anchor."""
    lines_of = dict(pages(root))
    tracked = set(tracked_files(root))
    folders = {parent.as_posix() for path in tracked for parent in pathlib.PurePosixPath(path).parents}
    anchors_of = {}
    for path, lines in lines_of.items():
        for link in markdown_pages.links(lines):
            if markdown_pages.is_external(link.target):
                continue
            name, _, anchor = link.target.partition("#")
            if name.startswith("/"):
                yield path, link.line + 1, f"{link.target}: write links relative to the page"
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), urllib.parse.unquote(name)))
            target = path if not name else target
            if target not in tracked and target not in folders:
                yield path, link.line + 1, f"{link.target}: there is no {target}"
            elif anchor and target in lines_of:
                if target not in anchors_of:
                    anchors_of[target] = markdown_pages.anchors(lines_of[target])
                if anchor not in anchors_of[target]:
                    yield path, link.line + 1, f"{link.target}: {target} has no heading #{anchor}"


def check_navigation(root):
    """The navigation of the site lists every page of docs/ and every notebook once, and nothing that is not there."""
    if not (root / NAVIGATION).is_file():
        return
    tracked = tracked_files(root)
    wanted = {path for path in tracked if path.startswith("docs/") and path.endswith(".md") or path.endswith(".ipynb")}
    listed = {}
    for number, line in enumerate((root / NAVIGATION).read_text(encoding="utf-8").split("\n"), 1):
        row = NAVIGATION_ROW.match(line)
        if not row or row[1].startswith("reference/"):  # made by the build
            continue
        if row[1] in listed:
            yield NAVIGATION, number, f"{row[1]} is listed in line {listed[row[1]]}, too"
        elif row[1] not in tracked:
            yield NAVIGATION, number, f"{row[1]} does not exist"
        listed.setdefault(row[1], number)
    for path in sorted(wanted - set(listed)):
        yield path, 1, f"not in the navigation: add a row to {NAVIGATION}"


def check_citation(root):
    """Who cites the project cites the version that is built."""
    citation, build = root / "CITATION.cff", root / "CMakeLists.txt"
    if citation.is_file() and build.is_file():
        cited = re.search(r"^version: (.+)$", citation.read_text(encoding="utf-8"), re.M)
        built = re.search(r"^project\(paraprint VERSION ([\d.]+)", build.read_text(encoding="utf-8"), re.M)
        if not cited or not built or cited[1] != built[1]:
            yield "CITATION.cff", 1, "another version than in CMakeLists.txt"


RULES = (check_links, check_navigation, check_citation)


def findings(root):
    root = pathlib.Path(root)
    return [f"{path}:{line}: {what}" for rule in RULES for path, line, what in rule(root)]


def main():
    report(findings(os.fspath(sys.argv[1])), "document_rules.py: every rule holds")


if __name__ == "__main__":
    main()
