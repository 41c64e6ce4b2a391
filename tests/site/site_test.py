#!/usr/bin/env python3
"""Tests what prepares the pages of the site (docs-site/): dialect, links, places, headers, notebooks, checks of the
result. Standard library only; `make docs` runs the whole with MkDocs."""
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs-site"))
import check_site  # noqa: E402
import cpp_reference  # noqa: E402
import doxygen_comments  # noqa: E402
import llms  # noqa: E402
import notebooks  # noqa: E402
import page_examples  # noqa: E402
import stage  # noqa: E402


def dialect(text):
    return "\n".join(stage.in_dialect(text.split("\n")))


class Dialect(unittest.TestCase):
    """What repository viewers understand and Python-Markdown does not, unless it is written in another way."""

    def test_headings_have_the_anchors_of_repository_viewers(self):
        self.assertEqual(dialect("# A pair: compare --json"), "# A pair: compare --json {#a-pair-compare---json}\n")
        self.assertIn("## A {#a-1}", dialect("## A\ntext\n## A"))

    def test_lists_and_tables_get_a_blank_line_before_them(self):
        self.assertEqual(dialect("text\n- a\n- b"), "text\n\n- a\n- b")
        self.assertEqual(dialect("text\n| a |\n|---|"), "text\n\n| a |\n|---|")

    def test_parts_of_items_are_indented_by_four(self):
        self.assertEqual(dialect("- a\n\n  | t |\n\n  more\n- b"), "- a\n\n    | t |\n\n    more\n\n- b")
        self.assertEqual(dialect("1. a\n   - b"), "1. a\n    - b")

    def test_a_number_at_the_beginning_of_a_line_is_text(self):
        self.assertEqual(dialect("fewer than\n20. So"), "fewer than\n20\\. So")
        self.assertEqual(dialect("1. a\n2. fewer than\n   20. So\n3. b"), "1. a\n2. fewer than\n    20\\. So\n3. b")

    def test_code_stays_as_it_is(self):
        code = "```\n# no heading\n- no item\n| no table\n20. no number\n<!-- no comment -->\n```"
        self.assertEqual(dialect(code), code)

    def test_comments_go(self):
        self.assertEqual(dialect("<!-- options: dedup -->\n| a |"), "| a |")

    def test_sessions_are_fenced(self):
        lines = "text\n\n>>> a\n1\n\n>>> b\n... c\n2".split("\n")
        fenced = "text\n\n```pycon\n>>> a\n1\n```\n\n```pycon\n>>> b\n... c\n2\n```".split("\n")
        self.assertEqual(stage.with_sessions_fenced(lines), fenced)
        inside = ["```", ">>> a", "```"]
        self.assertEqual(stage.with_sessions_fenced(inside), inside)


class Places(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = stage.Site(ROOT)

    def relinked(self, text, page="docs/cli.md", place="cli.md"):
        return "\n".join(self.site.relinked(text.split("\n"), page, place))

    def test_no_two_pages_have_one_place(self):
        places = [place.lower() for place in self.site.places.values()]
        self.assertEqual(len(places), len(set(places)))
        # MkDocs takes these for the same page.
        for folder in {place.rpartition("/")[0] for place in places}:
            self.assertFalse({f"{folder}/readme.md", f"{folder}/index.md"} <= set(places), folder)

    def test_links_follow_their_pages(self):
        self.assertEqual(self.relinked("[a](index.md#answers)"), f"[a]({stage.PLACES['docs/index.md']}.md#answers)")
        self.assertEqual(self.relinked("[a](../ARCHITECTURE.md)"), "[a](project/architecture.md)")
        self.assertEqual(self.relinked("[a](algorithms/README.md) [b](#x) [c](https://example.org/)"),
                         "[a](algorithms/README.md) [b](#x) [c](https://example.org/)")
        self.assertEqual(self.relinked("[a](docs/cli.md#dedup)", "README.md", "project/readme.md"),
                         "[a](../cli.md#dedup)")

    def test_links_to_headers_lead_to_their_reference(self):
        self.assertEqual(self.relinked("[`engine.h`](../include/paraprint/engine.h)"),
                         "[`engine.h`](reference/cpp/engine.h.md)")

    def test_links_to_other_sources_become_text(self):
        self.assertEqual(self.relinked("see [`zip`](../src/zip) and [the\ntests](../tests/replay)."),
                         "see `zip` and the\ntests.")

    def test_links_in_code_stay(self):
        self.assertEqual(self.relinked("`[a](index.md)`\n\n```\n[a](index.md)\n```"),
                         "`[a](index.md)`\n\n```\n[a](index.md)\n```")

    def test_every_public_name_of_the_package_is_in_its_reference(self):
        stage.check_python_reference(ROOT)


class Headers(unittest.TestCase):
    def marked(self, text):
        return "\n".join(doxygen_comments.marked(text.split("\n")))

    def test_a_comment_documents_the_next_declaration(self):
        self.assertIn("/** @verbatim\nTwice.\n@endverbatim */\nint twice(int a);",
                      self.marked("// Contract.\n#pragma once\n\n// Twice.\nint twice(int a);"))

    def test_a_comment_at_the_end_of_a_line_documents_it(self):
        self.assertIn("  int a = 0;\n/**< @verbatim\nfirst\nand second\n@endverbatim */",
                      self.marked("// C.\nstruct S {\n  int a = 0;  // first\n              // and second\n};"))

    def test_a_comment_after_a_brace_documents_the_type(self):
        self.assertIn("/** @verbatim\nnever renumber\n@endverbatim */\nenum E {",
                      self.marked("// C.\nenum E {  // never renumber"))

    def test_headings_between_declarations_stay_comments(self):
        self.assertNotIn("Input", self.marked("// C.\n// ---\n\n// Input\n\nint a;").partition("@endverbatim")[2])

    def test_text_of_comments_means_itself(self):
        self.assertEqual(cpp_reference.escaped("a_b*c <x> `d_e`"), r"a\_b\*c &lt;x&gt; `d_e`")
        self.assertEqual(cpp_reference.escaped("see docs/cli.md"), "see [docs/cli.md](../../cli.md)")
        self.assertEqual(cpp_reference.formatted("Text:\n\n  int a;\n\nMore."), "Text:\n\n```cpp\nint a;\n```\n\nMore.")


class Notebooks(unittest.TestCase):
    def page(self, cells):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.ipynb")
            path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
            return notebooks.markdown(path, pathlib.Path(folder))

    def code(self, *outputs):
        return {"cell_type": "code", "source": ["1 + 1\n", "x"], "outputs": list(outputs)}

    def test_text_code_and_output(self):
        given = self.page([{"cell_type": "markdown", "source": "# A"},
                           self.code({"output_type": "stream", "name": "stdout", "text": ["2\n"]})])
        self.assertEqual(given, "# A\n\n```python\n1 + 1\nx\n```\n\n```text\n2\n```\n")

    def test_tables_have_no_looks_of_their_own(self):
        html = '<div>\n<style scoped>\n.a {}\n</style>\n<table border="1" class="dataframe">\n\n<tr></tr></table></div>'
        given = self.page([self.code({"output_type": "execute_result", "data": {"text/html": html, "text/plain": ""}})])
        self.assertIn('<div class="notebook-output">\n<div>\n<table>\n<tr></tr></table></div>\n</div>', given)

    def test_a_failed_cell_is_not_shown_as_a_page(self):
        with self.assertRaisesRegex(ValueError, "NameError"):
            self.page([self.code({"output_type": "error", "ename": "NameError", "evalue": "x"})])


class BuiltSite(unittest.TestCase):
    def findings(self, pages):
        with tempfile.TemporaryDirectory() as folder:
            site = pathlib.Path(folder).resolve()
            for name, text in {"llms.txt": "", "index.html": '<h1 id="top">A</h1>', **pages}.items():
                (site / name).parent.mkdir(parents=True, exist_ok=True)
                (site / name).write_text(text, encoding="utf-8")
            return check_site.check(site)

    def test_what_is_right(self):
        html = '<a href="../index.html#top">x</a><a href="https://example.org/">y</a><img src="data:image/png;base64,">'
        found, external = self.findings({"a/b.html": html})
        self.assertEqual((found, external), ([], ["https://example.org/"]))

    def test_what_is_wrong(self):
        for html, message in (('<a href="b.html">', "b.html: no such file"), ('<a href="#b">', "#b: no such anchor"),
                              ('<script src="https://example.org/a.js">', "loads https://example.org/a.js"),
                              ('<link rel="stylesheet" href="//example.org/a.css">', "loads //example.org/a.css")):
            found, _ = self.findings({"a.html": html})
            self.assertEqual(len(found), 1, html)
            self.assertIn(message, found[0])
        found, _ = self.findings({"a.css": "x { src: url(https://example.org/f) }"})
        self.assertEqual(found, ["a.css: loads https://example.org/f"])
        self.assertEqual(self.findings({"llms.txt": "- [a](cli.md): x"})[0], ["llms.txt: cli.md: no such file"])


class ListForModels(unittest.TestCase):
    def test_first_sentences(self):
        self.assertEqual(llms.summary(["# A", "", "One [page](cli.md).", "Two.", ""]), "One page.")
        page = ["---", "hide:", "---", "# A", "| t |", "", "- x", "", "It is `so`. And"]
        self.assertEqual(llms.summary(page), "It is so.")


class PageExamples(unittest.TestCase):
    PAGE = ("```sh\necho a\n```\n\n```text\na\n```\n\nText.\n\n```text\nb\n```\n\n"
            "<!-- file: x.py -->\n```python\nc\n```\n\n<!-- not run: no network -->\n```sh\nd\n```\n")

    def test_blocks(self):
        found = [(block.text, block.output, block.directive) for block in page_examples.blocks(self.PAGE)]
        self.assertEqual(found, [("echo a\n", "a\n", None), ("b\n", None, None), ("c\n", None, ("file", "x.py")),
                                 ("d\n", None, ("not run", "no network"))])

    def test_output(self):
        pattern = page_examples.pattern_of("a ... c\n...\nd\n")
        self.assertTrue(pattern.fullmatch("a b c\nd\n") and pattern.fullmatch("a  c\nx\ny\nd\n"))
        self.assertFalse(pattern.fullmatch("a b\nd\n") or pattern.fullmatch("a b c\nd\ne\n"))

    def test_a_page_that_says_something_else(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "page")
            for said, message in (("```sh\necho 8710\n```\n\n```text\n8710\n```\n", None),
                                  ("```sh\necho a\n```\n\n```text\nb\n```\n", "the page says:\nb\n"),
                                  ("```sh\nfalse\n```\n", "exit code 1"),
                                  ("<!-- file: a -->\n```c\nx\n```\n\n```sh\ncat a\n```\n```text\nx\n```\n", None)):
                path.write_text(said, encoding="utf-8")
                shell = page_examples.Shell(pathlib.Path(folder), {"PATH": "/usr/bin:/bin"})
                found = page_examples.check(path, shell, {"8710": "9999"})
                shell.end()
                self.assertIn(message, found) if message else self.assertIsNone(found)


if __name__ == "__main__":
    unittest.main()
