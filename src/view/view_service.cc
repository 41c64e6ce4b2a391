// The order of a request: admitted by its header, then dispatched. Calls that need the loaded run are refused until it
// is there; everything that a call may fail by becomes a refusal with a reason.
#include "view/view_service.h"

#include <fmt/format.h>

#include <exception>

#include "serve/client_admission.h"
#include "view/assets/view_assets.h"
#include "view/call_input.h"
#include "view/view_routes.h"

namespace paraprint::inline explorer {
namespace {

// The page has a handful of scripts and asks a few questions at once.
constexpr std::uint64_t kBodyBytesMaximum = std::uint64_t{64} << 10;
constexpr std::uint32_t kConnectionsMaximum = 64;
constexpr std::uint32_t kStopSeconds = 3;

// Own scripts and styles only, nothing inline, nothing from other hosts, in no frame.
constexpr std::string_view kSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

HttpResponse asset_response(const assets::ViewAsset& asset) {
  HttpResponse response;
  response.content_type = asset.content_type;
  response.security_policy = kSecurityPolicy;
  response.body = asset.text;
  return response;
}

Answer<HttpResponse> find_asset(std::string_view name) {
  for (const assets::ViewAsset& asset : assets::view_assets()) {
    if (asset.name == name) return asset_response(asset);
  }
  return refuse(Refusal::kNoSuchCall, "there is no such file");
}

bool needs_loaded_run(ViewCall call) {
  return call != ViewCall::kDocument && call != ViewCall::kAsset && call != ViewCall::kState;
}

}  // namespace

ViewService::ViewService(Explorer& explorer, const ViewOptions& options) : explorer_(explorer), options_(options) {
  limits_.max_body_bytes = kBodyBytesMaximum;
  limits_.max_connections = kConnectionsMaximum;
  limits_.stop_timeout = kStopSeconds;
}

Answer<RoutedTarget> ViewService::admit(const RequestHead& head, std::string& allow) const {
  Answer<RoutedTarget> target = find_route(kViewRoutes, "", head.method, head.target, allow);
  if (!target) return target;
  Answer<void> checked = check_client(head, *target->route, options_.token, options_.address);
  if (checked) checked = check_body(head, *target->route, limits_.max_body_bytes);
  if (checked && !target->route->takes_parameters && !target->parameters.empty()) {
    checked = refuse(Refusal::kBadParameter, "this call takes no parameters");
  }
  if (!checked) return tl::unexpected<Refused>(checked.error());
  return target;
}

HttpResponse ViewService::answer(const RoutedTarget& target, const RequestHead& head, std::string_view body) {
  try {
    Answer<HttpResponse> answered = dispatch(target, head, body);
    return answered ? std::move(*answered) : response_of(answered.error());
  } catch (const std::exception& error) {  // out of memory: this request fails, the others continue
    return response_of({Refusal::kInternal, fmt::format("the request could not be processed: {}", error.what())});
  }
}

// No default case: the compiler then warns when a call is added without an entry here.
Answer<HttpResponse> ViewService::dispatch(const RoutedTarget& target, const RequestHead& head, std::string_view body) {
  const auto call = static_cast<ViewCall>(target.route->number);
  if (needs_loaded_run(call) && !explorer_.is_ready()) {
    return refuse(Refusal::kBusy, "the run is still being read; try again in a moment");
  }
  switch (call) {
    case ViewCall::kDocument:
      return find_asset("index.html");
    case ViewCall::kAsset:
      return find_asset(target.id);
    case ViewCall::kState:
      return state();
    case ViewCall::kOverview:
      return overview();
    case ViewCall::kPages:
      return find_pages(target);
    case ViewCall::kTitles:
      return titles(target);
    case ViewCall::kCluster:
      return cluster(target);
    case ViewCall::kPairs:
      return find_pairs(target);
    case ViewCall::kPair:
      return pair(target);
    case ViewCall::kThresholds:
      return thresholds();
    case ViewCall::kThreshold:
      return threshold(target);
    case ViewCall::kRulings:
      return rulings();
    case ViewCall::kRule:
      return rule(head, body);
    case ViewCall::kJudging:
      return judging(target);
    case ViewCall::kDrawSample:
      return draw_sample(head, body);
    case ViewCall::kJudge:
      return judge(head, body);
  }
  return refuse(Refusal::kInternal, "internal error: unknown call");
}

}  // namespace paraprint::inline explorer
