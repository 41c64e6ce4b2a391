// What a task that compares pages has read or was sent: profiles under the paragraph method, fingerprints under a
// page-level algorithm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "distribute/fingerprint_index.h"
#include "distribute/records.h"
#include "distribute/sets/page_sets.h"
#include "index/site_boilerplate.h"
#include "memory/memory_budget.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint::distribute {

// Call order: add* and add_parcel*, finish, score*. One thread at a time.
class FetchedPages {
 public:
  virtual ~FetchedPages() = default;

  // Keeps the pages of a "pages" parcel. Errors: kCorruptData for malformed parcels and for a page that comes twice;
  // those of the disk.
  Status add_parcel(std::string_view bytes);
  // Keeps a page. Errors: as above.
  virtual Status add(const FetchedPage& page) = 0;
  // Call after the last page.
  virtual Status finish() = 0;

  virtual std::size_t size() const = 0;
  // Nothing for pages that were not added.
  virtual std::optional<std::uint32_t> content_characters(std::uint32_t page) const = 0;
  // The match of two pages, possibly kDistinct. kNotFound for pages that were not added.
  virtual Result<Match> score(std::uint32_t page_a, std::uint32_t page_b) = 0;
  // The sets of two pages, valid until the next call; pages as for score(). kInvalidArgument for profiles and for
  // algorithms that do not find pages by sets.
  struct ComparedSets {
    const sets::PageSet& a;
    const sets::PageSet& b;
  };
  virtual Result<ComparedSets> compared_sets(std::uint32_t page_a, std::uint32_t page_b);
  // Whether a match of a candidate pair is stored.
  virtual bool is_stored(const Match& match) const = 0;
};

// `index` is null under the paragraph method. The references must outlive the result.
std::unique_ptr<FetchedPages> make_fetched_pages(const FingerprintIndex* index, const SiteBoilerplate& boilerplate,
                                                 const MatchOptions& options, const std::string& temporary_folder,
                                                 MemoryBudget* budget);

}  // namespace paraprint::distribute
