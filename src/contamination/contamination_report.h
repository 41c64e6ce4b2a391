// report.html of a search for benchmark items: how many were found, and what holds them, side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contamination/item_search.h"
#include "paraprint/model.h"
#include "report/summary.h"

namespace paraprint::inline contamination {

// A text with the places that were found in it.
struct ShownText {
  std::string text;
  std::vector<TextSpan> spans;  // ascending
  bool begins_early = true;     // false: text before it was left out
  bool ends_late = true;
};

// The stretch of `text` around `spans`, at most some kilobyte.
ShownText shown_text(std::string_view text, const std::vector<TextSpan>& spans);

struct ShownFind {
  std::string document_id;
  std::string document_url;
  std::string benchmark;
  std::string item_id;
  ItemVerdict verdict = ItemVerdict::kExact;
  double share = 0;
  ShownText document;
  ShownText item;
};

// Finds that a report shows; of one item no more than a few, since some stand in thousands of documents.
inline constexpr std::size_t kShownFindsMaximum = 300;
inline constexpr std::uint64_t kShownFindsOfItem = 3;

// Finds that a report may show, by their numbers among all, until it is known which parts are left out. Memory: that of
// ten times as many as are shown.
class ShownCandidates {
 public:
  explicit ShownCandidates(std::size_t items) : of_item_(items) {}

  // Ascending by number. What a report will not reach is dropped.
  void add(std::size_t number, std::uint32_t item, ShownFind&& find);

  // Null if it was dropped. Ask for ascending numbers.
  ShownFind* find(std::size_t number);

 private:
  std::vector<std::uint64_t> of_item_;
  std::vector<std::pair<std::size_t, ShownFind>> finds_;
  std::size_t next_ = 0;
};

// Of one benchmark.
struct BenchmarkTotals {
  std::string name;
  std::uint64_t items = 0;
  std::uint64_t too_short = 0;
  std::uint64_t found_exact = 0;  // items, by the best that was found of each
  std::uint64_t found_whole = 0;
  std::uint64_t found_part = 0;
};

struct ContaminationReport {
  std::uint64_t documents = 0;
  std::uint64_t documents_exact = 0;  // by the best that each holds
  std::uint64_t documents_whole = 0;
  std::uint64_t documents_part = 0;
  std::vector<BenchmarkTotals> benchmarks;
  std::vector<ShownFind> finds;
  std::uint64_t finds_total = 0;
  std::uint64_t broken_records = 0;
};

// A self-contained page.
std::string contamination_page(const ContaminationReport& report);

}  // namespace paraprint::inline contamination
