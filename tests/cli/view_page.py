"""What the tests of the explorer's page share: a tab in headless Chromium, and what must hold on every view. Standard
library only."""
import json
import os
import pathlib
import unittest

import devtools

WIDE, PHONE = (1400, 1000), (390, 844)
# Width, dark, name of a way to look at the page.
APPEARANCES = [(PHONE, False, "phone"), (PHONE, True, "phone-dark"), (WIDE, True, "dark"), (WIDE, False, "light")]
# Where install_axe.sh puts it.
AXE_CORE = pathlib.Path(os.environ.get("PARAPRINT_AXE_CORE", pathlib.Path(__file__).resolve().parents[2]
                                       / "build/axe-core/axe.min.js"))


class PageTest(unittest.TestCase):
    """A browser on `viewer`, which the class sets up."""

    def setUp(self):
        self.browser.run("localStorage.clear()" if self.browser.run("location.protocol") == "http:" else "0")
        self.browser.logged.clear()
        self.browser.requested.clear()
        self.go("overview", fresh=True)

    def tearDown(self):
        self.assertEqual(self.browser.logged, [])
        self.assertFalse([url for url in self.browser.requested
                          if not url.startswith((self.viewer.url, "blob:", "data:", "about:"))])
        self.assertIsNone(self.browser.run("window.owned === undefined ? null : 'owned'"))

    def go(self, view, fresh=False):
        """Open a view by its address and wait until it is complete."""
        if fresh:
            self.browser.open("about:blank")
            self.browser.open(self.viewer.url + "#/" + view)
        else:
            self.browser.run(f"location.hash = '#/{view}'")
        self.settled()

    def settled(self):
        # An address that has just changed may not have been handled yet.
        self.browser.run("new Promise((done) => setTimeout(() => setTimeout(done)))")
        self.browser.wait("!!document.querySelector('#bar nav') && document.getElementById('main').children.length > 0"
                          " && !document.getElementById('main').hasAttribute('aria-busy')")

    def text(self, selector="#main"):
        return self.browser.run(f"document.querySelector({json.dumps(selector)}).innerText")

    def count(self, selector):
        return self.browser.run(f"document.querySelectorAll({json.dumps(selector)}).length")

    def hash(self):
        return self.browser.run("location.hash")

    def press(self, *keys):
        for key in keys:
            self.browser.key(key)

    def check_fits(self, name):
        wide = self.browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.assertLessEqual(wide, 0, f"{name} is wider than the window")

    def save_picture(self, name):
        folder = os.environ.get("PARAPRINT_SCREENSHOTS")
        if folder:
            self.browser.screenshot(pathlib.Path(folder) / f"{name}.png")

    def look(self, size, dark):
        self.browser.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1,
                          mobile=size == PHONE)
        self.browser.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def check_texts(self, name):
        """No element that only a page's text could have made, and no character that reorders text."""
        self.assertEqual(self.count("#main :is(script, img, iframe, object, [onerror], [onload])"), 0, name)
        self.assertFalse(self.browser.run("[...document.querySelectorAll('#main a')].some("
                                          "(a) => !/^(https?:|blob:)/"
                                          ".test(new URL(a.getAttribute('href'), location.href).href))"), name)
        self.assertNotRegex(self.text(), "[\u202e\u0000\u001b]")

    def check_every_appearance(self, views):
        """Every view fits the window, in light and dark, wide and on a phone."""
        for size, dark, name in APPEARANCES:
            self.look(size, dark)
            for view in views:
                self.go(view)
                self.browser.run("new Promise((resolve) => setTimeout(resolve, 200))")
                self.check_fits(f"{view} ({name})")
                self.save_picture(f"{name}-{view.split('/')[0].replace('?', '-')}")
        self.look(WIDE, False)

    def check_axe(self, views):
        """axe-core has no serious or critical finding on any view, in both languages, however it is looked at."""
        axe = AXE_CORE.read_text(encoding="utf-8")
        for language in ["en", "zh"]:
            for size, dark, name in APPEARANCES:
                self.look(size, dark)
                self.browser.run(f"localStorage.setItem('paraprint-language', '{language}')")
                self.go("overview", fresh=True)
                self.browser.run(axe + "; 0")
                for view in [*views, "overview"]:
                    self.go(view)
                    self.browser.run("new Promise((resolve) => setTimeout(resolve, 200))")
                    if view == "overview":
                        self.press("h")  # the help as well
                    found = json.loads(self.browser.run(
                        "axe.run(document).then((r) => JSON.stringify(r.violations.map((v) => "
                        "[v.impact, v.id, v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + n.failureSummary)])))"))
                    serious = [each for each in found if each[0] in ("serious", "critical")]
                    self.assertEqual(serious, [], f"{view} ({name}, {language})")
                    self.browser.run("document.getElementById('help').close()")
        self.look(WIDE, False)
