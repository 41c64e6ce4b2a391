#!/usr/bin/env python3
"""Pages a second of `paraprint crawl` on a site of this machine, without pauses, beside libcurl fetching the same
addresses in the same run. Standard library and curl only.

usage: crawl_speed.py PARAPRINT [PAGES [ROUNDS]]        default 1000, 3

The site: PAGES articles of about 600 words on one loopback address, each page linking to four others. The crawler
asks one thing at a time of the host, profiles every page, and keeps it in index, archive, log and state; curl throws
the bodies away, over one connection. Both are measured in turn, ROUNDS times, and the ratio of the medians is shown.
"""
import http.server
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time

class Site:
    def __init__(self, pages):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 1 << 16  # header and body in one packet: else the client's delayed acknowledgement is measured

            def do_GET(self):
                name = self.path[1:] or "0"
                body = self.server.bodies[int(name)] if name.isdigit() and int(name) < pages else None
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *arguments):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        server.bodies = self.bodies = [self.body(number, pages) for number in range(pages)]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.root = f"http://127.0.0.1:{server.server_address[1]}"

    @staticmethod
    def body(number, pages):
        words = random.Random(number)
        paragraphs = "".join(
            "<p>" + " ".join("".join(words.choices("abdegiklmnoprstuw", k=words.randint(3, 9))) for _ in range(60))
            + ".</p>" for _ in range(10))
        links = "".join(f'<a href="/{child}">{child}</a> ' for child in range(4 * number + 1, 4 * number + 5)
                        if child < pages)
        return f"<html><title>{number}</title><article>{paragraphs}</article>{links}</html>".encode()


def timed(command):
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin


def main():
    program = sys.argv[1]
    total, rounds = (int(value) for value in (sys.argv[2:] + ["1000", "3"][len(sys.argv) - 2:]))
    site = Site(total)
    crawls, fetches = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            addresses = pathlib.Path(folder) / "addresses"
            addresses.write_text("".join(f'url = "{site.root}/{page}"\noutput = "/dev/null"\n'
                                         for page in range(total)))
            fetches.append(timed(["curl", "--silent", "--config", str(addresses)]))
            crawls.append(timed([program, "crawl", site.root, "--out", f"{folder}/out", "--allow-address",
                                 "127.0.0.1", "--delay", "0", "--depth", "100", "--quiet"]))
            log = (pathlib.Path(folder) / "out/log.jsonl").read_text().splitlines()
            if sum('"status":"stored"' in line.replace(" ", "") for line in log) != total:
                sys.exit("the crawl did not store every page once")
    fetch, crawl = statistics.median(fetches), statistics.median(crawls)
    print(f"{total} pages, {sum(map(len, site.bodies)) / total / 1024:.1f} KiB each, {rounds} rounds")
    print(f"curl   {total / fetch:8.1f} pages/s")
    print(f"crawl  {total / crawl:8.1f} pages/s, {crawl / fetch:.2f} times curl's time, "
          f"{1000 * crawl / total:.2f} ms a page")


if __name__ == "__main__":
    main()
