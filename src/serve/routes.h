// The one table of the service's calls, used by the router, the counters, the log and the test of /openapi.json.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "serve/refusal.h"
#include "serve/target.h"

namespace paraprint {

enum class Call : std::uint8_t {
  kAddPage,
  kLookUpPage,
  kFindPage,
  kGetPage,
  kDeletePage,
  kCompare,
  kBulkAdd,
  kBulkLookUp,
  kGetCluster,
  kStatistics,
  kBackUp,
  kHealth,
  kReadiness,
  kMetrics,
  kDescription,
};

enum class BodyKind : std::uint8_t {
  kNone,    // a body is refused
  kWhole,   // read completely before it is processed
  kStream,  // lines, processed as they arrive
};

struct Route {
  Call call;
  std::string_view method;
  std::string_view path;  // "{id}" matches one segment
  BodyKind body;
  bool needs_token;
};

std::span<const Route> routes();

struct RoutedTarget {
  const Route* route = nullptr;
  std::string id;  // the segment matched by "{id}", decoded
  std::vector<TargetParameter> parameters;
};

// Requests the header of the response to GET, without its body.
inline constexpr std::string_view kHeadMethod = "HEAD";

// Finds the call of a request; HEAD is routed as GET. Refusals: kBadTarget, kNoSuchCall, kMethodNotAllowed. `allow` is
// set to the methods of the path for the last one and is empty otherwise.
Answer<RoutedTarget> find_route(std::string_view method, std::string_view target, std::string& allow);

}  // namespace paraprint
