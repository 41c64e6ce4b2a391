// The five rules of the Tianwang search engine for reprinted pages (Wang Jianyong, Xie Zhengmao, Lei Ming, Li Xiaoming,
// Acta Electronica Sinica 28(z1), 2000; docs/algorithms/tianwang.md), with remedies for unstable cuts.
//
// A page is represented by the beginning of its text, or by its N heaviest keywords in order of weight or of bytes;
// reprints have equal MD5 digests. The SIM variants also require similar weights: the squared difference of the weight
// vectors divided by the sum of their squared norms must be below a limit. One byte breaks the first rule, two keywords
// that swap ranks the second, and a keyword that drops below rank N all four keyword rules. Against the latter, `cut`
// offers three cuts at once, one of which must match, or the most stable cut between 8 and 16 keywords. Cost: one pass
// over the distinct words; index: a hash map of digests.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "base/digest.h"
#include "lab/fingerprinters.h"
#include "lab/signatures/digest_fingerprinter.h"
#include "lab/signatures/keyword_cut.h"
#include "lab/signatures/keywords.h"
#include "lab/signatures/page_description.h"
#include "text/normalise.h"

namespace paraprint::inline lab::inline signatures {
namespace {

// ---------------------------------------------------------------------------------------------------------------------
// Rule 1: the abstract

constexpr std::array<std::string_view, 2> kSources = {"text", "meta"};
constexpr std::array kAbstractParameters = {
    ParameterInfo{"abstract_bytes", "length of the abstract, in UTF-8", 512, 16, 65536},
    ParameterInfo{"source",
                  "what the abstract is cut from: text, or meta, the page's meta description where it has one", 0, 0, 1,
                  true, kSources},
};

// The longest prefix of at most `limit` bytes that ends at a character boundary.
std::string_view beginning(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  const auto is_continuation = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; };
  while (limit > 0 && is_continuation(text[limit])) --limit;
  return text.substr(0, limit);
}

class TianwangAbstract final : public DigestFingerprinter {
 public:
  explicit TianwangAbstract(const ParameterValues& values)
      : abstract_bytes_(values.integer("abstract_bytes")),
        descriptions_(values.choice("source") == "meta" ? std::make_unique<PageDescriptions>() : nullptr) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    description_.clear();
    if (descriptions_) normaliser_.append_normalised(descriptions_->description_of(page.page), description_);
    // A description of punctuation alone is none.
    const bool is_said = count_content_characters(description_) > 0;
    const std::string_view source = is_said ? description_ : page.terms.normalised;
    set_digest(leading_words(md5(beginning(source, abstract_bytes_))), fingerprint);
  }

 private:
  std::size_t abstract_bytes_;
  std::unique_ptr<PageDescriptions> descriptions_;  // null: the text is the source
  Normaliser normaliser_;
  std::string description_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Rules 2 to 5: the keywords

constexpr std::size_t kKeywordsMinimum = 5;  // with fewer distinct keywords, unrelated short pages would match
constexpr std::size_t kNeighbourStep = 2;    // "several" cuts at N - 2, N and N + 2
constexpr std::size_t kFirmestFirst = 8;     // "firmest" chooses N from 8 to 16
constexpr std::size_t kFirmestLast = 16;

constexpr std::array<std::string_view, 3> kCuts = {"fixed", "several", "firmest"};
constexpr ParameterInfo kKeywordsParameter = {"keywords", "N: number of heaviest keywords to keep", 10, 3, 100};
constexpr ParameterInfo kWeightsParameter = {"weights", "what ranks keywords", 0, 0, 1, true, kKeywordWeightingNames};
constexpr ParameterInfo kCutParameter = {
    "cut", "fixed: N; several: any of N-2, N, N+2 matches; firmest: the N from 8 to 16 with the largest drop in weight",
    0,     0,
    2,     true,
    kCuts};
constexpr ParameterInfo kDistanceParameter = {
    "distance_limit", "a: SIM of reprints must be below this; 0 means equal weights", 0.05, 0.001, 1, false};

constexpr std::array kRuleParameters = {kKeywordsParameter, kWeightsParameter, kCutParameter};
constexpr std::array kSimRuleParameters = {kKeywordsParameter, kWeightsParameter, kCutParameter, kDistanceParameter};

// values: a digest (2 words) per cut; with SIM also H64 of the keywords by descending weight, with their weights.
class TianwangKeywords final : public PageFingerprinter {
 public:
  enum class Order : std::uint8_t { kWeight, kBytes };

  TianwangKeywords(const ParameterValues& values, Order order, bool compares_weights)
      : weighting_(static_cast<KeywordWeighting>(values.integer("weights"))),
        order_(order),
        takes_firmest_cut_(values.choice("cut") == "firmest"),
        compares_weights_(compares_weights),
        distance_limit_(compares_weights ? values.real("distance_limit") : 1) {
    const std::size_t size = values.integer("keywords");
    if (takes_firmest_cut_) {
      cuts_ = {kFirmestLast};
    } else if (values.choice("cut") == "several") {
      cuts_ = {std::max<std::size_t>(1, size - kNeighbourStep), size, size + kNeighbourStep};
    } else {
      cuts_ = {size};
    }
  }

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    // One more than the last cut keeps, because its margin depends on the next weight.
    select_keywords(page.terms, weighting_, std::max(cuts_.back() + 1, kKeywordsMinimum), keywords_);
    if (keywords_.size() < kKeywordsMinimum) {
      fingerprint.state = FingerprintState::kShort;
      return;
    }
    const std::size_t kept = takes_firmest_cut_ ? firmest_cut(keywords_, kFirmestFirst, kFirmestLast) : cuts_.back();
    keywords_.resize(std::min(kept, keywords_.size()));
    for (const std::size_t cut : cuts_) add_digest(page.terms, cut, fingerprint);
    if (compares_weights_) add_weights(page.terms, fingerprint);
  }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    double best = 0;
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
      const bool is_equal = a.values[2 * i] == b.values[2 * i] && a.values[2 * i + 1] == b.values[2 * i + 1];
      if (!is_equal) continue;
      best =
          std::max(best, compares_weights_ ? 1 - weight_distance(weights_of(a, cuts_[i]), weights_of(b, cuts_[i])) : 1);
    }
    return {best, 0, 0};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override {
    const std::size_t digests = 2 * cuts_.size();
    return compares_weights_
               ? fingerprint.weights.size() == fingerprint.values.size() && fingerprint.values.size() > digests
               : fingerprint.values.size() == digests;
  }
  double threshold() const override {
    // SIM must be below the limit, not at it, hence the next number above 1 - limit.
    return compares_weights_ ? std::nextafter(1 - distance_limit_, std::numeric_limits<double>::infinity()) : 1;
  }
  double sweep_minimum() const override { return compares_weights_ ? threshold() / 2 : 1; }
  IndexPlan index_plan(double) const override { return {}; }

  void index_keys(const PageFingerprint& fingerprint, const EqualKeysPlan&,
                  std::vector<std::uint64_t>& keys) const override {
    for (std::size_t i = 0; i < cuts_.size(); ++i) keys.push_back(fingerprint.values[2 * i]);
  }

 private:
  void add_digest(const PageTerms& terms, std::size_t cut, PageFingerprint& fingerprint) {
    words_.clear();
    for (std::size_t i = 0; i < keywords_.size() && i < cut; ++i) {
      words_.push_back(terms.bytes_of_token(keywords_[i].term));
    }
    if (order_ == Order::kBytes) std::sort(words_.begin(), words_.end());
    joined_.clear();
    for (const std::string_view word : words_) append_joined(word, joined_);
    for (const std::uint64_t word : leading_words(md5(joined_))) fingerprint.values.push_back(word);
  }

  void add_weights(const PageTerms& terms, PageFingerprint& fingerprint) {
    fingerprint.weights.assign(fingerprint.values.size(), 0);
    for (const Keyword& keyword : keywords_) {
      fingerprint.values.push_back(terms.terms[keyword.term].hash);
      fingerprint.weights.push_back(static_cast<float>(keyword.weight));
    }
  }

  // The weights of one cut: keywords are stored by descending weight, so each cut is a prefix.
  WeightVector weights_of(const PageFingerprint& fingerprint, std::size_t cut) const {
    const std::size_t begin = 2 * cuts_.size();
    const std::size_t size = std::min(cut, fingerprint.values.size() - begin);
    return {std::span(fingerprint.values).subspan(begin, size), std::span(fingerprint.weights).subspan(begin, size)};
  }

  KeywordWeighting weighting_;
  Order order_;
  bool takes_firmest_cut_;
  bool compares_weights_;
  double distance_limit_;
  std::vector<std::size_t> cuts_;  // ascending
  std::vector<Keyword> keywords_;
  std::vector<std::string_view> words_;
  std::string joined_;
};

template <TianwangKeywords::Order kOrder, bool kComparesWeights>
std::unique_ptr<PageFingerprinter> make_rule(const ParameterValues& values) {
  return std::make_unique<TianwangKeywords>(values, kOrder, kComparesWeights);
}

}  // namespace

const FingerprinterFactory kTianwangAbstract = {
    kAbstractParameters, [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
      return std::make_unique<TianwangAbstract>(values);
    }};
const FingerprinterFactory kTianwangKeywords = {kRuleParameters, make_rule<TianwangKeywords::Order::kWeight, false>};
const FingerprinterFactory kTianwangKeywordsSim = {kSimRuleParameters,
                                                   make_rule<TianwangKeywords::Order::kWeight, true>};
const FingerprinterFactory kTianwangSorted = {kRuleParameters, make_rule<TianwangKeywords::Order::kBytes, false>};
const FingerprinterFactory kTianwangSortedSim = {kSimRuleParameters, make_rule<TianwangKeywords::Order::kBytes, true>};

}  // namespace paraprint::inline lab::inline signatures
