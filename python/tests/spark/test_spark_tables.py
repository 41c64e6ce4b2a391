"""DataFrames through Spark: rows in any order and partitions, null rows, repeated ids, long chains."""

import json
import random

import pytest
from spark_outputs import NEEDED, tables_of

import paraprint

dedup = pytest.importorskip("paraprint.spark", reason=NEEDED).dedup


def pages_of(count, seed=3):
    """Articles and edited copies: (id, url, html)."""
    random_words = random.Random(seed)
    syllables = [consonant + vowel for consonant in "bdfgklmnprst" for vowel in "aeiou"]
    words = ["".join(random_words.choices(syllables, k=3)) for _ in range(2000)]
    rows = []
    article = []
    for number in range(count):
        if number % 3 == 0:
            article = [" ".join(random_words.choices(words, k=14)) + "." for _ in range(12)]
        edited = list(article)
        edited[random_words.randrange(len(edited))] = "Something else stands here on page %d today." % number
        body = "".join(f"<p>{' '.join(edited[at:at + 3])}</p>" for at in range(0, len(edited), 3))
        url = f"http://a{number % 7}.example/{number}"
        rows.append((f"page-{number:05d}", url, f"<html><body>{body}</body></html>"))
    return rows


def write_lines(path, rows):
    path.write_text("".join(json.dumps({"id": i, "url": u, "html": h}) + "\n" for i, u, h in rows))
    return str(path)


@pytest.mark.parametrize("partitions, idf", [pytest.param(2, "bundled", marks=pytest.mark.long), (5, "corpus")])
def test_rows_in_any_order_give_the_bytes_of_lines_sorted_by_id(spark, dedup_by_program, tmp_path, partitions, idf):
    rows = pages_of(90)
    expected = dedup_by_program([write_lines(tmp_path / "pages.jsonl", rows)], "--idf", idf)
    random.Random(partitions).shuffle(rows)
    schema = "id string, url string, html string, language string"
    # Eight partitions for sixty rows, some of them empty, and columns that are not used.
    df = spark.createDataFrame([(*row, "xx") for row in rows], schema).repartition(8).filter("id != 'nobody'")
    folders = {"work": str(tmp_path / "work"), "out": str(tmp_path / "out")}
    result = dedup(df, partitions=partitions, idf=idf, evidence=True, **folders)
    given = tables_of(tmp_path / "out")
    assert given["clusters.tsv"] == expected["clusters.tsv"]
    assert given["matches.tsv"] == expected["matches.tsv"]
    evidence = [json.loads(line) for line in (tmp_path / "out" / "matches.jsonl").read_text().splitlines()]
    assert len(evidence) > 30 and all(row["passages"] for row in evidence)
    assert result.pages == 90 and result.removed > 30
    survivors = result.survivors.collect()
    assert len(survivors) == result.kept
    assert {row.language for row in survivors} == {"xx"}


def test_null_rows_and_repeated_ids(spark, dedup_by_program, tmp_path):
    rows = pages_of(12)
    rows[4] = (rows[3][0], *rows[4][1:])  # the same id twice, in an order that url decides
    schema = "id string, url string, html string"
    df = spark.createDataFrame([*rows, ("none", "http://b.example/", None), (None, None, None)], schema)
    arguments = {"work": str(tmp_path / "work"), "out": str(tmp_path / "out"), "partitions": 2}
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="column '(id|html)', row [0-9]+: null"):
        dedup(df, **arguments)
    result = dedup(df, on_error="skip", **arguments)
    expected = dedup_by_program([write_lines(tmp_path / "pages.jsonl", sorted(rows))])
    assert tables_of(tmp_path / "out")["clusters.tsv"] == expected["clusters.tsv"]
    assert result.metrics["counters"]["reading"]["rows_skipped"] == 2
    assert result.survivors.count() == result.kept + 2  # rows that are not pages survive


def test_huge_rows_and_invalid_utf8(spark, tmp_path):
    huge = (pages_of(2)[0][2] + "x" * 20_000).encode()
    latin = "<p>Der Fluß stieg über Nacht um zwei Meter.</p>".encode("latin-1")
    arguments = {"work": str(tmp_path / "work"), "out": str(tmp_path / "out"), "partitions": 2}
    whole = [(f"p{n}", html.encode()) for n, (_, _, html) in enumerate(pages_of(9))]
    for row, said in ((huge, "more than 20000 .max_body_bytes."), (latin, "invalid UTF-8")):
        df = spark.createDataFrame([*whole, ("bad", row)], "id string, html binary")
        df = df.withColumn("html", df.html.cast("string"))
        with pytest.raises(paraprint.errors.InvalidArgumentError, match=f"column 'html', row [0-9]+: .*{said}"):
            dedup(df, max_body_bytes=20_000, **arguments)
        result = dedup(df, max_body_bytes=20_000, on_error="skip", **arguments)
        assert result.pages == 9 and result.metrics["counters"]["reading"]["rows_skipped"] == 1
    # Bytes may have any charset.
    result = dedup(spark.createDataFrame([*whole, ("latin", latin)], "id string, html binary"), **arguments)
    assert result.pages == 10 and "rows_skipped" not in result.metrics["counters"]["reading"]


def test_missing_columns_and_wrong_types_are_reported(spark, tmp_path):
    arguments = {"work": str(tmp_path / "work"), "out": str(tmp_path / "out")}
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="no column 'id'.*columns are page, html"):
        dedup(spark.createDataFrame([("a", "b")], "page string, html string"), **arguments)
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="no column 'html' or 'text'"):
        dedup(spark.createDataFrame([("a", "b")], "id string, body string"), **arguments)
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="column 'html' is int"):
        dedup(spark.createDataFrame([("a", 1)], "id string, html int"), **arguments)
    for named in ("url_field", "text_field", "content_type_field"):
        with pytest.raises(paraprint.errors.InvalidArgumentError, match="no column 'none'; the columns are id, html"):
            dedup(spark.createDataFrame([("a", "b")], "id string, html string"), **{named: "none"}, **arguments)
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="records: a table has no archives"):
        dedup(spark.createDataFrame([("a", "b")], "id string, html string"), records=True, **arguments)


def test_table_without_rows(spark, tmp_path):
    df = spark.createDataFrame([], "id string, text string")
    result = dedup(df, work=str(tmp_path / "work"), out=str(tmp_path / "out"), partitions=2)
    assert result.pages == 0
    assert tables_of(tmp_path / "out")["matches.tsv"] == b""
