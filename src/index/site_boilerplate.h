// Paragraphs that a site repeats on its pages: menus, notices, footers (docs/algorithms/site-boilerplate.md).
//
// A paragraph is boilerplate of its site if enough pages of the site vote for it: max(3, 10 % of the site's pages), on
// sites with at least 10 pages. The voting rules protect content:
//
//   1. Pages with equal text count once, both as votes and as pages of the site: mirrors of an article on its own site
//      must not erase it.
//   2. Four edited versions of one article on a site of twelve pages share all paragraphs but one, and would vote their
//      own text away. So a paragraph that reaches the threshold by rule 1 is only a suspect, and a page votes for its
//      suspects only if at least `minimum_residue` of its characters are outside suspects. Versions of an article lose
//      nearly everything and do not vote; an article above a footer keeps its body and votes.
//   3. Pages with the same residue (set of paragraphs that are not suspects) vote once: one article in two page frames
//      has one vote.
//
// The price: on a site whose pages consist mostly of footer, the footer is kept, and verification treats it as content.
//
// Both passes run over external sorters: memory is bounded, and the result does not depend on the order of pages.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "memory/external_sort.h"
#include "memory/spill_array.h"
#include "memory/spill_hash_table.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline index {

struct SiteBoilerplateOptions {
  std::uint64_t memory_limit_bytes = 128ULL << 20;
  std::string temporary_directory = "/tmp";
  MemoryBudget* budget = nullptr;  // for everything except the sorters, result included; null: plain memory
  std::uint32_t minimum_site_pages = 10;
  std::uint32_t minimum_votes = 3;
  double minimum_share = 0.1;    // of the site's pages
  double minimum_residue = 0.3;  // share of a page's characters that must be outside suspects for it to vote
};

struct SiteBoilerplateStatistics {
  std::uint64_t sites = 0;
  std::uint64_t sites_too_small = 0;
  std::uint64_t pages_counted = 0;    // with distinct text within their site
  std::uint64_t suspects = 0;         // (site, paragraph) pairs that reach the threshold by rule 1
  std::uint64_t suspects_spared = 0;  // of those, kept as content by rules 2 and 3
  std::uint64_t bytes_spilled = 0;
};

// The result: a set of (site, paragraph hash). Immutable; safe for concurrent reads. Lookups do not call tick().
class SiteBoilerplate {
 public:
  SiteBoilerplate() = default;
  bool contains(std::uint64_t site, std::uint64_t paragraph_hash) const;
  std::size_t size() const { return entries_.size(); }
  // The set as ascending numbers, and back, so that results for different sites can be merged. Errors: the budget's
  // disk.
  std::span<const std::uint64_t> entries() const { return entries_; }
  static std::uint64_t entry_of(std::uint64_t site, std::uint64_t paragraph_hash);
  static Result<SiteBoilerplate> from_entries(std::span<const std::uint64_t> rising, MemoryBudget* budget = nullptr);
  // Sets flags[i] to 1 for each paragraph of `profile` that is boilerplate on `site`; returns how many.
  std::size_t flag(std::uint64_t site, const Profile& profile, std::vector<std::uint8_t>& flags) const;

 private:
  friend class SiteBoilerplateCounter;
  SpillArray<std::uint64_t> entries_;  // sorted; each mixes site and paragraph hash
};

// Whether a page with these flags (SiteBoilerplate::flag) has paragraphs, and all of them are boilerplate.
inline bool consists_of_boilerplate(std::span<const std::uint8_t> flags) {
  return !flags.empty() && std::find(flags.begin(), flags.end(), 0) == flags.end();
}

// Call add_page() for each page, in any order, then finish() once. `site` is any 64-bit identifier of the site, e.g.
// hash64 of its host. Memory in addition to the sorters, on the budget: about 50 bytes per page, 24 per page of the
// largest group that shares a paragraph, and 8 per entry of the result. Errors: those of the sorters and the budget's
// disk. Threads: one at a time.
class SiteBoilerplateCounter {
 public:
  explicit SiteBoilerplateCounter(SiteBoilerplateOptions options);

  Status add_page(std::uint64_t site, const Profile& profile);
  Result<SiteBoilerplate> finish();
  const SiteBoilerplateStatistics& statistics() const { return statistics_; }

 private:
  struct Occurrence {
    std::uint64_t entry = 0;  // mixes site and paragraph hash
    std::uint64_t site = 0;
    std::uint32_t page = 0;        // index into pages_
    std::uint32_t characters = 0;  // of all copies of the paragraph in the page
    friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
  };
  struct OccurrenceTraits {
    static std::uint64_t key(const Occurrence& record) { return record.entry; }
    static bool combine(Occurrence& into, const Occurrence& from);
  };
  using OccurrenceSorter = ExternalSorter<Occurrence, OccurrenceTraits>;
  struct CountedPage {
    std::uint32_t characters = 0;
    std::uint32_t suspect_characters = 0;
    std::uint64_t residue = 0;  // identifies the set of paragraphs that are not suspects: sum of their mixed entries
  };

  std::uint64_t votes_needed(std::uint64_t site) const;
  Status collect_suspects(OccurrenceSorter& suspects);
  void take_from_residue(std::span<const Occurrence> group);
  Result<bool> is_voted(std::span<const Occurrence> group);

  SiteBoilerplateOptions options_;
  OccurrenceSorter occurrences_;
  SpillHashTable<std::uint64_t, std::uint32_t> site_pages_;
  SpillHashTable<std::uint64_t, std::uint8_t> seen_texts_;  // keys mix site and text hash
  SpillArray<CountedPage> pages_;
  SpillArray<std::uint64_t> residues_;  // of the pages that vote for the current paragraph
  SiteBoilerplateStatistics statistics_;
};

}  // namespace paraprint::inline index
