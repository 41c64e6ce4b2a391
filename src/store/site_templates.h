// Counts the paragraphs that a site repeats, while pages are added: the online form of
// docs/algorithms/site-boilerplate.md.
//
// Each page that is not a copy of a known one votes for its paragraphs on its site. A paragraph is template if it has
// max(3, 10 % of the voting pages) votes on a site of at least 10 voting pages: the thresholds of a batch
// (index/site_boilerplate.h), applied to the pages so far. Copies do not vote, so that edited versions of an article do
// not turn its paragraphs into template; this replaces rules 1 to 3 there.
//
// Most paragraphs occur once. Bloom filters record those (6 probes; 12 bits per paragraph, or 20 in small layers, of
// which there are many); only paragraphs seen again are counted exactly. About one paragraph in 60 therefore has one
// vote too many. Votes are never withdrawn.
#pragma once

#include <cstdint>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "memory/seeded_hash.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "store/vote_counts.h"

namespace paraprint::inline store {

inline constexpr std::uint32_t kSiteTemplatesFormatVersion = 2;  // persisted

// Thread-safe. Readers run concurrently; writers are exclusive.
class SiteTemplates {
 public:
  SiteTemplates() = default;

  // Adds a page's votes. A page without a site (0) has none.
  void add_votes(std::uint64_t site, const Profile& profile);

  // Sets flags[i] if paragraph i is currently template on `site`; flags already set are kept. `flags` has one entry per
  // paragraph.
  void flag(std::uint64_t site, const Profile& profile, std::span<std::uint8_t> flags) const;

  std::uint64_t sites() const;
  std::uint64_t memory_bytes() const;

  // Encodes the counts (docs/formats/index.md). `covered_text`: the votes of all texts below it are included.
  std::string encode(std::uint64_t covered_text) const;
  // Replaces the content. Errors: kCorruptData, also for an older version, which has to be counted again; kUnsupported
  // for a newer one. The content is empty after an error.
  Status decode(std::string_view bytes, std::uint64_t& covered_text);

 private:
  struct FilterLayer {
    std::vector<std::uint64_t> words;
    std::uint64_t capacity = 0;
    std::uint64_t count = 0;
    bool contains(std::uint64_t entry) const;
    void add(std::uint64_t entry);
  };
  bool is_template(std::uint64_t site, std::uint32_t needed, std::uint64_t paragraph_hash) const;
  bool was_seen(std::uint64_t entry) const;
  void remember(std::uint64_t entry);
  Status decode_content(std::string_view bytes, std::uint64_t& covered_text);

  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uint64_t, std::uint32_t, SeededHash> site_pages_;
  VoteCounts repeated_;  // hash of site and paragraph -> votes, at least 2
  std::vector<FilterLayer> layers_;
};

}  // namespace paraprint::inline store
