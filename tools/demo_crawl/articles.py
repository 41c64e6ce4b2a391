"""Read the articles of examples/demo-crawl/articles: header lines, `---`, then blocks separated by empty lines.

A block is a heading ("## "), a list ("- " lines), a quote ("> "), a table ("| a | b |" lines), code between ``` lines,
or a paragraph. Nothing nests.
"""
import dataclasses
import pathlib


@dataclasses.dataclass(frozen=True)
class Block:
    role: str  # heading, list, quote, table, code, paragraph
    lines: tuple  # items, rows (cells joined by " | ") or code lines; one line for the other roles

    @property
    def text(self):
        return "\n".join(self.lines)


@dataclasses.dataclass(frozen=True)
class Article:
    name: str
    title: str
    author: str
    date: str
    language: str
    section: str
    blocks: tuple

    def with_blocks(self, blocks, **changes):
        return dataclasses.replace(self, blocks=tuple(blocks), **changes)

    @property
    def is_chinese(self):
        return self.language.startswith("zh")


def parse_blocks(text):
    lines = text.split("\n")
    position = 0
    while position < len(lines):
        line = lines[position]
        if line == "```":
            end = lines.index("```", position + 1)
            yield Block("code", tuple(lines[position + 1:end]))
            position = end + 1
            continue
        role, prefix = next(((role, prefix) for role, prefix in
                             (("heading", "## "), ("list", "- "), ("quote", "> "), ("table", "| "))
                             if line.startswith(prefix)), ("paragraph", ""))
        if not line:
            position += 1
            continue
        end = position + 1
        while role in ("list", "table") and end < len(lines) and lines[end].startswith(prefix):
            end += 1
        yield Block(role, tuple(entry[len(prefix):].removesuffix(" |") for entry in lines[position:end]))
        position = end


def read_article(path):
    header, body = path.read_text(encoding="utf-8").split("\n---\n", 1)
    fields = dict(line.split(": ", 1) for line in header.split("\n"))
    return Article(name=path.stem, blocks=tuple(parse_blocks(body)), **fields)


def read_articles(folder):
    return {path.stem: read_article(path) for path in sorted(pathlib.Path(folder).glob("*.txt"))}
