#!/usr/bin/env python3
"""Runs the notebooks and compares what their cells give with the outputs that are stored in them.

usage: run_notebooks.py FOLDER [--write]

Each notebook is run from its own folder, as Jupyter does, in a fresh kernel. A cell that fails, or whose text is not
the stored one, fails; the HTML that pandas makes of tables may differ. With --write, the outputs are stored instead.
Names of temporary folders are replaced before outputs are compared and stored. Exit code 77 if what runs notebooks is
not installed, so that the test is skipped.
"""
import pathlib
import re
import sys

try:
    import nbclient
    import nbformat
    import pandas  # noqa: F401 (the notebooks use it)
except ImportError as missing:
    print(f"skipped: {missing} (pip install -r examples/notebooks/requirements.txt)")
    sys.exit(77)

TIMEOUT_SECONDS = 300
OUTPUT_BYTES_MAXIMUM = 60_000
TEMPORARY = re.compile(r"/tmp/[\w./-]*")


def stable(cell_outputs):
    """The outputs of a cell without what differs between runs: how a stream is divided, and temporary folders."""
    joined = []
    for output in cell_outputs:
        if output.output_type == "stream" and joined and joined[-1].get("name") == output.name:
            joined[-1].text += output.text
        else:
            joined.append(nbformat.from_dict(dict(output)))
    for output in joined:
        for holder in (output, output.get("data", {})):
            for kind, value in list(holder.items()):
                if isinstance(value, str):
                    holder[kind] = TEMPORARY.sub("/tmp/...", value)
    return joined


def run(path):
    """The notebook with the outputs of a run."""
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=TIMEOUT_SECONDS, kernel_name="python3",
                                     resources={"metadata": {"path": str(path.parent)}})
    client.execute()
    for number, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), 1):
        cell.outputs = stable(cell.outputs)
        cell.execution_count = number
        cell.metadata = {}
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
                         "language_info": {"name": "python"}}
    return notebook


def texts(notebook):
    """What each cell of code printed and returned, as text, without white space at the ends of lines."""
    result = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            parts = [output.text if output.output_type == "stream" else output.data["text/plain"]
                     for output in stable(cell.outputs)]
            result.append("\n".join(line.rstrip() for line in "\n".join(parts).split("\n")))
    return result


def check(path):
    """What differs from the stored outputs, or None."""
    stored, given = nbformat.read(path, as_version=4), run(path)
    for cell, (before, now) in enumerate(zip(texts(stored), texts(given)), 1):
        if before != now:
            return f"{path}: cell {cell}: stored:\n{before}\ngiven:\n{now}"
    return None


def main():
    folder = pathlib.Path(sys.argv[1])
    notebooks = sorted(folder.glob("*.ipynb"))
    if not notebooks:
        sys.exit(f"{folder}: no notebooks")
    findings = []
    for path in notebooks:
        if "--write" in sys.argv:
            notebook = run(path)
            nbformat.write(notebook, path)
        else:
            findings.append(check(path))
        if path.stat().st_size > OUTPUT_BYTES_MAXIMUM:
            findings.append(f"{path}: {path.stat().st_size} bytes; store less output")
        print(path.name, flush=True)
    if any(findings):
        sys.exit("\n".join(found for found in findings if found))


if __name__ == "__main__":
    main()
