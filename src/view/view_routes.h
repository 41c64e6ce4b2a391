// The calls of the explorer.
#pragma once

#include "serve/router.h"

namespace paraprint::inline explorer {

enum class ViewCall : std::uint8_t {
  kDocument,
  kAsset,
  kState,
  kOverview,
  kPages,
  kTitles,
  kCluster,
  kCopies,
  kPairs,
  kPair,
  kThresholds,
  kThreshold,
  kRulings,
  kRule,
  kJudging,
  kDrawSample,
  kJudge,
};

constexpr std::uint8_t number_of(ViewCall call) {
  return static_cast<std::uint8_t>(call);
}

// In the order of ViewCall. The document and its parts hold nothing of the run, so they need no token: a browser cannot
// send one before it has them.
inline constexpr Route kViewRoutes[] = {
    {number_of(ViewCall::kDocument), "GET", "/", BodyKind::kNone, RouteCost::kQuick, false, false, false},
    {number_of(ViewCall::kAsset), "GET", "/assets/{id}", BodyKind::kNone, RouteCost::kQuick, false, false, false},
    {number_of(ViewCall::kState), "GET", "/api/state", BodyKind::kNone, RouteCost::kQuick, true, false, false},
    {number_of(ViewCall::kOverview), "GET", "/api/overview", BodyKind::kNone, RouteCost::kFree, true, false, false},
    {number_of(ViewCall::kPages), "GET", "/api/pages", BodyKind::kNone, RouteCost::kFree, true, true, false},
    {number_of(ViewCall::kTitles), "GET", "/api/titles", BodyKind::kNone, RouteCost::kFree, true, true, false},
    {number_of(ViewCall::kCluster), "GET", "/api/cluster", BodyKind::kNone, RouteCost::kFree, true, true, false},
    {number_of(ViewCall::kCopies), "GET", "/api/copies", BodyKind::kNone, RouteCost::kFree, true, true, false},
    {number_of(ViewCall::kPairs), "GET", "/api/pairs", BodyKind::kNone, RouteCost::kFree, true, true, false},
    {number_of(ViewCall::kPair), "GET", "/api/pair", BodyKind::kNone, RouteCost::kFree, true, true, false},
    {number_of(ViewCall::kThresholds), "GET", "/api/thresholds", BodyKind::kNone, RouteCost::kFree, true, false, false},
    {number_of(ViewCall::kThreshold), "GET", "/api/threshold", BodyKind::kNone, RouteCost::kFree, true, true, false},
    {number_of(ViewCall::kRulings), "GET", "/api/rulings", BodyKind::kNone, RouteCost::kFree, true, false, false},
    {number_of(ViewCall::kRule), "POST", "/api/rulings", BodyKind::kWhole, RouteCost::kFree, true, false, false},
    {number_of(ViewCall::kJudging), "GET", "/api/judging", BodyKind::kNone, RouteCost::kFree, true, true, false},
    {number_of(ViewCall::kDrawSample), "POST", "/api/sample", BodyKind::kWhole, RouteCost::kFree, true, false, false},
    {number_of(ViewCall::kJudge), "POST", "/api/judgements", BodyKind::kWhole, RouteCost::kFree, true, false, false},
};

constexpr bool has_order_of_view_calls() {
  std::uint8_t number = 0;
  for (const Route& route : kViewRoutes) {
    if (route.number != number++) return false;
  }
  return true;
}
static_assert(has_order_of_view_calls());

}  // namespace paraprint::inline explorer
