"""Finds the players and readers that tests/replay/install_tools.sh installs."""
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = pathlib.Path(os.environ.get("PARAPRINT_REPLAY_TOOLS", ROOT / "build/replay-tools")).absolute()
SKIPPED = 77
sys.path.insert(0, str(ROOT / "tests/cli"))  # for replay, the reader of our own tests, and what they run


def existing(path):
    return path if path.exists() else None


def python():
    """The interpreter that has pywb and the readers; None if there is none."""
    return existing(FOLDER / "venv/bin/python")


def wabac():
    """The service worker of wabac.js."""
    return existing(FOLDER / "wabac/dist/sw.js")


def jwarc():
    return existing(FOLDER / "jwarc.jar")


def skip(what):
    print(f"skipped: {what} is not installed (tests/replay/install_tools.sh)")
    sys.exit(SKIPPED)


def use_their_python(script):
    """Starts the script again with the interpreter of the tools, unless this is it."""
    wanted = python()
    if wanted is None:
        skip("pywb")
    if pathlib.Path(sys.prefix) != wanted.parent.parent:
        os.execv(wanted, [str(wanted), "-B", script, *sys.argv[1:]])
