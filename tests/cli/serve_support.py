"""Starts `paraprint serve` as a process and sends requests to it. Standard library only."""
import contextlib
import http.client
import json
import re
import signal
import socket
import subprocess
import threading
import urllib.parse

import json_schema
import support

START_LIMIT_SECONDS = 60
ANSWER_LIMIT_SECONDS = 60


class Service:
    """A running service; its log lines are collected as objects."""

    def __init__(self, folder, *arguments, environment=None, program=None, user=None, prepare=None):
        self.process = subprocess.Popen([program or support.program, "serve", "--data", str(folder), "--port", "0",
                                         *map(str, arguments)], stderr=subprocess.PIPE, env=environment, user=user,
                                        preexec_fn=prepare)
        self.log = []
        self.is_listening = threading.Event()
        self.reader = threading.Thread(target=self.read_log, daemon=True)
        self.reader.start()
        if not self.is_listening.wait(START_LIMIT_SECONDS) or not self.log:
            raise AssertionError(f"the service did not start (exit code {self.process.poll()}): {self.log}")
        self.port = self.log[0]["port"]
        self.document = None

    def read_log(self):
        for line in self.process.stderr:
            # A fatal error is printed as plain text.
            self.log.append(json.loads(line) if line.startswith(b"{") else {"message": line.decode()})
            self.is_listening.set()
        self.is_listening.set()

    def stop(self, how=signal.SIGTERM):
        """Sends the signal and returns the exit code."""
        return support.end_process(self.process, self.reader, how)

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_LIMIT_SECONDS)

    def raw(self, *pieces):
        """Sends the bytes and returns everything received until the service closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=ANSWER_LIMIT_SECONDS) as connection:
            for piece in pieces:
                connection.sendall(piece)
            answer = b""
            while received := connection.recv(65536):
                answer += received
            return answer

    def request(self, method, target, body=None, content_type=None, headers=None, connection=None):
        """Returns the status and the answer: JSON as objects, JSON lines as lists of objects, other text unchanged."""
        if connection is None:
            with contextlib.closing(self.connect()) as own:
                return self.request(method, target, body, content_type, headers, own)
        headers = dict(headers or {})
        if isinstance(body, (dict, list)):
            body, content_type = json.dumps(body).encode(), "application/json"
        if content_type:
            headers["Content-Type"] = content_type
        connection.request(method, target, body, headers)
        response = connection.getresponse()
        text = response.read().decode()
        kind = response.getheader("Content-Type")
        if kind == "application/json":
            return response.status, json.loads(text)
        if kind == "application/x-ndjson":
            return response.status, [json.loads(line) for line in text.splitlines()]
        return response.status, text

    def describe(self, method, target, status, answer):
        """Returns one line for each way in which an answer differs from its schema in /openapi.json."""
        if self.document is None:
            self.document = self.request("GET", "/openapi.json")[1]
        path = urllib.parse.urlsplit(target).path
        paths = [known for known in self.document["paths"]
                 if re.fullmatch(re.sub(r"\\{id\\}", "[^/]+", re.escape(known)), path)]
        call = self.document["paths"][paths[0]].get(method.lower()) if paths else None
        responses = call["responses"] if call else {}
        response = responses.get(str(status)) or responses.get("default") or {"$ref": "#/components/responses/Refused"}
        if "$ref" in response:
            response = self.document["components"]["responses"]["Refused"]
        schema = next(iter(response["content"].values()))["schema"]
        answers = answer if isinstance(answer, list) else [answer]
        return [line for each in answers for line in json_schema.findings(each, schema, self.document)]


def encoded(identifier):
    return urllib.parse.quote(identifier, safe="")


class ServeTest(support.ProgramTest):
    """Starts services; call() checks every answer against the service's own description."""

    def serve(self, *arguments, **options):
        service = Service(self.folder / "known", "--sync", "none", *arguments, **options)
        self.addCleanup(service.stop)
        return service

    def call(self, service, method, target, *arguments, expect=200, **options):
        status, answer = service.request(method, target, *arguments, **options)
        wanted, reason = expect if isinstance(expect, tuple) else (expect, None)
        self.assertEqual(status, wanted, answer)
        if reason:
            self.assertEqual(answer["error"]["reason"], reason)
        self.assertEqual(service.describe(method, target, status, answer), [], f"{method} {target}")
        return answer
