// Fills the HTML report of a run: selects the clusters and pairs to show, reads their texts again, writes the pages.
// Only the largest clusters and pairs are shown (ReportLimits), so memory does not grow with the crawl.
#include <fmt/format.h>

#include <algorithm>

#include "base/propagate.h"
#include "cluster/page_groups.h"
#include "engine/output_stage.h"
#include "engine/pair_view.h"
#include "engine/shown_page.h"
#include "engine/stored_page_reader.h"
#include "provenance/listed_copies.h"
#include "report/html_report.h"
#include "report/json_lines.h"
#include "report/verdict_text.h"
#include "text/normalise.h"

namespace paraprint::inline engine {
namespace {

// Estimated memory for reading pages again: a record, its parse tree, and the texts of all pages shown.
constexpr std::uint64_t kReaderBytes = std::uint64_t{32} << 20;

// Without a title, which needs the page's text (set_titles).
ReportPage report_page(const PageTable& pages, std::uint32_t page) {
  ReportPage shown;
  shown.page = page;
  shown.id = pages.id(page);
  shown.url = pages.url(page);
  shown.date = pages.date(page);
  shown.content_characters = pages.row(page).content_characters;
  return shown;
}

// "This page is ... the kept page", from what clustering stored. The matched size follows from the containment.
Match match_with_kept(const PageTable& pages, const PageCluster& cluster, std::uint32_t page) {
  const double own = pages.row(page).content_characters;
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

// `group` holds the pages of the cluster in the order of ids. They are taken up to the limit; the kept page is shown
// apart from them.
ReportCluster report_cluster(const PageTable& pages, const Decisions& decisions, std::uint32_t kept,
                             std::span<const std::uint32_t> group, const ReportLimits& limits) {
  ReportCluster cluster;
  cluster.size = group.size();
  cluster.kept = report_page(pages, kept);
  for (const std::uint32_t page : group) {
    if (cluster.members.size() == limits.members) break;
    if (page == kept) continue;
    cluster.members.push_back({report_page(pages, page), match_with_kept(pages, decisions.clustering.pages[page], page),
                               std::string(reason_of_removal(decisions, pages, page))});
  }
  return cluster;
}

// Pages are offered in the order of ids and clusters in that of pages, so ties are broken in the same way in every run.
Result<ReportInput> collect(const PageTable& pages, const Decisions& decisions, const OutputRows& rows,
                            const ReportLimits& limits) {
  ReportCollector collector(limits);
  PageGroups clusters(pages.budget());
  PARAPRINT_TRY(clusters.build(pages.size(), pages.pages_by_id(),
                               [&](std::uint32_t page) { return decisions.clustering.pages[page].kept_page; }));
  for (const std::uint32_t page : pages.pages_by_id()) {
    const std::string language = pages.row(page).language.text();
    const PageCluster& cluster = decisions.clustering.pages[page];
    if (is_in_other_language(decisions, page)) {
      collector.add_removed_page(pages.url(page), language, kReasonLanguage);
    } else if (const std::optional<KnownPage> known = decisions.known.find(page)) {
      collector.add_removed_page(pages.url(page), language, verdict_name(known->verdict));
    } else if (cluster.kept_page == page) {
      collector.add_kept_page(pages.url(page), language, pages.row(page).content_characters == 0);
    } else {
      collector.add_removed_page(pages.url(page), language, verdict_name(cluster.verdict));
    }
  }
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    if (!is_kept(decisions, page)) continue;
    const std::span<const std::uint32_t> group = clusters.of(page);
    // Clusters that would not be shown are only counted.
    const std::uint64_t size = group.size();
    if (size > 1 && collector.wants_cluster(size, rows.cluster_numbers[page])) {
      ReportCluster cluster = report_cluster(pages, decisions, page, group, limits);
      cluster.number = rows.cluster_numbers[page];
      collector.add_cluster(std::move(cluster));
    } else {
      collector.add_cluster_size(size);
    }
  }
  for (const Match& match : rows.matches) {
    tick(pages.budget());
    // Pairs within a cluster are shown with the cluster.
    if (rows.cluster_numbers[match.page_a] == rows.cluster_numbers[match.page_b]) continue;
    if (!collector.wants_pair(match)) continue;
    collector.add_pair({report_page(pages, match.page_a), report_page(pages, match.page_b), match});
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
Status write_report(const RunSetup& run, const ReadOutcome& read, const MatchOutcome& matched,
                    const Decisions& decisions, const OutputRows& rows, const Summary& summary,
                    ProgressReporter& progress) {
  const ReportLimits limits;
  const std::string folder = run.options.output.out + "/report";
  progress.begin("report", 0, "pages");
  PARAPRINT_ASSIGN(ReportInput collected, collect(read.pages, decisions, rows, limits));
  ReportInput& input = collected;
  input.title = "Copies found by paraprint";
  input.summary = &summary;
  if (run.options.output.records) input.savings_href = "../savings.html";
  const Normaliser normaliser(NormaliseOptions{run.options.profile.fold_traditional});
  input.fold = fold_of(normaliser);
  PARAPRINT_ASSIGN(std::unique_ptr<PairView> view, PairView::create(run.options, *read.log, read.pages, matched.basis));
  std::vector<std::uint32_t> wanted;
  for (const auto& [page_a, page_b] : matches_to_show(input)) {
    wanted.push_back(page_a);
    wanted.push_back(page_b);
  }
  // Reading and rendering don't check the budget, so room is made beforehand.
  run.budget.make_room_for(kReaderBytes);
  PARAPRINT_ASSIGN(auto contents, read_contents(run, read, std::move(wanted)));
  set_titles(contents, input);
  if (run.options.output.provenance) {
    PARAPRINT_TRY(add_listed_copies(run.options.output.out + "/provenance.jsonl", input));
  }
  std::uint64_t shown = 0;
  PARAPRINT_TRY(write_html_report(folder, input, [&](std::uint32_t page_a, std::uint32_t page_b) -> Result<Comparison> {
    Result<Comparison> comparison = view->compare(page_a, page_b, contents);
    if (comparison) {
      matched.aligned.words.decide(comparison->match, run.options.match);
      matched.rulings.decide(comparison->match);
      progress.update(++shown);
    }
    return comparison;
  }));
  progress.end();
  return {};
}

}  // namespace paraprint::inline engine
