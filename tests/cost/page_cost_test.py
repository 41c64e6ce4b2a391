"""A law of cost: no page costs much more than a harmless page of its size, and a page of four times the size costs
hardly more than four times as much. Costs are instructions, counted by valgrind, so they don't depend on the machine's
load. Usage: page_cost_test.py VALGRIND PROGRAM [FAMILY...]; it prints a table."""
import glob
import math
import re
import subprocess
import sys
import tempfile

SIZES = [16 << 10, 64 << 10]

# Cost over that of a harmless page of the same size and number of tags, or of two harmless pages (page_cost.cc).
RATIO_MAXIMUM = 4.0
HARMLESS_PAIR = "harmless_pair"

# Prose of these scripts costs more than English in the libraries that divide it into words and put its marks in order.
# They are languages, not attacks; more than this would be one.
SLOW_SCRIPTS = {"burmese": 8.0, "khmer": 8.0, "lao_words": 6.0, "greek_capitals": 6.0, "scripts_mixed": 6.0}

# Growth from the smaller to the larger size of a cost of n log n, and a tenth for buffers that grow in steps. It is
# judged for pages that cost more than harmless ones: others may still be on the way to a limit, such as that of depth.
# Pairs are judged by their ratio alone, because their bounds begin at 512 paragraphs.
GROWTH_MAXIMUM = (SIZES[1] / SIZES[0]) * math.log2(SIZES[1]) / math.log2(SIZES[0]) * 1.1

# Charset detection rates a sample of at most 16 KB of a page that declares none, whatever the size of the page. Such
# families are compared by what the rest of the larger page costs.
DETECTED = {"invalid_bytes", "invalid_leads", "invalid_bytes_apart", "latin_bytes", "gbk_bytes", "shift_jis_bytes",
            "cyrillic_bytes", "marks_invalid_between"}


def measured(valgrind, program, families):
    """Instructions by (name, size)."""
    with tempfile.TemporaryDirectory() as folder:
        command = [valgrind, "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=" + folder + "/out",
                   program, *map(str, SIZES), *families]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if run.returncode != 0:
            sys.exit(run.stdout)
        costs = {}
        for path in glob.glob(folder + "/out.*"):
            name = None
            with open(path, encoding="utf-8") as lines:
                for line in lines:
                    request = re.match(r"desc: Trigger: Client Request: (.*)/(\d+)$", line)
                    if request:
                        name = (request.group(1), int(request.group(2)))
                    if line.startswith(("totals:", "summary:")) and name:
                        costs[name] = int(line.split()[1])
        return costs


def main():
    costs = measured(sys.argv[1], sys.argv[2], sys.argv[3:] + ([HARMLESS_PAIR] if len(sys.argv) > 3 else []))
    names = sorted({name for name, _ in costs if not name.startswith(("harmless", "first_page"))})
    assert len(names) > 0, "nothing was measured"
    failures = []
    print(f"{'family':34} {'instructions':>13} {'ratio':>6} {'growth':>6}")
    for name in names:
        small, large = (costs[name, size] for size in SIZES)
        harmless = "harmless " + name
        is_pair = (harmless, SIZES[0]) not in costs
        if is_pair:
            harmless = HARMLESS_PAIR
        harmless_small, harmless_large = (costs[harmless, size] for size in SIZES)
        if name in DETECTED:
            ratio = (large - small) / (harmless_large - harmless_small)
        else:
            ratio = large / harmless_large
        growth = large / small
        print(f"{name:34} {large:13} {ratio:6.2f} {growth:6.2f}")
        if ratio > SLOW_SCRIPTS.get(name, RATIO_MAXIMUM):
            failures.append(f"{name} costs {ratio:.2f} times as much as a harmless page")
        if growth > GROWTH_MAXIMUM and ratio > 1 and not is_pair:
            failures.append(f"{name} grows by {growth:.2f}, more than {GROWTH_MAXIMUM:.2f}")
    sys.exit("\n".join(failures) or 0)


if __name__ == "__main__":
    main()
