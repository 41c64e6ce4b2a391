// Where the parts of a labelled set are: pages, labels, clusters, what set.json says.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "archive/input_files.h"
#include "paraprint/evaluate.h"

namespace paraprint {

struct LabelledSetFiles {
  std::string name;
  std::string path;
  std::vector<InputFile> pages;
  std::string labels;
  std::string clusters;   // may be empty
  std::string details;    // labels_detail.tsv[.gz]; may be empty
  std::string documents;  // docs.jsonl[.gz], which may name languages; may be empty
  std::string world;      // "open" or "closed"; empty where nobody says
};

// Every set of the options, found before anything is read. Errors: kInvalidArgument for a folder without labels or
// pages, or a set.json that is none; those of expand_inputs.
Result<std::vector<LabelledSetFiles>> find_labelled_sets(const EvaluateOptions& options);

// The field "lang" of each document that has one, by id. What can't be read is left out: languages only divide figures.
std::unordered_map<std::string, std::string> read_languages(const LabelledSetFiles& set, const ReadOptions& reading);

}  // namespace paraprint
