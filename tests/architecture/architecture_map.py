#!/usr/bin/env python3
"""Compares the map in ARCHITECTURE.md with the tree. Standard library only.

usage: architecture_map.py SOURCE_ROOT
Prints one line per finding and fails if there is any.

How the map is read: a bold link to a room, **[`src/base/`](src/base)**, opens the entry of that room, which ends at
the next such link or heading. In an entry, a word in backquotes names sources of the room: `page_log` is page_log.h
and page_log.cc, `crawl_run*` a group, `tables/` a folder. Links and words with other characters (calls, types,
commands) are not names of sources. Rooms are the rows of MAY_INCLUDE.
"""
import fnmatch
import os
import pathlib
import re
import sys

import source_rules
from findings import report

MAP = "ARCHITECTURE.md"
SOURCE_SUFFIXES = (".cc", ".h", ".cc.in", ".inc", ".py", ".css", ".js", ".S")

ROOM_LINK = re.compile(r"\*\*\[`src/([\w/]+)/`\]\(src/([\w/]+?)/?\)\*\*")
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)")
SOURCE_NAME = re.compile(r"[a-z0-9_*]+(\.[a-z.]+|/)?")
PATH = re.compile(r"[\w.*-]+(/[\w.*-]+)*/?")


def entries(lines):
    """Yields (room, line number, text) for each line of each room's entry."""
    room = ""
    for number, line in enumerate(lines, 1):
        opened = ROOM_LINK.search(line)
        if opened:
            room = opened[1]
        elif line.startswith("#"):
            room = ""
        if room:
            yield room, number, line[opened.end():] if opened else line


def sources_by_room(paths):
    """Room -> paths of its sources, relative to it."""
    found = {}
    for path in paths:
        if path.startswith("src/") and path.endswith(SOURCE_SUFFIXES):
            room = source_rules.room_of(path[len("src/"):])
            found.setdefault(room, []).append(os.path.relpath(path[len("src/"):], room or "."))
    return found


def names(pattern, source):
    """Whether `pattern` names `source`: by its folder, its whole name, or its name without ending."""
    if pattern.endswith("/"):
        return source.startswith(pattern)
    return fnmatch.fnmatchcase(source, pattern) or fnmatch.fnmatchcase(source.split(".")[0], pattern)


def check_rooms(lines, paths):
    """Every room has an entry that covers its sources, and every name in an entry is that of a source."""
    sources = sources_by_room(paths)
    folders = {os.path.dirname(path) for path in paths}
    covered = {room: set() for room in sources}
    described = set()
    for room, number, text in entries(lines):
        described.add(room)
        for pattern in CODE.findall(LINK.sub("", text)):
            if not SOURCE_NAME.fullmatch(pattern):
                continue
            hits = {source for source in sources.get(room, ()) if names(pattern, source)}
            is_folder = pattern.endswith("/") and f"src/{room}/{pattern[:-1]}" in folders
            if not hits and not is_folder and f"src/{room}/{pattern}" not in paths:
                yield MAP, number, f"src/{room}/ has no source named {pattern}"
            covered.setdefault(room, set()).update(hits)
    for room, files in sorted(sources.items()):
        if room not in described:
            yield MAP, 1, f"src/{room}/ has no entry"
            continue
        for source in sorted(set(files) - covered[room]):
            yield MAP, 1, f"the entry of src/{room}/ does not name {source}"


def check_paths(lines, paths):
    """Every path that begins like one of the tree, and every link, leads to a file or folder."""
    folders = {str(parent) for path in paths for parent in pathlib.PurePosixPath(path).parents}
    known = set(paths) | folders
    tops = {path.split("/")[0] for path in paths if "/" in path}
    rooms = {room.split("/")[0] for room in source_rules.MAY_INCLUDE}
    for number, line in enumerate(lines, 1):
        links = [link for link in LINK.findall(line) if "://" not in link]
        for name in links + CODE.findall(line):
            if not PATH.fullmatch(name) or name not in links and "/" not in name.rstrip("/"):
                continue
            top = name.split("/")[0]
            if name not in links and top not in tops | rooms:
                continue  # a file that the program writes, or a path on a server
            path = (name if top in tops or name in links else f"src/{name}").rstrip("/")
            if path not in known and not fnmatch.filter(known, path):
                yield MAP, number, f"{name} does not exist"


def findings(root):
    paths = source_rules.tracked_files(pathlib.Path(root))
    lines = (pathlib.Path(root) / MAP).read_text(encoding="utf-8").split("\n")
    return [f"{path}:{line}: {what}" for rule in (check_rooms, check_paths)
            for path, line, what in rule(lines, set(paths))]


def main():
    report(findings(sys.argv[1]), "architecture_map.py: the map fits the tree")


if __name__ == "__main__":
    main()
