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
        self.redirect_to = None  # an address
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
                if outer.redirect_to:
                    self.send_response(302)
                    self.send_header("Location", outer.redirect_to + self.path)
                    self.end_headers()
                    return
                after = int(query.get("after", last))
                if status in (200, "half"):
                    numbers = range(after + 1, min(after + 3, last) + 1)
                    lines = [{"number": number} for number in numbers]
                    lines.append({"after": after + len(numbers), "last": last})
                    body = "".join(json.dumps(line) + "\n" for line in lines)
                else:
                    body = json.dumps({"error": {"reason": "some", "message": "words of the service"}})
                self.send_response(200 if status == "half" else status)
                if status == "half":  # the service is killed meanwhile
                    self.send_header("Content-Length", str(2 * len(body)))
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
    service = stand_in(20, (200, 503, None, 200, "half", 429, 500, "half", 200))
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


@pytest.mark.parametrize(
    "address",
    ["localhost:8710", "127.0.0.1", "", "ftp://a.example", "file:///etc/passwd", "http://", "http://a.example:x",
     "http://a.example:99999", "http://[::1", "http://a.example/?x=1", "http://a.example/#x", "http://a b.example",
     "http://a.example/\n", "http://user:word@a.example"],
)
def test_refuses_addresses_that_cannot_be_reached(stand_in, address):
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="address"):
        next(paraprint.follow(address, after=0))


@pytest.mark.parametrize("token", ["with a line end\n", "two words", "\u043f\u0430\u0440\u043e\u043b\u044c", "a\r\nb"])
def test_refuses_tokens_that_cannot_be_sent(stand_in, token):
    service = stand_in(3)
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="token"):
        next(paraprint.follow(service.address, after=0, token=token))
    assert service.queries == []


@pytest.mark.parametrize("timeout", [0, -31, float("nan")])
def test_refuses_times_that_cannot_be_waited_for(stand_in, timeout):
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="timeout"):
        next(paraprint.follow(stand_in(3).address, after=0, timeout=timeout))


def test_tells_the_token_to_no_other_server(stand_in):
    service, other = stand_in(3), stand_in(3)
    service.redirect_to = other.address
    assert next(paraprint.follow(service.address, after=0, token="secret"))["number"] == 1
    assert (service.tokens, other.tokens) == (["Bearer secret"], [None])
