#!/usr/bin/env python3
"""Drive the stages of a divided run in one process, without Spark, and report what each costs per page.

usage: bench/stage_costs.py [--partitions N,N,...] [NAME=VALUE...] INPUT...
       bench/stage_costs.py --chain PAGES [--partitions N,N,...]
Needs the Python package (PYTHONPATH=build/release/python). NAME=VALUE are options of `paraprint dedup`.

Prints JSON: for each number of partitions and stage the processor time of its tasks (without scheduler, shuffle and
files) and the bytes of each kind of its parcels, both per page, and the bytes received by the largest task, as a
multiple of the average. The pages are profiled once. --chain finds the connected component of a chain of pages
instead, in the order of their numbers or in a random one: rounds, and bytes and time per link and round. docs/scale.md
has results.
"""
import argparse
import collections
import json
import random
import struct
import tempfile
import time

from paraprint import _core


class Run:
    """One divided run over ready batches of pages."""

    def __init__(self, options, inputs, batches, partitions, folder):
        self.options, self.batches, self.partitions, self.folder = options, batches, partitions, folder
        self.tables = self.boilerplate = b""
        self.fingerprints = 0
        self.seconds = collections.Counter()
        self.sent = collections.defaultdict(collections.Counter)
        self.skew = {}
        self.counters = collections.Counter()
        self.rounds = 0  # of stars
        self.plan = _core.RunPlan.create(options, inputs, folder)
        self.positions = []  # of the first page of each batch
        position = 0
        for pages, facts, *_ in batches:
            self.positions.append(position)
            position += pages
            self.plan.add_pages(facts)
        self.plan.end_pages(False)
        self.pages = self.plan.pages

    def task(self, stage, number):
        return _core.StageTask.create(
            self.options, stage, self.tables, self.boilerplate, self.partitions, number, self.partitions,
            self.fingerprints, self.folder,
        )

    def conclude(self, stage, task, batches, parcels):
        task.end_parcels()
        for index in batches:
            pages, facts, profiles = self.batches[index][:3]
            if task.needs_pages(self.positions[index], pages):
                task.add_pages(self.positions[index], facts, profiles)
        task.finish()
        for kind, partition, payload in task.take_parcels():
            self.sent[stage][kind] += len(payload)
            parcels[kind].append((partition, payload))
        self.counters.update(dict(task.counters()))

    def over_pages(self, stage):
        began = time.process_time()
        parcels = collections.defaultdict(list)
        for number in range(self.partitions):
            batches = range(number, len(self.batches), self.partitions)
            self.conclude(stage, self.task(stage, number), batches, parcels)
        self.seconds[stage] += time.process_time() - began
        return parcels

    def over_parcels(self, stage, received):
        """`received`: lists of (partition, payload) by kind."""
        began = time.process_time()
        by_task = [[] for _ in range(self.partitions)]
        for kind, given in received.items():
            for partition, payload in given:
                by_task[partition].append((kind, payload))
        sizes = [sum(len(payload) for _, payload in given) for given in by_task]
        if sum(sizes) > 0:
            self.skew[stage] = round(max(sizes) * self.partitions / sum(sizes), 2)
        parcels = collections.defaultdict(list)
        for number, given in enumerate(by_task):
            if not given:
                continue
            task = self.task(stage, number)
            for kind, payload in given:
                task.add_parcel(kind, payload)
            self.conclude(stage, task, range(len(self.batches)), parcels)
        self.seconds[stage] += time.process_time() - began
        return parcels

    def compare(self):
        self.tables = self.plan.tables()
        paragraphs = self.over_pages("paragraphs")
        templates = self.over_parcels("boilerplate", paragraphs)["boilerplate"]
        self.boilerplate = _core.join_boilerplate([payload for _, payload in templates])
        keys = self.over_pages("keys")
        pairs = []
        for stage in ("exact", "near", "sketch"):
            found = self.over_parcels(stage, {stage: keys[stage]})
            pairs += found["pairs"]
            if stage == "near":
                groups = [(place % self.partitions, payload) for place, (_, payload) in enumerate(found["groups"])]
        self.fingerprints = self.counters["simhashes_different"]
        if groups:
            buckets = self.over_parcels("buckets", {"groups": groups})
            pairs += self.over_parcels("hamming", buckets)["pairs"]
        selected = self.over_parcels("select", {"pairs": pairs})
        pages = self.over_parcels("fetch", {"requests": selected["requests"]})
        matches = self.over_parcels("verify", {"selected": selected["selected"], **pages})
        self.connect([payload for _, payload in matches["matches"]])
        for _, payload in matches["matches"]:
            self.plan.add_matches(payload)
        planned = collections.defaultdict(list)
        for kind, partition, payload in self.plan.plan_clusters(self.partitions):
            self.sent["(driver)"][kind] += len(payload)
            planned[kind].append((partition, payload))
        pages = self.over_parcels("fetch", {"requests": planned["requests"]})
        self.over_parcels("cluster", {"components": planned["components"], **pages})

    def connect(self, matches):
        """Links the pages of each component to its smallest page, in rounds."""
        given = [(place % self.partitions, payload) for place, payload in enumerate(matches)]
        links = self.over_parcels("connect", {"matches": given})
        moved = -1
        while moved != self.counters["links_moved"]:
            moved = self.counters["links_moved"]
            links = self.over_parcels("small-star", self.over_parcels("large-star", links))
            self.rounds += 1

    def report(self):
        return {
            "partitions": self.partitions,
            "tables_bytes_per_page": round(len(self.tables) / self.pages, 1),
            "microseconds_per_page": {
                stage: round(seconds / self.pages * 1e6, 1) for stage, seconds in self.seconds.items()
            },
            "bytes_per_page": {
                stage: {kind: round(size / self.pages, 1) for kind, size in kinds.items()}
                for stage, kinds in self.sent.items()
            },
            "largest_task": self.skew,
            "rounds": self.rounds,
            "counters_per_page": {
                name: round(self.counters[name] / self.pages, 3)
                for name in ("keys", "simhashes", "simhashes_different", "candidate_pairs", "pairs_verified",
                             "profiles_sent")
            },
        }


def connect_chain(order, partitions, folder):
    """Rounds, and bytes and processor time per link and round, until no link moves."""
    near, scores = 2, struct.pack("<4f", 0.9, 0.9, 0.9, 450)
    matches = [struct.pack("<IIB", min(pair), max(pair), near) + scores for pair in zip(order, order[1:])]
    run = Run(_core.DividedOptions.create([], {}), [""], [], partitions, folder)
    run.connect([b"".join(matches[share::partitions]) for share in range(partitions)])
    stars = ("large-star", "small-star")
    links = len(matches) * run.rounds
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


def main():
    parser = argparse.ArgumentParser(description="Costs of the stages of a divided run.")
    parser.add_argument("inputs", nargs="*", help="files, and NAME=VALUE for options of `paraprint dedup`")
    parser.add_argument("--partitions", default="2,16,128", help="numbers of tasks per stage")
    parser.add_argument("--chain", type=int, default=0, help="pages of a chain to connect instead")
    arguments = parser.parse_args()
    numbers = [int(number) for number in arguments.partitions.split(",")]
    if arguments.chain > 1:
        print(json.dumps(connect_chains(arguments.chain, numbers), indent=2))
        return
    chosen = dict(text.split("=", 1) for text in arguments.inputs if "=" in text)
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
        pages = sum(batch[0] for batch in batches)
        result = {
            "pages": pages,
            "batches": len(batches),
            "profiles": {
                "microseconds_per_page": round(profiled / pages * 1e6),
                "bytes_per_page": {
                    "facts": round(sum(len(batch[1]) for batch in batches) / pages),
                    "profiles": round(sum(len(batch[2]) for batch in batches) / pages),
                },
            },
            "runs": [],
        }
        for partitions in numbers:
            run = Run(options, inputs, batches, partitions, folder)
            run.compare()
            result["runs"].append(run.report())
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
