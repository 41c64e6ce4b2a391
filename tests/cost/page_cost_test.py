"""A law of cost: no page costs much more than a harmless page of its size, and a page of four times the size costs
hardly more than four times as much. Costs are instructions, counted by valgrind, so they don't depend on the machine's
load. Usage: page_cost_test.py VALGRIND PROGRAM [FAMILY...]; it prints a table."""
import re
import sys

from cost_judge import RATIO_MAXIMUM, Judge, measured

SIZES = [16 << 10, 64 << 10]

# Pairs are compared with two harmless pages. They are judged by their ratio alone, because their bounds begin at 512
# paragraphs.
HARMLESS_PAIR = "harmless_pair"
# Without reading them, and in the tables of an index, with two of which as many paragraphs have to be compared.
HARMLESS_VERSIONS = "versions"

# Prose of these scripts costs more than English in the libraries that divide it into words and put its marks in order.
# They are languages, not attacks; more than this would be one.
SLOW_SCRIPTS = {"burmese": 8.0, "khmer": 8.0, "lao_words": 6.0, "thai_pairs_apart": 5.0, "greek_capitals": 6.0,
                "scripts_mixed": 6.0}

# Charset detection rates a sample of at most 16 KB of a page that declares none, whatever the size of the page. Such
# families are compared by what the rest of the larger page costs.
DETECTED = {"invalid_bytes", "invalid_leads", "invalid_bytes_apart", "latin_bytes", "gbk_bytes", "shift_jis_bytes",
            "cyrillic_bytes", "marks_invalid_between"}


def add_extraction(costs):
    """What a page says of itself and its Markdown cost as much as the extraction that both need, and what follows."""
    for (name, size), cost in list(costs.items()):
        prefix = "harmless " if name.startswith("harmless ") else ""
        part = name.removeprefix(prefix)
        if part.startswith("extract "):
            for following in ("metadata ", "markdown "):
                costs[prefix + following + part.removeprefix("extract "), size] += cost
            del costs[name, size]


def main():
    families = sys.argv[3:] + ([HARMLESS_PAIR, HARMLESS_VERSIONS] if len(sys.argv) > 3 else [])
    costs = measured(sys.argv[1], sys.argv[2], SIZES, families)
    add_extraction(costs)
    names = sorted({name for name, _ in costs if not name.startswith(("harmless", "first "))})
    assert len(names) > 0, "nothing was measured"
    judge = Judge(SIZES)
    for name in names:
        small, large = (costs[name, size] for size in SIZES)
        harmless = "harmless " + name
        is_pair = (harmless, SIZES[0]) not in costs
        if is_pair:
            part = re.match("compare |search |", name).group()
            harmless = part + HARMLESS_VERSIONS if part else HARMLESS_PAIR
        harmless_small, harmless_large = (costs[harmless, size] for size in SIZES)
        family = name.removeprefix("metadata ").removeprefix("markdown ")
        if family in DETECTED:
            ratio = (large - small) / (harmless_large - harmless_small)
        else:
            ratio = large / harmless_large
        judge.judge(name, small, large, ratio, SLOW_SCRIPTS.get(family, RATIO_MAXIMUM), not is_pair)
    judge.end()


if __name__ == "__main__":
    main()
