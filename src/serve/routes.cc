// The table of calls and the router. There are few calls, so a request is matched against each row in turn.
#include "serve/routes.h"

#include <fmt/format.h>

namespace paraprint {
namespace {

constexpr std::string_view kIdPart = "{id}";
constexpr std::size_t kShownBytes = 100;  // of a target in a message

// In the order of Call: metrics and tests index this table by it.
constexpr Route kRoutes[] = {
    {Call::kAddPage, "POST", "/v1/pages", BodyKind::kWhole, true},
    {Call::kLookUpPage, "POST", "/v1/lookup", BodyKind::kWhole, true},
    {Call::kFindPage, "GET", "/v1/pages", BodyKind::kNone, true},
    {Call::kGetPage, "GET", "/v1/pages/{id}", BodyKind::kNone, true},
    {Call::kDeletePage, "DELETE", "/v1/pages/{id}", BodyKind::kNone, true},
    {Call::kCompare, "POST", "/v1/compare", BodyKind::kWhole, true},
    {Call::kBulkAdd, "POST", "/v1/bulk/pages", BodyKind::kStream, true},
    {Call::kBulkLookUp, "POST", "/v1/bulk/lookup", BodyKind::kStream, true},
    {Call::kGetCluster, "GET", "/v1/clusters/{id}", BodyKind::kNone, true},
    {Call::kStatistics, "GET", "/v1/stats", BodyKind::kNone, true},
    {Call::kBackUp, "POST", "/v1/backups", BodyKind::kNone, true},
    {Call::kHealth, "GET", "/healthz", BodyKind::kNone, false},
    {Call::kReadiness, "GET", "/readyz", BodyKind::kNone, false},
    {Call::kMetrics, "GET", "/metrics", BodyKind::kNone, true},
    {Call::kDescription, "GET", "/openapi.json", BodyKind::kNone, false},
};

// Whether `segments` match `path`; `id` receives the segment that matches "{id}". An empty segment never does, so
// "/v1/pages/" is not a page with an empty id.
bool matches(std::string_view path, const std::vector<std::string>& segments, std::string& id) {
  id.clear();
  for (const std::string& segment : segments) {
    if (path.empty()) return false;
    path.remove_prefix(1);  // the slash
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size());
    if (part == kIdPart && !segment.empty()) {
      id = segment;
    } else if (part != segment) {
      return false;
    }
  }
  return path.empty();
}

}  // namespace

// For code that walks all calls: metrics, and the test of the description.
std::span<const Route> routes() {
  return kRoutes;
}

// The parameters are only decoded here; each call decides which names it accepts.
Answer<RoutedTarget> find_route(std::string_view method, std::string_view target, std::string& allow) {
  Answer<Target> parsed = parse_target(target);
  if (!parsed) return tl::unexpected<Refused>(parsed.error());
  RoutedTarget routed;
  const std::string_view asked = method == kHeadMethod ? "GET" : method;
  allow.clear();
  // Collects the methods of the path on the way: a path that matches with another method is 405, not 404.
  for (const Route& route : kRoutes) {
    if (!matches(route.path, parsed->segments, routed.id)) continue;
    if (route.method == asked) {
      routed.route = &route;
      routed.parameters = std::move(parsed->parameters);
      allow.clear();
      return routed;
    }
    allow += fmt::format("{}{}{}", allow.empty() ? "" : ", ", route.method, route.method == "GET" ? ", HEAD" : "");
  }
  if (allow.empty()) {
    return refuse(Refusal::kNoSuchCall,
                  fmt::format("no call at {}; GET /openapi.json lists all calls", target.substr(0, kShownBytes)));
  }
  return refuse(Refusal::kMethodNotAllowed, fmt::format("the methods of this path are {}", allow));
}

}  // namespace paraprint
