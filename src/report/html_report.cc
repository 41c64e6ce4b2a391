// Writes the report's files. Side-by-side pages are written one at a time as their texts arrive, so memory holds a
// single pair of texts. Every file is written atomically, and index.html last.
#include "report/html_report.h"

#include <fmt/format.h>

#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "report/html_page.h"
#include "report/match_view.h"
#include "report/report_pages.h"
#include "report/text_safety.h"

namespace paraprint::inline report {
namespace {

// Match pages are in a subfolder, hence "../". The first and the last page have a greyed-out neighbour link.
PageFrame match_frame(const ReportPlan& plan, std::size_t index) {
  const std::size_t count = plan.matches.size();
  const std::uint64_t cluster = plan.matches[index].cluster;
  PageFrame frame;
  frame.title = fmt::format("Match {} of {} \u2013 {}", index + 1, count, plan.input.title);
  frame.name = plan.input.title;
  frame.name_href = "../index.html";
  if (cluster != 0) frame.links.push_back({fmt::format("Cluster {}", cluster), "../" + cluster_file(cluster), ""});
  frame.links.push_back({fmt::format("Match {} of {}", index + 1, count), "../matches.html", ""});
  frame.links.push_back({"\u2190 Previous", index > 0 ? "../" + match_file(index - 1) : "", "previous"});
  frame.links.push_back({"Next \u2192", index + 1 < count ? "../" + match_file(index + 1) : "", "next"});
  return frame;
}

// The source of texts may know a title from the page itself; a title in the report's
// tables takes precedence, so that both agree.
void fill_names(ShownPage& shown, const ReportPage& page) {
  shown.id = page.id;
  shown.url = page.url;
  if (!page.title.empty()) shown.title = page.title;
  shown.date = page.date;
  shown.content_characters = page.content_characters;
}

// A pair whose texts cannot be read (an input file moved or changed since) still gets a page that says so: the rest of
// the report is worth having, and links to it remain valid.
std::string missing_texts_page(const PageFrame& frame, const Error& error) {
  std::string out = page_begin(frame) + "<main>\n<h1>The texts could not be read again</h1>\n";
  out += fmt::format("<p>{}</p>\n", html_text(error.message));
  return out + "</main>\n" + page_end(frame);
}

Status write_match(const std::string& folder, const ReportPlan& plan, std::size_t index,
                   const ComparisonSource& texts) {
  const ShownMatch& match = plan.matches[index];
  const std::string path = folder + "/" + match_file(index);
  PageFrame frame = match_frame(plan, index);
  Result<Comparison> comparison = texts(match.a->page, match.b->page);
  if (!comparison) {
    // A request to stop or a failing disk is not a missing text.
    if (comparison.error().code != ErrorCode::kNotFound) return tl::unexpected<Error>(std::move(comparison.error()));
    return write_file_atomically(path, missing_texts_page(frame, comparison.error()));
  }
  // Scores and names come from the run, not from the texts read again, so that all pages of the report agree.
  comparison->match = match.match;
  comparison->fold = plan.input.fold;
  fill_names(comparison->a, *match.a);
  fill_names(comparison->b, *match.b);
  // Of other pairs, neither page was removed in favour of the other.
  if (match.cluster != 0) {
    comparison->a.label = "removed";
    comparison->b.label = "kept";
  }
  return write_file_atomically(path, match_page(std::move(frame), *comparison));
}

}  // namespace

Status write_html_report(const std::string& folder, const ReportInput& input, const ComparisonSource& texts) {
  const ReportPlan plan = plan_report(input);
  for (const char* part : {"", "/clusters", "/matches"}) {
    PARAPRINT_TRY(create_folders(folder + part));
  }
  for (std::size_t i = 0; i < plan.matches.size(); ++i) {
    // Each page needs two texts and a diff, so a request to stop is honoured between pages.
    PARAPRINT_TRY(check_stop());
    PARAPRINT_TRY(write_match(folder, plan, i, texts));
  }
  for (const ReportCluster& cluster : input.clusters) {
    const std::string path = folder + "/" + cluster_file(cluster.number);
    PARAPRINT_TRY(write_file_atomically(path, cluster_page(plan, cluster)));
  }
  // index.html must remain the last.
  using NamedPage = std::pair<const char*, std::string (*)(const ReportPlan&)>;
  for (const auto& [name, page] : {NamedPage{"/matches.html", matches_page}, NamedPage{"/hosts.html", hosts_page},
                                   NamedPage{"/broken.html", broken_page}, NamedPage{"/index.html", index_page}}) {
    PARAPRINT_TRY(write_file_atomically(folder + name, page(plan)));
  }
  return {};
}

}  // namespace paraprint::inline report
