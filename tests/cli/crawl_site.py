"""A web site to crawl, on a loopback address: ordinary pages, crawler traps and broken answers. Standard library only.

Every server records its requests. Broken answers are written directly to the socket: no library would send them.
"""
import collections
import gzip
import os
import re
import socket
import socketserver
import struct
import threading
import time
import urllib.parse

import support


def page(title, paragraphs, links=(), head=""):
    """An HTML page with the template of the site around its text."""
    anchors = "".join(f'<li><a href="{link}">{index}</a></li>' for index, link in enumerate(links))
    body = "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs)
    return (f"<!DOCTYPE html>\n<html><head><meta charset=utf-8><title>{title}</title>{head}</head><body>"
            f"<main><article><h1>{title}</h1>{body}</article></main><nav><ul>{anchors}</ul></nav>"
            "</body></html>\n").encode()


def answer(body=b"", status="200 OK", content_type="text/html; charset=utf-8", headers=()):
    if isinstance(body, str):
        body = body.encode()
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    if content_type:
        lines.append(f"Content-Type: {content_type}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def redirect(target, status="302 Found"):
    return answer(b"moved", status, headers=[f"Location: {target}"])


class Request:
    def __init__(self, target, fields, time_seconds, connection):
        self.target, self.fields, self.time_seconds = target, fields, time_seconds
        self.connection = connection
        self.path, _, self.query = target.partition("?")
        self.ended = False  # the complete answer was passed to the system


class Site:
    """Serves `routes`, which map a path (a pattern for re.fullmatch) to bytes or to a function of (site, request,
    send) that returns bytes, or None if it has sent everything itself."""

    def __init__(self, routes, address="127.0.0.1", robots=b"", delay_seconds=0, hangs_up_late=False, tls=None):
        self.routes = [(re.compile(path), reply) for path, reply in routes.items()]
        self.robots, self.delay_seconds = robots, delay_seconds
        self.requests, self.lock = [], threading.Lock()
        site = self

        class Handler(socketserver.StreamRequestHandler):
            timeout = 30

            def handle(self):
                try:
                    site.serve(self.rfile, self.wfile, self.connection)
                    if hangs_up_late:
                        self.rfile.readline()  # reads the next request without answering it
                except (OSError, ValueError):
                    pass  # the crawler closed the connection

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address, daemon_threads, request_queue_size = True, True, 64

        self.server = Server((address, 0), Handler)
        self.port = self.server.server_address[1]
        self.root = f"http{'s' if tls else ''}://{address}:{self.port}"
        if tls:  # an ssl.SSLContext
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def serve(self, rfile, wfile, connection):
        line = rfile.readline(65536).decode("latin-1").split()
        if len(line) < 2:
            return
        fields = {}
        while (header := rfile.readline(65536)) not in (b"\r\n", b"\n", b""):
            name, _, value = header.decode("latin-1").partition(":")
            fields[name.strip().lower()] = value.strip()
        request = Request(line[1], fields, time.monotonic(), connection)
        with self.lock:
            self.requests.append(request)
        reply = self.reply_to(request, wfile.write)
        if reply is not None:
            if self.delay_seconds:
                time.sleep(self.delay_seconds)
            wfile.write(reply)
        wfile.flush()
        request.ended = True

    def reply_to(self, request, send):
        if request.path == "/robots.txt" and isinstance(self.robots, bytes):
            return answer(self.robots, content_type="text/plain") if self.robots else answer(status="404 Not Found")
        if request.path == "/robots.txt":
            return self.robots(self, request, send)
        for pattern, reply in self.routes:
            if pattern.fullmatch(request.path):
                return reply if isinstance(reply, bytes) else reply(self, request, send)
        return answer("<p>nothing here", "404 Not Found")

    def counts(self):
        """How often each target was requested."""
        with self.lock:
            return collections.Counter(request.target for request in self.requests)

    def asked(self, pattern):
        return sorted(target for target in self.counts() if re.fullmatch(pattern, target))


def article_page(number, links=(), print_version=False):
    paragraphs = support.article(1000 + number, 5)
    if print_version:
        return (b"<!DOCTYPE html><html><head><meta charset=utf-8><title>Print</title></head><body><div>"
                + "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs).encode() + b"</div></body></html>")
    return page(f"Article {number}", paragraphs, links)


# ---------------------------------------------------------------------------------------------------------------------
# Broken answers

def slow_body(site, request, send):
    send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n")
    for _ in range(300):
        send(b"x")
        time.sleep(0.1)


def silent(site, request, send):
    time.sleep(30)


def truncated(site, request, send):
    send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n"
         + page("Cut", support.article(77, 3)))


def truncated_chunks(site, request, send):
    body = page("Cut chunks", support.article(78, 3))
    send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
         + b"%x\r\n" % len(body) + body + b"\r\n100\r\nabc")


def reset(site, request, send):
    """Breaks the connection in the body."""
    send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n"
         + page("Reset", support.article(82, 3)))
    time.sleep(0.1)
    request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    os.close(request.connection.detach())


def broken_redirect(target, rest_seconds=0):
    """A redirect of whose body less comes than it says."""
    def reply(site, request, send):
        send(f"HTTP/1.1 301 Moved\r\nLocation: {target}\r\nContent-Length: 1000\r\n\r\nmoved".encode())
        time.sleep(rest_seconds)
    return reply


def short_length(site, request, send):
    body = page("Longer than it says", support.article(79, 3))
    send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
         % (len(body) - 40) + body)


def huge_header(site, request, send):
    send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")
    for index in range(2000):
        send(b"X-%d: " % index + b"y" * 1000 + b"\r\n")
    send(b"\r\n<p>hello")


def long_header_line(site, request, send):
    """Longer than the limit that libcurl has for a line."""
    send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Pad: " + b"a" * 150_000 + b"\r\n\r\n<p>hello")


def long_status_line(site, request, send):
    """After an interim response, when a header was complete already."""
    send(b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 " + b"a" * 150_000 + b"\r\n\r\n<p>hello")


BOMB_BYTES = 20 << 20


def bomb():
    return answer(gzip.compress(b"<p>" + b"a" * BOMB_BYTES), headers=["Content-Encoding: gzip"])


def hang_up(site, request, send):
    return b""


def flaky(failures):
    """Fails `failures` times, then answers."""
    def reply(site, request, send):
        if site.counts()[request.target] <= failures:
            return answer("busy", "503 Service Unavailable")
        return page_answer("Flaky", 80)
    return reply


def page_answer(title, seed, links=(), **options):
    return answer(page(title, support.article(seed, 4), links), **options)


# ---------------------------------------------------------------------------------------------------------------------
# Traps

def calendar(site, request, send):
    """A month without events that links to other months, endlessly."""
    year, month = map(int, request.path.split("/")[-2:])
    following = year * 12 + month
    return answer(page(f"{year}-{month:02}", [f"No events in {month}/{year}."],
                       [f"/calendar/{following // 12}/{following % 12 + 1}",
                        f"/calendar/{year - 1}/{month}", f"/calendar/{year + 1}/{month}"]))


def catalogue(site, request, send):
    """The same page under a different address for every visitor, with links to new addresses."""
    number = len(site.requests)
    return answer(page("Catalogue", support.article(90, 5), [f"/catalogue?visitor={number}x{i}" for i in range(5)]))


def deep(site, request, send):
    """Every path exists and links to a path below itself."""
    return answer(page("Deep", support.article(hash(request.path) % 10_000, 3), ["again/more/"]))


def chain(site, request, send):
    return redirect(f"/chain/{int(request.path.split('/')[-1]) + 1}")


def conditional(site, request, send):
    if request.fields.get("if-none-match") == '"v1"':
        return answer(status="304 Not Modified", headers=['ETag: "v1"'])
    return page_answer("Conditional", 95, headers=['ETag: "v1"'])


def sitemap(*urls):
    return ("<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
            + "".join(f"<url><loc>{url}</loc></url>" for url in urls) + "</urlset>")


def query_values(request, name):
    return urllib.parse.parse_qs(request.query).get(name, [])
