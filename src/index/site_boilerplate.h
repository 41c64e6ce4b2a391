// Paragraphs that a site repeats on its pages: menus, notices, footers (algorithms.md 36 (1)).
//
// A paragraph of a site is boilerplate if enough pages of the site vote for it: max(3, 10 % of the site's pages), on
// sites of at least 10 pages. Who may vote is what keeps content safe:
//
//   1. Pages of equal text count once, in the votes and in the number of pages: mirrors of one article on a site must
//      not erase it.
//   2. Four edited versions of one article on a site of twelve pages share all paragraphs but one, and would outvote
//      themselves. So a paragraph that reaches the threshold by rule 1 is only a suspect, and a page votes for its
//      suspects only if at least `minimum_residue` of its characters are in paragraphs that are no suspects. Versions
//      lose nearly everything and stay silent; an article above a footer keeps its body and votes.
//   3. Pages with the same residue (the same set of paragraphs that are no suspects) vote once: one article under two
//      page frames is one voice.
//
// The price: a footer on a site whose pages are mostly footer is kept. Verification then sees it as content.
//
// Both passes run over external sorters: memory is bounded, output independent of page order.
#pragma once

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

namespace paraprint {

struct SiteBoilerplateOptions {
  std::uint64_t memory_limit_bytes = 128ULL << 20;
  std::string temporary_directory = "/tmp";
  MemoryBudget* budget = nullptr;  // of what is kept beside the sorters, and of the answer; null: memory
  std::uint32_t minimum_site_pages = 10;
  std::uint32_t minimum_votes = 3;
  double minimum_share = 0.1;    // of the site's pages
  double minimum_residue = 0.3;  // of a page's characters outside suspects, for it to vote
};

struct SiteBoilerplateStatistics {
  std::uint64_t sites = 0;
  std::uint64_t sites_too_small = 0;
  std::uint64_t pages_counted = 0;    // of different text within their site
  std::uint64_t suspects = 0;         // (site, paragraph) over the threshold by rule 1
  std::uint64_t suspects_spared = 0;  // of those, saved by rules 2 and 3
  std::uint64_t bytes_spilled = 0;
};

// The answer: a set of (site, paragraph hash). Immutable; any number of threads may ask.
class SiteBoilerplate {
 public:
  SiteBoilerplate() = default;
  bool contains(std::uint64_t site, std::uint64_t paragraph_hash) const;
  std::size_t size() const { return entries_.size(); }
  // The set as rising numbers, and back: answers over different sites can be joined.
  std::span<const std::uint64_t> entries() const { return entries_; }
  static Result<SiteBoilerplate> from_entries(std::span<const std::uint64_t> rising, MemoryBudget* budget = nullptr);
  // Sets flags[i] to 1 for each paragraph of `profile` that is boilerplate on `site`; returns how many.
  std::size_t flag(std::uint64_t site, const Profile& profile, std::vector<std::uint8_t>& flags) const;

 private:
  friend class SiteBoilerplateCounter;
  SpillArray<std::uint64_t> entries_;  // sorted mixtures of site and paragraph hash
};

// add_page for each page, in any order; finish once. `site` is any 64-bit name of the site, e.g. hash64 of its host.
// Memory beside the sorters, on the budget: about 50 bytes a page, 24 a page that has the same paragraph of a site,
// 8 an entry of the answer. One thread at a time.
class SiteBoilerplateCounter {
 public:
  explicit SiteBoilerplateCounter(SiteBoilerplateOptions options);

  Status add_page(std::uint64_t site, const Profile& profile);
  Result<SiteBoilerplate> finish();
  const SiteBoilerplateStatistics& statistics() const { return statistics_; }

 private:
  struct Occurrence {
    std::uint64_t entry = 0;  // mixture of site and paragraph hash
    std::uint64_t site = 0;
    std::uint32_t page = 0;        // number of the counted page, not of the caller's
    std::uint32_t characters = 0;  // of all its copies in the page
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
    std::uint64_t residue = 0;  // sum of the entries of the paragraphs that are no suspects, each once
  };

  std::uint64_t votes_needed(std::uint64_t site) const;
  Status collect_suspects(OccurrenceSorter& suspects);
  void take_from_residue(std::span<const Occurrence> group);
  Result<bool> is_voted(std::span<const Occurrence> group);

  SiteBoilerplateOptions options_;
  OccurrenceSorter occurrences_;
  SpillHashTable<std::uint64_t, std::uint32_t> site_pages_;
  SpillHashTable<std::uint64_t, std::uint8_t> seen_texts_;  // mixtures of site and text hash
  SpillArray<CountedPage> pages_;
  SpillArray<std::uint64_t> residues_;  // of the pages that vote for a paragraph
  SiteBoilerplateStatistics statistics_;
};

}  // namespace paraprint
