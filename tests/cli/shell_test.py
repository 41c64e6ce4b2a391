#!/usr/bin/env python3
"""`paraprint completion` and `paraprint manual`: the shells and man take what they print.

usage: shell_test.py PARAPRINT [unittest arguments]
zsh, fish, groff and mandoc are used where they are installed.
"""
import re
import shutil
import subprocess
import unittest

import support
from support import ProgramTest


def program_output(*arguments):
    return subprocess.run([support.program, *arguments], capture_output=True, text=True, check=True).stdout


def commands_in(*path):
    """The subcommands that --help lists."""
    listed = program_output(*path, "--help").partition("\nSubcommands:\n")[2].partition("\n\n")[0]
    return re.findall(r"^  (\S+)", listed, re.MULTILINE)


def all_commands():
    below = {command: [(command, name) for name in commands_in(command)] for command in commands_in()}
    return [path for command in below for path in [(command,), *below[command]]]


def flags_of(*path):
    """The flags that --help lists, switches in both forms."""
    flags = set()
    for line in program_output(*path, "--help").splitlines():
        if match := re.match(r"  (?:(-\w),)?--(\[no-\])?([\w-]+)", line):
            short, is_switch, name = match.groups()
            flags |= {f"--{name}"} | ({f"--no-{name}"} if is_switch else set()) | ({short} if short else set())
    return flags


class Completion(ProgramTest):
    def bash(self, *words):
        script = program_output("completion", "bash") + '''
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _paraprint; printf '%s\\n' "${COMPREPLY[@]}"
'''
        run = subprocess.run(["bash", "--norc", "-c", script, "bash", *words], capture_output=True, text=True,
                             check=True, cwd=self.folder)
        self.assertEqual(run.stderr, "")
        return run.stdout.split()

    def test_bash_completes_commands_options_and_values(self):
        self.assertEqual(self.bash("paraprint", ""), commands_in())
        self.assertEqual(self.bash("paraprint", "dedu"), ["dedup"])
        self.assertEqual(self.bash("paraprint", "index", "ex"), ["expire", "export"])
        self.assertIn("--near", self.bash("paraprint", "dedup", "--ne"))
        self.assertIn("--no-report", self.bash("paraprint", "dedup", "crawl.warc.gz", "--no"))
        self.assertEqual(self.bash("paraprint", "crawl", "--copies", "s"), ["store", "skip"])
        self.assertEqual(self.bash("paraprint", "crawl", "--copies", "=", "m"), ["metadata"])
        self.assertEqual(self.bash("paraprint", "dedup", "crawl"), [])  # the shell completes files

    def test_bash_knows_every_option(self):
        for path in all_commands():
            with self.subTest(path):
                self.assertLessEqual(flags_of(*path), set(self.bash("paraprint", *path, "-")))

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_reads_it(self):
        script = self.folder / "_paraprint"
        script.write_text(program_output("completion", "zsh"), encoding="utf-8")
        run = subprocess.run(["zsh", "-f", "-c", f"autoload -U compinit; compinit -D -u; source {script}; "
                              "print ${_comps[paraprint]}; functions _paraprint_index_add"],
                             capture_output=True, text=True, check=True)
        self.assertEqual(run.stderr, "")
        self.assertTrue(run.stdout.startswith("_paraprint\n"))
        self.assertIn("--data=", run.stdout)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_completes(self):
        script = self.folder / "paraprint.fish"
        script.write_text(program_output("completion", "fish"), encoding="utf-8")

        def fish(line):
            run = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"],
                                 capture_output=True, text=True, check=True)
            self.assertEqual(run.stderr, "")
            return [row.partition("\t")[0] for row in run.stdout.splitlines()]

        self.assertEqual(sorted(fish("paraprint ")), sorted(commands_in()))
        self.assertEqual(sorted(fish("paraprint index ex")), ["expire", "export"])
        self.assertIn("--near", fish("paraprint dedup --ne"))
        self.assertEqual(fish("paraprint crawl --copies m"), ["metadata"])

    def test_other_shells_are_refused(self):
        run = subprocess.run([support.program, "completion", "tcsh"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("shell", run.stderr)


class Manual(ProgramTest):
    def test_a_page_for_every_command(self):
        program_output("manual", "--out", self.folder / "man")
        pages = {path.name for path in (self.folder / "man").iterdir()}
        self.assertEqual(pages, {"paraprint.1", *("-".join(["paraprint", *path]) + ".1" for path in all_commands())})
        for path in all_commands():
            page = (self.folder / "man" / ("-".join(["paraprint", *path]) + ".1")).read_text(encoding="utf-8")
            self.assertEqual(page, program_output("manual", *path))
            for flag in flags_of(*path):
                self.assertIn("\\fB" + flag.replace("-", "\\-") + "\\fR", page)

    def test_roff_tools_do_not_complain(self):
        program_output("manual", "--out", self.folder / "man")
        for check in (["groff", "-man", "-ww", "-z", "-T", "utf8", "-K", "utf-8"],
                      ["mandoc", "-T", "lint", "-W", "warning"]):
            if shutil.which(check[0]):
                pages = sorted((self.folder / "man").iterdir())
                run = subprocess.run([*check, *pages], capture_output=True, text=True, check=False)
                # The pages have no date, so that equal sources give equal bytes.
                complaints = [line for line in (run.stdout + run.stderr).splitlines() if "missing date" not in line]
                self.assertEqual(complaints, [])

    def test_unknown_command(self):
        command = [support.program, "manual", "index", "remove"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (2, "paraprint: paraprint index has no command 'remove'\n"))


if __name__ == "__main__":
    support.main()
