// The scanner is a state machine over bytes. It runs before Boost.Beast's parser, which accepts folded fields and lists
// of lengths, ignores codings that it does not know, and does not count Host fields.
#include "serve/request_head.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <string>

namespace paraprint::inline service {
namespace {

// Extensions of all chunks of a request together (RFC 9112 7.1.1 asks for a limit).
constexpr std::size_t kExtensionBytesMaximum = 4096;

bool is_alphanumeric(unsigned char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

// RFC 9110 5.6.2.
bool is_token(unsigned char byte) {
  return is_alphanumeric(byte) ||
         std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(byte)) != std::string::npos;
}

// Bytes outside ASCII are allowed: whether a target or value is valid UTF-8 is decided where it is used.
bool is_visible(unsigned char byte) {
  return byte > 0x20 && byte != 0x7F;
}

bool is_decimal(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_ipv6(const std::string& text) {
  in6_addr ignored{};
  return ::inet_pton(AF_INET6, text.c_str(), &ignored) == 1;
}

// reg-name (RFC 3986 3.2.2), which IPv4 addresses are as well, without the comma: that would be two hosts to some.
// Percent signs are allowed by the grammar, but a name that has to be decoded first is not one name to all readers.
bool is_host_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char byte) {
    return is_alphanumeric(byte) ||
           std::string_view("-._~!$&'()*+;=").find(static_cast<char>(byte)) != std::string::npos;
  });
}

// uri-host [":" [port]] (RFC 9110 7.2). Empty is valid: a target without authority.
bool is_host(std::string_view text) {
  if (text.empty()) return true;
  const bool is_address = text.front() == '[';
  const std::size_t end = is_address ? text.find(']') : std::min(text.find(':'), text.size());
  if (end == std::string_view::npos) return false;
  if (!(is_address ? is_ipv6(std::string(text.substr(1, end - 1))) : is_host_name(text.substr(0, end)))) return false;
  const std::string_view rest = text.substr(is_address ? end + 1 : end);
  return rest.empty() || rest == ":" || (rest.front() == ':' && is_decimal(rest.substr(1)));
}

bool is_chunked_coding(std::string_view text) {
  return boost::beast::iequals({text.data(), text.size()}, "chunked");
}

// Whether "chunked" is the last coding of a list, so that the end of the body would be known to who knows the others.
bool ends_with_chunked(std::string_view codings) {
  const std::size_t last = codings.find_last_of(", \t");
  return last != std::string_view::npos && is_chunked_coding(codings.substr(last + 1));
}

Answer<void> check_body_framing(const RequestFraming& framing) {
  const auto& codings = framing.transfer_encodings;
  const auto& lengths = framing.content_lengths;
  if (codings.empty()) {
    if (lengths.size() > 1) return refuse(Refusal::kBadRequest, "more than one Content-Length");
    if (!lengths.empty() && !is_decimal(lengths.front())) {
      return refuse(Refusal::kBadRequest, "Content-Length is not a decimal number");
    }
    return {};
  }
  if (!lengths.empty()) return refuse(Refusal::kBadRequest, "both Transfer-Encoding and Content-Length");
  if (framing.is_http_1_0) return refuse(Refusal::kBadRequest, "Transfer-Encoding requires HTTP/1.1");
  if (codings.size() > 1) return refuse(Refusal::kBadRequest, "more than one Transfer-Encoding");
  if (is_chunked_coding(codings.front())) return {};
  if (ends_with_chunked(codings.front())) {
    return refuse(Refusal::kUnsupportedCoding, "chunked is the only transfer coding that is supported");
  }
  return refuse(Refusal::kBadRequest, "the last transfer coding is not chunked");
}

}  // namespace

const char* RequestHeadScanner::step(unsigned char byte) {
  // The line end in the request line and in fields: CR leads to kLineEnd, and LF must follow.
  const auto part = [&](bool is_valid, unsigned char end, Place next) {
    if (is_valid) return void(++part_bytes_), true;
    if (byte != end || part_bytes_ == 0) return false;
    part_bytes_ = 0;
    place_ = next;
    return true;
  };
  switch (place_) {
    case Place::kMethod:
      return part(is_token(byte), ' ', Place::kTarget) ? nullptr : "invalid method";
    case Place::kTarget:
      return part(is_visible(byte), ' ', Place::kVersion) ? nullptr : "invalid request target";
    case Place::kVersion:  // its value is up to the parser
      return part(is_visible(byte), '\r', Place::kLineEnd) ? nullptr : "invalid request line";
    case Place::kLineBegin:
      if (byte == '\r') return place_ = Place::kHeadEnd, nullptr;
      if (byte == ' ' || byte == '\t') return "folded header field";
      place_ = Place::kFieldName;
      [[fallthrough]];
    case Place::kFieldName:
      return part(is_token(byte), ':', Place::kFieldValue) ? nullptr : "invalid name of a header field";
    case Place::kFieldValue:
      if (byte == '\r') return place_ = Place::kLineEnd, nullptr;
      return is_visible(byte) || byte == ' ' || byte == '\t' ? nullptr : "invalid value of a header field";
    case Place::kLineEnd:
    case Place::kHeadEnd:
      if (byte != '\n') return "a carriage return without a line feed";
      place_ = place_ == Place::kHeadEnd ? Place::kComplete : Place::kLineBegin;
      return nullptr;
    case Place::kComplete:
      break;
  }
  return nullptr;
}

Answer<bool> RequestHeadScanner::scan(std::string_view received) {
  while (place_ != Place::kComplete && scanned_bytes_ < std::min(received.size(), limit_bytes_)) {
    const char* const wrong = step(static_cast<unsigned char>(received[scanned_bytes_]));
    if (wrong != nullptr) return refuse(Refusal::kBadRequest, std::string("invalid HTTP: ") + wrong);
    ++scanned_bytes_;
  }
  if (place_ == Place::kComplete) return true;
  if (scanned_bytes_ < limit_bytes_) return false;
  return refuse(Refusal::kHeaderTooLarge, "the request header is too large");
}

Answer<void> check_framing(const RequestFraming& framing) {
  if (!framing.target.starts_with('/')) return refuse(Refusal::kBadTarget, "the request target must begin with /");
  if (framing.target.find('#') != std::string_view::npos) {
    return refuse(Refusal::kBadTarget, "the request target must not have a fragment");
  }
  const bool is_host_optional = framing.is_http_1_0;
  if (framing.hosts.size() > 1) return refuse(Refusal::kBadRequest, "more than one Host");
  if (framing.hosts.empty() && !is_host_optional) return refuse(Refusal::kBadRequest, "HTTP/1.1 requires a Host");
  if (!framing.hosts.empty() && !is_host(framing.hosts.front())) return refuse(Refusal::kBadRequest, "invalid Host");
  if (!framing.repeated_field.empty()) {
    return refuse(Refusal::kBadRequest, fmt::format("more than one {}", framing.repeated_field));
  }
  return check_body_framing(framing);
}

bool ChunkExtensions::accept(std::string_view extensions) {
  total_bytes_ += extensions.size();
  const bool is_plain = std::all_of(extensions.begin(), extensions.end(),
                                    [](unsigned char byte) { return is_visible(byte) || byte == ' ' || byte == '\t'; });
  return is_plain && total_bytes_ <= kExtensionBytesMaximum;
}

}  // namespace paraprint::inline service
