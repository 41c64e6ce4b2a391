#!/usr/bin/env python3
"""dedup --annotate: all records stay, and say what was decided about their pages, as the tables do.

usage: annotate_test.py PARAPRINT [unittest arguments]
"""
import collections
import json
import pathlib

import replay
import support

DEMO = pathlib.Path(__file__).resolve().parents[2] / "examples/demo-crawl"


def rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def expected(out):
    """What the tables of a run say of each page, by id."""
    cluster_of = dict(line.split("\t") for line in (out / "clusters.tsv").read_text("utf-8").splitlines())
    sizes = collections.Counter(cluster_of.values())
    removed = {row["id"]: row for row in rows(out / "removed.jsonl")}
    found = {}
    for page, cluster in cluster_of.items():
        row = removed.get(page)
        found[page] = {"cluster": int(cluster), "cluster_size": sizes[cluster], "is_kept": row is None,
                       "kept_id": row["kept_id"] if row else page, "verdict": row["verdict"] if row else None,
                       "score": row["resemblance"] if row else None}
    return found


class Annotate(support.ProgramTest):
    def path(self, name):
        return self.folder / name

    def write_lines(self):
        one, other, third = support.article(1), support.article(2), support.article(3)
        lines = [support.json_line("a", support.html_of(one)),
                 b'{"id":"none", "title": "no page"}\n',
                 support.json_line("b", support.html_of(one[:-1])),
                 b'{ "id":"c",  "n": 1.50, "text":' + json.dumps(" ".join(other)).encode() + b" }\r\n",
                 support.json_line("d", support.html_of(third)),
                 support.json_line("e", support.html_of(third))]
        self.write("pages.jsonl", b"".join(lines)[:-1])
        return lines

    def test_lines_get_fields_and_stay_otherwise(self):
        lines = self.write_lines()
        self.run_program("dedup", self.path("pages.jsonl"), "--out", self.path("plain"))
        self.run_program("dedup", self.path("pages.jsonl"), "--out", self.path("out"), "--annotate")
        out = self.folder / "out"
        wanted = expected(out)
        self.assertEqual(wanted, expected(self.folder / "plain"))
        self.assertEqual([page["is_kept"] for page in wanted.values()].count(False), 2)
        written = (out / "records/pages.jsonl").read_bytes().splitlines(keepends=True)
        self.assertEqual(len(written), len(lines))
        for before, after in zip(lines, written):
            fields = json.loads(after)
            body, end = before.rstrip(b"\r\n"), before[len(before.rstrip(b"\r\n")):]
            if fields["id"] == "none":
                self.assertEqual(before, after)
                continue
            self.assertTrue(after.startswith(body[:-1]), after)
            self.assertTrue(after.endswith(end))
            of_page = wanted[fields["id"]]
            self.assertEqual({name: fields[name] for name in of_page}, of_page)
            self.assertGreater(fields["content_characters"], 100)
            self.assertEqual(fields["boilerplate_share"], 0)
        annotations = rows(out / "annotations.jsonl")
        self.assertEqual([row["id"] for row in annotations], list("abcde"))
        for row in annotations:
            self.assertEqual({name: row[name] for name in wanted[row["id"]]}, wanted[row["id"]])
        summary = json.loads((out / "summary.json").read_text())
        self.assertIn('"records_with_notes": 5', json.dumps(summary))

    def test_other_names_for_chosen_fields(self):
        self.write_lines()
        self.run_program("dedup", self.path("pages.jsonl"), "--out", self.path("out"), "--annotate",
                       "--annotation-fields", "is_kept=stays,cluster")
        self.assertEqual(rows(self.folder / "out/annotations.jsonl")[1], {"id": "b", "stays": False, "cluster": 1})
        # A repeated run may choose others.
        self.run_program("recluster", self.path("out"), "--annotation-fields", "kept_id")
        self.assertEqual(rows(self.folder / "out/annotations.jsonl")[1], {"id": "b", "kept_id": "a"})

    def test_nothing_is_overwritten(self):
        self.write("pages.jsonl", b'{"id":"x","text":"one"}\n{"id":"y","text":"two","score":3}\n')
        done = self.run_program("dedup", self.path("pages.jsonl"), "--out", self.path("out"), "--annotate",
                                expect=support.USAGE)
        self.assertIn('pages.jsonl, line 2: there is a field "score" already', done.stderr)
        self.assertFalse((self.folder / "out/records/pages.jsonl").exists())
        self.run_program("dedup", self.path("pages.jsonl"), "--out", self.path("out"), "--annotate",
                       "--annotation-fields", "cluster,score=similarity")

    def test_archives_get_metadata_records(self):
        self.run_program("dedup", DEMO, "--out", self.path("out"), "--annotate", "--no-report")
        wanted = expected(self.folder / "out")
        noted = {}
        for path in sorted(DEMO.rglob("*.warc*")):
            before = list(replay.records_of(path))
            after = list(replay.records_of(self.folder / "out/records" / path.relative_to(DEMO)))
            known = {found.id for found in before}
            kept = [found for found in after if found.id in known]
            self.assertEqual([found.block for found in kept], [found.block for found in before])
            place = {found.id: number for number, found in enumerate(after)}
            for found in after:
                # A record of a wrong length hides the next one from this reader, until it is repaired.
                if found.id in known or found.kind == "response":
                    continue
                self.assertEqual(found.kind, "metadata")
                page = replay.field(found, "WARC-Refers-To")
                self.assertEqual(place[page] + 1, place[found.id], "the note follows its page")
                noted[page] = dict(line.split(": ", 1) for line in found.block.decode().splitlines())
        self.assertGreater(len(noted), 20)
        self.assertEqual({fields["language"] for fields in noted.values()} & {"en", "zh"}, {"en", "zh"})
        for page, fields in noted.items():
            of_page = wanted[page.strip("<>")]
            self.assertEqual(fields["cluster"], str(of_page["cluster"]))
            self.assertEqual(fields["is_kept"], str(of_page["is_kept"]).lower())
            self.assertEqual(fields["kept_id"], of_page["kept_id"])
            self.assertEqual(fields.get("verdict"), of_page["verdict"])
        # The annotated crawl has the same pages, so a run over it decides the same.
        self.run_program("dedup", self.folder / "out/records", "--out", self.path("again"), "--no-report")
        self.assertEqual(expected(self.folder / "again"), wanted)

    def test_any_number_of_threads_gives_the_same_bytes(self):
        self.run_program("dedup", DEMO, "--out", self.path("one"), "--annotate", "--no-report", "--threads", "1")
        self.run_program("dedup", DEMO, "--out", self.path("two"), "--annotate", "--no-report", "--threads", "2")
        for path in sorted((self.folder / "one/records").rglob("*")) + [self.folder / "one/annotations.jsonl"]:
            if path.is_file():
                other = self.folder / "two" / path.relative_to(self.folder / "one")
                self.assertEqual(path.read_bytes(), other.read_bytes(), path)

    def test_records_in_place_of_removed_ones_are_refused(self):
        for option in ("--revisits", "--payloads"):
            done = self.run_program("dedup", DEMO, "--out", self.path("out"), "--annotate", option,
                                    expect=support.USAGE)
            self.assertIn(f"turn {option[2:]} off", done.stderr)


if __name__ == "__main__":
    support.main()
