#!/usr/bin/env python3
"""Measures `paraprint view` on a finished run: loading, memory, and the time of every kind of question.

usage: bench/view.py PARAPRINT FOLDER [QUESTIONS] [--browser]

FOLDER is the output folder of a run; start this in the folder where the run was started, so that texts can be read.
Asks each kind of question QUESTIONS times (100), with conditions drawn from a fixed seed, one after the other, over
HTTP, and prints the median, the 95th percentile and the maximum in milliseconds, and the mean of the processor time,
which a busy machine does not change. With --browser, uses the page in headless Chromium as well (view_browser.py).
"""
import argparse
import http.client
import json
import os
import random
import re
import subprocess
import sys
import time
import urllib.parse

import view_browser


def memory_bytes(process):
    """Resident now, and at most so far."""
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
        fields = dict(line.split(":", 1) for line in status)
    return tuple(int(fields[name].split()[0]) * 1024 for name in ["VmRSS", "VmHWM"])


def processor_seconds(process):
    """Of all its threads so far."""
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Explorer:
    def __init__(self, program, folder):
        self.begin = time.perf_counter()
        self.process = subprocess.Popen([program, "view", folder, "--port", "0", "--quiet"], stderr=subprocess.PIPE,
                                        text=True)
        line = self.process.stderr.readline()
        match = re.search(r":(\d+)/", line)
        if not match:
            sys.exit(f"the explorer did not start: {line}{self.process.stderr.read()}")
        self.url = f"http://127.0.0.1:{match[1]}/"
        self.connection = http.client.HTTPConnection("127.0.0.1", int(match[1]))

    def ask(self, path, **parameters):
        """Returns the answer and the milliseconds that it took."""
        query = urllib.parse.urlencode(parameters)
        begin = time.perf_counter()
        self.connection.request("GET", path + (f"?{query}" if query else ""))
        answer = self.connection.getresponse()
        body = answer.read()
        taken = (time.perf_counter() - begin) * 1000
        if answer.status != 200:
            sys.exit(f"{path} {parameters}: {answer.status} {body[:300]}")
        return body, taken

    def get(self, path, **parameters):
        return json.loads(self.ask("/api/" + path, **parameters)[0])

    def wait(self, is_there):
        while True:
            state = self.get("state")
            if is_there(state):
                return time.perf_counter() - self.begin
            time.sleep(0.02)


def print_times(name, taken, note=""):
    taken = sorted(taken)
    print(f"{name:<34} {taken[len(taken) // 2]:8.1f} {taken[int(len(taken) * 0.95)]:8.1f} {taken[-1]:8.1f} {note}",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("questions", nargs="?", type=int, default=100)
    parser.add_argument("--browser", action="store_true")
    given = parser.parse_args()
    explorer = Explorer(given.program, given.folder)
    if given.browser:
        browser = view_browser.PageUser(explorer.url)
        print(f"first view in the browser, while loading: {browser.first_view():.0f} ms")
    first = sum(explorer.ask(path)[1] for path in ["/", "/assets/main.js", "/assets/view.css", "/api/state"])
    print(f"first view, while loading: {first:.1f} ms after {time.perf_counter() - explorer.begin:.2f} s")
    for name, is_there in [("everything but the slider", lambda state: state["is_ready"]),
                           ("everything", lambda state: state["stage"] == "")]:
        seconds = explorer.wait(is_there)
        print(f"{name}: {seconds:.1f} s, {processor_seconds(explorer.process):.1f} s of processor time", flush=True)
    state, curve = explorer.get("state"), explorer.get("thresholds")
    pairs = explorer.get("pairs", limit=500)
    print(f"{state['pages']} pages, {state['removed']} removed, {pairs['total']} stored pairs")
    draw = random.Random(1)

    def page():
        return draw.randrange(state["pages"])

    def pair():
        return draw.choice(pairs["rows"])

    def near():
        return draw.choice(curve["rows"])["near"]

    kinds = {
        "overview": lambda: ("overview", {}),
        "pages: no condition": lambda: ("pages", {"offset": draw.randrange(state["pages"])}),
        "pages: by URL": lambda: ("pages", {"url": str(draw.randrange(100, 1000))}),
        "pages: by host, sorted": lambda: ("pages", {"host": draw.choice("abcdefgh"), "order": "-cluster"}),
        "pages: by score": lambda: ("pages", {"fate": "removed", "score_maximum": draw.random(), "order": "score"}),
        "titles of a list": lambda: ("titles", {"pages": ",".join(str(page()) for _ in range(20))}),
        "cluster": lambda: ("cluster", {"page": page()}),
        "cluster at another threshold": lambda: ("cluster", {"page": page(), "near": near()}),
        "pairs by score": lambda: ("pairs", {"score_minimum": draw.random(), "verdict": "near"}),
        "pair side by side": lambda: ("pair", {side: page["page"] for side, page in pair().items() if side in "ab"}),
        "slider": lambda: ("threshold", {"near": near()}),
    }
    if not pairs["rows"]:
        del kinds["pair side by side"]
    if state["has_provenance"]:
        largest = explorer.get("overview")["rows"][0]
        print(f"largest cluster: {largest['cluster_pages']} pages")
        kinds |= {
            "copies in a cluster": lambda: ("copies", {"page": page()}),
            "copies in the largest cluster": lambda: ("copies", {"page": largest["page"]}),
            "pages: by date": lambda: ("pages", {"published_from": f"20{draw.randrange(10, 25)}", "origin": "copy"}),
            "pages: by stated source": lambda: ("pages", {"source": draw.choice("abcdefgh") + draw.choice("aeiou")}),
        }
    if state["no_texts"]:
        print(f"no texts: {state['no_texts']}")
    print(f"{'question':<34} {'median':>8} {'p95':>8} {'max':>8} {'processor':>10}  ms")
    for name, make in kinds.items():
        taken = []
        before = processor_seconds(explorer.process)
        for _ in range(given.questions):
            path, parameters = make()
            taken.append(explorer.ask("/api/" + path, **parameters)[1])
        processor = (processor_seconds(explorer.process) - before) * 1000 / given.questions
        print_times(name, taken, f"{processor:10.1f}")
    if given.browser:
        print(f"{'interaction in the browser':<34} {'median':>8} {'p95':>8} {'max':>8}  ms")
        for name, taken in browser.interactions(given.questions).items():
            print_times(name, taken)
        browser.close()
    now, most = memory_bytes(explorer.process)
    print(f"memory: {now / 1e6:.0f} MB, at most {most / 1e6:.0f} MB")
    explorer.process.terminate()
    explorer.process.wait()


if __name__ == "__main__":
    main()
