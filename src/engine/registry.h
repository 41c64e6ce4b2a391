// Every algorithm that can be named, once. The command line, the evaluator, the tests and the fuzzers walk these rows;
// a new algorithm is one file in its stage, one row in registry.cc, its tests, and its page in docs/algorithms/.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "extract/extractor.h"
#include "paraprint/result.h"

namespace paraprint {

struct ExtractorRow {
  std::string_view name;
  std::string_view summary;  // one line for --help and listings
  std::unique_ptr<Extractor> (*make)();
};

std::span<const ExtractorRow> extractors();

// kInvalidArgument for an unknown name; the message lists the known ones.
Result<std::unique_ptr<Extractor>> make_extractor(std::string_view name);

}  // namespace paraprint
