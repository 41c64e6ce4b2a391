// Finds the pairs of pages worth verifying: equal text, equal heavy sentences, equal or near paragraphs, or similar
// texts as wholes (docs/algorithms/clustering.md).
//
//   CandidateBuilder builder(options);
//   for (page, profile) in ascending page order: builder.add_page(page, searched_page(profile, skip, options));
//   builder.finish();
//   builder.for_each_candidate([](const CandidatePair& pair) { ... });   // sorted by (page_a, page_b)
//
// Pages with equal text (Profile::text_hash) are treated as one page: the first of them represents the group, and only
// it appears in candidate pairs, so a mirror group of 100,000 identical pages costs 100,000 table lookups.
// take_same_text_representatives() returns the groups.
//
// EMPTY pages are never compared; SHORT pages (base/short_page.h) only by equal text.
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

namespace paraprint::inline index {

struct CandidateOptions {
  std::uint64_t memory_limit_bytes = 512ULL << 20;  // for all sorters together; see CandidateBuilder for the rest
  std::string temporary_directory = "/tmp";
  MemoryBudget* budget = nullptr;  // for the memory listed at CandidateBuilder; null: plain memory
  unsigned threads = 1;
  GroupCaps caps;
  int simhash_distance_bits = 6;  // of paragraph fingerprints; -1: exact keys only
  bool join_sketches = true;      // also find texts that are similar as wholes
  std::uint32_t short_page_characters = kShortPageCharacters;
  std::uint32_t minimum_key_characters = kMinimumKeyCharacters;
  std::uint32_t minimum_pair_weight = 0;  // pairs with fewer characters in common are dropped and counted
};

// Which keys of a page are used under these options.
inline PageKeyChoice key_choice(const CandidateOptions& options) {
  return {options.minimum_key_characters, options.simhash_distance_bits >= 0, options.join_sketches};
}

struct CandidateStatistics {
  std::uint64_t pages = 0;
  std::uint64_t pages_empty = 0;
  std::uint64_t pages_short = 0;
  std::uint64_t pages_same_text = 0;  // represented by an earlier page with equal text
  std::uint64_t keys = 0;             // sentence anchors and paragraph hashes
  std::uint64_t simhashes = 0;
  KeyJoinStatistics exact;                             // groups of equal keys
  KeyJoinStatistics equal_simhash;                     // groups of equal fingerprints
  HammingJoinStatistics hamming;                       // pairs of different fingerprints
  std::uint64_t simhash_page_pairs_not_generated = 0;  // skipped: both near fingerprints have many pages
  SketchJoinStatistics sketch;                         // pairs of texts similar as wholes
  std::uint64_t pairs = 0;                             // distinct pairs reported
  std::uint64_t pairs_by_anchor = 0;                   // a pair counts under each source that found it
  std::uint64_t pairs_by_paragraph = 0;
  std::uint64_t pairs_by_simhash = 0;
  std::uint64_t pairs_by_sketch = 0;
  std::uint64_t pairs_under_minimum_weight = 0;
  std::uint64_t bytes_spilled = 0;
};

// What the search needs of a page. Making it is most of the work of adding a page, and can be done on any thread.
struct SearchedPage {
  std::uint32_t content_characters = 0;
  std::array<std::uint64_t, 2> text_hash{};
  PageKeys keys;  // empty for a page that is EMPTY or SHORT
};

// `skip_paragraph`: empty, or one flag per paragraph; flagged paragraphs (site boilerplate) and their sentences yield
// no keys.
SearchedPage searched_page(const Profile& profile, std::span<const std::uint8_t> skip_paragraph,
                           const CandidateOptions& options);

// Memory in addition to the sorters, on the budget: about 45 bytes per page for the text hashes; 136 bytes per page for
// the sketches, and 16 per thread while they are joined, released before the near paragraphs are joined; about 40 bytes
// per distinct paragraph fingerprint while they are joined; 16 or 24 bytes per page of the largest group of equal keys.
// Threads: one at a time.
class CandidateBuilder {
 public:
  using CandidateCallback = std::function<void(const CandidatePair&)>;

  explicit CandidateBuilder(CandidateOptions options);

  // `number` must be greater than all earlier ones, which makes the result independent of the order in which pages were
  // read. `page` must be made with the options of this object. Errors: those of the sorters and of the budget's disk.
  Status add_page(std::uint32_t number, const SearchedPage& page);

  // Runs the joins. Errors: those of spilling (kNoSpace names the directory); kInvalidArgument for invalid options.
  Status finish();

  // Reports every candidate pair once, ascending. Call once, after finish().
  Status for_each_candidate(const CandidateCallback& on_pair);

  // For each page number up to the last one added: the first page with equal text, which may be the page itself. Moves
  // the array out of the builder: call once, after finish().
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
  SpillHashTable<std::array<std::uint64_t, 2>, std::uint32_t> texts_;  // text hash -> its first page + 1
  SpillArray<std::uint32_t> representatives_;
  CandidateStatistics statistics_;
};

}  // namespace paraprint::inline index
