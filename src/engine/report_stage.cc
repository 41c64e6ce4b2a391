// Fills the HTML report of a run: selects the clusters and pairs to show, reads their texts again, writes the pages.
// Only the largest clusters and pairs are shown (ReportLimits), so memory does not grow with the crawl.
#include <fmt/format.h>

#include <algorithm>

#include "base/propagate.h"
#include "engine/output_stage.h"
#include "engine/page_groups.h"
#include "engine/pair_view.h"
#include "engine/shown_page.h"
#include "engine/stored_page_reader.h"
#include "report/html_report.h"
#include "report/verdict_text.h"
#include "text/normalise.h"

namespace paraprint {
namespace {

// Estimated memory for reading pages again: a record, its parse tree, and the texts of all pages shown.
constexpr std::uint64_t kReaderBytes = std::uint64_t{32} << 20;

// Without a title, which needs the page's text (set_titles).
ReportPage report_page(const DedupRun& run, std::uint32_t page) {
  ReportPage shown;
  shown.page = page;
  shown.id = run.pages.id(page);
  shown.url = run.pages.url(page);
  shown.date = run.pages.date(page);
  shown.content_characters = run.pages.row(page).content_characters;
  return shown;
}

// "This page is ... the kept page", from what clustering stored. The matched size follows from the containment.
Match match_with_kept(const DedupRun& run, std::uint32_t page) {
  const PageCluster& cluster = run.clustering.pages[page];
  const double own = run.pages.row(page).content_characters;
  Match match;
  match.page_a = page;
  match.page_b = cluster.kept_page;
  match.verdict = cluster.verdict;
  match.resemblance = cluster.resemblance;
  match.containment_a = cluster.containment;
  match.containment_b = cluster.containment_kept;
  match.matched_characters = static_cast<float>(cluster.containment * own);
  return match;
}

// Members are taken in the order of ids, up to the limit; the kept page is shown apart from them.
ReportCluster report_cluster(const DedupRun& run, std::uint32_t kept, std::span<const std::uint32_t> pages,
                             const ReportLimits& limits) {
  ReportCluster cluster;
  cluster.number = run.cluster_numbers[kept];
  cluster.size = pages.size();
  cluster.kept = report_page(run, kept);
  for (const std::uint32_t page : pages) {
    if (cluster.members.size() == limits.members) break;
    if (page == kept) continue;
    cluster.members.push_back(
        {report_page(run, page), match_with_kept(run, page), std::string(reason_of_removal(run, page))});
  }
  return cluster;
}

// Pages are offered in the order of ids and clusters in that of pages, so ties are broken in the same way in every run.
Result<ReportInput> collect(const DedupRun& run, const ReportLimits& limits) {
  ReportCollector collector(limits);
  PageGroups clusters(&run.budget);
  PARAPRINT_TRY(clusters.build(run.pages.size(), run.pages.pages_by_id(),
                               [&](std::uint32_t page) { return run.clustering.pages[page].kept_page; }));
  for (const std::uint32_t page : run.pages.pages_by_id()) {
    const PageCluster& cluster = run.clustering.pages[page];
    if (const std::optional<KnownPage> known = run.known.find(page)) {
      collector.add_removed_page(run.pages.url(page), known->verdict);
    } else if (cluster.kept_page == page) {
      collector.add_kept_page(run.pages.url(page), run.pages.row(page).content_characters == 0);
    } else {
      collector.add_removed_page(run.pages.url(page), cluster.verdict);
    }
  }
  for (std::uint32_t page = 0; page < run.pages.size(); ++page) {
    if (!is_kept(run, page)) continue;
    const std::span<const std::uint32_t> pages = clusters.of(page);
    // Clusters that would not be shown are only counted.
    const std::uint64_t size = pages.size();
    if (size > 1 && collector.wants_cluster(size, run.cluster_numbers[page])) {
      collector.add_cluster(report_cluster(run, page, pages, limits));
    } else {
      collector.add_cluster_size(size);
    }
  }
  for (const Match& match : run.matches) {
    tick(&run.budget);
    // Pairs within a cluster are shown with the cluster.
    if (run.cluster_numbers[match.page_a] == run.cluster_numbers[match.page_b]) continue;
    if (!collector.wants_pair(match)) continue;
    collector.add_pair({report_page(run, match.page_a), report_page(run, match.page_b), match});
  }
  return collector.take();
}

// Titles are known only for pages whose texts were read; the others are shown by id and URL.
void set_titles(const std::map<std::uint32_t, MainContent>& contents, ReportInput& input) {
  const auto set = [&](ReportPage& page) {
    const auto found = contents.find(page.page);
    if (found != contents.end()) page.title = found->second.title;
  };
  for (ReportCluster& cluster : input.clusters) {
    set(cluster.kept);
    for (ReportMember& member : cluster.members) set(member.page);
  }
  for (ReportPair& pair : input.other_pairs) {
    set(pair.a);
    set(pair.b);
  }
}

}  // namespace

// Texts are read in one pass over the inputs for all pages shown, before the first page of the report is written.
Status write_report(const DedupRun& run, const Summary& summary, ProgressReporter& progress) {
  const ReportLimits limits;
  const std::string folder = run.options.output.folder + "/report";
  progress.begin("report", 0, "pages");
  PARAPRINT_ASSIGN(ReportInput collected, collect(run, limits));
  ReportInput& input = collected;
  input.title = "Copies found by paraprint";
  input.summary = summary;
  const Normaliser normaliser(NormaliseOptions{run.options.profile.fold_traditional});
  input.fold = fold_of(normaliser);
  PARAPRINT_ASSIGN(std::unique_ptr<PairView> view, PairView::create(run));
  std::vector<std::uint32_t> wanted;
  for (const auto& [page_a, page_b] : matches_to_show(input)) {
    wanted.push_back(page_a);
    wanted.push_back(page_b);
  }
  // Reading and rendering don't check the budget, so room is made beforehand.
  run.budget.make_room_for(kReaderBytes);
  PARAPRINT_ASSIGN(auto contents, read_contents(run, std::move(wanted)));
  set_titles(contents, input);
  std::uint64_t shown = 0;
  PARAPRINT_TRY(write_html_report(folder, input, [&](std::uint32_t page_a, std::uint32_t page_b) -> Result<Comparison> {
    Result<Comparison> comparison = view->compare(page_a, page_b, contents);
    if (comparison) progress.update(++shown);
    return comparison;
  }));
  progress.end();
  return {};
}

}  // namespace paraprint
