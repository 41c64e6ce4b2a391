// report.html of a search for benchmark items: how many were found, and what holds them, side by side.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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
