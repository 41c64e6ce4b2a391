"""`paraprint-parquet`: `paraprint dedup` for files of rows, with what only they have.

Also `python -m paraprint.parquet`. Rows are read batch by batch. The surviving rows are written to OUT/records with all
their columns, and the other files of `paraprint dedup` to OUT.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import _core, version
from .deduplication import dedup
from .errors import Error, InvalidArgumentError
from .table_command import DONE, print_path, report


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="paraprint-parquet",
        description="Remove near-duplicate rows from Parquet, Arrow and CSV files and report what was removed and why.",
        epilog="The options are those of `paraprint dedup`.",
        allow_abbrev=False,
    )
    parser.add_argument("inputs", nargs="+", help="Parquet, Arrow or CSV files, folders of them, or URIs")
    parser.add_argument("--version", action="version", version=version)
    parser.add_argument("--on-error", choices=("raise", "skip"), default="raise",
                        help="rows that are not pages: fail with column and row, or skip and count [raise]")
    parser.add_argument("--content-type-field", default="", help="column with the media type and charset of bytes")
    parser.add_argument("--index", help="folder of an index of known pages: remove those pages, add the ones kept")
    parser.add_argument("--quiet", action="store_true", help="print only errors")
    groups: dict[str, argparse._ArgumentGroup] = {}
    for name, kind, default, group, text in _core.options("dedup"):
        if group not in groups:
            groups[group] = parser.add_argument_group(group)
        flag = "--" + name.replace("_", "-")
        shown = text.replace("%", "%%") + (f" [{default}]" if default and kind != "switch" else "")
        if kind == "switch":
            groups[group].add_argument(flag, action=argparse.BooleanOptionalAction, default=None, help=shown)
        else:
            groups[group].add_argument(flag, required=name == "out", metavar=kind.split(":")[0] or "TEXT", help=shown)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    given = vars(_parser().parse_args(arguments))
    inputs, quiet = given.pop("inputs"), given.pop("quiet")
    options = {name: value for name, value in given.items() if value is not None}
    try:
        others = [path for path in inputs if not _core.is_table(path) and not _core.is_remote(path)]
        if others:
            raise InvalidArgumentError(f"{others[0]}: not a file of rows; use `paraprint dedup` for other formats")
        result = dedup(inputs, **options)
    except Error as error:
        return report(error)
    if not quiet:
        print(repr(result).strip("<>").removeprefix("paraprint.DedupResult of "), file=sys.stderr)
        for path in result.outputs:
            print_path(path)
    return DONE


if __name__ == "__main__":
    sys.exit(main())
