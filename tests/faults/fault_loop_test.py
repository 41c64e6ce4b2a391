#!/usr/bin/env python3
"""Every call fails once: a fixed scenario of a command runs again and again, and each time another one of its calls
fails, or the process is killed there. Whatever failed, the command

- ends by itself, with an exit code that docs/cli.md documents, unless it was killed;
- with code 0 has done all its work, and otherwise says what failed, or that memory ran out;
- has kept everything it acknowledged;
- does its work when it is run again, and the result is that of a run that never failed.

usage: fault_loop_test.py PARAPRINT FAILING_CALLS SCENARIO [--at-most N] [--loops LOOP,...] [--only NUMBER]
                          [--tried FILE] [--through PATTERN]
FAILING_CALLS is the library made from failing_calls.cc. Of each loop at most N calls fail, spread evenly; without it,
all do. Allocations fail once for each place in the program that allocates. FILE lists places whose allocations failed
in loops of other scenarios: they are passed over, and those of this loop without a finding are added. It is worth
nothing after another build. With a PATTERN, only those places fail that have it in a name on their stack, in a loop
over allocations: what a change concerns. Standard library only.
"""
import argparse
import bisect
import collections
import concurrent.futures
import errno
import functools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))

import support  # noqa: E402
import fault_scenarios  # noqa: E402

# A program that uses as much processor time, or sleeps as long, hangs. On a busy machine it may take longer.
HANG_SECONDS = 60
WORKERS = 2
FAULT, REPORT = "PARAPRINT_FAULT", "PARAPRINT_FAULT_REPORT"

Loop = collections.namedtuple("Loop", "kind action times")
LOOPS = {
    "memory": Loop("memory", errno.ENOMEM, "once"),
    "read": Loop("read", errno.EIO, "once"),
    "read-half": Loop("read", "half", "once"),
    "write": Loop("write", errno.EIO, "once"),
    "write-half": Loop("write", "half", "once"),
    "disk-full": Loop("write", errno.ENOSPC, "lasting"),
    "sync": Loop("sync", errno.EIO, "once"),
    "open": Loop("open", errno.EMFILE, "once"),
    "name": Loop("name", errno.EIO, "once"),
    "stat": Loop("stat", errno.EIO, "once"),
    "map": Loop("map", errno.ENOMEM, "once"),
    "thread": Loop("thread", errno.EAGAIN, "once"),
    "kill-at-write": Loop("write", "kill", "once"),
    "kill-at-sync": Loop("sync", "kill", "once"),
    "kill-at-name": Loop("name", "kill", "once"),
}
# After these, the command succeeds: an interrupted call is continued.
HARMLESS = {"read-half", "write-half"}
FAILURES = {support.FAILURE, support.USAGE, support.UNREADABLE_INPUT, support.NO_SPACE_LEFT}


class Symbols:
    """Names of the program's functions by their place in it, as far as it still has them. They tell what is called from
    a library that is linked into it."""

    def __init__(self, program):
        self.program = program

    @functools.cached_property
    def functions(self):
        listed = subprocess.run(["nm", "--numeric-sort", "--demangle", "--defined-only", self.program],
                                capture_output=True, text=True, check=False).stdout
        functions = [line.split(" ", 2) for line in listed.splitlines()]
        return [(int(address, 16), name) for address, kind, name in functions if kind.lower() in "tw"]

    def named(self, stack):
        return re.sub(re.escape(self.program) + r"\(\+0x([0-9a-f]+)\)\S*", self.name, stack)

    def name(self, match):
        place = bisect.bisect_right(self.functions, (int(match[1], 16), chr(sys.maxunicode))) - 1
        return self.functions[place][1] if place >= 0 else match[0]


class Report:
    """What the library wrote: the counts of a run that ended, the call that failed, and its stack."""

    def __init__(self, path, symbols):
        text = path.read_text(errors="replace") if path.exists() else ""
        self.calls = {kind: int(number) for kind, number in re.findall(r"^calls (\S+) (\d+)$", text, re.M)}
        # The number of the first call from each place that allocates -> the place.
        listed = re.findall(r"^place (\d+) (\w+)$(.*?)(?=^(?:place|calls) |\Z)", text, re.M | re.S)
        self.places = {int(number): place for number, place, _ in listed}
        self.unnamed_stacks = {int(number): stack for number, _, stack in listed}
        fault = re.search(r"^fault (\S*) ?(.*)$", text, re.M)
        self.call, self.path = fault.groups() if fault else (None, None)
        self.unnamed_stack = text[fault.end():] if fault else ""
        self.symbols = symbols

    @functools.cached_property
    def stack(self):
        return self.symbols.named(self.unnamed_stack)

    def places_through(self, pattern):
        """The places that have the pattern in a name on their stack."""
        return {number: place for number, place in self.places.items()
                if re.search(pattern, self.symbols.named(self.unnamed_stacks[number]))}

    @property
    def may_end_process(self):
        """Libraries that aren't written to survive a failed allocation. RocksDB also asserts that a hint succeeds."""
        is_rocksdb = "librocksdb" in self.stack or "rocksdb::" in self.stack
        if self.call == "sync_file_range":
            return is_rocksdb
        is_memory = self.call is not None and self.path == ""
        return is_memory and (is_rocksdb or "liblexbor" in self.stack)


def environment(library, fault, report=os.devnull):
    return {**os.environ, "LD_PRELOAD": library, FAULT: fault, REPORT: str(report)}


class FaultLoop:
    def __init__(self, library, scenario, folder):
        self.library, self.scenario, self.folder = library, scenario, folder
        self.symbols = Symbols(support.program)
        self.template = folder / "template"
        self.template.mkdir()
        scenario.prepare(self.template)
        self.reference = self.run_undisturbed()

    def copy(self, name):
        folder = self.folder / name
        shutil.copytree(self.template, folder, symlinks=True)
        return folder

    def run_undisturbed(self):
        folder = self.copy("reference")
        ran = self.scenario.run_undisturbed(folder, HANG_SECONDS)
        if ran.code != support.SUCCESS:
            raise AssertionError(f"without a fault: exit code {ran.code}: {ran.said}")
        return self.scenario.result(folder, ran)

    def numbers(self, loop, through):
        """The calls that fail in the loop, with their places: all, or for memory one for each place."""
        folder = self.copy(f"counted-{loop.kind}")
        report = self.folder / f"count-{loop.kind}"
        action = "0" if loop.kind != "memory" else "stacks" if through else "places"
        self.scenario.run(folder, environment(self.library, f"{loop.kind}:0:{action}:once", report), HANG_SECONDS)
        counted = Report(report, self.symbols)
        shutil.rmtree(folder)
        if loop.kind == "memory":
            return counted.places_through(through) if through else counted.places
        return dict.fromkeys(range(1, counted.calls[loop.kind] + 1))

    def attempt(self, name, number):
        """Returns (outcome, findings): what became of the run, and what it broke."""
        loop = LOOPS[name]
        folder = self.copy(f"{name}-{number}")
        path = self.folder / f"report-{name}-{number}"
        fault = f"{loop.kind}:{number}:{loop.action}:{loop.times}"
        try:
            ran = self.scenario.run(folder, environment(self.library, fault, path), HANG_SECONDS)
            report = Report(path, self.symbols)
            findings = list(self.findings(name, loop, folder, ran, report))
            if findings:
                where = f"{self.scenario.name} {name} {number}: {report.call} {report.path}"
                findings = [f"{where}: {finding}\n  exit code {ran.code}, said: {ran.said[-600:]}\n{report.stack}"
                            for finding in findings]
            return self.outcome(ran, report), findings
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            path.unlink(missing_ok=True)

    @staticmethod
    def outcome(ran, report):
        if report.call is None:
            return "not reached"
        if ran.is_hanging or (ran.code < 0 and ran.code != -signal.SIGKILL):
            return "died in a library" if report.may_end_process else "died"
        return {support.SUCCESS: "harmless", -signal.SIGKILL: "killed"}.get(ran.code, "refused")

    def findings(self, name, loop, folder, ran, report):
        if ran.is_hanging:
            if not report.may_end_process:
                yield "hangs"
        elif ran.code < 0:
            was_killed = loop.action == "kill" and ran.code == -signal.SIGKILL
            if not was_killed and not report.may_end_process:
                yield f"ends by signal {-ran.code}"
        elif ran.code != support.SUCCESS:
            if name in HARMLESS or report.call is None:
                yield "fails"
            elif ran.code not in FAILURES:
                yield "has an exit code without meaning"
            elif not self.names_the_cause(ran.said, report, loop):
                yield "does not name the cause"
        elif not ran.has_refused:
            result = self.scenario.result(folder, ran)
            if result != self.reference:
                yield "succeeds with another result: " + difference(result, self.reference)
        lost = self.scenario.lost(folder, ran)
        if lost:
            yield f"loses {lost}"
        again = self.scenario.run_undisturbed(folder, HANG_SECONDS)
        # Killed, or unable to tell, after its work was done.
        may_be_done = ran.code <= 0 or "standard output" in ran.said
        is_complete = may_be_done and self.scenario.said_when_done and self.scenario.said_when_done in again.said
        if again.code != support.SUCCESS and not is_complete:
            yield f"cannot be repeated: exit code {again.code}: {again.said}"
            return
        result = self.scenario.result(folder, again)
        if result != self.reference:
            yield "gives another result when repeated: " + difference(result, self.reference)

    def names_the_cause(self, said, report, loop):
        if not report.path:
            return "memory" in said or "thread" in said
        if loop.times == "lasting" and re.search("standard output: .*space", said):
            return True  # the command could do without the first file, but not without its output
        path = pathlib.Path(report.path.replace(".partial", ""))
        if path.name == fault_scenarios.STANDARD_OUTPUT:
            return "standard output" in said
        if path.parent == pathlib.Path(self.folder) and "the folder .:" in said:
            return True  # the working folder, as the command knows it
        names = [path.name, *(f"{parent.name}" for parent in path.parents if parent.name)]
        return any(re.search(rf"(^|[\s/'\"]){re.escape(name)}\b", said) for name in names)


def difference(result, reference):
    if not isinstance(result, dict):
        return f"{result!r} instead of {reference!r}"[:1500]
    names = [name for name in sorted({*result, *reference}) if result.get(name) != reference.get(name)]
    first = names[0]
    return f"{names}, {first}: {result.get(first)!r} instead of {reference.get(first)!r}"[:1500]


def spread(numbers, at_most):
    if at_most is None or len(numbers) <= at_most:
        return numbers
    return [numbers[(2 * i + 1) * len(numbers) // (2 * at_most)] for i in range(at_most)]


class TriedPlaces:
    """The places of FILE, or none; only memory has places."""

    def __init__(self, path):
        self.path = path
        self.places = set(path.read_text().split()) if path and path.exists() else set()

    def add(self, places):
        new = {place for place in places if place} - self.places
        self.places |= new
        if self.path and new:
            with self.path.open("a") as file:
                file.writelines(f"{place}\n" for place in sorted(new))


def run_loop(loop, name, at_most, only, tried, through):
    if only:
        places = {only: None}
    else:
        numbered = loop.numbers(LOOPS[name], through)
        places = {number: place for number, place in numbered.items() if place not in tried.places}
    numbers = spread(list(places), at_most)
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as workers:
        attempts = list(workers.map(functools.partial(loop.attempt, name), numbers))
    outcomes = collections.Counter(outcome for outcome, _ in attempts)
    findings = [finding for _, found in attempts for finding in found]
    tried.add(places[number] for number, (_, found) in zip(numbers, attempts) if not found)
    print(f"{loop.scenario.name:16} {name:14} {len(numbers):5} faults: "
          f"{', '.join(f'{number} {outcome}' for outcome, number in sorted(outcomes.items()))}"
          f"{f', {len(findings)} FINDINGS' if findings else ''}", flush=True)
    for finding in findings:
        print(finding, flush=True)
    return len(findings)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("library")
    parser.add_argument("scenario", choices=sorted(fault_scenarios.SCENARIOS))
    parser.add_argument("--at-most", type=int)
    parser.add_argument("--loops", default=",".join(LOOPS))
    parser.add_argument("--only", type=int)
    parser.add_argument("--tried", type=pathlib.Path)
    parser.add_argument("--through")
    arguments = parser.parse_args()
    support.program = os.path.abspath(arguments.program)
    library = os.path.abspath(arguments.library)
    scenario = fault_scenarios.SCENARIOS[arguments.scenario](functools.partial(environment, library))
    with tempfile.TemporaryDirectory(prefix="paraprint-faults-") as folder, scenario:
        loop = FaultLoop(library, scenario, pathlib.Path(folder))
        tried = TriedPlaces(arguments.tried)
        found = sum(run_loop(loop, name, arguments.at_most, arguments.only, tried, arguments.through)
                    for name in arguments.loops.split(","))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
