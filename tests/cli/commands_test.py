#!/usr/bin/env python3
"""The command line: help, exit codes, standard streams, configuration, and repeated runs.

usage: commands_test.py PARAPRINT [unittest arguments]
Standard library only.
"""
import html.parser
import json
import os
import re
import resource
import shutil
import subprocess
import unittest

import support
from support import ProgramTest, article, html_of, json_line, member, output_files, page_record

COMMANDS = ("dedup", "recluster", "extract", "profile", "compare", "version")
EXTRACTORS = ("learned-dom", "weighted-dom", "whole-page")
ARTICLES = 30


def crawl_lines():
    """Articles, some with an exact copy, an edited copy or an excerpt."""
    lines = []
    for n in range(ARTICLES):
        text = article(n)
        lines.append(json_line(f"a{n:02}", html_of(text), f"https://one.example/{n}", "2024-01-01T00:00:00Z"))
        if n % 3 == 0:
            lines.append(json_line(f"same{n:02}", html_of(text), f"http://two.example/{n}", "2023-01-01T00:00:00Z"))
        if n % 4 == 0:
            edited = text[2:] + ["Edited " + text[0]] + text[1:2]
            lines.append(json_line(f"near{n:02}", html_of(edited), f"https://three.example/{n}",
                                   "2024-02-01T00:00:00Z"))
        if n % 5 == 0:
            lines.append(json_line(f"part{n:02}", html_of(text[:2]), f"https://four.example/{n}"))
    return lines


class Commands(ProgramTest):
    def setUp(self):
        super().setUp()
        self.lines = crawl_lines()
        self.crawl = self.write("crawl.jsonl", b"".join(self.lines))
        self.out = self.folder / "out"

    def dedup(self, *options, out=None, **how):
        return self.run_program("dedup", self.crawl, "--out", out or self.out, *options, **how)

    # -- help and exit codes

    def test_help_of_every_command_has_examples(self):
        self.assertIn("Exit codes", self.run_program("--help").stdout)
        for command in COMMANDS:
            with self.subTest(command):
                finished = self.run_program(command, "--help")
                self.assertRegex(finished.stdout, rf"Examples?:\s+paraprint {command}\b")
                self.assertEqual(finished.stderr, "")

    def test_help_names_every_command_and_default(self):
        general = self.run_program("--help").stdout
        for command in COMMANDS:
            self.assertIn(command, general)
        dedup = self.run_program("dedup", "--help").stdout
        for option, default in (("--near", "0.55"), ("--keep", "longest"), ("--extractor", "learned-dom")):
            self.assertRegex(dedup, rf"{option} [A-Z]+={re.escape(default)}\s")

    def test_version(self):
        number = self.run_program("--version").stdout.strip()
        self.assertRegex(number, r"^\d+\.\d+\.\d+$")
        self.assertIn(f"paraprint {number}", self.run_program("version").stdout)

    def test_invalid_command_lines_exit_with_2_and_a_reason(self):
        missing = self.folder / "missing.jsonl"
        cases = (
            (("dedup", self.crawl, "--out", self.out, "--no-such-option"), "--no-such-option"),
            (("dedup", self.crawl), "(out)"),
            (("dedup", "--out", self.out), "input"),
            (("dedup", missing, "--out", self.out), str(missing)),
            (("dedup", self.crawl, "--out", self.out, "--near", "1.5"), "near is 1.5"),
            (("dedup", self.crawl, "--out", self.out, "--near", "half"), "near is 'half'"),
            (("dedup", self.crawl, "--out", self.out, "--keep", "prettiest"), "longest"),
            (("dedup", self.crawl, "--out", self.out, "--clusters", "comet"), "star, connected"),
            (("dedup", self.crawl, "--out", self.out, "--memory", "1MB"), "64 MiB"),
            (("dedup", self.crawl, "--out", self.out, "--status", "20x-900000"), "status is"),
            (("dedup", self.crawl, "-", "--out", self.out), "standard input"),
            (("extract",), "input"),
            (("extract", missing), str(missing)),
            (("profile", missing), str(missing)),
            (("compare", self.crawl), "b"),
            (("compare", missing, self.crawl), str(missing)),
            (("compare", self.crawl, self.crawl, self.crawl), "not expected"),
            (("extract", self.crawl, "--threads", "5000"), "threads is 5000; it must be 0 to 1024"),
            (("index", "find", "--data", "known", self.crawl, "--matches", "0"),
             "matches is 0; it must be 1 to 1000000"),
            (("index", "find", self.crawl), "--data"),
            (("index", "add", "--data", "known"), "input"),
            (("index", "add", "--data", "known", self.crawl, "--sync", "never"),
             "sync is 'never'; it must be one of always, interval, none"),
            (("index", "expire", "--data", "known", "--days", "-1"), "days is -1; it must be 0 to 36500"),
            (("index", "expire", "--data", "known", "--before", "noon"), "before is 'noon'"),
            (("index", "delete", "--data", "known"), "ids"),
            (("index", "backup", "--data", "known"), "--to"),
            (("topics", "info", "one", "two"), "not expected"),
            (("topics", "show", "model", "--words", "0"), "words is 0; it must be 1 to 1000"),
            (("vectors", "neighbours", "model", "word", "--count", "1001"), "count is 1001; it must be 1 to 1000"),
            (("vectors", "import", "file", "--out", "model", "--format", "gloves"),
             "format is 'gloves'; it must be one of auto, word2vec, word2vec-text, glove, fasttext"),
            (("recluster", self.folder / "no-run"), "no finished run"),
            (("--config", missing, "dedup", self.crawl, "--out", self.out), str(missing)),
            (("no-such-command",), "no-such-command"),
            ((), "ubcommand"),
        )
        for arguments, said in cases:
            with self.subTest(" ".join(map(str, arguments))):
                finished = self.run_program(*arguments, expect=support.USAGE)
                self.assertIn(said, finished.stderr)
                self.assertEqual(finished.stdout, "")
                self.assertFalse((self.out / "summary.json").exists())

    def test_arguments_may_follow_the_value_of_an_option(self):
        before = self.run_program("extract", self.crawl, "--id-field", "id", "--threads", "1").stdout
        self.assertEqual(self.run_program("extract", "--threads", "1", "--id-field", "id", self.crawl).stdout, before)
        self.assertEqual(self.run_program("extract", "--threads", "1", "--input", self.crawl).stdout, before)
        same = self.run_program("compare", "--near", "0.5", self.crawl, "--json", "--no-colour", self.crawl).stdout
        self.assertEqual(json.loads(same)["verdict"], "same")

    def test_fingerprints_of_other_algorithms_are_printed(self):
        for name, values, is_weighted in (("simhash-64", 1, False), ("digest-text", 2, False), ("scam", None, True)):
            printed = self.run_program("profile", self.crawl, "--algorithm", name).stdout.splitlines()
            fingerprint = json.loads(printed[0])["fingerprint"]
            self.assertEqual(fingerprint["state"], "usable")
            self.assertTrue(all(re.fullmatch("[0-9a-f]{16}", value) for value in fingerprint["values"]), name)
            self.assertEqual(len(fingerprint["values"]), values or len(fingerprint["weights"]))
            self.assertEqual("weights" in fingerprint, is_weighted)

    def test_unknown_extractor_lists_the_known_ones(self):
        for arguments in (("dedup", self.crawl, "--out", self.out), ("extract", self.crawl), ("profile", self.crawl),
                          ("compare", self.crawl, self.crawl)):
            with self.subTest(arguments[0]):
                finished = self.run_program(*arguments, "--extractor", "guess", expect=support.USAGE)
                for name in (*EXTRACTORS, "guess"):
                    self.assertIn(name, finished.stderr)

    def test_unwritable_output_is_a_failure(self):
        with open("/dev/full", "wb") as full:
            for command in (["extract", self.crawl], ["profile", self.crawl], ["compare", self.crawl, self.crawl],
                            ["algorithms"], ["algorithms", "--json"], ["simulate", "--list-edits"], ["version"],
                            ["dedup", "--help"]):
                finished = subprocess.run([support.program, *command], stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(finished.returncode, support.FAILURE, command)
                reason = b"" if "--help" in command else b": No space left on device"
                self.assertIn(b"standard output" + reason, finished.stderr)
        self.run_program("version", prepare=lambda: os.close(1), expect=support.FAILURE)
        finished = self.run_program("compare", self.crawl, self.crawl, "--html", self.folder / "no/folder.html",
                                    expect=support.FAILURE)
        self.assertIn("no/folder.html", finished.stderr)

    def test_closed_standard_error_does_not_end_the_run(self):
        self.dedup()
        for name, spoil in (("full", lambda: os.dup2(os.open("/dev/full", os.O_WRONLY), 2)),
                            ("closed", lambda: os.close(2)), ("all-closed", lambda: os.closerange(0, 3))):
            self.dedup(out=self.folder / name, prepare=spoil)
            self.assert_same_output(self.out, self.folder / name)

    def test_full_disk_exits_with_4_and_the_same_command_resumes(self):
        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))

        finished = self.dedup(expect=support.NO_SPACE_LEFT, prepare=limit_files)
        self.assertIn(str(self.out), finished.stderr)
        self.dedup()
        self.dedup(out=self.folder / "fresh")
        self.assert_same_output(self.out, self.folder / "fresh")

    # -- standard streams

    def test_extract_reads_standard_input_and_prints_json_lines_only(self):
        broken = self.write("broken.jsonl", b"".join(self.lines[:3]) + b"{broken\n" + self.lines[3])
        with open(broken, "rb") as lines:
            finished = self.run_program("extract", "-", stdin=lines.read())
        pages = [json.loads(line) for line in finished.stdout.splitlines()]
        self.assertEqual([page["id"] for page in pages], [json.loads(line)["id"] for line in self.lines[:4]])
        self.assertEqual(pages[0]["text"].split("\n"), article(0))
        self.assertEqual(set(pages[0]), {"id", "url", "text", "language"})
        self.assertIn("bad-json", finished.stderr)
        self.assertEqual(self.run_program("extract", "--quiet", "-", stdin=b"{broken\n" + self.lines[0]).stderr, "")

    def test_extract_prints_the_same_with_any_number_of_threads(self):
        one = self.run_program("extract", self.crawl, "--threads", "1").stdout
        self.assertEqual(one, self.run_program("extract", self.crawl, "--threads", "5").stdout)
        self.assertEqual(one.count("\n"), len(self.lines))

    def test_extract_text_of_a_page_and_of_a_record(self):
        text = "\n".join(article(3)) + "\n"
        page = self.write("page.html", html_of(article(3)))
        record = page_record("x", "https://one.example/", html_of(article(3)).encode())
        for path in (page, self.write("one.warc.gz", member(record)), self.write("one.warc", record)):
            self.assertEqual(self.run_program("extract", "--text", path).stdout, text)
            self.assertEqual(self.run_program("extract", "--format", "text", path).stdout, text)

    def test_extract_markdown_and_metadata(self):
        page = self.write("marked.html", "<html lang='en-GB'><title>Harbour</title><meta name=author content='Ada'>"
                          "<link rel=canonical href='https://one.example/harbour'><h1>Harbour</h1>"
                          "<p>The harbour <b>froze</b> twice last winter, and the ferries stayed where they were. See "
                          "<a href='https://one.example/log'>the log</a> of <a href='javascript:x'>those days</a>.")
        self.assertEqual(self.run_program("extract", "--format", "markdown", page).stdout,
                         "# Harbour\n\nThe harbour **froze** twice last winter, and the ferries stayed where they "
                         "were. See [the log](https://one.example/log) of those days.\n")
        found = json.loads(self.run_program("extract", page).stdout)
        self.assertEqual({name: found[name] for name in ("language", "declared_language", "author", "canonical_url")},
                         {"language": "en", "declared_language": "en", "author": "Ada",
                          "canonical_url": "https://one.example/harbour"})
        self.assertNotIn("date_published", found)

    def test_commands_escape_control_characters_on_a_terminal_only(self):
        hostile = "\x1b]0;title\x07 and \x9b31m red \u202edesrever\u2066 \u200fmark"
        page = self.write("page.html", html_of([article(3)[0] + hostile, *article(3)[1:]], '<meta charset="utf-8">'))
        self.assertIn(hostile, self.run_program("extract", "--text", page).stdout)
        self.assertIn("\x9b31m red", self.run_program("extract", page).stdout)
        self.assertIn("\\x1B]0;title\\x07 and \\xC2\\x9B31m red \\xE2\\x80\\xAEdesrever\\xE2\\x81\\xA6 \u200fmark",
                      self.shown_on_a_terminal("extract", "--text", page))
        for command in (["extract", page], ["compare", page, page], ["compare", "--json", page, page]):
            shown = self.shown_on_a_terminal(*command)
            self.assertIn("31m red", shown)
            self.assertNotIn("\x9b31m red", shown, command)
            self.assertNotIn("\x1b]0;title", shown, command)
            self.assertNotRegex(shown, "[\u202a-\u202e\u2066-\u2069]", command)

    def shown_on_a_terminal(self, *command):
        controller, terminal = os.openpty()
        running = subprocess.Popen([support.program, *map(str, command)], stdout=terminal)
        os.close(terminal)
        shown = b""
        try:
            while piece := os.read(controller, 65536):
                shown += piece
        except OSError:  # how Linux reports that the program has closed its side
            pass
        os.close(controller)
        self.assertEqual(running.wait(), support.SUCCESS)
        return shown.decode()

    def test_dedup_of_standard_input_equals_dedup_of_the_file(self):
        self.dedup("--no-report")
        other = self.folder / "piped"
        self.run_program("dedup", "-", "--out", other, "--no-report", stdin=b"".join(self.lines))
        for name in ("clusters.tsv", "matches.tsv", "matches.jsonl"):
            self.assertEqual((self.out / name).read_bytes(), (other / name).read_bytes(), name)
        kept = [path.read_bytes() for path in sorted((other / "records").iterdir())]
        self.assertEqual(kept, [(self.out / "records" / "crawl.jsonl").read_bytes()])

    def test_standard_input_that_is_not_the_copied_one_is_refused(self):
        def run(lines, out=self.out, **options):
            return self.run_program("dedup", "-", "--out", out, "--no-report", stdin=b"".join(lines), **options)
        run(self.lines)
        first = (self.out / "clusters.tsv").read_bytes()
        for others in (self.lines[1:], self.lines[:-1], self.lines + self.lines[:1]):
            message = run(others, expect=support.USAGE).stderr
            self.assertIn(str(self.out), message)
            self.assertIn("--restart", message)
        for same in (self.lines, []):
            run(same)
            self.assertEqual((self.out / "clusters.tsv").read_bytes(), first)
        self.run_program("recluster", self.out, "--no-report", stdin=b"other lines")
        self.run_program("dedup", "-", "--out", self.out, "--no-report", "--restart", stdin=self.lines[0])
        self.assertEqual((self.out / "clusters.tsv").read_bytes().count(b"\n"), 1)

    def test_pipes_are_rejected_where_input_is_read_twice_and_read_elsewhere(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        finished = self.run_program("dedup", pipe, "--out", self.out, expect=support.USAGE)
        self.assertIn(str(pipe), finished.stderr)
        self.assertIn("standard input", finished.stderr)
        with subprocess.Popen(["cp", self.crawl, str(pipe)]):
            finished = self.run_program("extract", pipe)
        self.assertEqual(finished.stdout.count("\n"), len(self.lines))

    def test_dedup_prints_nothing_on_standard_output(self):
        self.assertEqual(self.dedup().stdout, "")
        again = self.dedup("--quiet", out=self.folder / "quiet")
        self.assertEqual((again.stdout, again.stderr), ("", ""))

    def test_closed_output_pipe_is_not_a_crash(self):
        reading = subprocess.Popen([support.program, "extract", self.crawl], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        reading.stdout.close()
        message = reading.stderr.read()
        reading.stderr.close()
        self.assertEqual(reading.wait(timeout=60), support.FAILURE, message)

    # -- profile and compare

    def test_profiles_are_stable_and_complete(self):
        one = self.run_program("profile", self.crawl).stdout
        self.assertEqual(one, self.run_program("profile", self.crawl, "--threads", "3").stdout)
        profiles = {page["id"]: page for page in map(json.loads, one.splitlines())}
        self.assertEqual(len(profiles), len(self.lines))
        first, copy, other = profiles["a00"], profiles["same00"], profiles["a01"]
        self.assertEqual(first["text_hash"], copy["text_hash"])
        self.assertEqual(first["paragraphs"], copy["paragraphs"])
        self.assertNotEqual(first["text_hash"], other["text_hash"])
        self.assertEqual(len(first["paragraphs"]), len(article(0)))
        self.assertTrue(all(re.fullmatch("[0-9a-f]{32}", row["simhash"]) for row in first["paragraphs"]))
        self.assertTrue(first["anchors"])
        self.assertIn("extractor=learned-dom", first["settings"])

    def test_compare_in_three_formats(self):
        text = article(5)
        a = self.write("a.html", html_of(text))
        b = self.write("b.html", html_of(text[1:] + [text[0].replace(" ", " inserted ", 1)]))
        c = self.write("c.html", html_of(article(6)))
        told = self.run_program("compare", a, b).stdout
        self.assertIn("near", told)
        self.assertNotIn("\033", told)
        pair = json.loads(self.run_program("compare", a, b, "--json").stdout)
        self.assertEqual(pair["verdict"], "near")
        self.assertGreater(pair["resemblance"], 0.9)
        self.assertGreaterEqual(len(pair["passages"]), 5)
        self.assertEqual(json.loads(self.run_program("compare", a, c, "--json").stdout)["verdict"], "distinct")
        self.assertEqual(json.loads(self.run_program("compare", a, a, "--json").stdout)["verdict"], "same")
        page = self.folder / "pair.html"
        self.assertEqual(self.run_program("compare", a, b, "--html", page).stdout, "")
        shown = page.read_text(encoding="utf-8")
        html.parser.HTMLParser().feed(shown)
        self.assertTrue(shown.startswith("<!DOCTYPE html>") or shown.startswith("<!doctype html>"))
        self.assertIn("inserted", shown)
        self.assertNotRegex(shown, r"(?:src|href)=[\"']?(?:https?:)?//")  # nothing from the network

    def test_compare_replaces_its_page_as_a_whole(self):
        a = self.write("a.html", html_of(article(5)))
        earlier = self.folder / "earlier.html"
        page = self.folder / "page.html"
        earlier.write_text("An earlier page")
        os.link(earlier, page)
        (self.folder / "link.html").symlink_to("page.html")
        self.run_program("compare", a, a, "--html", self.folder / "link.html")
        shown = page.read_text(encoding="utf-8")
        self.assertIn("</html>", shown)
        self.assertEqual(earlier.read_text(), "An earlier page")  # the old bytes were not overwritten
        self.assertTrue((self.folder / "link.html").is_symlink())
        self.assertEqual(self.run_program("compare", a, a, "--html", "/dev/stdout").stdout, shown)
        # With no room for it, the page stays as it is.
        size = page.stat().st_size
        self.run_program("compare", a, a, "--html", page, expect=support.NO_SPACE_LEFT,
                         prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, size // 2)))
        self.assertEqual(page.read_text(encoding="utf-8"), shown)

    def test_compare_reads_one_side_from_standard_input(self):
        a = self.write("a.html", html_of(article(5)))
        pair = self.run_program("compare", a, "-", "--json", stdin=html_of(article(5)).encode()).stdout
        self.assertEqual(json.loads(pair)["verdict"], "same")

    # -- configuration, repetition, recluster

    def test_configuration_file_equals_flags(self):
        flags = ("--near", "0.7", "--keep", "earliest", "--prefer-host", "three.example,two.example",
                 "--remove-contained", "--extractor", "weighted-dom", "--no-report")
        self.dedup(*flags)
        config = self.write("run.toml", f"""
[dedup]
near = 0.7
keep = "earliest"
prefer-host = ["three.example", "two.example"]
remove-contained = true
extractor = "weighted-dom"
report = false
out = "{self.folder}/configured"
""")
        self.run_program("--config", config, "dedup", self.crawl)
        self.assert_same_output(self.out, self.folder / "configured")
        shutil.rmtree(self.folder / "configured")
        self.run_program("dedup", self.crawl, "--config", config)
        self.assert_same_output(self.out, self.folder / "configured")
        # A flag takes precedence over the file.
        self.run_program("--config", config, "dedup", self.crawl, "--near", "0.9", "--out", self.folder / "flag")
        settings = json.loads((self.folder / "flag" / "summary.json").read_text())["settings"]
        self.assertEqual((settings["near"], settings["keep"]), (0.9, "earliest"))

    def test_configuration_with_an_unknown_name_is_rejected(self):
        config = self.write("run.toml", "[dedup]\nnaer = 0.7\n")
        finished = self.run_program("--config", config, "dedup", self.crawl, "--out", self.out, expect=support.USAGE)
        self.assertIn("naer", finished.stderr)

    def test_running_twice_changes_nothing(self):
        self.dedup()
        before = output_files(self.out)
        self.dedup()
        self.assertEqual(before.keys(), output_files(self.out).keys())
        self.assertFalse([name for name, content in output_files(self.out).items() if before[name] != content])

    def test_recluster_equals_a_fresh_run(self):
        changes = ("--near", "0.9", "--containment", "0.3", "--keep", "earliest", "--remove-contained")
        self.dedup()
        first = output_files(self.out)
        self.run_program("recluster", self.out, *changes)
        self.dedup(*changes, out=self.folder / "fresh")
        self.assert_reclustered(self.out, self.folder / "fresh")
        self.assertNotEqual(first["removed.jsonl"], output_files(self.out)["removed.jsonl"])
        self.dedup(*changes, "--clusters", "connected", out=self.folder / "chained")
        self.run_program("recluster", self.out, *changes, "--clusters", "connected")
        self.assert_reclustered(self.out, self.folder / "chained")

    def assert_reclustered(self, out, fresh):
        """Asserts that the outputs differ only in the name of the command that wrote them."""
        self.assertEqual(json.loads((out / "summary.json").read_text(encoding="utf-8"))["command"], "recluster")
        for name in ("summary.json", "report/index.html"):
            text = (out / name).read_text(encoding="utf-8")
            (out / name).write_text(text.replace("recluster", "dedup"), encoding="utf-8")
        self.assert_same_output(out, fresh)

    def test_algorithms_can_run_without_paragraphs(self):
        other, bare = self.folder / "with", self.folder / "without"
        flags = ("--algorithm", "minhash:unit=characters", "--no-evidence", "--no-report")
        self.dedup(*flags, out=other)
        self.dedup(*flags, "--no-paragraphs", out=bare)
        tables = ("clusters.tsv", "matches.tsv", "removed.jsonl")
        self.assertEqual([output_files(other)[name] for name in tables], [output_files(bare)[name] for name in tables])
        before = output_files(bare)
        self.run_program("recluster", bare)  # without paragraphs, like the run
        self.assertEqual([before[name] for name in tables], [output_files(bare)[name] for name in tables])
        for arguments, words in ((("--no-paragraphs", "--no-evidence", "--no-report"), "compares paragraphs"),
                                 ((*flags[:2], "--no-paragraphs", "--no-report"), "turn both off"),
                                 ((*flags[:2], "--no-paragraphs", "--no-evidence"), "turn both off")):
            with self.subTest(arguments):
                told = self.dedup(*arguments, out=self.folder / "none", expect=support.USAGE)
                self.assertIn(words, told.stderr)
        self.run_program("recluster", bare, "--evidence", expect=support.USAGE)

    def test_options_of_records_need_records(self):
        for option in (("--cdx", "cdxj"), ("--revisits",), ("--payloads",)):
            with self.subTest(option):
                finished = self.dedup("--no-records", *option, out=self.folder / "none", expect=support.USAGE)
                self.assertIn(option[0].strip("-"), finished.stderr)
                self.assertIn("records is off", finished.stderr)

    def test_recluster_rejects_settings_that_need_a_new_run(self):
        self.dedup("--no-report")
        for option in (("--extractor", "whole-page"), ("--near", "7"), ("--no-such-option",)):
            with self.subTest(option):
                self.run_program("recluster", self.out, *option, expect=support.USAGE)

    def test_reports_and_records_only_on_request(self):
        self.dedup("--no-report", "--no-records", "--no-evidence")
        self.assertEqual(sorted(output_files(self.out)),
                         ["clusters.tsv", "matches.tsv", "removed.jsonl", "summary.json"])

    # -- folders

    def test_output_folder_that_contains_the_input_is_rejected(self):
        inside = self.write("out/crawl.jsonl", b"".join(self.lines))
        finished = self.run_program("dedup", inside, "--out", self.out, expect=support.USAGE)
        self.assertIn("output folder", finished.stderr)
        self.assertIn(inside, finished.stderr)
        self.assertFalse((self.out / ".paraprint").exists())

    def test_missing_input_leaves_no_output_folder(self):
        self.run_program("dedup", self.folder / "nothing", "--out", self.out, expect=support.USAGE)
        self.assertFalse(self.out.exists())

    def test_help_shows_switches_by_their_effect(self):
        text = self.run_program("dedup", "--help").stdout
        self.assertRegex(text, r"--\[no-\]report \(on\) +Write")
        self.assertRegex(text, r"--revisits  +WARC")
        self.assertNotIn("{false}", text)

    def test_output_folder_inside_the_input_folder(self):
        """Rejected, because a second run would read the first one's output."""
        crawl = self.folder / "crawl"
        crawl.mkdir()
        os.rename(self.crawl, crawl / "crawl.jsonl")
        for _ in range(2):
            finished = self.run_program("dedup", crawl, "--out", crawl / "out", expect=support.USAGE)
            self.assertIn("output folder", finished.stderr)

    def test_folder_of_another_run_is_rejected_without_restart(self):
        self.dedup("--no-report")
        other = self.write("other.jsonl", b"".join(self.lines[:10]))
        finished = self.run_program("dedup", other, "--out", self.out, "--no-report", expect=support.USAGE)
        self.assertIn("--restart", finished.stderr)
        self.run_program("dedup", other, "--out", self.out, "--no-report", "--restart")
        self.run_program("dedup", other, "--out", self.folder / "fresh", "--no-report")
        self.assertEqual((self.out / "clusters.tsv").read_bytes(), (self.folder / "fresh/clusters.tsv").read_bytes())


if __name__ == "__main__":
    support.main()
