// Pages of a run that an earlier crawl already had: found in an index of known pages before the pages of the run are
// compared with each other. They are removed; what replaces them is not in the run but in the index.
//
// The answers are stored beside the run's other work (docs/formats/known-pages.md). Without that a run that goes on
// after a kill would find the pages that it added itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

struct DedupRun;

// The known page that a page of the run matches best. Reads "the page of the run is <verdict> the known one".
struct KnownPage {
  std::string_view id;
  std::string_view url;
  Verdict verdict = Verdict::kSame;
  float resemblance = 1;
  float containment = 1;        // share of the page of the run that stands in the known one
  float containment_known = 1;  // share of the known page that stands in the one of the run
};

// By page number; pages of equal text are all in it or none. Memory, on the budget: 40 bytes a page, and id and URL of
// the known page once for each text. Threads: one at a time, or any number that only read.
class KnownPages {
 public:
  explicit KnownPages(MemoryBudget* budget = nullptr) : rows_(budget), names_(budget) {}

  // Pages come in rising order. Errors: those of the budget's disk.
  Status add(std::uint32_t page, const KnownPage& known);
  // With the same answer as the page added as number `earlier`, counted from 0.
  Status add_like(std::uint32_t page, std::size_t earlier);

  MemoryBudget* budget() const { return rows_.budget(); }
  std::size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  bool contains(std::uint32_t page) const { return row_of(page) != nullptr; }
  // Valid until the next page is added.
  std::optional<KnownPage> find(std::uint32_t page) const;
  // Number `index` in the order of pages.
  std::uint32_t page(std::size_t index) const { return rows_[index].page; }
  KnownPage known(std::size_t index) const { return known_of(rows_[index]); }

 private:
  struct Row {
    std::uint64_t names_offset = 0;  // of the id, and behind it the URL
    std::uint32_t id_bytes = 0;
    std::uint32_t url_bytes = 0;
    std::uint32_t page = 0;
    Verdict verdict = Verdict::kSame;
    float resemblance = 1;
    float containment = 1;
    float containment_known = 1;
  };
  const Row* row_of(std::uint32_t page) const;
  KnownPage known_of(const Row& row) const;

  SpillArray<Row> rows_;
  SpillArray<char> names_;
};

// The index, as a run sees it.
class KnownPagesSource {
 public:
  virtual ~KnownPagesSource() = default;
  virtual std::string name() const = 0;
  // Whether profiles of these settings can be looked up; asked before any page is read. kInvalidArgument if not.
  virtual Status check(const std::string& identity) = 0;
  // The pages to remove.
  virtual Result<KnownPages> find(const DedupRun& run) = 0;
  // Adds the pages that the run keeps. Doing it again changes nothing.
  virtual Status add_kept(const DedupRun& run) = 0;
};

inline constexpr std::uint32_t kKnownPagesFormatVersion = 1;  // persisted

// The stored form. `log_bytes` and `source` say which run and which index the answers belong to.
struct StoredKnownPages {
  std::uint64_t log_bytes = 0;
  std::string source;
  KnownPages pages;
};
// Memory, on the budget of `pages`: the file.
Status write_known_pages(const std::string& path, std::uint64_t log_bytes, const std::string& source,
                         const KnownPages& pages);
// kNotFound, kUnsupported, kCorruptData.
Result<StoredKnownPages> read_known_pages(const std::string& path, MemoryBudget* budget = nullptr);

}  // namespace paraprint
