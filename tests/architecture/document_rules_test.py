#!/usr/bin/env python3
"""Shows that each rule of document_rules.py can fail: a tree with one mistake gives one finding, a clean tree none."""
import unittest

import document_rules
import markdown_pages
from findings import RuleTest

CLEAN = {
    "README.md": "# Tool\n\nRead [the manual](docs/cli.md#one-pair-compare---json), [this](#tool), [code](src/)\n"
                 "and [a site](https://example.org/#x).\n",
    "docs/cli.md": "# Commands\n\n## One pair: `compare --json`\n\n## Topics\n\n## Topics\n\n"
                   "[again](#topics-1) [up](../README.md)\n![picture](images/a.svg)\n",
    "docs/images/a.svg": "<svg/>\n",
    "CITATION.cff": "version: 1.2.3\n",
    "CMakeLists.txt": "project(paraprint VERSION 1.2.3 LANGUAGES CXX)\n",
    "src/a.cc": "int a;\n",
    "docs-site/mkdocs.yml": "nav:\n  - Commands: docs/cli.md\n  - Reference:\n      - C++: reference/cpp.md\n",
}


class DocumentRules(RuleTest):
    rules = document_rules
    clean = CLEAN

    def appended(self, path, text):
        return {path: CLEAN[path] + text}

    def test_clean_tree_has_no_findings(self):
        self.assertEqual(self.findings({}), [])

    def test_missing_page(self):
        self.assert_one(self.appended("README.md", "[gone](docs/gone.md)\n"), "README.md:5: docs/gone.md: there is no")

    def test_missing_anchor(self):
        self.assert_one(self.appended("README.md", "[gone](docs/cli.md#gone)\n"), "has no heading #gone")
        self.assert_one(self.appended("docs/cli.md", "[gone](#gone)\n"), "docs/cli.md:11: #gone")

    def test_missing_picture(self):
        self.assert_one(self.appended("docs/cli.md", "![gone](images/b.png)\n"), "there is no docs/images/b.png")
        self.assert_one(self.appended("docs/cli.md", '<img alt="x" src="images/b.png">\n'), "docs/images/b.png")

    def test_link_around_a_picture(self):
        self.assert_one(self.appended("docs/cli.md", "[![a](images/a.svg)](gone.md)\n"), "there is no docs/gone.md")
        self.assert_one(self.appended("docs/cli.md", "[![a](images/gone.svg)](cli.md)\n"), "docs/images/gone.svg")

    def test_link_whose_text_is_broken_over_lines(self):
        self.assert_one(self.appended("docs/cli.md", "[two\nlines](gone.md)\n"), "docs/cli.md:12")

    def test_absolute_path(self):
        self.assert_one(self.appended("docs/cli.md", "[root](/docs/cli.md)\n"), "write links relative to the page")

    def test_code_is_not_a_link(self):
        code = "```\n[a](gone.md)\n```\n`[b](gone.md)`\n\n>>> [c](gone.md)\n[d](gone.md)\n\n"
        self.assertEqual(self.findings(self.appended("docs/cli.md", code)), [])

    def test_heading_in_code_is_no_anchor(self):
        self.assert_one(self.appended("docs/cli.md", "```\n# Not here\n```\n[no](#not-here)\n"), "#not-here")

    def test_page_that_the_site_does_not_list(self):
        self.assert_one({"docs/new.md": "# New\n"}, "docs/new.md:1: not in the navigation")
        self.assert_one({"examples/new.ipynb": "{}\n"}, "examples/new.ipynb:1: not in the navigation")

    def test_navigation_of_a_page_that_is_gone(self):
        self.assert_one(self.appended("docs-site/mkdocs.yml", "  - Gone: docs/gone.md\n"), "gone.md does not exist")

    def test_page_that_the_site_lists_twice(self):
        self.assert_one(self.appended("docs-site/mkdocs.yml", "  - docs/cli.md\n"), "is listed in line 2, too")

    def test_citation_of_another_version(self):
        self.assert_one({"CITATION.cff": "version: 1.2.4\n"}, "another version")


class Anchors(unittest.TestCase):
    """Anchors as repository viewers make them, by their published rules and by examples tried there."""

    def test_slugs(self):
        for heading, anchor in (("# Exit codes", "exit-codes"), ("## `index.cdxj`, `index.cdx`", "indexcdxj-indexcdx"),
                                ("# One pair: compare --json", "one-pair-compare---json"), ("# N(text)", "ntext"),
                                ("# What _is_ *this*?", "what-is-this"), ("# snake_case", "snake_case"),
                                ("# [Linked](a.md) text #", "linked-text"), ("# 中文 标题", "中文-标题")):
            self.assertEqual([found.anchor for found in markdown_pages.headings([heading])], [anchor])

    def test_repeated_headings(self):
        found = markdown_pages.headings(["# A", "## A", "### A", "# B"])
        self.assertEqual([heading.anchor for heading in found], ["a", "a-1", "a-2", "b"])


if __name__ == "__main__":
    unittest.main()
