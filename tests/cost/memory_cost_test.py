"""The law of memory: what reading an input allocates is a small multiple of its size, reading an archive of many
records takes no more the longer it is, and no input leaves much behind. Bytes in use are counted exactly, so they don't
depend on the machine.
Usage: memory_cost_test.py PROGRAM [KIND.FAMILY...]; it prints a table."""
import subprocess
import sys

SIZES = [64 << 10, 256 << 10]
# Bytes for each further byte of input. A number in JSON has an element of 8 bytes and room for as much again, and a
# header field or a parameter of two bytes the strings of its name and value.
GROWTH_MAXIMUM = 26.0
GROWTHS = {
    # An element and its text often have three bytes together, and a tag may open several elements again. A page has the
    # tree, the blocks of text that were found in it, and what is known of each. HTML is read up to 16 MiB, which is 79
    # for each byte: a larger part of the tree is kept of smaller pages.
    "page": 200.0,
    "links": 80.0,
    # All algorithms that there are, one after the other: each keeps its terms.
    "algorithms": 230.0,
    "algorithms_with_large_parameters": 60.0,
    "long_sentences": 200.0,  # pages
    # Files of the user. Each word has a place in tables and in its class.
    "synonyms": 120.0,
    # Words of a stretch that an item repeats have places in it.
    "contamination.stretch_repeated": 50.0,
    # Up to 256 texts are found for each key of a page, and as many keys for a fingerprint.
    "search_keys": 1000.0,
    "search_fingerprints": 1000.0,
    "response_head.line_feeds": 50.0,  # limited to 256 KiB
    "request_target.segments": 50.0,  # limited to 16 KiB
    # A robots.txt is read up to 500 KiB.
    "robots.stars": 33.0,
    "robots_match.one_rule_of_stars": 33.0,
    # Made 64 times as large as the size given.
    "large_sitemap": 200.0,
    # The window in which a header is looked for grows to 8 MiB, and that of compressed bytes as well.
    "arc.garbage": 50.0,
}

# Sizes from which windows and buffers have reached theirs.
STREAM_SIZES = [4 << 20, 16 << 20]
STREAM_GROWTH_MAXIMUM_BYTES = 64 << 10
ARCHIVES = {
    "warc": ["tiny_records", "tiny_pages", "records_of_no_length", "records_without_fields",
             "records_without_known_fields", "headers_unterminated", "versions", "garbage", "blank_lines",
             "garbage_between", "header_of_fields", "header_of_companions"],
    "arc": ["tiny_records", "lines_like_records", "schemes", "garbage"],
    "json_lines": ["tiny_lines", "broken_lines", "short_pages", "lines_of_arrays", "blank_lines"],
    "packed_archive": ["empty_members", "members_of_one_byte", "members_and_garbage"],
    "archive_index": ["tiny_lines", "blank_lines", "comments", "tiny_objects", "broken_objects", "headings",
                      "lines_of_nine_fields"],
    "har": ["tiny_entries", "entries_that_are_numbers", "broken_entries", "tiny_pages", "members_after_entries"],
    "wacz": ["tiny_records"],
}


# What a page may leave with the thread that read it, once the next page has been read. Just below these sizes of its
# text, and of itself, buffers are kept for the next one.
KEPT_SIZES = [1_000_000, 4_000_000]
KEPT_MAXIMUM_BYTES = 64 << 20
KEPT_KINDS = ["page", "links"]


def measured(program, sizes, families):
    """The most bytes in use at once, and those in use after the next input, by (name, size)."""
    run = subprocess.run([program, *map(str, sizes), *families], stdout=subprocess.PIPE, text=True, check=True)
    rows = (line.rsplit(" ", 3) for line in run.stdout.splitlines())
    return {(name, int(size)): (int(peak), int(kept)) for name, size, peak, kept in rows}


def names_of(peaks):
    return sorted({name for name, _ in peaks})


def judge_growth(program, families, failures):
    peaks = measured(program, SIZES, families)
    print(f"{'family':52} {'bytes':>12} {'growth':>8}")
    for name in names_of(peaks):
        small, large = (peaks[name, size][0] for size in SIZES)
        growth = (large - small) / (SIZES[1] - SIZES[0])
        print(f"{name:52} {large:12} {growth:8.2f}")
        maximum = GROWTHS.get(name, GROWTHS.get(name.split(".")[0], GROWTH_MAXIMUM))
        if growth > maximum:
            failures.append(f"{name} takes {growth:.2f} bytes for each further one, more than {maximum}")
    return names_of(peaks)


def judge_streams(program, families, failures):
    streamed = [f"{kind}.{family}" for kind, names in ARCHIVES.items() for family in names]
    if families:
        streamed = [name for name in streamed if name in families]
    peaks = measured(program, STREAM_SIZES, streamed) if streamed else {}
    assert len(peaks) == len(streamed) * len(STREAM_SIZES), "a family is missing"
    for name in names_of(peaks):
        small, large = (peaks[name, size][0] for size in STREAM_SIZES)
        print(f"{'long ' + name:52} {large:12} {large - small:8}")
        if large - small > STREAM_GROWTH_MAXIMUM_BYTES:
            failures.append(f"{name} takes {large - small} bytes more if it is four times as long")


def judge_kept(program, names, failures):
    names = [name for name in names if name.split(".")[0] in KEPT_KINDS]
    if not names:
        return
    peaks = measured(program, KEPT_SIZES, names)
    for name in names:
        kept = max(peaks[name, size][1] for size in KEPT_SIZES)
        print(f"{'after ' + name:52} {kept:12}")
        if kept > KEPT_MAXIMUM_BYTES:
            failures.append(f"{name} leaves {kept} bytes behind")


def main():
    program, families = sys.argv[1], sys.argv[2:]
    failures = []
    names = judge_growth(program, families, failures)
    assert names, "nothing was measured"
    judge_streams(program, families, failures)
    judge_kept(program, names, failures)
    sys.exit("\n".join(failures) or 0)


if __name__ == "__main__":
    main()
