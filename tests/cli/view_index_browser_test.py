#!/usr/bin/env python3
"""The explorer's page over an index in headless Chromium: every view and key, both languages, wide and narrow, light
and dark, hostile names of pages, and, if axe-core is there (install_axe.sh), no serious finding of it.

usage: view_index_browser_test.py PARAPRINT [unittest arguments]

Exits with 77 (skipped) if Chromium is not installed. With PARAPRINT_SCREENSHOTS=FOLDER, pictures of the views are
saved there.
"""
import pathlib
import sys
import tempfile
import unittest

import devtools
import support
import view_page
import view_support
from view_support import HOSTILE, Viewer

SKIPPED = 77


class IndexPage(view_page.PageTest):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.TemporaryDirectory()
        cls.known = view_support.make_index(pathlib.Path(cls.work.name))
        cls.viewer = Viewer(f"--data={cls.known}")
        cls.browser = devtools.Browser(view_page.WIDE)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.viewer.stop()
        cls.work.cleanup()

    def near_pair(self):
        for row in self.viewer.get("pages", role="copy")["rows"]:
            for match in self.viewer.get("page", page=row["page"])["matches"]:
                if match["verdict"] == "near":
                    return row["page"], match["b"]["page"]
        raise AssertionError("the index has no near copies")

    def views(self):
        page, other = self.near_pair()
        return ["overview", "pages", f"page/{page}", f"match/{page}/{other}"]

    def test_every_view_shows_what_the_program_answers(self):
        self.assertIn(str(self.viewer.get("state")["texts"]), self.text(".figures"))
        self.assertGreater(self.count("svg.chart rect"), 5)
        self.assertGreater(self.count(".heat td"), 5)
        self.assertEqual(self.count("#bar nav a"), 2)  # what an index cannot say is not there
        self.go("pages")
        self.assertEqual(self.count("tr.row"), min(50, self.viewer.get("state")["pages"]))
        page, other = self.near_pair()
        self.go(f"page/{page}")
        answer = self.viewer.get("page", page=page)
        self.assertEqual(self.count("tr.row"), sum(len(answer[name]) for name in
                                                   ["matches", "same_text", "same_cluster"]))
        self.go(f"match/{page}/{other}")
        passages = len(self.viewer.get("match", a=page, b=other)["passages"])
        self.assertEqual(self.count(".passages path"), passages)
        self.assertEqual(self.count("tr.row"), passages)
        self.go(f"match/{page}/{page + 1 if page + 1 != other else page + 2}")
        self.assertGreater(self.count(".passages rect"), 0)

    def test_keys(self):
        for number, view in [("2", "pages"), ("1", "overview"), ("2", "pages")]:
            self.press(number)
            self.browser.wait(f"location.hash === '#/{view}'")
            self.settled()
        self.press("3")  # no view
        self.assertEqual(self.hash(), "#/pages")
        self.press("/")
        self.assertEqual(self.browser.run("document.activeElement.name"), "url")
        self.press("Escape", "j", "j", "k")
        opened = self.browser.run("document.querySelector('tr.row').dataset.open")
        self.press("Enter")
        self.browser.wait(f"location.hash === '{opened}'")
        self.settled()
        self.press("Escape")
        self.browser.wait("location.hash === '#/pages'")
        self.settled()
        self.press("ArrowRight")
        self.browser.wait("location.hash.includes('offset=50')")
        self.settled()
        self.go("pages?role=copy")
        self.press("j", "c")
        self.browser.wait("location.hash.startsWith('#/match/')")
        self.settled()
        before = self.hash().split("/")
        self.press("s")
        self.browser.wait(f"location.hash === '#/match/{before[3]}/{before[2]}'")
        self.settled()
        page, other = self.near_pair()
        self.go(f"match/{page}/{other}")
        self.press("j")
        self.assertEqual(self.count(".passages path.on"), 1)
        for key in ["h", "?"]:
            self.press(key)
            self.browser.wait("document.getElementById('help').open")
            self.assertNotIn("threshold", self.text("#help"))
            self.press("Escape")
            self.browser.wait("!document.getElementById('help').open")
        self.press("l")
        self.browser.wait("document.documentElement.lang === 'zh-Hans'")

    def test_lists_are_saved(self):
        self.browser.run("HTMLAnchorElement.prototype.click = function () { window.saved = this.download; }")
        for key, name in [("e", "tsv"), ("E", "jsonl")]:
            self.go("pages?role=copy")
            self.press(key)
            self.browser.wait(f"window.saved === 'pages.{name}'")

    def test_hostile_names_stay_texts(self):
        seen = ""
        for view in ["pages?offset=0", "pages?offset=50", *self.views()]:
            self.go(view)
            seen += self.text()
            self.check_texts(view)
        for hostile in HOSTILE[1:4]:  # of those, the index has ids
            self.assertIn(hostile.split()[0], seen)

    def test_on_a_phone_and_in_the_dark(self):
        self.check_every_appearance(self.views())

    @unittest.skipUnless(view_page.AXE_CORE.exists(), f"no {view_page.AXE_CORE}: tests/cli/install_axe.sh installs it")
    def test_axe_finds_nothing_serious(self):
        self.check_axe(self.views())


if __name__ == "__main__":
    if devtools.chromium is None:
        print("skipped: no Chromium is installed")
        sys.exit(SKIPPED)
    support.main()
