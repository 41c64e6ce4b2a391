#!/usr/bin/env python3
"""Who copied from whom in the explorer's page, in headless Chromium: the tree, the time line, the table, the overview,
the search, every key, both languages, wide and narrow, light and dark, hostile texts, and, if axe-core is there
(install_axe.sh), no serious finding of it. Also the cluster's page of the HTML report, without a script.

usage: view_copies_browser_test.py PARAPRINT [unittest arguments]

Exits with 77 (skipped) if Chromium is not installed. With PARAPRINT_SCREENSHOTS=FOLDER, pictures of the views are
saved there.
"""
import json
import pathlib
import sys
import tempfile
import unittest

import devtools
import support
import view_page
import view_support
from view_page import APPEARANCES, WIDE
from view_support import HOSTILE, Viewer

SKIPPED = 77


class Copies(view_page.PageTest):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.TemporaryDirectory()
        cls.clean = view_support.make_copied_run(pathlib.Path(cls.work.name))
        cls.viewer = Viewer(cls.clean)
        cls.browser = devtools.Browser(WIDE)
        cls.pages = {row["id"]: row["page"] for row in cls.viewer.get("pages", limit=500)["rows"]}
        cls.chain = f"cluster/{cls.pages['first']}"
        cls.large = f"cluster/{cls.pages['equal-000']}"

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.viewer.stop()
        cls.work.cleanup()

    def drawn(self, view):
        return self.viewer.get("copies", page=view.split("/")[1])

    def views(self):
        return ["pages?origin=copy&published_from=2010", self.chain, self.large,
                f"{self.large}?from={self.pages['equal-000']}&skip=3"]

    def test_a_cluster_shows_the_tree_and_the_time_line(self):
        for view in [self.chain, self.large]:
            drawn = self.drawn(view)
            self.go(view)
            tree, dated = drawn["tree"], drawn["dated"]
            self.assertEqual(self.count(".tree .copy"), len(tree["pages"]))
            self.assertEqual(self.count(".tree .edge"), sum(page["source"] is not None for page in tree["pages"]))
            self.assertEqual(self.count(".tree .origin"), 1)
            self.assertEqual(self.count(".days .dated"), len(dated["pages"]))
            text = self.text()
            for total, shown in [(tree["total"], len(tree["pages"])), (dated["total"], len(dated["pages"]))]:
                if shown < total:
                    self.assertRegex(text, f"first {shown} of {total}")
            self.assertEqual(self.count("#undated a"), min(20, drawn["undated"]["total"]))
        self.go(self.chain)
        # The tree is drawn from top to bottom: a source above its copies.
        heights = json.loads(self.browser.run(
            "JSON.stringify([...document.querySelectorAll('.tree .copy circle')]"
            ".map((c) => Number(c.getAttribute('cy'))))"))
        self.assertEqual(heights, sorted(heights))
        self.browser.wait("[...document.querySelectorAll('.tree .name')]"
                          ".some((n) => n.textContent.startsWith('first '))")
        headings = [self.browser.run(f"document.querySelectorAll('table.rows th')[{at}].innerText")
                    for at in range(7, 11)]
        self.assertEqual(headings, ["Published", "Copied from", "Confidence", "Reasons"])
        self.assertIn("names the source", self.text())
        self.assertIn("date after its capture", self.text("table.rows"))

    def test_keys(self):
        self.go(self.chain)
        tree = self.drawn(self.chain)["tree"]["pages"]
        self.press("j")
        self.assertEqual(self.browser.run("document.activeElement.dataset.copy"), "0")
        self.assertIn("first page", self.text(".told"))
        self.press("j")
        self.assertEqual(self.browser.run("document.activeElement.dataset.copy"), "1")
        told = self.text(".told")
        self.assertIn("Copied from", told)
        self.assertIn(f"{round(100 * tree[1]['origin']['confidence'])}", told)
        self.assertIn("For it: dates of publication", told)
        self.assertEqual(self.count(".tree .edge.on"), tree[1]["depth"])
        self.assertEqual(self.count(".tree .copy.on"), tree[1]["depth"] + 1)
        self.press("k", "j")
        self.press("Enter")
        pair = f"#/pair/{tree[1]['page']}/{tree[tree[1]['source']]['page']}"
        self.browser.wait(f"location.hash === {json.dumps(pair)}")
        self.settled()
        self.press("Escape")
        self.browser.wait(f"location.hash === '#/{self.chain}'")
        self.settled()
        self.press("j", "j", "c")
        self.browser.wait(f"location.hash === {json.dumps(pair)}")
        self.settled()
        self.go(self.chain)
        # By Tab, every page of the tree and every dot is reached in order.
        self.browser.run("document.querySelector('.tree .copy').focus()")
        links = self.count(".tree .copy")
        self.press(*["Tab"] * links)
        self.assertTrue(self.browser.run("document.activeElement.matches('.days .dated')"))
        self.press("Enter")
        self.browser.wait("/^#.(pair|cluster)/.test(location.hash)")
        self.settled()
        # Beyond the last page of the tree, j walks through the table.
        self.go(self.chain)
        self.press(*["j"] * (links + 1))
        self.assertTrue(self.browser.run("document.activeElement.matches('tr.row')"))

    def test_the_pointer_shows_reasons(self):
        self.go(self.chain)
        self.browser.run("document.querySelectorAll('.tree .copy')[1].dispatchEvent(new MouseEvent('mouseenter'))")
        self.assertIn("Copied from", self.text(".told"))

    def test_copies_that_are_left_out_can_be_opened(self):
        self.go(self.large)
        more = self.browser.run("document.querySelector('.tree .more').getAttribute('href')")
        self.browser.run("document.querySelector('.tree .more').focus()")
        self.press("Enter")
        self.browser.wait(f"location.hash === {json.dumps(more)}")
        self.settled()
        self.assertIn("Only the copies of", self.text())
        self.assertRegex(self.text(), "Without [0-9]+ that were drawn before")
        part = dict(each.split("=") for each in more.split("?")[1].split("&"))
        drawn = self.viewer.get("copies", page=self.pages["equal-000"], **part)["tree"]
        self.assertEqual(self.count(".tree .copy"), len(drawn["pages"]))
        self.assertEqual(self.count(".tree .more"), 0)

    def test_the_overview_and_the_search(self):
        overview = self.viewer.get("overview")
        self.assertIn("First pages and copies over time", self.text("#origins"))
        self.assertEqual(self.count("#origins .heat tbody tr"), len(overview["origins"]["hosts"]["names"]))
        periods = [period for period in overview["origins"]["periods"]]
        self.assertEqual(self.count("#origins .chart g"), len(periods))
        self.go("pages")
        self.browser.run("document.querySelector('[name=published_from]').value = '2010-02'")
        self.browser.run("document.querySelector('[name=published_to]').value = '2010'")
        self.browser.run("document.querySelector('[name=origin]').value = 'copy'")
        self.browser.run("document.querySelector('form.search').requestSubmit()")
        self.browser.wait("location.hash.includes('published_from=2010-02')")
        self.settled()
        found = self.viewer.get("pages", published_from="2010-02", published_to="2010", origin="copy")
        self.assertEqual(self.count("tr.row"), found["total"])
        self.assertIn("Copied from", self.text("table.rows thead"))
        # What is not a date is refused by the form.
        self.browser.run("document.querySelector('[name=published_from]').value = 'May'")
        self.assertFalse(self.browser.run("document.querySelector('form.search').checkValidity()"))

    def test_hostile_texts_stay_texts(self):
        for view in self.views():
            self.go(view)
            self.browser.run("new Promise((resolve) => setTimeout(resolve, 300))")  # titles come later
            self.check_texts(view)
            self.assertEqual(self.count("#main b"), 0, view)
        self.go(self.chain)
        self.browser.wait("document.querySelector('.tree').textContent.includes('<img')")
        self.assertIn(HOSTILE[2], self.text("#main"))

    def test_both_languages(self):
        self.browser.run("document.getElementById('language').click()")
        for view in [*self.views(), "overview"]:
            self.go(view)
            self.check_fits(view)
            self.save_picture("zh-copies-" + view.split("/")[0].split("?")[0])
        self.assertIn("谁转载谁", self.text())
        self.go(self.chain)
        self.assertIn("转载关系", self.text())
        self.press("j", "j")
        self.assertIn("置信度", self.text(".told"))

    def test_on_a_phone_and_in_the_dark(self):
        self.check_every_appearance([self.chain, self.large, self.views()[0], "overview"])

    def test_the_report_in_every_appearance(self):
        files = sorted((self.clean / "report/clusters").glob("*.html"))
        self.assertEqual(len(files), 2)
        for size, dark, name in APPEARANCES:
            self.look(size, dark)
            for file in files:
                self.browser.open(file.as_uri())
                self.assertGreater(self.count(".copies li"), 3)
                self.assertGreater(self.count("#copies svg rect"), 3)
                self.assertEqual(self.count("#copies :is(script, img, b, [onload], [onerror])"), 0)
                self.check_fits(f"{file.name} ({name})")
                self.browser.run("document.getElementById('copies').scrollIntoView()")
                self.save_picture(f"{name}-report-{file.stem}")
        self.look(WIDE, False)
        self.browser.requested.clear()

    @unittest.skipUnless(view_page.AXE_CORE.exists(), f"no {view_page.AXE_CORE}: tests/cli/install_axe.sh installs it")
    def test_axe_finds_nothing_serious(self):
        self.check_axe([self.chain, self.large, self.views()[0]])


class OtherRuns(view_page.PageTest):
    """Runs without the file, and with damaged lines."""

    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)

    def start(self, clean):
        self.viewer = Viewer(clean)
        self.addCleanup(self.viewer.stop)
        self.browser = devtools.Browser(WIDE)
        self.addCleanup(self.browser.close)
        super().setUp()

    def test_how_to_get_it(self):
        clean = view_support.make_run(pathlib.Path(self.work.name))
        self.start(clean)
        self.assertIn("--provenance --restart", self.text("#origins"))
        largest = self.viewer.get("overview")["rows"][0]["page"]
        self.go(f"cluster/{largest}")
        self.assertIn("--provenance --restart", self.text())
        self.assertEqual(self.count(".tree"), 0)
        self.go("pages")
        self.assertEqual(self.count("[name=published_from]"), 0)

    def test_damaged_lines_and_a_missing_file(self):
        clean = view_support.make_copied_run(pathlib.Path(self.work.name), "--no-report", "--no-records")
        path = clean / "provenance.jsonl"
        text = path.read_text(encoding="utf-8")
        path.write_text(text + '{"id":"<img src=x onerror=window.owned=1>","cluster":1}\n', encoding="utf-8")
        self.start(clean)
        self.browser.run("document.querySelector('details.callout').open = true")
        self.assertIn("Lines of provenance.jsonl that were left out: 1", self.text())
        self.assertIn("the run has no page '<img src=x", self.text())
        self.check_texts("overview")
        path.unlink()
        other = Viewer(clean)
        self.addCleanup(other.stop)
        self.viewer = other
        self.browser.requested.clear()
        self.go("overview", fresh=True)
        self.assertIn("paraprint recluster", self.text("#origins .command"))


if __name__ == "__main__":
    if devtools.chromium is None:
        print("skipped: no Chromium is installed")
        sys.exit(SKIPPED)
    support.main()
