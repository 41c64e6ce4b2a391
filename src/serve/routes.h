// The calls of the service, once: the router, the counters, the log and the test of /openapi.json walk this table.
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
  kWhole,   // read whole, then worked on
  kStream,  // lines, worked on while they come
};

struct Route {
  Call call;
  std::string_view method;
  std::string_view path;  // "{id}" stands for one part
  BodyKind body;
  bool needs_token;
};

std::span<const Route> routes();

struct RoutedTarget {
  const Route* route = nullptr;
  std::string id;  // what stood for "{id}"
  std::vector<TargetParameter> parameters;
};

// The method of a request for the header of what GET answers.
inline constexpr std::string_view kHeadMethod = "HEAD";

// HEAD is routed as GET. kBadTarget, kNoSuchCall, or kMethodNotAllowed; with the last, and only then, `allow` gets the
// methods that the path has.
Answer<RoutedTarget> find_route(std::string_view method, std::string_view target, std::string& allow);

}  // namespace paraprint
