#!/usr/bin/env python3
"""Compare what `paraprint plan` says of a run with the run. Standard library only.

usage: bench/plan.py PROGRAM WORK [--samples N] [--made PAGES] INPUT...

Runs `dedup` over the inputs once, and `plan` with N seeds; prints the ratio of plan to run for pages, processor time,
peak memory, disk and pairs, the share of copies with its interval, and how many intervals hold the run's share.
--made PAGES adds crawls of made-up texts with clusters of several shapes. Processor times are compared, which other
work on the machine disturbs less than elapsed ones.
"""
import argparse
import json
import pathlib
import random
import shutil
import statistics
import subprocess

SHAPES = {  # share of the pages by size of their clusters
    "none": {1: 1.0},
    "pairs": {1: 0.6, 2: 0.4},
    "mixed": {1: 0.4, 2: 0.2, 5: 0.2, 10: 0.1, 40: 0.1},
    "large": {1: 0.8, 200: 0.2},
}
WORDS = 30_000


def make_texts(path, shape, pages, seed=1):
    """JSON lines in an order without meaning. Copies differ in a word."""
    if path.exists():
        return
    chance = random.Random(seed)
    words = ["".join(chance.choice("bdfgklmnprstv") + chance.choice("aeiou") for _ in range(chance.randint(2, 4)))
             for _ in range(WORDS)]
    order = []
    cluster = 0
    for size, share in shape.items():
        for _ in range(round(share * pages / size)):
            order += [cluster] * size
            cluster += 1
    chance.shuffle(order)
    partial = path.with_suffix(".partial")
    with partial.open("w", encoding="utf-8") as out:
        for number, cluster in enumerate(order):
            of_text = random.Random(cluster)
            paragraphs = [[" ".join(of_text.choices(words, k=14)).capitalize() for _ in range(3)] for _ in range(5)]
            paragraphs[chance.randrange(5)][0] += " " + chance.choice(words)
            text = "\n\n".join(". ".join(sentences) + "." for sentences in paragraphs)
            url = f"http://site{chance.randrange(pages // 20 + 1)}.example/{number}"
            out.write(json.dumps({"id": str(number), "url": url, "text": text}) + "\n")
    partial.rename(path)


def bytes_below(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def run(program, inputs, out):
    shutil.rmtree(out, ignore_errors=True)
    subprocess.run([program, "dedup", *inputs, "--out", out, "--quiet"], check=True)
    timing = json.loads((out / "timing.json").read_text())
    pages = json.loads((out / "summary.json").read_text())["counters"]["pages"]
    work = bytes_below(out / ".paraprint")
    with (out / "matches.tsv").open("rb") as rows:
        matches = sum(1 for _ in rows)
    return {"pages": pages["read"], "share": pages.get("removed", 0) / pages["read"],
            "cpu": sum(stage["cpu_seconds"] for stage in timing["stages"]),
            "stages": {stage["name"]: stage["cpu_seconds"] for stage in timing["stages"]},
            "memory": timing["peak_memory_bytes"], "output": bytes_below(out) - work, "work": work, "matches": matches}


def plan(program, inputs, seed):
    done = subprocess.run([program, "plan", *inputs, "--json", "--quiet", "--seed", str(seed)], check=True,
                          capture_output=True)
    return json.loads(done.stdout)


def compare(program, name, inputs, work, samples):
    real = run(program, inputs, work / "out")
    plans = [plan(program, inputs, seed) for seed in range(1, samples + 1)]
    shares = [one["removed_share"] for one in plans]
    covered = sum(share["lower"] - 1e-4 <= real["share"] <= share["upper"] + 1e-4 for share in shares)

    def ratio(planned, actual):
        values = sorted(planned(one) / actual for one in plans if actual)
        return f"{statistics.median(values):.2f} ({values[0]:.2f} to {values[-1]:.2f})" if values else "-"

    def stage_ratio(stage):
        return ratio(lambda one: next(s["cpu_seconds"] for s in one["time"]["stages"] if s["name"] == stage),
                     real["stages"][stage])

    print(f"{name}: {real['pages']} pages, {plans[0]['input']['sampled_pages']} sampled, {samples} samples")
    print(f"  pages            {ratio(lambda one: one['pages']['estimate'], real['pages'])}")
    print(f"  processor time   {ratio(lambda one: one['time']['cpu_seconds'], real['cpu'])} of {real['cpu']:.1f} s")
    for stage in real["stages"]:
        print(f"    {stage:<14} {stage_ratio(stage)} of {real['stages'][stage]:.2f} s")
    print(f"  peak memory      {ratio(lambda one: one['memory']['peak_bytes'], real['memory'])} of "
          f"{real['memory'] / 1e6:.0f} MB")
    print(f"  output           {ratio(lambda one: one['disk']['output_bytes'], real['output'])} of "
          f"{real['output'] / 1e6:.0f} MB")
    print(f"  work             {ratio(lambda one: one['disk']['work_bytes'], real['work'])} of "
          f"{real['work'] / 1e6:.0f} MB")
    print(f"  pairs            {ratio(lambda one: one['matches'], real['matches'])} of {real['matches']}")
    print(f"  share of copies  {real['share']:.3f}; estimates {min(s['estimate'] for s in shares):.3f} to "
          f"{max(s['estimate'] for s in shares):.3f}, mean interval {statistics.mean(s['lower'] for s in shares):.3f} "
          f"to {statistics.mean(s['upper'] for s in shares):.3f}, covered {covered} of {samples}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--made", type=int, default=0)
    parser.add_argument("inputs", nargs="*")
    arguments = parser.parse_intermixed_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    if arguments.inputs:
        compare(arguments.program, " ".join(arguments.inputs)[:60], arguments.inputs, arguments.work, arguments.samples)
    if arguments.made:
        for name, shape in SHAPES.items():
            path = arguments.work / f"{name}-{arguments.made}.jsonl"
            make_texts(path, shape, arguments.made)
            compare(arguments.program, name, [str(path)], arguments.work, arguments.samples)


if __name__ == "__main__":
    main()
