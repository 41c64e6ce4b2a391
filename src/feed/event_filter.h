// Which events a reader or a webhook wants.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"

namespace paraprint::inline event_feed {

// Every condition that is set must hold.
struct EventFilter {
  // "new", "same", "near", "contained", "contains", "overlap", or "deleted"; empty: any.
  std::vector<std::string> verdicts = {};
  std::vector<std::string> hosts = {};  // of the event's URL, in lower case; empty: any
  double min_score = 0;                 // the highest score of any match is at least this; 0: no condition

  bool wants_all() const { return verdicts.empty() && hosts.empty() && min_score <= 0; }
};

// The items of "near,contained". kInvalidArgument for an unknown one or an empty list; `name` is that of the option or
// parameter.
Result<std::vector<std::string>> parse_event_verdicts(std::string_view name, std::string_view list);
Result<std::vector<std::string>> parse_event_hosts(std::string_view name, std::string_view list);

// Applies a filter to events. Not thread-safe: it keeps a parser.
class EventMatcher {
 public:
  explicit EventMatcher(EventFilter filter);
  ~EventMatcher();
  EventMatcher(EventMatcher&&) noexcept;
  EventMatcher& operator=(EventMatcher&&) noexcept;

  // False for text that is not an event. Throws std::bad_alloc.
  bool wants(std::string_view json);

 private:
  struct Parser;
  EventFilter filter_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace paraprint::inline event_feed
