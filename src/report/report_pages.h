// All pages of a report except the side-by-side ones: pure functions from ReportInput to HTML.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/html_report.h"

namespace paraprint::inline report {

// A pair that gets a side-by-side page. `a` is the removed page, or a page of another pair.
struct ShownMatch {
  const ReportPage* a = nullptr;
  const ReportPage* b = nullptr;
  Match match;
  std::uint64_t cluster = 0;  // 0 if the pages are in different clusters
};

// The matches to show, in page order: clusters take turns, each contributing its most doubtful member (lowest
// resemblance, then id) not shown yet; then other pairs.
std::vector<ShownMatch> choose_matches(const ReportInput& input);

// File names of pages, relative to the report's folder.
std::string match_file(std::size_t index);  // "matches/0001.html"
std::string cluster_file(std::uint64_t number);

// The data that pages need to link to each other.
struct ReportPlan {
  const ReportInput& input;
  std::vector<ShownMatch> matches;
  // (cluster, id of the member) -> index into `matches`
  std::map<std::pair<std::uint64_t, std::string_view>, std::size_t> match_of_member;
};
ReportPlan plan_report(const ReportInput& input);

std::string index_page(const ReportPlan& plan);
std::string cluster_page(const ReportPlan& plan, const ReportCluster& cluster);
std::string matches_page(const ReportPlan& plan);
std::string hosts_page(const ReportPlan& plan);
std::string broken_page(const ReportPlan& plan);

// Parts of index.html that are implemented in report_sections.cc or used on several pages.
std::string cluster_size_chart(const ReportTotals& totals);
std::string broken_section(const ReportPlan& plan);
std::string run_section(const Summary& summary);
std::string host_table(const ReportInput& input, std::size_t rows);

}  // namespace paraprint::inline report
