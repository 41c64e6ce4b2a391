"""What a run of either kind leaves in its output folder."""


def tables_of(folder):
    """The bytes of the tables by name."""
    return {name: (folder / name).read_bytes() for name in ("clusters.tsv", "matches.tsv", "removed.jsonl")}
