// Conditions are checked from the cheapest to the dearest. A search that has to read texts cannot be fast, so it is cut
// into steps with a time limit, and says where it stopped.
#include "view/page_search.h"

#include <algorithm>
#include <cstring>

#include "base/propagate.h"
#include "paraprint/engine.h"
#include "view/text_reader.h"

namespace paraprint::inline explorer {
namespace {

// Texts that one step reads before it looks at the clock.
constexpr std::size_t kTextsPerPiece = 16;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

class PageFilter {
 public:
  PageFilter(const RunStore& store, const RunFigures& figures, const PageQuery& query)
      : store_(store), figures_(figures), query_(query), language_(LanguageCode::of_tag(query.language)) {
    if (query.host.empty()) return;
    for (const HostRow& host : figures.hosts()) hosts_.push_back(contains_text(host.name, query.host));
  }

  bool accepts(std::uint32_t page) const {
    const PageRow& row = store_.pages().row(page);
    if (row.content_characters < query_.characters_minimum || row.content_characters > query_.characters_maximum) {
      return false;
    }
    if (query_.cluster != 0 && store_.cluster_numbers()[page] != query_.cluster) return false;
    if (!query_.language.empty() && row.language != language_.value_or(LanguageCode())) return false;
    if (!query_.host.empty() && !hosts_[figures_.host_of(page)]) return false;
    if (!is_of_fate(page) || !has_score(page)) return false;
    if (query_.cluster_pages_minimum > 1 && cluster_pages(page) < query_.cluster_pages_minimum) return false;
    return (query_.id.empty() || contains_text(store_.pages().id(page), query_.id)) &&
           (query_.url.empty() || contains_text(store_.pages().url(page), query_.url));
  }

  std::size_t cluster_pages(std::uint32_t page) const {
    return figures_.members(store_.decisions().clustering.pages[page].kept_page).size();
  }

 private:
  bool is_of_fate(std::uint32_t page) const {
    if (query_.fate.empty()) return true;
    const PageFate fate = fate_of(store_, page);
    return query_.fate == "removed" ? fate != PageFate::kKept : fate_name(fate) == query_.fate;
  }
  bool has_score(std::uint32_t page) const {
    if (query_.score_minimum <= 0 && query_.score_maximum >= 1) return true;
    const PageCluster& cluster = store_.decisions().clustering.pages[page];
    return cluster.kept_page != page && cluster.resemblance >= static_cast<float>(query_.score_minimum) &&
           cluster.resemblance <= static_cast<float>(query_.score_maximum);
  }

  const RunStore& store_;
  const RunFigures& figures_;
  const PageQuery& query_;
  std::optional<LanguageCode> language_;
  std::vector<bool> hosts_;
};

}  // namespace

bool contains_text(std::string_view where, std::string_view text) {
  if (text.empty()) return true;
  if (where.size() < text.size()) return false;
  const char first = lower(text.front());
  const std::size_t last = where.size() - text.size();
  for (std::size_t at = 0; at <= last; ++at) {
    if (lower(where[at]) != first) continue;
    std::size_t same = 1;
    while (same < text.size() && lower(where[at + same]) == lower(text[same])) ++same;
    if (same == text.size()) return true;
  }
  return false;
}

std::optional<ListOrder> list_order_of(std::string_view name) {
  static constexpr std::string_view kNames[] = {"place", "score", "-score", "-size", "-cluster"};
  const auto* const found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<ListOrder>(found - std::begin(kNames));
}

std::vector<std::uint32_t> find_pages(const RunStore& store, const RunFigures& figures, const PageQuery& query) {
  const PageFilter filter(store, figures, query);
  std::vector<std::uint32_t> found;
  for (std::uint32_t page = 0; page < store.pages().size(); ++page) {
    if (filter.accepts(page)) found.push_back(page);
  }
  const auto sort_by = [&found](auto&& key) {
    std::vector<std::pair<double, std::uint32_t>> keyed;
    keyed.reserve(found.size());
    for (const std::uint32_t page : found) keyed.emplace_back(key(page), page);
    std::sort(keyed.begin(), keyed.end());
    std::transform(keyed.begin(), keyed.end(), found.begin(), [](const auto& row) { return row.second; });
  };
  const auto score = [&](std::uint32_t page) { return double{store.decisions().clustering.pages[page].resemblance}; };
  switch (query.order) {
    case ListOrder::kPlace:
      break;
    case ListOrder::kScoreUp:
      sort_by(score);
      break;
    case ListOrder::kScoreDown:
      sort_by([&](std::uint32_t page) { return -score(page); });
      break;
    case ListOrder::kSizeDown:
      sort_by([&](std::uint32_t page) { return -static_cast<double>(store.pages().row(page).content_characters); });
      break;
    case ListOrder::kClusterDown:
      sort_by([&](std::uint32_t page) { return -static_cast<double>(filter.cluster_pages(page)); });
      break;
  }
  return found;
}

Result<TextSearchStep> search_texts(const RunStore& store, const RunFigures& figures, TextReader& reader,
                                    const PageQuery& query, std::uint32_t first_page, std::size_t wanted,
                                    std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  const PageFilter filter(store, figures, query);
  TextSearchStep step;
  std::uint32_t page = first_page;
  std::vector<std::uint32_t> piece;
  while (page < store.pages().size()) {
    piece.clear();
    for (; page < store.pages().size() && piece.size() < kTextsPerPiece; ++page) {
      if (filter.accepts(page)) piece.push_back(page);
    }
    PARAPRINT_TRY(reader.find_in_texts(piece, query.title, query.text, step.found));
    step.pages_read += piece.size();
    if (page < store.pages().size() && (step.found.size() >= wanted || std::chrono::steady_clock::now() >= end)) {
      step.next_page = page;
      break;
    }
  }
  return step;
}

ListedPairs find_pairs(const RunStore& store, const SliderSweep& sweep, const PairQuery& query, std::uint64_t offset,
                       std::size_t limit) {
  const SpillArray<Match>& matches = store.matched().scored.matches;
  const std::span<const std::uint32_t> sorted = sweep.pairs_by_score();
  const auto begin =
      std::lower_bound(sorted.begin(), sorted.end(), static_cast<float>(query.score_minimum),
                       [&](std::uint32_t pair, float score) { return matches[pair].resemblance < score; });
  const auto end = std::upper_bound(begin, sorted.end(), static_cast<float>(query.score_maximum),
                                    [&](float score, std::uint32_t pair) { return score < matches[pair].resemblance; });
  const std::span<const std::uint32_t> range(begin, end);
  ListedPairs found;
  for (std::size_t i = 0; i < range.size(); ++i) {
    const std::uint32_t pair = query.is_descending ? range[range.size() - 1 - i] : range[i];
    const Match& match = matches[pair];
    if (!query.verdict.empty() && verdict_name(match.verdict) != query.verdict) continue;
    if (!query.url.empty() && !contains_text(store.pages().url(match.page_a), query.url) &&
        !contains_text(store.pages().url(match.page_b), query.url)) {
      continue;
    }
    if (found.total++ >= offset && found.pairs.size() < limit) found.pairs.push_back(pair);
  }
  return found;
}

}  // namespace paraprint::inline explorer
