#!/usr/bin/env python3
"""Embed the files of the explorer's page into the program.

usage: embed_files.py OUTPUT.cc FILE...

Writes the table that view_assets.h declares: a row per file, with its name, its media type and its text.
"""
import pathlib
import sys

CONTENT_TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
                 ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
# A literal may not be longer in every compiler.
PIECE_CHARACTERS = 8000


def literal(text):
    pieces = [text[begin:begin + PIECE_CHARACTERS] for begin in range(0, len(text), PIECE_CHARACTERS)]
    return "\n     ".join(f'R"~~({piece})~~"' for piece in pieces)


def main():
    output, files = pathlib.Path(sys.argv[1]), sorted(map(pathlib.Path, sys.argv[2:]), key=lambda path: path.name)
    rows = []
    for path in files:
        text = path.read_text(encoding="utf-8")
        if ')~~"' in text:
            sys.exit(f"{path}: contains a sequence that would end the C++ string")
        rows.append(f'    {{"{path.name}", "{CONTENT_TYPES[path.suffix]}",\n     {literal(text)}}},\n')
    output.write_text('#include "view/assets/view_assets.h"\n\n'
                      "namespace paraprint::inline explorer::assets {\nnamespace {\n\n"
                      "const ViewAsset kViewAssets[] = {\n" + "".join(rows) + "};\n\n}  // namespace\n\n"
                      "std::span<const ViewAsset> view_assets() {\n  return kViewAssets;\n}\n\n"
                      "}  // namespace paraprint::inline explorer::assets\n", encoding="utf-8")


if __name__ == "__main__":
    main()
