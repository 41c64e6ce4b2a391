#!/usr/bin/env python3
"""datatrove's own n-gram decontamination (NGramsDecontIndexer, NGramsDecontFilter) for bench/contamination.py.

usage: PYTHON-WITH-DATATROVE contamination_datatrove.py BENCHMARK.jsonl CORPUS.jsonl WORK-FOLDER N > FINDS

Needs datatrove with spacy, jieba, regex and xxhash before 4. Each item is a task of its own, so that a find names the
item; the filter names the first one whose n-gram it meets. Documents with Han characters are read by datatrove's
tokenizer of Chinese, the others by that of English, with an index of all items for each. Prints lines "item TAB
document".
"""

import json
import pathlib
import re
import sys

import numpy
from datatrove.data import Document
from datatrove.pipeline.decont import NGramsDecontConfig, NGramsDecontFilter, NGramsDecontIndexer
from datatrove.utils.typeshelper import Languages

HAN = re.compile(r"[\u3400-\u9fff]")


def language_of(text: str) -> str:
    return Languages.mandarin_chinese if HAN.search(text) else Languages.english


def main() -> None:
    benchmark, corpus, work, size = sys.argv[1:]
    config = NGramsDecontConfig(n_grams=int(size))
    # Only its lists of tasks need lighteval; items are given here.
    NGramsDecontIndexer._requires_dependencies = []
    indexers = []
    filters = {}
    for language in (Languages.english, Languages.mandarin_chinese):
        folder = pathlib.Path(work, f"datatrove-{size}-{language}")
        folder.mkdir(parents=True, exist_ok=True)
        indexers.append((NGramsDecontIndexer(str(folder), config=config, language=language), folder))
        filters[language] = NGramsDecontFilter(str(folder), config=config, language=language)
    with open(benchmark, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            for indexer, folder in indexers:
                hashes = indexer.compute_hashes(row["question"])
                # As its run() writes them.
                numpy.array(hashes, dtype=config.hash_config.np_descr).tofile(folder / f"{row['id']}.index.hashes")
    with open(corpus, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            document = Document(text=row["text"], id=row["id"])
            if filters[language_of(row["text"])].filter(document) is not True:
                print(document.metadata["contaminated_task"], row["id"], sep="\t")


if __name__ == "__main__":
    main()
