// Conditions are checked from the cheapest to the dearest. A search that has to read texts cannot be fast, so it is cut
// into steps with a time limit, and says where it stopped.
#include "view/page_search.h"

#include <algorithm>
#include <array>
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
  PageFilter(const RunStore& store, const RunFigures& figures, const RunOrigins& origins, const PageQuery& query)
      : store_(store),
        figures_(figures),
        origins_(origins),
        query_(query),
        language_(LanguageCode::of_tag(query.language)) {
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
    if (!is_of_fate(page) || !has_score(page) || !has_origin(page)) return false;
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
  // Days are written so that their texts sort as they do; a month or year has all days that begin with it.
  bool has_origin(std::uint32_t page) const {
    if (!query_.asks_for_origin()) return true;
    const OriginRow* const row = origins_.find(page);
    if (row == nullptr) return false;
    const std::string_view day = origins_.day(page);
    if (!query_.published_from.empty() && (day.empty() || day < query_.published_from)) return false;
    if (!query_.published_to.empty() &&
        (day.empty() || day.substr(0, query_.published_to.size()) > query_.published_to)) {
      return false;
    }
    if (query_.origin == OriginQuery::kFirst && !row->is_first) return false;
    if (query_.origin == OriginQuery::kCopy && row->copied_from == kNoPage) return false;
    return query_.source.empty() || contains_text(origins_.stated_source(*row), query_.source);
  }

  const RunStore& store_;
  const RunFigures& figures_;
  const RunOrigins& origins_;
  const PageQuery& query_;
  std::optional<LanguageCode> language_;
  std::vector<bool> hosts_;
};

// The stored pairs with a score between two others, in the order of the list.
class PairRange {
 public:
  PairRange(const RunStore& store, const SliderSweep& sweep, const PairQuery& query)
      : matches_(store.matched().scored.matches),
        minimum_(static_cast<float>(query.score_minimum)),
        maximum_(static_cast<float>(query.score_maximum)),
        is_descending_(query.is_descending) {
    const std::span<const std::uint32_t> all = sweep.pairs_by_score();
    const auto begin = std::lower_bound(all.begin(), all.end(), minimum_, [this](std::uint32_t pair, float score) {
      return matches_[pair].resemblance < score;
    });
    const auto end = std::upper_bound(begin, all.end(), maximum_, [this](float score, std::uint32_t pair) {
      return score < matches_[pair].resemblance;
    });
    pairs_ = {begin, end};
    verdicts_ = sweep.verdicts_by_score().subspan(static_cast<std::size_t>(begin - all.begin()), pairs_.size());
  }

  std::size_t size() const { return pairs_.size(); }
  std::uint32_t pair(std::size_t place) const { return pairs_[index(place)]; }
  Verdict verdict(std::size_t place) const { return verdicts_[index(place)]; }
  bool contains(const Match& match) const { return match.resemblance >= minimum_ && match.resemblance <= maximum_; }
  template <class Filter>
  std::uint64_t count(const Filter& filter) const {
    return static_cast<std::uint64_t>(std::count_if(verdicts_.begin(), verdicts_.end(),
                                                    [&](Verdict verdict) { return filter.has_verdict(verdict); }));
  }
  void sort(std::vector<std::uint32_t>& pairs) const {
    std::sort(pairs.begin(), pairs.end(), [this](std::uint32_t left, std::uint32_t right) {
      const auto [first, second] = is_descending_ ? std::pair(right, left) : std::pair(left, right);
      const float of_first = matches_[first].resemblance;
      const float of_second = matches_[second].resemblance;
      return of_first != of_second ? of_first < of_second : first < second;
    });
  }

 private:
  std::size_t index(std::size_t place) const { return is_descending_ ? pairs_.size() - 1 - place : place; }

  const SpillArray<Match>& matches_;
  const float minimum_;
  const float maximum_;
  const bool is_descending_;
  std::span<const std::uint32_t> pairs_;  // ascending
  std::span<const Verdict> verdicts_;
};

// Addresses are searched once per page, not once per pair.
class PairFilter {
 public:
  PairFilter(const RunStore& store, const PairQuery& query) : matches_(store.matched().scored.matches) {
    for (std::size_t verdict = 0; verdict < is_wanted_.size(); ++verdict) {
      is_wanted_[verdict] = query.verdict.empty() || verdict_name(static_cast<Verdict>(verdict)) == query.verdict;
    }
    if (query.url.empty()) return;
    pages_.reserve(store.pages().size());
    for (std::uint32_t page = 0; page < store.pages().size(); ++page) {
      pages_.push_back(contains_text(store.pages().url(page), query.url));
    }
  }

  bool has_verdict(Verdict verdict) const { return is_wanted_[static_cast<std::size_t>(verdict)]; }
  bool has_url(std::uint32_t pair) const { return pages_.empty() || has_url(matches_[pair]); }

  // Counts the accepted pairs of the range, in the order in which they are stored: looking them up by score would be
  // several times slower. They are listed in `pairs` if they are few.
  std::uint64_t collect(const PairRange& range, std::vector<std::uint32_t>& pairs) const {
    std::uint64_t total = 0;
    for (std::uint32_t pair = 0; pair < matches_.size(); ++pair) {
      const Match& match = matches_[pair];
      if (!range.contains(match) || !has_verdict(match.verdict) || !has_url(match)) continue;
      if (++total <= kPairsSorted) pairs.push_back(pair);
    }
    return total;
  }

 private:
  // More are not sorted: they are then found soon enough in the order of scores.
  static constexpr std::size_t kPairsSorted = 100'000;

  bool has_url(const Match& match) const { return pages_[match.page_a] || pages_[match.page_b]; }

  const SpillArray<Match>& matches_;
  std::array<bool, 6> is_wanted_{};
  std::vector<bool> pages_;  // by page; empty: all
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

std::vector<std::uint32_t> find_pages(const RunStore& store, const RunFigures& figures, const RunOrigins& origins,
                                      const PageQuery& query) {
  const PageFilter filter(store, figures, origins, query);
  std::vector<std::uint32_t> found;
  for (std::uint32_t page = 0; page < store.pages().size(); ++page) {
    if (filter.accepts(page)) found.push_back(page);
  }
  const auto score = [&](std::uint32_t page) { return double{store.decisions().clustering.pages[page].resemblance}; };
  switch (query.order) {
    case ListOrder::kPlace:
      break;
    case ListOrder::kScoreUp:
      sort_pages_by(found, score);
      break;
    case ListOrder::kScoreDown:
      sort_pages_by(found, [&](std::uint32_t page) { return -score(page); });
      break;
    case ListOrder::kSizeDown:
      sort_pages_by(
          found, [&](std::uint32_t page) { return -static_cast<double>(store.pages().row(page).content_characters); });
      break;
    case ListOrder::kClusterDown:
      sort_pages_by(found, [&](std::uint32_t page) { return -static_cast<double>(filter.cluster_pages(page)); });
      break;
  }
  return found;
}

Result<TextSearchStep> search_texts(const RunStore& store, const RunFigures& figures, const RunOrigins& origins,
                                    TextReader& reader, const PageQuery& query, std::uint32_t first_page,
                                    std::size_t wanted, std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  const PageFilter filter(store, figures, origins, query);
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
  const PairRange range(store, sweep, query);
  const PairFilter filter(store, query);
  ListedPairs found;
  std::vector<std::uint32_t> collected;
  if (query.url.empty()) {
    found.total = range.count(filter);
  } else {
    found.total = filter.collect(range, collected);
  }
  if (found.total == collected.size()) {
    range.sort(collected);
    const auto begin = std::min<std::uint64_t>(offset, collected.size());
    const auto end = std::min<std::uint64_t>(begin + limit, collected.size());
    found.pairs.assign(collected.begin() + static_cast<std::ptrdiff_t>(begin),
                       collected.begin() + static_cast<std::ptrdiff_t>(end));
    return found;
  }
  std::uint64_t place = 0;
  const std::uint64_t end = std::min<std::uint64_t>(offset + limit, found.total);
  for (std::size_t i = 0; i < range.size() && place < end; ++i) {
    if (!filter.has_verdict(range.verdict(i)) || !filter.has_url(range.pair(i))) continue;
    if (place++ >= offset) found.pairs.push_back(range.pair(i));
  }
  return found;
}

}  // namespace paraprint::inline explorer
