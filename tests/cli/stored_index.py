#!/usr/bin/env python3
"""Makes the small indexes that tests keep of each format of an index, with the answers that their program gave.

usage: stored_index.py PARAPRINT OUT.tar.xz [options of `paraprint index add`]

Run it with the program of a release, once, when a later program is to write another format. The archive has the index
("known"), the pages that were added and those that were asked for, and what the program printed. Standard library only.
"""
import pathlib
import subprocess
import sys
import tarfile
import tempfile

from support import article, html_of, json_line

FRAME = article(900, 2)


def page_line(site, number, paragraphs):
    return json_line(f"{site}-{number}", html_of(paragraphs), f"http://{site}.example/{number}",
                     "2026-05-01T10:00:00Z")


def added_pages():
    """Twelve pages of a site with a frame, mirrors and edited copies on others, and a page in Chinese."""
    lines = [page_line("one", number, FRAME + article(number)) for number in range(12)]
    lines += [page_line("two", number, article(number)) for number in range(3)]
    edited = article(5)
    edited[2] = article(905)[0]
    lines.append(page_line("three", 5, edited))
    lines.append(page_line("three", 6, article(6) + article(906)))
    lines.append(page_line("three", 7, article(907)))
    lines.append(page_line("three", 7, article(908)))  # another text of a known page
    lines.append(json_line("汉", html_of(["从前有座山,山里有座庙,庙里有个老和尚给小和尚讲故事。" * 3,
                                          "故事说的是:山下的人把水挑到庙里,又把庙里的茶叶带到山下去卖。" * 3])))
    return b"".join(lines)


def asked_pages():
    edited = article(8)
    edited[1] = article(918)[0]
    lines = [page_line("asked", number, article(number)) for number in (0, 3, 6, 11, 907, 908, 950)]
    lines.append(page_line("asked", 1000, edited))
    lines.append(page_line("one", 1001, FRAME + article(951)))
    return b"".join(lines)


def run(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], check=True, capture_output=True).stdout


def make(program, archive, options):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "added.jsonl").write_bytes(added_pages())
        (folder / "asked.jsonl").write_bytes(asked_pages())
        known = folder / "known"
        run(program, "index", "add", "--data", known, *options, folder / "added.jsonl")
        run(program, "index", "compact", "--data", known)  # so that there are files of tables as well as logs
        run(program, "index", "delete", "--data", known, "one-2", "two-2")
        find = ("index", "find", "--data", known, *options, "--all", folder / "asked.jsonl")
        (folder / "find.jsonl").write_bytes(run(program, *find))
        (folder / "export.jsonl").write_bytes(run(program, "index", "export", "--data", known, "--profiles"))
        (folder / "version.txt").write_bytes(run(program, "version"))
        with tarfile.open(archive, "w:xz", preset=9) as tar:
            for path in sorted(folder.rglob("*")):
                tar.add(path, path.relative_to(folder), recursive=False, filter=without_owner)


def without_owner(member):
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


if __name__ == "__main__":
    make(sys.argv[1], sys.argv[2], sys.argv[3:])
