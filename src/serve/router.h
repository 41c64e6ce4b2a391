// What the calls of any service have in common, and the search for the call of a request.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "serve/refusal.h"
#include "serve/target.h"

namespace paraprint::inline service {

enum class BodyKind : std::uint8_t {
  kNone,    // a body is refused
  kWhole,   // read completely before it is processed
  kStream,  // lines, processed as they arrive
};

enum class RouteCost : std::uint8_t {
  kQuick,    // answered on the I/O thread, so that it works even when all worker threads are busy
  kFree,     // not counted for the rate of the client
  kCharged,  // counted; lines of a stream are charged when they are answered
};

struct Route {
  std::uint8_t number;  // of the service's own enumeration of its calls
  std::string_view method;
  std::string_view path;  // "{id}" matches one segment
  BodyKind body;
  RouteCost cost;
  bool needs_token;
  bool takes_parameters;  // if not, any is refused; otherwise the call decides which names it accepts
  bool needs_writer;      // refused by a service that only reads its index
  // Answered by a stream of events, or after a wait for one, without a thread while nothing happens.
  bool sends_events = false;
};

struct RoutedTarget {
  const Route* route = nullptr;
  std::string id;  // the segment matched by "{id}", decoded
  std::vector<TargetParameter> parameters;
};

// Requests the header of the response to GET, without its body.
inline constexpr std::string_view kHeadMethod = "HEAD";

// Finds the call of a request; HEAD is routed as GET. Refusals: kBadTarget, kMethodNotAllowed, and kNoSuchCall with
// `advice` at the end of its message. `allow` is set to the methods of the path for kMethodNotAllowed and is empty
// otherwise.
Answer<RoutedTarget> find_route(std::span<const Route> routes, std::string_view advice, std::string_view method,
                                std::string_view target, std::string& allow);

}  // namespace paraprint::inline service
