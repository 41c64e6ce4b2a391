#!/usr/bin/env python3
"""The explorer's page in headless Chromium: every view, every key, both languages, wide and narrow, light and dark, the
hostile texts of pages, and, if axe-core is there (install_axe.sh), no serious finding of it.

usage: view_browser_test.py PARAPRINT [unittest arguments]

Exits with 77 (skipped) if Chromium is not installed. With PARAPRINT_SCREENSHOTS=FOLDER, pictures of the views are
saved there.
"""
import json
import os
import pathlib
import sys
import tempfile
import unittest

import devtools
import support
import view_page
import view_support
from view_page import WIDE
from view_support import HOSTILE, Viewer

SKIPPED = 77
VIEWS = ["overview", "pages", "pairs", "threshold", "judge"]


class Page(view_page.PageTest):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.TemporaryDirectory()
        cls.clean = view_support.make_run(pathlib.Path(cls.work.name))
        cls.viewer = Viewer(cls.clean)
        cls.browser = devtools.Browser(WIDE)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.viewer.stop()
        cls.work.cleanup()

    def pair_address(self):
        pair = next(row for row in self.viewer.get("pairs", limit=500, order="-score")["rows"]
                    if row["resemblance"] < 0.9)
        return f"pair/{pair['a']['page']}/{pair['b']['page']}"

    def views(self):
        largest = self.viewer.get("overview")["rows"][0]["page"]
        return [*VIEWS, f"cluster/{largest}", f"cluster/{largest}?near=0.9", self.pair_address()]

    def test_every_view_shows_what_the_program_answers(self):
        state = self.viewer.get("state")
        self.assertIn(str(state["removed"]), self.text(".figures"))
        self.assertGreater(self.count("svg.chart rect"), 5)
        self.assertGreater(self.count(".heat td"), 5)
        self.go("pages")
        self.assertEqual(self.count("tr.row"), 50)
        self.go("pages?fate=removed&order=score")
        self.assertIn(str(state["removed"]), self.text(".result h2"))
        self.go("pages?text=" + "+".join(support.article(105, 8)[7].split()[3:6]))
        self.browser.wait("document.querySelectorAll('tr.row').length > 0")
        self.go("pairs?verdict=near")
        self.assertEqual(self.count("tr.row"), min(50, self.viewer.get("pairs", verdict="near")["total"]))
        largest = self.viewer.get("overview")["rows"][0]
        self.go(f"cluster/{largest['page']}")
        self.assertEqual(self.count("tr.row"), largest["cluster_pages"] - 1)
        self.browser.wait("document.querySelector('.card [data-title-of]').innerText.startsWith('Article')")
        self.go(self.pair_address())
        self.assertGreater(self.count("#pane-a [data-m]"), 2)
        self.assertEqual(self.count("#pane-a .n"), self.count("#pane-b .n"))
        self.browser.wait("document.querySelectorAll('#ribbons path[d]').length > 0")

    def test_the_slider_answers_from_the_scores(self):
        self.go("threshold")
        rows = self.viewer.get("thresholds")["rows"]
        for at in [0, len(rows) // 2, len(rows) - 1]:
            self.browser.run(f"(() => {{ const s = document.getElementById('near'); s.value = {at};"
                             " s.dispatchEvent(new Event('input')); })()")
            figures = self.text(".figures")
            for name in ["removed", "kept", "clusters", "largest"]:
                self.assertIn(f"{rows[at][name]:,}", figures)
            near = f"{rows[at]['near']:g}"
            self.browser.wait(f"document.querySelector('.command code').innerText.endsWith('--near {near}')")
            self.assertEqual(self.hash(), f"#/threshold?near={near}")

    def test_keys(self):
        for number, view in enumerate(VIEWS, 1):
            self.press(str(number))
            self.browser.wait(f"location.hash === '#/{view}'")
            self.settled()
        self.press("2")
        self.settled()
        self.press("/")
        self.assertEqual(self.browser.run("document.activeElement.name"), "url")
        self.press("1")  # typed, not taken as a key
        self.assertEqual(self.browser.run("document.activeElement.value"), "1")
        self.press("Enter")
        self.browser.wait("location.hash === '#/pages?url=1'")
        self.settled()
        self.go("pages")
        self.press("j", "j", "k", "j")
        second = "document.querySelectorAll('tr.row')[1]"
        self.assertTrue(self.browser.run(f"document.activeElement === {second}"))
        opened = self.browser.run(f"{second}.dataset.open")
        self.press("Enter")
        self.browser.wait(f"location.hash === {json.dumps(opened)}")
        self.settled()
        self.press("Escape")
        self.browser.wait("location.hash === '#/pages'")
        self.settled()
        self.press("ArrowRight")
        self.browser.wait("location.hash.includes('offset=50')")
        self.settled()
        self.press("ArrowLeft")
        self.browser.wait("location.hash.includes('offset=0')")
        self.settled()
        self.go("pages?fate=removed")
        self.press("j", "c")
        self.browser.wait("location.hash.startsWith('#/pair/')")
        self.settled()
        self.press("j")
        self.assertEqual(self.count(".pane .chosen"), self.count(".pane [data-m='1']"))
        self.press("j", "k")
        self.assertGreater(self.count(".pane [data-m='1'].chosen"), 1)
        self.press("Escape")
        self.assertEqual(self.count(".chosen"), 0)
        self.assertTrue(self.hash().startswith("#/pair/"))
        before = self.hash().split("/")
        self.press("s")
        self.browser.wait(f"location.hash === '#/pair/{before[3]}/{before[2]}'")
        self.settled()
        for key, name in [("n", "never"), ("a", "always"), ("0", "none")]:
            self.press(key)
            self.browser.wait(f"document.querySelector('[data-rule={name}]').getAttribute('aria-pressed') === 'true'")
        self.go("threshold")
        own = self.text("output")
        self.press("]")
        self.assertGreater(float(self.text("output")), float(own))
        self.press("[", "[")
        self.assertLess(float(self.text("output")), float(own))
        self.press("h")
        self.browser.wait("document.getElementById('help').open")
        self.press("Escape")
        self.browser.wait("!document.getElementById('help').open")
        self.press("?")
        self.browser.wait("document.getElementById('help').open")
        self.press("Escape")
        self.go("overview")
        self.press("l")
        self.browser.wait("document.documentElement.lang === 'zh-Hans'")
        self.settled()
        self.press("l")
        self.browser.wait("document.documentElement.lang === 'en'")

    def test_lists_are_saved(self):
        self.browser.run("HTMLAnchorElement.prototype.click = function () { window.saved = this.download; }")
        for view in ["pages?fate=removed", "pairs"]:
            for key, name in [("e", "tsv"), ("E", "jsonl")]:
                self.go(view)
                self.press(key)
                self.browser.wait(f"window.saved === '{view.split('?')[0]}.{name}'")

    def test_both_languages_have_every_text(self):
        messages = self.browser.run("import('/assets/messages.js').then((m) => JSON.stringify(m.MESSAGES))")
        for name, texts in json.loads(messages).items():
            self.assertEqual(len(texts), 2, name)
            self.assertTrue(all(texts), name)
            self.assertEqual(*[sorted(text.count(f"{{{at}}}") for at in range(3)) for text in texts], name)
        self.browser.run("document.getElementById('language').click()")
        for view in self.views():
            self.go(view)
            self.assertRegex(self.text(), "[\u4e00-\u9fff]", view)
            self.check_fits(view)
            self.save_picture("zh-" + view.split("/")[0].split("?")[0])

    def test_hostile_texts_stay_texts(self):
        """Titles, ids, addresses and texts of the pages are written to take over the page."""
        seen = ""
        for view in ["overview", "pages", "pages?order=-size&offset=50", "pairs", "threshold", *self.views()[5:]]:
            self.go(view)
            self.browser.run("new Promise((resolve) => setTimeout(resolve, 300))")  # titles come later
            seen += self.text()
            self.assertEqual(self.count("#main b:not(.pane header b):not(.scores b):not(p b)"), 0, view)
            self.check_texts(view)
        for hostile in HOSTILE[:4]:
            self.assertIn(hostile.split()[0], seen)

    def test_on_a_phone_and_in_the_dark(self):
        self.check_every_appearance(self.views())

    @unittest.skipUnless(view_page.AXE_CORE.exists(), f"no {view_page.AXE_CORE}: tests/cli/install_axe.sh installs it")
    def test_axe_finds_nothing_serious(self):
        self.check_axe(self.views())

    def test_a_stopped_program_is_told(self):
        viewer = Viewer(self.clean)
        self.browser.open(viewer.url)
        self.settled()
        viewer.stop()
        self.browser.run("location.hash = '#/pairs'")
        self.browser.wait("document.querySelector('[role=alert]') !== null")
        self.assertIn("does not answer", self.text())
        self.browser.logged.clear()  # the browser logs the refused connection
        self.browser.requested.clear()

    def test_a_token_is_asked_for(self):
        token = "correct-horse-battery"
        viewer = Viewer(self.clean, environment={**os.environ, "PARAPRINT_TOKEN": token}, load=False)
        self.browser.open(viewer.url + "#token=" + token)
        self.settled()
        self.assertEqual(self.hash(), "#/")
        self.browser.run("sessionStorage.clear()")
        self.browser.open("about:blank")
        self.browser.open(viewer.url)
        self.browser.wait("document.getElementById('ask').open")
        self.browser.run(f"document.querySelector('#ask input').value = '{token}'")
        self.browser.run("document.querySelector('#ask form').requestSubmit()")
        self.settled()
        self.assertIn("Overview", self.text())
        self.browser.logged.clear()  # the browser logs the refused question
        self.browser.requested.clear()
        viewer.stop()


class Judging(view_page.PageTest):
    """A sample is drawn and judged by keys; `eval` reads the file. Skipped without the laboratory."""

    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)
        self.clean = view_support.make_run(pathlib.Path(self.work.name))
        self.viewer = Viewer(self.clean)
        self.addCleanup(self.viewer.stop)
        if self.viewer.request("GET", "/api/judging")[0] == 404:
            self.skipTest("this build has no laboratory")
        self.browser = devtools.Browser(WIDE)
        self.addCleanup(self.browser.close)
        super().setUp()

    def test_pairs_are_judged_by_keys(self):
        self.browser.open(self.viewer.url + "#/judge")
        self.browser.wait("document.querySelector('form.search') !== null")
        self.browser.run("document.querySelector('[name=pairs]').value = 12")
        self.browser.run("document.querySelector('form.search').requestSubmit()")
        for at, key in enumerate(["y", "n", "?", "u", "y", "y"], 1):
            self.browser.wait(f"document.querySelector('h2')?.innerText.startsWith('{at}.')"
                              " && document.querySelectorAll('.pane').length === 2")
            self.browser.key(key)
        self.browser.wait("document.querySelector('progress').value === 6")
        self.browser.wait("document.querySelector('#estimates') !== null")
        self.browser.key("ArrowLeft")
        self.browser.wait("location.hash === '#/judge?number=6'")
        self.browser.wait("document.querySelector('[data-judge=y]').getAttribute('aria-pressed') === 'true'")
        self.save_picture("judge")
        if view_page.AXE_CORE.exists():
            self.check_axe(["judge?number=6"])


if __name__ == "__main__":
    if devtools.chromium is None:
        print("skipped: no Chromium is installed")
        sys.exit(SKIPPED)
    support.main()
