// The one table of the service's calls, used by the router, the counters, the log and the test of /openapi.json.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "serve/refusal.h"
#include "serve/target.h"

namespace paraprint::inline service {

enum class Call : std::uint8_t {
  kAddPage,
  kLookupPage,
  kFindPage,
  kGetPage,
  kDeletePage,
  kCompare,
  kExtract,
  kBulkAdd,
  kBulkLookup,
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
  bool takes_parameters;  // if not, any is refused; otherwise the call decides which names it accepts
  bool needs_writer;      // refused by a service that only reads its index
};

// In the order of Call, by which metrics index their counters.
inline constexpr Route kRoutes[] = {
    {Call::kAddPage, "POST", "/v1/pages", BodyKind::kWhole, true, true, true},
    {Call::kLookupPage, "POST", "/v1/lookup", BodyKind::kWhole, true, true, false},
    {Call::kFindPage, "GET", "/v1/pages", BodyKind::kNone, true, true, false},
    {Call::kGetPage, "GET", "/v1/pages/{id}", BodyKind::kNone, true, true, false},
    {Call::kDeletePage, "DELETE", "/v1/pages/{id}", BodyKind::kNone, true, false, true},
    {Call::kCompare, "POST", "/v1/compare", BodyKind::kWhole, true, false, false},
    {Call::kExtract, "POST", "/v1/extract", BodyKind::kWhole, true, true, false},
    {Call::kBulkAdd, "POST", "/v1/bulk/pages", BodyKind::kStream, true, true, true},
    {Call::kBulkLookup, "POST", "/v1/bulk/lookup", BodyKind::kStream, true, true, false},
    {Call::kGetCluster, "GET", "/v1/clusters/{id}", BodyKind::kNone, true, true, false},
    {Call::kStatistics, "GET", "/v1/stats", BodyKind::kNone, true, false, false},
    {Call::kBackUp, "POST", "/v1/backups", BodyKind::kNone, true, true, true},
    {Call::kHealth, "GET", "/healthz", BodyKind::kNone, false, false, false},
    {Call::kReadiness, "GET", "/readyz", BodyKind::kNone, false, false, false},
    {Call::kMetrics, "GET", "/metrics", BodyKind::kNone, true, false, false},
    {Call::kDescription, "GET", "/openapi.json", BodyKind::kNone, false, false, false},
};

constexpr bool has_order_of_calls() {
  std::size_t number = 0;
  for (const Route& route : kRoutes) {
    if (static_cast<std::size_t>(route.call) != number++) return false;
  }
  return true;
}
static_assert(has_order_of_calls());

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

}  // namespace paraprint::inline service
