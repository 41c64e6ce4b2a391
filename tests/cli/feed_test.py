#!/usr/bin/env python3
"""The feed of `paraprint serve`: streams, pages and webhooks, over restarts and kills. Standard library only.

usage: feed_test.py PARAPRINT [KILLS]
"""
import base64
import hashlib
import hmac
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest

import support
from feed_support import Receiver, Stream
from serve_support import ServeTest, Service, encoded
from support import article, html_of

TOKEN = "0123456789abcdef"
kills = 5


def missing_or_double(numbers, last):
    """What is wrong with numbers that should ascend from 1 by one, leaving out repetitions; empty if nothing is."""
    following = 1
    for number in numbers:
        if number > following:
            return f"{following} is missing before {number}"
        following = max(following, number + 1)
    return "" if following == last + 1 else f"ends before {following}, not {last + 1}"


class Feed(ServeTest):
    def feed(self, *arguments, **options):
        return self.serve("--feed", "adds", *arguments, **options)

    def add(self, service, number, text=None, **fields):
        page = {"id": f"http://a.example/{number}", "html": html_of(text or article(number, 2)), **fields}
        return self.call(service, "POST", "/v1/pages", page)

    def events(self, service, query="after=0"):
        """The lines of a page of events without the position, which is the last one."""
        return self.call(service, "GET", f"/v1/events?{query}", headers={"Accept": "application/x-ndjson"})[:-1]

    def test_events_are_the_answers(self):
        service = self.serve("--feed", "all", "--provenance")
        text = article(1)
        edited = [*text[:4], article(99)[0]]
        answers = [
            ("added", self.add(service, 1, text, url="http://a.example/2024/05/07/1")),
            ("added", self.add(service, 2, edited, url="http://b.example/2", date="2024-05-01")),
            ("looked-up", self.call(service, "POST", "/v1/lookup", html_of(text).encode(), "text/html")),
            ("added", self.add(service, 1, text)),
            ("added", self.add(service, 1, article(7))),
            ("deleted", self.call(service, "DELETE", f"/v1/pages/{encoded('http://b.example/2')}",
                                  expect=(404, "unknown-id"))),
            ("deleted", self.call(service, "DELETE", f"/v1/pages/{encoded('http://a.example/2')}")),
        ]
        lines = "".join(json.dumps({"id": f"http://c.example/{n}", "html": html_of(article(n % 3, 2))}) + "\n"
                        for n in range(6)) + "no page\n"
        for path, kind in (("pages", "added"), ("lookup", "looked-up")):
            status, bulk = service.request("POST", f"/v1/bulk/{path}", lines.encode(), "application/x-ndjson")
            self.assertEqual(status, 200)
            answers += [(kind, answer) for answer in bulk]
        expected = []
        for kind, answer in answers:
            if "error" in answer:
                continue
            kept = {name: answer[name] for name in ("id", "content_characters", "verdict", "change", "stored",
                                                    "cluster") if name in answer}
            if kind != "deleted":
                kept["matches"] = [{name: match[name] for name in match
                                    if name not in ("first_seen", "last_seen", "passages")}
                                   for match in answer["matches"]]
            expected.append({"event": kind, **kept})
        events = self.events(service)
        self.assertEqual([event["number"] for event in events], list(range(1, len(expected) + 1)))
        self.assertEqual(events[1]["matches"][0]["stated"], {"date": "2024-05-07", "date_place": "address"})
        for event, wanted in zip(events, expected):
            self.assertRegex(event["time"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ$")
            self.assertEqual({name: event[name] for name in wanted}, wanted)
        self.assertEqual((events[1]["url"], events[1]["date"]), ("http://b.example/2", "2024-05-01T00:00:00Z"))
        self.assertEqual([event["change"] for event in events[:5] if "change" in event],
                         ["new", "new", "unchanged", "changed"])
        self.assertEqual(self.events(service, "after=0&verdict=deleted"), [events[5]])
        near = [event for event in events if event.get("verdict") in ("near", "same")]
        self.assertEqual(self.events(service, "after=0&verdict=near,same"), near)
        with Stream(service.port, after=0) as stream:
            self.assertEqual(stream.take(len(events)), events)

    def test_no_feed_and_bad_requests(self):
        service = self.serve()
        self.call(service, "GET", "/v1/events", expect=(403, "events-off"))
        service.stop()
        service = self.feed()
        for query in ("after=-1", "after=x", "after=99999999999999999999", "after=1&after=1", "wait=61", "limit=0",
                      "verdict=close", "verdict=", "host=", "min_score=nan", "min_score=2", "colour=red"):
            self.call(service, "GET", f"/v1/events?{query}", expect=(400, "bad-parameter"))
        for value in ("x", "-1", "1, 2", "1\t2", "9" * 30, "0x1"):
            self.call(service, "GET", "/v1/events", headers={"Last-Event-ID": value}, expect=(400, "bad-parameter"))
        twice = service.raw(b"GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 1\r\nLast-Event-ID: 2\r\n"
                            b"Connection: close\r\n\r\n")
        self.assertIn(b" 400 ", twice.splitlines()[0])
        old = service.raw(b"GET /v1/events HTTP/1.0\r\n\r\n")
        self.assertIn(b"require HTTP/1.1", old)
        head = service.raw(b"HEAD /v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        self.assertIn(b" 200 OK", head.splitlines()[0])
        self.call(service, "POST", "/v1/events", b"x", "text/plain", expect=(405, "method-not-allowed"))

    def test_a_token_is_needed(self):
        token_file = self.write("token", TOKEN)
        service = self.feed("--token-file", token_file)
        self.call(service, "GET", "/v1/events", expect=(401, "unauthorized"))
        with Stream(service.port, headers=[f"Authorization: Bearer {TOKEN}"]) as stream:
            self.assertEqual(stream.status, 200)

    def test_pages_wait_for_events(self):
        service = self.feed()
        began = time.monotonic()
        status, lines = service.request("GET", "/v1/events?wait=1")
        self.assertEqual((status, lines), (200, [{"after": 0, "last": 0}]))
        self.assertGreaterEqual(time.monotonic() - began, 0.9)
        adding = threading.Timer(0.3, lambda: self.add(service, 1))
        adding.start()
        status, lines = service.request("GET", "/v1/events?wait=60&after=0")
        adding.join()
        self.assertEqual([lines[0]["id"], lines[1]], ["http://a.example/1", {"after": 1, "last": 1}])
        for number in range(2, 30):
            self.add(service, number)
        lines = service.request("GET", "/v1/events?wait=60&after=5&limit=3")[1]
        self.assertEqual([line["number"] for line in lines[:-1]], [6, 7, 8])
        self.assertEqual(lines[-1], {"after": 8, "last": 29})

    def test_a_client_that_sends_nothing_more_is_answered_at_once(self):
        service = self.feed()
        request = (b"GET /v1/events?after=0&wait=60 HTTP/1.1\r\nHost: localhost\r\n"
                   b"Accept: application/x-ndjson\r\nConnection: close\r\n\r\n")
        for count in range(2):
            with socket.create_connection(("127.0.0.1", service.port), timeout=50) as connection:
                connection.sendall(request)
                connection.shutdown(socket.SHUT_WR)
                answer = b""
                while received := connection.recv(65536):
                    answer += received
            self.assertTrue(answer.startswith(b"HTTP/1.1 200 "), answer)
            lines = [json.loads(line) for line in answer.split(b"\r\n\r\n", 1)[1].splitlines()]
            self.assertEqual((len(lines), lines[-1]), (count + 1, {"after": count, "last": count}))
            self.add(service, 1)

    def test_gap_when_events_were_dropped(self):
        service = self.feed("--feed-keep", "20")
        for number in range(100):
            self.add(service, number % 5)
        with Stream(service.port, after=3) as stream:
            gap, *events = stream.take(20)
        first = gap["gap"]["first"]
        self.assertEqual(gap["gap"], {"after": 3, "first": first, "missed": first - 4, "reason": "dropped"})
        self.assertEqual([event["number"] for event in events], list(range(first, first + 19)))
        self.assertLessEqual(first, 81)
        with Stream(service.port, after=1000) as stream:
            self.assertEqual(stream.take(1)[0]["gap"]["reason"], "ahead")

    def test_restarts_lose_and_repeat_nothing(self):
        chance = random.Random(kills)
        receiver = Receiver(lambda number: {3: 500, 9: None, 15: 429}.get(number % 20, 200))
        self.addCleanup(receiver.close)
        seen, after, answered = [], 0, 0
        acknowledged = []
        for life in range(kills + 1):
            service = Service(self.folder / "known", "--sync", ("always", "interval", "none")[life % 3], "--feed",
                              "adds", "--webhook", receiver.url, "--webhook-delay", "0.02", "--webhook-timeout", "2")
            followed = threading.Event()

            def follow():
                nonlocal after
                try:
                    with Stream(service.port, after=after) as stream:
                        for event in stream:
                            seen.append(event["number"])
                            after = stream.after
                except (OSError, EOFError, ValueError):  # the end of a killed service
                    pass
                followed.set()

            follower = threading.Thread(target=follow)
            follower.start()
            is_last = life == kills
            deadline = time.monotonic() + 0.2 + chance.random() * 0.5
            while time.monotonic() < deadline:
                self.assertEqual(self.add(service, answered % 50)["stored"], True)
                answered += 1
            acknowledged.append(answered)
            if is_last:
                end = time.monotonic() + 60
                # Readers see an event once it is synced, and here that happens at intervals.
                while time.monotonic() < end and (after < answered or receiver.numbers()[-1:] != [answered]):
                    time.sleep(0.05)
                last = service.request("GET", "/v1/stats")[1]["feed"]["last"]
            service.stop(signal.SIGTERM if is_last or life % 2 else signal.SIGKILL)
            follower.join()
        self.assertEqual(last, answered)  # nobody else adds pages, and each one was acknowledged
        self.assertEqual(seen, list(range(1, last + 1)))
        self.assertEqual(missing_or_double(receiver.numbers(), last), "")
        self.run_program("index", "verify", "--data", self.folder / "known")

    def assert_streams(self, service, count):
        """Waits, because streams begin and end on other threads than those that answer."""
        end = time.monotonic() + 30
        while f"paraprint_streams {count}\n" not in service.request("GET", "/metrics")[1] and time.monotonic() < end:
            time.sleep(0.05)
        self.assertIn(f"paraprint_streams {count}\n", service.request("GET", "/metrics")[1])

    def test_many_streams_and_an_end_in_time(self):
        service = self.feed("--stop-timeout", "20")
        for number in range(30):
            self.add(service, number)
        streams = [Stream(service.port, after=0) for _ in range(100)]
        stalled = Stream(service.port, after=0, receive_bytes=1)
        for stream in streams:
            self.assertEqual([event["number"] for event in stream.take(30)], list(range(1, 31)))
        self.assert_streams(service, 101)
        self.add(service, 31)
        for stream in streams:
            self.assertEqual(stream.take(1)[0]["number"], 31)
        for stream in streams[:50]:
            stream.close()
        self.assert_streams(service, 51)
        began = time.monotonic()
        service.process.send_signal(signal.SIGTERM)
        for stream in streams[50:]:
            self.assertEqual(stream.take(1), [])
            self.assertTrue(stream.is_complete)
            stream.close()
        self.assertEqual(service.process.wait(), 0)
        self.assertLess(time.monotonic() - began, 10)
        stalled.close()

    def test_a_client_that_does_not_read_costs_little_and_is_closed(self):
        service = self.feed("--write-timeout", "1", "--feed-keep", "100MB")
        text = html_of(article(1, 2))
        lines = [json.dumps({"id": f"http://a.example/{n}/" + "x" * 1000, "html": text}) + "\n" for n in range(3000)]
        for begin in range(0, 3000, 50):  # http.client reads only when all is sent
            some = "".join(lines[begin:begin + 50]).encode()
            self.assertEqual(service.request("POST", "/v1/bulk/pages?matches=1", some, "application/x-ndjson")[0], 200)
        stalled = Stream(service.port, after=0, receive_bytes=4096)
        end = time.monotonic() + 30
        while "paraprint_streams 0" not in service.request("GET", "/metrics")[1] and time.monotonic() < end:
            self.add(service, 1)
            time.sleep(0.1)
        self.assertIn("paraprint_streams 0", service.request("GET", "/metrics")[1])
        stalled.close()
        with Stream(service.port, after=0) as reader:
            self.assertEqual([event["number"] for event in reader.take(3000)], list(range(1, 3001)))

    def test_the_number_of_streams_is_limited(self):
        service = self.feed("--max-streams", "2")
        with Stream(service.port), Stream(service.port):
            self.call(service, "GET", "/v1/events", expect=(503, "busy"))
            self.call(service, "GET", "/v1/events?wait=5", expect=(503, "busy"))
            self.assertEqual(self.events(service), [])

    def test_webhooks_are_signed_and_reported(self):
        receiver = Receiver()
        broken = Receiver(lambda number: 500)
        self.addCleanup(receiver.close)
        self.addCleanup(broken.close)
        key = b"a key of at least 24 bytes"
        secret = self.write("secret", "whsec_" + base64.b64encode(key).decode() + "\n")
        service = self.feed("--webhook", receiver.url, "--webhook", broken.url, "--webhook-secret-file", secret,
                            "--webhook-verdicts", "near,same", "--webhook-delay", "0.05")
        text = article(1)
        for number in range(5):
            self.add(service, number, text)
        good, bad = self.wait_for(service, lambda good, bad: good["lag"] == 0 and bad["failures"] > 0)
        self.assertEqual(receiver.numbers(), [2, 3, 4, 5])
        for _, headers, body in receiver.requests:
            headers = {name.lower(): value for name, value in headers.items()}
            signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
            expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
            self.assertEqual(headers["webhook-signature"], "v1," + expected)
            self.assertLess(abs(int(headers["webhook-timestamp"]) - time.time()), 60)
        self.assertEqual((good["delivered"], good["lag"], good["failures"]), (5, 0, 0))
        self.assertGreater(bad["failures"], 0)
        self.assertEqual((bad["delivered"] < 2, bad["problem"]), (True, "status 500"))
        metrics = service.request("GET", "/metrics")[1]
        self.assertIn(f'paraprint_webhook_lag{{webhook="1",receiver="{receiver.url[:-5]}"}} 0', metrics)
        self.assertEqual(service.stop(), 0)
        self.assertTrue([line for line in service.log if line.get("event") == "webhook"])

    @unittest.skipUnless(shutil.which("openssl"), "openssl is missing")
    def test_webhooks_trust_the_authorities_of_the_variable(self):
        context, authority = support.tls_server(self.folder)
        receiver = Receiver(tls=context)
        self.addCleanup(receiver.close)
        others = {name: value for name, value in os.environ.items() if name != "SSL_CERT_FILE"}
        stranger = self.feed("--webhook", receiver.url, "--webhook-delay", "0.05", environment=others)
        self.add(stranger, 1)
        webhook, = self.wait_for(stranger, lambda webhook: webhook["failures"] > 1)
        self.assertEqual((webhook["delivered"], receiver.requests), (0, []))
        self.assertIn("certificate", webhook["problem"])
        self.assertEqual(stranger.stop(), 0)
        trusting = self.feed("--webhook", receiver.url, "--webhook-delay", "0.05",
                             environment=others | {"SSL_CERT_FILE": str(authority)})
        webhook, = self.wait_for(trusting, lambda webhook: webhook["lag"] == 0)
        self.assertEqual((webhook["delivered"], receiver.numbers()), (1, [1]))

    def wait_for(self, service, holds):
        """The states of the webhooks, once that holds of them."""
        end = time.monotonic() + 30
        while True:
            webhooks = self.call(service, "GET", "/v1/stats")["feed"]["webhooks"]
            if holds(*webhooks) or time.monotonic() > end:
                return webhooks
            time.sleep(0.02)

    def test_options_that_contradict_each_other(self):
        short = self.write("short", "secret\n")
        for arguments in (("--webhook", "http://a.example/"), ("--feed", "adds", "--webhook", "ftp://a.example/"),
                          ("--feed", "adds", "--read-only"), ("--feed", "adds", "--feed-keep", "much"),
                          ("--feed", "adds", "--webhook-verdicts", "close"),
                          ("--feed", "adds", "--webhook-secret-file", short),
                          ("--feed", "adds", "--webhook-secret-file", self.folder / "none"),
                          ("--feed", "adds", "--webhook", "http://a/", "--webhook", "http://a/")):
            finished = subprocess.run([support.program, "serve", "--data", str(self.folder / "known"), "--port", "0",
                                       *map(str, arguments)], capture_output=True, timeout=60)
            self.assertIn(finished.returncode, (support.USAGE, support.FAILURE), arguments)
            self.assertTrue(finished.stderr, arguments)


def main():
    global kills
    if len(sys.argv) > 2 and sys.argv[2].isdigit():
        kills = int(sys.argv.pop(2))
    support.main()


if __name__ == "__main__":
    main()
