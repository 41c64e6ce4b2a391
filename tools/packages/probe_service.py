#!/usr/bin/env python3
"""Starts a service as systemd would, asks it, and stops it. Standard library only.

usage: tools/packages/probe_service.py SOCKET PORT VERDICT COMMAND...

COMMAND starts the service with NOTIFY_SOCKET naming the file SOCKET, perhaps as seen from another root. It must report
that it is ready, be alive at /healthz, and answer that a certain page is VERDICT (`new`, or `same` if an earlier probe
added it). After SIGTERM it must report that it stops, and end with code 0.
"""
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time

READY_LIMIT_SECONDS = 60
STOP_LIMIT_SECONDS = 60
PAGE = """<!DOCTYPE html><html><head><title>The lighthouse</title></head><body><article>
<p>The lighthouse on the northern cape was built in four summers, because no ship could land between October and the
first week of May, and every stone had to be carried up the cliff on the backs of the masons.</p>
<p>Its first keeper counted the steps on the evening of his arrival, wrote the number into the margin of the log book,
and never mentioned it again, although visitors of later years asked for little else.</p>
</article></body></html>"""


def fail(message):
    sys.exit(f"probe_service.py: {message}")


def receive(manager, state, seconds):
    """Waits for the datagram that has `state` as one of its lines."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        manager.settimeout(left)
        try:
            if state in manager.recv(4096).decode().split("\n"):
                return True
        except TimeoutError:
            break
    return False


def ask(port, method, target, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, target, body, {"Content-Type": "text/html"} if body else {})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    if response.status != 200:
        fail(f"{method} {target}: status {response.status}: {text}")
    return text


def main():
    path, port, verdict, *command = sys.argv[1:]
    port = int(port)
    if os.path.exists(path):
        os.unlink(path)
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(path)
    os.chmod(path, 0o777)
    service = subprocess.Popen(command)
    try:
        if not receive(manager, "READY=1", READY_LIMIT_SECONDS):
            fail(f"not ready within {READY_LIMIT_SECONDS} s; exit code {service.poll()}")
        for target in ("/healthz", "/readyz", "/v1/stats"):
            ask(port, "GET", target)
        if "paraprint_info{version=" not in ask(port, "GET", "/metrics"):
            fail("/metrics does not tell the version")
        answer = json.loads(ask(port, "POST", "/v1/lookup", PAGE))
        if answer["verdict"] != verdict:
            fail(f"the page is {answer['verdict']}, not {verdict}")
        ask(port, "POST", "/v1/pages?id=lighthouse", PAGE)
        if json.loads(ask(port, "POST", "/v1/lookup", PAGE))["verdict"] != "same":
            fail("the page is not the same as itself")
        service.send_signal(signal.SIGTERM)
        if not receive(manager, "STOPPING=1", STOP_LIMIT_SECONDS):
            fail("no word of stopping")
        code = service.wait(STOP_LIMIT_SECONDS)
        if code != 0:
            fail(f"exit code {code} after SIGTERM")
    finally:
        if service.poll() is None:
            service.kill()
            service.wait()
        os.unlink(path)
    print(f"ready, healthy, the page is {verdict}, stopped in order")


if __name__ == "__main__":
    main()
