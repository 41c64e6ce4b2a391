#!/usr/bin/env python3
"""`paraprint view` on a run with provenance.jsonl: that what it answers is what the file says, and what it says of a
file that is missing, damaged, of another run or replaced meanwhile. Also the same in the HTML report.

usage: view_copies_test.py PARAPRINT [unittest arguments]
"""
import collections
import json
import os
import pathlib
import re
import tempfile

import support
import view_support
from view_support import Viewer

DRAWN, DATED, UNDATED = 40, 120, 20


def lines_of(clean):
    return [json.loads(line) for line in (clean / "provenance.jsonl").read_text(encoding="utf-8").splitlines()]


def host_of(url):
    return url.split("/")[2]


class Copies(support.ProgramTest):
    """One run and one explorer for all tests that change nothing."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.work = tempfile.TemporaryDirectory()
        cls.clean = view_support.make_copied_run(pathlib.Path(cls.work.name))
        cls.viewer = Viewer(cls.clean)
        cls.lines = {line["id"]: line for line in lines_of(cls.clean)}
        cls.rows = {row["id"]: row for row in cls.viewer.get("pages", limit=500)["rows"]}

    @classmethod
    def tearDownClass(cls):
        cls.viewer.stop()
        cls.work.cleanup()

    def usable_day(self, line):
        is_odd = {"date-in-future", "date-before-web"} & set(line.get("problems", []))
        return "" if is_odd else line.get("date", "")[:10]

    def clusters(self):
        clusters = collections.defaultdict(list)
        for line in self.lines.values():
            clusters[line["cluster"]].append(line)
        return clusters

    def below(self, lines, name):
        """Ids of the page's copies, directly or over others."""
        found = []
        for line in lines:
            if line["copied_from"] == name:
                found += [line["id"], *self.below(lines, line["id"])]
        return found

    def test_the_pictures_have_what_the_file_says(self):
        self.assertEqual(len(self.clusters()), 2)
        for lines in self.clusters().values():
            drawn = self.viewer.get("copies", page=self.rows[lines[0]["id"]]["page"])
            self.assertEqual(drawn["provenance"], {"is_there": True, "failure": "", "lines": len(self.lines),
                                                   "lines_refused": 0, "refused": []})
            tree = drawn["tree"]
            self.assertEqual((tree["total"], tree["apart"]), (len(lines), 0))
            self.assertEqual(len(tree["pages"]), min(DRAWN, len(lines)))
            first = next(line["id"] for line in lines if line["is_first"])
            self.assertEqual(tree["pages"][0]["id"], first)
            shown = {page["id"] for page in tree["pages"]}
            for page in tree["pages"]:
                line = self.lines[page["id"]]
                source = None if page["source"] is None else tree["pages"][page["source"]]["id"]
                self.assertEqual(source, line["copied_from"])
                below = self.below(lines, page["id"])
                self.assertEqual((page["copies"], page["not_drawn"]),
                                 (len(below), sum(name not in shown for name in below)))
            usable = sorted((self.usable_day(line), line["id"]) for line in lines if self.usable_day(line))
            self.assertEqual([(page["day"], page["id"]) for page in drawn["dated"]["pages"]], usable[:DATED])
            self.assertEqual(drawn["dated"]["total"], len(usable))
            undated = sorted(line["id"] for line in lines if not self.usable_day(line))
            self.assertEqual([page["id"] for page in drawn["undated"]["pages"]], undated[:UNDATED])

    def test_a_part_of_the_tree_is_drawn_alone(self):
        page = self.rows["second"]["page"]
        drawn = self.viewer.get("copies", page=self.rows["first"]["page"], **{"from": page})["tree"]
        below = self.below(list(self.lines.values()), "second")
        self.assertTrue(below)
        self.assertEqual([each["id"] for each in drawn["pages"]][0], "second")
        self.assertEqual(sorted(each["id"] for each in drawn["pages"]), sorted(["second", *below]))

    def test_every_copy_can_be_drawn(self):
        page = self.rows["equal-000"]["page"]
        whole = self.viewer.get("copies", page=page)["tree"]
        direct = [each for each in whole["pages"] if each["source"] == 0]
        first = whole["pages"][0]
        self.assertGreater(first["direct"], len(direct))
        rest = self.viewer.get("copies", page=page, skip=len(direct), **{"from": first["page"]})["tree"]["pages"]
        self.assertEqual(rest[0]["page"], first["page"])
        self.assertEqual(sum(each["source"] == 0 for each in rest), min(DRAWN - 1, first["direct"] - len(direct)))
        self.assertFalse({each["id"] for each in rest[1:]} & {each["id"] for each in whole["pages"]})

    def test_members_have_their_origin(self):
        cluster = self.viewer.get("cluster", page=self.rows["first"]["page"], limit=500)
        members = [cluster["kept"], *cluster["rows"]]
        self.assertEqual(len(members), cluster["total"])
        for member in members:
            line, origin = self.lines[member["id"]], member["origin"]
            for name in ["date", "date_place", "source_name", "source_url", "author", "is_first", "is_traced",
                         "first_confidence", "added_characters", "lost_paragraphs"]:
                self.assertEqual(origin.get(name), line.get(name), (member["id"], name))
            self.assertEqual(origin["problems"], line.get("problems", []))
            self.assertEqual(origin["day"], self.usable_day(line))
            if line["copied_from"] is None:
                self.assertNotIn("copied_from", origin)
                continue
            self.assertEqual(origin["copied_from"]["id"], line["copied_from"])
            self.assertEqual((origin["confidence"], origin["reasons"], origin["against"]),
                             (line["confidence"], line["reasons"], line.get("against", [])))
        self.assertEqual(cluster["kept"]["origin"]["is_traced"], True)
        self.assertIsNone(self.viewer.get("cluster", page=self.rows["alone"]["page"])["kept"]["origin"])

    def test_the_overview_counts_them(self):
        overview = self.viewer.get("overview")
        origins = overview["origins"]
        days = [self.usable_day(line) for line in self.lines.values()]
        self.assertEqual(origins["pages_without_date"], days.count(""))
        for part, is_copy in [("kept", False), ("removed", True)]:
            counted = collections.Counter(
                self.usable_day(line)[:len(origins["periods"][0]["name"])] for line in self.lines.values()
                if self.usable_day(line) and (line["copied_from"] is not None) == is_copy)
            self.assertEqual({period["name"]: period[part] for period in origins["periods"] if period[part]}, counted)
        names = origins["hosts"]["names"]
        pairs = collections.Counter((host_of(line["url"]), host_of(self.lines[line["copied_from"]]["url"]))
                                    for line in self.lines.values() if line["copied_from"] is not None)
        self.assertEqual(origins["hosts_total"], len(set(sum(pairs, ()))))
        self.assertEqual(origins["hosts"]["matrix"], [pairs[a, b] for a in names for b in names])
        self.assertTrue(self.viewer.get("state")["has_provenance"])

    def test_pages_are_found_by_what_they_state(self):
        def ids(**conditions):
            return sorted(row["id"] for row in self.viewer.get("pages", limit=500, **conditions)["rows"])

        def expected(accepts):
            found = sorted(line["id"] for line in self.lines.values() if accepts(line))
            self.assertTrue(found)
            return found

        day = self.usable_day
        self.assertEqual(ids(published_from="2012"), expected(lambda line: day(line) >= "2012"))
        self.assertEqual(ids(published_to="2010-02"), expected(lambda line: day(line) and day(line)[:7] <= "2010-02"))
        self.assertEqual(ids(published_from="2010-02-01", published_to="2010-03-01"), ["second", "third"])
        self.assertEqual(ids(origin="first"), expected(lambda line: line["is_first"]))
        self.assertEqual(ids(origin="copy", host="first.example"),
                         sorted(line["id"] for line in self.lines.values()
                                if line["copied_from"] and host_of(line["url"]) == "first.example"))
        self.assertEqual(ids(source="FIRST.example"), ["second"])
        for wrong in [{"published_from": "20"}, {"published_to": "2010/01"}, {"published_from": "2010-01-011"},
                      {"origin": "both"}]:
            self.viewer.get("pages", status=400, **wrong)
        self.viewer.get("copies", status=400)
        self.viewer.get("copies", status=400, page=0, skip=1)
        self.viewer.get("copies", status=400, page=0, **{"from": self.rows["alone"]["page"]})

    def test_saved_tables_have_sources(self):
        body = self.viewer.request("GET", "/api/pages?format=tsv&url=second")[2].decode()
        head, row = [line.split("\t") for line in body.splitlines()]
        saved = dict(zip(head, row))
        self.assertEqual((saved["published"], saved["copied_from"]), ("2010-02-01", "first"))
        line = json.loads(self.viewer.request("GET", "/api/pages?format=jsonl&url=second")[2])
        self.assertEqual((line["published"], line["copied_from"]["id"]), ("2010-02-01", "first"))

    def test_the_report_shows_the_same_without_a_script(self):
        for lines in self.clusters().values():
            html = (self.clean / f"report/clusters/{lines[0]['cluster']}.html").read_text(encoding="utf-8")
            section = html[html.index('<section id="copies">'):]
            self.assertEqual(section.count("<li>"), min(100, len(lines)))
            self.assertEqual(section.count("<ul"), section.count("</ul>"))
            usable = [line for line in lines if self.usable_day(line)]
            self.assertEqual(section.count("<rect"), len(usable))
            for line in usable[:100]:
                self.assertIn(line["date"], section)
            for line in lines:
                if line["copied_from"] and "stated-source" in line["reasons"]:
                    self.assertIn("names the source", section)
            without_end = section[:section.index("</section>")]
            self.assertNotIn("<script", without_end)
            self.assertNotRegex(without_end, r"<(img|b)\b|<i>")
        chain = next(lines for lines in self.clusters().values() if any(line["id"] == "third" for line in lines))
        html = (self.clean / f"report/clusters/{chain[0]['cluster']}.html").read_text(encoding="utf-8")
        names = re.findall(r'<li><div>.*?<bdi>(.*?)</bdi>', html)
        self.assertEqual(len(names), len(chain))


class OtherFiles(support.ProgramTest):
    """provenance.jsonl that is missing, damaged or replaced."""

    def setUp(self):
        super().setUp()
        self.clean = view_support.make_copied_run(self.folder, "--no-report", "--no-records")
        self.path = self.clean / "provenance.jsonl"

    def viewer(self):
        viewer = Viewer(self.clean)
        self.addCleanup(viewer.stop)
        return viewer

    def test_a_run_without_the_file_says_so(self):
        self.path.unlink()
        viewer = self.viewer()
        state = viewer.get("state")
        self.assertEqual((state["has_provenance"], state["is_traced"]), (False, True))
        copies = viewer.get("copies", page=0)
        self.assertFalse(copies["provenance"]["is_there"])
        self.assertNotIn("tree", copies)
        self.assertEqual(viewer.get("overview")["origins"]["periods"], [])
        self.assertIsNone(viewer.get("cluster", page=0)["kept"]["origin"])
        self.assertIn("provenance.jsonl", viewer.get("pages", status=400, origin="first")["error"]["message"])
        self.assertIn("copied_from", viewer.request("GET", "/api/pages?format=tsv")[2].decode().splitlines()[0])
        # What it says there brings the file back.
        self.run_program(*viewer.get("rulings")["command"].split()[1:])
        self.assertTrue(self.path.exists())

    def test_a_run_that_was_not_traced_says_so(self):
        other = self.folder / "other"
        other.mkdir()
        viewer = Viewer(view_support.make_run(other))
        self.addCleanup(viewer.stop)
        state = viewer.get("state")
        self.assertEqual((state["has_provenance"], state["is_traced"]), (False, False))

    def test_lines_that_cannot_be_used_are_named(self):
        lines = self.path.read_text(encoding="utf-8").splitlines()
        other = json.dumps({"id": "<b>of another run", "cluster": 1, "is_traced": True})
        self.path.write_text("\n".join([lines[0], "{\"id\":", other, *lines[1:-1], lines[-1][:-9]]), encoding="utf-8")
        viewer = self.viewer()
        told = viewer.get("overview")["provenance"]
        self.assertEqual((told["lines"], told["lines_refused"]), (len(lines) - 1, 3))
        for at, number in enumerate([2, 3, len(lines) + 2]):
            self.assertTrue(told["refused"][at].startswith(f"{self.path}: line {number}: "), told["refused"][at])
        self.assertGreater(len(viewer.get("copies", page=0)["tree"]["pages"]), 1)

    def test_any_bytes_are_survived(self):
        for content in [b"", b"\n", b"\x00\xff" * 5000, b"[" * 100_000, b"x" * 3_000_000, b"\xef\xbb\xbf{}\n"]:
            self.path.write_bytes(content)
            viewer = self.viewer()
            self.assertTrue(viewer.get("overview")["provenance"]["is_there"])
            self.assertIsNone(viewer.get("cluster", page=0)["kept"]["origin"])
            tree = viewer.get("copies", page=0)["tree"]
            self.assertEqual(tree["total"], 1)
            viewer.stop()

    def test_what_is_no_file_is_told(self):
        self.path.unlink()
        os.mkfifo(self.path)
        told = self.viewer().get("overview")["provenance"]
        self.assertFalse(told["is_there"])
        self.assertIn("not a regular file", told["failure"])

    def test_a_recluster_meanwhile_changes_nothing_that_is_shown(self):
        viewer = self.viewer()
        before = viewer.get("copies", page=0)
        self.run_program("recluster", self.clean, "--near", "1")
        self.assertEqual(viewer.get("copies", page=0), before)

    def test_a_file_that_is_cut_meanwhile_is_told(self):
        viewer = self.viewer()
        os.truncate(self.path, 10)
        origins = [page["origin"] for page in viewer.get("copies", page=0)["tree"]["pages"]]
        self.assertTrue(any("was changed" in origin.get("unreadable", "") for origin in origins))


if __name__ == "__main__":
    support.main()
