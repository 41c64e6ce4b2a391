// Statements are markup of the template, so they are written as they are: names and addresses are the simulator's own.
#include "lab/simulate/statements.h"

#include <fmt/format.h>

#include <array>

namespace paraprint::inline lab::inline simulate {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};

enum class DateForm : std::uint8_t { kJsonLd, kOpenGraph, kMeta, kTime, kText };
constexpr std::size_t kDateFormCount = 5;

enum class SourceForm : std::uint8_t { kName, kNamedLink, kAddress, kCanonical, kJsonLd, kLink };
constexpr std::size_t kSourceFormCount = 6;

// A date as a byline in the page's language.
std::string date_line(ArticleLanguage language, std::chrono::year_month_day date, std::string_view clock,
                      Random& random) {
  const int year = static_cast<int>(date.year());
  const unsigned month = static_cast<unsigned>(date.month());
  const unsigned day = static_cast<unsigned>(date.day());
  const std::size_t form = random.below(3);
  if (language == ArticleLanguage::kChinese) {
    if (form == 0) return fmt::format("发布时间：{}-{:02}-{:02} {}", year, month, day, clock);
    if (form == 1) return fmt::format("{}年{}月{}日 {}", year, month, day, clock);
    return fmt::format("日期：{}/{:02}/{:02}", year, month, day);
  }
  if (form == 0) return fmt::format("Posted on {} {}, {}", kMonths[month - 1], day, year);
  if (form == 1) return fmt::format("Published: {} {} {}", day, kMonths[month - 1], year);
  return fmt::format("{} {}, {}", kMonths[month - 1], day, year);
}

}  // namespace

std::string day_text(std::chrono::sys_days day) {
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

// The hour is one at which the day is the same in UTC and in China.
std::string_view state_date(PageDraft& draft, std::chrono::sys_days day, Random& random) {
  const std::size_t hour = random.between(9, 20);
  const std::size_t minute = random.below(60);
  const std::string clock = fmt::format("{:02}:{:02}", hour, minute);
  const std::string date = day_text(day);
  const std::string moment = fmt::format("{}T{}:00+08:00", date, clock);
  switch (static_cast<DateForm>(random.below(kDateFormCount))) {
    case DateForm::kJsonLd:
      draft.head_markup.push_back(
          fmt::format("<script type=\"application/ld+json\">{{\"@context\":\"https://schema.org\",\"@type\":"
                      "\"NewsArticle\",\"datePublished\":\"{}\"}}</script>",
                      moment));
      return "json-ld";
    case DateForm::kOpenGraph:
      draft.head_markup.push_back(fmt::format("<meta property=\"article:published_time\" content=\"{}\">", moment));
      return "open-graph";
    case DateForm::kMeta:
      draft.head_markup.push_back(fmt::format("<meta name=\"publishdate\" content=\"{} {}\">", date, clock));
      return "meta";
    case DateForm::kTime:
      draft.lead_markup.push_back(fmt::format("<time datetime=\"{}\">{}</time>", moment, date));
      return "time";
    case DateForm::kText:
      break;
  }
  draft.lead_markup.push_back(date_line(draft.article.language, std::chrono::year_month_day(day), clock, random));
  return "text";
}

std::string site_name_of(std::string_view url) {
  const std::size_t label = url.find('.', url.find("//")) + 1;
  return std::string(url.substr(label, url.find('.', label) - label));
}

void state_site(PageDraft& draft, std::string_view site_name) {
  draft.head_markup.push_back(fmt::format("<meta property=\"og:site_name\" content=\"{}\">", site_name));
}

void state_canonical(PageDraft& draft, std::string_view url) {
  draft.head_markup.push_back(fmt::format("<link rel=\"canonical\" href=\"{}\">", url));
}

std::string_view state_source(PageDraft& draft, const NamedPage& source, Random& random) {
  const bool is_chinese = draft.article.language == ArticleLanguage::kChinese;
  const std::string link = fmt::format("<a href=\"{}\">{}</a>", source.url, source.site_name);
  // Bylines are above the text or below it.
  std::vector<std::string>& lines = random.chance(0.5) ? draft.lead_markup : draft.end_markup;
  switch (static_cast<SourceForm>(random.below(kSourceFormCount))) {
    case SourceForm::kName:
      lines.push_back(is_chinese ? fmt::format("来源：{}", source.site_name)
                                 : fmt::format("Source: {}", source.site_name));
      return "name";
    case SourceForm::kNamedLink:
      lines.push_back(is_chinese ? fmt::format("转载自：{}", link) : fmt::format("Originally published at {}", link));
      return "named-link";
    case SourceForm::kAddress:
      lines.push_back(is_chinese ? fmt::format("原文链接：<a href=\"{0}\">{0}</a>", source.url)
                                 : fmt::format("Reprinted from <a href=\"{0}\">{0}</a>", source.url));
      return "address";
    case SourceForm::kCanonical:
      state_canonical(draft, source.url);
      return kCanonicalForm;
    case SourceForm::kJsonLd:
      draft.head_markup.push_back(
          fmt::format("<script type=\"application/ld+json\">{{\"@context\":\"https://schema.org\",\"@type\":"
                      "\"Article\",\"isBasedOn\":\"{}\"}}</script>",
                      source.url));
      return "json-ld";
    case SourceForm::kLink:
      break;
  }
  draft.end_markup.push_back(
      fmt::format("<a href=\"{}\">{}</a>", source.url, is_chinese ? "阅读原文" : "Read the original"));
  return "link";
}

}  // namespace paraprint::inline lab::inline simulate
