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
  const Clustering& clustering = store.decisions().clustering;
  figures->periods_ = count_periods(
      store.pages().size(), [&](std::uint32_t page) { return store.pages().date(page); },
      [&](std::uint32_t page) { return fate_of(store, page) == PageFate::kKept; });
  figures->matrix_ = count_host_matrix(figures->hosts_, [&](const CopyVisitor& visit) {
    for (std::uint32_t page = 0; page < store.pages().size(); ++page) {
      const std::uint32_t kept = clustering.pages[page].kept_page;
      if (kept != page) visit(figures->host_of(page), figures->host_of(kept));
    }
  });
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
    ++host.pages;
    host.removed += fate == PageFate::kKept ? 0 : 1;
    languages[store_.pages().row(page).language].add(fate == PageFate::kKept);
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
    count_cluster(size, cluster_sizes_);
    keep_largest({size, page}, largest);
  }
  for (const ClusterHead& head : largest) largest_clusters_.push_back(head.kept_page);
  for (const Match& match : store_.matched().scored.matches) {
    const auto bar = static_cast<std::size_t>(std::clamp(match.resemblance, 0.0F, 0.9999F) * kScoreBars);
    ++scores_[bar][static_cast<std::size_t>(match.verdict)];
  }
  return {};
}

}  // namespace paraprint::inline explorer
