#!/usr/bin/env python3
"""What packaging/systemd/paraprint.service allows, compared with what the service does in its whole life.

usage: service_unit_test.py PROGRAM UNIT

strace records the system calls of a service that is started, filled, asked, backed up and stopped. Each must be in the
unit's SystemCallFilter, sockets must be of its RestrictAddressFamilies, and no memory may be writable and executable.
systemd-analyze expands the filter and rates the unit. Skipped without these tools.
"""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import support  # noqa: E402
from serve_support import Service  # noqa: E402
from support import article, html_of, json_line  # noqa: E402

EXPOSURE_MAXIMUM = 10  # tenths, as systemd-analyze --threshold takes them
CALL = re.compile(r"^\d+ +(?:<\.\.\. )?(\w+)[( ]")
NOT_CALLS = {"resumed"}

unit = ""  # set by main()


def run(*command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def settings():
    """Values of each setting of the unit, in order."""
    values = {}
    for line in pathlib.Path(unit).read_text().splitlines():
        name, is_setting, value = line.partition("=")
        if is_setting and not line.startswith(("#", "[")):
            values.setdefault(name, []).append(value)
    return values


def calls_of_set(name):
    """The calls of a set such as @system-service, sets inside it included."""
    calls = set()
    for line in run("systemd-analyze", "syscall-filter", name).splitlines()[1:]:
        entry = line.strip()
        if entry.startswith("@"):
            calls |= calls_of_set(entry)
        elif entry and not entry.startswith("#"):
            calls.add(entry)
    return calls


def allowed_calls():
    # systemd allows what it needs itself to start the program, whatever the filter says.
    allowed = calls_of_set("@default") | {"execve", "exit", "exit_group", "rt_sigreturn"}
    for value in settings()["SystemCallFilter"]:
        is_denied = value.startswith("~")
        for name in value.removeprefix("~").split():
            calls = calls_of_set(name) if name.startswith("@") else {name}
            allowed = allowed - calls if is_denied else allowed | calls
    return allowed


class Tracer:
    """A script that runs the program under strace."""

    def __init__(self, folder):
        self.trace = folder / "trace"
        self.script = folder / "traced"
        self.script.write_text(f'#!/bin/sh\nexec strace -f -qq -o "{self.trace}" "{support.program}" "$@"\n')
        self.script.chmod(0o755)

    def lines(self):
        return self.trace.read_text(errors="replace").splitlines()

    def calls(self):
        return {match[1] for line in self.lines() if (match := CALL.match(line))} - NOT_CALLS


@unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is missing")
class Unit(support.ProgramTest):
    def setUp(self):
        super().setUp()
        traced = subprocess.run(["strace", "-qq", "-o", self.folder / "tried", "true"], capture_output=True) \
            if shutil.which("strace") else None
        self.can_trace = traced is not None and traced.returncode == 0

    def trace_life(self):
        """A service from an empty folder to its end."""
        tracer = Tracer(self.folder)
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(manager.close)
        manager.bind(str(self.folder / "notify"))
        program, support.program = support.program, str(tracer.script)
        try:
            service = Service(self.folder / "known", "--backups", self.folder / "backups",
                              environment={**os.environ, "NOTIFY_SOCKET": str(self.folder / "notify")})
        finally:
            support.program = program
        connection = service.connect()

        def call(method, target, body=b"", kind=""):
            connection.request(method, target, body or None, {"Content-Type": kind} if kind else {})
            answer = connection.getresponse()
            content = answer.read()
            self.assertEqual(answer.status, 200, content)
            return content

        page = html_of(article(1)).encode()
        call("POST", "/v1/pages?id=first", page, "text/html")
        call("POST", "/v1/lookup?evidence=true", page, "text/html")
        call("POST", "/v1/extract", page, "text/html")
        lines = b"".join(json_line(f"page{i}", html_of(article(i, 1))) for i in range(2, 300))
        call("POST", "/v1/bulk/pages", lines, "application/x-ndjson")
        call("POST", "/v1/bulk/lookup", lines[:20000].rpartition(b"\n")[0], "application/x-ndjson")
        for target in ("/v1/pages/first?profile=true", "/v1/clusters/first", "/v1/stats", "/metrics", "/healthz",
                       "/readyz", "/openapi.json"):
            call("GET", target)
        call("POST", "/v1/backups?name=monday")
        call("DELETE", "/v1/pages/first")
        connection.close()
        strace = service.process.pid
        program_id = run("ps", "-o", "pid=", "--ppid", strace).split()[0]
        run("kill", "-TERM", program_id)
        self.assertEqual(service.process.wait(support.RUN_LIMIT_SECONDS), support.SUCCESS)
        service.reader.join()
        service.process.stderr.close()
        return tracer

    def check(self, tracer):
        calls = tracer.calls()
        self.assertGreater(len(calls), 30, "the trace was not understood")
        self.assertEqual(sorted(calls - allowed_calls()), [])
        families = set(re.findall(r"\bsocket\((AF_\w+)", "\n".join(tracer.lines())))
        return families

    def test_service_does_nothing_that_the_unit_forbids(self):
        if not self.can_trace:
            self.skipTest("strace is missing or may not trace")
        tracer = self.trace_life()
        families = self.check(tracer)
        self.assertLessEqual({"AF_INET", "AF_UNIX"}, families)  # requests, and the word that it is ready
        self.assertEqual(sorted(families - set(settings()["RestrictAddressFamilies"][0].split())), [])
        # MemoryDenyWriteExecute: neither new executable memory that can be written, nor executable afterwards.
        for line in tracer.lines():
            is_changed = re.search(r"\bmprotect\(.*PROT_EXEC", line)
            is_both = "PROT_EXEC" in line and "PROT_WRITE" in line
            self.assertFalse(is_changed or is_both, line)

    def test_the_filter_can_refuse(self):
        allowed = allowed_calls()
        for name in ("ptrace", "mount", "reboot", "init_module", "bpf", "setuid", "chroot", "keyctl", "setrlimit"):
            self.assertNotIn(name, allowed)

    def test_rating(self):
        rated = subprocess.run(
            ["systemd-analyze", "security", "--offline=yes", f"--threshold={EXPOSURE_MAXIMUM}", unit],
            capture_output=True, text=True)
        if "offline" in rated.stderr:
            self.skipTest("systemd-analyze cannot rate a file")
        self.assertEqual(rated.returncode, 0, rated.stdout + rated.stderr)

    def test_stop_timeouts_agree(self):
        values = settings()
        configuration = pathlib.Path(unit).with_name("serve.toml").read_text()
        own = int(re.search(r"^stop-timeout = (\d+)$", configuration, re.M)[1])
        self.assertGreater(int(values["TimeoutStopSec"][0]), own + 1)


if __name__ == "__main__":
    unit = sys.argv.pop(2)
    support.main()
