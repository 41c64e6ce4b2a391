#!/usr/bin/env python3
"""Shows that each rule of source_rules.py can fail: a tree with one mistake gives one finding, a clean tree none."""
import unittest

import source_rules
from findings import RuleTest

CLEAN = {
    "src/base/CMakeLists.txt": "paraprint_library(base SOURCES hash.cc)\n",
    "src/base/hash.cc": '#include "base/hash.h"\n',
    "src/base/hash.h": "// Contract.\n#pragma once\n",
    "src/verify/score.h": '// Contract.\n#pragma once\n#include "base/hash.h"\n#include "paraprint/model.h"\n',
    "docs/algorithms/simhash.md": "# SimHash\n\n## simhash\n",
    "src/profile/CMakeLists.txt": "paraprint_library(profile SOURCES registry.cc)\n",
    "src/profile/registry.cc": '#include "verify/score.h"\nAlgorithmRow{"simhash", "bits", "simhash.md"};\n',
}


class SourceRules(RuleTest):
    rules = source_rules
    clean = CLEAN

    def test_clean_tree_has_no_findings(self):
        self.assertEqual(self.findings({}), [])

    def test_upward_include(self):
        self.assert_one({"src/base/up.h": '// C.\n#pragma once\n#include "text/utf8.h"\n'}, "base may not include text")

    def test_stage_includes_stage(self):
        self.assert_one({"src/index/pair.h": '// C.\n#pragma once\n#include "verify/score.h"\n'},
                        "index may not include verify")

    def test_program_includes_internals(self):
        self.assert_one({"apps/CMakeLists.txt": "add_executable(paraprint main.cc)\n",
                         "apps/main.cc": '#include "engine/pipeline.h"\n'}, "public headers only")

    def test_bindings_include_internals(self):
        build = {"python/CMakeLists.txt": "nanobind_add_module(paraprint_python bindings/runs.cc)\n",
                 "python/bindings/runs.h": "// C.\n#pragma once\n"}
        self.assertEqual(self.findings({**build, "python/bindings/runs.cc":
                                        '#include "runs.h"\n#include "paraprint/engine.h"\n'
                                        '#include "options/option_table.h"\n'}), [])
        self.assert_one({**build, "python/bindings/runs.cc": '#include "engine/run.h"\n'}, "not engine")
        self.assert_one({**build, "python/bindings/runs.cc": '#include "options/option_checks.h"\n'}, "not options")
        self.assert_one({**build, "python/bindings/runs.cc": '#include "run.h"\n'}, "run.h is not in this folder")

    def test_include_without_its_room(self):
        self.assert_one({"src/base/near.h": '// C.\n#pragma once\n#include "hash.h"\n'}, "write the room of hash.h")

    def test_room_below_another(self):
        lab = {"src/lab/CMakeLists.txt": "paraprint_library(lab SOURCES joins/join.cc)\n",
               "src/lab/joins/join.cc": '#include "index/key_join.h"\n#include "lab/joins/join.h"\n'}
        self.assertEqual(self.findings(lab), [])
        self.assert_one({**lab, "src/lab/joins/up.h": '// C.\n#pragma once\n#include "lab/evaluate/figures.h"\n'},
                        "lab/joins may not include lab/evaluate")
        self.assert_one({"src/engine/down.h": '// C.\n#pragma once\n#include "lab/joins/join.h"\n'},
                        "engine may not include lab/joins")

    def test_room_without_a_row(self):
        self.assert_one({"src/attic/old.h": "// C.\n#pragma once\n"}, "no row in MAY_INCLUDE")

    def test_room_that_grew_too_large(self):
        self.assert_one({f"src/base/part_{n}.h": "// C.\n#pragma once\n" for n in range(42)}, "divide the room")

    def test_long_file(self):
        self.assert_one({"src/base/long.h": "// C.\n#pragma once\n" + "\n" * 499}, "501 lines")

    def test_long_line(self):
        self.assert_one({"src/base/wide.h": "// C.\n#pragma once\n//" + "x" * 119 + "\n"}, "121 columns")

    def test_whitespace(self):
        self.assert_one({"src/base/tab.h": "// C.\n#pragma once\n\tint a;\n"}, "a tab")
        self.assert_one({"src/base/space.h": "// C.\n#pragma once \n#pragma once\n"}, "trailing whitespace")
        self.assert_one({"src/base/end.h": "// C.\n#pragma once"}, "no newline")

    def test_banned(self):
        self.assert_one({"src/base/open.h": "// C. TO" "DO\n#pragma once\n"}, "issue")
        self.assert_one({"README.md": "see /wor" "k/somewhere\n"}, "one machine")
        self.assert_one({"src/base/print.h": "// C.\n#pragma once\nvoid f() { printf(1); }\n"}, "does not print")

    def test_header_form(self):
        self.assert_one({"src/base/bare.h": "#pragma once\n"}, "contract")
        self.assert_one({"src/base/twice.h": "// C.\n"}, "pragma once")

    def test_type_declared_twice(self):
        point = "// C.\n#pragma once\nnamespace paraprint::inline base {\nstruct Point {\n  int x;\n};\n}\n"
        allowed = ("// C.\n#pragma once\nstruct Point;\nenum class Side : int;\ntemplate <>\nstruct Point<int> {};\n"
                   "struct Point::Part {};\nstruct PointOfView {\n  using Point = int;\n  struct Point point;\n};\n"
                   "// struct Point {\n")
        self.assertEqual(self.findings({"src/base/point.h": point, "src/base/user.h": allowed}), [])
        for twice in ("struct Point {", "class Point final : public Base {", "enum class Point : int { kA };",
                      "struct alignas(64) Point {", "class [[nodiscard]] Point {", "using Point = int;", "class Point",
                      "  struct Point {", "  union Point {"):
            self.assert_one({"src/base/point.h": point, "src/text/twice.h": f"// C.\n#pragma once\n{twice}\n"},
                            "src/text/twice.h:3: Point is a type of src/base/point.h, too")
        self.assert_one({"src/base/point.h": point, "include/paraprint/twice.h": "// C.\n#pragma once\nenum Point {\n"},
                        "Point is a type of include/paraprint/twice.h, too")

    def test_type_of_a_header_in_a_source(self):
        outer = "// C.\n#pragma once\nstruct Outer {\n  struct Inner {};\n};\n"
        inside = {"src/base/outer.h": outer, "src/base/hash.cc": "namespace {\nstruct Inner {};\nstruct Own {\n"
                                                                "  struct Outer {};\n};\n}\n"}
        self.assertEqual(self.findings(inside), [])
        self.assert_one({**inside, "src/base/hash.cc": "namespace {\nclass Outer {\n"},
                        "src/base/hash.cc:2: Outer is a type of src/base/outer.h, too")

    def test_namespace_of_the_room(self):
        header = "// C.\n#pragma once\n"
        hidden = "namespace paraprint {\n\nclass Index::Implementation {\n};\n\n}  // namespace paraprint\n"
        other = "namespace paraprint::inline base {\n\nclass Hash;\n\n}  // namespace paraprint::inline base\n"
        own = "namespace paraprint::inline verify {\n\nint score();\n\n}  // namespace paraprint::inline verify\n"
        public = "namespace paraprint {\n\nint score();\n\n}  // namespace paraprint\n"
        self.assertEqual(self.findings({"src/verify/score.h": header + hidden + other + own}), [])
        self.assert_one({"src/verify/score.h": header + public}, "is in paraprint::inline verify")
        foreign = own.replace("verify", "base")
        self.assert_one({"src/verify/score.h": header + foreign}, "is in paraprint::inline verify")
        build = {"src/verify/CMakeLists.txt": "paraprint_library(verify SOURCES score.cc)\n"}
        self.assertEqual(self.findings({**build, "src/verify/score.cc": public + own}), [])
        self.assert_one({**build, "src/verify/score.cc": foreign}, "what verify declares")

    def test_file_name_given_twice(self):
        self.assert_one({"src/text/hash.h": "// C.\n#pragma once\n"},
                        "src/text/hash.h:1: src/base/hash.h has the same name")
        self.assertEqual(self.findings({"include/paraprint/hash.h": "// C.\n#pragma once\n"}), [])

    def test_forgotten_source(self):
        self.assert_one({"src/base/lost.cc": "\n"}, "never compiled")

    def test_missing_document(self):
        self.assert_one({"src/base/doc.h": "// docs/nowhere.md\n#pragma once\n"}, "does not exist")
        self.assert_one({"src/base/doc.h": "// nowhere.md 3\n#pragma once\n"}, "nowhere.md does not exist")
        self.assertEqual(self.findings({"src/base/doc.h": "// simhash.md 3\n#pragma once\n"}), [])
        self.assert_one({"src/profile/registry.cc": 'AlgorithmRow{"minhash", "sets", "simhash.md"};\n'},
                        "simhash.md has no heading '## minhash'")

    def test_source_that_moved(self):
        self.assert_one({"src/base/old.h": "// Like text/hash.h.\n#pragma once\n"}, "text/hash.h does not exist")
        self.assert_one({"README.md": "See `src/text/hash.h`.\n"}, "text/hash.h does not exist")
        self.assertEqual(self.findings({"README.md": "See `src/base/hash.h`, base/hash.h and std/hash.h.\n"}), [])

    def test_option_declared_by_hand(self):
        build = {"apps/CMakeLists.txt": "add_executable(paraprint paraprint/main.cc)\n"}
        for declaration in ('app.add_option("--near", near);', 'app->add_flag("--all", all);',
                            'app\n    ->add_option_function<int>("--near", f);'):
            self.assert_one({**build, "apps/paraprint/main.cc": declaration + "\n"},
                            "an option is a row of a table")
        self.assertEqual(self.findings({**build, "apps/paraprint/option_declarations.h":
                                        '// C.\n#pragma once\ncommand.add_flag(name, field);\n'}), [])

    def test_option_member_of_another_name(self):
        build = {"src/options/CMakeLists.txt": "paraprint_library(options SOURCES run_options.cc)\n"}
        row = '{.name = "near",\n .field = &MatchOptions::%s,\n'
        self.assertEqual(self.findings({**build, "src/options/run_options.cc": row % "near"}), [])
        self.assert_one({**build, "src/options/run_options.cc": row % "near_resemblance"},
                        "the member of option near is named near_resemblance")


if __name__ == "__main__":
    unittest.main()
