#!/usr/bin/env python3
"""Adds to a wheel that auditwheel has repaired the licence of everything that it brings from elsewhere.

usage: add_licences.py WHEEL OUTPUT_FOLDER
Below `licenses/bundled/` of the wheel's .dist-info folder it writes the copyright file of each Debian package that a
library or compiled-in source comes from, the licences that those files only refer to, and a list of libraries with
package and version. It fails if a library belongs to no package. Run it with the Python that has auditwheel and
nanobind.
"""
import importlib.metadata
import importlib.util
import pathlib
import re
import subprocess
import sys
import zlib

from auditwheel.wheeltools import InWheel

# A file of each package whose sources or data are compiled into ours. Libraries that are linked are found in the wheel.
COMPILED_IN = (
    "/usr/include/CLI/CLI.hpp",
    "/usr/include/rapidjson/writer.h",
    "/usr/include/boost/beast/http/parser.hpp",
    "/usr/include/eigen3/Eigen/Core",
    "/usr/include/tl/expected.hpp",
    "/usr/include/expat.h",
    "/usr/include/rocksdb/db.h",
    "/usr/include/hwy/highway.h",
    "/usr/lib/python3/dist-packages/jieba/dict.txt",
    "/usr/share/opencc/t2s.json",
)
COMMON_LICENCES = pathlib.Path("/usr/share/common-licenses")
HEADING = """Software in this wheel that is not paraprint's
==============================================

The libraries below are those of the named Debian packages. auditwheel changed their names and the folders in which they
look for each other, and libicudata lacks the data that paraprint does not read; nothing else was changed. Whoever has
the wheel may replace them. Their sources are the Debian source packages in the given versions, which Debian's archive
and its snapshots keep. The folder of each package has its copyright file, common-licenses the texts that such files
refer to.

"""


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def owner(path):
    """The installed Debian package that has the file, without its architecture."""
    resolved = pathlib.Path(path).resolve(strict=True)
    # dpkg knows files by the paths of their packages, which may begin with /lib where the system has /usr/lib.
    for name in dict.fromkeys((str(path), str(resolved), str(resolved).removeprefix("/usr"))):
        found = subprocess.run(("dpkg-query", "--search", name), capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    sys.exit(f"add_licences.py: no Debian package has {path}, so that its licence is not known")


def linked_libraries():
    """Name of each library in the linker's cache, and of the file that it is a link to -> its path."""
    known = {}
    for name, path in re.findall(r"^\s+(\S+) \(.*\) => (\S+)$", output_of("/sbin/ldconfig", "-p"), re.MULTILINE):
        known.setdefault(name, path)
        known.setdefault(pathlib.Path(path).resolve().name, path)
    return known


def versions(package):
    query = output_of("dpkg-query", "--show", "--showformat=${Version}\t${source:Package}\t${source:Version}", package)
    return query.split("\t")


def main():
    wheel, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    context = InWheel(wheel, folder / wheel.name)
    context.zip_compression_level = zlib.Z_BEST_COMPRESSION
    with context as contents:
        add_licences(pathlib.Path(contents))


def add_licences(contents):
    information, = contents.glob("*.dist-info")
    licences = information / "licenses" / "bundled"
    known = linked_libraries()
    rows = []
    for library in sorted((contents / "paraprint.libs").iterdir()):
        original = re.sub(r"-[0-9a-f]{8}(?=\.)", "", library.name, count=1)  # auditwheel put a hash into the name
        if original not in known:
            sys.exit(f"add_licences.py: {library.name} is not a library of this system")
        rows.append((library.name, owner(known[original])))
    rows += [(f"(compiled in: {pathlib.Path(file).name})", owner(file)) for file in COMPILED_IN]

    texts = {}
    for _, package in rows:
        texts[f"{package}/copyright"] = pathlib.Path("/usr/share/doc", package, "copyright").read_text()
    for text in list(texts.values()):
        for name in re.findall(r"/usr/share/common-licenses/([A-Za-z0-9.+-]*[A-Za-z0-9])", text):
            texts[f"common-licenses/{name}"] = (COMMON_LICENCES / name).read_text()
    nanobind = pathlib.Path(importlib.util.find_spec("nanobind").origin).parent
    for file in importlib.metadata.files("nanobind"):
        if file.name == "LICENSE":
            texts["nanobind/LICENSE"] = file.read_text()
    robin_map = (nanobind / "ext/robin_map/include/tsl/robin_map.h").read_text()
    texts["robin-map/LICENSE"] = robin_map[: robin_map.index("*/") + 3]

    table = [("library", "package", "version", "source package", "its version")]
    table += [(name, package, *versions(package)) for name, package in rows]
    widths = [max(map(len, column)) for column in zip(*table)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in table]
    lines += ["", f"nanobind {importlib.metadata.version('nanobind')} with robin-map, from PyPI, is compiled in, too."]
    texts["README.txt"] = HEADING + "\n".join(lines) + "\n"
    for name, text in texts.items():
        path = licences / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    metadata = information / "METADATA"
    named = "".join(f"License-File: bundled/{name}\n" for name in sorted(texts))
    metadata.write_text(re.sub(r"((?:^License-File: .*\n)+)", rf"\g<1>{named}", metadata.read_text(), count=1,
                               flags=re.MULTILINE))


main()
