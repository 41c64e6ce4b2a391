// The options of a run over files; extract, profile, compare, index, serve, crawl and eval share most of them.
#include <array>

#include "options/option_table.h"

namespace paraprint::inline options {
namespace {

constexpr std::array<std::string_view, 2> kParagraphWords = {"full", "long"};
constexpr std::array<std::string_view, 2> kWordHashes = {"murmur3", "blake2b"};
constexpr std::array<std::string_view, 2> kIdfSources = {"bundled", "corpus"};
constexpr std::array<std::string_view, 5> kSynonymModes = {"off", "list", "map", "soft", "dense"};
constexpr std::array<std::string_view, 5> kRelevances = {"keywords", "topics", "both", "paragraph",
                                                         "page-and-paragraph"};
constexpr std::array<std::string_view, 2> kClusterModes = {"star", "connected"};

constexpr std::string_view kFingerprints = "Fingerprints";
constexpr std::string_view kSynonyms = "Synonyms";
constexpr std::string_view kTopics = "Topics";
constexpr std::string_view kDeciding = "Deciding";
constexpr std::string_view kFinding = "Finding candidates";
constexpr std::string_view kChoosing = "Choosing";
constexpr std::string_view kOutput = "Output";
constexpr std::string_view kReading = "Reading";
constexpr std::string_view kResources = "Resources";

constexpr NumberRange kShare = {.minimum = 0, .maximum = 1};
constexpr NumberRange kPositiveShare = {.minimum = 0, .maximum = 1, .excludes_minimum = true};
// A weight relative to running text: more than tenfold would let one list decide for a page.
constexpr NumberRange kWeight = {.minimum = 0, .maximum = 10, .excludes_minimum = true};
constexpr NumberRange kAtLeastOne = {.minimum = 1};

const OptionRow<ProfileOptions> kProfileRows[] = {
    {.name = "extractor",
     .field = &ProfileOptions::extractor,
     .group = kFingerprints,
     .help = "How the main content is found: learned-dom, weighted-dom or whole-page",
     .uses = kProfileIdentity | kSwept},
    {.name = "fold_traditional",
     .field = &ProfileOptions::fold_traditional,
     .group = kFingerprints,
     .help = "Compare Traditional and Simplified Chinese as one script",
     .uses = kProfileIdentity | kSwept},
    {.name = "paragraph_words",
     .field = choice<&ProfileOptions::paragraph_words>(kParagraphWords),
     .group = kFingerprints,
     .help =
         "Words that a paragraph's fingerprint is made of: full (all) or long (those of its heaviest long sentences)",
     .uses = kProfileIdentity | kSwept},
    {.name = "word_hash",
     .field = choice<&ProfileOptions::word_hash>(kWordHashes),
     .group = kFingerprints,
     .help = "Hash of a word: murmur3, or the slower blake2b",
     .uses = kProfileIdentity | kSwept},
    {.name = "idf",
     .field = choice<&ProfileOptions::idf>(kIdfSources),
     .group = kFingerprints,
     .help = "Word weights: bundled, or corpus to learn them from the input first",
     .uses = kProfileIdentity | kSwept | kRunOnly},
    {.name = "anchors",
     .field = &ProfileOptions::anchors,
     .group = kFingerprints,
     .help = "Sentences per paragraph whose exact text may find a copy",
     .range = {.minimum = 1, .maximum = 16},
     .uses = kProfileIdentity | kSwept},
    {.name = "anchor_characters",
     .field = &ProfileOptions::anchor_characters,
     .group = kFingerprints,
     .help = "Minimum number of letters and digits of an anchor sentence",
     .range = {.minimum = 1, .maximum = 1000},
     .uses = kProfileIdentity | kSwept,
     .stored_name = "sentence_candidate_characters"},
    {.name = "simhash_words",
     .field = &ProfileOptions::simhash_words,
     .group = kFingerprints,
     .help = "Minimum number of distinct words of a paragraph that gets a SimHash",
     .range = {.minimum = 1, .maximum = 1000},
     .uses = kProfileIdentity | kSwept,
     .stored_name = "simhash_distinct_words"},
    {.name = "structure_share",
     .field = &ProfileOptions::structure_share,
     .group = kFingerprints,
     .help = "Share of a paragraph's fingerprint that says where it is: heading, list and depth, opening of the page",
     .range = {.minimum = 0, .maximum = 0.5},
     .uses = kProfileIdentityIfSet | kSwept},
    {.name = "paragraphs",
     .field = &ProfileOptions::paragraphs,
     .group = kFingerprints,
     .help = "Under another algorithm, make paragraphs too, for evidence and report; without them it is much faster",
     .uses = kProfileIdentityIfSet | kRunOnly},
    {.name = "part_of_speech",
     .field = &ProfileOptions::part_of_speech,
     .group = kFingerprints,
     .help = "Weigh words by their part of speech: nouns more than verbs, verbs more than adverbs",
     .uses = kProfileIdentityIfSet | kSwept},
    {.name = "synonyms",
     .field = choice<&ProfileOptions::synonyms>(kSynonymModes),
     .group = kSynonyms,
     .help = "Compare synonyms as one word: off, list (by lists), map (by lists and word vectors), soft or dense",
     .uses = kProfileIdentityIfSet | kSwept},
    {.name = "synonym_list",
     .field = &ProfileOptions::synonym_list,
     .group = kSynonyms,
     .help = "Files of synonyms, one class per line; bundled is the program's own list",
     .uses = kSwept},
    {.name = "word_vectors",
     .field = &ProfileOptions::word_vectors,
     .group = kSynonyms,
     .help = "Model of word vectors for map, soft and dense; `paraprint vectors` makes one. For dense also hashed: no "
             "model",
     .uses = kSwept},
    {.name = "reduction",
     .field = &ProfileOptions::reduction,
     .group = kSynonyms,
     .help = "Principal components for dense; `paraprint vectors reduce` makes them",
     .uses = kSwept},
    {.name = "relevance",
     .field = choice<&ProfileOptions::relevance>(kRelevances),
     .group = kTopics,
     .help = "What adds weight to a sentence: keywords of the page, topics it shares with its paragraph, or both; "
             "keywords of its paragraph, or page-and-paragraph",
     .uses = kProfileIdentityIfSet | kSwept},
    {.name = "topic_model",
     .field = &ProfileOptions::topic_model,
     .group = kTopics,
     .help = "Topic model for relevance; `paraprint topics train` makes one",
     .uses = kSwept},
    {.name = "algorithm",
     .field = &ProfileOptions::algorithm,
     .group = kFingerprints,
     .help = "What finds copies, like paragraph or minhash:permutations=256; `paraprint algorithms` lists all",
     .uses = kProfileIdentityIfSet},
};

const OptionRow<MatchOptions> kMatchRows[] = {
    {.name = "near",
     .field = &MatchOptions::near,
     .group = kDeciding,
     .help = "Resemblance from which two pages are copies of each other",
     .range = kPositiveShare,
     .uses = kStageIdentity | kSwept},
    {.name = "containment",
     .field = &MatchOptions::containment,
     .group = kDeciding,
     .help = "Share of a page that must be in another one to call it contained",
     .range = kPositiveShare,
     .uses = kStageIdentity | kSwept},
    {.name = "paragraph_bits",
     .field = &MatchOptions::paragraph_bits,
     .group = kDeciding,
     .help = "Paragraphs that differ in at most this many of 128 bits are one text, edited",
     .range = {.minimum = 0, .maximum = 32},
     .uses = kScoresIdentity | kStageIdentity | kSwept,
     .stored_name = "paragraph_distance_bits"},
    {.name = "min_characters",
     .field = &MatchOptions::min_characters,
     .group = kDeciding,
     .help = "Matched letters and digits below which only pages of equal text are reported",
     .uses = kScoresIdentity | kStageIdentity | kSwept,
     .stored_name = "stored_characters"},
    {.name = "overlap_share",
     .field = &MatchOptions::overlap_share,
     .group = kDeciding,
     .help = "Share of one of the pages that must be in the other to report an overlap; pairs that cannot reach it are "
             "not compared",
     .range = kShare,
     .uses = kScoresIdentity | kStageIdentity | kSwept},
    {.name = "list_weight",
     .field = &MatchOptions::list_weight,
     .group = kDeciding,
     .help = "Weight of list items and table rows relative to running text",
     .range = kWeight,
     .uses = kScoresIdentity | kStageIdentity | kSwept},
    {.name = "after_heading_weight",
     .field = &MatchOptions::after_heading_weight,
     .group = kDeciding,
     .help = "Weight of the paragraph after a heading",
     .range = kWeight,
     .uses = kScoresIdentity | kStageIdentity | kSwept},
    {.name = "opening_weight",
     .field = &MatchOptions::opening_weight,
     .group = kDeciding,
     .help = "Weight of the first paragraph of a page",
     .range = kWeight,
     .uses = kScoresIdentity | kStageIdentity | kSwept},
    {.name = "nested_list_weight",
     .field = &MatchOptions::nested_list_weight,
     .group = kDeciding,
     .help = "Further weight of list items for each list around theirs",
     .range = kWeight,
     .uses = kScoresIdentity | kStageIdentity | kSwept},
    {.name = "sentences",
     .field = &MatchOptions::sentences,
     .group = kDeciding,
     .help = "Compare sentences where paragraphs do not match as a whole",
     .uses = kScoresIdentity | kStageIdentity | kSwept},
    {.name = "whole_text",
     .field = &MatchOptions::whole_text,
     .group = kDeciding,
     .help = "Also compare the texts as wholes: finds copies in which every sentence was edited",
     .uses = kScoresIdentity | kStageIdentity | kSwept},
    {.name = "align_words",
     .field = &MatchOptions::align_words,
     .group = kDeciding,
     .help = "Align the words of pairs near the decision, synonyms and moved words included; reads their pages again",
     .uses = kRunOnly},
};

const OptionRow<CandidateSearchOptions> kCandidateRows[] = {
    {.name = "candidate_bits",
     .field = &CandidateSearchOptions::candidate_bits,
     .group = kFinding,
     .help = "Pages with paragraphs that differ in at most this many of 128 bits are compared; -1: off",
     .range = {.minimum = -1, .maximum = 12},
     .uses = kScoresIdentity | kStageIdentity | kSwept,
     .stored_name = "candidate_distance_bits"},
    {.name = "group_cap",
     .field = &CandidateSearchOptions::group_cap,
     .group = kFinding,
     .help = "Pages with one text in common that are all paired with each other; larger groups are paired sparsely",
     .range = {.minimum = 2, .maximum = 10'000},
     .uses = kScoresIdentity | kStageIdentity | kSwept},
    {.name = "boilerplate",
     .field = &CandidateSearchOptions::boilerplate,
     .group = kFinding,
     .help = "Give no weight to paragraphs that a site repeats on its pages",
     .uses = kScoresIdentity | kStageIdentity | kSwept},
};

const OptionRow<SurvivorOptions> kSurvivorRows[] = {
    {.name = "keep",
     .field = &SurvivorOptions::keep,
     .group = kChoosing,
     .help =
         "Which copy stays; criteria in order, separated by commas: longest, shortest, earliest, latest, first, last, "
         "shortest-url, https, host, scheme",
     .uses = kStageIdentity},
    {.name = "prefer_host",
     .field = &SurvivorOptions::prefer_host,
     .group = kChoosing,
     .help =
         "Hosts to keep, best first; *.example.org includes the hosts below it. Precedes keep unless that names host",
     .uses = kStageIdentity},
    {.name = "prefer_scheme",
     .field = &SurvivorOptions::prefer_scheme,
     .group = kChoosing,
     .help = "URL schemes to keep, best first",
     .uses = kStageIdentity},
    {.name = "remove_contained",
     .field = &SurvivorOptions::remove_contained,
     .group = kChoosing,
     .help = "Also remove pages that are contained in a longer page",
     .uses = kStageIdentity},
    {.name = "clusters",
     .field = choice<&SurvivorOptions::clusters>(kClusterModes),
     .group = kChoosing,
     .help = "star: every removed page was compared with the kept one; connected: whatever matches connect, chains "
             "included",
     .uses = kStageIdentity},
};

const OptionRow<OutputOptions> kOutputRows[] = {
    {.name = "out",
     .field = &OutputOptions::out,
     .group = kOutput,
     .help = "Folder for all output; created if missing. Inputs must not be in it",
     .uses = kKeepsOutput},
    {.name = "restart",
     .field = &OutputOptions::restart,
     .group = kOutput,
     .help = "Discard an earlier run in this folder instead of resuming it",
     .uses = kKeepsOutput | kNotInFile},
    {.name = "records",
     .field = &OutputOptions::records,
     .group = kOutput,
     .help = "Write the surviving records, in the format of the input"},
    {.name = "max_removed_share",
     .field = &OutputOptions::max_removed_share,
     .group = kOutput,
     .help = "Write no records, and fail, if more than this share of the pages would be removed",
     .range = kShare,
     .uses = kKeepsOutput},
    {.name = "annotate",
     .field = &OutputOptions::annotate,
     .group = kOutput,
     .help = "Remove nothing: write all records, and into them what was decided about each page"},
    {.name = "annotation_fields",
     .field = &OutputOptions::annotation_fields,
     .group = kOutput,
     .help = "What annotate writes, in this order; cluster=group writes cluster under the name group"},
    {.name = "revisits",
     .field = &OutputOptions::revisits,
     .group = kOutput,
     .help = "WARC: leave a record in place of each removed page: revisit if the payload is equal, else metadata"},
    {.name = "payloads",
     .field = &OutputOptions::payloads,
     .group = kOutput,
     .help = "WARC: as revisits, and make every record with a stored payload a revisit record, images included"},
    {.name = "cdx",
     .field = choice<&OutputOptions::cdx>(kCdxForms),
     .group = kOutput,
     .help = "WARC, ARC: write the index of the surviving records: none, cdxj or cdx11"},
    {.name = "evidence", .field = &OutputOptions::evidence, .group = kOutput, .help = "Write matches.jsonl"},
    {.name = "report",
     .field = &OutputOptions::report,
     .group = kOutput,
     .help = "Write report/index.html",
     .uses = kKeepsOutput},
};

const OptionRow<ReadOptions> kReadRows[] = {
    {.name = "id_field", .field = &ReadOptions::id_field, .group = kReading, .help = "JSONL: field with the page's id"},
    {.name = "html_field", .field = &ReadOptions::html_field, .group = kReading, .help = "JSONL: field with HTML"},
    {.name = "text_field",
     .field = &ReadOptions::text_field,
     .group = kReading,
     .help = "JSONL: field with plain text, used if there is no HTML"},
    {.name = "url_field", .field = &ReadOptions::url_field, .group = kReading, .help = "JSONL: field with the URL"},
    {.name = "date_field",
     .field = &ReadOptions::date_field,
     .group = kReading,
     .help = "JSONL: field with the capture date"},
    {.name = "status",
     .field = &ReadOptions::status,
     .group = kReading,
     .help = "HTTP statuses that count as pages, like 200 or 200-299"},
    {.name = "content_type",
     .field = &ReadOptions::content_type,
     .group = kReading,
     .help = "Media types that count as pages"},
    {.name = "max_record_bytes",
     .field = &ReadOptions::max_record_bytes,
     .group = kReading,
     .help = "Larger records are counted and copied, but not compared",
     .uses = kSize},
    {.name = "max_body_bytes",
     .field = &ReadOptions::max_body_bytes,
     .group = kReading,
     .help = "The same for a page after decompression",
     .uses = kSize},
    {.name = "max_line_bytes",
     .field = &ReadOptions::max_line_bytes,
     .group = kReading,
     .help = "JSONL: longer lines are counted and skipped",
     .uses = kSize},
    {.name = "max_record_header_bytes",
     .field = &ReadOptions::max_record_header_bytes,
     .group = kReading,
     .help = "Records with a longer WARC or ARC header are counted as broken",
     .uses = kSize},
    {.name = "max_http_header_bytes",
     .field = &ReadOptions::max_http_header_bytes,
     .group = kReading,
     .help = "The same for the HTTP header of a response",
     .uses = kSize},
    {.name = "max_expansion_ratio",
     .field = &ReadOptions::max_expansion_ratio,
     .group = kReading,
     .help = "How many times its compressed size a compressed member above bomb_threshold_bytes may have",
     .range = kAtLeastOne},
    {.name = "bomb_threshold_bytes",
     .field = &ReadOptions::bomb_threshold_bytes,
     .group = kReading,
     .help = "Decompressed size above which max_expansion_ratio applies",
     .uses = kSize},
    {.name = "max_files",
     .field = &ReadOptions::max_files,
     .group = kReading,
     .help = "Names in a folder of inputs above which reading it fails",
     .range = kAtLeastOne,
     .uses = kKeepsOutput},
};

const OptionRow<ResourceOptions> kResourceRows[] = {
    {.name = "threads",
     .field = &ResourceOptions::threads,
     .group = kResources,
     .help = "Threads; 0: one per processor. Does not change the output",
     .range = {.minimum = 0, .maximum = kThreadsMaximum},
     .uses = kKeepsOutput},
    {.name = "memory",
     .field = &ResourceOptions::memory,
     .group = kResources,
     .help = "Memory of the process, like 2GB; what does not fit goes to disk",
     .range = {.minimum = std::uint64_t{64} << 20},  // the word tables and one batch of pages need about this much
     .uses = kKeepsOutput | kSize},
    {.name = "tmp",
     .field = &ResourceOptions::tmp,
     .group = kResources,
     .help = "Folder for temporary files [inside the output folder]",
     .uses = kKeepsOutput},
};

}  // namespace

std::span<const OptionRow<ProfileOptions>> profile_option_rows() {
  return kProfileRows;
}
std::span<const OptionRow<MatchOptions>> match_option_rows() {
  return kMatchRows;
}
std::span<const OptionRow<CandidateSearchOptions>> candidate_option_rows() {
  return kCandidateRows;
}
std::span<const OptionRow<SurvivorOptions>> survivor_option_rows() {
  return kSurvivorRows;
}
std::span<const OptionRow<OutputOptions>> output_option_rows() {
  return kOutputRows;
}
std::span<const OptionRow<ReadOptions>> read_option_rows() {
  return kReadRows;
}
std::span<const OptionRow<ResourceOptions>> resource_option_rows() {
  return kResourceRows;
}

}  // namespace paraprint::inline options
