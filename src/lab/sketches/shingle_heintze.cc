// Heintze's sampler: keeps a page's shingles with the smallest hashes, without the frequent ones (N. Heintze, "Scalable
// document fingerprinting", 1996; docs/algorithms/shingles.md).
//
// The smallest hashes of a set are a random sample of it, and two such samples yield one of the union: the share of the
// union's smallest members that both sets have estimates the resemblance. For containment, a small sample of one page
// is searched in a larger one of the other, which is accurate as long as the other page has at most searched / stored
// times as many shingles. Cost: one hash per word. Fails on short pages, whose samples are small; which shingles are
// frequent depends on the collection.
#include <algorithm>
#include <array>
#include <cmath>

#include "lab/fingerprinters.h"
#include "lab/sketches/frequent_values.h"
#include "lab/sketches/shingle_builder.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr std::array kShingleHeintzeParameters = {
    kShingleWidthParameter,
    kShingleUnitParameter,
    ParameterInfo{"stored", "number of shingles in the sample that is compared", 100, 4, 10000},
    ParameterInfo{"searched", "number of shingles in the sample in which the other page's sample is searched", 1000, 4,
                  100000},
    ParameterInfo{"frequent_share", "shingles on more than this share of the pages are dropped", 0.001, 0, 1, false},
    ParameterInfo{"frequent_pages", "shingles on no more pages than this are never dropped", 50, 1, 1e9},
    ParameterInfo{"threshold", "minimum estimated resemblance of copies", 0.8, 0.01, 1, false},
};

// Samples can only be drawn when the frequent shingles are known, after all pages were read. Until then this many times
// the sample is kept, which suffices unless most of a page is frequent.
constexpr std::size_t kReserve = 4;

constexpr double kRoundingSlack = 1 - 1e-12;  // keeps a computed bound below its exact value

class ShingleHeintze final : public PageFingerprinter {
 public:
  explicit ShingleHeintze(const ParameterValues& values)
      : builder_(values),
        stored_(values.integer("stored")),
        searched_(std::max<std::size_t>(stored_, values.integer("searched"))),
        frequent_share_(values.real("frequent_share")),
        frequent_pages_(values.integer("frequent_pages")),
        threshold_(values.real("threshold")) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    if (!builder_.build(page.terms, fingerprint.values)) fingerprint.state = FingerprintState::kShort;
    if (fingerprint.values.size() > kReserve * searched_) fingerprint.values.resize(kReserve * searched_);
  }

  bool depends_on_other_pages() const override { return true; }
  void prepare(std::span<PageFingerprint> fingerprints) const override {
    const auto share = static_cast<std::uint64_t>(frequent_share_ * static_cast<double>(fingerprints.size()));
    const std::vector<std::uint64_t> frequent = frequent_values(fingerprints, std::max(share, frequent_pages_));
    for (PageFingerprint& fingerprint : fingerprints) {
      if (fingerprint.state != FingerprintState::kUsable) continue;
      std::erase_if(fingerprint.values,
                    [&](std::uint64_t value) { return std::binary_search(frequent.begin(), frequent.end(), value); });
      if (fingerprint.values.size() > searched_) fingerprint.values.resize(searched_);
      if (fingerprint.values.empty()) fingerprint.state = FingerprintState::kShort;
    }
  }

  bool reads_words() const override { return builder_.reads_words(); }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    return {bottom_resemblance(stored(a), stored(b)), containment(a, b), containment(b, a)};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override { return !fingerprint.values.empty(); }
  double threshold() const override { return threshold_; }

  // If samples have at most N members and t*N of the N smallest of the union are common, the samples' own resemblance
  // is at least t*N / (2N - t*N).
  IndexPlan index_plan(double resemblance_minimum) const override {
    return SetOverlapPlan{.measure = SetMeasure::kJaccard,
                          .similarity_minimum = kRoundingSlack * resemblance_minimum / (2 - resemblance_minimum),
                          .leading_values = static_cast<std::uint32_t>(stored_)};
  }

 private:
  std::span<const std::uint64_t> stored(const PageFingerprint& fingerprint) const {
    return std::span(fingerprint.values).first(std::min(stored_, fingerprint.values.size()));
  }

  // The share of the `stored_` smallest members of the union that are in both sets.
  double bottom_resemblance(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) const {
    std::size_t in_both = 0;
    std::size_t in_union = 0;
    for (std::size_t i = 0, j = 0; in_union < stored_ && (i < a.size() || j < b.size()); ++in_union) {
      const bool takes_a = j == b.size() || (i < a.size() && a[i] <= b[j]);
      const bool takes_b = i == a.size() || (j < b.size() && b[j] <= a[i]);
      in_both += takes_a && takes_b ? 1 : 0;
      i += takes_a ? 1 : 0;
      j += takes_b ? 1 : 0;
    }
    return in_union == 0 ? 0 : static_cast<double>(in_both) / static_cast<double>(in_union);
  }

  double containment(const PageFingerprint& part, const PageFingerprint& whole) const {
    const std::span<const std::uint64_t> sample = stored(part);
    const std::span<const std::uint64_t> searched =
        std::span(whole.values).first(std::min(searched_, whole.values.size()));
    return sample.empty() ? 0
                          : static_cast<double>(common_values(sample, searched)) / static_cast<double>(sample.size());
  }

  ShingleBuilder builder_;
  std::size_t stored_;
  std::size_t searched_;
  double frequent_share_;
  std::uint64_t frequent_pages_;
  double threshold_;
};

}  // namespace

const FingerprinterFactory kShingleHeintze = {kShingleHeintzeParameters,
                                              [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                                return std::make_unique<ShingleHeintze>(values);
                                              }};

}  // namespace paraprint::inline lab::inline sketches
