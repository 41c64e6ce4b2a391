"""Word weights learned from the pages of the run (`idf="corpus"`): counts, their sums, and the word table."""

from __future__ import annotations

import itertools
from typing import Any, Callable, Iterable

import pyarrow
from pyspark import RDD

from .. import _core
from ..stages import tasks
from ..stages.ranges import open_input
from ..stages.parts import array_of
from ..stages.tasks import Batches, Parcels, Task
from .stages import Stages, collected


def learn(run: Stages, count: Callable[[Task], RDD]) -> bytes:
    """Returns the word table, empty if the run uses bundled weights. `count` makes the parcels to add up."""
    if not run.core.learns_words:
        return b""
    task = run.task("words", kinds=("words",))

    def add_up() -> list[dict[str, Any]]:
        return collected(run.exchange(count(task), task))

    run.stage("words", add_up)
    return bytes(_core.join_words(list(run.parcels("words", "words"))))


# ----------------------------------------------------------------------------------------------------------------------
# On executors


def count_files(task: Task, inputs: list[str], groups: Iterable[list[int]]) -> Parcels:
    """Word counts of inputs, given by their index in the list."""
    stage = _core.WordCountStage.create(tasks.options_of(task))
    for index in itertools.chain.from_iterable(groups):
        with open_input(inputs[index]) as (source, _):
            stage.count_file(source)
    for kind, partition, payload in stage.take_parcels(task.partitions):
        yield partition, (kind, payload)


def count_rows(task: Task, columns: dict[str, str]) -> Callable[[Batches], Batches]:
    """Word counts of table rows. `columns` maps id, url, date, content_type, html and text to column names."""

    def run(batches: Batches) -> Batches:
        options = tasks.options_of(task)
        stage = _core.WordCountStage.create(options)
        for batch in batches:
            if batch.num_rows > 0:
                for chunk in tasks.chunks_of(batch):
                    stage.count_rows(options, chunk, columns)
        for parcel in stage.take_parcels(task.partitions):
            arrays = [array_of(value, field.type) for value, field in zip(parcel, tasks.PARCELS)]
            yield pyarrow.RecordBatch.from_arrays(arrays, schema=tasks.PARCELS)

    return run
