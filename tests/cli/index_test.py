#!/usr/bin/env python3
"""`paraprint index` and `paraprint dedup --index` on the command line. Standard library only."""
import json
import os
import pathlib
import random
import signal
import subprocess
import time

import support
from support import FAILURE, USAGE, ProgramTest, article, html_of, json_line


def pages_of(seeds, crawl):
    """One JSON line per article: each crawl has the same texts at other addresses."""
    return b"".join(json_line(f"{crawl}-{seed}", html_of(article(seed)), f"http://{crawl}.example/{seed}")
                    for seed in seeds)


class IndexTest(ProgramTest):
    def index(self, command, *arguments, **options):
        finished = self.run_program("index", command, "--data", self.folder / "known", *arguments, **options)
        return [json.loads(line) for line in finished.stdout.splitlines()]

    def test_pages_are_new_once(self):
        first = self.write("first.jsonl", pages_of(range(20), "one"))
        self.assertEqual({page["verdict"] for page in self.index("add", first)}, {"new"})
        second = self.index("add", self.write("second.jsonl", pages_of(range(10, 30), "two")))
        self.assertEqual([page["verdict"] for page in second], ["same"] * 10 + ["new"] * 10)
        self.assertEqual(second[0]["matches"][0]["id"], "one-10")
        self.assertEqual({page["change"] for page in self.index("add", first)}, {"unchanged"})
        self.assertEqual(self.index("stats")[0]["texts"], 30)
        self.assertTrue(self.index("verify")[0]["clean"])

    def test_find_shows_matches_and_stores_nothing(self):
        self.index("add", self.write("first.jsonl", pages_of([1], "one")))
        edited = article(1)
        edited[2] = article(99)[0]
        page = self.write("page.html", html_of(edited))
        found = self.index("find", "--evidence", page)[0]
        self.assertEqual(found["verdict"], "near")
        self.assertEqual(len(found["matches"][0]["passages"]), 4)
        self.assertEqual(self.index("stats")[0]["pages"], 1)

    def test_other_algorithms_match_as_in_a_batch(self):
        edited = []
        for seed in range(12):
            words = article(seed, 12)
            words[seed] += f" Corrected on day {seed}."
            edited.append(json_line(f"two-{seed}", html_of(words), f"http://two.example/{seed}"))
        first = self.write("first.jsonl", b"".join(
            json_line(f"one-{seed}", html_of(article(seed, 12)), f"http://one.example/{seed}") for seed in range(8)))
        second = self.write("second.jsonl", b"".join(edited))
        for algorithm in ("simhash-64", "simhash-position", "simhash-shingles", "simhash-integrated",
                          "keyword-position", "minhash", "simhash-64:tables=4", "simhash-position:tables=16",
                          "simhash-integrated:tables=10-compressed,distance_bits=5"):
            out = self.folder / f"batch-{algorithm}"
            self.run_program("dedup", first, second, "--out", out, "--algorithm", algorithm, "--no-report")
            rows = [line.split("\t") for line in (out / "matches.tsv").read_text().splitlines()]
            batch = {(id_a, id_b): float(score) for id_a, id_b, score, verdict in rows if verdict == "near"}
            known = self.folder / f"known-{algorithm}"
            found = {}
            for line in self.run_program("index", "add", "--data", known, "--all", "--algorithm", algorithm,
                                         first, second).stdout.splitlines():
                page = json.loads(line)
                for match in page["matches"]:
                    if match["verdict"] == "near":
                        found[tuple(sorted((match["id"], page["id"])))] = round(match["resemblance"], 4)
            self.assertEqual(found, batch, algorithm)
            self.assertGreater(len(found), 2, algorithm)
            # Care needs no settings, and other settings are refused.
            finished = self.run_program("index", "verify", "--data", known)
            self.assertTrue(json.loads(finished.stdout)["clean"])
            self.run_program("index", "find", "--data", known, first, expect=USAGE)
        finished = self.run_program("index", "add", "--data", self.folder / "bad", "--algorithm", "minhash-forest",
                                    first, expect=USAGE)
        self.assertIn("an index cannot use minhash-forest", finished.stderr)

    def test_a_page_with_too_many_keys_is_passed_over(self):
        """The words repeat each other, but any five in a row are others."""
        words = random.Random(1).choices([a + b for a in "bcdfghjklm" for b in "aeiou"], k=1_200_000)
        pages = self.write("pages.jsonl", b"".join(
            json.dumps({"id": str(number), "text": text}).encode() + b"\n"
            for number, text in enumerate((article(1)[0], " ".join(words), article(2)[0]))))
        finished = self.run_program("index", "add", "--data", self.folder / "known", "--algorithm",
                                    "shingle:threshold=0.05", pages)
        self.assertEqual([json.loads(line)["id"] for line in finished.stdout.splitlines()], ["0", "2"])
        self.assertIn("the profile of page 1 has", finished.stderr)
        self.assertIn("1 pages were left out", finished.stderr)
        self.assertEqual(self.index("stats")[0]["pages"], 2)

    def test_options_can_come_from_a_file(self):
        first = self.write("first.jsonl", pages_of([1], "one"))
        near = article(1)
        near[2] = article(99)[0]
        settings = self.write("settings.toml", "[index.add]\nall = true\ncopies = false\nsync = \"none\"\n")
        self.index("add", first)
        self.index("add", self.write("near.html", html_of(near)))
        added = self.run_program("--config", settings, "index", "add", "--data", self.folder / "known",
                                 self.write("again.jsonl", pages_of([1], "two"))).stdout
        added = json.loads(added)
        self.assertFalse(added["stored"])
        self.assertEqual([match["verdict"] for match in added["matches"]], ["same", "near"])

    def test_ids_may_contain_commas(self):
        self.index("add", self.write("first.jsonl", pages_of([1], "one")))
        self.assertEqual([page["id"] for page in self.index("delete", "one,1", "")], ["one,1", ""])

    def test_delete_expire_export(self):
        self.index("add", self.write("first.jsonl", pages_of(range(5), "one")))
        deleted = self.index("delete", "one-1", "nobody")
        self.assertEqual([page["deleted"] for page in deleted], [True, False])
        exported = self.index("export", "--profiles")
        self.assertEqual([page["id"] for page in exported], ["one-0", "one-2", "one-3", "one-4"])
        profile = json.loads(self.run_program("profile", self.folder / "first.jsonl").stdout.splitlines()[0])
        for field in ("text_hash", "content_characters", "paragraphs", "anchors"):
            self.assertEqual(exported[0][field], profile[field])
        self.assertIn("simhash", exported[0]["paragraphs"][0])
        self.assertEqual(self.index("expire", "--days", 1)[0]["expired"], 0)
        self.assertEqual(self.index("expire", "--before", int(time.time()) + 10)[0]["expired"], 4)
        self.assertEqual(self.index("compact")[0]["pages"], 0)

    def test_backup_and_restore(self):
        self.index("add", self.write("first.jsonl", pages_of(range(5), "one")))
        backup = self.folder / "backup"
        self.index("backup", "--to", backup)
        self.run_program("index", "backup", "--data", self.folder / "known", "--to", backup, expect=USAGE)
        self.index("delete", "one-1")
        self.run_program("index", "restore", "--from", backup, "--data", self.folder / "again")
        again = self.run_program("index", "export", "--data", self.folder / "again")
        self.assertEqual(len(again.stdout.splitlines()), 5)

    def stop_when(self, arguments, is_due):
        """Sends SIGTERM to the command once `is_due(process id, output so far)` is true; returns its output lines."""
        running = subprocess.Popen([support.program, "index", *map(str, arguments)], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(running.stdin.close)
        printed = b""
        while not is_due(running.pid, printed):
            printed += os.read(running.stdout.fileno(), 65536)
        running.send_signal(signal.SIGTERM)
        rest, message = running.stdout.read(), running.stderr.read()
        self.assertEqual(running.wait(timeout=support.RUN_LIMIT_SECONDS), support.INTERRUPTED, message.decode())
        running.stdout.close()
        running.stderr.close()
        self.assertIn(b"repeat the command", message)
        return (printed + rest).splitlines()

    def test_stopping_while_adding(self):
        pages = self.folder / "pages.jsonl"
        pages.write_bytes(pages_of(range(2000), "one"))
        printed = self.stop_when(["add", "--data", self.folder / "known", pages], lambda _, lines: b"\n" in lines)
        self.assertLess(len(printed), 2000)
        self.assertEqual(self.index("stats")[0]["pages"], len(printed))  # every added page was reported
        added = self.index("add", pages)
        self.assertEqual([page["change"] for page in added],
                         ["unchanged"] * len(printed) + ["new"] * (2000 - len(printed)))
        self.assertTrue(self.index("verify")[0]["clean"])
        exported = self.stop_when(["export", "--profiles", "--data", self.folder / "known"],
                                  lambda _, lines: b"\n" in lines)
        self.assertLess(len(exported), 2000)

    def test_stopping_while_waiting_for_input(self):
        known = self.folder / "known"

        def is_open(process, _):
            while not ((known / "format").exists() and support.open_files(process, known / "database")):
                self.assertTrue(support.open_files(process, ""), "the command ended on its own")
                time.sleep(0.01)
            return True
        for command in ("add", "find"):
            self.stop_when([command, "--data", known, "-"], is_open)

    def test_misuse_is_refused(self):
        missing = self.run_program("index", "stats", "--data", self.folder / "nothing", expect=USAGE)
        self.assertIn("does not contain an index", missing.stderr)
        for command in (["find", "--matches", 0, "x"], ["expire", "--days", -1]):
            refused = self.run_program("index", *command, "--data", self.folder / "nothing", expect=USAGE)
            self.assertRegex(refused.stderr, r"it must be [01] to \d{5,7}\b")
        first = self.write("first.jsonl", pages_of([1], "one"))
        self.index("add", first)
        self.assertEqual(self.index("expire", "--days", 0.5)[0]["expired"], 0)
        other = self.run_program("index", "add", "--data", self.folder / "known", "--anchors", 3, first, expect=USAGE)
        self.assertIn("anchors=2", other.stderr)
        self.assertIn("anchors=3", other.stderr)
        for database in (self.folder / "known" / "database").glob("MANIFEST-*"):
            database.write_bytes(b"not a list of files")
        self.run_program("index", "find", "--data", self.folder / "known", first, expect=FAILURE)


class DemoCrawlTest(ProgramTest):
    """Adds the bundled crawl to the index page by page and expects the pairs of a batch. Templates are not discounted,
    because the index learns them only gradually."""

    def test_finds_the_pairs_of_a_batch(self):
        crawl = sorted((pathlib.Path(__file__).resolve().parents[2] / "examples" / "demo-crawl").glob("*.warc.gz"))
        self.run_program("dedup", *crawl, "--out", self.folder / "out", "--no-boilerplate", "--quiet")
        batch = {}
        for line in (self.folder / "out" / "matches.tsv").read_text().splitlines():
            if not line.startswith("#"):
                first, second, resemblance, verdict = line.split("\t")[:4]
                batch[first, second] = verdict, float(resemblance)
        added = self.run_program("index", "add", "--data", self.folder / "known", "--no-boilerplate", "--all",
                                 "--matches", 10000, "--sync", "none", "--quiet", *crawl)
        # The first page with a text represents all pages with that text.
        stands_for = {}
        online = {}
        for page in map(json.loads, added.stdout.splitlines()):
            for match in page.get("matches", []):
                if match["verdict"] == "same":
                    stands_for[page["id"]] = match["id"]
                pair = page["id"], match["id"]
                verdict = match["verdict"]
                if pair[0] > pair[1]:
                    pair = pair[::-1]
                    verdict = {"contained": "contains", "contains": "contained"}.get(verdict, verdict)
                online[pair] = verdict, round(match["resemblance"], 4)

        def of_texts(pairs):
            texts = {}
            for (first, second), (verdict, resemblance) in pairs.items():
                if verdict != "same":
                    names = stands_for.get(first, first), stands_for.get(second, second)
                    if names[0] > names[1]:
                        names = names[::-1]
                        verdict = {"contained": "contains", "contains": "contained"}.get(verdict, verdict)
                    texts[names] = verdict, resemblance
            return texts

        self.assertGreater(len(online), 100)
        self.assertEqual(of_texts(online), of_texts(batch))
        self.assertEqual({names for names, (verdict, _) in online.items() if verdict == "same"},
                         {tuple(sorted(names)) for names in stands_for.items()})
        equal = {frozenset(names) for names, (verdict, _) in batch.items() if verdict == "same"}
        for page, first in stands_for.items():
            self.assertIn(frozenset((page, first)), equal)


class DedupWithIndexTest(ProgramTest):
    def dedup(self, crawl, out, *arguments, index=None, **options):
        return self.run_program("dedup", crawl, "--out", self.folder / out, "--index", index or self.folder / "known",
                                "--quiet", *arguments, **options)

    def removed(self, out):
        lines = (self.folder / out / "removed.jsonl").read_text().splitlines()
        return {row["id"]: row for row in map(json.loads, lines)}

    def kept(self, out):
        records = next(path for path in (self.folder / out / "records").rglob("*.jsonl"))
        return [json.loads(line)["id"] for line in records.read_text().splitlines()]

    def pages_in_index(self):
        exported = self.run_program("index", "export", "--data", self.folder / "known")
        return [json.loads(line)["id"] for line in exported.stdout.splitlines()]

    def test_pages_with_long_names_are_kept(self):
        """Their names are too long for the index, so they have the name of their place, or no URL."""
        long_url, long_id = "http://long.example/" + "u" * 8993, "i" * 100_000
        lines = [json_line("a", html_of(article(1)), long_url), json_line(long_id, html_of(article(2))),
                 json_line("b", html_of(article(3)), "http://b.example/")]
        crawl = self.write("long.jsonl", b"".join(lines))
        self.dedup(crawl, "out")
        broken = json.loads((self.folder / "out/summary.json").read_text())["broken"]
        self.assertEqual({kind["kind"]: kind["count"] for kind in broken}, {"long-url": 1, "long-id": 1})
        self.assertIn("URL has 9013 bytes", next(kind for kind in broken if kind["kind"] == "long-url")
                      ["examples"][0]["message"])
        self.assertEqual(sorted(id.split("#")[0] for id in self.pages_in_index()), ["a", "b", "long.jsonl:2"])
        self.assertEqual((self.folder / "out/records/long.jsonl").read_bytes(), b"".join(lines))
        self.assertLess(sum(path.stat().st_size for path in (self.folder / "out").glob("*.*")), 100_000)
        done = self.run_program("index", "add", crawl, "--data", self.folder / "added")
        self.assertIn("long-url", done.stderr)
        exported = self.run_program("index", "export", "--data", self.folder / "added").stdout
        self.assertEqual(sorted(json.loads(line)["id"].split("#")[0] for line in exported.splitlines()),
                         ["a", "b", "long.jsonl:2"])

    def test_pages_that_no_index_takes_are_kept(self):
        """The second page of an id has a longer one."""
        lines = [json_line("i" * 8192, html_of(article(number))) for number in (1, 2)]
        crawl = self.write("pages.jsonl", b"".join(lines))
        done = self.run_program("dedup", crawl, "--out", self.folder / "out", "--index", self.folder / "known")
        self.assertIn("1 of the kept pages are not in the index", done.stderr)
        self.assertEqual(self.pages_in_index(), ["i" * 8192])
        self.assertEqual((self.folder / "out/records/pages.jsonl").read_bytes(), b"".join(lines))

    def test_pages_without_ids_replace_no_others(self):
        """The places in a file of the same name are those of other pages."""
        days = [self.write(f"{day}/pages.jsonl", b"".join(json.dumps({"text": "\n\n".join(article(day * 100 + n))})
                                                         .encode() + b"\n" for n in range(3))) for day in range(2)]
        for run, day in enumerate((0, 1, 0, 1)):
            self.dedup(days[day], f"out-{run}")
            removed = self.removed(f"out-{run}")
            self.assertEqual(len(removed), 0 if run < 2 else 3)
            for page, row in removed.items():
                self.assertRegex(row["kept_id"], f"^{page}#[0-9a-f]{{32}}$")
        self.assertEqual(len(self.pages_in_index()), 6)
        for run, day in enumerate((0, 1, 0, 1)):
            added = self.run_program("index", "add", "--data", self.folder / "added", days[day])
            changes = [json.loads(line)["change"] for line in added.stdout.splitlines()]
            self.assertEqual(changes, ["new" if run < 2 else "unchanged"] * 3)
        # Whatever was read with it, a page has one name.
        self.run_program("dedup", *days, "--out", self.folder / "both", "--index", self.folder / "together")
        for day in days:
            added = self.run_program("index", "add", "--data", self.folder / "together", day)
            self.assertEqual([json.loads(line)["change"] for line in added.stdout.splitlines()], ["unchanged"] * 3)

    def test_pages_without_ids_that_share_an_address_replace_no_others(self):
        texts = ["\n\n".join(article(number)) for number in range(4)]
        address = "http://site.example/"
        days = [self.write(f"{day}.jsonl", b"".join(json.dumps({"url": url, "text": text}).encode() + b"\n"
                                                    for text in texts))
                for day, url in enumerate((address, "http://other.example/"))]
        for _ in range(2):
            done = self.run_program("dedup", days[0], "--out", self.folder / "first", "--index", self.folder / "known")
            self.assertNotIn("replaced", done.stderr)
            self.assertEqual([id.split("#")[0] for id in self.pages_in_index()], [address] * 4)
        told = self.run_program("index", "stats", "--data", self.folder / "known").stdout
        self.assertEqual(json.loads(told)["texts_ever"], 4)
        self.dedup(days[1], "second")
        self.assertEqual(len(self.removed("second")), 4)
        added = self.run_program("index", "add", "--data", self.folder / "added", days[0])
        self.assertEqual([json.loads(line)["change"] for line in added.stdout.splitlines()], ["new"] * 4)

    def test_pages_on_standard_input_replace_no_others(self):
        for number in (1, 2):
            self.run_program("index", "add", "--data", self.folder / "known", "-",
                             stdin=html_of(article(number)).encode())
        self.assertEqual([id.split("#")[0] for id in self.pages_in_index()], ["-", "-"])

    def test_replaced_pages_are_counted(self):
        self.dedup(self.write("one.jsonl", pages_of(range(3), "one")), "first")
        crawl = self.write("two.jsonl", pages_of([10], "other") + json_line("one-1", html_of(article(50))))
        done = self.run_program("dedup", crawl, "--out", self.folder / "second", "--index", self.folder / "known")
        self.assertIn("1 known pages were replaced", done.stderr)

    def test_pages_of_an_earlier_crawl_are_removed(self):
        self.dedup(self.write("one.jsonl", pages_of(range(12), "one")), "first")
        self.assertEqual(self.removed("first"), {})
        second = pages_of(range(8, 20), "two") + json_line("twin", html_of(article(19)), "http://twin.example/")
        crawl = self.write("two.jsonl", second)
        asked = self.run_program("index", "find", "--data", self.folder / "known", crawl)
        online = {page["id"]: page["verdict"] for page in map(json.loads, asked.stdout.splitlines())}
        self.dedup(crawl, "second")
        removed = self.removed("second")
        known = {name: row for name, row in removed.items() if row["reason"] == "known"}
        self.assertEqual({name: row["verdict"] for name, row in known.items()},
                         {name: verdict for name, verdict in online.items() if verdict != "new"})
        self.assertEqual(sorted(known), sorted(f"two-{seed}" for seed in range(8, 12)))
        self.assertEqual(known["two-8"]["kept_id"], "one-8")
        self.assertEqual(len(removed), 5)  # including the twin
        self.assertEqual(len(self.kept("second")), 8)
        self.assertEqual(sorted(self.pages_in_index()),
                         sorted([f"one-{seed}" for seed in range(12)] + self.kept("second")))
        summary = json.loads((self.folder / "second" / "summary.json").read_text())
        self.assertIn('"removed_known_before":4', json.dumps(summary).replace(" ", ""))

    def test_index_with_other_settings_is_refused_before_reading_pages(self):
        self.dedup(self.write("one.jsonl", pages_of(range(4), "one")), "first")
        crawl = self.write("two.jsonl", pages_of(range(4), "two"))
        said = self.dedup(crawl, "second", "--synonyms", "list", expect=support.USAGE).stderr
        self.assertIn("made with different settings", said)
        self.assertIn("synonyms=list/", said)
        work = self.folder / "second" / ".paraprint"
        self.assertFalse((work / "pages.log").exists())
        self.dedup(crawl, "second")  # succeeds: the refused run has left nothing in the folder
        self.assertEqual(len(self.removed("second")), 4)

    def test_repeated_run_gives_the_same_output(self):
        crawl = self.write("one.jsonl", pages_of(range(12), "one"))
        self.dedup(crawl, "first")
        before = support.output_files(self.folder / "first")
        self.dedup(crawl, "first")
        self.assertEqual(support.output_files(self.folder / "first"), before)
        self.assertEqual(len(self.pages_in_index()), 12)
        self.run_program("recluster", self.folder / "first", "--near", 0.8, "--quiet")

    def test_restarted_run_gives_the_same_output(self):
        self.dedup(self.write("one.jsonl", pages_of(range(8), "one")), "first")
        crawl = self.write("two.jsonl", pages_of(range(4, 16), "two"))
        self.dedup(crawl, "second")
        before = support.output_files(self.folder / "second")
        self.assertEqual(sorted(self.removed("second")), [f"two-{seed}" for seed in range(4, 8)])
        for _ in range(2):
            self.dedup(crawl, "second", "--restart")
            self.assertEqual(support.output_files(self.folder / "second"), before)
        # Settings may change: the pages are still those that this run has added.
        self.dedup(crawl, "second", "--restart", "--near", 0.7, "--remove-contained")
        self.assertEqual(sorted(self.removed("second")), [f"two-{seed}" for seed in range(4, 8)])
        self.assertEqual(len(self.pages_in_index()), 16)

    def test_an_index_has_many_paths(self):
        crawl = self.write("one.jsonl", pages_of(range(6), "one"))
        (self.folder / "link").symlink_to(self.folder / "known")
        (self.folder / "upper").symlink_to(self.folder)
        spellings = [f"{self.folder}/known/", f"{self.folder}//./known", f"{self.folder}/upper/known"]
        self.dedup(crawl, "first", index=spellings[0])
        before = support.output_files(self.folder / "first")
        stored = (self.folder / "first" / ".paraprint" / "known").read_bytes()
        spellings += [f"{self.folder}/link", f"{self.folder}/link/", os.path.relpath(self.folder / "known")]
        for index in spellings:
            for restart in [], ["--restart"]:
                with self.subTest(index=index, restart=restart):
                    self.dedup(crawl, "first", *restart, index=index)
                    self.assertEqual(support.output_files(self.folder / "first"), before)
                    self.assertEqual((self.folder / "first" / ".paraprint" / "known").read_bytes(), stored)

    def test_index_is_asked_again_with_other_settings(self):
        whole = json_line("whole", html_of(article(1) + article(2) + article(4)))
        edited = article(3)
        edited[2] = article(99)[0]
        self.dedup(self.write("one.jsonl", whole + json_line("before", html_of(article(3)))), "first")
        crawl = self.write("two.jsonl", json_line("part", html_of(article(1))) +
                           json_line("after", html_of(edited)) + pages_of(range(10, 14), "two"))
        self.dedup(crawl, "second", "--near", 0.95)
        self.assertEqual(self.removed("second"), {})
        self.dedup(crawl, "second", "--near", 0.95, "--remove-contained")
        self.assertEqual({name: row["verdict"] for name, row in self.removed("second").items()}, {"part": "contained"})
        self.dedup(crawl, "second", "--near", 0.5)
        self.assertEqual({name: row["kept_id"] for name, row in self.removed("second").items()}, {"after": "before"})
        self.dedup(crawl, "second", "--near", 0.95)
        self.assertEqual(self.removed("second"), {})
        # Settings that the answers do not depend on leave them as they are.
        stored = (self.folder / "second" / ".paraprint" / "known").stat().st_ino
        self.dedup(crawl, "second", "--near", 0.95, "--keep", "shortest", "--no-report")
        self.assertEqual((self.folder / "second" / ".paraprint" / "known").stat().st_ino, stored)

    def test_restarted_run_over_standard_input_gives_the_same_output(self):
        crawl = pages_of(range(6), "one")
        self.dedup("-", "first", stdin=crawl)
        before = support.output_files(self.folder / "first")
        self.dedup("-", "first", "--restart", stdin=crawl)
        self.assertEqual(support.output_files(self.folder / "first"), before)

    def test_pages_are_known_to_another_folder_and_to_other_inputs(self):
        crawl = self.write("one.jsonl", pages_of(range(6), "one"))
        self.dedup(crawl, "first")
        self.dedup(crawl, "second")
        self.assertEqual(len(self.removed("second")), 6)
        # The next crawl has the same ids, in the same folder: it is another run.
        self.dedup(self.write("two.jsonl", pages_of(range(8), "one")), "first", "--restart")
        self.assertEqual(sorted(self.removed("first")), [f"one-{seed}" for seed in range(6)])

    def test_killed_runs_resume_and_add_nothing_twice(self):
        moments = random.Random(7)
        self.dedup(self.write("one.jsonl", pages_of(range(40), "one")), "first")
        crawl = self.write("two.jsonl", pages_of(range(30, 150), "two"))
        command = [support.program, "dedup", crawl, "--out", str(self.folder / "second"), "--index",
                   str(self.folder / "known"), "--quiet"]
        for _ in range(8):
            with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
                time.sleep(moments.uniform(0.05, 0.9))
                process.kill()
        self.dedup(crawl, "second")
        self.assertEqual(sorted(self.removed("second")), sorted(f"two-{seed}" for seed in range(30, 40)))
        pages = self.pages_in_index()
        self.assertEqual(len(pages), 150)
        verified = self.run_program("index", "verify", "--data", self.folder / "known")
        self.assertEqual(json.loads(verified.stdout)["texts"], 150)


if __name__ == "__main__":
    support.main()
