#!/usr/bin/env python3
"""Write the tables of a made-up divided run, and report the most memory of its driver and of its tasks.

usage: bench/driver_memory.py [--pages N,N,...] [--partitions N] [memory=SIZE] [NAME=VALUE...]
Needs the Python package (PYTHONPATH=build/release/python). NAME=VALUE are options of `paraprint dedup`.

The run begins where clusters are known: the rows of the pages and matches are made, as the stages before would have
stored them, for inputs of 5,000 pages. Every step is a process of its own, as in an array of jobs: the tasks of the
tables, and the driver, which reads the reports of all tasks and appends the parts of the tables. Of ten pages, two have
a copy each and one has two matches that are no copies.

Prints JSON: for each number of pages the peak of the resident set of the driver and of the largest task, and what the
tables have in bytes per page.
"""
import argparse
import json
import multiprocessing
import os
import resource
import struct
import tempfile

from stage_costs import variable

from paraprint.stages import flow, tables, tasks
from paraprint.stages.flow import Step
from paraprint.stages.job_array import JobArray, start

PAGES_OF_AN_INPUT = 5000
BATCHES_OF_AN_INPUT = 50
PARCEL_BYTES = 1 << 20
IDS_OF_A_TASK = 64  # sampled
PAGES_OF_A_GROUP = 10  # a page and its copies are in one group
JOB, MADE = "clusters", "made"
KEPT, FIRST, ALONE = 1, 2, 4


class MadeRun(JobArray):
    """The last job of a run, on what "made" stored, and its output."""

    def steps(self):
        profiled = self.reports("profiles", range(self.partitions))
        self.batches = tasks.divide_pages("profiles", profiled, self.partitions)
        self.settings["first_ids"] = tasks.first_ids_of(profiled, self.partitions)
        self._numbers[MADE] = [0]
        self.stored.update({(JOB, kind): [MADE] for kind in ("page-rows", "cluster-sums", "match-rows")})
        job = flow.jobs_of(self.core)[-1]
        yield from self.levels(job)
        self.last_job = job.name
        yield Step("output", "output", [0])


def text(value):
    return variable(len(value)) + value


def id_of(page):
    return b"<urn:uuid:%010d-0000>" % page


def url_of(page):
    return b"http://site-%05d.example/section/%025d.html" % (page % 10_000, page)


def page_row(page, copy_of):
    flags = KEPT | FIRST if copy_of is None else 0
    if copy_of is None and page % 10 > 3:
        flags |= ALONE
    kept = page if copy_of is None else copy_of
    row = bytes([flags]) + text(id_of(page)) + text(url_of(page)) + variable(0) + variable(page)
    row += variable(kept)
    if copy_of is None:
        return row
    date = b"2024-05-01T10:00:00Z"
    row += variable(page * 1000) + text(date) + b"\x02" + struct.pack("<3f", 0.9, 0.9, 0.9) + text(b"longest")
    return row + text(id_of(kept)) + text(url_of(kept)) + text(date)


def match_row(page, other):
    scores = struct.pack("<IIB4f", page, other, 2, 0.9, 0.9, 0.9, 450)
    return text(id_of(page)) + text(id_of(other)) + scores + b"\x03"


def make_run(work, out, pages, partitions, options):
    """Stores rows as the stages before the tables do; the ids are in the order of the pages."""
    run = start(work, out, [__file__], partitions, options)
    run.work.create("profiles")
    run.work.create(MADE)
    inputs = max(1, pages // PAGES_OF_AN_INPUT)
    pages_of_input = pages // inputs
    for share in range(partitions):
        # Index of the input, number of its first batch, its row in the file, its batches, its pages.
        first_input, end = (inputs * number // partitions for number in (share, share + 1))
        profiled = [
            (index, 0, (index - first_input) * BATCHES_OF_AN_INPUT, BATCHES_OF_AN_INPUT, pages_of_input)
            for index in range(first_input, end)
        ]
        # Ranges of ids begin with a page and its copies.
        groups = pages // PAGES_OF_A_GROUP
        places = range(IDS_OF_A_TASK * share, IDS_OF_A_TASK * (share + 1))
        ids = [id_of(groups * place // (IDS_OF_A_TASK * partitions) * PAGES_OF_A_GROUP).hex() for place in places]
        report = {"file": f"part-{share}.parquet", "inputs": profiled, "ids": ids, "unreadable": [], "counters": {}}
        run.work.write_json(f"profiles/report-{share}.json", report)
    ranges = [bytes(first) for first in tasks.first_ids_of(run.reports("profiles", range(partitions)), partitions)]
    stored, clusters = [], 0
    with run.work.new_part(MADE, tasks.PARCELS) as part:

        def store(kind, partition, payload):
            part.write(kind, partition, payload)
            stored.append((kind, partition))

        partition, open_parcels = 0, {"page-rows": b"", "match-rows": b""}
        for page in range(pages):
            if partition < len(ranges) and id_of(page) >= ranges[partition]:
                for kind, payload in open_parcels.items():
                    store(kind, partition, payload)
                open_parcels = dict.fromkeys(open_parcels, b"")
                partition += 1
                store("cluster-sums", partition, variable(clusters))
            copy_of = page - 2 if page % 10 in (2, 3) else None
            clusters += copy_of is None
            open_parcels["page-rows"] += page_row(page, copy_of)
            if copy_of is not None:
                open_parcels["match-rows"] += match_row(copy_of, page)
            if page % 10 == 9:
                open_parcels["match-rows"] += match_row(page - 2, page - 1) + match_row(page - 2, page)
            for kind, payload in open_parcels.items():
                if len(payload) >= PARCEL_BYTES:
                    store(kind, partition, payload)
                    open_parcels[kind] = b""
        for kind, payload in open_parcels.items():
            store(kind, partition, payload)
    run.work.write_json(f"{MADE}/report-0.json", {"file": part.file, "parcels": stored, "counters": {}})


def work_on(connection, call, *arguments):
    connection.send((call(*arguments), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024))


def in_process(call, *arguments):
    """The result of a call in a new process, and the most memory of the process."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=work_on, args=(sender, call, *arguments))
    process.start()
    sender.close()
    result = receiver.recv()
    process.join()
    return result


def next_step(work):
    step = MadeRun(work).next_step()
    return step and (step.name, step.numbers)


def run_task(work, name, number):
    MadeRun(work).run_task(name, number)


def measure(pages, partitions, options):
    driver, task = [], []
    with tempfile.TemporaryDirectory() as folder:
        work, out = os.path.join(folder, "work"), os.path.join(folder, "out")
        in_process(make_run, work, out, pages, partitions, options)
        while True:
            step, peak = in_process(next_step, work)
            driver.append(peak)
            if step is None:
                break
            name, numbers = step
            peaks = [in_process(run_task, work, name, number)[1] for number in numbers]
            (driver if name == "output" else task).extend(peaks)
        with open(os.path.join(out, "clusters.tsv"), "rb") as clusters:
            if (rows := sum(1 for _ in clusters)) != pages:
                raise SystemExit(f"driver_memory.py: clusters.tsv has {rows} rows for {pages} pages")
        sizes = {name: os.path.getsize(os.path.join(out, name)) for name in tables.TABLES}
    return {
        "pages": pages,
        "driver_peak_bytes": max(driver),
        "largest_task_peak_bytes": max(task),
        "bytes_per_page": {name: round(size / pages, 1) for name, size in sizes.items()},
    }


def main():
    parser = argparse.ArgumentParser(description="Memory of the driver and the tasks that write tables.")
    parser.add_argument("options", nargs="*", help="NAME=VALUE for options of `paraprint dedup`")
    parser.add_argument("--pages", default="500000,5000000", help="numbers of pages")
    parser.add_argument("--partitions", type=int, default=16, help="tasks per stage")
    arguments = parser.parse_args()
    options = dict(text.split("=", 1) for text in arguments.options)
    runs = [measure(int(pages), arguments.partitions, options) for pages in arguments.pages.split(",")]
    print(json.dumps({"partitions": arguments.partitions, "runs": runs}, indent=2))


if __name__ == "__main__":
    main()
