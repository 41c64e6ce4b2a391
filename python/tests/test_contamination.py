"""contaminated(): the result of the program on the same files, what it reads on demand, and errors."""

import json
import pathlib
import subprocess

import pytest

import paraprint

RIVER = "The river rose two metres overnight, the council said, and the old bridge to the market was closed."
QUESTION = "What is the capital of France, and on which river does that ancient city lie?"
HARBOUR = (
    "The committee that planned the new harbour met eleven times before the winter, and every one of its members had "
    "another opinion about where the breakwater should begin and who was going to pay for the old lighthouse."
)


def write(path: pathlib.Path, rows) -> pathlib.Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def corpus(tmp_path):
    edited = "So what WAS the capital of France and on which river does that ancient city lie today?"
    return write(
        tmp_path / "corpus.jsonl",
        [
            {"id": "clean", "text": RIVER},
            {"id": "edited", "text": f"{RIVER}\n{edited}"},
            {"id": "exact", "html": f"<p>{RIVER}</p><p>{HARBOUR.upper()}</p><p>{edited}</p>"},
            {"id": "part", "text": " ".join(HARBOUR.split()[:28])},
        ],
    )


@pytest.fixture
def benchmarks(tmp_path):
    short = {"id": "short", "question": "Who pays for it?"}
    return [
        write(tmp_path / "questions.jsonl", [{"id": "capital", "question": QUESTION}, short]),
        write(tmp_path / "passages.jsonl", [{"id": "harbour", "text": HARBOUR}, {"id": "none", "answer": "no"}]),
    ]


def test_finds_are_those_of_the_program(program, corpus, benchmarks, tmp_path):
    against = [argument for path in benchmarks for argument in ("--against", path)]
    subprocess.run(
        [program, "contaminated", corpus, *against, "--out", tmp_path / "program", "--records", "--quiet"], check=True
    )
    result = paraprint.contaminated(corpus, benchmarks, tmp_path / "package", records=True)
    names = ("contaminated.jsonl", "items.jsonl", "summary.json", "report.html", "records/corpus.jsonl")
    for name in names:
        written = (tmp_path / "package" / name).read_bytes()
        assert written and written == (tmp_path / "program" / name).read_bytes(), name
    assert result.report_path == str(tmp_path / "package" / "report.html")
    finds = [(row["id"], row["item"], row["verdict"]) for row in result.finds]
    assert sorted(finds) == [
        ("edited", "capital", "whole"),
        ("exact", "capital", "whole"),
        ("exact", "harbour", "exact"),
        ("part", "harbour", "part"),
    ]
    assert result.verdict_of == {"edited": "whole", "exact": "exact", "part": "part"}
    documents = {row["item"]: row["documents_whole"] for row in result.iterate_items()}
    assert documents == {"capital": 2, "short": 0, "harbour": 0}
    assert repr(result) == (
        "<paraprint.ContaminationResult of 4 documents: 1 exact, 1 whole, 1 part; "
        "3 items: 2 found, 0 in part, 1 too short>"
    )
    assert result.broken_records == 1 and result.summary["broken"][0]["kind"] == "missing-field"


def test_files_go_to_a_temporary_folder_without_out(corpus, benchmarks):
    stages = []
    result = paraprint.contaminated(
        [corpus], str(benchmarks[0]), progress=lambda *step: stages.append((step[0], step[4]))
    )
    folder = result.folder
    assert {row["item"] for row in result.finds} == {"capital"}
    assert result.report_path == "" and not (folder / "report.html").exists()
    assert {stage for stage, is_finished in stages if is_finished} == {"items", "search"}
    del result
    assert not folder.exists()


def test_options_are_those_of_the_program(corpus, tmp_path):
    choices = ["It begins at the northern pier.", "Fishermen from the islands opposed the breakwater for years."]
    items = write(tmp_path / "fields.jsonl", [{"id": "both", "question": HARBOUR, "choices": choices}])
    fields = ["question", "choices"]
    result = paraprint.contaminated(corpus, items, item_fields=fields, threads=1)
    (item,) = result.iterate_items()
    assert item["text"].split("\n") == [HARBOUR, *choices]
    assert result.verdict_of == {"exact": "part", "part": "part"}
    assert paraprint.contaminated(corpus, items, item_fields=fields, whole=0.3).verdict_of["exact"] == "whole"


def test_errors(corpus, benchmarks, tmp_path):
    with pytest.raises(paraprint.errors.NotFoundError, match="missing.jsonl"):
        paraprint.contaminated(corpus, tmp_path / "missing.jsonl")
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="no benchmark given"):
        paraprint.contaminated(corpus, [])
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="no item was found in the benchmarks"):
        paraprint.contaminated(corpus, benchmarks, item_fields="answers")
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="whole"):
        paraprint.contaminated(corpus, benchmarks, whole=0)
    with pytest.raises(TypeError, match="did you mean 'records'"):
        paraprint.contaminated(corpus, benchmarks, record=True)
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="looks like a page"):
        paraprint.contaminated("<p>text</p>", benchmarks)
    paraprint.dedup(corpus, tmp_path / "dedup")
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="holds another run"):
        paraprint.contaminated(corpus, benchmarks, tmp_path / "dedup")
