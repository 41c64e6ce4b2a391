#!/usr/bin/env python3
"""Lines and records of a gigabyte are counted with their position and skipped in little memory; the rest is read.

usage: long_input_test.py PARAPRINT [unittest arguments]
The gigabyte is a hole in a file, so the test needs no disk. Standard library only.
"""
import json
import resource

import support
from support import ProgramTest, article, html_of, json_line, page_record, warc_record

GIGABYTE = 1 << 30
# Not enough for the line in addition to the program's tables and one line of max_line_bytes.
ADDRESS_SPACE_BYTES = 1 << 30


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_BYTES, ADDRESS_SPACE_BYTES))


class LongInput(ProgramTest):
    def file_with_hole(self, name, before, hole_bytes, after):
        path = self.folder / name
        with open(path, "wb") as file:
            file.write(before)
            file.seek(hole_bytes, 1)
            file.write(after)
        return str(path)

    def dedup(self, path):
        out = self.folder / "out"
        self.run_program("dedup", path, "--out", out, "--no-report", "--threads", "1", "--memory", "64MB",
                         prepare=limit_memory)
        broken = json.loads((out / "summary.json").read_text(encoding="utf-8"))["broken"]
        rows = (out / "clusters.tsv").read_text(encoding="utf-8").splitlines()
        return {row["kind"]: row for row in broken}, [row.split("\t")[0] for row in rows], out

    def test_line_of_a_gigabyte(self):
        first = json_line("first", html_of(article(1)))
        last = json_line("last", html_of(article(1)))
        path = self.file_with_hole("pages.jsonl", first + b'{"id": "long", "html": "', GIGABYTE, b'"}\n' + last)
        broken, ids, out = self.dedup(path)
        self.assertEqual(ids, ["first", "last"])
        self.assertEqual(broken["line-too-long"]["count"], 1)
        example = broken["line-too-long"]["examples"][0]
        self.assertEqual(example["file"], path)
        self.assertIn("line 2", example["message"])
        self.assertEqual((out / "records" / "pages.jsonl").read_bytes(), first)

    def test_record_of_a_gigabyte(self):
        first = page_record("first", "https://one.example/", html_of(article(1)).encode())
        last = page_record("last", "https://two.example/", html_of(article(1)).encode())
        long = warc_record("long", "https://one.example/long", b"", length=GIGABYTE)[:-4]
        path = self.file_with_hole("crawl.warc", first + long, GIGABYTE, b"\r\n\r\n" + last)
        broken, ids, out = self.dedup(path)
        self.assertEqual(ids, ["urn:test:first", "urn:test:last"])
        self.assertEqual(broken["record-too-large"]["examples"][0]["file"], path)
        self.assertEqual(broken["record-too-large"]["examples"][0]["offset_bytes"], len(first))
        # The page stays in the archive: it is too large to compare, but must not be lost.
        self.assertEqual((out / "records" / "crawl.warc").stat().st_size, len(first) + len(long) + GIGABYTE + 4)

    def test_page_of_a_gigabyte(self):
        path = self.file_with_hole("page.html", b"<html><body><p>", GIGABYTE, b"</p></body></html>")
        broken, ids, _ = self.dedup(path)
        self.assertEqual(ids, [])
        self.assertEqual(broken["record-too-large"]["examples"][0]["file"], path)


if __name__ == "__main__":
    support.main()
