// One pass over pages and one over pairs. Host names come from strangers, so their table is seeded.
#include "view/run_figures.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/propagate.h"
#include "base/stop.h"
#include "http/url_host.h"
#include "memory/seeded_hash.h"
#include "view/threshold_sweep.h"

namespace paraprint::inline explorer {
namespace {

// The bars of the time line: more would be thinner than can be seen.
constexpr std::size_t kPeriodsMaximum = 60;
constexpr std::size_t kYearBytes = 4;
constexpr std::size_t kMonthBytes = 7;
constexpr std::size_t kDayBytes = 10;

// The first `size` bytes of a date such as "2025-08-01T06:00:16Z"; empty if it has another form.
std::string_view period_of(std::string_view date, std::size_t size) {
  if (date.size() < size) return {};
  for (std::size_t at = 0; at < size; ++at) {
    const bool is_dash = at == kYearBytes || at == kMonthBytes;
    if (is_dash ? date[at] != '-' : date[at] < '0' || date[at] > '9') return {};
  }
  return date.substr(0, size);
}

}  // namespace

std::string_view fate_name(PageFate fate) {
  static constexpr std::array<std::string_view, kPageFates> kNames = {"kept",  "same",  "near",    "contained",
                                                                      "other", "known", "language"};
  return kNames[static_cast<std::size_t>(fate)];
}

PageFate fate_of(const RunStore& store, std::uint32_t page) {
  const Decisions& decisions = store.decisions();
  if (is_in_other_language(decisions, page)) return PageFate::kLanguage;
  if (decisions.known.contains(page)) return PageFate::kKnown;
  const PageCluster& cluster = decisions.clustering.pages[page];
  if (cluster.kept_page == page) return PageFate::kKept;
  switch (cluster.verdict) {
    case Verdict::kSame:
      return PageFate::kSame;
    case Verdict::kNear:
      return PageFate::kNear;
    case Verdict::kContained:
      return PageFate::kContained;
    default:
      return PageFate::kOther;  // in connected components, of pages that were never compared
  }
}

RunFigures::RunFigures(const RunStore& store)
    : store_(store), host_of_page_(store.pages().budget()), clusters_(store.pages().budget()) {}

Result<std::unique_ptr<RunFigures>> RunFigures::create(const RunStore& store) {
  std::unique_ptr<RunFigures> figures(new RunFigures(store));
  PARAPRINT_TRY(figures->count_pages());
  PARAPRINT_TRY(figures->count_clusters());
  figures->count_periods();
  figures->fill_matrix();
  return figures;
}

Status RunFigures::count_pages() {
  std::unordered_map<std::string, std::uint32_t, SeededHash> numbers;
  std::map<LanguageCode, KeptAndRemoved> languages;
  for (std::uint32_t page = 0; page < store_.pages().size(); ++page) {
    if (page % 4096 == 0) PARAPRINT_TRY(check_stop());
    const PageFate fate = fate_of(store_, page);
    ++fates_[static_cast<std::size_t>(fate)];
    const auto [found, is_new] =
        numbers.try_emplace(url_host(store_.pages().url(page)), static_cast<std::uint32_t>(hosts_.size()));
    if (is_new) hosts_.push_back({found->first, 0, 0});
    PARAPRINT_TRY(host_of_page_.push_back(found->second));
    HostRow& host = hosts_[found->second];
    KeptAndRemoved& language = languages[store_.pages().row(page).language];
    ++host.pages;
    if (fate == PageFate::kKept) {
      ++language.kept;
    } else {
      ++host.removed;
      ++language.removed;
    }
  }
  for (const auto& [language, count] : languages) languages_[language.text()] = count;
  return {};
}

Status RunFigures::count_clusters() {
  const PageTable& pages = store_.pages();
  SpillArray<std::uint32_t> order(pages.budget());
  PARAPRINT_TRY(order.resize_for_overwrite(pages.size()));
  std::iota(order.begin(), order.end(), 0U);
  PARAPRINT_TRY(clusters_.build(
      pages.size(), order, [this](std::uint32_t page) { return store_.decisions().clustering.pages[page].kept_page; }));
  std::vector<ClusterHead> largest;
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    const auto size = static_cast<std::uint32_t>(members(page).size());
    if (size < 2) continue;
    const auto* const end = std::lower_bound(kClusterSizeEnds.begin(), kClusterSizeEnds.end(), size);
    ++cluster_sizes_[static_cast<std::size_t>(end - kClusterSizeEnds.begin())];
    const ClusterHead head{size, page};
    if (largest.size() == kLargestClustersShown && !(head < largest.back())) continue;
    if (largest.size() == kLargestClustersShown) largest.pop_back();
    largest.insert(std::lower_bound(largest.begin(), largest.end(), head), head);
  }
  for (const ClusterHead& head : largest) largest_clusters_.push_back(head.kept_page);
  for (const Match& match : store_.matched().scored.matches) {
    const auto bar = static_cast<std::size_t>(std::clamp(match.resemblance, 0.0F, 0.9999F) * kScoreBars);
    ++scores_[bar][static_cast<std::size_t>(match.verdict)];
  }
  return {};
}

void RunFigures::count_periods() {
  for (const std::size_t size : {kDayBytes, kMonthBytes, kYearBytes}) {
    periods_.clear();
    pages_without_date_ = 0;
    for (std::uint32_t page = 0; page < store_.pages().size(); ++page) {
      const std::string_view period = period_of(store_.pages().date(page), size);
      if (period.empty()) {
        ++pages_without_date_;
        continue;
      }
      KeptAndRemoved& count = periods_[std::string(period)];
      fate_of(store_, page) == PageFate::kKept ? ++count.kept : ++count.removed;
      if (periods_.size() > kPeriodsMaximum && size != kYearBytes) break;
    }
    if (periods_.size() <= kPeriodsMaximum) return;
  }
}

// Hosts are ranked by the removed pages in which they take part, on either side.
void RunFigures::fill_matrix() {
  std::vector<std::uint64_t> weight(hosts_.size());
  const auto for_each_removed = [this](auto&& visit) {
    for (std::uint32_t page = 0; page < store_.pages().size(); ++page) {
      const std::uint32_t kept = store_.decisions().clustering.pages[page].kept_page;
      if (kept != page) visit(host_of_page_[page], host_of_page_[kept]);
    }
  };
  for_each_removed([&](std::uint32_t removed, std::uint32_t kept) {
    ++weight[removed];
    if (kept != removed) ++weight[kept];
  });
  std::vector<std::uint32_t> ranked(hosts_.size());
  std::iota(ranked.begin(), ranked.end(), 0U);
  const std::size_t shown = std::min(kMatrixHosts, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(shown), ranked.end(),
                    [&](std::uint32_t left, std::uint32_t right) {
                      return weight[left] != weight[right] ? weight[left] > weight[right]
                                                           : hosts_[left].name < hosts_[right].name;
                    });
  for (std::size_t i = 0; i < shown && weight[ranked[i]] > 0; ++i) matrix_hosts_.push_back(ranked[i]);
  std::unordered_map<std::uint32_t, std::size_t> place;
  for (std::size_t i = 0; i < matrix_hosts_.size(); ++i) place[matrix_hosts_[i]] = i;
  matrix_.assign(matrix_hosts_.size() * matrix_hosts_.size(), 0);
  for_each_removed([&](std::uint32_t removed, std::uint32_t kept) {
    const auto row = place.find(removed);
    const auto column = place.find(kept);
    if (row != place.end() && column != place.end()) ++matrix_[row->second * matrix_hosts_.size() + column->second];
  });
}

}  // namespace paraprint::inline explorer
