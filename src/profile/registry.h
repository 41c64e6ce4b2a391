// Every extractor and algorithm that can be named, once. The command line, the evaluator, the tests and the fuzzers
// walk these rows. The core has the paragraph method; the classic ones are rows of src/lab/algorithms.cc, which
// enable_laboratory() adds. A new algorithm is one file, one row there, its tests, and its part of a page in
// docs/algorithms/.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "extract/extractor.h"
#include "fingerprint/page_fingerprinter.h"
#include "paraprint/algorithms.h"
#include "paraprint/result.h"
#include "profile/fingerprint_search.h"

namespace paraprint::inline profile {

struct ExtractorRow {
  std::string_view name;
  std::string_view summary;  // one line for --help and listings
  std::unique_ptr<Extractor> (*make)();
};

std::span<const ExtractorRow> extractors();

// kInvalidArgument for an unknown name; the message lists the known ones.
Result<std::unique_ptr<Extractor>> make_extractor(std::string_view name);

struct AlgorithmRow {
  std::string_view name;
  std::string_view summary;
  std::string_view page;  // in docs/algorithms/, with the definition under a heading of the algorithm's name
  std::string_view index;
  AlgorithmScale scale;
  const FingerprinterFactory* factory;  // null: the paragraph method, which is made of stages of its own
};

// The paragraph method first, then the rows of the registered library.
std::span<const AlgorithmRow> algorithm_rows();

// Algorithms from outside the core, and the search for their candidates.
struct AlgorithmLibrary {
  std::span<const AlgorithmRow> rows;
  FindFingerprintCandidates* find_candidates;
};

// Not thread-safe: see paraprint/extensions.h. A second call has no effect.
void register_algorithms(const AlgorithmLibrary& library);

// Requires a registered library; algorithms that need it come from one.
FindFingerprintCandidates* fingerprint_candidate_search();

// A parsed specification (paraprint/algorithms.h).
struct AlgorithmChoice {
  const AlgorithmRow* row = nullptr;
  std::vector<double> values;  // of all parameters
  std::string canonical;

  bool is_paragraph_method() const { return row->factory == nullptr; }
  bool reads_paragraphs() const { return is_paragraph_method() || make()->reads_paragraphs(); }
  // Requires an algorithm other than the paragraph method.
  std::unique_ptr<PageFingerprinter> make() const {
    return row->factory->make(ParameterValues(row->factory->parameters, values));
  }
};

// Errors: those of canonical_algorithm().
Result<AlgorithmChoice> choose_algorithm(std::string_view specification);

}  // namespace paraprint::inline profile
