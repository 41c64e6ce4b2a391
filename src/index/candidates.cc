#include "index/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "base/hash.h"

namespace paraprint {
namespace {

// Shares of the memory limit. Keys and simhashes fill at the same time as pages come in; pairs fill while keys drain.
constexpr double kKeyShare = 0.4;
constexpr double kSimhashShare = 0.2;
constexpr double kPairShare = 0.4;

// Anchors and paragraph hashes live in one key space: a page that is one sentence should meet the paragraph it is
// elsewhere, and the definition of both is H64 of the normalised text.
ExternalSortOptions sorter_options(const CandidateOptions& options, double share) {
  return {static_cast<std::uint64_t>(static_cast<double>(options.memory_limit_bytes) * share),
          options.temporary_directory};
}

std::uint16_t saturate16(std::uint32_t value) {
  return static_cast<std::uint16_t>(std::min<std::uint32_t>(value, 0xFFFF));
}

}  // namespace

// CSR: the pages of fingerprint i are pages[begin[i]] to pages[begin[i + 1]], ascending.
struct CandidateBuilder::SimhashGroups {
  explicit SimhashGroups(MemoryBudget* budget) : fingerprints(budget), weights(budget), begin(budget), pages(budget) {}
  SpillArray<Fingerprint128> fingerprints;
  SpillArray<std::uint16_t> weights;
  SpillArray<std::uint32_t> begin;
  SpillArray<std::uint32_t> pages;

  std::span<const std::uint32_t> pages_of(std::uint32_t index) const {
    return std::span<const std::uint32_t>(pages).subspan(begin[index], begin[index + 1] - begin[index]);
  }
};

bool CandidateBuilder::SimhashKeyTraits::combine(SimhashKey& into, const SimhashKey& from) {
  if (into.fingerprint != from.fingerprint || into.page != from.page) return false;
  into.weight = from.weight;  // the larger one: weight is the last part of the order
  return true;
}

CandidateBuilder::CandidateBuilder(CandidateOptions options)
    : options_(std::move(options)),
      keys_(sorter_options(options_, kKeyShare)),
      simhashes_(sorter_options(options_, kSimhashShare)),
      pairs_(sorter_options(options_, kPairShare)),
      sketches_(options_.budget),
      texts_(options_.budget),
      representatives_(options_.budget) {}

Status CandidateBuilder::add_page(std::uint32_t page, const Profile& profile,
                                  std::span<const std::uint8_t> skip_paragraph) {
  PARAPRINT_ASSERT(page >= representatives_.size());
  PARAPRINT_ASSERT(skip_paragraph.empty() || skip_paragraph.size() == profile.paragraphs.size());
  while (representatives_.size() <= page) {
    const auto next = static_cast<std::uint32_t>(representatives_.size());
    if (Status pushed = representatives_.push_back(next); !pushed) return pushed;
  }
  ++statistics_.pages;
  if (profile.content_characters == 0) {
    ++statistics_.pages_empty;
    return {};
  }
  const Result<std::uint32_t*> first_page = texts_.find_or_add(profile.text_hash, page + 1);
  if (!first_page) return tl::unexpected<Error>(first_page.error());
  const std::uint32_t representative = **first_page - 1;
  representatives_[page] = representative;
  if (representative != page) {
    ++statistics_.pages_same_text;
    return {};
  }
  if (profile.content_characters < options_.short_page_characters) {
    ++statistics_.pages_short;
    return {};
  }
  const PageKeyChoice choice = {options_.minimum_key_characters, options_.simhash_distance_bits >= 0,
                                options_.join_sketches};
  collect_page_keys(profile, skip_paragraph, choice, page_keys_);
  if (Status added = sketches_.add_page(page, profile.content_characters, page_keys_.sketch); !added) return added;
  statistics_.keys += page_keys_.exact.size();
  statistics_.simhashes += page_keys_.near.size();
  for (const ExactKey& key : page_keys_.exact) {
    if (Status pushed = keys_->push({key.key, page, key.weight, key.source}); !pushed) return pushed;
  }
  for (const NearKey& key : page_keys_.near) {
    if (Status pushed = simhashes_->push({key.fingerprint, page, key.weight}); !pushed) return pushed;
  }
  return {};
}

Status CandidateBuilder::finish() {
  texts_.release();
  if (Status finished = keys_->finish(); !finished) return finished;
  if (Status joined = join_keys(*keys_, options_.caps, pairs_, statistics_.exact, options_.budget); !joined)
    return joined;
  statistics_.bytes_spilled += keys_->statistics().bytes_spilled;
  keys_.reset();
  if (Status joined = join_sketches(); !joined) return joined;
  if (options_.simhash_distance_bits >= 0) {
    if (Status joined = join_simhashes(); !joined) return joined;
  }
  return pairs_.finish();
}

Status CandidateBuilder::push_pair(std::uint32_t page_a, std::uint32_t page_b, std::uint32_t weight) {
  if (page_a == page_b) return {};
  return pairs_.push({std::min(page_a, page_b), std::max(page_a, page_b), weight, 1, kSourceSimhash});
}

Status CandidateBuilder::join_sketches() {
  Status status;
  const auto joined =
      sketches_.join(options_.caps, [&](std::uint32_t page_a, std::uint32_t page_b, std::uint32_t common_characters) {
        if (status) status = pairs_.push({page_a, page_b, common_characters, 1, kSourceSketch});
      });
  sketches_ = SketchJoin(options_.budget);
  if (!joined) return tl::unexpected<Error>(joined.error());
  statistics_.sketch = *joined;
  return status;
}

Status CandidateBuilder::join_equal_simhash(std::span<const SimhashKey> group) {
  const std::uint64_t size = group.size();
  if (size < 2) return {};
  KeyJoinStatistics& statistics = statistics_.equal_simhash;
  ++statistics.groups;
  statistics.largest_group = std::max(statistics.largest_group, size);
  if (size > options_.caps.group_cap) ++statistics.groups_over_cap;
  Status status;
  const std::uint64_t generated =
      for_each_group_pair(group.size(), options_.caps, [&](std::size_t first, std::size_t second) {
        if (!status) return;
        status = push_pair(group[first].page, group[second].page, std::min(group[first].weight, group[second].weight));
      });
  statistics.pairs_generated += generated;
  statistics.pairs_not_generated += size * (size - 1) / 2 - generated;
  return status;
}

Result<CandidateBuilder::SimhashGroups> CandidateBuilder::read_simhash_groups() {
  SimhashGroups groups(options_.budget);
  SpillArray<SimhashKey> group(options_.budget);
  const auto close_group = [&]() -> Status {
    if (group.empty()) return {};
    std::uint32_t weight = 0;
    Status status = groups.fingerprints.push_back(group.front().fingerprint);
    if (status) status = groups.begin.push_back(static_cast<std::uint32_t>(groups.pages.size()));
    for (const SimhashKey& key : group) {
      weight = std::max(weight, key.weight);
      if (status) status = groups.pages.push_back(key.page);
    }
    if (status) status = groups.weights.push_back(saturate16(weight));
    if (status) status = join_equal_simhash(group);
    group.clear();
    return status;
  };
  Status status;
  SimhashKey key;
  while (status && simhashes_->next(key)) {
    if (!group.empty() && group.front().fingerprint != key.fingerprint) status = close_group();
    if (status) status = group.push_back(key);
  }
  if (status) status = simhashes_->status();
  if (status) status = close_group();
  if (status) status = groups.begin.push_back(static_cast<std::uint32_t>(groups.pages.size()));
  if (!status) return tl::unexpected<Error>(status.error());
  return groups;
}

Status CandidateBuilder::join_simhashes() {
  if (Status finished = simhashes_->finish(); !finished) return finished;
  const auto groups = read_simhash_groups();
  if (!groups) return tl::unexpected<Error>(groups.error());
  statistics_.bytes_spilled += simhashes_->statistics().bytes_spilled;
  simhashes_.reset();
  if (options_.simhash_distance_bits == 0) return {};

  Status status;
  const auto on_pair = [&](std::uint32_t i, std::uint32_t j, int) {
    if (!status) return;
    tick(options_.budget);
    std::span<const std::uint32_t> pages_i = groups->pages_of(i);
    std::span<const std::uint32_t> pages_j = groups->pages_of(j);
    const std::uint64_t all = std::uint64_t{pages_i.size()} * pages_j.size();
    // The pages of one fingerprint are already linked among themselves: a few links between the two groups are enough
    // to reach every page of both.
    if (all > options_.caps.group_cap) {
      pages_i = pages_i.first(std::min<std::size_t>(pages_i.size(), options_.caps.star_pages));
      pages_j = pages_j.first(std::min<std::size_t>(pages_j.size(), options_.caps.star_pages));
      statistics_.simhash_page_pairs_not_generated += all - std::uint64_t{pages_i.size()} * pages_j.size();
    }
    const std::uint32_t weight = std::min(groups->weights[i], groups->weights[j]);
    for (const std::uint32_t page_i : pages_i) {
      for (const std::uint32_t page_j : pages_j) {
        if (status) status = push_pair(page_i, page_j, weight);
      }
    }
  };
  HammingJoinOptions options;
  options.distance_bits = options_.simhash_distance_bits;
  options.bucket_cap = options_.simhash_bucket_cap;
  options.all_different = true;
  options.budget = options_.budget;
  const auto joined = hamming_join_128(groups->fingerprints, options, on_pair, [](std::span<const std::uint32_t>) {});
  if (!joined) return tl::unexpected<Error>(joined.error());
  statistics_.hamming = *joined;
  return status;
}

Status CandidateBuilder::for_each_candidate(const CandidateCallback& on_pair) {
  Status read = pairs_.for_each([&](const CandidatePair& pair) {
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

}  // namespace paraprint
