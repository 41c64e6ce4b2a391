#include "fingerprint/keywords.h"

#include <algorithm>

namespace paraprint {

void select_keywords(const PageTerms& terms, KeywordWeighting weighting, std::size_t limit,
                     std::vector<Keyword>& keywords) {
  keywords.clear();
  for (std::uint32_t i = 0; i < terms.terms.size(); ++i) {
    const Term& term = terms.terms[i];
    if (term.is_stop_word || term.count == 0) continue;
    const double idf = weighting == KeywordWeighting::kCount ? 1.0 : static_cast<double>(term.idf);
    keywords.push_back({i, term.count * idf});
  }
  const auto before = [&](const Keyword& a, const Keyword& b) {
    if (a.weight != b.weight) return a.weight > b.weight;
    return terms.bytes_of_token(a.term) < terms.bytes_of_token(b.term);
  };
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

}  // namespace paraprint
