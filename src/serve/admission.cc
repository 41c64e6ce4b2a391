// Decides from the header alone whether a request is accepted. This happens before the body is read, so a refused
// client cannot make the service buffer anything.
#include <arpa/inet.h>
#include <fmt/format.h>

#include <boost/beast/core/string.hpp>
#include <string_view>

#include "serve/client_admission.h"
#include "serve/page_request.h"
#include "serve/page_service.h"

namespace paraprint::inline service {
namespace {

// Compares in time independent of where the difference is, so that a token cannot be guessed byte by byte from the
// response time. The time depends only on the length that the client sent.
bool is_equal_secret(std::string_view given, std::string_view secret) {
  unsigned char difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char expected = secret.empty() ? '\0' : secret[i % secret.size()];
    difference |= static_cast<unsigned char>(given[i] ^ expected);
  }
  return difference == 0;
}

// The token of "Bearer TOKEN"; empty for anything else. The scheme is case-insensitive (RFC 9110).
std::string_view bearer_token(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (authorization.size() <= kScheme.size()) return {};
  for (std::size_t i = 0; i < kScheme.size(); ++i) {
    if ((authorization[i] | 0x20) != (kScheme[i] | 0x20)) return {};
  }
  authorization.remove_prefix(kScheme.size());
  while (authorization.starts_with(' ')) authorization.remove_prefix(1);
  return authorization;
}

// Removes the port from "localhost:8710", "[::1]:8710" or "127.0.0.1".
std::string_view host_name(std::string_view host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.rfind(':'));
}

// An empty Host is accepted: browsers, which the check is about, always send one.
bool is_loopback_name(std::string_view host) {
  const std::string_view name = host_name(host);
  return name.empty() || boost::beast::iequals({name.data(), name.size()}, "localhost") || name == "::1" ||
         is_loopback_address(name);
}

// Whether a browser says that a page of another origin makes this request. Images, frames and scripts have no Origin,
// and although that page cannot read the answer, the service would work for it. It may only lead its reader here, as a
// link to the explorer does; a browser that follows links before they are chosen says so.
bool is_foreign_fetch(const RequestHead& head) {
  if (head.fetch_site.empty() || head.fetch_site == "same-origin" || head.fetch_site == "none") return false;
  const bool is_navigation = head.fetch_mode == "navigate" && head.fetch_destination == "document";
  return !is_navigation || !head.fetch_purpose.empty();
}

}  // namespace

// All of 127.0.0.0/8 is loopback, not only 127.0.0.1.
bool is_loopback_address(std::string_view address) {
  const std::string text(address);
  in_addr v4{};
  if (::inet_pton(AF_INET, text.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  in6_addr v6{};
  return ::inet_pton(AF_INET6, text.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

Answer<void> check_client(const RequestHead& head, const Route& route, std::string_view token,
                          std::string_view address) {
  if (!token.empty()) {
    if (!route.needs_token || is_equal_secret(bearer_token(head.authorization), token)) return {};
    return refuse(Refusal::kUnauthorized, "missing or wrong token; send the header Authorization: Bearer TOKEN");
  }
  // Without a token, anything that can reach the service may use it, which includes a browser on this machine and thus
  // any web page it shows. Such requests carry a foreign Origin or Sec-Fetch-Site, or a foreign Host that was made to
  // resolve to this machine (DNS rebinding).
  const bool is_local = is_loopback_address(address);
  if (is_local && !is_loopback_name(head.host)) {
    return refuse(Refusal::kForeignOrigin, "the Host header must be a loopback name such as localhost");
  }
  // Browsers send Origin with every cross-origin request and every POST. Same-origin ones name this service's own host,
  // which is what Host says; "null" and anything else unparsable is foreign.
  const std::size_t scheme_end = head.origin.find("://");
  const bool is_foreign = !head.origin.empty() && (scheme_end == std::string::npos ||
                                                   std::string_view(head.origin).substr(scheme_end + 3) != head.host);
  if (is_foreign || is_foreign_fetch(head)) {
    return refuse(Refusal::kForeignOrigin, "cross-origin requests are refused without a token");
  }
  return {};
}

Answer<void> check_body(const RequestHead& head, const Route& route, std::uint64_t max_body_bytes) {
  if (route.body == BodyKind::kNone) {
    if (!head.has_body) return {};
    return refuse(Refusal::kBadRequest, "this call takes no body");
  }
  if (!head.content_encoding.empty() && !boost::beast::iequals(head.content_encoding, "identity")) {
    return refuse(Refusal::kUnsupportedType, "Content-Encoding is not supported; send the body uncompressed");
  }
  if (route.body == BodyKind::kStream) {
    if (is_json_lines_type(head.content_type)) return {};
    return refuse(Refusal::kUnsupportedType, "Content-Type must be application/x-ndjson");
  }
  if (head.content_length.value_or(0) <= max_body_bytes) return {};
  return refuse(Refusal::kBodyTooLarge,
                fmt::format("the body is {} bytes long; the limit is {}", *head.content_length, max_body_bytes));
}

// Refusals go from general to specific: no such call, not allowed to call it, a call that this service does not answer,
// a body it cannot take, parameters that it does not have.
Answer<RoutedTarget> PageService::admit(const RequestHead& head, std::string& allow) const {
  Answer<RoutedTarget> target = find_route(head.method, head.target, allow);
  if (!target) return target;
  Answer<void> checked = check_client(head, *target->route, options_.token, options_.address);
  if (checked && options_.read_only && target->route->needs_writer) {
    checked = refuse(Refusal::kReadOnly,
                     "this service only answers lookups (--read-only); send this call to the service that changes the "
                     "index");
  }
  if (checked) checked = check_body(head, *target->route, options_.limits.max_body_bytes);
  if (checked && !target->route->takes_parameters && !target->parameters.empty()) {
    checked = refuse(Refusal::kBadParameter, "this call takes no parameters");
  }
  if (!checked) return tl::unexpected<Refused>(checked.error());
  return target;
}

}  // namespace paraprint::inline service
