// The catalogue of algorithms as data, for listings, validation and help texts.
//
// An algorithm is selected by a specification: its name, optionally followed by a colon and parameters, such as
// "minhash" or "minhash:permutations=256,threshold=0.7". Every option that names an algorithm accepts this syntax.
// Thread-safe; returned views refer to static data.
//
// Example:
//
//   Result<std::string> canonical = canonical_algorithm("minhash:permutations=256");
//   if (!canonical) return;           // canonical.error().message says what is wrong with the specification
//   std::string stored = *canonical;  // with every parameter written out
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"

namespace paraprint {

// A number with a range, or one of several named choices, in which case the value is the index of the choice.
struct ParameterInfo {
  std::string_view name;     // "distance_bits"
  std::string_view summary;  // one line
  double default_value = 0;
  double minimum = 0;
  double maximum = 0;
  bool is_integer = true;
  std::span<const std::string_view> choices = {};
  // Whether the complete specification of an algorithm, which is stored with its fingerprints, names the default too.
  // False for parameters that were added later, so that what was stored before is still recognised.
  bool is_always_named = true;
};

// The collection size an algorithm is suited to, according to its literature or the complexity of its index.
enum class AlgorithmScale : unsigned char {
  kCrawl,       // equality or a bounded number of lookups per page: millions of pages
  kCollection,  // cost grows with the number of pages that share features: tens of thousands of pages
};

struct AlgorithmInfo {
  std::string_view name;
  std::string_view summary;  // one line
  std::string_view page;     // with its definition, "shingles.md": docs/algorithms/PAGE#NAME
  std::string_view index;    // how candidates are found, one line
  AlgorithmScale scale = AlgorithmScale::kCrawl;
  std::span<const ParameterInfo> parameters;
};

// In the order of the registry, the project's own method first.
std::vector<AlgorithmInfo> algorithms();

// For listings: "crawl", "collection"; the default of a parameter, and what it may be: "1 to 64", or "md5, sha1".
std::string_view scale_name(AlgorithmScale scale);
std::string default_text(const ParameterInfo& parameter);
std::string range_text(const ParameterInfo& parameter);
// All algorithms as a JSON array without a trailing newline, as printed by `paraprint algorithms --json`.
std::string algorithms_json();

// The specification with every parameter written out in registry order, so equal settings give equal text.
// Errors: kInvalidArgument for an unknown algorithm (the message suggests the nearest name), an unknown parameter, or a
// value that is not a number or is out of range (the message gives the range).
Result<std::string> canonical_algorithm(std::string_view specification);

}  // namespace paraprint
