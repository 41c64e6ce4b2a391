// The form of a body is that of its stated media type. What cannot be read in it becomes base64, or for JSON nothing.
#include "cdx/request_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/base64.h"
#include "cdx/json_query.h"
#include "cdx/query_text.h"
#include "cdx/stored_fields.h"
#include "cdx/surt_text.h"
#include "http/content_coding.h"
#include "http/header_block.h"
#include "text/utf8.h"

namespace paraprint::inline cdx {
namespace {

constexpr std::size_t kUnstatedLengthBytes = 8192;

std::string upper_ascii(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

// Four characters of base64 are three bytes.
std::string as_base64(std::string_view body) {
  return "__wb_post_data=" + base64(body.substr(0, kRequestQueryCharactersMaximum / 4 * 3));
}

std::string from_form(std::string_view body) {
  return is_valid_utf8(body) ? unquote_plus(body) : as_base64(body);
}

// The value of a parameter of Content-Disposition; nullopt if it is absent.
std::optional<std::string> disposition_parameter(std::string_view header, std::string_view name) {
  for (std::size_t at = header.find(';'); at != std::string_view::npos;) {
    const std::size_t equals = header.find('=', at);
    if (equals == std::string_view::npos) return std::nullopt;
    const bool is_wanted = equals_lower_ascii(trim(header.substr(at + 1, equals - at - 1)), name);
    std::size_t from = equals + 1;
    std::string value;
    if (from < header.size() && header[from] == '"') {
      for (++from; from < header.size() && header[from] != '"'; ++from) {
        const bool is_escaped =
            header[from] == '\\' && from + 1 < header.size() && (header[from + 1] == '"' || header[from + 1] == '\\');
        value += header[is_escaped ? ++from : from];
      }
    } else {
      value = std::string(trim(header.substr(from, header.find(';', from) - from)));
    }
    if (is_wanted) return value;
    at = header.find(';', from);
  }
  return std::nullopt;
}

// Appends "name=value" of a part; false if its header does not end.
bool append_part(std::string_view part, std::string& query) {
  const std::size_t header_end = part.find("\r\n\r\n");
  if (header_end == std::string_view::npos) return false;
  const StoredFields fields = read_stored_fields(std::string("-\r\n").append(part.substr(0, header_end + 4)));
  const std::string* disposition = fields.find("content-disposition");
  if (disposition == nullptr) return false;
  if (!query.empty()) query += '&';
  append_quoted(disposition_parameter(*disposition, "name").value_or("None"), query);
  query += '=';
  append_quoted(part.substr(header_end + 4), query);
  return true;
}

// Nullopt unless all parts are whole, up to the last boundary.
std::optional<std::string> from_parts(std::string_view body, std::string_view boundary) {
  const std::string delimiter = std::string("\r\n--").append(boundary);
  std::string query;
  if (!body.starts_with(std::string_view(delimiter).substr(2))) return std::nullopt;
  body.remove_prefix(delimiter.size() - 2);
  while (!body.starts_with("--")) {
    if (!body.starts_with("\r\n")) return std::nullopt;
    const std::size_t end = body.find(delimiter, 2);
    if (end == std::string_view::npos || !append_part(body.substr(2, end - 2), query)) return std::nullopt;
    body.remove_prefix(end + delimiter.size());
  }
  return query;
}

std::string from_multipart(std::string_view media_type, std::string_view body) {
  constexpr std::string_view kBoundary = "boundary=";
  const std::size_t at = media_type.find(kBoundary);
  if (at == std::string_view::npos) return as_base64(body);
  std::string_view boundary = media_type.substr(at + kBoundary.size());
  boundary = boundary.substr(0, boundary.find(kBoundary));
  return from_parts(body, boundary).value_or(as_base64(body));
}

std::string text_of(std::string_view media_type, std::string_view body) {
  if (body.size() > kParsedBodyBytesMaximum) return as_base64(body);
  if (media_type.starts_with("application/x-www-form-urlencoded")) return from_form(body);
  if (media_type.starts_with("multipart/")) return from_multipart(media_type, body);
  if (media_type.starts_with("application/json")) return json_query(body).value_or("");
  if (media_type.starts_with("text/plain")) return json_query(body).value_or(as_base64(body));
  return as_base64(body);
}

// Without chunks and compression.
std::string decoded_body(const StoredFields& header, std::string_view stored) {
  std::string body(stored);
  if (const std::string* coding = header.find("transfer-encoding"); coding && lower_ascii(*coding) == "chunked") {
    Decoded decoded = decode_chunked(body);
    if (decoded.state == Decoded::Outcome::kComplete) body = std::move(decoded.bytes);
  }
  if (const std::string* name = header.find("content-encoding")) {
    const ContentCoding coding = content_coding(*name);
    if (coding == ContentCoding::kIdentity || coding == ContentCoding::kUnknown) return body;
    Decoded decoded = decode_content(coding, body, kParsedBodyBytesMaximum);
    if (decoded.state == Decoded::Outcome::kComplete) body = std::move(decoded.bytes);
  }
  return body;
}

// Of the body that is read; nullopt if the header states no number. A negative one is no body.
std::optional<std::uint64_t> stated_bytes(const StoredFields& header) {
  const std::string* stated = header.find("content-length");
  if (stated == nullptr) return kUnstatedLengthBytes;
  std::string_view digits = trim(*stated);
  const bool is_negative = digits.starts_with('-');
  if (is_negative || digits.starts_with('+')) digits.remove_prefix(1);
  const std::optional<std::uint64_t> bytes = parse_number(digits);
  return bytes && is_negative ? 0 : bytes;
}

std::string_view first_characters(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool begins_character = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
    if (begins_character && characters-- == 0) break;
  }
  return text.substr(0, at);
}

}  // namespace

std::optional<RequestQuery> request_query(std::string_view message) {
  const StoredFields header = read_stored_fields(message);
  const std::string method = header.first_line.substr(0, header.first_line.find(' '));
  RequestQuery query;
  query.method = upper_ascii(method);
  if (query.method != "POST" && query.method != "PUT") return std::nullopt;
  query.suffix = "__wb_method=" + method;
  if (method != query.method) {  // written in small letters, the body is not looked at
    query.text = "";
    return query;
  }
  const std::optional<std::uint64_t> bytes = stated_bytes(header);
  if (!bytes) return query;
  const std::string* type = header.find("content-type");
  const std::string body = decoded_body(header, message.substr(std::min(header.size_bytes, message.size())));
  const std::string text = text_of(type == nullptr ? std::string_view() : std::string_view(*type),
                                   std::string_view(body).substr(0, static_cast<std::size_t>(*bytes)));
  query.text = std::string(first_characters(text, kRequestQueryCharactersMaximum));
  if (!query.text->empty()) query.suffix.append("&").append(*query.text);
  return query;
}

std::string with_query(std::string_view url, const RequestQuery& query) {
  return fmt::format("{}{}{}", url, url.find('?') == std::string_view::npos ? '?' : '&', query.suffix);
}

}  // namespace paraprint::inline cdx
