#!/usr/bin/env python3
"""Stored indexes of each format (stored_index.py), made by the programs of their time: refused with the command that
migrates them, migrated, and then as good as new. Standard library only."""
import json
import pathlib
import random
import re
import signal
import subprocess
import tarfile
import time

import support
from support import USAGE, ProgramTest, article, html_of, json_line

DATA = pathlib.Path(__file__).parent / "data"
NEWEST = 6
BY_SIMHASH = ["--algorithm", "simhash-integrated"]
# Archive -> the options that its pages were added with.
OLDER = {"index-4-first": [], "index-4": [], "index-4-simhash": BY_SIMHASH, "index-5": [],
         "index-5-simhash": BY_SIMHASH}
CURRENT = {f"index-{NEWEST}": [], f"index-{NEWEST}-simhash": BY_SIMHASH}


def format_of(name):
    return int(re.match(r"index-(\d+)", name)[1])


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def what_matters(answers):
    """What an answer says of copies."""
    return [(answer["id"], answer["verdict"],
             [(match["id"], match["verdict"], round(match["resemblance"], 3)) for match in answer["matches"]])
            for answer in answers]


class StoredIndexTest(ProgramTest):
    def unpack(self, name):
        folder = self.folder / name
        with tarfile.open(DATA / f"{name}.tar.xz") as tar:
            tar.extractall(folder)
        return folder

    def index(self, command, folder, *arguments, **options):
        return self.run_program("index", command, "--data", folder / "known", *arguments, **options)

    def assert_usable(self, folder, options):
        """The index has the pages and gives the answers that its own program printed, and takes further pages."""
        recorded = (folder / "export.jsonl").read_text()
        exported = self.index("export", folder, "--profiles").stdout
        self.assertEqual(lines_of(exported), lines_of(recorded))
        self.assertEqual(json.loads(self.index("verify", folder).stdout)["findings"], [])
        found = self.index("find", folder, *options, "--all", folder / "asked.jsonl").stdout
        self.assertEqual(what_matters(lines_of(found)), what_matters(lines_of((folder / "find.jsonl").read_text())))
        new = self.write("new.jsonl",
                         json_line("new-1", html_of(article(960))) + json_line("new-2", html_of(article(1))))
        added = lines_of(self.index("add", folder, *options, new).stdout)
        self.assertEqual([page["verdict"] for page in added], ["new", "same"])
        self.assertEqual(added[1]["matches"][0]["id"], "two-1")
        self.assertEqual([page["change"] for page in lines_of(self.index("add", folder, *options, new).stdout)],
                         ["unchanged"] * 2)
        self.assertEqual(json.loads(self.index("verify", folder).stdout)["findings"], [])
        self.run_program("index", "backup", "--data", folder / "known", "--to", folder / "backup")
        self.run_program("index", "restore", "--from", folder / "backup", "--data", folder / "restored")


class OlderFormats(StoredIndexTest):
    def test_are_refused_with_the_command_that_migrates_them(self):
        for name in OLDER:
            with self.subTest(name):
                folder = self.unpack(name)
                page = self.write("page.html", html_of(article(1)))
                for command in (["stats"], ["find", page], ["add", page], ["find", "--read-only", page]):
                    said = self.index(command[0], folder, *command[1:], expect=USAGE).stderr
                    self.assertIn(f"run 'paraprint index migrate {folder}/known'", said)

    def test_are_migrated_and_usable(self):
        for name, options in OLDER.items():
            with self.subTest(name):
                folder = self.unpack(name)
                known = folder / "known"
                before = sorted((path, path.read_bytes()) for path in known.rglob("*") if path.is_file())
                planned = json.loads(self.run_program("index", "migrate", known, "--dry-run").stdout)
                self.assertEqual(before, sorted((path, path.read_bytes()) for path in known.rglob("*")
                                                if path.is_file()), "a dry run changed the index")
                self.assertEqual((planned["from"], planned["to"], planned["done"]), (format_of(name), NEWEST, False))
                self.assertEqual(len(planned["steps"]), NEWEST - format_of(name))
                done = json.loads(self.run_program("index", "migrate", known).stdout)
                self.assertEqual(done, {**planned, "done": True})
                again = json.loads(self.run_program("index", "migrate", "--data", known).stdout)
                self.assertEqual(again, {"from": NEWEST, "to": NEWEST, "steps": [], "done": True})
                said = self.index("find", folder, *options, folder / "asked.jsonl").stderr
                self.assert_usable(folder, options)
                if format_of(name) != 4:
                    continue
                # Its profiles are of rules without a number, which is said where pages are compared with them.
                self.assertIn("were made under another version of the rules", said)
                generations = json.loads(self.index("stats", folder).stdout)["generations"]
                self.assertEqual(len(generations), 2)
                self.assertNotIn(" rules=", generations[0]["settings"])
                self.assertIn(" rules=", generations[1]["settings"])

    def test_killed_migrations_are_completed(self):
        moments = random.Random(3)
        for attempt in range(12):
            folder = self.unpack(("index-4", "index-5")[attempt % 2])
            with subprocess.Popen([support.program, "index", "migrate", str(folder / "known")],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                time.sleep(moments.uniform(0, 0.15))
                process.send_signal(signal.SIGKILL)
            self.run_program("index", "migrate", folder / "known")
            self.assertEqual(lines_of(self.index("export", folder, "--profiles").stdout),
                             lines_of((folder / "export.jsonl").read_text()), attempt)
            support.shutil.rmtree(folder)

    def test_backups_are_migrated_in_the_copy(self):
        folder = self.unpack("index-4")
        self.run_program("index", "restore", "--from", folder / "known", "--data", folder / "copy")
        self.assertTrue(json.loads(self.run_program("index", "verify", "--data", folder / "copy").stdout)["clean"])
        self.assertEqual((folder / "known" / "format").read_text(), "paraprint index 4\n")

    def test_bad_input(self):
        self.run_program("index", "migrate", expect=USAGE)
        missing = self.run_program("index", "migrate", self.folder / "missing", expect=USAGE)
        self.assertIn("does not contain an index", missing.stderr)
        folder = self.unpack("index-4")
        (folder / "known" / "format").write_text("paraprint index 9\nneeds paraprint 7.5.0\n")
        newer = self.run_program("index", "migrate", folder / "known", expect=USAGE)
        self.assertIn("needs paraprint 7.5.0 or later", newer.stderr)


class CurrentFormat(StoredIndexTest):
    """A failure here means that this program no longer reads indexes that users of the release have."""

    def test_opens_as_it_is(self):
        for name, options in CURRENT.items():
            with self.subTest(name):
                folder = self.unpack(name)
                self.assertEqual((folder / "known" / "format").read_text().splitlines()[0], f"paraprint index {NEWEST}")
                self.assert_usable(folder, options)


class EveryFormat(StoredIndexTest):
    def test_has_a_stored_index(self):
        stored = {format_of(path.name) for path in DATA.glob("index-*.tar.xz")}
        page = self.write("page.html", html_of(article(1)))
        self.run_program("index", "add", "--data", self.folder / "known", page)
        newest = int((self.folder / "known" / "format").read_text().split()[2])
        self.assertEqual(newest, NEWEST)
        self.assertEqual(stored, set(range(4, NEWEST + 1)))


if __name__ == "__main__":
    support.main()
