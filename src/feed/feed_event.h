// The JSON of the events: one line each, in which <, > and & are escaped, so that a client which mistakes it for HTML
// shows plain text. docs/feed.md describes the members.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "paraprint/index.h"

namespace paraprint::inline event_feed {

// The members of an event behind "number" and "time". Matches have neither passages nor times, and of the first
// kEventMatches those are listed that fit into kEventMatchesBytes, best first. The best one always is, with as many of
// its names as fit into kEventMembersBytes. The page's own names have limits in the index, so every event is far
// shorter than kEventBytesMaximum, whatever strangers have called their pages: only an id, a URL and a cluster that are
// all long and full of markup make more than kEventMembersBytes.
inline constexpr std::size_t kEventMatches = 16;
inline constexpr std::size_t kEventMatchesBytes = std::size_t{32} << 10;
// With the rest of the event and of a request to a webhook, 128 KiB.
inline constexpr std::size_t kEventMembersBytes = (std::size_t{128} << 10) - 1024;
std::string added_members(const IndexPageInput& page, const AddOutcome& answer);
std::string looked_up_members(const IndexPageInput& page, const LookupOutcome& answer);
std::string deleted_members(std::string_view id, std::string_view url);

// The whole event.
std::string event_json(std::uint64_t number, std::uint64_t time_milliseconds, std::string_view members);

// "2026-05-01T10:00:00.123Z"
std::string event_time(std::uint64_t milliseconds);

}  // namespace paraprint::inline event_feed
