#!/usr/bin/env python3
"""How many dates of publication `extract --format json` gets right. Standard library only.

usage: publication_dates.py PROGRAM DATA [LABELS]
PROGRAM may be "htmldate": then the Python package of that name is asked, in its thorough mode.
DATA is the unpacked data with corpus/ and extraction/. LABELS (default: publication_dates.tsv beside this file) has
rows of file, id and date; of two halves, told apart by a hash of the id, the second was not looked at when the rules
were made. A date counts as right within a day, because pages give it in their own zone or in UTC. Pages
whose date is "-" state none, so that any is wrong; they are counted apart.
"""
import collections
import datetime
import gzip
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def pages_of_archive(path):
    """(address, text) of the records of a WARC file whose bodies are plain UTF-8."""
    for record in re.split(rb"(?=WARC/1\.[01]\r\n)", gzip.decompress(path.read_bytes())):
        head, _, rest = record.partition(b"\r\n\r\n")
        address = re.search(rb"WARC-Target-URI: (\S+)", head)
        if address and b"WARC-Type: response" in head:
            yield address[1].decode("latin-1"), rest.partition(b"\r\n\r\n")[2].decode("utf-8", "replace")


def pages_of(data, file):
    """(id, address, text, language) of the pages of a file."""
    if file.startswith("corpus/"):
        for address, text in pages_of_archive(data / f"{file}.warc.gz"):
            yield address, address, text, "zh" if "zh" in file else "en"
    else:
        with gzip.open(data / f"{file}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for page in map(json.loads, lines):
                yield page["id"], page["url"], page["html"], page["lang"]


def half_of(identifier):
    return "made with" if hashlib.sha256(b"half:" + identifier.encode()).digest()[0] % 2 == 0 else "held back"


def dates_by(program, sample):
    """(number of a page, its date or None) as the program finds them."""
    if program == "htmldate":
        import htmldate
        with open(sample, encoding="utf-8") as lines:
            for page in map(json.loads, lines):
                yield int(page["id"]), htmldate.find_date(page["html"], url=page["url"], original_date=True)
        return
    done = subprocess.run([program, "extract", "--format", "json", sample], capture_output=True, check=True)
    for page in map(json.loads, done.stdout.splitlines()):
        yield int(page["id"]), page.get("date_published")


def main():
    program, data = sys.argv[1], pathlib.Path(sys.argv[2])
    labels = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else pathlib.Path(__file__).with_suffix(".tsv")
    dates = collections.defaultdict(dict)
    for row in labels.read_text().splitlines():
        if not row.startswith("#"):
            file, identifier, date = row.split("\t")
            dates[file][identifier] = None if date == "-" else datetime.date.fromisoformat(date)
    wanted, groups = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        sample = pathlib.Path(folder, "pages.jsonl")
        with open(sample, "w", encoding="utf-8") as lines:
            for file, by_id in dates.items():
                for identifier, url, text, language in pages_of(data, file):
                    if identifier in by_id and (file, identifier) not in groups:
                        wanted[len(groups)] = by_id[identifier]
                        lines.write(json.dumps({"id": str(len(groups)), "url": url, "html": text}) + "\n")
                        is_dated = by_id[identifier] is not None
                        groups[file, identifier] = (half_of(identifier), language, "all") if is_dated else ()
        found = {number: datetime.date.fromisoformat(date[:10]) for number, date in dates_by(program, sample) if date}
    counts = collections.Counter()
    undated = [number for number, names in enumerate(groups.values()) if not names]
    for number, names in enumerate(groups.values()):
        if not names:
            continue
        date = found.get(number)
        is_right = date is not None and abs((date - wanted[number]).days) <= 1
        outcome = "none" if date is None else "right" if is_right else "wrong"
        for group in names:
            counts[group, outcome] += 1
    print("| pages | labelled | right | wrong | none | share right |\n|---|---|---|---|---|---|")
    for group in ("made with", "held back", "zh", "en", "all"):
        right, wrong, none = (counts[group, outcome] for outcome in ("right", "wrong", "none"))
        total = right + wrong + none
        print(f"| {group} | {total} | {right} | {wrong} | {none} | {right / max(total, 1):.3f} |")
    print(f"\nOf {len(undated)} pages that state no date, {len(found.keys() & set(undated))} got one.")


if __name__ == "__main__":
    main()
