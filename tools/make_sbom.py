#!/usr/bin/env python3
"""Writes the software bill of materials of a program in SPDX 2.3 (JSON): what THIRD_PARTY.md says is linked or compiled
in, with the versions of the Debian packages that this machine has, and the libraries that those bring along.

usage: make_sbom.py PROGRAM [--out FILE]

The time in the document is SOURCE_DATE_EPOCH, or that of the last commit, so the same program gives the same bytes.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid
from datetime import datetime, timezone

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The Debian package of each project in THIRD_PARTY.md. A library's package is that of its file; headers and data have
# the package that they are installed from.
PACKAGES = {
    "lexbor": "liblexbor-dev", "ICU": "libicu-dev", "zlib": "zlib1g-dev", "libdeflate": "libdeflate-dev",
    "minizip": "libminizip-dev", "Zstandard": "libzstd-dev", "Brotli": "libbrotli-dev", "xxHash": "libxxhash-dev",
    "OpenSSL": "libssl-dev", "libb2": "libb2-dev", "Highway": "libhwy-dev", "simdjson": "libsimdjson-dev",
    "RapidJSON": "rapidjson-dev", "OpenCC": "libopencc-dev", "Boost": "libboost-dev", "libcurl": "libcurl4-openssl-dev",
    "Expat": "libexpat1-dev", "CLD2": "libcld2-dev", "fastText": "libfasttext-dev",
    "Eigen": "libeigen3-dev", "RocksDB": "librocksdb-dev",
    "fmt": "libfmt-dev", "CLI11": "libcli11-dev", "expected": "libexpected-dev", "jieba": "python3-jieba",
}


def fail(message):
    sys.exit(f"make_sbom.py: {message}")


def output_of(*command):
    finished = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if finished.returncode != 0:
        fail(f"{' '.join(map(str, command))}: {finished.stderr.strip() or 'failed'}")
    return finished.stdout


def licence_expression(text):
    """The SPDX expression of a licence column: "Apache-2.0 or MIT", "curl (MIT-like)"."""
    expression = re.sub(r"\s+or\s+", " OR ", re.sub(r"\s*\([^)]*\)", "", text)).strip()
    return re.sub(r"\bGPL-2\.0$", "GPL-2.0-only", expression)


def projects_in(text):
    """{project: (use, licence)} of the tables of what is in the program; the Python package has a table of its own."""
    found = {}
    for section in re.split(r"^## ", text, flags=re.MULTILINE):
        if not section.startswith(("Linked into the program", "Data compiled into the program")):
            continue
        for name, use, licence in re.findall(r"^\| \[([^\]]+)\]\([^)]*\)[^|]*\| ([^|]+) \| ([^|]+) \|$", section,
                                             flags=re.MULTILINE):
            found.setdefault(name, (use.strip(), licence_expression(licence)))
    return found


def installed(packages):
    """{package: (source package, version)} as dpkg has them."""
    lines = output_of("dpkg-query", "-W", "-f", "${Package} ${source:Package} ${source:Version}\\n", *packages)
    return {package: (source, version) for package, source, version in map(str.split, lines.splitlines())}


def linked_packages(program):
    """{package: path} of all libraries that the loader brings, those of libraries included."""
    paths = {}  # each name that dpkg may know a library by
    for path in re.findall(r"=> (/\S+)", output_of("ldd", program)):
        for name in (path, os.path.realpath(path)):
            paths.update({name: path, name.removeprefix("/usr"): path})
    # Names that it does not know make it fail, but the others are printed.
    found = subprocess.run(["dpkg-query", "-S", *paths], capture_output=True, text=True).stdout
    packages = {paths[name]: package for package, name in re.findall(r"^([^:,\s]+)[^ ]*: (\S+)$", found, re.MULTILINE)}
    for path in sorted(set(paths.values()) - set(packages)):
        fail(f"{path}: no package of this system has this library")
    return {package: path for path, package in sorted(packages.items())}


def package_entry(name, version, licence, comment):
    identity = "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
    return {
        "SPDXID": identity, "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": licence,
        "copyrightText": "NOASSERTION", "comment": comment,
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": f"pkg:deb/debian/{name}@{version.replace(':', '%3A').replace('+', '%2B')}"
                                              "?arch=source"}],
    }


def document_of(program, created):
    version = re.search(r"project\(paraprint VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    projects = projects_in((ROOT / "THIRD_PARTY.md").read_text())
    if set(projects) != set(PACKAGES):
        fail(f"THIRD_PARTY.md and PACKAGES differ: {', '.join(sorted(set(projects) ^ set(PACKAGES)))}")
    checksum = hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()
    main = {"SPDXID": "SPDXRef-Package-paraprint", "name": "paraprint", "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "Apache-2.0",
            "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION", "primaryPackagePurpose": "APPLICATION",
            "checksums": [{"algorithm": "SHA256", "checksumValue": checksum}]}
    packages, relationships, sources = [main], [], {}
    linked = linked_packages(program)
    known = installed([*PACKAGES.values(), *linked])
    for project, (use, licence) in sorted(projects.items()):
        source, package_version = known[PACKAGES[project]]
        sources[source] = project
        entry = package_entry(source, package_version, licence, f"{project}: {use}")
        packages.append(entry)
        relationships.append((main["SPDXID"], "DEPENDS_ON", entry["SPDXID"]))
    for package, path in sorted(linked.items()):
        source, package_version = known[package]
        if source in sources:
            continue
        sources[source] = package
        entry = package_entry(source, package_version, "NOASSERTION", f"{os.path.basename(path)}: loaded by a library")
        packages.append(entry)
        relationships.append((main["SPDXID"], "DYNAMIC_LINK", entry["SPDXID"]))
    body = {
        "packages": packages,
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                           "relatedSpdxElement": main["SPDXID"]}] +
                         [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                          for a, kind, b in relationships],
    }
    identity = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(body, sort_keys=True))
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"paraprint-{version}", "documentNamespace": f"urn:uuid:{identity}",
        "creationInfo": {"created": created, "creators": ["Tool: paraprint-make_sbom"]}, **body,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, help="file to write; none: standard output")
    arguments = parser.parse_args()
    if not arguments.program.is_file():
        fail(f"{arguments.program}: no such program; `make build` makes build/release/apps/paraprint")
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or output_of("git", "log", "-1", "--format=%ct").strip()
    created = datetime.fromtimestamp(int(seconds), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    text = json.dumps(document_of(arguments.program, created), indent=1, ensure_ascii=False) + "\n"
    if arguments.out:
        arguments.out.write_text(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
