// Wraps lexbor's URL parser. The crawler relies on one property: an address has exactly one form, so parsing a
// canonical URL again gives the same bytes. lexbor violates that in a few cases, so parse() repeats until it holds.
#include "web/url.h"

#include <fmt/format.h>
#include <lexbor/encoding/encoding.h>
#include <lexbor/url/url.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

namespace paraprint::inline web {
namespace {

// Before canonicalisation, which may shorten a reference or lengthen it (up to nine bytes for one when encoding).
constexpr std::size_t kReferenceBytesMaximum = std::size_t{8} << 10;

// A name has at most 253 characters (RFC 1035 2.3.4), and one dot may follow. Encoding a longer one in Punycode costs
// the square of its length, and encoding may make it longer: it is judged before and after.
constexpr std::size_t kHostCharactersMaximum = 254;

// Attempts to reach a form that does not change any more.
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

// Unknown charsets fall back to UTF-8, as in browsers.
lxb_encoding_t query_encoding(std::string_view charset) {
  if (charset.empty() || charset == "utf-8") return LXB_ENCODING_UTF_8;
  const lxb_encoding_data_t* data = lxb_encoding_data_by_pre_name(lexbor_bytes(charset), charset.size());
  return data == nullptr ? LXB_ENCODING_UTF_8 : data->encoding;
}

// A parser that owns the memory of the last URL it parsed: each parse() invalidates the result of the one before.
class LexborParser {
 public:
  LexborParser() { create(); }
  ~LexborParser() { destroy(); }
  LexborParser(const LexborParser&) = delete;
  LexborParser& operator=(const LexborParser&) = delete;

  // Null for what is not a URL. Throws std::bad_alloc.
  lxb_url_t* parse(std::string_view text, const lxb_url_t* base, lxb_encoding_t encoding) {
    if (parser_.mraw == nullptr) create();
    lexbor_mraw_clean(parser_.mraw);
    lxb_url_parser_clean(&parser_);
    const lxb_status_t status =
        lxb_url_parse_basic(&parser_, nullptr, base, lexbor_bytes(text), text.size(), LXB_URL_STATE__UNDEF, encoding);
    if (status == LXB_STATUS_ERROR_MEMORY_ALLOCATION || status == LXB_STATUS_ERROR_OBJECT_IS_NULL) {
      destroy();  // it may have parts that are half made, which lexbor would use again
      throw std::bad_alloc();
    }
    return status == LXB_STATUS_OK ? lxb_url_get(&parser_) : nullptr;
  }

 private:
  // Only fails if memory runs out, and leaves the parser empty then.
  void create() {
    if (lxb_url_parser_init(&parser_, nullptr) != LXB_STATUS_OK) throw std::bad_alloc();
  }
  void destroy() {
    lxb_url_parser_memory_destroy(&parser_);
    lxb_url_parser_destroy(&parser_, false);
    parser_ = {};
  }

  lxb_url_parser_t parser_{};
};

// The standard encodes everything except printable ASCII; lexbor leaves the byte after a bare '%' unchanged.
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

// What ends in a colon and digits, which may have ignored characters among them, ends in a port.
std::string_view without_port(std::string_view authority) {
  const std::size_t before = authority.find_last_not_of("0123456789\t\r\n");
  return before != std::string_view::npos && authority[before] == ':' ? authority.substr(0, before) : authority;
}

// Whether the host is too long to be one. Judged before parsing and by the characters that parsing skips or takes for
// separators, so "http:\\host" and a scheme interrupted by line ends are recognised as well. A port is not a part of
// it.
bool has_long_host(std::string_view reference) {
  constexpr std::string_view kIgnored = "\t\r\n";
  const auto is_in_scheme = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || kIgnored.find(c) != std::string_view::npos;
  };
  while (!reference.empty() && static_cast<unsigned char>(reference.front()) <= ' ') reference.remove_prefix(1);
  const auto scheme_end = std::find_if_not(reference.begin(), reference.end(), is_in_scheme);
  const auto scheme_bytes = static_cast<std::size_t>(scheme_end - reference.begin());
  const bool has_scheme = scheme_bytes > 0 && reference.substr(scheme_bytes).starts_with(':');
  if (has_scheme) reference.remove_prefix(scheme_bytes + 1);
  const std::size_t begin = std::min(reference.find_first_not_of("/\\\t\r\n"), reference.size());
  if (!has_scheme && begin < 2) return false;  // a path
  const std::string_view authority = reference.substr(begin, reference.find_first_of("/\\?#", begin) - begin);
  const std::string_view host = without_port(authority.substr(authority.rfind('@') + 1));  // npos + 1 is 0
  std::size_t characters = 0;
  for (std::size_t i = 0; i < host.size(); ++i) {
    const bool continues = (static_cast<unsigned char>(host[i]) & 0xC0) == 0x80;
    if (!continues && kIgnored.find(host[i]) == std::string_view::npos) ++characters;
    if (host[i] == '%') i += 2;
  }
  return characters > kHostCharactersMaximum;
}

// Builds the canonical form; empty for null (not a URL), other schemes, and results that are too long.
std::optional<Url> url_of(const lxb_url_t* parsed) {
  if (parsed == nullptr) return std::nullopt;
  const lxb_url_scheme_type_t scheme = parsed->scheme.type;
  if (scheme != LXB_URL_SCHEMEL_TYPE_HTTP && scheme != LXB_URL_SCHEMEL_TYPE_HTTPS) return std::nullopt;
  Url url;
  const bool is_secure = scheme == LXB_URL_SCHEMEL_TYPE_HTTPS;
  url.scheme = is_secure ? "https" : "http";
  lxb_url_serialize_host(&parsed->host, append_to, &url.host);
  if (url.host.empty() || url.host.size() > kHostCharactersMaximum) return std::nullopt;
  // The standard removes the default port of a scheme, so any port that is left differs from it.
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

// Whether parsing the address again gives the same bytes for sure: a host of plain labels that is no number, and a
// target without escapes and dot segments. Of others, lexbor decides.
bool is_settled(const Url& url) {
  constexpr auto is_in_host = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  constexpr auto is_in_target = [](char c) {
    constexpr std::string_view kOthers = "/-_.~?=&+,;:@!$()*";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kOthers.find(c) != std::string_view::npos;
  };
  std::string_view rest = url.host;
  for (;;) {
    const std::string_view label = rest.substr(0, rest.find('.'));
    if (label.empty() || label.starts_with("xn--") || !std::ranges::all_of(label, is_in_host)) return false;
    if (label.size() == rest.size()) break;
    rest.remove_prefix(label.size() + 1);
  }
  const bool has_name = rest.front() >= 'a';  // the last label: a digit or a hyphen is less
  return has_name && url.target.find("/.") == std::string::npos && std::ranges::all_of(url.target, is_in_target);
}

}  // namespace

// Two parsers, because the base has to outlive the references that are resolved against it.
struct UrlParser::Implementation {
  LexborParser references;
  LexborParser bases;
  const lxb_url_t* base = nullptr;
  std::size_t base_path_bytes = 0;
  std::uint64_t bytes_read = 0;
};

UrlParser::UrlParser() : implementation_(std::make_unique<Implementation>()) {}
UrlParser::~UrlParser() = default;

// The base is parsed from its canonical form, so that relative references resolve as if they were on that page.
bool UrlParser::set_base(std::string_view url) {
  clear_base();
  if (const std::optional<Url> canonical = parse(url)) {
    implementation_->base = implementation_->bases.parse(canonical->href, nullptr, LXB_ENCODING_UTF_8);
    implementation_->base_path_bytes = std::min(canonical->target.find('?'), canonical->target.size());
  }
  return implementation_->base != nullptr;
}

void UrlParser::clear_base() {
  implementation_->base = nullptr;
  implementation_->base_path_bytes = 0;
}

std::uint64_t UrlParser::bytes_read() const {
  return implementation_->bytes_read;
}

std::optional<Url> UrlParser::parse(std::string_view reference, std::string_view charset) {
  if (reference.size() > kReferenceBytesMaximum || has_long_host(reference)) return std::nullopt;
  implementation_->bytes_read += reference.size() + implementation_->base_path_bytes;
  std::optional<Url> url =
      url_of(implementation_->references.parse(reference, implementation_->base, query_encoding(charset)));
  // lexbor changes some of its own results when they are parsed again: "%41.example" becomes "A.example", then
  // "a.example". Usually nothing can change, or the second parse changes nothing, which ends the loop.
  for (int look = 0; url && look < kLooksMaximum; ++look) {
    if (is_settled(*url)) return url;
    implementation_->bytes_read += url->href.size();
    std::optional<Url> again = url_of(implementation_->references.parse(url->href, nullptr, LXB_ENCODING_UTF_8));
    if (again && again->href == url->href) return again;
    url = std::move(again);
  }
  return std::nullopt;
}

}  // namespace paraprint::inline web
