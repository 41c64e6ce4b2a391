#!/usr/bin/env python3
"""`paraprint view` over HTTP: what it answers, that its numbers are those of the run and of `recluster`, who may ask,
and what it says of folders and files that it cannot use.

usage: view_test.py PARAPRINT [unittest arguments]
"""
import fcntl
import json
import os
import pathlib
import shutil
import signal
import socket
import tempfile

import support
import view_support
from view_support import Viewer


def tsv_rows(path):
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


class Views(support.ProgramTest):
    """One run and one explorer for all tests that change nothing."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.work = tempfile.TemporaryDirectory()
        cls.clean = view_support.make_run(pathlib.Path(cls.work.name))
        cls.viewer = Viewer(cls.clean)

    @classmethod
    def tearDownClass(cls):
        cls.viewer.stop()
        cls.work.cleanup()

    def test_state_and_overview_agree_with_the_summary(self):
        summary = json.loads((self.clean / "summary.json").read_text())
        state = self.viewer.get("state")
        self.assertEqual(state["pages"], summary["counters"]["pages"]["read"])
        self.assertEqual(state["removed"], summary["counters"]["pages"]["removed"])
        self.assertEqual(state["warnings"], [])
        overview = self.viewer.get("overview")
        self.assertEqual(overview["fates"]["kept"], summary["counters"]["pages"]["kept"])
        self.assertEqual(sum(overview["fates"].values()), state["pages"])
        self.assertEqual(sum(size["clusters"] for size in overview["cluster_sizes"]),
                         summary["counters"]["clusters"]["clusters"])
        removed = [json.loads(line) for line in (self.clean / "removed.jsonl").read_text().splitlines()]
        host = lambda url: url.split("/")[2] if url.startswith("http") else ""
        names = overview["hosts"]["names"]
        counted = dict.fromkeys([(a, b) for a in names for b in names], 0)
        for row in removed:
            counted[host(row["url"]), host(row["kept_url"])] += 1
        self.assertEqual(overview["hosts"]["matrix"], [counted[a, b] for a in names for b in names])

    def test_every_page_is_what_the_tables_say(self):
        clusters = dict(tsv_rows(self.clean / "clusters.tsv"))
        removed = {row["id"]: row for row in map(json.loads, (self.clean / "removed.jsonl").read_text().splitlines())}
        found = self.viewer.get("pages", limit=500)
        self.assertEqual(found["total"], len(clusters))
        for row in found["rows"]:
            name = row["id"].replace("\\", "\\\\").replace("\t", "\\t")
            if name in clusters:  # ids with bytes that are escaped otherwise are left out
                self.assertEqual(str(row["cluster"]), clusters[name])
            if row["fate"] == "kept":
                self.assertNotIn(row["id"], removed)
                continue
            told = removed[row["id"]]
            self.assertEqual((row["fate"], row["kept"]["id"], row["reason"], row["score"], row["date"]),
                             (told["verdict"], told["kept_id"], told["reason"], told["resemblance"],
                              told.get("date", "")))
            self.assertEqual((row["file"], row["offset_bytes"]), (told["file"], told["offset_bytes"]))

    def test_conditions_narrow_a_search(self):
        everything = self.viewer.get("pages", limit=500)["rows"]

        def ids(**conditions):
            found = self.viewer.get("pages", limit=500, **conditions)
            self.assertEqual(found["total"], len(found["rows"]))
            return [row["id"] for row in found["rows"]]

        def expected(accepts):
            return [row["id"] for row in everything if accepts(row)]

        self.assertEqual(ids(host="HOST1."), expected(lambda row: "host1." in row["url"]))
        self.assertEqual(ids(url="/3?"), expected(lambda row: "/3?" in row["url"]))
        self.assertEqual(ids(id="PAGE-07"), expected(lambda row: "page-07" in row["id"]))
        self.assertEqual(ids(fate="removed"), expected(lambda row: row["fate"] != "kept"))
        self.assertEqual(ids(fate="near"), expected(lambda row: row["fate"] == "near"))
        self.assertEqual(ids(cluster_pages_minimum=3), expected(lambda row: row["cluster_pages"] >= 3))
        self.assertEqual(ids(language="xx"), [])
        longest = ids(order="-size")
        self.assertEqual(sorted(longest), sorted(row["id"] for row in everything))
        sizes = {row["id"]: row["characters"] for row in everything}
        self.assertEqual([sizes[i] for i in longest], sorted(sizes.values(), reverse=True))
        scored = self.viewer.get("pages", limit=500, score_minimum=0.5, score_maximum=0.9)["rows"]
        self.assertTrue(all(0.5 <= row["score"] <= 0.9 for row in scored))
        self.assertEqual(self.viewer.get("pages", offset=3, limit=2)["rows"], everything[3:5])
        self.assertEqual(self.viewer.get("pages", offset=10_000)["rows"], [])

    def test_texts_and_titles_are_searched_in_steps(self):
        word = " ".join(support.article(105, 8)[7].split()[3:6])
        found, start, read = [], 0, 0
        while start is not None:
            step = self.viewer.get("pages", text=word.upper(), **{"from": start})
            found += [row["id"] for row in step["rows"]]
            start, read = step["next"], read + step["pages_read"]
        self.assertEqual(read, self.viewer.get("state")["pages"])
        self.assertTrue(found)
        self.assertTrue(all(name.startswith("page-05") for name in found), found)
        titles = self.viewer.get("pages", title="article 11 ")["rows"]
        self.assertEqual({row["id"][:7] for row in titles}, {"page-11"})
        page = titles[0]["page"]
        self.assertIn("Article 11", self.viewer.get("titles", pages=page)[str(page)])

    def test_tables_are_saved(self):
        status, headers, body = self.viewer.request("GET", "/api/pages?format=tsv&fate=removed")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/tab-separated-values"))
        rows = [line.split("\t") for line in body.decode().splitlines()]
        self.assertEqual(len(rows) - 1, self.viewer.get("state")["removed"])
        self.assertTrue(all(len(row) == len(rows[0]) for row in rows))
        status, _, body = self.viewer.request("GET", "/api/pages?format=jsonl")
        self.assertEqual(len([json.loads(line) for line in body.decode().splitlines()]),
                         self.viewer.get("state")["pages"])
        status, _, body = self.viewer.request("GET", "/api/pairs?format=jsonl&verdict=near")
        pairs = [json.loads(line) for line in body.decode().splitlines()]
        self.assertTrue(pairs and all(pair["verdict"] == "near" for pair in pairs))

    def test_clusters_have_a_survivor_and_reasons(self):
        largest = self.viewer.get("overview")["rows"][0]
        cluster = self.viewer.get("cluster", page=largest["page"])
        self.assertEqual(cluster["total"], largest["cluster_pages"])
        self.assertEqual(len(cluster["rows"]), cluster["total"] - 1)
        self.assertEqual(cluster["kept"]["page"], largest["page"])
        part = self.viewer.get("cluster", page=largest["page"], offset=1, limit=2)
        self.assertEqual(part["rows"], cluster["rows"][1:3])
        for row in cluster["rows"]:
            self.assertEqual(row["kept"]["id"], largest["id"])
            self.assertEqual(row["here"]["reason"], row["reason"])

    def test_pairs_are_shown_with_their_words(self):
        stored = self.viewer.get("pairs", order="-score", limit=500)
        scores = [pair["resemblance"] for pair in stored["rows"]]
        self.assertEqual(scores, sorted(scores, reverse=True))
        chosen = next(pair for pair in stored["rows"] if pair["resemblance"] < 0.9)
        pair = self.viewer.get("pair", a=chosen["a"]["page"], b=chosen["b"]["page"])
        self.assertEqual((pair["verdict"], pair["resemblance"]), (chosen["verdict"], chosen["resemblance"]))
        shared = [run["text"] for line in pair["text_a"]["lines"] for run in line["runs"] if "passage" in run]
        self.assertTrue(shared)
        other = " ".join(run["text"] for line in pair["text_b"]["lines"] for run in line["runs"])
        kinds = [passage["kind"] for passage in pair["passages"]]
        equal = [run["text"] for line in pair["text_a"]["lines"] for run in line["runs"]
                 if "passage" in run and kinds[run["passage"] - 1] == "equal"]
        self.assertTrue(all(text.strip() in other for text in equal))
        window = self.viewer.get("pairs", score_minimum=0.5, score_maximum=0.8, limit=500)
        self.assertEqual([p["pair"] for p in window["rows"]],
                         [p["pair"] for p in reversed(stored["rows"]) if 0.5 <= p["resemblance"] <= 0.8])

    def test_every_threshold_is_what_recluster_writes(self):
        """The slider's numbers, and clusters at another threshold, against the program's own output."""
        curve = self.viewer.get("thresholds")
        self.assertTrue(curve["is_ready"])
        rows = {row["near"]: row for row in curve["rows"]}
        self.assertEqual(rows[curve["own"]]["removed"], self.viewer.get("state")["removed"])
        removed = [row["removed"] for row in curve["rows"]]
        self.assertGreater(len(set(removed)), 3)
        pages = {row["id"]: row["page"] for row in self.viewer.get("pages", limit=500)["rows"]}
        for near in [0.3, 0.45, 0.6, 0.75, 0.88, 1]:
            with tempfile.TemporaryDirectory() as folder:
                copy = pathlib.Path(folder) / "clean"
                shutil.copytree(self.clean, copy)
                self.run_program("recluster", copy, "--near", near, "--quiet")
                counters = json.loads((copy / "summary.json").read_text())["counters"]
                self.assertEqual((rows[near]["kept"], rows[near]["removed"], rows[near]["clusters"]),
                                 (counters["pages"]["kept"], counters["pages"].get("removed", 0),
                                  counters["clusters"].get("clusters", 0)), near)
                expected = {}
                for line in (copy / "removed.jsonl").read_text().splitlines():
                    row = json.loads(line)
                    expected[row["id"]] = (row["kept_id"], row["verdict"], row["resemblance"], row["reason"])
                for identifier, (kept, *told) in list(expected.items())[::5]:
                    cluster = self.viewer.get("cluster", page=pages[identifier], near=near)
                    here = next(row for row in cluster["rows"] if row["id"] == identifier)["here"]
                    self.assertEqual(cluster["kept"]["id"], kept)
                    self.assertEqual([here["verdict"], here["score"], here["reason"]], told)
                here = self.viewer.get("threshold", near=near)
                largest = [cluster["pages"] for cluster in here["clusters_shown"]]
                sizes = {}
                for _, number in tsv_rows(copy / "clusters.tsv"):
                    sizes[number] = sizes.get(number, 0) + 1
                self.assertEqual(largest, sorted((size for size in sizes.values() if size > 1), reverse=True)[:20])
                self.assertTrue(all(pair["resemblance"] >= near - 5e-5 for pair in here["above"]))
                self.assertTrue(all(pair["resemblance"] <= near + 5e-5 for pair in here["below"]))
                self.assertIn(f"--near {near:g}", here["command"])

    def test_a_request_of_another_site_is_refused(self):
        for headers in [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"},
                        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}]:
            for method, path in [("GET", "/api/state"), ("GET", "/"), ("POST", "/api/rulings")]:
                status, _, body = self.viewer.request(method, path, b"{}" if method == "POST" else None,
                                                      {"Content-Type": "application/json", **headers})
                self.assertEqual(status, 403, (headers, path))
                self.assertEqual(json.loads(body)["error"]["reason"], "foreign-origin")
        own = {"Origin": f"http://127.0.0.1:{self.viewer.port}"}
        status, _, _ = self.viewer.request("GET", "/api/state", headers=own)
        self.assertEqual(status, 200)
        link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
        status, _, _ = self.viewer.request("GET", "/", headers=link)
        self.assertEqual(status, 200)

    def test_documents_forbid_everything_foreign(self):
        for path in ["/", "/assets/main.js", "/assets/view.css", "/assets/icon.svg"]:
            status, headers, body = self.viewer.request("GET", path)
            self.assertEqual(status, 200)
            policy = headers["Content-Security-Policy"]
            self.assertIn("default-src 'none'", policy)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        document = self.viewer.request("GET", "/")[2].decode()
        self.assertNotIn("<style", document)
        self.assertNotRegex(document, r"<script(?![^>]*src=\"/assets/)")
        self.assertNotRegex(document, r"(src|href)=\"(https?:)?//")

    def test_what_cannot_be_answered_is_refused(self):
        viewer = self.viewer
        refused = [("/api/none", 404), ("/assets/../main.js", 404), ("/assets/none.js", 404),
                   ("/api/pages?what=1", 400),
                   ("/api/pages?url=a&url=b", 400), ("/api/pages?order=random", 400), ("/api/pages?limit=501", 400),
                   ("/api/pages?score_minimum=2", 400), ("/api/pages?score_minimum=nan", 400),
                   ("/api/pages?format=xls", 400),
                   ("/api/cluster", 400), ("/api/cluster?page=100000", 400), ("/api/cluster?page=-1", 400),
                   ("/api/cluster?page=0&near=0", 400), ("/api/pair?a=0&b=0", 400), ("/api/pair?a=0", 400),
                   ("/api/titles?pages=x", 400), ("/api/titles?pages=" + ",".join(["1"] * 61), 400),
                   ("/api/threshold?near=0.12345", 400), ("/api/state?x=1", 400), ("/api/pages?url=%ff", 400)]
        for path, status in refused:
            got, _, body = viewer.request("GET", path)
            self.assertEqual(got, status, (path, body))
            self.assertTrue(json.loads(body)["error"]["message"])
        for path in ["/api/rulings", "/api/sample", "/api/judgements"]:
            for body, headers, status in [(b"{", {"Content-Type": "application/json"}, 400),
                                          (b"[]", {"Content-Type": "application/json"}, 400),
                                          (b"{}", {"Content-Type": "text/plain"}, 415),
                                          (b"x" * 100_000, {"Content-Type": "application/json"}, 413),
                                          (b'{"a":-1,"number":"1"}', {"Content-Type": "application/json"}, 400)]:
                self.assertEqual(viewer.request("POST", path, body, headers)[0], status, (path, body[:20]))
        self.assertEqual(viewer.request("POST", "/api/state", b"{}", {"Content-Type": "application/json"})[0], 405)

    def test_a_browser_that_leaves_does_no_harm(self):
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", self.viewer.port)) as connection:
                connection.sendall(b"GET /api/pages?format=jsonl HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.viewer.get("state")


class Runs(support.ProgramTest):
    """What happens to other folders, and what is written."""

    def fails(self, code, *arguments):
        """Returns what the program says, which must end by itself with this code."""
        return self.run_program(*arguments, expect=code).stderr

    def test_a_run_without_pairs_of_different_texts(self):
        text = support.html_of(support.article(1, 6))
        self.write("equal.jsonl", b"".join(support.json_line(name, text) for name in ["a", "b", "c"]))
        self.run_program("dedup", self.folder / "equal.jsonl", "--out", self.folder / "equal", "--no-report")
        viewer = Viewer(self.folder / "equal")
        self.addCleanup(viewer.stop)
        self.assertEqual(viewer.get("cluster", page=0)["total"], 3)
        self.assertEqual(viewer.get("pairs")["total"], 0)
        self.assertEqual({row["removed"] for row in viewer.get("thresholds")["rows"]}, {2})

    def test_nothing_in_the_folder_is_changed(self):
        clean = view_support.make_run(self.folder)
        before = {path: path.stat().st_mtime_ns for path in clean.rglob("*")}
        viewer = Viewer(clean)
        viewer.get("pages", text="a")
        self.assertEqual(viewer.stop(), support.SUCCESS)
        self.assertEqual({path: path.stat().st_mtime_ns for path in clean.rglob("*")}, before)

    def test_recluster_may_run_meanwhile(self):
        clean = view_support.make_run(self.folder)
        viewer = Viewer(clean)
        self.run_program("recluster", clean, "--near", 0.9, "--quiet")
        self.assertEqual(viewer.get("state")["near"], 0.55)
        viewer.stop()
        viewer = Viewer(clean)
        self.assertEqual(viewer.get("state")["near"], 0.9)
        self.assertEqual(viewer.get("state")["command"], "recluster")
        self.assertEqual(viewer.get("state")["warnings"], [])
        viewer.stop()

    def test_an_edited_folder_is_noticed(self):
        clean = view_support.make_run(self.folder)
        summary = clean / "summary.json"
        text = summary.read_text()
        kept = json.loads(text)["counters"]["pages"]["kept"]
        summary.write_text(text.replace(f'"kept": {kept}', f'"kept": {kept - 1}'))
        viewer = Viewer(clean)
        self.assertIn("recluster", viewer.get("state")["warnings"][0])
        viewer.stop()

    def test_inputs_that_changed_leave_everything_but_texts(self):
        clean = view_support.make_run(self.folder)
        (self.folder / "pages.jsonl").rename(self.folder / "elsewhere.jsonl")
        viewer = Viewer(clean)
        self.assertIn("pages.jsonl", viewer.get("state")["no_texts"])
        pair = viewer.get("pairs")["rows"][0]
        shown = viewer.get("pair", a=pair["a"]["page"], b=pair["b"]["page"])
        self.assertTrue(shown["no_texts"] and shown["a"]["id"])
        self.assertIn("pages.jsonl", viewer.get("pages", status=404, text="word")["error"]["message"])
        self.assertEqual(viewer.get("titles", pages=pair["a"]["page"]), {})
        self.assertTrue(viewer.get("thresholds")["rows"])
        viewer.stop()

    def test_folders_without_a_finished_run_are_refused(self):
        clean = view_support.make_run(self.folder)
        self.assertIn("contains no finished run", self.fails(support.USAGE, "view", self.folder / "none"))
        for name, words in [("summary.json", "summary.json is missing"), (".paraprint/options.toml", "no finished run"),
                            (".paraprint/pages.log", "pages.log is missing"),
                            (".paraprint/scores", "scores is missing")]:
            moved = clean / name
            moved.rename(self.folder / "away")
            self.assertIn(words, self.fails(support.USAGE, "view", clean))
            (self.folder / "away").rename(moved)

    def test_damaged_files_are_named(self):
        clean = view_support.make_run(self.folder)
        for code, name, damage, words in [
                (support.FAILURE, "summary.json", lambda data: data[:100], "summary.json: not the summary of a run"),
                (support.FAILURE, ".paraprint/pages.log", lambda data: data[:-10], "damaged or incomplete from byte"),
                (support.FAILURE, ".paraprint/pages.log", lambda data: b"x" + data[1:], "not a page log"),
                (support.USAGE, ".paraprint/pages.log", lambda data: data[:19] + b"\xff" + data[20:],
                 "another version"),
                (support.FAILURE, ".paraprint/scores", lambda data: data[:-10], "scores: damaged file"),
                (support.USAGE, ".paraprint/scores", lambda data: data[:23] + b"\xff" + data[24:], "another version")]:
            path = clean / name
            data = path.read_bytes()
            path.write_bytes(damage(data))
            self.assertIn(words, self.fails(code, "view", clean, "--port", 0), name)
            path.write_bytes(data)

    def test_a_run_that_is_writing_is_not_looked_at(self):
        clean = view_support.make_run(self.folder)
        lock = os.open(clean / ".paraprint/lock", os.O_RDWR)
        self.addCleanup(os.close, lock)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.assertIn("still writing", self.fails(support.USAGE, "view", clean, "--port", 0))

    def test_signals_end_it(self):
        clean = view_support.make_run(self.folder)
        for how in [signal.SIGINT, signal.SIGTERM]:
            viewer = Viewer(clean)
            with socket.create_connection(("127.0.0.1", viewer.port)):  # a browser that keeps its connection
                self.assertEqual(viewer.stop(how), support.SUCCESS)
        self.assertEqual(Viewer(clean, load=False).stop(), support.SUCCESS)

    def test_a_token_is_required_where_others_can_reach(self):
        clean = view_support.make_run(self.folder)
        self.assertIn("set a token", self.fails(support.USAGE, "view", clean, "--address", "0.0.0.0"))
        token = "correct-horse-battery"
        file = self.write("token", token + "\n")
        self.assertIn("no token", self.fails(support.USAGE, "view", clean, "--token-file", self.write("empty", "")))
        viewer = Viewer(clean, "--address", "0.0.0.0", "--token-file", file, load=False)
        self.assertEqual(viewer.request("GET", "/")[0], 200)  # nothing of the run
        for headers in [{}, {"Authorization": "Bearer wrong-token-of-this-size"}]:
            self.assertEqual(viewer.request("GET", "/api/state", headers=headers)[0], 401)
        headers = {"Authorization": "Bearer " + token}
        self.assertEqual(viewer.request("GET", "/api/state", headers=headers)[0], 200)
        viewer.stop()

    def test_rulings_are_files_that_recluster_reads(self):
        clean = view_support.make_run(self.folder)
        viewer = Viewer(clean)
        pair = viewer.get("pairs", verdict="near", limit=500)["rows"]
        pair = next(row for row in pair if row["is_one_cluster"])
        a, b = pair["a"]["page"], pair["b"]["page"]
        answer = viewer.post("rulings", {"a": a, "b": b, "ruling": "never"})
        self.assertEqual(answer["never"]["path"], str(clean / "never.tsv"))
        viewer.post("rulings", {"a": b, "b": a, "ruling": "never"})  # the same pair
        self.assertEqual(len(tsv_rows(clean / "never.tsv")), 1)
        with open(clean / "never.tsv", "a", encoding="utf-8") as file:
            file.write("# kept by hand\nnobody\tnothing\n")
        viewer.stop()
        viewer = Viewer(clean)
        self.assertEqual(viewer.get("pair", a=a, b=b)["ruling"], "never")
        self.assertEqual(viewer.get("rulings")["never"]["unknown"], 1)
        command = viewer.get("rulings")["command"]
        self.assertEqual(command, f"paraprint recluster {clean} --never {clean}/never.tsv")
        self.run_program(*command.split()[1:], "--quiet")
        summary = json.loads((clean / "summary.json").read_text())
        self.assertEqual(summary["counters"]["rulings"]["pairs_never"], 1)
        viewer.post("rulings", {"a": a, "b": b, "ruling": "always"})
        self.assertEqual((clean / "never.tsv").read_text(), "# kept by hand\nnobody\tnothing\n")
        self.assertEqual(len(tsv_rows(clean / "always.tsv")), 1)
        viewer.post("rulings", {"a": a, "b": b, "ruling": "none"})
        self.assertEqual((clean / "always.tsv").read_text(), "")
        viewer.post("rulings", {"a": a, "b": a, "ruling": "never"}, status=400)
        viewer.post("rulings", {"a": a, "b": b, "ruling": "maybe"}, status=400)
        viewer.stop()


if __name__ == "__main__":
    support.main()
