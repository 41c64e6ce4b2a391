// Who may ask, and for what: everything that is decided by the header of a request alone.
#include <arpa/inet.h>
#include <fmt/format.h>

#include <string_view>

#include "serve/page_service.h"

namespace paraprint {
namespace {

// Takes the same time whatever differs, so that nobody learns a token byte by byte.
bool is_equal_secret(std::string_view given, std::string_view secret) {
  unsigned char difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char expected = secret.empty() ? '\0' : secret[i % secret.size()];
    difference |= static_cast<unsigned char>(given[i] ^ expected);
  }
  return difference == 0;
}

// The token of "Bearer TOKEN"; empty for anything else.
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

// "localhost:8710", "[::1]:8710" and "127.0.0.1" without the port.
std::string_view host_name(std::string_view host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.rfind(':'));
}

bool is_loopback_name(std::string_view host) {
  const std::string_view name = host_name(host);
  return name.empty() || name == "localhost" || name == "::1" || is_loopback_address(name);
}

}  // namespace

bool is_loopback_address(std::string_view address) {
  const std::string text(address);
  in_addr v4{};
  if (::inet_pton(AF_INET, text.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  in6_addr v6{};
  return ::inet_pton(AF_INET6, text.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

Answer<void> PageService::check_client(const RequestHead& head, const Route& route) const {
  if (!options_.token.empty()) {
    if (!route.needs_token || is_equal_secret(bearer_token(head.authorization), options_.token)) return {};
    return refuse(Refusal::kUnauthorized, "send the token of the service: Authorization: Bearer TOKEN");
  }
  // Without a token the service relies on who can reach it, and a browser of this machine can be made to, by any page
  // it shows. Such requests name another origin, or another host that was made to resolve to this one.
  const bool is_local = is_loopback_address(options_.address);
  if (is_local && !is_loopback_name(head.host)) {
    return refuse(Refusal::kForeignOrigin, "a service on the loopback address is asked by that name");
  }
  const std::size_t scheme_end = head.origin.find("://");
  const bool is_foreign = !head.origin.empty() && (scheme_end == std::string::npos ||
                                                   std::string_view(head.origin).substr(scheme_end + 3) != head.host);
  if (is_foreign) return refuse(Refusal::kForeignOrigin, "requests from pages of other sites need a token");
  return {};
}

Answer<void> PageService::check_body(const RequestHead& head, const Route& route) const {
  if (route.body == BodyKind::kNone) {
    if (!head.has_body) return {};
    return refuse(Refusal::kBadRequest, "this call takes no body");
  }
  if (!head.content_encoding.empty() && head.content_encoding != "identity") {
    return refuse(Refusal::kUnsupportedType, "bodies are taken as they are: no Content-Encoding");
  }
  if (route.body == BodyKind::kStream) {
    if (is_json_lines_type(head.content_type)) return {};
    return refuse(Refusal::kUnsupportedType, "Content-Type has to be application/x-ndjson");
  }
  if (head.content_length.value_or(0) <= options_.limits.body_bytes) return {};
  return refuse(Refusal::kBodyTooLarge, fmt::format("the body has {} bytes; the limit is {}", *head.content_length,
                                                    options_.limits.body_bytes));
}

Answer<RoutedTarget> PageService::admit(const RequestHead& head, std::string& allow) const {
  Answer<RoutedTarget> target = find_route(head.method, head.target, allow);
  if (!target) return target;
  Answer<void> checked = check_client(head, *target->route);
  if (checked) checked = check_body(head, *target->route);
  if (!checked) return tl::unexpected<Refused>(checked.error());
  return target;
}

}  // namespace paraprint
