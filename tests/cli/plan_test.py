#!/usr/bin/env python3
"""Plans of runs: every form of input, what the JSON says, bad input.

usage: plan_test.py PARAPRINT [unittest arguments]
"""
import gzip
import json
import os
import unittest

import support

PAGES = 40
COPIES = 10  # of them, of the first ones

RANGE = {"estimate", "lower", "upper"}
MEMBERS = {
    "input": {"stored_bytes", "sampled_pages", "is_whole", "broken_records", "all_records_read", "broken_examples",
              "unreadable_inputs", "unreadable_reasons"},
    "pages": RANGE, "removed_share": RANGE, "clusters": RANGE,
    "time": {"threads", "seconds", "cpu_seconds", "stages"},
    "memory": {"peak_bytes", "target_bytes", "unbounded_bytes"},
    "disk": {"output_bytes", "work_bytes", "free_bytes", "files"},
    "spark": {"partitions", "executor_bytes_per_core", "driver_bytes"},
}


def article(number):
    return support.article(number % (PAGES - COPIES))


def html(number):
    return support.html_of(article(number))


def lines():
    return b"".join(support.json_line(f"p{i}", html(i), f"http://site{i}.example/") for i in range(PAGES))


def records():
    return [support.page_record(f"p{i}", f"http://site{i}.example/", html(i).encode()) for i in range(PAGES)]


class Plan(support.ProgramTest):
    def plan(self, *arguments, expect=support.SUCCESS):
        before = set(self.folder.rglob("*"))
        temporary = self.folder / "tmp"
        temporary.mkdir(exist_ok=True)
        done = self.run_program("plan", *arguments, "--json", "--quiet", "--tmp", temporary, expect=expect)
        self.assertEqual(list(temporary.iterdir()), [], "the temporary folder is not empty")
        temporary.rmdir()
        self.assertEqual(set(self.folder.rglob("*")), before, "something was written")
        return json.loads(done.stdout)

    def check(self, plan):
        self.assertEqual(plan["input"]["sampled_pages"], PAGES)
        self.assertTrue(plan["input"]["is_whole"])
        self.assertEqual(plan["pages"], {"estimate": PAGES, "lower": PAGES, "upper": PAGES})
        self.assertEqual(plan["removed_share"], {"estimate": COPIES / PAGES, "lower": COPIES / PAGES,
                                                 "upper": COPIES / PAGES})
        self.assertEqual(plan["clusters"]["estimate"], COPIES)
        self.assertEqual(plan["matches"], COPIES)
        self.assertEqual(plan["notes"], [])
        self.assertEqual(plan["input"]["broken_records"], 0)


class Formats(Plan):
    def test_lines(self):
        self.check(self.plan(self.write("in.jsonl", lines())))

    def test_compressed_lines(self):
        self.check(self.plan(self.write("in.jsonl.gz", gzip.compress(lines()))))

    def test_warc(self):
        self.check(self.plan(self.write("in.warc", b"".join(records()))))

    def test_warc_members(self):
        self.check(self.plan(self.write("in.warc.gz", b"".join(map(support.member, records())))))

    def test_folder_of_pages(self):
        for i in range(PAGES):
            self.write(f"site/{i}.html", html(i))
        self.check(self.plan(self.folder / "site"))

    def test_har(self):
        entries = [{"startedDateTime": "2024-05-01T10:00:00Z",
                    "request": {"method": "GET", "url": f"http://s{i}.example/"},
                    "response": {"status": 200, "headers": [],
                                 "content": {"mimeType": "text/html", "text": html(i)}}} for i in range(PAGES)]
        self.check(self.plan(self.write("in.har", json.dumps({"log": {"version": "1.2", "entries": entries}}))))


class Answers(Plan):
    def test_json_has_all_members(self):
        plan = self.plan(self.write("in.jsonl", lines()))
        for name, members in MEMBERS.items():
            self.assertEqual(set(plan[name]), members, name)
        self.assertEqual([stage["name"] for stage in plan["time"]["stages"]],
                         ["read", "match", "cluster", "tables", "write", "report"])
        self.assertIn(0.55, [point["near"] for point in plan["thresholds"]])
        shares = [point["removed_share"]["estimate"] for point in plan["thresholds"]]
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertLess({"pages.log", "matches.tsv", "records"}, {file["name"] for file in plan["disk"]["files"]})

    def test_agrees_with_a_run(self):
        source = self.write("in.jsonl", lines())
        plan = self.plan(source)
        self.run_program("dedup", source, "--out", self.folder / "out", "--quiet")
        stages = json.loads((self.folder / "out" / "timing.json").read_text())["stages"]
        self.assertEqual([stage["name"] for stage in plan["time"]["stages"]], [stage["name"] for stage in stages])
        sizes = {file["name"]: file["size_bytes"] for file in plan["disk"]["files"]}
        for name in ("matches.tsv", "clusters.tsv"):
            real = (self.folder / "out" / name).stat().st_size
            self.assertAlmostEqual(sizes[name] / real, 1, delta=0.3, msg=name)

    def test_sample_of_some_pages_has_an_interval(self):
        plan = self.plan(self.write("in.jsonl", lines()), "--sample", "20")
        self.assertEqual(plan["input"]["sampled_pages"], 20)
        self.assertFalse(plan["input"]["is_whole"])
        self.assertEqual(plan["pages"]["estimate"], PAGES)
        share = plan["removed_share"]
        self.assertLessEqual(share["lower"], share["estimate"])
        self.assertLess(share["lower"], share["upper"])
        self.assertTrue(plan["larger_samples"])

    def test_seed_decides(self):
        source = self.write("in.jsonl", lines())
        one, again, other = (self.plan(source, "--sample", "20", "--seed", seed) for seed in (1, 1, 5))
        self.assertEqual(one["removed_share"], again["removed_share"])
        self.assertEqual(one["thresholds"], again["thresholds"])
        self.assertNotEqual((one["removed_share"], one["disk"]), (other["removed_share"], other["disk"]))

    def test_text_is_a_table(self):
        done = self.run_program("plan", self.write("in.jsonl", lines()), "--out", self.folder / "none")
        self.assertIn("removed               25.0 %", done.stdout)
        self.assertIn("free ", done.stdout)
        self.assertIn("--near   removed", done.stdout)
        self.assertFalse((self.folder / "none").exists())

    def test_options_of_the_run_count(self):
        plan = self.plan(self.write("in.jsonl", lines()), "--no-report", "--no-evidence", "--threads", "1")
        names = {file["name"] for file in plan["disk"]["files"]}
        self.assertFalse(names & {"report", "matches.jsonl"})
        self.assertEqual(plan["time"]["threads"], 1)


class BadInput(Plan):
    def test_no_input(self):
        self.assertIn("no input given", self.run_program("plan", expect=support.USAGE).stderr)

    def test_missing_input(self):
        done = self.run_program("plan", self.folder / "none.warc", expect=support.USAGE)
        self.assertIn("none.warc", done.stderr)

    def test_standard_input(self):
        done = self.run_program("plan", "-", expect=support.USAGE, stdin=lines())
        self.assertIn("standard input cannot be sampled", done.stderr)

    def test_tables(self):
        done = self.run_program("plan", self.write("a.parquet", b"PAR1"), expect=support.USAGE)
        self.assertIn("tables and object stores are not sampled", done.stderr)

    def test_empty_input(self):
        plan = self.plan(self.write("in.jsonl", b""))
        self.assertEqual(plan["input"]["sampled_pages"], 0)
        self.assertEqual(plan["time"]["stages"], [])
        self.assertTrue(plan["notes"])

    def test_broken_records_are_counted_and_named(self):
        plan = self.plan(self.write("in.jsonl", lines() + b"{broken\n" + b"\xff\xfe\n"))
        self.assertEqual(plan["input"]["broken_records"], 2)
        self.assertEqual(len(plan["input"]["broken_examples"]), 2)
        self.assertIn("in.jsonl", plan["input"]["broken_examples"][0])
        self.assertEqual(plan["input"]["sampled_pages"], PAGES)

    def test_damaged_archive(self):
        archive = b"".join(map(support.member, records()))
        damaged = archive[:len(archive) // 2] + os.urandom(100) + archive[len(archive) // 2 + 100:]
        plan = self.plan(self.write("in.warc.gz", damaged))
        self.assertGreater(plan["input"]["broken_records"], 0)
        self.assertGreaterEqual(plan["input"]["sampled_pages"], PAGES - 3)

    def test_bytes_without_meaning(self):
        plan = self.plan(self.write("in.warc.gz", os.urandom(20_000)))
        self.assertEqual(plan["input"]["sampled_pages"], 0)
        self.assertGreater(plan["input"]["broken_records"], 0)

    def test_invalid_options(self):
        source = self.write("in.jsonl", lines())
        for option in (("--seconds", "0"), ("--sample", "-1"), ("--near", "2")):
            self.run_program("plan", source, *option, expect=support.USAGE)


if __name__ == "__main__":
    support.main()
