// The tree is a list in lists. Far down it stays at one level, because a chain of copies can be longer than a page is
// wide; there, the source is named. Names and dates come from pages, so they are escaped like everything else.
#include "report/copies/copies_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "report/copies/time_line.h"
#include "report/html_page.h"
#include "report/text_safety.h"
#include "report/verdict_text.h"

namespace paraprint::inline report::inline copies {
namespace {

constexpr std::uint32_t kListLevels = 10;

std::string_view words_of(std::string_view name, std::span<const std::pair<std::string_view, std::string_view>> table) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.first == name; });
  return found == table.end() ? name : found->second;
}

std::string joined_words(const std::vector<std::string>& names, std::string_view (*words)(std::string_view)) {
  std::string out;
  for (const std::string& name : names) {
    if (!out.empty()) out += ", ";
    out += html_text(words(name));
  }
  return out;
}

std::string name_html(const PageName& page, const std::string& href) {
  const std::string name = fmt::format("<bdi>{}</bdi>", html_text(shown_name(page)));
  std::string out = href.empty() ? fmt::format("<span class=\"title\">{}</span>", name)
                                 : fmt::format("<a class=\"title\" href=\"{}\">{}</a>", html_text(href), name);
  if (!page.title.empty()) {
    out += fmt::format(" <bdi class=\"faint break\">{}</bdi>",
                       html_text(utf8_prefix(page.url.empty() ? page.id : page.url, kShownNameBytesMaximum)));
  }
  return out;
}

std::string date_html(const ListedCopy& copy) {
  if (copy.date.empty()) return "<span class=\"faint\">no date stated</span>";
  std::string out = "published " + html_text(copy.date);
  if (!copy.date_place.empty()) out += fmt::format(" <span class=\"faint\">({})</span>", html_text(copy.date_place));
  return out;
}

// What the page states, and what speaks for its source.
std::string facts_html(const ListedCopy& copy) {
  std::string out = date_html(copy);
  const auto add = [&](std::string_view label, const std::string& html) {
    if (!html.empty()) out += fmt::format(" \u00B7 {}{}", label, html);
  };
  const std::string& stated = copy.source_url.empty() ? copy.source_name : copy.source_url;
  if (!stated.empty()) {
    add("names as source: ",
        fmt::format("<bdi class=\"break\">{}</bdi>", html_text(utf8_prefix(stated, kShownNameBytesMaximum))));
  }
  add("", joined_words(copy.reasons, reason_words));
  add("against: ", joined_words(copy.against, reason_words));
  add("odd: ", joined_words(copy.problems, problem_words));
  if (copy.copies_not_listed > 0) add("", counted(copy.copies_not_listed, "more copy", "more copies"));
  return out;
}

std::string head_html(const ClusterCopies& copies, const ListedCopy& copy, const CopyLink& href_of) {
  if (!copy.source) {
    const std::string_view label = copy.is_first ? "first" : "no source";
    const std::string share =
        copy.is_first && copy.first_confidence > 0 ? " " + html_text(percent_text(copy.first_confidence)) : "";
    return fmt::format("<span class=\"pill origin\">{}{}</span> {}", label, share, name_html(copy.page, ""));
  }
  const ListedCopy& source = copies.tree[*copy.source];
  std::string out = fmt::format("<span class=\"pill\" title=\"Confidence\">{}</span> {}",
                                html_text(percent_text(copy.confidence)), name_html(copy.page, href_of(copy, source)));
  if (copy.depth > kListLevels) {
    out += fmt::format(" <span class=\"faint\">from</span> <bdi>{}</bdi>", html_text(shown_name(source.page)));
  }
  return out;
}

// Each item stays open until the next one shows whether there is a list of copies in it.
std::string tree_html(const ClusterCopies& copies, const CopyLink& href_of) {
  std::string out = "<ul class=\"copies\">\n";
  std::uint32_t level = 0;
  for (const ListedCopy& copy : copies.tree) {
    const std::uint32_t own = std::min(copy.depth, kListLevels);
    if (own > level) {
      out += "\n<ul>\n";
    } else if (&copy != copies.tree.data()) {
      for (; level > own; --level) out += "</li></ul>\n";
      out += "</li>\n";
    }
    level = own;
    out += fmt::format("<li><div>{}</div><div class=\"small quiet\">{}</div>", head_html(copies, copy, href_of),
                       facts_html(copy));
  }
  for (; level > 0; --level) out += "</li></ul>\n";
  return out + "</li></ul>\n";
}

std::string undated_html(const ClusterCopies& copies) {
  if (copies.undated_pages == 0) return {};
  std::string out = fmt::format("<p class=\"small quiet\">Without a usable date ({}):",
                                counted(copies.undated_pages, "page", "pages"));
  const char* separator = " ";
  for (const PageName& page : copies.undated) {
    out += fmt::format("{}<bdi class=\"break\">{}</bdi>", separator, html_text(shown_name(page)));
    separator = "; ";
  }
  if (copies.undated.size() < copies.undated_pages) {
    out += fmt::format("; and {} more", count_text(copies.undated_pages - copies.undated.size()));
  }
  return out + "</p>\n";
}

}  // namespace

std::string_view shown_name(const PageName& page) {
  const std::string& name = !page.title.empty() ? page.title : !page.url.empty() ? page.url : page.id;
  return utf8_prefix(name, kShownNameBytesMaximum);
}

std::string_view reason_words(std::string_view reason) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"date", "dates of publication"},
      {"stated-source", "names the source"},
      {"canonical", "canonical address"},
      {"link", "link to the source"},
      {"containment", "one has all of the other's text"},
      {"text", "what was added, lost and changed"},
      {"alternate", "versions for languages or regions"}};
  return words_of(reason, kWords);
}

std::string_view problem_words(std::string_view problem) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"date-in-future", "date after its capture"},
      {"date-before-web", "date before the web"},
      {"modified-before-published", "changed before it was published"},
      {"names-itself", "names itself as the source"},
      {"source-elsewhere", "the source that it names is not in the cluster"},
      {"sources-in-circle", "sources that name each other"},
      {"source-is-later", "the source that it names was published later"}};
  return words_of(problem, kWords);
}

std::string copies_section(const ClusterCopies& copies, const CopyLink& href_of) {
  std::string out = "<section id=\"copies\"><h2>Who copied from whom</h2>\n";
  out +=
      "<p class=\"quiet\">Each page is below the page that it was most likely copied from, with the confidence and "
      "what speaks for it.</p>\n";
  out += tree_html(copies, href_of);
  out += cut_note(copies.tree.size(), copies.tree_pages, "pages",
                  ", those with the most copies; provenance.jsonl has all.");
  if (copies.pages_apart > 0) {
    out += fmt::format("<p class=\"cut\">Not traced: {}.</p>\n", counted(copies.pages_apart, "page", "pages"));
  }
  out += "<h3>By stated date of publication</h3>\n" + time_line_html(copies.dated);
  if (!copies.dated.empty()) {
    out +=
        "<p class=\"small quiet\"><i class=\"dot origin\"></i>first page &ensp; <i class=\"dot near\"></i>copies</p>\n";
  }
  out += cut_note(copies.dated.size(), copies.dated_pages, "pages with a date", ", the earliest ones.");
  return out + undated_html(copies) + "</section>\n";
}

}  // namespace paraprint::inline report::inline copies
