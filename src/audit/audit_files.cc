// Rows of one issue lie together, so each output is one pass over them.
#include "audit/audit_files.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <span>

#include "report/html_page.h"
#include "report/text_safety.h"
#include "report/verdict_text.h"
#include "text/csv_field.h"

namespace paraprint::inline audit {
namespace {

void append_line(std::string& out, std::initializer_list<std::string_view> fields) {
  bool is_first = true;
  for (const std::string_view field : fields) {
    if (!is_first) out += ',';
    is_first = false;
    out += csv_field(field);
  }
  out += "\r\n";
}

// The rows of each issue that has some, in order.
template <class Visit>
void for_each_issue(const AuditOutcome& audit, Visit visit) {
  const std::span<const AuditRow> rows = audit.rows;
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin;
    while (end < rows.size() && rows[end].issue == rows[begin].issue) ++end;
    visit(rows[begin].issue, rows.subspan(begin, end - begin));
    begin = end;
  }
}

std::string issue_section(AuditIssue issue, std::span<const AuditRow> rows) {
  std::string out = fmt::format("<section id=\"{}\"><h2>{}</h2>\n<p>{}</p>\n", audit_issue_name(issue),
                                audit_issue_title(issue), html_text(audit_issue_advice(issue)));
  out +=
      "<div class=\"scroll\"><table><thead><tr><th class=\"number sort\">Group</th><th class=\"sort\">Address</th>"
      "<th class=\"sort\">Related address</th><th>Detail</th></tr></thead><tbody>\n";
  const std::size_t shown = std::min(rows.size(), kShownRowsMaximum);
  for (const AuditRow& row : rows.first(shown)) {
    out += fmt::format("<tr>{}<td class=\"page\">{}</td><td class=\"page\">{}</td><td>{}</td></tr>\n",
                       number_cell(row.group), url_html(row.url),
                       row.related_url.empty() ? "" : url_html(row.related_url), html_text(row.detail));
  }
  return out + "</tbody></table></div>\n" + cut_note(shown, rows.size(), "rows", "; audit.csv has all of them.") +
         "</section>\n";
}

std::string issue_list(const AuditOutcome& audit) {
  if (audit.rows.empty()) return "<p>Nothing was found that needs to be mended.</p>\n";
  std::string out =
      "<div class=\"scroll\"><table><thead><tr><th>Issue</th><th class=\"number\">Groups</th>"
      "<th class=\"number\">Addresses</th><th>What to do</th></tr></thead><tbody>\n";
  for_each_issue(audit, [&](AuditIssue issue, std::span<const AuditRow> rows) {
    out += fmt::format("<tr><td class=\"page\"><a href=\"#{}\">{}</a></td>{}{}<td>{}</td></tr>\n",
                       audit_issue_name(issue), audit_issue_title(issue), number_cell(rows.back().group),
                       number_cell(rows.size()), html_text(audit_issue_advice(issue)));
  });
  return out + "</tbody></table></div>\n";
}

std::string type_section(const AuditOutcome& audit) {
  std::string out =
      "<section id=\"page-types\"><h2>Page types</h2>\n<p>Pages whose addresses have one shape: # stands for a number, "
      "* for an identifier. The share of the template is that of the letters and digits outside the main "
      "content.</p>\n<div class=\"scroll\"><table><thead><tr><th class=\"sort\">Shape</th><th class=\"number "
      "sort\">Pages</th><th class=\"number sort\">Copies</th><th class=\"number sort\">Characters of content</th><th "
      "class=\"sort\">Template</th><th>Example</th></tr></thead><tbody>\n";
  const std::size_t shown = std::min(audit.page_types.size(), kShownTypesMaximum);
  for (const AuditPageType& type : std::span(audit.page_types).first(shown)) {
    out += fmt::format("<tr><td class=\"page\">{}</td>{}{}{}{}<td class=\"page\">{}</td></tr>\n", html_text(type.shape),
                       number_cell(type.pages), number_cell(type.copies),
                       number_cell(static_cast<std::uint64_t>(type.content_characters + 0.5)),
                       share_cell(type.template_share), url_html(type.example_url));
  }
  return out + "</tbody></table></div>\n" +
         cut_note(shown, audit.page_types.size(), "types", ", those with most pages; page-types.csv has all of them.") +
         "</section>\n";
}

std::string shortcomings(const AuditOutcome& audit) {
  std::string out;
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) out += fmt::format("<li>{} {}</li>\n", count_text(count), what);
  };
  add(audit.beyond_limit, "addresses were not looked at, because there are more than --max-pages");
  add(audit.broken_records, "records of the inputs are broken");
  add(audit.unreadable_inputs, "inputs could not be read");
  add(audit.repeated_captures, "captures repeat an address; the latest one of each was used");
  return out.empty() ? out : "<ul class=\"quiet small\">\n" + out + "</ul>\n";
}

}  // namespace

std::string audit_csv(const AuditOutcome& audit) {
  std::string out;
  append_line(out, {"issue", "group", "url", "related_url", "detail", "advice"});
  for (const AuditRow& row : audit.rows) {
    append_line(out, {audit_issue_name(row.issue), std::to_string(row.group), row.url, row.related_url, row.detail,
                      audit_issue_advice(row.issue)});
  }
  return out;
}

std::string page_types_csv(const AuditOutcome& audit) {
  std::string out;
  append_line(out, {"shape", "pages", "copies", "content_characters", "template_share", "example_url"});
  for (const AuditPageType& type : audit.page_types) {
    append_line(out, {type.shape, std::to_string(type.pages), std::to_string(type.copies),
                      fmt::format("{:.0f}", type.content_characters), fmt::format("{:.3f}", type.template_share),
                      type.example_url});
  }
  return out;
}

std::string audit_page(const AuditOutcome& audit, std::string_view site) {
  PageFrame frame;
  frame.title = fmt::format("Audit of {}", site);
  frame.name = "paraprint";
  frame.links = {{"Issues", "#issues", ""}, {"Page types", "#page-types", ""}};
  frame.script = PageScript::kTables;
  std::string out =
      page_begin(frame) + fmt::format("<main>\n<h1>Audit of {}</h1>\n<dl class=\"figures\">\n", html_text(site));
  out += key_figure("Pages", count_text(audit.pages), fmt::format("of {} addresses", count_text(audit.addresses)));
  out += key_figure("Copies", count_text(audit.copies), "of another page of the site");
  out += key_figure("Redirects", count_text(audit.redirects), "");
  out += key_figure("Errors", count_text(audit.errors), "status 400 or more");
  out += key_figure("In sitemaps", count_text(audit.sitemap_addresses), "addresses of the site");
  out += "</dl>\n" + shortcomings(audit);
  out += "<section id=\"issues\"><h2>Issues</h2>\n" + issue_list(audit) + "</section>\n";
  for_each_issue(audit, [&](AuditIssue issue, std::span<const AuditRow> rows) { out += issue_section(issue, rows); });
  return out + type_section(audit) + "</main>\n" + page_end(frame);
}

}  // namespace paraprint::inline audit

namespace paraprint {

std::string audit_text(const AuditOutcome& audit) {
  std::string out = fmt::format("{} pages of {} addresses, {} copies, {} redirects, {} errors\n", audit.pages,
                                audit.addresses, audit.copies, audit.redirects, audit.errors);
  for_each_issue(audit, [&](AuditIssue issue, std::span<const AuditRow> rows) {
    out += fmt::format("{:>8} in {:>6} {}  {}\n", rows.size(), rows.back().group,
                       rows.back().group == 1 ? "group " : "groups", audit_issue_title(issue));
  });
  if (audit.rows.empty()) out += "Nothing was found that needs to be mended.\n";
  out.pop_back();
  return out;
}

}  // namespace paraprint
