// Finds the items of benchmarks in the documents of a corpus: questions and passages that a model must not have seen.
//
// Example:
//
//   ContaminationOptions options;
//   options.inputs = {"corpus/"};
//   options.against = {"benchmark.jsonl"};
//   options.out = "contamination";
//   Result<ContaminationOutcome> outcome = find_contamination(options);
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/options.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

// Of these fields of a benchmark's line, the first that exists is an item unless options name others.
inline constexpr std::string_view kUsualItemFields[] = {"text",  "question", "problem", "prompt",
                                                        "query", "passage",  "content"};

struct ContaminationOptions {
  std::vector<std::string> inputs;   // the corpus: files, folders, or "-" for standard input
  std::vector<std::string> against;  // benchmarks, in any format that inputs may have
  std::string out;                   // output folder
  // JSON lines of benchmarks: the fields that are an item together. Their values are strings, or lists and objects of
  // these. Empty: the first that exists of kUsualItemFields.
  std::vector<std::string> item_fields;
  // Share of an item's words, weighted by how rare they are, that a document must have to hold the item as a whole.
  // Range (0, 1].
  double whole = 0.8;
  // The score from which a passage that an item and a document have in common is no accident: the weight of its words,
  // less half a point for each word between them that is not common. About ten words with content; a passage of an item
  // of more than 40 words needs 3 more for each time that the length doubles. Range [1, 10,000].
  double passage_score = 18;
  // A part that consists of passages which more documents than this have, none of them the whole item, is not reported:
  // they are licences, idioms and quotations that the item has as well. Documents that are copies of each other count
  // each; remove copies first. 0: no limit. Range [0, 1,000,000].
  std::uint32_t passage_documents = 10;
  // Write the documents that hold no item, in the format of the input. A document with a part only stays if
  // `keep_parts` is set.
  bool records = false;
  bool keep_parts = false;
  bool report = true;  // report.html
  // What the output calls files of `inputs` and `against`, by their paths, if that is not the path: for callers that
  // make such a file of another one.
  std::map<std::string, std::string> shown_names;
  ReadOptions reading;
  // How documents and items become text; of this, only the extractor and fold_traditional are used.
  ProfileOptions profile;
  ResourceOptions resources;

  Status validate() const;
};

// Summary of a finished run; everything else is in the output folder.
struct ContaminationOutcome {
  std::uint64_t documents = 0;
  std::uint64_t documents_exact = 0;   // that hold an item word for word
  std::uint64_t documents_whole = 0;   // of the others, those that hold one with edits
  std::uint64_t documents_part = 0;    // of the others, those that hold a part of one
  std::uint64_t items = 0;             // of all benchmarks
  std::uint64_t items_too_short = 0;   // not looked for
  std::uint64_t items_found = 0;       // exactly or as a whole, in any document
  std::uint64_t items_found_part = 0;  // of the others, those of which a part was found
  std::uint64_t common_finds = 0;      // parts not reported because of passage_documents
  std::uint64_t broken_records = 0;    // of corpus and benchmarks; counted in summary.json under "broken"
  std::uint64_t unreadable_inputs = 0;
  std::vector<std::string> unreadable_reasons;
};

// Writes contaminated.jsonl (each document with each item that it holds, and where), items.jsonl (each item, and what
// holds it), summary.json, report.html and, with `records`, records/ into `options.out`
// (docs/algorithms/contamination.md).
//
// The output does not depend on threads. A killed call is repeated from the start. Errors: kInvalidArgument (options;
// benchmarks without a single item; an output folder that holds another kind of run), kNotFound and kPermissionDenied
// for inputs, kLimitExceeded for benchmarks of more than 2^31 words, kNoSpace, kInputOutput, kCancelled. Broken records
// are not errors. Memory: about 100 bytes per word of the benchmarks, and one batch of documents per thread; the
// finds move to disk when `resources.memory` is reached.
Result<ContaminationOutcome> find_contamination(const ContaminationOptions& options, const RunControl& control = {});

}  // namespace paraprint
