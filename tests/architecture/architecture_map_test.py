#!/usr/bin/env python3
"""Shows that the comparison of ARCHITECTURE.md with the tree can fail: each mistake gives one finding."""
import unittest

import architecture_map
from findings import RuleTest

CLEAN = {
    "src/base/hash.cc": "", "src/base/hash.h": "", "src/base/hamming_scan.h": "",
    "src/text/utf8.h": "", "src/text/compiler/main.cc": "",
    "src/lab/joins/join.h": "",
    "tests/base/hash_test.cc": "",
    "ARCHITECTURE.md": """# Architecture
## What is below?
**[`src/base/`](src/base)** has `hash` and `hamming_*`.

**[`src/text/`](src/text)** has
- `utf8`, on [`hash.h`](src/base/hash.h) and `base/hash.h`,
- the program in `compiler/`, and writes `out/tables.bin` with `run()` for `dedup --out`.

| Room | Holds |
|---|---|
| **[`src/lab/joins/`](src/lab/joins)** | `join` |
## And the rest?
`unknown` words outside an entry and <https://example.test/a> are not checked. `tests/*/hash_test.cc` is.
""",
}


class ArchitectureMap(RuleTest):
    rules = architecture_map
    clean = CLEAN

    def edited(self, old, new):
        self.assertIn(old, CLEAN["ARCHITECTURE.md"])
        return {"ARCHITECTURE.md": CLEAN["ARCHITECTURE.md"].replace(old, new)}

    def test_clean_tree_has_no_findings(self):
        self.assertEqual(self.findings({}), [])

    def test_room_without_an_entry(self):
        self.assert_one({"src/verify/score.h": ""}, "src/verify/ has no entry")
        self.assert_one({"src/lab/sketches/bands.h": ""}, "src/lab/sketches/ has no entry")

    def test_source_that_is_not_named(self):
        self.assert_one({"src/base/digest.h": ""}, "the entry of src/base/ does not name digest.h")
        self.assert_one({"src/text/tables/words.inc": ""}, "does not name tables/words.inc")
        # A name in another room's entry does not count.
        self.assert_one({"src/text/hash.h": ""}, "the entry of src/text/ does not name hash.h")

    def test_name_without_a_source(self):
        self.assert_one(self.edited("`hash` and", "`hash`, `digest` and"), "src/base/ has no source named digest")
        self.assert_one(self.edited("`hash` and", "`hash`, `spill_*` and"), "src/base/ has no source named spill_*")
        self.assert_one(self.edited("`compiler/`", "`compiler/` and `lists/`"), "src/text/ has no source named lists/")

    def test_heading_ends_an_entry(self):
        self.assert_one({"src/lab/joins/unknown.h": ""}, "the entry of src/lab/joins/ does not name unknown.h")

    def test_room_that_is_gone(self):
        found = self.findings({"src/lab/joins/join.h": None})
        self.assertIn("src/lab/joins/ has no source named join", found[0])
        self.assertIn("src/lab/joins does not exist", found[1])

    def test_path_without_a_file(self):
        self.assert_one(self.edited("(src/base/hash.h)", "(src/base/mix.h)"), "src/base/mix.h does not exist")
        self.assert_one(self.edited("`base/hash.h`", "`base/mix.h`"), "base/mix.h does not exist")
        self.assert_one(self.edited("`tests/*/hash_test.cc`", "`tests/*/mix_test.cc`"), "mix_test.cc does not exist")


if __name__ == "__main__":
    unittest.main()
