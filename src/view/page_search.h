// Finds pages and pairs of a run by what is asked of them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "paraprint/model.h"
#include "paraprint/result.h"
#include "view/copies/run_origins.h"
#include "view/run_figures.h"
#include "view/run_store.h"
#include "view/threshold_sweep.h"

namespace paraprint::inline explorer {

class TextReader;

enum class ListOrder : std::uint8_t { kPlace, kScoreUp, kScoreDown, kSizeDown, kClusterDown };
// "place", "score", "-score", "-size", "-cluster"; nothing for another name.
std::optional<ListOrder> list_order_of(std::string_view name);

enum class OriginQuery : std::uint8_t { kAny, kFirst, kCopy };

// Every condition that is given must hold. Texts are found anywhere, ASCII letters in any case.
struct PageQuery {
  std::string url;
  std::string host;
  std::string id;
  std::string fate;  // fate_name(), or "removed" for all but kept; empty: any
  std::string language;
  double score_minimum = 0;  // with the page kept in its place; kept pages have none
  double score_maximum = 1;
  std::uint32_t characters_minimum = 0;
  std::uint32_t characters_maximum = UINT32_MAX;
  std::uint32_t cluster_pages_minimum = 1;
  std::uint32_t cluster = 0;  // number; 0: any
  // By provenance.jsonl; pages that it does not have fulfil none of these.
  std::string published_from;  // "2010", "2010-03" or "2010-03-01"
  std::string published_to;    // including it
  std::string source;          // in the host or the name of the source that the page states
  OriginQuery origin = OriginQuery::kAny;
  std::string title;  // found by search_texts() only
  std::string text;
  ListOrder order = ListOrder::kPlace;

  bool asks_for_origin() const {
    return !published_from.empty() || !published_to.empty() || !source.empty() || origin != OriginQuery::kAny;
  }
};

// All pages that fulfil the conditions, but for title and text, in their order; equal ones by place. About 0.1 us per
// page and condition. Threads: any number.
std::vector<std::uint32_t> find_pages(const RunStore& store, const RunFigures& figures, const RunOrigins& origins,
                                      const PageQuery& query);

// One step of a search in titles and texts, which have to be read again.
struct TextSearchStep {
  std::vector<std::uint32_t> found;
  std::uint64_t pages_read = 0;
  std::uint64_t pages_gone = 0;            // whose text cannot be read
  std::optional<std::uint32_t> next_page;  // where the next step begins; none: all pages were searched
};

// Searches the pages from `first_page` on, in the order of the input whatever query.order is, until `wanted` are found
// or the time is over. Errors: those of reading.
Result<TextSearchStep> search_texts(const RunStore& store, const RunFigures& figures, const RunOrigins& origins,
                                    TextReader& reader, const PageQuery& query, std::uint32_t first_page,
                                    std::size_t wanted, std::chrono::milliseconds time);

struct PairQuery {
  double score_minimum = 0;
  double score_maximum = 1;
  std::string verdict;  // verdict_name(); empty: any
  std::string url;      // of either page
  bool is_descending = false;
};

struct ListedPairs {
  std::uint64_t total = 0;
  std::vector<std::uint32_t> pairs;  // numbers of stored pairs, from `offset` on
};

// Pairs of different texts that the run stored, by score.
ListedPairs find_pairs(const RunStore& store, const SliderSweep& sweep, const PairQuery& query, std::uint64_t offset,
                       std::size_t limit);

// Sorts page numbers by a number that `key` has for each; equal ones keep their order by number.
template <class Key>
void sort_pages_by(std::vector<std::uint32_t>& pages, Key&& key) {
  std::vector<std::pair<decltype(key(0)), std::uint32_t>> keyed;
  keyed.reserve(pages.size());
  for (const std::uint32_t page : pages) keyed.emplace_back(key(page), page);
  std::sort(keyed.begin(), keyed.end());
  std::transform(keyed.begin(), keyed.end(), pages.begin(), [](const auto& row) { return row.second; });
}

// Whether `text` occurs in `where`, ASCII letters in any case.
bool contains_text(std::string_view where, std::string_view text);

}  // namespace paraprint::inline explorer
