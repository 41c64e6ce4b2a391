#!/usr/bin/env python3
"""`paraprint recluster`: the options that a run stored, and what may replace them. That it gives what a fresh run gives
is tested in commands_test.py.

usage: recluster_test.py PARAPRINT [unittest arguments]
Standard library only.
"""
import support
from support import ProgramTest, article, html_of, json_line, output_files


class Recluster(ProgramTest):
    def setUp(self):
        super().setUp()
        self.crawl = self.write("crawl.jsonl", b"".join(
            json_line(f"{copy}{n}", html_of(article(n)[:4 - copy]), f"https://{host}.example/{n}")
            for n in range(8) for copy, host in enumerate(("one", "two"))))
        self.out = self.folder / "out"

    def dedup(self, *options):
        self.run_program("dedup", self.crawl, "--out", self.out, *options)

    def test_recluster_changes_its_own_run_only(self):
        self.dedup("--no-report")
        before = output_files(self.out)
        config = self.write("run.toml", "[dedup]\nnear = 0.9\n")
        other = self.folder / "other"
        for flags, named in ((("--out", other), "--out"), ((f"--out={other}",), "--out"),
                             (("--restart",), "--restart"), (("--no-restart",), "--restart"),
                             (("--input", self.crawl), "another input"), ((self.crawl,), "another input"),
                             (("--config", config), "--config")):
            with self.subTest(flags):
                finished = self.run_program("recluster", self.out, "--near", "0.9", *flags, expect=support.USAGE)
                self.assertIn(named, finished.stderr)
        self.assertEqual(output_files(self.out), before)
        self.assertFalse((self.folder / "other").exists())

    def test_stored_options_are_those_of_the_run(self):
        """Whatever text they have, so that a recluster without options changes nothing."""
        odd = 'a "date" # no comment, \\ and \ta\nb\r\x01 \'c\' [d], é'
        flags = ("--date-field", odd, "--id-field", "id", "--prefer-host", "one.example,#two.example", "--prefer-host",
                 "three.example", "--near", "0.7", "--no-report", "--status", "200,300-399", "--memory", "1GB")
        self.dedup(*flags)
        before = output_files(self.out)
        self.run_program("recluster", self.out)
        self.assert_reclustered_as(before)

    def assert_reclustered_as(self, before):
        after = output_files(self.out)
        after["summary.json"] = after["summary.json"].replace(b'"recluster"', b'"dedup"')
        self.assertEqual(after, before)

    def test_damaged_options_are_refused(self):
        self.dedup("--near", "0.7", "--no-report")
        path = self.out / ".paraprint/options.toml"
        whole = path.read_bytes()
        lines = whole.splitlines(keepends=True)
        damaged = [whole[:size] for size in (0, 1, len(whole) // 2, len(whole) - 1)]
        damaged += [b"".join(lines[:-1]), b"".join(lines[:-2] + lines[-1:]), b"".join(lines[:4]), bytes(len(whole)),
                    whole.replace(b"near = 0.7\n", b""), whole + b"near = 0.9\n"]
        for content in damaged:
            with self.subTest(content[-50:]):
                path.write_bytes(content)
                finished = self.run_program("recluster", self.out, expect=support.USAGE)
                self.assertIn("options.toml", finished.stderr)
        path.write_bytes(whole)
        before = output_files(self.out)
        self.run_program("recluster", self.out)
        self.assert_reclustered_as(before)

    def test_options_of_earlier_versions_are_read(self):
        """Without first and last line, and with what only their command line took."""
        self.dedup("--near", "0.7", "--no-report", "--prefer-host", "one.example,two.example")
        before = output_files(self.out)
        path = self.out / ".paraprint/options.toml"
        lines = [line.replace(" = ", "=") for line in path.read_text().splitlines() if not line.startswith("#")]
        path.write_text("\n".join([*lines, "quiet=true", ""]))
        self.run_program("recluster", self.out)
        self.assert_reclustered_as(before)
        path.write_text("\n".join([*lines[:len(lines) // 2], ""]))
        finished = self.run_program("recluster", self.out, expect=support.USAGE)
        self.assertIn("options.toml: the file is damaged", finished.stderr)

    def test_recluster_of_a_damaged_log(self):
        self.dedup("--no-report")
        path = self.out / ".paraprint/pages.log"
        whole = path.read_bytes()
        middle = len(whole) // 2
        for content in (whole[:20] + b"\xff" + whole[21:], whole[:middle] + bytes([whole[middle] ^ 255])
                        + whole[middle + 1:], whole[:-10], bytes(len(whole)), b""):
            with self.subTest(content[:30]):
                path.write_bytes(content)
                finished = self.run_program("recluster", self.out, expect=support.FAILURE)
                self.assertIn("pages.log", finished.stderr)
                self.assertEqual(path.read_bytes(), content)
        path.write_bytes(whole)
        self.run_program("recluster", self.out)


if __name__ == "__main__":
    support.main()
