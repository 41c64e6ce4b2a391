// Locates the parts of a labelled set: pages, labels, clusters, set.json.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "archive/input_files.h"
#include "paraprint/evaluate.h"

namespace paraprint::inline lab::inline evaluation {

struct LabelledSetFiles {
  std::string name;
  std::string path;
  std::vector<InputFile> pages;
  std::string labels;
  std::string clusters;   // may be empty
  std::string details;    // labels_detail.tsv[.gz]; may be empty
  std::string documents;  // docs.jsonl[.gz], which may name languages; may be empty
  std::string world;      // "open" or "closed"; empty if neither the options nor set.json specify it
};

// Locates every set in the options before any page is read. Errors: kNotFound for a path that is not a directory;
// kInvalidArgument for a directory without labels or pages, or a malformed set.json; those of expand_inputs.
Result<std::vector<LabelledSetFiles>> find_labelled_sets(const EvaluateOptions& options);

// The field "lang" of each document that has one, by id. Unreadable documents are skipped, because languages only break
// down the figures.
std::unordered_map<std::string, std::string> read_languages(const LabelledSetFiles& set, const ReadOptions& reading);

}  // namespace paraprint::inline lab::inline evaluation
