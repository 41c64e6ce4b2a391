#!/usr/bin/env python3
"""`paraprint view --data` over HTTP: what it says of an index is what `index` says, an index that another process has
open, and who may ask.

usage: view_index_test.py PARAPRINT [unittest arguments]
"""
import json
import pathlib
import tempfile

import support
import view_support
from serve_support import Service
from view_support import Viewer


class Views(support.ProgramTest):
    """One index and one explorer for all tests that change nothing."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.work = tempfile.TemporaryDirectory()
        cls.known = view_support.make_index(pathlib.Path(cls.work.name))
        cls.viewer = Viewer(f"--data={cls.known}")

    @classmethod
    def tearDownClass(cls):
        cls.viewer.stop()
        cls.work.cleanup()

    def exported(self):
        lines = self.run_program("index", "export", "--data", self.known, "--read-only").stdout.splitlines()
        return {row["id"]: row for row in map(json.loads, lines)}

    def all_pages(self, **conditions):
        return self.viewer.get("pages", limit=500, **conditions)["rows"]

    def test_totals_are_those_of_the_index(self):
        statistics = json.loads(self.run_program("index", "stats", "--data", self.known, "--read-only").stdout)
        state = self.viewer.get("state")
        self.assertTrue(state["is_index"])
        self.assertEqual((state["pages"], state["texts"]), (statistics["pages"], statistics["texts"]))
        overview = self.viewer.get("overview")
        clusters = {}
        for identifier, row in self.exported().items():
            clusters.setdefault(row["cluster"], []).append(identifier)
        sizes = [len(pages) for pages in clusters.values() if len(pages) > 1]
        self.assertGreater(len(sizes), 3)
        self.assertEqual(overview["clusters"], len(sizes))
        self.assertEqual(overview["copies"], sum(size - 1 for size in sizes))
        self.assertEqual(sum(each["clusters"] for each in overview["cluster_sizes"]), len(sizes))
        self.assertEqual(overview["rows"][0]["cluster_pages"], max(sizes))
        self.assertEqual(sum(period["kept"] + period["removed"] for period in overview["periods"]),
                         state["pages"] - overview["pages_without_date"])

    def test_hosts_that_copy_each_other(self):
        exported = self.exported()
        host = lambda url: url.split("/")[2] if url.startswith("http") else ""
        hosts = self.viewer.get("overview")["hosts"]
        counted = dict.fromkeys([(a, b) for a in hosts["names"] for b in hosts["names"]], 0)
        for identifier, row in exported.items():
            if row["cluster"] != identifier:
                counted[host(row["url"]), host(exported[row["cluster"]]["url"])] += 1
        self.assertEqual(hosts["matrix"], [counted[a, b] for a in hosts["names"] for b in hosts["names"]])
        self.assertGreater(sum(hosts["matrix"]), 0)

    def test_every_page_is_what_the_index_exports(self):
        rows = self.all_pages()
        exported = self.exported()
        self.assertEqual([row["id"] for row in rows], sorted(exported))
        for row in rows:
            page = exported[row["id"]]
            self.assertEqual((row["url"], row["date"], row["characters"]),
                             (page["url"], page.get("date", ""), page["content_characters"]))
            first = row["first"]["id"] if "first" in row else row["id"]
            self.assertEqual(first, page["cluster"])

    def test_searches(self):
        rows = self.all_pages()
        middle = sorted(row["characters"] for row in rows)[len(rows) // 2]
        for conditions, accepts in [
                ({"id": "PAGE-1"}, lambda row: "page-1" in row["id"]),
                ({"url": "host2.example/1"}, lambda row: "host2.example/1" in row["url"]),
                ({"host": "HOST1"}, lambda row: "//host1" in row["url"]),
                ({"role": "copy"}, lambda row: "first" in row), ({"role": "first"}, lambda row: "first" not in row),
                ({"characters_minimum": middle}, lambda row: row["characters"] >= middle),
                ({"cluster_pages_minimum": 3}, lambda row: row["cluster_pages"] >= 3),
                ({"host": "host1", "role": "copy"}, lambda row: "//host1" in row["url"] and "first" in row)]:
            wanted = [row["page"] for row in rows if accepts(row)]
            self.assertTrue(0 < len(wanted) < len(rows), conditions)
            self.assertEqual([row["page"] for row in self.all_pages(**conditions)], wanted, conditions)
        for order, key in [("-size", lambda row: -row["characters"]), ("-cluster", lambda row: -row["cluster_pages"]),
                           ("-first", lambda row: [-ord(c) for c in row["first_seen"]])]:
            self.assertEqual([row["page"] for row in self.all_pages(order=order)],
                             [row["page"] for row in sorted(rows, key=key)], order)
        largest = max(rows, key=lambda row: row["cluster_pages"])
        members = self.all_pages(cluster=largest["page"])
        self.assertEqual(len(members), largest["cluster_pages"])
        self.assertIn(largest["page"], [row["page"] for row in members])
        self.assertEqual(self.viewer.get("pages", offset=10, limit=5)["rows"], rows[10:15])

    def test_matches_are_those_of_a_look_up(self):
        found = {}
        lines = self.run_program("index", "find", "--data", self.known, "--read-only",
                                 self.known.parent / "pages.jsonl", "--all", "--matches", "256").stdout.splitlines()
        for line in map(json.loads, lines):
            found[line["id"]] = {match["id"]: match for match in line["matches"]}
        compared = 0
        for row in self.all_pages()[::3]:
            page = self.viewer.get("page", page=row["page"])
            wanted = {name: match for name, match in found[row["id"]].items() if name != row["id"]}
            for match in page["matches"]:
                other = wanted.get(match["b"]["id"])
                if other is None:
                    self.assertGreater(match["b"]["text_pages"], 1)  # another page of this text
                    continue
                compared += 1
                self.assertEqual(match["verdict"], other["verdict"])
                self.assertAlmostEqual(match["resemblance"], other["resemblance"], places=3)
            self.assertEqual(len(page["same_text"]), page["text_pages"] - 1)
            self.assertEqual(len(page["same_cluster"]), page["cluster_pages"] - 1)
        self.assertGreater(compared, 10)

    def test_a_pair_has_its_passages(self):
        pairs = [(row["page"], match) for row in self.all_pages()
                 for match in self.viewer.get("page", page=row["page"])["matches"] if match["verdict"] == "near"]
        self.assertTrue(pairs)
        page, listed = pairs[0]
        pair = self.viewer.get("match", a=page, b=listed["b"]["page"])
        self.assertTrue(pair["is_found"])
        self.assertEqual([pair[name] for name in ["verdict", "resemblance", "containment_a", "containment_b"]],
                         [listed[name] for name in ["verdict", "resemblance", "containment_a", "containment_b"]])
        self.assertTrue(pair["passages"])
        for passage in pair["passages"]:
            for side, span in [("a", "span_asked"), ("b", "span_known")]:
                self.assertTrue(any(begin <= passage[span][0] < passage[span][1] <= end
                                    for begin, end in pair[side]["paragraphs"]))
        swapped = self.viewer.get("match", a=listed["b"]["page"], b=page)
        self.assertEqual(swapped["resemblance"], pair["resemblance"])
        self.assertEqual(swapped["containment_a"], pair["containment_b"])
        rows = self.all_pages()
        other = next(row for row in rows if row["id"].startswith("page-00"))
        far = next(row for row in rows if row["id"].startswith("page-10"))
        self.assertFalse(self.viewer.get("match", a=other["page"], b=far["page"])["is_found"])

    def test_lists_are_saved(self):
        rows = self.all_pages(role="copy")
        table = self.viewer.request("GET", "/api/pages?role=copy&format=tsv")[2].decode().splitlines()
        self.assertEqual(table[0].split("\t")[0], "id")
        self.assertEqual(len(table), len(rows) + 1)
        lines = self.viewer.request("GET", "/api/pages?role=copy&format=jsonl")[2].decode().splitlines()
        self.assertEqual([json.loads(line) for line in lines], rows)

    def test_what_cannot_be_answered_is_refused(self):
        for path, status in [("/api/none", 404), ("/api/pairs", 404), ("/api/pages?what=1", 400),
                             ("/api/pages?order=place", 400), ("/api/pages?role=any", 400),
                             ("/api/pages?cluster=100000", 400), ("/api/pages?limit=501", 400),
                             ("/api/pages?format=xls", 400), ("/api/page", 400), ("/api/page?page=-1", 400),
                             ("/api/match?a=0&b=0", 400), ("/api/match?a=0", 400), ("/api/state?x=1", 400)]:
            got, _, body = self.viewer.request("GET", path)
            self.assertEqual(got, status, (path, body))
            self.assertTrue(json.loads(body)["error"]["message"])

    def test_a_request_of_another_site_is_refused(self):
        for headers in [{"Origin": "http://evil.example"}, {"Host": "evil.example"}]:
            for path in ["/api/state", "/"]:
                status, _, body = self.viewer.request("GET", path, headers=headers)
                self.assertEqual((status, json.loads(body)["error"]["reason"]), (403, "foreign-origin"))
        policy = self.viewer.request("GET", "/")[1]["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)


class Indexes(support.ProgramTest):
    """Other indexes, and other processes that have them open."""

    def fails(self, code, *arguments):
        return self.run_program(*arguments, expect=code).stderr

    def serve(self, *arguments):
        """A service that ends with the test."""
        service = Service(*arguments)
        self.addCleanup(lambda: service.process.poll() is None and service.stop())
        return service

    def test_nothing_in_the_folder_is_changed(self):
        known = view_support.make_index(self.folder)
        before = {path: path.stat().st_mtime_ns for path in known.rglob("*")}
        viewer = Viewer(f"--data={known}")
        viewer.get("page", page=0)
        self.assertEqual(viewer.stop(), support.SUCCESS)
        self.assertEqual({path: path.stat().st_mtime_ns for path in known.rglob("*")}, before)

    def test_a_first_page_that_was_deleted(self):
        """Its cluster keeps its name; the first of the pages that are left stands for it."""
        known = view_support.make_index(self.folder)
        viewer = Viewer(f"--data={known}")
        first = viewer.get("overview")["rows"][0]
        rest = [row["id"] for row in viewer.get("pages", cluster=first["page"])["rows"] if row["id"] != first["id"]]
        viewer.stop()
        self.run_program("index", "delete", "--data", known, first["id"])
        viewer = Viewer(f"--data={known}")
        page = viewer.get("pages", id=rest[0])["rows"][0]
        self.assertEqual([row["id"] for row in viewer.get("pages", cluster=page["page"])["rows"]], sorted(rest))
        self.assertEqual(page["cluster_pages"], len(rest))
        viewer.stop()

    def test_a_page_that_began_a_second_cluster(self):
        """It stands for that one, whatever the ids of its copies, and no longer for the first one."""
        known = self.folder / "known"
        for number, (first, second) in enumerate([("m", "z"), ("m", "a")]):
            html = support.html_of(support.article(number, 8))
            pages = self.write(f"{number}.jsonl", support.json_line(first, html) + support.json_line(second, html))
            self.run_program("index", "add", "--data", known, pages)
        viewer = Viewer(f"--data={known}")
        self.addCleanup(viewer.stop)
        rows = viewer.get("pages")["rows"]
        self.assertEqual([(row["id"], row.get("first", {}).get("id"), row["cluster_pages"]) for row in rows],
                         [("a", "m", 2), ("m", None, 2), ("z", None, 1)])
        self.assertEqual([row["id"] for row in viewer.get("pages", cluster=rows[0]["page"])["rows"]], ["a", "m"])
        self.assertEqual(viewer.get("overview")["copies"], 1)

    def test_pages_of_one_text_are_same(self):
        """Whichever of them was the first one, with which the index answers."""
        known = self.folder / "known"
        near = view_support.changed(support.article(1, 8), 1, 2)
        pages = [support.json_line(name, support.html_of(near if name == "near" else support.article(1, 8)))
                 for name in ("b", "near", "c", "a")]
        self.run_program("index", "add", "--data", known, self.write("pages.jsonl", b"".join(pages)))
        viewer = Viewer(f"--data={known}")
        self.addCleanup(viewer.stop)
        rows = viewer.get("pages")["rows"]
        self.assertEqual([(row["id"], row["text_pages"]) for row in rows], [("a", 3), ("b", 3), ("c", 3), ("near", 1)])
        for row in rows[:3]:
            matches = viewer.get("page", page=row["page"])["matches"]
            self.assertEqual([match["verdict"] for match in matches], ["same", "near"])
            for other in rows[:3]:
                if other is row:
                    continue
                pair = viewer.get("match", a=row["page"], b=other["page"])
                self.assertTrue(pair["is_found"], (row["id"], other["id"]))
                self.assertEqual([pair[name] for name in ["verdict", "resemblance", "containment_a", "containment_b"]],
                                 ["same", 1, 1, 1])
                self.assertTrue(pair["passages"])

    def test_another_algorithm(self):
        known = view_support.make_index(self.folder, "--algorithm", "keyword-position")
        viewer = Viewer(f"--data={known}")
        self.assertIn("keyword-position", viewer.get("state")["algorithm"])
        row = viewer.get("pages", role="copy")["rows"][0]
        page = viewer.get("page", page=row["page"])
        self.assertTrue(page["matches"])
        pair = viewer.get("match", a=row["page"], b=page["matches"][0]["b"]["page"])
        self.assertTrue(pair["is_found"])
        self.assertNotIn("passages", pair)
        viewer.stop()

    def test_an_index_that_a_service_has_open(self):
        known = view_support.make_index(self.folder)
        service = self.serve(known)
        self.assertIn("start the process that changes it with --snapshots",
                      self.fails(support.USAGE, "view", "--data", known, "--port", 0))
        service.stop()
        service = self.serve(known, "--snapshots", 3600)
        service.stop()  # publishes a snapshot
        service = self.serve(known, "--snapshots", 3600)
        viewer = Viewer(f"--data={known}")
        pages = viewer.get("state")["pages"]
        self.assertTrue(viewer.get("state")["snapshot"])
        service.request("POST", "/v1/pages?id=another", "<p>A page that nobody has seen before today.</p>", "text/html")
        self.assertEqual(viewer.get("pages", limit=1)["total"], pages)  # of the moment of the snapshot
        viewer.stop()
        service.stop()

    def test_folders_that_are_no_index(self):
        self.assertIn("finished run, or with --data", self.fails(support.USAGE, "view"))
        self.assertIn("finished run, or with --data", self.fails(support.USAGE, "view", "a", "--data", "b"))
        self.fails(support.USAGE, "view", "--data", self.folder / "none", "--port", 0)
        self.assertEqual(list(self.folder.iterdir()), [])
        (self.folder / "empty").mkdir()
        self.fails(support.USAGE, "view", "--data", self.folder / "empty", "--port", 0)
        self.assertEqual(list((self.folder / "empty").iterdir()), [])


if __name__ == "__main__":
    support.main()
