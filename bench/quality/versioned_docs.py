#!/usr/bin/env python3
"""Builds a labelled set of near-duplicates from documentation that was published in many versions.

usage: versioned_docs.py SOURCES REPOSITORIES OUT [--part PART] [--identities N] [--versions N]
  SOURCES       table of what to take (versioned_docs.tsv): part, repository, branch, pattern, selectors, and what two
                documents with nearly the same text are: near, or topic where a generator writes all pages
  REPOSITORIES  folder with a clone of each, named OWNER+NAME or OWNER+NAME/repo (git clone --bare is enough)
  OUT           becomes a folder with docs.jsonl.gz, labels.tsv.gz, labels_detail.tsv.gz, meta.jsonl.gz, set.json
needs lxml.

The pattern matches a path. Its group `version` is the release; the rest of what it captures (`identity`) is the
document that its publisher says it is. Labels come from the exact longest common subsequence (LCS) of the words of the
element that has the content (the first selector that is found), never from a sketch:
  dup    the same words
  near   one document, 2 LCS / (a + b) at least 0.8; or two documents, at least 0.95, unless the table says topic
  topic  one document below 0.8; two documents with at least 0.5, or with four fifths of the smaller one
  diff   all others; listed are the three most similar of each page and two by chance. The world is closed.
The choice of documents is by hash, so the set is the same wherever it is built from the same commits.
"""
import argparse
import collections
import gzip
import hashlib
import json
import multiprocessing
import os
import re
import subprocess
import sys
import unicodedata

from lxml import html as lxml_html

WORDS_COMPARED = 20000
WORDS_MINIMUM = 100
SHINGLE_WORDS = 4
SHARED_SHINGLES = 0.2
BYTES_MAXIMUM = 600_000
LEFT_OUT = ("script", "style", "nav", "button", "noscript", "svg", "template")
LEFT_OUT_CLASSES = re.compile(
    r"\b(headerlink|hash-link|header-link|anchor|toc|theme-doc-toc-mobile|subNav|sub-nav|topNav|bottomNav|breadcrumbs?|"
    r"theme-doc-footer|pagination-nav|theme-doc-breadcrumbs|theme-doc-version-badge|related|sphinxsidebar)\b")
WORD = re.compile(r"[⺀-鿿豈-﫿]|\w+")


def number(text):
    return int(hashlib.sha1(text.encode()).hexdigest()[:15], 16)


def git(repository, *arguments):
    return subprocess.run(["git", "-C", repository, *arguments], check=True, stdout=subprocess.PIPE).stdout


def folder_of(repositories, name):
    for tail in ("", "/repo", "/repo/.git"):
        folder = os.path.join(repositories, name.replace("/", "+") + tail)
        if os.path.exists(os.path.join(folder, "objects")) and os.path.exists(os.path.join(folder, "HEAD")):
            return folder
    sys.exit(f"no clone of {name} in {repositories}")


def read_sources(path, part):
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    return [row for row in rows if part in (None, row[0])]


def chosen_pages(folder, branch, pattern, identities, versions):
    """Yields (path, identity, version): of `identities` documents at most `versions` releases each."""
    by_identity = collections.defaultdict(dict)
    for path in git(folder, "ls-tree", "-r", "--name-only", "-z", branch).decode("utf-8", "replace").split("\0"):
        match = re.fullmatch(pattern, path)
        if match:
            by_identity[match.group("identity")][match.group("version") or "current"] = path
    repeated = sorted((i for i in by_identity if len(by_identity[i]) > 1), key=number)[:identities]
    single = sorted((i for i in by_identity if len(by_identity[i]) == 1), key=number)[:identities // 10]
    for identity in repeated + single:
        # By hash: two neighbours in time, or ten years apart.
        for version in sorted(by_identity[identity], key=lambda v: number(identity + " " + v))[:versions]:
            yield by_identity[identity][version], identity, version


def content_of(page, selectors):
    try:
        tree = lxml_html.document_fromstring(page.decode("utf-8", "replace").encode(),
                                             parser=lxml_html.HTMLParser(encoding="utf-8", huge_tree=True))
    except Exception:  # lxml raises many types for pages without a tree
        return None
    for selector in selectors.split():
        name, _, css_class = selector.partition(".")
        found = [e for e in tree.iter(name) if not css_class or css_class in (e.get("class") or "").split()]
        if found:
            return clean_text(found[0]), selector
    return None


def clean_text(element):
    for part in list(element.iter()):
        if part is element or not isinstance(part.tag, str) or part.getparent() is None:
            continue
        if part.tag in LEFT_OUT or LEFT_OUT_CLASSES.search(part.get("class") or ""):
            part.drop_tree()
    return "\n".join(text for text in element.itertext() if isinstance(text, str))


def title_of(page):
    match = re.search(rb"<title[^>]*>(.*?)</title>", page, re.S | re.I)
    return re.sub(r"\s+", " ", match.group(1).decode("utf-8", "replace")).strip() if match else ""


def words_of(text):
    return WORD.findall(unicodedata.normalize("NFKC", text).lower())


def lcs_length(a, b):
    """Exact, by rows of bits (Hyyro 2004)."""
    a, b = a[:WORDS_COMPARED], b[:WORDS_COMPARED]
    places = collections.defaultdict(int)
    for i, word in enumerate(b):
        places[word] |= 1 << i
    ones = (1 << len(b)) - 1
    row = ones
    for word in a:
        hits = row & places.get(word, 0)
        row = ((row + hits) | (row - hits)) & ones
    return len(b) - row.bit_count()


def shingles_of(words, size=SHINGLE_WORDS):
    return frozenset(hash(tuple(words[i:i + size])) for i in range(max(1, len(words) - size + 1)))


DOCUMENTS = []


def label_row(i, shared_by=min, shared_least=SHARED_SHINGLES):
    """The labelled pairs (i, j > i) and, for diff, (similarity, j). Two documents are compared if they share that much
    of the shingles of the shorter one (min) or of the longer one (max)."""
    a = DOCUMENTS[i]
    pairs, others = [], []
    for j in range(i + 1, len(DOCUMENTS)):
        b = DOCUMENTS[j]
        same = a["identity"] == b["identity"]
        shared = len(a["shingles"] & b["shingles"]) / shared_by(len(a["shingles"]), len(b["shingles"]))
        if not same and shared < shared_least:
            if shared > 0.02:
                others.append((shared, j))
            continue
        length = lcs_length(a["words"], b["words"])
        sizes = (min(len(a["words"]), WORDS_COMPARED), min(len(b["words"]), WORDS_COMPARED))
        dice, containment = 2 * length / sum(sizes), length / min(sizes)
        label = label_of(a, b, same, dice, containment)
        if label == "diff":
            others.append((shared, j))
        else:
            pairs.append((j, label, same, dice, containment))
    return i, pairs, others


def label_of(a, b, same, dice, containment):
    if a["words"] == b["words"]:
        return "dup" if same or a["cross"] == "near" else "topic"
    if same:
        return "near" if dice >= 0.8 else "topic"
    if dice >= 0.95 and a["cross"] == "near":
        return "near"
    return "topic" if dice >= 0.5 or containment >= 0.8 else "diff"


def collect(arguments):
    for row in read_sources(arguments.sources, arguments.part):
        _, repository, branch, pattern, selectors, cross = row[:6]
        folder = folder_of(arguments.repositories, repository)
        commit = git(folder, "rev-parse", branch).decode().strip()
        taken = 0
        for path, identity, version in chosen_pages(folder, branch, pattern, arguments.identities, arguments.versions):
            page = git(folder, "show", f"{branch}:{path}")
            content = content_of(page, selectors) if len(page) <= BYTES_MAXIMUM else None
            words = words_of(content[0]) if content else []
            if len(words) < WORDS_MINIMUM:
                continue
            taken += 1
            DOCUMENTS.append({
                "id": "doc-" + hashlib.sha1(f"{repository}:{path}".encode()).hexdigest()[:14], "page": page,
                "identity": f"{repository}:{identity}", "words": words, "shingles": shingles_of(words), "cross": cross,
                "main": content[0],
                "meta": {"repo": repository, "ref": branch, "commit": commit, "path": path, "version": version,
                         "selector": content[1], "main_tokens": len(words)}})
        print(f"{repository}\t{pattern[:40]}\t{taken} pages", flush=True)
    DOCUMENTS.sort(key=lambda d: d["id"])


def write_lines(path, lines):
    with open(path, "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
        packed.write("".join(line + "\n" for line in lines).encode())


def write_set(out, rows):
    os.makedirs(out, exist_ok=True)
    labels = []
    detail = ["id_a\tid_b\tlabel\tsame_identity\tlcs_dice\tlcs_containment"]
    similar = collections.defaultdict(list)
    counts = collections.Counter()
    listed = set()
    for i, pairs, others in rows:
        for j, label, same, dice, containment in pairs:
            listed.add((i, j))
            counts[label] += 1
            names = f"{DOCUMENTS[i]['id']}\t{DOCUMENTS[j]['id']}\t{label}"
            labels.append(names)
            detail.append(f"{names}\t{int(same)}\t{dice:.4f}\t{containment:.4f}")
        for shared, j in others:
            similar[i].append((-shared, j))
            similar[j].append((-shared, i))
    for i in range(len(DOCUMENTS)):
        chosen = [j for _, j in sorted(similar[i])[:3]]
        chosen += [number(f"{DOCUMENTS[i]['id']} {k}") % len(DOCUMENTS) for k in range(2)]
        for j in chosen:
            pair = (min(i, j), max(i, j))
            if i != j and pair not in listed:
                listed.add(pair)
                counts["diff"] += 1
                names = f"{DOCUMENTS[pair[0]]['id']}\t{DOCUMENTS[pair[1]]['id']}\tdiff"
                labels.append(names)
                detail.append(names + "\t0\t\t")
    write_lines(f"{out}/labels.tsv.gz", labels)
    write_lines(f"{out}/labels_detail.tsv.gz", detail)
    write_lines(f"{out}/docs.jsonl.gz", (json.dumps(
        {"id": d["id"], "lang": d.get("lang", "en"), "title": title_of(d["page"]),
         "url": "https://%s/%s" % (d["meta"]["repo"].split("/")[1].lower(), d["meta"]["path"]),
         "html": d["page"].decode("utf-8", "replace")}, ensure_ascii=False) for d in DOCUMENTS))
    write_lines(f"{out}/meta.jsonl.gz",
                (json.dumps({"id": d["id"], "identity": d["identity"], **d["meta"]}) for d in DOCUMENTS))
    write_lines(f"{out}/truth_main.jsonl.gz", (json.dumps({"id": d["id"], "main": d["main"]}) for d in DOCUMENTS))
    with open(f"{out}/set.json", "w", encoding="utf-8") as file:
        json.dump({"name": os.path.basename(out.rstrip("/")), "world": "closed", "kind": "html"}, file)
    print(f"{out}: {len(DOCUMENTS)} documents, {dict(sorted(counts.items()))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources")
    parser.add_argument("repositories")
    parser.add_argument("out")
    parser.add_argument("--part", help="only the rows of this part of the table")
    parser.add_argument("--identities", type=int, default=80, help="documents of each row")
    parser.add_argument("--versions", type=int, default=4, help="releases of each document")
    arguments = parser.parse_args()
    collect(arguments)
    if not DOCUMENTS:
        sys.exit("no pages")
    with multiprocessing.get_context("fork").Pool() as pool:
        rows = pool.map(label_row, range(len(DOCUMENTS)), chunksize=4)
    write_set(arguments.out, rows)


if __name__ == "__main__":
    main()
