"""The examples in the documentation give the shown results, and type checks pass."""

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
def test_examples_in_modules(name):
    assert doctest.testmod(importlib.import_module(name), optionflags=OPTIONS).failed == 0


def test_examples_in_the_manual(root, tmp_path, monkeypatch):
    """Runs docs/python.md from beginning to end, in an empty folder that links to the demo crawl."""
    monkeypatch.chdir(tmp_path)
    os.symlink(root / "examples" / "demo-crawl", tmp_path / "crawl")
    outcome = doctest.testfile(str(root / "docs" / "python.md"), module_relative=False, optionflags=OPTIONS)
    assert outcome.attempted > 0 and outcome.failed == 0


def test_package_passes_the_type_checker(root):
    pytest.importorskip("mypy")
    checked = subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(root / "pyproject.toml"),
                              "-p", "paraprint"], capture_output=True, text=True, cwd=root,
                             env={**os.environ, "MYPYPATH": str(PACKAGE.parent)})
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_option_types_are_current(root):
    written = root / "python" / "src" / "paraprint" / "option_types.py"
    before = written.read_bytes()
    checked = subprocess.run([sys.executable, root / "python" / "make_option_types.py", "--check"], capture_output=True,
                             text=True, env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)})
    assert checked.returncode == 0, checked.stderr
    assert b"    near: float | None\n" in before and b"    report: bool | None\n" in before


def test_a_misspelt_option_is_a_type_error(root, tmp_path):
    pytest.importorskip("mypy")
    for name, call in (("good", "near=0.8"), ("bad", "nera=0.8"), ("worse", "near='much'")):
        (tmp_path / f"{name}.py").write_text(f"import paraprint\nparaprint.dedup('pages.jsonl', {call})\n")
    checked = subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(root / "pyproject.toml"),
                              *sorted(map(str, tmp_path.glob("*.py")))], capture_output=True, text=True, cwd=root,
                             env={**os.environ, "MYPYPATH": str(PACKAGE.parent)})
    assert "bad.py:2" in checked.stdout and "worse.py:2" in checked.stdout and "good.py" not in checked.stdout
