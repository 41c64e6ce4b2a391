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

}  // namespace

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
  if (!has_page_keys(profile.content_characters, options_.short_page_characters)) {
    ++statistics_.pages_short;
    return {};
  }
  collect_page_keys(profile, skip_paragraph, key_choice(options_), page_keys_);
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

Status CandidateBuilder::join_simhashes() {
  if (Status finished = simhashes_->finish(); !finished) return finished;
  const Result<NearGroups> groups =
      group_near_keys(*simhashes_, options_.caps, pairs_, statistics_.equal_simhash, options_.budget);
  if (!groups) return tl::unexpected<Error>(groups.error());
  statistics_.bytes_spilled += simhashes_->statistics().bytes_spilled;
  simhashes_.reset();
  if (options_.simhash_distance_bits == 0) return {};
  NearJoinOptions options;
  options.distance_bits = options_.simhash_distance_bits;
  options.bucket_cap = options_.simhash_bucket_cap;
  options.caps = options_.caps;
  options.budget = options_.budget;
  const Result<NearJoinStatistics> joined = join_near_groups(*groups, options, pairs_);
  if (!joined) return tl::unexpected<Error>(joined.error());
  statistics_.hamming = joined->hamming;
  statistics_.simhash_page_pairs_not_generated = joined->page_pairs_not_generated;
  return {};
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
