"""Word weights learnt from the pages of the run (`idf="corpus"`): counts, their sums, and the table of all words."""

from __future__ import annotations

from typing import Callable

from pyspark.sql import DataFrame

from .. import _core
from . import tasks
from .stages import Stages
from .tasks import PARCELS_SCHEMA, Batches, Task


def learn(run: Stages, count: Callable[[Task], DataFrame]) -> bytes:
    """The table of words, empty where the run has bundled weights. `count` makes the parcels that are added up."""
    if not run.core.learns_words:
        return b""
    task = run.task("words")

    def add_up() -> DataFrame:
        return run.to_partitions(count(task)).mapInArrow(tasks.over_parcels(task), PARCELS_SCHEMA)

    run.stage("words", add_up)
    parts = [payload for kind, payload in run.parcels("words") if kind == "words"]
    return bytes(_core.join_words(parts))


# ----------------------------------------------------------------------------------------------------------------------
# On executors


def count_files(task: Task, inputs: list[str]) -> Callable[[Batches], Batches]:
    """Rows name inputs by their place in the list; gives the counts of the words of their pages."""

    def run(batches: Batches) -> Batches:
        stage = _core.WordCountStage.create(tasks.options_of(task))
        with tasks.temporary_folder() as folder:
            for batch in batches:
                for index in batch.column(0).to_pylist():
                    with tasks.local_copy(inputs[index], folder) as local:
                        stage.count_file(local)
        yield from tasks.parcel_batches(task, stage.take_parcels(task.partitions))

    return run


def count_rows(task: Task, columns: dict[str, str]) -> Callable[[Batches], Batches]:
    """Rows of a table as pages. `columns`: its names of id, url, date, content_type, html and text."""

    def run(batches: Batches) -> Batches:
        stage = _core.WordCountStage.create(tasks.options_of(task))
        for batch in batches:
            if batch.num_rows > 0:
                for chunk in tasks.chunks_of(batch):
                    stage.count_rows(chunk, columns)
        yield from tasks.parcel_batches(task, stage.take_parcels(task.partitions))

    return run
