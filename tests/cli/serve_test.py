#!/usr/bin/env python3
"""`paraprint serve`: each call, each kind of misuse, and stopping. Standard library only."""
import base64
import http.client
import json
import os
import resource
import signal
import socket
import subprocess
import threading
import time

import support
from serve_support import ServeTest, Service, encoded
from support import SUCCESS, USAGE, article, html_of, json_line

TOKEN = "0123456789abcdef"


class Calls(ServeTest):
    def setUp(self):
        super().setUp()
        self.service = self.serve("--backups", self.folder / "backups", "--feed", "adds")

    def test_page_and_its_copies(self):
        page = html_of(article(1)).encode()
        first = self.call(self.service, "POST", "/v1/pages?url=http://a.example/1", page, "text/html")
        self.assertEqual((first["verdict"], first["change"], first["stored"]), ("new", "new", True))
        again = self.call(self.service, "POST", "/v1/pages?url=http://a.example/1", page, "text/html")
        self.assertEqual(again["change"], "unchanged")
        edited = article(1)
        edited[2] = article(99)[0]
        near = self.call(self.service, "POST", "/v1/lookup?evidence=true", html_of(edited).encode(), "text/html")
        self.assertEqual(near["verdict"], "near")
        self.assertEqual(near["matches"][0]["id"], "http://a.example/1")
        begin, end = near["matches"][0]["passages"][0]["span_asked"]
        self.assertIn(near["text"].encode()[begin:end].decode().strip(), " ".join(edited))
        changed = self.call(self.service, "POST", "/v1/pages",
                            {"id": "http://a.example/1", "html": html_of(edited), "evidence": True})
        self.assertEqual(changed["change"], "changed")
        self.assertEqual([len(changed["previous"][name]) for name in ("added", "removed", "passages")], [1, 1, 4])

    def test_stored_pages(self):
        identifier = "http://a.example/a b?x=1&y=2#z"
        self.call(self.service, "POST", "/v1/pages", {"id": identifier, "html": html_of(article(1)),
                                                      "date": "2024-05-01", "url": "http://a.example/c"})
        page = self.call(self.service, "GET", f"/v1/pages/{encoded(identifier)}")
        self.assertEqual((page["id"], page["date"]), (identifier, "2024-05-01T00:00:00Z"))
        self.assertEqual(self.call(self.service, "GET", "/v1/pages?url=http://a.example/c")["id"], identifier)
        self.assertEqual(self.call(self.service, "GET", f"/v1/clusters/{encoded(identifier)}")["pages"], [page])
        self.assertEqual(self.call(self.service, "GET", "/v1/stats")["pages"], 1)
        self.call(self.service, "DELETE", f"/v1/pages/{encoded(identifier)}")
        for method in ("GET", "DELETE"):
            self.call(self.service, method, f"/v1/pages/{encoded(identifier)}", expect=(404, "unknown-id"))
        self.call(self.service, "GET", f"/v1/clusters/{encoded(identifier)}", expect=(404, "unknown-id"))

    def test_charsets(self):
        text = "春天的茶馆里坐着许多老人，他们谈论着去年的收成和今年的雨水。" * 8
        traditional = "春天的茶館裡坐著許多老人，他們談論著去年的收成和今年的雨水。" * 8
        for name, body in (("simplified", text), ("traditional", traditional)):
            self.call(self.service, "POST", f"/v1/pages?id={name}", body.encode(), "text/plain; charset=utf-8")
        for charset, name, body in (("gb18030", "simplified", text), ("utf-16", "simplified", text),
                                    ("big5", "traditional", traditional)):
            found = self.call(self.service, "POST", "/v1/lookup", body.encode(charset),
                              f"text/plain; charset={charset}")
            self.assertEqual((found["verdict"], found["matches"][0]["id"]), ("same", name), charset)
        packed = {"body_base64": base64.b64encode(text.encode("gbk")).decode(),
                  "content_type": "text/plain;charset=gbk"}
        self.assertEqual(self.call(self.service, "POST", "/v1/lookup", packed)["verdict"], "same")

    def test_profiles_from_the_command_line(self):
        pages = self.write("pages.jsonl", b"".join(json_line(f"p{i}", html_of(article(i))) for i in range(3)))
        lines = self.run_program("profile", "--bytes", pages).stdout.encode()
        answers = self.call(self.service, "POST", "/v1/bulk/pages", lines, "application/x-ndjson")
        self.assertEqual([answer["verdict"] for answer in answers], ["new"] * 3)
        found = self.call(self.service, "POST", "/v1/lookup", {"html": html_of(article(1))})
        self.assertEqual((found["verdict"], found["matches"][0]["id"]), ("same", "p1"))
        stored = self.call(self.service, "GET", "/v1/pages/p1?profile=true")
        self.assertEqual(stored["profile"], json.loads(lines.splitlines()[1])["profile"])

    def test_comparison(self):
        sides = {"a": {"html": html_of(article(1))}, "b": {"text": "\n\n".join(article(1)[:2])}, "evidence": True}
        compared = self.call(self.service, "POST", "/v1/compare", sides)
        self.assertEqual(compared["verdict"], "contains")
        self.assertEqual(compared["containment_b"], 1)
        self.assertEqual(len(compared["passages"]), 2)
        sides["b"] = {"known_id": "nobody"}
        self.call(self.service, "POST", "/v1/compare", sides, expect=(404, "unknown-id"))

    def test_bulk(self):
        lines = [json_line("a", html_of(article(1))), b"no JSON\n", b"\n", json_line("b", html_of(article(1))),
                 json_line("a", html_of(article(2)))]
        answers = self.call(self.service, "POST", "/v1/bulk/pages", b"".join(lines), "application/x-ndjson")
        self.assertEqual([answer["line"] for answer in answers], [1, 2, 4, 5])
        self.assertEqual(answers[1]["error"]["reason"], "bad-json")
        self.assertEqual([answers[i]["verdict"] for i in (0, 2, 3)], ["new", "same", "new"])
        self.assertEqual(answers[3]["change"], "changed")
        answers = self.call(self.service, "POST", "/v1/bulk/lookup?matches=1", b"".join(lines[3:]),
                            "application/x-ndjson")
        self.assertEqual([(answer["verdict"], answer["matches"][0]["id"]) for answer in answers],
                         [("same", "b"), ("same", "a")])

    def test_bulk_answers_while_reading(self):
        with socket.create_connection(("127.0.0.1", self.service.port), timeout=60) as connection:
            connection.sendall(b"POST /v1/bulk/pages HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
                               b"Content-Type: application/x-ndjson\r\n\r\n")
            received = b""
            for i in range(3):
                line = json_line(f"p{i}", html_of(article(i)))
                connection.sendall(b"%x\r\n%s\r\n" % (len(line), line))
                while b'"line":%d' % (i + 1) not in received:
                    received += connection.recv(65536)
            connection.sendall(b"0\r\n\r\n")
            while not received.endswith(b"\r\n0\r\n\r\n"):
                received += connection.recv(65536)
        self.assertEqual(received.count(b'"verdict":"new"'), 3)

    def test_operation(self):
        self.call(self.service, "POST", "/v1/pages?id=a", html_of(article(1)).encode(), "text/html")
        self.call(self.service, "GET", "/v1/pages/nobody", expect=404)
        self.assertEqual(self.call(self.service, "GET", "/healthz"), {"status": "alive"})
        self.assertEqual(self.call(self.service, "GET", "/readyz"), {"status": "ready"})
        metrics = self.service.request("GET", "/metrics")[1]
        self.assertIn('paraprint_requests_total{method="POST",path="/v1/pages",status="200"} 1\n', metrics)
        self.assertIn('paraprint_refused_total{reason="unknown-id"} 1\n', metrics)
        for line in metrics.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [0-9.e+-]+)$')
        self.assertEqual(self.service.stop(), SUCCESS)
        events = [line["event"] for line in self.service.log]
        self.assertEqual((events[0], events[-2:]), ("listening", ["stopping", "stopped"]))
        post = next(line for line in self.service.log if line.get("method") == "POST")
        self.assertEqual((post["path"], post["status"], post["verdict"]), ("/v1/pages", 200, "new"))
        self.assertEqual(post["received_bytes"], len(html_of(article(1)).encode()))

    def test_curl_commands_in_the_documentation(self):
        """Runs the curl command that docs/service.md has for each call."""
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        with open(os.path.join(root, "docs/service.md"), encoding="utf-8") as file:
            commands = [line for block in file.read().split("```")[1::2] for line in block.split("\n")
                        if line.startswith("curl ")]
        self.assertGreaterEqual(len(commands), 14)
        if subprocess.run(["sh", "-c", "command -v curl"], capture_output=True).returncode != 0:
            self.skipTest("no curl")
        self.write("page.html", html_of(article(1)))
        self.write("other.html", html_of(article(2)))
        self.write("pages.jsonl", json_line("a", html_of(article(3))))
        for command in commands:
            done = subprocess.run(["sh", "-c", command.replace("127.0.0.1:8710", f"127.0.0.1:{self.service.port}")],
                                  cwd=self.folder, capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 0, f"{command}\n{done.stderr.decode()}")
            self.assertNotIn(b'"error":{', done.stdout, command)
            self.assertTrue(done.stdout, command)


class Statements(ServeTest):
    def test_provenance(self):
        service = self.serve("--provenance")
        for name, day, source in (("first", "2024-05-01", ""),
                                  ("second", "2024-05-03", '<p>Source: <a href="http://first.example/">First</a></p>')):
            page = html_of(article(1), f'<meta property="article:published_time" content="{day}">')
            self.call(service, "POST", f"/v1/pages?url=http://{name}.example/",
                      page.replace("<body>", "<body>" + source).encode(), "text/html")
        traced = self.call(service, "GET", f"/v1/provenance/{encoded('http://second.example/')}")
        self.assertEqual([(row["id"], row["copied_from"]) for row in traced["pages"]],
                         [("http://first.example/", None), ("http://second.example/", "http://first.example/")])
        self.assertEqual(traced["pages"][1]["source_url"], "http://first.example/")
        page = html_of(article(1)).encode()
        for query, expected in (("", "http://first.example/"), ("?published_from=2024-05-02", "http://second.example/"),
                                ("?source=first.example", "http://second.example/"), ("?site=third.example", None)):
            found = self.call(service, "POST", "/v1/lookup" + query, page, "text/html")
            self.assertEqual(found["matches"][0]["id"] if found["matches"] else None, expected, query)
        found = self.call(service, "POST", "/v1/bulk/lookup?source=first.example",
                          json_line("a", page.decode()), "application/x-ndjson")
        self.assertEqual(found[0]["matches"][0]["stated"]["date"], "2024-05-03")
        for target in ("/v1/lookup?published_until=soon", "/v1/pages?site=a.example&id=x"):
            self.call(service, "POST", target, page, "text/html", expect=(400, "bad-parameter"))
        for query in ("?limit=0", "?limit=1001", "?limit=x", "?site=a&site=b", "?evidence=true", "?published_from=x"):
            self.call(service, "GET", f"/v1/provenance/{encoded('http://second.example/')}{query}",
                      expect=(400, "bad-parameter"))
        self.call(service, "GET", "/v1/provenance/unknown", expect=(404, "unknown-id"))


class Misuse(ServeTest):
    def test_invalid_requests_are_refused_and_the_service_continues(self):
        service = self.serve("--max-body-bytes", 100000)
        page = html_of(article(1)).encode()
        for target, body, kind, expect in (
                ("/v1/pages?id=a", page, "image/png", (415, "unsupported-type")),
                ("/v1/pages?id=a", b"{", "application/json", (400, "bad-json")),
                ("/v1/pages?id=a", b'{"html":"\xff"}', "application/json", (400, "bad-utf8")),
                ("/v1/pages?id=a", b'{"id":"a","id":"b","html":""}', "application/json", (400, "duplicate-field")),
                ("/v1/pages?id=a&id=b", page, "text/html", (400, "bad-parameter")),
                ("/v1/pages?id=%ff", page, "text/html", (400, "bad-target")),
                ("/v1/pages", page, "text/html", (400, "missing-id")),
                ("/v1/pages?id=a", b"x" * 100001, "text/html", (413, "body-too-large")),
                ("/v1/bulk/pages", page, "text/html", (415, "unsupported-type")),
                ("/v1/bulk/pages?colour=red", b"{}", "application/x-ndjson", (400, "bad-parameter")),
                ("/v1/pages/../../../etc/passwd", b"", None, (404, "no-such-call")),
                ("/v1/stats", b"", None, (405, "method-not-allowed"))):
            self.call(service, "POST", target, body, kind, expect=expect)
        for target in ("/v1/pages/..%2F..%2Fetc%2Fpasswd", "/v1/pages/%00", "/v1/pages/" + "x" * 9000):
            self.call(service, "GET", target, expect=404)
        self.assertIn(b" 405 ", service.raw(b"PUT /v1/pages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
        self.assertIn(b"\r\nAllow: POST, GET, HEAD\r\n",
                      service.raw(b"PUT /v1/pages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
        self.assertEqual(self.call(service, "GET", "/v1/stats")["pages"], 0)

    def test_markup_is_escaped(self):
        service = self.serve()
        script = "<script>alert(1)</script>"
        service.request("POST", "/v1/pages", {"id": script, "html": html_of(article(1))})
        answer = service.raw(b"GET /v1/pages/%3Cscript%3Ealert(1)%3C%2Fscript%3E HTTP/1.1\r\nHost: localhost\r\n"
                             b"Connection: close\r\n\r\n")
        header, body = answer.split(b"\r\n\r\n", 1)
        self.assertIn(b"Content-Type: application/json", header)
        self.assertIn(b"X-Content-Type-Options: nosniff", header)
        self.assertNotIn(b"<", body)
        self.assertEqual(json.loads(body)["id"], script)

    def test_slow_clients_time_out(self):
        service = self.serve("--header-timeout", 1, "--body-timeout", 1, "--idle-timeout", 1, "--max-connections", 40)
        waiting = [socket.create_connection(("127.0.0.1", service.port), timeout=60) for _ in range(30)]
        for connection in waiting:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nX-Slow: ")
        self.assertIn(b'"reason":"timeout"', service.raw(b"GET /healthz HT"))
        post = (b"POST /v1/pages?id=a HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\n"
                b"Content-Length: 9\r\n\r\n")
        answer = service.raw(post + b"x")
        self.assertTrue(answer.startswith(b"HTTP/1.1 408 "), answer)
        self.assertIn(b'"reason":"timeout"', answer)
        bulk = post.replace(b"/v1/pages?id=a", b"/v1/bulk/pages").replace(b"text/html", b"application/x-ndjson")
        self.assertIn(b'"reason":"timeout"', service.raw(bulk + b"{}\n"))
        self.assertEqual(service.raw(), b"")
        for connection in waiting:
            self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 408 "))
            connection.close()
        self.assertEqual(self.call(service, "GET", "/healthz"), {"status": "alive"})

    def test_rates_and_tokens(self):
        service = self.serve("--rate", 1, "--burst", 3, environment={**os.environ, "PARAPRINT_TOKEN": TOKEN})
        self.call(service, "GET", "/v1/stats", expect=(401, "unauthorized"))
        self.call(service, "GET", "/v1/stats", headers={"Authorization": "Bearer wrong-wrong-wrong"},
                  expect=(401, "unauthorized"))
        headers = {"Authorization": f"Bearer {TOKEN}"}
        for _ in range(3):
            self.call(service, "GET", "/v1/stats", headers=headers)
        status, answer = service.request("GET", "/v1/stats", headers=headers)
        while status == 200:  # on a slow machine the bucket refills between the requests
            status, answer = service.request("GET", "/v1/stats", headers=headers)
        self.assertEqual((status, answer["error"]["reason"]), (429, "rate-limited"))
        self.call(service, "GET", "/healthz")
        time.sleep(1.1)
        self.call(service, "GET", "/v1/stats", headers=headers)
        file = self.write("token", TOKEN + "\n")
        other = Service(self.folder / "other", "--token-file", file)
        self.addCleanup(other.stop)
        self.call(other, "GET", "/metrics", expect=401)
        self.assertIn("paraprint_info", other.request("GET", "/metrics", headers=headers)[1])

    def test_invalid_options(self):
        environment = {name: value for name, value in os.environ.items() if name != "PARAPRINT_TOKEN"}
        for arguments, words in ((("--address", "0.0.0.0"), "token"), (("--address", "nowhere"), "token"),
                                 (("--token-file", "missing"), "token"), (("--log", "all"), "log is"),
                                 (("--sync", "never"), "sync is"), (("--max-body-bytes", "0"), "body"),
                                 (("--algorithm", "minhash-forest"), "nearest pages")):
            done = subprocess.run([support.program, "serve", "--data", str(self.folder / "known"), "--port", "0",
                                   *arguments], capture_output=True, timeout=60, env=environment)
            self.assertEqual(done.returncode, USAGE, arguments)
            self.assertIn(words, done.stderr.decode())

    def test_tables_of_other_algorithms(self):
        words = article(1, 12)
        near = words[:-1] + [words[-1] + " Printed on Monday."]
        for number, algorithm in enumerate(("simhash-integrated", "simhash-integrated:tables=4",
                                            "simhash-position:tables=20-compressed")):
            service = self.serve("--data", self.folder / f"known-{number}", "--algorithm", algorithm)
            self.call(service, "POST", "/v1/pages?id=one", html_of(words).encode(), "text/html")
            self.call(service, "POST", "/v1/pages?id=two", html_of(article(2, 12)).encode(), "text/html")
            found = self.call(service, "POST", "/v1/lookup", html_of(near).encode(), "text/html")
            self.assertEqual((found["verdict"], [match["id"] for match in found["matches"]]), ("near", ["one"]))
            service.stop()

    def test_index_is_open_in_one_service_only(self):
        service = self.serve()
        refused = self.run_program("serve", "--data", self.folder / "known", "--port", 0, expect=USAGE)
        self.assertIn(str(service.process.pid), refused.stderr)
        taken = self.run_program("serve", "--data", self.folder / "other", "--port", service.port,
                                 expect=support.FAILURE)
        self.assertIn("cannot listen", taken.stderr)


class OpenFiles(ServeTest):
    """Connections must not take the files of the index: it could not write until the service is started again."""

    def limit(self, soft, hard):
        return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    def check_index_works(self, soft, hard, connections):
        service = self.serve("--backups", self.folder / "backups", prepare=self.limit(soft, hard))
        own = service.connect()
        self.addCleanup(own.close)
        self.call(service, "GET", "/readyz", connection=own)
        for _ in range(connections):
            self.addCleanup(socket.create_connection(("127.0.0.1", service.port), timeout=60).close)
        # A backup begins new files of the database.
        for name in ("first", "second", "third"):
            page = html_of(article(name)).encode()
            self.call(service, "POST", f"/v1/pages?id={name}", page, "text/html", connection=own)
            self.call(service, "POST", f"/v1/backups?name={name}", connection=own)
        self.call(service, "GET", "/readyz", connection=own)
        return [line["message"] for line in service.log if line.get("event") == "connections"]

    def test_program_raises_its_limit(self):
        self.assertEqual(self.check_index_works(256, 4096, 400), [])

    def test_fewer_connections_where_the_limit_is_low(self):
        warnings = self.check_index_works(512, 512, 400)
        self.assertEqual(len(warnings), 1, warnings)
        self.assertIn("allows 128 connections instead of 1024", warnings[0])

    def test_a_limit_that_is_too_low_is_refused(self):
        refused = self.run_program("serve", "--data", self.folder / "known", "--port", 0, expect=USAGE,
                                   prepare=self.limit(128, 128))
        self.assertIn("raise it (ulimit -n", refused.stderr)


class Endings(ServeTest):
    def test_pages_survive_the_service(self):
        for how in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            service = self.serve()
            name = how.name
            answer = self.call(service, "POST", f"/v1/pages?id={name}", "\n".join(article(how)).encode(), "text/plain")
            self.assertEqual(answer["verdict"], "new")
            code = service.stop(how)
            self.assertEqual(code, -signal.SIGKILL if how == signal.SIGKILL else SUCCESS)
        service = self.serve()
        for how in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            found = self.call(service, "POST", "/v1/lookup", "\n".join(article(how)).encode(), "text/plain")
            self.assertEqual((found["verdict"], found["matches"][0]["id"]), ("same", how.name))

    def test_stopping_under_load_finishes_requests_in_progress(self):
        service = self.serve()
        answered, broken = [], []
        is_started = threading.Event()

        def send(client):
            connection = service.connect()
            for i in range(100000):
                page = html_of(article(client * 1000000 + i, 3)).encode()
                name = f"{client}-{i}"
                try:
                    status, _ = service.request("POST", f"/v1/pages?id={name}", page, "text/html",
                                                connection=connection)
                except (OSError, http.client.HTTPException) as error:  # the service has stopped
                    broken.append(error)
                    return
                if status == 200:
                    answered.append(name)
                    if len(answered) > 50:
                        is_started.set()

        bulk = socket.create_connection(("127.0.0.1", service.port), timeout=60)
        bulk.sendall(b"POST /v1/bulk/pages HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
                     b"Content-Type: application/x-ndjson\r\n\r\n")
        line = json_line("bulk", html_of(article(7)))
        bulk.sendall(b"%x\r\n%s\r\n" % (len(line), line))
        received = b""
        while b'"line":1' not in received:
            received += bulk.recv(65536)
        threads = [threading.Thread(target=send, args=(client,)) for client in range(3)]
        for thread in threads:
            thread.start()
        self.assertTrue(is_started.wait(60))
        self.assertEqual(service.stop(), SUCCESS)
        for thread in threads:
            thread.join()
        while more := bulk.recv(65536):
            received += more
        bulk.close()
        self.assertIn(b'"reason":"stopping"', received)
        self.assertTrue(received.endswith(b"\r\n0\r\n\r\n"))
        self.assertEqual(len(broken), 3)
        again = self.serve()
        for name in answered + ["bulk"]:
            self.call(again, "GET", f"/v1/pages/{name}")

    def test_unfinished_request_does_not_block_stopping(self):
        service = self.serve("--stop-timeout", 1)
        with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
            connection.sendall(b"POST /v1/pages?id=a HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\n"
                               b"Content-Length: 9\r\n\r\nx")
            time.sleep(0.3)
            self.assertEqual(service.stop(), support.FAILURE)
        self.assertIn("still in progress", service.log[-1].get("message", "") + json.dumps(service.log))


class AtOnce(ServeTest):
    def test_exactly_one_of_two_equal_pages_is_new(self):
        service = self.serve()
        connections = [service.connect() for _ in range(2)]
        for connection in connections:
            self.addCleanup(connection.close)
        for i in range(30):
            page = html_of(article(i, 3)).encode()
            barrier = threading.Barrier(2)
            verdicts = [None, None]

            def send(side):
                barrier.wait()
                verdicts[side] = service.request("POST", f"/v1/pages?id={i}-{side}", page, "text/html",
                                                 connection=connections[side])[1]["verdict"]

            threads = [threading.Thread(target=send, args=(side,)) for side in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(sorted(verdicts), ["new", "same"])


if __name__ == "__main__":
    support.main()
