"""Page-level algorithms through Spark: the bytes of the program, or a refusal before anything is read."""

import json

import pytest
from spark_outputs import NEEDED, tables_of

import paraprint

spark_package = pytest.importorskip("paraprint.spark", reason=NEEDED)


@pytest.mark.parametrize(
    "algorithm, partitions",
    [
        ("minhash:threshold=0.5", 3),
        ("simhash-64", 2),
        ("spotsigs", 3),
        pytest.param("digest-bytes", 2, marks=pytest.mark.long),
        pytest.param("page-information", 2, marks=pytest.mark.long),
    ],
)
def test_archives_give_the_bytes_of_the_program(spark, demo, dedup_by_program, tmp_path, algorithm, partitions):
    run = {"work": str(tmp_path / "work"), "out": str(tmp_path / "out"), "partitions": partitions}
    result = spark_package.dedup_files(spark, demo, algorithm=algorithm, paragraphs=False, **run)
    expected = dedup_by_program(demo, "--algorithm", algorithm, "--no-paragraphs")
    assert tables_of(tmp_path / "out") == expected
    assert result.removed > 0
    assert result.metrics["counters"]["matches"]["pairs_verified"] > 0
    assert not (tmp_path / "out" / "matches.jsonl").exists()


def test_table_rows_with_evidence(spark, program, dedup_by_program, tmp_path):
    def text_of(page):
        return " ".join(f"w{page // 2 * 1000 + word}" for word in range(80 + page % 2))

    rows = [(f"id{page:02}", text_of(page)) for page in range(40)]
    lines = tmp_path / "rows.jsonl"
    lines.write_text("".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in rows))
    expected = dedup_by_program([lines], "--algorithm", "minhash", "--evidence")
    run = {"work": str(tmp_path / "work"), "out": str(tmp_path / "out"), "partitions": 2}
    table = spark.createDataFrame(rows[::-1], "id string, text string")
    result = spark_package.dedup(table, algorithm="minhash", evidence=True, **run)
    found = tables_of(tmp_path / "out")
    assert found["clusters.tsv"] == expected["clusters.tsv"]
    assert found["matches.tsv"] == expected["matches.tsv"]
    evidence = [json.loads(line) for line in (tmp_path / "out" / "matches.jsonl").read_text().splitlines()]
    assert len(evidence) == 20
    assert result.survivors.count() == result.kept == 20


def test_algorithms_that_need_all_pages_are_refused_before_anything_is_read(spark, tmp_path):
    refused = []
    for algorithm in paraprint.algorithms():
        work = tmp_path / algorithm.name
        try:
            spark_package.dedup_files(
                spark, [str(tmp_path / "absent")], work=str(work), out=str(work), algorithm=algorithm.name
            )
        except paraprint.errors.UnsupportedError as error:
            assert f"algorithm is '{algorithm.name}'" in str(error)
            assert not work.exists()
            refused.append(algorithm.name)
        except paraprint.errors.NotFoundError:
            pass
    assert sorted(refused) == ["minhash-forest", "scam", "shingle-heintze"]
