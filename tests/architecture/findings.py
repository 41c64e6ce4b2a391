"""What the programs of rules in this folder share: how findings are printed, and the small trees of their tests."""
import pathlib
import sys
import tempfile
import unittest


def report(found, clean_line):
    """Prints findings, or the line for a clean tree, and ends the program; it fails if there are any."""
    print("\n".join(found) if found else clean_line)
    sys.exit(1 if found else 0)


class RuleTest(unittest.TestCase):
    """Writes a small tree of files and returns what the rules find in it."""
    rules = None  # the module
    clean = {}  # path -> text of a tree without findings; in changes None leaves a file out

    def findings(self, changes):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in {**self.clean, **changes}.items():
                if text is None:
                    continue
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            return self.rules.findings(root)

    def assert_one(self, changes, expected):
        found = self.findings(changes)
        self.assertEqual(len(found), 1, found)
        self.assertIn(expected, found[0])
