"""Files of rows that must not be lost, and ones that are made to exhaust whoever reads them."""

import gzip
import os

import pytest

import paraprint
import paraprint.datasets
import paraprint.table_files

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

from test_table_files import ROWS, write  # noqa: E402


@pytest.mark.parametrize("is_gone", [False, True])
def test_rows_in_the_output_folder_are_not_deleted(tmp_path, is_gone):
    """A run replaces the records of an earlier one, which may not be its input."""
    given = write(tmp_path / "pages.parquet", pyarrow.table(ROWS))
    out = tmp_path / "out"
    paraprint.dedup(str(given), out)
    if is_gone:  # what would tell that the folder is that of another run
        (out / ".paraprint" / "pages.log").unlink()
    records = out / "records" / "pages.parquet"
    before = records.read_bytes()
    for path in (records, out / "records", tmp_path / "link.parquet"):
        if path.name == "link.parquet":
            path.symlink_to(records)
        with pytest.raises(paraprint.errors.InvalidArgumentError, match="is inside the output folder .*/out; choose"):
            paraprint.dedup(str(path), out)
        for corpus, against in ((path, given), (given, path)):
            with pytest.raises(paraprint.errors.InvalidArgumentError, match="is inside the output folder .*/out;"):
                paraprint.contaminated(str(corpus), str(against), out, item_fields="text", records=True)
    with pytest.raises(paraprint.errors.InvalidArgumentError, match="is inside the input folder .*/out/records and"):
        paraprint.dedup(str(out / "records"), out / "records" / "again")
    assert records.read_bytes() == before


def test_no_other_run_has_the_output_while_rows_are_written(tmp_path, monkeypatch):
    given = str(write(tmp_path / "pages.parquet", pyarrow.table(ROWS)))
    kept = paraprint.datasets.FileSource.write
    refused = []

    def write_beside_another(*arguments, **keywords):
        with pytest.raises(paraprint.errors.InvalidArgumentError, match="another run with the same output"):
            paraprint.dedup(given, tmp_path / "out")
        refused.append(True)
        return kept(*arguments, **keywords)

    monkeypatch.setattr(paraprint.datasets.FileSource, "write", write_beside_another)
    paraprint.dedup(given, tmp_path / "out")
    assert refused and parquet.read_table(tmp_path / "out" / "records" / "pages.parquet").num_rows == 3
    assert sorted(os.listdir(tmp_path)) == ["out", "pages.parquet"]


@pytest.mark.parametrize("name", ["a.arrow", "a.arrows", "a.parquet"])
def test_rows_that_take_no_room_have_a_limit(tmp_path, name):
    """Of columns of nulls, some hundred bytes have any number of rows."""
    table = pyarrow.table({"id": pyarrow.nulls(1 << 25), "text": pyarrow.nulls(1 << 25)})
    with pytest.raises(paraprint.errors.LimitExceededError, match=f"{name}: has more than [0-9]+ rows, which its size"):
        paraprint.dedup(str(write_whole(tmp_path / name, table)), tmp_path / "out", on_error="skip")


def write_whole(path, table):
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
        return path
    kind = pyarrow.ipc.new_stream if path.suffix == ".arrows" else pyarrow.ipc.new_file
    with kind(str(path), table.schema) as writer:
        writer.write_table(table)
    return path


@pytest.mark.parametrize("name", ["a.csv.gz", "a.csv.zst"])
def test_compressed_csv_has_a_limit(tmp_path, monkeypatch, name):
    monkeypatch.setattr(paraprint.table_files, "_UNPACKED_BYTES", 1 << 20)
    content = b"id,text\n" + b"\n" * (16 << 20)
    packed = gzip.compress(content) if name.endswith(".gz") else pyarrow.compress(content, "zstd", asbytes=True)
    (tmp_path / name).write_bytes(packed)
    monkeypatch.setattr(paraprint.table_files, "_EXPANSION_RATIO_MAXIMUM", 100)
    with pytest.raises(paraprint.errors.LimitExceededError, match=f"{name}: expands to more than [0-9]+ bytes; is it"):
        paraprint.dedup(str(tmp_path / name), tmp_path / "out", on_error="skip")
