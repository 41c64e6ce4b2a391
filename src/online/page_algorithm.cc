// Turns the index that an algorithm asks for into keys of the search tables.
//
// Tables find 128 bits within 6. Of 64 bits, both halves of a key are the fingerprint, so that 3 bits become 6. The
// tables of a design are one table of exact keys, which have the table's number in them. Sets
// are found by their first values: two sets that are similar enough share one of them, whichever order the values have,
// as long as it is the same for all sets (prefix filter). Small ones are found by pairs of values
// (fingerprint/small_set.h).
#include "online/page_algorithm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "base/hamming_distance.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "paraprint/index.h"
#include "profile/page_match.h"
#include "profile/registry.h"

namespace paraprint::inline online {
namespace {

constexpr double kRounding = 1e-9;  // far above the rounding error of sums

// The distance that the tables allow for fingerprints of this width.
int distance_limit(int width_bits) {
  return width_bits == 64 ? kSearchDistanceBits / 2 : kSearchDistanceBits;
}

std::optional<std::string> too_far(int width_bits, int distance_bits) {
  if (distance_bits <= distance_limit(width_bits)) return std::nullopt;
  return fmt::format("its copies differ in up to {} of {} bits, and an index finds at most {}", distance_bits,
                     width_bits, distance_limit(width_bits));
}

// Why an index cannot find what a plan asks for; nullopt if it can.
std::optional<std::string> obstacle(const EqualKeysPlan&) {
  return std::nullopt;
}
std::optional<std::string> obstacle(const HammingPlan& plan) {
  if (!plan.table_blocks.empty()) return std::nullopt;
  return too_far(plan.width_bits, plan.distance_bits);
}
std::optional<std::string> obstacle(const HammingAnyPlan& plan) {
  return too_far(128, plan.distance_bits);
}
std::optional<std::string> obstacle(const SetOverlapPlan& plan) {
  if (plan.leading_values == 0 && plan.measure != SetMeasure::kContainment) return std::nullopt;
  return "a small page in a large one would have to be found by any of the large one's values";
}
std::optional<std::string> obstacle(const RelativeFrequencyPlan&) {
  return "a small page in a large one would have to be found by any of the large one's words";
}
std::optional<std::string> obstacle(const PrefixForestPlan&) {
  return "it gives each page its nearest pages, which change with every page that is added";
}

std::optional<std::string> obstacle(const PageFingerprinter& fingerprinter, const IndexPlan& plan) {
  if (fingerprinter.compares_raw_bytes()) return "it compares bytes as fetched, and an index stores texts";
  if (fingerprinter.depends_on_other_pages()) return "what it compares depends on which other pages there are";
  return std::visit([](const auto& index) { return obstacle(index); }, plan);
}

// The part of a value's set that it stands for. The measures but the weighted ones count values.
double share_of(const PageFingerprint& fingerprint, std::size_t index, SetMeasure measure) {
  if (measure == SetMeasure::kJaccard) return 1;
  const auto weight = static_cast<double>(fingerprint.weights[index]);
  return measure == SetMeasure::kCosine ? weight * weight : weight;
}

// The first values, up to where the rest alone would be less similar than the minimum to any set.
std::size_t prefix_size(const PageFingerprint& fingerprint, const SetOverlapPlan& plan) {
  const bool has_weights = fingerprint.weights.size() == fingerprint.values.size();
  const SetMeasure measure = has_weights ? plan.measure : SetMeasure::kJaccard;
  double left = 0;
  for (std::size_t i = 0; i < fingerprint.values.size(); ++i) left += share_of(fingerprint, i, measure);
  const double share =
      measure == SetMeasure::kCosine ? plan.similarity_minimum * plan.similarity_minimum : plan.similarity_minimum;
  const double needless = left * share * (1 - kRounding);
  std::size_t size = 0;
  for (; size < fingerprint.values.size() && left >= needless; ++size) left -= share_of(fingerprint, size, measure);
  return size;
}

}  // namespace

PageAlgorithm::PageAlgorithm(std::unique_ptr<const PageFingerprinter> fingerprinter)
    : fingerprinter_(std::move(fingerprinter)),
      plan_(fingerprinter_->index_plan(fingerprinter_->threshold())),
      small_set_share_(fingerprinter_->small_set_share(fingerprinter_->threshold())) {
  if (const auto* const by_keys = std::get_if<EqualKeysPlan>(&plan_)) {
    common_keys_minimum_ = by_keys->common_keys_minimum;
  }
}

Result<std::unique_ptr<const PageAlgorithm>> PageAlgorithm::create(std::string_view specification) {
  PARAPRINT_ASSIGN(const AlgorithmChoice choice, choose_algorithm(specification));
  std::unique_ptr<PageAlgorithm> algorithm(new PageAlgorithm(choice.make()));
  PARAPRINT_TRY(algorithm->choose_design());
  if (const auto reason = obstacle(*algorithm->fingerprinter_, algorithm->plan_)) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("an index cannot use {}: {}", choice.canonical, *reason));
  }
  return algorithm;
}

// Compressed or not is one to an index, which stores each fingerprint once and keys as packed tables.
Status PageAlgorithm::choose_design() {
  const auto* const plan = std::get_if<HammingPlan>(&plan_);
  if (plan == nullptr || plan->table_blocks.empty()) return {};
  PARAPRINT_ASSIGN(design_keys_,
                   HammingDesignKeys::create({plan->distance_bits, plan->table_blocks}, plan->width_bits));
  return {};
}

bool PageAlgorithm::accepts(const PageFingerprint& fingerprint) const {
  return fingerprint.state != FingerprintState::kUsable || fingerprinter_->has_shape(fingerprint);
}

// Mixed, because the tables keep the leading bits of a key, and an algorithm may put something common there.
std::vector<std::uint64_t> PageAlgorithm::exact_keys(const PageFingerprint& fingerprint) const {
  std::vector<std::uint64_t> keys;
  if (small_set_share_ > 0) {
    SmallSet set;
    fingerprinter_->small_set(fingerprint, set);
    append_pair_keys(set, small_set_share_, keys);
  } else if (const auto* const by_keys = std::get_if<EqualKeysPlan>(&plan_)) {
    fingerprinter_->index_keys(fingerprint, *by_keys, keys);
  } else if (const auto* const by_values = std::get_if<SetOverlapPlan>(&plan_)) {
    const auto end = fingerprint.values.begin() + static_cast<std::ptrdiff_t>(prefix_size(fingerprint, *by_values));
    keys.assign(fingerprint.values.begin(), end);
  } else if (design_keys_) {
    design_keys_->append(hamming_key(fingerprint), keys);
  }
  for (std::uint64_t& key : keys) key = mix64(key);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

Fingerprint128 PageAlgorithm::hamming_key(const PageFingerprint& fingerprint) const {
  const std::uint64_t high = fingerprint.values[0];
  return {high, std::get<HammingPlan>(plan_).width_bits == 64 ? high : fingerprint.values[1]};
}

std::vector<Fingerprint128> PageAlgorithm::near_keys(const PageFingerprint& fingerprint) const {
  std::vector<Fingerprint128> keys;
  if (!has_near_keys()) return keys;
  if (std::holds_alternative<HammingPlan>(plan_)) {
    keys.push_back(hamming_key(fingerprint));
  } else {
    fingerprinter_->index_fingerprints(fingerprint, keys);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

// SimHashes of pages with much in common agree in whole blocks, which the tables find, and differ in others: their
// summary is the key itself.
Fingerprint128 PageAlgorithm::summary_of(const PageFingerprint& fingerprint) const {
  const bool is_hamming = std::holds_alternative<HammingPlan>(plan_);
  return is_hamming ? hamming_key(fingerprint) : fingerprinter_->summary(fingerprint);
}

void PageAlgorithm::collect_keys(const PageFingerprint& fingerprint, TextKeys& keys) const {
  if (fingerprint.state != FingerprintState::kUsable) return;
  const std::vector<std::uint64_t> exact = exact_keys(fingerprint);
  const std::vector<Fingerprint128> near = near_keys(fingerprint);
  keys.exact.insert(keys.exact.end(), exact.begin(), exact.end());
  keys.fingerprints.insert(keys.fingerprints.end(), near.begin(), near.end());
  if (has_summaries()) keys.summary = summary_of(fingerprint);
}

void PageAlgorithm::collect_queries(const PageFingerprint& fingerprint, std::vector<ExactQuery>& exact,
                                    std::vector<NearQuery>& near) const {
  if (fingerprint.state != FingerprintState::kUsable) return;
  const int key_bits = design_keys_ ? design_keys_->key_bits_minimum() : 64;
  for (const std::uint64_t key : exact_keys(fingerprint)) exact.push_back({key, 1, false, key_bits});
  for (const Fingerprint128& key : near_keys(fingerprint)) near.push_back({key, 1});
}

PageFingerprinter::SummaryFilter PageAlgorithm::summary_filter(const PageFingerprint& fingerprint) const {
  if (!has_summaries() || fingerprint.state != FingerprintState::kUsable) return {};
  const auto* const plan = std::get_if<HammingPlan>(&plan_);
  if (plan == nullptr) return fingerprinter_->summary_filter(fingerprint);
  const int limit = plan->width_bits == 64 ? 2 * plan->distance_bits : plan->distance_bits;  // of both halves
  return [asked = summary_of(fingerprint), limit](const Fingerprint128& other) {
    return hamming_distance(asked, other) <= limit;
  };
}

Match PageAlgorithm::match(const PageFingerprint& a, std::uint32_t characters_a, const PageFingerprint& b,
                           std::uint32_t characters_b, const MatchOptions& options) const {
  return match_of(similarity_of(*fingerprinter_, a, b), fingerprinter_->threshold(), characters_a, characters_b,
                  options);
}

}  // namespace paraprint::inline online

namespace paraprint {

Status check_index_algorithm(std::string_view specification) {
  if (specification == kParagraphMethod) return {};
  PARAPRINT_ASSIGN(const std::unique_ptr<const PageAlgorithm> algorithm, PageAlgorithm::create(specification));
  return {};
}

}  // namespace paraprint
