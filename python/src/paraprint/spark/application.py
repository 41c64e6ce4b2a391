"""The public calls: `dedup()` for DataFrames and `dedup_files()` for archives. run.py does the work."""

from __future__ import annotations

from typing import Any, Sequence

from pyspark.sql import DataFrame, SparkSession

from ..errors import InvalidArgumentError
from ..places import check_outside
from ..stages.inputs import list_inputs
from . import records
from .hadoop_settings import s3_settings
from .run import DedupResult, Run

__all__ = ["DedupResult", "dedup", "dedup_files"]


def dedup(
    df: DataFrame,
    *,
    work: str,
    out: str,
    resume: bool = False,
    partitions: int | None = None,
    known: str | None = None,
    on_error: str = "raise",
    content_type_field: str = "",
    **options: Any,
) -> DedupResult:
    """Removes near-duplicate rows. `id_field`, `html_field`, `text_field`, `url_field` and `date_field` name columns,
    as for other tables; all other options are those of `paraprint dedup`, with `_` for `-`.

    `out` receives clusters.tsv, matches.tsv, removed.jsonl, the surviving rows with all their columns as Parquet in
    `survivors`, and with `evidence=True` matches.jsonl. `work` is a folder that every machine can access; with
    `resume=True` the stages completed there are reused. Rows have no order; where a policy needs one, it is that of
    their ids.

    `known` is a folder of the pages of earlier runs, made by the first one: rows whose text these had are removed, and
    the rows that stay are added to it when all is written.

    A row without id, without HTML and text, longer than `max_body_bytes`, or with invalid UTF-8 in text raises an
    exception. With `on_error="skip"` it is not compared, and survives.
    """
    if on_error not in ("raise", "skip"):
        raise InvalidArgumentError(f"on_error is '{on_error}'; it must be one of raise, skip")
    records.check_options(options)
    with s3_settings(df.sparkSession, _places(work, out, known)).used():
        run = Run(df.sparkSession, options, work, out, resume, partitions, known)
        columns = _page_columns(df, run.core, options, content_type_field)
        with run.settings():
            run.begin("table " + ", ".join(f"{use}={name}" for use, name in sorted(columns.items())))
            return run.dedup_table(df, columns, on_error == "raise")


def dedup_files(
    spark: SparkSession,
    inputs: Sequence[str],
    *,
    work: str,
    out: str,
    resume: bool = False,
    partitions: int | None = None,
    known: str | None = None,
    **options: Any,
) -> DedupResult:
    """Removes near-duplicate pages from archives (WARC, ARC, WET, HAR, JSON lines, HTML): files and folders with the
    same path on every machine, or URIs that pyarrow can read (hdfs, s3, gs). A task processes whole files.

    `out` receives clusters.tsv, matches.tsv and removed.jsonl with the bytes that `paraprint dedup` writes for the same
    inputs, and id, URL and position of the surviving records as Parquet in `survivors`. `records=True` adds the
    archives without the removed pages in `records`, and savings.json, savings.html and input-revisits.jsonl, also with
    the bytes of `paraprint dedup` (and `revisits=True` as there); `evidence=True` adds matches.jsonl. `known` is a
    folder of the pages of earlier runs, as for dedup().
    """
    with s3_settings(spark, _places(work, out, known, *inputs)).used():
        run = Run(spark, options, work, out, resume, partitions, known)
        check_outside(out, inputs)
        paths = list_inputs(inputs, run.options)
        with run.settings():
            run.begin("files " + "\n".join(paths))
            return run.dedup_paths(paths)


def _places(*given: str | None) -> tuple[str, ...]:
    return tuple(place for place in given if place is not None)


def _page_columns(df: DataFrame, core: Any, options: dict[str, Any], content_type_field: str) -> dict[str, str]:
    names = core.row_fields()
    if content_type_field:
        names["content_type"] = content_type_field
    columns = {use: name for use, name in names.items() if name in df.columns}
    listed = ", ".join(df.columns)
    if "id" not in columns:
        raise InvalidArgumentError(f"there is no column '{names['id']}' for ids; the columns are {listed}")
    if "html" not in columns and "text" not in columns:
        raise InvalidArgumentError(
            f"there is no column '{names['html']}' or '{names['text']}'; the columns are {listed}"
        )
    asked = [use for use in names if use == "content_type" or f"{use}_field" in options]
    for use in asked:
        if use not in columns:
            raise InvalidArgumentError(f"there is no column '{names[use]}'; the columns are {listed}")
    types = dict(df.dtypes)
    for use in ("html", "text", "content_type", "url"):
        if use in columns and types[columns[use]] not in ("string", "binary"):
            raise InvalidArgumentError(
                f"column '{columns[use]}' is {types[columns[use]]}; it must be string or binary"
            )
    return columns
