#!/usr/bin/env python3
"""Runs the commands of a page and compares what they print with what the page says they print. Standard library only.

usage: page_examples.py PAGE SOURCE_ROOT PROGRAM [--python INTERPRETER] [--package FOLDER] [--timeout SECONDS]

In an empty folder that links to examples/, with the program in the path, in the order of the page and in one shell:

- a block ```sh is run. It must succeed. If a block ```text follows it without anything between them, that is what it
  prints, in which "..." stands for any text, and a line of it for any lines;
- a block after a line `<!-- file: NAME -->` is written to that file;
- a block after a line `<!-- not run: REASON -->` is left out, for what needs a network or a cluster;
- a page with `<!-- needs: program NAME -->` or `<!-- needs: module NAME -->` is skipped without it (exit code 77).

Ports 8000 and 8710 are replaced by free ones. With --python, `python` is that interpreter, which sees the package.
"""
import argparse
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

PORTS = ("8000", "8710")
DIRECTIVE = re.compile(r"^<!-- (file|not run|needs): (.+?) -->$")


class Block:
    """A fenced block of a page, with the directive before it and the output after it."""

    def __init__(self, language, line):
        self.language = language
        self.line = line
        self.text = ""
        self.directive = None
        self.output = None


def blocks(text):
    """The blocks of a page. A block of output is part of the block of commands before it."""
    found = []
    directive = None
    current = None
    is_adjacent = False
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if current is not None:
            if line != "```":
                current.text += line + "\n"
                continue
            if current.language == "text" and is_adjacent and found:
                found[-1].output = current.text
            else:
                found.append(current)
            is_adjacent = current.language == "sh"
            current = None
        elif line.startswith("```"):
            current = Block(line[3:].strip(), number)
            current.directive, directive = directive, None
        elif line.strip():
            named = DIRECTIVE.match(line)
            directive = (named[1], named[2]) if named else None
            is_adjacent = False
    return found


def missing(text, python, package):
    """What a page says it needs and this machine does not have, or None."""
    for line in text.split("\n"):
        found = DIRECTIVE.match(line)
        if not found or found[1] != "needs":
            continue
        kind, name = found[2].split()
        if kind == "program" and not shutil.which(name):
            return f"no program {name}"
        if kind == "module" and subprocess.run([python, "-c", f"import {name}"], capture_output=True, check=False,
                                               env={**os.environ, "PYTHONPATH": package or ""}).returncode:
            return f"{python} has no {name}"
    return None


def pattern_of(expected):
    parts = []
    for line in expected.rstrip("\n").split("\n"):
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(re.escape(line.rstrip()).replace(re.escape("..."), "[^\n]*") + r"\n")
    return re.compile("".join(parts))


class Shell:
    """One shell in which the blocks of a page are run, one after the other."""

    def __init__(self, folder, environment):
        self.folder = folder
        self.process = subprocess.Popen(["bash", "--noprofile", "--norc"], cwd=folder, env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        start_new_session=True)

    def run(self, commands):
        """Exit code and everything printed."""
        script, output = self.folder / ".block", self.folder / ".output"
        script.write_text("set -o pipefail\n" + commands, encoding="utf-8")
        self.process.stdin.write("source ./.block > .output 2>&1 < /dev/null; echo done $?\n")
        self.process.stdin.flush()
        told = self.process.stdout.readline()
        if not told.startswith("done "):
            raise RuntimeError(f"the shell ended in these commands, or they took too long:\n{commands}")
        lines = output.read_text(encoding="utf-8", errors="replace").split("\n")
        return int(told.split()[1]), "\n".join(line.rstrip() for line in lines)

    def kill(self, *_):
        """Ends the shell and whatever was started in it."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def end(self):
        self.kill()
        self.process.communicate()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


def with_ports(text, ports):
    for usual, free in ports.items():
        text = re.sub(rf"\b{usual}\b", free, text)
    return text


def check(page, shell, ports):
    """What differs from the page: a message per block, the first of which ends the run, as the rest builds on it."""
    for block in blocks(page.read_text(encoding="utf-8")):
        kind, value = block.directive or ("", "")
        if kind == "not run":
            continue
        text = with_ports(block.text, ports)
        if kind == "file":
            path = shell.folder / value
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif block.language == "sh":
            code, printed = shell.run(text)
            if code:
                return f"{page}:{block.line}: exit code {code}; printed:\n{printed}"
            if block.output is not None and not pattern_of(with_ports(block.output, ports)).fullmatch(printed):
                return f"{page}:{block.line}: the page says:\n{block.output}\nprinted:\n{printed}"
    return None


def environment_of(folder, program, python, package):
    programs = folder / ".programs"
    programs.mkdir()
    os.symlink(program, programs / "paraprint")
    # A script instead of a link: an interpreter finds its environment by the path that it is called by.
    for name in ("python", "python3"):
        (programs / name).write_text(f'#!/bin/sh\nexec {shlex.quote(python)} "$@"\n', encoding="utf-8")
        (programs / name).chmod(0o755)
    return {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": package or "",
            "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--package")
    parser.add_argument("--timeout", type=int, default=540, metavar="SECONDS")
    arguments = parser.parse_args()
    lacking = missing(arguments.page.read_text(encoding="utf-8"), arguments.python, arguments.package)
    if lacking:
        print(f"skipped: {lacking}")
        sys.exit(77)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="paraprint-page-"))
    os.symlink(arguments.root.resolve() / "examples", folder / "examples")
    shell = Shell(folder, environment_of(folder, arguments.program.resolve(), arguments.python, arguments.package))
    signal.signal(signal.SIGALRM, shell.kill)
    signal.alarm(arguments.timeout)
    try:
        found = check(arguments.page, shell, {port: free_port() for port in PORTS})
    finally:
        shell.end()
        shutil.rmtree(folder, ignore_errors=True)
    if found:
        sys.exit(found)
    print(f"{arguments.page}: every command prints what the page says")


if __name__ == "__main__":
    main()
