// Reports show text of untrusted pages, so there are two lines of defence: everything is escaped (text_safety.h), and
// the content security policy allows a single script, named by its hash, and nothing to be loaded. Both must hold
// without a server, because reports are opened from files.
#include "report/html_page.h"

#include <fmt/format.h>

#include "report/assets/assets.h"
#include "report/text_safety.h"
#include "report/verdict_text.h"

namespace paraprint::inline report {
namespace {

std::string_view script_of(PageScript script) {
  switch (script) {
    case PageScript::kNone:
      return {};
    case PageScript::kTables:
      return assets::kTablesJs;
    case PageScript::kCompare:
      return assets::kCompareJs;
  }
  return {};
}

// The hash covers the script's exact bytes: page_end() must write them unchanged, without even a line feed around.
std::string_view script_hash_of(PageScript script) {
  switch (script) {
    case PageScript::kNone:
      return {};
    case PageScript::kTables:
      return assets::kTablesJsHash;
    case PageScript::kCompare:
      return assets::kCompareJsHash;
  }
  return {};
}

// Shortens before escaping, so that no character reference is cut in half.
std::string shortened(std::string_view text) {
  const std::string_view prefix = utf8_prefix(text, kShownNameBytesMaximum);
  std::string out = html_text(prefix);
  if (prefix.size() < text.size()) out += "…";
  return out;
}

}  // namespace

std::string page_begin(const PageFrame& frame) {
  // Policy and charset come first: they hold only for what follows them. Inline styles
  // are needed for bar widths and heat maps.
  const std::string_view hash = script_hash_of(frame.script);
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src {}; base-uri 'none'; form-action 'none'\">\n",
      hash.empty() ? "'none'" : fmt::format("'{}'", hash));
  // Links to examined pages must not reveal the report's path, and search engines must not index a published report.
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"robots\" content=\"noindex\">\n";
  out += fmt::format("<title>{}</title>\n<style>\n{}", html_text(frame.title), assets::kStyleCss);
  if (frame.script == PageScript::kCompare) out += assets::kCompareCss;
  out += frame.style;
  out += "</style>\n</head>\n<body";
  out += frame.script == PageScript::kCompare ? " class=\"compare\">\n" : ">\n";
  out += "<nav class=\"bar\"><div>";
  if (frame.name_href.empty()) {
    out += fmt::format("<span class=\"name\">{}</span>", html_text(frame.name));
  } else {
    out += fmt::format("<a class=\"name\" href=\"{}\">{}</a>", html_text(frame.name_href), html_text(frame.name));
  }
  for (const BarLink& link : frame.links) {
    const std::string id = link.id.empty() ? "" : fmt::format(" id=\"{}\"", html_text(link.id));
    if (link.href.empty()) {
      out += fmt::format("<a{} aria-disabled=\"true\">{}</a>", id, html_text(link.label));
    } else {
      out += fmt::format("<a{} href=\"{}\">{}</a>", id, html_text(link.href), html_text(link.label));
    }
  }
  out += "</div></nav>\n";
  return out;
}

std::string page_end(const PageFrame& frame) {
  const std::string_view script = script_of(frame.script);
  if (script.empty()) return "</body>\n</html>\n";
  return fmt::format("<script>{}</script>\n</body>\n</html>\n", script);
}

std::string url_html(std::string_view url) {
  // Only http and https become links; javascript: and data: URLs stay text.
  if (!is_linkable_url(url)) return shortened(url);
  return fmt::format("<a href=\"{}\" rel=\"noopener noreferrer nofollow\">{}</a>", html_text(url), shortened(url));
}

std::string page_cell(const ReportPage& page, std::string_view href) {
  // <bdi> isolates titles in right-to-left scripts from the table around them.
  const std::string_view name = !page.title.empty() ? page.title : !page.url.empty() ? page.url : page.id;
  const std::string_view address = !page.url.empty() ? page.url : page.id;
  std::string out = "<td class=\"page\">";
  if (href.empty()) {
    out += fmt::format("<bdi class=\"title\">{}</bdi>", shortened(name));
  } else {
    out += fmt::format("<a class=\"title\" href=\"{}\"><bdi>{}</bdi></a>", html_text(href), shortened(name));
  }
  if (address != name) out += fmt::format("<bdi class=\"url\">{}</bdi>", shortened(address));
  return out + "</td>";
}

std::string_view verdict_label(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame:
      return "same text";
    case Verdict::kNear:
      return "near copy";
    case Verdict::kContained:
      return "contained";
    case Verdict::kContains:
      return "contains";
    case Verdict::kOverlap:
      return "overlap";
    case Verdict::kDistinct:
      return "distinct";
  }
  return "unknown";
}

std::string verdict_html(Verdict verdict) {
  return fmt::format("<span class=\"verdict\"><i class=\"dot {}\"></i>{}</span>", verdict_name(verdict),
                     verdict_label(verdict));
}

// The exact value is in data-v, for sorting; the text is a rounded percentage.
std::string key_figure(std::string_view name, std::string_view value, std::string_view note) {
  return fmt::format("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, value, note);
}

std::string share_cell(double share) {
  // Scores may exceed [0, 1] by rounding; a bar must not.
  const double width = share < 0 ? 0 : share > 1 ? 100 : share * 100;
  return fmt::format(
      "<td class=\"number share\" data-v=\"{:.4f}\">{}<span class=\"meter\"><i "
      "style=\"width:{:.1f}%\"></i></span></td>",
      share, html_text(percent_text(share)), width);
}

std::string number_cell(std::uint64_t count) {
  return fmt::format("<td class=\"number\" data-v=\"{}\">{}</td>", count, count_text(count));
}

std::string cut_note(std::uint64_t shown, std::uint64_t total, std::string_view what, std::string_view reason) {
  // Pages state whatever they leave out, so that a short table is not taken for a complete one.
  if (shown >= total) return {};
  return fmt::format("<p class=\"cut\">Showing {} of {} {}{}</p>\n", count_text(shown), count_text(total), what,
                     reason);
}

}  // namespace paraprint::inline report
