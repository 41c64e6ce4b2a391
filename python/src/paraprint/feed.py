"""Follows the feed of a service: its verdicts as numbered events (docs/feed.md). No part of the engine is needed."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from typing import IO, Any

from . import errors

_WAIT_SECONDS = 30
_PAUSES_SECONDS = (1, 2, 5, 10, 30)  # after failures in a row; the last one repeats


def follow(
    address: str = "http://127.0.0.1:8710",
    *,
    after: int | None = None,
    verdicts: Sequence[str] = (),
    hosts: Sequence[str] = (),
    min_score: float | None = None,
    token: str | None = None,
    timeout: float = 10,
) -> Iterator[dict[str, Any]]:
    """Yields the events behind the number `after` and then each new one, without an end; without `after`, new ones.

    An event is the object that docs/feed.md describes. One with the member "gap" tells of events that are missing. To
    resume later, keep the "number" of the last event. When the service cannot be reached or is busy, it is asked again
    after a pause of up to 30 seconds; nothing is lost meanwhile. A request that it refuses raises an
    `InvalidArgumentError`, or an `AccessDeniedError` for a wrong token or a service without a feed; so do an address
    and a token that cannot be used. `timeout` is in seconds and comes on top of the time that the service waits for
    events. Redirects to another server are followed without the token.
    """
    _check(address, token, timeout)
    query: dict[str, Any] = {"wait": _WAIT_SECONDS}
    if verdicts:
        query["verdict"] = ",".join(verdicts)
    if hosts:
        query["host"] = ",".join(hosts)
    if min_score is not None:
        query["min_score"] = min_score
    failures = 0
    # The position from which "from now on" counts must not move when the first request fails.
    position = after
    while True:
        try:
            lines = _page(address, query | ({"wait": 0} if position is None else {"after": position}), token, timeout)
        except (OSError, ValueError, http.client.HTTPException) as error:
            if isinstance(error, urllib.error.HTTPError) and error.code < 500 and error.code not in (408, 429):
                raise _refused(error) from error
            time.sleep(_PAUSES_SECONDS[min(failures, len(_PAUSES_SECONDS) - 1)])
            failures += 1
            continue
        failures = 0
        # The last line is the position to continue from.
        yield from lines[:-1]
        position = lines[-1]["after"]


def _check(address: str, token: str | None, timeout: float) -> None:
    """Raises for what no later attempt could send."""
    try:
        parts = urllib.parse.urlsplit(address)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        is_address = is_address and _is_one_word(address) and parts.path.isascii()
        is_address = is_address and not (parts.query or parts.fragment or parts.username or parts.password)
    except ValueError:
        is_address = False
    if not is_address:
        raise errors.InvalidArgumentError(f"invalid address {address!r}; expected e.g. http://127.0.0.1:8710")
    if token and not (_is_one_word(token) and token.isascii()):
        raise errors.InvalidArgumentError("the token has white space, or characters other than those of ASCII")
    if not timeout > 0:
        raise errors.InvalidArgumentError(f"timeout is {timeout}; it must be more than 0 seconds")


def _is_one_word(text: str) -> bool:
    return text.isprintable() and " " not in text


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Tells the token to no other server."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        redirected = super().redirect_request(req, fp, code, msg, headers, newurl)
        if redirected is not None and _server(newurl) != _server(req.full_url):
            redirected.remove_header("Authorization")
        return redirected


def _server(url: str) -> tuple[str, str]:
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.netloc


def _page(address: str, query: dict[str, Any], token: str | None, timeout: float) -> list[dict[str, Any]]:
    """The lines of a page of events. Raises OSError, HTTPException, or ValueError for an answer that is no page."""
    headers = {"Accept": "application/x-ndjson"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    target = f"{address.rstrip('/')}/v1/events?{urllib.parse.urlencode(query, safe=',')}"
    request = urllib.request.Request(target, headers=headers)
    opener = urllib.request.build_opener(_Redirects)
    with opener.open(request, timeout=timeout + query["wait"]) as answer:
        lines = [json.loads(line) for line in answer.read().splitlines()]
    if not lines or not isinstance(lines[-1], dict) or "after" not in lines[-1]:
        raise ValueError("the answer does not end with a position")
    return lines


def _refused(error: urllib.error.HTTPError) -> errors.Error:
    try:
        message = json.load(error)["error"]["message"]
    except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
        message = f"status {error.code}"
    kind = errors.AccessDeniedError if error.code in (401, 403) else errors.InvalidArgumentError
    return kind(message)
