#!/usr/bin/env python3
"""`paraprint serve` killed again and again (SIGKILL) under load: what it acknowledged is there after the restart.

usage: serve_kill_test.py PARAPRINT KILLS [SEED]
Clients add, replace and delete pages, each its own ones, until the service is killed at a random moment. The next
service on the same folder must have every page as it was acknowledged; a change that was sent without an answer is made
or not. Standard library only.
"""
import contextlib
import datetime
import http.client
import random
import signal
import sys
import threading
import time

import support
from serve_support import ServeTest, Service, encoded
from support import SUCCESS, article, html_of

CLIENTS = 3
PAGES_EACH = 20
DELETED = None
LONGEST_LIFE_SECONDS = 0.7
kills, seed = 10, 1


def date_of(version):
    """Versions are told apart by their dates."""
    if version is DELETED:
        return DELETED
    return (datetime.datetime(2000, 1, 1) + datetime.timedelta(seconds=version)).isoformat() + "Z"


class Client:
    """Changes its pages in random order; `possible` has the versions that each page may have."""

    def __init__(self, number, chance):
        self.chance = chance
        self.possible = {f"https://host{number}.example/{n}?a=1&b=2": {DELETED} for n in range(PAGES_EACH)}
        self.version = number
        self.acknowledged = 0
        self.failure = ""

    def run(self, service):
        """Until the service is killed."""
        try:
            with contextlib.closing(service.connect()) as connection:
                while not self.failure:
                    self.change(service, connection, self.chance.choice(list(self.possible)))
        except (OSError, http.client.HTTPException, ValueError):  # the answer to the last request may be cut off
            pass

    def change(self, service, connection, name):
        self.version += CLIENTS
        wanted = DELETED if self.chance.random() < 0.2 else self.version
        before = self.possible[name]
        self.possible[name] = before | {wanted}
        if wanted is DELETED:
            status, answer = service.request("DELETE", f"/v1/pages/{encoded(name)}", connection=connection)
            is_right = status == 200 or (status == 404 and DELETED in before)
        else:
            page = {"id": name, "html": html_of(article(wanted % 500, 3)), "date": date_of(wanted)}
            status, answer = service.request("POST", "/v1/pages", page, connection=connection)
            is_right = status == 200 and answer["stored"]
        if not is_right:
            self.failure = f"{name}: {status} {answer}"
            return
        self.possible[name] = {wanted}
        self.acknowledged += 1

    def check(self, service, connection):
        """Returns what is wrong with the stored pages."""
        findings = []
        for name, versions in self.possible.items():
            status, page = service.request("GET", f"/v1/pages/{encoded(name)}", connection=connection)
            found = page["date"] if status == 200 else DELETED
            self.possible[name] = {version for version in versions if date_of(version) == found}
            if not self.possible[name]:
                findings.append(f"{name} is {found} instead of one of {versions}")
        return findings


class Killed(ServeTest):
    def test_acknowledged_changes_survive(self):
        chance = random.Random(seed)
        clients = [Client(n, random.Random(chance.random())) for n in range(CLIENTS)]
        for life in range(kills):
            service = Service(self.folder / "known", "--sync", ("none", "interval", "always")[life % 3])
            self.addCleanup(service.stop)
            self.check(service, clients, life)
            threads = [threading.Thread(target=client.run, args=(service,), daemon=True) for client in clients]
            for thread in threads:
                thread.start()
            time.sleep(chance.random() * LONGEST_LIFE_SECONDS)
            self.assertEqual(service.stop(signal.SIGKILL), -signal.SIGKILL)
            for thread in threads:
                thread.join()
        service = self.serve()
        self.check(service, clients, kills)
        self.assertEqual(service.stop(), SUCCESS)
        self.run_program("index", "verify", "--data", self.folder / "known")
        acknowledged = sum(client.acknowledged for client in clients)
        self.assertGreater(acknowledged, kills)
        print(f"{kills} kills, {acknowledged} acknowledged changes", file=sys.stderr)

    def check(self, service, clients, life):
        with contextlib.closing(service.connect()) as connection:
            for client in clients:
                self.assertEqual(client.failure, "", f"before restart {life}")
                self.assertEqual(client.check(service, connection), [], f"after restart {life}")


if __name__ == "__main__":
    kills = int(sys.argv.pop(2))
    if len(sys.argv) > 2 and sys.argv[2].isdigit():
        seed = int(sys.argv.pop(2))
    support.main()
