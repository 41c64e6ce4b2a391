#!/usr/bin/env python3
"""Runs the MapReduce jobs of docs/mapreduce.md on this machine, with the contracts of Hadoop streaming.

usage: run_local.py STAGE_PROGRAM --out FOLDER [--tasks N] INPUT... [NAME=VALUE...]

STAGE_PROGRAM is mapreduce_stage; NAME=VALUE are options of `paraprint dedup`, with '_' for '-'. Mappers, sort and
reducers are processes that see lines only: input is split by lines among N mappers, `sort` is the shuffle, and reducers
get all lines of their keys. Writes clusters.tsv, matches.tsv and removed.jsonl. Standard library only.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

COUNTER = re.compile(r"reporter:counter:paraprint,([^,]+),(\d+)$")


class Failed(Exception):
    pass


class Jobs:
    """Runs jobs whose files are in `folder`, each with up to `tasks` mappers and reducers."""

    def __init__(self, program, folder, tasks, inputs, options):
        self.program, self.folder, self.tasks = program, folder, tasks
        self.inputs, self.options = inputs, options
        self.counters = collections.Counter()

    def path(self, name):
        return str(self.folder / name)

    def command(self, command, *settings, inputs=()):
        return [self.program, command, *inputs, *self.options, f"tasks={self.tasks}", f"scratch={self.folder}",
                *(f"{name}={self.path(name)}" if "=" not in name else name for name in settings)]

    def run(self, processes):
        """Waits for (process, name) pairs that run at the same time, and counts what they report."""
        for process, name in processes:
            said = process.communicate()[1].decode(errors="replace")
            for line in said.splitlines():
                if counter := COUNTER.match(line):
                    self.counters[counter[1]] += int(counter[2])
                else:
                    print(line, file=sys.stderr)
            if process.returncode != 0:
                raise Failed(f"{name} failed with exit code {process.returncode}")

    def start(self, command, source, target):
        with open(source, "rb") as lines, open(target, "wb") as output:
            return subprocess.Popen(command, stdin=lines, stdout=output, stderr=subprocess.PIPE)

    def driver(self, command, *settings, source=os.devnull, target="driver-output", inputs=()):
        self.run([(self.start(self.command(command, *settings, inputs=inputs), source, self.path(target)), command)])
        return self.path(target)

    def split(self, source, name, task_of):
        """Divides lines among tasks; returns the paths that got any."""
        paths = [self.path(f"{name}.{task}") for task in range(self.tasks)]
        files = [open(path, "wb") for path in paths]
        with open(source, "rb") as lines:
            for number, line in enumerate(lines):
                files[task_of(number, line)].write(line)
        for file in files:
            file.close()
        return [path for path in paths if os.path.getsize(path) > 0]

    def apply(self, name, command, parts):
        """Runs a process per part; returns the path of all their output, in the order of the parts."""
        self.run([(self.start(command, part, part + ".out"), name) for part in parts])
        target = self.path(name + ".out")
        with open(target, "wb") as output:
            for part in parts:
                with open(part + ".out", "rb") as lines:
                    while piece := lines.read(1 << 20):
                        output.write(piece)
        return target

    def map(self, name, source, *settings):
        parts = self.split(source, name, lambda number, line: number % self.tasks)
        return self.apply(name, self.command(name, *settings), parts)

    def shuffle(self, source, name):
        target = self.path(name)
        environment = dict(os.environ, LC_ALL="C")
        subprocess.run(["sort", "-o", target, "-T", str(self.folder), source], check=True, env=environment)
        return target

    def reduce(self, name, source, *settings):
        """Keys are numbers of partitions; a reducer may get several of them."""
        shuffled = self.shuffle(source, name + ".sorted")
        parts = self.split(shuffled, name, lambda number, line: int(line.split(b"\t", 1)[0]) % self.tasks)
        return self.apply(name, self.command(name, *settings), parts)

    def select(self, source, kind, name):
        """The lines of one kind of parcels, like an output of its own of a job."""
        target = self.path(name)
        with open(source, "rb") as lines, open(target, "wb") as output:
            output.writelines(line for line in lines if line.split(b"\t", 2)[1] == kind)
        return target

    def chosen(self, name, *parcels):
        """Lines of some kinds from several outputs: (output, kind, ...)."""
        selected = [self.select(source, kind, f"{name}-{place}-{kind.decode()}")
                    for place, (source, *kinds) in enumerate(parcels) for kind in kinds]
        return self.concatenate(selected, name)

    def concatenate(self, sources, name):
        target = self.path(name)
        with open(target, "wb") as output:
            for source in sources:
                with open(source, "rb") as lines:
                    output.writelines(lines)
        return target


def fetched(jobs, source, kinds):
    """Parcels of some kinds, and the profiles that the "requests" next to them ask for."""
    pages = jobs.reduce("reduce-fetch", jobs.select(source, b"requests", "requests"), "ranges", "pages")
    given = [jobs.select(source, kind, kind.decode() + "-only") for kind in kinds]
    return jobs.concatenate([*given, pages], kinds[0].decode() + "-and-pages")


def deduplicate(jobs, out):
    jobs.driver("list-inputs", inputs=jobs.inputs, target="inputs")
    # Job 1: pages. Map only; the driver numbers the batches in order of their keys.
    jobs.shuffle(jobs.map("map-inputs", jobs.path("inputs")), "pages")
    numbered = jobs.driver("number-pages", "pages", "ranges", "ids", target="numbered")
    os.replace(numbered, jobs.path("pages"))
    # Job 2: pages that repeat a text, sites that may have a template, and ids that pages have in common.
    texts = jobs.map("map-texts", jobs.path("pages"), "ranges")
    repeats = jobs.reduce("reduce-repeats", jobs.chosen("texts-and-sites", (texts, b"texts", b"sites")), "ranges")
    names = jobs.reduce("reduce-names", jobs.select(texts, b"ids", "ids-of-pages"), "ranges")
    jobs.select(repeats, b"copies", "copies")
    jobs.driver("join-sites", "sites", source=jobs.select(repeats, b"large-sites", "large-sites"))
    # Job 3: templates of sites.
    paragraphs = jobs.map("map-paragraphs", jobs.path("pages"), "sites")
    parts = jobs.reduce("reduce-boilerplate", paragraphs)
    jobs.driver("join-templates", "templates", source=parts)
    # Job 4: keys, and pairs of pages with equal ones.
    keys = jobs.map("map-keys", jobs.path("pages"), "ranges", "copies", "sites", "templates")
    exact = jobs.reduce("reduce-exact", jobs.select(keys, b"exact", "exact"), "ranges")
    sketch = jobs.reduce("reduce-sketch", jobs.select(keys, b"sketch", "sketch"), "ranges")
    # Job 5: fingerprints become groups, and their number is counted.
    near = jobs.reduce("reduce-near", jobs.select(keys, b"near", "near"), "ranges")
    # Job 6: each group goes to the tasks that have one of its buckets.
    fingerprints = f"fingerprints={jobs.counters['simhashes_different']}"
    buckets = jobs.map("map-buckets", jobs.select(near, b"groups", "groups"), fingerprints)
    close = jobs.reduce("reduce-hamming", buckets, "ranges", fingerprints)
    pairs = [exact, sketch, jobs.select(near, b"pairs", "pairs-of-groups"), close]
    # Job 7: pairs are added up, and those worth it are selected.
    selected = jobs.reduce("reduce-select", jobs.concatenate(pairs, "pairs"), "ranges", "pages")
    # Jobs 8 and 9: their profiles are fetched, and they are verified.
    verified = jobs.reduce("reduce-verify", fetched(jobs, selected, [b"selected"]), "ranges", "pages", "templates")
    matches = jobs.select(verified, b"matches", "matches")
    # Jobs 10 and 11: links of pages, in rounds until none moves.
    stars = jobs.chosen("links", (repeats, b"links"), (verified, b"links"))
    moved = -1
    while moved != jobs.counters["links_moved"]:
        moved = jobs.counters["links_moved"]
        links = jobs.select(stars, b"links", "links-of-round")
        stars = jobs.reduce("reduce-small-star", jobs.reduce("reduce-large-star", links, "ranges"), "ranges")
    # Jobs 12 to 15: the pages of each component, and their clusters.
    places = jobs.select(stars, b"places", "places")
    awake = jobs.driver("wake-tasks", target="awake")
    owned = jobs.concatenate([awake, places, jobs.path("copies"), matches, names], "owned")
    members = jobs.reduce("reduce-gather", owned, "ranges", "ids", "pages")
    assembled = jobs.reduce("reduce-assemble", jobs.chosen("components", (members, b"members", b"edges")), "ranges")
    fetched_members = fetched(jobs, assembled, [b"members", b"edges"])
    clusters = jobs.reduce("reduce-cluster", fetched_members, "ranges", "ids", "templates")
    # Jobs 16 and 17: matches of all pages with the same texts.
    grouped = jobs.concatenate([jobs.select(members, b"groups", "groups"), matches, names], "grouped")
    first = jobs.reduce("reduce-expand-first", grouped, "ranges", "ids", "pages")
    halves = jobs.concatenate([jobs.chosen("halves", (first, b"half-rows", b"groups")), names], "halves-and-names")
    second = jobs.reduce("reduce-expand-second", halves, "ranges", "ids", "pages")
    # Jobs 18 to 20: the tables, by ranges of ids.
    rows = jobs.chosen("page-rows", *((source, b"page-rows", b"cluster-sums") for source in (members, clusters)))
    numbered = jobs.reduce("reduce-number", rows, "ranges", "ids")
    pages = jobs.reduce("reduce-list-pages", numbered, "ranges", "ids", "inputs")
    rows = jobs.chosen("match-rows", *((source, b"match-rows") for source in (first, second, clusters)))
    pairs = jobs.reduce("reduce-list-matches", rows, "ranges", "ids")
    for source, table in ((pages, "clusters.tsv"), (pages, "removed.jsonl"), (pairs, "matches.tsv")):
        parts = jobs.select(source, table.encode(), table + ".parts")
        os.replace(jobs.driver("write-table", source=parts, target=table), out / table)


def main():
    parser = argparse.ArgumentParser(description="Runs the MapReduce jobs of docs/mapreduce.md on this machine.")
    parser.add_argument("program", help="mapreduce_stage")
    parser.add_argument("inputs", nargs="+", help="files and folders, and NAME=VALUE for options")
    parser.add_argument("--out", required=True, help="folder for the results; must not exist")
    parser.add_argument("--tasks", type=int, default=4, help="mappers and reducers of a job")
    arguments = parser.parse_args()
    if arguments.tasks < 1:
        parser.error("--tasks must be at least 1")
    options = [text for text in arguments.inputs if re.match(r"[a-z_]+=", text)]
    inputs = [text for text in arguments.inputs if text not in options]
    out = pathlib.Path(arguments.out)
    try:
        out.mkdir(parents=True)
        with tempfile.TemporaryDirectory(dir=out, prefix=".jobs-") as folder:
            program = os.path.abspath(arguments.program)
            jobs = Jobs(program, pathlib.Path(folder).resolve(), arguments.tasks, inputs, options)
            deduplicate(jobs, out.resolve())
    except (Failed, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"run_local.py: {error}")


if __name__ == "__main__":
    main()
