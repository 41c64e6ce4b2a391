// Which pairs of pages are worth verifying: equal text, equal heavy sentences, equal or near paragraphs.
//
//   CandidateBuilder builder(options);
//   for (page, profile) in ascending page order: builder.add_page(page, profile, skip_paragraph);
//   builder.finish();
//   builder.for_each_candidate([](const CandidatePair& pair) { ... });   // sorted by (page_a, page_b)
//
// Pages of equal text (Profile::text_hash) are one page here: the first of them stands for all, and only it appears in
// candidate pairs, so a mirror group of 100,000 identical pages costs 100,000 table look-ups. The groups are answered
// by same_text_representatives().
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
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

struct CandidateOptions {
  std::uint64_t memory_limit_bytes = 512ULL << 20;  // of the sorters together; the rest is listed at CandidateBuilder
  std::string temporary_directory = "/tmp";
  GroupCaps caps;
  int simhash_distance_bits = 6;              // of paragraph fingerprints; -1: exact keys only
  std::uint32_t simhash_bucket_cap = 1024;    // 0: exact, see hamming_join.h
  std::uint32_t short_page_characters = 50;   // pages below are compared by text hash only
  std::uint32_t minimum_key_characters = 20;  // shorter paragraphs and sentences ("Read more") are no key
  std::uint32_t minimum_pair_weight = 0;      // pairs with fewer characters in common are dropped and counted
};

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
  std::uint64_t pairs = 0;                             // different pairs answered
  std::uint64_t pairs_by_anchor = 0;                   // a pair counts under each source that found it
  std::uint64_t pairs_by_paragraph = 0;
  std::uint64_t pairs_by_simhash = 0;
  std::uint64_t pairs_under_minimum_weight = 0;
  std::uint64_t bytes_spilled = 0;
};

// Memory beside the sorters: about 45 bytes a page for the text hashes; while the near paragraphs are joined, about 44
// bytes per different paragraph fingerprint, or 10 when that passes the limit and the join goes to disk
// (hamming_join_external.h). Threads: one at a time.
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
  std::span<const std::uint32_t> same_text_representatives() const { return representatives_; }

  const CandidateStatistics& statistics() const { return statistics_; }

 private:
  struct SimhashKey {
    Fingerprint128 fingerprint;
    std::uint32_t page = 0;
    std::uint32_t weight = 0;
    friend auto operator<=>(const SimhashKey&, const SimhashKey&) = default;
  };
  struct SimhashKeyTraits {
    static std::uint64_t key(const SimhashKey& record) { return record.fingerprint.high; }
    static bool combine(SimhashKey& into, const SimhashKey& from);
  };
  using SimhashSorter = ExternalSorter<SimhashKey, SimhashKeyTraits>;
  struct SimhashGroups;  // different fingerprints and the pages of each

  std::uint32_t find_or_add_text(const std::array<std::uint64_t, 2>& text_hash, std::uint32_t page);
  void grow_texts();
  Status push_pair(std::uint32_t page_a, std::uint32_t page_b, std::uint32_t weight);
  void find_paragraphs_without_anchors(const Profile& profile);
  Status join_simhashes();
  Result<SimhashGroups> read_simhash_groups();
  Status join_equal_simhash(std::span<const SimhashKey> group);

  struct Text {
    std::array<std::uint64_t, 2> hash{};
    std::uint32_t page_plus_one = 0;  // 0: free slot
  };

  CandidateOptions options_;
  std::optional<PageKeySorter> keys_;
  std::optional<SimhashSorter> simhashes_;
  CandidatePairSorter pairs_;
  std::vector<Text> texts_;  // open addressing, a power of two
  std::size_t text_count_ = 0;
  std::vector<std::uint32_t> representatives_;
  std::vector<std::uint8_t> needs_own_key_;  // per paragraph of the page being added
  CandidateStatistics statistics_;
};

}  // namespace paraprint
