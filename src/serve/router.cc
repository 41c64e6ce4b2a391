// The router. There are few calls, so a request is matched against each row in turn.
#include "serve/router.h"

#include <fmt/format.h>

namespace paraprint::inline service {
namespace {

constexpr std::string_view kIdPart = "{id}";
constexpr std::size_t kShownBytes = 100;  // of a target in a message

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

// The parameters are only decoded here; admission and calls decide which names are accepted.
Answer<RoutedTarget> find_route(std::span<const Route> routes, std::string_view advice, std::string_view method,
                                std::string_view target, std::string& allow) {
  Answer<Target> parsed = parse_target(target);
  if (!parsed) return tl::unexpected<Refused>(parsed.error());
  RoutedTarget routed;
  const std::string_view asked = method == kHeadMethod ? "GET" : method;
  allow.clear();
  // Collects the methods of the path on the way: a path that matches with another method is 405, not 404.
  for (const Route& route : routes) {
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
    return refuse(Refusal::kNoSuchCall, fmt::format("no call at {}{}", target.substr(0, kShownBytes), advice));
  }
  return refuse(Refusal::kMethodNotAllowed, fmt::format("the methods of this path are {}", allow));
}

}  // namespace paraprint::inline service
