// Which pairs of pages are worth verifying: equal text, equal heavy sentences, equal or near paragraphs,
// texts that are alike as wholes.
//
//   CandidateBuilder builder(options);
//   for (page, profile) in ascending page order: builder.add_page(page, profile, skip_paragraph);
//   builder.finish();
//   builder.for_each_candidate([](const CandidatePair& pair) { ... });   // sorted by (page_a, page_b)
//
// Pages of equal text (Profile::text_hash) are one page here: the first of them stands for all, and only it appears in
// candidate pairs, so a mirror group of 100,000 identical pages costs 100,000 table look-ups. The groups are answered
// by take_same_text_representatives().
//
// EMPTY pages are never compared; SHORT pages (algorithms.md 0.5) only by equal text.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/hamming_join.h"
#include "index/key_join.h"
#include "index/near_join.h"
#include "index/page_keys.h"
#include "index/sketch_join.h"
#include "memory/spill_array.h"
#include "memory/spill_hash_table.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

struct CandidateOptions {
  std::uint64_t memory_limit_bytes = 512ULL << 20;  // of the sorters together; the rest is listed at CandidateBuilder
  std::string temporary_directory = "/tmp";
  MemoryBudget* budget = nullptr;  // of what is listed there; null: memory
  GroupCaps caps;
  int simhash_distance_bits = 6;            // of paragraph fingerprints; -1: exact keys only
  std::uint32_t simhash_bucket_cap = 1024;  // 0: exact, see hamming_join.h
  bool join_sketches = true;                // find texts that are alike as wholes
  std::uint32_t short_page_characters = kShortPageCharacters;
  std::uint32_t minimum_key_characters = kMinimumKeyCharacters;
  std::uint32_t minimum_pair_weight = 0;  // pairs with fewer characters in common are dropped and counted
};

// What the keys of a page are under these options.
inline PageKeyChoice key_choice(const CandidateOptions& options) {
  return {options.minimum_key_characters, options.simhash_distance_bits >= 0, options.join_sketches};
}

struct CandidateStatistics {
  std::uint64_t pages = 0;
  std::uint64_t pages_empty = 0;
  std::uint64_t pages_short = 0;
  std::uint64_t pages_same_text = 0;  // that stand behind an earlier page of equal text
  std::uint64_t keys = 0;             // sentence anchors and paragraph hashes
  std::uint64_t simhashes = 0;
  KeyJoinStatistics exact;                             // groups of equal keys
  KeyJoinStatistics equal_simhash;                     // groups of equal fingerprints
  HammingJoinStatistics hamming;                       // pairs of different fingerprints
  std::uint64_t simhash_page_pairs_not_generated = 0;  // of near fingerprints that both have many pages
  SketchJoinStatistics sketch;                         // pairs of texts alike as wholes
  std::uint64_t pairs = 0;                             // different pairs answered
  std::uint64_t pairs_by_anchor = 0;                   // a pair counts under each source that found it
  std::uint64_t pairs_by_paragraph = 0;
  std::uint64_t pairs_by_simhash = 0;
  std::uint64_t pairs_by_sketch = 0;
  std::uint64_t pairs_under_minimum_weight = 0;
  std::uint64_t bytes_spilled = 0;
};

// Memory beside the sorters, on the budget: about 45 bytes a page for the text hashes; 136 bytes a page for the
// sketches, given back before the near paragraphs are joined; while these are joined, about 40 bytes per different
// paragraph fingerprint; a group of equal keys, 16 or 24 bytes a page. Threads: one at a time.
class CandidateBuilder {
 public:
  using CandidateCallback = std::function<void(const CandidatePair&)>;

  explicit CandidateBuilder(CandidateOptions options);

  // `page` has to be greater than all before it (what makes the answer independent of how the pages were read).
  // `skip_paragraph`: empty, or one flag per paragraph; paragraphs flagged (site boilerplate) and their sentences give
  // no key.
  Status add_page(std::uint32_t page, const Profile& profile, std::span<const std::uint8_t> skip_paragraph = {});

  // Joins. Errors: those of the spill (kNoSpace names the directory) and kInvalidArgument for options out of range.
  Status finish();

  // After finish(), once: every candidate pair, ascending.
  Status for_each_candidate(const CandidateCallback& on_pair);

  // For each page number up to the last one added: the first page of equal text, itself if there is none before it.
  // The builder gives them away: once, after finish().
  SpillArray<std::uint32_t> take_same_text_representatives() { return std::move(representatives_); }

  const CandidateStatistics& statistics() const { return statistics_; }

 private:
  Status join_sketches();
  Status join_simhashes();

  CandidateOptions options_;
  std::optional<PageKeySorter> keys_;
  std::optional<NearKeySorter> simhashes_;
  CandidatePairSorter pairs_;
  SketchJoin sketches_;
  SpillHashTable<std::array<std::uint64_t, 2>, std::uint32_t> texts_;  // text hash to its first page, plus one
  SpillArray<std::uint32_t> representatives_;
  PageKeys page_keys_;  // of the page being added
  CandidateStatistics statistics_;
};

}  // namespace paraprint
