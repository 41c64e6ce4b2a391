"""The examples of the documentation give what they say; the types hold."""

import doctest
import importlib
import os
import pathlib
import pkgutil
import subprocess
import sys

import pytest

import paraprint

PACKAGE = pathlib.Path(paraprint.__file__).parent
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def modules():
    return ["paraprint"] + [f"paraprint.{found.name}" for found in pkgutil.iter_modules([str(PACKAGE)])
                            if found.name not in ("_core", "spark")]


@pytest.mark.parametrize("name", modules())
def test_examples_of_modules(name):
    assert doctest.testmod(importlib.import_module(name), optionflags=OPTIONS).failed == 0


def test_examples_of_the_manual(root, tmp_path, monkeypatch):
    """docs/python.md from beginning to end, in an empty folder with the demo crawl beside it."""
    monkeypatch.chdir(tmp_path)
    os.symlink(root / "examples" / "demo-crawl", tmp_path / "crawl")
    outcome = doctest.testfile(str(root / "docs" / "python.md"), module_relative=False, optionflags=OPTIONS)
    assert outcome.attempted > 0 and outcome.failed == 0


def test_types_hold(root):
    pytest.importorskip("mypy")
    checked = subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(root / "pyproject.toml"),
                              "-p", "paraprint"], capture_output=True, text=True, cwd=root,
                             env={**os.environ, "MYPYPATH": str(PACKAGE.parent)})
    assert checked.returncode == 0, checked.stdout + checked.stderr
