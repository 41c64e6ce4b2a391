"""The index of known pages: it gives the program's answers, survives closing, and raises specific errors."""

import json
import pickle
import random
import subprocess
import threading

import pyarrow
import pyarrow.parquet
import pytest

import paraprint
from paraprint import table_command

TEXT = ("The river rose two metres overnight, the council said on Monday, and the old bridge to the market was closed. "
        "Nobody was hurt, though several cellars had to be pumped out by volunteers before the morning. ")


def page_of(text, number=0):
    return paraprint.Page(text=text, id=f"page-{number}", url=f"https://example.org/{number}")


def test_page_is_new_only_once(tmp_path):
    with paraprint.Index(tmp_path / "known") as index:
        first = index.lookup_or_add(page_of(TEXT))
        assert first.is_new and first.stored and first.change == "new" and first.matches == []
        near = index.lookup(page_of(TEXT.replace("Monday", "Tuesday"), 1), evidence=True)
        assert near.verdict == "near" and near.is_copy and near.matches[0].id == "page-0"
        assert near.matches[0].passages[0]["span_known"][0] == 0
        assert index.lookup_or_add(page_of(TEXT, 2), copies=False).stored is False
        assert index.add(paraprint.profile(page_of("Something else.")), id="other") == "new"
        assert len(index) == 2 and list(index) == ["other", "page-0"] and "page-0" in index and "page-2" not in index
    with paraprint.Index(tmp_path / "known", create=False) as index:
        assert index["page-0"].url == "https://example.org/0"
        assert index.find_by_url("https://example.org/0").id == "page-0"
        assert index.profile("page-0") == paraprint.profile(page_of(TEXT))
        assert [page.id for page in index.cluster("page-0")] == ["page-0"]
        assert index.verify() == []
        changed = index.lookup_or_add(page_of(TEXT.replace("Monday", "Sunday")), replace=False)
        assert changed.change == "changed" and not changed.stored and changed.previous["resemblance"] > 0.5


def test_answers_equal_those_of_the_program(program, root, tmp_path):
    crawl = sorted((root / "examples" / "demo-crawl").glob("*.warc.gz"))
    printed = subprocess.run([program, "index", "add", "--data", tmp_path / "a", "--sync", "none", "--quiet", *crawl],
                             capture_output=True, check=True, text=True).stdout
    with paraprint.Index(tmp_path / "b", sync="none") as index:
        for line, page in zip(printed.splitlines(), paraprint.read_pages(*crawl), strict=True):
            theirs, mine = json.loads(line), index.lookup_or_add(page)
            assert (mine.verdict, mine.change, mine.cluster) == (theirs["verdict"], theirs["change"], theirs["cluster"])
            assert [match.id for match in mine.matches] == [match["id"] for match in theirs["matches"]]
        assert len(index) == len(printed.splitlines())


def test_statements_of_pages_are_kept_on_request(tmp_path):
    def stating(day, source=""):
        return (f'<meta property="article:published_time" content="{day}"><p>{TEXT}</p><p>{TEXT.upper()}</p>'
                + (f'<p>Source: <a href="{source}">the original</a></p>' if source else ""))

    with paraprint.Index(tmp_path / "known", provenance=True) as index:
        index.lookup_or_add(stating("2024-05-03", "https://first.example/"), url="https://second.example/")
        index.lookup_or_add(stating("2024-05-01"), url="https://first.example/")
        assert index["https://second.example/"].stated["source_url"] == "https://first.example/"
        traced = index.provenance("https://first.example/")
        assert [(row["id"], row["copied_from"]) for row in traced["pages"]] == [
            ("https://first.example/", None), ("https://second.example/", "https://first.example/")]
        assert index.provenance("https://first.example/", published_from="2024-05-02")["pages_filtered_out"] == 1
        found = index.lookup(stating("2024-05-01"), published_until="2024-05-02")
        assert [(match.id, match.stated["date"]) for match in found.matches] == [
            ("https://first.example/", "2024-05-01")]
        assert index.lookup(stating("2024-05-01"), site="third.example").is_new
        with pytest.raises(ValueError, match="published_from 'soon' is not a date"):
            index.lookup(TEXT, published_from="soon")
        with pytest.raises(FileNotFoundError):
            index.provenance("https://third.example/")
    with paraprint.Index(tmp_path / "without") as index:
        index.lookup_or_add(stating("2024-05-01"), url="https://first.example/")
        assert index["https://first.example/"].stated == {}


def test_pages_can_be_deleted_and_expire(tmp_path):
    with paraprint.Index(tmp_path / "known", sync="none") as index:
        for number in range(5):
            index.add(page_of(f"{TEXT} Number {number}.", number))
        assert index.delete("page-1") and not index.delete("page-1")
        del index["page-2"]
        with pytest.raises(KeyError):
            del index["page-2"]
        with pytest.raises(KeyError):
            index["page-2"]
        assert len(index) == 3
        index.backup(tmp_path / "backup")
        index.compact()
        index.sync()
        assert index.expire(4e9) == 3 and len(index) == 0 and list(index) == []
    with paraprint.Index(tmp_path / "backup") as copy:
        assert len(copy) == 3


def test_ids_that_are_not_utf8_are_iterated_and_found(tmp_path, monkeypatch):
    monkeypatch.setattr("paraprint.known._IDS_AT_ONCE", 1)
    names = [b"a", b"z\x80", b"z\xe4\xb8", b"z\xf0", b"z\xff", b"\xff\xff"]
    with paraprint.Index(tmp_path / "known", sync="none") as index:
        for number, name in enumerate(names):
            index.add(f"<p>{TEXT} {number ** 9}</p>", id=name)
        ids = [name for name, _ in zip(index, range(2 * len(names)))]
        assert [name.encode("utf-8", "surrogateescape") for name in ids] == names
        assert index[ids[3]] == index[names[3]] and ids[4] in index and names[5] in index
        assert [page.id for page in index.cluster(ids[3])] == ["z\ufffd"] and index.profile(names[3])
        assert index.delete(ids[4]) and not index.delete(names[4])
        del index[ids[5]]
        assert list(index) == ids[:4] and index.verify() == []


def test_arguments_of_the_wrong_type_are_named(tmp_path):
    with paraprint.Index(tmp_path / "known", sync="none") as index:
        for call, kind, said in (
            (lambda: index.add(TEXT, id=5), TypeError, "the id must be str, not int"),
            (lambda: index.add(TEXT, id="\ud800"), ValueError, "the id has a lone surrogate"),
            (lambda: index.add(TEXT, id="a", url=b"b"), TypeError, "the URL must be str, not bytes"),
            (lambda: index.lookup(TEXT, matches=-1), ValueError, "matches is -1, which is out of range"),
            (lambda: index.lookup(TEXT, matches="many"), TypeError, "matches must not be str"),
            (lambda: index.lookup(TEXT, source=3), TypeError, "source must be str, not int"),
            (lambda: index.lookup(TEXT, evidence="yes"), TypeError, "evidence must not be str"),
            (lambda: index.cluster("a", limit=-1), ValueError, "limit is -1, which is out of range"),
            (lambda: index.expire(-1), ValueError, "seen_before is -1, which is out of range"),
            (lambda: index[7], TypeError, "the id must be str, not int"),
            (lambda: paraprint.compare(paraprint.Page(text=TEXT, url="\ud800"), ""), ValueError, "the URL has a lone"),
            (lambda: paraprint.compare(paraprint.Page(html=TEXT, id=5), TEXT), TypeError, "the id of a page must be"),
        ):
            with pytest.raises(kind, match=said):
                call()
        assert len(index) == 0


def test_concurrent_additions_agree_on_which_page_is_new(tmp_path):
    with paraprint.Index(tmp_path / "known", sync="none") as index:
        answers = []

        def add(number):
            answers.append(index.lookup_or_add(page_of(TEXT, number)).is_new)

        threads = [threading.Thread(target=add, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(answers) == 1 and len(index) == 8


def test_closing_leaves_calls_of_other_threads_alone(tmp_path):
    for attempt in range(20):
        index = paraprint.Index(tmp_path / f"known-{attempt}", sync="none")
        for number in range(5):
            index.add(page_of(f"{TEXT} Number {number}.", number))
        started, refused = threading.Barrier(5), []

        def work(index=index, started=started, refused=refused):
            started.wait()
            try:
                while True:
                    assert index.verify() == [] and list(index) == [f"page-{number}" for number in range(5)]
            except ValueError as error:
                refused.append(str(error))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        started.wait()
        index.close()
        for thread in threads:
            thread.join()
        assert refused == ["the index is closed"] * 4


def test_dedup_against_an_index(tmp_path):
    known = tmp_path / "known"
    assert paraprint.dedup([{"id": "a", "text": TEXT}], index=known).pages_kept == 1
    again = paraprint.dedup([{"id": "b", "text": TEXT}, {"id": "c", "text": "Something else here."}], index=known)
    assert again.survivors == ["c"] and again.pages_known == 1
    assert again.removed[0]["reason"] == "known" and again.removed[0]["kept_id"] == "a"


@pytest.mark.parametrize("given", ["pages", "table", "file", "trimmed file"])
def test_pages_without_ids_do_not_replace_each_other_in_an_index(tmp_path, given):
    # Rows of one number in different calls once had the same name, so that the later replaced the earlier.
    def run(number, texts, **columns):
        rows = {"text": texts, **columns}
        if given == "pages":
            return paraprint.dedup([dict(zip(rows, row)) for row in zip(*rows.values())], index=tmp_path / "known")
        table = pyarrow.table(rows)
        if given == "table":
            return paraprint.dedup(table, index=tmp_path / "known")
        path = tmp_path / f"{number}.parquet"
        pyarrow.parquet.write_table(table, path)
        return paraprint.dedup(path, tmp_path / f"out{number}", index=tmp_path / "known", trim=given != "file")

    drawn = random.Random(5)
    texts = [" ".join("".join(drawn.choices("aeioubdgklmnrst", k=6)) for _ in range(60)) for _ in range(6)]
    first = run(1, texts[:2])
    assert first.pages_kept == 2 and first.survivors == ["0", "1"]
    assert run(2, texts[2:4]).pages_kept == 2
    assert run(3, texts[4:], url=["http://site.example/"] * 2).pages_kept == 2
    again = run(4, texts)
    assert (again.pages_kept, again.pages_known) == (0, 6)
    with paraprint.Index(tmp_path / "known") as index:
        assert sorted(name.partition("#")[0] for name in index) == [
            "0", "0", "1", "1", "http://site.example/", "http://site.example/"]


def test_what_an_index_made_of_pages_is_told_as_by_the_program(program, tmp_path):
    drawn = random.Random(9)
    for number, ids in enumerate((["a", "b"], ["a", "c"])):
        texts = [" ".join("".join(drawn.choices("aeioubdgklmnrst", k=6)) for _ in range(60)) for _ in ids]
        rows = pyarrow.table({"id": ids, "text": texts})
        pyarrow.parquet.write_table(rows, tmp_path / "rows.parquet")
        (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows.to_pylist()))
        done = subprocess.run([program, "dedup", tmp_path / "rows.jsonl", "--out", tmp_path / f"one{number}", "--index",
                               tmp_path / "one"], capture_output=True, text=True, check=True)
        result = paraprint.dedup(tmp_path / "rows.parquet", tmp_path / f"out{number}", index=tmp_path / "known")
        assert (result.known_replaced, result.pages_not_indexed) == (number, 0)
        lines = table_command.result_lines(result, {})
        assert len(lines) == 1 + number and "".join(f"{line}\n" for line in lines) in done.stderr
    result.pages_not_indexed = 3
    assert table_command.result_lines(result, {})[2:] == [
        "3 of the kept pages are not in the index, which cannot take them"]


def test_other_algorithms_compare_fingerprints(tmp_path):
    words = " ".join(f"word{number} of{number % 7}" for number in range(200))
    with paraprint.Index(tmp_path / "known", algorithm="simhash-64") as index:
        assert index.lookup_or_add(f"<p>{words}.</p>", url="http://a.example/1").verdict == "new"
        near = index.lookup_or_add(f"<p>{words} indeed.</p>", url="http://a.example/2")
        assert near.verdict == "near" and near.matches[0].id == "http://a.example/1"
        profile = pickle.loads(pickle.dumps(paraprint.profile(f"<p>{words}.</p>", algorithm="simhash-64")))
        with pytest.raises(ValueError, match="no fingerprint"):
            index.lookup(profile)
    with pytest.raises(ValueError, match="different settings"):
        paraprint.Index(tmp_path / "known")


def test_invalid_calls_are_rejected(tmp_path):
    with pytest.raises(FileNotFoundError):
        paraprint.Index(tmp_path / "none", create=False)
    with pytest.raises(ValueError, match="always, interval, none"):
        paraprint.Index(tmp_path / "known", sync="sometimes")
    with pytest.raises(TypeError, match="there is no option 'nearest'"):
        paraprint.Index(tmp_path / "known", nearest=1)
    with pytest.raises(ValueError, match="nearest pages"):
        paraprint.Index(tmp_path / "known", algorithm="minhash-forest")
    index = paraprint.Index(tmp_path / "known")
    with pytest.raises(paraprint.Error):
        paraprint.Index(tmp_path / "known")  # a second open is rejected
    with pytest.raises(ValueError):
        index.add("<p>a page without a name</p>")
    assert "0 pages" in repr(index)
    index.close()
    index.close()
    with pytest.raises(ValueError, match="closed"):
        index.lookup("<p>a</p>")
    assert "closed" in repr(index)
    with pytest.raises(ValueError, match="settings"):
        paraprint.Index(tmp_path / "known", word_hash="blake2b")


def test_readers_follow_the_snapshots_of_a_writer(tmp_path):
    with paraprint.Index(tmp_path / "known") as writer:
        writer.add("<p>The first page of the index.</p>", url="https://example.org/1")
        with pytest.raises(paraprint.Error, match="--snapshots"):
            paraprint.Index(tmp_path / "known", read_only=True)
        writer.snapshot()
        with paraprint.Index(tmp_path / "known", read_only=True) as reader:
            assert list(reader) == ["https://example.org/1"]
            assert not reader.refresh()
            writer.add("<p>Another page, which comes later.</p>", url="https://example.org/2")
            writer.snapshot()
            assert reader.refresh()
            assert len(reader) == 2
            with pytest.raises(paraprint.Error, match="for reading only"):
                reader.add("<p>A third page.</p>", url="https://example.org/3")


def test_profiles_of_other_settings_are_refused(tmp_path):
    page = f"<p>{TEXT}</p>"
    with paraprint.Index(tmp_path / "known", sync="none") as index:
        index.add(page, id="a")
        for options in ({"word_hash": "blake2b"}, {"paragraph_words": "long"}, {"algorithm": "minhash"}):
            other = paraprint.profile(page, **options)
            for call in (index.lookup, index.lookup_or_add, index.add):
                with pytest.raises(paraprint.errors.InvalidArgumentError) as refused:
                    call(other, id="b")
                assert index.settings in str(refused.value) and other.settings in str(refused.value)
        assert list(index) == ["a"] and index.verify() == []
        same = paraprint.profile(page)
        unknown = paraprint.Profile.from_bytes(same.to_bytes())
        of_index = index.profile("a")
        for profile in (same, pickle.loads(pickle.dumps(same)), unknown, of_index):
            assert index.lookup(profile).verdict == "same"
    with paraprint.Index(tmp_path / "other", algorithm="simhash-64", sync="none") as index:
        with pytest.raises(paraprint.errors.InvalidArgumentError, match="made with different settings"):
            index.add(paraprint.profile(page), id="a")
        assert index.lookup_or_add(paraprint.profile(page, algorithm="simhash-64"), id="a").is_new
