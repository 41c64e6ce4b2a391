#!/usr/bin/env python3
"""Runs the examples of docs/python.md with the installed package, and compares what they print.

usage: run_manual.py MANUAL    (in a folder where `crawl` is the demo crawl)
Without pyarrow, which is optional, the examples that use it are left out, together with those that use their results.
Standard library only. Prints how many examples ran, and fails if one printed something else or none ran.
"""
import ast
import doctest
import importlib.util
import sys


def names(source):
    """Names that the source reads, and names that it binds. The variables of loops are its own."""
    read, bound, loops = set(), set(), set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, (ast.For, ast.comprehension)):
            loops.update(part.id for part in ast.walk(node.target) if isinstance(part, ast.Name))
        elif isinstance(node, ast.Import):
            read.update(item.name for item in node.names)
        elif isinstance(node, ast.ImportFrom):
            read.add(node.module)
            bound.update(item.name for item in node.names)
        elif isinstance(node, ast.Constant) and str(node.value).endswith(".parquet"):
            read.add("pyarrow")  # reads the file
    return read - loops, bound


def runnable(examples, missing):
    """The examples that need none of the missing modules."""
    unavailable = set(missing)
    for example in examples:
        read, bound = names(example.source)
        if read & unavailable:
            unavailable |= bound
        else:
            unavailable -= bound
            yield example


def main():
    manual = sys.argv[1]
    missing = [module for module in ("pyarrow",) if importlib.util.find_spec(module) is None]
    with open(manual, encoding="utf-8") as text:
        examples = doctest.DocTestParser().get_examples(text.read(), manual)
    chosen = list(runnable(examples, missing))
    test = doctest.DocTest(chosen, {}, manual, manual, 0, None)
    outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test)
    left_out = f", {len(examples) - len(chosen)} left out, which need {' '.join(missing)}" if missing else ""
    print(f"{outcome.attempted - outcome.failed} of {outcome.attempted} examples of the manual as shown{left_out}")
    sys.exit(outcome.failed > 0 or outcome.attempted == 0)


main()
