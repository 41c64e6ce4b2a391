// Where the pages of a run come from, by provenance.jsonl in its folder: what lists, searches and pictures need of
// every page. The rest of a line is read again when its page is shown.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/progress.h"
#include "memory/seeded_hash.h"
#include "memory/spill_array.h"
#include "paraprint/result.h"
#include "profile/page_table.h"
#include "provenance/provenance_reader.h"

namespace paraprint::inline explorer::inline copies {

inline constexpr std::uint32_t kNoPage = UINT32_MAX;
// Messages about lines that cannot be used; further ones are counted.
inline constexpr std::size_t kRefusedLinesShown = 20;
// Of a stated name or host that a search can find.
inline constexpr std::size_t kStatedBytesMaximum = 200;

struct OriginRow {
  std::uint64_t line_offset_bytes = 0;
  std::uint64_t stated_begin = 0;
  std::uint32_t line_bytes = 0;
  std::uint32_t copied_from = kNoPage;
  std::uint16_t stated_bytes = 0;  // host and name of the source that the page states
  std::array<char, 10> day{};      // of publication, "2010-03-01"; zeros: no usable one
  std::uint8_t confidence_percent = 0;
  bool is_first = false;
  bool is_traced = false;
};

// After load(), any number of threads may read.
class RunOrigins {
 public:
  // `pages` must outlive the object, which has its arrays on their budget: 4 bytes per page, and 48 and what it states
  // per line.
  explicit RunOrigins(const PageTable& pages);

  // Reads the file. Without one, is_there() stays false. A line that is damaged, of a page that the run does not have,
  // in another cluster than the run has it, or given twice is left out and told in refused(), and so is the source of a
  // page if sources form a circle. Errors: kCancelled, and those of the budget's disk.
  Status load(const std::string& path, const SpillArray<std::uint32_t>& cluster_numbers, ProgressReporter& progress);

  bool is_there() const { return file_.has_value(); }
  // Why there is nothing although there is a file, naming it; otherwise empty.
  const std::string& failure_reason() const { return failure_reason_; }
  std::uint64_t lines() const { return rows_.size(); }
  std::uint64_t lines_refused() const { return lines_refused_; }
  const std::vector<std::string>& refused() const { return refused_; }

  // Null if the file does not say anything of the page.
  const OriginRow* find(std::uint32_t page) const;
  // Empty if the page has no usable date of publication.
  std::string_view day(std::uint32_t page) const;
  // Host and name of the source that the page states, in one text.
  std::string_view stated_source(const OriginRow& row) const;

  // The whole line of the page. kNotFound if it has none; kCorruptData if the file was changed meanwhile.
  Status read(std::uint32_t page, ProvenanceParser& parser, OriginLine& origin) const;

 private:
  std::optional<std::uint32_t> find_page(std::string_view id);
  Status add(const ProvenancePlace& place, const OriginLine& origin, const SpillArray<std::uint32_t>& cluster_numbers);
  Status refuse(std::uint64_t line, std::string_view reason);
  Status add_stated(const OriginLine& origin, OriginRow& row);
  Status break_circles();

  const PageTable& pages_;
  std::string path_;
  std::optional<ProvenanceFile> file_;
  std::string failure_reason_;
  SpillArray<std::uint32_t> row_of_page_;  // kNoPage: none
  SpillArray<OriginRow> rows_;
  SpillArray<std::uint32_t> page_of_row_;
  SpillArray<char> stated_;
  // While loading, once it is needed: pages whose ids are not valid UTF-8, by what the file has for them.
  std::optional<std::unordered_map<std::string, std::uint32_t, SeededHash>> repaired_ids_;
  std::uint64_t lines_refused_ = 0;
  std::vector<std::string> refused_;
};

}  // namespace paraprint::inline explorer::inline copies
