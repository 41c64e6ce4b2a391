"""Fixtures set up by the caller of the tests: the program to compare with, and the source tree."""

import os
import pathlib
import sys

import pytest


@pytest.fixture(scope="session")
def root():
    return pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program(root):
    """The command-line program: PARAPRINT_PROGRAM, or that of the release build."""
    path = pathlib.Path(os.environ.get("PARAPRINT_PROGRAM", root / "build" / "release" / "apps" / "paraprint"))
    if not path.exists():
        pytest.skip(f"{path} is not built")
    return path


@pytest.fixture(scope="session")
def archives(root):
    """The module with the archives that the tests of the program make."""
    sys.path.insert(0, str(root / "tests" / "cli"))
    try:
        import revisits_test
    finally:
        sys.path.pop(0)
    return revisits_test
