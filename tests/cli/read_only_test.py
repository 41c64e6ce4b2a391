#!/usr/bin/env python3
"""Readers next to a writer: `serve --read-only` and `index find --read-only` on an index that a service changes.
Standard library only."""
import contextlib
import json
import os
import shutil
import signal
import stat
import subprocess
import threading
import time

import support
from serve_support import ServeTest, encoded
from support import USAGE, article, html_of, json_line

FOLLOW_LIMIT_SECONDS = 60
NOBODY = 65534


def page_of(number):
    """Every third page is an edited copy of an earlier one."""
    paragraphs = article(number // 2 if number % 3 == 2 else number, 3)
    if number % 3 == 2:
        paragraphs[1] = article(10_000 + number)[0]
    return {"id": f"page-{number}", "url": f"http://site{number % 4}.example/{number}", "html": html_of(paragraphs)}


def question_of(number):
    return {"url": f"http://site{number % 4}.example/asked", "html": html_of(article(number, 3)), "all": True,
            "evidence": True}


def tree_of(folder):
    """Everything in a folder that a write would change."""
    found = {}
    for path in [folder, *folder.rglob("*")]:
        about = path.stat()
        found[str(path)] = (about.st_mode, about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino)
    return found


class ReadOnlyTest(ServeTest):
    def writer(self, *arguments):
        return self.serve("--snapshots", 1, *arguments)

    def reader(self, **options):
        return self.serve("--read-only", "--refresh", 1, **options)

    def add(self, service, numbers):
        for number in numbers:
            self.call(service, "POST", "/v1/pages", page_of(number))

    def wait_until(self, condition):
        """Stops waiting, and fails, after a minute."""
        end = time.monotonic() + FOLLOW_LIMIT_SECONDS
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def wait_for_snapshot(self):
        self.wait_until(lambda: (self.folder / "known" / "snapshots" / "current").exists())

    def pages_of(self, service):
        return self.call(service, "GET", "/v1/stats")["pages"]

    def answers_of(self, service, count=30):
        return [self.call(service, "POST", "/v1/lookup", question_of(number)) for number in range(count)]


class Readers(ReadOnlyTest):
    def test_two_readers_answer_while_a_writer_adds(self):
        writer = self.writer()
        self.add(writer, range(20))
        self.wait_for_snapshot()
        readers = [self.reader(), self.reader()]
        refusals = []
        is_over = threading.Event()

        def ask(service):
            with contextlib.closing(service.connect()) as connection:
                number = 0
                while not is_over.is_set():
                    # Pages are only added, so the text of the first ones is known in every snapshot.
                    number = (number + 3) % 18
                    status, answer = service.request("POST", "/v1/lookup", question_of(number), connection=connection)
                    if status != 200 or answer["verdict"] != "same":
                        refusals.append((number, status, answer))

        threads = [threading.Thread(target=ask, args=(service,)) for service in readers]
        for thread in threads:
            thread.start()
        for number in range(20, 120):
            self.add(writer, [number])
            time.sleep(0.03)
        for service in readers:
            self.wait_until(lambda service=service: self.pages_of(service) == 120)
        is_over.set()
        for thread in threads:
            thread.join()
        self.assertEqual(refusals, [])
        expected = self.answers_of(writer)
        for service in readers:
            self.assertEqual(self.answers_of(service), expected)
            self.assertGreater(len([line for line in service.log if line.get("event") == "snapshot"]), 1)
            self.assertEqual(service.stop(), support.SUCCESS)
        self.assertEqual(writer.stop(), support.SUCCESS)

    def test_calls_that_change_the_index_are_refused(self):
        writer = self.writer()
        self.add(writer, [0])
        self.wait_for_snapshot()
        reader = self.reader()
        lines = json.dumps(page_of(1)).encode() + b"\n"
        for call in (("POST", "/v1/pages", page_of(1)), ("DELETE", "/v1/pages/page-0"),
                     ("POST", "/v1/bulk/pages", lines, "application/x-ndjson"), ("POST", "/v1/backups?name=monday")):
            answer = self.call(reader, *call, expect=(403, "read-only"))
            self.assertIn("only answers lookups", answer["error"]["message"])
        self.assertEqual(self.call(reader, "GET", "/readyz"), {"status": "ready"})
        self.assertEqual(self.call(reader, "GET", "/v1/pages/page-0")["id"], "page-0")
        self.assertEqual(self.call(reader, "GET", f"/v1/pages?url={encoded(page_of(0)['url'])}")["id"], "page-0")
        found = self.call(reader, "POST", "/v1/bulk/lookup", lines, "application/x-ndjson")
        self.assertEqual([line["verdict"] for line in found], ["new"])
        self.call(reader, "POST", "/v1/compare", {"a": {"known_id": "page-0"}, "b": {"text": "Some other text."}})
        statistics = self.call(reader, "GET", "/v1/stats")
        self.assertTrue(statistics["read_only"])
        self.assertEqual(statistics["snapshot"], self.call(writer, "GET", "/v1/stats")["snapshot"])
        metrics = self.call(reader, "GET", "/metrics")
        self.assertIn(f"paraprint_index_snapshot_timestamp_seconds {statistics['snapshot_taken']}\n", metrics)

    def test_killed_processes_disturb_no_other(self):
        writer = self.writer()
        self.add(writer, range(10))
        self.wait_for_snapshot()
        readers = [self.reader(), self.reader()]
        readers[0].stop(signal.SIGKILL)
        self.add(writer, range(10, 20))
        self.wait_until(lambda: self.pages_of(readers[1]) == 20)
        writer.stop(signal.SIGKILL)
        answers = self.answers_of(readers[1])
        time.sleep(1.5)  # a look for a newer snapshot, which is not there
        self.assertEqual(self.answers_of(readers[1]), answers)
        writer = self.writer()
        self.add(writer, range(20, 25))
        self.wait_until(lambda: self.pages_of(readers[1]) == 25)
        self.assertEqual(self.answers_of(readers[1]), self.answers_of(writer))
        # The snapshots of killed readers are removed like others.
        self.add(writer, [25])
        self.wait_until(lambda: len(list((self.folder / "known" / "snapshots").glob("0*"))) <= 3)

    def test_reader_without_rights_writes_nothing(self):
        if os.geteuid() != 0:
            self.skipTest("only root can start a process of another user")
        self.folder.chmod(0o755)
        program = str(self.folder / "paraprint")
        shutil.copy(support.program, program)
        writer = self.writer()
        self.add(writer, range(10))
        self.wait_for_snapshot()
        self.wait_until(lambda: self.call(writer, "GET", "/v1/stats")["snapshot"] > 0)
        writer.stop()
        known = self.folder / "known"
        for path in known.rglob("*"):
            path.chmod(path.stat().st_mode | stat.S_IRGRP | stat.S_IROTH)
        before = tree_of(known)
        reader = self.reader(program=program, user=NOBODY)
        self.assertEqual(len(self.answers_of(reader)), 30)
        time.sleep(1.5)
        self.assertEqual(reader.stop(), support.SUCCESS)
        page = self.write("page.html", html_of(article(0, 3)))
        for command in (["find", page], ["stats"], ["export"], ["verify"]):
            subprocess.run([program, "index", command[0], "--data", str(known), "--read-only", *command[1:]],
                           check=True, capture_output=True, user=NOBODY)
        self.assertEqual(tree_of(known), before)

    def test_reader_on_a_read_only_mount(self):
        writer = self.writer()
        self.add(writer, range(10))
        self.wait_for_snapshot()
        known = str(self.folder / "known")
        page = self.write("page.html", html_of(article(0, 3)))
        mounted = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && ! touch "$1"/new 2>&1'
        mounted += ' && shift && exec "$@"'
        command = ["unshare", "-m", "sh", "-c", mounted, "sh", known]
        if subprocess.run([*command, "true"], capture_output=True).returncode != 0:
            self.skipTest("mounts are not allowed here")
        finished = subprocess.run([*command, support.program, "index", "find", "--data", known, "--read-only", page],
                                  capture_output=True)
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertEqual(json.loads(finished.stdout.splitlines()[-1])["verdict"], "same")


class Commands(ReadOnlyTest):
    def index(self, command, *arguments, **options):
        return self.run_program("index", command, "--data", self.folder / "known", *arguments, **options)

    def test_find_reads_while_a_service_changes_the_index(self):
        page = self.write("page.html", html_of(article(0, 3)))
        missing = self.index("find", "--read-only", page, expect=USAGE)
        self.assertIn("does not contain an index", missing.stderr)
        self.assertFalse((self.folder / "known").exists())
        service = self.serve()
        self.add(service, range(5))
        busy = self.index("find", "--read-only", page, expect=USAGE)
        self.assertIn("start the process that changes it with --snapshots", busy.stderr)
        service.stop()
        # Nobody changes it: the index itself is read.
        self.assertEqual(json.loads(self.index("find", "--read-only", page).stdout)["verdict"], "same")
        self.assertEqual(json.loads(self.index("snapshot").stdout), {"snapshot": 1})
        service = self.serve()
        for command in (["find", page], ["stats"], ["verify"], ["export"]):
            self.index(command[0], "--read-only", *command[1:])
        self.assertIn("open in another process", self.index("find", page, expect=USAGE).stderr)
        self.add(service, range(5, 8))
        self.assertEqual(json.loads(self.index("stats", "--read-only").stdout)["pages"], 5)
        service.stop()  # it publishes another one, because there are snapshots
        self.assertEqual(json.loads(self.index("stats", "--read-only").stdout)["pages"], 8)
        self.index("add", self.write("more.jsonl", json_line("more", html_of(article(70)))))
        self.assertEqual(json.loads(self.index("stats", "--read-only").stdout)["pages"], 9)

    def test_options_that_contradict_are_refused(self):
        known = self.folder / "known"
        said = self.run_program("serve", "--data", known, "--read-only", "--snapshots", 5, expect=USAGE).stderr
        self.assertIn("snapshots are published by the process that changes the index", said)
        said = self.run_program("serve", "--data", known, "--read-only", "--backups", self.folder / "b",
                                expect=USAGE).stderr
        self.assertIn("a read-only service makes no backups", said)
        said = self.run_program("serve", "--data", known, "--read-only", expect=USAGE).stderr
        self.assertIn("does not contain an index", said)
        self.assertFalse(known.exists())


if __name__ == "__main__":
    support.main()
