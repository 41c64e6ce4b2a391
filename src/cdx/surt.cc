// An address is taken apart, each part is made canonical, and the parts are put together with the host reversed.
//
// The rules, peculiar ones included, are those of the Python package surt (0.3.1) with its default settings. Where it
// searches with regular expressions, the last match in the text counts; here the same is found in one pass.
#include "cdx/surt.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "cdx/surt_host.h"
#include "cdx/surt_text.h"

namespace paraprint::inline cdx {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// Absent and empty are different for hosts alone: an empty host comes from an address of slashes only. Views point into
// the text that was taken apart.
struct Address {
  std::string_view scheme;
  std::string_view host;
  std::uint32_t port = 0;  // 0: not stated
  std::string_view path;
  std::string_view query;
};

// Python's white space of bytes.
constexpr std::string_view kUrlWhiteSpace = " \t\n\r\v\f";

// Appends the address without it.
void append_without_white_space(std::string_view url, std::string& text) {
  const std::size_t first = url.find_first_not_of(kUrlWhiteSpace);
  if (first == kNone) return;
  url = url.substr(first, url.find_last_not_of(kUrlWhiteSpace) - first + 1);
  std::copy_if(url.begin(), url.end(), std::back_inserter(text),
               [](char c) { return c != '\n' && c != '\r' && c != '\t'; });
}

// The size of a scheme at the front, without its colon; npos if there is none.
std::size_t scheme_bytes(std::string_view url) {
  if (url.empty() || !is_ascii_letter(url.front())) return kNone;
  const auto end = std::find_if_not(url.begin(), url.end(), [](char c) {
    return is_ascii_letter(c) || is_ascii_digit(c) || c == '+' || c == '-' || c == '.';
  });
  return end != url.end() && *end == ':' ? static_cast<std::size_t>(end - url.begin()) : kNone;
}

// "http://https://example.org/" has one scheme too many: the last one counts.
std::string_view with_one_scheme(std::string_view url) {
  constexpr std::string_view kHttp = "http://";
  constexpr std::string_view kHttps = "https://";
  while (true) {
    const std::size_t first = url.starts_with(kHttp) ? kHttp.size() : url.starts_with(kHttps) ? kHttps.size() : 0;
    const std::string_view rest = url.substr(first);
    if (first == 0 || (!rest.starts_with(kHttp) && !rest.starts_with(kHttps))) return url;
    url = rest;
  }
}

// False for a port that is not a number of at most 65535.
bool read_port(std::string_view text, std::uint32_t& port) {
  constexpr std::uint32_t kPortMaximum = 65535;
  constexpr std::size_t kDigitsMaximum = 4300;  // Python refuses longer numbers, leading zeros included
  if (text.size() > kDigitsMaximum) return false;
  for (const char c : text) {
    if (!is_ascii_digit(c)) return false;
    port = port * 10 + static_cast<std::uint32_t>(c - '0');
    if (port > kPortMaximum) return false;
  }
  return true;
}

// "user:password@host:port"; the host may be in brackets.
bool read_authority(std::string_view authority, Address& address) {
  while (authority.ends_with(':')) authority.remove_suffix(1);
  authority.remove_prefix(authority.rfind('@') + 1);  // npos + 1 is 0
  std::string_view rest = authority;
  std::string_view host;
  if (const std::size_t bracket = authority.find('['); bracket != kNone) {
    host = authority.substr(bracket + 1);
    rest = host;
    host = host.substr(0, host.find(']'));
    rest.remove_prefix(std::min(host.size() + 1, rest.size()));
  } else {
    host = authority.substr(0, authority.find(':'));
  }
  address.host = host;
  const std::size_t colon = rest.find(':');
  return colon == kNone || read_port(rest.substr(colon + 1), address.port);
}

// The first segment takes the place of a missing host: "http:////example.org/".
void take_host_from_path(Address& address) {
  const std::size_t first = std::min(address.path.find_first_not_of('/'), address.path.size());
  const std::size_t end = std::min(address.path.find('/', first), address.path.size());
  address.host = address.path.substr(first, end - first);
  address.path = end < address.path.size() ? address.path.substr(end) : std::string_view("/");
}

// nullopt for an address that cannot be taken apart. Fragments and credentials are left out. `text` becomes the address
// that the result has views of.
std::optional<Address> parse(std::string_view stated, std::string& text) {
  constexpr std::string_view kHttp = "http://";
  text.reserve(stated.size() + kHttp.size());
  text = kHttp;
  append_without_white_space(stated, text);
  std::string_view url = std::string_view(text).substr(kHttp.size());
  if (url.empty()) return std::nullopt;
  url = with_one_scheme(scheme_bytes(url) == kNone ? std::string_view(text) : url);
  Address address;
  const std::size_t scheme = scheme_bytes(url);
  address.scheme = url.substr(0, scheme);
  url.remove_prefix(scheme + 1);
  url = url.substr(0, url.find('#'));
  std::string_view query;
  if (const std::size_t mark = url.find('?'); mark != kNone) {
    query = url.substr(mark + 1);
    url = url.substr(0, mark);
  }
  address.query = query;
  if (url.starts_with("//")) {
    url.remove_prefix(2);
    const std::string_view authority = url.substr(0, url.find('/'));
    url.remove_prefix(authority.size());
    if (!read_authority(authority, address)) return std::nullopt;
  }
  address.path = url;
  if (address.scheme.starts_with("http") && address.host.empty() && !address.path.empty()) take_host_from_path(address);
  return address;
}

// Removes ".", joins slashes, and lets ".." remove what is before it; what is not there stays as "..".
std::string normal_path(std::string_view path) {
  std::vector<std::string_view> kept;
  const std::size_t slash = path.find('/');
  std::size_t begin = slash == kNone ? path.size() + 1 : slash + 1;  // what is before the first slash is left out
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view segment = path.substr(begin, end - begin);
    if (segment == ".." && !kept.empty()) {
      kept.pop_back();
    } else if (segment != ".") {
      kept.push_back(segment);
    }
    begin = end + 1;
  }
  std::string out = "/";
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const bool is_last = i + 1 == kept.size();
    if (!is_last && kept[i].empty()) continue;
    out += kept[i];
    if (!is_last) out += '/';
  }
  return out;
}

bool is_session_character(char c) {
  return is_ascii_digit(c) || is_ascii_letter(c);
}

// Where `count` characters of a session id end that start at `at`; npos if they are others.
std::size_t after_session(std::string_view text, std::size_t at, std::size_t count) {
  if (at > text.size() || text.size() - at < count) return kNone;
  const std::string_view id = text.substr(at, count);
  return std::all_of(id.begin(), id.end(), is_session_character) ? at + count : kNone;
}

constexpr std::size_t kPathSessionCharacters = 24;

// "(<24>)"
bool is_plain_session(std::string_view segment) {
  return segment.size() == kPathSessionCharacters + 2 && segment.front() == '(' && segment.back() == ')' &&
         after_session(segment, 1, kPathSessionCharacters) != kNone;
}

// "(a(<24>)b(<24>))"
bool is_session_of_groups(std::string_view segment) {
  constexpr std::size_t kGroupBytes = kPathSessionCharacters + 3;
  if (segment.size() < kGroupBytes + 2 || (segment.size() - 2) % kGroupBytes != 0) return false;
  if (segment.front() != '(' || segment.back() != ')') return false;
  for (std::size_t at = 1; at + 1 < segment.size(); at += kGroupBytes) {
    const std::string_view group = segment.substr(at, kGroupBytes);
    if (!is_ascii_letter(group.front()) || !is_plain_session(group.substr(1))) return false;
  }
  return true;
}

// Removes the last segment for which `is_session` holds, if a page of ASP.NET follows it: ".aspx" after at least one
// character, before any '?'.
template <class IsSession>
void remove_path_session(std::string& path, const IsSession& is_session) {
  constexpr std::string_view kEnding = ".aspx";
  if (path.size() < kPathSessionCharacters + kEnding.size()) return;
  std::size_t ending = kNone;  // the first behind `at`
  std::size_t mark = kNone;    // the first '?' from `at` on
  for (std::size_t at = path.size(); at-- > 0;) {
    if (path[at] == '?') mark = at;
    if (at >= 2 && path[at - 1] == '/' && ending < mark) {
      const std::size_t slash = path.rfind('/', at - 2);
      if (slash != std::string::npos && is_session(std::string_view(path).substr(slash + 1, at - slash - 2))) {
        path.erase(slash + 1, at - slash - 1);
        return;
      }
    }
    if (equals_lower_ascii(std::string_view(path).substr(at, kEnding.size()), kEnding)) ending = at;
  }
}

// Removes the last match of a parameter that ends with the query or at a '&', and that '&'. `end_of` gives the end of
// what starts at a place, npos if it is something else; it is asked about every place from the last one to that.
template <class EndOf>
void remove_query_session(std::string& query, EndOf end_of) {
  for (std::size_t at = query.size(); at-- > 0;) {
    const std::size_t end = end_of(query, at);
    if (end == kNone || (end < query.size() && query[end] != '&')) continue;
    query.erase(at, std::min(end + 1, query.size()) - at);
    return;
  }
}

// Where `name` ends if it is at `at`, in any case.
std::size_t after_name(std::string_view text, std::size_t at, std::string_view name) {
  return at <= text.size() && equals_lower_ascii(text.substr(at, name.size()), name) ? at + name.size() : kNone;
}

auto session_named(std::string_view name) {
  constexpr std::size_t kCharacters = 32;
  return [name](std::string_view query, std::size_t at) {
    return after_session(query, after_name(query, at, name), kCharacters);
  };
}

std::size_t after_letters(std::string_view text, std::size_t at, std::size_t count) {
  const std::size_t end = after_session(text, at, count);
  return end != kNone && std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at),
                                     text.begin() + static_cast<std::ptrdiff_t>(end), is_ascii_letter)
             ? end
             : kNone;
}

// "ASPSESSIONID<8>=<24>"
std::size_t after_asp_session(std::string_view query, std::size_t at) {
  constexpr std::size_t kNameLetters = 8;
  constexpr std::size_t kLetters = 24;
  const std::size_t name = after_letters(query, after_name(query, at, "aspsessionid"), kNameLetters);
  return after_letters(query, after_name(query, name, "="), kLetters);
}

// "cfid=...&cftoken=...". Keeps the next two '&', which are not searched again from each "cfid=".
auto cold_fusion_session() {
  return [next = kNone, second = kNone](std::string_view query, std::size_t at) mutable {
    if (query[at] == '&') second = std::exchange(next, at);
    const std::size_t id = after_name(query, at, "cfid=");
    if (id == kNone || next == kNone || next == id) return kNone;
    const std::size_t token = after_name(query, next, "&cftoken=");
    if (token == kNone) return kNone;
    const std::size_t end = std::min(second, query.size());
    return end == token ? kNone : end;
  };
}

// By name, then by value; a parameter without '=' is before one with an empty value.
std::string with_sorted_parameters(std::string_view query) {
  if (query.size() <= 1) return std::string(query);
  struct Parameter {
    std::string_view name;
    bool has_value = false;
    std::string_view value;
    auto operator<=>(const Parameter&) const = default;
  };
  std::vector<Parameter> parameters;
  for (std::size_t begin = 0; begin <= query.size();) {
    const std::size_t end = std::min(query.find('&', begin), query.size());
    const std::string_view text = query.substr(begin, end - begin);
    const std::size_t equals = text.find('=');
    const bool has_value = equals != kNone;
    parameters.push_back({text.substr(0, equals), has_value, has_value ? text.substr(equals + 1) : ""});
    begin = end + 1;
  }
  // Most queries have few parameters or sorted ones; empty ones without end need no comparing beyond this.
  if (!std::is_sorted(parameters.begin(), parameters.end())) std::sort(parameters.begin(), parameters.end());
  std::string out;
  out.reserve(query.size() + 1);
  for (const Parameter& parameter : parameters) {
    out += parameter.name;
    if (parameter.has_value) out.append("=").append(parameter.value);
    out += '&';
  }
  out.pop_back();
  return out;
}

// Without a host, a path is no path of folders, but anything.
std::string canonical_path(std::string_view stated, bool has_host) {
  std::string path = unescape_repeatedly(stated);
  if (has_host) path = normal_path(path);
  path = lower_ascii(escape_once(path));
  remove_path_session(path, is_session_of_groups);
  remove_path_session(path, is_plain_session);
  if (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

std::string canonical_query(std::string_view stated) {
  if (stated.empty()) return {};
  std::string query = escape_once(unescape_repeatedly(stated));
  remove_query_session(query, session_named("jsessionid="));
  remove_query_session(query, session_named("phpsessid="));
  remove_query_session(query, session_named("sid="));
  remove_query_session(query, after_asp_session);
  remove_query_session(query, cold_fusion_session());
  return with_sorted_parameters(lower_ascii(std::move(query)));
}

bool is_default_port(const Address& address) {
  return address.port == 0 || (address.port == 80 && equals_lower_ascii(address.scheme, "http")) ||
         (address.port == 443 && equals_lower_ascii(address.scheme, "https"));
}

std::optional<std::string> key_of(std::string_view url) {
  std::string text;
  const std::optional<Address> address = parse(url, text);
  if (!address) return std::nullopt;
  const std::optional<std::string> host = canonical_host(address->host);
  if (!host) return std::nullopt;
  std::string key;
  if (host->empty()) {
    key.append(address->scheme).append(":");
  } else {
    key = reversed_host(address->scheme == "dns" ? *host : without_www(*host));
    if (!is_default_port(*address)) key += ":" + std::to_string(address->port);
    key += ")";
  }
  const std::string path = canonical_path(address->path, !host->empty());
  const std::string query = canonical_query(address->query);
  key += path;
  if (!query.empty()) key.append(path.empty() ? "/?" : "?").append(query);
  return key;
}

}  // namespace

std::string surt_key(std::string_view url) {
  if (url.empty()) return "-";
  if (url.starts_with("filedesc")) return escape_breaks(url);  // the first record of ARC files
  std::optional<std::string> key = key_of(url);
  return key ? std::move(*key) : escape_breaks(url);
}

}  // namespace paraprint::inline cdx
