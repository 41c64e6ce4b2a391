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

// The members of an object that has some, without its braces.
template <class Write>
std::string members_of(Write write) {
  JsonWriter json;
  const std::string object = object_of(json, write);
  return object.substr(1, object.size() - 2);
}

// What an event has of the names of a match: less where there is no room.
enum class MatchNames : std::uint8_t { kAll, kId, kNone };

std::string match_object(JsonWriter& json, const IndexMatch& match, MatchNames names) {
  return object_of(json, [&](JsonWriter& object) {
    if (names == MatchNames::kAll) return write_match_members(object, match);
    if (names == MatchNames::kId) object.member("id", match.page.id);
    write_match_scores(object, match);
  });
}

// With the most names that fit; even without any, the match tells readers and their filters how much is a copy.
std::string best_match_object(JsonWriter& json, const IndexMatch& match, std::size_t room_bytes) {
  std::string object = match_object(json, match, MatchNames::kAll);
  if (object.size() > room_bytes) object = match_object(json, match, MatchNames::kId);
  if (object.size() > room_bytes) object = match_object(json, match, MatchNames::kNone);
  return object;
}

// A match with long names makes room for those behind it.
void append_matches(std::string& members, const LookupOutcome& answer) {
  constexpr std::size_t kAroundBytes = 64;  // "matches" itself, and how many are left out
  const std::size_t room_bytes = kEventMembersBytes - std::min(kEventMembersBytes, members.size() + kAroundBytes);
  members += "," + members_of([&](JsonWriter& json) {
               json.key("matches");
               json.begin_array();
               JsonWriter match_json;
               std::size_t listed = 0;
               std::size_t listed_bytes = 0;
               for (std::size_t i = 0; i < std::min(answer.matches.size(), kEventMatches); ++i) {
                 const std::string match = i == 0 ? best_match_object(match_json, answer.matches[i], room_bytes)
                                                  : match_object(match_json, answer.matches[i], MatchNames::kAll);
                 if (i > 0 && listed_bytes + match.size() > std::min(kEventMatchesBytes, room_bytes)) continue;
                 json.json_value(match);
                 ++listed;
                 listed_bytes += match.size();
               }
               json.end_array();
               if (listed < answer.matches.size()) json.member("matches_left_out", answer.matches.size() - listed);
             });
}

}  // namespace

std::string added_members(const IndexPageInput& page, const AddOutcome& answer) {
  std::string members = members_of([&](JsonWriter& json) {
    json.member("event", "added");
    write_page(json, page);
    json.member("verdict", index_verdict_name(answer.lookup.verdict));
    json.member("change", page_change_name(answer.change));
    json.member("stored", answer.is_stored);
    json.member("cluster", answer.cluster);
  });
  append_matches(members, answer.lookup);
  return members;
}

std::string looked_up_members(const IndexPageInput& page, const LookupOutcome& answer) {
  std::string members = members_of([&](JsonWriter& json) {
    json.member("event", "looked-up");
    write_page(json, page);
    json.member("verdict", index_verdict_name(answer.verdict));
  });
  append_matches(members, answer);
  return members;
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
