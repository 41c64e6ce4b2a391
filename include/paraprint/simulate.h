// The repost simulator: real pages in, a labelled corpus of copies and look-alikes out. docs/simulator.md tells what is
// written, what each edit does and how labels are defined.
//
//   SimulateOptions options;
//   options.inputs = {"crawl/"};
//   options.folder = "simulated";
//   options.pages = 10'000;
//   Result<SimulateOutcome> outcome = simulate_corpus(options, {}, {});
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint {

// One thing that can be done to a page.
struct EditInfo {
  std::string_view name;
  std::string_view summary;
  std::string_view strength;  // what a strength means
  std::string_view label;     // what it does to the label of the pair
  double strength_least = 0;  // range that a corpus draws from unless told otherwise
  double strength_most = 0;
};
std::vector<EditInfo> edit_types();

struct SimulateOptions {
  std::vector<std::string> inputs;  // files, folders, or "-" for standard input
  ReadOptions reading;
  std::string extractor = "learned-dom";  // makes base articles of pages

  std::string folder;       // created if missing; must be empty
  std::uint64_t pages = 0;  // pages of the corpus, hard negatives included
  std::uint64_t seed = 1;   // another seed is another corpus
  std::uint64_t bases = 0;  // base articles; 0: a fifth of the pages, or as many as there are
  // "name", "name=0.3" or "name=0.1-0.5", of edit_types(); empty: all of them.
  std::vector<std::string> edits;
  int edits_per_page = 2;       // at most so many on one page, besides another template; range 1 to 8
  double template_share = 0.5;  // of copies that also get another site's template; [0, 1]
  // Share of pages made from grammars, which are alike in everything but the facts; [0, 0.9].
  double formula_share = 0.1;
  // Letters and digits of a base article. Longer articles are cut between paragraphs into several base articles.
  std::uint32_t base_characters_minimum = 400;
  std::uint32_t base_characters_maximum = 8000;
  std::uint32_t pages_per_file = 5000;  // on average
  bool write_texts = false;             // docs.jsonl also has the text that labels were measured on
  unsigned threads = 0;                 // 0: one a processor; does not change the output

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
  std::uint64_t pairs_different = 0;  // those listed: every pair that is not listed is different, too
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;
};

// Writes the corpus. `complain` gets a line for each broken record. The same inputs and options give the same bytes,
// whatever the number of threads. Memory: 2 to 4 KB a usable base article, and a few pages a
// thread; articles wait in a nameless file in `folder`.
//
// Errors: kInvalidArgument (options, an output folder that isn't empty, no usable base article, fewer pages than base
// articles, fewer base articles than asked for), kUnsupported (OpenCC's data are missing), and those of reading and
// writing. After an error the folder holds nothing of the corpus.
Result<SimulateOutcome> simulate_corpus(const SimulateOptions& options, const ProgressCallback& progress,
                                        const std::function<void(std::string_view)>& complain);

}  // namespace paraprint
