"""Turns a notebook, with the outputs that are stored in it, into Markdown. Standard library only."""
import base64
import json
import pathlib
import re


def joined(value):
    return "".join(value) if isinstance(value, list) else value


def fenced(text, language):
    """A block of code; its fence is longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def one_block(html):
    """HTML without looks of its own and without blank lines, which would end the block for Markdown."""
    html = re.sub(r"<style[^>]*>.*?</style>", "", html, flags=re.S)
    html = re.sub(r' border="1"| class="dataframe"| style="text-align: right;"', "", html)
    return "\n".join(line.strip() for line in html.split("\n") if line.strip())


class Pictures:
    """Writes the pictures of a notebook next to its page."""

    def __init__(self, folder, stem):
        self.folder = folder
        self.stem = stem
        self.count = 0

    def add(self, encoded):
        self.count += 1
        name = f"{self.stem}-{self.count}.png"
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_bytes(base64.b64decode(encoded))
        return name


def of_output(output, pictures):
    kind = output["output_type"]
    if kind == "stream":
        return fenced(joined(output["text"]), "text")
    if kind == "error":
        raise ValueError(f"a cell of the notebook failed: {output['ename']}: {output['evalue']}")
    data = output["data"]
    if "image/svg+xml" in data:
        return f'<figure class="diagram">\n{one_block(joined(data["image/svg+xml"]))}\n</figure>'
    if "image/png" in data:
        return f"![Output of the cell above]({pictures.add(joined(data['image/png']))})"
    if "text/html" in data:
        return f'<div class="notebook-output">\n{one_block(joined(data["text/html"]))}\n</div>'
    return fenced(joined(data["text/plain"]), "text")


def markdown(path, folder):
    """The notebook at `path` as a page, whose pictures go into `folder`."""
    path = pathlib.Path(path)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    pictures = Pictures(folder, path.stem)
    parts = []
    for cell in notebook["cells"]:
        source = joined(cell["source"]).strip()
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code" and source:
            parts.append(fenced(source, "python"))
            parts += [of_output(output, pictures) for output in cell["outputs"]]
    return "\n\n".join(parts) + "\n"
