// MinHash with an LSH forest as index: each page is compared with its nearest neighbours by the longest common prefixes
// of its signature in several trees (M. Bawa, T. Condie, P. Ganesan, WWW 2005; docs/algorithms/minhash.md).
//
// The estimate is that of MinHash. Bands find a fixed share of equal places; the forest adapts to the density around a
// page and bounds the comparisons, since a page has at most `neighbours` candidates of its own. In larger crowds of
// similar pages some pairs are missed, but clusters stay connected through common neighbours.
#include <array>

#include "fingerprint/minhash_signature.h"
#include "lab/fingerprinters.h"
#include "lab/sketches/shingle_builder.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr std::array kMinhashForestParameters = {
    kShingleWidthParameter,
    kShingleUnitParameter,
    ParameterInfo{"trees", "number of trees; each has its own part of the signature as label", 10, 1, 64},
    ParameterInfo{"depth", "hashes per label", 16, 1, 64},
    ParameterInfo{"neighbours", "number of nearest pages that each page is compared with", 20, 1, 1000},
    ParameterInfo{"threshold", "minimum estimated resemblance of copies", 0.8, 0.01, 1, false},
};

class MinHashForest final : public PageFingerprinter {
 public:
  explicit MinHashForest(const ParameterValues& values)
      : builder_(values),
        trees_(values.integer("trees")),
        depth_(values.integer("depth")),
        neighbours_(values.integer("neighbours")),
        threshold_(values.real("threshold")) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    if (!builder_.list(page.terms, shingles_)) fingerprint.state = FingerprintState::kShort;
    if (shingles_.empty()) return;
    fingerprint.values.resize(std::size_t{trees_} * depth_);
    minhash_signature(shingles_, fingerprint.values);
  }

  bool reads_words() const override { return builder_.reads_words(); }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    const std::size_t equal = equal_places(a.values, b.values);
    return {static_cast<double>(equal) / static_cast<double>(a.values.size()), 0, 0};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override {
    return fingerprint.values.size() == std::size_t{trees_} * depth_;
  }
  double threshold() const override { return threshold_; }

  IndexPlan index_plan(double) const override { return PrefixForestPlan{.trees = trees_, .neighbours = neighbours_}; }

 private:
  ShingleBuilder builder_;
  std::uint32_t trees_;
  std::uint32_t depth_;
  std::uint32_t neighbours_;
  double threshold_;
  std::vector<std::uint64_t> shingles_;
};

}  // namespace

const FingerprinterFactory kMinHashForest = {kMinhashForestParameters,
                                             [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                               return std::make_unique<MinHashForest>(values);
                                             }};

}  // namespace paraprint::inline lab::inline sketches
