// Members have the names and the order of the service's answers.
#include "feed/feed_event.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "online/index_answer_json.h"
#include "profile/profile_members.h"
#include "report/json_writer.h"
#include "report/text_safety.h"

namespace paraprint::inline event_feed {
namespace {

void write_page(JsonWriter& json, const IndexPageInput& page) {
  write_page_names(json, page);
  if (!page.date.empty()) json.member("date", page.date);
  json.member("content_characters", page.profile->content_characters);
}

// An object without markup.
template <class Write>
std::string object_of(JsonWriter& json, Write write) {
  json.begin_object();
  write(json);
  json.end_object();
  return json_without_markup(json.take());
}

// A match with long names makes room for those behind it.
void write_event_matches(JsonWriter& json, const LookupOutcome& answer) {
  json.key("matches");
  json.begin_array();
  JsonWriter match_json;
  std::size_t listed = 0;
  std::size_t listed_bytes = 0;
  for (std::size_t i = 0; i < std::min(answer.matches.size(), kEventMatches); ++i) {
    const std::string match =
        object_of(match_json, [&](JsonWriter& object) { write_match_members(object, answer.matches[i]); });
    if (listed > 0 && listed_bytes + match.size() > kEventMatchesBytes) continue;
    json.json_value(match);
    ++listed;
    listed_bytes += match.size();
  }
  json.end_array();
  if (listed < answer.matches.size()) json.member("matches_left_out", answer.matches.size() - listed);
}

// The members of an object that has some, without its braces.
template <class Write>
std::string members_of(Write write) {
  JsonWriter json;
  const std::string object = object_of(json, write);
  return object.substr(1, object.size() - 2);
}

}  // namespace

std::string added_members(const IndexPageInput& page, const AddOutcome& answer) {
  return members_of([&](JsonWriter& json) {
    json.member("event", "added");
    write_page(json, page);
    json.member("verdict", index_verdict_name(answer.lookup.verdict));
    json.member("change", page_change_name(answer.change));
    json.member("stored", answer.is_stored);
    json.member("cluster", answer.cluster);
    write_event_matches(json, answer.lookup);
  });
}

std::string looked_up_members(const IndexPageInput& page, const LookupOutcome& answer) {
  return members_of([&](JsonWriter& json) {
    json.member("event", "looked-up");
    write_page(json, page);
    json.member("verdict", index_verdict_name(answer.verdict));
    write_event_matches(json, answer);
  });
}

std::string deleted_members(std::string_view id, std::string_view url) {
  return members_of([&](JsonWriter& json) {
    json.member("event", "deleted");
    json.member("id", id);
    if (!url.empty()) json.member("url", url);
  });
}

std::string event_time(std::uint64_t milliseconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(milliseconds / 1000)),
                     milliseconds % 1000);
}

std::string event_json(std::uint64_t number, std::uint64_t time_milliseconds, std::string_view members) {
  return fmt::format(R"({{"number":{},"time":"{}",{}}})", number, event_time(time_milliseconds), members);
}

}  // namespace paraprint::inline event_feed
