// Keywords of a page: its words without stop words, heaviest first, and operations on such lists that several methods
// share (docs/algorithms/keywords.md, digests.md, tianwang.md). Pure functions; buffers belong to the caller.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/small_set.h"
#include "paraprint/page_fingerprint.h"
#include "text/terms.h"

namespace paraprint::inline lab::inline signatures {

enum class KeywordWeighting : std::uint8_t {
  kCount,     // tf
  kCountIdf,  // tf * idf
};
inline constexpr std::array<std::string_view, 2> kKeywordWeightingNames = {"tf", "tfidf"};

struct Keyword {
  std::uint32_t term = 0;  // index in PageTerms::terms
  double weight = 0;
};

// Replaces `keywords` with at most `limit` words of the text, without stop words, by descending weight, ties by
// ascending bytes. O(words + limit * log limit).
void select_keywords(const PageTerms& terms, KeywordWeighting weighting, std::size_t limit,
                     std::vector<Keyword>& keywords);

// Con() of the definitions: joins a list into one text with U+001F between pieces, so that ab|c differs from a|bc.
inline void append_joined(std::string_view piece, std::string& text) {
  constexpr char kUnitSeparator = '\x1F';
  if (!text.empty()) text += kUnitSeparator;
  text += piece;
}

// Distinct keys with their weights. Both spans have the same length.
struct WeightVector {
  std::span<const std::uint64_t> keys;
  std::span<const float> weights;
};

// SIM of the Tianwang rules: |a - b|^2 / (|a|^2 + |b|^2) over the union of the keys, missing weights being 0
// (docs/algorithms/tianwang.md). For non-negative weights it lies in [0, 1]: 0 for equal vectors, 1 for orthogonal ones
// and for two zero vectors. 1 - SIM is the Dice coefficient. Keys may be in any order; O(|a| * |b|), meant for the
// short lists of keywords.
double weight_distance(const WeightVector& a, const WeightVector& b);

// Appends the hashes of the keywords to `values`, ascending, and their weights to `weights`. Sorts `keywords` by hash.
void set_sorted_weights(const PageTerms& terms, std::vector<Keyword>& keywords, PageFingerprint& fingerprint);

double squared_norm(std::span<const float> weights);

// Replaces `set` by keywords whose parts are their squared weights: two with a cosine of at least t have a share t^2 of
// the parts of each in common (Cauchy and Schwarz). `weights` may be longer than `values`.
void set_squared_parts(std::span<const std::uint64_t> values, std::span<const float> weights, SmallSet& set);

// Calls visit(weight in a, weight in b) for each common key of two vectors with ascending keys. O(a + b).
template <class Visit>
void for_each_common(const WeightVector& a, const WeightVector& b, const Visit& visit) {
  for (std::size_t i = 0, j = 0; i < a.keys.size() && j < b.keys.size();) {
    const std::uint64_t key_a = a.keys[i];
    const std::uint64_t key_b = b.keys[j];
    if (key_a == key_b) visit(static_cast<double>(a.weights[i]), static_cast<double>(b.weights[j]));
    i += key_a <= key_b ? 1 : 0;
    j += key_b <= key_a ? 1 : 0;
  }
}

// The cosine of two vectors with ascending keys; 0 if either has norm 0.
double cosine_of_sorted(const WeightVector& a, const WeightVector& b);

}  // namespace paraprint::inline lab::inline signatures
