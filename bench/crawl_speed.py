#!/usr/bin/env python3
"""Pages a second of `paraprint crawl` on a site of this machine, without pauses, beside libcurl fetching the same
addresses in the same run. Standard library and curl only.

usage: crawl_speed.py PARAPRINT [PAGES [HOSTS [ROUNDS]]]        default 1000, 1, 3

The site: PAGES articles of about 600 words on HOSTS addresses of the loopback network, each page linking to four
others. The crawler asks one thing at a time of a host, profiles every page, and syncs index, archive, log and state
for each; curl throws the bodies away, over one connection. Both are measured in turn, ROUNDS times, and the ratio of
the medians is shown.
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

ANY_PORT = 0


class Site:
    def __init__(self, pages, hosts):
        self.bodies = [self.body(number, pages) for number in range(pages)]
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                name = self.path[1:] or "0"
                body = site.bodies[int(name)] if name.isdigit() and int(name) < pages else None
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *arguments):
                pass

        self.servers = []
        port = ANY_PORT
        for host in range(hosts):
            server = http.server.ThreadingHTTPServer((f"127.0.0.{host + 1}", port), Handler)
            server.daemon_threads = True
            port = server.server_address[1]
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.servers.append(server)
        self.roots = [f"http://127.0.0.{host + 1}:{port}" for host in range(hosts)]

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
    pages, hosts, rounds = (int(value) for value in (sys.argv[2:] + ["1000", "1", "3"][len(sys.argv) - 2:]))
    site = Site(pages, hosts)
    total = pages * hosts
    crawls, fetches = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            addresses = pathlib.Path(folder) / "addresses"
            addresses.write_text("".join(f'url = "{root}/{page}"\noutput = "/dev/null"\n'
                                         for root in site.roots for page in range(pages)))
            fetches.append(timed(["curl", "--silent", "--config", str(addresses)]))
            crawls.append(timed([program, "crawl", *site.roots, "--out", f"{folder}/out", "--allow-address",
                                 "127.0.0.0/8", "--delay", "0", "--depth", "100", "--quiet"]))
            log = (pathlib.Path(folder) / "out/log.jsonl").read_text().splitlines()
            if sum('"status":"stored"' in line.replace(" ", "") for line in log) != total:
                sys.exit("the crawl did not store every page once")
    fetch, crawl = statistics.median(fetches), statistics.median(crawls)
    print(f"{total} pages on {hosts} hosts, {sum(map(len, site.bodies)) / pages / 1024:.1f} KiB each, {rounds} rounds")
    print(f"curl   {total / fetch:8.1f} pages/s")
    print(f"crawl  {total / crawl:8.1f} pages/s, {crawl / fetch:.2f} times curl's time, "
          f"{1000 * crawl / total:.2f} ms a page")


if __name__ == "__main__":
    main()
