// Locates the parts of a labelled set: pages, labels, clusters, set.json.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "archive/input_files.h"
#include "lab/evaluate/gold_pages.h"
#include "paraprint/evaluate.h"

namespace paraprint::inline lab::inline evaluation {

struct LabelledSetFiles {
  std::string name;
  std::string path;
  std::vector<InputFile> pages;
  std::string labels;
  std::string clusters;   // may be empty
  std::string details;    // labels_detail.tsv[.gz]; may be empty
  std::string documents;  // docs.jsonl[.gz], which may have languages and types; may be empty
  std::string world;      // "open" or "closed"; empty if neither the options nor set.json specify it
};

// Locates every set in the options before any page is read. Errors: kNotFound for a path that is not a directory;
// kInvalidArgument for a directory without labels or pages, or a malformed set.json; those of expand_inputs.
Result<std::vector<LabelledSetFiles>> find_labelled_sets(const EvaluateOptions& options);

// The language and type of each page that has one in docs.jsonl, or in the JSON lines that the pages are read from, by
// id. Unreadable lines are skipped, because both only break down the figures.
std::unordered_map<std::string, PageLabels> read_page_labels(const LabelledSetFiles& set, const ReadOptions& reading);

}  // namespace paraprint::inline lab::inline evaluation
