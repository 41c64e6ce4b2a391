// What was fetched for a task that compares pages: profiles under the paragraph method, fingerprints under a page-level
// algorithm.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "distribute/fingerprint_index.h"
#include "index/site_boilerplate.h"
#include "memory/memory_budget.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint::distribute {

// Call order: add_parcel*, finish, score*. One thread at a time.
class FetchedPages {
 public:
  virtual ~FetchedPages() = default;

  // Keeps the pages of a "pages" parcel. Errors: kCorruptData for malformed parcels and for a page that comes twice;
  // those of the disk.
  virtual Status add_parcel(std::string_view bytes) = 0;
  // Call after the last parcel.
  virtual Status finish() = 0;
  // The match of two pages, possibly kDistinct. kNotFound for pages that were not fetched.
  virtual Result<Match> score(std::uint32_t page_a, std::uint32_t page_b) = 0;
  // Whether a match of a candidate pair is stored.
  virtual bool is_stored(const Match& match) const = 0;
};

// `index` is null under the paragraph method. The references must outlive the result.
std::unique_ptr<FetchedPages> make_fetched_pages(const FingerprintIndex* index, const SiteBoilerplate& boilerplate,
                                                 const MatchOptions& options, const std::string& temporary_folder,
                                                 MemoryBudget* budget);

// The bytes of a FetchedPage under a page-level algorithm.
void write_fetched_fingerprint(std::uint32_t content_characters, std::string_view fingerprint, std::string& bytes);

}  // namespace paraprint::distribute
