// Every algorithm that can be named, as data: for listings, checks and help texts.
//
// An algorithm is named by a specification: its name, and any of its parameters behind a colon, "minhash",
// "minhash:permutations=256,threshold=0.7". The same words are understood wherever an algorithm can be named.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"

namespace paraprint {

// A number with a range, or one of several named choices (its value is the index then).
struct ParameterInfo {
  std::string_view name;     // "distance_bits"
  std::string_view summary;  // one line
  double default_value = 0;
  double minimum = 0;
  double maximum = 0;
  bool is_integer = true;
  std::span<const std::string_view> choices = {};
};

// What the literature claims for an algorithm, or what its index gives.
enum class AlgorithmScale : unsigned char {
  kCrawl,       // equality or a bounded number of look-ups a page: millions of pages
  kCollection,  // work grows with how many pages share features: tens of thousands of pages
};

struct AlgorithmInfo {
  std::string_view name;
  std::string_view summary;  // one line
  std::string_view page;  // with its definition, "shingles.md": docs/algorithms/PAGE#NAME
  std::string_view index;    // how candidates are found, one line
  AlgorithmScale scale = AlgorithmScale::kCrawl;
  std::span<const ParameterInfo> parameters;
};

// In the order of the registry, the project's own method first.
std::vector<AlgorithmInfo> algorithms();

// The specification with every parameter written out in the registry's order: equal settings give equal text.
// kInvalidArgument for an unknown algorithm (the message suggests the nearest name), an unknown parameter, a value that
// is no number or out of range (the message says the range).
Result<std::string> canonical_algorithm(std::string_view specification);

}  // namespace paraprint
