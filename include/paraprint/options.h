// The settings of a run, with their meaning and default.
//
// Example:
//
//   DedupOptions options;
//   options.inputs = {"crawl/"};
//   options.output.out = "clean";
//   options.match.near = 0.8;
//   Status valid = options.validate();
//
// Each member is a row of the option table (src/options/), which adds its range and help and from which the command
// line, the configuration file, Python's keywords and summary.json are made. Messages name an option as the table does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint {

// The enumerators of these are in the order of their names in the option table.

// Words of a paragraph that its fingerprint is made of: all of them, which is stable under edits, or those of the
// heaviest long sentences, each weighted by its sentence (docs/algorithms/sentence-weights-and-anchors.md).
enum class ParagraphWords : std::uint8_t { kFull, kLong };

// The 128-bit hash of a word (docs/algorithms/hashes.md). Of equal quality; BLAKE2b is slower.
enum class WordHash : std::uint8_t { kMurmur3, kBlake2b };

// Where word weights come from: the table compiled into the library, or the input itself, in a pass of its own.
enum class IdfSource : std::uint8_t { kBundled, kCorpus };

// How words of one meaning are compared as one (docs/algorithms/synonyms.md): not at all; by lists; by mutual
// neighbours in word vectors too; by all near neighbours; by the mean vectors of paragraphs.
enum class SynonymMode : std::uint8_t { kOff, kList, kMap, kSoft, kDense };

// What adds weight to a sentence of a paragraph: keywords of the page in it, topics that it shares with its paragraph
// by a topic model, or the mean of both; keywords of its paragraph in it, or the mean of these and those of the page.
enum class Relevance : std::uint8_t { kKeywords, kTopics, kBoth, kParagraph, kPageAndParagraph };

// What a cluster is: pages that were each compared with the kept one, or whatever is linked by matches.
enum class ClusterMode : std::uint8_t { kStar, kConnected };

// An index of archives (paraprint/cdx.h): none, CDXJ, or classic CDX with 11 fields.
enum class CdxForm : std::uint8_t { kNone, kCdxj, kCdx11 };

// What can be asked about a page in addition to its text, for which more of its tree is kept.
struct ExtractDetail {
  bool markdown = false;
  bool metadata = false;
  bool provenance = false;  // Profiler::origin()
};

// How a page becomes a profile. All of it is part of settings_identity(): profiles of different identities are never
// compared.
struct ProfileOptions {
  // What finds and judges copies: a specification (paraprint/algorithms.h). "paragraph" is the project's own method;
  // for any other, a fingerprint of each page is stored next to its profile, which then only provides the evidence.
  std::string algorithm = "paragraph";
  // Whether a profile has paragraphs. Only an algorithm that does not compare them can do without; it is faster then,
  // and a run has neither evidence nor report.
  bool paragraphs = true;
  // How the main content is found: a name that extractor_names() lists ("learned-dom", "weighted-dom", "whole-page").
  std::string extractor = "learned-dom";
  // Compare Traditional and Simplified Chinese as one script.
  bool fold_traditional = true;
  ParagraphWords paragraph_words = ParagraphWords::kFull;
  WordHash word_hash = WordHash::kMurmur3;
  IdfSource idf = IdfSource::kBundled;
  // In paragraph fingerprints, weigh a word by its idf times the weight of its part of speech.
  bool part_of_speech = false;
  // Sentences per paragraph whose exact text may find a candidate, heaviest first. Range 1 to 16.
  int anchors = 2;
  // Minimum number of content characters of a sentence that may be an anchor or "long". Range 1 to 1000.
  int anchor_characters = 20;
  // Minimum number of distinct words of a paragraph that gets a SimHash: with fewer votes, distances mean nothing.
  // Range 1 to 1000.
  int simhash_words = 8;
  // Share of the votes of a paragraph's fingerprint that say where it is: its role, its depth in lists, and whether it
  // opens the page or follows a heading. 0: words alone. Range 0 to 0.5.
  double structure_share = 0;
  SynonymMode synonyms = SynonymMode::kOff;
  // "bundled", the list compiled into the library, and files of the same form.
  std::vector<std::string> synonym_list = {"bundled"};
  // A model made by `paraprint vectors`, or, for kDense, "hashed" (hashed words need none). Required by kMap, kSoft and
  // kDense, ignored otherwise.
  std::string word_vectors;
  // Made from that model by `paraprint vectors reduce`. Required by kDense, ignored otherwise.
  std::string reduction;
  Relevance relevance = Relevance::kKeywords;
  // A model made by `paraprint topics`. Required by kTopics and kBoth, ignored otherwise.
  std::string topic_model;

  Status validate() const;
};

// When two pages count as copies (docs/algorithms/paragraph-matching.md). Changing near, containment or min_characters
// requires no new comparison (`paraprint recluster`).
struct MatchOptions {
  // Two paragraphs that differ in at most this many of 128 bits are one text with edits. Range 0 to 32. Higher values
  // find heavier edits and accept unlike short paragraphs; docs/benchmarks.md has what 12, 18 and 24 find on the
  // labelled sets. Unrelated paragraphs differ in 64 +- 6 bits.
  int paragraph_bits = 24;
  // Resemblance from which two pages are `near`. Range (0, 1]. At resemblance r, 2r/(1+r) of the two texts taken
  // together is in both: seven tenths for 0.55.
  double near = 0.55;
  // Share of one page that must be in the other to call it `contained`. Range (0, 1].
  double containment = 0.8;
  // Matched characters below which only pages of equal text are reported: short pages agree by chance.
  std::uint32_t min_characters = 100;
  // Share of one of the pages, range [0, 1], that must be in the other to call them overlapping: below it, pages of one
  // site or one template differ in everything but a sentence or two. Candidates that cannot reach it are not compared.
  double overlap_share = 0.1;
  // Weight of the characters of list items and table rows, and of a paragraph after a heading, relative to running
  // text. The literature has 0.8 and 1.2; 1 turns a factor off. Range (0, 10].
  double list_weight = 1.0;
  double after_heading_weight = 1.0;
  // Of the first paragraph of a page that is not a heading, and, once more for each level, of items of lists within
  // lists. Range (0, 10].
  double opening_weight = 1.0;
  double nested_list_weight = 1.0;
  // Compare sentences where paragraphs do not match as a whole.
  bool sentences = true;
  // Also compare the texts as wholes, by windows of words: finds copies in which every sentence was edited.
  bool whole_text = true;
  // Read the texts of pairs whose resemblance is near the decision again, align their words, synonyms and moved words
  // included, and decide by the mean of both scores. Only in runs over files: elsewhere the texts are gone.
  bool align_words = false;

  Status validate() const;
};

// How pairs worth comparing are found. Higher values find more and cost more time.
struct CandidateSearchOptions {
  // Pages with paragraph fingerprints that differ in at most this many of 128 bits are compared. Range -1 (off) to 12.
  // Equal sentences and paragraphs find most copies; this finds those in which every sentence was edited.
  int candidate_bits = 6;
  // Pages that share one sentence or paragraph and are all paired with each other; a larger group is paired sparsely,
  // and the pairs left out are counted. Range 2 to 10,000.
  std::uint32_t group_cap = 256;
  // Give no weight to paragraphs that a site repeats on its pages (docs/algorithms/site-boilerplate.md).
  bool boilerplate = true;

  Status validate() const;
};

// Which pages of a cluster are removed, and which one stays.
struct SurvivorOptions {
  // Criteria in order; the first that distinguishes two pages decides: longest, shortest, earliest, latest, first,
  // last, shortest-url, https, host, scheme, original (by what pages say of their publication), and score:FIELD:max or
  // score:FIELD:min for a number that the records have (JSON lines; without one, a page comes last).
  std::string keep = "longest";
  std::vector<std::string> prefer_host;    // in descending priority; "*.example.org" includes the hosts below it
  std::vector<std::string> prefer_scheme;  // in descending priority
  // Also remove pages that are contained in a longer page.
  bool remove_contained = false;
  // Only pages whose main content is in one of these languages stay ("en", "zh"; "und": not identified). The others are
  // removed without being compared. Empty: all languages.
  std::vector<std::string> languages;
  ClusterMode clusters = ClusterMode::kStar;
  // Files of pairs that people judged, whatever their scores: two ids in each line, separated by a tab
  // (docs/output.md). Pages of a pair in `never` are not copies of each other, those in `always` are near copies.
  // Empty: none.
  std::string never;
  std::string always;

  Status validate() const;
  // The field of the records that `keep` compares; empty if there is none, or if `keep` is not valid.
  std::string score_field() const;
};

// Where the output goes and which parts of it are written.
struct OutputOptions {
  std::string out;       // created if missing
  bool restart = false;  // discard the work of an earlier run in this folder instead of resuming it
  bool records = true;   // the surviving records, in the format of the input
  // The run fails before it writes records if a larger share of the pages would be removed. Range [0, 1].
  double max_removed_share = 1;
  // Remove nothing: write all records, with what was decided about each page in them, and annotations.jsonl
  // (docs/output.md). Not together with revisits or payloads.
  bool annotate = false;
  // What is written, each as "name" or "name=name to write".
  std::vector<std::string> annotation_fields = {
      "cluster", "cluster_size",       "is_kept",  "kept_id",          "verdict",
      "score",   "content_characters", "language", "boilerplate_share"};
  // Take passages out of the pages that stay if they stand in another one of them already (or earlier in the same one):
  // paragraphs, equal and near ones, and runs of sentences. trimmed.jsonl lists them (docs/output.md).
  bool trim = false;
  // Minimum number of letters and digits of such a passage. Range 1 to 1,000,000.
  std::uint32_t trim_characters = 100;
  // Minimum number of places of a passage, the one where it stays included. Range 2 to 1,000,000.
  std::uint32_t trim_places = 2;
  // Paragraphs whose fingerprints differ in at most this many of 128 bits are one passage. Range -1 (equal text only)
  // to 12.
  int trim_bits = 3;
  bool trim_sites = false;  // compare only pages of one site
  bool revisits = false;    // WARC: a revisit or metadata record in place of each removed page
  // WARC: like `revisits`; and all other records whose payload the output has become revisit records, too
  // (paraprint/payloads.h).
  bool payloads = false;
  CdxForm cdx = CdxForm::kNone;  // WARC and ARC: write the index of the surviving records next to them
  bool evidence = true;          // matches.jsonl
  // provenance.jsonl: of each page of a cluster, which one it was copied from (docs/provenance.md). What pages state
  // about their origin is then stored with the run.
  bool provenance = false;
  bool report = true;  // report/index.html
};

// Resources that a run may use. They do not change its output.
struct ResourceOptions {
  unsigned threads = 0;                           // 0: one per processor
  std::uint64_t memory = std::uint64_t{2} << 30;  // bytes, of the process; the rest goes to tmp
  std::string tmp;                                // temporary folder; empty: inside the output folder
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
