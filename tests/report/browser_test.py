#!/usr/bin/env python3
"""Open the sample report in headless Chromium.

usage: browser_test.py PARAPRINT_SAMPLE_REPORT

Checks that links resolve, that no page logs an error or uses the network, that highlighting, ribbons, keys and sorting
work (the pages' self-check, started by the fragment #self-check), and that hostile text is shown as text.
Exits with 77 (skipped) if Chromium is not installed.
"""
import urllib.parse

import browser
from browser import PHONE, Page

HOSTILE_WORDS = ["</script><script>document.title='owned'</script>", "<img src=x onerror=alert(1)>",
                 "\"quoted\" 'single' &amp;",
                 "NUL[\ufffd]", "ESC[\ufffd]", "broken[\ufffd\ufffd]", "surrogate[\ufffd\ufffd\ufffd]",
                 "override[\ufffdtxet]",
                 "\U0001f469\u200d\U0001f4bb", "\u05e9\u05dc\u05d5\u05dd", "http://hostile.invalid/beacon.png"]


class ReportInBrowser(browser.PagesInBrowser):
    def test_every_page_is_reached_from_the_index(self):
        index = (self.folder / "index.html").resolve()
        seen, queue = {index}, [index]
        while queue:
            path = queue.pop()
            for link in Page(path.read_text(encoding="utf-8")).links:
                target = link.partition("#")[0]
                if target and not urllib.parse.urlsplit(target).scheme:
                    other = (path.parent / target).resolve()
                    if other not in seen:
                        seen.add(other)
                        queue.append(other)
        self.assertEqual(set(self.files) - seen, {self.folder / "compare.html"})

    def test_tables_sort(self):
        for name in ["index.html", "matches.html", "hosts.html", "broken.html", "clusters/19.html"]:
            self.check_self(self.folder / name)

    def test_passages_are_linked(self):
        checked = 0
        for path in [self.folder / "compare.html", *sorted(self.folder.glob("matches/*.html"))[:8]]:
            if "could not be read" not in path.read_text(encoding="utf-8"):
                checked += int(self.check_self(path).split()[1])
        self.assertGreater(checked, 20)

    def test_passages_are_linked_on_a_phone(self):
        self.check_self(self.folder / "compare.html", PHONE)

    def test_a_fragment_opens_a_passage(self):
        page = Page(self.open_page(self.folder / "compare.html", "#passage-3"))
        chosen = [a["data-m"] for a in page.attributes if "chosen" in (a.get("class") or "").split()]
        self.assertEqual(chosen, ["3", "3"])

    def test_hostile_text_is_shown_as_text(self):
        path = next(p for p in self.folder.glob("matches/*.html") if "owned" in p.read_text(encoding="utf-8"))
        page = Page(self.open_page(path))
        text = "".join(page.text)
        for words in HOSTILE_WORDS:
            self.assertGreaterEqual(text.count(words), 2, words)
        self.assertEqual(page.elements.count("script"), 1)
        self.assertNotIn("javascript:", " ".join(page.links))

    def test_nothing_is_fetched(self):
        for name in ["index.html", "compare.html", "matches/0004.html"]:
            self.open_page(self.folder / name)
            for host in ["hostile.invalid", ".example/", "hostile.example"]:
                self.assertNotIn(host, self.requests, name)
        self.assertIn("constants", self.requests)  # the log was written


if __name__ == "__main__":
    browser.main(__doc__)
