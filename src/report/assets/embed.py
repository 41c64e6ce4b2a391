#!/usr/bin/env python3
"""Turn the style sheets and scripts of the report into C++ constants.

usage: embed.py OUTPUT.cc FILE...

FILE name.ext becomes std::string_view kNameExt in the namespace of assets.h. A script also defines kNameExtHash, its
SHA-256 in the form used by content security policies: the pages allow exactly these scripts.
"""
import base64
import hashlib
import pathlib
import sys


def constant_name(path):
    return "k" + "".join(part.capitalize() for part in path.name.replace(".", "_").split("_"))


def main():
    output, files = pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]]
    parts = ['#include "report/assets/assets.h"\n\nnamespace paraprint::inline report::assets {\n']
    for path in files:
        text = path.read_text(encoding="utf-8")
        if ')~~"' in text or "</" in text:
            sys.exit(f"{path}: contains a sequence that would end the C++ string or the HTML element")
        name = constant_name(path)
        parts.append(f'const std::string_view {name} = R"~~({text})~~";\n')
        if path.suffix == ".js":
            digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
            parts.append(f'const std::string_view {name}Hash = "sha256-{digest}";\n')
    parts.append("\n}  // namespace paraprint::inline report::assets\n")
    output.write_text("".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
