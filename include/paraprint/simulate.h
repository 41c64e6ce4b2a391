// The repost simulator: turns real pages into a labelled corpus of copies and look-alikes. docs/simulator.md describes
// the output, the edits and the definition of the labels.
//
// Example:
//
//   SimulateOptions options;
//   options.inputs = {"crawl/"};
//   options.out = "simulated";
//   options.pages = 10'000;
//   Result<SimulateOutcome> outcome = simulate_corpus(options);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

// A type of edit that can be applied to a page.
struct EditInfo {
  std::string_view name;
  std::string_view summary;
  std::string_view strength;  // the meaning of its strength
  std::string_view label;     // its effect on the label of the pair
  double strength_least = 0;  // default range that strengths are drawn from
  double strength_most = 0;
};
std::vector<EditInfo> edit_types();

struct SimulateOptions {
  std::vector<std::string> inputs;  // files, folders, or "-" for standard input
  ReadOptions reading;
  std::string extractor = "learned-dom";  // extracts the base articles

  std::string out;          // created if missing; must be empty
  std::uint64_t pages = 0;  // pages of the corpus, including hard negatives
  std::uint64_t seed = 1;   // each seed gives a different corpus
  std::uint64_t bases = 0;  // base articles; 0: a fifth of the pages, or all there are if fewer
  // "name", "name=0.3" or "name=0.1-0.5", with names of edit_types(); empty: all edits.
  std::vector<std::string> edits;
  int edits_per_page = 2;       // maximum per page, in addition to a change of template; range 1 to 8
  double template_share = 0.5;  // share of copies that also get another site's template; range [0, 1]
  // Share of pages generated from grammars, which differ only in their facts; range [0, 0.9].
  double formula_share = 0.1;
  // Share of the copies that are made from another copy instead of the original; range [0, 1].
  double chain_share = 0;
  // Share of the pages of articles that state when they were published, and of the copies that state what they were
  // copied from; range [0, 1]. If one of the three is above 0, copies.tsv has the truth.
  double dated_share = 0;
  double sourced_share = 0;
  // Letters and digits per base article. Longer articles are split between paragraphs into several base articles.
  std::uint32_t min_characters = 400;
  std::uint32_t max_characters = 8000;
  std::uint32_t pages_per_file = 5000;  // on average
  bool texts = false;                   // also write the text that labels were computed from to docs.jsonl
  unsigned threads = 0;                 // 0: one per processor; does not change the output

  Status validate() const;
};

struct SimulateOutcome {
  std::uint64_t pages_read = 0;
  std::uint64_t bases_usable = 0;
  std::uint64_t bases_used = 0;
  std::uint64_t pages = 0;
  std::uint64_t pairs_duplicate = 0;
  std::uint64_t pairs_near = 0;
  std::uint64_t pairs_topic = 0;
  std::uint64_t pairs_different = 0;  // listed pairs only; every unlisted pair is different as well
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;
};

// Writes the corpus. Warnings: one per broken record. The same inputs and options give the same bytes for
// any number of threads. Memory: 2 to 4 KB per usable base article and a few pages per thread; the articles are spooled
// to an unnamed file in `folder`.
//
// Errors: kInvalidArgument (options, an output folder that is not empty, no usable base article, fewer pages than base
// articles, fewer base articles than requested), kUnsupported (OpenCC's data is missing), and those of reading and
// writing; kCancelled. After an error, `folder` contains no part of the corpus.
Result<SimulateOutcome> simulate_corpus(const SimulateOptions& options, const RunControl& control = {});

}  // namespace paraprint
