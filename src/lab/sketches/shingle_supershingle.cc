// Supershingles: shingles of the sorted sample of shingles; a single common one is enough (A. Broder, S. Glassman,
// M. Manasse, G. Zweig, "Syntactic clustering of the Web", 1997; docs/algorithms/shingles.md).
//
// Six common neighbours in the sorted samples mean six common shingles with no other sampled shingle between them. Only
// nearly equal sets have that, so equality of one hash replaces all counting. Cost: one hash per word and one per
// sampled shingle; index: a hash map. Fails on short pages (six sampled shingles need about 150 words); no containment.
//
// Resemblance is c / (c + 1) for c common supershingles and 1 if all are common, so that it grows with c.
#include <algorithm>
#include <array>

#include "lab/fingerprinters.h"
#include "lab/sketches/shingle_builder.h"
#include "lab/sketches/shingle_modulus.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr std::array kShingleSupershingleParameters = {
    kShingleWidthParameter,
    kShingleUnitParameter,
    kShingleModulusParameter,
    kShingleCapParameter,
    ParameterInfo{"group", "number of sampled shingles per supershingle", 6, 1, 100},
    ParameterInfo{"common_minimum", "minimum number of common supershingles of copies", 1, 1, 1000},
};

double resemblance_of(std::size_t common) {
  return static_cast<double>(common) / static_cast<double>(common + 1);
}

class ShingleSupershingle final : public PageFingerprinter {
 public:
  explicit ShingleSupershingle(const ParameterValues& values)
      : builder_(values),
        modulus_(values.integer("modulus")),
        cap_(values.integer("cap")),
        group_(values.integer("group")),
        common_minimum_(values.integer("common_minimum")) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    const bool is_long_enough = builder_.build(page.terms, sample_);
    keep_multiples(modulus_, cap_, sample_);
    for (std::size_t first = 0; first + group_ <= sample_.size(); ++first) {
      fingerprint.values.push_back(hash_of_values(std::span(sample_).subspan(first, group_)));
    }
    std::sort(fingerprint.values.begin(), fingerprint.values.end());
    if (!is_long_enough || fingerprint.values.empty()) fingerprint.state = FingerprintState::kShort;
  }

  bool reads_words() const override { return builder_.reads_words(); }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    if (a.values == b.values) return {1, 0, 0};
    return {resemblance_of(common_values(a.values, b.values)), 0, 0};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override { return !fingerprint.values.empty(); }
  double threshold() const override { return resemblance_of(common_minimum_); }

  // One common key makes a candidate: pages whose few supershingles are all equal must be found whatever the minimum.
  IndexPlan index_plan(double) const override { return {}; }

 private:
  ShingleBuilder builder_;
  std::uint64_t modulus_;
  std::size_t cap_;
  std::size_t group_;
  std::size_t common_minimum_;
  std::vector<std::uint64_t> sample_;
};

}  // namespace

const FingerprinterFactory kShingleSupershingle = {
    kShingleSupershingleParameters, [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
      return std::make_unique<ShingleSupershingle>(values);
    }};

}  // namespace paraprint::inline lab::inline sketches
