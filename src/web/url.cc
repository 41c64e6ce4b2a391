#include "web/url.h"

#include <fmt/format.h>
#include <lexbor/encoding/encoding.h>
#include <lexbor/url/url.h>

#include <iterator>
#include <utility>

#include "base/assert.h"

namespace paraprint {
namespace {

// Before canonicalisation: percent-encoding makes at most nine bytes of one.
constexpr std::size_t kReferenceBytesMaximum = std::size_t{8} << 10;

// At the same address, until it stays as it is.
constexpr int kLooksMaximum = 4;

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

const lxb_char_t* lexbor_bytes(std::string_view text) {
  return reinterpret_cast<const lxb_char_t*>(text.data());
}

std::string_view view_of(const lexbor_str_t& text) {
  return text.data == nullptr ? std::string_view()
                              : std::string_view(reinterpret_cast<const char*>(text.data), text.length);
}

lxb_status_t append_to(const lxb_char_t* data, std::size_t size, void* out) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(data), size);
  return LXB_STATUS_OK;
}

lxb_encoding_t query_encoding(std::string_view charset) {
  if (charset.empty() || charset == "utf-8") return LXB_ENCODING_UTF_8;
  const lxb_encoding_data_t* data = lxb_encoding_data_by_pre_name(lexbor_bytes(charset), charset.size());
  return data == nullptr ? LXB_ENCODING_UTF_8 : data->encoding;
}

// A parser with the memory of its URLs.
struct LexborParser {
  LexborParser() {
    const lxb_status_t status = lxb_url_parser_init(&parser, nullptr);
    PARAPRINT_ASSERT(status == LXB_STATUS_OK);
  }
  ~LexborParser() {
    lxb_url_parser_memory_destroy(&parser);
    lxb_url_parser_destroy(&parser, false);
  }
  LexborParser(const LexborParser&) = delete;
  LexborParser& operator=(const LexborParser&) = delete;

  lxb_url_t* parse(std::string_view text, const lxb_url_t* base, lxb_encoding_t encoding) {
    lexbor_mraw_clean(parser.mraw);
    lxb_url_parser_clean(&parser);
    const lxb_status_t status =
        lxb_url_parse_basic(&parser, nullptr, base, lexbor_bytes(text), text.size(), LXB_URL_STATE__UNDEF, encoding);
    return status == LXB_STATUS_OK ? lxb_url_get(&parser) : nullptr;
  }

  lxb_url_parser_t parser{};
};

// lexbor leaves the byte after a bare '%' as it is. The standard encodes all but printable ASCII.
void append_escaped(std::string_view text, std::string& out) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && byte <= '~') {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", byte);
    }
  }
}

// Null is no URL.
std::optional<Url> url_of(const lxb_url_t* parsed) {
  if (parsed == nullptr) return std::nullopt;
  const lxb_url_scheme_type_t scheme = parsed->scheme.type;
  if (scheme != LXB_URL_SCHEMEL_TYPE_HTTP && scheme != LXB_URL_SCHEMEL_TYPE_HTTPS) return std::nullopt;
  Url url;
  const bool is_secure = scheme == LXB_URL_SCHEMEL_TYPE_HTTPS;
  url.scheme = is_secure ? "https" : "http";
  lxb_url_serialize_host(&parsed->host, append_to, &url.host);
  if (url.host.empty()) return std::nullopt;
  // The standard leaves the port of a scheme out, so that what is there differs from it.
  url.port = parsed->has_port ? parsed->port : is_secure ? kHttpsPort : kHttpPort;
  url.href = url.scheme + "://" + url.host;
  if (parsed->has_port) url.href += ":" + std::to_string(url.port);
  std::string path;
  lxb_url_serialize_path(&parsed->path, append_to, &path);
  append_escaped(path.empty() ? "/" : std::string_view(path), url.target);
  if (parsed->query.data != nullptr) append_escaped(view_of(parsed->query), url.target += '?');
  url.href += url.target;
  if (url.href.size() > kUrlBytesMaximum) return std::nullopt;
  return url;
}

}  // namespace

struct UrlParser::Implementation {
  LexborParser references;
  LexborParser bases;
  const lxb_url_t* base = nullptr;
};

UrlParser::UrlParser() : implementation_(std::make_unique<Implementation>()) {}
UrlParser::~UrlParser() = default;

bool UrlParser::set_base(std::string_view url) {
  clear_base();
  if (const std::optional<Url> canonical = parse(url)) {
    implementation_->base = implementation_->bases.parse(canonical->href, nullptr, LXB_ENCODING_UTF_8);
  }
  return implementation_->base != nullptr;
}

void UrlParser::clear_base() {
  implementation_->base = nullptr;
}

std::optional<Url> UrlParser::parse(std::string_view reference, std::string_view charset) {
  if (reference.size() > kReferenceBytesMaximum) return std::nullopt;
  std::optional<Url> url =
      url_of(implementation_->references.parse(reference, implementation_->base, query_encoding(charset)));
  // One address must have one form, and lexbor leaves a few that it reads differently the next time ("%41.example"
  // becomes "A.example", then "a.example"). A second look finds nothing to change, save in those.
  for (int look = 0; url && look < kLooksMaximum; ++look) {
    std::optional<Url> again = url_of(implementation_->references.parse(url->href, nullptr, LXB_ENCODING_UTF_8));
    if (again && again->href == url->href) return again;
    url = std::move(again);
  }
  return std::nullopt;
}

}  // namespace paraprint
