// Every source of candidates pushes its hits into one sorter of pairs, which adds up the hits of each pair; reading it
// gives the pairs in order, whatever found them. Sources run one after the other, and each releases its memory before
// the next one starts.
#include "index/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "base/hash.h"
#include "base/propagate.h"

namespace paraprint::inline index {
namespace {

// Shares of the memory limit. Keys and SimHashes fill together while pages are added; pairs fill while keys drain.
constexpr double kKeyShare = 0.4;
constexpr double kSimhashShare = 0.2;
constexpr double kPairShare = 0.4;

// Options of a sorter that gets this share of the memory limit.
ExternalSortOptions sorter_options(const CandidateOptions& options, double share) {
  return {static_cast<std::uint64_t>(static_cast<double>(options.memory_limit_bytes) * share),
          options.temporary_directory, options.threads};
}

}  // namespace

CandidateBuilder::CandidateBuilder(CandidateOptions options)
    : options_(std::move(options)),
      keys_(sorter_options(options_, kKeyShare)),
      simhashes_(sorter_options(options_, kSimhashShare)),
      pairs_(sorter_options(options_, kPairShare)),
      sketches_(options_.budget),
      texts_(options_.budget),
      representatives_(options_.budget) {}

SearchedPage searched_page(const Profile& profile, std::span<const std::uint8_t> skip_paragraph,
                           const CandidateOptions& options) {
  PARAPRINT_ASSERT(skip_paragraph.empty() || skip_paragraph.size() == profile.paragraphs.size());
  SearchedPage page{profile.content_characters, profile.text_hash, {}};
  if (has_page_keys(profile.content_characters, options.short_page_characters)) {
    collect_page_keys(profile, skip_paragraph, key_choice(options), page.keys);
  }
  return page;
}

Status CandidateBuilder::add_page(std::uint32_t number, const SearchedPage& page) {
  PARAPRINT_ASSERT(number >= representatives_.size());
  // Page numbers may have gaps; a page that was never added represents itself.
  while (representatives_.size() <= number) {
    const auto next = static_cast<std::uint32_t>(representatives_.size());
    PARAPRINT_TRY(representatives_.push_back(next));
  }
  ++statistics_.pages;
  if (page.content_characters == 0) {
    ++statistics_.pages_empty;
    return {};
  }
  // Values are stored plus one because 0 marks a free slot of the table.
  PARAPRINT_ASSIGN(std::uint32_t* const first_page, texts_.find_or_add(page.text_hash, number + 1));
  const std::uint32_t representative = *first_page - 1;
  representatives_[number] = representative;
  // Only the representative gets keys: the join would otherwise find every pair within a group of equal texts.
  if (representative != number) {
    ++statistics_.pages_same_text;
    return {};
  }
  if (!has_page_keys(page.content_characters, options_.short_page_characters)) {
    ++statistics_.pages_short;
    return {};
  }
  PARAPRINT_TRY(sketches_.add_page(number, page.content_characters, page.keys.sketch));
  statistics_.keys += page.keys.exact.size();
  statistics_.simhashes += page.keys.near.size();
  // Anchors and paragraph hashes share one key space: both are H64 of normalised text, so a page that consists of one
  // sentence meets the paragraph that has the same text on another page.
  for (const ExactKey& key : page.keys.exact) {
    PARAPRINT_TRY(keys_->push({key.key, number, key.weight, key.source}));
  }
  for (const NearKey& key : page.keys.near) {
    PARAPRINT_TRY(simhashes_->push({key.fingerprint, number, key.weight}));
  }
  return {};
}

Status CandidateBuilder::finish() {
  // Needed for add_page() only; the joins below can use the memory.
  texts_.release();
  PARAPRINT_TRY(keys_->finish());
  PARAPRINT_TRY(join_keys(*keys_, options_.caps, pairs_, statistics_.exact, options_.budget));
  // Destroying a sorter frees its memory and its temporary file before the next join needs them.
  statistics_.bytes_spilled += keys_->statistics().bytes_spilled;
  keys_.reset();
  PARAPRINT_TRY(join_sketches());
  if (options_.simhash_distance_bits >= 0) {
    PARAPRINT_TRY(join_simhashes());
  }
  return pairs_.finish();
}

// A pair found by its sketches counts as one hit, weighted by the estimated number of common characters.
Status CandidateBuilder::join_sketches() {
  const auto push = [&](const SketchJoin::Meeting& pair) {
    return pairs_.push({pair.page_a, pair.page_b, pair.common_characters, 1, kSourceSketch});
  };
  PARAPRINT_ASSIGN(statistics_.sketch, sketches_.join(options_.caps, push, options_.threads));
  sketches_ = SketchJoin(options_.budget);
  return {};
}

// Pages with equal paragraph fingerprints first, then pages whose fingerprints are near but different.
Status CandidateBuilder::join_simhashes() {
  PARAPRINT_TRY(simhashes_->finish());
  PARAPRINT_ASSIGN(const NearGroups groups,
                   group_near_keys(*simhashes_, options_.caps, pairs_, statistics_.equal_simhash, options_.budget));
  statistics_.bytes_spilled += simhashes_->statistics().bytes_spilled;
  simhashes_.reset();
  if (options_.simhash_distance_bits == 0) return {};
  NearJoinOptions options;
  options.distance_bits = options_.simhash_distance_bits;
  options.caps = options_.caps;
  options.budget = options_.budget;
  options.threads = options_.threads;
  PARAPRINT_ASSIGN(const NearJoinStatistics joined, join_near_groups(groups, options, pairs_));
  statistics_.hamming = joined.hamming;
  statistics_.simhash_page_pairs_not_generated = joined.page_pairs_not_generated;
  return {};
}

Status CandidateBuilder::for_each_candidate(const CandidateCallback& on_pair) {
  Status read = pairs_.for_each([&](const CandidatePair& pair) {
    // Only complete pairs can be judged: the weight is the sum over all sources.
    if (pair.weight < options_.minimum_pair_weight) {
      ++statistics_.pairs_under_minimum_weight;
      return;
    }
    ++statistics_.pairs;
    if (pair.sources & kSourceAnchor) ++statistics_.pairs_by_anchor;
    if (pair.sources & kSourceParagraph) ++statistics_.pairs_by_paragraph;
    if (pair.sources & kSourceSimhash) ++statistics_.pairs_by_simhash;
    if (pair.sources & kSourceSketch) ++statistics_.pairs_by_sketch;
    on_pair(pair);
  });
  statistics_.bytes_spilled += pairs_.statistics().bytes_spilled;
  return read;
}

}  // namespace paraprint::inline index
