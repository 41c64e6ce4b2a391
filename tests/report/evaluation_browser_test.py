#!/usr/bin/env python3
"""Open the page of a sample evaluation in headless Chromium.

usage: evaluation_browser_test.py PARAPRINT_SAMPLE_EVALUATION

Checks that links resolve, that the page logs no error and does not use the network, that its tables sort, that plots
are drawn inside their frames, and that hostile names are shown as text. Exits with 77 (skipped) if Chromium is not
installed.
"""
import browser
from browser import PHONE, Page

HOSTILE_NAMES = ["</script><script>document.title='owned'</script>", "<img src=x onerror=alert(1)>"]


class EvaluationInBrowser(browser.PagesInBrowser):
    def page(self):
        return self.folder / "index.html"

    def test_tables_sort(self):
        self.check_self(self.page())
        self.check_self(self.page(), PHONE)

    def test_every_section_exists_and_is_linked(self):
        page = Page(self.open_page(self.page()))
        for section in ["ranking", "cost", "sets", "set-0", "set-1", "method"]:
            self.assertIn(section, page.ids)
            self.assertIn(f"#{section}", page.links)

    def test_single_edits_and_combinations_have_tables(self):
        text = "".join(Page(self.open_page(self.page())).text)
        for words in ["by edit", "of pairs with no other edit", "number of edits", "3 edits or more", "by language"]:
            self.assertIn(words, text)

    def test_plots_stay_inside_their_frames(self):
        page = Page(self.open_page(self.page()))
        self.assertGreaterEqual(page.elements.count("svg"), 6)
        frame = None
        points = 0
        for element, attributes in zip(page.elements, page.attributes):
            if element == "svg" and "viewbox" in attributes:
                frame = [float(number) for number in attributes["viewbox"].split()]
            elif element == "circle" and frame is not None:
                points += 1
                self.assertTrue(frame[0] <= float(attributes["cx"]) <= frame[0] + frame[2], attributes)
                self.assertTrue(frame[1] <= float(attributes["cy"]) <= frame[1] + frame[3], attributes)
        self.assertGreater(points, 5)
        self.assertNotIn("nan", page_text_of_attributes(page))

    def test_hostile_names_are_shown_as_text(self):
        page = Page(self.open_page(self.page()))
        text = "".join(page.text)
        for name in HOSTILE_NAMES:
            self.assertIn(name, text)
        self.assertEqual(page.elements.count("script"), 1)
        self.assertNotIn("img", page.elements)

    def test_nothing_is_fetched(self):
        self.open_page(self.page())
        self.assertNotIn("hostile", self.requests)
        self.assertIn("constants", self.requests)  # the log was written


def page_text_of_attributes(page):
    """Return coordinates and similar attributes, where an invalid number (nan, inf) would show."""
    return " ".join(str(attributes.get(name)).lower() for attributes in page.attributes
                    for name in ("d", "points", "cx", "cy", "x", "y", "x1", "x2", "y1", "y2", "data-v"))


if __name__ == "__main__":
    browser.main(__doc__)
