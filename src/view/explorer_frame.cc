// A request is admitted by its header, then dispatched; everything that a call may fail by becomes a refusal with a
// reason.
#include "view/explorer_frame.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "serve/client_admission.h"
#include "view/assets/view_assets.h"

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

}  // namespace

ExplorerFrame::ExplorerFrame(std::span<const Route> routes, const ViewOptions& options)
    : routes_(routes), token_(options.token), address_(options.address) {
  limits_.max_body_bytes = kBodyBytesMaximum;
  limits_.max_connections = kConnectionsMaximum;
  limits_.stop_timeout = kStopSeconds;
}

Answer<RoutedTarget> ExplorerFrame::admit(const RequestHead& head, std::string& allow) const {
  Answer<RoutedTarget> target = find_route(routes_, "", head.method, head.target, allow);
  if (!target) return target;
  Answer<void> checked = check_client(head, *target->route, token_, address_);
  if (checked) checked = check_body(head, *target->route, limits_.max_body_bytes);
  if (checked && !target->route->takes_parameters && !target->parameters.empty()) {
    checked = refuse(Refusal::kBadParameter, "this call takes no parameters");
  }
  if (!checked) return tl::unexpected<Refused>(checked.error());
  return target;
}

HttpResponse ExplorerFrame::answer(const RoutedTarget& target, const RequestHead& head, std::string_view body) {
  try {
    Answer<HttpResponse> answered = dispatch(target, head, body);
    return answered ? std::move(*answered) : response_of(answered.error());
  } catch (const std::exception& error) {  // out of memory: this request fails, the others continue
    return response_of({Refusal::kInternal, fmt::format("the request could not be processed: {}", error.what())});
  }
}

Answer<HttpResponse> find_asset(std::string_view name) {
  for (const assets::ViewAsset& asset : assets::view_assets()) {
    if (asset.name == name) return asset_response(asset);
  }
  return refuse(Refusal::kNoSuchCall, "there is no such file");
}

HttpResponse file_response(std::string_view content_type, std::string body) {
  HttpResponse response;
  response.content_type = content_type;
  response.body = std::move(body);
  return response;
}

}  // namespace paraprint::inline explorer
