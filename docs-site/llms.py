"""Writes llms.txt, the list of the site's pages for language models, in the form of llmstxt.org."""
import posixpath
import re

import markdown_pages

# Sections that a reader with little room may leave out go under the heading that the form has for that.
OPTIONAL = ("Figures", "Project")
SECTION = re.compile(r"^  - ([^:]+):\s*$")
# A row of the list of pages in docs/README.md: the page and what is in it.
LISTED = re.compile(r"^\| \[[^\]]+\]\(([\w/.-]+\.md)\) \| (.+) \|$")


def plain(markdown):
    return " ".join(markdown_pages.plain_text(markdown).split())


def first_paragraph(lines):
    """The first paragraph of a page that is text."""
    if lines[0] == "---":
        lines = lines[lines.index("---", 1) + 1:]
    paragraph = []
    for line, is_code in zip(lines, markdown_pages.code_lines(lines)):
        if not is_code and line.strip() and not re.match(r"[#|<!>:{]|[-*] |\[!\[", line.strip()):
            paragraph.append(line.strip())
        elif paragraph:
            break
    return plain(" ".join(paragraph))


def summary(lines):
    """The first sentence of a page."""
    return re.split(r"(?<=[.!?])\s+(?=[A-Z`])", first_paragraph(lines))[0].rstrip(":")


def title(lines, path):
    found = markdown_pages.headings(lines)
    return found[0].text if found else posixpath.basename(path)


def text(site, lines_of, cpp_pages):
    """llms.txt for the pages of `site`, in the order of the navigation. Links lead to the Markdown of the pages."""
    name = re.search(r"^site_name: (.+)$", site.configuration, re.M)[1]
    description = re.search(r"^site_description: (.+)$", site.configuration, re.M)[1]
    rows = filter(None, map(LISTED.match, lines_of["docs/README.md"]))
    listed = {f"docs/{row[1]}": plain(row[2]) for row in rows}
    sections = {}
    section = ""
    for line in site.configuration[site.configuration.index("\nnav:"):].split("\n"):
        opened = SECTION.match(line)
        if opened:
            section = opened[1]
        row = re.search(r"([\w./-]+\.(?:md|ipynb))\s*$", line)
        pages = [row[1]] if row else []
        if line.rstrip().endswith(": reference/cpp/"):
            pages = [f"docs/reference/cpp/{page}" for page in cpp_pages]
        for page in pages:
            if not section:
                continue  # the home page is described by the head of the file
            place = site.places.get(page, page.removeprefix("docs/"))
            # The reference of the package is made from its docstrings: there is no Markdown of it.
            place = place.replace(".md", ".html") if place == "reference/python.md" else place
            note = listed.get(page) or summary(lines_of[page])
            sections.setdefault("Optional" if section in OPTIONAL else section, []).append(
                f"- [{title(lines_of[page], page)}]({place})" + (f": {note}" if note else ""))
    parts = [f"# {name}", f"> {description}", first_paragraph(lines_of["docs-site/home.md"])]
    for heading in [*(found for found in sections if found != "Optional"), "Optional"]:
        parts.append(f"## {heading}\n\n" + "\n".join(sections[heading]))
    return "\n\n".join(parts) + "\n"
