// What a run saved: savings.json and savings.html (docs/output.md), by what became of the records, by media type and by
// host. Both are the same in every run over the same input.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint::inline report {

// What became of a record. The names are part of the output format.
inline constexpr std::array<std::string_view, 5> kSavingsClassNames = {"equal-payload", "near-duplicate", "template",
                                                                       "companion", "kept"};
inline constexpr std::size_t kSavingsKept = 4;

// Rows that are written; the rest is added up.
inline constexpr std::size_t kSavingsMediaTypesMaximum = 50;
inline constexpr std::size_t kSavingsHostsMaximum = 100;

struct SavedBytes {
  std::uint64_t records = 0;
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;

  void add(const SavedBytes& other);
  // Negative if what took the place of small records is larger than they were.
  std::int64_t bytes_saved() const { return static_cast<std::int64_t>(bytes_before - bytes_after); }
};

struct SavingsRow {
  std::string name;  // untrusted
  std::array<SavedBytes, kSavingsClassNames.size()> classes;

  void add(const SavingsRow& other);  // but the name
  SavedBytes all() const;
  std::uint64_t records_removed() const { return all().records - classes[kSavingsKept].records; }
};

// The rows that saved most, then by name in byte order, and the sum of all others. Names must be distinct. Add: O(log
// limit).
class SavingsTable {
 public:
  explicit SavingsTable(std::size_t limit) : limit_(limit) {}

  void add(SavingsRow row);

  struct BySaving {
    bool operator()(const SavingsRow& a, const SavingsRow& b) const;
  };
  const std::set<SavingsRow, BySaving>& rows() const { return rows_; }
  const SavingsRow& other() const { return other_; }
  std::uint64_t size() const { return size_; }  // of shown and other rows

 private:
  std::size_t limit_ = 0;
  std::set<SavingsRow, BySaving> rows_;
  SavingsRow other_;
  std::uint64_t size_ = 0;
};

struct SavingsReport {
  SavingsRow totals;
  // Sizes of the files as they are stored, compressed or not; of inputs, 0 if unknown.
  std::uint64_t file_bytes_before = 0;
  std::uint64_t file_bytes_after = 0;
  SavingsTable media_types{kSavingsMediaTypesMaximum};
  SavingsTable hosts{kSavingsHostsMaximum};
  std::string report_href;  // of the run's report, from savings.html; empty if it has none
};

std::string savings_json(const SavingsReport& report);  // indented, with a final line feed
std::string savings_page(const SavingsReport& report);  // a page that needs no other file

// Writes both into `folder`. Errors: as AtomicFile.
Status write_savings(const std::string& folder, const SavingsReport& report);

}  // namespace paraprint::inline report
