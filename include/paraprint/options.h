// Every setting of paraprint, once: name, default, effect and range. The command line, the configuration file, the
// summary and the library read the same declarations. Settings that change a fingerprint enter its identity.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint {

// How a page becomes a profile. All of it enters settings_identity(): profiles of different identities never meet.
struct ProfileOptions {
  // What finds and judges copies: a specification as paraprint/algorithms.h has it. "paragraph" is the project's own
  // method; of any other, a fingerprint of each page is kept beside its profile, which then only gives the evidence.
  std::string algorithm = "paragraph";
  // Whether to make the paragraphs of a profile. Only an algorithm that compares none of them can do without: it is
  // faster then, and a run has neither evidence nor report.
  bool with_paragraphs = true;
  // Main content: a name that extractor_names() lists ("learned-dom", "weighted-dom", "whole-page").
  std::string extractor = "learned-dom";
  // Compare Traditional and Simplified Chinese as one script.
  bool fold_traditional = true;
  // Words of a paragraph that its fingerprint is made of (algorithms.md 21): "full" is all of them, stable under edits;
  // "long" those of the heaviest long sentences, each weighted by its sentence.
  std::string paragraph_words = "full";
  // 128-bit hash of a word (algorithms.md 0.4): "murmur3" or "blake2b". Same quality, BLAKE2b is slower.
  std::string word_hash = "murmur3";
  // Word weights: "bundled", or "corpus" to learn them from the input in a pass of its own.
  std::string idf = "bundled";
  // In paragraph fingerprints, let a word weigh its idf times what its part of speech weighs (algorithms.md 14).
  bool weigh_part_of_speech = false;
  // Sentences of a paragraph whose exact text may find a candidate, heaviest first (algorithms.md 25, "Candidates").
  int anchors_per_paragraph = 2;
  // Content characters from which a sentence may be an anchor or "long" (algorithms.md 20).
  int sentence_candidate_characters = 20;
  // Distinct words below which a paragraph has no SimHash: distances between so few votes mean nothing (section 21).
  int simhash_distinct_words_minimum = 8;
  // Words of one meaning compared as one (docs/algorithms/synonyms.md): "off"; by lists of synonyms ("list"), and by
  // mutual neighbours in word vectors ("map"), by all near ones ("soft"), by the mean vectors of paragraphs ("dense").
  std::string synonyms = "off";
  // "bundled", which is the list compiled into the library, and files of the same form.
  std::vector<std::string> synonym_lists = {"bundled"};
  // A model that `paraprint vectors` made. Needed by "map", "soft" and "dense", not looked at by the others.
  std::string word_vectors;
  // What `paraprint vectors reduce` made of that model. Needed by "dense", not looked at by the others.
  std::string reduction;
  // What makes a sentence weigh more than others of its paragraph (algorithms.md 20): "keywords" of the page that stand
  // in it, "topics" that it shares with its paragraph by a topic model, or "both", their mean.
  std::string relevance = "keywords";
  // A model that `paraprint topics` made. Needed by "topics" and "both", not looked at otherwise.
  std::string topic_model;

  Status validate() const;
};

// When two pages count as copies (algorithms.md 25). Changing near_resemblance, containment or
// matched_characters_minimum needs no new comparison (`paraprint recluster`).
struct MatchOptions {
  // Two paragraphs within this many of 128 bits are one text with edits. Range 0 to 32. More finds heavier edits and
  // lets unlike short paragraphs pass. Section 21 tunes it between 4 and 24; docs/benchmarks.md has what 12, 18 and 24
  // find on the labelled sets. Unrelated paragraphs differ in 64 +- 6 bits.
  int paragraph_distance_bits = 24;
  // Resemblance from which two pages are `near`. Range (0, 1]. Resemblance r means that 2r/(1+r) of the two texts taken
  // together stands in both: 0.55 is seven tenths.
  double near_resemblance = 0.55;
  // Share of one page that must stand in the other to call it `contained`. Range (0, 1].
  double containment = 0.8;
  // Matched characters below which nothing but equal text is reported: short pages agree by chance.
  std::uint32_t matched_characters_minimum = 100;
  // Share of one of the pages, range [0, 1], that must stand in the other to call them overlapping: below it, pages of
  // one site or one template differ in everything but a sentence or two. Candidates that can't reach it are not
  // compared.
  double overlap_share = 0.1;
  // Weight of a list item's or table row's characters against running text, and of a paragraph under a heading.
  // Section 25: 0.8 and 1.2; 1 turns a factor off.
  double list_weight = 1.0;
  double after_heading_weight = 1.0;
  // Compare sentences where paragraphs do not match as a whole.
  bool match_sentences = true;
  // Also compare the texts as wholes, by windows of words: finds copies in which every sentence was touched.
  bool match_whole_text = true;
  // Read the texts of pairs whose resemblance lies near the decision once more, align their words, synonyms and moved
  // words included, and decide by the mean of both figures. In runs over files alone: elsewhere the texts are gone.
  bool align_words = false;

  Status validate() const;
};

// How pairs worth comparing are found. More finds more and costs time.
struct CandidateSearchOptions {
  // Paragraph fingerprints within this many of 128 bits make a candidate. Range -1 (off) to 12. Equal sentences and
  // paragraphs find most copies; this finds those in which every sentence was touched.
  int distance_bits = 6;
  // Pages that share one sentence or paragraph and are paired with each other in full; a larger group is paired
  // sparsely, and what was left out is counted.
  std::uint32_t group_cap = 256;
  // Give no weight to paragraphs that a site repeats on its pages (algorithms.md 36).
  bool discount_boilerplate = true;

  Status validate() const;
};

// Which pages of a cluster go, and which one stays.
struct SurvivorOptions {
  // Criteria in order; the first that tells two pages apart decides: longest, shortest, earliest, latest, first, last,
  // shortest-url, https, host, scheme.
  std::string keep = "longest";
  std::vector<std::string> prefer_hosts;    // falling priority; "*.example.org" includes the hosts below
  std::vector<std::string> prefer_schemes;  // falling priority
  // Also remove pages that stand in a longer page as a part of it.
  bool remove_contained = false;
  // Clusters are "star" (every removed page was itself compared with the kept one) or "connected" (whatever is linked
  // by matches; chains).
  std::string clusters = "star";

  Status validate() const;
};

// Where the output goes and what of it is written.
struct OutputOptions {
  std::string folder;           // created if missing
  bool restart = false;         // forget the work of an earlier run in this folder instead of going on with it
  bool write_records = true;    // the surviving records, in the format of the input
  bool write_revisits = false;  // WARC: a revisit record where a removed page stood
  bool write_evidence = true;   // matches.jsonl
  bool write_report = true;     // report/index.html
};

// What a run may use. Nothing here changes its output.
struct ResourceOptions {
  unsigned threads = 0;                                 // 0: one a processor
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
