// Which paragraphs a site repeats, counted while pages come in: the online form of algorithms.md 36 (1).
//
// Each page that is no copy of a known one votes for its paragraphs on its site. A paragraph is template when it has
// max(3, 10 % of the voting pages) votes on a site of at least 10 voting pages: the thresholds of a batch
// (index/site_boilerplate.h), applied to what is known so far. That copies have no vote keeps edited versions of one
// article from erasing it; it stands for rules 1 to 3 there.
//
// Most paragraphs occur once. Bloom filters (6 probes; 12 bits a paragraph, 20 in small ones, which are many) remember
// those; only paragraphs seen again are counted by name. So about one paragraph in 60 has one vote too many. Votes are
// never taken back.
#pragma once

#include <cstdint>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "paraprint/model.h"
#include "paraprint/result.h"
#include "store/vote_counts.h"

namespace paraprint {

inline constexpr std::uint32_t kSiteTemplatesFormatVersion = 2;  // persisted

// Thread-safe: any number of readers and one writer.
class SiteTemplates {
 public:
  SiteTemplates() = default;

  // A page's votes. `site` 0 (no site) has none.
  void add_votes(std::uint64_t site, const Profile& profile);

  // Sets flags[i] where paragraph i is template on `site` by now; flags that are set stay. `flags` has an entry a
  // paragraph.
  void flag(std::uint64_t site, const Profile& profile, std::span<std::uint8_t> flags) const;

  std::uint64_t sites() const;
  std::uint64_t memory_bytes() const;

  // The stored form (docs/formats/index.md). `covered_text`: votes of texts below it are in.
  std::string encode(std::uint64_t covered_text) const;
  // Replaces the content. kCorruptData, also for an older version: to be counted again; kUnsupported for a newer one.
  // The content is then empty.
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
  std::unordered_map<std::uint64_t, std::uint32_t> site_pages_;
  VoteCounts repeated_;  // mixture of site and paragraph hash -> votes, from 2
  std::vector<FilterLayer> layers_;
};

}  // namespace paraprint
