"""`paraprint-parquet`: `paraprint dedup` for Parquet files. Also `python -m paraprint.parquet`.

Rows are read batch by batch, row group by row group. The surviving rows are written to OUT/records with all their
columns, and the other files of `paraprint dedup` to OUT.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import _core, datasets, version
from .deduplication import dedup
from .errors import Error, InvalidArgumentError, NoSpaceError

#: Exit codes of the program.
_DONE, _FAILED, _USAGE, _NO_SPACE = 0, 1, 2, 4


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="paraprint-parquet",
        description="Remove near-duplicate rows from Parquet files and report what was removed and why.",
        epilog="The options are those of `paraprint dedup`.",
        allow_abbrev=False,
    )
    parser.add_argument("inputs", nargs="+", help="Parquet files, or folders of them")
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
        others = [path for path in inputs if not datasets.is_parquet(path)]
        if others:
            raise InvalidArgumentError(f"{others[0]}: not a Parquet file; use `paraprint dedup` for other formats")
        result = dedup(inputs, **options)
    except Error as error:
        print(f"paraprint-parquet: {error}", file=sys.stderr)
        if isinstance(error, NoSpaceError):
            return _NO_SPACE
        return _USAGE if isinstance(error, (ValueError, FileNotFoundError)) else _FAILED
    if not quiet:
        print(repr(result).strip("<>").removeprefix("paraprint.DedupResult of "), file=sys.stderr)
        for path in result.outputs:
            print(path)
    return _DONE


if __name__ == "__main__":
    sys.exit(main())
