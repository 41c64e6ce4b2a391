// Selection needs a total order: ties in weight are frequent (most words occur once or twice) and are broken by bytes,
// so that equal texts give equal keywords whatever the order of their words.
#include "lab/signatures/keywords.h"

#include <algorithm>
#include <cmath>

namespace paraprint::inline lab::inline signatures {

void select_keywords(const PageTerms& terms, KeywordWeighting weighting, std::size_t limit,
                     std::vector<Keyword>& keywords) {
  keywords.clear();
  for (std::uint32_t i = 0; i < terms.terms.size(); ++i) {
    const Term& term = terms.terms[i];
    if (term.is_stop_word || term.count == 0) continue;  // count 0: occurs in the title only
    const double idf = weighting == KeywordWeighting::kCount ? 1.0 : static_cast<double>(term.idf);
    keywords.push_back({i, term.count * idf});
  }
  const auto before = [&](const Keyword& a, const Keyword& b) {
    if (a.weight != b.weight) return a.weight > b.weight;
    return terms.bytes_of_token(a.term) < terms.bytes_of_token(b.term);
  };
  // Selects before sorting: pages have hundreds of distinct words and few keywords.
  if (keywords.size() > limit) {
    std::nth_element(keywords.begin(), keywords.begin() + static_cast<std::ptrdiff_t>(limit), keywords.end(), before);
    keywords.resize(limit);
  }
  std::sort(keywords.begin(), keywords.end(), before);
}

namespace {

float weight_of(const WeightVector& vector, std::uint64_t key) {
  const auto found = std::find(vector.keys.begin(), vector.keys.end(), key);
  return found == vector.keys.end() ? 0 : vector.weights[static_cast<std::size_t>(found - vector.keys.begin())];
}

double squared(float value) {
  return static_cast<double>(value) * static_cast<double>(value);
}

}  // namespace

double weight_distance(const WeightVector& a, const WeightVector& b) {
  double norms = 0;
  double difference = 0;
  for (std::size_t i = 0; i < a.keys.size(); ++i) {
    norms += squared(a.weights[i]);
    difference += squared(a.weights[i] - weight_of(b, a.keys[i]));
  }
  for (std::size_t i = 0; i < b.keys.size(); ++i) {
    norms += squared(b.weights[i]);
    if (std::find(a.keys.begin(), a.keys.end(), b.keys[i]) == a.keys.end()) difference += squared(b.weights[i]);
  }
  return norms == 0 ? 1 : std::min(1.0, difference / norms);
}

void set_sorted_weights(const PageTerms& terms, std::vector<Keyword>& keywords, PageFingerprint& fingerprint) {
  const auto hash_of = [&](const Keyword& keyword) { return terms.terms[keyword.term].hash; };
  std::sort(keywords.begin(), keywords.end(),
            [&](const Keyword& a, const Keyword& b) { return hash_of(a) < hash_of(b); });
  for (const Keyword& keyword : keywords) {
    fingerprint.values.push_back(hash_of(keyword));
    fingerprint.weights.push_back(static_cast<float>(keyword.weight));
  }
}

double squared_norm(std::span<const float> weights) {
  double sum = 0;
  for (const float weight : weights) sum += squared(weight);
  return sum;
}

void set_squared_parts(std::span<const std::uint64_t> values, std::span<const float> weights, SmallSet& set) {
  set.values.assign(values.begin(), values.end());
  set.parts.clear();
  for (const float weight : weights.first(values.size())) {
    set.parts.push_back(static_cast<double>(weight) * static_cast<double>(weight));
  }
}

double cosine_of_sorted(const WeightVector& a, const WeightVector& b) {
  double product = 0;
  for_each_common(a, b, [&](double in_a, double in_b) { product += in_a * in_b; });
  const double norms = squared_norm(a.weights) * squared_norm(b.weights);
  return norms == 0 ? 0 : std::min(1.0, product / std::sqrt(norms));
}

}  // namespace paraprint::inline lab::inline signatures
