// Evaluates algorithms on labelled pages: precision, recall and F1, time and memory, side by side. docs/evaluation.md
// defines every figure and describes the files.
//
// Example:
//
//   EvaluateOptions options;
//   options.sets = {"neardup/zh-laws"};
//   options.algorithms = {"paragraph", "simhash-64:distance_bits=3"};
//   Result<EvaluateOutcome> evaluation = evaluate(options);
//
// Everything except times and memory is identical on every run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "paraprint/algorithms.h"
#include "paraprint/engine.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

// Labelled pages that are not in the form of a set's folder.
struct LabelledInputs {
  std::vector<std::string> pages;  // as DedupOptions::inputs
  std::string labels;              // id_a, id_b, label; or id, cluster
  std::string clusters;            // id, cluster; may be empty
};

struct EvaluateOptions {
  // Folders, each with docs.jsonl[.gz] or archives of pages, labels.tsv[.gz], and optionally clusters.tsv[.gz] and
  // set.json.
  std::vector<std::string> sets;
  LabelledInputs inputs;  // instead of or in addition to `sets`
  std::string world;      // "open" or "closed": overrides set.json

  // Specifications, "all" for every algorithm, or "presets" for every preset. A specification is the name of an
  // algorithm or a preset, then parameters of the algorithm and options of profiles, candidates and matches, which
  // override those below: "simhash-64:distance_bits=6,extractor=whole-page".
  std::vector<std::string> algorithms = {"paragraph"};
  // "simhash-64:distance_bits=2,3,6,idf=bundled,corpus": one run for each combination of values.
  std::vector<std::string> sweep;
  bool ablation = false;  // the paragraph method with its parts switched on and off

  // Any value. It affects only the split into halves and the bootstrap.
  std::uint64_t seed = 1;
  std::uint32_t bootstrap = 1000;  // range 100 to 100,000
  std::uint32_t examples = 10;     // worst misses and false positives kept per algorithm
  std::uint32_t show = 0;          // of these, shown in the terminal table
  bool write_pairs = false;        // also write every scored pair to pairs/SET/ALGORITHM.tsv

  ReadOptions reading;
  ProfileOptions profile;  // `algorithm` is ignored
  CandidateSearchOptions candidates;
  MatchOptions match;
  ResourceOptions resources;
  std::string out;  // for results.json, results.csv and the report; empty: nothing is written

  Status validate() const;
};

// Sets what the preset (paraprint/presets.h) names, and its algorithm as the one to evaluate. Errors: those of
// apply_preset() for a run.
Status apply_preset(std::string_view name, EvaluateOptions& options);

// ---------------------------------------------------------------------------------------------------------------------
// Figures

struct Interval {
  double low = 0;
  double high = 0;
};

struct Rates {  // 0 where undefined
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};

struct LabelCounts {
  std::uint64_t duplicate = 0;
  std::uint64_t near = 0;
  std::uint64_t topic = 0;
  std::uint64_t different = 0;
  std::uint64_t positives() const { return duplicate + near; }
};

// Micro-averaged figures over unordered pairs. Lenient figures ignore topic pairs; strict figures count reported topic
// pairs as false positives.
struct PairwiseFigures {
  LabelCounts labelled;
  LabelCounts reported;
  std::uint64_t reported_unlabelled = 0;
  std::uint64_t reported_pairs = 0;
  std::uint64_t true_positives = 0;
  std::uint64_t false_negatives = 0;
  std::uint64_t false_positives_lenient = 0;
  std::uint64_t false_positives_strict = 0;
  Rates lenient;
  Rates strict;
};

struct CurvePoint {
  double threshold = 0;
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};

// Figures over all thresholds down to AlgorithmEvaluation::min_score.
struct ThresholdSweep {
  double average_precision = 0;
  CurvePoint best;                // the highest threshold with the best F1; F1 is 0 if nothing was found
  std::vector<CurvePoint> curve;  // by descending threshold, at most kCurvePointsMaximum points
};
inline constexpr std::size_t kCurvePointsMaximum = 400;

// Compares the connected components of the reported pairs with the true clusters.
struct ClusterFigures {
  std::uint64_t documents = 0;
  std::uint64_t truth_clusters = 0;
  std::uint64_t found_clusters = 0;
  double adjusted_rand = 0;
  double homogeneity = 0;
  double completeness = 0;
  double v_measure = 0;
  Rates bcubed;
  Rates pairs;
};

// Figures for one half of the clusters, with the threshold chosen on the other half.
struct HeldOutFigures {
  double threshold = 0;
  double train_f1 = 0;
  PairwiseFigures test;
  Interval test_f1;
};

// Pairs of one kind: a language, a page type or two, an edit, or a number of edits.
struct GroupFigures {
  std::string name;
  LabelCounts labelled;
  LabelCounts reported;
  std::uint64_t reported_unlabelled = 0;  // false positives in a closed world
};

struct ExamplePair {
  std::string id_a;
  std::string id_b;
  std::string label;  // "dup", "near", "topic", "diff", or "unlabelled"
  double score = 0;   // 0: below every threshold tried
  std::string edits;
};

// Processor time of all threads, in seconds.
struct AlgorithmCosts {
  double extract_seconds = 0;      // bytes to main content: shared by all algorithms of a set
  double features_seconds = 0;     // main content to words, or to paragraphs and sentences: shared, too
  double fingerprint_seconds = 0;  // the algorithm alone
  double candidates_seconds = 0;   // reading fingerprints and searching the index
  double verify_seconds = 0;
  double match_wall_seconds = 0;  // wall-clock time of candidate search and verification
  double pages_per_second = 0;    // on one processor, all of the above
  double bytes_per_page = 0;      // stored for comparison
  std::uint64_t fingerprint_bytes = 0;
  std::uint64_t memory_peak_bytes = 0;      // peak resident size while matching
  std::uint64_t memory_baseline_bytes = 0;  // resident size before the algorithm started; part of the peak
  double seconds() const {
    return extract_seconds + features_seconds + fingerprint_seconds + candidates_seconds + verify_seconds;
  }
};

struct AlgorithmEvaluation {
  std::string label;      // as requested: "simhash-64:distance_bits=3", or the change made by an ablation
  std::string name;       // in the registry
  std::string canonical;  // with all parameters, and all options that differ from their defaults
  std::string page;       // with its definition: docs/algorithms/PAGE#NAME
  AlgorithmScale scale = AlgorithmScale::kCrawl;
  bool is_beyond_scale = false;  // the set has more pages than its literature claims to handle
  double threshold = 0;          // its default
  double min_score = 0;          // pairs with lower scores were not searched for
  std::uint64_t scored_pairs = 0;
  std::uint64_t pairs_verified = 0;
  std::uint64_t pages_short = 0;  // too few features for the algorithm

  PairwiseFigures at_default;
  Interval precision;   // Wilson, 95 %
  Interval recall;      // Wilson, 95 %
  Interval lenient_f1;  // bootstrap over clusters, 95 %
  Interval strict_f1;
  ThresholdSweep lenient;
  ThresholdSweep strict;
  HeldOutFigures held_out;
  std::optional<ClusterFigures> clusters;
  std::vector<GroupFigures> by_language;
  // "news" for two pages of that type, "forum+news" for pages of two types; empty if no page has a type.
  std::vector<GroupFigures> by_page_type;
  std::vector<GroupFigures> by_edit;         // a pair with several edits counts for each of them
  std::vector<GroupFigures> by_edit_alone;   // pairs with this edit on one page and no edit on the other
  std::vector<GroupFigures> by_edit_count;   // "1 edit", "2 edits", "3 edits or more": both pages together
  std::vector<ExamplePair> misses;           // copies not reported, lowest scores first
  std::vector<ExamplePair> false_positives;  // highest scores first
  AlgorithmCosts costs;
  std::vector<std::pair<std::string, double>> analysis;  // figures specific to this algorithm, by name
};

struct SetEvaluation {
  std::string name;
  std::string path;
  bool is_closed = false;  // the labels list every pair that is not a plain `diff`
  std::uint64_t pages = 0;
  std::uint64_t pages_unreadable = 0;  // named by a record but not readable
  std::uint64_t broken_records = 0;
  LabelCounts labels;
  LabelCounts test_labels;  // in the half used for testing, on which no threshold is chosen
  std::uint64_t clusters = 0;
  std::uint64_t copy_units = 0;                 // groups of linked pages that contain copies: the bootstrap's units
  std::vector<AlgorithmEvaluation> algorithms;  // in the requested order
};

struct EvaluateOutcome {
  std::vector<SetEvaluation> sets;
  std::string memory_method;  // how memory peaks were measured
  unsigned threads = 1;
  std::uint64_t seed = 1;
  std::uint32_t bootstrap_rounds = 0;
  std::string table;        // for a terminal
  std::string report_path;  // index.html; empty without a folder
};

// Minimum number of copies, and of groups with copies, for a set's F1 to enter the means over sets. Smaller sets are
// shown, but their F1 is too uncertain to be averaged.
inline constexpr std::uint64_t kPositivesForMean = 20;
inline bool enters_mean(const SetEvaluation& set) {
  return set.labels.positives() >= kPositivesForMean && set.copy_units >= kPositivesForMean;
}

// Up to this many pages, an algorithm of scale kCollection finishes within minutes. On larger sets it runs all the same
// and its result is marked.
inline constexpr std::uint64_t kCollectionPages = 50'000;

// Errors: kInvalidArgument for options, unknown algorithms, labels that name unknown pages or are duplicate or
// contradictory, and sets without pages or labels; kNotFound and the like for inputs and output; kCancelled. After an
// error nothing is written. Broken records are counted in the sets, each with a warning.
Result<EvaluateOutcome> evaluate(const EvaluateOptions& options, const RunControl& control = {});

}  // namespace paraprint
