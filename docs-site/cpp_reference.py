"""Writes the C++ reference: a Markdown page per public header, from Doxygen's XML of it. Standard library only."""
import pathlib
import re
import xml.etree.ElementTree as ElementTree

import markdown_pages

COLUMNS_MAXIMUM = 100
OVERVIEW = "overview"
# The order in which a reader needs the headers; those that are missing here follow, by name.
FIRST_HEADERS = ("engine", "options", "read_options", "model", "result", "run_control", "memory_pages",
                 "page_collection", "index", "serve", "client", "crawl")


class Item:
    """A type, function, constant or alias of a header."""

    def __init__(self, node, kind, name, line, text):
        self.node = node
        self.kind = kind
        self.name = name
        self.line = line
        self.text = text
        self.members = []


def words_of(node):
    """The text of an XML element, with single spaces, as a compiler would print a type."""
    text = " ".join("".join(node.itertext()).split()) if node is not None else ""
    return re.sub(r"\s*([<>,])\s*", r"\1", text).replace(",", ", ").replace(" &", "&").replace(" *", "*")


def comment_of(node):
    """The comment of a declaration, as it is in the header (doxygen_comments.py passes it through)."""
    blocks = [verbatim.text.strip("\n") for part in ("briefdescription", "detaileddescription")
              for found in node.findall(part) for verbatim in found.iter("verbatim")]
    return "\n\n".join(blocks)


def is_public(node):
    return node.get("prot", "public") == "public"


class Headers:
    """All that Doxygen found, by header and in the order of the header."""

    def __init__(self, xml_folder):
        self.items = {}
        self.contracts = {}
        self.places = {}  # name of a type -> header and anchor
        index = ElementTree.parse(xml_folder / "index.xml").getroot()
        for compound in index.iter("compound"):
            if compound.get("kind") not in ("file", "namespace", "struct", "class"):
                continue
            path = xml_folder / f"{compound.get('refid')}.xml"
            node = ElementTree.parse(path).getroot().find("compounddef")
            if compound.get("kind") == "file":
                self.contracts[pathlib.PurePosixPath(node.find("location").get("file")).stem] = comment_of(node)
            elif compound.get("kind") == "namespace":
                self._add_members_of_namespace(node)
            elif is_public(node) and node.find("location") is not None:
                self._add_type(node)
        for header in self.items:
            self.items[header].sort(key=lambda item: item.line)
        order = {name: number for number, name in enumerate(FIRST_HEADERS)}
        self.names = sorted(self.contracts, key=lambda name: (order.get(name, len(order)), name))
        self._find_places()

    def _add(self, node, kind, name):
        location = node.find("location")
        header = pathlib.PurePosixPath(location.get("file")).stem
        item = Item(node, kind, name, int(location.get("line")), comment_of(node))
        self.items.setdefault(header, []).append(item)
        return item

    def _add_members_of_namespace(self, node):
        for member in node.iter("memberdef"):
            kind = member.get("kind")
            if kind in ("function", "enum", "typedef", "variable"):
                self._add(member, kind, member.findtext("name"))

    def _add_type(self, node):
        name = node.findtext("compoundname").removeprefix("paraprint::")
        item = self._add(node, node.get("kind"), name)
        item.members = sorted((member for member in node.iter("memberdef") if is_public(member)
                               and member.get("kind") in ("variable", "function", "enum", "typedef")),
                              key=lambda member: int(member.find("location").get("line")))

    def _find_places(self):
        for header, items in self.items.items():
            uses = {}
            for item in items:
                anchor = markdown_pages.slug(item.name)
                uses[anchor] = uses.get(anchor, -1) + 1
                if item.kind != "function" and not uses[anchor]:
                    self.places[item.name] = f"{header}.h.md#{anchor}"


def is_example(line):
    return line.startswith("  ") or not line.strip()


def formatted(comment):
    """A comment as Markdown: indented lines are code, everything else is text, in which only `code` has a meaning."""
    parts = []
    for paragraph in re.split(r"\n\s*\n", comment):
        lines = paragraph.split("\n")
        while lines:
            count = next((n for n, line in enumerate(lines) if is_example(line) != is_example(lines[0])), len(lines))
            block, lines = lines[:count], lines[count:]
            if is_example(block[0]):
                parts.append(("code", "\n".join(line[2:] for line in block)))
            else:
                parts.append(("text", escaped("\n".join(block))))
    joined = []
    for kind, text in parts:
        if kind == "code" and joined and joined[-1][0] == "code":
            joined[-1] = ("code", joined[-1][1] + "\n\n" + text)
        else:
            joined.append((kind, text))
    # Pictures of text are not C++.
    return "\n\n".join(text if kind == "text" else f"```{'cpp' if ';' in text else 'text'}\n{text}\n```"
                       for kind, text in joined)


def escaped(text):
    """Text of a comment in Markdown: what is not in backquotes means itself, and names of documents become links, as
    from a page in docs/reference/cpp/."""
    pieces = re.split(r"(`[^`]*`|\bdocs/[\w/-]+\.md(?:#[\w-]+)?)", text)
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            pieces[number] = re.sub(r"([\\*_\[\]#|])", r"\\\1", piece).replace("<", "&lt;").replace(">", "&gt;")
        elif piece.startswith("docs/"):
            pieces[number] = f"[{piece.partition('#')[0]}](../../{piece.removeprefix('docs/')})"
    return "".join(pieces)


def in_cell(text):
    return " ".join(escaped(text).split())


def signature(member, owner=""):
    """A function as it is declared, with a line per parameter if it is long."""
    result = words_of(member.find("type"))
    words = ["static"] if member.get("static") == "yes" else []
    words += ["virtual"] if member.get("virt") in ("virtual", "pure-virtual") else []
    words += ["explicit"] if member.get("explicit") == "yes" else []
    head = " ".join(words + ([result] if result else []) + [member.findtext("name")])
    parameters = []
    for parameter in member.findall("param"):
        name = parameter.findtext("declname") or ""
        default = words_of(parameter.find("defval"))
        typed = f"{words_of(parameter.find('type'))} {name}".strip()
        parameters.append(typed + (f" = {default}" if default else ""))
    arguments = member.findtext("argsstring") or ""
    tail = arguments[arguments.rfind(")") + 1:].strip()
    tail = f" {tail}" if tail else ""
    template = member.find("templateparamlist")
    prefix = ""
    if template is not None:
        prefix = f"template <{', '.join(words_of(kind.find('type')) for kind in template.findall('param'))}>\n"
    line = f"{head}({', '.join(parameters)}){tail};"
    if len(line) <= COLUMNS_MAXIMUM or not parameters:
        return prefix + line
    return prefix + f"{head}(\n    " + ",\n    ".join(parameters) + f"){tail};"


class Page:
    """The Markdown of one header."""

    def __init__(self, headers, name):
        self.headers = headers
        self.name = name

    def linked(self, type_text):
        """A type as code, with links around those of its parts that the reference has."""
        pieces = re.split(r"(\b[A-Z]\w+\b)", type_text)
        shown = []
        for piece in pieces:
            place = self.headers.places.get(piece)
            if place:
                shown.append(f"[`{piece}`]({place.removeprefix(self.name + '.h.md')})")
            elif piece:
                shown.append(f"`{piece}`")
        return "".join(shown).replace("``", "")

    def data_table(self, members):
        rows = ["| Member | Type | Default | Meaning |", "|---|---|---|---|"]
        for member in members:
            default = words_of(member.find("initializer")).lstrip("= ").strip()
            kind = self.linked(words_of(member.find("type")) + (member.findtext("argsstring") or ""))
            rows.append(f"| `{member.findtext('name')}` | {kind} | {f'`{default}`' if default else ''} "
                        f"| {in_cell(comment_of(member))} |")
        return "\n".join(rows)

    @staticmethod
    def enumerators(node):
        rows = ["| Value | Meaning |", "|---|---|"]
        for value in node.findall("enumvalue"):
            declared = f"{value.findtext('name')} {value.findtext('initializer') or ''}".strip()
            rows.append(f"| `{declared}` | {in_cell(comment_of(value))} |")
        return "\n".join(rows)

    def functions(self, members):
        """Declarations that follow each other without a comment share the one before them."""
        blocks = []
        for member in members:
            comment = comment_of(member)
            if blocks and not comment:
                blocks[-1][0].append(signature(member))
            else:
                blocks.append(([signature(member)], comment))
        parts = []
        for signatures, comment in blocks:
            parts.append("```cpp\n" + "\n".join(signatures) + "\n```")
            parts += [formatted(comment)] if comment else []
        return "\n\n".join(parts)

    def of_type(self, item):
        data = [member for member in item.members if member.get("kind") == "variable"]
        calls = [member for member in item.members if member.get("kind") == "function"]
        parts = [formatted(item.text)] if item.text else []
        parts += [self.data_table(data)] if data else []
        for nested in (member for member in item.members if member.get("kind") == "enum"):
            parts += [f"`enum {nested.findtext('name')}`: {in_cell(comment_of(nested))}", self.enumerators(nested)]
        parts += [self.functions(calls)] if calls else []
        return "\n\n".join(parts)

    def of_item(self, item):
        if item.kind in ("struct", "class"):
            return f"## {item.name}\n\n`{item.kind} {item.name}`\n\n{self.of_type(item)}"
        if item.kind == "enum":
            text = f"{formatted(item.text)}\n\n" if item.text else ""
            return f"## {item.name}\n\n`enum {item.name}`\n\n{text}{self.enumerators(item.node)}"
        if item.kind == "typedef":
            is_template = item.node.find("templateparamlist") is not None
            alias = ("template <class Value>\n" if is_template else "") \
                + f"using {item.name} = {words_of(item.node.find('type'))};"
            return f"## {item.name}\n\n```cpp\n{alias}\n```\n\n{formatted(item.text)}"
        definition = f"{words_of(item.node.find('type'))} {item.name} {words_of(item.node.find('initializer'))};"
        return f"## {item.name}\n\n```cpp\n{definition}\n```\n\n{formatted(item.text)}"

    def markdown(self):
        parts = [f"# {self.name}.h", f"```cpp\n#include <paraprint/{self.name}.h>\n```",
                 formatted(self.headers.contracts[self.name])]
        items = self.headers.items.get(self.name, [])
        while items:
            if items[0].kind != "function":
                parts.append(self.of_item(items[0]))
                items = items[1:]
                continue
            # Overloads, and calls without a comment of their own, belong together.
            count = next((n for n, item in enumerate(items) if n and (
                item.kind != "function" or item.text and item.name != items[0].name)), len(items))
            parts.append(f"## {items[0].name}()\n\n{self.functions([item.node for item in items[:count]])}")
            items = items[count:]
        return "\n\n".join(part for part in parts if part.strip()) + "\n"


def first_sentence(comment):
    text = " ".join(re.split(r"\n\s*\n", comment)[0].split())
    return re.split(r"(?<=\.)\s", text)[0]


def pages(xml_folder):
    """File name and Markdown of each page, the overview first."""
    headers = Headers(pathlib.Path(xml_folder))
    rows = "\n".join(f"| [{name}.h]({name}.h.md) | {in_cell(first_sentence(headers.contracts[name]))} |"
                     for name in headers.names)
    yield f"{OVERVIEW}.md", (
        "# C++ interface\n\nThe public headers, below `include/paraprint/`. Functions report errors through "
        "[`Result`](result.h.md#result); start reading at [engine.h](engine.h.md).\n\n"
        f"| Header | Contents |\n|---|---|\n{rows}\n")
    for name in headers.names:
        yield f"{name}.h.md", Page(headers, name).markdown()
