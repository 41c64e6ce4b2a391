// The one place that decides which indexes can be divided. An index that is added to IndexPlan does not compile here
// until it has been decided.
#include "distribute/fingerprint_index.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "base/assert.h"
#include "base/propagate.h"
#include "index/hamming_blocks.h"

namespace paraprint::distribute {
namespace {

// What an index needs of all pages at once; empty if it can be divided.
std::string_view undivided_need(const EqualKeysPlan&) {
  return {};
}
std::string_view undivided_need(const HammingPlan&) {
  return {};
}
std::string_view undivided_need(const HammingAnyPlan&) {
  return {};
}
std::string_view undivided_need(const SetOverlapPlan&) {
  return {};
}
// Looks up the rarest words of a page first, and limits how many pages are read for one word.
std::string_view undivided_need(const RelativeFrequencyPlan&) {
  return "how often each word occurs on all pages";
}
std::string_view undivided_need(const PrefixForestPlan&) {
  return "the nearest ones of all pages";
}

}  // namespace

FingerprintIndex::FingerprintIndex(std::unique_ptr<PageFingerprinter> fingerprinter)
    : fingerprinter_(std::move(fingerprinter)), plan_(fingerprinter_->index_plan(fingerprinter_->threshold())) {
  if (const auto* const by_keys = std::get_if<EqualKeysPlan>(&plan_)) {
    common_keys_minimum_ = by_keys->common_keys_minimum;
  } else if (const auto* const near = std::get_if<HammingPlan>(&plan_)) {
    hamming_reach_ = {near->width_bits, near->distance_bits};
  } else if (const auto* const any = std::get_if<HammingAnyPlan>(&plan_)) {
    hamming_reach_ = {128, any->distance_bits};
  } else if (const auto* const overlap = std::get_if<SetOverlapPlan>(&plan_)) {
    sets_.emplace(*overlap);
  }
}

// Bounds are checked here as the join will check them, so that a run does not fail after its pages are read.
Result<FingerprintIndex> FingerprintIndex::create(const AlgorithmChoice& algorithm) {
  PARAPRINT_ASSERT(!algorithm.is_paragraph_method());
  const AlgorithmRow& row = *algorithm.row;
  FingerprintIndex index(algorithm.make());
  const std::string_view need = std::visit([](const auto& plan) { return undivided_need(plan); }, index.plan_);
  if (!need.empty()) {
    return failure(ErrorCode::kUnsupported,
                   fmt::format("algorithm is '{}', but its index ({}) needs {}, which no task of a distributed run has",
                               row.name, row.index, need));
  }
  if (index.fingerprinter_->depends_on_other_pages()) {
    return failure(ErrorCode::kUnsupported,
                   fmt::format("algorithm is '{}', but its fingerprints depend on the other pages, which no task of a "
                               "distributed run has",
                               row.name));
  }
  if (index.hamming_reach_) {
    HammingJoinOptions join;
    join.distance_bits = index.hamming_reach_->distance_bits;
    PARAPRINT_TRY(hamming_internal::check_hamming_options(join, index.hamming_reach_->width_bits));
  }
  if (const auto* const overlap = std::get_if<SetOverlapPlan>(&index.plan_)) {
    PARAPRINT_TRY(check_overlap_minimum(overlap->similarity_minimum));
  }
  return index;
}

const std::vector<std::uint64_t>& FingerprintIndex::keys_of(const PageFingerprint& fingerprint) {
  keys_.clear();
  fingerprinter_->index_keys(fingerprint, std::get<EqualKeysPlan>(plan_), keys_);
  return keys_;
}

const std::vector<Fingerprint128>& FingerprintIndex::fingerprints_of(const PageFingerprint& fingerprint) {
  fingerprints_.clear();
  if (std::holds_alternative<HammingAnyPlan>(plan_)) {
    fingerprinter_->index_fingerprints(fingerprint, fingerprints_);
  } else {
    const std::vector<std::uint64_t>& values = fingerprint.values;
    fingerprints_.push_back({values[0], hamming_reach_->width_bits == 64 ? 0 : values[1]});
  }
  return fingerprints_;
}

Result<std::optional<FingerprintIndex>> page_level_index(const DedupOptions& options) {
  PARAPRINT_ASSIGN(const AlgorithmChoice algorithm, choose_algorithm(options.profile.algorithm));
  if (algorithm.is_paragraph_method()) return std::optional<FingerprintIndex>();
  PARAPRINT_ASSIGN(FingerprintIndex index, FingerprintIndex::create(algorithm));
  return std::optional<FingerprintIndex>(std::move(index));
}

HammingReach hamming_reach_of(const std::optional<FingerprintIndex>& page_level, const DedupOptions& options) {
  if (!page_level) return {128, options.candidates.candidate_bits};
  return page_level->hamming_reach().value_or(HammingReach{});
}

bool has_text_representatives(const std::optional<FingerprintIndex>& page_level) {
  return !page_level || !page_level->fingerprinter().compares_raw_bytes();
}

}  // namespace paraprint::distribute
