#!/usr/bin/env python3
"""Replays archives before and after paraprint has worked on them, and compares what a player shows.

usage: compare.py PARAPRINT ARCHIVE... [--player pywb|wabac] [--mode NAME]...

Prints a line per mode: the captures of the input, and how many of them are shown as before. Exit code 1 if a capture
shows something else afterwards, or cannot be loaded.
"""
import argparse
import collections
import pathlib
import sys
import tempfile

import modes
from readings import bodies_of_incomplete_records, captures_referred_to
from shown import FAILED, NOT_ARCHIVED, OUTCOMES, Comparison, Shown, why_not_replayed


def player_named(name):
    """The class of the player; raises ImportError if it is not installed."""
    if name == "wabac":
        from wabac_player import WabacPlayer
        return WabacPlayer
    from pywb_player import PywbPlayer
    return PywbPlayer


class Before:
    """What a player shows for the input."""

    def __init__(self, player_class, inputs):
        player = player_class(inputs)
        try:
            self.captures = player.captures()
            self.shown = player.show_all(self.captures)
            self.complaints = player.complaints
            self.place = player.place
            self.revisits = player.revisits()
            self.siblings = player.bodies_at_shared_places()
            stated = captures_referred_to(inputs)
            self.referred_to = {player.place(target) for targets in stated.values() for target in targets}
            self.stating_nothing = {player.place(capture) for capture, targets in stated.items()
                                    if not targets & set(self.captures)}
        finally:
            player.close()

    def compare(self, player_class, archives, by_digest=True):
        """Without `by_digest`, the player looks up originals only by the address and date that revisit records
        state."""
        player = player_class(archives)
        try:
            comparison = Comparison()
            after = player.show_all(self.captures)
            comparison.complaints = player.complaints
            siblings = collections.defaultdict(set, self.siblings)
            for capture, bodies in bodies_of_incomplete_records(archives).items():
                siblings[self.place(capture)] = siblings[self.place(capture)] | bodies
            places = {self.place(capture) for capture in player.captures()}
            for capture in self.captures:
                shown, place = after[capture], self.place(capture)
                if not by_digest and place in self.stating_nothing and shown.status == FAILED:
                    comparison.add_without_original()
                    continue
                if shown.status == FAILED and place not in places:
                    shown = Shown(NOT_ARCHIVED)  # it was another capture of the address that failed
                comparison.add(capture, self.shown[capture], shown, siblings[place], place in self.revisits,
                               place in self.referred_to)
            return comparison
        finally:
            player.close()


def compare_modes(program, inputs, player_class, work, names=()):
    """Yields the name of each mode with its comparison."""
    before = Before(player_class, inputs)
    for name, arguments in modes.MODES.items():
        if not names or name in names:
            out = pathlib.Path(work) / name.replace(" ", "_")
            yield name, before.compare(player_class, modes.run(program, arguments, inputs, out))
    if not names or modes.KNOWN in names:
        yield modes.KNOWN, compare_known(program, inputs, player_class, work)
    if not names or modes.WACZ in names:
        yield from compare_wacz(program, inputs, player_class, pathlib.Path(work))


def compare_wacz(program, inputs, player_class, work):
    """The archives packed into a WACZ file, as they are and after `payloads`."""
    warcs = list(filter(modes.is_warc, inputs))
    before = Before(player_class, warcs)
    yield modes.WACZ, before.compare(player_class, [modes.pack(program, warcs, work / "packed.wacz")], False)
    modes.run(program, modes.MODES["payloads"], warcs, work / "smaller")
    packed = modes.pack(program, [work / "smaller"], work / "smaller.wacz")
    yield modes.WACZ_PAYLOADS, before.compare(player_class, [packed], False)


def compare_known(program, inputs, player_class, work):
    """The same pages fetched again: the later collection refers to the earlier one, and a player has both."""
    import pywb_player
    work = pathlib.Path(work)
    earlier = list(filter(modes.is_warc, inputs))
    later = modes.fetched_again(earlier, work / "again")
    index = work / "earlier.cdxj"
    index.write_text(pywb_player.index_of(earlier))
    before = Before(player_class, [*earlier, *later])
    archives = modes.run(program, ["payloads", "--known", str(index)], later, work / "known")
    return before.compare(player_class, [*earlier, *archives])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("archives", nargs="+", type=pathlib.Path)
    parser.add_argument("--player", choices=["pywb", "wabac"], default="pywb")
    parser.add_argument("--mode", action="append", default=[], choices=[*modes.MODES, modes.KNOWN, modes.WACZ])
    arguments = parser.parse_args()
    player_class = player_named(arguments.player)
    failed = False
    print("\t".join(["mode", "captures", *OUTCOMES]))
    with tempfile.TemporaryDirectory(prefix="paraprint-replay-") as work:
        for name, comparison in compare_modes(arguments.program, arguments.archives, player_class, work,
                                              arguments.mode):
            print("\t".join(map(str, [name, *comparison.row()])), flush=True)
            for outcome, capture, before, after in comparison.faults:
                print(f"  {outcome}: {capture.timestamp} {capture.url}\n    before {before}\n    after  {after}")
            reasons = collections.Counter(why_not_replayed(*found) or f"unknown: {found}"
                                          for found in comparison.nothing_before)
            for reason, count in sorted(reasons.items()):
                print(f"  not before: {count} times {reason}")
            for file, words in comparison.complaints:
                print(f"  {file}: {words}")
            failed = failed or bool(comparison.faults)
    sys.exit(failed)


if __name__ == "__main__":
    main()
