// Pages of a run that an earlier crawl already had. They are looked up in an index of known pages before the pages of
// the run are compared with each other, and are removed; the pages that replace them are in the index, not in the run.
//
// The answers are stored with the run's other work (docs/formats/known-pages.md), so a resumed run has the answers of
// the index as it was. A restarted run asks again, and leaves out the pages that it had itself added (added_pages.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/run.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/page_log.h"
#include "profile/page_table.h"
#include "store/search_keys.h"

namespace paraprint::inline engine {

class AddedPages;
struct Decisions;
class WorkFolder;

// The known page that a page of the run matches best. The verdict reads "the page of the run is <verdict> the known
// one".
struct KnownPage {
  std::string_view id;
  std::string_view url;
  Verdict verdict = Verdict::kSame;
  float resemblance = 1;
  float containment = 1;        // share of the run's page that is contained in the known one
  float containment_known = 1;  // share of the known page that is contained in the run's page
};

// How many matches of a page are looked at for one that takes its place: more than the best one, since a page may be
// contained in one known page while others rank above it.
inline constexpr std::uint32_t kKnownMatchesLookedAt = 64;
// Whether a known page takes the place of one that is <verdict> it.
inline bool is_replaced_by_known(Verdict verdict, const SurvivorOptions& options) {
  return verdict == Verdict::kSame || verdict == Verdict::kNear ||
         (verdict == Verdict::kContained && options.remove_contained);
}
// How known pages are looked up: a run may search at larger distances than their tables support.
inline CandidateSearchOptions known_search_options(const DedupOptions& options) {
  CandidateSearchOptions search = options.candidates;
  search.candidate_bits = std::min(search.candidate_bits, kSearchDistanceBits);
  return search;
}

// Known pages by page number; of pages with equal text, either all are in it or none. Memory, on the budget: 40 bytes
// per page, and id and URL of the known page once per text. Threads: one at a time, or any number that only read.
class KnownPages {
 public:
  explicit KnownPages(MemoryBudget* budget = nullptr) : rows_(budget), names_(budget) {}

  // Requires ascending page numbers. Errors: those of the budget's disk.
  Status add(std::uint32_t page, const KnownPage& known);
  // Shares the answer of the `earlier`-th added page (0-based).
  Status add_like(std::uint32_t page, std::size_t earlier);

  MemoryBudget* budget() const { return rows_.budget(); }
  std::size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  bool contains(std::uint32_t page) const { return row_of(page) != nullptr; }
  // Valid until the next page is added.
  std::optional<KnownPage> find(std::uint32_t page) const;
  // Page number and answer of the `index`-th entry, in page order.
  std::uint32_t page(std::size_t index) const { return rows_[index].page; }
  KnownPage known(std::size_t index) const { return known_of(rows_[index]); }

 private:
  struct KnownRow {
    std::uint64_t names_offset = 0;  // of the id, which the URL follows
    std::uint32_t id_bytes = 0;
    std::uint32_t url_bytes = 0;
    std::uint32_t page = 0;
    Verdict verdict = Verdict::kSame;
    float resemblance = 1;
    float containment = 1;
    float containment_known = 1;
  };
  const KnownRow* row_of(std::uint32_t page) const;
  KnownPage known_of(const KnownRow& row) const;

  SpillArray<KnownRow> rows_;
  SpillArray<char> names_;
};

// What became of the pages that a run gave to an index, besides those that it added.
struct IndexAdditions {
  std::uint64_t replaced = 0;  // known pages that have another text now
  std::uint64_t left_out = 0;  // pages that no index takes
};

// The index from the point of view of a run, which keeps the engine independent of src/online.
class KnownPagesSource {
 public:
  virtual ~KnownPagesSource() = default;
  // Of the index, the same for all ways to write its path.
  virtual std::string name() const = 0;
  // The settings that the answers depend on, besides those of profiles.
  virtual std::string settings() const = 0;
  // kInvalidArgument unless profiles made with these settings can be looked up. Called before any page is read.
  virtual Status check(const std::string& identity) = 0;
  // Finds the pages to remove among `pages`, whose profiles are in `log`. Pages of the index that are in `own` do not
  // count as known. The result is on the budget of `pages`.
  virtual Result<KnownPages> find(const std::string& identity, const PageLog& log, const PageTable& pages,
                                  const AddedPages& own) = 0;
  // Adds the pages that the run keeps under their names in an index (index_id()). Idempotent: a run may be killed
  // during the call and repeat it.
  virtual Result<IndexAdditions> add_kept(const std::string& identity, const PageLog& log, const PageTable& pages,
                                          const Decisions& decisions) = 0;
};

// The pages of a run that an earlier crawl had: as stored in the work folder, or asked of `source` and stored there. A
// run without a source (null) knows none, unless it reclusters one that had a source.
Result<KnownPages> find_known_pages(const RunSetup& run, const PageLog& log, const PageTable& pages,
                                    const WorkFolder& work, KnownPagesSource* source);

inline constexpr std::uint32_t kKnownPagesFormatVersion = 1;  // persisted

// The stored form. `log_bytes` identifies the run that the answers belong to, `source` the index and its settings.
struct StoredKnownPages {
  std::uint64_t log_bytes = 0;
  std::string source;
  KnownPages pages;
};
// Memory, on the budget of `pages`: the size of the file.
Status write_known_pages(const std::string& path, std::uint64_t log_bytes, const std::string& source,
                         const KnownPages& pages);
// Errors: kNotFound, kUnsupported, kCorruptData, kInputOutput.
Result<StoredKnownPages> read_known_pages(const std::string& path, MemoryBudget* budget = nullptr);

}  // namespace paraprint::inline engine
