// The one table of the service's calls, used by the router, the counters, the log and the test of /openapi.json.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "serve/router.h"

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
  kTrace,
  kEvents,
  kStatistics,
  kBackUp,
  kHealth,
  kReadiness,
  kMetrics,
  kDescription,
};

constexpr std::uint8_t number_of(Call call) {
  return static_cast<std::uint8_t>(call);
}

// In the order of Call, by which metrics index their counters.
inline constexpr Route kRoutes[] = {
    {number_of(Call::kAddPage), "POST", "/v1/pages", BodyKind::kWhole, RouteCost::kCharged, true, true, true},
    {number_of(Call::kLookupPage), "POST", "/v1/lookup", BodyKind::kWhole, RouteCost::kCharged, true, true, false},
    {number_of(Call::kFindPage), "GET", "/v1/pages", BodyKind::kNone, RouteCost::kCharged, true, true, false},
    {number_of(Call::kGetPage), "GET", "/v1/pages/{id}", BodyKind::kNone, RouteCost::kCharged, true, true, false},
    {number_of(Call::kDeletePage), "DELETE", "/v1/pages/{id}", BodyKind::kNone, RouteCost::kCharged, true, false, true},
    {number_of(Call::kCompare), "POST", "/v1/compare", BodyKind::kWhole, RouteCost::kCharged, true, false, false},
    {number_of(Call::kExtract), "POST", "/v1/extract", BodyKind::kWhole, RouteCost::kCharged, true, true, false},
    {number_of(Call::kBulkAdd), "POST", "/v1/bulk/pages", BodyKind::kStream, RouteCost::kCharged, true, true, true},
    {number_of(Call::kBulkLookup), "POST", "/v1/bulk/lookup", BodyKind::kStream, RouteCost::kCharged, true, true,
     false},
    {number_of(Call::kGetCluster), "GET", "/v1/clusters/{id}", BodyKind::kNone, RouteCost::kCharged, true, true, false},
    {number_of(Call::kTrace), "GET", "/v1/provenance/{id}", BodyKind::kNone, RouteCost::kCharged, true, true, false},
    {number_of(Call::kEvents), "GET", "/v1/events", BodyKind::kNone, RouteCost::kCharged, true, true, false, true},
    {number_of(Call::kStatistics), "GET", "/v1/stats", BodyKind::kNone, RouteCost::kCharged, true, false, false},
    {number_of(Call::kBackUp), "POST", "/v1/backups", BodyKind::kNone, RouteCost::kCharged, true, true, true},
    {number_of(Call::kHealth), "GET", "/healthz", BodyKind::kNone, RouteCost::kQuick, false, false, false},
    {number_of(Call::kReadiness), "GET", "/readyz", BodyKind::kNone, RouteCost::kQuick, false, false, false},
    {number_of(Call::kMetrics), "GET", "/metrics", BodyKind::kNone, RouteCost::kFree, true, false, false},
    {number_of(Call::kDescription), "GET", "/openapi.json", BodyKind::kNone, RouteCost::kQuick, false, false, false},
};

constexpr bool has_order_of_calls() {
  std::uint8_t number = 0;
  for (const Route& route : kRoutes) {
    if (route.number != number++) return false;
  }
  return true;
}
static_assert(has_order_of_calls());

// Of a route in the table.
constexpr Call call_of(const Route& route) {
  return static_cast<Call>(route.number);
}

// find_route() among the calls of the service.
inline Answer<RoutedTarget> find_route(std::string_view method, std::string_view target, std::string& allow) {
  return find_route(kRoutes, "; GET /openapi.json lists all calls", method, target, allow);
}

}  // namespace paraprint::inline service
