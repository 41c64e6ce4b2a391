#!/usr/bin/env python3
"""Pages per second of `paraprint crawl` on local sites, without pauses, compared with libcurl fetching the same
URLs in the same run. Standard library and curl only.

usage: crawl_speed.py PARAPRINT [PAGES [ROUNDS [HOSTS]]]        default 1000, 3, 1

The sites: PAGES articles of about 600 words on HOSTS loopback addresses, each page linking to four others. The crawler
sends one request at a time to a host, profiles every page, and stores it in index, archive, log and state; curl fetches
sequentially and discards the bodies. Both are measured in turn, ROUNDS times; the ratio of the medians is printed.
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

class Sites:
    def __init__(self, pages, hosts):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 1 << 16  # one packet, or else the client's delayed acknowledgement is measured

            def do_GET(self):
                body = self.server.bodies.get(self.headers["Host"] + self.path)
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *arguments):
                pass

        server = http.server.ThreadingHTTPServer(("0.0.0.0", 0), Handler)
        server.daemon_threads = True
        port = server.server_address[1]
        self.hosts = [f"127.0.0.{host + 1}:{port}" for host in range(hosts)]
        server.bodies = self.bodies = {}
        for page in range(pages):
            number, of_host = page // hosts, (pages - page % hosts + hosts - 1) // hosts
            body = self.bodies[f"{self.hosts[page % hosts]}/{number}"] = self.body(page, number, of_host)
            if number == 0:
                self.bodies[f"{self.hosts[page % hosts]}/"] = body
        threading.Thread(target=server.serve_forever, daemon=True).start()

    @staticmethod
    def body(page, number, pages):
        words = random.Random(page)
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
    total, rounds, hosts = (int(value) for value in (sys.argv[2:] + ["1000", "3", "1"][len(sys.argv) - 2:]))
    sites = Sites(total, hosts)
    pages = [name for name in sites.bodies if not name.endswith("/0")]  # already counted as the page at "/"
    crawls, fetches = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            addresses = pathlib.Path(folder) / "addresses"
            addresses.write_text("".join(f'url = "http://{page}"\noutput = "/dev/null"\n' for page in pages))
            fetches.append(timed(["curl", "--silent", "--config", str(addresses)]))
            crawls.append(timed([program, "crawl", *(f"http://{host}/" for host in sites.hosts), "--out",
                                 f"{folder}/out", "--allow-address", "127.0.0.0/8", "--delay", "0", "--depth", "100",
                                 "--quiet"]))
            log = (pathlib.Path(folder) / "out/log.jsonl").read_text().splitlines()
            if sum('"status":"stored"' in line.replace(" ", "") for line in log) != total:
                sys.exit("the crawl did not store every page once")
    fetch, crawl = statistics.median(fetches), statistics.median(crawls)
    size_bytes = sum(len(sites.bodies[page]) for page in pages)
    print(f"{total} pages on {hosts} hosts, {size_bytes / total / 1024:.1f} KiB each, {rounds} rounds")
    print(f"curl   {total / fetch:8.1f} pages/s")
    print(f"crawl  {total / crawl:8.1f} pages/s, {crawl / fetch:.2f} times curl's time, "
          f"{1000 * crawl / total:.2f} ms a page")


if __name__ == "__main__":
    main()
