"""The options of `paraprint dedup` as arguments of drivers."""

from __future__ import annotations

import argparse
from typing import Any

from .. import _core

# Options of the program that a divided run does not support, or that drivers define themselves.
_NOT_HERE = {"out", "restart", "payloads", "cdx", "report", "threads", "tmp"}
# Output that is on by default in the program and off by default in a divided run.
_ON_REQUEST = {"evidence", "records"}


def add_options(parser: argparse.ArgumentParser) -> None:
    for name, kind, default, _, text in _core.options("dedup"):
        if name in _NOT_HERE:
            continue
        if name in _ON_REQUEST:
            default = "false"
        described = (text + (f" (default: {default})" if default else "")).replace("%", "%%")
        if kind == "switch":
            parser.add_argument(_flag(name), action=argparse.BooleanOptionalAction, default=None, help=described)
        else:
            parser.add_argument(_flag(name), dest=name, metavar=kind or "VALUE", help=described)


def options_of(parsed: argparse.Namespace) -> dict[str, Any]:
    """The options that were given, by keyword."""
    names = [name for name, *_ in _core.options("dedup") if name not in _NOT_HERE]
    return {name: getattr(parsed, name) for name in names if getattr(parsed, name) is not None}


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")
