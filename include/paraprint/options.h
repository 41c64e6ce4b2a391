// Every setting of paraprint, once: name, default, effect and range. The command line, the configuration file, the
// summary and the library read the same declarations. Settings that change a fingerprint enter its identity.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint {

// How a page becomes a profile. All of it enters settings_identity(); profiles of different identities are never
// compared.
struct ProfileOptions {
  // The method that finds and judges copies, as a specification (paraprint/algorithms.h). "paragraph" is the project's
  // own method. With any other, a fingerprint of each page is stored next to its profile, which then only provides the
  // evidence.
  std::string algorithm = "paragraph";
  // Whether profiles have paragraphs. Only an algorithm that does not compare paragraphs can do without: it is then
  // faster, and a run has neither evidence nor report.
  bool with_paragraphs = true;
  // How the main content is found: a name listed by extractor_names() ("learned-dom", "weighted-dom", "whole-page").
  std::string extractor = "learned-dom";
  // Compare Traditional and Simplified Chinese as one script.
  bool fold_traditional = true;
  // The words of a paragraph that its fingerprint is made of (docs/algorithms/simhash.md): "full", all of them, which
  // is stable under edits; or "long", those of the heaviest long sentences, each weighted by its sentence.
  std::string paragraph_words = "full";
  // 128-bit hash of a word (docs/algorithms/hashes.md): "murmur3" or "blake2b". Same quality; BLAKE2b is slower.
  std::string word_hash = "murmur3";
  // Word weights: "bundled", or "corpus" to learn them from the input in a separate pass.
  std::string idf = "bundled";
  // In paragraph fingerprints, multiply the idf of a word by the weight of its part of speech
  // (docs/algorithms/simhash.md).
  bool weigh_part_of_speech = false;
  // The number of sentences per paragraph, heaviest first, whose exact text may find a candidate
  // (docs/algorithms/sentence-weights-and-anchors.md).
  int anchors_per_paragraph = 2;
  // Content characters from which a sentence may be an anchor or "long"
  // (docs/algorithms/sentence-weights-and-anchors.md).
  int sentence_candidate_characters = 20;
  // Distinct words below which a paragraph has no SimHash: distances between so few votes mean nothing.
  int simhash_distinct_words_minimum = 8;
  // Compare words of one meaning as one word (docs/algorithms/synonyms.md): "off"; by lists of synonyms ("list"); or in
  // addition by mutual neighbours in word vectors ("map"), by all near words ("soft") or by the mean vectors of
  // paragraphs ("dense").
  std::string synonyms = "off";
  // "bundled", the list compiled into the library, and files in the same form.
  std::vector<std::string> synonym_lists = {"bundled"};
  // A model made by `paraprint vectors`. Required by "map", "soft" and "dense", ignored otherwise.
  std::string word_vectors;
  // The output of `paraprint vectors reduce` for that model. Required by "dense", ignored otherwise.
  std::string reduction;
  // What makes a sentence weigh more than others of its paragraph (docs/algorithms/sentence-weights-and-anchors.md):
  // the page's "keywords" that it contains, the "topics" that it shares with its paragraph by a topic model, or "both",
  // their mean.
  std::string relevance = "keywords";
  // A model made by `paraprint topics`. Required by "topics" and "both", ignored otherwise.
  std::string topic_model;

  Status validate() const;
};

// When two pages count as copies (docs/algorithms/paragraph-matching.md). Changing near_resemblance, containment or
// matched_characters_minimum needs no new comparison (`paraprint recluster`).
struct MatchOptions {
  // Paragraphs whose fingerprints differ in at most this many of 128 bits are one text with edits. Range 0 to 32. A
  // larger value finds heavier edits and lets unlike short paragraphs pass; docs/algorithms/paragraph-matching.md has
  // the choice. Unrelated paragraphs differ in 64 +- 6 bits.
  int paragraph_distance_bits = 24;
  // Resemblance from which two pages are `near`. Range (0, 1]. Resemblance r means that 2r/(1+r) of the two texts taken
  // together is in both: 0.55 is seven tenths.
  double near_resemblance = 0.55;
  // Share of one page that must be in the other for it to be called `contained`. Range (0, 1].
  double containment = 0.8;
  // Matched characters below which nothing but equal text is reported: short pages agree by chance.
  std::uint32_t matched_characters_minimum = 100;
  // Share of one of the pages that must be in the other for the two to be called overlapping. Range [0, 1]. Below it,
  // pages of one site or one template share no more than a sentence or two. Candidates that cannot reach it are not
  // compared.
  double overlap_share = 0.1;
  // Weight of the characters of list items and table rows, and of paragraphs under a heading, relative to running text.
  // 1 turns a factor off.
  double list_weight = 1.0;
  double after_heading_weight = 1.0;
  // Compare sentences where paragraphs do not match as a whole.
  bool match_sentences = true;
  // Also compare the texts as wholes, by windows of words: finds copies in which every sentence was touched.
  bool match_whole_text = true;
  // For pairs whose resemblance is near the threshold, read the texts again, align their words, including synonyms and
  // moved words, and decide by the mean of both figures. Only in runs over files: elsewhere the texts are not
  // available.
  bool align_words = false;

  Status validate() const;
};

// How pairs worth comparing are found. Larger values find more pairs and cost time.
struct CandidateSearchOptions {
  // Pages are candidates if two of their paragraph fingerprints differ in at most this many of 128 bits. Range -1 (off)
  // to 12. Equal sentences and paragraphs find most copies; this finds those in which every sentence was edited.
  int distance_bits = 6;
  // Largest group of pages sharing one sentence or paragraph in which every pair is a candidate. Larger groups are
  // paired sparsely, and the pairs left out are counted.
  std::uint32_t group_cap = 256;
  // Give no weight to paragraphs that a site repeats on its pages (docs/algorithms/site-boilerplate.md).
  bool discount_boilerplate = true;

  Status validate() const;
};

// Which pages of a cluster are removed, and which one is kept.
struct SurvivorOptions {
  // Criteria in order; the first that distinguishes two pages decides: longest, shortest, earliest, latest, first,
  // last, shortest-url, https, host, scheme.
  std::string keep = "longest";
  std::vector<std::string> prefer_hosts;    // by descending priority; "*.example.org" includes subdomains
  std::vector<std::string> prefer_schemes;  // by descending priority
  // Also remove pages whose text is part of a longer page.
  bool remove_contained = false;
  // "star": every removed page was itself compared with the kept one. "connected": all pages linked by matches, which
  // allows chains.
  std::string clusters = "star";

  Status validate() const;
};

// Where output is written, and which parts of it.
struct OutputOptions {
  std::string folder;           // created if missing
  bool restart = false;         // discard the work of an earlier run in this folder instead of resuming it
  bool write_records = true;    // the surviving records, in the format of the input
  bool write_revisits = false;  // WARC: a revisit record in place of each removed page
  bool write_evidence = true;   // matches.jsonl
  bool write_report = true;     // report/index.html
};

// Resources that a run may use. They do not change its output.
struct ResourceOptions {
  unsigned threads = 0;                                 // 0: one per processor
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;  // of the process; beyond it to temporary_folder
  std::string temporary_folder;                         // empty: inside the output folder
};

struct DedupOptions {
  std::vector<std::string> inputs;  // files, folders, or "-" for standard input
  ReadOptions reading;
  ProfileOptions profile;
  CandidateSearchOptions candidates;
  MatchOptions match;
  SurvivorOptions survivors;
  OutputOptions output;
  ResourceOptions resources;

  Status validate() const;
};

}  // namespace paraprint
