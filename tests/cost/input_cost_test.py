"""The law of cost for inputs other than pages: none costs much more than a harmless one of its kind, size and number of
items, or than a page of its size, and one of four times the size costs hardly more than four times as much. Costs are
instructions, counted by valgrind. Usage: input_cost_test.py VALGRIND PROGRAM [KIND.FAMILY...]; it prints a table."""
import sys

from cost_judge import RATIO_MAXIMUM, Judge, measured

SIZES = [16 << 10, 64 << 10]

# What reading a harmless page costs (cost.pages). Anyone can send pages, so another hostile input may cost as much as
# one, even if a harmless input of its kind costs next to nothing, as a JSON string does.
PAGE_INSTRUCTIONS_PER_BYTE = 180

# Families that cost more for a reason, and how much they may cost.
RATIOS = {
    # A record, a line or an address has a cost of its own, a few thousand instructions, and here it has 1 to 3 bytes.
    "json_lines.tiny_lines": 30.0,
    "json_lines.broken_lines": 16.0,
    "json_lines.lines_of_arrays": 11.0,
    "json_lines.short_pages": 7.0,
    "json_lines.blank_lines": 5.0,
    "archive_index.tiny_lines": 13.0,
    "archive_index.blank_lines": 5.0,
    "har.tiny_entries": 15.0,
    "har.entries_that_are_missing": 7.0,
    "har.entries_that_are_numbers": 5.0,
    "addresses.shortest": 9.0,
    "addresses.short": 5.0,
    "response_head.line_feeds": 6.0,  # fields; limited to 256 KiB
    "request_target.segments": 9.0,  # limited to 16 KiB
    # A member of a ZIP file is looked at where it is listed and where it begins.
    "wacz.archives": 7.0,
    "wacz.archives_in_folders": 5.0,
    "wacz.archives_in_one_place": 5.0,
    "wacz.archives_of_one_name": 5.0,
    "wacz.other_members": 5.0,
    # An attribute costs as much as an element.
    "sitemap.attributes": 6.0,
    "sitemap.namespaces": 8.0,
    # The parser looks through up to 256 open elements at each tag. Reading such a page costs more than its links do.
    "links.depth_of_div": 6.0,
    "links.end_tags_of_p": 8.0,
    "links.items_below_spans": 7.0,
    "links.links_in_deep_objects": 6.0,
    "links.paragraphs_below_spans": 5.0,
    # Subwords of 1 to 64 characters, each with a vector. fastText has 3 to 6 by default; the file may ask for more.
    "fasttext.long_words": 17.0,
    # As in pages, which may cost as much for their marks.
    "vectors_as_text.marks": 5.0,
    # Places where a part of a rule may begin are looked at, and then a search that builds a table, for some 30 bytes
    # here, goes on; both count as steps, of which an address has a limited number (web/robots.h).
    "robots_match.rules_that_nearly_match": 13.0,
    "robots_match.short_rules_that_nearly_match": 14.0,
    # Each magic number is tried, until the budget of 64 MiB and eight times the file is spent (member_stream.h).
    "packed_archive.magic_numbers_with_method": 32.0,
}
# The same budget; and the depth of 256 elements is reached between the two sizes, or its cost per byte rises by a
# sixth from the smaller size to the larger one and not beyond (unmatched end tags); or the parser's list of errors of
# 64 KiB is copied when it grows, if what other pages have left lies behind it in memory (unclosed <rt>); or the lines
# that keys may read in a head are not full at the smaller size.
ON_THE_WAY_TO_A_LIMIT = {"packed_archive.magic_numbers_with_method", "links.class_shared_prefix",
                         "links.end_tags_unmatched", "links.formatting_misnested_behind_markers", "links.ruby_unclosed",
                         "search_fingerprints.around_one_block"}


def main():
    costs = measured(sys.argv[1], sys.argv[2], SIZES, sys.argv[3:])
    names = sorted({name for name, _ in costs if not name.startswith("harmless ")})
    assert len(names) > 0, "nothing was measured"
    judge = Judge(SIZES)
    for name in names:
        small, large = (costs[name, size] for size in SIZES)
        harmless = max(costs["harmless " + name, SIZES[1]], PAGE_INSTRUCTIONS_PER_BYTE * SIZES[1] / RATIO_MAXIMUM)
        judge.judge(name, small, large, large / harmless, RATIOS.get(name, RATIO_MAXIMUM),
                    name not in ON_THE_WAY_TO_A_LIMIT)
    judge.end()


if __name__ == "__main__":
    main()
