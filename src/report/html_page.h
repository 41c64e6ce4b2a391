// The frame of every HTML page: the head with security policy and style, the navigation bar, the script at the end.
// Also small elements shared by several pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/model.h"
#include "report/html_report.h"

namespace paraprint::inline report {

enum class PageScript : std::uint8_t { kNone, kTables, kCompare };

// An entry of the navigation bar; greyed out if it has no href.
struct BarLink {
  std::string label;
  std::string href;
  std::string id;  // for the script; may be empty
};

struct PageFrame {
  std::string title;  // window title; escaped here
  std::string name;   // at the left of the bar; escaped here
  std::string name_href;
  std::vector<BarLink> links;
  PageScript script = PageScript::kNone;
  std::string_view style = {};  // additional style sheet, after the common one
};

// Everything before the content, and everything after it. The policy allows the page's own script (by hash) and inline
// styles, and nothing else: no network, frames or forms.
std::string page_begin(const PageFrame& frame);
std::string page_end(const PageFrame& frame);

// "<a href=...>url</a>" for http and https, otherwise the escaped text; shortened with an ellipsis if very long.
std::string url_html(std::string_view url);

// Title and URL of a page; the title links to `href` unless that is empty.
std::string page_cell(const ReportPage& page, std::string_view href);

// "<span class=dot near></span>near copy": a dot and the verdict in one or two words.
std::string verdict_html(Verdict verdict);
std::string_view verdict_label(Verdict verdict);

// A table cell with a share as text and as a bar.
std::string share_cell(double share);
std::string number_cell(std::uint64_t count);

// An entry of a list of key figures (class `figures`). `value` and `note` are HTML.
std::string key_figure(std::string_view name, std::string_view value, std::string_view note);

// "Showing 100 of 12,345 clusters: ..." as a paragraph; empty if nothing was left out.
std::string cut_note(std::uint64_t shown, std::uint64_t total, std::string_view what, std::string_view reason);

// Longer URLs and titles are shortened for display.
inline constexpr std::size_t kShownNameBytesMaximum = 300;

}  // namespace paraprint::inline report
