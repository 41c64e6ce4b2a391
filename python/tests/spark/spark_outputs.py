"""Helpers of the Spark tests: the output of a run, with Spark or in one process."""

NEEDED = "the Spark tests need Java 17, and PySpark as in python/requirements-spark.txt"


def tables_of(folder):
    """The bytes of the tables by name."""
    return {name: (folder / name).read_bytes() for name in ("clusters.tsv", "matches.tsv", "removed.jsonl")}


def files_below(folder):
    """The bytes of all files by path below the folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
