#!/usr/bin/env python3
"""savings.json and savings.html: the sums are those that the archives give, and text of strangers stays text.

usage: savings_test.py PARAPRINT [unittest arguments]
"""
import collections
import html.parser
import json
import pathlib
import re

import payloads_test
import replay
import revisits_test
import support

DEMO = pathlib.Path(__file__).resolve().parents[2] / "examples/demo-crawl"
NAMES = ("records", "bytes_before", "bytes_after", "bytes_saved")


def host_of(url):
    found = re.match(r"[^:]*://(?:[^/?#]*@)?([^/?#:]*)", url)
    return found[1].lower() if found else ""


def media_type_of(found):
    content_type = replay.field(found, "Content-Type")
    if content_type.startswith("application/http"):
        if found.kind in ("request", "revisit"):
            return "application/http"
        head = found.block.partition(b"\r\n\r\n")[0].decode()
        content_type = re.search(r"\ncontent-type:([^\r\n]*)", head, re.IGNORECASE)
        content_type = content_type[1] if content_type else ""
    return content_type.partition(";")[0].strip().lower()


def outcomes(before, after, templates):
    """(record of the input, class, bytes written for it) for all records; ids must be distinct. `templates`: the ids of
    pages that have no text of their own."""
    of_id = {found.id: found for found in after}
    known = {found.id for found in before}
    relations = {replay.field(found, "WARC-Refers-To"): found for found in after
                 if found.kind == "metadata" and found.id not in known}
    for found in before:
        written = of_id.get(found.id)
        if written is not None and written.kind == found.kind:
            assert written.block == found.block
            yield found, "kept", written.size_bytes
        elif written is not None:
            assert written.kind == "revisit"
            yield found, "equal-payload", written.size_bytes
        elif found.kind in ("request", "metadata"):
            yield found, "companion", 0
        else:
            relation = relations.get(found.id)
            kind = "template" if found.id in templates else "near-duplicate"
            yield found, kind, relation.size_bytes if relation else 0


class Sums(collections.defaultdict):
    """name -> class -> [records, bytes before, bytes after, bytes saved]"""

    def __init__(self):
        super().__init__(lambda: collections.defaultdict(lambda: [0, 0, 0, 0]))

    def add(self, name, kind, before, after):
        for index, amount in enumerate((1, before, after, before - after)):
            self[name][kind][index] += amount


def expected_row(classes):
    row = dict(zip(NAMES, map(sum, zip(*classes.values()))))
    row["records_removed"] = row["records"] - classes.get("kept", [0])[0]
    row["classes"] = {kind: dict(zip(NAMES, amounts)) for kind, amounts in classes.items()}
    return row


class Page(html.parser.HTMLParser):
    def __init__(self, source):
        super().__init__()
        self.elements, self.attributes, self.text = collections.Counter(), set(), ""
        self.feed(source)

    def handle_starttag(self, tag, attributes):
        self.elements[tag] += 1
        self.attributes |= {name for name, _ in attributes}

    def handle_data(self, data):
        self.text += data


class Savings(support.ProgramTest):
    def write(self, name, content):
        return pathlib.Path(super().write(name, content))

    def savings(self, out="out"):
        return json.loads((self.folder / out / "savings.json").read_text())

    def records_in(self, paths):
        return [found for path in paths for found in replay.records_of(path)]

    def assert_sums(self, inputs, out="out", templates=()):
        """Compares savings.json with the sums over the archives; returns the sums by class."""
        totals, hosts, types = Sums(), Sums(), Sums()
        written = sorted(path for path in (self.folder / out / "records").rglob("*") if path.is_file())
        before = self.records_in(inputs)
        self.assertEqual(len({found.id for found in before}), len(before))
        for found, kind, after in outcomes(before, self.records_in(written), templates):
            for sums, name in ((totals, ""), (hosts, host_of(found.url)), (types, media_type_of(found))):
                sums.add(name, kind, found.size_bytes, after)
        savings = self.savings(out)
        self.assertEqual(savings["totals"], {**expected_row(totals[""]),
                                             "file_bytes_before": sum(path.stat().st_size for path in inputs),
                                             "file_bytes_after": sum(path.stat().st_size for path in written)})
        for member, name, sums, limit in (("hosts", "host", hosts, 100), ("media_types", "media_type", types, 50)):
            rows = [{name: key, **expected_row(classes)} for key, classes in sums.items()]
            rows.sort(key=lambda row: (-row["bytes_saved"], row[name].encode()))
            others = Sums()
            for row in rows[limit:]:
                for kind, amounts in sums[row[name]].items():
                    others["other"][kind] = [a + b for a, b in zip(others["other"][kind], amounts)]
            self.assertEqual(savings[member]["rows"], rows[:limit])
            self.assertEqual(savings[member]["total"], len(rows))
            if len(rows) > limit:
                self.assertEqual(savings[member]["other"], expected_row(others["other"]))
            else:
                self.assertEqual(savings[member]["other"]["records"], 0)
        return totals[""]

    def run_twice(self, *arguments):
        """With one thread, and with four and the inputs in another order: the same bytes."""
        command, *inputs = [argument for argument in arguments if not str(argument).startswith("--")]
        options = [argument for argument in arguments if str(argument).startswith("--")]
        for out, paths, threads in (("out", inputs, 1), ("again", inputs[::-1], 4)):
            self.run_program(command, *paths, "--out", self.folder / out, "--quiet", "--threads", threads, *options)
        for name in ("savings.json", "savings.html"):
            self.assertEqual((self.folder / "out" / name).read_bytes(), (self.folder / "again" / name).read_bytes())

    def test_equal_payloads(self):
        paths = payloads_test.Payloads.collection(self, 5)
        self.run_twice("payloads", *paths)
        totals = self.assert_sums(paths)
        self.assertEqual(set(totals), {"kept", "equal-payload"})

    def site(self):
        text = support.article(1)
        body = support.html_of(text).encode()
        near = support.html_of(text, head="<title>Printed</title>").encode()
        page = revisits_test.page
        return [self.write("one.warc", page("kept", "http://a.example/", body)
                           + page("other", "http://a.example/b", support.html_of(support.article(2)).encode())),
                self.write("two.warc.gz", b"".join(map(support.member, (
                    page("equal", "http://me@B.example:80/", body, date="2024-05-02T10:00:00Z"),
                    page("near", "http://c.example/", near, date="2024-05-03T10:00:00Z")))))]

    def test_near_duplicates(self):
        paths = self.site()
        for option, classes in ((None, {"near-duplicate": 2, "companion": 4}),
                                ("--revisits", {"equal-payload": 1, "near-duplicate": 1, "companion": 2}),
                                ("--payloads", {"equal-payload": 1, "near-duplicate": 1, "companion": 2})):
            with self.subTest(option):
                self.run_twice("dedup", *paths, "--no-report", *([option] if option else []))
                totals = self.assert_sums(paths)
                found = {kind: amounts[0] for kind, amounts in totals.items()}
                self.assertEqual(found, {**classes, "kept": 12 - sum(classes.values())})

    def test_pages_with_nothing_but_the_template_of_their_site(self):
        path, templates = self.site_with_notices()
        for option, classes in ((None, {"template": 2, "near-duplicate": 2, "companion": 8}),
                                ("--revisits", {"equal-payload": 1, "template": 1, "near-duplicate": 2,
                                                "companion": 6})):
            with self.subTest(option):
                self.run_twice("dedup", path, "--no-report", *([option] if option else []))
                totals = self.assert_sums([path], templates=templates)
                found = {kind: amounts[0] for kind, amounts in totals.items()}
                self.assertEqual(found, {**classes, "kept": 3 * 19 - sum(classes.values())})
        page = (self.folder / "out/savings.html").read_text()
        self.assertIn("Copy of a page with nothing but the template of its site", page)
        # Without templates, these pages are like all others.
        self.run_program("dedup", path, "--out", self.folder / "out", "--quiet", "--no-report", "--no-boilerplate")
        self.assertEqual(self.assert_sums([path])["near-duplicate"][0], 4)

    def site_with_notices(self):
        """Articles with a notice below, three pages with only the notice, and elsewhere three with only that text."""
        notice = support.article(99, 1)
        bodies = {f"article{i}": support.html_of(support.article(i) + notice) for i in range(13)}
        bodies["notice0"] = bodies["notice1"] = support.html_of(notice)
        bodies["notice2"] = support.html_of(notice, head="<title>Log in</title>")
        content = b"".join(revisits_test.page(name, f"http://site.example/{name}", body.encode(),
                                              date=f"2024-05-01T10:00:{second:02}Z")
                           for second, (name, body) in enumerate(bodies.items()))
        # Its own site has one page with each text: three of different texts have no template in common.
        text = support.html_of(support.article(98, 1))
        content += b"".join(revisits_test.page(f"other{i}", f"http://other{i}.example/", f"{text}{' ' * i}".encode(),
                                               date=f"2024-05-02T10:00:{i:02}Z") for i in range(3))
        return self.write("site.warc", content), {"<urn:test:notice1>", "<urn:test:notice2>"}

    def test_demo(self):
        paths = [DEMO / name for name in ("first.warc.gz", "second.warc.gz", "third.warc.gz")]
        self.run_twice("dedup", *paths, "--no-report", "--revisits")
        totals = self.assert_sums(paths)
        self.assertGreater(totals["near-duplicate"][3], 0)

    def test_more_hosts_and_types_than_are_listed(self):
        body = b"x" * 1000
        path = self.write("many.warc", b"".join(
            payloads_test.response(str(number), f"http://h{number}.example/", body + b"y" * (number % 7),
                                   content_type=f"x/t{number % 60}",
                                   date=f"2024-05-01T10:{number // 60:02}:{number % 60:02}Z")
            for number in range(230)))
        self.run_program("payloads", path, "--out", self.folder / "out", "--quiet")
        self.assert_sums([path])
        self.assertEqual(self.savings()["hosts"]["total"], 230)
        page = (self.folder / "out/savings.html").read_text()
        self.assertIn("130 other hosts", page)
        self.assertIn("Showing 50 of 60 media types", page)

    def test_names_of_strangers_stay_text(self):
        host = "<img src=x onerror=alert(1)>\"'.example"
        types = ["text/<script>alert(2)<script>", "text/\"onmouseover=\"alert(3)"]
        path = self.write("names.warc", b"".join(
            payloads_test.response(f"{number}", f"http://{host}/{number}", b"z" * 2000, content_type=types[number % 2],
                                   date=f"2024-05-0{number + 1}T10:00:00Z") for number in range(4)))
        self.run_program("payloads", path, "--out", self.folder / "out", "--quiet")
        self.assert_sums([path])
        self.assertEqual([row["host"] for row in self.savings()["hosts"]["rows"]], [host])
        page = Page((self.folder / "out/savings.html").read_text())
        self.assertEqual((page.elements["img"], page.elements["script"]), (0, 1))
        self.assertFalse([name for name in page.attributes if name.startswith("on")])
        for name in (host, *types):
            self.assertIn(name, page.text)

    def test_pages_without_records(self):
        text = json.dumps({"id": "1", "text": " ".join(support.article(3))}).encode() + b"\n"
        path = self.write("pages.jsonl", text + text.replace(b'"1"', b'"2"'))
        self.run_program("dedup", path, "--out", self.folder / "out", "--quiet", "--no-report")
        totals = self.savings()["totals"]
        self.assertEqual((totals["records"], totals["records_removed"]), (2, 1))
        self.assertEqual((totals["bytes_before"], totals["bytes_after"]), (2 * len(text), len(text)))
        self.assertEqual(totals["file_bytes_after"], len(text))

    def test_real_archives(self):
        """What was written for the records is all that was written, on archives that are damaged as well."""
        if not payloads_test.DATA.exists():
            self.skipTest("test data not found; set PARAPRINT_DATA_DIR")
        self.run_program("payloads", payloads_test.DATA, "--out", self.folder / "out", "--quiet",
                         "--min-payload-bytes", "0")
        written = sum(len(replay.content_of(path)) for path in (self.folder / "out/records").rglob("*")
                      if path.is_file())
        self.assertEqual(self.savings()["totals"]["bytes_after"], written)

    def test_links_between_the_report_and_savings(self):
        paths = self.site()

        def pages(*options):
            self.run_program("dedup", *paths, "--out", self.folder / "out", "--quiet", *options)
            return [path.read_text() if path.exists() else "" for path in
                    (self.folder / "out/savings.html", self.folder / "out/report/index.html")]

        savings, index = pages()
        self.assertIn('<a href="report/index.html">', savings)
        self.assertIn('<a href="../savings.html">', index)
        savings, _ = pages("--no-report")
        self.assertNotIn("report/index.html", savings)
        _, index = pages("--no-records")
        self.assertNotIn("savings.html", index)

    def test_no_report_of_an_earlier_run_remains(self):
        paths = self.site()
        self.run_program("dedup", *paths, "--out", self.folder / "out", "--quiet", "--no-report")
        self.savings()
        self.run_program("dedup", *paths, "--out", self.folder / "out", "--quiet", "--no-report", "--no-records")
        for name in ("savings.json", "savings.html"):
            self.assertFalse((self.folder / "out" / name).exists())


if __name__ == "__main__":
    support.main()
