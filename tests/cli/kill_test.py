#!/usr/bin/env python3
"""A run that is killed repeatedly gives the same bytes as an undisturbed one, and leaves nothing behind.

usage: kill_test.py PARAPRINT PAGES KILLS [unittest arguments]
A crawl of PAGES JSON lines and WARC records is made from a seed; `paraprint dedup` is killed (SIGKILL) at random
moments and the same command is run again, KILLS times, then until it ends. Standard library only.
"""
import random
import signal
import subprocess
import sys
import time

import support
from support import ProgramTest, article, html_of, json_line, member, page_record

PARAGRAPHS = 9
SEED = 20240501
# Kills happen up to this fraction of an undisturbed run's time: they hit every stage, and runs still make progress.
LATEST_KILL = 1.1
OPTIONS = ("--threads", "2", "--memory", "64MB")


def write_crawl(folder):
    """Three files of articles, with copies, edits and excerpts of articles in the other files."""
    chance = random.Random(SEED)
    lines, records, plain = [], [], []
    for n in range(pages):
        text = article(chance.randrange(pages * 2 // 3), PARAGRAPHS)
        change = chance.randrange(4)
        if change == 1:
            text = text[3:] + text[:3]
        elif change == 2:
            text = text[: PARAGRAPHS // 2]
        elif change == 3:
            text[1] = text[1].replace(" ", " altered ", 2)
        url = f"https://host{n % 17}.example/{n}"
        if n % 3 == 0:
            lines.append(json_line(f"page{n}", html_of(text), url, f"2024-01-01T00:{n // 60 % 60:02}:{n % 60:02}Z"))
        else:
            (records if n % 3 == 1 else plain).append(page_record(n, url, html_of(text).encode()))
    lines.insert(len(lines) // 2, b"{no line\n")
    records.insert(len(records) // 2, b"no record\n")
    contents = {"lines.jsonl": b"".join(lines), "plain.warc": b"".join(plain),
                "records.warc.gz": b"".join(map(member, records))}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in contents]


class Killed(ProgramTest):
    def command(self, inputs, out, tmp):
        return [support.program, "dedup", *map(str, inputs), "--out", str(out), "--tmp", str(tmp), *OPTIONS]

    def run_until(self, command, seconds):
        """Returns whether the run finished within `seconds`; kills it otherwise."""
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            _, message = running.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()
            return False
        self.assertEqual(running.returncode, support.SUCCESS, message.decode()[-2000:])
        return True

    def test_killed_runs_end_with_the_same_bytes(self):
        inputs = write_crawl(self.folder)
        tmp = self.folder / "tmp"
        tmp.mkdir()
        begin = time.monotonic()
        self.run_until(self.command(inputs, self.folder / "undisturbed", tmp), support.RUN_LIMIT_SECONDS)
        whole_seconds = time.monotonic() - begin
        chance = random.Random(SEED + 1)
        killed = finished = 0
        out = self.folder / "killed0"
        while killed < kills:
            # Half of the kills come early, while the log grows; resumed runs then reach the later stages quickly.
            share = LATEST_KILL * chance.random() ** 2
            if not self.run_until(self.command(inputs, out, tmp), share * whole_seconds):
                killed += 1
                continue
            self.assert_clean(out, tmp)
            finished += 1
            out = self.folder / f"killed{finished}"
        self.run_until(self.command(inputs, out, tmp), support.RUN_LIMIT_SECONDS)
        self.assert_clean(out, tmp)
        print(f"{killed} kills in {finished + 1} runs; an undisturbed run takes {whole_seconds:.1f} s", file=sys.stderr)

    def test_stopped_run_can_be_resumed(self):
        inputs = write_crawl(self.folder)
        tmp = self.folder / "tmp"
        tmp.mkdir()
        self.run_until(self.command(inputs, self.folder / "undisturbed", tmp), support.RUN_LIMIT_SECONDS)
        for ask in (signal.SIGINT, signal.SIGTERM):
            out = self.folder / f"stopped{ask.value}"
            command = self.command(inputs, out, tmp)
            running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            log = out / ".paraprint" / "pages.log"
            while running.poll() is None and not (log.exists() and log.stat().st_size > 10_000):
                time.sleep(0.002)
            running.send_signal(ask)
            _, message = running.communicate(timeout=support.RUN_LIMIT_SECONDS)
            self.assertEqual(running.returncode, support.INTERRUPTED, message.decode())
            self.assertIn(b"repeat the command to resume", message)
            self.assertEqual([path.name for path in out.iterdir()], [".paraprint"])
            self.run_until(self.command(inputs, out, tmp), support.RUN_LIMIT_SECONDS)
            self.assert_clean(out, tmp)

    def test_stopped_while_waiting_for_input(self):
        out = self.folder / "out"
        command = [support.program, "dedup", "-", "--out", str(out)]
        running = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        running.stdin.write(json_line("a", html_of(article(1))))
        running.stdin.flush()
        while not out.exists() or not any(path.name.startswith("standard-input") for path in out.rglob("*")):
            time.sleep(0.002)
        running.send_signal(signal.SIGTERM)
        running.wait(timeout=support.RUN_LIMIT_SECONDS)
        self.assertEqual(running.returncode, support.INTERRUPTED)
        self.assertFalse((out / ".paraprint" / "standard-input").exists())
        running.stdin.close()
        running.stderr.close()

    def assert_clean(self, out, tmp):
        self.assert_same_output(self.folder / "undisturbed", out)
        self.assertEqual([path for path in out.rglob("*") if path.name.endswith(".partial")], [])
        work = sorted(path.name for path in (out / ".paraprint").iterdir())
        self.assertEqual(work, sorted(path.name for path in (self.folder / "undisturbed" / ".paraprint").iterdir()))
        self.assertEqual(list(tmp.iterdir()), [])


if __name__ == "__main__":
    pages, kills = int(sys.argv.pop(2)), int(sys.argv.pop(2))
    support.main()
