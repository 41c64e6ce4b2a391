#!/usr/bin/env python3
"""Drive the stages of a divided run without Spark, and report what each costs per page.

usage: bench/stage_costs.py [--partitions N,N,...] [--pages N] [--processes N] [NAME=VALUE...] INPUT...
       bench/stage_costs.py --chain PAGES [--partitions N,N,...]
       bench/stage_costs.py --component PAGES [memory=SIZE]
Needs the Python package (PYTHONPATH=build/release/python). NAME=VALUE are options of `paraprint dedup`.

Prints JSON: for each number of partitions and stage the processor time of its tasks (without scheduler, shuffle and
files) and the bytes of each kind of its parcels, both per page, the bytes received by the largest task, as a multiple
of the average, and the most memory that a task took in addition to what the process had (exact with --processes). The
pages are profiled once; with --pages, their profiles are copied until there are about so many (repeated_batches.py).
Parcels are in files of the temporary folder: 10 KB per page. --chain finds the connected component of a chain of pages
instead, in the order of their numbers or in a random one: rounds, and bytes and time per link and round. --component
clusters one component, all of whose pages match its first one: time, and the most memory of the process. docs/scale.md
has results.
"""
import argparse
import bisect
import collections
import contextlib
import dataclasses
import json
import multiprocessing
import os
import random
import resource
import struct
import tempfile
import time

from process_memory import peak_bytes, reset_peak, resident_bytes

from paraprint import _core
from paraprint.stages import flow

# Settings of tasks: the numbers of known texts, their templates, whether the run is remembered, and how many stages
# share a process.
NO_EARLIER_RUNS = ([0], b"", False, 1)


class Batches:
    """Batches as ProfileStage gives them."""

    def __init__(self, batches):
        self._batches = batches

    def __len__(self):
        return len(self._batches)

    def pages(self, index):
        return self._batches[index][0]

    def facts(self, index):
        return self._batches[index][1]

    def profiles(self, index):
        return self._batches[index][2]

    def sizes(self):
        """Bytes of all facts, and of all profiles."""
        return tuple(sum(len(batch[part]) for batch in self._batches) for part in (1, 2))

    def sampled_ids(self):
        for batch in self._batches:
            yield from batch[4]


class Spool:
    """Parcels of one kind from one task, in a file."""

    def __init__(self, folder):
        handle, self.path = tempfile.mkstemp(dir=folder)
        self._file = os.fdopen(handle, "wb")
        self._end = 0
        self.places = []  # partition, begin, size

    def add(self, partition, payload):
        self._file.write(payload)
        self.places.append((partition, self._end, len(payload)))
        self._end += len(payload)

    def close(self):
        self._file.close()


def opened(path, places):
    """(partition, (read, size)) of each parcel of a file, which goes with the last call that refers to it."""
    file = open(path, "rb")
    os.unlink(path)

    def reader(begin, size):
        return lambda: os.pread(file.fileno(), size, begin)

    return [(partition, (reader(begin, size), size)) for partition, begin, size in places]


@dataclasses.dataclass
class TaskCosts:
    """What a task did. `spools`: path and places of its parcels, by kind."""

    seconds: float
    read: int  # bytes of batches
    memory: int  # the most bytes in addition to those before
    counters: dict
    spools: dict


def in_memory(payload):
    """As opened() returns it."""
    return lambda: payload, len(payload)


_call = None  # of in_processes(), for its processes


def _called(number):
    return _call(number)


def in_processes(call, numbers, processes):
    """The results of calls, each in a copy of this process, so many at a time; with one, in this process itself."""
    global _call
    if processes == 1:
        yield from map(call, numbers)
        return
    _call = call
    with multiprocessing.get_context("fork").Pool(processes, maxtasksperchild=1) as pool:
        yield from pool.imap(_called, numbers, chunksize=1)


class Run:
    """One divided run over ready batches of pages."""

    def __init__(self, options, inputs, batches, partitions, folder, processes=1):
        self.processes = processes
        self.options, self.batches, self.partitions, self.folder = options, batches, partitions, folder
        self.settings = {"large-sites": b"", "boilerplate": b""}
        self.seconds = collections.Counter()
        self.aside = 0.0  # processor seconds of making batches and of files, which are not the task's
        self.sent = collections.defaultdict(collections.Counter)
        self.read = collections.Counter()  # bytes of batches
        self.memory = collections.Counter()  # bytes of the largest task
        self.skew = {}
        self.counters = collections.Counter()
        self.rounds = 0  # of stars
        self.stored = collections.defaultdict(list)  # parcels by job and kind, as (partition, (read, size))
        self.inputs = inputs
        self.first_ids = _core.id_ranges(list(batches.sampled_ids()), partitions)
        self.numbers = [0]  # the first page of each batch, and the number of all
        for index in range(len(batches)):
            self.numbers.append(self.numbers[-1] + batches.pages(index))
        self.pages = self.numbers[-1]
        self.first_pages = [self.pages * number // partitions for number in range(partitions + 1)]

    def task(self, stage, number):
        return _core.StageTask.create(
            self.options, stage, self.partitions, number, self.first_pages, self.first_ids, self.inputs,
            b"", self.settings["large-sites"], self.settings["boilerplate"], self.counters["simhashes_different"],
            *NO_EARLIER_RUNS, self.folder,
        )

    @contextlib.contextmanager
    def not_counted(self):
        began = time.process_time()
        yield
        self.aside += time.process_time() - began

    def run_task(self, stage, number, given):
        """`given`: (kind, read, size) of the parcels."""
        reset_peak()
        resident, began = resident_bytes(), time.process_time()
        self.aside = 0.0
        task = self.task(stage, number)
        spools = {}
        for kind, read, _ in given:
            with self.not_counted():
                payload = read()
            task.add_parcel(kind, payload)
            self.take(task, spools)
        task.end_parcels()
        size = 0
        begin, end = self.first_pages[number : number + 2]
        index = bisect.bisect(self.numbers, begin) - 1
        while index < len(self.batches) and self.numbers[index] < end:
            if task.needs_pages(self.numbers[index], self.batches.pages(index)):
                with self.not_counted():
                    facts = self.batches.facts(index)
                    profiles = self.batches.profiles(index) if task.needs_profiles() else b""
                size += len(facts) + len(profiles)
                task.add_pages(self.numbers[index], facts, profiles)
                self.take(task, spools)
            index += 1
        task.finish()
        self.take(task, spools)
        with self.not_counted():
            for spool in spools.values():
                spool.close()
        stored = {kind: (spool.path, spool.places) for kind, spool in spools.items()}
        seconds = time.process_time() - began - self.aside
        return TaskCosts(seconds, size, peak_bytes() - resident, dict(task.counters()), stored)

    def take(self, task, spools):
        while taken := task.take_parcels():
            with self.not_counted():
                for kind, partition, payload in taken:
                    if kind not in spools:
                        spools[kind] = Spool(self.folder)
                    spools[kind].add(partition, payload)

    def run_stage(self, stage, received, is_first=False):
        """`received`: lists of (partition, (read, size)) by kind. All tasks of a first level run."""
        by_task = [[] for _ in range(self.partitions)]
        for kind, given in received.items():
            for partition, parcel in given:
                by_task[partition].append((kind, *parcel))
        sizes = [sum(size for *_, size in given) for given in by_task]
        if sum(sizes) > 0:
            self.skew[stage] = round(max(sizes) * self.partitions / sum(sizes), 2)
        numbers = [number for number, given in enumerate(by_task) if given or is_first]
        parcels = collections.defaultdict(list)
        for costs in in_processes(lambda number: self.run_task(stage, number, by_task[number]), numbers,
                                  self.processes):
            self.seconds[stage] += costs.seconds
            self.read[stage] += costs.read
            self.memory[stage] = max(self.memory[stage], costs.memory)
            self.counters.update(costs.counters)
            for kind, (path, places) in costs.spools.items():
                self.sent[stage][kind] += sum(size for *_, size in places)
                parcels[kind] += opened(path, places)
        return parcels

    def run_job(self, job):
        """Runs the levels of a job, and stores what its stages give to later ones."""
        travelling = collections.defaultdict(list)
        for level, stages in enumerate(job.levels):
            sent = collections.defaultdict(list)
            for stage in stages:
                given = {kind: travelling.pop(kind, []) for kind in stage.kinds}
                for kind, source in job.stored_kinds(stage):
                    given[kind] = given[kind] + self.stored[source, kind]
                for kind, parcels in self.run_stage(stage.name, given, level == 0).items():
                    sent[kind] += parcels
            routes = job.routes(level)
            for kind, parcels in sent.items():
                (travelling[kind] if kind in routes else self.stored[job.name, kind]).extend(parcels)
        if job.joined:
            joined = [read() for _, (read, _) in self.stored[job.name, job.joined]]
            self.settings[job.joined] = _core.join_entries(joined)

    def compare(self):
        for job in flow.jobs_of(self.options):
            self.run_job(job)
            self.repeat(job)

    def repeat(self, job):
        """Runs the repeated levels of a job until nothing changes."""
        while job.repeated_until and self.counters.pop(job.repeated_until, 0) > 0:
            self.rounds += 1
            again = job.round(0, "last")
            for name, kind in [key for key in self.stored if key[0] == job.name]:
                self.stored["last", kind] = self.stored.pop((name, kind))
            self.run_job(again)
            for name, kind in [key for key in self.stored if key[0] == again.name]:
                self.stored[job.name, kind] = self.stored.pop((name, kind))

    def report(self):
        return {
            "partitions": self.partitions,
            "bytes_for_all_tasks_per_page": round(sum(map(len, self.settings.values())) / self.pages, 2),
            "bytes_of_batches_read_per_page": {
                stage: round(size / self.pages, 1) for stage, size in self.read.items() if size > 0
            },
            "microseconds_per_page": {
                stage: round(seconds / self.pages * 1e6, 1) for stage, seconds in self.seconds.items()
            },
            "bytes_per_page": {
                stage: {kind: round(size / self.pages, 1) for kind, size in kinds.items()}
                for stage, kinds in self.sent.items()
            },
            "largest_task": self.skew,
            "megabytes_of_a_task": {stage: round(size / 1e6, 1) for stage, size in self.memory.items()},
            "rounds": self.rounds,
            "counters_per_page": {
                name: round(self.counters[name] / self.pages, 3)
                for name in ("keys", "simhashes", "simhashes_different", "candidate_pairs", "pairs_verified",
                             "profiles_sent")
            },
        }


def mix64(value):
    """As in src/base/hash.h: it decides which task has the links of a page."""
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        value = (value ^ value >> 33) * factor % 2**64
    return value ^ value >> 33


def connect_chain(order, partitions, folder):
    """Rounds, and bytes and processor time per link and round, until no link moves."""
    links = collections.defaultdict(list)
    for pair in zip(order, order[1:]):
        for page, other in (pair, pair[::-1]):
            links[mix64(page) % partitions].append(struct.pack("<II", page, other))
    run = Run(_core.DividedOptions.create([], {}), [""], Batches([]), partitions, folder)
    run.first_pages = [len(order) * share // partitions for share in range(partitions + 1)]
    run.stored["matches", "links"] = [(share, in_memory(b"".join(given))) for share, given in links.items()]
    job = next(job for job in flow.jobs_of(run.options) if job.repeated_until)
    run.run_job(job)
    run.repeat(job)
    run.rounds += 1
    stars = ("large-star", "small-star")
    links = (len(order) - 1) * run.rounds
    return {
        "partitions": partitions,
        "rounds": run.rounds,
        "bytes_per_link_and_round": round(sum(sum(run.sent[star].values()) for star in stars) / links, 1),
        "microseconds_per_link_and_round": round(sum(run.seconds[star] for star in stars) / links * 1e6, 3),
    }


def connect_chains(pages, partitions):
    numbers = list(range(pages))
    shuffled = random.Random(1).sample(numbers, pages)
    with tempfile.TemporaryDirectory() as folder:
        return {
            name: [connect_chain(order, number, folder) for number in partitions]
            for name, order in (("in_order", numbers), ("shuffled", shuffled))
        }


def variable(number):
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number])


def cluster_component(pages, options, folder):
    """One task with a component of so many pages, each with an address of 60 bytes and a match with the first one."""
    near, scores, date = 2, struct.pack("<4f", 0.9, 0.9, 0.9, 450), b"2024-05-01T10:00:00Z"
    nothing = ([], [], b"", b"", b"", 0, *NO_EARLIER_RUNS)
    task = _core.StageTask.create(options, "cluster", 1, 0, [0, pages], *nothing, folder)
    began = time.process_time()
    sent = 0
    for first in range(0, pages, 10_000):
        numbers = range(first, min(first + 10_000, pages))
        members = b"".join(
            struct.pack("<II", 0, page) + b"\0" + variable(1000 - (page > 0)) + b"\0" + variable(page)
            + variable(page * 10_000) + bytes([20]) + b"%020d" % page + bytes([60]) + b"%060d" % page
            + bytes([len(date)]) + date + b"\0" for page in numbers
        )
        edges = b"".join(struct.pack("<IIIB", 0, 0, page, near) + scores for page in numbers if page > 0)
        for kind, payload in (("members", members), ("edges", edges)):
            task.add_parcel(kind, payload)
            sent += len(payload)
    received = time.process_time()
    task.end_parcels()
    task.finish()
    given = 0
    while taken := task.take_parcels():
        given += sum(len(payload) for _, _, payload in taken)
    return {
        "pages": pages,
        "bytes_received": sent,
        "bytes_given": given,
        "seconds_to_receive": round(received - began, 1),
        "seconds_to_cluster": round(time.process_time() - received, 1),
        "peak_memory_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def main():
    parser = argparse.ArgumentParser(description="Costs of the stages of a divided run.")
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))  # one per task and kind
    parser.add_argument("inputs", nargs="*", help="files, and NAME=VALUE for options of `paraprint dedup`")
    parser.add_argument("--partitions", default="2,16,128", help="numbers of tasks per stage")
    parser.add_argument("--pages", type=int, default=0, help="copy the profiles until there are about so many")
    parser.add_argument("--processes", type=int, default=1, help="tasks that run at the same time")
    parser.add_argument("--chain", type=int, default=0, help="pages of a chain to connect instead")
    parser.add_argument("--component", type=int, default=0, help="pages of a component to cluster instead")
    arguments = parser.parse_args()
    numbers = [int(number) for number in arguments.partitions.split(",")]
    if arguments.chain > 1:
        print(json.dumps(connect_chains(arguments.chain, numbers), indent=2))
        return
    chosen = dict(text.split("=", 1) for text in arguments.inputs if "=" in text)
    chosen = {name: {"true": True, "false": False}.get(value, value) for name, value in chosen.items()}
    if arguments.component > 0:
        options = _core.DividedOptions.create([], chosen)
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(cluster_component(arguments.component, options, folder), indent=2))
        return
    options = _core.DividedOptions.create([text for text in arguments.inputs if "=" not in text], chosen)
    with tempfile.TemporaryDirectory() as folder:
        inputs = options.list_inputs()
        stage = _core.ProfileStage.create(options, folder, b"")
        batches = []
        began = time.process_time()
        for index, path in enumerate(inputs):
            stage.profile_file(path, index, batches.append)
        profiled = time.process_time() - began
        batches = [batch for batch in batches if batch[0] > 0]
        profiled_pages = sum(batch[0] for batch in batches)
        if arguments.pages > profiled_pages:
            from repeated_batches import RepeatedBatches  # needs numpy

            batches = RepeatedBatches(batches, round(arguments.pages / profiled_pages))
        else:
            batches = Batches(batches)
        pages = sum(map(batches.pages, range(len(batches))))
        facts, profiles = batches.sizes()
        result = {
            "pages": pages,
            "batches": len(batches),
            "profiles": {
                "microseconds_per_page": round(profiled / profiled_pages * 1e6),
                "bytes_per_page": {"facts": round(facts / pages), "profiles": round(profiles / pages)},
            },
            "runs": [],
        }
        for partitions in numbers:
            run = Run(options, inputs, batches, partitions, folder, arguments.processes)
            run.compare()
            result["runs"].append(run.report())
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
