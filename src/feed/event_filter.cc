// Reads only the members that a condition needs.
#include "feed/event_filter.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <new>

#include "base/propagate.h"
#include "http/header_block.h"
#include "http/url_host.h"

namespace paraprint::inline event_feed {
namespace {

constexpr std::string_view kEventVerdicts[] = {"new", "same", "near", "contained", "contains", "overlap", "deleted"};
constexpr std::size_t kListItemsMaximum = 100;

Result<std::vector<std::string>> list_items(std::string_view name, std::string_view list) {
  std::vector<std::string> items;
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = list.find(',');
    is_last = comma == std::string_view::npos;
    const std::string_view item = trim(list.substr(0, comma));
    if (item.empty()) return failure(ErrorCode::kInvalidArgument, fmt::format("{} has an empty item", name));
    if (items.size() == kListItemsMaximum) {
      return failure(ErrorCode::kInvalidArgument, fmt::format("{} has more than {} items", name, kListItemsMaximum));
    }
    items.emplace_back(item);
    if (!is_last) list.remove_prefix(comma + 1);
  }
  return items;
}

bool contains(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string_view text_of(const simdjson::dom::object& object, std::string_view name) {
  std::string_view text;
  return object.at_key(name).get(text) == simdjson::SUCCESS ? text : std::string_view();
}

double best_score(const simdjson::dom::object& event) {
  double best = 0;
  simdjson::dom::array matches;
  if (event.at_key("matches").get(matches) != simdjson::SUCCESS) return best;
  for (const simdjson::dom::element match : matches) {
    for (const std::string_view name : {"resemblance", "containment_asked", "containment_known"}) {
      double score = 0;
      if (match.at_key(name).get(score) == simdjson::SUCCESS) best = std::max(best, score);
    }
  }
  return best;
}

}  // namespace

Result<std::vector<std::string>> parse_event_verdicts(std::string_view name, std::string_view list) {
  PARAPRINT_ASSIGN(std::vector<std::string> verdicts, list_items(name, list));
  for (const std::string& verdict : verdicts) {
    if (std::find(std::begin(kEventVerdicts), std::end(kEventVerdicts), verdict) != std::end(kEventVerdicts)) continue;
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{} has '{}', which is none of {}", name, verdict, fmt::join(kEventVerdicts, ", ")));
  }
  return verdicts;
}

Result<std::vector<std::string>> parse_event_hosts(std::string_view name, std::string_view list) {
  PARAPRINT_ASSIGN(std::vector<std::string> hosts, list_items(name, list));
  // Those of URLs are compared in the same form.
  for (std::string& host : hosts) host = url_host(fmt::format("http://{}/", host));
  if (contains(hosts, "")) return failure(ErrorCode::kInvalidArgument, fmt::format("{} has an invalid host", name));
  return hosts;
}

struct EventMatcher::Parser {
  simdjson::dom::parser parser;
};

EventMatcher::EventMatcher(EventFilter filter) : filter_(std::move(filter)), parser_(std::make_unique<Parser>()) {}
EventMatcher::~EventMatcher() = default;
EventMatcher::EventMatcher(EventMatcher&&) noexcept = default;
EventMatcher& EventMatcher::operator=(EventMatcher&&) noexcept = default;

bool EventMatcher::wants(std::string_view json) {
  if (filter_.wants_all()) return true;
  simdjson::dom::object event;
  const simdjson::error_code error = parser_->parser.parse(json.data(), json.size()).get(event);
  if (error == simdjson::MEMALLOC) {
    // It has some of its memory, takes that for all of it, and would use what it has not.
    parser_->parser = simdjson::dom::parser();
    throw std::bad_alloc();
  }
  if (error != simdjson::SUCCESS) return false;
  // A deletion has no verdict, and the filter names it like one.
  const std::string_view verdict = text_of(event, "event") == "deleted" ? "deleted" : text_of(event, "verdict");
  if (!filter_.verdicts.empty() && !contains(filter_.verdicts, verdict)) return false;
  if (!filter_.hosts.empty()) {
    const std::string_view url = text_of(event, "url");
    if (!contains(filter_.hosts, url_host(url.empty() ? text_of(event, "id") : url))) return false;
  }
  return filter_.min_score <= 0 || best_score(event) >= filter_.min_score;
}

}  // namespace paraprint::inline event_feed
