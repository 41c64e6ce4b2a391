#!/usr/bin/env python3
"""Builds labelled sets of near-duplicates in several languages from translated documentation and its versions.

usage: translated_docs.py SOURCES REPOSITORIES OUT [--language CODE] [--identities N] [--versions N]
  SOURCES       table of what to take (translated_docs.tsv): language, repository, versions, pattern, selectors, and
                what two documents with nearly the same text are: near, or topic
  REPOSITORIES  folder with a clone of each, as for versioned_docs.py, with its history
  OUT           gets a folder for each language, with the files that versioned_docs.py writes
needs lxml and markdown-it-py.

A version is a name and a branch or commit; `monthly` stands for the first-parent history of a commit, as it was at the
end of each month. The group `version` of the pattern is added where one commit has several.
Files with the same bytes are taken once. Markdown becomes a page of one of three layouts (markdown_pages.py), the same
for all documents of a version. Labels are those of versioned_docs.py. The unit of the longest common subsequence is a
word with its marks; in Japanese a kanji, a hiragana or a run of katakana; in Thai a consonant with its vowels and
tones. Left out are documents in which too little is in the language, code aside, and those that are too long for the
time that exact subsequences take.
"""
import argparse
import collections
import copy
import functools
import multiprocessing
import os
import re
import sys
import unicodedata

from lxml import html as lxml_html

import markdown_pages
import versioned_docs

SHINGLE_UNITS = 6
SHARED_SHINGLES = 0.15  # of the longer document: a short text is by chance a subsequence of a long one
UNITS_MAXIMUM = 10_000
UNITS_MINIMUM = {"ja": 300, "th": 300}
LINKS = 24
MARKS = "".join(chr(c) for c in range(0x300, 0xFFFF) if unicodedata.category(chr(c)) in ("Mn", "Mc", "Me"))
WORD = rf"[\w{MARKS}]"
THAI = "\u0e00-\u0e7f"
JAPANESE = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
UNITS = {
    "th": re.compile(rf"[\u0e40-\u0e44]?[\u0e01-\u0e2e][\u0e30-\u0e3a\u0e45\u0e47-\u0e4e]*|[{THAI}]|"
                     rf"(?:(?![{THAI}]){WORD})+"),
    "ja": re.compile(rf"[\u30a0-\u30ff]+|[{JAPANESE}]|(?:(?![{JAPANESE}]){WORD})+"),
}
OTHER_UNITS = re.compile(f"{WORD}+")
# Of the letters of a document, code aside, how many must be of the script; of its words, how many of these.
SCRIPTS = {
    "ar": (re.compile("[\u0621-\u064a]"), 0.5), "ja": (re.compile(f"[{JAPANESE}]"), 0.4),
    "ko": (re.compile("[\uac00-\ud7a3]"), 0.4), "ru": (re.compile("[\u0400-\u04ff]"), 0.5),
    "th": (re.compile(f"[{THAI}]"), 0.5),
}
COMMON_WORDS = {
    "de": (set("der die das und ist nicht ein eine den mit für auf werden wird zu von sie des dem im".split()), 0.12),
    "es": (set("de la el que en los las un una para con se es por del al no como su".split()), 0.18),
}
CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([A-Za-z0-9_-]+)""")


def units_of(text, language):
    return UNITS.get(language, OTHER_UNITS).findall(unicodedata.normalize("NFKC", text).lower())


def is_in(language, prose):
    if language in SCRIPTS:
        letters, share = SCRIPTS[language]
        return len(letters.findall(prose)) >= share * sum(c.isalpha() for c in prose) > 0
    common, share = COMMON_WORDS[language]
    words = re.findall(r"\w+", prose.lower())
    return sum(word in common for word in words) >= share * len(words) > 0


def commits_of(folder, versions):
    """Yields (name, commit)."""
    for version in versions.split(","):
        name, ref = version.split("=", 1)
        if name != "monthly":
            yield name, ref
            continue
        last = {}
        for line in versioned_docs.git(folder, "log", "--first-parent", "--format=%cs %H", ref).decode().split("\n"):
            if line:
                last.setdefault(line[:7], line.split()[1])
        yield from sorted(last.items())


def chosen_files(folder, versions, pattern, identities, count):
    """Yields (identity, version, path, object): of `identities` documents at most `count` versions each."""
    by_identity = collections.defaultdict(dict)
    for name, ref in commits_of(folder, versions):
        for line in versioned_docs.git(folder, "ls-tree", "-r", "-z", ref).decode("utf-8", "replace").split("\0"):
            entry, _, path = line.partition("\t")
            match = re.fullmatch(pattern, path)
            if match:
                version = " ".join(part for part in (name, match.groupdict().get("version")) if part)
                by_identity[match.group("identity")].setdefault(entry.split()[2], (version, path))
    number = versioned_docs.number
    repeated = sorted((i for i in by_identity if len(by_identity[i]) > 1), key=number)[:identities]
    single = sorted((i for i in by_identity if len(by_identity[i]) == 1), key=number)[:identities // 4]
    for identity in repeated + single:
        files = [(version, path, blob) for blob, (version, path) in by_identity[identity].items()]
        for version, path, blob in sorted(files, key=lambda f: number(f"{identity} {f[0]}"))[:count]:
            yield identity, version, path, blob


def decoded(page):
    declared = CHARSET.search(page[:2000])
    try:
        return page.decode(declared.group(1).decode() if declared else "utf-8", "replace")
    except LookupError:
        return page.decode("utf-8", "replace")


def element_of(text, selectors):
    try:
        tree = lxml_html.document_fromstring(text.encode(), parser=lxml_html.HTMLParser(encoding="utf-8"))
    except Exception:  # lxml raises many types for pages without a tree
        return None
    for selector in selectors.split():
        found = tree.xpath(f"//{selector}")
        if found:
            return found[0]
    return None


def prose_of(element):
    prose = copy.deepcopy(element)
    for part in list(prose.iter("pre", "code", "script", "style")):
        if part.getparent() is not None:
            part.drop_tree()
    return prose.text_content()


def documents_of(row, arguments):
    language, repository, versions, pattern, selectors, cross = row[:6]
    folder = versioned_docs.folder_of(arguments.repositories, repository)
    found = []
    for identity, version, path, blob in chosen_files(folder, versions, pattern, arguments.identities,
                                                      arguments.versions):
        page = versioned_docs.git(folder, "cat-file", "blob", blob)
        if len(page) > versioned_docs.BYTES_MAXIMUM:
            continue
        page, title = decoded(page), None
        if path.endswith(".md"):
            title, page = markdown_pages.rendered(page)
            element = element_of(page, "body")
        else:
            element = element_of(page, selectors)
        if element is None or not is_in(language, prose_of(element)):
            continue
        main = versioned_docs.clean_text(element)
        units = units_of(main, language)
        if not UNITS_MINIMUM.get(language, versioned_docs.WORDS_MINIMUM) <= len(units) <= UNITS_MAXIMUM:
            continue
        found.append({
            "id": "doc-" + versioned_docs.hashlib.sha1(f"{repository}:{version}:{path}".encode()).hexdigest()[:14],
            "page": page, "title": title, "identity": f"{repository}:{identity}", "lang": language, "words": units,
            "shingles": versioned_docs.shingles_of(units, SHINGLE_UNITS), "cross": cross, "main": main,
            "meta": {"repo": repository, "ref": version, "commit": blob, "path": f"{version}/{path}",
                     "version": version, "selector": selectors, "main_tokens": len(units)}})
    titles = sorted({d["title"] for d in found if d["title"]}, key=versioned_docs.number)[:LINKS]
    for document in found:
        if document["title"] is not None:
            layout = versioned_docs.number(f"{repository} {document['meta']['version']}")
            document["page"] = markdown_pages.page_of(document["title"], document["page"], language,
                                                      repository.split("/")[1], titles, layout)
        document["page"] = document["page"].encode()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources")
    parser.add_argument("repositories")
    parser.add_argument("out")
    parser.add_argument("--language", help="only this one")
    parser.add_argument("--identities", type=int, default=30, help="documents of each row")
    parser.add_argument("--versions", type=int, default=5, help="versions of each document")
    arguments = parser.parse_args()
    rows = versioned_docs.read_sources(arguments.sources, arguments.language)
    for language in sorted({row[0] for row in rows}):
        documents = versioned_docs.DOCUMENTS
        documents.clear()
        for row in (row for row in rows if row[0] == language):
            found = documents_of(row, arguments)
            print(f"{language}\t{row[1]}\t{row[3][:40]}\t{len(found)} pages", flush=True)
            documents.extend(found)
        documents.sort(key=lambda d: d["id"])
        with multiprocessing.get_context("fork").Pool() as pool:
            label_row = functools.partial(versioned_docs.label_row, shared_by=max, shared_least=SHARED_SHINGLES)
            labels = pool.map(label_row, range(len(documents)), chunksize=4)
        versioned_docs.write_set(os.path.join(arguments.out, language), labels)
    if not rows:
        sys.exit("no rows of that language")


if __name__ == "__main__":
    main()
