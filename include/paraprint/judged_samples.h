// Evaluates algorithms on pages without labels: draws a sample of the pairs that they find for people to judge, and
// estimates precision and recall from the judgements. docs/evaluation.md explains the method, and
// docs/formats/judgements.md the files.
//
// Example:
//
//   EvaluateOptions options;
//   options.inputs.pages = {"crawl.warc.gz"};
//   options.algorithms = {"paragraph", "simhash-64"};
//   options.out = "judging";
//   Result<DrawnSample> drawn = draw_sample(options, 200);   // then people fill in judging/sample.jsonl
//
//   JudgementOptions judged;
//   judged.files = {"judging/sample.jsonl"};
//   Result<JudgedEvaluation> evaluation = evaluate_judgements(judged);
//
// Both are identical on every run, whatever the number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "paraprint/evaluate.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

// Few pairs say nothing about strata; many are not judged by anyone, and their texts are held in memory while the
// sample is written.
inline constexpr std::uint32_t kSamplePairsMinimum = 10;
inline constexpr std::uint32_t kSamplePairsMaximum = 10'000;
// Which algorithms found a pair is a set of bits.
inline constexpr std::size_t kSampledAlgorithmsMaximum = 64;
// Longer texts are cut in the sample: nobody compares more.
inline constexpr std::size_t kSampledTextBytesMaximum = std::size_t{16} << 10;

// What the command line and Python's evaluate() have in addition to EvaluateOptions.
struct SampleOptions {
  std::uint32_t sample = 0;             // draw this many pairs; 0: none
  std::vector<std::string> judgements;  // evaluate these files instead of reading pages
};

struct DrawnSample {
  std::string sample;              // identity
  std::string path;                // sample.jsonl
  std::string pages_path;          // pairs/1.html: the same pairs, to read in a browser
  std::uint64_t pairs = 0;         // drawn
  std::uint64_t pooled_pairs = 0;  // that they were drawn from
  std::string table;               // for a terminal
};

// Runs options.algorithms (and sweep, ablation) on one set of pages, options.inputs.pages or a folder in options.sets,
// whose labels are not read, and writes options.out/sample.jsonl and options.out/pairs/. The same pages give the same
// sample in any order, unless ids repeat. Errors: kInvalidArgument for options, a missing folder, more or fewer than
// one set, and pages without pairs; kLimitExceeded if the algorithms find too many pairs to be sorted; those of
// evaluate().
Result<DrawnSample> draw_sample(const EvaluateOptions& options, std::uint32_t pairs, const RunControl& control = {});

// ---------------------------------------------------------------------------------------------------------------------
// Figures

struct JudgementOptions {
  std::vector<std::string> files;  // JSON lines, plain or compressed; at least one with the head of the sample
  std::uint32_t show = 10;         // disputed pairs in the terminal table
  std::string out;                 // for results.json, results.csv and the report; empty: nothing is written

  Status validate() const;
};

struct JudgedShare {
  bool is_known = false;  // false: nothing to take a share of
  double estimate = 0;
  Interval interval = {0, 1};  // 95 %
};

struct JudgedAlgorithm {
  std::string label;
  std::string canonical;  // with all parameters
  double threshold = 0;
  std::uint64_t pairs = 0;          // that it finds, known exactly
  std::uint64_t judged_pairs = 0;   // of these, with a decision
  std::uint64_t judged_copies = 0;  // of these
  JudgedShare precision;
  JudgedShare pooled_recall;  // of the copies that any of the algorithms finds
  JudgedShare recall;         // of those and the copies among pairs that were scored, but below every threshold
};

struct JudgedStratum {
  std::string found_by;  // "paragraph + minhash", "none", or "various" for a group of small strata
  std::string band;      // "low", "middle", "high"
  std::uint64_t pairs = 0;
  std::uint64_t sampled = 0;
  std::uint64_t judged = 0;  // with a decision
  std::uint64_t copies = 0;
};

struct JudgeFigures {
  std::string name;
  std::uint64_t copies = 0;
  std::uint64_t different = 0;
  std::uint64_t unsure = 0;
  std::uint64_t revised = 0;  // lines that a later line of the same judge replaces
};

struct JudgeAgreement {
  std::string judge_a;
  std::string judge_b;
  std::uint64_t pairs = 0;      // that both judged, as "?" too
  std::uint64_t agreed = 0;     // likewise
  std::optional<double> kappa;  // Cohen's; missing if both always said the same one thing, or judged no pair
};

struct DisputedPair {
  std::uint64_t pair = 0;  // number in the sample
  std::string id_a;
  std::string id_b;
  std::vector<std::string> votes;  // "alice: y"
  std::string decision;            // "y", "n", or "?" for a tie
};

struct JudgedEvaluation {
  std::string sample;  // identity
  std::uint64_t pages = 0;
  std::uint64_t equal_texts = 0;   // pages whose text another page has; such pairs are not sampled
  std::uint64_t pooled_pairs = 0;  // of different texts, scored by any algorithm
  std::uint64_t sampled = 0;
  std::uint64_t decided = 0;
  std::uint64_t undecided = 0;       // judged, but "?" by all, or a tie
  std::uint64_t unjudged = 0;        // including pairs whose line is missing
  std::uint64_t missing = 0;         // of these: in none of the files
  std::uint64_t unusable_lines = 0;  // each with a warning
  std::uint64_t disputed_pairs = 0;  // judges disagree; the first are in `disputed`
  std::uint64_t pairs_borrowed = 0;  // in strata without any decision: assumed to be like the nearest stratum
  std::vector<JudgedAlgorithm> algorithms;
  std::vector<JudgedStratum> strata;
  std::vector<JudgeFigures> judges;
  std::vector<JudgeAgreement> agreement;
  std::vector<DisputedPair> disputed;
  std::string json;         // what results.json contains
  std::string table;        // for a terminal
  std::string report_path;  // index.html; empty without a folder
};

// Lines that cannot be used are skipped, counted, and named in a warning with file and line. Errors: kInvalidArgument
// for files of different samples, without a sample's head, or without any judgement; those of reading and writing.
Result<JudgedEvaluation> evaluate_judgements(const JudgementOptions& options, const RunControl& control = {});

}  // namespace paraprint
