#!/usr/bin/env python3
"""Tests of header_examples.py: what counts as an example, and that a header without one is refused."""
import pathlib
import tempfile
import unittest

import header_examples


class HeaderExamples(unittest.TestCase):
    def test_takes_the_indented_lines_after_the_introduction(self):
        text = ("// What it is.\n//\n//   a --> diagram\n//\n// Example:\n//\n//   int a = 1;\n//\n//     ++a;\n//\n"
                "// More.\n#pragma once\n")
        self.assertEqual(header_examples.example_of(text), (7, ["int a = 1;", "", "  ++a;"]))

    def test_looks_at_the_opening_comment_only(self):
        self.assertIsNone(header_examples.example_of("// What it is.\n#pragma once\n// Example:\n//   int a = 1;\n"))

    def test_refuses_a_header_without_an_example(self):
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder, "header.h")
            for opening in ("// What it is.\n", "// Example:\n// int a = 1;\n", "// Example:\n//\n"):
                header.write_text(opening + "#pragma once\n", encoding="utf-8")
                with self.assertRaises(SystemExit):
                    header_examples.source_of(header)

    def test_names_the_line_of_the_header_in_compiler_messages(self):
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder, "header.h")
            header.write_text("// Example:\n//   int a = 1;\n#pragma once\n", encoding="utf-8")
            self.assertIn(f'#line 2 "{header}"\n  int a = 1;\n', header_examples.source_of(header))


if __name__ == "__main__":
    unittest.main()
