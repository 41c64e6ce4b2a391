"""What the tests of the law of cost share: counted instructions, and the judgement of a family by its cost."""
import glob
import math
import re
import subprocess
import sys
import tempfile

# Cost over that of a harmless input of the same size and number of items.
RATIO_MAXIMUM = 4.0


def measured(valgrind, program, sizes, families):
    """Instructions by (name, size)."""
    with tempfile.TemporaryDirectory() as folder:
        command = [valgrind, "--tool=callgrind", "--instr-atstart=no", "--dump-line=no",
                   "--callgrind-out-file=" + folder + "/out", program, *map(str, sizes), *families]
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


class Judge:
    """Prints a row for each family and collects the families that break the law."""

    def __init__(self, sizes):
        # Growth from the smaller to the larger size of a cost of n log n, and a tenth for buffers that grow in steps.
        self.growth_maximum = sizes[1] / sizes[0] * math.log2(sizes[1]) / math.log2(sizes[0]) * 1.1
        self.failures = []
        print(f"{'family':44} {'instructions':>13} {'ratio':>6} {'growth':>6}")

    def judge(self, name, small, large, ratio, ratio_maximum=RATIO_MAXIMUM, is_growth_judged=True):
        """`small` and `large` are the costs of both sizes, `ratio` is the cost compared with a harmless input's. Growth
        is judged for inputs that cost more than harmless ones: others may still be on the way to a limit, such as that
        of depth."""
        growth = large / small
        print(f"{name:44} {large:13} {ratio:6.2f} {growth:6.2f}")
        if ratio > ratio_maximum:
            self.failures.append(f"{name} costs {ratio:.2f} times as much as a harmless input")
        if growth > self.growth_maximum and ratio > 1 and is_growth_judged:
            self.failures.append(f"{name} grows by {growth:.2f}, more than {self.growth_maximum:.2f}")

    def end(self):
        """Exits with the failures."""
        sys.exit("\n".join(self.failures) or 0)
