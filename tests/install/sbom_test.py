#!/usr/bin/env python3
"""The bill of materials of tools/make_sbom.py: complete, consistent, and the same bytes twice.

usage: sbom_test.py PROGRAM PROJECT_ROOT [unittest arguments]
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest


class Sbom(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = cls.run_tool(PROGRAM).stdout
        cls.document = json.loads(cls.text)

    @staticmethod
    def run_tool(program):
        return subprocess.run([sys.executable, "-B", ROOT / "tools/make_sbom.py", program], capture_output=True,
                              env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}, timeout=120)

    def test_has_the_fields_that_spdx_requires(self):
        self.assertEqual(self.document["spdxVersion"], "SPDX-2.3")
        self.assertEqual(self.document["creationInfo"]["created"], "2023-11-14T22:13:20Z")
        self.assertTrue(self.document["documentNamespace"].startswith("urn:uuid:"))
        identities = [package["SPDXID"] for package in self.document["packages"]]
        self.assertEqual(len(identities), len(set(identities)))
        for identity in identities:
            self.assertRegex(identity, r"^SPDXRef-[A-Za-z0-9.-]+$")
        for relationship in self.document["relationships"]:
            self.assertIn(relationship["relatedSpdxElement"], identities)

    def test_describes_this_program(self):
        main = self.document["packages"][0]
        self.assertEqual(main["name"], "paraprint")
        self.assertEqual(main["checksums"][0]["checksumValue"], hashlib.sha256(PROGRAM.read_bytes()).hexdigest())
        version = subprocess.run([PROGRAM, "version"], capture_output=True, text=True, timeout=60).stdout
        self.assertIn(main["versionInfo"], version)

    def test_has_every_library_that_the_program_loads(self):
        needed = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, timeout=60).stdout
        comments = " ".join(package.get("comment", "") for package in self.document["packages"])
        names = {package["name"] for package in self.document["packages"]}
        for library, package in (("librocksdb", "rocksdb"), ("libicuuc", "icu"), ("libcurl", "curl"), ("liblz4", "lz4"),
                                 ("libc.so", "glibc")):
            if library in needed:
                self.assertIn(package, names)
        self.assertIn("RapidJSON", comments)  # headers only: the loader does not know it
        for package in self.document["packages"][1:]:
            self.assertRegex(package["versionInfo"], r"^[0-9]")
            self.assertRegex(package["licenseDeclared"], r"^(NOASSERTION|[A-Za-z0-9.-]+( OR [A-Za-z0-9.-]+)*)$")

    def test_same_bytes_twice(self):
        self.assertEqual(self.run_tool(PROGRAM).stdout, self.text)

    def test_failures_are_named(self):
        finished = self.run_tool("no-such-program")
        self.assertEqual(finished.returncode, 1)
        self.assertIn(b"no-such-program: no such program", finished.stderr)


if __name__ == "__main__":
    if shutil.which("dpkg-query") is None:
        print("skipped: packages are looked up by dpkg")
        sys.exit(77)
    PROGRAM, ROOT = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    del sys.argv[1:3]
    unittest.main()
