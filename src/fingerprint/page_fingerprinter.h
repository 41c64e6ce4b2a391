// The interface of the page-level algorithms: a page becomes one fingerprint, two fingerprints become a similarity, and
// an index finds the pairs worth comparing.
//
// One algorithm is one file with a hidden class, its parameters and a FingerprinterFactory, declared in
// fingerprinters.h and listed once in engine/registry.cc. An algorithm knows nothing of files, threads or thresholds of
// others.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "base/short_page.h"
#include "paraprint/algorithms.h"
#include "paraprint/model.h"
#include "paraprint/page_fingerprint.h"
#include "paraprint/terms.h"

namespace paraprint {

// A page as the algorithms may look at it. All of it belongs to the same page and outlives the call.
struct FingerprinterInput {
  const Page& page;        // the bytes as they were fetched
  const PageTerms& terms;  // without words unless the algorithm reads_words()
  const Profile& profile;  // its paragraphs, if the algorithm reads_paragraphs()
};

// In [0, 1], higher is more alike. Algorithms without a notion of containment leave it 0.
struct FingerprintSimilarity {
  double resemblance = 0;
  double containment_a = 0;  // share of a that stands in b
  double containment_b = 0;
};

// How the pairs worth comparing are found, for index/ and engine/fingerprint_candidates.h.
enum class FingerprintIndex : std::uint8_t {
  kEqualKeys,   // pages that share at least `common_keys_minimum` of their index_keys()
  kHamming64,   // values[0] within `distance_bits`, exact (Manku et al.)
  kHamming128,  // values[0], values[1] (high, low) within `distance_bits`, exact
  kHammingAny,  // some of index_fingerprints() within `distance_bits`, exact
  kSetOverlap,  // values, sorted and distinct, as sets: `measure` at least `similarity_minimum`, exact (prefix filter)
  kRelativeFrequency,  // values as weighted sets: one in the other in similar numbers, exact
  kPrefixForest,       // values as hash sequences: longest common prefixes in several trees (LSH forest)
};
enum class SetMeasure : std::uint8_t {
  kJaccard,
  kContainment,      // of the smaller set
  kCosine,           // of `weights`
  kWeightedJaccard,  // of `weights`, which are counts: sum of the smaller / sum of the larger (SpotSigs)
};
struct IndexPlan {
  FingerprintIndex index = FingerprintIndex::kEqualKeys;
  std::uint32_t common_keys_minimum = 1;
  int distance_bits = 0;
  std::vector<int> table_blocks = {};  // kHamming: blocks at each level of sorted tables to look up in; none: a join
  SetMeasure measure = SetMeasure::kJaccard;
  double similarity_minimum = 0;
  double closeness_limit = 0;        // kRelativeFrequency: weights a and b are close when a / b + b / a is below it
  std::uint32_t trees = 0;           // kPrefixForest: the values are as many labels of one length
  std::uint32_t neighbours = 0;      // kPrefixForest: nearest pages of each page
  std::uint32_t leading_values = 0;  // kSetOverlap: only so many first values of each set; 0: all
};

// Values of an algorithm's parameters, in the order of its ParameterInfo.
class ParameterValues {
 public:
  ParameterValues(std::span<const ParameterInfo> parameters, std::vector<double> values)
      : parameters_(parameters), values_(std::move(values)) {
    PARAPRINT_ASSERT(parameters_.size() == values_.size());
  }
  // The defaults.
  explicit ParameterValues(std::span<const ParameterInfo> parameters) : parameters_(parameters) {
    for (const ParameterInfo& parameter : parameters) values_.push_back(parameter.default_value);
  }

  double real(std::string_view name) const { return values_[index_of(name)]; }
  std::uint32_t integer(std::string_view name) const { return static_cast<std::uint32_t>(values_[index_of(name)]); }
  std::string_view choice(std::string_view name) const {
    const std::size_t index = index_of(name);
    return parameters_[index].choices[static_cast<std::size_t>(values_[index])];
  }
  // For tests and sweeps. The value must be in the parameter's range.
  void set(std::string_view name, double value) { values_[index_of(name)] = value; }
  std::span<const double> values() const { return values_; }

 private:
  std::size_t index_of(std::string_view name) const {
    std::size_t index = 0;
    while (index < parameters_.size() && parameters_[index].name != name) ++index;
    PARAPRINT_ASSERT(index < parameters_.size());
    return index;
  }
  std::span<const ParameterInfo> parameters_;
  std::vector<double> values_;
};

class PageFingerprinter {
 public:
  virtual ~PageFingerprinter() = default;

  // Fills `fingerprint.values` and `weights`, which are empty, of a page that has text. `state` is kUsable or, below
  // kShortPageCharacters, kShort: set kShort where the page has too few features for this algorithm. Holds scratch
  // memory: one instance a thread. The result depends on the page and the parameters alone.
  virtual void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) = 0;

  // Of two usable fingerprints, after prepare(). Symmetric but for the two containments, which swap. Thread-safe.
  virtual FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const = 0;

  // Pages are copies when their resemblance is at least this.
  virtual double threshold() const = 0;

  // The lowest resemblance that a sweep of thresholds looks at: far enough below threshold() to show the curve, high
  // enough for the index to stay selective.
  virtual double sweep_minimum() const { return threshold() / 2; }

  // An index whose candidates hold every pair of at least this resemblance, or as many of them as the algorithm
  // promises.
  virtual IndexPlan index_plan(double resemblance_minimum) const = 0;

  // kEqualKeys: appends the keys of a usable fingerprint. By default its values.
  virtual void index_keys(const PageFingerprint& fingerprint, const IndexPlan& plan,
                          std::vector<std::uint64_t>& keys) const {
    static_cast<void>(plan);
    keys.insert(keys.end(), fingerprint.values.begin(), fingerprint.values.end());
  }

  // kHammingAny: appends what pages with something near in common have near each other.
  virtual void index_fingerprints(const PageFingerprint& fingerprint, std::vector<Fingerprint128>& fingerprints) const {
    static_cast<void>(fingerprint);
    static_cast<void>(fingerprints);
  }

  // What needs to know all pages of a comparison (values that too many pages share): changes them in place, once,
  // before any similarity. Independent of their order.
  virtual void prepare(std::span<PageFingerprint> fingerprints) const { static_cast<void>(fingerprints); }

  // What of a page fingerprint() looks at, beside the bytes and the normalised text: the rest need not be made.
  virtual bool reads_words() const { return true; }
  virtual bool reads_paragraphs() const { return false; }

  // Algorithms over the bytes as fetched: neither SHORT nor EMPTY pages exist for them, and equal text proves nothing.
  virtual bool compares_raw_bytes() const { return false; }
};

// Replaces `fingerprint` by that of the page, its state by algorithms.md 0.5 unless the algorithm compares bytes.
void make_page_fingerprint(PageFingerprinter& fingerprinter, const FingerprinterInput& page,
                           PageFingerprint& fingerprint);

// algorithms.md 0.5 around an algorithm: EMPTY pages are like nothing, SHORT ones only like pages of equal text.
FingerprintSimilarity similarity_of(const PageFingerprinter& fingerprinter, const PageFingerprint& a,
                                    const PageFingerprint& b);

// What an algorithm's file gives to the registry.
struct FingerprinterFactory {
  std::span<const ParameterInfo> parameters;
  std::unique_ptr<PageFingerprinter> (*make)(const ParameterValues& values) = nullptr;
};

}  // namespace paraprint
