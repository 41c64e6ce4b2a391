#!/usr/bin/env python3
"""The configuration file: what it can say, and the place of each mistake. Standard library only."""
import json
import subprocess

import support
from support import USAGE, ProgramTest, article, html_of, json_line


class Configuration(ProgramTest):
    def setUp(self):
        super().setUp()
        self.pages = self.write("pages.jsonl", json_line("one", html_of(article(1))) +
                                json_line("two", html_of(article(1))))

    def settings(self, text, *arguments):
        """The settings of a run with this file."""
        out = self.folder / "out"
        self.run_program("dedup", self.pages, "--out", out, "--restart", "--config", self.write("run.toml", text),
                         *arguments)
        return json.loads((out / "summary.json").read_text())["settings"]

    def test_values(self):
        found = self.settings("""# A comment

[dedup]   # the command
near = 0.7
keep = "earliest,shortest-url"   # a list in one value
prefer-host = ["one.example", 'two.example',   # an array over several lines
               # with a comment of its own
               "three.example",
]
remove-contained = true
extractor = 'weighted-dom'
date-field = "a # that is no comment, \\"quoted\\", \\\\ and \\t"
memory=1GB
""")
        self.assertEqual((found["near"], found["keep"], found["extractor"]),
                         (0.7, "earliest,shortest-url", "weighted-dom"))
        self.assertEqual(found["prefer_host"], "one.example,two.example,three.example")
        self.assertIs(found["remove_contained"], True)
        self.assertEqual(found["date_field"], 'a # that is no comment, "quoted", \\ and \t')

    def test_byte_order_mark(self):
        self.assertEqual(self.settings("\ufeff[dedup]\nnear = 0.7\n")["near"], 0.7)
        self.refuse("[dedup]\n\ufeffnear = 0.7\n", "2: '\ufeffnear' is not a key")

    def test_windows_line_ends(self):
        self.assertEqual(self.settings('[dedup]\r\nkeep = "earliest"\r\nnear = 0.7\r\n')["near"], 0.7)

    def test_the_command_line_takes_precedence(self):
        self.assertEqual(self.settings("[dedup]\nnear = 0.7\n", "--near", "0.9")["near"], 0.9)
        text = "[dedup]\nreport = false\n"
        self.settings(text)
        self.assertFalse((self.folder / "out" / "report").exists())
        self.settings(text, "--report")
        self.assertTrue((self.folder / "out" / "report").exists())

    def test_sections_of_other_commands_are_checked_too(self):
        text = "[serve]\nport = 1\n[index.add]\nall = true\n[dedup]\nnear = 0.7\n"
        self.assertEqual(self.settings(text)["near"], 0.7)
        self.refuse("[dedup]\nnear = 0.7\n[serve]\nport = 70000\n", "4: port is ")

    def refuse(self, text, said):
        config = self.write("wrong.toml", text)
        finished = self.run_program("dedup", self.pages, "--out", self.folder / "refused", "--config", config,
                                    expect=USAGE)
        self.assertIn(f"paraprint: {config}:{said}", finished.stderr)
        self.assertEqual(finished.stdout, "")
        self.assertFalse((self.folder / "refused").exists())

    def test_mistakes_are_placed(self):
        for text, said in (
                ("[dedup]\n\nnaer = 0.7\n", "3: [dedup] has no option 'naer'; did you mean 'near'?"),
                ("[dedup]\nmin_characters = 7\n",
                 "2: [dedup] has no option 'min_characters'; did you mean 'min-characters'?"),
                ("# none\nnear = 0.7\n", "2: 'near' is not in a section; begin with the name of a command"),
                ("[dedpu]\nnear = 0.7\n", "1: there is no command 'dedpu'; did you mean 'dedup'?"),
                ("[index.ad]\n", "1: there is no command 'ad'; did you mean 'add'?"),
                ("[nothing-like-it]\n", "1: there is no command 'nothing-like-it'\n"),
                ("[dedup]\nnear = 2\n", "2: near is 2; it must be in (0, 1]"),
                ("[dedup]\nnear = often\n", "2: near is 'often'"),
                ("[dedup]\nreport = maybe\n", "2: report is 'maybe'; it must be true or false"),
                ("[dedup]\nnear = [0.7, 0.8]\n", "2: 'near' takes one value, not 2"),
                ("[dedup]\nnear = 0.7\n\nnear = 0.8\n", "4: 'near' was already given in line 2"),
                ("[dedup]\nnear\n", "2: 'near' has no value; write it like port = 8710"),
                ("[dedup]\nnear =  # later\n", "2: 'near' has no value"),
                ("[dedup\nnear = 0.7\n", "1: '[dedup' has no closing bracket"),
                ("[de dup]\n", "1: '[de dup]' is not a section"),
                ("[dedup]\nkeep = earliest first\n", "2: unexpected 'first'; put text with spaces in quotes"),
                ("[dedup]\nkeep = \"earliest\n", "2: the closing quote is missing"),
                ("[dedup]\nkeep = 'earliest\n", "2: the closing quote is missing"),
                ("[dedup]\nkeep = \"a\\d\"\n", "2: unknown escape"),
                ("[dedup]\nprefer-host = [\"a\"\n\"b\"]\n", "3: expected ',' or ']' in the array"),
                ("[dedup]\nprefer-host = [\"a\",\n", "2: the array has no closing bracket"),
                ("[dedup]\nnear = {a = 1}\n", "2: tables within braces are not supported"),
                ("[dedup]\nquiet = true\n", "2: 'quiet' can only be given on the command line"),
                ("[dedup]\ne\\x = 1\n", "2: 'e\\x' is not a key"),
                ("[dedup]\nkeep = \"earliest\0\"\n", "2: the file contains a zero byte"),
        ):
            with self.subTest(text):
                self.refuse(text, said)

    def test_files_that_cannot_be_read(self):
        for path, reason in ((self.folder / "missing.toml", "No such file"), (self.folder, "not a regular file")):
            finished = self.run_program("--config", path, "dedup", self.pages, "--out", self.folder / "out",
                                        expect=USAGE)
            self.assertIn(f"cannot read the configuration file {path}: {reason}", finished.stderr)

    def test_any_bytes_end_in_order(self):
        writer = support.Writer(7)
        alphabet = "[]=\"'#,\\\n \t{}.dedup near0.7\x00\x80é"
        for _ in range(200):
            text = "[dedup]\n" + "".join(writer.random.choice(alphabet) for _ in range(writer.random.randint(1, 60)))
            config = self.write("any.toml", text.encode("utf-8", "replace"))
            finished = subprocess.run([support.program, "algorithms", "--config", config], capture_output=True,
                                      timeout=support.RUN_LIMIT_SECONDS)
            self.assertIn(finished.returncode, (support.SUCCESS, USAGE), text)
            if finished.returncode == USAGE:
                self.assertIn(b"any.toml:", finished.stderr)


if __name__ == "__main__":
    support.main()
