// The frame of every HTML page: head with security policy and style, the bar on top, the script at the end. Also the
// small pieces that several pages share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/model.h"
#include "report/html_report.h"

namespace paraprint {

enum class PageScript : std::uint8_t { kNone, kTables, kCompare };

// An entry of the bar on top. No href: shown greyed out.
struct BarLink {
  std::string label;
  std::string href;
  std::string id;  // for the script, may be empty
};

struct PageFrame {
  std::string title;  // of the window; escaped here
  std::string name;   // left in the bar; escaped here
  std::string name_href;
  std::vector<BarLink> links;
  PageScript script = PageScript::kNone;
  std::string_view style = {};  // a style sheet of its own, after the common one
};

// Everything up to the content, and everything after it. The policy allows the page's own script by its hash and inline
// styles, and nothing else: no network, no frames, no forms.
std::string page_begin(const PageFrame& frame);
std::string page_end(const PageFrame& frame);

// "<a href=...>url</a>" for http and https, else the escaped text; cut to a readable length with an ellipsis.
std::string url_html(std::string_view url);

// Title and address of a page, the title linking to `href` unless that is empty.
std::string page_cell(const ReportPage& page, std::string_view href);

// "<span class=dot near></span>near copy": what the verdict means in one or two words.
std::string verdict_html(Verdict verdict);
std::string_view verdict_label(Verdict verdict);

// A table cell with a share in words and as a bar.
std::string share_cell(double share);
std::string number_cell(std::uint64_t count);

// "Shown are 100 of 12,345 clusters: ..." as a paragraph; empty when nothing was cut.
std::string cut_note(std::uint64_t shown, std::uint64_t total, std::string_view what, std::string_view reason);

// URLs and titles longer than this are cut when shown.
inline constexpr std::size_t kShownNameBytesMaximum = 300;

}  // namespace paraprint
