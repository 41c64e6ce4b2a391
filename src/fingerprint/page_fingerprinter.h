// The interface of the page-level algorithms: a page becomes one fingerprint, two fingerprints have a similarity, and
// an index finds the pairs worth comparing.
//
// Each algorithm is one file with a hidden class, its parameters and a FingerprinterFactory, which is declared in
// lab/fingerprinters.h and listed in lab/algorithms.cc. Algorithms know nothing about files, threads or each other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/assert.h"
#include "base/short_page.h"
#include "fingerprint/small_set.h"
#include "paraprint/algorithms.h"
#include "paraprint/model.h"
#include "paraprint/page_fingerprint.h"
#include "text/terms.h"

namespace paraprint::inline fingerprint {

// The inputs of an algorithm. All of them describe the same page and outlive the call.
struct FingerprinterInput {
  const Page& page;        // the bytes as fetched
  const PageTerms& terms;  // has no words unless the algorithm reads_words()
  const Profile& profile;  // has paragraphs only if the algorithm reads_paragraphs()
};

// All in [0, 1]; higher is more similar. A symmetric measure, which cannot tell the part from the whole, leaves both
// containments 0: pages are removed by them.
struct FingerprintSimilarity {
  double resemblance = 0;
  double containment_a = 0;  // share of a that occurs in b
  double containment_b = 0;
};

// How candidate pairs are found: one struct for each index, carried out by lab/joins/fingerprint_candidates.h.

// Pages that share at least `common_keys_minimum` of their index_keys(), which are to find every pair with a
// resemblance of at least `resemblance_minimum`, or within `distance_bits` if the algorithm counts differing bits.
struct EqualKeysPlan {
  std::uint32_t common_keys_minimum = 1;
  double resemblance_minimum = 0;
  int distance_bits = 0;
};

// The first `width_bits` bits of the values within `distance_bits`, exact (Manku et al.).
struct HammingPlan {
  int width_bits = 64;  // 64: values[0]; 128: values[0], values[1] (high, low)
  int distance_bits = 0;
  std::vector<int> table_blocks = {};  // blocks at each level of sorted tables; empty: a join
  bool compresses_tables = false;
};

// Any two of their index_fingerprints() within `distance_bits`, exact.
struct HammingAnyPlan {
  int distance_bits = 0;
};

enum class SetMeasure : std::uint8_t {
  kJaccard,
  kContainment,      // of the smaller set in the larger
  kCosine,           // of `weights`
  kWeightedJaccard,  // of `weights`, which are counts: sum of the smaller / sum of the larger (SpotSigs)
};

// Values, sorted and distinct, as sets: `measure` at least `similarity_minimum`, exact (prefix filter).
struct SetOverlapPlan {
  SetMeasure measure = SetMeasure::kJaccard;
  double similarity_minimum = 0;
  std::uint32_t leading_values = 0;  // use only the first values of each set; 0: all
};

// Values as weighted sets: one contained in the other, to `similarity_minimum`, with close weights, exact.
struct RelativeFrequencyPlan {
  double similarity_minimum = 0;
  double closeness_limit = 0;  // weights a and b are close if a / b + b / a is less than this
};

// Values as hash sequences: longest common prefixes in several trees (LSH forest).
struct PrefixForestPlan {
  std::uint32_t trees = 0;       // the values are this many labels of equal length
  std::uint32_t neighbours = 0;  // number of nearest pages of each page
};

using IndexPlan =
    std::variant<EqualKeysPlan, HammingPlan, HammingAnyPlan, SetOverlapPlan, RelativeFrequencyPlan, PrefixForestPlan>;

// Values of an algorithm's parameters, in the order of its ParameterInfo table. Accessors abort on unknown names.
class ParameterValues {
 public:
  ParameterValues(std::span<const ParameterInfo> parameters, std::vector<double> values)
      : parameters_(parameters), values_(std::move(values)) {
    PARAPRINT_ASSERT(parameters_.size() == values_.size());
  }
  // Uses the default values.
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

  // Fills the empty `fingerprint.values` and `weights` for a page that has text. On entry `state` is kUsable or, below
  // kShortPageCharacters, kShort; set it to kShort if the page has too few features for this algorithm. May use scratch
  // memory: call it on one instance per thread. The result depends on the page and the parameters only.
  virtual void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) = 0;

  // Whether a usable fingerprint has the numbers of values and weights that similarity() and index_keys() rely on. To
  // be asked about fingerprints that come from a file.
  virtual bool has_shape(const PageFingerprint& fingerprint) const = 0;

  // The similarity of two usable fingerprints, after prepare(). Symmetric, except that the two containments swap.
  // Thread-safe.
  virtual FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const = 0;

  // Pages are copies if their resemblance is at least this.
  virtual double threshold() const = 0;

  // The lowest resemblance in a sweep of thresholds: far enough below threshold() to show the curve, high enough for
  // the index to stay selective.
  virtual double sweep_minimum() const { return threshold() / 2; }

  // An index whose candidates include every pair with at least this resemblance, or the share the algorithm guarantees.
  virtual IndexPlan index_plan(double resemblance_minimum) const = 0;

  // For an EqualKeysPlan: appends the keys of a usable fingerprint; by default its values.
  virtual void index_keys(const PageFingerprint& fingerprint, const EqualKeysPlan& plan,
                          std::vector<std::uint64_t>& keys) const {
    static_cast<void>(plan);
    keys.insert(keys.end(), fingerprint.values.begin(), fingerprint.values.end());
  }

  // For a HammingAnyPlan: appends the fingerprints of which two pages must have a near pair to be candidates.
  virtual void index_fingerprints(const PageFingerprint& fingerprint, std::vector<Fingerprint128>& fingerprints) const {
    static_cast<void>(fingerprint);
    static_cast<void>(fingerprints);
  }

  // Of an algorithm whose usable fingerprints are sets of at most kSmallSetMaximum values: the share of the parts of
  // each that two sets with at least this resemblance have in common. 0: they are no such sets.
  virtual double small_set_share(double resemblance_minimum) const {
    static_cast<void>(resemblance_minimum);
    return 0;
  }
  // Replaces `set` by that of a usable fingerprint.
  virtual void small_set(const PageFingerprint& fingerprint, SmallSet& set) const {
    static_cast<void>(fingerprint);
    static_cast<void>(set);
  }

  // A summary in 128 bits that an index keeps beside the keys of a page, so that most pages that share a key with
  // another one need not be read. By default, that of a small set.
  virtual bool has_summary() const { return small_set_share(threshold()) > 0; }
  virtual Fingerprint128 summary(const PageFingerprint& fingerprint) const;
  // False only for summaries of pages whose resemblance with the asked one is below threshold(). Thread-safe.
  using SummaryFilter = std::function<bool(const Fingerprint128& summary)>;
  virtual SummaryFilter summary_filter(const PageFingerprint& asked) const;

  // Called once, before any similarity(), with all fingerprints of a comparison, to adjust them in place by what is
  // known about all pages (such as values that too many of them share). The result must not depend on their order.
  virtual void prepare(std::span<PageFingerprint> fingerprints) const { static_cast<void>(fingerprints); }
  // Whether prepare() changes anything: what two pages have in common then depends on which others there are.
  virtual bool depends_on_other_pages() const { return false; }

  // The inputs that fingerprint() reads in addition to the bytes and the normalised text; others need not be computed.
  virtual bool reads_words() const { return true; }
  virtual bool reads_paragraphs() const { return false; }

  // True for algorithms on the bytes as fetched: the rules for SHORT and EMPTY pages do not apply to them, and equal
  // text proves nothing.
  virtual bool compares_raw_bytes() const { return false; }
};

// Replaces `fingerprint` with that of the page. Sets the state of EMPTY and SHORT pages (base/short_page.h) unless the
// algorithm compares raw bytes.
void make_page_fingerprint(PageFingerprinter& fingerprinter, const FingerprinterInput& page,
                           PageFingerprint& fingerprint);

// The similarity by an algorithm, except that EMPTY pages match nothing and SHORT pages match equal text only.
FingerprintSimilarity similarity_of(const PageFingerprinter& fingerprinter, const PageFingerprint& a,
                                    const PageFingerprint& b);

// The entry of an algorithm in the registry.
struct FingerprinterFactory {
  std::span<const ParameterInfo> parameters;
  std::unique_ptr<PageFingerprinter> (*make)(const ParameterValues& values) = nullptr;
};

}  // namespace paraprint::inline fingerprint
