#!/usr/bin/env python3
"""Which certificates the crawler trusts: those of the system, or those in SSL_CERT_FILE. Needs the command openssl."""
import os
import shutil
import subprocess
import unittest

import support
from crawl_site import answer, page
from crawl_support import QUICK, CrawlTest
from support import article


@unittest.skipUnless(shutil.which("openssl"), "openssl is missing")
class Certificates(CrawlTest):
    def setUp(self):
        super().setUp()
        context, self.authority = support.tls_server(self.folder)
        # The end of the second one is that of the connection, which ends without the farewell of TLS: that is an error
        # for some versions of libcurl.
        endless = answer(page("Secure", article(2))).replace(b"Content-Length", b"X-Length")
        self.secure = self.site({"/endless": endless, "/.*": answer(page("Secure", article(1), ["/endless"]))},
                                tls=context)

    def pages(self, out, **variables):
        """How often the site was asked for a page by a crawl with these variables."""
        environment = {name: value for name, value in os.environ.items() if name != "SSL_CERT_FILE"} | variables
        before = len(self.secure.requests)
        subprocess.run([support.program, "crawl", self.secure.root + "/", "--out", str(self.folder / out),
                        "--allow-address", "127.0.0.1", *map(str, QUICK)], env=environment, capture_output=True,
                       timeout=support.RUN_LIMIT_SECONDS)
        return len([request for request in self.secure.requests[before:] if request.path == "/"])

    def test_a_stranger_is_not_trusted(self):
        self.assertEqual(self.pages("stranger"), 0)
        finished = self.run_program("crawl", self.secure.root + "/", "--out", self.folder / "said", "--allow-address",
                                    "127.0.0.1", *(word for word in QUICK if word != "--quiet"))
        self.assertIn(f"no page could be fetched; {self.folder / 'said'}/log.jsonl has the reason", finished.stderr)

    def test_the_variable_says_whom_to_trust(self):
        self.assertEqual(self.pages("trusted", SSL_CERT_FILE=str(self.authority)), 1)
        self.assertEqual(self.fate(self.secure.root + "/endless", "trusted"), ("stored", None))
        # A wrong name is an error, not a reason to trust others.
        self.assertEqual(self.pages("missing", SSL_CERT_FILE=str(self.folder / "missing.pem")), 0)


if __name__ == "__main__":
    support.main()
