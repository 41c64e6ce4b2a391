"""A proxy between a client and a server of HTTP that does what networks and busy stores do, at random by a seed: it
answers 503, drops connections before or in the middle of an answer, and delays answers."""

import collections
import http.client
import http.server
import random
import threading
import time

#: What can happen to a request instead of a plain answer.
FAULTS = ("busy", "dropped", "cut", "slow")


class FaultyProxy:
    """Use it as a context. `share` of the requests get one of `faults`; `counts` says how many got which. A request for
    a path that contains one of `refused` is answered with 403."""

    def __init__(self, address, seed, share, faults=FAULTS, slow_seconds=0.5):
        self.server_address = address
        self.share = share
        self.faults = faults
        self.slow_seconds = slow_seconds
        self.refused = ()
        self.counts = collections.Counter()
        self.requests = []  # method, path and range
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.proxy = self
        self.address = f"127.0.0.1:{self._server.server_port}"

    def fault(self):
        with self._lock:
            fault = self._random.choice(self.faults) if self._random.random() < self.share else "none"
            self.counts[fault] += 1
            return fault

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_request(self):
        proxy = self.server.proxy
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        proxy.requests.append((self.command, self.path, self.headers.get("Range")))
        fault = proxy.fault()
        if any(part in self.path for part in proxy.refused):
            return self._answer(403, [], b"")
        if fault == "busy":
            return self._answer(503, [], b"")
        if fault == "dropped":
            self.close_connection = True
            return None
        if fault == "slow":
            time.sleep(proxy.slow_seconds)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("expect", "connection")}
        try:
            onward = http.client.HTTPConnection(proxy.server_address, timeout=60)
            onward.request(self.command, self.path, body, headers)
            answer = onward.getresponse()
            content = answer.read()
            onward.close()
        except (OSError, http.client.HTTPException):
            self.close_connection = True
            return None
        return self._answer(answer.status, answer.getheaders(), content, fault == "cut" and self.command == "GET")

    def _answer(self, status, headers, content, is_cut=False):
        self.send_response_only(status)
        length = dict((name.lower(), value) for name, value in headers).get("content-length", str(len(content)))
        for name, value in headers:
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        self.send_header("Content-Length", length if self.command == "HEAD" else str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content[: len(content) // 2] if is_cut else content)
        if is_cut:
            self.close_connection = True

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_request

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except OSError:  # the client has gone
            pass
