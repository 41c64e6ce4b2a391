// The calls of the explorer of an index.
#pragma once

#include "serve/router.h"

namespace paraprint::inline explorer::inline known {

enum class KnownCall : std::uint8_t { kDocument, kAsset, kState, kOverview, kPages, kPage, kMatch };

constexpr std::uint8_t number_of(KnownCall call) {
  return static_cast<std::uint8_t>(call);
}

// In the order of KnownCall. The document and its parts hold nothing of the index, so they need no token.
inline constexpr Route kKnownRoutes[] = {
    {number_of(KnownCall::kDocument), "GET", "/", BodyKind::kNone, RouteCost::kQuick, false, false, false},
    {number_of(KnownCall::kAsset), "GET", "/assets/{id}", BodyKind::kNone, RouteCost::kQuick, false, false, false},
    {number_of(KnownCall::kState), "GET", "/api/state", BodyKind::kNone, RouteCost::kQuick, true, false, false},
    {number_of(KnownCall::kOverview), "GET", "/api/overview", BodyKind::kNone, RouteCost::kFree, true, false, false},
    {number_of(KnownCall::kPages), "GET", "/api/pages", BodyKind::kNone, RouteCost::kFree, true, true, false},
    {number_of(KnownCall::kPage), "GET", "/api/page", BodyKind::kNone, RouteCost::kFree, true, true, false},
    {number_of(KnownCall::kMatch), "GET", "/api/match", BodyKind::kNone, RouteCost::kFree, true, true, false},
};

constexpr bool has_order_of_known_calls() {
  std::uint8_t number = 0;
  for (const Route& route : kKnownRoutes) {
    if (route.number != number++) return false;
  }
  return true;
}
static_assert(has_order_of_known_calls());

}  // namespace paraprint::inline explorer::inline known
