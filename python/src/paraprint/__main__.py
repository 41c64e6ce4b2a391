"""`python -m paraprint`: the command `paraprint` of this package, for when its folder is not in PATH."""

from __future__ import annotations

import os
import pathlib
import sys

_PROGRAM = pathlib.Path(__file__).parent / "bin" / "paraprint"


def main() -> None:
    """Becomes the program: process, arguments, standard streams and exit code are the same."""
    if not _PROGRAM.exists():
        sys.exit(f"paraprint: this installation has no program {_PROGRAM}; build it with `make build`")
    sys.stdout.flush()
    os.environ["PARAPRINT_PYTHON"] = sys.executable  # to read files of rows (table_command.py)
    os.execv(_PROGRAM, ["paraprint", *sys.argv[1:]])


if __name__ == "__main__":
    main()
