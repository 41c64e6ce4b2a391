// A list of known parameter names, compared without case. Only names that never select a page are in it: a parameter
// kept too many costs a few duplicate requests, a parameter removed too many loses pages.
#include "web/url_cleaning.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace paraprint::inline web {
namespace {

// A trailing '*' matches any continuation. Names that are also used for other purposes ("id", "s", "ref", "source") are
// not in the list.
constexpr auto kTrackingParameters = std::to_array<std::string_view>(
    {// Campaigns and clicks
     "utm_*", "mtm_*", "pk_campaign", "pk_kwd", "pk_source", "pk_medium", "piwik_*", "matomo_*", "gclid", "gclsrc",
     "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid", "ysclid", "twclid", "ttclid", "igshid", "li_fat_id",
     "mc_cid", "mc_eid", "_ga", "_gl", "_hsenc", "_hsmi", "hsctatracking", "mkt_tok", "oly_anon_id", "oly_enc_id",
     "vero_id", "wickedid", "icid", "spm", "scm", "srsltid", "_openstat", "wt_mc", "wt_zmc", "s_cid", "at_campaign",
     "at_medium", "cmpid",
     // Sessions
     "phpsessid", "jsessionid", "aspsessionid*", "asp.net_sessionid", "cfid", "cftoken", "zenid", "oscsid",
     "s_session_id", "osadmin"});

// Names of session ids and of other things: articles, stories, sections, conference sessions.
constexpr auto kAmbiguousParameters = std::to_array<std::string_view>({"sid", "sessid", "sessionid", "session_id"});
// Session ids have at least 64 random bits, which takes as many digits of base 16.
constexpr std::size_t kSessionIdCharactersMinimum = 16;

// Shorter names need not be compared: a query can consist of a thousand empty ones.
constexpr std::size_t kShortestName = 3;
static_assert(std::ranges::all_of(kTrackingParameters, [](std::string_view n) { return n.size() >= kShortestName; }) &&
              std::ranges::all_of(kAmbiguousParameters, [](std::string_view n) { return n.size() >= kShortestName; }));

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && starts_with_ignoring_case(a, b);
}

// Long and random: letters and digits, of both and nothing else. Only digits may be a number or a date.
bool looks_like_session_id(std::string_view value) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return lower(c) >= 'a' && lower(c) <= 'z'; };
  return value.size() >= kSessionIdCharactersMinimum && std::ranges::any_of(value, is_digit) &&
         std::ranges::any_of(value, is_letter) &&
         std::ranges::all_of(value, [&](char c) { return is_digit(c) || is_letter(c); });
}

// Java servers append ";jsessionid=..." to a path segment. Other path parameters are kept.
std::string without_session_in_path(std::string_view path) {
  static constexpr std::array<std::string_view, 3> kNames = {"jsessionid", "phpsessid", "sid"};
  std::string out;
  while (!path.empty()) {
    const std::size_t end = path.find_first_of("/;", 1);
    const std::string_view parameter = path.substr(1, end == std::string_view::npos ? end : end - 1);
    const std::size_t equals = parameter.find('=');
    const bool is_session =
        path.front() == ';' && equals != std::string_view::npos &&
        std::ranges::any_of(
            kNames, [&](std::string_view name) { return equal_ignoring_case(parameter.substr(0, equals), name); }) &&
        is_tracking_parameter(parameter);
    if (!is_session) out.append(path.substr(0, end));
    path.remove_prefix(std::min(end, path.size()));
  }
  return out;
}

}  // namespace

// A linear search: the list is short, and only canonical names without a value are compared.
bool is_tracking_parameter(std::string_view parameter) {
  const std::size_t equals = std::min(parameter.find('='), parameter.size());
  const std::string_view name = parameter.substr(0, equals);
  if (name.size() < kShortestName) return false;
  const bool is_ambiguous = std::ranges::any_of(
      kAmbiguousParameters, [&](std::string_view known) { return equal_ignoring_case(name, known); });
  if (is_ambiguous) return looks_like_session_id(parameter.substr(std::min(equals + 1, parameter.size())));
  return std::ranges::any_of(kTrackingParameters, [&](std::string_view known) {
    if (known.ends_with('*')) return starts_with_ignoring_case(name, known.substr(0, known.size() - 1));
    return equal_ignoring_case(name, known);
  });
}

namespace {

// Empty if there is nothing to remove. Works on the canonical text, parameter by parameter. A query without tracking
// parameters is copied unchanged, even if it is unusual ("?&&").
std::optional<Url> cleaned_once(const Url& url) {
  const std::string_view target = url.target;
  const std::size_t question = target.find('?');
  std::string cleaned = without_session_in_path(target.substr(0, question));
  if (question != std::string_view::npos) {
    std::string_view query = target.substr(question + 1);
    char separator = '?';
    bool has_dropped = false;
    std::string kept;
    while (true) {
      const std::size_t end = query.find('&');
      const std::string_view parameter = query.substr(0, end);
      if (is_tracking_parameter(parameter)) {
        has_dropped = true;
      } else {
        kept.append(1, separator).append(parameter);
        separator = '&';
      }
      if (end == std::string_view::npos) break;
      query.remove_prefix(end + 1);
    }
    cleaned += has_dropped ? kept : std::string(target.substr(question));
  }
  if (cleaned == target) return std::nullopt;
  // The result may not be canonical any more: "/.;phpsessid=1/" leaves "/./".
  UrlParser parser;
  return parser.parse(url.origin() + cleaned);
}

}  // namespace

// What is canonical again may have other parameters. An address made of such ones stays as it is.
Url without_tracking(const Url& url) {
  constexpr int kPassesMaximum = 4;
  Url cleaned = url;
  for (int pass = 0; pass < kPassesMaximum; ++pass) {
    std::optional<Url> next = cleaned_once(cleaned);
    if (!next) return cleaned;
    cleaned = *std::move(next);
  }
  return url;
}

// No server has a name that ends with two dots: if one were removed, what remains would be a second name of the host.
Url without_final_dot(Url url) {
  constexpr std::string_view kSeparator = "://";
  const bool has_parts = url.host.find('.') + 1 < url.host.size();
  if (!url.host.ends_with('.') || url.host.ends_with("..") || !has_parts) return url;
  url.href.erase(url.scheme.size() + kSeparator.size() + url.host.size() - 1, 1);
  url.host.pop_back();
  return url;
}

}  // namespace paraprint::inline web
