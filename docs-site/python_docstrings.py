"""Helps mkdocstrings to read the package as it is documented: sessions without fences, fields with "#:" comments."""
import griffe
import markdown
from markdown.preprocessors import Preprocessor

import stage


class Sessions(Preprocessor):
    def run(self, lines):
        return stage.with_sessions_fenced(lines)


class SessionExtension(markdown.Extension):
    def extendMarkdown(self, md):
        # Before fenced blocks are found (25), after white space is normalised (30).
        md.preprocessors.register(Sessions(md), "python_sessions", 28)


def makeExtension(**options):  # noqa: N802 (the name that Markdown looks for)
    return SessionExtension(**options)


class FieldComments(griffe.Extension):
    """Takes the comment at the end of a field's line, `name: str  #: what it is`, as its documentation."""

    def on_attribute_instance(self, *, attr, **_):
        if attr.docstring is None and attr.lineno and attr.parent.is_class:
            _, mark, comment = attr.lines_collection[attr.filepath][attr.lineno - 1].partition("  #: ")
            if mark:
                attr.docstring = griffe.Docstring(comment.strip(), parent=attr, lineno=attr.lineno)
