"""--memory bounds the process and does not change the output. Linux only: peaks are those the kernel reports."""
import hashlib
import json
import os
import resource
import signal
import subprocess

import support

TARGET_BYTES = 96 << 20
PAGES = 60_000
PATH_CHARACTERS = 2000  # of a URL, stored in the page table: more pages would take more time for the same memory


class MemoryTest(support.ProgramTest):

    def crawl(self):
        writer = support.Writer(11)
        words = [writer.word() for _ in range(4000)]
        path = self.folder / "pages.jsonl"
        with open(path, "w", encoding="utf-8") as file:
            for page in range(PAGES):
                # Every fourth page is a copy of the one before it; every eighth has the id of the one before it.
                if page % 4 != 3:
                    text = "\n".join(" ".join(writer.random.choices(words, k=14)) + "." for _ in range(3))
                directory = format(page * 2654435761 % (1 << 32), "08x") * (PATH_CHARACTERS // 8)
                url = f"https://site{page % 50}.example/{directory}/{page}"
                identifier = f"page {page - (page % 8 == 7)}"
                file.write(json.dumps({"id": identifier, "url": url, "text": text}) + "\n")
        return path

    def digests(self, out):
        """Digests of output files but timing.json. Read in pieces, because a child's peak RSS starts with ours."""
        found = {}
        for path in sorted((self.folder / out).rglob("*")):
            name = path.relative_to(self.folder / out).as_posix()
            if path.is_file() and not name.startswith(".paraprint") and name != "timing.json":
                digest = hashlib.sha256()
                with open(path, "rb") as file:
                    for piece in iter(lambda: file.read(1 << 20), b""):
                        digest.update(piece)
                found[name] = digest.hexdigest()
        return found

    def peak_bytes(self, *arguments):
        """The peak RSS of one run of the program, as reported by the kernel."""
        with open(self.folder / "errors", "wb") as errors:
            process = subprocess.Popen([support.program, *map(str, arguments)], stdout=subprocess.DEVNULL,
                                       stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, support.SUCCESS, self.said()[-3000:])
        return usage.ru_maxrss << 10

    def said(self):
        return (self.folder / "errors").read_text(encoding="utf-8")

    def timing(self, out):
        return json.loads((self.folder / out / "timing.json").read_text())

    def test_the_process_stays_below_its_target(self):
        path = self.crawl()
        bounded = self.peak_bytes("dedup", path, "--out", self.folder / "bounded", "--memory", TARGET_BYTES, "--quiet",
                                  "--threads", 2)
        free = self.peak_bytes("dedup", path, "--out", self.folder / "free", "--threads", 2)
        self.assertNotIn("beyond --memory", self.said())
        self.assertLess(bounded, TARGET_BYTES)
        self.assertGreater(free, TARGET_BYTES * 1.25, "this crawl is too small for the target to matter")
        self.assertEqual(self.digests("bounded"), self.digests("free"))
        timing = self.timing("bounded")
        self.assertEqual(timing["resources"]["memory_target_bytes"], TARGET_BYTES)
        self.assertLess(timing["peak_memory_bytes"], TARGET_BYTES)
        self.assertGreater(timing["resources"]["tables_spilled_bytes"], 0)
        self.assertEqual(self.timing("free")["resources"]["tables_spilled_bytes"], 0)
        self.assertEqual(list((self.folder / "bounded" / ".paraprint").glob("spill")), [])

        bounded = self.peak_bytes("recluster", self.folder / "bounded", "--near", "0.9", "--quiet")
        free = self.peak_bytes("recluster", self.folder / "free", "--near", "0.9", "--quiet")
        self.assertLess(bounded, TARGET_BYTES)
        self.assertGreater(free, bounded)
        self.assertEqual(self.digests("bounded"), self.digests("free"))

    def test_exceeding_the_target_is_reported(self):
        """Memory of threads does not move to disk: many threads exceed a small target, and the run reports it."""
        page = support.html_of(support.article(1, paragraphs=3000))
        path = self.folder / "pages.jsonl"
        with open(path, "wb") as file:
            for number in range(64):
                file.write(support.json_line(str(number), page))
        peak = self.peak_bytes("dedup", path, "--out", self.folder / "out", "--memory", 64 << 20, "--threads", 8)
        self.assertGreater(peak, 64 << 20)
        self.assertIn("more than --memory (64 MiB)", self.said())

    def test_texts_that_are_compared_are_read_in_parts(self):
        """However large the pages are whose paragraphs are near each other, or that lose something."""
        path = self.folder / "pages.jsonl"
        shared = support.article(1000)[0]
        filling = ("-" * 99 + "\n") * 15_000
        with open(path, "w", encoding="utf-8") as file:
            for page in range(100):
                edited = shared.replace(shared.split()[7], f"zz{page}", 1)
                text = filling + "\n".join(support.article(page) + [edited])
                file.write(json.dumps({"id": f"text {page}", "url": f"https://a.example/{page}", "text": text}) + "\n")
        options = ("--trim", "--trim-bits", "12", "--threads", 1, "--quiet", "--no-report")
        bounded = self.peak_bytes("dedup", path, "--out", self.folder / "bounded", "--memory", TARGET_BYTES, *options)
        self.assertLess(bounded, TARGET_BYTES)
        self.peak_bytes("dedup", path, "--out", self.folder / "free", *options)
        self.assertEqual(self.digests("bounded"), self.digests("free"))
        counters = json.loads((self.folder / "free" / "summary.json").read_text())["counters"]["output"]
        self.assertGreater(counters["passages_near-paragraph"], 50)

    def limited(self, limit_bytes, *arguments, stack_bytes=None):
        """Runs the program with limits on its address space and on the stacks of its threads."""
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, limit_bytes))
            if stack_bytes:
                resource.setrlimit(resource.RLIMIT_STACK, (stack_bytes, stack_bytes))
        return subprocess.run([support.program, *map(str, arguments)], capture_output=True,
                              timeout=support.RUN_LIMIT_SECONDS, preexec_fn=limit)

    def test_runs_in_one_thread_if_no_more_can_be_started(self):
        """A stack size above the address space limit keeps every thread from starting."""
        path = self.folder / "pages.jsonl"
        path.write_bytes(b"".join(support.json_line(str(number), support.html_of(support.article(number % 30)))
                                  for number in range(60)))
        self.run_program("dedup", path, "--out", self.folder / "four", "--threads", 4, "--quiet")
        finished = self.limited(2 << 30, "dedup", path, "--out", self.folder / "alone", "--threads", 4, "--quiet",
                                stack_bytes=4 << 30)
        self.assertEqual(finished.returncode, support.SUCCESS, finished.stderr.decode())
        self.assertEqual(self.digests("alone"), self.digests("four"))
        finished = self.limited(2 << 30, "index", "add", path, "--data", self.folder / "known", stack_bytes=4 << 30)
        self.assertEqual(finished.returncode, support.FAILURE, finished.stderr.decode())
        self.assertIn(b"cannot start a thread", finished.stderr)

    def test_out_of_memory_is_reported_and_the_same_command_resumes(self):
        lines, archive = self.folder / "pages.jsonl", self.folder / "pages.warc.gz"
        with open(lines, "wb") as of_lines, open(archive, "wb") as of_archive:
            for number in range(60):
                page = support.html_of(support.article(number, paragraphs=300))
                of_lines.write(support.json_line(str(number), page))
                message = support.http_message(support.member(page.encode()), headers=["Content-Encoding: gzip"])
                of_archive.write(support.member(support.warc_record(number, f"https://x.example/{number}", message)))
        command = ["dedup", lines, archive, "--quiet", "--threads", 2, "--out"]
        least = next(limit for limit in range(32 << 20, 4 << 30, 2 << 20)
                     if self.limited(limit, "version").returncode == support.SUCCESS)
        self.run_program(*command, self.folder / "whole")
        ended_with = set()
        for more in (0, 8, 16, 24, 32, 40, 48, 64, 96, 256, 1024):
            out = self.folder / f"out{more}"
            finished = self.limited(least + (more << 20), *command, out)
            ended_with.add(finished.returncode)
            if finished.returncode == support.FAILURE:
                self.assertIn(b"memory", finished.stderr)
            elif finished.returncode != support.SUCCESS:
                # Some libraries abort when out of memory for data they create once (simdjson, thread-local data).
                self.assertEqual(finished.returncode, -signal.SIGABRT, finished.stderr.decode())
            else:
                self.assertEqual(self.digests(out), self.digests("whole"))  # no page was read as an empty one
        self.assertLessEqual({support.FAILURE, support.SUCCESS}, ended_with)
        self.run_program(*command, self.folder / "out0")
        self.assertEqual(self.digests("out0"), self.digests("whole"))


if __name__ == "__main__":
    support.main()
