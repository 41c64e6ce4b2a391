#!/usr/bin/env python3
"""Writes python/src/paraprint/option_types.py from the declarations of the command line's options.

usage: PYTHONPATH=build/release/python python/make_option_types.py [--check]
--check only tests whether the file is current. Run the script after adding, renaming or removing an option.
"""
import pathlib
import sys

from paraprint import _core

TARGET = pathlib.Path(__file__).resolve().parent / "src" / "paraprint" / "option_types.py"
CALLS = {"profile": "ProfileKeywords", "batch": "BatchKeywords", "compare": "CompareKeywords", "read": "ReadKeywords",
         "index": "IndexKeywords", "dedup": "DedupKeywords", "frame": "FrameKeywords", "evaluate": "EvaluateKeywords",
         "evaluate_extraction": "EvaluateExtractionKeywords", "contaminated": "ContaminatedKeywords"}
# Keywords that the functions declare explicitly.
OWN = {"dedup": {"out"}, "evaluate": {"out"}, "evaluate_extraction": {"out"}, "contaminated": {"against", "out"}}
HEAD = '''"""The keyword arguments that are options of the program, for type checkers and editors.

Written by python/make_option_types.py from the command line's declarations; do not edit.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypedDict, Union

Text = Union[str, "os.PathLike[str]"]
Texts = Union[Text, int, Sequence[Union[Text, int]]]
Size = Union[int, str]
'''


def type_of(kind):
    if kind == "switch":
        return "bool | None"
    if "SIZE" in kind:
        return "Size | None"
    if kind.startswith(("UINT", "INT")):
        return "int | None"
    if kind.startswith("FLOAT"):
        return "float | None"
    return "Texts | None"


def written():
    parts = [HEAD]
    for call, name in CALLS.items():
        parts.append(f"\n\nclass {name}(TypedDict, total=False):\n")
        for option, kind, *_ in _core.options(call):
            if option not in OWN.get(call, ()):
                parts.append(f"    {option}: {type_of(kind)}\n")
    return "".join(parts)


def main():
    if "--check" in sys.argv:
        if TARGET.read_text(encoding="utf-8") != written():
            sys.exit(f"{TARGET.name} is out of date; run python/make_option_types.py")
        return
    TARGET.write_text(written(), encoding="utf-8")


if __name__ == "__main__":
    main()
