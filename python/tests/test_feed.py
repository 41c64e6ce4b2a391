"""`follow()` against a stand-in for the service that answers as docs/feed.md says, and fails in between."""

import http.server
import itertools
import json
import threading
import urllib.parse

import paraprint
import paraprint.feed
import pytest


class StandIn:
    """Has events with the numbers 1 to `last`; `statuses` are those of the first answers."""

    def __init__(self, last, statuses=()):
        self.queries = []
        self.tokens = []
        statuses = iter(statuses)
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
                outer.queries.append(query)
                outer.tokens.append(self.headers["Authorization"])
                status = next(statuses, 200)
                if status is None:  # the connection breaks
                    return
                after = int(query.get("after", last))
                if status == 200:
                    numbers = range(after + 1, min(after + 3, last) + 1)
                    lines = [{"number": number} for number in numbers]
                    lines.append({"after": after + len(numbers), "last": last})
                    body = "".join(json.dumps(line) + "\n" for line in lines)
                else:
                    body = json.dumps({"error": {"reason": "some", "message": "words of the service"}})
                self.send_response(status)
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
def stand_in(monkeypatch):
    monkeypatch.setattr(paraprint.feed, "_PAUSES_SECONDS", (0.01,))
    made = []

    def make(*arguments):
        made.append(StandIn(*arguments))
        return made[-1]

    yield make
    for each in made:
        each.server.shutdown()
        each.server.server_close()


def test_yields_every_event_once_over_failures(stand_in):
    service = stand_in(20, (200, 503, None, 200, 429, 500, 200))
    events = itertools.islice(paraprint.follow(service.address, after=4), 16)
    assert [event["number"] for event in events] == list(range(5, 21))


def test_sends_filters_and_token(stand_in):
    service = stand_in(9)
    events = paraprint.follow(service.address, after=0, verdicts=["near", "same"], hosts=["a.example"], min_score=0.5,
                              token="secret")
    next(events)
    assert service.queries == [
        {"wait": "30", "after": "0", "verdict": "near,same", "host": "a.example", "min_score": "0.5"}
    ]
    assert service.tokens == ["Bearer secret"]


def test_begins_with_the_next_event(stand_in):
    service = stand_in(3, (200, 404))
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="words of the service"):
        next(paraprint.follow(service.address))
    assert [query.get("after") for query in service.queries] == [None, "3"]


def test_raises_what_is_refused(stand_in):
    with pytest.raises(paraprint.errors.AccessDeniedError, match="words of the service"):
        next(paraprint.follow(stand_in(3, (403,)).address))
