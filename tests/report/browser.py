"""Shared by the browser tests: writes pages with a program, parses them and opens them in headless Chromium."""
import html.parser
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

SKIPPED = 77
WIDE = "1400,1000"
PHONE = "500,900"
VOID_ELEMENTS = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

program = None  # set by main()
chromium = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)


class Page(html.parser.HTMLParser):
    """The links, ids, elements and text of a page."""

    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.links, self.ids, self.elements, self.attributes, self.text, self.open = [], set(), [], [], [], []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.elements.append(tag)
        self.attributes.append(attrs)
        if tag not in VOID_ELEMENTS:
            self.open.append(tag)
        if "href" in attrs:
            self.links.append(attrs["href"])
        if "id" in attrs:
            self.ids.add(attrs["id"])

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            raise AssertionError(f"</{tag}> closes {self.open[-1:]}")

    def handle_data(self, data):
        if not {"script", "style"} & set(self.open):
            self.text.append(data)


class PagesInBrowser(unittest.TestCase):
    """Base class: the program writes its pages into a folder once for all tests."""

    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.work.name) / "report"
        subprocess.run([program, str(cls.folder)], check=True)
        cls.files = sorted(cls.folder.rglob("*.html"))

    @classmethod
    def tearDownClass(cls):
        cls.work.cleanup()

    def open_page(self, path, fragment="", size=WIDE):
        """Return the page's DOM after its script has run; fail if the page logs anything."""
        profile = tempfile.mkdtemp(dir=self.work.name)
        net_log = pathlib.Path(profile) / "net.json"
        command = [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--no-first-run",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync",
                   "--disable-extensions",
                   "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={profile}", f"--window-size={size}",
                   "--enable-logging=stderr", f"--log-net-log={net_log}", "--virtual-time-budget=4000", "--dump-dom",
                   path.as_uri() + fragment]
        done = subprocess.run(command, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors="replace"))
        logged = [line for line in done.stderr.decode(errors="replace").splitlines() if "CONSOLE" in line]
        self.assertEqual(logged, [], path.name)
        self.requests = net_log.read_text(encoding="utf-8", errors="replace") if net_log.exists() else ""
        return done.stdout.decode("utf-8")

    def check_self(self, path, size=WIDE):
        dom = self.open_page(path, "#self-check", size)
        root = next(a for e, a in zip(Page(dom).elements, Page(dom).attributes) if e == "html")
        self.assertRegex(root.get("data-self-check", "not run"), r"^ok", f"{path.name} at {size}")
        return root["data-self-check"]

    def test_markup_nests_and_links_resolve(self):
        pages = {path: Page(path.read_text(encoding="utf-8")) for path in self.files}
        for path, page in pages.items():
            self.assertEqual(page.open, [], path.name)
            for link in page.links:
                target, _, fragment = link.partition("#")
                if urllib.parse.urlsplit(target).scheme in ("http", "https"):
                    continue
                other = (path.parent / urllib.parse.unquote(target)).resolve() if target else path
                self.assertIn(other, pages, f"{path.name} links to {link}")
                if fragment:
                    self.assertIn(fragment, pages[other].ids, f"{path.name} links to {link}")

    def test_pages_load_nothing(self):
        for path in self.files:
            page = Page(path.read_text(encoding="utf-8"))
            fetching = {"img", "link", "iframe", "object", "embed", "video", "audio", "base", "form"}
            self.assertFalse(fetching & set(page.elements), path.name)
            for attributes in page.attributes:
                self.assertFalse([name for name in attributes if name == "src" or name.startswith("on")], path.name)
            self.assertTrue(any("default-src 'none'" in (a.get("content") or "") for a in page.attributes), path.name)


def main(usage):
    """Run the caller's tests on the program given first; exit with SKIPPED if Chromium is not installed."""
    global program
    if len(sys.argv) < 2:
        sys.exit(usage)
    if chromium is None:
        print("skipped: no Chromium is installed")
        sys.exit(SKIPPED)
    program = os.path.abspath(sys.argv.pop(1))
    unittest.main(module="__main__")
