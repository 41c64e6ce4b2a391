#!/usr/bin/env python3
"""Checks a built site: every link inside it leads somewhere, anchors included, and nothing is loaded from elsewhere.

usage: check_site.py SITE_FOLDER   (prints the links to other sites, and fails with a message per finding)

MkDocs checks the links of Markdown; this checks what is in the pages, whatever made them. Standard library only.
"""
import html.parser
import pathlib
import re
import sys
import urllib.parse

# What makes a browser load something: attribute by element.
LOADING = {"script": "src", "img": "src", "source": "srcset", "iframe": "src", "video": "src", "audio": "src",
           "embed": "src", "object": "data"}
LOADING_LINKS = {"stylesheet", "preload", "icon", "manifest", "preconnect", "dns-prefetch", "modulepreload"}
STYLE_URL = re.compile(r"url\(\s*['\"]?(?!data:)([^)'\"\s]+)|@import\s+['\"]([^'\"]+)")
MARKDOWN_LINK = re.compile(r"\]\(([^)\s]+)\)")


class Page(html.parser.HTMLParser):
    """What a page links to, what it loads, and the anchors that it has."""

    def __init__(self, text):
        super().__init__()
        self.links = []
        self.loads = []
        self.anchors = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in ("id", "name"):
            if values.get(name):
                self.anchors.add(values[name])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        elif tag == "link" and LOADING_LINKS & set((values.get("rel") or "").split()):
            self.loads.append(values.get("href") or "")
        elif tag in LOADING and values.get(LOADING[tag]):
            self.loads.append(values[LOADING[tag]])


def is_external(target):
    return re.match(r"^(?:[a-z][a-z0-9+.-]*:|//)", target, re.I) is not None


def check(site):
    """Findings and links to other sites."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    findings = []
    external = set()
    for path, page in pages.items():
        where = path.relative_to(site)
        # Paths in the page for unknown addresses are those of the site's root, wherever it will be.
        is_anywhere = where.name == "404.html"
        findings += [f"{where}: loads {target}" for target in page.loads
                     if is_external(target) and not target.startswith("data:")]
        external |= set(filter(is_external, page.links))
        for target in page.loads + page.links:
            if not is_anywhere and not is_external(target):
                name, _, anchor = target.partition("#")
                found = (path.parent / urllib.parse.unquote(name.partition("?")[0])).resolve() if name else path
                found = found / "index.html" if found.is_dir() else found
                if not found.is_file():
                    findings.append(f"{where}: {target}: no such file")
                elif anchor and found in pages and urllib.parse.unquote(anchor) not in pages[found].anchors:
                    findings.append(f"{where}: {target}: no such anchor")
    for path in sorted(site.rglob("*.css")):
        for target in STYLE_URL.findall(path.read_text(encoding="utf-8")):
            if is_external(target[0] or target[1]):
                findings.append(f"{path.relative_to(site)}: loads {target[0] or target[1]}")
    text = (site / "llms.txt").read_text(encoding="utf-8")
    for target in MARKDOWN_LINK.findall(text):
        if not (site / target).is_file():
            findings.append(f"llms.txt: {target}: no such file")
    return findings, sorted(external)


def main():
    findings, external = check(pathlib.Path(sys.argv[1]).resolve())
    print("\n".join(external))
    if findings:
        sys.exit("\n".join(findings))


if __name__ == "__main__":
    main()
