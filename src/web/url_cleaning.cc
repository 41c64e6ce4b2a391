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
     "phpsessid", "jsessionid", "aspsessionid*", "asp.net_sessionid", "cfid", "cftoken", "sessionid", "session_id",
     "sessid", "sid", "zenid", "oscsid", "s_session_id", "osadmin"});

// Shorter names need not be compared: a query can consist of a thousand empty ones.
constexpr std::size_t kShortestName =
    std::min_element(kTrackingParameters.begin(), kTrackingParameters.end(),
                     [](std::string_view a, std::string_view b) { return a.size() < b.size(); })
        ->size();

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

// Java servers append ";jsessionid=..." to a path segment. Other path parameters are kept.
std::string without_session_in_path(std::string_view path) {
  static constexpr std::array<std::string_view, 3> kNames = {";jsessionid=", ";phpsessid=", ";sid="};
  std::string out;
  while (!path.empty()) {
    const bool is_session = path.front() == ';' &&
                            std::any_of(kNames.begin(), kNames.end(),
                                        [&](std::string_view name) { return starts_with_ignoring_case(path, name); });
    const std::size_t end = path.find_first_of("/;", 1);
    if (!is_session) out.append(path.substr(0, end));
    path.remove_prefix(std::min(end, path.size()));
  }
  return out;
}

}  // namespace

// A linear search: the list is short, and only canonical names without a value are compared.
bool is_tracking_parameter(std::string_view name) {
  if (name.size() < kShortestName) return false;
  return std::any_of(kTrackingParameters.begin(), kTrackingParameters.end(), [&](std::string_view known) {
    if (known.ends_with('*')) return starts_with_ignoring_case(name, known.substr(0, known.size() - 1));
    return name.size() == known.size() && starts_with_ignoring_case(name, known);
  });
}

// Works on the canonical text, parameter by parameter. A query without tracking parameters is copied unchanged, even if
// it is unusual ("?&&").
Url without_tracking(const Url& url) {
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
      if (is_tracking_parameter(parameter.substr(0, parameter.find('=')))) {
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
  if (cleaned == target) return url;
  // The result may not be canonical any more: "/.;sid=1/" leaves "/./".
  UrlParser parser;
  std::optional<Url> canonical = parser.parse(url.origin() + cleaned);
  return canonical ? *std::move(canonical) : url;
}

}  // namespace paraprint::inline web
