#!/usr/bin/env python3
"""What `paraprint serve` tells the service manager (sd_notify): that it is ready, and that it stops.

usage: readiness_test.py PROGRAM
"""
import pathlib
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import support  # noqa: E402
from serve_support import ANSWER_LIMIT_SECONDS, ServeTest  # noqa: E402


class Readiness(ServeTest):
    def listen(self, name):
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(manager.close)
        manager.bind(name)
        manager.settimeout(ANSWER_LIMIT_SECONDS)
        return manager

    def test_the_manager_is_told(self):
        for name, variable in ((str(self.folder / "notify"),) * 2, ("\0paraprint-test-" + self.folder.name,) * 2):
            with self.subTest(variable):
                manager = self.listen(name)
                service = self.serve(environment={"NOTIFY_SOCKET": variable.replace("\0", "@")})
                self.assertEqual(manager.recv(4096), b"READY=1")
                self.assertEqual(service.request("GET", "/readyz")[0], 200)
                self.assertEqual(service.stop(), support.SUCCESS)
                self.assertEqual(manager.recv(4096), b"STOPPING=1")

    def test_a_manager_that_is_missing_is_reported(self):
        for variable, said in ((str(self.folder / "nobody"), "No such file"), ("relative", "neither a path"),
                               ("/" + "long" * 50, "too long")):
            with self.subTest(variable):
                service = self.serve(environment={"NOTIFY_SOCKET": variable})
                self.call(service, "GET", "/healthz")
                messages = [line.get("message", "") for line in service.log]
                deadline = time.monotonic() + ANSWER_LIMIT_SECONDS
                while not any(said in message for message in messages) and time.monotonic() < deadline:
                    time.sleep(0.01)
                    messages = [line.get("message", "") for line in service.log]
                self.assertTrue(any(said in message and variable in message for message in messages), messages)
                self.assertEqual(service.stop(), support.SUCCESS)


if __name__ == "__main__":
    support.main()
