#!/usr/bin/env python3
"""Prepares the pages of the site from the Markdown of the repository.

usage: stage.py SOURCE_ROOT PYTHON_FOLDER XML_FOLDER BUILD_FOLDER

PYTHON_FOLDER has the built package, XML_FOLDER what Doxygen wrote about the headers.

Writes BUILD_FOLDER/source, the pages in the form that mkdocs takes; BUILD_FOLDER/mkdocs.yml, its configuration; and
BUILD_FOLDER/plain, the same pages as Markdown for programs, with llms.txt. The repository's pages stay as repository
viewers show them. What differs on the site is changed here:

- Places. `docs/` is the root, docs/index.md is not the home page, and pages from elsewhere are below project/. Links
  follow; a link to a file that is not on the site becomes plain text, one to a public header leads to its reference.
- Dialect. Anchors are those of repository viewers, and lists, tables and Python sessions get the blank lines, indents
  and fences without which Python-Markdown does not see them.
- Pictures. Diagrams are put into the page, so that their colours follow the reader's choice of light or dark.
"""
import pathlib
import posixpath
import re
import shutil
import sys
import urllib.parse

import cpp_reference
import llms
import markdown_pages
import notebooks

HOME = "docs-site/home.md"
# Pages whose place on the site does not follow from their path.
PLACES = {HOME: "index", "docs/README.md": "contents", "docs/index.md": "index-of-known-pages",
          "docs-site/python_reference.md": "reference/python", "docs-site/README.md": "project/site"}
CPP_FOLDER = "reference/cpp/"
ROW = re.compile(r"^(?P<indent>\s+)- (?:(?P<title>'[^']*'|\"[^\"]*\"|[^:'\"]+): )?(?P<path>[\w./-]+(?:\.md|\.ipynb|/))"
                 r"\s*$")
SESSION = re.compile(r"^>>> ")
LIST_ITEM = re.compile(r"^(\s*)(?:[-*+]|(\d+)\.)\s+\S")
COMMENT = re.compile(r"^\s*<!--.*-->\s*$")
DIAGRAM = re.compile(r"^!\[([^\]]*)\]\(([^)\s]+\.svg)\)$")


def stem_of_place(path):
    if path in PLACES:
        return PLACES[path]
    stem = path.rsplit(".", 1)[0]
    if path.endswith(".ipynb"):
        return f"notebooks/{posixpath.basename(stem)}"
    if path.startswith("docs/"):
        # A page named "index" would be that of its folder.
        return re.sub(r"(^|/)index$", r"\1the-index", stem.removeprefix("docs/"))
    folder, name = posixpath.split(stem)
    return "project/" + (folder.replace("/", "-") if folder and name == "README" else name.lower().replace("_", "-"))


def place_of(path):
    """Where a page of the repository is on the site."""
    return stem_of_place(path) + ".md"


class Site:
    """The pages of the navigation and where they are."""

    def __init__(self, root):
        self.root = root
        self.configuration = (root / "docs-site" / "mkdocs.yml").read_text(encoding="utf-8")
        rows = [ROW.match(line) for line in self.configuration.split("\n")]
        self.pages = [row["path"] for row in rows if row and not row["path"].endswith("/")]
        self.places = {path: place_of(path) for path in self.pages}

    def configured(self, cpp_pages):
        """The configuration for mkdocs, with the places of pages, and the headers listed."""
        lines = []
        for line in self.configuration.split("\n"):
            row = ROW.match(line)
            if not row:
                lines.append(line)
                continue
            name = f"{row['title']}: " if row["title"] else ""
            if row["path"] != CPP_FOLDER:
                lines.append(f"{row['indent']}- {name}{self.places[row['path']]}")
                continue
            lines.append(f"{row['indent']}- {name.strip()}")
            for page in cpp_pages:
                stem = page.removesuffix(".md")
                title = "Overview" if stem == cpp_reference.OVERVIEW else stem
                lines.append(f"{row['indent']}    - {title}: {CPP_FOLDER}{page}")
        return "\n".join(lines)

    def target_of(self, target, page, place):
        """A link's target as seen from `place`, or None if that file is not on the site."""
        if markdown_pages.is_external(target) or target.startswith("#"):
            return target
        name, mark, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), urllib.parse.unquote(name)))
        found = self.places.get(path)
        if not found and path.startswith("include/paraprint/") and path.endswith(".h"):
            found = f"{CPP_FOLDER}{posixpath.basename(path)}.md"
        if not found and path in ("include/paraprint", "include"):
            found = f"{CPP_FOLDER}{cpp_reference.OVERVIEW}.md"
        if not found and path.startswith("docs/images/"):
            found = path.removeprefix("docs/")
        if not found:
            # A folder is its README, or else its first page.
            inside = [other for other in self.pages if other.startswith(f"{path}/")]
            readme = f"{path}/README.md"
            found = self.places[readme if readme in inside else inside[0]] if inside else None
        if not found:
            return None
        return posixpath.relpath(found, posixpath.dirname(place) or ".") + mark + anchor

    def relinked(self, lines, page, place):
        """The lines with the targets of all links outside of code adapted."""
        shown = "\n".join(lines)
        blank = markdown_pages.without_code(lines)
        changes = []

        def collect(start, text):
            for link in markdown_pages.LINK.finditer(text):
                if markdown_pages.LINK.search(link[2]):
                    collect(start + link.start(2), link[2])
                target = self.target_of(link[3], page, place)
                label = shown[start + link.start(2):start + link.end(2)]
                if target is None:
                    changes.append((start + link.start(), start + link.end(), label))
                elif target != link[3]:
                    changes.append((start + link.start(3), start + link.end(3), target))
        collect(0, blank)
        for found in markdown_pages.HTML_TARGET.finditer(blank):
            target = self.target_of(found[1], page, place)
            if target and target != found[1]:
                changes.append((found.start(1), found.end(1), target))
        for start, end, text in sorted(changes, reverse=True):
            shown = shown[:start] + text + shown[end:]
        return shown.split("\n")


def with_sessions_fenced(lines):
    """Python sessions, which repository pages may have as they are, as blocks of code."""
    result = []
    is_session = False
    fenced = None
    for line in lines:
        fence = markdown_pages.FENCE.match(line)
        if fence and not is_session:
            fenced = None if fenced and fence[1].startswith(fenced) else fenced or fence[1]
        if not fenced and not is_session and SESSION.match(line):
            result.append("```pycon")
            is_session = True
        elif is_session and not line.strip():
            result.append("```")
            is_session = False
        result.append(line)
    return result + ["```"] if is_session else result


class Lists:
    """Follows the lists of a page, line by line."""

    def __init__(self):
        self.is_open = False
        self.indents = set()  # of the numbered items
        self.has_parts = False  # the last item has more than one paragraph, table or block of code

    def begins_item(self, line, before):
        """Whether a line begins an item. A number at the beginning of a line of text does not."""
        item = LIST_ITEM.match(line)
        if not item or not self.is_open and line.startswith("    "):
            return False
        is_within_text = before.strip() and not (self.is_open and len(item[1]) in self.indents)
        return not (is_within_text and item[2] not in (None, "1"))

    def follow(self, line, before, is_item):
        if is_item:
            item = LIST_ITEM.match(line)
            self.indents = self.indents if self.is_open else set()
            self.indents |= {len(item[1])} if item[2] else set()
            self.is_open = True
            self.has_parts = False
        elif self.is_open and line.strip() and not before.strip():
            self.is_open = line.startswith(" ")
            self.has_parts = self.is_open


def in_dialect(lines):
    """Markdown that Python-Markdown reads as repository viewers read `lines`."""
    result = []
    headings = {heading.line: heading for heading in markdown_pages.headings(lines)}
    is_code = markdown_pages.code_lines(lines)
    lists = Lists()
    for number, line in enumerate(lines):
        before = result[-1] if result else ""
        if COMMENT.match(line) and not is_code[number]:
            continue
        if number in headings:
            result += [""] if before.strip() else []
            result += [f"{line.rstrip().rstrip('#').rstrip()} {{#{headings[number].anchor}}}", ""]
            lists = Lists()
            continue
        is_item = not is_code[number] and lists.begins_item(line, before)
        if is_item:
            needs_blank = not lists.is_open or lists.has_parts
        elif is_code[number]:
            needs_blank = not lists.is_open and (not number or not is_code[number - 1])
        else:
            needs_blank = line.startswith("|") and not before.startswith("|")
            if LIST_ITEM.match(line) and not line.startswith("    "):
                line = line.replace(".", "\\.", 1)
        result += [""] if needs_blank and before.strip() else []
        if not is_code[number]:
            lists.follow(line, before, is_item)
        # Parts of an item are indented by four.
        indent = len(line) - len(line.lstrip())
        result.append(" " * (-indent % 4) + line if lists.is_open and indent else line)
    return result


def svg_inline(text, alternative):
    """A diagram without its own colours, which docs-site/assets/site.css gives."""
    text = re.sub(r"<\?xml[^>]*\?>|<!--.*?-->|<style>.*?</style>", "", text, flags=re.S)
    text = re.sub(r"<title>.*?</title>", "", text, flags=re.S)
    text = re.sub(r"<svg ", f'<svg role="img" aria-label="{alternative}" ', text, count=1)
    # A blank line would end the block of HTML.
    text = "\n".join(line.strip() for line in text.split("\n") if line.strip())
    return f'<figure class="diagram">\n{text}\n</figure>'


def with_diagrams(lines, folder):
    """The lines with each diagram in the text. A page with diagrams has their width: the list of its headings goes."""
    result = []
    for line, is_code in zip(lines, markdown_pages.code_lines(lines)):
        found = None if is_code else DIAGRAM.match(line)
        if not found:
            result.append(line)
            continue
        picture = pathlib.Path(posixpath.normpath((folder / found[2]).as_posix()))
        alternative = found[1].replace("&", "&amp;").replace('"', "&quot;")
        result += ["", *svg_inline(picture.read_text(encoding="utf-8"), alternative).split("\n"), ""]
    return ["---", "hide:", "  - toc", "---", "", *result] if len(result) > len(lines) else result


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def check_python_reference(root):
    """Every public name of the package is in its reference."""
    package = (root / "python" / "src" / "paraprint" / "__init__.py").read_text(encoding="utf-8")
    names = re.findall(r'^    "(\w+)",$', package[package.index("__all__"):], re.M)
    page = (root / "docs-site" / "python_reference.md").read_text(encoding="utf-8")
    listed = re.findall(r"^::: paraprint\.([\w.]+)$", page, re.M)
    missing = [name for name in names if name not in listed and name != "version"]
    if missing:
        sys.exit(f"docs-site/python_reference.md: the package also has {', '.join(missing)}")


def main():
    root, python_folder, xml_folder, build = (pathlib.Path(path).resolve() for path in sys.argv[1:5])
    site = Site(root)
    check_python_reference(root)
    source, plain = build / "source", build / "plain"
    for folder in (source, plain):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(root / "docs" / "images", source / "images")
    shutil.copytree(root / "docs-site" / "assets", source / "assets")
    shutil.copytree(root / "docs" / "images", plain / "images")

    texts = {}
    for page in site.pages:
        place = site.places[page]
        path = root / page
        if page.endswith(".ipynb"):
            text = notebooks.markdown(path, source / pathlib.PurePosixPath(place).parent)
        else:
            text = path.read_text(encoding="utf-8")
        texts[page] = (place, text.split("\n"))
    cpp_pages = []
    for name, text in cpp_reference.pages(xml_folder):
        cpp_pages.append(name)
        texts[f"docs/{CPP_FOLDER}{name}"] = (f"{CPP_FOLDER}{name}", text.split("\n"))
    for page, (place, lines) in texts.items():
        lines = site.relinked(with_sessions_fenced(lines), page, place)
        write(plain / place, "\n".join(lines))
        lines = with_diagrams(lines, (source / place).parent)
        write(source / place, "\n".join(in_dialect(lines)))
    configuration = site.configured(cpp_pages)
    configuration = configuration.replace("PYTHON_PACKAGE", str(python_folder))
    configuration += f"\ndocs_dir: {source}\nsite_dir: {build / 'site'}\n"
    write(build / "mkdocs.yml", configuration)
    write(plain / "llms.txt", llms.text(site, {page: lines for page, (_, lines) in texts.items()}, cpp_pages))


if __name__ == "__main__":
    main()
