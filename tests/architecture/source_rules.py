#!/usr/bin/env python3
"""Checks the rules of ARCHITECTURE.md and CONTRIBUTING.md that can be checked automatically. Standard library only.

usage: source_rules.py SOURCE_ROOT
Prints one line per finding, `file:line: message`, and fails if there is any. Each rule is a function below; the tables
above them are the rules' data.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys

from findings import report

# Room below src/ -> rooms whose headers it may include, in addition to its own and the public headers. Arrows point one
# way; a stage never includes another stage, and the core never includes lab/ or semantics/.
FOUNDATION = ("base", "memory", "text", "html", "http")
STAGES = ("archive", "extract", "segment", "feature", "fingerprint", "index", "verify", "cluster", "report", "store")
PROFILE = (*FOUNDATION, *STAGES, "corpus", "profile", "options")
RUN = (*PROFILE, "engine", "trim", "provenance")
LAB = ("lab", "lab/sketches", "lab/signatures", "lab/joins", "lab/evaluate", "lab/extraction",
       "lab/judge", "lab/simulate", "lab/simulate/language")
SEMANTICS = ("semantics", "semantics/models", "semantics/vectors", "semantics/topics", "semantics/alignment")
MAY_INCLUDE = {
    "base": (),
    "memory": ("base",),
    "text": ("base", "memory"),
    "html": ("base", "memory", "text"),
    "http": ("base", "memory"),
    "zip": ("base",),
    **{stage: FOUNDATION for stage in STAGES},
    "archive": (*FOUNDATION, "zip"),
    # Who copied from whom, as a part of a cluster's page.
    "report": (*FOUNDATION, "report/copies"),
    "report/copies": (*FOUNDATION, "report"),
    # Indexes of what the readers of archives find.
    "cdx": (*FOUNDATION, "archive"),
    "payloads": (*FOUNDATION, "archive", "cdx", "zip"),
    "options": ("base",),
    # What corpora keep of a page besides its text.
    "corpus": (*FOUNDATION, "web"),
    "profile": PROFILE,
    # What pages repeat, found in their profiles.
    "trim": (*FOUNDATION, "index"),
    # Where the texts of clusters come from.
    "provenance": (*FOUNDATION, "corpus", "feature", "report", "verify", "web"),
    # Benchmarks and the documents that hold their items.
    "contamination": PROFILE,
    "engine": (*PROFILE, "payloads", "cdx", "trim", "provenance"),
    # On profiles, without the run.
    "online": (*PROFILE, "provenance", "web"),
    # Archives packed with their index and their pages.
    "wacz": (*PROFILE, "cdx", "zip"),
    "api": (*RUN, "contamination", "online", "payloads", "cdx", "provenance", "wacz"),
    "distribute": (*RUN, "payloads", "distribute/inputs", "distribute/known", "distribute/sets", "distribute/tables"),
    # What tasks read.
    "distribute/inputs": RUN,
    # The tables of a divided run, as parts that tasks write.
    "distribute/tables": (*RUN, "payloads", "distribute"),
    # The overlap join of sets, for page-level algorithms.
    "distribute/sets": (*RUN, "payloads", "distribute"),
    # Pages of earlier runs, which pages of a divided run are compared with as with those of an index.
    "distribute/known": (*RUN, "distribute", "distribute/tables", "online", "payloads"),
    # What a run will take, from a run over a sample.
    "plan": (*RUN, "payloads"),
    # One site of a crawl: its texts and what it says of them.
    "audit": (*RUN, "api", "web"),
    "web": FOUNDATION,
    # On the public interface; of the stages it uses those that read and write files.
    "crawl": (*FOUNDATION, "options", "archive", "cdx", "report", "web"),
    # The verdicts of the service as a stream of events.
    "feed": (*FOUNDATION, "options", "report", "profile", "online", "web"),
    "serve": (*FOUNDATION, "options", "archive", "report", "profile", "online", "feed"),
    # The explorer of a run, on the transport of the service.
    "view": (*RUN, "serve", "view/copies"),
    # What it shows of provenance.jsonl.
    "view/copies": RUN,
    # The same page over an index.
    "view/known": (*PROFILE, "online", "serve", "view"),
    "client": ("base",),
    "lab/sketches": (*FOUNDATION, "fingerprint", "lab"),
    "lab/signatures": (*FOUNDATION, "fingerprint", "lab", "lab/joins", "lab/sketches"),
    "lab/joins": (*FOUNDATION, "index", "profile"),
    "lab/evaluate": (*RUN, "api", "lab/signatures"),
    "lab/extraction": (*RUN, "lab/evaluate"),
    "lab/judge": (*RUN, "view", "lab/evaluate"),
    "lab/simulate/language": FOUNDATION,
    "lab/simulate": (*FOUNDATION, "options", "archive", "report", "profile", "api", "lab/simulate/language"),
    "lab": (*RUN, *LAB),
    "semantics/models": FOUNDATION,
    "semantics/vectors": (*PROFILE, "api", "semantics/models"),
    "semantics/topics": (*PROFILE, "api", "semantics/models"),
    "semantics/alignment": RUN,
    "semantics": (*RUN, *SEMANTICS),
}
PUBLIC = "paraprint"
# Programs use the library only through its public headers and the option tables.
PROGRAM_FOLDERS = ("apps", "examples", "python")
OPTION_TABLES = ("options/option_table.h", "options/command_tables.h")

LINES_MAXIMUM = 500
# path -> (lines, reason). A ratchet: entries may shrink or go; a new one needs a reason that convinces a reviewer.
LONGER_FILES = {}
COLUMNS_MAXIMUM = 120

CODE_SUFFIXES = (".cc", ".h", ".py", ".pyi", ".sh", ".cmake")
CODE_NAMES = ("CMakeLists.txt", "Makefile", "run")
TEXT_SUFFIXES = CODE_SUFFIXES + (".md", ".json", ".txt", ".toml", ".yml")
# Inputs and expected outputs are exempt.
DATA_FOLDERS = re.compile(r"(^|/)(data|corpus|golden)/|^examples/.*/articles/")

# (where, pattern, why not)
BANNED = (
    (re.compile(r"^(src|include|apps|tests|fuzz|bench|python)/.*\.(cc|h)$"), re.compile(r"\b(TODO|FIXME|XXX)\b"),
     "open tasks belong in an issue"),
    (re.compile(r"\.h$"), re.compile(r"^\s*using namespace\b"), "a header must not open a namespace for its readers"),
    (re.compile(r"^src/.*\.(cc|h)$"), re.compile(r"\bstd::(cout|cerr)\b|(?<![\w:])(printf|puts)\("),
     "the library does not print; it returns values"),
    (re.compile(r"^(src|include)/.*\.(cc|h)$"), re.compile(r"(?<![\w:])(s?rand|atoi|strtok|sprintf)\("),
     "unseeded, unchecked or not reentrant"),
    (re.compile(r"^apps/(?!paraprint/option_declarations\.h$).*\.(cc|h)$"),
     re.compile(r"(?:\.|->)add_(?:option|flag)\w*[(<]"),
     "an option is a row of a table, which declare_options() declares"),
    (re.compile(r""), re.compile(r"/wor[k]/|/home/[a-z]+/|\b[\w.-]*\bdebian\.or[g]\b"),
     "a path or a mirror of one machine"),
)

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
DOCUMENT = re.compile(r"\b(docs/[\w/.-]+\.md)\b")
BARE_DOCUMENT = re.compile(r"(?<![\w/.*{}-])([\w-]+\.md)\b")
# "index/key_join.h" or "src/index/key_join.h" in a comment or document, but not "../index.h" or "tests/index/..."
SOURCE_PATH = re.compile(r"(?<![\w/.<{*-])(?:src/)?((?:[\w-]+/)+[\w-]+\.(?:cc|h))\b")
REGISTRIES = ("src/profile/registry.cc", "src/lab/algorithms.cc")
REGISTRY_ROW = re.compile(r'\b(?:AlgorithmRow\{|AlgorithmRow k\w+ = \{)\s*"([a-z0-9-]+)",\s*"[^"]*",\s*"([a-z-]+\.md)"')


def tracked_files(root):
    """Paths below `root` as listed by git, new files included, or all files outside a git repository."""
    try:
        listed = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"], check=True,
                                capture_output=True, text=True).stdout.split("\n")
        return sorted(path for path in listed if path and (root / path).is_file())
    except (OSError, subprocess.CalledProcessError):
        found = (os.path.relpath(os.path.join(folder, name), root)
                 for folder, _, names in os.walk(root) for name in names)
        return sorted(path for path in found if not path.startswith(("build", ".git" + os.sep)))


class Tree:
    """The text files of a source tree, read once."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.paths = tracked_files(self.root)
        self.lines = {}
        for path in self.paths:
            is_text = path.endswith(TEXT_SUFFIXES) or os.path.basename(path) in CODE_NAMES
            if is_text and not DATA_FOLDERS.search(path):
                self.lines[path] = (self.root / path).read_text(encoding="utf-8").split("\n")

    def code(self):
        return ((path, lines) for path, lines in self.lines.items()
                if path.endswith(CODE_SUFFIXES) or os.path.basename(path) in CODE_NAMES)

    def cxx(self, *folders):
        return ((path, lines) for path, lines in self.lines.items()
                if path.endswith((".cc", ".h")) and path.split("/")[0] in folders)


def room_of(path):
    """The room of a file below src/, or of a header as it is included: its longest folder that has a row."""
    folder = os.path.dirname(path)
    while folder and folder not in MAY_INCLUDE:
        folder = os.path.dirname(folder)
    return folder


def check_include_direction(tree):
    for path, lines in tree.cxx("src", "include", *PROGRAM_FOLDERS):
        is_source = path.startswith("src/")
        room = room_of(path[len("src/"):]) if is_source else ""
        if is_source and not room:
            yield path, 1, f"{os.path.dirname(path)} has no row in MAY_INCLUDE"
            continue
        for number, line in enumerate(lines, 1):
            included = INCLUDE.match(line)
            if not included or included[1].startswith(PUBLIC + "/"):
                continue
            if not path.startswith(("src/", "include/")) and included[1] in OPTION_TABLES:
                continue
            if "/" not in included[1]:
                # A bare name is found next to the file, where no rule could see which room it belongs to. The names
                # that a build file adds from elsewhere are internals, too.
                if path.startswith(("src/", "include/")):
                    yield path, number, f"write the room of {included[1]}"
                elif f"{os.path.dirname(path)}/{included[1]}" not in tree.lines:
                    yield path, number, f"{included[1]} is not in this folder"
                continue
            target = room_of(included[1])
            if is_source:
                if target != room and target not in MAY_INCLUDE[room]:
                    yield path, number, f"{room} may not include {target or included[1]}"
            elif target:
                yield path, number, f"{path.split('/')[0]} may include public headers only, not {target}"


ROOM_FILES_MAXIMUM = 44


def check_room_size(tree):
    """A room that has outgrown what a reader can keep in mind should become two."""
    counts = collections.Counter(os.path.dirname(path) for path in tree.paths
                                 if path.startswith("src/") and not path.endswith(".txt") or
                                 path.startswith("src/") and path.endswith("CMakeLists.txt"))
    for folder, count in sorted(counts.items()):
        if count > ROOM_FILES_MAXIMUM:
            yield folder, 1, f"{count} files, more than {ROOM_FILES_MAXIMUM}: divide the room"


def check_file_length(tree):
    for path, lines in tree.code():
        maximum, _ = LONGER_FILES.get(path, (LINES_MAXIMUM, ""))
        if len(lines) - 1 > maximum:
            yield path, maximum + 1, f"{len(lines) - 1} lines, more than {maximum}: one idea per file"
    for path in LONGER_FILES:
        if path in tree.lines and len(tree.lines[path]) - 1 <= LINES_MAXIMUM:
            yield path, 1, "no longer too long: remove it from LONGER_FILES"


def check_layout(tree):
    for path, lines in tree.code():
        for number, line in enumerate(lines, 1):
            if len(line) > COLUMNS_MAXIMUM:
                yield path, number, f"{len(line)} columns, more than {COLUMNS_MAXIMUM}"
    for path, lines in tree.lines.items():
        for number, line in enumerate(lines, 1):
            if "\t" in line and os.path.basename(path) != "Makefile":
                yield path, number, "a tab"
            if line != line.rstrip():
                yield path, number, "trailing whitespace"
        if lines[-1]:
            yield path, len(lines), "no newline at end of file"


def check_banned(tree):
    for path, lines in tree.lines.items():
        rules = [(pattern, why) for where, pattern, why in BANNED if where.search(path)]
        for number, line in enumerate(lines, 1):
            for pattern, why in rules:
                found = pattern.search(line)
                if found:
                    yield path, number, f"'{found[0]}': {why}"


def check_headers(tree):
    for path, lines in tree.cxx("src", "include"):
        if path.endswith(".h"):
            if not lines[0].startswith("//"):
                yield path, 1, "a header must open with its contract"
            if "#pragma once" not in lines:
                yield path, 1, "no #pragma once"


# The definition of a class, structure, union or enumeration. Forward declarations, specialisations and definitions of
# a type that is declared elsewhere (`struct Outer::Inner {`) are not meant; nor are member aliases, which only
# abbreviate.
TYPE = re.compile(r"^(\s*)(?:class|struct|union|enum(?: class| struct)?) "
                  r"(?:alignas\([^)]*\) |\[\[[^\]]*\]\] )*(\w+)(?!\w|::| ?<)(?![^{]*;)")
ALIAS = re.compile(r"^()using (\w+) =")


def types_of(lines):
    """Line number and name of each type that the lines declare, and whether it is declared in a namespace."""
    for number, line in enumerate(lines, 1):
        found = TYPE.match(line) or ALIAS.match(line)
        if found:
            yield number, found[2], not found[1]


def check_type_names(tree):
    """A name in headers means one type, whatever its namespace or class, and no source declares it anew."""
    first = {}
    of_namespaces = {}
    for path, lines in tree.cxx("src", "include"):
        if not path.endswith(".h"):
            continue
        for number, name, in_namespace in types_of(lines):
            if name in first:
                yield path, number, f"{name} is a type of {first[name]}, too: name each after what it is"
            first.setdefault(name, path)
            if in_namespace:
                of_namespaces.setdefault(name, path)
    for path, lines in tree.cxx("src"):
        if not path.endswith(".cc"):
            continue
        for number, name, in_namespace in types_of(lines):
            if in_namespace and name in of_namespaces:
                yield path, number, f"{name} is a type of {of_namespaces[name]}, too: name each after what it is"


def check_file_names(tree):
    """Whoever reads or searches for a file's name alone finds one file."""
    first = {}
    for path in tree.paths:
        name = os.path.basename(path)
        if not path.startswith("src/") or name == "CMakeLists.txt":
            continue
        if name in first:
            yield path, 1, f"{first[name]} has the same name: name each after what it is"
        first.setdefault(name, path)


def check_everything_is_built(tree):
    """Each .cc is listed in a CMakeLists.txt of its folder or of a parent folder."""
    for path, _ in tree.cxx("src", "apps", "tests", "fuzz", "bench", "examples", "python"):
        if not path.endswith(".cc"):
            continue
        folder, name = os.path.split(path)
        while folder:
            listing = "\n".join(tree.lines.get(f"{folder}/CMakeLists.txt", ()))
            relative = os.path.relpath(path, folder)
            if re.search(rf"(?<![\w/]){re.escape(relative)}\b", listing):
                break
            if folder == "fuzz" and re.search(rf"paraprint_fuzzer\({re.escape(name[:-3])}\b", listing):
                break
            folder = os.path.dirname(folder)
        else:
            yield path, 1, "not listed in any CMakeLists.txt, so never compiled"


def check_documents_exist(tree):
    """Every docs/... that a text names exists, and some document has each name without a folder; every registered
    algorithm has a heading in docs/algorithms/."""
    paths = set(tree.paths)
    documents = {os.path.basename(path) for path in paths}
    for path, lines in tree.lines.items():
        for number, line in enumerate(lines, 1):
            for name in DOCUMENT.findall(line):
                if name not in paths and not path.startswith("tests/architecture/"):
                    yield path, number, f"{name} does not exist"
            for name in BARE_DOCUMENT.findall(line):
                if name not in documents and not path.startswith("tests/architecture/"):
                    yield path, number, f"{name} does not exist"
    for registry in REGISTRIES:
        for name, page in REGISTRY_ROW.findall("\n".join(tree.lines.get(registry, ()))):
            if f"## {name}" not in tree.lines.get(f"docs/algorithms/{page}", ()):
                yield registry, 1, f"docs/algorithms/{page} has no heading '## {name}'"


def check_named_sources_exist(tree):
    """Every source of a room that a text names by its path exists, so that moved files take their mentions along."""
    paths = set(tree.paths)
    rooms = {room.split("/")[0] for room in MAY_INCLUDE}
    for path, lines in tree.lines.items():
        if path.startswith("tests/architecture/") or path == "CHANGELOG.md":
            continue
        for number, line in enumerate(lines, 1):
            if INCLUDE.match(line):
                continue  # the compiler checks those
            for name in SOURCE_PATH.findall(line):
                if name.split("/")[0] in rooms and f"src/{name}" not in paths and f"tests/{name}" not in paths:
                    if f"{os.path.dirname(path)}/{name}" not in paths:
                        yield path, number, f"{name} does not exist"


# Rooms whose names are functions or options of the public interface.
ROOM_NAMES = {"crawl": "crawler", "serve": "service", "evaluate": "evaluation", "feed": "event_feed",
              "view": "explorer"}
NAMESPACE = re.compile(r"^namespace (paraprint\b[\w: ]*?) \{$")
DECLARATION = re.compile(r"(?:class|struct|enum(?: class)?) \w+(?: : [\w:]+)?;|template <[\w, ]+>|"
                         r"(?:class|struct) \w+::\w+")


def namespace_of(room):
    return "paraprint::" + "::".join("inline " + ROOM_NAMES.get(part, part) for part in room.split("/"))


def check_namespaces(tree):
    """What a room declares is in the namespace of the room, so that no two rooms share a symbol. Beside it, a header
    may only declare types that are defined elsewhere, and define the hidden half of a public class. A source may
    define in `paraprint` what public headers declare, which the linker checks."""
    for path, lines in tree.cxx("src"):
        room = room_of(path[len("src/"):])
        # The compiler of tables is a program of its own.
        if not room or path.startswith("src/text/compiler/"):
            continue
        own = namespace_of(room)
        block = None
        for number, line in enumerate(lines, 1):
            opened = NAMESPACE.match(line)
            if opened:
                block = opened[1]
                # A room may instead have a namespace that is not inline, whose names are then qualified.
                qualified = "paraprint::" + room.replace("/", "::")
                is_own = block in (own, qualified) or block.startswith(own + "::")
                if is_own or block == "paraprint" and path.endswith(".cc"):
                    block = None
            elif line.startswith("}  // namespace paraprint"):
                block = None
            elif block and line and line[0] not in " }" and not line.startswith(("//", "#")):
                if not DECLARATION.match(line):
                    yield path, number, f"in {block}, but what {room} declares is in {own}"


# Options that are called like a keyword of C++, which no member can be.
MEMBERS_OF_KEYWORDS = {"operator": "archive_operator"}


def check_option_names(tree):
    """An option's member has the name of its row, so that one word finds it in the code, on the command line and in
    files."""
    for path, lines in tree.cxx("src", "apps"):
        if not path.startswith(("src/options/", "apps/")):
            continue
        name = None
        for number, line in enumerate(lines, 1):
            row = re.search(r'\.name = "(\w+)"', line)
            name = row[1] if row else name
            member = re.search(r"\.field = (?:choice<)?&\w+::(\w+)", line)
            if member and member[1] != MEMBERS_OF_KEYWORDS.get(name, name):
                yield path, number, f"the member of option {name} is named {member[1]}"


RULES = (check_include_direction, check_room_size, check_file_length, check_layout, check_banned, check_headers,
         check_type_names, check_file_names, check_everything_is_built, check_documents_exist,
         check_named_sources_exist, check_namespaces, check_option_names)


def findings(root):
    tree = Tree(root)
    return [f"{path}:{line}: {what}" for rule in RULES for path, line, what in rule(tree)]


def main():
    report(findings(pathlib.Path(sys.argv[1])), "source_rules.py: every rule holds")


if __name__ == "__main__":
    main()
