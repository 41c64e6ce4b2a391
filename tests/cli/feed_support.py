"""Follows the feed of a service, and receives what it sends to webhooks. Standard library only."""
import http.server
import json
import socket
import threading


class Stream:
    """GET /v1/events as a stream, read on the caller's thread."""

    def __init__(self, port, after=None, query="", headers=(), receive_bytes=None, limit_seconds=60):
        self.socket = socket.socket()
        if receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(limit_seconds)
        self.socket.connect(("127.0.0.1", port))
        lines = [f"GET /v1/events{query} HTTP/1.1", "Host: localhost", "Accept: text/event-stream", *headers]
        if after is not None:
            lines.append(f"Last-Event-ID: {after}")
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self.received = b""
        self.text = b""
        self.is_complete = False
        self.header = b""
        self.after = after or 0
        while b"\r\n\r\n" not in self.received:
            self.receive()
        self.header, self.received = self.received.split(b"\r\n\r\n", 1)
        self.status = int(self.header.split()[1])

    def receive(self):
        piece = self.socket.recv(65536)
        if not piece:
            raise EOFError("the stream ended")
        self.received += piece

    def block(self):
        """The next block as text; None when the service has ended the stream."""
        while b"\n\n" not in self.text:
            while b"\r\n" not in self.received:
                self.receive()
            size, rest = self.received.split(b"\r\n", 1)
            size = int(size, 16)
            if size == 0:
                self.is_complete = True
                return None
            while len(rest) < size + 2:
                self.receive()
                rest = self.received.split(b"\r\n", 1)[1]
            self.text += rest[:size]
            self.received = rest[size + 2:]
        block, self.text = self.text.split(b"\n\n", 1)
        return block.decode()

    def __iter__(self):
        """The events as objects, gaps included, until the stream ends."""
        while (block := self.block()) is not None:
            fields = dict(line.split(": ", 1) for line in block.splitlines())
            if "id" in fields:
                self.after = int(fields["id"])
            if "data" in fields:
                yield json.loads(fields["data"])

    def take(self, count):
        events = []
        for event in self:
            events.append(event)
            if len(events) == count:
                return events
        return events

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Receiver:
    """A webhook's receiver: answers as `behave(request number)` says, with a status or by closing the connection."""

    def __init__(self, behave=lambda number: 200, tls=None):
        self.requests = []
        self.lock = threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with outer.lock:
                    status = behave(len(outer.requests))
                    outer.requests.append((status, dict(self.headers), body))
                if status is None:
                    self.close_connection = True
                    return
                self.send_response(status)
                self.send_header("Content-Length", "0")
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if tls:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.server.server_address[1]}/hook"

    def numbers(self):
        """Of the events that were accepted, in the order of arrival."""
        with self.lock:
            accepted = [json.loads(body) for status, _, body in self.requests if status == 200]
        return [event["number"] for request in accepted for event in request["data"]["events"]]

    def close(self):
        self.server.shutdown()
        self.server.server_close()
