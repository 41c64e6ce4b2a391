#!/usr/bin/env python3
"""Bad input end to end: each case is a crawl that also contains good pages, which must survive.

usage: bad_input_test.py PARAPRINT [unittest arguments]
Lines of a gigabyte are tested by long_input_test.py. Standard library only.
"""
import gzip
import json
import os
import pathlib
import resource
import subprocess
import unittest
import zlib

import support
from support import ProgramTest, article, html_of, http_message, json_line, member, page_record, warc_record

GOOD_PAGES = 6
EXPANDED_BOMB_BYTES = 200 << 20
NESTED_TAGS = 100_000
# Enough sentences for their keys to exceed the sorters' share of the minimum --memory.
SPILLING_PAGES = 60_000
SPILLING_PARAGRAPHS = 8


class BadInput(ProgramTest):
    def setUp(self):
        super().setUp()
        # Three articles with a copy each on another host: the copies must be found in every case.
        self.good = []
        for n in range(GOOD_PAGES):
            html = html_of(article(n // 2)).encode()
            self.good.append(page_record(f"good{n}", f"https://host{n % 2}.example/{n // 2}", html))

    def crawl(self, bad, name="crawl.warc.gz", compress=member):
        """Writes a crawl of good records with `bad` in the middle. Returns its path and the offset of `bad`."""
        before = b"".join(compress(record) for record in self.good[:3])
        after = b"".join(compress(record) for record in self.good[3:])
        return self.write(name, before + bad + after), len(before)

    def dedup(self, *inputs, expect=support.SUCCESS, options=()):
        self.out = self.folder / "out"
        finished = self.run_program("dedup", *inputs, "--out", self.out, "--no-report", *options, expect=expect)
        self.assertNotIn("Traceback", finished.stderr)
        return finished

    def summary(self):
        return json.loads((self.out / "summary.json").read_text(encoding="utf-8"))

    def ids(self):
        rows = (self.out / "clusters.tsv").read_text(encoding="utf-8").splitlines()
        return {row.split("\t")[0]: row.split("\t")[1] for row in rows}

    def assert_good_pages(self):
        """Asserts that all good pages were read and are clustered with their copies."""
        clusters = self.ids()
        for n in range(GOOD_PAGES):
            self.assertIn(f"urn:test:good{n}", clusters)
        for n in range(0, GOOD_PAGES, 2):
            self.assertEqual(clusters[f"urn:test:good{n}"], clusters[f"urn:test:good{n + 1}"])
        removed = (self.out / "removed.jsonl").read_text(encoding="utf-8").splitlines()
        self.assertEqual(len(removed), GOOD_PAGES // 2)

    def assert_broken(self, kind, path, offset=None, count=1):
        """Asserts that summary.json counts `kind`, with file, offset and message in the first example."""
        broken = {row["kind"]: row for row in self.summary()["broken"]}
        self.assertIn(kind, broken)
        self.assertEqual(broken[kind]["count"], count)
        example = broken[kind]["examples"][0]
        self.assertEqual(example["file"], str(path))
        self.assertTrue(example["message"])
        if offset is not None:
            self.assertEqual(example["offset_bytes"], offset)

    def assert_said(self, path, *words):
        """Asserts that `extract` reports the same on standard error, with file and position on one line."""
        finished = self.run_program("extract", path)
        lines = [line for line in finished.stderr.splitlines() if line.startswith(str(path)) and "at byte" in line]
        self.assertTrue(any(all(word in line for word in words) for line in lines), finished.stderr)

    # -- the page itself

    def test_not_html(self):
        for name, body in (("binary", bytes(range(32)) * 200), ("json", b'{"a": [1, 2, 3]}'), ("noise", os.urandom(9))):
            with self.subTest(name):
                path, _ = self.crawl(member(page_record("bad", "https://odd.example/", body)), f"{name}.warc.gz")
                self.out = self.folder / f"out-{name}"
                self.run_program("dedup", path, "--out", self.out, "--no-report")
                self.assert_good_pages()
                self.assertIn("urn:test:bad", self.ids())
                if name == "binary":
                    self.assertEqual(self.summary()["counters"]["reading"]["pages_not_html"], 1)

    def test_lying_charset(self):
        text = "这座老桥建于一百多年前，桥上的石头已经被行人磨得发亮，两岸的居民每天都要从这里经过。" * 4
        body = f"<html><head><meta charset=iso-8859-1></head><body><p>{text}</p></body></html>".encode("gb18030")
        record = warc_record("bad", "https://odd.example/", http_message(body, "text/html; charset=big5"))
        path, _ = self.crawl(member(record))
        self.dedup(path)
        self.assert_good_pages()
        self.assertEqual(self.summary()["counters"]["reading"]["charset_overruled"], 1)
        extracted = [json.loads(line) for line in self.run_program("extract", path).stdout.splitlines()]
        self.assertEqual([page["text"] for page in extracted if page["id"] == "urn:test:bad"], [text])

    def test_bytes_that_fit_no_charset(self):
        body = html_of(article(77)).encode().replace(b" ", b" \xff\xfe\xc3", 20)
        path, _ = self.crawl(member(page_record("bad", "https://odd.example/", body)))
        self.dedup(path)
        self.assert_good_pages()
        self.assertIn("urn:test:bad", self.ids())

    def test_nul_bytes(self):
        body = html_of(article(0)).encode().replace(b"a", b"a\0", 30)
        path, _ = self.crawl(member(page_record("bad", "https://odd.example/", body)))
        self.dedup(path)
        clusters = self.ids()
        self.assertEqual(clusters["urn:test:bad"], clusters["urn:test:good0"])

    def test_nested_tags(self):
        body = b"<html><body>" + b"<div>" * NESTED_TAGS + b"<p>deep</p>"
        path, _ = self.crawl(member(page_record("bad", "https://odd.example/", body)))
        self.dedup(path)
        self.assert_good_pages()
        self.assertEqual(self.summary()["counters"]["reading"]["limit_tag_depth"], 1)

    def test_nested_formatting(self):
        body = b"<html><body>" + b"<p><b><i><font>x" * (NESTED_TAGS // 4)
        path, _ = self.crawl(member(page_record("bad", "https://odd.example/", body)))
        self.dedup(path)
        self.assert_good_pages()
        self.assertIn("urn:test:bad", self.ids())

    def test_empty_page_and_page_of_one_character(self):
        bad = b"".join(member(page_record(f"bad{n}", f"https://odd.example/{n}", body))
                       for n, body in enumerate((b"", b"x", b" ", "字".encode())))
        path, _ = self.crawl(bad)
        self.dedup(path)
        self.assert_good_pages()
        counters = self.summary()["counters"]
        self.assertEqual(counters["reading"]["pages_empty-body"], 2)  # not a page, but still a record
        self.assertEqual(set(self.ids()) & {f"urn:test:bad{n}" for n in range(4)}, {"urn:test:bad1", "urn:test:bad3"})
        self.assertEqual(counters["output"]["records_kept"], GOOD_PAGES // 2 + 4)

    # -- compression

    def test_gzip_bomb(self):
        deflate = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
        header = warc_record("bad", "https://odd.example/", b"", length=EXPANDED_BOMB_BYTES)[:-4]
        bomb = deflate.compress(header) + b"".join(deflate.compress(bytes(1 << 20))
                                                  for _ in range(EXPANDED_BOMB_BYTES >> 20)) + deflate.flush()
        path, offset = self.crawl(bomb)
        self.dedup(path)
        self.assert_good_pages()
        self.assert_broken("compression-bomb", path, offset)
        self.assert_said(path, "compression-bomb", f"at byte {offset}")

    def test_bomb_inside_a_page(self):
        body = gzip.compress(bytes(EXPANDED_BOMB_BYTES), mtime=0)
        record = warc_record("bad", "https://odd.example/", http_message(body, headers=["Content-Encoding: gzip"]))
        path, offset = self.crawl(member(record))
        self.dedup(path)
        self.assert_good_pages()
        kinds = {row["kind"] for row in self.summary()["broken"]}
        self.assertTrue(kinds & {"body-too-large", "compression-bomb"}, kinds)
        self.assertEqual(self.summary()["broken"][0]["examples"][0]["offset_bytes"], offset)

    def test_truncated_member_in_the_middle(self):
        whole = member(page_record("bad", "https://odd.example/", html_of(article(50, 20)).encode()))
        path, offset = self.crawl(whole[: len(whole) // 2])
        self.dedup(path)
        self.assert_good_pages()
        self.assert_broken("broken-compression", path, offset)
        self.assert_said(path, "broken-compression", f"at byte {offset}")

    def test_truncated_member_at_the_end(self):
        whole = member(page_record("bad", "https://odd.example/", html_of(article(50, 20)).encode()))
        good = b"".join(map(member, self.good))
        path = self.write("crawl.warc.gz", good + whole[: len(whole) // 2])
        self.dedup(path)
        self.assert_good_pages()
        self.assert_broken("truncated-compression", path, len(good))
        self.assert_said(path, "truncated-compression", f"at byte {len(good)}")

    def test_damaged_member(self):
        whole = bytearray(member(page_record("bad", "https://odd.example/", html_of(article(50)).encode())))
        whole[len(whole) // 2] ^= 0xFF
        path, offset = self.crawl(bytes(whole))
        self.dedup(path)
        self.assert_good_pages()
        kinds = {row["kind"]: row["examples"][0] for row in self.summary()["broken"]}
        self.assertTrue(kinds.keys() & {"broken-compression", "bad-checksum"}, kinds)
        self.assertEqual({example["offset_bytes"] for example in kinds.values()}, {offset})

    # -- records

    def test_wrong_content_length(self):
        body = html_of(article(60)).encode()
        for name, wrong_by in (("short", -40), ("long", 300)):
            for compress in (bytes, member):
                with self.subTest(name, compress=compress.__name__):
                    length = len(http_message(body)) + wrong_by
                    bad = compress(page_record("bad", "https://odd.example/", body, length=length))
                    path, offset = self.crawl(bad, f"{name}-{compress.__name__}.warc", compress)
                    self.out = self.folder / f"out-{name}-{compress.__name__}"
                    self.run_program("dedup", path, "--out", self.out, "--no-report")
                    self.assert_good_pages()
                    self.assertIn("urn:test:bad", self.ids())
                    broken = self.summary()["broken"]
                    self.assertTrue(broken)
                    self.assertEqual(broken[0]["examples"][0]["file"], path)
                    self.assertEqual(broken[0]["examples"][0]["offset_bytes"], offset)

    def test_no_content_length(self):
        record = page_record("bad", "https://odd.example/", b"<p>lost</p>").replace(b"Content-Length", b"X-Length")
        path, offset = self.crawl(member(record))
        self.dedup(path)
        self.assert_good_pages()
        self.assert_broken("bad-record-header", path, offset)
        self.assert_said(path, "bad-record-header", f"at byte {offset}")

    def test_wrong_http_content_length(self):
        body = html_of(article(61)).encode()
        message = http_message(body, headers=[f"Content-Length: {len(body) + 999}"])
        path, offset = self.crawl(member(warc_record("bad", "https://odd.example/", message)))
        self.dedup(path)
        self.assert_good_pages()
        self.assertIn("urn:test:bad", self.ids())
        self.assert_broken("wrong-http-content-length", path, offset)

    def test_record_without_url(self):
        path, offset = self.crawl(member(page_record("bad", None, html_of(article(62)).encode())))
        self.dedup(path)
        self.assert_good_pages()
        self.assertIn("urn:test:bad", self.ids())
        self.assert_broken("missing-url", path, offset)
        self.assert_said(path, "missing-url", f"at byte {offset}")

    def test_duplicate_urls(self):
        bad = b"".join(member(page_record(f"bad{n}", "https://host0.example/0", html_of(article(70 + n)).encode()))
                       for n in range(2))
        path, _ = self.crawl(bad)
        self.dedup(path)
        self.assert_good_pages()
        clusters = self.ids()
        self.assertNotEqual(clusters["urn:test:bad0"], clusters["urn:test:bad1"])

    def test_duplicate_ids(self):
        body = html_of(article(63)).encode()
        path, _ = self.crawl(member(page_record("good0", "https://odd.example/", body)))
        self.dedup(path)
        self.assertEqual(self.summary()["counters"]["reading"]["duplicate_ids"], 1)
        rows = (self.out / "clusters.tsv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(len(rows), GOOD_PAGES + 1)
        self.assertEqual(len({row.split("\t")[0] for row in rows}), GOOD_PAGES + 1)

    def test_garbage_between_records(self):
        path, offset = self.crawl(b"neither a record nor a member\n" * 10, "crawl.warc", bytes)
        self.dedup(path)
        self.assert_good_pages()
        self.assert_broken("garbage", path, offset)

    # -- JSON lines

    def test_broken_lines(self):
        good = json_line("good", html_of(article(1)), "https://a.example/")
        cases = (("bad-json", b'{"id": "x", "html": \n'), ("bad-json", b"[1, 2]\n"),
                 ("bad-utf8", b'{"id": "x", "html": "\xff\xfe"}\n'), ("missing-field", b'{"id": "x"}\n'),
                 ("wrong-field-type", b'{"id": "x", "html": 5}\n'))
        for n, (kind, line) in enumerate(cases):
            with self.subTest(kind, n=n):
                path = self.write(f"pages{n}.jsonl", good + line + good.replace(b'"good"', b'"good2"'))
                self.out = self.folder / f"out{n}"
                self.run_program("dedup", path, "--out", self.out, "--no-report")
                self.assertEqual(set(self.ids()), {"good", "good2"})
                self.assert_broken(kind, path)
                self.assertIn("line 2", json.dumps(self.summary()["broken"][0]["examples"][0]))
                self.assert_said(path, kind, "(line 2)")

    def test_line_over_the_limit(self):
        good = json_line("good", html_of(article(1)), "https://a.example/")
        long = json_line("long", "<p>" + "x" * (3 << 20) + "</p>")
        path = self.write("pages.jsonl", good + long + good.replace(b'"good"', b'"good2"'))
        self.dedup(path, options=("--max-line-bytes", "1MB"))
        self.assertEqual(set(self.ids()), {"good", "good2"})
        self.assert_broken("line-too-long", path)

    # -- files, disks and permissions

    def test_empty_file_and_unknown_format(self):
        path, _ = self.crawl(b"")
        empty = self.write("nothing.warc", b"")
        unknown = self.write("picture.bin", bytes(range(256)) * 40)
        self.dedup(path, empty, unknown)
        self.assert_good_pages()
        self.assert_broken("empty-file", empty, 0)
        self.assert_broken("unknown-format", unknown, 0)

    def test_tables_and_uris_where_they_are_not_read(self):
        table = self.write("pages.parquet", b"PAR1")
        for command in ("extract", "profile"):
            for given in (table, "s3://bucket/pages.jsonl"):
                finished = self.run_program(command, given, expect=support.USAGE)
                self.assertIn(f"paraprint: {given}: this command reads neither tables nor URIs", finished.stderr)
                self.assertIn("extract_batch()", finished.stderr)

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_file_without_permission(self):
        path, _ = self.crawl(b"")
        closed = self.write("closed.warc", self.good[0])
        os.chmod(closed, 0)
        finished = self.run_program("dedup", path, closed, "--out", self.folder / "out", expect=support.FAILURE)
        self.assertIn(closed, finished.stderr)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_output_folder_without_permission(self):
        path, _ = self.crawl(b"")
        folder = self.folder / "closed"
        folder.mkdir(mode=0o500)
        finished = self.run_program("dedup", path, "--out", folder / "out", expect=support.FAILURE)
        self.assertIn(str(folder), finished.stderr)

    def test_output_folder_that_cannot_be_examined(self):
        """Its real path is unknown, which does not mean that the input is inside it."""
        path, _ = self.crawl(b"")
        loop = self.folder / "loop"
        loop.symlink_to(loop)
        finished = self.run_program("dedup", path, "--out", loop / "out", expect=support.FAILURE)
        self.assertIn(str(loop), finished.stderr)
        self.assertNotIn("inside", finished.stderr)

    def test_unreadable_file(self):
        """A file that opens but fails on every read is counted; the other files are read."""
        unreadable = pathlib.Path("/proc/self/mem")  # address 0 is never mapped: EIO
        if not unreadable.exists():
            self.skipTest("needs /proc")
        path, _ = self.crawl(b"")
        finished = self.dedup(path, unreadable, expect=support.UNREADABLE_INPUT)
        self.assertIn("broken", finished.stderr)
        self.assert_good_pages()
        self.assert_broken("unreadable-file", unreadable, 0)
        self.assertIn("Input/output error", json.dumps(self.summary()["broken"]))
        self.assertEqual([file.name for file in (self.out / "records").rglob("*") if file.is_file()],
                         ["crawl.warc.gz"])
        self.assertEqual(self.run_program("extract", unreadable, path, expect=support.UNREADABLE_INPUT)
                         .stdout.count("\n"), GOOD_PAGES)

    def test_folder_of_another_user(self):
        """The message says who is refused, and what can be done."""
        def become_nobody():
            os.setuid(65534)

        self.folder.chmod(0o755)
        path, _ = self.crawl(b"")
        (self.folder / "locked").mkdir(mode=0o700)
        try:
            self.run_program("version", prepare=become_nobody)
        except (PermissionError, subprocess.SubprocessError) as error:
            self.skipTest(f"needs root, and a program that all may run: {error}")
        for arguments in (["dedup", path, "--out", self.folder / "locked" / "out"],
                          ["serve", "--data", self.folder / "locked" / "known", "--port", 0]):
            finished = self.run_program(*arguments, prepare=become_nobody, expect=support.FAILURE)
            self.assertRegex(finished.stderr, "(?s)Permission denied.*the user '?[a-z0-9]+'? may not do that: choose")

    def test_full_disk(self):
        path, _ = self.crawl(b"")

        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))

        self.out = self.folder / "out"
        finished = self.run_program("dedup", path, "--out", self.out, expect=support.NO_SPACE_LEFT,
                                    prepare=limit_files)
        self.assertIn(str(self.out), finished.stderr)
        self.assertIn("run the same command again", finished.stderr)
        self.assertFalse((self.out / "summary.json").exists())
        self.run_program("dedup", path, "--out", self.out)
        self.assert_good_pages()
        self.run_program("dedup", path, "--out", self.folder / "fresh")
        self.assert_same_output(self.out, self.folder / "fresh")

    def test_unusable_spill_folder(self):
        path, _ = self.crawl(b"")
        blocked = self.write("file", b"no folder")
        finished = self.run_program("dedup", path, "--out", self.folder / "out", "--tmp", blocked + "/below",
                                    expect=support.USAGE)
        self.assertIn(blocked, finished.stderr)
        self.assertFalse((self.folder / "out" / "summary.json").exists())

    def test_no_space_in_tmp(self):
        """The sorters spill and find no space: exit code 4 with the folder's name, and the run can be resumed."""
        writer = support.Writer(5)
        words = [writer.word() for _ in range(3000)]
        sentences = (" ".join(writer.random.choices(words, k=12)) + "." for _ in iter(int, 1))
        lines = (json.dumps({"id": f"p{n}", "text": "\n".join(next(sentences) for _ in range(SPILLING_PARAGRAPHS))})
                 for n in range(SPILLING_PAGES))
        path = self.write("pages.jsonl", "\n".join(lines) + "\n")
        spill = self.folder / "spill"
        spill.mkdir()
        options = ("--memory", "64MB", "--tmp", spill, "--no-records", "--no-report")
        self.dedup(path, options=options)
        before = support.output_files(self.out)
        # As if the run had been killed before it stored its scores: only the search remains, and it must spill.
        (self.out / ".paraprint" / "scores").unlink()

        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))

        finished = self.run_program("dedup", path, "--out", self.out, *options, expect=support.NO_SPACE_LEFT,
                                    prepare=limit_files)
        self.assertIn(str(spill), finished.stderr)
        self.assertEqual(list(spill.iterdir()), [])
        self.dedup(path, options=options)
        self.assertEqual(support.output_files(self.out), before)

    def test_nothing_is_left_in_tmp(self):
        path, _ = self.crawl(b"")
        spill = self.folder / "spill"
        spill.mkdir()
        kept = self.write("spill/of-the-user.txt", "not ours")
        self.dedup(path, options=("--tmp", spill))
        self.assertEqual([str(file) for file in spill.iterdir()], [kept])


if __name__ == "__main__":
    support.main()
