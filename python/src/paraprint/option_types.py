"""The keyword arguments that are options of the program, for type checkers and editors.

Written by python/make_option_types.py from the command line's declarations; do not edit.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypedDict, Union

Text = Union[str, "os.PathLike[str]"]
Texts = Union[Text, int, Sequence[Union[Text, int]]]
Size = Union[int, str]


class ProfileKeywords(TypedDict, total=False):
    extractor: Texts | None
    fold_traditional: bool | None
    paragraph_words: Texts | None
    word_hash: Texts | None
    anchors: int | None
    anchor_characters: int | None
    simhash_words: int | None
    structure_share: float | None
    part_of_speech: bool | None
    synonyms: Texts | None
    synonym_list: Texts | None
    word_vectors: Texts | None
    reduction: Texts | None
    relevance: Texts | None
    topic_model: Texts | None
    algorithm: Texts | None


class BatchKeywords(TypedDict, total=False):
    extractor: Texts | None
    fold_traditional: bool | None
    paragraph_words: Texts | None
    word_hash: Texts | None
    anchors: int | None
    anchor_characters: int | None
    simhash_words: int | None
    structure_share: float | None
    part_of_speech: bool | None
    synonyms: Texts | None
    synonym_list: Texts | None
    word_vectors: Texts | None
    reduction: Texts | None
    relevance: Texts | None
    topic_model: Texts | None
    algorithm: Texts | None
    id_field: Texts | None
    html_field: Texts | None
    text_field: Texts | None
    url_field: Texts | None
    date_field: Texts | None
    status: Texts | None
    content_type: Texts | None
    max_record_bytes: Size | None
    max_body_bytes: Size | None
    max_line_bytes: Size | None
    max_record_header_bytes: Size | None
    max_http_header_bytes: Size | None
    max_expansion_ratio: int | None
    bomb_threshold_bytes: Size | None
    max_files: int | None
    threads: int | None
    memory: Size | None
    tmp: Texts | None


class CompareKeywords(TypedDict, total=False):
    extractor: Texts | None
    fold_traditional: bool | None
    paragraph_words: Texts | None
    word_hash: Texts | None
    anchors: int | None
    anchor_characters: int | None
    simhash_words: int | None
    structure_share: float | None
    part_of_speech: bool | None
    synonyms: Texts | None
    synonym_list: Texts | None
    word_vectors: Texts | None
    reduction: Texts | None
    relevance: Texts | None
    topic_model: Texts | None
    algorithm: Texts | None
    near: float | None
    containment: float | None
    paragraph_bits: int | None
    min_characters: int | None
    overlap_share: float | None
    list_weight: float | None
    after_heading_weight: float | None
    opening_weight: float | None
    nested_list_weight: float | None
    sentences: bool | None
    whole_text: bool | None


class ReadKeywords(TypedDict, total=False):
    id_field: Texts | None
    html_field: Texts | None
    text_field: Texts | None
    url_field: Texts | None
    date_field: Texts | None
    status: Texts | None
    content_type: Texts | None
    max_record_bytes: Size | None
    max_body_bytes: Size | None
    max_line_bytes: Size | None
    max_record_header_bytes: Size | None
    max_http_header_bytes: Size | None
    max_expansion_ratio: int | None
    bomb_threshold_bytes: Size | None
    max_files: int | None


class IndexKeywords(TypedDict, total=False):
    extractor: Texts | None
    fold_traditional: bool | None
    paragraph_words: Texts | None
    word_hash: Texts | None
    anchors: int | None
    anchor_characters: int | None
    simhash_words: int | None
    structure_share: float | None
    part_of_speech: bool | None
    synonyms: Texts | None
    synonym_list: Texts | None
    word_vectors: Texts | None
    reduction: Texts | None
    relevance: Texts | None
    topic_model: Texts | None
    algorithm: Texts | None
    near: float | None
    containment: float | None
    paragraph_bits: int | None
    min_characters: int | None
    overlap_share: float | None
    list_weight: float | None
    after_heading_weight: float | None
    opening_weight: float | None
    nested_list_weight: float | None
    sentences: bool | None
    whole_text: bool | None
    candidate_bits: int | None
    group_cap: int | None
    boilerplate: bool | None


class DedupKeywords(TypedDict, total=False):
    preset: Texts | None
    restart: bool | None
    records: bool | None
    max_removed_share: float | None
    annotate: bool | None
    annotation_fields: Texts | None
    trim: bool | None
    trim_characters: int | None
    trim_places: int | None
    trim_bits: int | None
    trim_sites: bool | None
    revisits: bool | None
    payloads: bool | None
    cdx: Texts | None
    evidence: bool | None
    provenance: bool | None
    report: bool | None
    keep: Texts | None
    prefer_host: Texts | None
    prefer_scheme: Texts | None
    remove_contained: bool | None
    languages: Texts | None
    never: Texts | None
    always: Texts | None
    clusters: Texts | None
    near: float | None
    containment: float | None
    paragraph_bits: int | None
    min_characters: int | None
    overlap_share: float | None
    list_weight: float | None
    after_heading_weight: float | None
    opening_weight: float | None
    nested_list_weight: float | None
    sentences: bool | None
    whole_text: bool | None
    align_words: bool | None
    candidate_bits: int | None
    group_cap: int | None
    boilerplate: bool | None
    extractor: Texts | None
    fold_traditional: bool | None
    paragraph_words: Texts | None
    word_hash: Texts | None
    idf: Texts | None
    anchors: int | None
    anchor_characters: int | None
    simhash_words: int | None
    structure_share: float | None
    paragraphs: bool | None
    part_of_speech: bool | None
    synonyms: Texts | None
    synonym_list: Texts | None
    word_vectors: Texts | None
    reduction: Texts | None
    relevance: Texts | None
    topic_model: Texts | None
    algorithm: Texts | None
    id_field: Texts | None
    html_field: Texts | None
    text_field: Texts | None
    url_field: Texts | None
    date_field: Texts | None
    status: Texts | None
    content_type: Texts | None
    max_record_bytes: Size | None
    max_body_bytes: Size | None
    max_line_bytes: Size | None
    max_record_header_bytes: Size | None
    max_http_header_bytes: Size | None
    max_expansion_ratio: int | None
    bomb_threshold_bytes: Size | None
    max_files: int | None
    threads: int | None
    memory: Size | None
    tmp: Texts | None


class FrameKeywords(TypedDict, total=False):
    preset: Texts | None
    keep: Texts | None
    prefer_host: Texts | None
    prefer_scheme: Texts | None
    remove_contained: bool | None
    languages: Texts | None
    never: Texts | None
    always: Texts | None
    clusters: Texts | None
    near: float | None
    containment: float | None
    paragraph_bits: int | None
    min_characters: int | None
    overlap_share: float | None
    list_weight: float | None
    after_heading_weight: float | None
    opening_weight: float | None
    nested_list_weight: float | None
    sentences: bool | None
    whole_text: bool | None
    align_words: bool | None
    candidate_bits: int | None
    group_cap: int | None
    boilerplate: bool | None
    extractor: Texts | None
    fold_traditional: bool | None
    paragraph_words: Texts | None
    word_hash: Texts | None
    idf: Texts | None
    anchors: int | None
    anchor_characters: int | None
    simhash_words: int | None
    structure_share: float | None
    paragraphs: bool | None
    part_of_speech: bool | None
    synonyms: Texts | None
    synonym_list: Texts | None
    word_vectors: Texts | None
    reduction: Texts | None
    relevance: Texts | None
    topic_model: Texts | None
    algorithm: Texts | None
    max_body_bytes: Size | None
    threads: int | None
    memory: Size | None
    tmp: Texts | None


class EvaluateKeywords(TypedDict, total=False):
    preset: Texts | None
    pages: Texts | None
    labels: Texts | None
    clusters: Texts | None
    world: Texts | None
    algorithms: Texts | None
    sweep: Texts | None
    ablation: bool | None
    seed: int | None
    bootstrap: int | None
    show: int | None
    write_pairs: bool | None
    sample: int | None
    judgements: Texts | None
    near: float | None
    containment: float | None
    paragraph_bits: int | None
    min_characters: int | None
    overlap_share: float | None
    list_weight: float | None
    after_heading_weight: float | None
    opening_weight: float | None
    nested_list_weight: float | None
    sentences: bool | None
    whole_text: bool | None
    candidate_bits: int | None
    group_cap: int | None
    boilerplate: bool | None
    extractor: Texts | None
    fold_traditional: bool | None
    paragraph_words: Texts | None
    word_hash: Texts | None
    idf: Texts | None
    anchors: int | None
    anchor_characters: int | None
    simhash_words: int | None
    structure_share: float | None
    part_of_speech: bool | None
    synonyms: Texts | None
    synonym_list: Texts | None
    word_vectors: Texts | None
    reduction: Texts | None
    relevance: Texts | None
    topic_model: Texts | None
    id_field: Texts | None
    html_field: Texts | None
    text_field: Texts | None
    url_field: Texts | None
    date_field: Texts | None
    status: Texts | None
    content_type: Texts | None
    max_record_bytes: Size | None
    max_body_bytes: Size | None
    max_line_bytes: Size | None
    max_record_header_bytes: Size | None
    max_http_header_bytes: Size | None
    max_expansion_ratio: int | None
    bomb_threshold_bytes: Size | None
    max_files: int | None
    threads: int | None
    memory: Size | None
    tmp: Texts | None


class EvaluateExtractionKeywords(TypedDict, total=False):
    extractor: Texts | None
    seed: int | None
    bootstrap: int | None
    show: int | None
    threads: int | None
    id_field: Texts | None
    html_field: Texts | None
    text_field: Texts | None
    url_field: Texts | None
    date_field: Texts | None
    status: Texts | None
    content_type: Texts | None
    max_record_bytes: Size | None
    max_body_bytes: Size | None
    max_line_bytes: Size | None
    max_record_header_bytes: Size | None
    max_http_header_bytes: Size | None
    max_expansion_ratio: int | None
    bomb_threshold_bytes: Size | None
    max_files: int | None


class ContaminatedKeywords(TypedDict, total=False):
    item_fields: Texts | None
    whole: float | None
    passage_score: float | None
    passage_documents: int | None
    records: bool | None
    keep_parts: bool | None
    report: bool | None
    id_field: Texts | None
    html_field: Texts | None
    text_field: Texts | None
    url_field: Texts | None
    date_field: Texts | None
    status: Texts | None
    content_type: Texts | None
    max_record_bytes: Size | None
    max_body_bytes: Size | None
    max_line_bytes: Size | None
    max_record_header_bytes: Size | None
    max_http_header_bytes: Size | None
    max_expansion_ratio: int | None
    bomb_threshold_bytes: Size | None
    max_files: int | None
    threads: int | None
    memory: Size | None
    tmp: Texts | None
